"""The structure of a document, as plain values and for people."""

from __future__ import annotations

import json
from collections import Counter
from typing import TYPE_CHECKING, Any, Final

from chunkwise.report.tables import wide_enough
from chunkwise.report.words import counted
from chunkwise.types import BlockKind, Document

if TYPE_CHECKING:
    from rich.console import Console

__all__ = ["outline_json", "outline_row", "render_outline"]

_NAMES: Final = {
    BlockKind.PARAGRAPH: ("paragraph", "paragraphs"),
    BlockKind.HEADING: ("heading", "headings"),
    BlockKind.LIST: ("list", "lists"),
    BlockKind.ITEM: ("list item", "list items"),
    BlockKind.TABLE: ("table", "tables"),
    BlockKind.ROW: ("table row", "table rows"),
    BlockKind.CODE: ("code block", "code blocks"),
    BlockKind.QUOTE: ("quote", "quotes"),
    BlockKind.ADMONITION: ("admonition", "admonitions"),
    BlockKind.HTML: ("HTML block", "HTML blocks"),
    BlockKind.FRONT_MATTER: ("front matter", "front matter"),
    BlockKind.PAGE_BREAK: ("page break", "page breaks"),
    BlockKind.RULE: ("rule", "rules"),
    BlockKind.FOOTNOTE: ("footnote", "footnotes"),
}


_MOST: Final = 60
"""Characters of a removed piece that are shown."""


def outline_row(document: Document) -> dict[str, Any]:
    """The structure of a document as plain values; positions in characters of its text, lines from 1."""
    line = document.line
    return {
        "doc": document.id,
        "characters": len(document.text),
        "lines": line(max(0, len(document.text) - 1)),
        "metadata": dict(document.metadata),
        "sections": [
            {
                "number": section.number,
                "level": section.level,
                "title": section.title,
                "path": list(document.sections.path(section.number)),
                "line": line(section.span.start),
                "start": section.span.start,
                "end": section.span.end,
                "body": section.body,
                "last": section.last,
                "parent": section.parent,
            }
            for section in document.sections
        ],
        "blocks": [
            {
                "kind": block.kind.name.lower(),
                "line": line(block.span.start),
                "start": block.span.start,
                "end": block.span.end,
                "level": block.level,
                "depth": block.depth,
            }
            for block in document.blocks
        ],
        **({"pages": len(document.pages)} if document.pages else {}),
        **({"cleaned": document.counts()} if document.steps else {}),
        "notices": [{"line": notice.line, "message": notice.message} for notice in document.notices],
    }


def outline_json(document: Document) -> bytes:
    """The structure as one line of JSON, line end included."""
    return f"{json.dumps(outline_row(document), ensure_ascii=False, default=str)}\n".encode(
        "utf-8", "backslashreplace"
    )


def render_outline(document: Document, console: Console, *, blocks: bool = False) -> None:
    """Print the sections as a tree, each with its line and size, then the kinds of blocks, and notices.

    Args:
        document: what is shown.
        console: where it is printed.
        blocks: list every block too.
    """
    with wide_enough(console):
        _render(document, console, blocks)


def _render(document: Document, console: Console, blocks: bool) -> None:
    from rich.table import Table
    from rich.text import Text

    count, lines = len(document.text), document.line(max(0, len(document.text) - 1))
    console.print(f"{document.id}: {counted(count, 'character')}, {counted(lines, 'line')}")
    if document.metadata:
        console.print(f"front matter: {', '.join(map(str, document.metadata))}")
    console.print()
    table = Table(box=None, pad_edge=False, padding=(0, 2, 0, 0), header_style="bold")
    for name in ("line", "level", "own", "all"):
        table.add_column(name, justify="right", no_wrap=True)
    table.add_column("section", overflow="fold")
    for section in document.sections:
        if not section.number and not document.text[: section.span.end].strip():
            continue
        title = section.title or ("(empty title)" if section.number else "(before the first heading)")
        table.add_row(
            f"{document.line(section.span.start):,}",
            str(section.level) if section.number else "-",
            f"{section.span.length:,}",
            f"{section.last - section.span.start:,}" if section.number else f"{section.span.length:,}",
            Text("  " * max(0, section.level - 1) + title),
        )
    console.print(table)
    console.print("own: characters up to the next heading; all: with the sections below it")
    console.print()
    counts = Counter(block.kind for block in document.blocks)
    named = [f"{number:,} {_NAMES[kind][number != 1]}" for kind, number in sorted(counts.items())]
    console.print(f"blocks: {', '.join(named) or 'none'}")
    if blocks:
        for block in document.blocks:
            place = f"{document.line(block.span.start):>6,}  {'  ' * block.depth}{_NAMES[block.kind][0]}"
            console.print(f"{place} ({block.span.length:,})")
    if document.pages:
        console.print(f"pages: {len(document.pages):,}")
    _render_removed(document, console, each=blocks)
    for notice in document.notices:
        console.print(f"notice: {notice}")


def _render_removed(document: Document, console: Console, *, each: bool) -> None:
    """What cleaning found, by step; each piece with its line and text where that is asked for."""
    for step, counts in document.counts().items():
        console.print(f"{step}: {', '.join(f'{counted(n, what)}' for what, n in counts.items())}")
    if not each:
        return
    source = document.source
    for removal in document.removed:
        start, end = source.from_raw(removal.span)
        put = f" -> {removal.put!r}" if removal.put else ""
        shown = repr(source.text[start : min(end, start + _MOST)]) + ("…" if end - start > _MOST else "")
        console.print(f"{source.line(start):>6,}  {removal.step}: {removal.what} {shown}{put}", markup=False)
