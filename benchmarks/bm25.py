"""BM25: Chunkwise's postings against the plain dictionaries of the published definition, in one run.

    python -m benchmarks.bm25 --data ../shared/corpora/fastapi-docs

Both index the same windows of the same documents and answer the same questions (the headings, as in
`reference/fastapi.json`), and must give the same rankings. Times are CPU seconds, medians of the rounds;
the ratios are what counts. `--large` also measures many overlapping windows of the same documents, for
Chunkwise alone.
"""

from __future__ import annotations

import argparse
import math
import re
import resource
import statistics
import time
from collections import Counter, defaultdict
from pathlib import Path

from chunkwise.index import Analyzer, Bm25, Bm25Retriever
from chunkwise.types import Chunk, Document, Span

DEPTH = 10
WORD = re.compile("[a-z0-9_]+")


class Dictionaries:
    """The definition with dictionaries and loops, as a script would write it."""

    def __init__(self, texts: list[str], k1: float = 1.5, b: float = 0.75) -> None:
        self.k1, self.b = k1, b
        self.lengths: list[int] = []
        self.postings: dict[str, list[tuple[int, int]]] = defaultdict(list)
        for number, text in enumerate(texts):
            words = WORD.findall(text.lower())
            self.lengths.append(len(words))
            for word, count in Counter(words).items():
                self.postings[word].append((number, count))
        self.mean = sum(self.lengths) / len(texts)

    def search(self, question: str, depth: int) -> list[int]:
        scores: dict[int, float] = defaultdict(float)
        for word in dict.fromkeys(WORD.findall(question.lower())):
            holding = self.postings.get(word, ())
            idf = math.log(1 + (len(self.lengths) - len(holding) + 0.5) / (len(holding) + 0.5))
            for number, f in holding:
                damping = self.k1 * (1 - self.b + self.b * self.lengths[number] / self.mean)
                scores[number] += idf * f * (self.k1 + 1) / (f + damping)
        return sorted(scores, key=lambda n: (-round(scores[n], 6), n))[:depth]


def windows(document: Document, size: int, step: int) -> list[Chunk]:
    text = document.text
    spans = [Span(i, min(i + size, len(text))) for i in range(0, len(text), step)]
    pieces = [text[start:end] for start, end in spans]
    return [Chunk(document.id, span, piece, piece, span) for span, piece in zip(spans, pieces, strict=True)]


def index(
    documents: list[Document], chunks: list[list[Chunk]], settings: Bm25, analyzer: Analyzer
) -> Bm25Retriever:
    indexer = settings.indexer(analyzer)
    for document, mine in zip(documents, chunks, strict=True):
        indexer.add(document, mine)
    return indexer.finish()


def read(folder: Path) -> list[Document]:
    root = folder / "docs" if (folder / "docs").is_dir() else folder
    paths = sorted((path.relative_to(root).as_posix(), path) for path in root.rglob("*.md"))
    return [Document(name, path.read_bytes().decode("utf-8"), lambda *_: None) for name, path in paths]


def headings(documents: list[Document]) -> list[str]:
    titles = [title for d in documents for title in re.findall(r"^#{2,3} (.+)$", d.text, re.MULTILINE)]
    return [title for title in titles if len(WORD.findall(title.lower())) >= 2]


def compare(documents: list[Document], questions: list[str], rounds: int) -> None:
    chunks = [windows(document, 800, 700) for document in documents]
    texts = [chunk.indexed for mine in chunks for chunk in mine]
    settings = Bm25(words="ascii")
    seconds: dict[str, list[float]] = defaultdict(list)
    for _ in range(rounds):
        analyzer = Analyzer("ascii")
        begin = time.process_time()
        ours = index(documents, chunks, settings, analyzer)
        first = time.process_time()
        answers = ours.search_all(questions, DEPTH)
        searched = time.process_time()
        index(documents, chunks, settings, analyzer)
        again = time.process_time()
        plain = Dictionaries(texts)
        built = time.process_time()
        expected = [plain.search(question, DEPTH) for question in questions]
        end = time.process_time()
        if [numbers.tolist() for numbers, _ in answers] != expected:
            raise SystemExit("the rankings differ: the times mean nothing")
        for name, value in {
            "index, first candidate": (first - begin, built - again),
            "index, later candidates": (again - searched, built - again),
            "search": (searched - first, end - built),
            "index and search": (searched - begin, end - again),
        }.items():
            seconds[name + " (chunkwise)"].append(value[0])
            seconds[name + " (dictionaries)"].append(value[1])
    print(f"{len(texts):,} chunks, {len(questions):,} questions, {rounds} rounds, same rankings")
    print(f"{'':26}{'chunkwise':>12}{'dictionaries':>14}{'ratio':>8}")
    for name in ("index, first candidate", "index, later candidates", "search", "index and search"):
        mine = statistics.median(seconds[name + " (chunkwise)"])
        theirs = statistics.median(seconds[name + " (dictionaries)"])
        print(f"{name:26}{mine:10.3f} s{theirs:12.3f} s{theirs / mine:7.1f}x")


def large(documents: list[Document], questions: list[str], wanted: int) -> None:
    step = max(1, sum(len(document.text) for document in documents) // wanted)
    begin = time.process_time()
    indexer = Bm25().indexer()
    for document in documents:
        indexer.add(document, windows(document, 800, step))
    ours = indexer.finish()
    built = time.process_time() - begin
    times = []
    for question in questions:
        start = time.process_time()
        ours.search(question, DEPTH)
        times.append(time.process_time() - start)
    peak = resource.getrusage(resource.RUSAGE_SELF).ru_maxrss / 1024
    print(f"{len(ours):,} chunks: index {built:.1f} s, peak memory of the process {peak:,.0f} MB")
    middle, worst = statistics.median(times) * 1000, sorted(times)[int(len(times) * 0.95)] * 1000
    print(f"a search takes {middle:.2f} ms in the median, {worst:.2f} ms at the 95th percentile")


def main() -> None:
    parser = argparse.ArgumentParser(description=__doc__, formatter_class=argparse.RawTextHelpFormatter)
    parser.add_argument("--data", type=Path, default=Path("../shared/corpora/fastapi-docs"))
    parser.add_argument("--rounds", type=int, default=5)
    parser.add_argument("--large", type=int, nargs="?", const=200_000, metavar="CHUNKS")
    options = parser.parse_args()
    documents = read(options.data)
    if not documents:
        parser.error(f"no Markdown files below {options.data}; name another folder with --data")
    questions = headings(documents)
    compare(documents, questions, options.rounds)
    if options.large:
        large(documents, questions, options.large)


if __name__ == "__main__":
    main()
