"""The page as a reader has it: in a real browser, from a file, with the network off."""

from __future__ import annotations

import re
from pathlib import Path
from typing import Any

import pytest

from chunkwise.chunk import Fixed
from chunkwise.comparison import compare
from chunkwise.report.page import render_page
from chunkwise.report.sentences import in_order
from chunkwise.types import Candidate, Corpus, GoldenSet
from tests.report.nasty_page import GOLDS, IMAGE, NAME, SCRIPT, TEXT, documents, nasty, questions

from .conftest import Open

# One browser serves all of these tests.
pytestmark = pytest.mark.xdist_group("browser")
FIXED, HEADING, MINE, SMALL = (row.name for row in nasty().candidates)


def names(page: Any) -> list[str]:
    return [text.strip() for text in page.locator("#main-table tbody th").all_inner_texts()]


def choose(page: Any, *wanted: str) -> None:
    """Choose the rows that are beside each other."""
    for check, box in ((True, page.get_by_role("checkbox")), (False, page.get_by_role("checkbox"))):
        for one in box.all():
            label = one.evaluate("box => box.labels[0].innerText.trim()")
            if one.evaluate("box => box.closest('#columns') !== null") and (label in wanted) is check:
                one.set_checked(check)


def test_it_opens_without_a_request_and_shows_texts_as_texts(show: Open) -> None:
    page = show().page
    assert page.locator("h1").inner_text().startswith("On this corpus ")
    assert page.locator("#main-table tr.chosen").count() == 1
    assert page.locator("img").count() == 0
    reader = page.locator("#text").inner_text()
    assert IMAGE in reader
    assert SCRIPT in reader
    assert "A NUL: ␀, an escape: ␛." in reader
    assert "שלום עולם" in reader
    assert "👩‍🚀🎉" in reader


def test_a_click_sorts_the_table_and_another_turns_it_around(show: Open) -> None:
    page = show().page
    rows = {row.name: row for row in nasty().candidates}
    assert names(page)[0] == in_order(nasty())[0].name
    head = page.locator("#main-table th", has_text="chunks").first
    button = head.get_by_role("button")
    button.click()
    assert head.get_attribute("aria-sort") == "descending"
    falling = [rows[name].chunks for name in names(page)]
    assert falling == sorted(falling, reverse=True)
    button.focus()
    page.keyboard.press("Enter")
    assert head.get_attribute("aria-sort") == "ascending"
    assert [rows[name].chunks for name in names(page)] == falling[::-1]
    assert page.locator("#main-table th[aria-sort]").count() == 1


def test_a_hard_question_leads_to_its_answer_in_the_document(show: Open) -> None:
    page = show().page
    asked, quote = next((asked, quote) for asked, quote in GOLDS.items() if "notice" in asked)
    question = page.locator("details.question", has_text="how long is the notice period")
    question.locator("summary").first.click()
    assert quote in question.locator("blockquote mark").inner_text()
    assert asked in question.locator("summary").first.inner_text()
    question.get_by_role("button", name="Show it in the document").click()
    focused = page.evaluate("document.activeElement.innerText")
    assert focused.startswith("| after the trial period")
    assert page.evaluate("document.activeElement.getBoundingClientRect().top") < 800
    assert "The answer in" in page.locator("#status").inner_text()


def test_a_returned_chunk_is_shown_in_its_place(show: Open) -> None:
    page = show().page
    question = page.locator("details.question", has_text="where do the keys go")
    question.locator("summary").first.click()
    own = question.locator(".answers > li").filter(has=page.locator(f'[title^="{SMALL} "]'))
    own.locator("summary").click()
    assert own.locator("pre").first.inner_text().strip() in TEXT.replace("\ud800", "�").replace("\x00", "␀")
    own.locator(".returned > li.hit").get_by_role("button", name="Show", exact=True).click()
    assert "Chunk " in page.evaluate("document.activeElement.innerText")
    assert page.locator("#columns input:checked").count() <= 3


def test_a_click_leads_to_a_bad_cut_with_its_torn_text(show: Open) -> None:
    page = show().page
    page.select_option("#document", label=NAME)
    choose(page, FIXED, HEADING)
    page.locator(".counts button", has_text="inside a table row").first.click()
    cut = page.locator(".cut.now")
    assert cut.inner_text().startswith("✂ cut inside a table row, chunk ")
    before, behind = cut.get_attribute("data-before"), cut.get_attribute("data-behind")
    assert before + behind in TEXT
    (line,) = [line for line in TEXT.splitlines() if before + behind[:8] in line]
    assert line.startswith("|")
    assert page.evaluate("document.activeElement.className") == cut.get_attribute("class")
    torn = page.locator(".torn.row").all_inner_texts()
    assert before[-10:].strip() in "".join(torn)
    assert "Bad cut" in page.locator("#status").inner_text()


def test_each_row_has_its_chunks_and_cuts_beside_the_others(show: Open) -> None:
    page = show().page
    page.select_option("#document", label=NAME)
    choose(page, FIXED, HEADING, SMALL)
    (part,) = (e for e in nasty().exhibits if e["kind"] == "document" and e["id"] == NAME)
    for column, name in enumerate((FIXED, HEADING, SMALL)):
        (own,) = (row for row in part["rows"] if name in row["candidates"])
        cells = page.locator(f".band:not(.heads) > .cell:nth-child({column + 1})")
        assert cells.locator(".chunk").count() == len(own["chunks"])
        bad = sum("begins" in chunk for chunk in own["chunks"])
        assert cells.locator(".cut:not(.heading)").count() >= bad
        # Without what the reader puts in between, each column is the document.
        text = "".join(
            cells.evaluate_all(
                "cells => cells.flatMap(cell => [...cell.querySelectorAll('.piece > span')]"
                ".map(piece => piece.textContent))"
            )
        )
        assert text == TEXT.replace("\x00", "␀").replace("\x1b", "␛").replace("\ud800", "�")
        contexts = sum(len(chunk.get("context", ())) for chunk in own["chunks"])
        assert cells.locator(".context").count() == contexts
    page.locator("#contexts").uncheck()
    assert not page.locator(".context").first.is_visible()


def test_rows_are_chosen_and_bad_cuts_walked_by_keyboard(show: Open) -> None:
    page = show().page
    page.select_option("#document", label=NAME)
    choose(page, FIXED, HEADING, SMALL)
    fourth = page.locator("#columns label", has_text="mine").locator("input")
    fourth.focus()
    page.keyboard.press("Space")
    assert page.locator(".heads > div").count() == 3
    assert "makes room" in page.locator("#status").inner_text()
    assert fourth.is_checked()
    for box in page.query_selector_all("#columns input:checked"):
        box.focus()
        page.keyboard.press("Space")
    assert page.locator("#columns input:checked").count() == 1  # one stays
    choose(page, FIXED)
    page.locator("#text").focus()
    page.keyboard.press("n")
    first = page.locator("#status").inner_text()
    page.keyboard.press("n")
    assert page.locator("#status").inner_text() != first
    page.keyboard.press("p")
    assert page.locator("#status").inner_text() == first
    assert page.locator(".cut.now").count() == 1


def test_everything_is_reached_by_tab(show: Open) -> None:
    page = show().page
    page.keyboard.press("Tab")
    assert page.evaluate("document.activeElement.className") == "skip"
    page.keyboard.press("Enter")
    assert page.evaluate("document.activeElement.id") == "main"
    seen = set()
    for _ in range(120):
        page.keyboard.press("Tab")
        seen.add(page.evaluate("document.activeElement.id || document.activeElement.tagName"))
    assert {"BUTTON", "SUMMARY", "document", "golds", "text"} <= seen


@pytest.mark.parametrize("width", [320, 390, 768, 1280])
def test_a_page_is_as_wide_as_its_screen(show: Open, width: int) -> None:
    page = show(width=width).page
    page.evaluate("for (const one of document.querySelectorAll('details')) one.open = true")
    assert page.evaluate("document.documentElement.scrollWidth") <= width
    # Only what may be scrolled by itself is wider than what it stands in.
    wide = page.evaluate(
        "[...document.querySelectorAll('main *')].filter(e => e.scrollWidth > e.clientWidth + 1 && "
        "e.clientWidth && getComputedStyle(e).overflowX === 'visible' && "
        "getComputedStyle(e).display !== 'inline' && !e.closest('.scroll, svg')).map(e => e.outerHTML)"
    )
    assert wide == []


def test_many_rows_fit_a_phone_too(show: Open, tmp_path: Path) -> None:
    rows = [Candidate(Fixed(size=size)) for size in range(40, 240, 5)]
    report = compare(Corpus(documents()), GoldenSet(questions()), rows, k=3, budgets=20, resamples=20)
    path = tmp_path / "many.html"
    path.write_bytes(render_page(report))
    page = show(path, width=390).page
    assert page.locator("#main-table tbody tr").count() == len(rows)
    assert page.evaluate("document.documentElement.scrollWidth") <= 390
    page.evaluate("for (const one of document.querySelectorAll('details')) one.open = true")
    assert page.evaluate("document.documentElement.scrollWidth") <= 390


def test_on_a_phone_one_row_is_seen_at_a_time(show: Open) -> None:
    page = show(width=390).page
    page.select_option("#document", label=NAME)
    assert page.locator(".heads > div:visible").count() == 1
    radios = page.locator("#narrow input")
    assert radios.count() == page.locator("#columns input:checked").count() == 2
    before = page.locator(".heads > div:visible").inner_text()
    radios.nth(1 if radios.nth(0).is_checked() else 0).check()
    assert page.locator(".heads > div:visible").inner_text() != before


CONTRAST = """
() => {
  const channel = (c) => ((c /= 255) <= 0.03928 ? c / 12.92 : ((c + 0.055) / 1.055) ** 2.4);
  const light = ([r, g, b]) => 0.2126 * channel(r) + 0.7152 * channel(g) + 0.0722 * channel(b);
  const canvas = document.createElement("canvas").getContext("2d", { willReadFrequently: true });
  const parse = (text) => {
    canvas.clearRect(0, 0, 1, 1);
    canvas.fillStyle = text;
    canvas.fillRect(0, 0, 1, 1);
    const [r, g, b, a] = canvas.getImageData(0, 0, 1, 1).data;
    return [r, g, b, a / 255];
  };
  const over = (top, below) => [0, 1, 2].map((i) => top[i] * top[3] + below[i] * (1 - top[3]));
  const ground = (element) => {
    const layers = [];
    for (let e = element; e; e = e.parentElement) layers.unshift(parse(getComputedStyle(e).backgroundColor));
    return layers.reduce((below, top) => over(top, below), [255, 255, 255]);
  };
  const found = [];
  const walker = document.createTreeWalker(document.body, NodeFilter.SHOW_TEXT);
  while (walker.nextNode()) {
    const element = walker.currentNode.parentElement;
    if (!walker.currentNode.data.trim() || ["SCRIPT", "STYLE", "OPTION"].includes(element.tagName)) continue;
    if (element.closest("noscript, caption")) continue;
    const style = getComputedStyle(element);
    const below = ground(element);
    const fill = element instanceof SVGElement ? style.fill : style.color;
    const text = over(parse(fill), below);
    const [a, b] = [light(text), light(below)].sort((x, y) => y - x);
    const ratio = (a + 0.05) / (b + 0.05);
    if (ratio < 4.5) found.push([ratio.toFixed(2), element.className, walker.currentNode.data.slice(0, 40)]);
  }
  return found;
}
"""


@pytest.mark.parametrize("scheme", ["light", "dark"])
def test_texts_stand_out_from_their_ground(show: Open, scheme: str) -> None:
    page = show(scheme=scheme).page
    page.select_option("#document", label=NAME)
    choose(page, FIXED, HEADING)
    page.evaluate("for (const one of document.querySelectorAll('details')) one.open = true")
    assert page.evaluate(CONTRAST) == []
    ground = page.evaluate("getComputedStyle(document.body).backgroundColor")
    assert (sum(map(int, re.findall(r"\d+", ground))) < 200) is (scheme == "dark")


def test_controls_have_names_and_can_be_hit(show: Open) -> None:
    page = show(width=390).page
    nameless = page.evaluate(
        "[...document.querySelectorAll('button, select, input, [role=region], a')]"
        ".filter(e => !(e.textContent.trim() || e.ariaLabel || (e.labels && e.labels.length))).length"
    )
    assert nameless == 0
    small = page.evaluate(
        "[...document.querySelectorAll('#reader button, nav a, .jump, #columns label')]"
        ".filter(e => e.offsetParent && e.getBoundingClientRect().height < 24).length"
    )
    assert small == 0


def test_on_paper_the_questions_are_open_and_the_controls_are_gone(show: Open) -> None:
    page = show().page
    page.evaluate("dispatchEvent(new Event('beforeprint'))")
    page.emulate_media(media="print")
    assert page.locator("details.question:not([open])").count() == 0
    assert not page.locator("nav").is_visible()
    assert not page.locator(".controls").is_visible()
    assert page.locator("#text").is_visible()
