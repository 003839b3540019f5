"""Sizes of slices in tokens: a text is encoded once, and what its cuts change is counted again.

Where a text may be taken apart follows from how its tokenizer splits it before it looks for tokens.

- Tokenizers that go by words (`by_words`) split at white space first, so that each word has tokens of its
  own: a slice has those of its whole words, and those of a part of a word where it cuts one.
- OpenAI's encodings split by an expression. No match goes from a visible character over a space, nor from a
  letter or digit over other white space; so a text can be taken apart there. One goes on over the line ends
  behind a mark (and over slashes behind these). A match is made of bytes that are joined pair by pair, the
  same pairs whatever stands beyond the end of a token. So the tokens up to the end of a token are those of
  the text up to there, and behind a line end another match begins.

Every other end of a slice is counted, together with the text between it and the next such place: a word or
two. `tests/text/test_token_rulers.py` holds sizes against counts of the slices themselves.
"""

from __future__ import annotations

import re
from array import array
from bisect import bisect_left, bisect_right
from collections import OrderedDict
from string import ascii_letters, digits, punctuation
from threading import Lock

from chunkwise.text.rulers import CountRuler
from chunkwise.text.tokens import TokenCounter

KEPT = 8_000_000
"""Characters of texts whose tokens are kept for the next chunker, those used last."""
_FAR = 1_000
"""Characters from the end of a slice within which a place is looked for where the text can be taken apart."""
_SPACES = " \t\n\r"
_WORD = re.compile(r"[^ \t\n\r]")
_WORD_END = re.compile(r"[^ \t\n\r][ \t\n\r]")
_MARKS = frozenset('!"#$%&()*+,-.:;<=>?@[\\]^_`{|}~')
_PLAIN = frozenset("\n" + ascii_letters + digits)
_ALNUM = frozenset(ascii_letters + digits)
_SIGNS = punctuation + _SPACES
_EDGES = 16
"""More tokens than a slice loses by what is cut off at its ends."""
_FEW = 12
"""Marks at the end of a slice; of more they are counted."""
_MATCH_END = re.compile(r"\S |[0-9A-Za-z]\s")


class TokenRuler(CountRuler):
    """Sizes in tokens, from the places of all tokens, found once."""

    additive = False
    joins = True

    def __init__(self, text: str, counter: TokenCounter, ends: array[int]) -> None:
        super().__init__(text, counter)
        self.counter = counter
        self._ends, self._words = ends, counter.by_words
        self._apart = _WORD_END if counter.by_words else _MATCH_END
        self._heads: dict[int, tuple[int, int]] = {}
        self._tails: dict[int, tuple[int, int]] = {}

    def size(self, start: int, end: int) -> int:
        """What the counter says of the slice. What its start and its end add is kept for other slices that
        begin or end there.
        """
        if end <= start:
            return 0
        first, before = self._heads.get(start) or self._headed(start)
        last, behind = self._tails.get(end) or self._tailed(end)
        if first < last:
            return behind - before
        return self._counter.count(self._text[start:end])

    def _headed(self, start: int) -> tuple[int, int]:
        """The same as `_head`, and kept."""
        if len(self._heads) > len(self._ends):
            self._heads.clear()
        found = self._heads[start] = self._head(start)
        return found

    def _head(self, start: int) -> tuple[int, int]:
        """The first place from `start` on where the text can be taken apart, and the tokens up to there less
        those that a slice from `start` has up to there; the end of the text where there is none.
        """
        text, ends = self._text, self._ends
        before = bisect_right(ends, start)
        if self._words:
            parts = start == 0 or text[start - 1] in _SPACES or text[start] in _SPACES
        else:
            behind = text[start - 1]
            parts = (
                (behind == "\n" and text[start] not in "\r\n/" and ends[before - 1] == start)
                or start == 0
                or (text[start] == " " and not behind.isspace())
            )
        if parts:
            return start, before
        found = self._apart.search(text, start, start + _FAR)
        if not found:
            return len(text), 0
        first = found.end() - 1
        return first, bisect_right(ends, first, before) - self._counter.count(text[start:first])

    def _tailed(self, end: int) -> tuple[int, int]:
        """The same as `_tail`, and kept."""
        if len(self._tails) > len(self._ends):
            self._tails.clear()
        found = self._tails[end] = self._tail(end)
        return found

    def _tail(self, end: int) -> tuple[int, int]:
        """The last place up to `end` where the text can be taken apart, and the tokens up to there with those
        that a slice up to `end` has from there; 0 where there is none.
        """
        text, ends = self._text, self._ends
        behind = bisect_right(ends, end)
        if end == len(text):
            return end, behind
        if self._words:
            parts = text[end] in _SPACES or text[end - 1] in _SPACES
        else:
            parts = (
                behind > 0 and ends[behind - 1] == end and text[end].isspace() and not text[end - 1].isspace()
            )
        if parts:
            return end, behind
        if not self._words and text[end - 1] in _MARKS and text[end - 2 : end - 1] in _ALNUM:
            # As sentences end: the mark is a match, and a token, of its own.
            return end - 1, bisect_right(ends, end - 1, 0, behind) + 1
        low = max(end - _FAR, 0)
        last = self._last_apart(low, end)
        if last == low:
            return 0, 0
        return last, bisect_right(ends, last, 0, behind) + self._counter.count(text[last:end])

    def near(self, start: int, limit: int, stop: int) -> int:
        """Behind the last token that is within the limit if the text is not cut; `start` itself where the
        first character has more tokens.
        """
        if limit <= 0 or stop <= start:
            return start
        ends = self._ends
        first, before = self._heads.get(start) or self._headed(start)
        last = (before if first == start else bisect_right(ends, start)) + limit
        if last >= len(ends):
            return stop
        place = ends[last - 1]
        if place == ends[last]:  # tokens of one character
            place = ends[bisect_left(ends, place) - 1] if ends[0] < place else start
        elif self._words:
            # White space behind the last word has no tokens of its own.
            found = _WORD.search(self._text, place, stop)
            place = found.start() if found else stop
        return max(min(place, stop), start)

    def sure(self, start: int, end: int) -> bool:
        """Whether it consists of whole words that have tokens of their own."""
        text = self._text
        return self._words and text[start - 1 : start] in _SPACES and text[end : end + 1] in _SPACES

    def guess(self, start: int, limit: int, stop: int) -> int:
        """The same, behind `start`."""
        return max(self.near(start, limit, stop), start + 1)

    def fits(self, start: int, end: int, limit: int) -> bool:
        """Whether a slice is within the limit; one with far more tokens in the text is not counted. What is
        left of a text without white space would be counted whole at each of its cuts otherwise.
        """
        if end <= start:
            return limit >= 0
        first, before = self._heads.get(start) or self._headed(start)
        last, behind = self._tails.get(end) or self._tailed(end)
        if first < last:
            return behind - before <= limit
        inside = bisect_right(self._ends, end) - bisect_right(self._ends, start)
        return inside <= 2 * limit + _EDGES and self._counter.count(self._text[start:end]) <= limit

    def most(self, start: int, end: int) -> int:
        """The size with as many tokens of the marks and spaces at the end as there can be.

        Behind a letter or digit another match begins: of what stands at the end, which has as many tokens by
        itself at most as it has characters.
        """
        if self._words:
            return self.size(start, end)
        text, ends = self._text, self._ends
        low = max(start, end - _FEW)
        place = low + len(text[low:end].rstrip(_SIGNS))
        if place == low or text[place - 1] not in _ALNUM:
            return self.size(start, end)
        first, before = self._heads.get(start) or self._headed(start)
        behind = bisect_right(ends, place)
        if ends[behind - 1] != place or first >= place:
            return self.size(start, end)
        return behind - before + end - place

    def _last_apart(self, start: int, end: int) -> int:
        """The last place behind `start` and before `end` where the text can be taken apart; else `start`."""
        text = self._text
        if self._words:
            place = max(text.rfind(space, start, end) for space in _SPACES)
            return max(place, start)
        # Marks behind a letter or digit, or at the start of a line, are a match of their own.
        place = end
        while place > start and text[place - 1] in _MARKS:
            place -= 1
        if start < place < end and text[place - 1] in _PLAIN:
            return place
        place = end
        while place > start:
            place = max(text.rfind(" ", start, place), text.rfind("\n", start, place))
            if place > start and _MATCH_END.match(text, place - 1):
                return place
        return start


class Rulers:
    """The rulers of the texts that were looked at last."""

    def __init__(self, most: int = KEPT) -> None:
        self._most, self._held = most, 0
        self._known: OrderedDict[tuple[TokenCounter, str], CountRuler] = OrderedDict()
        self._lock = Lock()

    def ruler(self, text: str, counter: TokenCounter) -> CountRuler:
        """The ruler of a text, made once as long as it is kept."""
        key = counter, text
        with self._lock:
            known = self._known.get(key)
            if known is not None:
                self._known.move_to_end(key)
                return known
        ends = counter.places(text)
        made = CountRuler(text, counter) if ends is None else TokenRuler(text, counter, ends)
        with self._lock:
            if key not in self._known:
                self._known[key] = made
                self._held += len(text)
                while self._held > self._most and len(self._known) > 1:
                    (_, oldest), _ = self._known.popitem(last=False)
                    self._held -= len(oldest)
        return made


KNOWN = Rulers()
"""The rulers in tokens that are kept."""
