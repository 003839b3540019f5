"""Word documents whose text stands in wrappers, in other parts, or in parts of other names."""

from __future__ import annotations

import io
import zipfile

import pytest

from .made import cells, outline, saved
from .test_docx import SPACES, X, math, paragraph, read, row, run, within

pytest.importorskip("mammoth")
pytest.importorskip("docx")
import docx

from chunkwise.readers.docx import read_docx

ITEM = paragraph("First", '<w:numPr><w:ilvl w:val="0"/><w:numId w:val="5"/></w:numPr>')
CHART = "http://schemas.openxmlformats.org/drawingml/2006/chart"
DIAGRAM = "http://schemas.openxmlformats.org/drawingml/2006/diagram"
PICTURE = "http://schemas.openxmlformats.org/drawingml/2006/picture"
RELATIONS = "http://schemas.openxmlformats.org/officeDocument/2006/relationships"
NAMES = " ".join(f'xmlns:{prefix}="{name}"' for prefix, name in {**SPACES, "r": RELATIONS}.items())


def packed(body: str, renamed: dict[str, str] | None = None, parts: dict[str, str] | None = None) -> bytes:
    """A file with this body, with other names in it and of its parts; `parts` are added and related."""
    made = io.BytesIO()
    with zipfile.ZipFile(io.BytesIO(saved(docx.Document()))) as source, zipfile.ZipFile(made, "w") as out:
        for name in source.namelist():
            text = source.read(name)
            if name == "word/document.xml":
                text = f"<w:document {NAMES}><w:body>{body}</w:body></w:document>".encode()
            if name.endswith("document.xml.rels"):
                for number, part in enumerate(parts or {}):
                    said = f'<Relationship Id="x{number}" Type="{RELATIONS}/x" Target="{part}"/></Rel'
                    text = text.replace(b"</Rel", said.encode())
            for old, new in (renamed or {}).items():
                name, text = name.replace(old, new), text.replace(old.encode(), new.encode())
            out.writestr(name, text)
        for part, content in (parts or {}).items():
            out.writestr(f"word/{part}", content)
    return made.getvalue()


@pytest.mark.parametrize(
    ("inside", "text"),
    [
        (run("of ") + within(run("ACME"), "w:bdo") + within(run(" Ltd"), "w:dir"), "of ACME Ltd\n"),
        (
            within(within(run("tokyo"), "w:rt") + within(run("東京"), "w:rubyBase"), "w:r", "w:ruby"),
            "東京\n",
        ),
        (run("left") + "<w:r><w:ptab/></w:r>" + run("right"), "left right\n"),
        (run("a") + within(run("b"), "w:smartTag") + within(run("c"), "w:customXml"), "abc\n"),
    ],
)
def test_text_in_wrappers(inside, text):
    assert read(paragraph(inside)).text == text


@pytest.mark.parametrize(
    ("result", "text"),
    [
        ('<w:result w:val="1"/>', "high"),
        ("", "low"),
        ('<w:default w:val="1"/>', "high"),
        ('<w:result w:val="9"/>', ""),
        ('<w:result w:val="00019"/>', ""),
    ],
)
def test_what_was_chosen_in_a_list_of_a_form(result, text):
    entries = '<w:listEntry w:val="low"/><w:listEntry w:val="high"/>'
    field = (
        f'<w:r><w:fldChar w:fldCharType="begin"><w:ffData><w:ddList>{result}{entries}</w:ddList></w:ffData>'
        "</w:fldChar></w:r><w:r><w:instrText>FORMDROPDOWN</w:instrText></w:r>"
        '<w:r><w:fldChar w:fldCharType="end"/></w:r>'
    )
    assert read(paragraph(run("Risk: ") + field)).text == f"Risk: {text}".rstrip() + "\n"


def test_a_large_first_letter_belongs_to_its_word():
    frame = '<w:framePr w:dropCap="drop" w:lines="3"/>'
    assert read(paragraph("O", frame) + paragraph("nce upon a time.")).text == "Once upon a time.\n"
    assert read(paragraph("a", frame.replace("drop", "none", 1)) + paragraph("b")).text == "a\n\nb\n"
    assert read(paragraph("The end", frame)).text == "The end\n"


def test_text_that_a_style_hides():
    styles = "".join(
        f'<w:style w:type="{kind}" w:styleId="{id}"><w:name w:val="{id}"/>{more}</w:style>'
        for kind, id, more in (
            ("character", "Secret", "<w:rPr><w:vanish/></w:rPr>"),
            ("character", "Deeper", '<w:basedOn w:val="Secret"/>'),
            ("character", "Shown", '<w:basedOn w:val="Secret"/><w:rPr><w:vanish w:val="0"/></w:rPr>'),
            ("paragraph", "Draft", "<w:rPr><w:vanish/></w:rPr>"),
        )
    )
    runs = "".join(run(id, f'<w:rStyle w:val="{id}"/>') for id in ("Secret", "Deeper", "Shown"))
    draft = paragraph(run("x") + run("kept", '<w:vanish w:val="0"/>'), '<w:pStyle w:val="Draft"/>')
    assert read(paragraph(runs) + draft, styles).text == "Shown\n\nkept\n"


DOWN, ON = '<w:tcPr><w:vMerge w:val="restart"/></w:tcPr>', "<w:tcPr><w:vMerge/></w:tcPr>"
HEAD, NORTH = row(paragraph("A"), paragraph("B")), row(DOWN + paragraph("north"), paragraph("1"))
SOUTH = row(ON + paragraph(""), paragraph("2"))


@pytest.mark.parametrize(
    "last",
    [
        SOUTH,
        '<w:bookmarkStart w:id="1" w:name="b"/><w:bookmarkEnd w:id="1"/>' + SOUTH,
        within(SOUTH, "w:sdt", "w:sdtContent"),
        within(SOUTH, "w:sdt", "w:sdtContent", "w:sdt", "w:sdtContent"),
        within(SOUTH, "w:customXml"),
    ],
)
def test_cells_merge_whatever_stands_between_rows(last):
    assert cells(read(f"<w:tbl>{HEAD}{NORTH}{last}</w:tbl>"))[1:] == [["north", "1"], ["north", "2"]]


def test_a_row_that_begins_in_a_later_column():
    later = row(paragraph("2")).replace("<w:tr>", '<w:tr><w:trPr><w:gridBefore w:val="1"/></w:trPr>')
    assert cells(read(f"<w:tbl>{HEAD}{NORTH}{later}</w:tbl>"))[1:] == [["north", "1"], ["", "2"]]


def test_numbers_of_items_and_all_else_in_one_file():
    body = ITEM + paragraph(math(X)) + paragraph(run("gone", "<w:vanish/>") + run("seen"))
    assert read(body).text == "1. First\n\nx\n\nseen\n"


@pytest.mark.parametrize(
    "renamed",
    [
        {"document.xml": "document2.xml"},
        {"numbering.xml": "numbering2.xml", "styles.xml": "styles3.xml"},
        # The strict form: other names of everything.
        {
            f"schemas.openxmlformats.org/{name}/2006": f"purl.oclc.org/ooxml/{name}"
            for name in ("officeDocument", "wordprocessingml", "drawingml")
        },
    ],
)
def test_parts_by_any_name(renamed):
    body = ITEM + paragraph(math(X)) + paragraph("T", '<w:pStyle w:val="Heading2"/>')
    found = read_docx(packed(body, renamed), "a.docx", None)
    assert found.text == "1. First\n\nx\n\n## T\n"
    assert outline(found) == [(2, "T")]


def drawing(inside: str) -> str:
    return f"<w:p><w:r>{within(inside, 'w:drawing', 'wp:inline', 'a:graphic', 'a:graphicData')}</w:r></w:p>"


def points(name: str, *said: str) -> str:
    inside = "".join(f'<c:pt idx="{i}"><c:v>{text}</c:v></c:pt>' for i, text in enumerate(said) if text)
    return f"<c:{name}><c:strRef><c:strCache>{inside}</c:strCache></c:strRef></c:{name}>"


def test_a_chart_is_its_title_and_a_table():
    title = f'<c:title><c:tx><c:rich xmlns:a="{SPACES["a"]}"><a:t>Leaks</a:t></c:rich></c:tx></c:title>'
    series = "".join(
        f"<c:ser>{points('tx', name)}{points('cat', 'May', 'June', 'July')}{points('val', *values)}</c:ser>"
        for name, values in (("North", ("7", "", "9")), ("South", ("1", "2", "3")))
    )
    chart = f'<c:chartSpace xmlns:c="{CHART}"><c:chart>{title}{series}</c:chart></c:chartSpace>'
    mark = drawing(f'<c:chart xmlns:c="{CHART}" r:id="x0"/>')
    found = read_docx(packed(mark, parts={"charts/c.xml": chart}), "a.docx", None)
    assert found.text.startswith("Leaks\n\n|")
    assert cells(found) == [["", "North", "South"], ["May", "7", "1"], ["June", "", "2"], ["July", "9", "3"]]


def test_a_diagram_is_its_texts_in_order():
    said = "".join(
        f'<dgm:pt modelId="{id}"><dgm:t><a:t>{text}</a:t></dgm:t></dgm:pt>'
        for id, text in (("2", "Refill"), ("1", "Drain"), ("3", "Slowly"))
    )
    links = "".join(
        f'<dgm:cxn modelId="9{to}" srcId="{of}" destId="{to}" srcOrd="{place}"/>'
        for of, to, place in (("0", "2", 1), ("0", "1", 0), ("1", "3", 0), ("3", "1", 0))
    )
    data = (
        f'<dgm:dataModel xmlns:dgm="{DIAGRAM}" xmlns:a="{SPACES["a"]}"><dgm:pt modelId="0" type="doc"/>'
        f"{said}{links}</dgm:dataModel>"
    )
    mark = drawing(f'<dgm:relIds xmlns:dgm="{DIAGRAM}" r:dm="x0"/>')
    found = read_docx(packed(paragraph("a") + mark, parts={"diagrams/d.xml": data}), "a.docx", None)
    assert found.text == "a\n\nDrain\n\nSlowly\n\nRefill\n"
    assert read_docx(packed(paragraph("a") + mark), "a.docx", None).text == "a\n"  # the part is not there


def test_a_text_in_another_format_inside_is_told():
    data = packed(paragraph("a") + '<w:altChunk r:id="x0"/>', parts={"chunk.html": "<p>b</p>"})
    (notice,) = read_docx(data, "a.docx", None).notices
    assert "altChunk" in notice.message


def picture(id: str, more: str = "") -> str:
    named = f'<wp:docPr id="1" name="p" descr="The pump">{more}</wp:docPr>'
    shown = f'<pic:pic xmlns:pic="{PICTURE}"><pic:blipFill><a:blip {id}/></pic:blipFill></pic:pic>'
    inside = named + within(shown, "a:graphic", "a:graphicData")
    return f"<w:p><w:r>{within(inside, 'w:drawing', 'wp:inline')}</w:r></w:p>"


@pytest.mark.parametrize(
    "body",
    [
        picture('r:embed="x9"'),
        picture('r:link="x9"'),
        picture("r:link='x9'"),
        picture('r:embed="x0"'),
        picture('r:embed="x0"', '<a:hlinkClick r:id="x9"/>'),
        f'<w:p><w:hyperlink r:id="x9">{run("The pump")}</w:hyperlink></w:p>',
        (
            '<w:p><w:r><w:pict><v:imagedata xmlns:v="urn:schemas-microsoft-com:vml" r:id="x9" '
            'xmlns:o="urn:schemas-microsoft-com:office:office" o:title="The pump"/></w:pict></w:r></w:p>'
        ),
    ],
)
def test_what_a_file_has_lost_does_not_take_its_text_along(body):
    found = read_docx(packed(body + paragraph("runs"), parts={"media/p.png": ""}), "a.docx", None)
    assert found.text == "The pump\n\nruns\n"


@pytest.mark.parametrize("mark", ['"', "'"])
def test_notes_are_found_in_whichever_quotes_their_ids_stand(mark):
    body = paragraph(
        run("Seen") + f"<w:r><w:footnoteReference w:id={mark}2{mark}/></w:r>" + run("", "<w:vanish/>")
    )
    note = f"<w:footnote w:id={mark}2{mark}>{paragraph('By whom.')}</w:footnote>"
    notes = {"footnotes.xml": f"<w:footnotes {NAMES}>{note}</w:footnotes>"}
    assert "By whom." in read_docx(packed(body, parts=notes), "a.docx", None).text
