"""What one should know about documents before cutting them, in words."""

from __future__ import annotations

from collections.abc import Sequence
from dataclasses import replace

from chunkwise.text import uneven
from chunkwise.types.profile import Lengths, Profile

MUCH = 1 / 3
"""A document with a larger share of the text than this rules every figure."""
ALL = 0.8
"""With a larger share it is the corpus."""
LONG = 4_000
"""Characters beyond which a piece is cut whatever size is chosen."""
_ALIKE = 0.8
_REPEATED = 0.05
_UNEVEN = 1.5
_SMALL = 200  # units below which a document's rate is an accident


def warnings(made: Profile) -> Profile:
    """The profile with its warnings filled in."""
    found = [
        *_headings(made),
        *_large(made),
        *_long(made),
        *_stretches(made),
        *_repeated(made),
        *_rates(made),
        *_few(made),
    ]
    if made.without_text:
        found.append(f"{_count(len(made.without_text), 'document')} without text: {_some(made.without_text)}")
    return replace(made, warnings=tuple(found))


def _headings(made: Profile) -> list[str]:
    without = made.without_headings
    if not without:
        return []
    lengths = {row.doc: row.characters for row in made.documents}
    share = sum(lengths[doc] for doc in without) / made.characters
    readable = len(made.documents) - len(made.without_text)
    if share > 0.5:
        said = "there are no headings to cut at"
        follows = "chunkers that go by headings have nothing to go by, and there is no path to add"
    else:
        said = "some documents have no headings"
        follows = "heading and section cut these at paragraphs"
    of = f"{len(without):,} of {_count(readable, 'document')} ({_percent(share)} % of the text)"
    few = "have none, or less than one in 20,000 characters"
    return [f"{said}: {of} {few} ({_some(without)}); {follows}"]


def _large(made: Profile) -> list[str]:
    if len(made.documents) < 3:
        return []
    largest = max(made.documents, key=lambda row: row.share)
    if largest.share <= MUCH:
        return []
    size = f"{largest.characters:,} of {made.characters:,} characters"
    share = f"{_percent(largest.share)} %"
    if largest.share > ALL:
        return [f"{largest.doc} is {share} of the corpus, {size}: figures are about this document"]
    half = 0.45 <= largest.share <= 0.55
    part = f"half of the corpus ({share}, {size})" if half else f"{share} of the corpus ({size})"
    remedy = (
        "leave it out with --exclude if nobody asks about it, or see that questions ask about the others too"
    )
    return [f"{largest.doc} is {part}: its chunks stand in every ranking; {remedy}"]


def _long(made: Profile) -> list[str]:
    found = []
    for kind in made.blocks:
        if kind.longest > LONG and kind.at is not None:
            what = {"html": "HTML block", "code": "code block"}.get(kind.kind, kind.kind)
            length = f"{kind.longest:,} characters long"
            found.append(f"one {what} is {length} ({kind.at}): every chunker cuts inside it")
    return found


def _stretches(made: Profile) -> list[str]:
    """Texts in which a chunker finds no good place to cut: only the coarsest that is missing is told."""
    lines, ends, spaces = made.stretches[1:4]
    if _beyond(spaces):
        said = f"{_long_one(spaces)} without white space or the end of a sentence"
        follows = "a cut falls inside a word; leave out what nobody asks about, such as an encoded picture"
    elif _beyond(ends):
        said, follows = f"{_long_one(ends)} without the end of a sentence", "a cut falls between two words"
    elif _beyond(lines):
        said, follows = f"{_long_one(lines)} without a line end", "it can be cut between sentences only"
    else:
        return []
    rung = spaces if _beyond(spaces) else ends if _beyond(ends) else lines
    return [f"{said} ({rung.at}): {follows}"]


def _long_one(rung: Lengths) -> str:
    return f"{rung.longest:,} characters"


def _beyond(rung: Lengths) -> bool:
    return rung.longest > min(LONG, 2 * max(rung.over, default=LONG))


def _repeated(made: Profile) -> list[str]:
    found = []
    same = made.repeated.documents
    if same:
        shown = _some([" = ".join(group[:3]) for group in same], 2)
        found.append(f"{_count(len(same), 'group')} of documents with equal texts: {shown}")
    known = {doc for group in same for doc in group}
    alike = [row.doc for row in made.documents if row.repeated >= _ALIKE and row.doc not in known]
    if alike:
        found.append(
            f"{_count(len(alike), 'document')} of which {100 * _ALIKE:.0f} % or more stands in others too: "
            f"{_some(alike)}; only a heading or a name can tell their chunks apart"
        )
    if made.repeated.share > _REPEATED:
        found.append(
            f"{_percent(made.repeated.share)} % of the text is a repetition of other text; an answer in it "
            "stands in several places, which a golden set says with 'also'"
        )
    return found


def _rates(made: Profile) -> list[str]:
    """Documents that take many more tokens than their length says."""
    if made.unit in ("words", "chars") or not made.rate:
        return []
    dear = sorted(
        (row for row in made.documents if row.units >= _SMALL and row.rate * _UNEVEN < made.rate),
        key=lambda row: row.rate,
    )
    if not dear:
        return []
    first = f"{dear[0].doc}: {dear[0].rate:.1f} characters a token, {made.rate:.1f} over all"
    many = f"{_count(len(dear), 'document')} take many more tokens than their length says"
    return [f"{many} ({first}): size chunks in {made.unit} there"]


def _few(made: Profile) -> list[str]:
    """Documents in which a size in characters means fewer than half of the units that it means elsewhere."""
    rows = made.documents
    few = None
    if made.unit != "chars":
        few = uneven([row.doc for row in rows], [row.characters for row in rows], [row.units for row in rows])
    if few is None:
        return []
    what = "word" if made.unit == "words" else "token"
    first = f"{few.worst}: {few.rate:.1f} characters a {what}, {few.middle:.1f} in the median document"
    follows = (
        "words are not told apart by spaces there, or are none; count tokens with --unit cl100k"
        if made.unit == "words"
        else f"size chunks in {made.unit}"
    )
    many = _count(few.many, "document")
    said = f"a size in characters means fewer than half as many {what}s in {many} as in the median one"
    return [f"{said} ({first}): {follows}"]


def _percent(share: float) -> str:
    return f"{100 * share:.1f}"


def _count(number: int, noun: str) -> str:
    return f"{number:,} {noun if number == 1 else noun + 's'}"


def _some(names: Sequence[str], most: int = 3) -> str:
    rest = len(names) - most
    return ", ".join(names[:most]) + (f" and {rest:,} more" if rest > 0 else "")
