"""`chunkwise cache`: what the cache of vectors holds, and how it is made smaller."""

from __future__ import annotations

from collections.abc import Sequence
from json import loads
from typing import TYPE_CHECKING, Annotated

import typer

from chunkwise.cli.options import Quiet, Verbose, detail
from chunkwise.errors import SettingError

if TYPE_CHECKING:
    from chunkwise.index import CachedModel

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
    if info.temporary:
        typer.echo("the cache is off: vectors are kept while a command runs")
        return
    typer.echo(f"{info.path}: {info.bytes / 1e6:,.1f} MB")
    for found, apart in zip(info.models, _apart(info.models), strict=True) if level >= 0 else ():
        what = "scores" if found.dimension == 1 else f"vectors of {found.dimension} numbers"
        size = f"{found.bytes / 1e6:,.1f} MB, last used {found.last_used}"
        typer.echo(f"  {found.name}{apart}: {found.vectors:,} {what}, {size}")


def _apart(models: Sequence[CachedModel]) -> list[str]:
    """What tells models of one name apart: the settings and digests in which they differ."""
    keys: list[dict[str, object]] = [loads(model.key) for model in models]
    found = []
    for model, own in zip(models, keys, strict=True):
        others = [key for other, key in zip(models, keys, strict=True) if other.name == model.name]
        names = [n for n in own if any(str(key.get(n)) != str(own[n]) for key in others)]
        told = ", ".join(f"{n} {str(own[n])[:12]}" for n in names)
        found.append(f" ({told})" if told else "")
    return found
