"""`make demo`, or `python -m examples.demo`: five steps, from the documents to what to ship."""

from __future__ import annotations

import sys

from rich.console import Console

from examples.demo.corpora import compare_all
from examples.demo.shown import cut_off, whole
from examples.demo.steps import decision, documents, figures


def main() -> int:
    """Print the five steps."""
    console = Console(width=80, highlight=False, markup=False, emoji=False)
    compared = compare_all()
    documents(console, compared)
    figures(console, compared)
    cut_off(console, compared)
    whole(console, compared)
    decision(console, compared)
    return 0


if __name__ == "__main__":
    sys.exit(main())
