"""`chunkwise outline`: the structure of documents as Chunkwise sees it."""

from __future__ import annotations

from typing import Annotated

import typer

from chunkwise.cli.options import (
    READING,
    Clean,
    Docs,
    Quiet,
    Reading,
    Verbose,
    detail,
    reads,
    tell_left_out,
)
from chunkwise.cli.output import STANDARD, console, written

AsJson = Annotated[bool, typer.Option("--json", help="One JSON object a document, one a line.")]


@reads
def outline(
    context: typer.Context,
    docs: Docs,
    json: AsJson = False,
    reading: Reading = READING,
    clean: Clean = None,
    quiet: Quiet = False,
    verbose: Verbose = False,
) -> None:
    """Show the structure of documents.

    Sections, kinds of blocks and oddities, as the chunkers see them; -v lists every block, and what
    --clean took out.
    """
    from chunkwise.report.outline import outline_json, render_outline

    level = detail(context, quiet, verbose)
    corpus = reading.open(docs, clean=clean or ())
    if json:
        with written(STANDARD) as file:
            for document in corpus:
                file.write(outline_json(document))
    else:
        screen = console()
        for number, document in enumerate(corpus):
            if number:
                screen.print()
            render_outline(document, screen, blocks=level > 0)
    tell_left_out(corpus, level)
