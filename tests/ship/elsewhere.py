"""A process that ships with a runner, and what it runs there.

    python -m tests.ship.elsewhere DOCS STORE RUNNER CHUNKER RETRIEVER

It says each stage that it comes to, and at last what it shipped, as JSON. Shards have three
documents in the mean.
"""

from __future__ import annotations

import json
import os
import signal
import sys
import time
from pathlib import Path

from chunkwise.errors import ChunkwiseError
from chunkwise.ship import shards
from chunkwise.ship.shipping import ship_index


def cut(text: str) -> list[str]:
    """A chunker that writes down what it cuts, and does what a document tells it to.

    It holds as long as there is a file of that name beside the log.
    """
    title = text.partition("\n")[0]
    path = Path(os.environ["CUT_LOG"])
    with path.open("a") as log:
        log.write(f"{title}\n")
    if "STOP" in text:
        os.kill(os.getpid(), signal.SIGKILL)
    if "FAIL" in text:
        raise ValueError("no idea how")
    while "HOLD" in text and path.with_name("hold").exists():
        time.sleep(0.05)
    return text.split("\n\n")


def main() -> None:
    docs, store, runner, chunker, retriever = sys.argv[1:]
    shards.MEAN = 3

    def tell(stage: str, done: int, total: int) -> None:
        print(f"{stage} {done} {total}", flush=True)  # noqa: T201

    try:
        shipped = ship_index(
            docs,
            store,
            chunker=chunker,
            retriever=retriever,
            runner=None if runner == "none" else runner,
            progress=tell,
        )
    except ChunkwiseError as error:
        print(json.dumps({"error": type(error).__name__, "said": str(error)}))  # noqa: T201
        return
    manifest = shipped.manifest
    told = {"content": manifest.content, "documents": dict(manifest.documents), "work": dict(manifest.work)}
    print(json.dumps(told))  # noqa: T201


if __name__ == "__main__":
    main()
