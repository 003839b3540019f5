"""Sentences: where they end, in prose and lists, in several scripts, and in paragraphs of any length."""

from __future__ import annotations

import re
import sys
from collections.abc import Callable
from itertools import pairwise
from typing import Any

import pytest
import sentencex
from hypothesis import given
from hypothesis import strategies as st

from chunkwise.text import is_blank, sentence_ends, sentences


def split(text: str, language: str = "en") -> list[str]:
    """The sentences with the white space behind them."""
    return [text[a:b] for a, b in pairwise([0, *sentence_ends(text, language)])]


def stripped(text: str) -> list[str]:
    return [text[a:b] for a, b in sentences(text)]


PROSE = {
    "full stops": ["It runs. ", "It stops. ", "It is loud."],
    "question and exclamation": ["Is it on? ", "No! ", "Really?! ", "Yes."],
    "closing quote": ['He said "Stop." ', "Then he left."],
    "closing curly quote": ["He said “Stop.” ", "Then he left."],
    "speech goes on": ["“What?” she asked. ", "“No.”"],
    "brackets around a sentence": ["(It works.) ", "Yes."],
    "an initial in brackets": ["See (J.) Smith. ", "No."],
    "titles": ["Mr. Hill met Dr. Jones. ", "They talked."],
    "a number in brackets": ["Put it in Eq. (5) of Fig. 2. ", "See vol. (3). ", "(4) follows."],
    "initials": ["J. R. R. Tolkien wrote it. ", "He did."],
    "abbreviations": ["Use e.g. this one. ", "And i.e. that."],
    "versions and addresses": ["v2.3.1 is out. ", "Get it at https://a.b/c.d?e=f. ", "Now."],
    "decimals": ["It is 5.5 kg. ", "Then 3.14."],
    "an ellipsis before a small letter": ["Wait ... what? ", "No."],
    "blank lines end a sentence": ["A heading\n\n", "Text goes on\nhere. ", "End."],
    "blank lines with CRLF": ["One\r\n\r\n", "Two. ", "Three"],
    "white space at the ends": ["  Leading. ", "Trailing.  "],
    "Japanese": ["水門は六時に開きます。", "七時に閉じます！", "はい？", "いいえ。"],
    "Japanese quotes": ["「はい。」", "そうです。"],
    "Chinese": ["中文，句子。", "第二句！"],
    "Khmer": ["ខ្ញុំទៅ។ ", "អ្នកមក។", "គាត់នៅ៕"],
    "Tibetan": ["བོད་ཡིག། ", "ཡི་གེ་འབྲི།། ", "ཀློག"],
    "Hindi": ["यह पहला वाक्य है। ", "यह दूसरा है।"],
    "Arabic": ["كيف حالك؟ ", "جيد."],
    "marks of emphasis": ["**Note.** ", "Keep it dry. ", "_Stop!_ ", "Go on."],
    "footnotes": ["It is old.[1] ", "It is new.[^note] ", "It is mine.¹ ", "Yes."],
    "several marks that close": ["(He said “Go.”) ", "She went.”) ", "(Stop!). ", "End."],
    "a name that begins with a point": ["It runs on .NET here. ", ".NET runs. ", "Edit (.Profile) now."],
    "words for numbers": ["It has approx. 40 holes. ", "See vol. 2, max. 3 pages. ", "Done. ", "2 are left."],
    "an ellipsis before a capital letter": ["Wait… ", "Then go on … slowly."],
    "Japanese brackets": ["（注意。）", "閉じます。"],
    "Russian": ["Это первое. ", "Это второе!"],
}


@pytest.mark.parametrize("parts", PROSE.values(), ids=PROSE)
def test_prose(parts: list[str]) -> None:
    assert split("".join(parts)) == parts


LISTS = {
    "bullets": ["- open it\n", "- close it\n", "- go"],
    "stars and dots": ["* one\n", "• two\n", "+ three"],
    "numbers": ["1. open it\n", "2. close it\n", "10. go"],
    "numbers with brackets": ["1) one\n", "2) two\n"],
    "letters": ["a) first\n", "b) second"],
    "indented": ["- one\n", "  - two\n", "    3. three"],
    "a number at the start of a line is text": ["It was\n1986. ", "A good year."],
    "a line that goes on with an item": ["- one\n  more of it\n", "- two"],
    "text behind a list": ["Steps:\n", "- open it\n", "- close it\n", "Then wait"],
    "a list behind text": ["Do this:\n", "1. open it\n", "2. close it"],
    "CRLF": ["- one\r\n", "- two\r\n"],
    "CR": ["- one\r", "- two\r"],
}


@pytest.mark.parametrize("parts", LISTS.values(), ids=LISTS)
def test_each_line_of_a_list_is_a_unit(parts: list[str]) -> None:
    assert split("".join(parts)) == parts


def test_a_sentence_of_a_lone_item_ends() -> None:
    assert split("1. Open the valve. Wait.") == ["1. Open the valve. ", "Wait."]


def test_spans_have_no_white_space_around_them() -> None:
    assert stripped("  One. \n\n\tTwo.  \n") == ["One.", "Two."]
    assert stripped(" \n ") == []
    assert sentence_ends("") == []
    assert sentence_ends(" \n ") == [3]


def test_another_language_has_other_abbreviations() -> None:
    text = "Das ist z.B. gut. Ja."
    assert split(text, "de") == ["Das ist z.B. gut. ", "Ja."]


@pytest.mark.parametrize("space", ["\u3000", "\xa0", "\u2003", "\u2028", "\x85", "\u3000\xa0", "\u2009 "])
def test_white_space_of_any_width_may_stand_in_front_of_a_point(space: str) -> None:
    text = f"We take plan A{space}. Then we go home."
    assert sentence_ends(text) == sentence_ends(text.replace(space, " " * len(space)))


def test_lone_surrogates_are_characters() -> None:
    assert split("It \ud800 runs. It\udfff stops.") == ["It \ud800 runs. ", "It\udfff stops."]


PIECES = [
    "It runs. ",
    "no end ",
    "Dr. ",
    "\n",
    "\n\n",
    "\r\n",
    "\r",
    "- ",
    "1. ",
    '"Stop." ',
    "水門。",
    " ",
    "\t",
    "a",
]


@given(st.lists(st.one_of(st.sampled_from(PIECES), st.text(max_size=3)), max_size=30).map("".join))
def test_an_end_is_followed_by_what_is_visible(text: str) -> None:
    """White space goes with the sentence before it, but for the indentation of a line."""
    ends = sentence_ends(text)
    assert ends == sorted({*ends}), "the ends rise"
    for end in ends[:-1]:
        rest = text[end:]
        assert rest.strip(), "no sentence is blank at the end"
        indentation = rest[: len(rest) - len(rest.lstrip())]
        assert not indentation or (text[end - 1] in "\r\n" and not re.search("[\r\n]", indentation))


# A paragraph longer than the window, as a novel has them: no end in it may depend on the window.
SENTENCES = [
    "The pump runs at 24 bar. ",
    "Dr. Hill said “Stop.” ",
    "Is it on? ",
    "See fig. 3, e.g. the valve (J. Smith drew it). ",
    "Version 2.3.1 is at https://example.org/a.b?c=d. ",
    "It was, as far as anybody could tell in those days of rain and wind, and of more rain, a fine gate! ",
    "¿Qué? ",
    "42 litres, no more. ",
]


def paragraph(count: int) -> str:
    return "".join(SENTENCES[(i * i + i // 3) % len(SENTENCES)] for i in range(count)).rstrip()


@pytest.mark.parametrize("count", [150, 400])
def test_a_long_paragraph_has_the_ends_of_a_whole_look(count: int, monkeypatch: pytest.MonkeyPatch) -> None:
    text = paragraph(count)
    assert len(text) > 4_000
    windowed = sentence_ends(text)
    monkeypatch.setattr(sys.modules[sentence_ends.__module__], "_WINDOW", len(text) + 1)
    assert windowed == sentence_ends(text)
    assert len(windowed) == count


class Work:
    """Counts what is handed to the segmenter."""

    def __init__(self, monkeypatch: pytest.MonkeyPatch) -> None:
        self.calls, self.characters, self.longest = 0, 0, 0
        for name in ("segment", "get_sentence_boundaries"):
            monkeypatch.setattr(sentencex, name, self._counting(getattr(sentencex, name)))

    def _counting(self, real: Callable[[str, str], Any]) -> Callable[[str, str], Any]:
        def counting(language: str, text: str) -> Any:
            self.calls += 1
            self.characters += len(text)
            self.longest = max(self.longest, len(text))
            return real(language, text)

        return counting


LONG = {
    "prose": paragraph(2_000),
    "no sentence end at all": "and so on " * 20_000,
    "one word": "x" * 200_000,
    "lines without blank ones": "and so on\n" * 20_000,
    "Japanese": "水門は六時に開きます。" * 15_000,
    "dots": ". " * 50_000,
}


@pytest.mark.parametrize("text", LONG.values(), ids=LONG)
def test_work_grows_with_the_length_of_a_paragraph(text: str, monkeypatch: pytest.MonkeyPatch) -> None:
    # The segmenter's time grows with the square of what it is handed at once.
    work = Work(monkeypatch)
    sentence_ends(text)
    assert work.longest <= 4_000
    assert len(text.rstrip()) <= work.characters <= 3 * len(text)
    assert work.calls <= len(text) / 1_000


def test_short_paragraphs_are_handed_over_many_at_a_time(monkeypatch: pytest.MonkeyPatch) -> None:
    work = Work(monkeypatch)
    text = "A short one. With two.\n\n" * 5_000
    assert len(sentence_ends(text)) == 10_000
    assert len(text) <= work.characters + 2 * work.calls, "all but blank lines between"
    assert work.calls <= len(text) / 1_000


@pytest.mark.parametrize("line", ["\n", "\r\n", "\n\n", "\r\n\r\n"])
@pytest.mark.parametrize(
    "words", ["no end", "Ends. Here", "水門は。はい", "x" * 1_900, "水" * 3_900, "水" * 9_900]
)
def test_blank_lines_end_sentences_in_texts_of_any_length(words: str, line: str) -> None:
    # The segmenter loses some of them in texts of more than 10 kB.
    part = f"{words}{line}{line}"
    count = 60_000 // len(part)
    assert [end for end in sentence_ends(part * count) if end % len(part) == 0] == [
        len(part) * i for i in range(1, count + 1)
    ]


def test_a_long_paragraph_among_short_ones_moves_no_end() -> None:
    long = paragraph(200)
    text = f"One. Two.\n\n{long}\n\nThree. Four."
    start = text.index(long)
    assert {start, start + len(long) + 2} <= {*sentence_ends(text)}
    inside = [end - start for end in sentence_ends(text) if start < end < start + len(long)]
    assert inside == sentence_ends(long)[:-1]


def test_nothing_visible_is_lost() -> None:
    text = paragraph(500) + "\n\n" + "- a\n- b\n" * 3
    kept = "".join(text[a:b] for a, b in sentences(text))
    assert [c for c in kept if not is_blank(c)] == [c for c in text if not is_blank(c)]


@pytest.mark.parametrize("text", ["  - four five six\n", "\n\n  1. One. Two\n", "\t* a\n"])
def test_white_space_in_front_of_all_is_no_sentence(text: str) -> None:
    assert text[: sentence_ends(text)[0]].strip()
