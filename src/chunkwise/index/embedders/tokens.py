"""Texts to tokens, and batches of equal length."""

from __future__ import annotations

from collections.abc import Iterator, Sequence
from typing import Any

import numpy as np

from chunkwise.types import IntArray

GROUP = 512
"""Texts that are tokenized together: all that the tokenizer says of their tokens is held at once."""
BATCH = 512
"""Tokens of a batch at most. More is slower: the matrices leave the processor's cache."""


class Tokens:
    """A tokenizer with a window. Truncation and padding that its file carries are not used."""

    def __init__(self, data: bytes, window: int) -> None:
        """Read the content of a `tokenizer.json`. The library is imported here."""
        from tokenizers import Tokenizer

        tokenizer = Tokenizer.from_str(data.decode("utf-8"))
        tokenizer.no_padding()
        tokenizer.enable_truncation(max_length=window)
        self._tokenizer: Any = tokenizer
        self._special = {
            pair: int(tokenizer.num_special_tokens_to_add(is_pair=pair)) for pair in (False, True)
        }
        self.window = window

    def token(self, text: str) -> int | None:
        """The number of one token, for example of `[PAD]`; None where there is no such token."""
        number = self._tokenizer.token_to_id(text)
        return None if number is None else int(number)

    def encode(self, texts: Sequence[Any]) -> list[Any]:
        """Encodings of texts, or of pairs of texts, cut at the window."""
        found: list[Any] = self._tokenizer.encode_batch(list(texts))
        return found

    def measure(self, encodings: Sequence[Any], texts: Sequence[str]) -> tuple[IntArray, IntArray]:
        """How many tokens each whole text has, and how many characters at its end lie beyond the window.

        Of a pair, the text is the second part.
        """
        tokens = np.array([len(encoding.ids) for encoding in encodings], dtype=np.int64)
        unseen = np.zeros(len(encodings), dtype=np.int64)
        for i, encoding in enumerate(encodings):
            rest = encoding.overflowing
            if not rest:
                continue
            last = max((s for s in encoding.sequence_ids if s is not None), default=0)
            special = self._special[last == 1]
            tokens[i] += sum(len(other.ids) - special for other in rest)
            seen = max(
                (
                    end
                    for (_, end), sequence in zip(encoding.offsets, encoding.sequence_ids, strict=True)
                    if sequence == last
                ),
                default=0,
            )
            unseen[i] = len(texts[i]) - seen
        return tokens, unseen


def groups(texts: Sequence[str], size: int = GROUP) -> Iterator[list[int]]:
    """Numbers of texts in groups of similar length.

    Groups of short and of long texts take turns, so that the time left can be told from what is done.
    """
    order = sorted(range(len(texts)), key=lambda i: (len(texts[i]), i))
    cut = [order[start : start + size] for start in range(0, len(order), size)]
    # Steps of the golden ratio visit every part of a range evenly, however far one goes.
    yield from (cut[i] for i in sorted(range(len(cut)), key=lambda i: i * 0.6180339887 % 1))


def batches(lengths: Sequence[int], *, alone: bool = False, size: int = BATCH) -> Iterator[list[int]]:
    """Numbers of texts in batches of one length, of at most `size` tokens together, or one text.

    Nothing is padded: no work is done for padding, and the vector of a text does not depend, not even in its
    last bit, on what else is in the batch. `alone` makes every batch one text.
    """
    by_length: dict[int, list[int]] = {}
    for i, length in enumerate(lengths):
        by_length.setdefault(length, []).append(i)
    for length, members in sorted(by_length.items()):
        step = 1 if alone else max(1, size // max(length, 1))
        for start in range(0, len(members), step):
            yield members[start : start + step]
