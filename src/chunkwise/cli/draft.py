"""`chunkwise draft`: questions from headings, or proposed by a language model."""

from __future__ import annotations

import json
from pathlib import Path
from typing import TYPE_CHECKING, Annotated

import typer

from chunkwise.cli.options import (
    READING,
    Docs,
    Quiet,
    Reading,
    Verbose,
    detail,
    reads,
    refuse_idle,
    tell_left_out,
    tell_next,
)
from chunkwise.cli.output import STANDARD, check_target, note, progress, written
from chunkwise.errors import CorpusError, SettingError

if TYPE_CHECKING:
    from chunkwise.golden.propose import Proposed
    from chunkwise.types import Corpus, GoldenSet

Out = Annotated[
    str, typer.Option("-o", "--out", metavar="FILE", help="Where the questions go; - is standard output.")
]
Force = Annotated[
    bool, typer.Option("--force", help="Write over a golden set that a person wrote or reviewed.")
]
Endpoint = Annotated[
    str | None,
    typer.Option(
        "--with",
        metavar="URL",
        help="Have a language model propose them: any OpenAI-compatible address, such as "
        "http://127.0.0.1:11434/v1.",
    ),
]
Model = Annotated[
    str | None, typer.Option("--model", metavar="NAME", help="With --with: the model that answers there.")
]
Count = Annotated[
    int, typer.Option("--count", metavar="N", help="With --with: how many questions are wanted.")
]
Key = Annotated[
    str | None,
    typer.Option(
        "--key",
        metavar="VARIABLE",
        help="With --with: the environment variable that holds the key. Default: OPENAI_API_KEY.",
    ),
]
Rate = Annotated[
    int | None, typer.Option("--rate", metavar="N", help="With --with: requests a minute at most.")
]
_ANSWERS = ".answers"
"""Put behind the name of the golden set: what a model answered, until the set is written."""
_DRAFTED = ("heading", "model")


@reads
def draft(
    context: typer.Context,
    docs: Docs,
    out: Out = STANDARD,
    endpoint: Endpoint = None,
    model: Model = None,
    count: Count = 60,
    key: Key = None,
    rate: Rate = None,
    force: Force = False,
    reading: Reading = READING,
    quiet: Quiet = False,
    verbose: Verbose = False,
) -> None:
    """Draft questions from headings, or have a language model propose them.

    Each question is a heading, and its answer the section below. Good for a first look and as a pattern to
    write real questions by. With --with, a model proposes questions and quotes their answers; what it quotes
    wrongly is discarded. Both are marked as drafted and not reviewed; every report says so.
    """
    level = detail(context, quiet, verbose)
    check_target("--out", out)
    if endpoint is None and (model is not None or key is not None or rate is not None):
        raise SettingError("--model, --key and --rate go with --with: name the endpoint too")
    if endpoint is None:
        refuse_idle(context, "without --with", "count")
    if endpoint is not None and model is None:
        raise SettingError("--with needs the model that answers there; name it with --model")
    if endpoint is not None and out == STANDARD:
        raise SettingError("--with needs a file: what is proposed is kept beside it; name one with -o")
    if not force:
        _spare_the_written(out)
    if endpoint is not None and model is not None:
        from chunkwise.golden.propose import propose

        keep = Path(f"{out}{_ANSWERS}")
        try:
            with progress(level < 0) as bars:
                corpus = reading.open(docs, bars)
                proposed = propose(
                    corpus, endpoint, model, count=count, key=key, rate=rate, keep=keep, progress=bars
                )
        except KeyboardInterrupt:
            if keep.exists():
                note(f"what was proposed is kept in {keep}; the same command goes on from there")
            raise
        _write(proposed.golden, out)
        keep.unlink(missing_ok=True)
        if level >= 0:
            _tell_proposed(proposed, model, out)
    else:
        corpus = reading.open(docs)
        _from_headings(corpus, out, level)
    tell_left_out(corpus, level)
    if out != STANDARD:
        tell_next(level, reading, docs, "check", out, "--docs", docs)


def _from_headings(corpus: Corpus, out: str, level: int) -> None:
    from chunkwise.golden import draft as make_draft
    from chunkwise.report.words import counted

    golden = make_draft(corpus)
    if not len(golden):
        raise CorpusError(
            "no heading to draft a question from: it needs two words and 300 characters of text below it; "
            "write questions by hand"
        )
    _write(golden, out)
    if level >= 0:
        where = "" if out == STANDARD else f", written to {out}"
        note(
            f"{counted(len(golden), 'question')} copied from headings{where}.\nThey share their words with "
            "the text, which flatters word search and\nchunkers that keep headings. Put them in the words "
            'of users, then set\n"reviewed" to true.'
        )


def _tell_proposed(proposed: Proposed, model: str, out: str) -> None:
    from chunkwise.report.words import counted

    note(
        f"{counted(len(proposed.golden), 'question')} proposed by {model} about "
        f"{counted(proposed.passages, 'passage')}, written to {out}."
    )
    gone = sum(proposed.discarded.values())
    if gone:
        reasons = ", ".join(f"{number:,} {reason}" for reason, number in proposed.discarded.items())
        note(f"{counted(gone, 'proposal')} discarded: {reasons}.")
    if any(proposed.tokens.values()):
        note(f"{proposed.tokens['prompt']:,} tokens sent, {proposed.tokens['completion']:,} received.")
    note(
        "Nobody has looked at them: a model asks what is easy to find. Read each with\n"
        'its answer, mend or remove it, then set "reviewed" to true. Reports count them\napart until then.'
    )


def _write(golden: GoldenSet, out: str) -> None:
    from chunkwise.golden.rows import json_text
    from chunkwise.golden.write import entry

    with written(out) as file:
        for question in golden:
            file.write(f"{json_text(entry(question, golden.digests))}\n".encode())


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
        if not isinstance(row, dict) or row.get("origin") not in _DRAFTED or row.get("reviewed"):
            raise SettingError(
                f"--out {out!r}: line {number} was written or reviewed by a person; "
                "name another file, or write over it with --force"
            )
