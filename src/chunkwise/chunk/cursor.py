"""Where packing stands: the units that are not in a piece yet."""

from __future__ import annotations

from bisect import bisect_right

from chunkwise.chunk.ladder import BITS, HEAD, Rung, Unit, unit


class Cursor:
    """The units of a region, in order. The parts of a unit that is cut take its place."""

    __slots__ = ("at", "frames")

    def __init__(self, start: int, ends: list[int], tags: list[Unit]) -> None:
        self.at = start  # where the next unit begins
        # The parts of a unit lie on top of what follows it: (ends, tags, number of the next one).
        self.frames: list[tuple[list[int], list[Unit], int]] = [(ends, tags, 0)] if ends else []

    def peek(self) -> tuple[int, Unit]:
        """End and tag of the next unit. There must be one."""
        ends, tags, i = self.frames[-1]
        return ends[i], tags[i]

    def take(self, reach: int, bounds: list[int]) -> list[Unit]:
        """Take all units of the upper frame that end within reach; their ends go to `bounds`."""
        ends, _, i = self.frames[-1]
        j = bisect_right(ends, reach, i)
        if j == i:
            return []
        return self._advance(j, bounds)

    def take_one(self, bounds: list[int]) -> list[Unit]:
        """Take the next unit."""
        return self._advance(self.frames[-1][2] + 1, bounds)

    def move(self, j: int) -> None:
        """Take the units of the upper frame up to number `j`."""
        self._advance(j, [])

    def _advance(self, j: int, bounds: list[int]) -> list[Unit]:
        ends, tags, i = self.frames.pop()
        self.at = ends[j - 1]
        bounds.extend(ends[i:j])
        if j < len(ends):
            self.frames.append((ends, tags, j))
        return tags[i:j]

    def replace(self, ends: list[int], tags: list[Unit]) -> None:
        """Put the parts of the next unit in its place."""
        outer, outer_tags, i = self.frames.pop()
        if i + 1 < len(outer):
            self.frames.append((outer, outer_tags, i + 1))
        self.frames.append((ends, tags, 0))

    def renew(self, at: int, ends: list[int], tags: list[Unit]) -> None:
        """Put other units, the first of which begins at `at`, in the place of the rest of the upper frame."""
        self.frames[-1] = (ends, tags, 0)
        self.at = at

    def cut(self, position: int) -> None:
        """Take the next unit up to a position inside it; the rest becomes the next unit."""
        end, tag = self.peek()
        if position >= end:
            self.take_one([])
            return
        # Words come next for the rest too: to look for sentences in it again would cost quadratic time.
        # Of a heading the rest is none.
        self.replace([end], [unit(Rung.LINE, max(tag >> BITS, -1))])
        self.at = position

    def give_back_heads(self, least: int) -> None:
        """Give back the headings at the end of what was taken, so that they stand in front of their
        text; not below `least`.
        """
        if not self.frames:
            return
        ends, tags, i = self.frames[-1]
        while i > 1 and tags[i - 1] == HEAD and ends[i - 2] > least:
            i -= 1
        self.frames[-1] = (ends, tags, i)
        if i:
            self.at = min(self.at, ends[i - 1])
