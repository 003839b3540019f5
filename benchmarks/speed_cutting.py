"""Cutting, against other libraries: at headings with the parse, and read documents without it."""

from __future__ import annotations

import statistics
from collections.abc import Callable, Iterator, Mapping, Sequence

import chunkwise
from benchmarks import peers
from benchmarks.speed_clock import Ratio, Work, alternating
from benchmarks.speed_figures import Figure
from benchmarks.speed_pages import Page, characters, copies, joined
from chunkwise.types import Chunker, Document

SIZE = 1000
"""Characters that a chunk has at most; the same for all."""
OURS = "chunkwise"
HEADINGS = "Cutting at headings, from text: parse, exact spans, path, limit of 1,000 characters"
GIVEN = "Cutting read documents, limit of 1,000 characters"
ONE_FILE_LARGE = ("LangChain, headers then recursive",)
"""Who finishes a single file of 50 MB: the others take a time that grows with the square of its length."""


def from_text(made: Sequence[Page], size: int = SIZE) -> int:
    """Chunkwise on texts: read, the whole structure, and chunks."""
    cut = chunkwise.Heading(size=size)
    count = 0
    for name, text in made:
        document = chunkwise.read_text(text, name)
        _ = document.blocks
        count += len(cut(document))
    return count


def at_headings(made: Sequence[Page], rounds: int, where: str, names: Sequence[str] = ()) -> list[Figure]:
    """Chunkwise's heading chunker against every library that cuts at headings.

    Args:
        made: what each round cuts.
        rounds: number of rounds.
        where: what the pages are, for the table.
        names: the libraries; all if empty.
    """
    cuts = {name: make(SIZE) for name, (make, _) in peers.HEADING.items() if not names or name in names}
    makers: dict[str, Callable[[], Work]] = {OURS: lambda: lambda: from_text(made)}
    makers |= {name: lambda cut=cut: lambda: cut(made) for name, cut in cuts.items()}
    spent = alternating(makers, rounds)
    aims = {name: peers.HEADING[name][1] for name in cuts}
    return against(HEADINGS, f"heading, {where}", spent, aims, characters(made))


def at_headings_large(made: Sequence[Page], wanted: int, where: str, slices: int = 4) -> list[Figure]:
    """The same on many more pages. They are cut in slices that take turns, each once."""
    rows = list(copies(made, wanted))
    step = max(1, -(-len(rows) // slices))
    groups = [[page for row in rows[i : i + step] for page in row] for i in range(0, len(rows), step)]
    cuts = {name: make(SIZE) for name, (make, aim) in peers.HEADING.items() if aim is not None}
    spent: dict[str, list[float]] = {name: [] for name in (OURS, *cuts)}
    for group in groups:
        makers: dict[str, Callable[[], Work]] = {OURS: lambda group=group: lambda: from_text(group)}
        makers |= {name: lambda cut=cut, group=group: lambda: cut(group) for name, cut in cuts.items()}
        for name, times in alternating(makers, 1, warm=False).items():
            spent[name] += times
    aims = {name: peers.HEADING[name][1] for name in cuts}
    size = sum(characters(group) for group in groups) / len(groups)
    return against(HEADINGS, f"heading, {where}", spent, aims, size)


def given(made: Sequence[Page], rounds: int, where: str) -> list[Figure]:
    """Read documents with their structure: fixed, recursive and paragraph against LangChain's splitter."""
    chunkers: dict[str, Chunker] = {
        "fixed": chunkwise.Fixed(size=SIZE),
        "recursive": chunkwise.Recursive(size=SIZE),
        "paragraph": chunkwise.Paragraph(size=SIZE),
    }
    cut = peers.langchain_recursive(SIZE)
    makers: dict[str, Callable[[], Work]] = {peers.RECURSIVE: lambda: lambda: cut(made)}
    makers |= {name: lambda one=one: ready(made, one) for name, one in chunkers.items()}
    spent = alternating(makers, rounds)
    found = []
    for name in chunkers:
        pair = {OURS: spent[name], peers.RECURSIVE: spent[peers.RECURSIVE]}
        found += against(GIVEN, f"{name}, {where}", pair, {peers.RECURSIVE: 1.0}, characters(made))
    return found


def ready(made: Sequence[Page], chunker: Chunker) -> Work:
    """Cutting documents that were read and parsed before, and that no chunker has seen."""
    documents: list[Document] = []
    for name, text in made:
        document = chunkwise.read_text(text, name)
        _ = document.blocks
        documents.append(document)
    return lambda: sum(len(chunker(document)) for document in documents)


def against(
    part: str, name: str, spent: Mapping[str, list[float]], aims: Mapping[str, float | None], size: float
) -> list[Figure]:
    """A line for each library: milliseconds a megabyte, and how many times faster Chunkwise is.

    Args:
        part: the part of the benchmark.
        name: what was done.
        spent: CPU seconds of each round, by who.
        aims: what the ratio should be at least, by library.
        size: characters cut in a round.
    """
    each = {who: statistics.median(times) / size * 1e9 for who, times in spent.items()}
    found = []
    for who, aim in aims.items():
        ratio = Ratio.of(spent[who], spent[OURS])
        found.append(Figure(part, name, who, each[OURS], each[who], "ms/MB", *ratio, least=aim))
    return found


def run(made: Sequence[Page], rounds: int, large: int) -> Iterator[Figure]:
    """All of it: the pages, the pages as one file, and larger corpora made from them.

    Args:
        made: the pages.
        rounds: rounds on the pages as they are.
        large: characters of the larger corpora; 0 leaves them out.
    """
    megabytes = characters(made) / 1e6
    yield from at_headings(made, rounds, f"{len(made)} files, {megabytes:.1f} MB")
    yield from given(made, rounds, f"{megabytes:.1f} MB")
    whole = [("all.md", joined(made))]
    yield from at_headings(whole, max(1, rounds // 3), f"one file, {megabytes:.1f} MB")
    if large:
        yield from at_headings_large(made, large, f"many files, {large / 1e6:.0f} MB")
        one = [("all.md", "\n\n".join(joined(row) for row in copies(made, large)))]
        yield from at_headings(one, 1, f"one file, {large / 1e6:.0f} MB", ONE_FILE_LARGE)
        many = [page for row in copies(made, large) for page in row]
        yield from given(many, 1, f"many files, {large / 1e6:.0f} MB")
