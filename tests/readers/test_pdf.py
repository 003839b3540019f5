"""PDF: reading order, headings, words parted at line ends, places."""

from __future__ import annotations

import io

import pytest

from chunkwise.readers.clean import clean

from . import made
from .made import outline

pytest.importorskip("pypdfium2")
pytest.importorskip("pdfplumber")
pytest.importorskip("reportlab")
from chunkwise.readers.pdf import read_pdf


def pdf(*pages, **settings):
    return read_pdf(made.drawn(*pages, **settings), "a.pdf", None)


LEFT = [f"left line number {i} of the first column here" for i in range(8)]
RIGHT = [f"right line number {i} of the second column too" for i in range(8)]
COLUMNS = [
    *((50, 150 + 14 * i, text) for i, text in enumerate(LEFT)),
    *((320, 156 + 14 * i, text) for i, text in enumerate(RIGHT)),
]


@pytest.mark.parametrize("order", [1, -1, 0])
def test_columns_are_read_one_after_the_other_whatever_the_order_in_the_file(order):
    lines = sorted(COLUMNS, key=lambda line: line[1]) if order == 0 else COLUMNS[::order]
    title = (
        60,
        100,
        "A title that goes over both of the columns of this page, as titles do, from left to right",
    )
    text = " ".join(pdf([*lines, title]).text.split())
    places = [text.index(line) for line in [title[2], *LEFT, *RIGHT]]
    assert places == sorted(places)


def test_words_parted_at_line_ends_are_whole():
    text = pdf(
        [(50, 100, "the tempera-"), (50, 114, "ture of a well-"), (50, 128, "known well-known pump")]
    ).text
    assert text == "the temperature of a well-known well-known pump\n"


def test_running_lines_stay_until_they_are_cleaned_and_sentences_are_whole_then():
    def page(number, *lines):
        body = [(50, 120 + 14 * i, line) for i, line in enumerate(lines)]
        return [(50, 40, "Annual report"), *body, (280, 770, f"- {number} -")]

    document = pdf(
        page(1, "The quay was closed for nine weeks because of the"),
        page(2, "storm in August."),
        page(3, "Plans for next year."),
        page(4, "End of it all."),
    )
    assert document.text.count("Annual report") == 4
    cleaned = clean(document, "page-furniture")
    assert "Annual report" not in cleaned.text
    assert "- 2 -" not in cleaned.text
    assert "because of the\nstorm in August." in cleaned.text
    assert [cleaned.page(cleaned.text.index(word)) for word in ("quay", "storm", "Plans", "End")] == [
        1,
        2,
        3,
        4,
    ]
    (origin,) = cleaned.origins((cleaned.text.index("Plans"), cleaned.text.index("Plans") + 5))
    assert origin.page == 3
    left, top, right, bottom = origin.box
    assert (left, top < 120 < bottom + 1) == (50, True)
    assert 100 < right < 250


def test_headings_from_the_outline_and_from_numbers():
    from reportlab.lib.styles import getSampleStyleSheet
    from reportlab.platypus import Paragraph

    styles = getSampleStyleSheet()
    prose = Paragraph("Press the green key for two seconds until the lamp turns blue. " * 6, styles["Normal"])
    heading, bold = styles["Heading2"], Paragraph("<b>1.1 Weight alone</b>", styles["Normal"])
    data = made.pdf(Paragraph("1 First", heading), prose, bold, prose, Paragraph("2 Second", heading), prose)
    assert outline(read_pdf(data, "a.pdf", None)) == [
        (1, "1 First"),
        (2, "1.1 Weight alone"),
        (1, "2 Second"),
    ]


def test_a_rotated_page_is_upright():
    import io

    from reportlab.pdfgen.canvas import Canvas

    file = io.BytesIO()
    canvas = Canvas(file, pagesize=(600, 800), invariant=True)
    canvas.setPageRotation(90)
    canvas.translate(600, 0)
    canvas.rotate(90)
    canvas.drawString(50, 500, "First line of the page.")
    canvas.drawString(50, 480, "Second line of the page.")
    canvas.showPage()
    canvas.save()
    document = read_pdf(file.getvalue(), "a.pdf", None)
    assert " ".join(document.text.split()) == "First line of the page. Second line of the page."


def turned(degrees: int, page: int = 0, beside: bool = True) -> str:
    """The text of a page with a text in another direction, and with lines in that of the page."""
    import io

    from reportlab.pdfgen.canvas import Canvas

    file = io.BytesIO()
    canvas = Canvas(file, pagesize=(600, 800), invariant=True)
    canvas.setPageRotation(page)
    for i in range(4 * beside):
        canvas.drawString(50, 700 - 15 * i, f"Line {i} of the page, as it is read.")
    canvas.translate(300, 300)
    canvas.rotate(degrees)
    canvas.drawString(0, 0, "Draft of May, not for print")
    canvas.save()
    return read_pdf(file.getvalue(), "a.pdf", None).text


@pytest.mark.parametrize("degrees", [30, 45, 90, 180, 270])
def test_a_text_across_the_page_is_read_by_itself(degrees):
    lines = " ".join(f"Line {i} of the page, as it is read." for i in range(4))
    assert turned(degrees) == f"{lines}\n\nDraft of May, not for print\n"


@pytest.mark.parametrize(("degrees", "page"), [(90, 0), (180, 0), (270, 0), (0, 90), (90, 180)])
def test_a_page_that_is_set_aside_is_read_as_its_text_is_set(degrees, page):
    assert " ".join(turned(degrees, page, beside=False).split()) == "Draft of May, not for print"


def test_a_table_on_a_page_that_is_set_aside():
    import io

    from reportlab.pdfgen.canvas import Canvas

    file = io.BytesIO()
    canvas = Canvas(file, pagesize=(600, 800), invariant=True)
    canvas.translate(600, 0)
    canvas.rotate(90)
    rows = [["Pump", "Bar", "Place"], ["WP-1", "3", "north"], ["WP-2", "5", "south"], ["WP-3", "7", "east"]]
    for n, row in enumerate(rows):
        for i, text in enumerate(row):
            canvas.drawString(50 + 150 * i, 500 - 16 * n, text)
    canvas.save()
    assert made.cells(read_pdf(file.getvalue(), "a.pdf", None)) == rows


def test_the_same_bytes_give_the_same_document():
    data = made.pdf()
    one, other = read_pdf(data, "a.pdf", None), read_pdf(data, "a.pdf", None)
    assert (one.text, list(one.blocks), list(one.pages)) == (
        other.text,
        list(other.blocks),
        list(other.pages),
    )


def outlined(*lines):
    """A PDF of lines: left, top, font, size, text, and the level in the outline where it is in there."""
    import io

    from reportlab.pdfgen.canvas import Canvas

    file = io.BytesIO()
    canvas = Canvas(file, pagesize=(600, 800), invariant=True)
    for left, top, font, size, text, level in lines:
        canvas.setFont(font, size)
        canvas.drawString(left, 800 - top, text)
        if level is not None:
            canvas.bookmarkPage(text)
            canvas.addOutlineEntry(text, text, level)
    canvas.save()
    return read_pdf(file.getvalue(), "a.pdf", None)


BOLD, BODY = "Helvetica-Bold", "Helvetica"
PROSE = [
    (50, 150 + 12 * i, BODY, 10, "Press the green key for two seconds until it is blue.", None)
    for i in range(5)
]
MORE = [(left, top + 150, *rest) for left, top, *rest in PROSE]


def test_a_title_that_the_outline_leaves_out_stands_above_it():
    title = (50, 80, BOLD, 24, "The manual", None)
    first, second = (50, 120, BOLD, 16, "Setting up", 0), (50, 280, BOLD, 16, "Wiring", 0)
    document = outlined(title, first, *PROSE, second, *MORE)
    assert outline(document) == [(1, "The manual"), (2, "Setting up"), (2, "Wiring")]
    assert document.sections.path(2) == ("The manual", "Setting up")
    # Nothing is larger than what the outline names, or two things are: then it stands as it is.
    small = (50, 80, BOLD, 16, "The manual", None)
    assert outline(outlined(small, first, *PROSE, second, *MORE)) == [(1, "Setting up"), (1, "Wiring")]
    two = (50, 50, BOLD, 24, "Everything on", None)
    far = (50, 100, BOLD, 20, "Issue 4", None)
    assert outline(outlined(two, far, first, *PROSE, second, *MORE))[0] == (1, "Setting up")


def test_a_bold_row_of_pieces_is_no_heading():
    head = [
        (left, 250, BOLD, 10, text, None) for left, text in ((50, "Route"), (150, "Adult"), (250, "Child"))
    ]
    row = [(left, 280, BODY, 10, text, None) for left, text in ((50, "Orle"), (150, "25.00"), (250, "12.50"))]
    document = outlined((50, 120, BOLD, 16, "Fares", None), *PROSE, *head, *row)
    assert outline(document) == [(1, "Fares")]
    assert "Route Adult Child" in document.text


LINES = [
    "nce the tank is full, the pump has to be",
    "stopped, or the water runs over its edge.",
    "The switch is by the door.",
]


def begun(letter: str, *lines: str) -> str:
    """What is read of a page whose text begins with a large letter beside its first two lines."""
    from reportlab.pdfgen.canvas import Canvas

    file = io.BytesIO()
    canvas = Canvas(file, pagesize=(600, 800), invariant=True)
    canvas.setFont("Helvetica", 36)
    canvas.drawString(72, 735, letter)
    beside = 74 + canvas.stringWidth(letter)
    canvas.setFont("Helvetica", 10)
    for number, line in enumerate(lines):
        canvas.drawString(beside if number < 2 else 72, 752 - 13 * number, line)
    canvas.save()
    return read_pdf(file.getvalue(), "a.pdf", None).text


def test_a_large_first_letter_stands_in_its_word():
    assert begun("O", *LINES) == f"O{' '.join(LINES)}\n"


def test_a_large_first_letter_may_be_a_word():
    lines = ["pump has to be stopped when it is warm,", "or else the pump breaks. Its seal", "is new."]
    assert begun("A", *lines) == f"A {' '.join(lines)}\n"
    assert begun("C", *lines) == f"C{' '.join(lines)}\n"


@pytest.mark.parametrize(
    ("letter", "lines"), [("A", []), ("7", LINES), ("A", ["(one line)"]), ("A", ["1 of", "2 lines"])]
)
def test_a_large_letter_that_begins_no_text_stays_by_itself(letter, lines):
    assert begun(letter, *lines).strip("# \n").split()[0] == letter
