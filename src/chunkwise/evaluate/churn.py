"""How much must be embedded again when a document changes a little.

One sentence is added to each document of a sample, at the end of a paragraph; the document is cut again, and
the indexed texts are compared with those from before. What is not among these is embedded again. Chunkers
that count from the beginning shift all later cuts; others change one chunk.
"""

from __future__ import annotations

import hashlib
from collections import Counter as Tally
from collections.abc import Mapping, Sequence
from random import Random
from typing import Any

from chunkwise.types import BlockKind, Chunk, Chunker, Document

__all__ = ["Churn", "with_sentence"]

SENTENCE = "This sentence was added to see what has to be embedded again."
DOCUMENTS = 60
"""So many documents are looked at at most."""
CHARACTERS = 400_000
"""So many characters are cut again at most; the first document of the sample whatever its length."""


class Churn:
    """What one more sentence a document changes, for some chunkers.

    The chunkers are watched while they cut the corpus, so that only changed documents are cut again.
    """

    def __init__(self, ids: Sequence[str], chunkers: Sequence[Chunker], seed: int) -> None:
        """Choose the documents: a sample that depends on `seed` and the ids alone."""
        self._seed, self._chunkers = seed, chunkers
        self._sample = sorted(ids, key=self._key)[:DOCUMENTS]
        self._documents: dict[str, Document] = {}
        self._before: list[dict[str, Tally[str]]] = [{} for _ in chunkers]
        wanted = set(self._sample)
        self.watched: list[Chunker] = [
            _Watched(chunker, wanted, self._documents, before)
            for chunker, before in zip(chunkers, self._before, strict=True)
        ]
        """The chunkers, each watched."""

    def measure(self, known: Mapping[tuple[int, str], Sequence[Chunk]]) -> list[dict[str, Any]]:
        """Cut the documents of the sample with one more sentence each. To be called once: what was watched is
        let go.

        Args:
            known: chunks that a watched chunker did not make, by number of the chunker and document id.

        Returns:
            For each chunker `documents` (of the sample), `texts` (indexed texts of the changed documents,
            together), `again` (those that are not among the texts from before; of equal ones as many as
            there are more) and `share`. Nothing for a chunker that cannot cut a changed text.
        """
        documents = self._chosen()
        # For each chunker how many texts there are, and how many of them again, by document.
        found: list[list[tuple[int, int]]] = [[] for _ in self._chunkers]
        # Document by document: chunkers that cut alike share what they know of the last one.
        for done, document in enumerate(documents):
            changed = with_sentence(document, self._seed)
            for i, own in enumerate(found):
                if len(own) == done:
                    own += self._again(i, document, changed, known)
        # The chunkers are held on to; what they made is needed no more.
        self._documents.clear()
        for before in self._before:
            before.clear()
        return [_summed(own) if len(own) == len(documents) else {} for own in found]

    def _again(
        self, i: int, document: Document, changed: Document, known: Mapping[tuple[int, str], Sequence[Chunk]]
    ) -> list[tuple[int, int]]:
        """The two numbers of a document; nothing where the chunker cannot cut the changed text."""
        chunker = self._chunkers[i]
        try:
            after = _indexed(chunker(changed))
            before = self._before[i].get(document.id)
            if before is None:
                before = _indexed(known.get((i, document.id)) or chunker(document))
        except Exception:  # noqa: BLE001 - it may know no other texts than those of the corpus
            return []
        return [(after.total(), (after - before).total())]

    def _key(self, doc: str) -> bytes:
        name = f"{self._seed} {doc}".encode("utf-8", "surrogatepass")
        return hashlib.blake2b(name, digest_size=8).digest()

    def _chosen(self) -> list[Document]:
        """As many documents of the sample as there is room for."""
        chosen: list[Document] = []
        room = CHARACTERS
        for doc in self._sample:
            if doc not in self._documents:
                continue
            room -= len(self._documents[doc].text)
            if chosen and room < 0:
                break
            chosen.append(self._documents[doc])
        return chosen


class _Watched:
    """A chunker that remembers what it made of some documents."""

    def __init__(
        self, chunker: Chunker, wanted: set[str], documents: dict[str, Document], made: dict[str, Tally[str]]
    ) -> None:
        self._chunker, self._wanted, self._documents, self._made = chunker, wanted, documents, made

    def __getattr__(self, name: str) -> Any:
        return getattr(self._chunker, name)

    @property
    def spec(self) -> str:
        return self._chunker.spec

    def __call__(self, document: Document | str, /) -> list[Chunk]:
        chunks = self._chunker(document)
        if not isinstance(document, str) and document.id in self._wanted:
            self._documents[document.id] = document
            self._made[document.id] = _indexed(chunks)
        return chunks


def _summed(found: Sequence[tuple[int, int]]) -> dict[str, Any]:
    texts, again = sum(all_ for all_, _ in found), sum(own for _, own in found)
    return {
        "documents": len(found),
        "texts": texts,
        "again": again,
        "share": round(again / max(texts, 1), 6),
    }


def _indexed(chunks: Sequence[Chunk]) -> Tally[str]:
    return Tally([chunk.indexed for chunk in chunks])


def with_sentence(document: Document, seed: int = 0) -> Document:
    """The document with one sentence more, at the end of a paragraph that the seed and the id choose.

    Where it has no paragraph the sentence is one of its own at the end.
    """
    text, blocks = document.text, document.blocks
    paragraphs = [i for i, kind in enumerate(blocks.kind) if kind == BlockKind.PARAGRAPH]
    # One inside of a list or a quote only where there is no other.
    chosen = [i for i in paragraphs if not blocks.depth[i]] or paragraphs
    if not chosen:
        return document.with_text(f"{text.rstrip()}\n\n{SENTENCE}\n" if text.strip() else f"{SENTENCE}\n")
    number = Random(f"{seed} {document.id}").choice(chosen)
    place = blocks.start[number] + len(text[blocks.start[number] : blocks.end[number]].rstrip())
    return document.with_text(f"{text[:place]} {SENTENCE}{text[place:]}")
