"""The articles' definitions on texts that can be checked by eye."""

from __future__ import annotations

import pytest
from benchmarks.published import constitution, fastapi, rfc9562
from benchmarks.published.cells import Cell, Figures, differences
from benchmarks.published.fastapi import sections

from chunkwise.adapters import from_callable
from chunkwise.readers import read_text

PAGE = """\
Intro.

# Page { #page }

Text.

## First part

### Deep

```
# a comment
```
## Second part
"""


def test_windows_of_the_rfc_stop_at_the_first_that_reaches_the_end() -> None:
    assert list(rfc9562.windows("x" * 10, 4, 3)) == [(0, 4), (3, 7), (6, 10)]
    assert list(rfc9562.windows("x" * 10, 4, 4)) == [(0, 4), (4, 8), (8, 10)]


def test_windows_of_the_docs_go_on_to_the_last_start() -> None:
    assert list(fastapi.windows("x" * 10, 4, 1)) == [(0, 4), (3, 7), (6, 10), (9, 10)]


def test_whole_paragraphs_are_packed_and_never_cut() -> None:
    text = "aa\n\nbb\n\n" + "c" * 9 + "\n\nd"
    spans = list(rfc9562.whole_paragraphs(text, 8))
    assert [text[a:b] for a, b in spans] == ["aa\n\nbb\n\n", "c" * 9 + "\n\n", "d"]
    # The docs' packing does not ask whether the last paragraph still fits.
    assert [text[a:b] for a, b in fastapi.packed(text, 8)] == ["aa\n\nbb\n\n", "c" * 9 + "\n\nd"]


def test_packed_paragraphs_drop_blank_chunks() -> None:
    assert list(fastapi.packed("\n\n\n", 2)) == []
    assert list(fastapi.packed("", 2)) == []


def test_what_a_lower_rung_makes_is_final_unless_merged() -> None:
    text = "aaa\nbbb\nccc\n\nd\n\n"
    assert [text[a:b] for a, b in rfc9562.recursive(text, 8)] == ["aaa\nbbb\n", "ccc\n\n", "d\n\n"]
    merged = [text[a:b] for a, b in rfc9562.recursive(text, 8, merge=True)]
    assert merged == ["aaa\nbbb\n", "ccc\n\nd\n\n"]
    assert [text[a:b] for a, b in rfc9562.packed_atoms(text, 8)] == merged


def test_a_text_without_separators_is_cut_at_the_size() -> None:
    assert rfc9562.recursive("x" * 10, 4) == [(0, 4), (4, 8), (8, 10)]


def test_cuts_are_counted_at_starts_and_ends_apart() -> None:
    document = read_text("One. Two three.\n\nFour.", id="a.txt")
    figures = rfc9562.measure(document, cut(document, [(0, 5), (5, 9), (9, 17), (17, 22)]))
    assert (figures["chunks"], figures["mid_sentence"], figures["mid_para"]) == (4, 1, 2)
    assert figures["mid_sentence_pct"] == 33.33
    assert figures["chunk_ends_not_legal"] == 1
    # Chunks that drop the blank lines behind them end as well as those that keep them.
    trimmed = cut(document, [(0, 4), (5, 15), (17, 22)])
    assert rfc9562.measure(document, trimmed, trimmed=True)["chunk_ends_not_legal"] == 0
    assert rfc9562.measure(document, trimmed)["chunk_ends_not_legal"] == 2


def cut(document, spans):
    return from_callable(lambda _: spans, "spans")(document)


def test_sections_are_leaves_and_know_their_path() -> None:
    found = [(s.level, s.title, s.path) for s in sections(PAGE)]
    assert found == [
        (0, "", ()),
        (1, "Page", ("Page",)),
        (2, "First part", ("Page", "First part")),
        (3, "Deep", ("Page", "First part", "Deep")),
        # Fences are not looked at.
        (1, "a comment", ("a comment",)),
        (2, "Second part", ("a comment", "Second part")),
    ]
    assert "".join(PAGE[s.start : s.end] for s in sections(PAGE)) == PAGE


def test_a_subtree_ends_at_the_next_heading_of_its_level_or_above() -> None:
    ends = {s.title: PAGE[: s.subtree].count("\n") for s in sections(PAGE) if s.level}
    assert ends == {"Page": 11, "First part": 11, "Deep": 11, "a comment": 14, "Second part": 14}


def test_sections_can_leave_out_headings() -> None:
    comment = PAGE.index("# a comment")
    assert "a comment" not in [s.title for s in sections(PAGE, lambda position: position == comment)]


@pytest.mark.parametrize(
    ("title", "body", "wanted"),
    [("Two words", 300, 1), ("Two words", 200, 0), ("Word", 300, 0), ("日本 語", 300, 0), ("a_b c", 300, 1)],
)
def test_queries_have_enough_text_and_words(title, body, wanted) -> None:
    document = read_text(f"## {title}\n\n{'x' * (body - len(title) - 5)}", id="a.md")
    golden = fastapi.queries([document])
    assert len(golden) == wanted
    for question in golden:
        (gold,) = question.golds
        assert (question.text, gold.places[0]) == (title, ("a.md", (0, body)))


def test_equal_titles_stay_two_questions() -> None:
    part = "## Same title\n\n" + "x" * 300 + "\n\n"
    golden = fastapi.queries([read_text(part * 2, id="a.md")])
    assert [q.id for q in golden] == ["a.md:0", f"a.md:{len(part)}"]


def test_windows_of_the_folded_text_keep_their_raw_places() -> None:
    raw = "\n one\n\n two   three\tfour \n"
    text = " ".join(raw.split())
    found = list(constitution.fixed(raw, 6))
    assert [indexed for _, _, indexed in found] == [text[i : i + 6] for i in range(0, len(text), 5)]
    for start, end, indexed in found:
        assert " ".join(raw[start:end].split()) == indexed.strip()


LAW = """\
# Article 1

## Section 1

All power;  is
here. And there.

Second block.

## Section 2

Third.
"""


def test_packed_blocks_stand_where_they_were_cut() -> None:
    for cutter in (constitution.paragraph, constitution.heading):
        for size in (5, 20, 40, 400):
            for start, end, indexed in cutter(LAW, size):
                body = indexed.rpartition("\n")[2]
                assert " ".join(LAW[start:end].split()) == body
                assert not LAW[start:end][:1].isspace()


def test_a_long_block_is_cut_behind_sentences() -> None:
    found = [indexed for _, _, indexed in constitution.paragraph(LAW, 20)]
    assert found[:3] == ["# Article 1", "## Section 1", "All power; is here."]


def test_chunks_under_headings_never_cross_them_and_carry_the_path() -> None:
    found = [indexed for _, _, indexed in constitution.heading(LAW, 400)]
    assert found == [
        "Article 1 > Section 1\nAll power; is here. And there. Second block.",
        "Article 1 > Section 2\nThird.",
    ]


def test_differences_name_every_figure_that_is_not_the_same() -> None:
    figures = Figures({"name": "x", "n": Cell(3, 4)}, {"fixed": {"chunks": Cell(None, 5)}})
    expected = {"corpus/n": 4, "rows/fixed/chunks": 6, "rows/fixed/lost": 1}
    assert differences(figures, expected) == {
        "rows/fixed/chunks": {"reference": 6, "ours": 5},
        "rows/fixed/lost": {"reference": 1, "ours": None},
    }
    assert figures.to_dict()["rows"]["fixed"]["chunks"] == {"published": None, "ours": 5}
