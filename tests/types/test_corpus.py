"""Parts of a corpus, which are sent to other processes."""

from __future__ import annotations

import pickle
from pathlib import Path

import pytest

import chunkwise
from chunkwise.errors import CorpusError
from chunkwise.types import Corpus


@pytest.fixture
def docs(tmp_path: Path) -> Path:
    (tmp_path / "docs").mkdir()
    for name in "abc":
        (tmp_path / "docs" / f"{name}.md").write_text(f"# {name}\n\nTe\u00adxt of {name}.\n", "utf-8")
    return tmp_path / "docs"


@pytest.fixture(params=["read", "cleaned", "held"])
def corpus(request: pytest.FixtureRequest, docs: Path, monkeypatch: pytest.MonkeyPatch) -> Corpus:
    monkeypatch.chdir(docs.parent)
    made = chunkwise.read("docs", clean="invisible" if request.param == "cleaned" else ())
    return Corpus(made) if request.param == "held" else made


def test_a_part_holds_what_was_named(corpus: Corpus) -> None:
    part = corpus.part(["c.md", "a.md"])
    assert part.ids == ("a.md", "c.md")
    assert [document.text for document in part] == [corpus[id].text for id in part.ids]
    assert [part.digest_of(id) for id in part.ids] == [corpus.digest_of(id) for id in part.ids]
    with pytest.raises(CorpusError, match=r"b\.md"):
        part["b.md"]
    with pytest.raises(CorpusError, match=r"x\.md"):
        corpus.part(["a.md", "x.md"])


def test_it_is_read_elsewhere(corpus: Corpus, tmp_path: Path, monkeypatch: pytest.MonkeyPatch) -> None:
    here = corpus["c.md"]
    sent = pickle.dumps(corpus.part(["c.md"]))
    assert b"of a" not in sent
    monkeypatch.chdir(tmp_path.parent)
    (document,) = pickle.loads(sent)
    assert document.text == here.text
    assert document.source.text == here.source.text


def test_it_is_shown_by_its_number_of_documents(corpus: Corpus) -> None:
    assert repr(corpus) == "Corpus(3 documents)"
    assert repr(corpus.part(["a.md"])) == "Corpus(1 document)"
