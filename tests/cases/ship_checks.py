"""Checks on gates and on what is shipped."""

from __future__ import annotations

import io
import json
import re
from collections.abc import Iterable
from contextlib import redirect_stderr, redirect_stdout
from pathlib import Path
from typing import Any

import numpy as np
import pytest

from chunkwise import read, read_text
from chunkwise.chunk import make_chunkers
from chunkwise.cli import main
from chunkwise.errors import SettingError, StoreError
from chunkwise.ship.opened import open_index
from chunkwise.ship.orders import make_order
from chunkwise.ship.shipping import ship_index
from chunkwise.ship.stores import open_store
from chunkwise.ship.stores.lance import LanceStore
from chunkwise.types import Corpus
from tests.index.tiny import WORDS, sentence_model, static_model

from . import error_checks
from .mapping import Trial, chunkers_for
from .structure_checks import names_all

Check = dict[str, Any]


def _rules(trial: Trial, folder: Path) -> Path:
    """The case's tolerances as a file of rules; one that names a tag, or values of one, is a limit on it."""
    settings = trial.case.settings
    lines = [f"measures = {json.dumps(settings.get('metrics', ['recall@5', 'mrr']))}"]
    lines.append(f"max_drop = {settings.get('tolerance', 0.02)}")
    apart: dict[str, float] = {}
    for name, limit in settings.items():
        if "tolerance" in name and name != "tolerance":
            if not isinstance(limit, dict):
                lines.append(f"tags = {limit}")
            apart |= (
                {_group(trial, key): own for key, own in limit.items()} if isinstance(limit, dict) else {}
            )
    if apart:
        lines += ["[tags]", *(f"{json.dumps(key)} = {limit}" for key, limit in apart.items())]
    path = folder / "gate.toml"
    path.write_text("\n".join(lines), "utf-8")
    return path


def _group(trial: Trial, key: str) -> str:
    """`kind=table` for `table`, where the baseline has such a value of a tag."""
    baseline = json.loads((trial.case.folder / "baseline.json").read_text("utf-8"))
    tags = [tag for tag, values in baseline.items() if tag.startswith("by_") and key in values]
    return f"{tags[0].removeprefix('by_')}={key}" if tags else key


def _gate(trial: Trial, baseline: Path, folder: Path) -> tuple[int, str]:
    """Exit code of the command line, and all that it says."""
    said = io.StringIO()
    arguments = ["--baseline", str(baseline), "--gate", str(_rules(trial, folder))]
    with redirect_stdout(said), redirect_stderr(said):
        code = main(["gate", "--report", str(trial.case.folder / "candidate.json"), *arguments])
    return code, said.getvalue()


def exit_code(trial: Trial, check: Check, folder: Path) -> None:
    """The command line on every baseline of the case, and on one that is not there."""
    case = trial.case
    known = [name for name in case.files if name.endswith(".json") and name != "candidate.json"]
    given = [case.folder / name for name in known]
    if "missing" in case.id or not given:
        given.append(folder / "missing.json")
    for baseline in given:
        code, _ = _gate(trial, baseline, folder)
        assert (code == 0) == (check["code"] in ("zero", 0)), baseline


def error(trial: Trial, check: Check, folder: Path) -> None:
    """The baseline that the check names, else the case's own, is refused or fails."""
    files = [n for n in check["names"] if n in trial.case.files and n != "candidate.json"] or [
        "baseline.json"
    ]
    code, said = _gate(trial, trial.case.folder / files[0], folder)
    assert code != 0
    assert _names_figures(said, check["names"]), said


def message_has(trial: Trial, check: Check, folder: Path) -> None:
    """Whatever the outcome is, it is said of these."""
    if trial.case.kind != "regression-gate":
        error_checks.error(trial, check)
        return
    _, said = _gate(trial, trial.case.folder / "baseline.json", folder)
    assert _names_figures(said, check["names"]), said


def _names_figures(said: str, names: list[str]) -> bool:
    """Whether all names are in a message; a share may be there in per cent."""

    def forms(name: str) -> list[str]:
        try:
            return [name, f"{100 * float(name):.2f}".rstrip("0").rstrip(".")]
        except ValueError:
            return [name]

    return all(any(names_all(said, [form]) for form in forms(str(name))) for name in names)


def _spec(trial: Trial) -> str:
    """The chunker of the case. A case counts a chunk a paragraph; paragraphs are packed here, unless no two
    fit into the size.
    """
    (chunker,) = chunkers_for({key: v for key, v in trial.case.settings.items() if key != "clean"})
    if chunker.spec.startswith("paragraph:") and trial.case.settings.get("unit", "chars") == "chars":
        longest = max(
            (len(part.strip()) for _, text in trial.documents() for part in text.split("\n\n")), default=1
        )
        return f"paragraph:size={min(longest, trial.case.settings['size'])}"
    return str(chunker.spec)


def _limit(trial: Trial) -> int:
    return int(trial.case.settings.get("request_limit", 5461))


def _model(corpora: Iterable[Corpus], folder: Path) -> str:
    """A retriever with a model that knows the words of some documents."""
    known = sorted({word for corpus in corpora for d in corpus for word in re.findall(r"\w+", d.text)})
    table = np.random.default_rng(2).normal(size=(len(known) + 1, 8)).astype(np.float32)
    return f"dense:model={static_model(folder / 'model', table, ['[UNK]', *known])}"


def index_count(trial: Trial, check: Check, folder: Path) -> None:
    store = Small(f"{folder / 'index'}", _limit(trial))
    assert ship_index(trial.roots[0], store, chunker=_spec(trial)).served
    assert max(store.sizes) <= _limit(trial)
    assert store.view("v000001").count() == check["equals"]


def old_index_live_on_failure(trial: Trial, check: Check, folder: Path) -> None:
    """The second part fails: the old version serves on, and nothing is embedded twice."""
    del check
    (new,) = trial.corpora
    old = Corpus([read_text("What was there before.", "old.md")])
    retriever, spec = _model((new, old), folder), _spec(trial)
    (chunker,) = make_chunkers(spec)
    chunks = sum(len(chunker(document)) for document in new)
    store = Small(f"{folder / 'index'}", _limit(trial))
    ship_index(old, store, chunker=spec, retriever=retriever)
    parts = len(store.sizes)
    store.fails_at = parts + 2
    with pytest.raises(StoreError, match="part 2"):
        ship_index(trial.roots[0], store, chunker=spec, retriever=retriever)
    assert [one.doc for one in open_index(store).search("before", 9)] == ["old.md"]
    done = sum(store.sizes[parts : parts + 2])
    store.fails_at = 0
    # What was not embedded when it failed is embedded now, and nothing else.
    again = ship_index(trial.roots[0], store, chunker=spec, retriever=retriever).manifest
    assert again.chunks == chunks
    assert again.work["embedded"] <= chunks - done


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
    (chunker,) = chunkers_for(trial.case.settings)
    before, after = (read(trial.case.folder / name) for name in check["after"])
    retriever, store = _model((before, after), folder), f"lancedb:{folder / 'index'}"
    first = ship_index(before, store, chunker=chunker.spec, retriever=retriever).manifest
    shipped = ship_index(after, store, chunker=chunker.spec, retriever=retriever)
    second = shipped.manifest
    if not shipped.unchanged:
        assert second.work["embedded"] <= check["limit"]
        assert second.work["embedded"] + second.work["reused"] + second.work["kept"] == second.chunks
    assert first.work["embedded"] + first.work["reused"] == first.chunks
    view = open_store(store).view(second.version)
    records = view.get([row[0] for row in view.places()]).values()
    assert {record.true("doc") for record in records} <= set(after.ids)
    for record in records:
        assert after[record.true("doc")].text[record.start : record.end] == record.true("text")


def payload_lacks(trial: Trial, check: Check, folder: Path) -> None:
    store = open_store(f"lancedb:{folder / 'index'}")
    ship_index(trial.roots[0], store, chunker=_spec(trial))
    view = store.view("v000001")
    records = view.get([row[0] for row in view.places()]).values()
    assert not any(text in str(part) for text in check["texts"] for record in records for part in record)
    for record in records:
        source = trial.corpus[record.true("doc")].text
        assert source[record.start : record.end] == record.true("text")


def error_or_warning(trial: Trial, check: Check, folder: Path) -> None:
    """The case's winner: its size against what a model of that window reads."""
    winner = json.loads((trial.case.folder / "winner.json").read_text("utf-8"))
    table = np.eye(len(WORDS), 4, dtype=np.float32)
    model = sentence_model(folder / "model", table, window=winner["embedder_max_tokens"])
    spec = f"{winner['strategy']}:size={winner['size']},unit=cl100k @ dense:model={model}"
    with pytest.raises(SettingError) as caught:
        make_order(Corpus([read_text("# A\n\nText.")]), f"lancedb:{folder / 'index'}", chunker=spec)
    assert names_all(str(caught.value), check["names"])


CHECKS = {
    "exit": exit_code,
    "message_has": message_has,
    "index_count": index_count,
    "old_index_live_on_failure": old_index_live_on_failure,
    "reembedded_at_most": reembedded_at_most,
    "payload_lacks": payload_lacks,
    "error_or_warning": error_or_warning,
}
