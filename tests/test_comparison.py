"""`compare`: candidates of every kind, default rows, drafted questions, real documents."""

from __future__ import annotations

from dataclasses import replace
from pathlib import Path
from typing import Any

import pytest

from chunkwise.chunk import Fixed, Heading
from chunkwise.comparison import compare, default_candidates, make_candidates
from chunkwise.errors import CorpusError, GoldenError, SettingError, UnknownName
from chunkwise.index import Bm25
from chunkwise.structure import parse_markdown
from chunkwise.types import Candidate, Corpus, Document, Gold, GoldenSet, Place, Question, Report, Span

FILLER = "The unit is checked by hand and the result is written down in the log of the day. "
TOPICS = [
    "Oil change",
    "Filter wash",
    "Pump noise",
    "Valve test",
    "Tank level",
    "Paint work",
    "Spare keys",
    "Night shift",
]
QUICK: dict[str, Any] = {"resamples": 100}


def corpus() -> Corpus:
    texts = {
        f"m{i}.md": f"# Manual {i}\n\n"
        + "".join(f"## {topic} {i}\n\n{FILLER * 4}Note {topic.lower()} {i}.\n\n" for topic in TOPICS)
        for i in range(3)
    }
    return Corpus(Document(doc, text, parse_markdown) for doc, text in texts.items())


def golden(documents: Corpus) -> GoldenSet:
    questions = []
    for document in documents:
        for topic in TOPICS:
            quote = f"Note {topic.lower()}"
            start = document.text.index(quote)
            gold = Gold(quote, (Place(document.id, Span(start, start + len(quote))),))
            questions.append(Question(f"{document.id} {topic}", f"{topic} in {document.id[:-3]}", (gold,)))
    return GoldenSet(questions, {d.id: d.digest for d in documents})


def names(rows: list[Candidate]) -> list[str]:
    return [row.name for row in rows]


def test_candidates_of_every_kind() -> None:
    def halves(text: str) -> list[tuple[int, int]]:
        return [(0, len(text) // 2), (len(text) // 2, len(text))]

    rows = make_candidates(
        [
            "fixed:size=300|600",
            "mine=heading:size=400",
            "paragraph:size=500 @ bm25:k1=1.2",
            Heading(size=200),
            Candidate(Fixed(size=50), "bm25", "tiny"),
            halves,
            "py:textwrap.wrap,width=300",
        ]
    )
    assert names(rows) == [
        "fixed:size=300",
        "fixed:size=600",
        "mine",
        "paragraph:size=500",
        "heading:size=200",
        "tiny",
        "halves",
        "py:textwrap.wrap,width=300",
    ]
    assert [row.retriever for row in rows].count("bm25:k1=1.2") == 1
    report = compare(corpus(), golden(corpus()), rows, **QUICK)
    assert [row.name for row in report.candidates] == names(rows)
    assert report.decision is not None


def test_one_candidate_alone_is_taken_without_a_list() -> None:
    assert names(make_candidates("fixed:size=300")) == ["fixed:size=300"]
    assert names(make_candidates(Heading(size=200))) == ["heading:size=200"]


def test_several_retrievers_give_a_row_each_and_names_that_tell() -> None:
    rows = make_candidates(["fixed:size=300", "mine=fixed:size=300"], ["bm25", "bm25:k1=2"])
    assert names(rows) == [
        "fixed:size=300 @ bm25",
        "fixed:size=300 @ bm25:k1=2",
        "mine @ bm25",
        "mine @ bm25:k1=2",
    ]


@pytest.mark.parametrize("given", [3, None, ["fixed:size=300", 3]])
def test_what_is_no_candidate_is_refused(given: Any) -> None:
    with pytest.raises(SettingError, match="is no candidate"):
        make_candidates([given] if not isinstance(given, list) else given)


def test_bad_names_and_settings_are_named() -> None:
    documents = corpus()
    with pytest.raises(UnknownName, match="did you mean 'heading'"):
        compare(documents, None, ["haeding:size=300"])
    with pytest.raises(SettingError, match="2 candidates are called 'fixed:size=300'"):
        compare(documents, None, ["fixed:size=300", "fixed:size=300"])
    with pytest.raises(SettingError, match="no candidates"):
        compare(documents, None, [])
    with pytest.raises(SettingError, match="no retriever"):
        compare(documents, None, retrievers=())
    with pytest.raises(SettingError, match=r"\Aretrievers must be .*, got 3 in a list"):
        compare(documents, None, retrievers=[3])  # type: ignore[list-item]
    with pytest.raises(CorpusError, match="no documents"):
        compare(Corpus([]))
    with pytest.raises(GoldenError, match="no questions"):
        compare(documents, GoldenSet([]))


def test_default_rows() -> None:
    assert names(default_candidates()) == [
        "fixed:size=800",
        "fixed:size=800,overlap=100",
        "recursive:size=800",
        "paragraph:size=800",
        "heading:size=800",
        "heading:size=800,path=no",
        "section:size=800",
    ]
    assert all("size=400" in name and "unit=cl100k" in name for name in names(default_candidates("cl100k")))


def test_without_candidates_and_questions_headings_are_asked_and_it_says_so() -> None:
    report = compare(corpus(), **QUICK)
    assert [row.name for row in report.candidates][-1] == "size-matched"
    assert len(report.candidates) == 8
    assert report.settings["rule"] == "majority"
    assert report.golden["origin"] == {"heading": len(TOPICS) * 3}
    assert any("copied from headings" in w and "rule majority" in w for w in report.warnings)
    assert all(row.headings["questions"] == len(TOPICS) * 3 for row in report.candidates)
    assert report.decision is not None
    assert any("without the heading lines" in said for said in report.decision.hides)


def test_written_questions_are_judged_by_containment() -> None:
    documents = corpus()
    assert compare(documents, golden(documents), ["fixed:size=300"], **QUICK).settings["rule"] == "contained"
    assert compare(documents, None, ["fixed:size=300"], rule="overlap", **QUICK).settings["rule"] == "overlap"


def test_documents_without_headings_are_still_cut_and_measured() -> None:
    documents = Corpus([Document("a.md", FILLER * 30, parse_markdown)])
    report = compare(documents)
    assert report.decision is not None
    assert report.decision.verdict == "undecided"
    assert report["fixed:size=800"].boundaries["starts"]["sentence"] > 0
    assert "no questions" in report.warnings[0]


def test_rows_of_an_own_retriever() -> None:
    class Loud:
        spec = "loud"

        def indexer(self, analyzer: Any) -> Any:
            return Bm25().indexer(analyzer)

    documents = corpus()
    report = compare(documents, golden(documents), ["fixed:size=300"], retrievers=[Loud(), "bm25"], **QUICK)  # type: ignore[list-item]
    loud, usual = report.candidates
    assert (loud.retriever, usual.retriever) == ("loud", "bm25")
    assert loud.measures == usual.measures


def test_order_of_rows_changes_no_figure() -> None:
    documents, rows = corpus(), ["fixed:size=300", "heading:size=300", "paragraph:size=300"]
    one = compare(documents, golden(documents), rows, exhibits=0, **QUICK)
    two = compare(documents, golden(documents), rows[::-1], exhibits=0, **QUICK)
    for name in rows:
        assert one[name] == two[name]
    assert one.decision is not None
    assert two.decision is not None
    assert one.decision.verdict == two.decision.verdict


def test_paths_are_read(tmp_path: Path) -> None:
    (tmp_path / "docs").mkdir()
    for document in corpus():
        (tmp_path / "docs" / document.id).write_text(document.text, encoding="utf-8", newline="")
    path = tmp_path / "golden.jsonl"
    path.write_text('{"id": "q", "question": "oil", "doc": "m0.md", "gold": "Note oil change 0"}\n')
    report = compare(str(tmp_path / "docs"), path, ["fixed:size=300", "heading:size=300"], **QUICK)
    assert report.golden["questions"] == 1
    path.write_text(path.read_text() + '{"id": "r", "question": "?", "doc": "m0.md", "gold": "nowhere"}\n')
    with pytest.raises(GoldenError, match="1 fault"):
        compare(tmp_path / "docs", path, ["fixed:size=300"], **QUICK)
    rest = compare(tmp_path / "docs", path, ["fixed:size=300"], score_rest=True, **QUICK)
    assert (rest.golden["questions"], rest.golden["left_out"], rest.golden["of"]) == (1, 1, 2)


def test_the_article_s_order_on_its_questions(shared: Path) -> None:
    """Real documents: headings and their path find more, and 32 questions cannot tell chunkers apart."""
    folder = shared / "corpora" / "constitution"
    rows = ["fixed:size=600,overlap=100", "paragraph:size=600", "heading:size=600"]
    report = compare(folder / "docs", folder / "golden.jsonl", rows, retrievers="bm25:words=ascii")
    assert report.golden["questions"] == 32
    for row in report.candidates:
        assert row.measures["coverage"].value == 1
        assert row.costs["lost_characters"] == 0
    assert report["heading:size=600"].boundaries["crossing_sections"]["count"] == 0
    assert report["fixed:size=600,overlap=100"].boundaries["starts"]["shares"]["sentence"] > 0.9
    assert report.decision is not None
    assert report.decision.verdict == "tie"
    again = Report.from_json(report.to_json())
    assert again == report
    assert replace(again, timings={}) == replace(report, timings={})


def test_a_report_is_shown_in_a_line(tmp_path: Path) -> None:
    (tmp_path / "a.md").write_text("# One\n\nText.\n", "utf-8")
    bare = compare(tmp_path, candidates=["fixed:size=9", "document"])
    assert repr(bare) == "Report(rows=2, questions=0, verdict='undecided', candidate=None)"
    (tmp_path / "golden.jsonl").write_text(
        '{"question": "Which text?", "doc": "a.md", "gold": "Text"}\n', "utf-8"
    )
    asked = compare(tmp_path, tmp_path / "golden.jsonl", candidates="document")
    assert repr(asked) == "Report(rows=1, questions=1, verdict='undecided', candidate='document')"
