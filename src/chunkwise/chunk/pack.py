"""Packing: whole units fill a chunk up to its limit; what is too large goes down the ladder."""

from __future__ import annotations

from bisect import bisect_left, bisect_right
from collections.abc import Callable, Iterator
from typing import NoReturn, Protocol

from chunkwise.chunk.base import Piece
from chunkwise.chunk.cursor import Cursor
from chunkwise.chunk.ladder import BITS, HEAD, LINE, RUNG, Rung, Unit, rung_of, word_cut
from chunkwise.chunk.limits import too_small
from chunkwise.chunk.room import Context
from chunkwise.text import (
    VISIBLE,
    CharRuler,
    Ruler,
    earliest_start,
    language_of,
    sentence_ends,
    trim_lines,
    word_starts,
)
from chunkwise.types import Counter, Document

GRAPHEME_CUT = "cut in a grapheme"
OVER = "over the limit"
_CELL = int(Rung.CELL)
_EMPTY = Context((), 0, ())
_COPIED = 200  # units that are copied at most when one of them is cut


class Finer(Protocol):
    """Knows the parts of a unit."""

    def finer(self, tag: Unit, start: int, end: int) -> tuple[list[int], list[Unit]]:
        """Ends and tags of the parts; one part where words come next."""
        ...

    def keeps_whole(self, tag: Unit) -> bool:
        """Whether a unit that fits stays whole at the price of a lone heading in front of it."""
        ...

    def cut_mark(self, tag: Unit) -> tuple[str, ...]:
        """Marks for a piece that ends inside a unit of this kind."""
        ...


class Packer:
    """Packs the units of one document's regions."""

    def __init__(
        self,
        document: Document,
        counter: Counter,
        ruler: Ruler,
        ladder: Finer,
        size: int,
        overlap: int = 0,
        context: Callable[[int, int], Context] | None = None,
        rough: Callable[[int], Context | None] | None = None,
    ) -> None:
        """Take what belongs to the document.

        Args:
            document: the document.
            counter: counts sizes.
            ruler: measures slices of the document's text with it.
            ladder: cuts units.
            size: the limit of a piece with its context.
            overlap: how much of a piece the next one may say again.
            context: the context of a piece by its start, and by the number of a block that may begin
                there; takes half of the size at most.
            rough: the same where that is found at less cost, and costs no more than it says; else None.
        """
        self._document, self._text = document, document.text
        self._counter, self._ruler, self._ladder = counter, ruler, ladder
        self._size, self._overlap = size, overlap
        self._chars = isinstance(ruler, CharRuler)
        self._sure = size - size // 2  # what fits beside any context
        self._context = context or (lambda _start, _block: _EMPTY)
        self._rough = rough

    def whole(self, start: int, end: int) -> tuple[Piece | None, int, int]:
        """The piece that a region makes by itself, where it begins with a visible character and is within
        the limit, else None; its size and that of its context, where nothing is left out of it, else 0. Sizes
        of a piece may be a little more than they are.
        """
        text, right = self._text, end
        if start >= end or not "!" <= text[start] <= "~" or not self._ruler.joins:
            return None, 0, 0
        while text[right - 1].isspace():
            right -= 1
        rough = self._rough(start) if self._rough is not None else None
        if rough is not None and self._joins(rough, start):
            most = rough.cost + self._ruler.most(start, right)
            if most <= self._size:
                return _piece(start, right, rough), most, rough.cost
        context = self._context(start, -1)
        cost = context.cost
        if self._chars:
            size = cost + right - start
        elif self._joins(context, start):
            size = cost + self._ruler.size(start, right)
        else:
            return None, 0, 0
        piece = _piece(start, right, context) if size <= self._size else None
        return (piece, size, cost) if context.full else (piece, 0, 0)

    def pack(self, start: int, ends: list[int], tags: list[Unit]) -> Iterator[Piece]:
        """Pieces of a region that begins at `start` and is tiled by units with the given ends."""
        text = self._text
        cursor = Cursor(start, ends, tags)
        stop = ends[-1] if ends else start
        begin = _skip_blank(text, start, stop)
        plain = self._ruler.joins and not self._overlap
        while cursor.frames and begin < stop:
            if plain:
                pieces, begin = self._plain(cursor, begin, stop)
                yield from pieces
                if not cursor.frames or begin >= stop:
                    return
            saved = None if self._ruler.additive else (cursor.at, list(cursor.frames))
            context = self._context(begin, cursor.peek()[1] >> BITS)
            limit = self._size - context.cost
            bounds: list[int] = []
            while True:
                marks = self._fill(cursor, begin, min(stop, context.until), limit, bounds)
                if marks is None:
                    break
                left, right = trim_lines(text, begin, cursor.at)
                if left == right or saved is None or not self._over(context, left, right):
                    break
                if limit <= 1:
                    marks += (OVER,)
                    break
                # Counts need not add up: the same units once more with less room.
                limit -= max(1, limit // 50)
                cursor.at, cursor.frames = saved[0], list(saved[1])
                bounds.clear()
            if marks is None:
                begin = self._less_overlap(cursor, begin, stop, context.until)
                continue
            if left < right:
                yield _piece(left, right, context, marks)
            begin = self._next(cursor, left, right, stop, bounds)

    def _plain(self, cursor: Cursor, begin: int, stop: int) -> tuple[list[Piece], int]:
        """The next pieces, as long as whole units fill them, and where the piece behind begins.

        The same pieces as the long way round, which most text need not go: every unit fits by itself or is
        cut once, and no piece is made of headings alone.
        """
        text, size, half, context_at = self._text, self._size, self._sure, self._context
        chars, near, additive, sure = self._chars, self._ruler.near, self._ruler.additive, self._ruler.sure
        ends, tags, i = cursor.frames[-1]
        first, count, last, origin = i, len(ends), len(cursor.frames) == 1, cursor.at
        pieces: list[Piece] = []
        while i < count and begin < stop:
            context = context_at(begin, tags[i] >> BITS)
            room = size - context.cost
            reach = begin + room if chars else near(begin, room, stop)
            if reach > context.until:
                reach = context.until
            j = self._within(ends, i, begin, reach)
            end, taken = ends[j - 1], 0
            if j < count:
                before = end if j > i else begin
                if tags[j] & RUNG == _CELL:
                    break
                if (chars and ends[j] - before <= half) or self._fits_alone(before, ends[j]):
                    # Headings at the end stand in front of their text.
                    while j - 1 > i and tags[j - 1] == HEAD and ends[j - 2] > begin:
                        j -= 1
                    if j == i or tags[j - 1] == HEAD:
                        break
                    end = ends[j - 1]
                else:
                    at = end if j > first else origin
                    parts, part_tags = self._ladder.finer(tags[j], at, ends[j])
                    taken = self._within(parts, 0, at, reach)
                    if (
                        taken in (0, len(parts))
                        or part_tags[taken - 1] == HEAD
                        or rung_of(part_tags[taken]) == _CELL
                        or not self._fits_alone(parts[taken - 1], parts[taken])
                    ):
                        break
                    end = parts[taken - 1]
            elif not last:
                break  # what is behind this frame may fit too
            if "!" <= text[begin] <= "~":
                left, right = begin, _visible_end(text, begin, end)
            else:
                left, right = trim_lines(text, begin, end)
            if left < right:
                if not additive and not sure(left, right) and self._over(context, left, right):
                    break
                pieces.append((left, right, context.indexed, context.marks))
            begin, i = _skip_blank(text, end, stop), j
            if taken and count - j > _COPIED:
                if i > first:
                    cursor.move(i)
                cursor.replace(parts, part_tags)
                cursor.move(taken)
                return pieces, begin
            if taken:
                # What is left of the unit and what follows it, as units of one frame.
                ends, tags = parts[taken:] + ends[j + 1 :], part_tags[taken:] + tags[j + 1 :]
                i, first, count, origin = 0, 0, len(ends), end
                cursor.renew(end, ends, tags)
        if i > first:
            cursor.move(i)
        return pieces, begin

    def _within(self, ends: list[int], i: int, begin: int, reach: int) -> int:
        """The number of the first unit, from number `i` on, of which something visible is beyond reach; that
        unit `i` begins at `begin`, or before it.
        """
        j = bisect_right(ends, reach, i)
        # Blank lines behind the next unit may be all that is too much.
        if j < len(ends) and self._text[reach].isspace():
            before = ends[j - 1] if j > i else begin
            j += _visible_end(self._text, before, ends[j]) <= reach
        return j

    def _fill(
        self, cursor: Cursor, begin: int, stop: int, limit: int, bounds: list[int]
    ) -> tuple[str, ...] | None:
        """Move the cursor to the end of the piece that begins at `begin`; its marks, or None where the
        text that overlaps leaves no room for anything new.
        """
        text, ruler, ladder = self._text, self._ruler, self._ladder
        reach = ruler.near(begin, limit, stop)
        first = cursor.at
        heads = True  # nothing new but headings so far
        while cursor.frames:
            taken = cursor.take(reach, bounds)
            if not taken:
                end, tag = cursor.peek()
                visible = _visible_end(text, cursor.at, end)
                if visible <= reach:
                    taken = cursor.take_one(bounds)
            if taken:
                heads = heads and taken.count(HEAD) == len(taken)
                continue
            empty = cursor.at <= first
            at = max(cursor.at, begin)
            if not (empty and begin >= first) and self._fits_alone(at, end):
                if empty:
                    return None
                if not heads or ladder.keeps_whole(tag):
                    break
            ends, tags = ladder.finer(tag, cursor.at, end)
            if len(ends) > 1:
                cursor.replace(ends, tags)
                continue
            if not empty:
                break
            cut, broken = word_cut(text, begin, reach, end)
            if begin < first and cut <= first:
                return None
            if cut <= begin:
                self._refuse(begin)
            cursor.cut(cut)
            return (*ladder.cut_mark(tag), *((GRAPHEME_CUT,) if broken else ()))
        if not heads and cursor.frames:
            cursor.give_back_heads(max(begin, first))
        # The piece ends before a cell that is not the first of its row.
        behind = cursor.peek()[1] if cursor.frames else LINE
        return ladder.cut_mark(behind) if rung_of(behind) == _CELL else ()

    def _fits_alone(self, start: int, end: int) -> bool:
        """Whether a unit fits in a piece of its own, beside the context that it has there."""
        visible = _visible_end(self._text, start, end)
        if self._chars:
            if visible - start <= self._sure:
                return True
            if visible - start > self._size:
                return False
        elif self._ruler.joins:
            if self._ruler.fits(start, visible, self._sure):
                return True
            if not self._ruler.fits(start, visible, self._size):
                return False
        limit = self._size - self._context(_skip_blank(self._text, start, end), -1).cost
        return self._ruler.fits(start, visible, limit)

    def _next(self, cursor: Cursor, begin: int, edge: int, stop: int, bounds: list[int]) -> int:
        """Where the next piece begins: behind this one, or before its end where pieces overlap."""
        text = self._text
        behind = _skip_blank(text, cursor.at, stop)
        if not self._overlap or not cursor.frames:
            return behind
        low = earliest_start(self._ruler, edge, self._overlap, begin + 1)
        for place in bounds:
            if low <= place < edge:
                place = place if text[place] > " " else _skip_blank(text, place, stop)
                if self._repeats(place, edge):
                    return place
        ends = [begin + end for end in sentence_ends(text[begin:edge], language_of(self._document))]
        for end in ends[bisect_left(ends, low) :]:
            if end < edge and self._repeats(end, edge):
                return end
        return next((word for word in word_starts(text, low, edge) if self._repeats(word, edge)), behind)

    def _repeats(self, place: int, edge: int) -> bool:
        """Whether what stands between two places is within the overlap. In tokens, the last words of a slice
        may come to more than the slice with the space in front of them.
        """
        return self._chars or place >= edge or self._ruler.fits(place, edge, self._overlap)

    def _less_overlap(self, cursor: Cursor, begin: int, stop: int, until: int) -> int:
        """The first word from which the next unit fits, if that unit fits at all and may stand beside the
        context, which is true up to `until`.
        """
        behind = _skip_blank(self._text, cursor.at, stop)
        if until <= cursor.at:
            return behind
        end, _ = cursor.peek()
        visible = _visible_end(self._text, cursor.at, end)
        edge = _visible_end(self._text, begin, cursor.at)
        for word in word_starts(self._text, begin + 1, behind):
            limit = self._size - self._context(word, -1).cost
            if self._ruler.fits(word, visible, limit) and self._repeats(word, edge):
                return word
        return behind

    def _joins(self, context: Context, start: int) -> bool:
        """Whether the size of a slice from `start` adds up with that of the context in front of it.

        A mark at the end of the context may make tokens with the line end and slashes behind it.
        """
        first = self._text[start]
        if first not in "/\r\n" or not self._ruler.joins:
            return self._ruler.joins
        parts = context.parts
        return not parts or (first == "/" and parts[-1][1][-1:].isalnum())

    def _over(self, context: Context, left: int, right: int) -> bool:
        if self._joins(context, left):
            return not self._ruler.fits(left, right, self._size - context.cost)
        parts = [text for _, text in context.parts]
        return self._counter.count("\n".join([*parts, self._text[left:right]])) > self._size

    def _refuse(self, position: int) -> NoReturn:
        raise too_small(self._document, position, self._counter, self._size)


def _piece(start: int, end: int, context: Context, marks: tuple[str, ...] = ()) -> Piece:
    """A piece with its context, and with the mark of that."""
    return start, end, context.indexed, marks + context.marks


def _skip_blank(text: str, start: int, stop: int) -> int:
    """The start of the first line with a visible character, or the first character that is not white
    space where that line began before `start`.
    """
    if start < stop and " " < text[start] < "\u0080":
        return start
    found = VISIBLE.search(text, start, stop)
    if found is None:
        return stop
    place = found.start()
    line = max(text.rfind("\n", start, place), text.rfind("\r", start, place)) + 1
    if line or start == 0 or text[start - 1] in "\n\r":
        return max(line, start)
    while text[start].isspace():
        start += 1
    return start


def _visible_end(text: str, start: int, end: int) -> int:
    """The end without the white space before it. No slice: a unit may be most of the text."""
    while end > start and text[end - 1].isspace():
        end -= 1
    return end
