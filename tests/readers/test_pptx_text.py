"""Texts of slides: numbers that nobody wrote, fields, formulas, and boxes with the number of another."""

from __future__ import annotations

import io
import re
import zipfile
from xml.sax.saxutils import escape

import pytest

from .made import cells, saved

pytest.importorskip("pptx")
from pptx import Presentation
from pptx.oxml import parse_xml
from pptx.util import Inches

from chunkwise.readers.pptx import read_pptx

from .test_pptx import SPACES, slide_of, text_of

NAMES = (
    f'{SPACES} xmlns:a14="http://schemas.microsoft.com/office/drawing/2010/main" '
    'xmlns:m="http://schemas.openxmlformats.org/officeDocument/2006/math"'
)
HALF = "<m:f><m:num><m:r><m:t>a</m:t></m:r></m:num><m:den><m:r><m:t>2</m:t></m:r></m:den></m:f>"


def line(text: str, kind: str = "", level: int = 0, start: str = "") -> str:
    """A paragraph, numbered in a way if one is named; marks in the text are left as they are."""
    said = text if text.startswith("<") else f"<a:r><a:t>{escape(text)}</a:t></a:r>"
    number = f'<a:buAutoNum type="{kind}" {start}/>' if kind else ""
    return f'<a:p {NAMES}><a:pPr lvl="{level}">{number}</a:pPr>{said}</a:p>'


def filled(frame, *lines: str) -> None:
    body = frame._txBody
    body.remove(body.p_lst[0])
    for one in lines:
        body.append(parse_xml(one))


def boxed(*lines: str) -> Presentation:
    shown = Presentation()
    box = slide_of(shown).shapes.add_textbox(Inches(1), Inches(2), Inches(4), Inches(3))
    filled(box.text_frame, *lines)
    return shown


@pytest.mark.parametrize(
    ("lines", "text"),
    [
        ([line("Open", "arabicPeriod"), line("Close", "arabicPeriod")], "1. Open\n2. Close\n"),
        ([line("Only", "romanUcParenBoth", start='startAt="4"')], "(IV) Only\n"),
        ([line("Odd", "of its own"), line("None", " ")], "1. Odd\n1. None\n"),  # no kind that there is
        ([line(text, "alphaLcParenR") for text in "xyz"], "a) x\nb) y\nc) z\n"),
        # Deeper numbers begin anew, those around them go on; what is not numbered ends a count.
        (
            [
                line("a", "arabicPeriod"), line("b", "alphaLcPeriod", 1), line("c", "alphaLcPeriod", 1),
                line("d", "arabicPeriod"), line("e", "alphaLcPeriod", 1),
            ],
            "1. a\n   a. b\n   b. c\n2. d\n   a. e\n",
        ),
        (
            [line("Steps:"), line("a", "arabicPeriod"), line("Then:"), line("b", "arabicPeriod")],
            "Steps:\n\n1. a\n\nThen:\n\n1. b\n",
        ),
        ([line("a", "circleNumDbPlain"), line("b", "circleNumDbPlain")], "1. a\n2. b\n"),
    ],
)  # fmt: skip
def test_numbers_are_counted_as_they_are_shown(lines, text):
    assert text_of(boxed(*lines)) == f"# T\n\n{text}"


def test_numbers_in_the_body_of_a_slide():
    shown = Presentation()
    body = slide_of(shown, layout=1).placeholders[1]
    filled(body.text_frame, line("a", "arabicPeriod"), line("b"), line("c", "arabicPeriod"))
    assert text_of(shown) == "# T\n\n1. a\n- b\n1. c\n"


FIELD = "<a:fld id='{1}' type='datetime1'><a:t>12 May</a:t></a:fld>"
FORMULA = f"<a14:m><m:oMath>{HALF}</m:oMath></a14:m>"
ALONE = f"<a14:m><m:oMathPara><m:oMath>{HALF}</m:oMath></m:oMathPara></a14:m>"


@pytest.mark.parametrize(
    ("inside", "text"),
    [
        (f"<a:r><a:t>As of </a:t></a:r>{FIELD}", "As of 12 May"),
        (f"<a:r><a:t>So </a:t></a:r>{FORMULA}<a:br/>{FIELD}<a:r><a:t>.</a:t></a:r>", "So a/2 12 May."),
        (ALONE, "a/2"),
    ],
)
def test_fields_and_formulas_are_text(inside, text):
    assert text_of(boxed(line(inside))) == f"# T\n\n{text}\n"


def test_formulas_in_titles_and_cells():
    shown = Presentation()
    slide = slide_of(shown)
    filled(slide.shapes.title.text_frame, line(FORMULA))
    table = slide.shapes.add_table(1, 1, Inches(1), Inches(2), Inches(4), Inches(1)).table
    filled(table.cell(0, 0).text_frame, line("x"), line(FORMULA))
    found = read_pptx(saved(shown), "a.pptx", None)
    assert found.text.startswith("# a/2\n")
    assert cells(found) == [["x a/2"]]


def test_a_box_with_the_number_of_the_title_is_read():
    shown = boxed(line("Wear gloves"))
    title, box = shown.slides[0].shapes
    box._element.nvSpPr.cNvPr.set("id", str(title.shape_id))
    assert text_of(shown) == "# T\n\nWear gloves\n"


def test_slides_of_the_strict_form():
    made = io.BytesIO()
    names = re.compile(rb"schemas\.openxmlformats\.org/(officeDocument|presentationml|drawingml)/2006")
    with (
        zipfile.ZipFile(io.BytesIO(saved(boxed(line("Wear gloves"))))) as packed,
        zipfile.ZipFile(made, "w") as out,
    ):
        for name in packed.namelist():
            out.writestr(name, names.sub(rb"purl.oclc.org/ooxml/\1", packed.read(name)))
    assert read_pptx(made.getvalue(), "a.pptx", None).text == "# T\n\nWear gloves\n"
