"""Rulers: sizes of slices of one text, and how far a limit reaches."""

from __future__ import annotations

from bisect import bisect_left, bisect_right
from typing import Protocol

from chunkwise.text.tokens import TiktokenCounter, TokenizerCounter
from chunkwise.text.units import WORD, BothCounter, CharCounter, WordCounter
from chunkwise.types import Counter


class Ruler(Protocol):
    """Measures slices of one text."""

    additive: bool
    """Whether the size of two neighbours together is never more than the sum of their sizes."""
    joins: bool
    """Whether a slice that begins a line adds its size, and no more, to what stands on lines before it."""

    def size(self, start: int, end: int) -> int:
        """Size of the slice, counted on its own."""
        ...

    def reach(self, start: int, limit: int, stop: int) -> int:
        """The furthest end, at most `stop`, of a slice from `start` that is within the limit; `start`
        itself where not even one character is.
        """
        ...

    def near(self, start: int, limit: int, stop: int) -> int:
        """The same as `reach`, or an end about there that is found at less cost: sizes are to be looked at
        again.
        """
        ...

    def fits(self, start: int, end: int, limit: int) -> bool:
        """Whether a slice is within the limit."""
        ...

    def most(self, start: int, end: int) -> int:
        """The size of a slice, or a little more that is found at less cost."""
        ...

    def sure(self, start: int, end: int) -> bool:
        """Whether a slice that ends where `near` says, or before it, needs no second look."""
        ...


class CharRuler:
    """Sizes in code points: a subtraction."""

    additive = joins = True

    def size(self, start: int, end: int) -> int:
        """Number of code points."""
        return end - start

    def reach(self, start: int, limit: int, stop: int) -> int:
        """`start + limit`, at most `stop`."""
        return min(start + max(limit, 0), stop)

    near = reach

    def most(self, start: int, end: int) -> int:
        """The size itself."""
        return self.size(start, end)

    def sure(self, start: int, end: int) -> bool:  # noqa: ARG002 - no slice does
        """Always."""
        return True

    def fits(self, start: int, end: int, limit: int) -> bool:
        """Whether a slice has no more code points than that."""
        return end - start <= limit


class WordRuler:
    """Sizes in words, from the places of all words, found once."""

    additive = joins = True

    def __init__(self, text: str) -> None:
        self._starts: list[int] = []
        self._ends: list[int] = []
        for match in WORD.finditer(text):
            self._starts.append(match.start())
            self._ends.append(match.end())

    def size(self, start: int, end: int) -> int:
        """Words that have a character in the slice."""
        if end <= start:
            return 0
        return max(0, bisect_left(self._starts, end) - bisect_right(self._ends, start))

    def reach(self, start: int, limit: int, stop: int) -> int:
        """Up to the start of the first word too many."""
        first = bisect_right(self._ends, start) + max(limit, 0)
        if first >= len(self._starts):
            return stop
        return max(start, min(self._starts[first], stop))

    near = reach

    def most(self, start: int, end: int) -> int:
        """The size itself."""
        return self.size(start, end)

    def sure(self, start: int, end: int) -> bool:  # noqa: ARG002 - no slice does
        """Always."""
        return True

    def fits(self, start: int, end: int, limit: int) -> bool:
        """Whether a slice has no more words than that."""
        return self.reach(start, limit, end) >= end


class CountRuler:
    """Sizes by any counter, which need not be additive: each size is a count of the slice itself."""

    additive = joins = False

    def __init__(self, text: str, counter: Counter) -> None:
        self._text, self._counter = text, counter
        self._rate = 0.25  # units per character, from the slices counted so far

    def size(self, start: int, end: int) -> int:
        """What the counter says of the slice."""
        return self._counter.count(self._text[start:end])

    def reach(self, start: int, limit: int, stop: int) -> int:
        """Between an end that fits and one that does not, guessed from the rate so far; close to the limit in
        small steps that grow, and by halving where all that does not lead there soon.
        """
        if limit <= 0 or stop <= start:
            return start
        low, high = start, stop + 1  # low fits, high does not (stop + 1 stands for "unknown")
        guess = self.guess(start, limit, stop)
        step, looks = 1, 0
        while high - low > 1:
            size = self.size(start, guess)
            if size > limit:
                high = guess
            else:
                low = guess
                if guess == stop:
                    break
            if size:
                self._rate = size / (guess - start)
            looks += 1
            aim = start + int(limit / self._rate) if self._rate else stop
            if looks > 6 and looks % 2:
                guess = (low + high) // 2
            elif low < aim < high:
                guess = aim
            else:
                guess = low + step if aim <= low else high - step
                step *= 2
            guess = min(max(guess, low + 1), high - 1, stop)
        return low

    near = reach

    def most(self, start: int, end: int) -> int:
        """What the counter says of the slice."""
        return self.size(start, end)

    def sure(self, start: int, end: int) -> bool:  # noqa: ARG002 - all slices do
        """Never: a longer slice may be smaller."""
        return False

    def guess(self, start: int, limit: int, stop: int) -> int:
        """Where the search for the end begins: behind `start`, at most `stop`."""
        return min(stop, start + max(1, int(limit / self._rate)))

    def fits(self, start: int, end: int, limit: int) -> bool:
        """Whether a slice is within the limit; a much longer one is not counted whole."""
        return self.reach(start, limit, end) >= end


class BothRuler:
    """Sizes against two limits at once; see `BothCounter`."""

    def __init__(self, own: Ruler, other: Ruler, counter: BothCounter) -> None:
        self._own, self._other = own, other
        self._size, self._most = counter.size, counter.most
        self.additive = own.additive and other.additive
        self.joins = own.joins and other.joins

    def size(self, start: int, end: int) -> int:
        """The larger of both sizes, each times the other's limit."""
        return max(self._own.size(start, end) * self._most, self._other.size(start, end) * self._size)

    def reach(self, start: int, limit: int, stop: int) -> int:
        """The nearer of both ends; where a shorter slice is larger, one that both reach."""
        end = stop
        while True:
            before = end
            end = self._own.reach(start, limit // self._most, end)
            end = self._other.reach(start, limit // self._size, end)
            if end in (before, start):
                return end

    def most(self, start: int, end: int) -> int:
        """The larger of both, each times the other's limit."""
        own, other = self._own.most(start, end), self._other.most(start, end)
        return max(own * self._most, other * self._size)

    def sure(self, start: int, end: int) -> bool:
        """Whether it needs none in either unit."""
        return self._own.sure(start, end) and self._other.sure(start, end)

    def near(self, start: int, limit: int, stop: int) -> int:
        """The nearer of both ends."""
        end = self._own.near(start, limit // self._most, stop)
        return self._other.near(start, limit // self._size, end)

    def fits(self, start: int, end: int, limit: int) -> bool:
        """Whether a slice is within both limits."""
        return self._own.fits(start, end, limit // self._most) and self._other.fits(
            start, end, limit // self._size
        )


def ruler(text: str, counter: Counter) -> Ruler:
    """The ruler of a text in a counter's unit."""
    if isinstance(counter, CharCounter):
        return CharRuler()
    if isinstance(counter, WordCounter):
        return WordRuler(text)
    if isinstance(counter, BothCounter):
        return BothRuler(ruler(text, counter.own), ruler(text, counter.other), counter)
    if isinstance(counter, TiktokenCounter | TokenizerCounter):
        from chunkwise.text.token_rulers import KNOWN

        return KNOWN.ruler(text, counter)
    return CountRuler(text, counter)


def earliest_start(rule: Ruler, end: int, limit: int, least: int) -> int:
    """The earliest start, at least `least`, of a slice up to `end` that is within the limit."""
    if isinstance(rule, CharRuler):
        return max(end - limit, least)
    low, high = least, end
    while low < high:
        middle = (low + high) // 2
        if rule.size(middle, end) <= limit:
            high = middle
        else:
            low = middle + 1
    return low
