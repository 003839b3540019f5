"""Explanations for people: the answer, what each row made of it, and the cut marked in the text."""

from __future__ import annotations

import json
from collections.abc import Sequence
from typing import TYPE_CHECKING

from chunkwise.report.tables import Column, paragraph, percent, print_table, title, wide_enough
from chunkwise.types.explanation import Answer, CutInside, ExplainedRow, Explanation, Returned

if TYPE_CHECKING:
    from rich.console import Console

__all__ = ["explanations_json", "render_explanation"]

_SHOWN = 3
"""Chunks of a row that are shown where not all of them are asked for."""
_LINES = 4
_SIDE = 2  # lines on each side of a cut
_CUTS = 2
_QUOTE = 6
_LONG = 4
# fmt: off
_EMPTY = {
    "about", "after", "also", "been", "before", "does", "during", "each", "from", "have", "into", "just",
    "more", "much", "must", "only", "other", "over", "same", "some", "such", "than", "that", "their", "them",
    "then", "there", "these", "they", "this", "those", "upon", "very", "want", "were", "what", "when",
    "where", "which", "while", "whom", "whose", "will", "with", "would", "your",
}
# fmt: on
_SHORT = {
    "": "found",
    "lost": "in no chunk",
    "unplaced": "no place",
    "cut": "cut",
    "unseen": "not read by the model",
    "unmatched": "not retrieved",
    "deep": "not retrieved",
    "outranked": "outranked",
    "long": "too long",
    "beyond": "outranked",
    "partial": "found in part",
}


def explanations_json(explanations: Sequence[Explanation]) -> bytes:
    """The explanations as a JSON list in UTF-8, line end included."""
    text = json.dumps([one.to_dict() for one in explanations], ensure_ascii=False, indent=1)
    return f"{text}\n".encode("utf-8", "backslashreplace")


def render_explanation(explanation: Explanation, console: Console, *, detail: int = 0) -> None:
    """Print one explanation.

    Args:
        explanation: what is printed.
        console: where to.
        detail: -1 for the table only, 0 for the first chunks of each row, 1 for all of them with more text.
    """
    with wide_enough(console):
        paragraph(console, f"{explanation.id}: {explanation.question}", style="bold")
        for number, answer in enumerate(explanation.answers, 1):
            which = f" {number} of {len(explanation.answers)}" if len(explanation.answers) > 1 else ""
            _answer(answer, which, console)
        _table(explanation, console)
        if detail < 0:
            _missed(explanation, console)
        else:
            for row in explanation.rows:
                _row(row, explanation, console, detail)


def _answer(places: Sequence[Answer], which: str, console: Console) -> None:
    first = places[0]
    also = f", or {_also(places[1:])}" if len(places) > 1 else ""
    paragraph(console, f"answer{which}: {_place(first.doc, first.lines)}{_below(first.path)}{also}")
    _text(first.quote, console, _QUOTE)


def _also(places: Sequence[Answer]) -> str:
    return ", or ".join(_place(place.doc, place.lines) for place in places)


def _place(doc: str, lines: tuple[int, int] | None) -> str:
    if lines is None:
        return f"{doc}, no place"
    first, last = lines
    return f"{doc}:{first}" + (f"-{last}" if last > first else "")


def _below(path: Sequence[str]) -> str:
    return f", below {' › '.join(path)}" if path else ""


def _table(explanation: Explanation, console: Console) -> None:
    rows = explanation.rows
    console.print()
    print_table(
        console,
        "row",
        [_name(row, rows) for row in rows],
        [
            Column("rank", [f"{row.rank:,}" if row.rank else "-" for row in rows]),
            Column(f"{explanation.measure}\n%", [percent(row.value) for row in rows]),
            Column("", [_in_short(row) for row in rows], left=True),
        ],
    )


def _in_short(row: ExplainedRow) -> str:
    if not row.reason and any(gold.rank is None for gold in row.golds):
        return "found in pieces" if row.value == 1 else "found in part"
    parted = "; heading cut off" if any(gold.parted is not None for gold in row.golds) else ""
    return _SHORT.get(row.reason, row.reason) + parted


def _name(row: ExplainedRow, rows: Sequence[ExplainedRow]) -> str:
    """The name of a row, with what searched where that differs from row to row."""
    searched = {other.retriever for other in rows}
    return (
        f"{row.candidate} @ {row.retriever}"
        if len(searched) > 1 and " @ " not in row.candidate
        else row.candidate
    )


def _missed(explanation: Explanation, console: Console) -> None:
    """A line for each way in which the answer was missed."""
    said: dict[str, list[str]] = {}
    for row in explanation.rows:
        if row.reason:
            said.setdefault(row.words, []).append(_name(row, explanation.rows))
    for words, names in said.items():
        paragraph(console, f"{', '.join(names)}: {words}", bullet="- ")


def _row(row: ExplainedRow, explanation: Explanation, console: Console, detail: int) -> None:
    title(console, f"{_name(row, explanation.rows)}: {'FOUND' if not row.reason else 'MISSED'}")
    paragraph(console, row.words)
    for gold in row.golds:
        if len(row.golds) > 1:
            paragraph(console, f"answer {gold.number + 1}: {gold.words}", bullet="- ")
        for cut in [*gold.cuts[:_CUTS], *([gold.parted] if gold.parted is not None else [])]:
            _cut(cut, console)
        held = gold.held
        if gold.reason and held is not None and held.rank is None:
            paragraph(console, f"the chunk that holds it: {_where(held)}", bullet="  ")
            _words(held, row, console, "  ")
    if not row.chunks:
        paragraph(console, "it returned nothing: no chunk has a word of the question")
        return
    first = {gold.rank for gold in row.golds}
    shown = [c for c in row.chunks if detail > 0 or (c.rank or 0) <= _SHOWN or c.rank in first]
    left = len(row.chunks) - len(shown)
    paragraph(console, f"returned{f' ({left} more with -v)' if left else ''}:")
    quotes = [places[0].quote for places in explanation.answers]
    for chunk in shown:
        _chunk(chunk, row, quotes, explanation.unit, console, detail)


def _where(chunk: Returned) -> str:
    return f"{_place(chunk.doc, chunk.lines)}{_below(chunk.path)}"


def _chunk(
    chunk: Returned, row: ExplainedRow, quotes: Sequence[str], unit: str, console: Console, detail: int
) -> None:
    mark = "  <- holds the answer" if chunk.hit else ""
    score = f"{chunk.score:.3f}" if chunk.score is not None else "-"
    head = f"{_place(chunk.doc, chunk.lines)} (score {score}, {chunk.size:,} {unit}){mark}"
    paragraph(console, head, bullet=f"{chunk.rank or '-':>3}. ", style="bold" if chunk.hit else "")
    if chunk.context:
        for line in chunk.context:
            _text(f"[{line.strip()}]", console, 1)
    elif chunk.path:
        apart = "" if chunk.context is None or chunk.path[-1] in chunk.text else ", without its heading"
        paragraph(console, f"(begins below {' › '.join(chunk.path)}{apart})", bullet="    ", style="dim")
    _text(_excerpt(chunk.text, quotes, chunk.hit, _LINES * (3 if detail > 0 else 1)), console, 0)
    _words(chunk, row, console, "    ")


def _words(chunk: Returned, row: ExplainedRow, console: Console, indent: str) -> None:
    """The words of the question that a chunk has and lacks. A model does not go by them."""
    if row.retriever.startswith("dense"):
        return
    has, lacks = _telling(chunk.has), _telling(chunk.lacks or ())
    said = f"has of the question: {', '.join(has)}" if has else "has none of the question's longer words"
    missing = f"; not: {', '.join(lacks)}" if lacks and has else ""
    paragraph(console, f"{said}{missing}", bullet=indent, style="dim")


def _telling(words: Sequence[str]) -> list[str]:
    """Words that say something: numbers, and words of four letters or more; of other scripts all."""
    long = [word for word in words if len(word) >= _LONG or not word.isascii() or any(map(str.isdigit, word))]
    return [word for word in long if word not in _EMPTY]


def _excerpt(text: str, quotes: Sequence[str], hit: bool, most: int) -> str:
    """Some lines of a chunk: its beginning, or where the answer stands in it."""
    lines = [line for line in text.splitlines() if line.strip()]
    if len(lines) <= most:
        return "\n".join(lines)
    starts = [quote.splitlines()[0].strip() for quote in quotes if hit and quote.strip()]
    at = next((i for i, line in enumerate(lines) if any(start[:40] in line for start in starts)), 0)
    first = max(0, min(at - most + 2, len(lines) - most))
    before, behind = ["…"] * (first > 0), ["…"] * (first + most < len(lines))
    if first > 0 and lines[0].startswith("#"):  # the heading says what the rest is about
        before = [lines[0], *before]
    return "\n".join([*before, *lines[first : first + most], *behind])


def _cut(cut: CutInside, console: Console) -> None:
    """The text on both sides of a cut, a line between them."""
    before = cut.before.rstrip("\n").splitlines()[-_SIDE:]
    behind = "\n".join(cut.behind.lstrip("\n").splitlines()[:_SIDE])
    room = console.width - 4
    # What stands next to the cut is what counts: a long line keeps its end.
    ends = [line if len(line) <= room else f"…{line[len(line) - room + 1 :]}" for line in before]
    _text("\n".join(ends), console, 0)
    console.print(f"    ---- cut {cut.words}, line {cut.line:,} ----", style="bold")
    _text(behind, console, 0)


def _text(text: str, console: Console, most: int) -> None:
    """Lines of a document, set off from what is said about them; each on one line of the screen."""
    lines = text.splitlines() or [""]
    room = console.width - 4
    for line in lines[:most] if most and len(lines) > most else lines:
        plain = line.replace("\t", "    ")
        console.print(
            f"    {plain if len(plain) <= room else plain[: room - 1] + '…'}", no_wrap=True, crop=False
        )
    if most and len(lines) > most:
        console.print(f"    … ({len(lines) - most} more lines)")
