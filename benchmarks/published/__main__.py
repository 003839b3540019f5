"""`python -m benchmarks.published ARTICLE --data DIR [--json -|FILE]`."""

from __future__ import annotations

import argparse
import json
import sys
from collections.abc import Mapping, Sequence
from pathlib import Path
from typing import Any, Protocol

from rich.console import Console

from benchmarks.published import chroma_minilm, chroma_omega, constitution, fastapi, rfc9562
from benchmarks.published.cells import Expected, Figures, differences
from benchmarks.published.terminal import render
from chunkwise.chunk import make_chunkers
from chunkwise.errors import ChunkwiseError
from chunkwise.types import Chunker


class Article(Protocol):
    """What the file of a corpus offers."""

    OWN: Sequence[str]

    def run(self, data: Path, *, own: Sequence[Chunker], **more: Any) -> Figures: ...

    def expected(self, reference: Mapping[str, Any], **more: Any) -> Expected: ...

    def notes(self, figures: Figures) -> list[str]: ...


ARTICLES: dict[str, Article] = {
    "rfc9562": rfc9562,
    "fastapi": fastapi,
    "constitution": constitution,
    "chroma-omega": chroma_omega,
    "chroma-minilm": chroma_minilm,
}


def main(arguments: Sequence[str] | None = None) -> int:
    """The command line. 0: done; 1: `--check` found a difference; 2: the data cannot be used."""
    parser = argparse.ArgumentParser(
        prog="python -m benchmarks.published", description="Published figures and own ones, side by side."
    )
    parser.add_argument("corpus", choices=ARTICLES)
    parser.add_argument("--data", type=Path, required=True, help="folder of the corpus")
    parser.add_argument("--json", metavar="FILE", help="write the figures as JSON; - for standard output")
    parser.add_argument(
        "--reference",
        type=Path,
        help="folder of the reference files to compare with; DATA/../../reference where it is there",
    )
    parser.add_argument(
        "--check", action="store_true", help="exit with 1 where a figure is not the reference's"
    )
    parser.add_argument(
        "--retriever",
        choices=constitution.DENSE,
        help="constitution: search with this too, and say what the questions tell",
    )
    options = parser.parse_args(arguments)
    article = ARTICLES[options.corpus]
    if options.retriever and article is not constitution:
        parser.error(f"--retriever is for constitution; {options.corpus} has its own")
    more = {"dense": options.retriever} if options.retriever else {}
    try:
        reference = load_reference(options.corpus, options.data, options.reference)
        own = [chunker for text in article.OWN for chunker in make_chunkers(text)]
        figures = article.run(options.data, own=own, **more)
    except (ChunkwiseError, OSError, ValueError) as error:
        print(f"{parser.prog}: {error}", file=sys.stderr)
        return 2
    if options.check and reference is None:
        parser.error("--check needs the reference files; name their folder with --reference")
    plain, different = figures.to_dict(), {}
    expected = article.expected(reference, **more) if reference is not None else {}
    if reference is not None:
        different = differences(figures, expected)
        plain["reference"] = {"figures": len(expected), "different": different}
    if options.json == "-":
        print(json.dumps(plain, indent=1, ensure_ascii=False))
    else:
        console = Console()
        render(figures, console)
        for note in article.notes(figures):
            console.print(f"- {note}", highlight=False)
        if reference is not None:
            equal = len(expected) - len(different)
            console.print(f"{equal} of {len(expected)} figures equal those of the reference file.")
        for place, both in different.items():
            console.print(f"  {place}: reference {both['reference']}, ours {both['ours']}", highlight=False)
        if options.json:
            write(Path(options.json), json.dumps(plain, indent=1, ensure_ascii=False) + "\n")
    return 1 if options.check and different else 0


def load_reference(corpus: str, data: Path, folder: Path | None) -> Mapping[str, Any] | None:
    """The reference file of a corpus; None where no folder was named and none is there."""
    name = getattr(ARTICLES[corpus], "REFERENCE", corpus)
    file = (folder or data.resolve().parent.parent / "reference") / f"{name}.json"
    if folder is None and not file.is_file():
        return None
    found: Mapping[str, Any] = json.loads(file.read_text("utf-8"))
    return found


def write(path: Path, text: str) -> None:
    """Write a file beside its place and rename it, so that none is ever half written."""
    beside = path.with_name(f".{path.name}.part")
    beside.write_text(text, "utf-8")
    beside.replace(path)


if __name__ == "__main__":
    sys.exit(main())
