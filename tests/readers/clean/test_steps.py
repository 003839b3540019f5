"""Every step of cleaning: what it finds, what it leaves, and what all of them promise."""

from __future__ import annotations

import pytest
from hypothesis import given
from hypothesis import strategies as st

from chunkwise.errors import UnknownName
from chunkwise.readers import read_text
from chunkwise.readers.clean import STEPS, clean, parse_steps
from chunkwise.types import BlockKind
from tests.properties.strategies import markdown

NOISE = st.lists(
    st.sampled_from(
        [
            *"\u00ad\u200b\u200c\u200d\u200e\u202e\u202c\u2060\ufeff\ufe0f\U000e0041\x00\u00a0\u202f\u3000\u2028",
            *"ﬁﬄÅ½abc1#-> |م👩🏴ی\f\r\n",
            *(
                "\x1b[31m",
                "e\u0301",
                "me-\nter",
                "me-\n\tter",
                "so\u00ad\nft",
                "\n\n\n",
                "\n\n\n\n",
                "\r\n",
                "क्",
            ),
            *("Report 1\n", "\nReport 2\n", "\n2\n", "[Page 1]\n", "[Page 2]\n", "\nAnnual Report\n", "\n\f"),
            *(
                "**a**",
                "```",
                "<b>",
                "</b>",
                "<!--",
                "-->",
                "[a](b)",
                "$x_1$",
                "\\*",
                "\n\n",
                "word ",
                "\n# T\n\n",
            ),
        ]
    ),
    max_size=30,
).map("".join)
NAMES = [name for name in STEPS if name != "markdown-to-text"]


def text_of(text: str, *steps: str, id: str = "a.txt") -> str:
    return clean(read_text(text, id), steps).text


def promises(document, steps):
    """What holds for every cleaned document."""
    made = clean(document, steps)
    tops = [made.blocks[i].span for i in made.blocks.top()]
    edges = [0, *(end for _, end in tops)]
    assert [start for start, _ in tops] == edges[:-1]
    assert edges[-1] in (0, len(made.text))
    assert edges[-1] == len(made.text) or not made.text.strip()
    assert [s.level for s in made.sections] == [s.level for s in document.sections]
    for section in made.sections:
        assert 0 <= section.span.start <= section.body <= section.span.end <= len(made.text)
    for block in made.blocks:
        assert 0 <= block.span.start < block.span.end <= len(made.text)
    # The way back: what was not touched reads the same in both.
    touched = set()
    for removal in made.removed:
        touched.update(range(removal.span.start, removal.span.end))
    raw = document.text
    for i in range(len(made.text)):
        span = made.to_raw((i, i + 1))
        if span.length == 1 and span.start not in touched:
            assert made.text[i] == raw[span.start]
    return made


@given(NOISE, st.lists(st.sampled_from(list(STEPS)), max_size=3))
def test_blocks_sections_and_the_way_back_are_kept(text, steps):
    for id in ("a.md", "a.txt"):
        promises(read_text(text, id), steps)


@given(markdown(), st.lists(st.sampled_from(list(STEPS)), min_size=1, max_size=4))
def test_real_structure_is_kept(made, steps):
    promises(read_text(made.text), steps)


@given(NOISE, st.sampled_from(NAMES))
def test_a_step_finds_nothing_in_what_it_left(text, name):
    once = text_of(text, name)
    assert text_of(once, name) == once


@given(NOISE)
def test_no_step_is_taken_twice(text):
    once = clean(read_text(text), list(STEPS))
    assert clean(once, list(STEPS)) is once
    assert clean(clean(read_text(text), ["markdown-to-text"]), ["markdown-to-text"]).text == text_of(
        text, "markdown-to-text", id="a.md"
    )


@given(NOISE)
def test_all_at_once_is_one_after_the_other_in_the_same_order(text):
    document = read_text(text)
    whole = clean(document, "page-furniture+invisible+spaces+ligatures")
    parts = document
    for name in ("page-furniture", "invisible", "spaces", "ligatures"):
        parts = clean(parts, [name])
    assert whole.text == parts.text
    assert list(whole.removed) == list(parts.removed)
    assert (list(whole.blocks), list(whole.sections)) == (list(parts.blocks), list(parts.sections))


def test_steps_run_in_the_order_of_the_table():
    assert parse_steps("spaces+invisible") == ("invisible", "spaces")
    assert parse_steps(["nfc", "invisible+spaces"]) == ("invisible", "spaces", "nfc")
    assert parse_steps("no") == parse_steps(()) == ()


def test_an_unknown_step_is_named_with_the_nearest():
    with pytest.raises(UnknownName, match="did you mean 'invisible'"):
        parse_steps("invisble")


def test_what_was_removed_is_counted_and_listed():
    made = clean(read_text("# A\u00ad b\n\none\u00a0two \u200bthree\n"), "invisible+spaces")
    assert made.counts() == {
        "invisible": {"soft hyphen": 1, "zero-width space": 1},
        "spaces": {"no-break space": 1},
    }
    assert [(r.what, tuple(r.span), r.put) for r in made.removed] == [
        ("soft hyphen", (3, 4), ""),
        ("zero-width space", (16, 17), ""),
        ("no-break space", (11, 12), " "),
    ]
    assert made.sections.titles == ["", "A b"]
    assert made.source.text == "# A\u00ad b\n\none\u00a0two \u200bthree\n"


@pytest.mark.parametrize(
    ("steps", "before", "after"),
    [
        ("spaces", "a\u00a0b\u2009c\u2028d\te", "a b c\nd\te"),
        ("ligatures", "ﬁnd the oﬃce, ﬆ", "find the office, st"),
        ("nfc", "e\u0301 A\u030a 2⁵ ﬁ", "é Å 2⁵ ﬁ"),
        ("nfkc", "2⁵ ﬁ Ａ", "25 fi A"),
        ("blank-lines", "a\n\n\n\nb\n \n\t\nc\n\nd", "a\n\nb\n\nc\n\nd"),
        ("blank-lines", "a\r\n\r\n\r\nb\r\n", "a\r\n\r\nb\r\n"),
        ("hyphenation", "the tem-\n  perature is high", "the temperature is high"),
        ("hyphenation", "well-known; a well-\nknown fact", "well-known; a well-known fact"),
        ("hyphenation", "long term goals: a long-\nterm plan", "long term goals: a long-term plan"),
        ("hyphenation", "RFC-\n9562, Anglo-\nSaxon, 3-\nfold", "RFC-\n9562, Anglo-\nSaxon, 3-\nfold"),
        ("hyphenation", "pres\u00ad\nsure", "pressure"),
        ("hyphenation", "pre-\nand post-war, Vor-\r\nund Nachteile", "pre- and post-war, Vor- und Nachteile"),
        ("hyphenation", "See https://a.org/x/set-\nup.html here", "See https://a.org/x/set-up.html here"),
        ("invisible", "\x9b31mred\x9b0m \x9bo", "red o"),
        ("invisible", "a\u200bb\ufeff\u2060 c\x1b[1mred\x1b[0m\x07\td\f", "ab cred\td\f"),
        (
            "invisible",
            "e\ufe0f 1\ufe0f\u20e3 ❤\ufe0f 🏴\U000e0067\U000e007f",
            "e 1\ufe0f\u20e3 ❤\ufe0f 🏴\U000e0067\U000e007f",
        ),
        ("invisible", "שלום \u200eabc\nabc \u200eabc", "שלום \u200eabc\nabc abc"),
        ("invisible", "👩🏽\u200d🔧 a\u200db", "👩🏽\u200d🔧 ab"),
    ],
)
def test_each_step(steps, before, after):
    assert text_of(before, *steps.split("+")) == after


def test_code_and_tables_keep_their_line_ends():
    text = "```\na\n\n\n\nb-\nc\n```\n\n| a-b |\n|---|\n| c-d |\n"
    assert text_of(text, "blank-lines", "hyphenation", id="a.md") == text


@pytest.mark.parametrize(
    ("before", "after"),
    [
        ("# A *b* {#x}\n\nSet\n===\n", "A b\n\nSet\n"),
        ("> [!NOTE]\n> Keep *dry*.\n", "[!NOTE]\nKeep dry.\n"),
        ("- a **b**\n  1. `c d`\n", "- a b\n  1. c d\n"),
        # Quotes in items: the marks of the quotes, and no sign of what is quoted.
        ("- a\n  > - b\n  > - *c*\n", "- a\n  - b\n  - c\n"),
        ("- > x\n\n  > | y | z |\n  > |---|---|\n", "- x\n\n  | y | z |\n"),
        ("> | y | z |\n> |---|---|\n> | 1 | 2 |\n", "| y | z |\n| 1 | 2 |\n"),
        ("> - a\n>\n>   > b\n", "- a\n\n  b\n"),
        ("- a\n\n  >     > code\n", "- a\n\n      > code\n"),
        ("| *a* | b |\n|---|:-:|\n| `x` | [y](z) |\n", "| a | b |\n| x | y |\n"),
        ("Say:\n\n```py\nx = '*'\n```\n\nDone.\n", "Say:\n\nx = '*'\n\nDone.\n"),
        ("a &amp; b &copy; \\*c\\* <b>d</b><br>e\n", "a & b © *c* d\ne\n"),
        ("a <!-- no --> b\n\n<div>\nkept\n</div>\n\n---\n\nend\n", "a  b\n\nkept\n\nend\n"),
        ("<!DOCTYPE html>\n<div>\nkept\n</div>\n", "kept\n"),
        ("---\ntitle: T\n---\n\n# *A*\n", "---\ntitle: T\n---\n\nA\n"),
        ("é *b* ~~c~~ snake_case_word 2 * 3 * 4\n", "é b c snake_case_word 2 * 3 * 4\n"),
        ("a\\\nb  \nc\n", "a\nb\nc\n"),
        ("- [ ] to *do*\n- [x] done\n", "- [ ] to do\n- [x] done\n"),
        ('See <img src="data:image/png;base64,AA" alt="the plan &amp; x"> now.\n', "See the plan & x now.\n"),
        ("<p>\n<img alt='the plan' src=x>\n</p>\n", "the plan\n"),
    ],
)
def test_markdown_as_it_is_shown(before, after):
    made = clean(read_text(before), "markdown-to-text")
    assert made.text == after
    assert [s.title for s in made.sections] == [s.title for s in read_text(before).sections]


def test_plain_text_has_no_marks():
    assert text_of("# a *b*\n", "markdown-to-text", id="a.txt") == "# a *b*\n"


def test_a_document_that_looks_other_than_it_is_says_so():
    made = clean(read_text("a \u202egnp.exe\u202c\n\nb \U000e0048\U000e0069\n", "a.txt"), "invisible")
    first, second = made.notices
    assert (first.line, second.line) == (1, 3)
    assert "U+202E" in first.message
    assert "'Hi'" in second.message


def test_paragraphs_that_a_page_break_parts_are_one_block():
    text = "Head\n\nIt was closed for\n\n1\n\fHead\n\nnine weeks.\n\nNext.\n\n2\n\fHead\n\nEnd.\n\n3\n"
    made = clean(read_text(text, "a.txt"), "page-furniture")
    assert made.text == "It was closed for\nnine weeks.\n\nNext.\n\nEnd.\n"
    assert [made.text[slice(*b.span)].strip() for b in made.blocks if b.kind == BlockKind.PARAGRAPH] == [
        "It was closed for\nnine weeks.",
        "Next.",
        "End.",
    ]
    assert [made.page(made.text.index(word)) for word in ("It", "nine", "Next", "End")] == [1, 2, 2, 3]
