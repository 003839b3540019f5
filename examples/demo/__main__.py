"""`make demo`, or `python -m examples.demo`: five steps, from the documents to what to ship."""

from __future__ import annotations

import io
import sys
from collections.abc import Sequence

from rich.console import Console

from chunkwise.cli.exits import Exit
from chunkwise.cli.output import progress
from examples.demo.corpora import Asked, Compared, compare, load_all, without_minilm
from examples.demo.shown import cut_off, whole
from examples.demo.steps import decision, documents, legend, searches, table

WIDTH = 80


def main() -> int:
    """Compare, and print the five steps."""
    if isinstance(sys.stdout, io.TextIOWrapper):
        sys.stdout.reconfigure(line_buffering=True)  # also in a pipe: the first table is there early
    try:
        show(Console(width=WIDTH, highlight=False, markup=False, emoji=False), load_all())
    except KeyboardInterrupt:
        print("interrupted; the next run goes on from what is in the cache", file=sys.stderr)
        return Exit.INTERRUPTED
    return Exit.OK


def show(console: Console, corpora: Sequence[Asked]) -> list[Compared]:
    """Print the five steps, each table as soon as its figures are there; gives what was measured."""
    missing = without_minilm()
    documents(console, corpora)
    searches(console, corpora, missing)
    compared = []
    for asked in corpora:
        with progress(quiet=False) as bars:
            compared.append(compare(asked, dense=missing is None, progress=bars))
        table(console, compared[-1])
    legend(console, compared)
    cut_off(console, compared)
    whole(console, compared)
    decision(console, compared)
    return compared


if __name__ == "__main__":
    sys.exit(main())
