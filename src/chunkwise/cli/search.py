"""`chunkwise search`: answers with receipts from what is served."""

from __future__ import annotations

import json as as_json
from typing import Annotated

import typer

from chunkwise.cli.options import READING, Reading, reads, refuse_idle
from chunkwise.cli.output import note, say
from chunkwise.cli.ship import StoreText
from chunkwise.errors import SettingError

Question = Annotated[str, typer.Argument(metavar="QUESTION", help="What is asked.")]
K = Annotated[int, typer.Option("-k", "--k", metavar="N", help="How many chunks.")]
Verify = Annotated[
    bool,
    typer.Option("--verify", help="Say of each chunk whether it still stands in the documents of --docs."),
]
DocsOption = Annotated[
    str | None, typer.Option("--docs", metavar="DOCS", help="The documents as they are now, for --verify.")
]
Exact = Annotated[bool, typer.Option("--exact", help="Look at all vectors, not at a graph of them.")]
Parents = Annotated[
    bool,
    typer.Option("--parents", help="Show the chunk above each, where the chunker makes such a tree."),
]
Version = Annotated[
    str | None,
    typer.Option("--at", metavar="VERSION", help="Ask another version than the one that is served."),
]
Json = Annotated[bool, typer.Option("--json", help="Print JSON Lines, a chunk a line.")]


@reads
def search(
    context: typer.Context,
    question: Question,
    store: StoreText,
    k: K = 5,
    verify: Verify = False,
    docs: DocsOption = None,
    exact: Exact = False,
    parents: Parents = False,
    at: Version = None,
    json: Json = False,
    reading: Reading = READING,
) -> None:
    """Search what is served, with receipts.

    Each chunk comes with its document, lines, page, heading path, id, version and scores. --verify looks
    each one up in the documents as they are now: same, moved or gone.
    """
    from chunkwise.ship.account import receipt_lines
    from chunkwise.ship.opened import open_index

    if not question.strip():
        raise SettingError("the question is empty")
    if verify and docs is None:
        raise SettingError("--verify needs the documents: give --docs DOCS")
    if not verify:
        refuse_idle(context, "without --verify", "docs")
    corpus = reading.open(docs) if verify and docs else None
    index = open_index(store, at)
    receipts = index.search(question, k, exact=exact, parents=parents, corpus=corpus)
    if json:
        say(as_json.dumps(one.to_dict(), ensure_ascii=True) for one in receipts)
    else:
        say(receipt_lines(receipts))
    if not receipts:
        note(f"nothing found: no chunk of {index.version} shares a word with the question")
