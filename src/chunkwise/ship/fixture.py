"""The pytest fixture `chunkwise_gate`; pytest finds it by itself where Chunkwise is installed."""

from __future__ import annotations

import os
from collections.abc import Callable
from pathlib import Path
from typing import TYPE_CHECKING, Any

import pytest

if TYPE_CHECKING:
    from chunkwise.ship.outcome import Outcome


@pytest.fixture
def chunkwise_gate(capsys: pytest.CaptureFixture[str]) -> Callable[..., Outcome]:
    """Fail the test where the gate fails; takes what `chunkwise.gate` takes.

    ```python
    def test_the_answers_are_still_found(chunkwise_gate):
        chunkwise_gate("docs", "golden.jsonl", baseline="baseline.json", rules="gate.toml")
    ```
    """

    def run(corpus: Any, golden: Any = None, **settings: Any) -> Outcome:
        from chunkwise.errors import ChunkwiseError
        from chunkwise.ship.gating import gate
        from chunkwise.ship.rendering import github, terminal

        try:
            outcome = gate(corpus, golden, **settings)
        except ChunkwiseError as error:
            pytest.fail(str(error), pytrace=False)
        if not outcome.passed:
            if os.environ.get("GITHUB_ACTIONS") == "true":
                root = str(corpus) if isinstance(corpus, str | Path) else ""
                with capsys.disabled():
                    print("", *github(outcome, root), sep="\n")  # noqa: T201
            pytest.fail("\n".join(terminal(outcome)), pytrace=False)
        return outcome

    return run
