"""What a reader pays for a chunk, and where reading stops at the budget."""

from __future__ import annotations

from collections.abc import Callable, Sequence

import numpy as np

from chunkwise.errors import SettingError
from chunkwise.text import VISIBLE, ruler
from chunkwise.types import Counter, Document, IntArray


class Reading:
    """Where reading stops in the chunks of one candidate when only the first units are read.

    Only chunks that share a document with a gold are ever asked for; their words are held as columns,
    and for other units the document is looked at again.
    """

    def __init__(self, counter: Counter, load: Callable[[int], Document], words: Words) -> None:
        """Prepare.

        Args:
            counter: the unit of the budget.
            load: gives a document by its number.
            words: places of the words of the documents that golds name.
        """
        self._counter, self._load, self._words = counter, load, words
        self.docs = self.starts = self.ends = self.context = np.zeros(0, dtype=np.int64)

    def fill(self, docs: IntArray, starts: IntArray, ends: IntArray, context: IntArray) -> None:
        """Take the columns of the candidate's chunks; `context` is what is paid before its text."""
        self.docs, self.starts, self.ends, self.context = docs, starts, ends, context

    def __call__(self, chunks: IntArray, units: IntArray) -> IntArray:
        """The raw positions where reading stops."""
        units = units - self.context[chunks]
        starts, ends = self.starts[chunks], self.ends[chunks]
        if self._counter.name == "chars":
            return (starts + units).clip(starts, ends)
        if self._counter.name == "words" and self._words.holds(self.docs[chunks]):
            return self._words.stop(self.docs[chunks], starts, units).clip(starts, ends)
        found = [
            self._stop(int(doc), int(start), int(end), int(n)) if n > 0 else int(start)
            for doc, start, end, n in zip(self.docs[chunks], starts, ends, units, strict=True)
        ]
        return np.array(found, dtype=np.int64)

    def units(self, doc: int) -> tuple[IntArray, IntArray]:
        """Raw positions of the first visible character of each unit of a document, and behind its last one.

        Raises:
            SettingError: the unit is a function, which says how many there are and not where.
        """
        return self._words.units(doc, self._find_units)

    def _find_units(self, doc: int) -> tuple[IntArray, IntArray]:
        found: Callable[[str], Sequence[int]] | None = getattr(self._counter, "ends", None)
        if found is None:
            raise SettingError(
                f"where the units of {self._counter.name!r} stand in a text is not known; "
                "measure in characters, without a unit behind the slash"
            )
        document = self._load(doc)
        text = document.text
        ends = np.array(found(text), dtype=np.int64)
        begins = np.concatenate(([0], ends[:-1])) if len(ends) else ends
        visible = np.array([match.start() for match in VISIBLE.finditer(text)], dtype=np.int64)
        # A unit of white space only begins where it begins.
        shown = np.append(visible, len(text))[np.searchsorted(visible, begins)]
        starts = np.where(shown < ends, shown, begins)
        shift = document.shift
        if shift is not None:
            return starts + shift, ends + shift
        raw = [
            document.to_raw((start, end)) for start, end in zip(starts.tolist(), ends.tolist(), strict=True)
        ]
        return np.array([r.start for r in raw], dtype=np.int64), np.array(
            [r.end for r in raw], dtype=np.int64
        )

    def _stop(self, doc: int, start: int, end: int, units: int) -> int:
        document = self._load(doc)
        span = document.from_raw((start, end))
        text = document.text[span.start : span.end]
        ends: Callable[[str], Sequence[int]] | None = getattr(self._counter, "ends", None)
        if ends is not None:
            found = ends(text)
            stop = found[units - 1] if units <= len(found) else len(text)
        else:
            stop = ruler(text, self._counter).reach(0, units, len(text))
        return document.to_raw((span.start, span.start + stop)).end


class Words:
    """Ends of the words of chosen documents, as one sorted column of document and raw position."""

    def __init__(self) -> None:
        self._docs: set[int] = set()
        self._parts: list[IntArray] = []
        self._keys: IntArray | None = None
        self._units: dict[int, tuple[IntArray, IntArray]] = {}

    def units(self, doc: int, find: Callable[[int], tuple[IntArray, IntArray]]) -> tuple[IntArray, IntArray]:
        """What `find` gives for a document, found once for all candidates."""
        if doc not in self._units:
            self._units[doc] = find(doc)
        return self._units[doc]

    def add(self, docs: Sequence[int], keys: IntArray) -> None:
        """Take the words of some documents, `(document << 40) + end` in raw coordinates, rising."""
        self._docs.update(docs)
        self._parts.append(keys)
        self._keys = None

    def holds(self, docs: IntArray) -> bool:
        """Whether the words of all these documents are known."""
        return self._docs.issuperset(np.flatnonzero(np.bincount(docs)).tolist())

    def stop(self, docs: IntArray, starts: IntArray, units: IntArray) -> IntArray:
        """The end of the n-th word behind each start; the start where n is below 1."""
        if self._keys is None:
            self._keys = np.concatenate([*self._parts, np.zeros(0, dtype=np.int64)])
        keys = self._keys
        first = np.searchsorted(keys, (docs << 40) + starts, side="right")
        far = np.iinfo(np.int64).max
        stops = np.append(keys, far)[np.minimum(first + units - 1, len(keys))]
        # Behind the document's last word the next document's words follow: the caller clips to the chunk.
        return np.where(units > 0, stops - (docs << 40), starts)
