"""Work in a few threads: results as they come, nothing that is done is lost."""

from __future__ import annotations

from collections.abc import Callable, Iterable, Iterator
from concurrent.futures import FIRST_COMPLETED, Future, ThreadPoolExecutor, wait
from typing import TypeVar

Task = TypeVar("Task")
Result = TypeVar("Result")


def spread(run: Callable[[Task], Result], tasks: Iterable[Task], workers: int) -> Iterator[Result]:
    """`run(task)` for each task, `workers` at a time, in the order in which they finish.

    Tasks are taken as they are needed. When one fails, no new ones begin, those under way are finished and
    given, and then the error is raised.
    """
    queue = iter(tasks)
    waiting: set[Future[Result]] = set()
    failure: BaseException | None = None
    more = True
    with ThreadPoolExecutor(workers, thread_name_prefix="chunkwise") as pool:
        try:
            while more or waiting:
                # A few tasks ahead, so that no worker waits while the next ones are made.
                while more and failure is None and len(waiting) < 3 * workers:
                    try:
                        waiting.add(pool.submit(run, next(queue)))
                    except StopIteration:
                        more = False
                if failure is not None:
                    more = False
                    waiting -= {future for future in waiting if future.cancel()}
                done, waiting = wait(waiting, return_when=FIRST_COMPLETED) if waiting else (set(), waiting)
                for future in done:
                    error = future.exception()
                    if error is None:
                        yield future.result()
                    else:
                        failure = failure or error
        finally:
            for future in waiting:
                future.cancel()
    if failure is not None:
        raise failure
