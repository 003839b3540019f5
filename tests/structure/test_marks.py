"""Markdown without its marks: what stays, what goes, and that every character knows where it stands."""

from __future__ import annotations

import json
from pathlib import Path

import pytest
from hypothesis import given

from chunkwise.structure.marks import unmarked

from ..properties.strategies import markdown


@pytest.mark.parametrize(
    ("written", "said"),
    [
        ("## A *big* `title` {#id}\n", "A big title\n"),
        ("Setext\n===\n\nText.\n", "Setext\n\nText.\n"),
        ("**bold**, _soft_, ~~gone~~ and 2*3*4\n", "bold, soft, gone and 234\n"),
        ("snake_case_name and 2 * 3\n", "snake_case_name and 2 * 3\n"),
        ("See [the *page*](p.html 'title').\n", "See the page.\n"),
        (
            "![front view](data:image/png;base64,AAAA) then <https://a.b/c_d_e>\n",
            "front view then https://a.b/c_d_e\n",
        ),
        ("[r][x], [x] and [y]\n\n[x]: http://a.b\n", "r, x and [y]\n"),
        ("AT&amp;T &#42; \\*not\\*\n", "AT&T * *not*\n"),
        ("- one\n- two\n  - three\n", "one\ntwo\nthree\n"),
        ("1. [x] done\n2. [ ] open\n", "done\nopen\n"),
        ("> quoted\n> text\n", "quoted\ntext\n"),
        ("> [!NOTE]\n> Mind it.\n", "NOTE\nMind it.\n"),
        ("| a | `b\\|c` |\n|---|:-:|\n| | **2** |\n", "a b|c\n2\n"),
        ("```py\nx = '**'\n\n# no heading\n```\n\nText.\n", "x = '**'\n\n# no heading\n\nText.\n"),
        ("`` a ` b `` and ` ` and `c`\n", "a ` b and   and c\n"),
        ("costs $5 to $9, $a_1 * b_2$\n", "costs $5 to $9, $a_1 * b_2$\n"),
        ("one<br>two <b>three</b><!-- no --> four\n", "one two three four\n"),
        ("<div class='x'>\nhi <b>you</b>\n<!-- a\nb -->\n</div>\n\nText.\n", "hi you\n\nText.\n"),
        ("<script>\nvar x = 1 < 2;\n</script>\n\nText.\n", "Text.\n"),
        ("Text[^1].\n\n[^1]: Note.\n", "Text.\n\nNote.\n"),
        ("---\ntitle: **x**\n---\n\n# **y**\n", "---\ntitle: **x**\n---\ny\n"),
        ("a\r\n\r\n# **b**\r\n", "a\n\nb\n"),
        ('See <img src="a.png" alt="the plän"> now.\n', "See the plän now.\n"),
        ("<p>\n<img alt='the plan' src=x>\n</p>\n", "the plan\n"),
        ("***\n", ""),
        ("", ""),
    ],
)
def test_what_is_left(written: str, said: str) -> None:
    assert unmarked(written).text == said


def test_every_character_stands_where_it_stood() -> None:
    text = "# Größe 👍🏽 **x**\n\nSee [Ä](u) &amp; `ö ü`.\n\n| é | ß |\n|---|---|\n| 1 | 2 |\n"
    found = unmarked(text)
    assert found.text == "Größe 👍🏽 x\n\nSee Ä & ö ü.\n\né ß\n1 2\n"
    there = "".join(text[place] for place in found.places)
    assert (
        there == found.text.replace("é ß", "é|ß").replace("1 2", "1|2")
        or there.replace("|", " ") == found.text
    )
    start = text.index("See")
    assert found.between(start, text.index("|")) == "See Ä & ö ü."
    assert found.between(0, start) == "Größe 👍🏽 x"


def test_code_over_two_lines_of_a_quote_stands_in_both() -> None:
    text = "> A ``saw\n> or file`` \u00e9.\n"
    found = unmarked(text)
    assert found.text == "A saw or file \u00e9.\n"
    assert found.between(0, text.index("> or")) == "A saw"
    assert found.between(text.index("> or"), len(text)) == "or file \u00e9."


def test_a_tab_in_html_in_a_quote_changes_no_order() -> None:
    found = unmarked("> <div>\n>\tsaw\n")
    assert found.text == "saw\n"
    assert found.places.tolist() == [10, 11, 12, 13]


@given(markdown())
def test_it_is_shorter_everywhere_and_keeps_the_order(made) -> None:
    text = made.text
    found = unmarked(text)
    places = found.places.tolist()
    assert len(places) == len(found.text)
    assert places == sorted(places)
    for start in range(0, len(text), 11):
        for end in (start + 1, start + 20):
            assert len(found.between(start, end)) <= end - start


CASES = ("links-images-references", "math-is-not-emphasis", "base64-picture-in-line", "alert-quotes")


@pytest.mark.parametrize("case", CASES)
def test_the_shared_cases(case: str, shared: Path) -> None:
    folder = shared / "cases" / case
    told = json.loads((folder / "case.json").read_text("utf-8"))
    said = unmarked((folder / told["files"][0]).read_bytes().decode()).text
    for check in told["checks"]:
        if check["check"] == "cleaned_equals":
            assert said == check["text"]
        elif check["check"] == "cleaned_equals_ws":
            assert said.split() == check["text"].split()
        elif check["check"] in ("cleaned_contains_ws", "cleaned_contains_in_order"):
            folded = " ".join(said.split())
            places = [folded.find(" ".join(text.split())) for text in check.get("texts") or [check["text"]]]
            assert -1 not in places
            assert places == sorted(places)
        elif check["check"] == "cleaned_lacks":
            assert not any(text in said for text in check["texts"])


@pytest.mark.parametrize(
    ("part", "times"), [("[", 20_000), ("`` ` ", 6_000), ("*a ", 10_000), ("<!-- a ", 20_000)]
)
def test_what_is_opened_and_never_closed_is_text(part: str, times: int) -> None:
    said = unmarked("Begin " + part * times).text
    assert said.startswith("Begin")
    assert len(said) <= len(part) * times + 7


def test_real_pages_keep_every_letter_in_its_place(shared: Path) -> None:
    pages = sorted((shared / "corpora" / "fastapi-docs" / "docs").glob("*.md"))
    assert pages
    for page in pages:
        text = page.read_bytes().decode()
        found = unmarked(text)
        moved = [(said, text[place]) for said, place in zip(found.text, found.places, strict=True)]
        # A tag that breaks the line becomes a space; nothing else is written anew.
        assert {(said, was) for said, was in moved if said != was} <= {(" ", "<")}
