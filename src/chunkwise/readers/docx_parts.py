"""What Word writes and mammoth leaves out, in a form that it reads: numbers, formulas, boxes, fields, breaks.

The XML is changed in memory before it is read; a file without any of these stays as it is. Pictures are left
out of what is handed on: nothing looks at them.
"""

from __future__ import annotations

import io
import re
import zipfile
from collections.abc import Iterator
from typing import TYPE_CHECKING, Final
from xml.etree import ElementTree

from chunkwise.readers.docx_math import FORMULA, FORMULAS, said
from chunkwise.readers.docx_numbers import OFF, Numbers, W, label, value_of

if TYPE_CHECKING:
    from xml.etree.ElementTree import Element

_ALTERNATE: Final = "{http://schemas.openxmlformats.org/markup-compatibility/2006}"
_DOCUMENT: Final = "word/document.xml"
_LISTS: Final = "word/numbering.xml"
_STYLES: Final = "word/styles.xml"
_TEXTS: Final[tuple[str, ...]] = (_DOCUMENT, "word/footnotes.xml", "word/endnotes.xml")
_NOTES: Final = {"footnoteReference": "word/footnotes.xml", "endnoteReference": "word/endnotes.xml"}
_ODD = re.compile(
    rb"<(?:\w+:)?(?:oMath|fldSimple|cr\b|br [^>]*type|txbxContent|vanish|outlineLvl"
    rb"|(?:foot|end)noteReference)"
)


def prepared(data: bytes) -> tuple[bytes, str]:
    """The file with all that mammoth would leave out in a form that it reads, and rules for its styles."""
    with zipfile.ZipFile(io.BytesIO(data)) as packed:
        names = set(packed.namelist())
        styles = ElementTree.fromstring(packed.read(_STYLES)) if _STYLES in names else None
        levels = _outline(styles)
        changed = _changed(packed, names, styles, levels)
        return (_packed(packed, changed) if changed else data), _rules(levels)


def _changed(
    packed: zipfile.ZipFile, names: set[str], styles: Element | None, levels: dict[str, tuple[str, int]]
) -> dict[str, bytes]:
    """The texts of a file that are not as mammoth reads them, by name. Each is parsed once."""
    texts = {name: packed.read(name) for name in _TEXTS if name in names}
    roots: dict[str, Element] = {}
    if _LISTS in names and _DOCUMENT in names:
        numbers = Numbers.read(ElementTree.fromstring(packed.read(_LISTS)), styles)
        root = ElementTree.fromstring(texts[_DOCUMENT])
        if label(root, numbers, levels):
            roots[_DOCUMENT] = root
    if any(_ODD.search(text) for text in texts.values()):
        known = {mark: _ids(texts.get(part)) for mark, part in _NOTES.items()}
        for name, text in texts.items():
            if name not in roots:
                roots[name] = ElementTree.fromstring(text)
            _mend(roots[name], known)
    return {name: _written(root) for name, root in roots.items()}


def _packed(packed: zipfile.ZipFile, changed: dict[str, bytes]) -> bytes:
    """A file with other texts."""
    made = io.BytesIO()
    with zipfile.ZipFile(made, "w", zipfile.ZIP_STORED) as out:
        for name in packed.namelist():
            if not name.startswith("word/media/"):
                out.writestr(name, changed[name] if name in changed else packed.read(name))
    return made.getvalue()


def _rules(levels: dict[str, tuple[str, int]]) -> str:
    """Rules for the styles that stand at a level of the outline, by whatever name."""
    return "\n".join(
        f"p[style-name='{name}'] => h{min(level, 6)}:fresh"
        for name, level in levels.values()
        if name and not 1 <= _named_level(name) <= 6 and "'" not in name and "\\" not in name
    )


def _outline(styles: Element | None) -> dict[str, tuple[str, int]]:
    """Name and level of the styles of headings, by id."""
    found: dict[str, tuple[str, str, int | None]] = {}  # by id: name, what it is based on, its own level
    for style in styles.iter(f"{W}style") if styles is not None else ():
        own = style.find(f"{W}pPr/{W}outlineLvl")
        found[style.get(f"{W}styleId", "")] = (
            value_of(style.find(f"{W}name")),
            value_of(style.find(f"{W}basedOn")),
            _level(own) if own is not None else None,
        )
    levels = {}
    for id, (name, *_) in found.items():
        level: int | None = None
        at = id
        for _ in range(20):  # a chain of styles may be a ring
            if at not in found or level is not None:
                break
            level = found[at][2] if found[at][2] is not None else _named_level(found[at][0]) or None
            at = found[at][1]
        if level:
            levels[id] = name, level
    return levels


def _named_level(name: str) -> int:
    kind, _, number = name.lower().partition(" ")
    return int(number) if kind == "heading" and number in tuple("123456789") else 0


def _level(level: Element | None) -> int:
    value = value_of(level)
    return int(value) + 1 if value in tuple("012345678") else 0  # 9 is the text of the body


def _ids(text: bytes | None) -> frozenset[str]:
    """The ids of notes."""
    return frozenset(re.findall(r':id="(-?\d+)"', text.decode("utf-8", "replace"))) if text else frozenset()


def _mend(root: Element, known: dict[str, frozenset[str]]) -> None:
    for parent in reversed(list(root.iter())):  # what is inside of others first
        if parent.tag == FORMULAS:
            continue
        children: list[Element] = []
        for child in parent:
            children += _instead(child, parent, known)
        parent[:] = children


def _written(root: Element) -> bytes:
    made: bytes = ElementTree.tostring(root, "utf-8", xml_declaration=True)
    return made


def _instead(child: Element, parent: Element, known: dict[str, frozenset[str]]) -> Iterator[Element]:
    """What stands for an element of a text."""
    tag = child.tag.removeprefix(W)
    if child.tag in (FORMULA, FORMULAS):
        run = _run(said(child))
        yield _paragraph(run) if child.tag == FORMULAS and parent.tag != f"{W}p" else run
    elif tag == "fldSimple":
        yield from child
    elif tag == "cr" or (tag == "br" and child.get(f"{W}type", "textWrapping") != "textWrapping"):
        yield ElementTree.Element(f"{W}br")
    elif (tag in _NOTES and child.get(f"{W}id") not in known[tag]) or (tag == "r" and _hidden(child)):
        return
    else:
        if tag == "p":
            _name_heading(child)
        yield child
        if tag == "p":
            yield from _boxed(child)


def _hidden(run: Element) -> bool:
    mark = run.find(f"{W}rPr/{W}vanish")
    return mark is not None and value_of(mark) not in OFF


def _name_heading(paragraph: Element) -> None:
    """A paragraph that stands at a level of the outline by itself gets the style of that level."""
    properties = paragraph.find(f"{W}pPr")
    level = _level(properties.find(f"{W}outlineLvl")) if properties is not None else 0
    if properties is not None and level:
        style = properties.find(f"{W}pStyle")
        if style is None:
            style = ElementTree.Element(f"{W}pStyle")
            properties.insert(0, style)
        style.set(f"{W}val", f"Heading{min(level, 6)}")


def _boxed(paragraph: Element) -> Iterator[Element]:
    """The paragraphs of the boxes of text in a paragraph, where no older form of the box stands beside."""
    found = [content for drawing in _drawings(paragraph) for content in drawing.iter(f"{W}txbxContent")]
    for content in found:
        yield from list(content)
        content[:] = []


def _drawings(element: Element) -> Iterator[Element]:
    for child in element:
        if child.tag == f"{_ALTERNATE}AlternateContent":
            older = child.find(f"{_ALTERNATE}Fallback")
            if older is None or older.find(f".//{W}txbxContent") is None:
                yield from child.iter(f"{W}drawing")
        elif child.tag == f"{W}drawing":
            yield child
        elif child.tag != f"{W}txbxContent":
            yield from _drawings(child)


def _run(text: str) -> Element:
    run = ElementTree.Element(f"{W}r")
    ElementTree.SubElement(run, f"{W}t").text = text
    return run


def _paragraph(run: Element) -> Element:
    paragraph = ElementTree.Element(f"{W}p")
    paragraph.append(run)
    return paragraph
