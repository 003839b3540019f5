"""Where a sentence goes on behind a full stop that `sentencex` takes for its end."""

from __future__ import annotations

import re

__all__ = ["goes_on"]

_IN_FRONT = frozenset(["", *" \t\r\n([\"'`"])
_NEAR = 24  # characters in front of an end that are looked at

# Words that a number follows, and that are the last of no sentence.
_NUMBERED = re.compile(r"\b(?:approx|vols?|ca|max|chs?|eqs?|pp|figs|tab|cf|Nr|Art|Abs)\.\s+\Z")
# The same with the number in brackets, as in "Eq. (5)".
_BRACKETED = re.compile(
    r"\b(?:[Ee]qs?|[Ff]igs?|[Ss]ecs?|[Tt]ab|[Rr]efs?|[Vv]ols?|[Cc]hs?|[Cc]hap|pp?|approx|cf)\.\s+\Z"
)
# Some of these are words of their own in English.
_NUMBERED_ELSEWHERE = re.compile(
    r"\b(?:Abb|Bd|Kap|Taf|Ziff|Anm|afb|blz|hfdst|nr|rys|str|rozdz|obr|kap|čl|kuv|pág|págs|cap|lám|núm|şek|sf"
    r"|рис|Рис|табл|Табл|стр|гл|Гл|ст|пп|илл|кв|корп|стор|фиг|σελ|κεφ|αρ|αριθ|εικ|πίν|σχ)\.\s+\Z"
)
# Titles in front of a name that `sentencex` does not know.
_TITLES = {
    "fr": re.compile(r"\b(?:M|MM|Mme|Mmes|Mlle|Me|Mgr|St|Ste)\.\s+\Z"),
    "el": re.compile(r"\b(?:κ|κα|κκ|Δρ|δρ|Αγ|αγ|οδ|λεωφ)\.\s+\Z"),
    "nl": re.compile(r"\b(?:mw|Mw|mevr|Mevr|mr|ir|drs|prof|dr)\.\s+\Z"),
}
# A number with a full stop is an ordinal behind a word that never stands at the end of a German sentence.
_ORDINAL = re.compile(
    r"\b(?:der|die|das|den|dem|des|am|im|ins|ans|zum|zur|vom|beim|ein|eine|einen|einem|einer|eines"
    r"|dies\w{1,2}|jed\w{1,2}|sein\w{0,2}|ihr\w{0,2}|unser\w{0,2}|mein\w{0,2}|kein\w{0,2})"
    r"\s+[0-9]{1,3}\.\s+\Z",
    re.IGNORECASE,
)
_ORDINALS = frozenset(["de", "lb", "nds", "gsw", "bar"])
# A short word, a number or letters with full stops, in front of which no letter stands.
_SHORT = re.compile(r"(?:\A|[^\w])(?:\w{1,5}|\w{1,3}(?:\.\s?\w{1,3}){1,4})\.\s*\Z")


def goes_on(text: str, end: int, language: str) -> bool:
    """Whether a sentence goes on at an end: inside of ".NET", behind "vol." with its number, behind
    "т. е." or "am 3." in a language that is not English.

    Args:
        text: the whole text.
        end: what was taken for the end of a sentence, white space included.
        language: ISO 639 code of the language of the text.
    """
    first = text[end : end + 1]
    if "A" <= first <= "Z" and language == "en":  # as nearly all do
        return text[end - 1] == "." and text[end - 2 : end - 1] in _IN_FRONT
    before = text[end - 1 : end]
    if first == "(" and text[end + 1 : end + 2].isdigit():
        return _BRACKETED.search(text, max(0, end - _NEAR), end) is not None
    if first.isdigit():
        start = max(0, end - _NEAR)
        return _NUMBERED.search(text, start, end) is not None or (
            language != "en" and _NUMBERED_ELSEWHERE.search(text, start, end) is not None
        )
    if not first.isalpha():
        return False
    if before == ".":
        return text[end - 2 : end - 1] in _IN_FRONT
    english = language == "en" and first.isascii()
    if english or not before.isspace() or text[end + 1 : end + 2] == ")":  # a) is an item of a list
        return False
    near = text[max(0, end - _NEAR) : end]
    if near.count("\n", len(near.rstrip())) > 1:
        return False
    # No sentence begins with a small letter. In English some are written so, without care or behind "npm.".
    if first.islower():
        return _SHORT.search(near) is not None
    titles = _TITLES.get(language)
    if titles is not None and titles.search(near):
        return True
    return language in _ORDINALS and _ORDINAL.search(near) is not None
