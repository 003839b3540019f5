"""The golden set asked of a version of which little was cut: as if all documents had been cut once more."""

from __future__ import annotations

import json
from collections.abc import Iterator, Sequence
from pathlib import Path
from typing import Any

import pytest

import chunkwise
from chunkwise.comparison import make_candidates
from chunkwise.golden import load_golden
from chunkwise.ship.baseline import read_baseline
from chunkwise.ship.checking import GoldenCheck, check_golden
from chunkwise.ship.rules import Rules
from chunkwise.ship.searching import make_asking
from chunkwise.ship.stores import Store, open_store
from chunkwise.types import Chunk, Document

from .make import write_folder

RULES = Rules(must_pass=("soup",), tags=0.0, at_least={"hit@10": 0.1})
RETRIEVERS = ("bm25:k1=1.2", "dense:model={}", "hybrid:rrf,dense={}")


class Watched:
    """A chunker that says what it has cut."""

    def __init__(self, chunker: Any) -> None:
        self.chunker = chunker
        self.docs: set[str] = set()

    def __getattr__(self, name: str) -> Any:
        return getattr(self.chunker, name)

    def __call__(self, document: Document) -> Sequence[Chunk]:
        self.docs.add(document.id)
        found: Sequence[Chunk] = self.chunker(document)
        return found


@pytest.fixture
def folder(tmp_path: Path) -> Path:
    """Two documents that answer, and some that come in between."""
    docs = write_folder(tmp_path) / "docs"
    for number in range(12):
        text = f"Garden leave and soup for lamp {number}, in the canteen or in your car.\n" * (1 + number % 4)
        (docs / f"note{number:02d}.md").write_text(f"# Notes {number}\n\n{text}\nNotice\0 period.\n", "utf-8")
    (docs / "odd.md").write_bytes("\ufeffGarden\r\n\r\nleave, 日本.\r\n".encode())
    (docs / "page.html").write_text("<h1>Soup</h1><p>Grade 7 soup &amp; notice.</p>", "utf-8")
    (docs / "water.md").write_text("# 水道\n\n地下水。\n", "utf-8")
    golden = tmp_path / "golden.jsonl"
    lines = golden.read_text("utf-8").splitlines()
    lines.append('{"id": "water", "question": "水", "doc": "water.md", "gold": "地下水"}')
    tagged = [line[:-1] + f', "tags": {{"kind": "{i % 2}"}}}}' for i, line in enumerate(lines)]
    golden.write_text("\n".join(tagged) + "\n", "utf-8")
    return tmp_path


@pytest.fixture(params=["lancedb", "postgresql", "qdrant"])
def store(request: pytest.FixtureRequest, tmp_path: Path) -> Iterator[Store]:
    if request.param == "postgresql":
        pytest.importorskip("psycopg")
        yield open_store(request.getfixturevalue("schema"))
        return
    pytest.importorskip({"lancedb": "lancedb", "qdrant": "qdrant_client"}[request.param])
    found = open_store(f"{request.param}:{tmp_path / 'store'}")
    yield found
    getattr(found, "close", lambda: None)()


@pytest.mark.parametrize("chunker", ["heading:size=400", "fixed:size=150,overlap=60"])
@pytest.mark.parametrize("retriever", RETRIEVERS)
def test_it_finds_what_cutting_everything_finds(
    folder: Path, store: Store, model: Path, retriever: str, chunker: str
) -> None:
    retriever, golden = retriever.format(model), folder / "golden.jsonl"
    settings: dict[str, Any] = {"chunker": chunker, "retriever": retriever, "golden": golden}
    first = chunkwise.ship_index(folder / "docs", store, **settings)
    assert first.served
    path = folder / "docs" / "note03.md"
    path.write_text(path.read_text("utf-8").replace("your car", "your lamp and your soup"), "utf-8")
    second = chunkwise.ship_index(folder / "docs", store, **settings)
    assert (second.served, second.manifest.work["cut"]) == (True, 1)
    corpus = chunkwise.read(folder / "docs")
    (candidate,) = make_candidates(chunker, [retriever])
    asking, view = make_asking(retriever), store.view(second.manifest.version)
    before = read_baseline(json.dumps(first.manifest.baseline), "before")

    def check(whole: bool) -> tuple[GoldenCheck, set[str]]:
        watched, questions = Watched(candidate.chunker), load_golden(golden, corpus)
        row = candidate._replace(chunker=watched)
        return check_golden(view, asking, row, corpus, questions, RULES, before, whole=whole), watched.docs

    (quick, few), (slow, every) = check(False), check(True)
    assert few == {"leaving.md", "lunch.md", "water.md"}
    assert every == set(corpus.ids)
    assert quick.outcome.checks == slow.outcome.checks
    for one, other in ((quick.exact, slow.exact), (quick.store, slow.store)):
        assert one.means == other.means
        assert one.groups == other.groups
        assert one.values == other.values
        assert one.questions == other.questions
    row, whole = quick.store.row, slow.store.row
    assert row is not None
    assert whole is not None
    assert (row.chunks, row.costs["sent"], row.rules) == (whole.chunks, whole.costs["sent"], whole.rules)


def test_a_lost_question_is_told_with_what_came_instead(folder: Path) -> None:
    pytest.importorskip("lancedb")
    settings: dict[str, Any] = {"golden": folder / "golden.jsonl", "rules": Rules(measures=("hit@1",))}
    store = open_store(f"lancedb:{folder / 'store'}")
    (folder / "docs" / "odd.md").write_text("# Odd\n\nNothing.\n", "utf-8")
    assert chunkwise.ship_index(folder / "docs", store, chunker="heading:size=400", **settings).served
    text = "\ufeff# Odd\r\n\r\nWho gets free soup in the canteen? Who gets free soup in the canteen?\r\n"
    (folder / "docs" / "odd.md").write_bytes(text.encode())
    shipped = chunkwise.ship_index(folder / "docs", store, **settings)
    assert not shipped.served
    assert shipped.manifest.work["cut"] == 1
    assert shipped.checked is not None
    assert shipped.checked.golden is not None
    (lost,) = shipped.checked.golden.outcome.lost
    assert (lost.id, lost.expected[0].doc) == ("soup", "lunch.md")
    first = lost.instead[0]
    assert (first.doc, first.line, first.path) == ("odd.md", 1, ("Odd",))
    assert "Who gets free soup in the canteen?" in first.text
    assert len(lost.instead) == 3
