"""`open_index`: what is served, opened for searching."""

from __future__ import annotations

import json
import threading
from collections.abc import Callable, Mapping, Sequence
from dataclasses import replace
from typing import Final, NamedTuple, TypeVar

from chunkwise.arguments import checked
from chunkwise.errors import SettingError, StoreError
from chunkwise.ship.manifest import FAILED, READY, Manifest
from chunkwise.ship.receipts import Receipt, verify
from chunkwise.ship.records import Record
from chunkwise.ship.searching import Asking, Found, make_asking
from chunkwise.ship.stores import Store, View, open_store
from chunkwise.types import Corpus, Span

__all__ = ["Index", "open_index"]

_TRIES: Final = 5
_T = TypeVar("_T")


class _Opened(NamedTuple):
    manifest: Manifest
    view: View
    asking: Asking


class Index:
    """An index that is served. Safe to use from several threads, and follows a switch by itself.

    Each search is answered by one version, whole: the one that was served when it began.
    """

    def __init__(self, store: Store, version: str | None = None) -> None:
        """Open it; see `open_index`."""
        self.store = store
        self._fixed = version
        self._opened: _Opened | None = None
        self._opening = threading.Lock()
        self._current()

    def __repr__(self) -> str:
        # Of what was opened last: to look asks the store for nothing.
        manifest = self._opened.manifest if self._opened is not None else None
        return f"Index({self.store.spec!r}, {manifest.version if manifest else None!r})"

    @property
    def version(self) -> str:
        """Name of the version that is served now."""
        return self._current().manifest.version

    @property
    def manifest(self) -> Manifest:
        """The manifest of the version that is served now."""
        return self._current().manifest

    @checked()
    def search(
        self,
        question: str,
        k: int = 5,
        *,
        exact: bool = False,
        parents: bool = False,
        corpus: Corpus | None = None,
    ) -> list[Receipt]:
        """The best k chunks for a question, each with its receipt.

        Args:
            question: what is asked.
            k: how many.
            exact: look at all vectors instead of a graph.
            parents: with the text of the chunk above each, where the chunker makes such a tree.
            corpus: the documents as they are now: each receipt is verified against them.

        Raises:
            SettingError: k is below 1.
            StoreError: the store fails.
            ModelError: the model fails.
        """
        if k < 1:
            raise SettingError(f"k must be at least 1, got {k}")
        receipts = self._search(question, k, exact, parents)
        if corpus is None:
            return receipts
        checked = verify(receipts, corpus)
        return [replace(one, verified=found) for one, found in zip(receipts, checked, strict=True)]

    def check(self) -> Manifest:
        """See that the store holds all chunks of the version that is served.

        Returns:
            Its manifest.

        Raises:
            StoreError: it does not, or the store fails.
        """

        def counted(opened: _Opened) -> Manifest:
            manifest = opened.manifest
            # Opened anew: what is opened already may be kept in memory.
            held = self.store.view(manifest.version).count()
            if held != manifest.chunks:
                raise StoreError(
                    self.store.spec, f"{manifest.version} holds {held} of {manifest.chunks} chunks"
                )
            return manifest

        return self._asked(counted)

    def _search(self, question: str, k: int, exact: bool, parents: bool) -> list[Receipt]:
        def searched(opened: _Opened) -> list[Receipt]:
            found = opened.asking.search(opened.view, question, k, exact)
            records = opened.view.get([one.id for one in found])
            if len(records) != len(found):
                raise StoreError(self.store.spec, "rows vanished during a search; try again")
            above = _above(opened.view, records) if parents else {}
            return _receipts(found, records, above, opened.manifest.version)

        return self._asked(searched)

    def _asked(self, ask: Callable[[_Opened], _T]) -> _T:
        """What is asked of one version, whole."""
        for tried in range(_TRIES):
            opened = self._current()
            try:
                return ask(opened)
            except StoreError:
                # An old version may be deleted under a slow reader: the next try takes the new one.
                if tried + 1 == _TRIES or self.store.served() == opened.manifest.version:
                    raise
        raise AssertionError("unreachable")

    def _current(self) -> _Opened:
        wanted = self._fixed or self.store.served()
        opened = self._opened
        if opened is not None and opened.manifest.version == wanted:
            return opened
        with self._opening:
            for tried in range(_TRIES):
                wanted = self._fixed or self.store.served()
                if self._opened is not None and self._opened.manifest.version == wanted:
                    return self._opened
                if wanted is None:
                    raise StoreError(self.store.spec, "nothing is served here yet; ship first")
                try:
                    self._opened = self._open(wanted)
                    return self._opened
                except StoreError:
                    if tried + 1 == _TRIES or (self._fixed or self.store.served()) == wanted:
                        raise
        raise AssertionError("unreachable")

    def _open(self, version: str) -> _Opened:
        manifest = next((one for one in self.store.manifests() if one.version == version), None)
        if manifest is None:
            raise StoreError(self.store.spec, f"there is no version {version}")
        manifest.check_readable(self.store.spec)
        if manifest.state != READY and not (self._fixed and manifest.state == FAILED):
            raise StoreError(self.store.spec, f"version {version} is {manifest.state} and cannot be served")
        asking = make_asking(manifest.retriever)
        asking.prepare()
        model = asking.model()
        if model and model["digest"] != manifest.model.get("digest"):
            raise StoreError(
                self.store.spec,
                f"{version} was built with the model {manifest.model.get('name')} "
                f"(digest {str(manifest.model.get('digest'))[:12]}), here {model['name']} has the digest "
                f"{model['digest'][:12]}: vectors of two models cannot be compared; "
                "use the same model, or ship again",
            )
        return _Opened(manifest, self.store.view(version), asking)


@checked()
def open_index(store: str | Store, version: str | None = None) -> Index:
    """Open what is served in a store.

    Args:
        store: a store, or its text form such as `lancedb:./index`.
        version: a version that is not served, for inspection; None follows what is served.

    Raises:
        StoreError: the store cannot be reached, nothing is served, or it was built with another model.
        MissingExtra: a library is not installed; gives the install line.
    """
    found = open_store(store) if isinstance(store, str) else store
    if not found.features.searches:
        raise SettingError(f"{found.spec} holds files that are not searched; ship to a store that searches")
    found.prepare()
    return Index(found, version)


def _above(view: View, records: Mapping[str, Record]) -> dict[str, str]:
    """Texts of the parents of some chunks, by the parents' ids."""
    wanted = list(dict.fromkeys(one.parent for one in records.values() if one.parent))
    return {id: record.true("text") for id, record in view.get(wanted).items()} if wanted else {}


def _receipts(
    found: Sequence[Found], records: Mapping[str, Record], above: Mapping[str, str], version: str
) -> list[Receipt]:
    """Receipts in the order of scores; ties by document, then place in it."""
    order = sorted(found, key=lambda one: (-one.score, records[one.id].true("doc"), records[one.id].number))
    made = []
    for rank, one in enumerate(order, 1):
        record = records[one.id]
        placed = record.start >= 0
        made.append(
            Receipt(
                rank=rank,
                score=one.score,
                scores=one.scores,
                id=record.id,
                doc=record.true("doc"),
                span=Span(record.start, record.end) if placed else None,
                lines=(record.line, record.last_line) if placed else None,
                page=record.page or None,
                element=record.element or None,
                path=record.titles,
                text=record.true("text"),
                parent=record.parent or None,
                marks=tuple(json.loads(record.marks)),
                digest=record.digest,
                version=version,
                parent_text=above.get(record.parent),
            )
        )
    return made
