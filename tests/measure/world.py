"""Small worlds of chunks and golds, made by hand or by chance."""

from __future__ import annotations

from dataclasses import replace

import numpy as np
from hypothesis import strategies as st

from chunkwise.types import ChunkTable, Gaps, Gold, Place, Question, Ranking, Span

World = tuple[ChunkTable, list[Question], list[Ranking], list[str]]


def table(
    spans: list[tuple[int, int, int]], context: list[int] | None = None, docs: tuple[str, ...] = ("a",)
) -> ChunkTable:
    """Chunks `(document, start, end)`, paid for in characters, the context in front of the text."""
    rows = np.array(spans, dtype=np.int64).reshape(-1, 3)
    before = np.array(context or [0] * len(rows), dtype=np.int64)
    numbers, starts, ends = rows.T
    sent = np.where(starts >= 0, ends - starts, 5) + before

    def cut(chunks: np.ndarray, units: np.ndarray) -> np.ndarray:
        return starts[chunks] + units - before[chunks]

    return ChunkTable(numbers, starts, ends, sent, cut, docs, "chars")


def question(*golds: list[tuple[str, int, int]], id: str = "q") -> Question:
    """A question that needs all golds, each with its places."""
    return Question(id, "?", tuple(Gold("", tuple(Place(d, Span(s, e)) for d, s, e in g)) for g in golds))


def ranking(*chunks: int, id: str = "q") -> Ranking:
    return Ranking(id, np.array(chunks, dtype=np.int64), np.arange(len(chunks), 0, -1, dtype=np.float64))


@st.composite
def worlds(draw: st.DrawFn) -> tuple[ChunkTable, list[Question], list[Ranking], list[str]]:
    """Two short documents, chunks of any shape, questions with several golds and places, rankings."""
    letters = st.text(alphabet="xy \n", min_size=12, max_size=24)
    texts = [draw(letters), draw(letters)]
    spans = []
    for doc, text in enumerate(texts):
        pairs = draw(st.lists(st.tuples(st.integers(0, len(text) - 1), st.integers(1, 12)), max_size=6))
        spans += sorted((doc, start, min(start + length, len(text))) for start, length in pairs)
        spans += [(doc, -1, -1)] * draw(st.integers(0, 1))
    context = [draw(st.integers(0, 3)) for _ in spans]
    chunks = table(spans, context, ("a", "b"))
    if draw(st.booleans()):
        chunks = replace(chunks, gaps=gaps_of(texts, spans))
    place = st.tuples(st.integers(0, 1), st.integers(0, 11), st.integers(1, 12))

    def visible(given: tuple[int, int, int]) -> bool:
        doc, start, length = given
        return bool(texts[doc][start : start + length].strip())

    def gold(given: list[tuple[int, int, int]]) -> list[tuple[str, int, int]]:
        return [("ab"[d], s, min(s + n, len(texts[d]))) for d, s, n in given]

    golds = st.lists(
        st.lists(place.filter(visible), min_size=1, max_size=3).map(gold), min_size=1, max_size=3
    )
    asked = [question(*draw(golds), id=f"q{i}") for i in range(draw(st.integers(1, 3)))]
    found = []
    for one in asked:
        order = draw(st.permutations(range(len(spans))))
        found.append(ranking(*order[: draw(st.integers(0, len(spans)))], id=one.id))
    return chunks, asked, found, texts


def gaps_of(texts: list[str], spans: list[tuple[int, int, int]]) -> Gaps:
    rows = []
    for doc, text in enumerate(texts):
        held = {i for d, start, end in spans if d == doc and start >= 0 for i in range(start, end)}
        free = [i for i in range(len(text)) if i not in held]
        while free:
            length = next((n for n in range(1, len(free)) if free[n] != free[0] + n), len(free))
            piece = text[free[0] : free[0] + length]
            front = len(piece) - len(piece.lstrip()) if piece.strip() else 0
            back = len(piece) - len(piece.rstrip()) if piece.strip() else 0
            rows.append((doc, free[0] + front, free[0] + length - back, not piece.strip()))
            free = free[length:]
    columns = np.array(rows, dtype=np.int64).reshape(-1, 4).T
    return Gaps(columns[0], columns[1], columns[2], columns[3].astype(bool))
