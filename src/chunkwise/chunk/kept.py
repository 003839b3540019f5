"""What cutting a document has in common at all sizes, kept for the next size of a sweep; and its pieces, kept
for the next chunker of a comparison.
"""

from __future__ import annotations

from collections import OrderedDict
from collections.abc import Callable, Hashable
from sys import maxsize
from threading import RLock
from weakref import ref

from chunkwise.chunk.base import Piece
from chunkwise.chunk.ladder import Parts, Place, Unit
from chunkwise.chunk.room import Context
from chunkwise.types import Chunk, Document

KEPT = 8_000_000
"""Characters of documents of which this is kept, those cut last."""


class Regions:
    """Stretches of a document's text that no chunk leaves, as columns, and what is known of them whatever the
    size is.
    """

    def __init__(self, length: int, starts: list[int], ends: list[int]) -> None:
        """Take what is the same at every size.

        Args:
            length: of the text.
            starts: where each region begins, in order.
            ends: where it ends.
        """
        self.length, self.starts, self.ends = length, starts, ends
        count = len(starts)
        self.whole: list[Piece | Chunk | None] = [None] * count
        """What a region makes by itself with all of its context, where some size was large enough."""
        self.needs = [maxsize] * count
        """A size from which on it makes that, where it is known."""
        self.over = [(maxsize, 0)] * count
        """Sizes at which it is known to make more than one piece: from the first to below the second."""
        self.units: dict[int, tuple[int, list[int], list[Unit]] | None] = {}
        """Start, ends and tags of the blocks of regions that were packed; None where no block begins."""
        self.parts: dict[Place, Parts] = {}
        """The parts of units that were cut."""
        self.contexts: dict[int, Context] = {}
        """Contexts in full, as `Contexts` keeps them."""


class Kept:
    """The regions of the documents that were cut last, by document and settings.

    A document that is gone takes its regions along.
    """

    def __init__(self, most: int = KEPT) -> None:
        self._most, self._held = most, 0
        self._known: OrderedDict[ref[Document], dict[Hashable, Regions]] = OrderedDict()
        # A document may go at any time, also while this thread holds the lock.
        self._lock = RLock()

    def regions(self, document: Document, settings: Hashable, make: Callable[[], Regions]) -> Regions:
        """The regions of a document, made once as long as they are kept; other threads may get the same.

        Args:
            document: the document.
            settings: all that they depend on.
            make: makes them.
        """
        key = ref(document)
        with self._lock:
            known = self._known.get(key)
            if known is not None and settings in known:
                self._known.move_to_end(key)
                return known[settings]
        made = make()
        with self._lock:
            known = self._known.setdefault(ref(document, self._gone), {})
            self._known.move_to_end(key)
            if settings in known:  # by another thread
                return known[settings]
            known[settings] = made
            self._held += made.length
            while self._held > self._most and len(self._known) > 1:
                self._gone(next(iter(self._known)))
        return made

    def _gone(self, key: ref[Document]) -> None:
        with self._lock:
            for regions in self._known.pop(key, {}).values():
                self._held -= regions.length


KNOWN = Kept()
"""The regions that are kept."""


class Last:
    """The pieces of the document that was cut last, for the next chunker that cuts it at the same places.

    They go with the document.
    """

    def __init__(self) -> None:
        self._known: tuple[ref[Document] | None, dict[Hashable, list[Piece]]] = None, {}

    def pieces(self, document: Document, settings: Hashable, make: Callable[[], list[Piece]]) -> list[Piece]:
        """The pieces of a document.

        Args:
            document: the document.
            settings: all that they depend on.
            make: makes them.
        """
        last, known = self._known  # looked at once: another thread may put its own there
        if last is None or last() is not document:
            known = {}
            self._known = ref(document, self._gone), known
        found = known.get(settings)
        if found is None:
            found = known[settings] = make()
        return found

    def _gone(self, key: ref[Document]) -> None:
        if self._known[0] is key:
            self._known = None, {}


LAST = Last()
"""The pieces that are kept."""
