"""Takes the picture of the page for docs/report.md: `python -m scripts.screenshot`. Needs Chromium."""

from __future__ import annotations

import shutil
import sys
import tempfile
from pathlib import Path

import chunkwise
from chunkwise.report.page import render_page

ROOT = Path(__file__).parents[1]
TARGET = ROOT / "docs" / "report.png"
QUESTION = "notice-grade-7"
ROWS = ("fixed:size=800", "heading:size=800")
SIZE = {"width": 1200, "height": 900}


def main() -> int:
    """Compare two chunkers on the handbook, and show where its hard question is answered."""
    browser = shutil.which("chromium") or shutil.which("google-chrome")
    if browser is None:
        print("no Chromium on this machine; on Debian: apt-get install chromium", file=sys.stderr)
        return 1
    from playwright.sync_api import sync_playwright

    handbook = ROOT / "examples" / "handbook"
    corpus = chunkwise.read(handbook / "docs")
    golden = chunkwise.load_golden(handbook / "golden.jsonl", corpus)
    report = chunkwise.compare(corpus, golden, ROWS, exhibits=len(golden))
    with tempfile.TemporaryDirectory() as folder, sync_playwright() as driver:
        page_file = Path(folder) / "out.html"
        page_file.write_bytes(render_page(report))
        started = driver.chromium.launch(executable_path=browser, args=["--no-sandbox", "--disable-gpu"])
        page = started.new_page(viewport=SIZE, color_scheme="light", reduced_motion="reduce")
        page.goto(page_file.as_uri())
        question = page.locator(f'details[data-question="{QUESTION}"]')
        question.locator("summary").first.click()
        question.get_by_role("button", name="Show it in the document").click()
        page.locator("#reader").scroll_into_view_if_needed()
        page.evaluate("document.querySelector('#documents').scrollIntoView()")
        page.screenshot(path=str(TARGET))
        started.close()
    print(f"{TARGET.relative_to(ROOT)}: {TARGET.stat().st_size:,} bytes")
    return 0


if __name__ == "__main__":
    sys.exit(main())
