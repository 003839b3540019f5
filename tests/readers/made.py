"""Files of each format, made with the libraries that people make them with."""

from __future__ import annotations

import io
import shutil
import subprocess
from pathlib import Path
from typing import Any

TITLE, SUB = "Setting up", "Notice periods"
PROSE = "Press the green key for two seconds until the lamp turns blue."
ITEMS = ["Open the valve slowly.", "Close the lid firmly."]
CELLS = [["Grade", "Period"], ["1", "30 days"], ["7", "90 days"]]
CODE = "def wait(x):\n    return x + 1"

MARKDOWN = f"""# {TITLE}

{PROSE}

- {ITEMS[0]}
- {ITEMS[1]}

## {SUB}

| Grade | Period |
|---|---|
| 1 | 30 days |
| 7 | 90 days |

```
{CODE}
```

# The end

Nothing more is to be said here.
"""
HTML = f"""<!doctype html><html><head><title>Manual</title></head><body>
<h1>{TITLE}</h1><p>{PROSE}</p><ul><li>{ITEMS[0]}</li><li>{ITEMS[1]}</li></ul>
<h2>{SUB}</h2><table><tr><th>Grade</th><th>Period</th></tr><tr><td>1</td><td>30 days</td></tr>
<tr><td>7</td><td>90 days</td></tr></table><pre><code>{CODE}
</code></pre><h1>The end</h1><p>Nothing more is to be said here.</p></body></html>"""


def docx() -> bytes:
    """The document as Word writes it."""
    import docx as library

    made = library.Document()
    made.add_heading(TITLE, 1)
    made.add_paragraph(PROSE)
    for item in ITEMS:
        made.add_paragraph(item, style="List Bullet")
    made.add_heading(SUB, 2)
    table = made.add_table(rows=3, cols=2)
    for row, cells in zip(table.rows, CELLS, strict=True):
        for cell, text in zip(row.cells, cells, strict=True):
            cell.text = text
    made.styles.add_style("Code", 1)
    for line in CODE.split("\n"):
        made.add_paragraph(line, style="Code")
    made.add_heading("The end", 1)
    made.add_paragraph("Nothing more is to be said here.")
    return saved(made)


def saved(made: Any) -> bytes:
    """The bytes of what a library saves."""
    file = io.BytesIO()
    made.save(file)
    return file.getvalue()


def converted(root: Path, way: str, *sources: Path) -> None:
    """What LibreOffice makes of files, in a folder."""
    import pytest

    program = shutil.which("soffice")
    if program is None:
        pytest.skip("no LibreOffice: its program soffice is not on the path")
    profile = f"-env:UserInstallation=file://{root / 'profile'}"
    command = [program, profile, "--headless", "--convert-to", way, "--outdir", str(root)]
    subprocess.run([*command, *map(str, sources)], check=True, capture_output=True, timeout=180)


def pdf(*flow: Any, **settings: Any) -> bytes:
    """A PDF of reportlab's flowables; the document where none are given."""
    from reportlab.lib import colors
    from reportlab.lib.styles import getSampleStyleSheet
    from reportlab.platypus import ListFlowable, ListItem, Paragraph, Preformatted, SimpleDocTemplate, Table

    styles = getSampleStyleSheet()
    normal = styles["Normal"]
    table = Table(CELLS)
    table.setStyle([("GRID", (0, 0), (-1, -1), 1, colors.black)])
    whole = [
        Paragraph(TITLE, styles["Heading1"]),
        Paragraph(PROSE, normal),
        ListFlowable([ListItem(Paragraph(item, normal)) for item in ITEMS], bulletType="bullet"),
        Paragraph(SUB, styles["Heading2"]),
        table,
        Preformatted(CODE, styles["Code"]),
        Paragraph("The end", styles["Heading1"]),
        Paragraph("Nothing more is to be said here.", normal),
    ]
    file = io.BytesIO()
    SimpleDocTemplate(file, invariant=True, **settings).build(list(flow) or whole)
    return file.getvalue()


def drawn(*pages: list[tuple[float, float, str]], **settings: Any) -> bytes:
    """A PDF with texts at places: left and top in points, and the text."""
    from reportlab.pdfgen.canvas import Canvas

    file = io.BytesIO()
    canvas = Canvas(file, pagesize=(600, 800), invariant=True, **settings)
    for page in pages:
        for left, top, text in page:
            canvas.drawString(left, 800 - top, text)
        canvas.showPage()
    canvas.save()
    return file.getvalue()


def outline(document: Any) -> list[tuple[int, str]]:
    """Level and title of each section."""
    return [(section.level, section.title) for section in document.sections[1:]]


def cells(document: Any) -> list[list[str]]:
    """The cells of all rows."""
    from chunkwise.types import BlockKind

    found = []
    for block in document.blocks:
        if block.kind == BlockKind.ROW:
            line = document.text[slice(*block.span)].strip().split("\n")[0]
            found.append([cell.strip().replace("\\|", "|") for cell in line.strip("|").split(" | ")])
    return found
