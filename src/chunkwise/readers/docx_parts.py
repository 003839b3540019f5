"""What Word writes and mammoth leaves out, in a form that it reads: numbers, formulas, boxes, fields, breaks.

The XML is changed in memory before it is read; a file without any of these stays as it is. Pictures are left
out of what is handed on: nothing looks at them.
"""

from __future__ import annotations

import io
import re
import zipfile
from collections.abc import Callable, Iterator
from typing import TYPE_CHECKING, Final, NamedTuple
from xml.etree import ElementTree

from chunkwise.readers.docx_drawings import drawn, paragraph_of, run_of, text_of
from chunkwise.readers.docx_math import FORMULA, FORMULAS, said
from chunkwise.readers.docx_numbers import OFF, Numbers, W, label, value_of
from chunkwise.readers.docx_package import NOTES, Package
from chunkwise.readers.docx_tables import chosen, in_table, join_capitals

if TYPE_CHECKING:
    from xml.etree.ElementTree import Element

_ALTERNATE: Final = "{http://schemas.openxmlformats.org/markup-compatibility/2006}"
_ODD = re.compile(
    rb"<(?:\w+:)?(?:oMath|fldSimple|cr\b|br [^>]*type|txbxContent|vanish|outlineLvl"
    rb"|(?:foot|end)noteReference|(?:bdo|dir|ruby|ptab|ddList|vMerge|gridBefore|chart|relIds)\b"
    rb"|framePr [^>]*dropCap)"
)
_FOREIGN = re.compile(rb"<(?:\w+:)?altChunk ")
_BLIP: Final = "{http://schemas.openxmlformats.org/drawingml/2006/main}blip"
_NAMED: Final = "{http://schemas.openxmlformats.org/drawingml/2006/wordprocessingDrawing}docPr"
_IMAGE: Final = "{urn:schemas-microsoft-com:vml}imagedata"
_IMAGE_NAME: Final = "{urn:schemas-microsoft-com:office:office}title"
_R: Final = "{http://schemas.openxmlformats.org/officeDocument/2006/relationships}"
_WRAPPERS: Final = ("fldSimple", "bdo", "dir")
"""What stands around runs, and is no text itself."""


class _Known(NamedTuple):
    """What has to be known to mend a text."""

    notes: dict[str, frozenset[str]]
    """The ids of the notes there are, by the element that calls them."""
    hidden: frozenset[str]
    """The ids of the styles that hide text."""
    related: Callable[[str], bytes | None]
    """The part that an id stands for."""
    lost: frozenset[str]
    """The ids of pictures and pages that stand for none."""


class Prepared(NamedTuple):
    """A file as mammoth reads all of it."""

    file: bytes
    styles: str
    """Rules for its styles."""
    foreign: bool
    """Whether parts of its text are files of another format, which Word takes in when it opens the file."""


def prepared(data: bytes) -> Prepared:
    """The file with all that mammoth would leave out in a form that it reads, and rules for its styles."""
    with zipfile.ZipFile(io.BytesIO(data)) as packed:
        package = Package(packed)
        text = package.read(package.part("styles"))
        styles = ElementTree.fromstring(text) if text is not None else None
        levels = _outline(styles)
        texts = package.texts()
        changed = _changed(package, texts, styles, levels)
        foreign = any(_FOREIGN.search(text) for text in texts.values())
        return Prepared(package.written(changed) if changed else data, _rules(levels), foreign)


def _changed(
    package: Package, texts: dict[str, bytes], styles: Element | None, levels: dict[str, tuple[str, int]]
) -> dict[str, bytes]:
    """The texts of a file that are not as mammoth reads them, by name. Each is parsed once."""
    roots: dict[str, Element] = {}
    lists = package.read(package.part("numbering"))
    if lists is not None and package.main in texts:
        numbers = Numbers.read(ElementTree.fromstring(lists), styles)
        root = ElementTree.fromstring(texts[package.main])
        if label(root, numbers, levels):
            roots[package.main] = root
    hidden = _hiding(styles)
    lost = {name: package.lost(name, text) for name, text in texts.items()}
    if hidden or any(lost.values()) or any(_ODD.search(text) for text in texts.values()):
        notes = {f"{kind[:-1]}Reference": _ids(texts.get(package.part(kind))) for kind in NOTES}
        for name, text in texts.items():
            if name not in roots:
                roots[name] = ElementTree.fromstring(text)
            _mend(roots[name], _Known(notes, hidden, package.related(name), lost[name]))
    return {name: _written(root) for name, root in roots.items()}


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


def _hiding(styles: Element | None) -> frozenset[str]:
    """The ids of the styles that hide what is set in them, by themselves or by what they are based on."""
    based: dict[str, str] = {}
    says: dict[str, bool] = {}
    for style in styles.iter(f"{W}style") if styles is not None else ():
        id, mark = style.get(f"{W}styleId", ""), style.find(f"{W}rPr/{W}vanish")
        based[id] = value_of(style.find(f"{W}basedOn"))
        if mark is not None:
            says[id] = value_of(mark) not in OFF
    hiding = set()
    for id in based:
        at = id
        for _ in range(20):  # a chain of styles may be a ring
            if at not in based or at in says:
                break
            at = based[at]
        if says.get(at):
            hiding.add(id)
    return frozenset(hiding)


def _ids(text: bytes | None) -> frozenset[str]:
    """The ids of notes."""
    return (
        frozenset(re.findall(r""":id=["'](-?\d+)["']""", text.decode("utf-8", "replace")))
        if text
        else frozenset()
    )


def _mend(root: Element, known: _Known) -> None:
    for parent in reversed(list(root.iter())):  # what is inside of others first
        if parent.tag == FORMULAS:
            continue
        hidden = parent.tag == f"{W}p" and _style(parent, "pPr", "pStyle") in known.hidden
        children: list[Element] = []
        for child in parent:
            if child.tag != f"{W}r" or not _hidden(child, known.hidden, hidden):
                children += _instead(child, parent, known)
        parent[:] = children
        join_capitals(parent)


def _written(root: Element) -> bytes:
    made: bytes = ElementTree.tostring(root, "utf-8", xml_declaration=True)
    return made


def _instead(child: Element, parent: Element, known: _Known) -> Iterator[Element]:
    """What stands for an element of a text."""
    tag = child.tag.removeprefix(W)
    if child.tag in (FORMULA, FORMULAS):
        run = run_of(said(child))
        yield paragraph_of(run) if child.tag == FORMULAS and parent.tag != f"{W}p" else run
    elif tag in _WRAPPERS or (tag == "hyperlink" and child.get(f"{_R}id") in known.lost):
        yield from child
    elif tag == "ruby":
        yield from child.findall(f"{W}rubyBase/*")  # a reading would part the word
    elif tag == "ptab":
        yield ElementTree.Element(f"{W}tab")
    elif tag == "cr" or (tag == "br" and child.get(f"{W}type", "textWrapping") != "textWrapping"):
        yield ElementTree.Element(f"{W}br")
    elif tag == "fldChar":
        yield from chosen(child)
        yield child
    elif tag == "drawing" and known.lost and (called := _called(child)) and called & known.lost:
        yield text_of(" ".join(mark.get("descr", "") for mark in child.iter(_NAMED)))
    elif tag == _IMAGE and child.get(f"{_R}id") in known.lost:
        yield text_of(child.get(_IMAGE_NAME, ""))
    elif tag.endswith("}hlinkClick") and child.get(f"{_R}id") in known.lost:
        return
    elif tag in known.notes:
        if child.get(f"{W}id") in known.notes[tag]:
            yield child
    elif parent.tag in (f"{W}tbl", f"{W}tr"):
        yield from in_table(child)
    else:
        if tag == "p":
            _name_heading(child)
        yield child
        if tag == "p":
            yield from _boxed(child)
            for drawing in _drawings(child):
                yield from drawn(drawing, known.related)


def _called(drawing: Element) -> set[str]:
    """The ids of the pictures in a drawing."""
    blips = drawing.iter(_BLIP)
    return {blip.get(f"{_R}{name}", "") for blip in blips for name in ("embed", "link")} - {""}


def _hidden(run: Element, styles: frozenset[str], paragraph: bool) -> bool:
    """Whether a run is not shown: by itself, its style, or else the style of its paragraph."""
    mark = run.find(f"{W}rPr/{W}vanish")
    if mark is not None:
        return value_of(mark) not in OFF
    return paragraph or _style(run, "rPr", "rStyle") in styles


def _style(element: Element, properties: str, name: str) -> str:
    return value_of(element.find(f"{W}{properties}/{W}{name}"))


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
