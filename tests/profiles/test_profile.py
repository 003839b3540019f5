"""Profiles: lengths counted by hand, places, repetitions, and what is warned of."""

from __future__ import annotations

import itertools
import json
from pathlib import Path

import numpy as np
import pytest
from hypothesis import example, given
from hypothesis import strategies as st

import chunkwise
from chunkwise.errors import CorpusError, SettingError
from chunkwise.profiles import profile
from chunkwise.profiles.lengths import Pieces
from chunkwise.profiles.proposing import APART, ROUND, propose
from chunkwise.readers import read_text
from chunkwise.types import Corpus, Document
from chunkwise.types.profile import Lengths, Profile

GUIDE = """# Guide

Short.

## Table

| a | b |
|---|---|
| 1 | 2 |

## Empty

## Code

Look:

```
x = 1
```

- one
- two

  ```
  y = 2
  ```
"""


def doc(id: str, text: str) -> Document:
    return read_text(text, id=id)


def of(*documents: Document, **settings: object) -> Profile:
    return profile(Corpus(documents), **settings)  # type: ignore[arg-type]


def kind(found: Profile, name: str) -> Lengths:
    block = found.block(name)
    assert block is not None
    return block


def test_sections_and_blocks_are_counted_with_the_blank_lines_behind_them() -> None:
    found = of(doc("guide.md", GUIDE), sizes=[10])
    whole = {title: GUIDE[GUIDE.index(title) :] for title in ("# Guide", "## Table", "## Code")}
    lengths = [
        len(whole["# Guide"]) - len(whole["## Table"]),
        len(whole["## Table"]) - len(GUIDE[GUIDE.index("## Empty") :]),
        len(whole["## Code"]),
    ]
    sections = found.sections
    # The heading without text of its own is no section to be cut.
    assert (sections.count, sections.characters) == (3, sum(lengths))
    assert sections.median == sorted(lengths)[1]
    assert sections.longest == max(lengths)
    assert str(sections.at) == "guide.md:13-26"
    assert sections.at is not None
    assert sections.at.path == ("Guide", "Code")
    assert sections.over == {10: 1.0}
    assert kind(found, "paragraph").count == 2
    assert kind(found, "table").characters == len("| a | b |\n|---|---|\n| 1 | 2 |\n\n")
    # Code inside a list is code too; the list holds it.
    assert kind(found, "code").count == 2
    assert kind(found, "list").longest == len(GUIDE) - GUIDE.index("- one")
    assert found.block("quote") is None


def test_shares_of_what_is_longer() -> None:
    paragraphs = [10, 20, 30, 100]
    text = "".join("x" * (length - 2) + "\n\n" for length in paragraphs)
    found = kind(of(doc("a.txt", text), sizes=[25, 100]), "paragraph")
    assert found.over == {25: 0.5, 100: 0.0}
    assert found.over_characters == {25: round(130 / 160, 6), 100: 0.0}
    assert (found.median, found.p90, found.longest) == (25.0, 79.0, 100)


def test_each_finer_place_to_cut_is_added_to_the_coarser_ones() -> None:
    text = "One two three. Four five six.\nSeven eight nine ten eleven.\n\nEnd.\n"
    rungs = of(doc("a.txt", text)).stretches
    assert [rung.kind for rung in rungs] == ["blank line", "line end", "sentence end", "white space"]
    parts = text.partition("\n\n")
    first = len(parts[0]) + len(parts[1])
    assert [rung.longest for rung in rungs] == [first, 30, 29, 8]
    assert all(a.longest >= b.longest for a, b in itertools.pairwise(rungs))
    assert {rung.characters for rung in rungs} == {len(text)}


@given(st.text(alphabet="a .\n\r#-|`", max_size=80))
def test_stretches_tile_the_text_and_blocks_do_not_exceed_it(text: str) -> None:
    found = of(doc("a.md", text + "x"))
    assert {rung.characters for rung in found.stretches} == {len(text) + 1}
    assert found.sections.characters <= len(text) + 1
    json.dumps(found.to_dict())


def test_characters_a_token_are_told_by_document() -> None:
    found = of(doc("a.md", "four five\n"), doc("b.md", "a b c d e\n"), unit="words")
    assert [(row.units, row.rate) for row in found.documents] == [(2, 5.0), (5, 2.0)]
    assert found.rate == round(20 / 7, 4)
    pytest.importorskip("tiktoken", reason="the extra 'tokens' is not installed")
    plain, dear = "The pump is checked in spring. " * 60, "3Kz9Qx7Lw2Vb8Nn4 " * 100
    warned = of(doc("a.md", plain * 9), doc("b.md", dear), unit="cl100k").warnings
    assert [text for text in warned if "more tokens than their length says (b.md" in text]
    assert of(doc("a.md", plain), unit="cl100k").unit == "cl100k"


def test_what_stands_more_than_once_is_found_whatever_its_white_space() -> None:
    text = "Switch the power off before you open the housing of the pump."
    other = text.replace(" ", "\n", 3)
    own = "Something else that is long enough to be looked at as a block.\n"
    found = of(
        doc("a.md", f"# A\n\n{text}\n\n{own}"),
        doc("b.md", f"# B\n\n{other}\n"),
        doc("c.md", f"# B\n\n{text}\n"),
        doc("d.md", "# D\n\nSee also\n\nSee also\n"),
    )
    assert found.repeated.texts == 1
    (most,) = found.repeated.most
    assert (most["times"], most["text"]) == (3, text)
    assert [str(place) for place in most["at"]] == ["a.md:3", "b.md:3-6"]
    assert found.repeated.documents == (("b.md", "c.md"),)
    shares = {row.doc: row.repeated for row in found.documents}
    assert shares["b.md"] == 1.0
    assert 0.4 < shares["a.md"] < 0.6
    assert shares["d.md"] == 0.0
    assert [
        text
        for text in found.warnings
        if text.startswith("1 group of documents with equal texts: b.md = c.md")
    ]


def test_documents_made_of_what_others_say_are_named() -> None:
    texts = [f"Paragraph number {i} is long enough to be looked at here." for i in range(6)]
    found = of(
        doc("a.md", "# A\n\n" + "\n\n".join(texts)),
        doc("b.md", "# B\n\n" + "\n\n".join(texts[:5])),
        doc("c.md", "# C\n\nNothing that is said anywhere else in here, at all.\n"),
    )
    assert [text for text in found.warnings if text.startswith("2 documents of which 80 % or more")]


def test_texts_without_a_good_place_to_cut_are_told_once_by_the_worst() -> None:
    words = "word " * 1200
    for text, said in (
        ("x" * 5000, "without white space or the end of a sentence (a.txt:1): a cut falls inside a word"),
        (words, "without the end of a sentence (a.txt:1)"),
        ("A sentence of some length. " * 200, "without a line end (a.txt:1)"),
    ):
        found = [w for w in of(doc("a.txt", text)).warnings if "a cut falls" in w or "can be cut" in w]
        assert len(found) == 1
        assert said in found[0]
    assert not [w for w in of(doc("a.txt", "A sentence.\n" * 500)).warnings if "without" in w]


def test_headings_are_missed_where_most_of_the_text_has_none() -> None:
    headed = doc("a.md", "# A\n\n" + "Some text. " * 20)
    bare = doc("b.md", "Some text. " * 40)
    sparse = doc("c.md", "# One heading\n\n" + "Some text. " * 4000)
    assert of(headed, bare).without_headings == ("b.md",)
    assert "there are no headings to cut at: 1 of 2 documents" in of(headed, bare).warnings[0]
    assert of(sparse).without_headings == ("c.md",)
    many = [doc(f"{i}.md", headed.text.replace("A", f"A{i}", 1)) for i in range(3)]
    assert "some documents have no headings: 1 of 4" in of(*many, bare).warnings[0]
    assert of(headed).warnings == ()


def test_documents_without_text_are_told_and_take_no_part() -> None:
    found = of(doc("a.md", " \n"), doc("b.md", "# A\n\nText of b.\n"))
    assert found.without_text == ("a.md",)
    assert found.without_headings == ()
    assert any("1 document without text: a.md" in text for text in found.warnings)
    assert of(doc("a.md", "")).sections.at is None


def lengths(*sizes: int) -> Pieces:
    pieces = Pieces("section")
    pieces.add("a.md", [0] * len(sizes), list(sizes))
    return pieces


@given(st.lists(st.integers(1, 10_000), max_size=60), st.lists(st.integers(1, 10_000), max_size=60))
@example(sections=[], paragraphs=[400, 401] * 5)
def test_proposed_sizes_are_round_and_apart(sections: list[int], paragraphs: list[int]) -> None:
    for bare in (0.0, 1.0):
        found = propose(lengths(*sections), lengths(*paragraphs), bare)
        assert set(found.sizes) <= set(ROUND)
        assert list(found.sizes) == sorted(set(found.sizes))
        if bare == 0.0:
            assert all(b >= APART * a for a, b in zip(found.sizes, found.sizes[1:], strict=False))
        for spec in found.chunkers:
            assert spec.endswith("=" + "|".join(map(str, found.sizes)))


def test_sizes_are_those_at_which_sections_stay_whole() -> None:
    sizes = [100] * 51 + [550] * 41 + [1500] * 8
    found = propose(lengths(*sizes), None, 0.1)
    assert found.sizes == (200, 400, 600)
    assert f"600: {100 * np.mean(np.array(sizes) <= 600):.0f} % of the sections fit whole" in found.reasons
    assert found.chunkers[0].startswith("heading:")
    assert propose(lengths(100), None, 0.0).sizes == (400, 800, 1600)


def test_what_cannot_be_profiled_is_refused() -> None:
    with pytest.raises(CorpusError, match="no documents"):
        of()
    for wrong in (0, [400, -1], [True], []):
        with pytest.raises(SettingError, match="sizes"):
            of(doc("a.md", "x"), sizes=wrong)


def test_it_is_public_takes_a_path_and_is_the_same_again(tmp_path: Path) -> None:
    (tmp_path / "a.md").write_text(GUIDE, "utf-8")
    stages: list[tuple[str, int, int]] = []
    first = chunkwise.profile(tmp_path, progress=lambda *told: stages.append(told))
    assert first == chunkwise.profile(chunkwise.read(tmp_path))
    assert stages == [("profile", 1, 1)]


# --- Real corpora.


def test_the_release_notes_and_the_long_list_are_named(shared: Path) -> None:
    found = profile(shared / "corpora" / "fastapi-docs")
    assert any(w.startswith("docs/release-notes.md is half of the corpus (47.8 %") for w in found.warnings)
    assert any("one list is 24,961 characters long (docs/release-notes.md:3330" in w for w in found.warnings)
    assert found.without_headings == ()


def test_missing_headings_and_the_long_paragraph_are_named(shared: Path) -> None:
    found = profile(shared / "corpora" / "chroma-eval")
    assert found.warnings[0].startswith("there are no headings to cut at: 5 of 6 documents (99.9 %")
    assert any("one paragraph is 118,372 characters long" in text for text in found.warnings)
    assert not any(spec.startswith("heading") for spec in found.proposal.chunkers)


class TestFewUnits:
    ENGLISH = "The pump is checked in spring, and its seal is changed every other year. " * 20
    CHINESE = "水泵每年春季检查一次，密封件每两年更换一次。" * 60
    THAI = "ปั๊มน้ำตรวจสอบทุกฤดูใบไม้ผลิและเปลี่ยนซีลทุกสองปี" * 40

    def said(self, *texts: str, unit: str = "words") -> list[str]:
        documents = [doc(f"{i}.md", text) for i, text in enumerate(texts)]
        return [text for text in of(*documents, unit=unit).warnings if "a size in characters" in text]

    def test_texts_without_spaces_among_others_are_named(self) -> None:
        (said,) = self.said(self.ENGLISH, self.ENGLISH, self.ENGLISH, self.CHINESE, self.THAI)
        assert said.startswith(
            "a size in characters means fewer than half as many words in 2 documents as in"
        )
        assert "(4.md: " in said
        assert "count tokens with --unit cl100k" in said

    def test_in_tokens_it_is_the_other_way_round(self) -> None:
        pytest.importorskip("tiktoken")
        assert not self.said(self.ENGLISH, self.ENGLISH, self.CHINESE, unit="cl100k")
        (said,) = self.said(self.ENGLISH, self.CHINESE, self.CHINESE, unit="cl100k")
        assert "tokens in 1 document as in the median one (0.md: " in said
        assert said.endswith("size chunks in cl100k")

    def test_two_documents_have_no_median_and_short_ones_no_rate(self) -> None:
        assert not self.said(self.ENGLISH, self.CHINESE)
        assert not self.said(self.ENGLISH, self.ENGLISH, self.ENGLISH, self.CHINESE[:900])
        assert not self.said(self.ENGLISH, self.ENGLISH, self.CHINESE, unit="chars")
