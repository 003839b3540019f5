"""Bars for what takes longer than a second: how far, how many a second, and the time left."""

from __future__ import annotations

import io
import re

import pytest
from rich.console import Console

from chunkwise.cli import output


@pytest.fixture
def screen(monkeypatch: pytest.MonkeyPatch) -> io.StringIO:
    file = io.StringIO()
    terminal = Console(file=file, force_terminal=True, width=80, color_system=None)
    monkeypatch.setattr(output, "console", lambda **_: terminal)
    return file


def test_a_bar_shows_how_far_how_fast_and_how_long(
    screen: io.StringIO, monkeypatch: pytest.MonkeyPatch
) -> None:
    monkeypatch.setattr(output.Progress, "AFTER", -1.0)
    with output.Progress() as bars:
        for done in range(1, 401):
            bars("profile", done, 500)
        bars._bars.refresh()
    last = screen.getvalue().split("\r")[-3:]
    assert re.search(r"profile .* 400/500 [\d,.]+/s \d:\d\d:\d\d", "".join(last))


def test_nothing_is_shown_of_what_is_quick(screen: io.StringIO) -> None:
    with output.Progress() as bars:
        bars("profile", 1, 2)
    assert screen.getvalue() == ""
