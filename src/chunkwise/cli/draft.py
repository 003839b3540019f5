"""`chunkwise draft`: questions from headings."""

from __future__ import annotations

import json
from pathlib import Path
from typing import Annotated

import typer

from chunkwise.cli.options import (
    Docs,
    Encoding,
    Exclude,
    Include,
    Quiet,
    SkipBroken,
    Verbose,
    detail,
    open_corpus,
    tell_left_out,
)
from chunkwise.cli.output import STANDARD, check_target, note, written
from chunkwise.errors import CorpusError, SettingError

Out = Annotated[
    str, typer.Option("-o", "--out", metavar="FILE", help="Where the questions go; - is standard output.")
]
Force = Annotated[
    bool, typer.Option("--force", help="Write over a golden set that a person wrote or reviewed.")
]


def draft(
    context: typer.Context,
    docs: Docs,
    out: Out = STANDARD,
    force: Force = False,
    include: Include = None,
    exclude: Exclude = None,
    encoding: Encoding = None,
    skip_broken: SkipBroken = False,
    quiet: Quiet = False,
    verbose: Verbose = False,
) -> None:
    """Draft questions from headings.

    Each question is a heading, and its answer the section below. Good for a first look and as a pattern to
    write real questions by. They are marked as copied from headings and not reviewed; every report says so.
    """
    from chunkwise.golden import draft as make_draft
    from chunkwise.golden.rows import json_text
    from chunkwise.golden.write import entry
    from chunkwise.report.words import counted

    level = detail(context, quiet, verbose)
    check_target("--out", out)
    if not force:
        _spare_the_written(out)
    corpus = open_corpus(docs, include, exclude, encoding, skip_broken)
    golden = make_draft(corpus)
    if not len(golden):
        raise CorpusError(
            "no heading to draft a question from: it needs two words and 300 characters of text below it; "
            "write questions by hand"
        )
    with written(out) as file:
        for question in golden:
            file.write(f"{json_text(entry(question, golden.digests))}\n".encode())
    if level >= 0:
        where = "" if out == STANDARD else f", written to {out}"
        note(
            f"{counted(len(golden), 'question')} copied from headings{where}.\nThey share their words with "
            "the text, which flatters word search and chunkers that keep\nheadings. Put them in the words "
            'of users, then set "reviewed" to true.'
        )
        tell_left_out(corpus, level)


def _spare_the_written(out: str) -> None:
    """Refuse to write over questions that did not come from a draft, or that somebody has reviewed."""
    path = Path(out)
    if out == STANDARD or not path.is_file():
        return
    for number, line in enumerate(path.read_bytes().splitlines(), 1):
        try:
            row = json.loads(line) if line.strip() else {"origin": "heading"}
        except ValueError:
            row = None
        if not isinstance(row, dict) or row.get("origin") != "heading" or row.get("reviewed"):
            raise SettingError(
                f"--out {out!r}: line {number} was written or reviewed by a person; "
                "name another file, or write over it with --force"
            )
