"""The benchmark of the second run: one command, twice, with the cache of vectors between."""

from __future__ import annotations

import json
from pathlib import Path

import pytest
from scripts import meaning

from benchmarks import again

pytestmark = pytest.mark.xdist_group("minilm")


@pytest.mark.usefixtures("vectors")
def test_a_second_run_takes_its_vectors_from_the_cache(
    tmp_path: Path, capsys: pytest.CaptureFixture[str], monkeypatch: pytest.MonkeyPatch
) -> None:
    out = tmp_path / "out" / "again.json"
    arguments = ["--documents", "7", "--chunker", "heading:size=900|1000", "--json", str(out)]
    assert again.main(arguments) == 0
    said = capsys.readouterr().out
    found = again.Again(**json.loads(out.read_text("utf-8")))
    assert (found.documents, found.rows) == (7, 2)
    assert found.chunks > found.distinct > 10
    assert found.equal
    # Time is not asserted: only that there was less to do, as nothing was embedded.
    assert found.loaded == []
    assert "libraries of a model in a run with the cache: none" in said
    monkeypatch.setattr(meaning, "AGAIN", out)
    assert f"{found.chunks} chunks with {found.distinct} different texts" in str(meaning.again(tmp_path))


def test_without_a_run_there_are_no_figures(tmp_path: Path, monkeypatch: pytest.MonkeyPatch) -> None:
    monkeypatch.setattr(meaning, "AGAIN", tmp_path / "none.json")
    assert meaning.again(tmp_path) is None
