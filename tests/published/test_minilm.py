"""With all-MiniLM-L6-v2: the Constitution's figures, and what 32 questions can tell of chunkers there."""

from __future__ import annotations

import json
from pathlib import Path

import pytest
from benchmarks.published import constitution
from benchmarks.published.__main__ import load_reference, main
from benchmarks.published.cells import Within

from chunkwise.comparison import compare

# All that embeds this corpus is done by one worker, and what it embeds is kept for the next test.
pytestmark = [pytest.mark.xdist_group("minilm"), pytest.mark.usefixtures("vectors")]
MINILM = "dense:model=minilm"
QUESTION = 100 / 32


@pytest.fixture
def data(shared: Path) -> Path:
    folder = shared / "corpora" / "constitution"
    if not folder.is_dir():
        pytest.skip(f"no corpus at {folder}")
    return folder


def test_recall_is_within_one_question_of_the_reference_and_the_verdict_is_said(
    data: Path, capsys: pytest.CaptureFixture[str]
) -> None:
    reference = load_reference("constitution", data, None)
    assert reference is not None
    arguments = ["constitution", "--retriever", "minilm", "--data", str(data), "--json", "-", "--check"]
    assert main(arguments) == 0
    found = json.loads(capsys.readouterr().out)
    assert found["reference"] == {"figures": 27 + 9, "different": {}}
    for name, recall in reference["recall_at_1_3_5_at_600"]["minilm"].items():
        row = found["rows"][f"{name}_600"]
        ours = [row[f"minilm_recall_at_{k}"]["ours"] for k in (1, 3, 5)]
        assert ours == pytest.approx(recall, abs=QUESTION + 0.1), name
    # Other sizes are not searched with it.
    assert "minilm_recall_at_1" not in found["rows"]["fixed_300"]
    said = found["beyond_the_article"]
    assert said["verdict"] == "tie"
    assert said["tied"] == "paragraph_600, heading_600"
    assert said["ruled_out"] == "fixed_600"
    assert "32 questions" in said["in_words"]
    assert said["may_be_missed"].startswith("What 32 questions can miss: a row")


def test_a_reference_is_met_within_one_question_and_not_two() -> None:
    published = {"recall_at_1_3_5_at_600": {"bm25": {}, "minilm": {"fixed": [56.2, 81.2, 87.5]}}}
    expected = constitution.expected({"chunks_and_ceilings": {}, **published}, "minilm")
    within = expected["rows/fixed_600/minilm_recall_at_1"]
    assert isinstance(within, Within)
    assert 53.1 in within
    assert 59.4 in within
    assert 50.0 not in within
    assert 62.5 not in within


def test_only_the_constitution_takes_another_retriever(
    data: Path, capsys: pytest.CaptureFixture[str]
) -> None:
    with pytest.raises(SystemExit):
        main(["fastapi", "--retriever", "minilm", "--data", str(data)])
    assert "--retriever is for constitution" in capsys.readouterr().err


def test_twelve_starts_of_one_window_have_no_winner(data: Path) -> None:
    offsets = "|".join(str(i * 50) for i in range(12))
    report = compare(
        data / "docs",
        data / "golden.jsonl",
        f"fixed:size=600,offset={offsets}",
        retrievers=MINILM,
        primary="hit@1",
        resamples=500,
        exhibits=0,
    )
    assert report.decision is not None
    assert report.decision.verdict == "tie"
    # Chance alone parts them by several questions.
    values = [row.measures["hit@1"].value for row in report.candidates]
    assert len(values) == 12
    assert max(values) - min(values) >= 3 / 32
    together = compare(
        data / "docs",
        data / "golden.jsonl",
        ["fixed:size=600,offsets=12", "heading:size=600"],
        retrievers=MINILM,
        primary="hit@1",
        resamples=500,
        exhibits=0,
    )
    spread = together["fixed:size=600,offsets=12"].starts["measures"]["hit@1"]
    assert (spread["low"], spread["high"]) == pytest.approx((min(values), max(values)), abs=1e-6)


def test_twelve_labels_of_one_spec_tie(data: Path) -> None:
    rows = [f"row{i}=heading:size=600" for i in range(12)]
    report = compare(data / "docs", data / "golden.jsonl", rows, retrievers=MINILM, resamples=500, exhibits=0)
    assert report.decision is not None
    assert report.decision.verdict == "tie"
    assert len(report.decision.tied) == 12
    assert {c.adjusted for c in report.comparisons} == {1.0}
