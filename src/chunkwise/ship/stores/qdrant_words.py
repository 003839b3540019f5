"""BM25 in Qdrant: a sparse vector a chunk, and a collection of the words of a version.

The sparse vector holds what is of the chunk in the formula of `Bm25`: of each word
f * (k1 + 1) / (f + k1 * (1 - b + b * L / avgL)). A question brings the idf of its words, so that the product
is the score. avgL is that of all chunks, which one changed document moves: the vectors are made anew for each
version.

Words have numbers, counted from 0. A hash of 32 bits would give two words one number: among 100,000 words one
pair is to be expected. Number and holders of each word stand in a collection beside that of the version, many
words to a point. A hash finds the point; words that share it are told apart by their letters.
"""

from __future__ import annotations

import hashlib
import math
from collections import Counter
from collections.abc import Iterable, Iterator, Sequence
from typing import TYPE_CHECKING, Any, Final, NamedTuple

from chunkwise.ship.stores.qdrant_points import BATCH, Asked, library, parts

if TYPE_CHECKING:
    from chunkwise.index import Bm25

__all__ = ["VECTOR", "Totals", "index_words", "read_totals", "search_words", "words_of"]

VECTOR: Final = "words"
"""Name of the sparse vector."""
_TOTALS: Final = 0  # id of the point beside those of words, which count from 1
_TOGETHER: Final = 64  # words of a point: local mode takes a while for each point, and a question reads few
_READ: Final = 1_000  # points that are read at once
_SPARE: Final = 20  # points beyond those that are asked for, so that ties at the last place are seen
_MOST: Final = 2_000  # of them; of more chunks with one score Qdrant chooses
_NEAR: Final = 1e-5  # more than the rounding of 32 bits does to a score


class Totals(NamedTuple):
    """What the formula needs of all chunks of a version."""

    chunks: int
    """Their number."""
    mean: float
    """Words of one, in the mean."""
    points: int
    """Points that hold the words."""


def words_of(collection: str) -> str:
    """The collection of the words of a version."""
    return f"{collection}__words"


def index_words(store: Asked, collection: str, bm25: Bm25) -> None:
    """Count the words of all points of a version, number them, and give each point its vector.

    The points are read twice: memory grows with the number of different words, not with that of chunks.
    """
    models = library().models
    holders: Counter[str] = Counter()
    chunks = length = 0
    for _, words in _read(store, collection):
        chunks += 1
        length += len(words)
        holders.update(set(words))
    totals = Totals(chunks, length / chunks if length else 1.0, -(-len(holders) // _TOGETHER))
    numbers = {word: number for number, word in enumerate(sorted(holders))}
    _keep(store, words_of(collection), totals, holders, numbers)
    waiting: list[tuple[Any, dict[int, float]]] = []

    def send() -> None:
        points = [
            models.PointVectors(
                id=id, vector={VECTOR: models.SparseVector(indices=list(own), values=list(own.values()))}
            )
            for id, own in waiting
        ]
        with store.asked("writing words") as client:
            for start, stop in parts([64 + 32 * len(own) for _, own in waiting]):
                client.update_vectors(collection, points[start:stop], wait=True)
        waiting.clear()

    for id, words in _read(store, collection):
        if words:
            own = {numbers[word]: weight for word, weight in _weights(words, totals, bm25).items()}
            waiting.append((id, own))
        if len(waiting) >= BATCH:
            send()
    if waiting:
        send()


def read_totals(store: Asked, collection: str) -> Totals | None:
    """Of a version; None where its words are not searched."""
    name = words_of(collection)
    with store.asked("looking for words") as client:
        if not client.collection_exists(name):
            return None
        points = client.retrieve(name, [_TOTALS], with_payload=True)
    return Totals(**points[0].payload) if points else None


def search_words(
    store: Asked, collection: str, totals: Totals, words: Sequence[str], k: int, bm25: Bm25
) -> list[tuple[str, float]]:
    """The best k chunks, best first; ties by document, then place in it.

    Qdrant adds up in 32 bits, so that scores are computed again from the words of what it finds.
    """
    models = library().models
    places = sorted({_place(word, totals.points) for word in words if totals.points})
    with store.asked("looking words up") as client:
        found = client.retrieve(words_of(collection), places, with_payload=True) if places else []
    held = {word: rest for one in found for word, *rest in one.payload["words"]}
    known = {word: held[word] for word in words if word in held}
    if not known:
        return []
    idf = {
        word: math.log(1 + (totals.chunks - chunks + 0.5) / (chunks + 0.5))
        for word, (_, chunks) in known.items()
    }
    asked = models.SparseVector(
        indices=[number for number, _ in known.values()], values=[idf[word] for word in known]
    )
    limit = k + _SPARE
    while True:
        with store.asked("searching") as client:
            points = client.query_points(
                collection,
                query=asked,
                using=VECTOR,
                limit=limit,
                with_payload=["id", "doc", "number", "words"],
            ).points
        if len(points) < limit or limit > k + _MOST or points[-1].score < points[k - 1].score - _NEAR:
            break
        limit *= 4
    scored = []
    for payload in (point.payload for point in points):
        own = _weights(payload["words"].split(" "), totals, bm25, idf)
        score = math.fsum(idf[word] * weight for word, weight in own.items())
        scored.append((-round(score, 6), payload["doc"], payload["number"], payload["id"]))
    return [(id, -score) for score, _, _, id in sorted(scored)[:k]]


def _weights(
    words: Sequence[str], totals: Totals, bm25: Bm25, wanted: Iterable[str] | None = None
) -> dict[str, float]:
    """What is of a chunk in the score of each of its words, or of those that are wanted."""
    damping = bm25.k1 * (1 - bm25.b + bm25.b * len(words) / totals.mean)
    counts = Counter(words)
    chosen = counts if wanted is None else [word for word in wanted if word in counts]
    return {word: counts[word] * (bm25.k1 + 1) / (counts[word] + damping) for word in chosen}


def _read(store: Asked, collection: str) -> Iterator[tuple[Any, list[str]]]:
    """Id and words of every point."""
    offset = None
    while True:
        with store.asked("reading words") as client:
            points, offset = client.scroll(collection, limit=_READ, offset=offset, with_payload=["words"])
        for point in points:
            words = point.payload["words"]
            yield point.id, words.split(" ") if words else []
        if offset is None:
            return


def _keep(store: Asked, name: str, totals: Totals, holders: Counter[str], numbers: dict[str, int]) -> None:
    """Write the collection of words. Nothing is searched in it, so that it gets no graph."""
    models = library().models
    payloads: list[dict[str, Any]] = [totals._asdict(), *({"words": []} for _ in range(totals.points))]
    sizes = [128] * len(payloads)
    for word, number in numbers.items():
        place = _place(word, totals.points)
        payloads[place]["words"].append([word, number, holders[word]])
        sizes[place] += 32 + 4 * len(word)
    points = [models.PointStruct(id=i, vector=[1.0], payload=one) for i, one in enumerate(payloads)]
    with store.asked("writing the list of words") as client:
        client.create_collection(
            name,
            vectors_config=models.VectorParams(size=1, distance=models.Distance.DOT),
            hnsw_config=models.HnswConfigDiff(m=0),
        )
        for start, stop in parts(sizes):
            client.upsert(name, points[start:stop], wait=True)


def _place(word: str, points: int) -> int:
    """The point that holds a word."""
    return 1 + int.from_bytes(hashlib.blake2b(word.encode(), digest_size=8).digest(), "big") % points
