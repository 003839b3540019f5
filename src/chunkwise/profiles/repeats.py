"""Texts that stand in a corpus more than once."""

from __future__ import annotations

import hashlib
from collections import defaultdict
from typing import Any

from chunkwise.profiles.lengths import spot
from chunkwise.types import BlockKind, Corpus, Document
from chunkwise.types.profile import Repeated

LEAST = 40
"""Characters below which a repeated block is no news: `See also`, a rule, a badge."""
_SHOWN = 5
_BEGINNING = 80
_LEFT_OUT = (BlockKind.HEADING, BlockKind.RULE, BlockKind.PAGE_BREAK, BlockKind.FRONT_MATTER)


class Repeats:
    """Gathers the blocks of all documents by a digest of their words; no text is kept."""

    def __init__(self) -> None:
        # By digest: how many, and of the first two places document, start and end.
        self._times: dict[bytes, int] = defaultdict(int)
        self._places: dict[bytes, list[tuple[str, int, int]]] = {}
        self._docs: dict[bytes, set[int]] = defaultdict(set)
        self._blocks: list[tuple[int, bytes, int]] = []
        self._wholes: dict[bytes, list[str]] = defaultdict(list)
        self._ids: list[str] = []

    def add(self, document: Document) -> None:
        """Take the blocks of one document."""
        number, blocks, text = len(self._ids), document.blocks, document.text
        self._ids.append(document.id)
        if text.strip():
            self._wholes[_digest(text)].append(document.id)
        for i in blocks.top():
            start, end = blocks.start[i], blocks.end[i]
            if blocks.kind[i] in _LEFT_OUT or len(text[start:end].strip()) < LEAST:
                continue
            key = _digest(text[start:end])
            self._times[key] += 1
            places = self._places.setdefault(key, [])
            if len(places) < 2:
                places.append((document.id, start, end))
            self._docs[key].add(number)
            self._blocks.append((number, key, end - start))

    def finish(self, corpus: Corpus, total: int) -> tuple[Repeated, dict[str, float]]:
        """What is repeated, and by document the share of its blocks' text that stands elsewhere too.

        Args:
            corpus: the documents; those that are shown are read once more.
            total: characters of the corpus.
        """
        own: dict[int, int] = defaultdict(int)
        elsewhere: dict[int, int] = defaultdict(int)
        wasted: dict[bytes, int] = defaultdict(int)
        seen: set[bytes] = set()
        for number, key, length in self._blocks:
            own[number] += length
            if len(self._docs[key]) > 1:
                elsewhere[number] += length
            if key in seen:
                wasted[key] += length
            seen.add(key)
        most = sorted(wasted, key=lambda key: (-wasted[key], self._places[key]))[:_SHOWN]
        characters = sum(wasted.values())
        found = Repeated(
            texts=len(wasted),
            characters=characters,
            share=round(characters / total, 6) if total else 0.0,
            most=tuple(self._shown(key, corpus) for key in most),
            documents=tuple(tuple(ids) for ids in self._wholes.values() if len(ids) > 1),
        )
        return found, {self._ids[n]: round(elsewhere[n] / own[n], 6) for n in own}

    def _shown(self, key: bytes, corpus: Corpus) -> dict[str, Any]:
        places = self._places[key]
        doc, start, end = places[0]
        text = " ".join(corpus[doc].text[start:end].split())
        return {
            "text": text[:_BEGINNING] + ("…" if len(text) > _BEGINNING else ""),
            "characters": end - start,
            "times": self._times[key],
            "at": tuple(spot(corpus[doc], start, end) for doc, start, end in places),
        }


def _digest(text: str) -> bytes:
    return hashlib.blake2b(" ".join(text.split()).encode("utf-8", "surrogatepass"), digest_size=16).digest()
