"""Word documents with what people put into them: formulas, boxes of text, fields, styles of their own."""

from __future__ import annotations

import io
import zipfile

import pytest

from .made import cells, outline, saved

pytest.importorskip("mammoth")
pytest.importorskip("docx")
from chunkwise.readers.docx import read_docx

SPACES = {
    "w": "http://schemas.openxmlformats.org/wordprocessingml/2006/main",
    "m": "http://schemas.openxmlformats.org/officeDocument/2006/math",
    "a": "http://schemas.openxmlformats.org/drawingml/2006/main",
    "v": "urn:schemas-microsoft-com:vml",
    "mc": "http://schemas.openxmlformats.org/markup-compatibility/2006",
    "wp": "http://schemas.openxmlformats.org/drawingml/2006/wordprocessingDrawing",
    "wps": "http://schemas.microsoft.com/office/word/2010/wordprocessingShape",
    "w14": "http://schemas.microsoft.com/office/word/2010/wordml",
}


def read(body: str, styles: str = ""):
    """What is read of a document with this body, and with further styles."""
    import docx

    names = " ".join(f'xmlns:{prefix}="{name}"' for prefix, name in SPACES.items())
    made = io.BytesIO()
    with zipfile.ZipFile(io.BytesIO(saved(docx.Document()))) as packed, zipfile.ZipFile(made, "w") as out:
        for name in packed.namelist():
            text = packed.read(name)
            if name == "word/document.xml":
                text = f"<w:document {names}><w:body>{body}</w:body></w:document>".encode()
            elif name == "word/styles.xml":
                text = text.replace(b"</w:styles>", f"{styles}</w:styles>".encode())
            out.writestr(name, text)
    return read_docx(made.getvalue(), "a.docx", None)


def run(text: str, properties: str = "") -> str:
    return f'<w:r><w:rPr>{properties}</w:rPr><w:t xml:space="preserve">{text}</w:t></w:r>'


def paragraph(inside: str, properties: str = "") -> str:
    return f"<w:p><w:pPr>{properties}</w:pPr>{inside if '<' in inside else run(inside)}</w:p>"


def math(*parts: str) -> str:
    return f"<m:oMath>{''.join(parts)}</m:oMath>"


def m(tag: str, **parts: str) -> str:
    """A part of a formula; texts are runs."""
    inside = "".join(
        f"<m:{name}>{said if '<' in said else f'<m:r><m:t>{said}</m:t></m:r>'}</m:{name}>"
        for name, said in parts.items()
    )
    return f"<m:{tag}>{inside}</m:{tag}>"


X = "<m:r><m:t>x</m:t></m:r>"


@pytest.mark.parametrize(
    ("formula", "text"),
    [
        (m("f", num="a + b", den="2"), "(a + b)/2"),
        (m("sSup", e="x", sup="2"), "x^2"),
        (m("sSubSup", e="x", sub="i", sup="n+1"), "x_i^(n+1)"),
        (m("rad", deg="3", e="x"), "3√x"),
        (
            '<m:nary><m:naryPr><m:chr m:val="∑"/></m:naryPr><m:sub>'
            + X
            + "</m:sub><m:e>"
            + X
            + "</m:e></m:nary>",
            "∑_x x",
        ),
        ('<m:d><m:dPr><m:begChr m:val="["/><m:endChr m:val=""/></m:dPr><m:e>' + X + "</m:e></m:d>", "[x"),
        (m("d", e="x"), "(x)"),
        (m("func", fName="sin", e="x"), "sin x"),
        (
            "<m:m><m:mr><m:e>"
            + X
            + "</m:e><m:e>"
            + X
            + "</m:e></m:mr><m:mr><m:e>"
            + X
            + "</m:e></m:mr></m:m>",
            "x, x; x",
        ),
        ("<m:r><m:rPr/></m:r>", ""),
    ],
)
def test_formulas_stand_in_their_sentences(formula, text):
    assert (
        read(paragraph(run("so ") + math(formula) + run(" holds"))).text.split() == f"so {text} holds".split()
    )


def test_formulas_on_lines_of_their_own():
    line = f"<m:oMathPara>{math(X)}{math(X)}</m:oMathPara>"
    assert read(paragraph("a") + line + paragraph(line)).text == "a\n\nx x\n\nx x\n"


def within(content: str, *names: str) -> str:
    """Something in elements of these names, the outermost first."""
    return "".join(f"<{name}>" for name in names) + content + "".join(f"</{name}>" for name in names[::-1])


NEW = ("w:drawing", "wp:inline", "a:graphic", "a:graphicData", "wps:wsp", "wps:txbx", "w:txbxContent")
BOX = within(paragraph("Keep dry"), *NEW)
OLD = within(paragraph("Keep dry"), "mc:Fallback", "w:pict", "v:shape", "v:textbox", "w:txbxContent")
CHOICE = f'<mc:Choice Requires="wps">{BOX}</mc:Choice>'


@pytest.mark.parametrize(
    "box",
    [
        BOX,
        within(CHOICE, "mc:AlternateContent"),
        within(CHOICE + OLD, "mc:AlternateContent"),
    ],
)
def test_boxes_of_text_are_read_once(box):
    assert (
        read(paragraph("a") + f"<w:p><w:r>{box}</w:r></w:p>" + paragraph("b")).text == "a\n\nKeep dry\n\nb\n"
    )


@pytest.mark.parametrize(
    ("inside", "text"),
    [
        (
            run("Table ") + f'<w:fldSimple w:instr="SEQ Table">{run("4")}</w:fldSimple>' + run(": rates"),
            "Table 4: rates\n",
        ),
        (run("seen") + run(" unseen", "<w:vanish/>") + run(" too", "<w:vanish w:val='0'/>"), "seen too\n"),
        ("<w:r><w:t>a</w:t><w:cr/><w:t>b</w:t><w:br w:type='page'/><w:t>c</w:t></w:r>", "a\nb\nc\n"),
        (f'{run("See")}<w:r><w:footnoteReference w:id="77"/></w:r>', "See\n"),  # a note that is not there
    ],
)
def test_fields_breaks_and_hidden_text(inside, text):
    assert read(paragraph(inside)).text == text


def test_styles_at_a_level_of_the_outline_are_headings_by_any_name():
    level = '<w:pPr><w:outlineLvl w:val="{}"/></w:pPr>'
    based = '<w:basedOn w:val="{}"/>'
    styles = "".join(
        f'<w:style w:type="paragraph" w:styleId="{id}"><w:name w:val="Our {id}"/>{inside}</w:style>'
        for id, inside in (
            ("Part", based.format("Heading1")),
            ("Sub", level.format(1)),
            ("Plain", based.format("Heading1") + level.format(9)),  # 9 is the text of the body
            ("Ring", based.format("Ring")),
        )
    )
    found = read(
        paragraph("A", '<w:pStyle w:val="Part"/>') + paragraph("B", '<w:pStyle w:val="Sub"/>')
        + paragraph("C", '<w:outlineLvl w:val="2"/>') + paragraph("D", '<w:pStyle w:val="Heading7"/>')
        + paragraph("E", '<w:pStyle w:val="Plain"/>') + paragraph("F", '<w:pStyle w:val="Ring"/>'),
        styles,
    )  # fmt: skip
    assert outline(found) == [(1, "A"), (2, "B"), (3, "C"), (6, "D")]


def row(*texts: str, head: bool = False) -> str:
    mark = "<w:trPr><w:tblHeader/></w:trPr>" if head else ""
    return f"<w:tr>{mark}{''.join(f'<w:tc>{text}</w:tc>' for text in texts)}</w:tr>"


def test_a_table_keeps_its_rows_whatever_stands_in_a_cell():
    inner = f"<w:tbl>{row(paragraph('i'), paragraph('o'))}</w:tbl>{paragraph('bar')}"
    wide = f'<w:tcPr><w:gridSpan w:val="2"/></w:tcPr>{paragraph("Bar")}'
    head = row(wide, head=True) + row(paragraph("in"), paragraph("out"), head=True)
    assert cells(read(f"<w:tbl>{head}{row(paragraph('1|2'), inner)}</w:tbl>")) == [
        ["Bar in", "Bar out"],
        ["1|2", "i o bar"],
    ]


def test_boxes_that_are_ticked():
    box = '<w:sdt><w:sdtPr><w14:checkbox><w14:checked w14:val="1"/></w14:checkbox></w:sdtPr><w:sdtContent>'
    assert read(paragraph(f"{box}{run('☒')}</w:sdtContent></w:sdt>{run(' oiled')}")).text == "[x] oiled\n"
