"""Numbers in front of Word's paragraphs are those that Word shows, which LibreOffice shows too."""

from __future__ import annotations

import io
import re
import zipfile
from pathlib import Path
from typing import Any
from xml.etree import ElementTree

import pytest

from chunkwise.types import BlockKind

from .made import converted, outline, saved

pytest.importorskip("mammoth")
pytest.importorskip("docx")
from chunkwise.readers.docx import read_docx
from chunkwise.readers.docx_numbers import written

W = 'xmlns:w="http://schemas.openxmlformats.org/wordprocessingml/2006/main"'
Line = tuple[str, str | None, int | None, int]
"""A paragraph: its text, style, list and level."""


def level(number: int, form: str, text: str, start: int = 1, more: str = "") -> str:
    return (
        f'<w:lvl w:ilvl="{number}"><w:start w:val="{start}"/><w:numFmt w:val="{form}"/>{more}'
        f'<w:lvlText w:val="{text}"/></w:lvl>'
    )


def over(number: int, start: int) -> str:
    return f'<w:lvlOverride w:ilvl="{number}"><w:startOverride w:val="{start}"/></w:lvlOverride>'


def named(number: int, level: int) -> Any:
    from docx.oxml import parse_xml

    return parse_xml(f'<w:numPr {W}><w:ilvl w:val="{level}"/><w:numId w:val="{number}"/></w:numPr>')


def word(definitions: list[list[str]], lists: list[tuple[int, str]], lines: list[Line]) -> Any:
    """A document with these definitions, lists of them from number 1 on, and paragraphs."""
    import docx
    from docx.oxml import parse_xml

    made = docx.Document()
    numbering = made.part.numbering_part.element
    numbering[:] = []
    for i, levels in enumerate(definitions):
        inside = "".join(levels)
        numbering.append(parse_xml(f'<w:abstractNum {W} w:abstractNumId="{i}">{inside}</w:abstractNum>'))
    for i, (definition, more) in enumerate(lists, 1):
        numbering.append(
            parse_xml(f'<w:num {W} w:numId="{i}"><w:abstractNumId w:val="{definition}"/>{more}</w:num>')
        )
    for text, style, number, at in lines:
        paragraph = made.add_paragraph(text, style=style)
        if number is not None:
            paragraph._p.get_or_add_pPr().append(named(number, at))
    return made


def read(made: Any) -> Any:
    return read_docx(saved(made), "a.docx", None)


@pytest.mark.parametrize(
    ("inside", "said"),
    [
        ('<w:fldSimple w:instr="PAGE"><w:r><w:t>7</w:t></w:r></w:fldSimple>', "at 7"),
        ("<w:r><w:t>once</w:t><w:cr/><w:t>more</w:t></w:r>", "at once\nmore"),
        ("<w:r><w:rPr><w:vanish/></w:rPr><w:t>hidden</w:t></w:r>", "at"),
    ],
)
def test_what_word_writes_in_its_own_way_is_read_beside_numbers(inside: str, said: str) -> None:
    from docx.oxml import parse_xml

    made = word([[level(0, "decimal", "%1.")]], [(0, "")], [("one", None, 1, 0), ("two", None, 1, 0)])
    runs = parse_xml(f"<w:p {W}>{inside}</w:p>")
    made.add_paragraph("at ")._p.extend(list(runs))
    assert read(made).text == f"1. one\n2. two\n\n{said}\n"


def test_the_parts_of_a_file_are_parsed_once(monkeypatch: pytest.MonkeyPatch) -> None:
    from docx.enum.text import WD_BREAK

    parse, seen = ElementTree.fromstring, []

    def counted(text: bytes) -> Any:
        seen.append(text)
        return parse(text)

    monkeypatch.setattr(ElementTree, "fromstring", counted)
    made = word([[level(0, "decimal", "%1.")]], [(0, "")], [("one", None, 1, 0)])
    made.add_paragraph("a").add_run().add_break(WD_BREAK.COLUMN)
    read(made)
    assert len(seen) == len(set(seen)) == 5  # text, lists, styles, and what is related to file and text


def lines_of(made: Any) -> list[str]:
    """What is read, line by line, without the marks of headings and tables."""
    found = [re.sub(r"^[#| ]+|[| ]+$", "", line) for line in read(made).text.split("\n")]
    return [line for line in found if line.strip("-|")]


MULTI = [
    level(0, "decimal", "%1."),
    level(1, "decimal", "%1.%2"),
    level(2, "lowerLetter", "%3)"),
    level(3, "lowerRoman", "(%4)"),
]
NAMED: dict[str, tuple[list[list[str]], list[tuple[int, str]], list[Line], list[str]]] = {
    "a list goes on behind a paragraph": (
        [MULTI],
        [(0, "")],
        [("one", None, 1, 0), ("two", None, 1, 0), ("between", None, None, 0), ("three", None, 1, 0)],
        ["1. one", "2. two", "between", "3. three"],
    ),
    "a list that restarts does so once, and both go on together": (
        [MULTI],
        [(0, ""), (0, over(0, 1))],
        [
            *[(text, None, 1, 0) for text in ("one", "two")],
            *[(text, None, 2, 0) for text in ("anew", "on")],
            ("three", None, 1, 0),
            ("four", None, 2, 0),
        ],
        ["1. one", "2. two", "1. anew", "2. on", "3. three", "4. four"],
    ),
    "lists of two definitions are counted apart": (
        [MULTI, [level(0, "decimal", "%1)", 5)]],
        [(0, ""), (1, "")],
        [("one", None, 1, 0), ("five", None, 2, 0), ("two", None, 1, 0), ("six", None, 2, 0)],
        ["1. one", "5) five", "2. two", "6) six"],
    ),
    "inner levels begin anew below another item": (
        [MULTI],
        [(0, "")],
        [
            ("one", None, 1, 0),
            ("a", None, 1, 1),
            ("b", None, 1, 1),
            ("deep", None, 1, 3),
            ("two", None, 1, 0),
            ("a", None, 1, 1),
        ],
        ["1. one", "1.1 a", "1.2 b", "(i) deep", "2. two", "2.1 a"],
    ),
    "a level that is not begun anew": (
        [[MULTI[0], level(1, "decimal", "%2)", 1, '<w:lvlRestart w:val="0"/>')]],
        [(0, "")],
        [("one", None, 1, 0), ("a", None, 1, 1), ("two", None, 1, 0), ("b", None, 1, 1)],
        ["1. one", "1) a", "2. two", "2) b"],
    ),
    "headings": (
        [[*MULTI[:2], level(2, "decimal", "%1.%2.%3")]],
        [(0, "")],
        [
            ("Scope", "Heading 1", 1, 0),
            ("What", "Heading 2", 1, 1),
            ("Pumps", "Heading 3", 1, 2),
            ("Text.", None, None, 0),
            ("Why", "Heading 2", 1, 1),
            ("Terms", "Heading 1", 1, 0),
            ("Words", "Heading 2", 1, 1),
        ],
        ["1. Scope", "1.1 What", "1.1.1 Pumps", "Text.", "1.2 Why", "2. Terms", "2.1 Words"],
    ),
    "digits at all levels": (
        [[level(0, "upperRoman", "Part %1"), level(1, "decimal", "%1.%2", 1, "<w:isLgl/>")]],
        [(0, "")],
        [("one", None, 1, 0), ("two", None, 1, 0), ("clause", None, 1, 1)],
        ["Part I one", "Part II two", "2.1 clause"],
    ),
    "no number is shown": (
        [[level(0, "none", "")]],
        [(0, "")],
        [("quiet", None, 1, 0), ("silent", None, 1, 0)],
        ["quiet", "silent"],
    ),
    "an empty paragraph is counted": (
        [MULTI],
        [(0, "")],
        [("one", None, 1, 0), ("", None, 1, 0), ("three", None, 1, 0)],
        ["1. one", "3. three"],
    ),
    "an override of the whole level": (
        [MULTI],
        [(0, f'<w:lvlOverride w:ilvl="0">{level(0, "upperLetter", "%1:", 3)}</w:lvlOverride>')],
        [("see", None, 1, 0), ("dee", None, 1, 0)],
        ["C: see", "D: dee"],
    ),
}

UNKNOWN = {"a level that is not begun anew": "1) b", "digits at all levels": "II.1 clause"}
"""The last line as LibreOffice shows it, which takes no notice of these two settings."""


@pytest.mark.parametrize("name", NAMED)
def test_numbers_are_those_that_word_shows(name: str) -> None:
    definitions, lists, lines, shown = NAMED[name]
    assert lines_of(word(definitions, lists, lines)) == shown


def test_libreoffice_shows_the_same(tmp_path: Path) -> None:
    sources = []
    for i, (definitions, lists, lines, _) in enumerate(NAMED.values()):
        sources.append(tmp_path / f"{i}.docx")
        sources[-1].write_bytes(saved(word(definitions, lists, lines)))
    converted(tmp_path, "txt:Text (encoded):UTF8", *sources)
    for source, (name, (*_, shown)) in zip(sources, NAMED.items(), strict=True):
        text = source.with_suffix(".txt").read_text("utf-8-sig")
        if name in UNKNOWN:
            shown = [*shown[:-1], UNKNOWN[name]]
        found = [line.strip() for line in text.split("\n")]
        assert [line for line in found if re.search(r"\w{2}|\w$", line) and line != "2."] == shown, name


def test_lists_by_style_and_bullets() -> None:
    import docx

    made = docx.Document()
    for text, style in (
        ("one", "List Number"),
        ("dot", "List Bullet"),
        ("two", "List Number"),
        ("between", None),
        ("three", "List Number"),
        ("a", "List Number 2"),
    ):
        made.add_paragraph(text, style=style)
    made.add_paragraph("off", style="List Number")._p.get_or_add_pPr().append(named(0, 0))
    assert lines_of(made) == ["1. one", "- dot", "2. two", "between", "3. three", "1. a", "off"]
    items = [b for b in read(made).blocks if b.kind == BlockKind.ITEM]
    assert len(items) == 5


def test_a_style_that_is_based_on_a_numbered_one() -> None:
    made = word([MULTI], [(0, "")], [])
    from docx.oxml import parse_xml

    for id, base, inside in (
        ("Clause", "", '<w:pPr><w:numPr><w:numId w:val="1"/></w:numPr></w:pPr>'),
        ("Sub", "Clause", '<w:pPr><w:numPr><w:ilvl w:val="1"/></w:numPr></w:pPr>'),
        ("Own", "Clause", ""),
        ("Ring", "Ring", ""),
    ):
        made.styles.element.append(
            parse_xml(
                f'<w:style {W} w:type="paragraph" w:styleId="{id}"><w:name w:val="{id}"/>'
                f'<w:basedOn w:val="{base or "Normal"}"/>{inside}</w:style>'
            )
        )
    for text, style in (("one", "Clause"), ("two", "Own"), ("sub", "Sub"), ("none", "Ring")):
        made.add_paragraph(text, style=style)
    assert lines_of(made) == ["1. one", "2. two", "2.1 sub", "none"]


def test_a_heading_with_its_number_names_the_section() -> None:
    definitions, lists, lines, _ = NAMED["headings"]
    found = outline(read(word(definitions, lists, lines)))
    assert found[:3] == [(1, "1. Scope"), (2, "1.1 What"), (3, "1.1.1 Pumps")]


def test_items_are_as_deep_as_they_look() -> None:
    """The first item of a list is at its outermost level, whatever Word calls that."""
    lines: list[Line] = [("deep", None, 1, 2), ("deeper", None, 1, 3), ("deep", None, 1, 2)]
    document = read(word([MULTI], [(0, "")], lines))
    assert document.text == "a) deep\n   (i) deeper\nb) deep\n"
    items = [b for b in document.blocks if b.kind == BlockKind.ITEM]
    assert [document.text[slice(*b.span)].split()[0] for b in items] == ["a)", "(i)", "b)"]


def test_numbers_in_a_table_stand_in_their_cells() -> None:
    made = word([MULTI], [(0, "")], [("one", None, 1, 0)])
    table = made.add_table(2, 2)
    for cell, text in zip(table._cells, ("two", "plain", "three", "last"), strict=True):
        cell.text = text
    for cell in (table.cell(0, 0), table.cell(1, 0)):
        cell.paragraphs[0]._p.get_or_add_pPr().append(named(1, 0))
    made.add_paragraph("four")._p.get_or_add_pPr().append(named(1, 0))
    assert lines_of(made) == ["1. one", "2. two | plain", "3. three | last", "4. four"]


def test_signs_of_markup_in_a_number() -> None:
    made = word([[level(0, "decimal", "&lt;&quot;%1&quot;&gt; &amp;")]], [(0, "")], [("one", None, 1, 0)])
    assert read(made).text == '<"1"> & one\n'


def test_definitions_that_refer_to_a_style_or_to_nothing() -> None:
    """A list that names a style has the levels of that style's list; what leads nowhere is no list."""
    from docx.oxml import parse_xml

    lines: list[Line] = [("one", None, 2, 0), ("two", None, 1, 0), ("lost", None, 3, 0), ("ring", None, 4, 0)]
    made = word([MULTI, [], [], []], [(0, ""), (1, ""), (9, ""), (2, "")], lines)
    numbering = made.part.numbering_part.element
    for i, style in ((1, "Mine"), (2, "Round")):
        link = parse_xml(f'<w:numStyleLink {W} w:val="{style}"/>')
        numbering.findall(f"{{{W[9:-1]}}}abstractNum")[i].insert(0, link)
    for style, number in (("Mine", 1), ("Round", 4)):
        made.styles.element.append(
            parse_xml(
                f'<w:style {W} w:type="numbering" w:styleId="{style}"><w:name w:val="{style}"/><w:pPr>'
                f'<w:numPr><w:numId w:val="{number}"/></w:numPr></w:pPr></w:style>'
            )
        )
    assert lines_of(made) == ["1. one", "2. two", "lost", "ring"]


@pytest.mark.parametrize(
    ("number", "form", "said"),
    [
        (1, "lowerLetter", "a"),
        (26, "upperLetter", "Z"),
        (28, "lowerLetter", "bb"),
        (0, "lowerLetter", "0"),
        (10**8, "lowerLetter", "100000000"),
        (1994, "upperRoman", "MCMXCIV"),
        (10**8, "lowerRoman", "100000000"),
        (7, "decimalZero", "07"),
        (12, "ordinal", "12th"),
        (22, "ordinal", "22nd"),
        (3, "japaneseCounting", "3"),
    ],
)
def test_how_a_number_is_written(number: int, form: str, said: str) -> None:
    assert written(number, form) == said


def test_numbers_that_are_no_numbers() -> None:
    made = word([[level(0, "decimal", "%1.", 1)]], [(0, "")], [("one", None, 1, 0), ("x", None, 1, 7)])
    packed = io.BytesIO()
    with zipfile.ZipFile(io.BytesIO(saved(made))) as old, zipfile.ZipFile(packed, "w") as new:
        for name in old.namelist():
            text = old.read(name)
            if name == "word/numbering.xml":
                text = text.replace(b'<w:start w:val="1"/>', b'<w:start w:val="' + b"9" * 5000 + b'"/>')
            new.writestr(name, text.replace(b'<w:ilvl w:val="7"/>', b'<w:ilvl w:val="\xc2\xb2"/>'))
    text = read_docx(packed.getvalue(), "a.docx", None).text
    assert text == "1. one\n2. x\n"
