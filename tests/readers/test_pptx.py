"""Slides with what people put on them: charts, diagrams, groups, merged cells."""

from __future__ import annotations

from xml.etree import ElementTree

import pytest

from .made import cells, saved

pytest.importorskip("pptx")
from pptx import Presentation
from pptx.chart.data import CategoryChartData, XyChartData
from pptx.enum.chart import XL_CHART_TYPE
from pptx.opc.package import Part
from pptx.opc.packuri import PackURI
from pptx.oxml import parse_xml
from pptx.util import Inches

from chunkwise.readers.pptx import read_pptx

SPACES = (
    'xmlns:p="http://schemas.openxmlformats.org/presentationml/2006/main" '
    'xmlns:a="http://schemas.openxmlformats.org/drawingml/2006/main" '
    'xmlns:r="http://schemas.openxmlformats.org/officeDocument/2006/relationships" '
    'xmlns:dgm="http://schemas.openxmlformats.org/drawingml/2006/diagram" '
    'xmlns:mc="http://schemas.openxmlformats.org/markup-compatibility/2006"'
)
NAMED = '<p:nvGraphicFramePr><p:cNvPr id="90" name="d"/><p:cNvGraphicFramePr/><p:nvPr/></p:nvGraphicFramePr>'
PLACED = '<p:xfrm><a:off x="0" y="0"/><a:ext cx="1" cy="1"/></p:xfrm>'


def slide_of(shown, layout=5, title="T"):
    slide = shown.slides.add_slide(shown.slide_layouts[layout])
    if slide.shapes.title is not None:
        slide.shapes.title.text = title
    return slide


def text_of(shown) -> str:
    return read_pptx(saved(shown), "a.pptx", None).text


def box(shapes, left: float, top: float, text: str) -> None:
    shapes.add_textbox(Inches(left), Inches(top), Inches(1), Inches(0.5)).text_frame.text = text


def chart(slide, kind, data):
    return slide.shapes.add_chart(kind, Inches(1), Inches(2), Inches(4), Inches(3), data).chart


def test_a_chart_is_its_title_and_a_table():
    shown = Presentation()
    data = CategoryChartData()
    data.categories = ["Q1", "Q2", "Q3"]
    data.add_series("North", (1.5, None, 3))
    data.add_series("South | East", (4, 5, 1e6))
    made = chart(slide_of(shown), XL_CHART_TYPE.COLUMN_CLUSTERED, data)
    made.has_title = True
    made.chart_title.text_frame.text = "Litres a quarter"
    assert text_of(shown) == (
        "# T\n\nLitres a quarter\n\n|  | North | South \\| East |\n|---|---|---|\n"
        "| Q1 | 1.5 | 4 |\n| Q2 |  | 5 |\n| Q3 | 3 | 1000000 |\n"
    )


def test_points_of_a_chart_are_rows():
    shown = Presentation()
    data = XyChartData()
    series = data.add_series("Bar")
    series.add_data_point(1, 2.25)
    chart(slide_of(shown), XL_CHART_TYPE.XY_SCATTER, data)
    assert text_of(shown).endswith("| x | Bar |\n|---|---|\n| 1 | 2.25 |\n")


def test_a_chart_of_an_unknown_kind_gives_its_values():
    shown = Presentation()
    data = CategoryChartData()
    data.categories = ["Q1", "Q2"]
    data.add_series("North", (1.5, 3))
    made = chart(slide_of(shown), XL_CHART_TYPE.COLUMN_CLUSTERED, data)
    (bars,) = made._chartSpace.xpath(".//c:barChart")
    bars.tag = bars.tag.replace("barChart", "ofNoKindChart")
    assert text_of(shown) == "# T\n\nNorth Q1 Q2 1.5 3\n"


def diagram(slide, points: str, links: str) -> None:
    """A diagram on a slide, as SmartArt is kept."""
    inside = f"<dgm:ptLst>{points}</dgm:ptLst><dgm:cxnLst>{links}</dgm:cxnLst>"
    model = f"<dgm:dataModel {SPACES}>{inside}</dgm:dataModel>"
    package = slide.part.package
    part = Part(PackURI("/ppt/diagrams/data1.xml"), "application/xml", package, model.encode())
    id = slide.part.relate_to(
        part, "http://schemas.openxmlformats.org/officeDocument/2006/relationships/diagramData"
    )
    frame = (
        f"<p:graphicFrame {SPACES}>{NAMED}{PLACED}<a:graphic><a:graphicData "
        f'uri="http://schemas.openxmlformats.org/drawingml/2006/diagram"><dgm:relIds r:dm="{id}"/>'
        "</a:graphicData></a:graphic></p:graphicFrame>"
    )
    slide.shapes._spTree.append(parse_xml(frame))


def point(id: str, text: str = "", kind: str = "node") -> str:
    said = f"<dgm:t><a:p><a:r><a:t>{text}</a:t></a:r></a:p></dgm:t>"
    return f'<dgm:pt modelId="{id}" type="{kind}">{said}</dgm:pt>'


def link(source: str, target: str, at: int = 0, kind: str = "parOf") -> str:
    return f'<dgm:cxn type="{kind}" srcId="{source}" destId="{target}" srcOrd="{at}"/>'


def test_a_diagram_is_a_list():
    shown = Presentation()
    points = point("0", kind="doc") + point("1", "Pump") + point("2", "Lift &amp; press") + point("3", "Oil")
    links = link("0", "2", 1) + link("0", "1", 0) + link("1", "3") + link("3", "1", kind="presOf")
    diagram(slide_of(shown), points + point("4", "not shown", "pres"), links)
    assert text_of(shown) == "# T\n\n- Pump\n  - Oil\n- Lift & press\n"


def test_a_diagram_that_goes_round_in_a_ring_ends():
    shown = Presentation()
    diagram(slide_of(shown), point("0", kind="doc") + point("1", "a"), link("0", "1") + link("1", "1"))
    assert text_of(shown) == "# T\n\n- a\n"


def test_merged_cells_are_in_each_row_and_column():
    shown = Presentation()
    table = slide_of(shown).shapes.add_table(3, 3, Inches(1), Inches(2), Inches(4), Inches(1)).table
    for i in range(3):
        for j in range(3):
            table.cell(i, j).text = "" if (i, j) in ((0, 2), (2, 0)) else f"{i}{j}"
    table.cell(0, 1).merge(table.cell(0, 2))
    table.cell(1, 0).merge(table.cell(2, 0))
    assert cells(read_pptx(saved(shown), "a.pptx", None)) == [
        *(["00", "01", "01"], ["10", "11", "12"], ["10", "21", "22"]),
    ]


def test_shapes_are_read_in_rows_and_groups_together():
    shown = Presentation()
    slide = slide_of(shown, 6)
    box(slide.shapes, 5, 2, "right")
    box(slide.shapes, 1, 2.05, "left, a little lower")
    box(slide.shapes, 1, 4, "below")
    group = slide.shapes.add_group_shape().shapes
    box(group, 3, 5, "second of the group")
    box(group, 3, 1, "first of the group")
    assert text_of(shown).split("\n\n")[1:] == [
        "first of the group", "second of the group", "left, a little lower", "right", "below\n",
    ]  # fmt: skip


def test_shapes_that_newer_programs_know_are_read_once():
    shown = Presentation()
    slide = slide_of(shown)
    shape = (
        '<p:sp><p:nvSpPr><p:cNvPr id="{}" name="x"/><p:cNvSpPr/><p:nvPr/></p:nvSpPr><p:spPr/>'
        "<p:txBody><a:bodyPr/><a:p><a:r><a:t>{}</a:t></a:r></a:p></p:txBody></p:sp>"
    )
    new = f'<mc:Choice Requires="p14">{shape.format(50, "new")}</mc:Choice>'
    both = f"{new}<mc:Fallback>{shape.format(51, 'old')}</mc:Fallback>"
    slide.shapes._spTree.append(parse_xml(f"<mc:AlternateContent {SPACES}>{both}</mc:AlternateContent>"))
    assert text_of(shown) == "# T\n\nnew\n"


def test_the_number_of_a_slide_is_no_text():
    shown = Presentation()
    slide = slide_of(shown)
    for placeholder in shown.slide_layouts[5].placeholders:
        if placeholder.placeholder_format.type == 13:
            slide.shapes._spTree.append(
                parse_xml(ElementTree.tostring(ElementTree.fromstring(placeholder.element.xml)))
            )
    assert len(slide.placeholders) == 2
    assert text_of(shown) == "# T\n"


def test_places_are_those_of_the_slide_or_else_of_its_layout(monkeypatch):
    from pptx.shapes.placeholder import _InheritsDimensions

    shown = Presentation()
    for i in range(12):
        slide = slide_of(shown, layout=i % 2, title=f"Slide {i}")
        slide.placeholders[1].text_frame.text = f"Body {i}"
        if i in (3, 4):
            slide.placeholders[1].left, slide.placeholders[1].top = Inches(i), Inches(1)
            slide.placeholders[1].width, slide.placeholders[1].height = Inches(2), Inches(3)
    wanted = {}
    for slide in shown.slides:
        for shape in slide.placeholders:
            left, top = shape.left / 12_700, shape.top / 12_700
            wanted[shape.text_frame.text] = (
                left,
                top,
                left + shape.width / 12_700,
                top + shape.height / 12_700,
            )
    assert len(set(wanted.values())) == 6
    asked = 0
    real = _InheritsDimensions._inherited_value

    def counted(shape, name):
        nonlocal asked
        asked += 1
        return real(shape, name)

    monkeypatch.setattr(_InheritsDimensions, "_inherited_value", counted)
    document = read_pptx(saved(shown), "a.pptx", None)
    for text, box in wanted.items():
        at = document.text.index(f"{text}\n")
        (origin,) = document.origins((at, at + len(text)))
        assert origin.box == pytest.approx(box), text
    assert asked <= 4 * 4 * 2, "four values of four placeholders, of layouts and of their master"
