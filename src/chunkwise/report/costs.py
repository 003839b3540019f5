"""Why questions were missed, and what a row costs: printed where everything is asked for."""

from __future__ import annotations

from collections.abc import Sequence
from typing import TYPE_CHECKING, Any

from chunkwise.report.names import Names
from chunkwise.report.tables import Column, in_bytes, in_money, paragraph, percent, print_table, title
from chunkwise.report.words import counted
from chunkwise.types import CandidateReport, Report

if TYPE_CHECKING:
    from rich.console import Console

__all__ = ["REASONS", "approximate", "costs", "money", "why_missed"]

Rows = Sequence[CandidateReport]
ROW = "row"
REASONS = {
    "lost": ("in no\nchunk", "the answer's text is in no chunk"),
    "unplaced": ("no\nplace", "it may be in chunks whose text is not found in the document"),
    "cut": ("cut", "chunks hold parts of the answer, none meets the hit rule"),
    "unseen": ("not\nread", "a chunk would do, and the model does not read it as far as the answer"),
    "unmatched": ("no\nmatch", "a chunk would do, and shares no word with the question"),
    "deep": ("too\ndeep", "a chunk would do, and stands below all ranks that are looked at"),
    "outranked": ("out-\nranked", "a chunk was found, behind the largest k"),
    "long": ("too\nlong", "a chunk was found, and is longer than the whole budget"),
    "beyond": ("behind", "a chunk was found within the largest k, behind what the measure reads"),
    "partial": ("in\npart", "some of several needed passages were found"),
}
"""Why a question was missed: the head of a column, and a sentence."""


def why_missed(report: Report, rows: Rows, names: Names, console: Console) -> None:
    """For every row how many questions it missed, and why."""
    rows = [row for row in rows if row.misses]
    used = [name for name in REASONS if any(name in row.misses["reasons"] for row in rows)]
    if not used:
        return
    questions = counted(int(report.golden["questions"]), "question")
    title(console, f"WHY ANSWERS WERE MISSED: {report.settings['primary']}, {questions}")
    columns = [Column("missed", [f"{row.misses['missed']:,}" for row in rows])]
    columns += [
        Column(REASONS[name][0], [f"{row.misses['reasons'].get(name, 0):,}" for row in rows]) for name in used
    ]
    print_table(console, ROW, [names[row.name] for row in rows], columns)
    for name in used:
        head = REASONS[name][0].replace("-\n", "").replace("\n", " ")
        paragraph(console, f"{head}: {REASONS[name][1]}", bullet="  ", style="dim")


def costs(report: Report, rows: Rows, names: Names, console: Console) -> None:
    """What is embedded, kept, embedded again, and paid."""
    rows = [row for row in rows if "embedded" in row.costs]
    if not rows:
        return
    short = [names[row.name] for row in rows]
    unit = str(rows[0].costs["unit"])
    title(console, "WHAT IT COSTS")
    columns = [
        Column(f"{unit}\nembedded", [f"{row.costs['embedded']:,}" for row in rows]),
        Column("index", [in_bytes(row.costs.get("index_bytes")) for row in rows]),
        Column("embedded\nagain %", [_again(row) for row in rows]),
    ]
    if any(row.costs.get("cutting", {}).get("texts") for row in rows):
        cut = [row.costs["cutting"]["texts"] for row in rows]
        columns.append(Column("texts\nembedded\nto cut", [f"{count:,}" for count in cut]))
    seconds = [report.timings.get(f"search {row.name}") for row in rows]
    asked = int(report.golden["questions"])
    if asked and all(s is not None for s in seconds):
        columns.append(Column("ms a\nquestion", [f"{1000 * (s or 0) / asked:,.2f}" for s in seconds]))
    if all("first" in row.sizes for row in rows):
        columns.append(Column("size of\nthe first", [_first(row.sizes) for row in rows]))
    print_table(console, ROW, short, columns)
    paragraph(
        console,
        "embedded again: share of the indexed texts that change when one sentence is added to each document",
        bullet="  ",
        style="dim",
    )
    if len(columns) > 3 and "first" in rows[0].sizes:
        paragraph(
            console,
            "size of the first: median size of the chunks that stand first against that of all chunks; far "
            "below 1, short chunks win",
            bullet="  ",
            style="dim",
        )


def approximate(report: Report, rows: Rows, names: Names, console: Console) -> None:
    """What approximate search loses against exact search, and what it saves."""
    rows = [row for row in rows if "approximate" in row.costs]
    if not rows:
        return
    found: list[Any] = [row.costs["approximate"] for row in rows]
    k = found[0]["k"]
    title(console, f"APPROXIMATE SEARCH: against exact search, {counted(found[0]['questions'], 'question')}")
    columns = [Column(f"recall\n@{k} %", [percent(one["recall"]) for one in found])]
    for step, head in (("p50", "p50\nms"), ("p99", "p99\nms"), ("exact_p50", "exact\np50 ms")):
        seconds = [report.timings.get(f"approximate {row.name} {step}") for row in rows]
        if all(s is not None for s in seconds):
            columns.append(Column(head, [f"{1000 * (s or 0):,.3f}" for s in seconds]))
    columns.append(Column("graph", [in_bytes(one["bytes"]) for one in found]))
    print_table(console, ROW, [names[row.name] for row in rows], columns)
    meaning = (
        f"recall: share of the {k} chunks that exact search returns; times are of one search, the vector"
    )
    paragraph(console, f"{meaning} of the question at hand", bullet="  ", style="dim")


def money(report: Report, rows: Rows, names: Names, console: Console) -> None:
    """What every row costs by the price file, where there is one."""
    if not rows or not all("money" in row.costs for row in rows):
        return
    made: list[Any] = [row.costs["money"] for row in rows]
    short = [names[row.name] for row in rows]
    key = f"@{str(report.settings['primary']).partition('@')[2]}"
    if key not in made[0]["query"]:
        key = next(reversed(made[0]["query"]), "")
    currency = f" in {made[0]['currency']}" if made[0]["currency"] else ""
    title(console, f"MONEY{currency}, by the price file")
    columns = [
        Column("full\nindex", [in_money(m["index"]) for m in made]),
        Column("changes\na month", [in_money(m["changes"]) for m in made]),
    ]
    if key:
        columns += [
            Column(f"a question\n{key}", [in_money(m["query"][key]) for m in made]),
            Column(f"all of a month\n{key}", [in_money(m["month"][key]) for m in made]),
        ]
    print_table(console, ROW, short, columns)
    paragraph(
        console,
        "full index: all that is indexed embedded once, whether or not a row searches by vectors; changes: "
        "what of it must be embedded again; a question: embedding it, and reading what was found",
        bullet="  ",
        style="dim",
    )


def _again(row: CandidateReport) -> str:
    found = row.costs.get("churn")
    return percent(found["share"]) if found else "-"


def _first(sizes: Any) -> str:
    return f"{sizes['first']['ratio']:.2f}" if sizes["first"]["questions"] else "-"
