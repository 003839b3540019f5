"""The path of a newcomer: what a command prints is waited for, and a failure is no figure."""

from __future__ import annotations

import json
import os
import sys
from pathlib import Path

import pytest
from benchmarks.first_minute import Steps, watched
from scripts import first_minute

SAYS = "import sys; print('a'); print('ready: yes'); print('end'); sys.exit(int(sys.argv[1]))"


def run(code: int, *marks: str) -> list[float]:
    return watched([sys.executable, "-c", SAYS, str(code)], Path.cwd(), os.environ, marks)


def test_marks_come_in_the_order_of_the_output() -> None:
    ready, end, behind = run(0, "ready", "end")
    assert 0 < ready <= end <= behind


@pytest.mark.parametrize(
    ("code", "mark", "said"), [(3, "ready", "ended with 3"), (0, "never", "never printed 'never'")]
)
def test_a_failure_is_no_figure(code: int, mark: str, said: str, capsys: pytest.CaptureFixture[str]) -> None:
    with pytest.raises(SystemExit, match=said):
        run(code, mark)
    assert "ready: yes" in capsys.readouterr().err


def test_the_page_has_the_seconds_of_the_last_run(tmp_path: Path, monkeypatch: pytest.MonkeyPatch) -> None:
    monkeypatch.setattr(first_minute, "FILE", tmp_path / "none.json")
    assert first_minute.table(tmp_path) is None
    kept = tmp_path / "one.json"
    kept.write_text(json.dumps(Steps(60.0, 12.34, 0.5, 4.0, 2, "3.11.7")._asdict()), "utf-8")
    monkeypatch.setattr(first_minute, "FILE", kept)
    made = first_minute.table(tmp_path)
    assert made is not None
    assert "| from there to the sentence that says what to ship | 12.3 s | below 90 s |" in made
