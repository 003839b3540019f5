"""reStructuredText by docutils: sections, lists, tables, code. Nothing is included, executed or loaded."""

from __future__ import annotations

import re
from typing import Any, Final

from chunkwise.errors import MissingExtra, ReadError
from chunkwise.readers.decode import decode
from chunkwise.readers.options import DEFAULT, SKIP, Options, broken
from chunkwise.readers.signs import refuse_other
from chunkwise.readers.writer import Writer, folded
from chunkwise.types import Document, Notice

SETTINGS: Final = {
    "file_insertion_enabled": False,
    "raw_enabled": False,
    "report_level": 5,
    "halt_level": 6,
    "doctitle_xform": False,
    "sectsubtitle_xform": False,
    "docinfo_xform": False,
    "line_length_limit": 1_000_000,
    "_disable_config": True,
    "input_encoding": "unicode",
    "smart_quotes": False,
    "syntax_highlight": "none",
}
DEEPEST: Final = 200
"""Levels of indentation in each other."""
MOST: Final = 100_000
"""Characters that the longest substitution may become."""
_DEFINED = re.compile(r"^[ \t]*\.\. \|([^|\n]+)\|[ \t]+replace::((?:.*\n?)(?:[ \t]+\S.*\n?)*)", re.MULTILINE)
_NAMED = re.compile(r"\|([^|\n]+)\|")
_LISTS: Final = ("bullet_list", "enumerated_list")
_CODE: Final = ("literal_block", "doctest_block", "math_block")
_SILENT: Final = ("comment", "target", "substitution_definition", "system_message", "raw", "meta", "pending")


def read_rst(data: bytes, id: str, encoding: str | None, /, options: Options = DEFAULT) -> Document:
    """A reStructuredText file. Roles and directives that docutils does not know give their text.

    Raises:
        ReadError: not decodable, or docutils cannot read it.
        MissingExtra: docutils is not installed.
    """
    del options
    try:
        from docutils.core import publish_doctree
    except ImportError as error:
        raise MissingExtra(f"{id}: reading reStructuredText", "rst") from error
    refuse_other(data, id, "reStructuredText")
    text, _ = decode(data, id, encoding)
    _check_depth(text, id)
    _check_substitutions(text, id)
    try:
        tree = publish_doctree(text, settings_overrides=dict(SETTINGS))
        writer = Writer()
        _walk(tree, writer, 0)
    except (Exception, SystemExit) as error:
        raise broken(
            id, "reStructuredText", error if isinstance(error, Exception) else Exception()
        ) from error
    return writer.document(id, notices=_notices(tree, id))


def _check_depth(text: str, path: str) -> None:
    """Refuse lines that are indented in each other too often: each level is parsed again in the next."""
    open_ = [0]
    for number, line in enumerate(text.split("\n"), 1):
        indent = len(line) - len(line.lstrip(" "))
        if indent == len(line.rstrip()):
            continue
        while open_[-1] > indent:
            open_.pop()
        if open_[-1] < indent:
            open_.append(indent)
        if len(open_) > DEEPEST:
            raise ReadError(
                path, f"line {number}: nested more than {DEEPEST} deep, it is broken or hostile; {SKIP[3:]}"
            )


def _check_substitutions(text: str, path: str) -> None:
    """Refuse definitions that name each other so often that little text becomes very much."""
    said = {" ".join(name.split()).lower(): body for name, body in _DEFINED.findall(text)}
    sizes: dict[str, int] = {}

    def size(name: str) -> int:
        if name not in sizes:
            sizes[name] = 0  # one that names itself is refused by docutils
            body = said[name]
            named = (" ".join(other.split()).lower() for other in _NAMED.findall(body))
            sizes[name] = min(len(body) + sum(size(other) for other in named if other in said), MOST + 1)
        return sizes[name]

    try:
        bomb = next((name for name in said if size(name) > MOST), None)
    except RecursionError as error:
        raise ReadError(path, f"substitutions name each other in too long a chain; {SKIP[3:]}") from error
    if bomb is not None:
        raise ReadError(
            path, f"what stands for |{bomb}| becomes over {MOST:,} characters: a bomb; {SKIP[3:]}"
        )


def _notices(tree: Any, id: str) -> list[Notice]:
    """What docutils complains of most: directives and roles that it does not know."""
    from docutils import nodes

    return [
        Notice(id, int(found.get("line", 0) or 0), folded(found.astext())[:200])
        for found in tree.findall(nodes.system_message)
        if found.get("level", 0) >= 3
    ][:20]


def _walk(node: Any, writer: Writer, level: int) -> None:
    for child in node.children:
        _block(child, writer, level)


def _block(node: Any, writer: Writer, level: int) -> None:
    """Write one block of the tree; `level` is that of the section around it."""
    tag = node.tagname
    if tag in _SILENT:
        return
    if tag == "section":
        _walk(node, writer, level + 1)
    elif tag in ("title", "rubric") and node.parent.tagname == "section":
        writer.heading(min(max(level, 1), 6), folded(node.astext()))
    elif tag in _LISTS:
        writer.open_list()
        first = int(node.get("start", 1))
        for number, item in enumerate(node.children, first):
            writer.open_item("-" if tag == "bullet_list" else f"{number}.")
            _walk(item, writer, level)
            writer.close()
        writer.close()
    elif tag in _CODE:
        names = [name for name in node.get("classes", ()) if name != "code"]
        writer.code(node.astext(), names[0] if names and tag == "literal_block" else "")
    elif tag == "table":
        for title in node.children:
            if title.tagname == "title":
                writer.paragraph(folded(title.astext()))
        writer.table(_rows(node))
    elif tag == "block_quote":
        writer.open_quote()
        _walk(node, writer, level)
        writer.close()
    elif tag in ("footnote", "citation"):
        label = node.children[0].astext() if node.children else ""
        writer.open_note(label)
        for child in node.children[1:]:
            _block(child, writer, level)
        writer.close()
    elif tag == "transition":
        writer.rule()
    elif tag == "image":
        writer.paragraph(node.get("alt", ""))
    elif tag in ("paragraph", "term", "caption", "title", "subtitle", "rubric", "attribution"):
        writer.paragraph(folded(_text(node)))
    elif tag == "line_block":
        writer.paragraph("\n".join(folded(line.astext()) for line in node.children))
    elif tag == "field_name":
        writer.paragraph(f"{folded(node.astext())}:")
    elif tag in ("option_group", "classifier"):
        writer.paragraph(folded(node.astext()))
    elif node.children and tag != "#text":
        _walk(node, writer, level)


def _text(node: Any) -> str:
    """The text of a paragraph, with the alternatives of its images."""
    if node.tagname == "image":
        return f" {node.get('alt', '')} "
    if not node.children:
        return str(node.astext())
    return "".join(_text(child) for child in node.children)


def _rows(table: Any) -> list[list[str]]:
    from docutils import nodes

    rows = []
    for row in table.findall(nodes.row):
        cells: list[str] = []
        for entry in row.children:
            cells += [folded(entry.astext())] * (1 + min(int(entry.get("morecols", 0)), 100))
        rows.append(cells)
    return rows
