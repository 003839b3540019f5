"""Steps 3 and 4: what two chunkers returned for the hard question, and where the cut fell."""

from __future__ import annotations

from collections.abc import Mapping, Sequence
from typing import Any

from rich.console import Console
from rich.text import Text

import chunkwise
from chunkwise.report.tables import paragraph, title
from chunkwise.types import Document, Report
from examples.demo.corpora import HARD, Compared
from examples.demo.steps import by_name

FIXED, HEADING = chunkwise.Fixed(size=800), chunkwise.Heading(size=800)
WIDTH = 80
_AROUND = 3  # lines of the document shown in front of a cut and of a chunk behind an answer


def cut_off(console: Console, compared: Sequence[Compared]) -> None:
    """Step 3: the chunk of fixed windows that holds the answer, with its heading cut off."""
    handbook = by_name(compared, "handbook")
    title(console, f"3. WHAT {FIXED.spec} RETURNED FOR THAT QUESTION, WITH THE CUT")
    document, returned = _returned(handbook, FIXED.spec)
    hit = next((found for found in returned if found["hit"]), None)
    gold = handbook.asked.golden[HARD].golds[0]
    subject = gold.quote.partition(" |")[0]
    for found in returned:
        if found is hit:
            break
        rows = [line for line in found["text"].splitlines() if line.startswith(subject)]
        said = f", which says {' and '.join(_cell(row) for row in rows)} instead" if rows else ""
        paragraph(
            console, f"Rank {found['rank']}, without the answer: lines {_lines(document, found)}{said}."
        )
    if hit is None:
        paragraph(console, "The answer is not in the chunks that were returned first.")
        return
    also = _also(handbook, FIXED.spec)
    paragraph(console, f"Rank {hit['rank']}{also}, with the answer: lines {_lines(document, hit)}.")
    heading = document.sections[document.sections.at(gold.places[0].span.start)]
    outside = document.text[heading.span.start : document.from_raw((hit["start"], hit["end"])).start]
    console.print()
    before = outside.splitlines()
    shown = [before[0], "[...]", *before[-1:]] if len(before) > _AROUND else before
    for line in shown:
        console.print(Text(_fitted(line), style="dim"), no_wrap=True)
    mark = " cut: what stands above is in another chunk "
    console.print(Text(mark.center(WIDTH, "-"), style="bold red"))
    _quote(console, hit["text"], gold.quote)
    console.print()
    paragraph(
        console,
        f'The row is there, but not "{heading.title}": whoever reads this chunk cannot know for whom it is.',
    )


def whole(console: Console, compared: Sequence[Compared]) -> None:
    """Step 4: the chunk of the heading chunker, with its path."""
    handbook = by_name(compared, "handbook")
    title(console, f"4. WHAT {HEADING.spec} RETURNED, WITH ITS HEADING PATH")
    document, returned = _returned(handbook, HEADING.spec)
    hit = next((found for found in returned if found["hit"]), None)
    if hit is None:
        paragraph(console, "The answer is not in the chunks that were returned first.")
        return
    chunk = next(c for c in HEADING(document) if c.span is not None and c.span.start == hit["start"])
    also = _also(handbook, HEADING.spec)
    paragraph(console, f"Rank {hit['rank']}{also}, with the answer: lines {_lines(document, hit)}.")
    console.print()
    for kind, text in chunk.context:
        console.print(
            Text(_fitted(text, f"   <- {kind}, indexed with the chunk"), style="bold green"), no_wrap=True
        )
    _quote(console, chunk.text, handbook.asked.golden[HARD].golds[0].quote, all_of_it=True)


def _returned(one: Compared, spec: str) -> tuple[Document, list[Mapping[str, Any]]]:
    """The document of the hard question, and the chunks that a row returned first."""
    gold = one.asked.golden[HARD].golds[0]
    return one.asked.corpus[gold.places[0].doc], _chunks(one.report, spec)


def _chunks(report: Report, spec: str) -> list[Mapping[str, Any]]:
    """The chunks that a row returned first for the hard question."""
    exhibit = next(e for e in report.exhibits if e["id"] == HARD)
    row = next(r for r in exhibit["rows"] if r["candidate"] == spec)
    return list(row["chunks"])


def _also(one: Compared, spec: str) -> str:
    """Which search the rank is of where there are two, and the rank in the other one."""
    if one.meaning is None:
        return ""
    rank = next((found["rank"] for found in _chunks(one.words, spec) if found["hit"]), None)
    return f" with MiniLM ({'not found' if rank is None else rank} with BM25)"


def _quote(console: Console, text: str, gold: str, *, all_of_it: bool = False) -> None:
    """The lines of a chunk; the answer is marked, and what stands far behind it is left out."""
    lines = text.splitlines()
    answer = next(i for i, line in enumerate(lines) if line.startswith(gold))
    last = len(lines) if all_of_it else min(len(lines), answer + _AROUND)
    for i, line in enumerate(lines[:last]):
        own = i == answer
        console.print(
            Text(_fitted(line, "   <- the answer" if own else ""), style="bold" if own else ""), no_wrap=True
        )
    if last < len(lines):
        console.print(Text("[...]", style="dim"))


def _fitted(line: str, note: str = "") -> str:
    """A line that is not longer than the screen, with a note behind it."""
    room = WIDTH - len(note)
    return (line if len(line) <= room else line[: room - 3].rstrip() + "...") + note


def _lines(document: Document, found: Mapping[str, Any]) -> str:
    span = document.from_raw((found["start"], found["end"]))
    return f"{document.line(span.start)} to {document.line(span.end - 1)} of {document.id}"


def _cell(row: str) -> str:
    return f'"{row.strip("| ").split(" | ")[1]}"'
