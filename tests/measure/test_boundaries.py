"""Damage at the cuts: counted by hand, by an oracle, and the same however documents are joined."""

from __future__ import annotations

import json
from itertools import pairwise
from pathlib import Path

import numpy as np
import pytest
from hypothesis import given
from hypothesis import strategies as st

from chunkwise.measure.boundaries import Boundaries, Cuts, boundaries, damage
from chunkwise.measure.landmarks import landmarks
from chunkwise.structure import parse_markdown, parse_plain
from chunkwise.types import Blocks, Document, Sections, Structure


def markdown(text: str, id: str = "a.md") -> Document:
    return Document(id, text, parse_markdown)


def plain(text: str, id: str = "a.txt") -> Document:
    return Document(id, text, parse_plain)


def at(text: str, needle: str) -> int:
    assert text.count(needle) == 1
    return text.index(needle)


def cut(text: str, *positions: int) -> list[tuple[int, int]]:
    edges = [0, *positions, len(text)]
    return list(pairwise(edges))


def test_the_case_counted_by_hand(shared: Path) -> None:
    case = shared / "cases" / "boundary-damage-counted-by-hand"
    document = plain((case / "input.txt").read_bytes().decode())
    spans = json.loads((case / "chunks.json").read_text())
    found = boundaries(document, spans)
    assert found.starts == Cuts(cuts=4, sentence=2, paragraph=3, row=0, code=0, any=2)
    assert found.starts.share("sentence") == 0.5
    assert found.starts.share("paragraph") == 0.75
    # White space before the cut may belong to either side.
    spans[1][1] = 19
    assert boundaries(document, spans) == found
    alone = boundaries(document, [(0, len(document.text))])
    assert (alone.starts.cuts, alone.starts.share("sentence"), alone.ends.share("any")) == (0, 0.0, 0.0)


def test_starts_and_ends_are_counted_apart() -> None:
    text = "One two three. Four five six. Seven eight."
    # Windows that overlap: every start is a sentence's, both inner ends are not.
    found = boundaries(plain(text), [(0, 20), (15, 35), (30, len(text))])
    assert (found.starts.cuts, found.starts.sentence) == (2, 0)
    assert (found.ends.cuts, found.ends.sentence) == (2, 2)


def test_rows_and_code_are_no_sentences() -> None:
    text = "| a | b |\n|---|---|\n| one. Two | 2 |\n| three | 4 |\n\n```\nx = 1. \ny = 2\n```\n"
    document = markdown(text)
    row, between, code = at(text, "Two"), at(text, "| three"), at(text, "y = 2")
    assert boundaries(document, cut(text, row)).starts == Cuts(1, row=1, any=1)
    assert boundaries(document, cut(text, between)).starts == Cuts(1)
    assert boundaries(document, cut(text, code)).starts == Cuts(1, code=1, any=1)


def test_list_items_part_running_text_and_so_do_blank_lines_in_one_block() -> None:
    text = "- first item\n- second item goes on\n\n<div>\nabove\n\nbelow the blank line\n</div>\n"
    document = markdown(text)
    assert boundaries(document, cut(text, at(text, "- second"))).starts == Cuts(1)
    assert boundaries(document, cut(text, at(text, "goes on"))).starts.paragraph == 1
    assert boundaries(document, cut(text, at(text, "below"))).starts.paragraph == 0


def test_what_an_item_holds_is_apart_from_its_own_text() -> None:
    text = "- first item\n  - nested item goes on\n\n> quoted text\n> - inner\n"
    document = markdown(text)
    assert boundaries(document, cut(text, at(text, "- nested"))).starts == Cuts(1)
    assert boundaries(document, cut(text, at(text, "goes on"))).starts.paragraph == 1


def test_front_matter_is_no_text_of_a_section() -> None:
    text = "---\ntitle: x\n---\n# A\n\nText of a.\n"
    assert boundaries(markdown(text), cut(text)).crossing == 0
    more = text.replace("# A", "Intro.\n\n# A")
    assert boundaries(markdown(more), cut(more)).crossing == 1


def test_a_blank_line_ends_a_paragraph_whatever_its_line_ends() -> None:
    for end in ("\n", "\r\n", "\r"):
        text = f"One two{end}three{end} {end}four five"
        document = Document("a", text, lambda text, _: Structure(Blocks(), Sections((), len(text)), {}))
        assert boundaries(document, cut(text, at(text, "four"))).starts.paragraph == 0
        assert boundaries(document, cut(text, at(text, "three"))).starts.paragraph == 1


def test_a_heading_is_parted_where_no_chunk_holds_it_and_its_first_character() -> None:
    text = "# Title\n\nBody text here.\n\n## Empty\n\n## Full\n\nMore text.\n"
    document = markdown(text)
    body, full = at(text, "Body"), at(text, "More")
    assert boundaries(document, cut(text)).headings == 2  # the empty one has nothing to be parted from
    assert boundaries(document, cut(text)).parted == 0
    assert boundaries(document, cut(text, body)).parted == 1
    assert boundaries(document, cut(text, body, full)).parted == 2
    assert boundaries(document, cut(text, body + 1, full)).parted == 1
    assert boundaries(document, cut(text, 3, full + 1)).parted == 1  # a cut through the heading's line
    # A chunk that overlaps mends it.
    assert boundaries(document, [(0, body), (0, len(text)), (2, body)]).parted == 0


TABLE = """# Periods

| grade | period |
|---|---|
| four | six weeks |
| five | ten weeks |

| no | header |
"""


def test_rows_are_with_their_header_in_a_chunk_or_as_context() -> None:
    document = markdown(TABLE)
    four, five = at(TABLE, "| four"), at(TABLE, "| five")
    assert boundaries(document, cut(TABLE)).headed == 2  # a row without a delimiter below is no table
    found = {
        "whole": boundaries(document, cut(TABLE)),
        "one": boundaries(document, cut(TABLE, five)),
        "both": boundaries(document, cut(TABLE, four, five)),
        "as context": boundaries(document, cut(TABLE, four, five), with_header=[False, True, True]),
        "of one": boundaries(document, cut(TABLE, four, five), with_header=[False, False, True]),
        "inside the header": boundaries(document, cut(TABLE, at(TABLE, "period |"))),
        "overlap": boundaries(document, [(0, five), (at(TABLE, "| grade"), len(TABLE))]),
        "in no chunk": boundaries(document, []),
    }
    assert {name: one.headless for name, one in found.items()} == {
        "whole": 0,
        "one": 1,
        "both": 2,
        "as context": 0,
        "of one": 1,
        "inside the header": 2,
        "overlap": 0,
        "in no chunk": 2,
    }
    assert (found["whole"].rows, found["whole"].rows_cut) == (3, 0)
    assert found["inside the header"].rows_cut == 1
    assert found["both"].to_dict()["rows_without_header"] == {"count": 2, "of": 2, "share": 1.0}


def test_rows_of_tables_of_html_have_a_header_too() -> None:
    text = "<table>\n<tr><th>grade</th></tr>\n<tr><td>four</td></tr>\n<tr><td>five</td></tr>\n</table>\n"
    document = markdown(text)
    found = boundaries(document, cut(text, at(text, "<tr><td>five")))
    assert (found.headed, found.headless) == (2, 1)


def test_code_blocks_are_cut_where_no_chunk_holds_them_whole() -> None:
    text = "Run:\n\n```sh\nstart\n\nstop\n```\n\nThen:\n\n```sh\nwait\n```\n"
    document = markdown(text)
    found = boundaries(document, cut(text, at(text, "stop"), at(text, "Then")))
    assert (found.code, found.code_cut) == (2, 1)
    assert boundaries(document, [(0, at(text, "Then")), (at(text, "stop"), len(text))]).code_cut == 0


LIST = """# Parts

Take these. You need three:

- a seal
  - with a spring
- a ring

Some words.

- not introduced

需要：

- 阀门
"""


def test_items_are_with_the_sentence_that_introduces_them() -> None:
    document = markdown(LIST)
    assert boundaries(document, cut(LIST)).items == 3  # nested ones are part of the item above
    assert boundaries(document, cut(LIST)).items_parted == 0
    first, ring, valve = at(LIST, "- a seal"), at(LIST, "- a ring"), at(LIST, "- 阀门")
    assert boundaries(document, cut(LIST, first)).items_parted == 2
    assert boundaries(document, cut(LIST, ring)).items_parted == 1
    assert boundaries(document, cut(LIST, ring, valve)).items_parted == 2
    # The sentence is what introduces, not the paragraph.
    assert boundaries(document, [(0, first), (at(LIST, "You need"), len(LIST))]).items_parted == 0
    assert boundaries(document, [(0, first), (at(LIST, "need"), len(LIST))]).items_parted == 2
    told = boundaries(document, cut(LIST, first, ring), with_lead=[False, True, False])
    assert told.items_parted == 1
    assert boundaries(document, []).items_parted == 3


def test_a_list_at_the_start_of_a_document_is_introduced_by_no_other_document() -> None:
    documents = [markdown("Take:\n"), markdown("- a seal\n")]
    assert not len(landmarks(documents).led_items)


def test_a_chunk_crosses_where_it_holds_text_of_two_leaf_sections() -> None:
    text = "---\ntitle: x\n---\nIntro.\n\n# A\n\n###### B\n\nText of b.\n\n## C\n\nText of c.\n"
    document = markdown(text)
    intro, a, c = at(text, "Intro"), at(text, "# A"), at(text, "## C")
    assert boundaries(document, cut(text)).crossing == 1
    assert boundaries(document, cut(text, a)).crossing == 1
    assert boundaries(document, cut(text, a, c)).crossing == 0
    # Front matter is no text of a section, and the heading of the next section alone crosses nothing.
    assert (
        boundaries(document, [(0, intro), (intro, a), (a, at(text, "Text of c")), (c, len(text))]).crossing
        == 0
    )
    assert boundaries(document, [(intro, at(text, "ext of b"))]).crossing == 1
    assert boundaries(document, [(intro, at(text, "Text of b"))]).crossing == 0


def test_documents_without_chunks_or_text_do_no_harm() -> None:
    assert boundaries(plain(""), []) == Boundaries()
    lost = boundaries(markdown("# A\n\nb\n"), [])
    assert (lost.headings, lost.parted, lost.chunks) == (1, 1, 0)


def test_plain_values_carry_shares_and_no_nan() -> None:
    none = boundaries(plain("word"), [(0, 4)]).to_dict()
    assert none["starts"]["shares"] == dict.fromkeys(("sentence", "paragraph", "row", "code", "any"), 0.0)
    assert none["crossing_sections"] == {"count": 0, "of": 1, "share": 0.0}
    assert none["headings_parted"] == {"count": 0, "of": 0, "share": 0.0}


PIECES = st.sampled_from(
    [
        "One two. ",
        "three",
        "\n",
        "\n\n",
        "# H\n\n",
        "## I\n",
        "- item\n",
        "| a |\n|---|\n| b |\n",
        "\u200b",
        "é ",
        "```\nx\n```\n",
    ]
)
TEXTS = st.lists(PIECES, max_size=10).map("".join)


def sentence_oracle(text: str) -> list[int]:
    """Ends of sentences by a rule simple enough to count: a full stop and the white space behind it."""
    ends = [i for i in range(1, len(text)) if "." in text[:i].rstrip()[-1:] and not text[i].isspace()]
    return sorted({*ends, len(text)}) if text else []


@st.composite
def cut_texts(draw: st.DrawFn) -> tuple[str, list[tuple[int, int]]]:
    text = draw(TEXTS)
    if not text:
        return text, []
    pairs = st.tuples(st.integers(0, len(text) - 1), st.integers(1, 15))
    return text, sorted((s, min(s + n, len(text))) for s, n in draw(st.lists(pairs, max_size=6)))


@given(st.lists(cut_texts(), min_size=1, max_size=4))
def test_documents_joined_are_counted_as_each_alone(given_: list[tuple[str, list[tuple[int, int]]]]) -> None:
    documents = [markdown(text, f"{i}.md") for i, (text, _) in enumerate(given_)]
    marks = landmarks(documents)
    rows = [(i, s, e) for i, (_, spans) in enumerate(given_) for s, e in spans]
    docs, starts, ends = np.array(rows, dtype=np.int64).reshape(-1, 3).T
    together = damage(marks, docs, starts + marks.offsets[docs], ends + marks.offsets[docs])
    apart = [boundaries(document, spans) for document, (_, spans) in zip(documents, given_, strict=True)]
    assert together == sum(apart, Boundaries())


@given(st.lists(TEXTS, min_size=1, max_size=4), st.sampled_from(["\n", "\r\n", "\r"]))
def test_the_landmarks_of_one_of_many_are_those_of_it_alone(texts: list[str], line: str) -> None:
    documents = [markdown(text.replace("\n", line), f"{i}.md") for i, text in enumerate(texts)]
    marks = landmarks(documents)
    for number, document in enumerate(documents):
        for name, own, alone in zip(marks._fields, marks.of(number), landmarks([document]), strict=True):
            assert np.array_equal(own, alone), name


@given(cut_texts())
def test_sentences_and_crossings_agree_with_an_oracle(given_: tuple[str, list[tuple[int, int]]]) -> None:
    text, spans = given_
    document = markdown(text)
    found = boundaries(document, spans, ends=lambda document: sentence_oracle(document.text))
    blocks = document.blocks
    shown = [not (c.isspace() or c == "\u200b") for c in text]

    def strictly_inside(start: int, end: int, position: int) -> bool:
        return any(shown[start:position]) and any(shown[position:end])

    def inside(kind: str, position: int) -> bool:
        return any(
            block.kind.name == kind
            and block.span.start < position < block.span.end
            and strictly_inside(*block.span, position)
            for block in blocks
        )

    edges = [0, *sentence_oracle(text)]
    for side, positions in (("starts", [s for s, _ in spans][1:]), ("ends", [e for _, e in spans][:-1])):
        cuts = getattr(found, side)
        assert cuts.row == sum(inside("ROW", p) for p in positions)
        assert cuts.code == sum(inside("CODE", p) for p in positions)
        torn = sum(any(a < p < b and strictly_inside(a, b, p) for a, b in pairwise(edges)) for p in positions)
        assert cuts.sentence <= torn
        assert cuts.sentence <= cuts.paragraph
        assert max(cuts.sentence, cuts.row, cuts.code) <= cuts.any <= cuts.cuts
    crossing = 0
    for start, end in spans:
        held = {
            s.number
            for s in document.sections
            if any(shown[max(start, s.body) : max(min(end, s.span.end), max(start, s.body))])
        }
        crossing += len(held) > 1
    assert found.crossing == crossing
    parted = 0
    for section in document.sections:
        first = next((i for i in range(section.body, section.span.end) if shown[i]), None)
        head = next((i for i in range(section.span.start, section.body) if shown[i]), None)
        if first is not None and head is not None:
            parted += not any(start <= head and first < end for start, end in spans)
    assert found.parted == parted


def test_words_are_counted_as_of_the_slice_alone() -> None:
    text = "one  two\u00a0three\nfour"
    marks = landmarks([plain("zero"), plain(text)])
    for start in range(len(text) + 1):
        for end in range(start + 1, len(text) + 1):
            at_ = marks.offsets[1] + np.array([start]), marks.offsets[1] + np.array([end])
            assert marks.words_in(*at_).tolist() == [len(text[start:end].split())]


@pytest.mark.parametrize("text", ["a\u00adb c\u3000d\U000e0061e", "plain ascii \x1c text\x85", "\ud800 lone"])
def test_columns_of_odd_characters(text: str) -> None:
    marks = landmarks([plain(text)], lambda document: [len(document.text)])
    words = [text[a:b] for a, b in zip(*marks.words, strict=True)]
    assert words == text.split()
    shown = "".join(text[a:b] for a, b in zip(*marks.visible, strict=True))
    assert shown == "".join(c for c in text if not c.isspace() and c not in "\u00ad\U000e0061")
