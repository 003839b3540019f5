"""reStructuredText by docutils: sections, lists, boxes, tables, code. Nothing is included, run or loaded."""

from __future__ import annotations

from typing import Any, Final

from chunkwise.errors import MissingExtra, ReadError
from chunkwise.readers.decode import decode
from chunkwise.readers.options import DEFAULT, Options, broken
from chunkwise.readers.rst_bounds import check_depth, check_substitutions, parse_bounded
from chunkwise.readers.rst_unknown import Directive, directive_of, role_text
from chunkwise.readers.signs import refuse_other
from chunkwise.readers.spanned import Above
from chunkwise.readers.writer import Writer, folded, one_head
from chunkwise.types import Document, Notice

_LISTS: Final = ("bullet_list", "enumerated_list")
_CODE: Final = ("literal_block", "doctest_block", "math_block")
_BOXES: Final = (
    *("attention", "caution", "danger", "error", "hint", "important", "note", "tip", "warning"),
    *("admonition", "topic", "sidebar"),
)
_ROMAN: Final = (
    *((1000, "m"), (900, "cm"), (500, "d"), (400, "cd"), (100, "c"), (90, "xc"), (50, "l"), (40, "xl")),
    *((10, "x"), (9, "ix"), (5, "v"), (4, "iv"), (1, "i")),
)
_SILENT: Final = ("comment", "target", "substitution_definition", "raw", "meta", "pending")
_SETTINGS_OF_PAGES: Final = frozenset(("orphan", "tocdepth", "nocomments", "nosearch"))
"""Fields that tell Sphinx how to show a page."""


def read_rst(data: bytes, id: str, encoding: str | None, /, options: Options = DEFAULT) -> Document:
    """A reStructuredText file. Roles and directives that docutils does not know give their text.

    Raises:
        ReadError: not decodable, docutils cannot read it, or it would take too long.
        MissingExtra: docutils is not installed.
    """
    del options
    try:
        import docutils.core  # noqa: F401 - told now, not in the middle
    except ImportError as error:
        raise MissingExtra(f"{id}: reading reStructuredText", "rst") from error
    refuse_other(data, id, "reStructuredText")
    text, _ = decode(data, id, encoding)
    check_depth(text, id)
    check_substitutions(text, id)
    try:
        tree = parse_bounded(text, id)
        writer = Writer()
        _Walk(writer, id).inside(tree, 0)
    except ReadError:
        raise
    except (Exception, SystemExit) as error:
        raise broken(
            id, "reStructuredText", error if isinstance(error, Exception) else Exception()
        ) from error
    return writer.document(id, notices=_notices(tree, id))


def _notices(tree: Any, id: str) -> list[Notice]:
    """What docutils complains of most: directives and roles that it does not know."""
    from docutils import nodes

    return [
        Notice(id, int(found.get("line", 0) or 0), folded(found.astext())[:200])
        for found in tree.findall(nodes.system_message)
        if found.get("level", 0) >= 3
    ][:20]


class _Walk:
    """Writes the blocks of a tree; `level` is always that of the section around them."""

    def __init__(self, writer: Writer, path: str) -> None:
        self._writer, self._path = writer, path

    def inside(self, node: Any, level: int) -> None:
        """Write what is in a block."""
        for child in node.children:
            self._block(child, level)

    def _block(self, node: Any, level: int) -> None:
        writer = self._writer
        tag = node.tagname
        if tag in _SILENT:
            return
        if tag == "section":
            self.inside(node, level + 1)
        elif tag in ("title", "rubric") and node.parent.tagname == "section":
            writer.heading(min(max(level, 1), 6), folded(_text(node)))
        elif tag in _LISTS:
            self._list(node, level)
        elif tag in _CODE:
            names = [name for name in node.get("classes", ()) if name != "code"]
            writer.code(node.astext(), names[0] if names and tag == "literal_block" else "")
        elif tag == "table":
            for title in node.children:
                if title.tagname == "title":
                    writer.paragraph(folded(_text(title)))
            writer.table(_rows(node))
        elif tag == "block_quote":
            writer.open_quote()
            self.inside(node, level)
            writer.close()
        elif tag in _BOXES:
            self._box(node, level)
        elif tag in ("footnote", "citation"):
            writer.open_note(node.children[0].astext() if node.children else "")
            for child in node.children[1:]:
                self._block(child, level)
            writer.close()
        elif tag in ("definition_list", "option_list", "field_list"):
            self._terms(node, level)
        elif tag == "transition":
            writer.rule()
        elif tag == "image":
            writer.paragraph(node.get("alt", ""))
        elif tag in ("paragraph", "caption", "title", "subtitle", "rubric", "attribution"):
            writer.paragraph(folded(_text(node)))
        elif tag == "line_block":
            writer.paragraph("\n".join(_lines(node)))
        elif tag == "system_message":
            self._unread(node, level)
        elif node.children and tag != "#text":
            self.inside(node, level)

    def _list(self, node: Any, level: int) -> None:
        self._writer.open_list()
        for number, item in enumerate(node.children, int(node.get("start", 1))):
            self._writer.open_item(_mark(node, number))
            self.inside(item, level)
            self._writer.close()
        self._writer.close()

    def _box(self, node: Any, level: int) -> None:
        """A box with its label: its title, or what kind of box it is."""
        if "contents" in node.get("classes", ()):
            return  # titles that stand in the text too
        self._writer.open_box()
        if not any(child.tagname == "title" for child in node.children):
            self._writer.paragraph(node.tagname.capitalize())
        self.inside(node, level)
        self._writer.close()

    def _terms(self, node: Any, level: int) -> None:
        """A list of terms, of options or of fields: each is an item with what is said of it."""
        self._writer.open_list()
        for item in node.children:
            said = [child for child in item.children if child.tagname not in ("definition", "description")]
            name = _name(item)
            if item.tagname == "field" and name in _SETTINGS_OF_PAGES:
                continue
            self._writer.open_item()
            if item.tagname == "field":
                body = item.children[-1]
                first = body.children[0] if body.children else None
                short = first is not None and first.tagname == "paragraph"
                self._writer.paragraph(f"{name}: {folded(_text(first))}" if short else f"{name}:")
                for child in body.children[short:]:
                    self._block(child, level)
            else:
                self._writer.paragraph(name)
                for child in item.children[len(said) :]:
                    self.inside(child, level)
            self._writer.close()
        self._writer.close()

    def _unread(self, node: Any, level: int) -> None:
        """What docutils did not know what to do with, or could not: its text all the same."""
        found = [child for child in node.children if child.tagname == "literal_block"]
        if node.get("level", 0) < 3 or not found:
            return
        text = found[0].astext()
        directive = directive_of(text)
        if directive is not None:
            self._directive(directive, level)
        elif "Inconsistent title" in node.children[0].astext():
            title = [line for line in text.split("\n") if any(map(str.isalnum, line))]
            self._writer.heading(min(level + 1, 6), folded(" ".join(title)))
        elif "table" in node.children[0].astext():
            self._writer.code(text)

    def _directive(self, found: Directive, level: int) -> None:
        writer = self._writer
        if found.kind == "code":
            writer.paragraph(folded(found.label))
            writer.code(found.content, found.language)
            return
        if not found.content.strip():
            writer.paragraph(folded(found.label))
            return
        inner = parse_bounded(found.content, self._path)
        if found.kind == "box":
            writer.open_box()
            writer.paragraph(folded(found.label))
            self.inside(inner, level)
            writer.close()
        elif found.label:
            writer.open_list()
            writer.open_item()
            writer.paragraph(folded(found.label))
            self.inside(inner, level)
            writer.close()
            writer.close()
        else:
            self.inside(inner, level)


def _mark(node: Any, number: int) -> str:
    """The mark of an item, as it is written."""
    if node.tagname == "bullet_list":
        return "-"
    kind = node.get("enumtype", "arabic")
    said = str(number)
    if kind.endswith("alpha"):
        said = chr(ord("a") + (number - 1) % 26)
    elif kind.endswith("roman"):
        said = ""
        for value, letters in _ROMAN:
            said += letters * (number // value)
            number %= value
    said = said.upper() if kind.startswith("upper") else said
    return f"{node.get('prefix', '')}{said}{node.get('suffix', '.') or '.'}"


def _name(item: Any) -> str:
    """A term with what it is classified as, the forms of an option, or the name of a field."""
    names = ("term", "classifier", "option_group", "field_name")
    return " : ".join(folded(_text(child)) for child in item.children if child.tagname in names)


def _lines(block: Any, indent: int = 0) -> list[str]:
    """The lines of verses and addresses."""
    lines = []
    for child in block.children:
        if child.tagname == "line_block":
            lines += _lines(child, indent + 2)
        else:
            lines.append(" " * indent + folded(_text(child)))
    return lines


def _text(node: Any) -> str:
    """The text of a block as one, with the alternatives of its images."""
    from docutils import nodes

    if node.tagname == "image":
        return f" {node.get('alt', '')} "
    if node.tagname == "problematic":
        return role_text(node.astext())
    if node.tagname in ("system_message", *_SILENT):
        return ""
    if not node.children or node.tagname in ("option_group", "option"):
        return str(node.astext())
    between = "" if isinstance(node, nodes.TextElement) else " "
    return between.join(_text(child) for child in node.children)


def _rows(table: Any) -> list[list[str]]:
    """The cells of a table; one that spans several rows or columns is in each of them."""
    from docutils import nodes

    rows: list[list[str]] = []
    heads = 0
    above = Above()
    for row in table.findall(nodes.row):
        cells: list[str] = []
        for entry in row.children:
            above.fill(cells)
            across = 1 + min(int(entry.get("morecols", 0)), 100)
            above.add(cells, folded(_text(entry)), across, int(entry.get("morerows", 0)))
        above.fill(cells)
        rows.append(cells)
        heads += row.parent.tagname == "thead"
    return one_head(rows, heads)
