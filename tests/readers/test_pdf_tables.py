"""Tables of a PDF: ruled ones, ones that only places tell, and what only looks like one."""

from __future__ import annotations

import io
import random
import shutil
import subprocess

import pytest

from . import made
from .made import cells

pytest.importorskip("pypdfium2")
pytest.importorskip("pdfplumber")
pytest.importorskip("reportlab")
from chunkwise.readers.pdf import read_pdf
from chunkwise.readers.pdf.aligned import with_tables
from chunkwise.readers.pdf.order import Line
from chunkwise.readers.pdf.runs import Run

FARES = [
    ["Route", "Adult", "Bicycle", "Motorhome"],
    ["Orle to Sandwick", "25.00", "7.00", "128.50"],
    ["Mossel to Ulvey", "14.50", "", "78.50"],
    ["Hollin to Penmarrow", "12.50", "4.00", "63.00"],
]
WORDS = "the a of and quay storm harbour pilot sails every morning from Orle with mail for".split()  # noqa: SIM905


def placed(rows, lefts, top=150, step=16):
    """Lines for `made.drawn`: the cells of rows at places, top by top."""
    return [
        (left, top + step * number, cell)
        for number, row in enumerate(rows)
        for left, cell in zip(lefts, row, strict=True)
        if cell
    ]


def pdf(*lines):
    return read_pdf(made.drawn(list(lines)), "a.pdf", None)


def bold_head(rows, **style):
    """A PDF with a table without rules whose first row is bold."""
    from reportlab.lib.styles import getSampleStyleSheet
    from reportlab.platypus import Paragraph, Table

    normal = getSampleStyleSheet()["Normal"]
    table = Table(rows, hAlign="LEFT")
    table.setStyle([("FONTNAME", (0, 0), (-1, 0), "Helvetica-Bold"), *style.get("more", [])])
    return made.pdf(Paragraph(made.PROSE, normal), table, Paragraph("The sheet ends here.", normal))


def ruled(pages: int = 1) -> bytes:
    """Pages with a table whose rules are one path."""
    from reportlab.pdfgen.canvas import Canvas

    file = io.BytesIO()
    canvas = Canvas(file, pagesize=(600, 800), invariant=True, pageCompression=0)
    for _ in range(pages):
        canvas.grid([50, 150, 250], [700, 680, 660, 640])
        for top, row in zip((685, 665, 645), made.CELLS, strict=True):
            for left, cell in zip((55, 155), row, strict=True):
                canvas.drawString(left, top, cell)
        canvas.showPage()
    canvas.save()
    return file.getvalue()


def test_a_table_whose_rules_are_one_path_is_one():
    document = read_pdf(ruled(), "a.pdf", None)
    assert cells(document) == made.CELLS
    assert document.notices == ()


def test_tables_that_cannot_be_looked_for_are_told_and_read_as_text():
    # PDFium takes a page without its size for a letter; the parser of tables does not.
    document = read_pdf(ruled(3).replace(b"/MediaBox", b"/MediaBux"), "a.pdf", None)
    assert document.text.split() == 3 * [word for row in made.CELLS for cell in row for word in cell.split()]
    (notice,) = document.notices
    assert str(notice).startswith("a.pdf: page 1 to 3: tables cannot be looked for")


def test_a_table_without_rules_is_told_by_its_places():
    document = pdf(
        (50, 100, "All fares are in euros."), *placed(FARES, (50, 200, 280, 360)), (50, 250, "End.")
    )
    assert cells(document) == FARES
    assert document.text.startswith("All fares are in euros.\n\n| Route | Adult |")
    assert document.text.endswith("\n\nEnd.\n")


@pytest.mark.parametrize("rows", [FARES, [row[:2] for row in FARES]])
@pytest.mark.parametrize("align", ["LEFT", "RIGHT", "CENTER"])
def test_a_bold_head_and_any_alignment(rows, align):
    more = [("ALIGN", (1, 0), (-1, -1), align)]
    document = read_pdf(bold_head(rows, more=more), "a.pdf", None)
    assert cells(document) == rows
    assert document.text.startswith(made.PROSE)


@pytest.mark.parametrize(
    "values",
    [
        ["Period", "30 days", "90 days", "120 days"],
        ["Price", "12.50 €", "7.00 €", "128.50 €"],
        ["Pressure (bar)", "3", "1.5", "0.75"],
        ["Opens", "08:00", "09:30", "08:00"],
        ["Share", "50 %", "unknown", "5 %", "45 %"],
    ],
)
def test_values_under_their_name_need_no_bold_head(values):
    rows = [["Grade", "North quay", "South quay", "Old quay", "New quay"][: len(values)], values]
    rows = [list(row) for row in zip(*rows, strict=True)]
    document = pdf((50, 120, "The list says:"), *placed(rows, (50, 200)), (50, 260, "It ends here."))
    assert cells(document) == rows


def test_rules_in_one_direction_are_no_hindrance():
    from reportlab.lib import colors

    more = [("LINEBELOW", (0, 0), (-1, 0), 1, colors.black), ("LINEABOVE", (0, 0), (-1, 0), 1, colors.black)]
    assert cells(read_pdf(bold_head(FARES, more=more), "a.pdf", None)) == FARES


def test_cells_that_go_on_in_a_second_line():
    rows = [*placed(FARES[:2], (50, 200, 280, 360), step=30), *placed(FARES[3:], (50, 200, 280, 360), 222)]
    document = pdf(
        *rows, (50, 192, "by way of Mossel"), (50, 234, "by way of Ulvey"), (50, 252, "Behind it.")
    )
    wanted = [FARES[0], ["Orle to Sandwick by way of Mossel", *FARES[1][1:]]]
    assert cells(document) == [*wanted, ["Hollin to Penmarrow by way of Ulvey", *FARES[3][1:]]]
    assert document.text.endswith("\n\nBehind it.\n")


def prose(seed: int, width: int, lines: int) -> list[str]:
    """Lines of so many letters of running text."""
    chance = random.Random(seed)
    said, line = [], ""
    while len(said) < lines:
        word = chance.choice(WORDS)
        if len(line) + len(word) >= width:
            said.append(line)
            line = ""
        line = f"{line} {word}".strip()
        if chance.random() < 0.1:
            line += "."
    return said


FARTHER = [[50 + 37 * n + 90 * i for i in range(3)] for n in range(3)]


def run_at(left: float, top: float, text: str) -> Run:
    return Run(left, top, left + 5 * len(text), top + 10, text, 10)


@pytest.mark.parametrize("columns", [2, 3, 4])
@pytest.mark.parametrize("lines", [3, 5, 30])
def test_prose_in_columns_is_no_table(columns, lines):
    width = 500 // columns
    for seed in range(40):
        sides = [prose(100 * seed + side, (width - 16) // 5, lines) for side in range(columns)]
        page = [
            Line([run_at(50 + width * i, 100 + 12 * n, text) for i, text in enumerate(texts)])
            for n, texts in enumerate(zip(*sides, strict=True))
        ]
        found = with_tables(page)
        assert not any(line.rows for line in found)


@pytest.mark.parametrize(
    ("rows", "lefts"),
    [
        ([["1", "Fares", "3"], ["2", "Ports", "9"]], (50, 80, 300)),  # too few
        ([[f"{n} Chapter {n} . . . . . . . . . .", str(3 * n)] for n in range(1, 9)], (50, 400)),
        ([[f"Chapter {n}", "called . . . . . . .", str(3 * n)] for n in range(1, 9)], (50, 150, 400)),
        ([["berth", "where a ship lies"], ["fender", "soft thing"], ["pier", "a long quay"]], (50, 150)),
        (
            [["Protecting", "Everyone", "Every"], ["personal", "with a", "two"], ["data", "desk", "years"]],
            (50, 150, 250),
        ),
        ([["•", "Open the valve"], ["•", "Close the lid"], ["•", "Wait for the lamp"]], (50, 80)),
        ([["1.", "Open the valve"], ["2.", "Close the lid"], ["3.", "Wait for the lamp"]], (50, 80)),
        ([["Jan Doe", "Kim Roe"], ["12 Elm Road", "4 Oak Lane"], ["Orle", "Ulvey"]], (50, 300)),
        ([["Chapter", "Page"], *([f"Part {name}", str(9 * n)] for n, name in enumerate("abcde"))], (50, 400)),
        (
            [
                ["Jan Doe", "Kim Roe"],
                ["12 Elm Road", "4 Oak Lane"],
                ["1021 Orle", "7003 Ulvey"],
                ["2 copies", "1 copy"],
            ],
            (50, 300),
        ),
        ([["Date", "2 May"], ["Number", "17"], ["Copies", "3"], ["Berth", "9"]], (50, 150)),
        ([["one", "two", "three"], ["four", "five", "six"], ["seven", "eight", "nine"]], None),
    ],
)
def test_what_only_looks_like_a_table(rows, lefts):
    if lefts is None:  # places that do not go together
        lines = [
            (50 + 37 * n + 90 * i, 150 + 16 * n, text)
            for n, row in enumerate(rows)
            for i, text in enumerate(row)
        ]
    else:
        lines = placed(rows, lefts)
    document = pdf(*lines)
    assert cells(document) == []
    assert sorted(document.text.replace("- ", "• ").split()) == sorted(
        word for row in rows for cell in row for word in cell.split()
    )


def test_lines_that_go_on_in_another_way_are_no_part_of_a_table():
    rows = placed(FARES, (50, 200, 280, 360))
    document = pdf(*rows, (50, 214, "Quillan"), (160, 214, "to Stennet"), (330, 214, "one of two"))
    assert cells(document) == []


def test_columns_of_lines_further_down_are_none_of_the_table():
    document = pdf(*placed(FARES, (50, 200, 280, 360)), (50, 240, "Note"), (450, 240, "Page 2"))
    assert cells(document) == FARES
    assert document.text.endswith("\n\nNote Page 2\n")


def test_rows_below_a_head_that_does_not_fit_are_left_with_it():
    head = [(50, 120, "Years of"), (180, 120, "Holidays of all, grade 1 to 6"), (50, 132, "service")]
    rows = [[f"{n} to {n + 2}", f"{20 + n} days", f"{18 + n} days"] for n in (0, 3, 6, 9)]
    assert cells(pdf(*placed(rows, (50, 180, 260)))) == rows
    assert cells(pdf(*head, *placed(rows, (50, 180, 260)))) == []


def test_rows_below_a_bold_line_across_them_are_left_with_it():
    rows = [
        ["Completed years and days of all who work"],
        *[[f"{n} to {n + 2}", f"{20 + n}", "10"] for n in range(4)],
    ]

    def line(left, top, text, bold=False):
        return Run(left, top, left + 5 * len(text), top + 10, text, 10, bold)

    for bold, tables in ((True, 0), (False, 1)):
        lines = [
            Line([line(50 + 100 * i, 100 + 20 * n, text, bold and not n) for i, text in enumerate(row)])
            for n, row in enumerate(rows)
        ]
        assert sum(bool(one.rows) for one in with_tables(lines)) == tables


def test_cells_whose_gaps_are_too_narrow_make_no_table():
    rows = [[f"Route {n}", f"{n}.50 {n + 9}.00 {n}.25", f"{n}1.00"] for n in range(1, 6)]
    assert cells(pdf(*placed(rows, (50, 150, 300)))) == []
    phones = [[row[0], f"0764 391{n}", row[2]] for n, row in enumerate(rows)]
    assert cells(pdf(*placed(phones, (50, 150, 300)))) == phones


def test_a_page_full_of_pieces_takes_bounded_work(monkeypatch):
    from chunkwise.readers.pdf import aligned

    asked = 0
    place = aligned._column

    def counted(*arguments):
        nonlocal asked
        asked += 1
        return place(*arguments)

    monkeypatch.setattr(aligned, "_column", counted)
    page = [Line([run_at(50 + 90 * i, 12 * n, "a . . . . word") for i in range(5)]) for n in range(200)]
    assert not any(line.rows for line in with_tables(page))
    assert asked < 200 * 200 * 5 * 5
    asked = 0
    with_tables(page * 11)
    assert asked == 0


def test_a_table_of_an_office_without_rules(tmp_path):
    program = shutil.which("soffice")
    if program is None:
        pytest.skip("no LibreOffice: its program soffice is not on the path")
    library = pytest.importorskip("docx")
    word = library.Document()
    word.add_paragraph(made.PROSE)
    rows = [
        *FARES[:2],
        ["Hollin to Penmarrow by way of Ulvey and Quillan", "12.50", "4.00", "63.00"],
        *FARES[3:],
    ]
    table = word.add_table(rows=len(rows), cols=4)
    for row, texts in zip(table.rows, rows, strict=True):
        for cell, text in zip(row.cells, texts, strict=True):
            cell.text = text
    word.add_paragraph("The sheet ends here.")
    word.save(str(tmp_path / "a.docx"))
    profile = f"-env:UserInstallation=file://{tmp_path / 'profile'}"
    command = [program, profile, "--headless", "--convert-to", "pdf", "--outdir", str(tmp_path)]
    subprocess.run([*command, str(tmp_path / "a.docx")], check=True, capture_output=True, timeout=180)
    document = read_pdf((tmp_path / "a.pdf").read_bytes(), "a.pdf", None)
    assert cells(document) == rows
    assert document.text.startswith(made.PROSE)
    assert document.text.endswith("The sheet ends here.\n")
