"""`chunkwise chunk`: documents in, chunks as JSON Lines out."""

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
    named,
    reads,
    tell_left_out,
)
from chunkwise.cli.output import STANDARD, check_target, note, progress, written
from chunkwise.errors import BrokenFiles, ReadError, SettingError

Chunker = Annotated[str, named("chunker", "How to cut, such as heading:size=600,unit=cl100k.")]
Out = Annotated[
    str, typer.Option("-o", "--out", metavar="FILE", help="Where the chunks go; - is standard output.")
]


@reads
def chunk(
    context: typer.Context,
    docs: Docs,
    chunker: Chunker = "heading:size=800",
    out: Out = STANDARD,
    reading: Reading = READING,
    clean: Clean = None,
    quiet: Quiet = False,
    verbose: Verbose = False,
) -> None:
    """Print chunks as JSON Lines.

    Each line has id, doc, start, end, lines, text, indexed (what a search index should hold), context,
    path (the headings above), section, parent and marks; page where the format has pages, and raw (start
    and end in what was read) where the text was cleaned. start and end count characters of the document's
    text. One document is held at a time.
    """
    from chunkwise.comparison import make_candidates
    from chunkwise.report.chunks import chunk_line
    from chunkwise.report.words import counted
    from chunkwise.text import counter, uneven

    level = detail(context, quiet, verbose)
    check_target("--out", out)
    rows = make_candidates(chunker, clean="+".join(clean or ()))
    if len(rows) != 1:
        raise SettingError(f"{chunker!r} stands for {len(rows)} chunkers; name one, or use compare")
    cut, steps = rows[0].chunker, rows[0].clean
    words = counter("words") if getattr(cut, "unit", "") == "chars" else None
    sizes: list[tuple[str, int, int]] = []  # document, characters, words
    count = 0
    gone: list[ReadError] = []
    with progress(level < 0) as bars:
        corpus = reading.open(docs, bars, clean=steps)
        with written(out) as file:
            for done, doc in enumerate(corpus.ids, 1):
                try:
                    document = corpus[doc]
                except ReadError as error:  # it was there when the folder was read
                    gone.append(error)
                    continue
                if words is not None:
                    sizes.append((doc, len(document.text), words.count(document.text)))
                for made in cut(document):
                    file.write(chunk_line(made, document))
                    count += 1
                if bars is not None:
                    bars("chunk", done, len(corpus))
    if level >= 0:
        where = "" if out == STANDARD else f", written to {out}"
        documents = counted(len(corpus) - len(gone), "document")
        note(f"{counted(count, 'chunk')} of {documents} by {rows[0].cut}{where}")
        few = uneven(*zip(*sizes, strict=True)) if sizes else None
        if few is not None:
            many = counted(few.many, "document")
            said = f"a size in characters means fewer than half as many words in {many} as in the median one"
            note(f"warning: {said} ({few}): give sizes in tokens, such as unit=cl100k")
        tell_left_out(corpus, level)
    if gone:
        raise gone[0] if len(gone) == 1 else BrokenFiles(gone)
