"""A real Chromium, and pages opened in it from files, with everything that they ask for or complain about."""

from __future__ import annotations

import shutil
from collections.abc import Callable, Iterator
from pathlib import Path
from typing import Any, NamedTuple

import pytest

from chunkwise.report.page import render_page
from tests.report.nasty_page import nasty

FLAGS = [
    "--no-sandbox",
    "--disable-gpu",
    "--disable-quic",
    "--no-first-run",
    "--disable-background-networking",
    "--disable-component-update",
    "--disable-sync",
]


class Opened(NamedTuple):
    """A page in the browser, what it asked for, and what went wrong on it."""

    page: Any
    requests: list[str]
    complaints: list[str]


Open = Callable[..., Opened]


@pytest.fixture(scope="session")
def chromium() -> str:
    """The path of a Chromium."""
    pytest.importorskip("playwright", reason="playwright drives the browser, and is not installed")
    pytest.importorskip("jinja2", reason="the extra 'report' is not installed")
    found = next(filter(None, map(shutil.which, ("chromium", "chromium-browser", "google-chrome"))), None)
    if found is None:
        pytest.skip("no Chromium on this machine; on Debian: apt-get install chromium")
    return found


@pytest.fixture(scope="session")
def stored(chromium: str, tmp_path_factory: pytest.TempPathFactory) -> Path:
    """The page of a comparison of documents that try to break it."""
    del chromium
    path = tmp_path_factory.mktemp("page") / "out.html"
    path.write_bytes(render_page(nasty()))
    return path


@pytest.fixture(scope="session")
def browser(chromium: str, tmp_path_factory: pytest.TempPathFactory) -> Iterator[Any]:
    """A browser with a profile of its own, whose network is off."""
    from playwright.sync_api import sync_playwright

    with sync_playwright() as driver:
        context = driver.chromium.launch_persistent_context(
            tmp_path_factory.mktemp("profile"),
            executable_path=chromium,
            headless=True,
            args=FLAGS,
            offline=True,
            reduced_motion="reduce",
        )
        yield context
        context.close()


@pytest.fixture
def show(browser: Any, stored: Path) -> Iterator[Open]:
    """Open a page; afterwards nothing may have been asked for but the file, and nothing complained about."""
    opened: list[Opened] = []

    def show(path: Path = stored, width: int = 1280, scheme: str = "light") -> Opened:
        page = browser.new_page()
        one = Opened(page, [], [])
        page.on("request", lambda request: one.requests.append(request.url))
        page.on("console", lambda message: one.complaints.append(message.text))
        page.on("pageerror", lambda error: one.complaints.append(str(error)))
        page.set_viewport_size({"width": width, "height": 800})
        page.emulate_media(color_scheme=scheme)
        page.goto(path.as_uri())
        opened.append(one)
        return one

    yield show
    for one in opened:
        asked = [url for url in one.requests if not url.startswith(("file:", "data:"))]
        broken = one.page.evaluate("window.broken")
        one.page.close()
        assert (asked, one.complaints, broken) == ([], [], None)
