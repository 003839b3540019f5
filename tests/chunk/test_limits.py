"""A size is a hard limit on the indexed string, whatever the text and the unit; odd and huge texts."""

from __future__ import annotations

from collections.abc import Callable
from itertools import pairwise

import pytest
from hypothesis import given
from hypothesis import strategies as st

from chunkwise.chunk import CHUNKERS, Heading, Paragraph
from chunkwise.errors import SettingError
from chunkwise.structure import parse_markdown
from chunkwise.testing import check_chunker
from chunkwise.text import counter, is_blank
from chunkwise.types import Chunk, Document

SIZED = [name for name in CHUNKERS if name != "document"]
PACKED = [name for name in SIZED if name != "fixed"]

GUIDE = """---
title: Manual
---

# Größe der Anlage

The pump runs at 24 bar, v2.3.1. 水門は六時に開きます。 七時に閉じます！ 👩‍🔧 fixes it. यह पहला वाक्य है।

- one
  - two
    - three <|endoftext|>

| a | b |
|---|---|
| 1 | a long cell with some words in it |
| 2 | x |

## Code

```python
def function(argument: int) -> int:
    return argument * 2


value = function(21)
```

!!! note "Box"
    Text in a box. More text in it.

> [!NOTE]
> An alert that goes on
> for two lines.
"""


def spread(text: str) -> int:
    """Stands for a tokenizer: bytes of UTF-8 in pairs, and one for each change of kind."""
    changes = sum(a.isalpha() != b.isalpha() for a, b in pairwise(text))
    return (len(text.encode("utf-8")) + 1) // 2 + changes


UNITS: dict[str, str | Callable[[str], int]] = {
    "chars": "chars",
    "words": "words",
    "cl100k": "cl100k",
    "o200k": "o200k",
    "a function": spread,
}


@pytest.mark.parametrize("unit", UNITS)
@pytest.mark.parametrize("name", SIZED)
@pytest.mark.parametrize("size", [10, 14, 25, 60, 150])
def test_nothing_is_over_the_size(name: str, unit: str, size: int) -> None:
    count = counter(UNITS[unit]).count
    for overlap in (0, size // 3, size - 1):
        chunks = check_chunker(
            CHUNKERS[name](size=size, unit=UNITS[unit], overlap=overlap),
            GUIDE,
            size=size,
            overlap=overlap,
        )
        assert all(count(chunk.indexed) <= size for chunk in chunks)
        assert all("over the limit" not in chunk.marks for chunk in chunks)


@pytest.mark.parametrize("name", SIZED)
@pytest.mark.parametrize("size", [1, 2, 3, 4])
@pytest.mark.parametrize("text", [GUIDE, "a", "a b", "# A\n\nb\n", "👨‍👩‍👧‍👦👍🏽", "e\u0301\u0301\u0301"])
def test_tiny_sizes(name: str, size: int, text: str) -> None:
    for unit in ("chars", "words"):
        for overlap in range(size):
            chunker = CHUNKERS[name](size=size, unit=unit, overlap=overlap)
            check_chunker(chunker, text, size=size, overlap=overlap)


@pytest.mark.parametrize("name", SIZED)
def test_size_1_is_a_visible_character_each(name: str) -> None:
    text = "# Ab\n\nc d.\n\n- e\n"
    assert [chunk.text for chunk in CHUNKERS[name](size=1)(text)] == [c for c in text if not is_blank(c)]


@pytest.mark.parametrize("name", SIZED)
def test_a_character_over_a_limit_in_tokens_is_refused_with_place_and_remedy(name: str) -> None:
    document = Document("a.md", "One.\n\n\U000110bd\n", parse_markdown)
    with pytest.raises(SettingError) as caught:
        CHUNKERS[name](size=2, unit="cl100k")(document)
    assert str(caught.value) == (
        "a.md:3: the character '\\U000110bd' alone takes 4 cl100k, the size is 2; use a larger size"
    )


class TestMarks:
    @pytest.mark.parametrize("name", SIZED)
    def test_a_cluster_that_fits_is_never_cut(self, name: str) -> None:
        text = "ab👨‍👩‍👧‍👦cd e\u0301\u0302fg 👍🏽👍🏽 क्षि"
        for chunk in CHUNKERS[name](size=7)(text):
            assert chunk.marks == ()
            assert chunk.text[0] not in "\u0301\u0302\u200d🏽"

    @pytest.mark.parametrize("name", SIZED)
    def test_a_cluster_over_the_size_is_cut_with_a_mark_and_loses_nothing(self, name: str) -> None:
        text = "ab " + "a" + "\u0301" * 120 + " cd"
        chunks = CHUNKERS[name](size=50)(text)
        cut = [chunk for chunk in chunks if "cut in a grapheme" in chunk.marks]
        assert len(cut) == 2, "the last piece ends with the cluster"
        assert "".join(chunk.text for chunk in chunks).replace(" ", "") == text.replace(" ", "")

    @pytest.mark.parametrize("name", ["sentence", "paragraph", "heading", "section"])
    def test_a_row_over_the_size_is_cut_with_a_mark(self, name: str) -> None:
        text = "| a |\n|---|\n| " + "word " * 20 + "|\n| x |\n"
        marked = [chunk for chunk in CHUNKERS[name](size=50)(text) if "cut inside a row" in chunk.marks]
        assert marked
        assert all(chunk.text.endswith("word") for chunk in marked)

    @pytest.mark.parametrize("name", ["sentence", "paragraph", "heading", "section"])
    def test_rows_that_fit_are_whole(self, name: str) -> None:
        text = "| a |\n|---|\n" + "| word |\n" * 20
        chunks = CHUNKERS[name](size=50)(text)
        assert len(chunks) > 3
        assert all(chunk.marks == () for chunk in chunks)
        assert all(chunk.text.startswith("|") and chunk.text.endswith("|") for chunk in chunks)

    def test_what_cannot_be_kept_within_the_size_says_so(self) -> None:
        """A unit whose slices never get small enough: every text takes 3, even with one character."""

        def always_three(text: str) -> int:
            return 3 if text else 0

        with pytest.raises(SettingError, match="alone takes 3 always_three, the size is 2"):
            Paragraph(size=2, unit=always_three)("ab")
        (chunk,) = Paragraph(size=3, unit=always_three)("ab cd. ef\n\ngh")
        assert chunk.marks == ()

    def test_context_and_text_that_count_more_together_say_so(self) -> None:
        """Each alone is within the size, both together are not, however little text is taken."""

        def jumpy(text: str) -> int:
            return len(text) + (20 if "\n" in text.rstrip("\n") else 0)

        chunks = Heading(size=12, unit=jumpy)("# Abc\n\nText one two three four.\n")
        for chunk in chunks:
            assert jumpy(chunk.indexed) <= 12 or "over the limit" in chunk.marks
        assert any("over the limit" in chunk.marks for chunk in chunks)


class Work:
    """A counter of words that counts the characters it has looked at."""

    name = "words"

    def __init__(self) -> None:
        self.characters = 0

    def count(self, text: str) -> int:
        self.characters += len(text)
        return len(text.split())


def lines(count: int) -> str:
    return "some words in a line that is wrapped at seventy or so characters here\n" * count


HUGE = {
    "blank lines": "One.\n\n" + "\n" * 100_000 + "Two.\n",
    "lines of blanks": "One.\n\n" + " \t\n" * 50_000 + "Two.\n",
    "no blank line": lines(8_600) + "\nEnd.\n",
    "one long word": "x" * 200_000,
    "words without a stop": "and so on " * 20_000,
    "one row": "| a |\n|---|\n| " + "cell " * 20_000 + "|\n",
    "one fence": "```\n" + "code line\n" * 10_000,
    "one list": "- item of a list\n" * 6_000,
    "deep quotes": ">" * 3_000 + " x\n\ny\n",
    "a heading a line": "".join(f"{'#' * (i % 6 + 1)} Title {i}\n" for i in range(5_000)),
    "one heading": "# " + "title " * 10_000 + "\n\nText.\n",
    "unmatched marks": "[" * 20_000 + "`" * 20_000 + "*" * 20_000 + "<!--" * 5_000,
    "invisible": "a" + "\u200b" * 100_000 + "b",
    "carriage returns": "a\r" * 30_000,
    "flags": "🇩" * 50_000,
    "open boxes": "::: note\n" * 6_000,
}


@pytest.fixture(scope="module", params=HUGE)
def huge(request: pytest.FixtureRequest) -> Document:
    document = Document(f"{request.param}.md", HUGE[request.param], parse_markdown)
    assert len(document.blocks) > 0
    return document


def no_gaps(chunks: list[Chunk], text: str) -> None:
    reached = 0
    for chunk in chunks:
        assert chunk.span is not None
        assert is_blank(text[reached : chunk.span.start])
        assert chunk.text == text[chunk.span.start : chunk.span.end]
        reached = max(reached, chunk.span.end)
    assert is_blank(text[reached:])


@pytest.mark.parametrize("name", SIZED)
def test_huge_texts_are_cut_whole(name: str, huge: Document) -> None:
    chunks = CHUNKERS[name](size=1_000)(huge)
    no_gaps(chunks, huge.text)
    assert all(len(chunk.indexed) <= 1_000 for chunk in chunks)
    assert len(chunks) <= len(huge.text) / 150 + 20


@pytest.mark.parametrize("name", SIZED)
@pytest.mark.parametrize("overlap", [0, 20])
def test_work_does_not_grow_with_the_square(name: str, huge: Document, overlap: int) -> None:
    """Counted, not timed: the characters handed to a counter that knows nothing of the text."""
    work = Work()
    chunker = CHUNKERS[name](size=100, unit=work, overlap=overlap)
    chunks = chunker(huge)
    no_gaps(chunks, huge.text)
    assert work.characters <= 60 * len(huge.text) + 100_000


def test_thousands_of_nested_quotes_are_cut_in_time() -> None:
    """Minutes, if each of them were looked at from the start of the line."""
    text = "> " * 40_000 + "x\n"
    chunks = CHUNKERS["heading"](size=200)(text)
    no_gaps(chunks, text)
    assert len(chunks) == 401


LONG_LINES = {
    "one line of ticks": "`" * 20_000,
    "an item": "- " + "word " * 4_000 + "\n\n" + "  More of it.\n\n" * 1_000,
    "a label": '!!! note "' + "word " * 4_000 + '"\n' + "    More of it.\n" * 1_000,
    "a header": "|" + "aa|" * 3_000 + "\n|" + "--|" * 3_000 + "\n" + "| b |\n" * 1_000,
    "the first cell": "| a | b |\n|---|---|\n| " + "word " * 2_000 + "| " + "text " * 2_000 + "|\n",
}


@pytest.mark.parametrize("text", LONG_LINES.values(), ids=LONG_LINES)
def test_a_long_line_above_is_not_shortened_again_for_each_piece(text: str) -> None:
    looked = 0

    def letters(part: str) -> int:
        nonlocal looked
        looked += len(part)
        return len(part)

    chunks = CHUNKERS["heading"](size=60, unit=letters)(text)
    no_gaps(chunks, text)
    assert any("context shortened" in chunk.marks for chunk in chunks)
    assert looked < 60 * len(text)


ODD = st.text(
    st.one_of(
        st.sampled_from("ab .,\n\t#-|>`*_[]()<!\u200d\u0301\ufe0f🏽🇩👩\r\u2028\u0600\x00\x1c\ufeff"),
        st.characters(),
    ),
    max_size=60,
)


@pytest.mark.parametrize("name", list(CHUNKERS))
@given(text=ODD, data=st.data())
def test_any_text_with_lone_surrogates_too(name: str, text: str, data: st.DataObject) -> None:
    if name == "document":
        check_chunker(CHUNKERS[name](), text)
        return
    size = data.draw(st.integers(1, 30))
    overlap = data.draw(st.integers(0, size - 1))
    unit = data.draw(st.sampled_from(["chars", "words"]))
    check_chunker(CHUNKERS[name](size=size, overlap=overlap, unit=unit), text, size=size, overlap=overlap)


@pytest.mark.parametrize("name", PACKED)
def test_indentation_stays_and_blank_lines_go(name: str) -> None:
    text = "\n \n    code\n      more\n\n\ntext  \n\n \n"
    (chunk,) = CHUNKERS[name](size=100)(text)
    assert chunk.text == "    code\n      more\n\n\ntext"


@pytest.mark.parametrize("name", list(CHUNKERS))
@pytest.mark.parametrize("text", ["", "\n", " \t\r\n", "\u200b\u00ad\ufeff", "---\n---\n\n\u2060"[9:]])
def test_a_text_without_a_visible_character_has_no_chunk(name: str, text: str) -> None:
    assert CHUNKERS[name]()(text) == []


def test_the_whole_document_is_one_chunk() -> None:
    (chunk,) = CHUNKERS["document"]()("\n\n  # A\n\nText.  \n\n")
    assert chunk.text == "  # A\n\nText."
    assert chunk.path == ("A",)


def test_what_a_unit_is_is_asked_once_where_it_stays_what_it_is() -> None:
    """Limits are asked for with every document; to tell a folder from a name is a look at the disk."""
    named, function = Heading(size=30, unit="words", within="90chars"), Heading(size=30, unit=len)
    assert named.limit is Heading(size=30, unit="words", within="90chars").limit
    assert named.limit is not Heading(size=31, unit="words", within="90chars").limit
    assert function.limit is not Heading(size=30, unit=len).limit
