"""BM25: Chunkwise's postings against the plain dictionaries of the published definition, in one run.

    python -m benchmarks.bm25 --data ../shared/corpora/fastapi-docs

Both index the same windows of the same documents and answer the same questions (the headings, as in
`reference/fastapi.json`), and must give the same rankings. Times are CPU seconds, medians of the rounds;
the ratios are what counts. `--large` also measures many overlapping windows of the same documents, once.
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


def large(documents: list[Document], questions: list[str], wanted: int, asked: int = 100) -> None:
    """Both at many chunks, overlapping windows of the same documents; a few questions, as loops take long."""
    step = max(1, sum(len(document.text) for document in documents) // wanted)
    questions = [questions[i * len(questions) // asked] for i in range(min(asked, len(questions)))]
    settings = Bm25(words="ascii")
    begin = time.process_time()
    indexer = settings.indexer()
    for document in documents:
        indexer.add(document, windows(document, 800, step))
    ours = indexer.finish()
    built = time.process_time() - begin
    peak = resource.getrusage(resource.RUSAGE_SELF).ru_maxrss / 1024
    texts = [chunk.indexed for document in documents for chunk in windows(document, 800, step)]
    begin = time.process_time()
    plain = Dictionaries(texts)
    built_plain = time.process_time() - begin
    times: dict[str, list[float]] = {"chunkwise": [], "dictionaries": []}
    for question in questions:
        start = time.process_time()
        found, _ = ours.search(question, DEPTH)
        middle = time.process_time()
        expected = plain.search(question, DEPTH)
        times["chunkwise"].append(middle - start)
        times["dictionaries"].append(time.process_time() - middle)
        if found.tolist() != expected:
            raise SystemExit("the rankings differ: the times mean nothing")
    print(
        f"\n{len(ours):,} chunks, {len(questions)} questions, same rankings; "
        f"peak memory with chunkwise's index {peak:,.0f} MB"
    )
    print(f"{'':26}{'chunkwise':>12}{'dictionaries':>14}{'ratio':>8}")
    print(f"{'index':26}{built:10.1f} s{built_plain:12.1f} s{built_plain / built:7.1f}x")
    for name, place in (("a search, median", 0.5), ("a search, 95th percentile", 0.95)):
        mine, theirs = (1000 * sorted(t)[int(len(t) * place)] for t in times.values())
        print(f"{name:26}{mine:9.2f} ms{theirs:11.1f} ms{theirs / mine:7.1f}x")


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
