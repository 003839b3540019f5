"""`chunkwise outline`: the structure of documents as Chunkwise sees it."""

from __future__ import annotations

from typing import Annotated

import typer

from chunkwise.cli.options import (
    LIMIT,
    Boilerplate,
    Clean,
    Docs,
    Encoding,
    Exclude,
    Headings,
    Include,
    MaxSize,
    Quiet,
    SkipBroken,
    Verbose,
    detail,
    open_corpus,
    tell_left_out,
)
from chunkwise.cli.output import STANDARD, console, written

AsJson = Annotated[bool, typer.Option("--json", help="One JSON object a document, one a line.")]


def outline(
    context: typer.Context,
    docs: Docs,
    json: AsJson = False,
    include: Include = None,
    exclude: Exclude = None,
    encoding: Encoding = None,
    skip_broken: SkipBroken = False,
    headings: Headings = None,
    boilerplate: Boilerplate = True,
    max_size: MaxSize = LIMIT,
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
    corpus = open_corpus(
        docs,
        include,
        exclude,
        encoding,
        skip_broken,
        clean=clean or (),
        headings=headings,
        boilerplate=boilerplate,
        max_size=max_size,
    )
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
