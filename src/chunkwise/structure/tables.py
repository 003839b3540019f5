"""The tables of a document as texts."""

from __future__ import annotations

from collections.abc import Iterator

from chunkwise.text import cells
from chunkwise.types import BlockKind, Document


def tables(document: Document) -> Iterator[list[list[str]]]:
    r"""The cells of each table, row by row, the header first where there is one.

    In Markdown every row has as many cells as the header: short rows get empty cells, and what long ones
    have more is left out, as GitHub shows them.

    >>> from chunkwise import read_text
    >>> list(tables(read_text("| a | b |\n|---|---|\n| 1 |\n")))
    [[['a', 'b'], ['1', '']]]
    """
    blocks, text = document.blocks, document.text
    for table, kind in enumerate(blocks.kind):
        if kind != BlockKind.TABLE:
            continue
        found: list[list[str]] = []
        width: int | None = None
        row = table + 1
        while row < len(blocks) and blocks.depth[row] > blocks.depth[table]:
            if blocks.kind[row] == BlockKind.ROW and blocks.depth[row] == blocks.depth[table] + 1:
                source = text[blocks.start[row] : blocks.end[row]]
                found.append(cells(source, width))
                if blocks.level[row] == 0 and not source.lstrip().startswith("<"):
                    width = len(found[-1])
            row += 1
        yield found
