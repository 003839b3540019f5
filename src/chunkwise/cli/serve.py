"""`chunkwise serve`: what is served, over HTTP, read-only."""

from __future__ import annotations

from typing import Annotated

import typer

from chunkwise.cli.output import note
from chunkwise.cli.ship import StoreText

Host = Annotated[
    str, typer.Option("--host", metavar="ADDRESS", help="Address to bind. Default: this machine only.")
]
Port = Annotated[int, typer.Option("--port", metavar="PORT", help="Port to bind; 0 takes a free one.")]
MostK = Annotated[
    int, typer.Option("--most-k", metavar="N", min=1, help="Most chunks that a request may ask for.")
]
Longest = Annotated[
    int, typer.Option("--longest", metavar="N", min=1, help="Most characters that a question may have.")
]


def serve(
    store: StoreText,
    host: Host = "127.0.0.1",
    port: Port = 8640,
    most_k: MostK = 50,
    longest: Longest = 2_000,
) -> None:
    """Answer questions over HTTP: /search?q=…&k=5, /health, /version.

    Follows a switch without a restart. Whoever reaches the address can read the index: it has no accounts.
    """
    from chunkwise.ship.opened import open_index
    from chunkwise.ship.serving import Limits, make_server

    index = open_index(store)
    with make_server(index, host, port, Limits(longest, most_k)) as server:
        note(f"{index.store.spec} serves {index.version} at {server.url}/search?q=…; Ctrl-C ends it")
        server.serve_forever()
