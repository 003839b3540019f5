"""`chunkwise profile`: what is in the documents before anything is cut."""

from __future__ import annotations

from typing import Annotated

import typer

from chunkwise.cli.options import (
    READING,
    Docs,
    Json,
    Quiet,
    Reading,
    Verbose,
    detail,
    named,
    numbers,
    reads,
    tell_left_out,
)
from chunkwise.cli.output import STANDARD, check_target, console, note, progress, written

Unit = Annotated[
    str,
    named("unit", "What characters are set against: words, chars, cl100k, o200k, tokenizer.json."),
]
Sizes = Annotated[
    list[str],
    typer.Option("--sizes", metavar="N,N", help="Sizes in characters that lengths are set against."),
]


@reads
def profile(
    context: typer.Context,
    docs: Docs,
    unit: Unit = "words",
    sizes: Sizes = ["400,800,1600"],  # noqa: B006 - read, never changed
    json: Json = None,
    reading: Reading = READING,
    quiet: Quiet = False,
    verbose: Verbose = False,
) -> None:
    """Look at documents before they are cut.

    Lengths of sections, paragraphs, lists, tables and code, where a cut can fall, what is repeated, what to
    beware of, and which sizes to compare. -v lists every document.
    """
    level = detail(context, quiet, verbose)
    check_target("--json", json)
    limits = numbers("--sizes", sizes)
    from chunkwise.profiles import profile as take
    from chunkwise.report.profile import profile_json, render_profile

    with progress(level < 0) as bars:
        corpus = reading.open(docs, bars)
        found = take(corpus, unit=unit, sizes=limits, progress=bars)
    if json is not None:
        with written(json) as file:
            file.write(profile_json(found))
    if json != STANDARD:
        render_profile(found, console(), docs=docs, detail=level)
        if json is not None:
            note(f"profile written to {json}")
    tell_left_out(corpus, level)
