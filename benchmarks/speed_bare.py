"""A bare script for the same job, with the standard library alone: cut, index, rank, count the hits.

Five strategies on Markdown pages, their headings as questions, BM25 with dictionaries and loops. It does
what the published definitions say (the FastAPI documentation, 773 headings) and nothing else: no
structure, no measures of damage but the two of the article, no intervals. It ranks as the script that the
article prints does, which weighs every posting anew for every question; of what the article does not print,
counting crossed sections, it takes the fast way. It shares no code with Chunkwise or with
`benchmarks.published`.
"""

from __future__ import annotations

import math
import re
from bisect import bisect_right
from collections import Counter, defaultdict
from collections.abc import Iterator, Sequence
from typing import Any, NamedTuple

from benchmarks.speed_pages import Page

HEADING = re.compile(r"^(#{1,3}) (.+?)\s*(\{.*\})?$", re.MULTILINE)
BLANK = re.compile(r"\n\s*\n")
K1, B = 1.5, 0.75
DEPTH = 5


class Part(NamedTuple):
    """A section: where it is, its level and title, and the titles down to it."""

    start: int
    end: int
    level: int
    title: str
    titles: list[str]


class Piece(NamedTuple):
    """A chunk: its page and place, and what is searched."""

    page: str
    start: int
    end: int
    words: list[str]


def words(text: str) -> list[str]:
    return re.findall("[a-z0-9_]+", text.lower())


def sections(text: str) -> list[Part]:
    matches = list(HEADING.finditer(text))
    found = []
    if not matches or matches[0].start() > 0:
        found.append(Part(0, matches[0].start() if matches else len(text), 0, "", []))
    open_titles: list[tuple[int, str]] = []
    for i, match in enumerate(matches):
        level, title = len(match[1]), match[2].strip()
        while open_titles and open_titles[-1][0] >= level:
            open_titles.pop()
        open_titles.append((level, title))
        end = matches[i + 1].start() if i + 1 < len(matches) else len(text)
        found.append(Part(match.start(), end, level, title, [t for _, t in open_titles]))
    return found


def fixed(text: str, size: int, overlap: int) -> Iterator[tuple[int, int]]:
    for start in range(0, len(text), size - overlap):
        yield start, min(start + size, len(text))


def paragraphs(text: str, size: int) -> Iterator[tuple[int, int]]:
    start = reached = 0
    for match in BLANK.finditer(text):
        if match.end() - start > size and reached > start:
            if not text[start:reached].isspace():
                yield start, reached
            start = reached
        reached = match.end()
    if text[start:].strip():
        yield start, len(text)


def cut(pages: Sequence[Page], strategy: str) -> list[Piece]:
    found = []
    for name, text in pages:
        if strategy.startswith("fixed"):
            size = int(strategy.split("_")[1])
            found += [Piece(name, a, b, words(text[a:b])) for a, b in fixed(text, size, 100)]
        elif strategy == "paragraph_800":
            found += [Piece(name, a, b, words(text[a:b])) for a, b in paragraphs(text, 800)]
        else:
            for part in sections(text):
                path = words(" > ".join(part.titles)) if strategy.endswith("path") else []
                for a, b in paragraphs(text[part.start : part.end], 800):
                    a, b = a + part.start, b + part.start
                    found.append(Piece(name, a, b, path + words(text[a:b])))
    return found


class Index:
    """BM25 as dictionaries from words to lists of chunk and count."""

    def __init__(self, pieces: Sequence[Piece]) -> None:
        counted = [Counter(piece.words) for piece in pieces]
        self.lengths = [len(piece.words) for piece in pieces]
        self.mean = sum(self.lengths) / len(pieces)
        holding = Counter(word for counts in counted for word in counts)
        self.idf = {word: math.log(1 + (len(pieces) - n + 0.5) / (n + 0.5)) for word, n in holding.items()}
        self.postings: dict[str, list[tuple[int, int]]] = defaultdict(list)
        for number, counts in enumerate(counted):
            for word, count in counts.items():
                self.postings[word].append((number, count))

    def search(self, question: str) -> list[int]:
        """The best chunks. As in the article's script, each posting is weighed when it is searched."""
        lengths, mean, idf = self.lengths, self.mean, self.idf
        scores: dict[int, float] = defaultdict(float)
        for word in dict.fromkeys(words(question)):
            for number, count in self.postings.get(word, ()):
                damping = K1 * (1 - B + B * lengths[number] / mean)
                scores[number] += idf[word] * count * (K1 + 1) / (count + damping)
        return sorted(scores, key=scores.__getitem__, reverse=True)[:DEPTH]


def questions(pages: Sequence[Page]) -> list[tuple[str, Part]]:
    return [
        (name, part)
        for name, text in pages
        for part in sections(text)
        if part.level in (2, 3) and part.end - part.start >= 300 and len(words(part.title)) >= 2
    ]


def crosses(starts: Sequence[int], piece: Piece) -> bool:
    """Whether a heading begins inside a chunk."""
    behind = bisect_right(starts, piece.start)
    return behind < len(starts) and starts[behind] < piece.end


STRATEGIES = ("fixed_800_100", "fixed_530_100", "paragraph_800", "heading_800", "heading_800_path")


def run(pages: Sequence[Page], strategies: Sequence[str] = STRATEGIES) -> dict[str, dict[str, Any]]:
    """The rows of the article's table."""
    texts = dict(pages)
    starts = {name: [match.start() for match in HEADING.finditer(text)] for name, text in pages}
    asked = questions(pages)
    rows = {}
    for strategy in strategies:
        pieces = cut(pages, strategy)
        index = Index(pieces)
        first = five = reciprocal = 0.0
        for name, part in asked:
            for rank, number in enumerate(index.search(part.title), 1):
                piece = pieces[number]
                inside = min(part.end, piece.end) - max(part.start, piece.start)
                if piece.page == name and 2 * inside >= piece.end - piece.start:
                    first += rank == 1
                    five += 1
                    reciprocal += 1 / rank
                    break
        crossing = sum(crosses(starts[p.page], p) for p in pieces)
        fences = sum(texts[p.page][p.start : p.end].count("```") % 2 for p in pieces)
        rows[strategy] = {
            "chunks": len(pieces),
            "avg_chars": round(sum(p.end - p.start for p in pieces) / len(pieces), 2),
            "crosses_section_pct": round(100 * crossing / len(pieces), 2),
            "splits_code_block_pct": round(100 * fences / len(pieces), 2),
            "hit_at_1": round(first / len(asked), 4),
            "hit_at_5": round(five / len(asked), 4),
            "mrr_at_5": round(reciprocal / len(asked), 4),
        }
    return rows
