"""Slides, reStructuredText, notebooks, transcripts; numbered lines as headings; the furniture of an RFC."""

from __future__ import annotations

import hashlib
import json

import pytest

from chunkwise import read, read_text
from chunkwise.readers import READERS
from chunkwise.readers.options import Options
from chunkwise.types import BlockKind

from .made import cells, outline, saved


def made(name: str, data: bytes | str, **options):
    raw = data.encode() if isinstance(data, str) else data
    return READERS["." + name.rpartition(".")[2]](raw, name, None, options=Options(**options))


def test_slides_are_sections_and_pages():
    pytest.importorskip("pptx")
    from pptx import Presentation
    from pptx.util import Inches

    shown = Presentation()
    slide = shown.slides.add_slide(shown.slide_layouts[1])
    slide.shapes.title.text = "First"
    frame = slide.placeholders[1].text_frame
    frame.text = "one"
    for text, level in (("deeper", 1), ("two", 0)):
        paragraph = frame.add_paragraph()
        paragraph.text, paragraph.level = text, level
    slide.notes_slide.notes_text_frame.text = "Say hello."
    slide = shown.slides.add_slide(shown.slide_layouts[6])
    table = slide.shapes.add_table(2, 2, Inches(1), Inches(2), Inches(4), Inches(1)).table
    for row, texts in zip(table.rows, (("A", "B"), ("1", "2")), strict=True):
        for cell, text in zip(row.cells, texts, strict=True):
            cell.text = text
    document = made("a.pptx", saved(shown))
    assert outline(document) == [(1, "First"), (1, "Slide 2")]
    assert "- one\n  - deeper\n- two\n\nSay hello.\n" in document.text
    assert cells(document) == [["A", "B"], ["1", "2"]]
    assert [document.page(document.text.index(text)) for text in ("one", "| A")] == [1, 2]
    at = document.text.index("Say")
    assert document.origins((at, at + 3))[0][1:] == (1, None, "notes")


def test_restructured_text():
    pytest.importorskip("docutils")
    document = made(
        "a.rst",
        "Top\n===\n\nIntro *a* ``b``.\n\nSub\n---\n\n- one\n\n  - in\n\n"
        ".. code-block:: python\n\n   x = 1\n\n"
        ".. nothing:: x\n\n=====  =====\nA      B\n=====  =====\n1      2\n=====  =====\n",
    )
    assert outline(document) == [(1, "Top"), (2, "Sub")]
    assert cells(document) == [["A", "B"], ["1", "2"]]
    assert "Intro a b." in document.text
    assert "```python\nx = 1\n```" in document.text
    assert "- one\n  - in\n" in document.text
    assert any("nothing" in notice.message for notice in document.notices)


def test_notebooks():
    cells_ = [
        {"cell_type": "markdown", "source": ["# Top\n", "\n", "Text with `x`."]},
        {"cell_type": "code", "source": "print('# 1')", "outputs": [{"text": ["\x1b[31m# 1\x1b[0m\n"]}]},
        {"cell_type": "code", "source": "plot()", "outputs": [{"data": {"image/png": "aGk="}}]},
    ]
    document = made("a.ipynb", json.dumps({"cells": cells_, "metadata": {}, "nbformat": 4}))
    assert outline(document) == [(1, "Top")]
    assert document.text.count("```python") == 2
    assert "```text\n# 1\n```" in document.text
    assert "aGk=" not in document.text


def notebook(*cells_, **more) -> str:
    return made("a.ipynb", json.dumps({"cells": cells_, "metadata": {}, "nbformat": 4, **more})).text


def code(source: str, *outputs) -> dict:
    return {"cell_type": "code", "source": source, "outputs": outputs}


@pytest.mark.parametrize(
    ("source", "text"),
    [
        ("```\na", "```\na\n```\n"),
        ("~~~~ sh\na\n~~~", "~~~~ sh\na\n~~~\n~~~~\n"),
        ("b <!-- a", "b <!-- a\n"),
        ("<!-- a", "<!-- a -->\n"),
        ("```\na\n```", "```\na\n```\n"),
    ],
)
def test_no_cell_of_a_notebook_goes_on_in_the_next(source, text):
    found = notebook({"cell_type": "markdown", "source": source}, {"cell_type": "markdown", "source": "# B"})
    assert found == f"{text}\n# B\n"
    assert outline(read_text(found)) == [(1, "B")]


def test_what_a_notebook_says_of_its_language():
    assert notebook(code("x"), metadata={"language_info": {"name": "julia"}}).startswith("```julia\n")
    assert notebook(code("x"), metadata={"kernelspec": {"language": "R"}}).startswith("```R\n")
    assert notebook(code("%%sql\nselect 1"), metadata=None) == "```sql\n%%sql\nselect 1\n```\n"
    assert (
        notebook({"cell_type": "markdown"}, {"cell_type": "code", "source": "x", "outputs": None})
        == "```python\nx\n```\n"
    )


def test_what_a_notebook_gives_out():
    failed = {"output_type": "error", "ename": "ZeroDivisionError", "evalue": "by zero", "traceback": ["…"]}
    shown = {
        "data": {
            "text/plain": "<IPython.core.display.Markdown object>",
            "text/markdown": ["**It**\n", "holds"],
        }
    }
    plain = {"data": {"text/plain": "  a\n0 1", "text/html": "<table></table>"}}
    found = notebook(code("x", failed, shown, plain))
    assert found.split("```text\n")[1:] == [
        "ZeroDivisionError: by zero\n```\n\n", "**It**\nholds\n```\n\n", "  a\n0 1\n```\n",
    ]  # fmt: skip


@pytest.mark.parametrize(
    ("printed", "left"),
    [
        ("\r 10%\r 60%\r100%\ndone\r\n", "100%\ndone"),  # a progress bar
        ("long line\rshort", "shortline"),  # only what is written over is gone
        ("1/2 [>]\b\b\b\b\b\b\b2/2 [=]\n\bx", "2/2 [=]\nx"),  # steps back, but never over a line end
        ("Getting it: 100 %\r\x1b[KDone\n30 %\x1b[2K\r2\na\x1b[K", "Done\n2\na"),  # what was erased is gone
        ("abc\rde\rf", "fec"),
        ("\x1b[?25la\x1b[?25h \x1b]8;;https://e.example\x07b\x1b]8;;\x07\x1b(B\x1b[1;31mc", "a bc"),
    ],
)
def test_what_is_left_of_an_output_when_all_is_printed(printed, left):
    found = notebook(code("x", {"output_type": "stream", "text": printed}))
    assert found == f"```python\nx\n```\n\n```text\n{left}\n```\n"


@pytest.mark.parametrize(
    "about", [{"vscode": {"languageId": "sql"}}, {"dotnet_interactive": {"language": "sql"}}]
)
def test_a_cell_may_have_its_own_language(about):
    found = notebook({**code("a"), "metadata": about}, {**code("b"), "metadata": None})
    assert found == "```sql\na\n```\n\n```python\nb\n```\n"


def test_transcripts():
    vtt = (
        "WEBVTT\n\nNOTE no text\n\n1\n00:01.000 --> 00:02.000\n<v Ann>Hello <i>you</i>\nthere\n\n"
        "00:02.000 --> 00:03.000\nAnn: Hello you there\n\n01:00:03.000 --> 01:00:04.000\nBye\n"
    )
    document = made("a.vtt", vtt)
    assert document.text == "Ann: Hello you there\n\nBye\n"
    assert list(document.blocks.kind) == [BlockKind.PARAGRAPH] * 2
    assert document.origins((22, 25))[0].element == "01:00:03.000"
    srt = "1\r\n00:00:01,000 --> 00:00:02,000\r\nHello\r\n\r\n2\r\n00:00:03,000 --> 00:00:04,000\r\nBye\r\n"
    assert made("a.srt", srt).text == "Hello\n\nBye\n"


def turns(*said: str, name: str = "a.srt") -> str:
    """The text of a transcript of which each turn lasts a second, with what is written behind its times."""
    whole = "".join(
        f"{i}\n00:00:{2 * i:02},000 --> 00:00:{2 * i + 1:02},500\n{text}" for i, text in enumerate(said, 1)
    )
    return made(name, whole).text


@pytest.mark.parametrize(
    ("said", "text"),
    [
        (("One.\n", "Two.\n"), "One.\n\nTwo.\n"),  # no blank line between them
        (("One\n\ngoes on.\n\n", "Two.\n"), "One goes on.\n\nTwo.\n"),  # one inside of a turn
        (("\nOne.\n\n", "Two.\n"), "One.\n\nTwo.\n"),  # and in front of what is said
        (("It is\n42\n\n", "7\n\n"), "It is 42\n\n7\n"),  # numbers that are said
        (("One.\n\n2\n\n", "Two.\n"), "One.\n\nTwo.\n"),  # a number written twice
        (("\n", "Two.\n"), "Two.\n"),
        (("No.\n\n", "No.\n"), "No.\n\nNo.\n"),  # said twice, a while apart
        (("{\\an8}<i>a</i> &lt; b &amp; c, AT&T;\n",), "a < b & c, AT&T;\n"),
        (("- Who?\n- Me,\nof course.\n",), "- Who?\n- Me, of course.\n"),
        (("Push --> pull\n",), "Push --> pull\n"),
    ],
)
def test_turns_as_people_write_them(said, text):
    assert turns(*said) == text


@pytest.mark.parametrize(
    "times", ["00:01:02 --> 00:01:03", "00:01:02,5-->00:01:03,75", "1:02.000 --> 1:03.000 X1:7"]
)
def test_times_as_people_write_them(times):
    assert made("a.srt", f"1\n{times}\nHello\n").text == "Hello\n"


def test_what_is_no_speech_in_webvtt():
    vtt = (
        "WEBVTT - A talk\nKind: captions\n\nSTYLE\n::cue { color: red }\n\nREGION\nid:a\n\nopening\n"
        "00:01.000 --> 00:02.000 align:left\n<v.loud Ann>Hello <v Bob>Hi,\nAnn\n\nNOTE said\nby both\n\n"
        "second part\n00:03.000 --> 00:04.000\nBye\n\nNOTE\nthe end\n"
    )
    assert made("a.vtt", vtt).text == "Ann: Hello\nBob: Hi, Ann\n\nBye\n"


def test_captions_that_roll_up_say_each_line_once():
    vtt = (
        "WEBVTT\n\n00:00.000 --> 00:01.000\n \nso<00:00.160><c> today</c>\n\n"
        "00:01.000 --> 00:01.010\nso today\n \n\n"
        "00:01.010 --> 00:02.000\nso today\nopen<00:01.500><c> the valve</c>\n\n"
        "00:02.000 --> 00:03.000\nopen the valve\n"
    )
    assert made("a.vtt", vtt).text == "so today\n\nopen the valve\n"


def test_numbered_lines_of_a_text_act_as_headings():
    text = (
        "1.  Introduction\n\n   All of it.\n\n1.1.  Scope\n\n   Some.\n\n2.  Rules ........ 3\n\n3.  Wait.\n"
    )
    document = made("a.txt", text, headings=("numbered",))
    assert outline(document) == [(1, "1. Introduction"), (2, "1.1. Scope")]
    assert outline(made("a.txt", text)) == []
    markdown = "# Real\n\n**Bold**\n\nText **bold** in it.\n\n1. Alone\n\n- **item**\n"
    found = made("a.md", markdown, headings=("bold", "numbered"))
    assert outline(found) == [(1, "Real"), (2, "Bold"), (3, "1. Alone")]


RFC = "".join(
    f"RFC 9999            The Protocol of Pumps            June 2031\n\n\n{body}\n\n\n"
    f"Leach & Mealling        Standards Track              [Page {number}]\n\f\n"
    for number, body in enumerate(
        [
            "1.  Introduction\n\n   A pump moves water. It is described\n   for the first time in all its",
            "   parts.  RFC 9999 is its name.\n\n2.  Valves\n\n   12",
            "   A valve opens.\n\n   12",
            "   It closes.",
        ],
        1,
    )
)


def test_a_text_like_an_rfc_loses_its_page_furniture(tmp_path):
    (tmp_path / "rfc.txt").write_text(RFC, "utf-8", newline="")
    (plain,) = read(tmp_path, headings="numbered")
    (document,) = read(tmp_path, clean=["page-furniture"], headings="numbered")
    for gone in ("Leach", "June 2031", "[Page", "\f"):
        assert gone in plain.text
        assert gone not in document.text
    assert "in all its\n   parts.  RFC 9999 is its name." in document.text
    assert document.text.count("12") == 2
    assert outline(document) == outline(plain) == [(1, "1. Introduction"), (1, "2. Valves")]
    assert document.counts() == {"page-furniture": {"form feed": 4, "running line": 8}}
    start = document.text.index("It is described")
    place = document.to_raw((start, document.text.index("parts.") + 6))
    assert RFC[place.start : place.end].startswith("It is described")
    assert RFC[place.start : place.end].endswith("parts.")


def test_the_published_cleaning_of_rfc_9562(shared):
    reference = json.loads((shared / "reference" / "rfc9562.json").read_text("utf-8"))["corpus"]
    (document,) = read(shared / "corpora" / "rfc9562", include=["rfc9562.txt"], clean=["blank-lines"])
    assert len(document.text) == reference["cleaned_characters"]["published"] == 114_629
    assert (
        hashlib.sha256(document.text.encode()).hexdigest() == reference["cleaned_sha256"] == document.digest
    )


def test_source_code_is_one_block_where_it_is_named(tmp_path):
    (tmp_path / "a.py").write_text("# not a heading\n\ndef f():\n    return 1\n", "utf-8")
    (tmp_path / "b.md").write_text("# B\n", "utf-8")
    assert read(tmp_path).ids == ("b.md",)
    (code,) = read(tmp_path, include=["*.py"])
    assert [(b.kind, tuple(b.span)) for b in code.blocks] == [(BlockKind.CODE, (0, len(code.text)))]
    assert outline(code) == []


def test_two_columns_side_by_side_are_told():
    lines = [f"left words here {i}".ljust(40) + f"right words there {i}" for i in range(6)]
    (notice,) = read_text("\n".join(lines), "a.txt").notices
    assert "two columns" in notice.message
    assert read_text("\n".join(" ".join(line.split()) for line in lines), "a.txt").notices == ()
