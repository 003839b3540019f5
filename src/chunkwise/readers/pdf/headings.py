"""Which blocks of a PDF are headings: what its outline says, else size, weight and numbers tell."""

from __future__ import annotations

import re
from collections import Counter
from collections.abc import Mapping, Sequence
from typing import Final

from chunkwise.readers.pdf.blocks import Piece

LONGEST: Final = 200
"""Characters of the longest heading."""
_LARGER: Final = 1.1
"""So many times the size of running text a heading has."""
_LEVELS: Final = 5
_PARTS: Final = 2
"""Pieces with wide gaps between them that a heading has at most: its number and its words."""
_NUMBER = re.compile(r"(\d{1,3}(?:\.\d{1,3})*)\.?\s+\S")
_LETTER = re.compile(r"[^\W\d_]")
_WORDS = re.compile(r"[\W_]+")
_MATCHED: Final = 0.5
"""So much of the outline must be found in the text, and it must name so many of the blocks that look like
headings, else it is not followed."""


def mark_headings(pieces: Sequence[Piece], outline: Mapping[int, Sequence[tuple[int, str]]]) -> None:
    """Give their level to all blocks that are headings.

    Args:
        pieces: all blocks in order.
        outline: by page, level (from 1) and title of each entry.
    """
    running = _running(pieces)
    texts = [piece for piece in pieces if piece.kind in ("text", "item") and _shape(piece) not in running]
    _by_looks(texts)
    looks = sum(piece.level > 0 for piece in texts)
    found = _by_outline(texts, outline)
    if len(found) >= _MATCHED * max(looks, 1):
        title = _title(texts, [piece for piece, _ in found])
        for piece in texts:
            piece.level = 0
        for piece, level in found:
            piece.level = min(level + (title is not None), 6)
        if title is not None:
            title.level = 1


def _title(texts: Sequence[Piece], named: Sequence[Piece]) -> Piece | None:
    """The one block above all that the outline names that is larger than all of it: it names the document,
    and many programs leave it out of the outline.
    """
    above: list[Piece] = []
    for piece in texts:
        if piece is named[0]:
            break
        if piece.level and piece.size > max(other.size for other in named):
            above.append(piece)
    return above[0] if len(above) == 1 else None


def _by_outline(
    texts: Sequence[Piece], outline: Mapping[int, Sequence[tuple[int, str]]]
) -> list[tuple[Piece, int]]:
    """The blocks that the outline names, with their levels; none where too little of it is in the text."""
    entries = [(page, level, _bare(title)) for page, found in outline.items() for level, title in found]
    wanted = Counter((page, title) for page, _, title in entries if title)
    if not wanted:
        return []
    levels = {(page, title): level for page, level, title in entries}
    found: list[tuple[Piece, int]] = []
    for piece in texts:
        if len(piece.text) > LONGEST:
            continue
        whole = _bare(f"{piece.mark} {piece.text}")
        number = _NUMBER.match(f"{piece.mark} {piece.text}".strip())
        without = _bare(f"{piece.mark} {piece.text}".strip()[len(number[1]) :]) if number else whole
        for key in ((piece.page, whole), (piece.page, without), (piece.page, _bare(piece.text))):
            if wanted[key] > 0:
                wanted[key] -= 1
                found.append((piece, levels[key]))
                break
    return found if len(found) >= _MATCHED * len(entries) else []


def _by_looks(texts: Sequence[Piece]) -> None:
    sizes: Counter[float] = Counter()
    for piece in texts:
        sizes[piece.size] += len(piece.text)
    if not sizes:
        return
    body = sizes.most_common(1)[0][0]
    large = [p for p in texts if p.size >= _LARGER * body and _may_be(p)]
    ranks = sorted({p.size for p in large}, reverse=True)
    levels = {size: min(i + 1, _LEVELS) for i, size in enumerate(ranks)}
    for piece in large:
        piece.level = levels[piece.size]
    weighty = [
        p
        for p in texts
        if not p.level and p.bold and _may_be(p) and p.size >= body and len(p.lines) <= 2
        and not p.text.rstrip().endswith((".", ",", ";"))
    ]  # fmt: skip
    if weighty and sum(len(p.text) for p in weighty) < 0.3 * sizes.total():
        for piece in weighty:
            piece.level = min(len(ranks) + 1, 6)
    _by_number([piece for piece in texts if piece.level])


def _by_number(headings: Sequence[Piece]) -> None:
    """Numbers say more than sizes: `2.1` stands one level below `2`."""
    first: int | None = None
    for piece in headings:
        found = _NUMBER.match(f"{piece.mark} {piece.text}".strip())
        if found is None:
            continue
        depth = found[1].count(".") + 1
        if first is None:
            first = piece.level - depth + 1
        piece.level = min(max(first + depth - 1, 1), 6)


def _may_be(piece: Piece) -> bool:
    text = piece.text
    if piece.mark and not piece.mark[:1].isdigit():
        return False  # a bullet
    if any(len(line.parts) > _PARTS for line in piece.lines):
        return False  # a row of a table
    return len(text) <= LONGEST and len(piece.lines) <= 3 and _LETTER.search(text) is not None


def _running(pieces: Sequence[Piece]) -> set[str]:
    """The shapes of lines that stand at the edges of most pages."""
    edges: dict[int, list[Piece]] = {}
    for piece in pieces:
        edges.setdefault(piece.page, []).append(piece)
    shapes: Counter[str] = Counter()
    for found in edges.values():
        shapes.update({_shape(piece) for piece in (*found[:1], *found[-1:])})
    enough = max(3, len(edges) // 2)
    return {shape for shape, count in shapes.items() if count >= enough}


def _shape(piece: Piece) -> str:
    return re.sub(r"\d+", "#", piece.text)


def _bare(text: str) -> str:
    return _WORDS.sub("", text).casefold()
