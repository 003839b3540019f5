"""`chunkwise cache`: what the cache of vectors holds, and how it is made smaller."""

from __future__ import annotations

from typing import Annotated

import typer

from chunkwise.cli.options import Quiet, Verbose, detail
from chunkwise.errors import SettingError

Prune = Annotated[bool, typer.Option("--prune", help="Delete vectors; say which ones.")]
Model = Annotated[str | None, typer.Option("--model", metavar="NAME", help="Those of this model.")]
Unused = Annotated[
    int | None, typer.Option("--unused-days", metavar="DAYS", help="Those that no run has used for so long.")
]
Everything = Annotated[bool, typer.Option("--everything", help="All of them.")]


def cache(
    context: typer.Context,
    prune: Prune = False,
    model: Model = None,
    unused_days: Unused = None,
    everything: Everything = False,
    quiet: Quiet = False,
    verbose: Verbose = False,
) -> None:
    """Show the cache of vectors, or delete from it.

    Texts that were embedded once are not embedded again. CHUNKWISE_CACHE names another folder; `off` keeps
    nothing.
    """
    level = detail(context, quiet, verbose)
    chosen = model is not None or unused_days is not None or everything
    if prune != chosen:
        raise SettingError("name what to delete: --prune with --model, --unused-days or --everything")
    from chunkwise.index import cache_info
    from chunkwise.index import prune as delete

    if prune:
        gone = delete(model=model, unused_days=unused_days, everything=everything)
        typer.echo(f"{gone.vectors:,} vectors deleted, {gone.bytes / 1e6:,.1f} MB freed")
        return
    info = cache_info()
    typer.echo(f"{info.path}: {info.bytes / 1e6:,.1f} MB")
    for found in info.models if level >= 0 else ():
        typer.echo(f"  {found.name}: {found.vectors:,} vectors of {found.dimension} numbers")
