"""The corpus as a whole: manuals, policies and golden set from one seed, in memory or as files."""

from __future__ import annotations

import argparse
import json
import shutil
import sys
from collections.abc import Iterator, Sequence
from functools import cache
from itertools import chain
from pathlib import Path
from typing import Any, NamedTuple

from examples.manuals.devices import MOST, devices
from examples.manuals.manual import Writer
from examples.manuals.policies import POLICIES, policy_questions
from examples.manuals.shape import Figure, measure

DEFAULT_DOCUMENTS = 22
FEWEST = len(POLICIES) + 1
LARGEST = len(POLICIES) + MOST

ASKED = 200
"""Questions are asked about at most this many manuals, evenly spaced, so that the golden set of a large
corpus stays at 15 * 200 + 5 questions."""

ATTEMPTS = 40
"""About two in five draws lie within every band; a seed gives its first draw that does."""

MARKER = "generated.json"
"""A folder with this file was written by this generator and may be replaced by it."""


class File(NamedTuple):
    """One document and the questions on it."""

    path: str
    """Path below the folder of documents."""
    text: str
    """Its Markdown."""
    questions: list[dict[str, Any]]
    """Lines of the golden set."""


class ShapeError(Exception):
    """The default corpus lies outside its bands. `figures` holds all figures."""

    def __init__(self, seed: int, figures: Sequence[Figure]) -> None:
        self.figures = list(figures)
        outside = "\n".join(f"  {figure}" for figure in figures if not figure.inside)
        super().__init__(f"seed {seed}: {ATTEMPTS} draws, none within all bands; the last one has\n{outside}")


def stream(writer: Writer, documents: int) -> Iterator[File]:
    """The documents one by one: manuals, then policies. Holds no more than one at a time."""
    manuals = documents - len(POLICIES)
    asked = min(manuals, ASKED)
    for device in devices(manuals):
        text, questions = writer.write(device)
        chosen = (device.number + 1) * asked // manuals > device.number * asked // manuals
        yield File(device.path, text, questions if chosen else [])
    by_doc: dict[str, list[dict[str, Any]]] = {path: [] for path in POLICIES}
    for line in policy_questions():
        by_doc[line["doc"]].append(line)
    yield from (File(path, text, by_doc[path]) for path, text in POLICIES.items())


@cache
def draw(seed: int) -> tuple[Writer, tuple[Figure, ...]]:
    """The writer that belongs to a seed, and the figures of its default corpus."""
    for attempt in range(ATTEMPTS):
        writer = Writer(f"{seed}/{attempt}")
        files = list(stream(writer, DEFAULT_DOCUMENTS))
        docs = {file.path: file.text for file in files}
        figures = tuple(measure(docs, [line for file in files for line in file.questions]))
        if all(figure.inside for figure in figures):
            break
    return writer, figures


def open_stream(seed: int, documents: int) -> Iterator[File]:
    """The documents of a seed. The first manuals and all policies are the same for every number.

    Raises ValueError where the number of documents cannot be made, and `ShapeError` where the default
    corpus lies outside its bands (other numbers of documents have none).
    """
    if not FEWEST <= documents <= LARGEST:
        raise ValueError(f"documents must be {FEWEST} to {LARGEST:,}, not {documents:,}")
    writer, figures = draw(seed)
    if documents == DEFAULT_DOCUMENTS and not all(figure.inside for figure in figures):
        raise ShapeError(seed, figures)
    return stream(writer, documents)


def build(seed: int = 7, documents: int = DEFAULT_DOCUMENTS) -> tuple[dict[str, str], list[dict[str, Any]]]:
    """The corpus in memory: path to text, and the lines of the golden set. Raises as `open_stream`."""
    files = list(open_stream(seed, documents))
    return {file.path: file.text for file in files}, [line for file in files for line in file.questions]


def write(out: Path, seed: int, documents: int) -> dict[str, int]:
    """Write `docs/*.md` and `golden.jsonl` below `out` and return what was written.

    Everything is written beside and renamed at the end. A folder that holds anything else than the
    result of an earlier run is refused with FileExistsError.
    """
    files = open_stream(seed, documents)
    if out.exists() and not (out / MARKER).is_file() and any(out.iterdir()):
        raise FileExistsError(f"{out} holds files of somebody else; name an empty or a new folder")
    part = out.with_name(out.name + ".part")
    shutil.rmtree(part, ignore_errors=True)
    (part / "docs").mkdir(parents=True)
    written = {"seed": seed, "documents": 0, "characters": 0, "questions": 0}
    try:
        with (part / "golden.jsonl").open("w", encoding="utf-8", newline="\n") as golden:
            for file in files:
                (part / "docs" / file.path).write_text(file.text, encoding="utf-8", newline="\n")
                golden.writelines(json.dumps(line, ensure_ascii=False) + "\n" for line in file.questions)
                written["documents"] += 1
                written["characters"] += len(file.text)
                written["questions"] += len(file.questions)
        (part / MARKER).write_text(json.dumps(written) + "\n", encoding="utf-8", newline="\n")
        if out.exists():
            shutil.rmtree(out)
        part.rename(out)
    finally:
        shutil.rmtree(part, ignore_errors=True)
    return written


def main(arguments: Sequence[str] | None = None) -> int:
    """The command. Returns 0, or 1 where a figure lies outside its band, or 2 for a bad setting."""
    parser = argparse.ArgumentParser(
        prog="python -m examples.manuals",
        description="Write a corpus of near-duplicate manuals with its golden set.",
    )
    parser.add_argument("--seed", type=int, default=7, help="one seed, one corpus (default 7)")
    parser.add_argument(
        "--documents",
        type=int,
        default=DEFAULT_DOCUMENTS,
        help=f"{FEWEST} to {LARGEST}; the bands hold for the default, {DEFAULT_DOCUMENTS}",
    )
    parser.add_argument(
        "--out",
        type=Path,
        default=Path(__file__).parent / "out",
        help="folder to write docs/ and golden.jsonl into (default: out/ beside the generator)",
    )
    given = parser.parse_args(arguments)
    try:
        written = write(given.out, given.seed, given.documents)
    except ShapeError as error:
        print(*error.figures, error, sep="\n", file=sys.stderr)
        return 1
    except (ValueError, OSError) as error:
        print(f"error: {error}", file=sys.stderr)
        return 2
    lines = chain(
        (f"{name:<46} {count:>10,}" for name, count in written.items() if name == "seed"),
        map(str, draw(given.seed)[1])
        if given.documents == DEFAULT_DOCUMENTS
        else (f"{name:<46} {count:>10,}" for name, count in written.items() if name != "seed"),
    )
    print(*lines, f"written to {given.out}", sep="\n")
    return 0
