"""`chunkwise check`: the faults of a golden set, and what would make it a better one."""

from __future__ import annotations

from typing import Annotated

import typer

from chunkwise.cli.exits import Exit
from chunkwise.cli.options import (
    READING,
    Quiet,
    Reading,
    Verbose,
    detail,
    reads,
    tell_left_out,
    tell_next,
)
from chunkwise.cli.output import STANDARD, check_target, say
from chunkwise.errors import GoldenError, SettingError

GoldenFile = Annotated[
    str, typer.Argument(metavar="GOLDEN", help="JSON Lines, a JSON list, or CSV with spans.")
]
DocsOption = Annotated[
    str, typer.Option("--docs", metavar="DOCS", help="The documents that the questions are about.")
]
Fix = Annotated[
    bool, typer.Option("--fix", help="Make the changes that are safe; every other line stays as it is.")
]
Out = Annotated[
    str | None, typer.Option("-o", "--out", metavar="FILE", help="With --fix: write here, not to GOLDEN.")
]


@reads
def check(
    context: typer.Context,
    golden: GoldenFile,
    docs: DocsOption,
    fix: Fix = False,
    out: Out = None,
    reading: Reading = READING,
    quiet: Quiet = False,
    verbose: Verbose = False,
) -> None:
    """Find every fault of a golden set.

    Each comes with its line and its remedy, then advice on how to make the set a better one. The exit code
    is 1 where there are faults.
    """
    from chunkwise.golden import check_golden, fix_golden
    from chunkwise.report.faults import advice_lines, fault_lines, fixed_lines

    level = detail(context, quiet, verbose)
    if out is not None and not fix:
        raise SettingError("--out is where --fix writes to; give --fix too")
    if out == STANDARD:
        raise SettingError("--out - is not possible here: standard output has the faults; name a file")
    check_target("--out", out, replaced=True)
    corpus = reading.open(docs, golden=golden)
    if fix:
        done = fix_golden(golden, corpus, out or golden)
        say(fixed_lines(done.fixed, out or golden))
    read = (out or golden) if fix else golden
    found = check_golden(read, corpus)
    say(fault_lines(found))
    if level >= 0:
        say(advice_lines(found))
        tell_left_out(corpus, level)
    if found.faults:
        raise typer.Exit(Exit.FAULTS)
    if not found.questions:
        raise GoldenError(f"{read}: no questions; write at least one")
    tell_next(level, reading, docs, "compare", docs, "--golden", read)
