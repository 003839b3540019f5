"""`ship_index`: a new version beside the served one, checked, and then one switch."""

from __future__ import annotations

from dataclasses import replace
from pathlib import Path
from typing import TYPE_CHECKING, Any, Final

from chunkwise.arguments import checked
from chunkwise.errors import StoreError
from chunkwise.ship.building import Building, Progress, Shipped, digests_of
from chunkwise.ship.checking import Checked, check_golden
from chunkwise.ship.manifest import BUILDING, Manifest
from chunkwise.ship.orders import Order
from chunkwise.ship.stores import Store
from chunkwise.ship.upkeep import is_whole

if TYPE_CHECKING:
    from chunkwise.ship.baseline import Baseline
    from chunkwise.ship.rules import Rules
    from chunkwise.types import Corpus, GoldenSet

__all__ = ["STAGES", "Shipped", "ship_index", "ship_order"]

STAGES: Final = ("read", "copy", "cut", "embed", "write", "index", "check", "switch", "tidy")
"""The stages that are told, in their order; `cut`, `embed` and `write` take turns."""


def ship_order(order: Order, progress: Progress | None = None) -> Shipped:
    """Carry out an order; see `chunkwise.ship_index` for its parts.

    Raises:
        StoreError: the store fails, or another ship is at work. What is served is untouched.
    """
    tell: Progress = progress if progress is not None else _silent
    tell("read", len(order.corpus), len(order.corpus))
    with order.store.lock(order.wait):
        known = {manifest.version: manifest for manifest in order.store.manifests()}
        current = order.store.served()
        for version, manifest in list(known.items()):
            if manifest.state == BUILDING and version != current:
                order.store.drop(version)  # a ship that was interrupted: its vectors are in the cache
                del known[version]
        served = known.get(current) if current is not None else None
        if current is not None and served is None:
            raise StoreError(order.store.spec, f"serves {current}, of which there is no manifest; roll back")
        if served is not None:
            served.check_readable(order.store.spec)
        order.check_against(served)
        if served is not None and not order.rebuild and _unchanged(order, served):
            return _again(order, served, tell)
        return Building(order, known, served, tell).run()


def _unchanged(order: Order, served: Manifest) -> bool:
    held = {doc: entry[0] for doc, entry in served.documents.items()}
    same = served.recipe == order.recipe() and digests_of(order.corpus) == held
    return same and is_whole(order.store, served)  # the store is asked last: `begin_on` asks it too


def _again(order: Order, served: Manifest, tell: Progress) -> Shipped:
    """Nothing to build. Questions that the served version was not asked yet are asked now."""
    asked = None
    if order.golden is not None and served.golden.get("asked") != order.golden.asked:
        tell("check", 0, 1)
        found = check_golden(
            order.store.view(served.version),
            order.asking,
            order.candidate,
            order.corpus,
            order.golden,
            order.rules,
            order.baseline,
        )
        asked = Checked((), None, found)
        if found.passed:
            served = replace(served, golden=order.about_golden(), baseline=order.kept(found.store))
            order.store.save(served)
    return Shipped(served, True, True, served.version, asked, (), tuple(order.notes))


def _silent(stage: str, done: int, total: int) -> None:
    del stage, done, total


@checked("corpus", "golden")
def ship_index(
    corpus: Corpus | str | Path,
    store: Store | str,
    *,
    chunker: Any = None,
    retriever: str | None = None,
    decision: str | Path | None = None,
    golden: GoldenSet | str | Path | None = None,
    rules: Rules | str | Path | None = None,
    baseline: Baseline | str | Path | None = None,
    fresh: bool = False,
    keep: int = 2,
    keep_failed: bool = False,
    rebuild: bool = False,
    wait: float = 0.0,
    allow_cut: bool = False,
    runner: str | None = None,
    shards: str | Path | None = None,
    seed: int = 0,
    progress: Progress | None = None,
) -> Shipped:
    """Build a new version beside the one that is served, check it, and serve it only if it passes.

    Args:
        corpus: the documents, or the path of a folder or file.
        store: a store, or its text form such as `lancedb:./index`.
        chunker: what cuts; None: as decided, else as the served version.
        retriever: how it is searched; None: as decided, else as the served version, else BM25.
        decision: path of a report whose decision is shipped.
        golden: the questions, or their file, that are asked through the store.
        rules: the rules of the gate, or their file.
        baseline: what the questions are compared with; None: what the served version found.
        fresh: compare with nothing, for another golden set or none.
        keep: old versions that are kept, at least the one that was served before.
        keep_failed: keep a version that did not pass, for inspection.
        rebuild: cut and write everything anew; vectors still come from the cache.
        wait: seconds to wait for another ship that is at work.
        allow_cut: ship chunks of more tokens than the model reads.
        runner: what reads, cuts and embeds: None: this process; `native`: processes of this machine; `ray`:
            a cluster, as `RAY_ADDRESS` names it.
        shards: folder where a runner keeps what is finished, seen by all machines; None: below the cache.
        seed: of the sample that is looked for by its own text.
        progress: `progress(stage, done, total)`; the stages are `STAGES`.

    Raises:
        SettingError, ReportError, GoldenError, NotComparable: found before any work is done.
        StoreError: the store fails, or another ship is at work. What is served is untouched.
        ModelError: the model fails; what is embedded is kept.
        RunnerError: a runner's processes or cluster fail; finished shards are kept.
    """
    from chunkwise.ship.orders import make_order

    order = make_order(
        corpus,
        store,
        chunker=chunker,
        retriever=retriever,
        decision=decision,
        golden=golden,
        rules=rules,
        baseline=baseline,
        allow_cut=allow_cut,
        runner=runner,
        shards=shards,
        fresh=fresh,
        keep=keep,
        keep_failed=keep_failed,
        rebuild=rebuild,
        wait=wait,
        seed=seed,
    )
    return ship_order(order, progress)
