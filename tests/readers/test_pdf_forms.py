"""What is filled into the fields of a PDF is read where it stands."""

from __future__ import annotations

import io
import re

import pytest

from .made import cells

pytest.importorskip("pypdfium2")
pytest.importorskip("pdfplumber")
pytest.importorskip("reportlab")
from chunkwise.readers.pdf import read_pdf

NEXT = "Nothing else is to be filled in on this page of the form."


def form(draw) -> bytes:
    """A page of 400 by 400 points that `draw` puts fields on."""
    from reportlab.pdfgen.canvas import Canvas

    file = io.BytesIO()
    canvas = Canvas(file, pagesize=(400, 400))
    canvas.setFont("Helvetica", 12)
    draw(canvas)
    canvas.drawString(40, 60, NEXT)
    canvas.showPage()
    canvas.save()
    return file.getvalue()


def field(canvas, value, y, x=180, **more):
    canvas.acroForm.textfield(
        name=f"n{x}{y}", value=value, x=x, y=y - 6, width=150, height=18, fontSize=12, **more
    )


def text_of(data: bytes) -> str:
    return read_pdf(data, "a.pdf", None).text


def test_values_stand_behind_their_labels():
    def draw(canvas):
        canvas.drawString(40, 350, "Name of the applicant:")
        field(canvas, "Ada Lovelace", 350)
        canvas.drawString(40, 300, "Grade:")
        canvas.acroForm.choice(
            name="g", value="Seven", options=["One", "Seven"], x=180, y=294, width=100, height=18
        )
        canvas.drawString(40, 250, "Left empty:")
        field(canvas, "", 250)

    assert text_of(form(draw)).split("\n\n") == [
        "Name of the applicant: Ada Lovelace",
        "Grade: Seven",
        "Left empty:",
        f"{NEXT}\n",
    ]


def test_values_without_a_drawing_are_drawn():
    """Some programs leave it to the reader to draw what was filled in."""
    data = form(lambda canvas: (canvas.drawString(40, 350, "Name:"), field(canvas, "Ada Lovelace", 350)))
    bare = re.sub(rb"/AP\s*<<", b"/XX <<", data)
    assert bare != data
    assert text_of(bare).startswith("Name: Ada Lovelace\n")


def test_boxes_say_whether_they_are_ticked():
    def draw(canvas):
        for y, checked in ((350, True), (300, False)):
            canvas.acroForm.checkbox(name=f"c{y}", checked=checked, x=40, y=y - 3, size=16)
            canvas.drawString(64, y, "I have read it" if checked else "I have lost it")
        canvas.drawString(40, 250, "Paid:")
        for x, value in ((80, "yes"), (140, "no")):
            canvas.acroForm.radio(name="r", value=value, selected=value == "no", x=x, y=247, size=14)
            canvas.drawString(x + 20, 250, value)

    assert text_of(form(draw)).split("\n\n") == [
        "[x] I have read it",
        "[ ] I have lost it",
        "Paid: [ ] yes [x] no",
        f"{NEXT}\n",
    ]


def test_fields_in_a_ruled_table_are_in_its_cells():
    def draw(canvas):
        for x in (40, 170, 340):
            canvas.line(x, 360, x, 270)
        for y in (360, 330, 300, 270):
            canvas.line(40, y, 340, y)
        for y, name, value in ((340, "Part", "Count"), (310, "Valve", "12"), (280, "Lid", "7")):
            canvas.drawString(50, y, name)
            if value.isdigit():
                field(canvas, value, y, borderWidth=0, fillColor=None, borderColor=None)
            else:
                canvas.drawString(180, y, value)

    document = read_pdf(form(draw), "a.pdf", None)
    assert cells(document) == [["Part", "Count"], ["Valve", "12"], ["Lid", "7"]]


def test_what_is_hidden_and_notes_of_readers_are_left_out():
    def draw(canvas):
        canvas.drawString(40, 350, "Name:")
        field(canvas, "Ada", 350)
        field(canvas, "secret", 320, annotationFlags="hidden")
        canvas.acroForm.checkbox(name="h", checked=True, x=40, y=290, annotationFlags="hidden")
        canvas.textAnnotation("a remark of somebody", (40, 240, 80, 260), addtopage=1)

    assert text_of(form(draw)) == f"Name: Ada\n\n{NEXT}\n"


def test_a_value_tells_its_place():
    data = form(lambda canvas: (canvas.drawString(40, 350, "Name:"), field(canvas, "Ada Lovelace", 350)))
    document = read_pdf(data, "a.pdf", None)
    at = document.text.index("Ada")
    (origin,) = document.origins((at, at + 3))
    assert (document.page(at), origin.page) == (1, 1)
    assert origin.box is not None
    assert origin.box[2] > 180
    assert origin.box[1] < 60


def test_a_form_without_any_text_of_its_own_is_no_scan():
    from reportlab.pdfgen.canvas import Canvas

    file = io.BytesIO()
    canvas = Canvas(file, pagesize=(400, 400))
    field(canvas, "All that was written", 350)
    canvas.showPage()
    canvas.save()
    assert text_of(file.getvalue()) == "All that was written\n"
