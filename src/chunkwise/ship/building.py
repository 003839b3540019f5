"""`Building`: one version from its beginning to the switch."""

from __future__ import annotations

from collections.abc import Callable, Mapping
from contextlib import suppress
from dataclasses import dataclass, replace
from datetime import UTC, datetime
from typing import TYPE_CHECKING, Any

from chunkwise.errors import CorpusError, StoreError
from chunkwise.ship.checking import Checked, check_content, check_golden, check_sample
from chunkwise.ship.manifest import BUILDING, FAILED, READY, Manifest, number_of, version_of
from chunkwise.ship.orders import Order
from chunkwise.ship.records import Tally, storable
from chunkwise.ship.rows import Base, Producer, Rows
from chunkwise.ship.searching import Asking
from chunkwise.ship.stores import Store
from chunkwise.ship.upkeep import is_whole
from chunkwise.ship.writing import Writers

if TYPE_CHECKING:
    from chunkwise.types import Corpus

__all__ = ["Building", "Progress", "Shipped", "digests_of"]

Progress = Callable[[str, int, int], None]


@dataclass(frozen=True, slots=True)
class Shipped:
    """What a ship came to."""

    manifest: Manifest
    """Of the new version; of the served one where nothing had changed."""
    served: bool
    """Whether it is served now."""
    unchanged: bool
    """Whether there was nothing to do."""
    before: str | None
    """The version that was served before."""
    checked: Checked | None
    """What was checked; None where nothing was."""
    dropped: tuple[str, ...]
    """Old versions that were deleted."""
    notes: tuple[str, ...]
    """What the user should know."""


def digests_of(corpus: Corpus) -> dict[str, str]:
    """The digest of each document."""
    return {doc: corpus.digest_of(doc) for doc in corpus.ids}


class Building:
    """One version on its way."""

    def __init__(
        self, order: Order, known: Mapping[str, Manifest], served: Manifest | None, tell: Progress
    ) -> None:
        self.order, self.known, self.served, self.tell = order, known, served, tell
        self.store: Store = order.store
        self.asking: Asking = order.asking
        names = [*known, *(manifest.last for manifest in known.values() if manifest.last)]
        self.version = version_of(max(map(number_of, names), default=0) + 1)
        self.began = datetime.now(UTC).isoformat(timespec="seconds")
        self.notes = list(order.notes)
        self.base: Manifest | None = None
        self.tally = Tally()
        self.begun = Base()
        self.producer: Producer
        self.documents: dict[str, Any] = {}
        self.work = {"cut": 0, "removed": 0, "embedded": 0, "reused": 0, "kept": 0}
        self.created = False
        self.dimension = 0

    def run(self) -> Shipped:
        """Build, check, and serve what passed. What fails leaves no version behind that was not asked for."""
        try:
            manifest = self.build()
            checked = self.check()
            self.see_that_it_is_ours()
        except BaseException:
            with suppress(Exception):
                if self.created and self.is_ours():
                    self.store.drop(self.version)
            raise
        before = self.served.version if self.served is not None else None
        if not checked.passed:
            if self.order.keep_failed:
                self.store.save(replace(manifest, state=FAILED))
            else:
                self.store.drop(self.version)
            return Shipped(
                replace(manifest, state=FAILED), False, False, before, checked, (), tuple(self.notes)
            )
        manifest = replace(manifest, state=READY, checks=_about_checks(checked))
        if checked.golden is not None:
            kept = self.order.kept(checked.golden.store)
            manifest = replace(manifest, golden=self.order.about_golden(), baseline=kept)
        self.store.save(manifest)
        self.tell("switch", 0, 1)
        self.store.switch(self.version)
        self.tell("switch", 1, 1)
        self.producer.forget()
        dropped = self.tidy(before)
        return Shipped(manifest, True, False, before, checked, dropped, tuple(self.notes))

    def is_ours(self) -> bool:
        """Whether what has this version's name in the store is what was begun here.

        Of a table that others made there is no manifest. Another ship may have taken the name where a server
        freed the lock of a connection that broke.
        """
        return any(
            (one.version, one.state, one.created) == (self.version, BUILDING, self.began)
            for one in self.store.manifests()
        )

    def see_that_it_is_ours(self) -> None:
        """Raise `StoreError` where it is not."""
        if not self.is_ours():
            raise StoreError(
                self.store.spec, "another ship took over: the lock of this one was lost; ship again"
            )

    def build(self) -> Manifest:
        """Everything up to the indexes."""
        corpus = self.order.corpus
        digests = digests_of(corpus)
        changed = list(corpus.ids)
        if self.served is not None and self.served.recipe == self.order.recipe() and not self.order.rebuild:
            changed = self.begin_on(self.served, digests)
        self.producer = self.order.producer(digests)
        at_once = self.store.features.writers if self.order.runner is not None else 1
        with Writers(self.store, self.version, at_once) as writers:
            for rows in self.producer.rows(changed, self.begun, self.tell):
                self.write(rows, writers)
        if not self.tally.count:
            raise CorpusError(f"{self.order.candidate.cut} makes no chunk of these documents")
        self.work["cut"] = len(changed)
        self.tell("index", 0, 1)
        self.store.finish(self.version)
        manifest = replace(
            self.manifest(),
            chunks=self.tally.count,
            content=self.tally.digest,
            documents={doc: self.documents[doc] for doc in corpus.ids},
            work={**self.work, "base": self.base.version if self.base is not None else None},
        )
        self.see_that_it_is_ours()
        self.store.save(manifest)
        return manifest

    def begin_on(self, base: Manifest, digests: Mapping[str, str]) -> list[str]:
        """Begin with the rows of the served version; what is left to do are the changed documents."""
        self.tell("copy", 0, 1)
        unlike = f"{base.version} does not hold what its manifest says; all is built anew"
        if not is_whole(self.store, base):
            self.notes.append(unlike)
            return list(digests)
        view = self.store.view(base.version)
        same = {doc for doc, entry in base.documents.items() if digests.get(doc) == entry[0]}
        kept = {storable(doc) for doc in same}
        stays, goes = Tally(), Tally()
        had: dict[str, list[str]] = {}
        for row in view.places():
            (stays if row[1] in kept else goes).add([row])
            if row[1] not in kept:
                had.setdefault(row[1], []).append(row[0])
        if (stays + goes).digest != base.content:
            self.notes.append(unlike)
            return list(digests)
        gone = [doc for doc in base.documents if doc not in digests]
        changed = [doc for doc in digests if doc not in same]
        self.base = base
        self.dimension = int(base.model.get("dimension", 0))
        self.create()
        stale = [doc for doc in base.documents if doc not in same]
        if stale:
            self.store.remove(self.version, [storable(doc) for doc in stale])
        self.begun = Base(view.vectors, {doc: had.get(storable(doc), []) for doc in stale})
        self.tally = stays
        self.documents = {doc: base.documents[doc] for doc in same}
        self.work["removed"], self.work["kept"] = len(gone), stays.count
        return changed

    def create(self) -> None:
        """Begin the version in the store, with the rows of its base."""
        self.created = True
        base = self.base.version if self.base is not None else None
        self.store.create(self.manifest(), self.dimension, base)

    def manifest(self) -> Manifest:
        """As far as it is known when a version is begun."""
        order = self.order
        return Manifest(
            version=self.version,
            state=BUILDING,
            created=self.began,
            chunker=order.candidate.cut,
            retriever=order.candidate.retriever,
            model=self.asking.model(self.dimension),
            corpus={"documents": len(order.corpus), "digest": order.corpus.digest},
            versions=order.versions(),
        )

    def write(self, rows: Rows, writers: Writers) -> None:
        """Write some rows, and keep in mind what they are."""
        self.documents |= {doc: list(entry) for doc, entry in rows.documents.items()}
        records, vectors = rows.records, rows.vectors
        if not records:
            return
        if self.asking.dense is not None:
            self.work["embedded"] += rows.embedded
            self.work["reused"] += len(records) - rows.embedded
        if not self.created:
            self.dimension = 0 if vectors is None else int(vectors.shape[1])
            self.create()
        self.tell("write", self.tally.count, self.tally.count + len(records))
        writers.write(records, vectors)
        self.tally.add((record.id, record.doc, record.start, record.end) for record in records)

    def check(self) -> Checked:
        """Counts and digests, the sample, the golden set; what comes later is left out after a fault."""
        order = self.order
        self.tell("check", 0, 3)
        view = self.store.view(self.version)
        content = check_content(self.tally, view)
        if content or not self.store.features.searches:
            return Checked(content, None, None)
        self.tell("check", 1, 3)
        sample = check_sample(view, self.asking, order.corpus, seed=order.seed)
        if not sample.passed or order.golden is None:
            return Checked(content, sample, None)
        self.tell("check", 2, 3)
        golden = check_golden(
            view,
            self.asking,
            order.candidate,
            order.corpus,
            order.golden,
            order.rules,
            order.baseline,
            whole=self.base is None,
        )
        return Checked(content, sample, golden)

    def tidy(self, before: str | None) -> tuple[str, ...]:
        """Delete old versions beyond those that are kept. A failure here is said and does no harm."""
        self.tell("tidy", 0, 1)
        old = [v for v, m in self.known.items() if m.state == READY]
        kept = {*old[len(old) - self.order.keep :], before} if self.order.keep else {before}
        dropped = []
        for version in (v for v in self.known if v not in kept):
            try:
                self.store.drop(version)
                dropped.append(version)
            except StoreError as error:
                self.notes.append(f"the old version {version} could not be deleted: {error}")
        return tuple(dropped)


def _about_checks(checked: Checked) -> dict[str, Any]:
    found: dict[str, Any] = {}
    if checked.sample is not None:
        found["sample"] = {"asked": checked.sample.asked, "found": checked.sample.found}
    if checked.golden is not None:
        found["rules"] = [check.said for check in checked.golden.outcome.checks]
    return found
