"""The tables of the page: cells with the number that they are sorted by."""

from __future__ import annotations

from collections.abc import Callable, Sequence
from typing import Any, NamedTuple

from chunkwise.report.costs import REASONS
from chunkwise.report.cutting import PARTED
from chunkwise.report.sentences import close_call, meaning, needed, standing
from chunkwise.report.tables import in_bytes, in_money, percent, points
from chunkwise.types import CandidateReport, Report, Score

__all__ = [
    "Cell",
    "Head",
    "Table",
    "against_first",
    "approximate_table",
    "cost_table",
    "damage_table",
    "every_measure",
    "heading_table",
    "main_table",
    "miss_table",
    "pair_table",
    "rule_table",
    "tag_tables",
]

Rows = Sequence[CandidateReport]
_STANDINGS = ("best", "cheapest", "tied", "", "worse")


class Cell(NamedTuple):
    """What stands in a table."""

    text: str
    value: float | str | None = None
    """What it is sorted by; the text where there is none."""
    more: str = ""
    """A second line, such as the interval."""
    look: str = ""
    bar: str = ""
    """Width of a bar below the figure, in per cent."""


class Head(NamedTuple):
    """What stands above a column."""

    text: str
    more: str = ""
    """Its unit."""
    about: str = ""
    """What it means."""


class Table(NamedTuple):
    """A table with a row a candidate, unless `names` says otherwise."""

    heads: list[Head]
    rows: list[tuple[str, list[Cell]]]


def _shares(values: Sequence[float]) -> list[Cell]:
    return [Cell(percent(v), v, bar=f"{100 * v:.1f}%") for v in values]


def _scored(scores: Sequence[Score], *, mean: bool = False) -> list[Cell]:
    first = max((s.value for s in scores), default=0.0)
    show: Callable[[float], str] = (lambda v: f"{v:.3f}") if mean else percent
    return [
        Cell(show(s.value), s.value, f"{show(s.low)} to {show(s.high)}", "first" if s.value == first else "")
        for s in scores
    ]


def _table(rows: Rows, columns: Sequence[tuple[Head, Sequence[Cell]]]) -> Table:
    cells = [[column[i] for _, column in columns] for i in range(len(rows))]
    return Table(
        [head for head, _ in columns], [(row.name, own) for row, own in zip(rows, cells, strict=True)]
    )


def main_table(report: Report, rows: Rows) -> Table:
    """What decides, and what stands beside it."""
    columns: list[tuple[Head, Sequence[Cell]]] = []
    if report.golden["questions"]:
        columns += _found(report, rows)
    units = list(dict.fromkeys(str(row.sizes["unit"]) for row in rows))
    unit = units[0] if len(units) == 1 else "each in its unit"
    columns += [
        (Head("chunks"), [Cell(f"{row.chunks:,}", row.chunks) for row in rows]),
        (
            Head("mean size", unit, "of what is indexed, the context in front of some chunks included"),
            [
                Cell(
                    f"{row.sizes['mean']:,.0f}",
                    row.sizes["mean"],
                    "" if len(units) == 1 else row.sizes["unit"],
                )
                for row in rows
            ],
        ),
        (
            Head(
                "begin in a sentence",
                "%",
                "chunks that begin inside a sentence; the first of each document aside",
            ),
            _shares([row.boundaries["starts"]["shares"]["sentence"] for row in rows]),
        ),
        (
            Head("cross sections", "%", "chunks with text from below two headings or more"),
            _shares([row.boundaries["crossing_sections"]["share"] for row in rows]),
        ),
    ]
    return _table(rows, columns)


def _found(report: Report, rows: Rows) -> list[tuple[Head, Sequence[Cell]]]:
    primary, rule = str(report.settings["primary"]), str(report.settings["rule"])
    head = Head("found", f"{primary}, %", meaning(primary, rule))
    columns: list[tuple[Head, Sequence[Cell]]] = [(head, _scored([row.measures[primary] for row in rows]))]
    apart = {c.other: c for c in report.comparisons}
    if apart:
        behind = [apart.get(row.name) for row in rows]
        columns += [
            (
                Head("behind the first", "points", "on the same questions, with its 95 % interval"),
                [
                    Cell("-", 0.0)
                    if c is None
                    else Cell(percent(c.difference), c.difference, points(c.low, c.high))
                    for c in behind
                ],
            ),
            (
                Head("verdict", "", "worse: by more than chance; tied: these questions cannot tell"),
                [_standing(report, row, close_call(report, apart.get(row.name))) for row in rows],
            ),
        ]
    ks = [int(k) for k in report.settings["k"]]
    names = [f"hit@{k}" for k in dict.fromkeys((*ks[:1], *ks[-1:]))] + ([f"mrr@{ks[-1]}"] if ks else [])
    for name in [*names, "ceiling"]:
        if name != primary and all(name in row.measures for row in rows):
            mean = name.startswith("mrr")
            head = Head(name, "0 to 1" if mean else "%", meaning(name, rule))
            columns.append((head, _scored([row.measures[name] for row in rows], mean=mean)))
    return columns


def _standing(report: Report, row: CandidateReport, close: bool) -> Cell:
    word = standing(report, row.name)
    return Cell(word + (" *" if close else ""), float(_STANDINGS.index(word)), "", word or "none")


def damage_table(rows: Rows) -> Table:
    """What the cuts do, by kind."""
    columns: list[tuple[Head, Sequence[Cell]]] = []
    for side, verb in (("starts", "begin"), ("ends", "end")):
        for kind, where in (("sentence", "a sentence"), ("row", "a table row"), ("code", "code")):
            shares = [row.boundaries[side]["shares"][kind] for row in rows]
            columns.append((Head(f"{verb} in {where}", "% of cuts"), _shares(shares)))
    columns += [
        (
            Head(PARTED[key][0], "%", PARTED[key][1]),
            _shares([row.boundaries.get(key, {}).get("share", 0.0) for row in rows]),
        )
        for key in PARTED
        if any(row.boundaries.get(key, {}).get("of") for row in rows)
    ]
    return _table(rows, columns)


def miss_table(rows: Rows) -> Table | None:
    """For every row how many questions it missed, and why."""
    rows = [row for row in rows if row.misses]
    used = [name for name in REASONS if any(name in row.misses["reasons"] for row in rows)]
    if not used:
        return None
    columns: list[tuple[Head, Sequence[Cell]]] = [
        (Head("missed"), [Cell(f"{row.misses['missed']:,}", row.misses["missed"]) for row in rows])
    ]
    for name in used:
        counts = [int(row.misses["reasons"].get(name, 0)) for row in rows]
        head = Head(REASONS[name][0].replace("-\n", "").replace("\n", " "), "", REASONS[name][1])
        columns.append((head, [Cell(f"{count:,}", count) for count in counts]))
    return _table(rows, columns)


def cost_table(report: Report, rows: Rows) -> Table:
    """What is indexed, embedded, kept, embedded again, read and paid."""
    rows = list(rows)
    columns: list[tuple[Head, Sequence[Cell]]] = [
        (
            Head("indexed", "characters"),
            [Cell(f"{row.costs['characters_indexed']:,}", row.costs["characters_indexed"]) for row in rows],
        ),
        (
            Head("of it context", "characters", "put in front of chunks: searched, never an answer"),
            [Cell(f"{row.costs['context_characters']:,}", row.costs["context_characters"]) for row in rows],
        ),
        (
            Head("overlap", "%", "text that is indexed again because chunks overlap; it is paid for twice"),
            [Cell(percent(row.costs["overlap_factor"] - 1), row.costs["overlap_factor"]) for row in rows],
        ),
        (
            Head("in no chunk", "characters", "visible characters, front matter aside"),
            [Cell(f"{row.costs['lost_characters']:,}", row.costs["lost_characters"]) for row in rows],
        ),
    ]
    if all("embedded" in row.costs for row in rows):
        unit = str(rows[0].costs["unit"]) if rows else ""
        columns += [
            (
                Head("embedded", unit, "of all indexed texts together"),
                [Cell(f"{row.costs['embedded']:,}", row.costs["embedded"]) for row in rows],
            ),
            (
                Head("index", "", "its size in memory"),
                [
                    Cell(in_bytes(row.costs.get("index_bytes")), row.costs.get("index_bytes") or 0)
                    for row in rows
                ],
            ),
            (
                Head("again", "%", "indexed texts that change when one sentence is added to each document"),
                [_again(row) for row in rows],
            ),
        ]
    cutting = [int(row.costs.get("cutting", {}).get("texts", 0)) for row in rows]
    if any(cutting):
        head = Head("embedded to cut", "texts", "what the chunker had embedded to find its cuts")
        columns.append((head, [Cell(f"{count:,}", count) for count in cutting]))
    columns += _read(report, rows)
    return _table(rows, columns)


def approximate_table(rows: Rows) -> tuple[str, Table] | None:
    """What approximate search loses against exact search, and the size of its graph; a sentence comes first.

    Seconds stand in the report as JSON only: the same report gives the same page.
    """
    rows = [row for row in rows if "approximate" in row.costs]
    if not rows:
        return None
    made: list[Any] = [row.costs["approximate"] for row in rows]
    about = f"share of the {made[0]['k']} chunks that exact search returns"
    columns: list[tuple[Head, Sequence[Cell]]] = [
        (Head(f"recall@{made[0]['k']}", "%", about), _shares([one["recall"] for one in made])),
        (Head("graph", "", "its size in memory"), [Cell(in_bytes(m["bytes"]), m["bytes"]) for m in made]),
    ]
    asked = int(made[0]["questions"])
    return f"Against exact search, over {asked:,} question{'' if asked == 1 else 's'}.", _table(rows, columns)


def _again(row: CandidateReport) -> Cell:
    churn = row.costs.get("churn")
    return Cell(percent(churn["share"]), churn["share"]) if churn else Cell("-", -1.0)


def _read(report: Report, rows: Rows) -> list[tuple[Head, Sequence[Cell]]]:
    """What a reader gets at the largest k, and what it costs by the price file."""
    columns: list[tuple[Head, Sequence[Cell]]] = []
    ks = [int(k) for k in report.settings["k"]]
    key = f"@{max(ks, default=0)}"
    if rows and all(key in row.costs["sent"] for row in rows):
        head = Head(
            f"read {key}", str(rows[0].costs["unit"]), "what the first chunks come to, mean of all questions"
        )
        columns.append(
            (head, [Cell(f"{row.costs['sent'][key]:,.0f}", row.costs["sent"][key]) for row in rows])
        )
    if rows and all("money" in row.costs for row in rows):
        made: list[Any] = [row.costs["money"] for row in rows]
        at = f"@{str(report.settings['primary']).partition('@')[2]}"
        at = at if at in made[0]["month"] else next(reversed(made[0]["month"]), "")
        currency = str(made[0]["currency"] or "by the price file")
        sums = [("full index", [m["index"] for m in made]), ("changes a month", [m["changes"] for m in made])]
        if at:
            sums.append((f"a month {at}", [m["month"][at] for m in made]))
        columns += [(Head(name, currency), [Cell(in_money(v), v) for v in values]) for name, values in sums]
    return columns


def tag_tables(report: Report, rows: Rows) -> list[tuple[str, Table]]:
    """The primary measure by the values of each tag."""
    primary, found = str(report.settings["primary"]), []
    for tag, values in rows[0].tags.items() if rows else ():
        columns: list[tuple[Head, Sequence[Cell]]] = []
        for value in values:
            own = [row.tags[tag][value] for row in rows]
            count = int(own[0]["questions"])
            scores = [Score(**one["measures"][primary]) for one in own]
            more = f"{count:,} question{'' if count == 1 else 's'}, %"
            columns.append((Head(value, more), _scored(scores)))
        found.append((tag, _table(rows, columns)))
    return found


def pair_table(report: Report, short: Callable[[str], str]) -> Table | None:
    """Rows that differ in one setting only."""
    if not report.pairs:
        return None
    rows = []
    for pair in report.pairs:
        told = pair.adjusted < report.level and (pair.low > 0 or pair.high < 0)
        word = ("better" if pair.gain > 0 else "worse") if told else "cannot tell"
        cells = [
            Cell(short(pair.second)),
            Cell(percent(pair.gain), pair.gain, points(pair.low, pair.high)),
            Cell(f"{pair.extra_characters:,}", pair.extra_characters),
            Cell(word, look=word if told else ""),
        ]
        rows.append((f"{pair.setting} {pair.before} → {pair.after}", cells))
    heads = [
        Head("row"),
        Head("gain", "points", "on the same questions, with its 95 % interval"),
        Head("indexed more", "characters"),
        Head("verdict"),
    ]
    return Table(heads, rows)


def heading_table(report: Report, rows: Rows) -> Table | None:
    """Questions copied from headings, with and without the heading lines in the index."""
    if not rows or not all(row.headings for row in rows):
        return None
    primary, ks = str(report.settings["primary"]), [int(k) for k in report.settings["k"]]
    columns: list[tuple[Head, Sequence[Cell]]] = []
    for name in dict.fromkeys([primary, *(f"hit@{k}" for k in ks[:1])]):
        for how in ("with", "without"):
            scores = [Score(**row.headings[how][name]) for row in rows]
            columns.append((Head(how, f"{name}, %"), _scored(scores)))
    return _table(rows, columns)


def rule_table(report: Report, rows: Rows) -> Table | None:
    """The first hit@k under every hit rule: the rule alone can change who is first."""
    ks, rules = [int(k) for k in report.settings["k"]], list(rows[0].rules) if rows else []
    if not ks or not rules:
        return None
    name = f"hit@{ks[0]}"
    return _table(
        rows, [(Head(r, f"{name}, %"), _scored([row.rules[r][name] for row in rows])) for r in rules]
    )


def against_first(report: Report) -> Table | None:
    """Each row against the first one: the tests, and what they could have shown."""
    found = [c for c in report.comparisons if c.adjusted is not None]
    if not found:
        return None
    heads = [
        Head("families differing"),
        Head("p", "", "paired sign-flip test over families"),
        Head("p corrected", "", "for the number of rows, and for having picked the best by these questions"),
        Head("detectable", "points", "the smallest difference that 4 of 5 such sets of questions would show"),
        Head("questions needed", "", "to tell the two apart, if the difference is the one seen"),
    ]
    rows = []
    for c in found:
        values = [c.differing, c.p, c.adjusted, c.detectable, c.needed]
        texts = [
            f"{c.differing:,}",
            *("-" if p is None else f"{p:.3f}" for p in (c.p, c.adjusted)),
            "-" if c.detectable is None else percent(c.detectable),
            needed(c),
        ]
        cells = [Cell(text, 1e9 if v is None else float(v)) for text, v in zip(texts, values, strict=True)]
        rows.append((c.other, cells))
    return Table(heads, rows)


def every_measure(rows: Rows, rule: str) -> Table | None:
    """All that was measured, with intervals."""
    names = list(rows[0].measures) if rows else []
    if not names:
        return None
    columns = [
        (Head(name, "", meaning(name, rule)), _scored([row.measures[name] for row in rows])) for name in names
    ]
    return _table(rows, columns)
