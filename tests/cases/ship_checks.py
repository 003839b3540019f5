"""Checks on gates and on what is shipped."""

from __future__ import annotations

import json
from pathlib import Path
from typing import Any

import numpy as np
import pytest

from chunkwise import read_text
from chunkwise.cli import main
from chunkwise.errors import ChunkwiseError, SettingError, StoreError
from chunkwise.ship.gating import gate_report
from chunkwise.ship.opened import open_index
from chunkwise.ship.orders import make_order
from chunkwise.ship.rules import Rules
from chunkwise.ship.shipping import ship_index
from chunkwise.ship.stores import open_store
from chunkwise.ship.stores.lance import LanceStore
from chunkwise.types import Corpus
from tests.index.tiny import static_model

from .mapping import Trial, chunkers_for
from .structure_checks import names_all

Check = dict[str, Any]


def _rules(trial: Trial, folder: Path) -> Path:
    """The case's tolerance as a file of rules."""
    settings = trial.case.settings
    lines = [f"measures = {json.dumps(settings.get('metrics', ['recall@5', 'mrr']))}"]
    lines.append(f"max_drop = {settings.get('tolerance', 0.02)}")
    path = folder / "gate.toml"
    path.write_text("\n".join(lines), "utf-8")
    return path


def exit_code(trial: Trial, check: Check, folder: Path) -> None:
    """The command line on every baseline of the case, and on one that is not there."""
    case = trial.case
    known = [name for name in case.files if name != "candidate.json"]
    given = [case.folder / name for name in known]
    if case.id == "baseline-missing-or-broken":
        given.append(folder / "missing.json")
    for baseline in given:
        arguments = ["--baseline", str(baseline), "--gate", str(_rules(trial, folder))]
        code = main(["gate", "--report", str(case.folder / "candidate.json"), *arguments])
        assert (code == 0) == (check["code"] == "zero"), baseline


def error(trial: Trial, check: Check) -> None:
    """The baseline that the check names is refused."""
    (name,) = (name for name in check["names"] if name.endswith(".json"))
    with pytest.raises(ChunkwiseError) as caught:
        gate_report(trial.case.folder / "candidate.json", trial.case.folder / name, Rules())
    assert names_all(str(caught.value), check["names"])


ONE_NOTE = "paragraph:size=60"
"""The case counts a chunk a paragraph; paragraphs are packed here, and two do not fit into this size."""


def index_count(trial: Trial, check: Check, folder: Path) -> None:
    store = Small(f"{folder / 'index'}", trial.case.settings["request_limit"])
    assert ship_index(trial.roots[0], store, chunker=ONE_NOTE).served
    assert max(store.sizes) <= trial.case.settings["request_limit"]
    assert store.view("v000001").count() == check["equals"]


def old_index_live_on_failure(trial: Trial, check: Check, folder: Path) -> None:
    """The second part fails: the old version serves on, and nothing is embedded twice."""
    del check
    words = ["[UNK]", "Note", "is", "about", "the", "lamp", "in", "room", *map(str, range(6000))]
    table = np.random.default_rng(2).normal(size=(len(words), 8)).astype(np.float32)
    retriever = f"dense:model={static_model(folder / 'model', table, words)}"
    old = Corpus([read_text("Note 1 is about the lamp.", "old.md")])
    store = Small(f"{folder / 'index'}", trial.case.settings["request_limit"])
    ship_index(old, store, chunker=ONE_NOTE, retriever=retriever)
    store.fails_at = len(store.sizes) + 2
    with pytest.raises(StoreError, match="part 2"):
        ship_index(trial.roots[0], store, chunker=ONE_NOTE, retriever=retriever)
    assert [one.doc for one in open_index(store).search("lamp", 9)] == ["old.md"]
    store.fails_at = 0
    # What was not embedded when it failed is embedded now, and nothing else.
    again = ship_index(trial.roots[0], store, chunker=ONE_NOTE, retriever=retriever).manifest
    assert again.chunks == 6000
    assert again.work["embedded"] <= 6000 - 2 * 2000


class Small(LanceStore):
    """A store that takes few records at once, and can be made to fail."""

    def __init__(self, path: str, limit: int) -> None:
        super().__init__(path)
        self.limit, self.sizes, self.fails_at = limit, list[int](), 0

    def write(self, version: str, records: Any, vectors: Any, /) -> None:
        self.sizes.append(len(records))
        if len(self.sizes) == self.fails_at:
            raise StoreError(self.spec, "part 2 was refused")
        super().write(version, records, vectors)


def reembedded_at_most(trial: Trial, check: Check, folder: Path) -> None:
    settings = trial.case.settings
    (chunker,) = chunkers_for(settings)
    words = ["[UNK]", "Guide", "Step", "Do", "thing", "and", "then", "rest", "new", *map(str, range(50))]
    table = np.random.default_rng(2).normal(size=(len(words), 8)).astype(np.float32)
    retriever = f"dense:model={static_model(folder / 'model', table, words)}"
    before, after = (trial.case.folder / name for name in check["after"])
    store = f"lancedb:{folder / 'index'}"
    first = ship_index(before, store, chunker=chunker.spec, retriever=retriever).manifest
    second = ship_index(after, store, chunker=chunker.spec, retriever=retriever).manifest
    assert second.work["embedded"] <= check["limit"]
    assert second.work["embedded"] + second.work["reused"] + second.work["kept"] == second.chunks
    assert first.work["embedded"] == first.chunks
    view, text = open_store(store).view("v000002"), (after / "guide.md").read_text("utf-8")
    for record in view.get([row[0] for row in view.places()]).values():
        assert text[record.start : record.end] == record.text


def payload_lacks(trial: Trial, check: Check, folder: Path) -> None:
    (chunker,) = chunkers_for({key: v for key, v in trial.case.settings.items() if key != "clean"})
    store = open_store(f"lancedb:{folder / 'index'}")
    ship_index(trial.roots[0], store, chunker=chunker.spec)
    view = store.view("v000001")
    records = view.get([row[0] for row in view.places()]).values()
    assert not any(text in str(part) for text in check["texts"] for record in records for part in record)
    source = trial.runs[0].document.text
    assert all(source[record.start : record.end] == record.true("text") for record in records)


def error_or_warning(trial: Trial, check: Check, folder: Path) -> None:
    """The case's winner: its size against what a model of that window reads."""
    winner = json.loads((trial.case.folder / "winner.json").read_text("utf-8"))
    spec = f"{winner['strategy']}:size={winner['size']},unit=cl100k @ dense:model=minilm"
    with pytest.raises(SettingError) as caught:
        make_order(Corpus([read_text("# A\n\nText.")]), f"lancedb:{folder / 'index'}", chunker=spec)
    assert names_all(str(caught.value), check["names"])


CHECKS = {
    "exit": exit_code,
    "index_count": index_count,
    "old_index_live_on_failure": old_index_live_on_failure,
    "reembedded_at_most": reembedded_at_most,
    "payload_lacks": payload_lacks,
    "error_or_warning": error_or_warning,
}
