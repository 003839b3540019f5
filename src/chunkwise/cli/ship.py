"""`chunkwise ship`: a new version of an index, checked before it is served."""

from __future__ import annotations

from typing import TYPE_CHECKING, Annotated

import typer

from chunkwise.cli.exits import Exit
from chunkwise.cli.options import (
    READING,
    Docs,
    Quiet,
    Reading,
    Verbose,
    detail,
    named,
    reads,
    tell_left_out,
    tell_next,
)
from chunkwise.cli.output import note, progress, say

if TYPE_CHECKING:
    from collections.abc import Callable

StoreText = Annotated[
    str,
    typer.Option(
        "--store",
        metavar="STORE",
        help="The index: lancedb:FOLDER, qdrant:FOLDER, qdrant:http://HOST:6333/NAME, "
        "postgresql://USER@HOST/DATABASE, or for files jsonl:FOLDER or parquet:FOLDER.",
    ),
]
Decision = Annotated[
    str | None,
    typer.Option("--decision", metavar="FILE", help="Ship what this report of compare decided for."),
]
Chunker = Annotated[str | None, named("chunker", "What cuts. Default: as decided or served.")]
Retriever = Annotated[str | None, named("retriever", "How it is searched, such as dense.")]
Golden = Annotated[str | None, named("golden", "Questions, asked through the store.")]
RulesFile = Annotated[str | None, named("gate", "The rules, such as gate.toml. Default: see gate -h.")]
BaselineFile = Annotated[str | None, named("baseline", "What is compared with. Default: the served version.")]
Fresh = Annotated[bool, typer.Option("--fresh", help="Compare with nothing: other questions, or none.")]
Keep = Annotated[int, typer.Option("--keep", metavar="N", min=0, help="Old versions that are kept.")]
KeepFailed = Annotated[bool, typer.Option("--keep-failed", help="Keep a version that did not pass.")]
Rebuild = Annotated[bool, typer.Option("--rebuild", help="Write everything anew.")]
Wait = Annotated[int, typer.Option("--wait", metavar="SECONDS", min=0, help="Wait for another ship at work.")]
AllowCut = Annotated[
    bool, typer.Option("--allow-cut", help="Ship chunks of more tokens than the model reads.")
]
Runner = Annotated[
    str | None,
    typer.Option(
        "--runner",
        metavar="NAME",
        envvar="DAFT_RUNNER",
        show_envvar=False,
        help="Read, cut and embed elsewhere: native (processes of this machine) or ray (a cluster).",
    ),
]
Shards = Annotated[
    str | None,
    typer.Option("--shards", metavar="FOLDER", help="Where a runner keeps what is finished. Default: cache."),
]


@reads
def ship(
    context: typer.Context,
    docs: Docs,
    store: StoreText,
    decision: Decision = None,
    chunker: Chunker = None,
    retriever: Retriever = None,
    golden: Golden = None,
    gate: RulesFile = None,
    baseline: BaselineFile = None,
    keep: Keep = 2,
    keep_failed: KeepFailed = False,
    fresh: Fresh = False,
    rebuild: Rebuild = False,
    wait: Wait = 0,
    allow_cut: AllowCut = False,
    runner: Runner = None,
    shards: Shards = None,
    reading: Reading = READING,
    quiet: Quiet = False,
    verbose: Verbose = False,
) -> None:
    """Build an index beside the one that is served, and switch only if it passes.

    Counts, digests, a sample of chunks and your questions are checked through the store itself. Where that
    fails, what was served goes on serving, and the exit code is 1.
    """
    from chunkwise.ship.account import lines
    from chunkwise.ship.shipping import ship_index as run
    from chunkwise.ship.stores import open_store

    level = detail(context, quiet, verbose)
    target = open_store(store)
    target.prepare()
    with progress(level < 0) as bars:
        corpus = reading.open(docs, bars, golden=golden)
        shipped = run(
            corpus,
            target,
            chunker=chunker,
            retriever=retriever,
            decision=decision,
            golden=golden,
            rules=gate,
            baseline=baseline,
            fresh=fresh,
            keep=keep,
            keep_failed=keep_failed,
            rebuild=rebuild,
            wait=float(wait),
            allow_cut=allow_cut,
            runner=runner,
            shards=shards,
            progress=_stages(bars) if level > 0 else bars,
        )
    say(lines(shipped, target.spec, quiet=level < 0))
    tell_left_out(corpus, level)
    if shipped.served and shipped.before is None and target.features.searches:
        left_out = getattr(target, "left_out", "")
        words = ("search", "YOUR QUESTION", "--store", target.spec)
        tell_next(level, READING, docs, *words, given=left_out)
    if not shipped.served or (shipped.checked is not None and not shipped.checked.passed):
        raise typer.Exit(Exit.FAULTS)


def _stages(bars: Callable[[str, int, int], None] | None) -> Callable[[str, int, int], None]:
    """Say each stage once it begins; with `-v`."""
    last = ""

    def tell(stage: str, done: int, total: int) -> None:
        nonlocal last
        if stage != last and " " not in stage:
            note(f"stage {stage}")
            last = stage
        if bars is not None:
            bars(stage, done, total)

    return tell
