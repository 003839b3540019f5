"""`make demo`, or `python -m examples.demo`: five steps, from the documents to what to ship."""

from __future__ import annotations

import sys
from collections.abc import Sequence

from rich.console import Console

from examples.demo.corpora import Compared, compare_all
from examples.demo.shown import cut_off, whole
from examples.demo.steps import decision, documents, figures


def main() -> int:
    """Compare, and print the five steps."""
    show(Console(width=80, highlight=False, markup=False, emoji=False), compare_all())
    return 0


def show(console: Console, compared: Sequence[Compared]) -> None:
    """Print the five steps."""
    documents(console, compared)
    figures(console, compared)
    cut_off(console, compared)
    whole(console, compared)
    decision(console, compared)


if __name__ == "__main__":
    sys.exit(main())
