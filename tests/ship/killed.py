"""A process that ships and kills itself with `kill -9` at a moment that it is told.

    python -m tests.ship.killed DOCS STORE GOLDEN RETRIEVER

It says `ready`, reads a line with a stage and seconds, and says each stage that it comes to.
"""

from __future__ import annotations

import os
import signal
import sys
import threading
import time

import lancedb  # noqa: F401 - imported before it is ready

import chunkwise
import chunkwise.ship.orders
import chunkwise.ship.stores.lance
import chunkwise.ship.stores.postgres
from chunkwise.ship.shipping import ship_index


def say(line: str) -> None:
    sys.stdout.write(f"{line}\n")
    sys.stdout.flush()


def main() -> None:
    docs, store, golden, retriever = sys.argv[1:]
    say("ready")
    wanted, seconds = sys.stdin.readline().split()
    last = ""

    def die() -> None:
        time.sleep(float(seconds))
        os.kill(os.getpid(), signal.SIGKILL)

    def tell(stage: str, done: int, total: int) -> None:
        nonlocal last, wanted
        del done, total
        if stage == last or " " in stage:
            return
        last = stage
        say(f"{stage} {time.perf_counter()}")
        if stage == wanted:
            wanted = ""  # the first time only
            threading.Thread(target=die, daemon=True).start()

    tell("read", 0, 1)
    ship_index(chunkwise.read(docs), store, retriever=retriever, golden=golden, progress=tell)
    say(f"done {time.perf_counter()}")


if __name__ == "__main__":
    main()
