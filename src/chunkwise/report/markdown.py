"""A report as Markdown: for a pull request, a wiki or a message. Needs no optional library."""

from __future__ import annotations

import re
from collections.abc import Iterable, Sequence

from chunkwise.report.names import Names
from chunkwise.report.page.tables import (
    Table,
    approximate_table,
    cost_table,
    damage_table,
    main_table,
    pair_table,
    tag_tables,
)
from chunkwise.report.page.text import visible
from chunkwise.report.page.words import corpus_line, cut_off, lead, sentence, why_missed
from chunkwise.report.sentences import RULES, in_order, in_table, meaning, not_shown, what_to_use
from chunkwise.report.tables import percent
from chunkwise.types import Report

__all__ = ["render_markdown"]

_SPECIAL = re.compile(r"([\\`*_{}\[\]<>|~#!&])")
_LINE_ENDS = re.compile(r"\s*[\r\n\v\f\x85\u2028\u2029]+\s*")


def render_markdown(report: Report) -> str:
    """The sentence, the tables, the warnings and the hard questions; ends with a line end."""
    rows, names, primary = in_order(report), Names(report.candidates), str(report.settings["primary"])
    decision, rule = report.decision, str(report.settings["rule"])
    verdict, told = lead(report)
    parts = [f"# {verdict}", f"**{_text(told)}**"]
    parts += [_text(sentence(what_to_use(report)))] if what_to_use(report) else []
    parts += map(_text, not_shown(report))
    reasons = decision.reasons[1:] if decision is not None else ()
    parts += [_list(sentence(reason) for reason in reasons if not in_table(reason, primary))]
    if decision is not None and decision.hides:
        parts += ["What the mean hides:", _list(map(sentence, decision.hides))]
    if decision is not None and decision.settles:
        parts += ["What would settle it:", _list(map(sentence, decision.settles[:3]))]
    if report.warnings:
        count = len(report.warnings)
        parts += [f"## {count} warning{'' if count == 1 else 's'}", _list(map(sentence, report.warnings))]
    parts += ["## All rows", f"{_text(corpus_line(report))}."]
    parts += [_table("row", main_table(report, rows), names)]
    if report.golden["questions"]:
        parts += [f"found: {_text(meaning(primary, rule))}. Small figures are 95 % intervals."]
    if names.shared:
        parts += [f"Names leave out what the rows share: {_code(', '.join(names.shared))}."]
    parts += [f"{_code(label)} is {_code(spec)}." for label, spec in names.labelled.items()]
    for tag, made in tag_tables(report, rows):
        parts += [f"## By {_text(tag)}: {_text(primary)}", _table("row", made, names)]
    pairs = pair_table(report, names.__getitem__)
    if pairs is not None:
        parts += ["## One setting at a time", _table("setting", pairs, None)]
    parts += ["## What the cuts do", _table("row", damage_table(rows), names)]
    parts += ["## What it costs", _table("row", cost_table(report, rows), names)]
    approximate = approximate_table(rows)
    if approximate is not None:
        parts += ["## Approximate search", approximate[0], _table("row", approximate[1], names)]
    parts += _questions(report, names, primary)
    digests = [_code(about["digest"][:12]) for about in (report.corpus, report.golden)]
    parts += [f"Hit rule {_text(rule)}: {RULES.get(rule, 'your own')}."]
    parts += [f"Corpus {digests[0]}, questions {digests[1]}."]
    return "\n\n".join(part for part in parts if part) + "\n"


def _questions(report: Report, names: Names, primary: str) -> list[str]:
    """The hard questions, with what every row did and why; their texts are on the page."""
    asked = [exhibit for exhibit in report.exhibits if exhibit.get("kind") == "question"]
    if not asked:
        return []
    parts = ["## Hard questions", "The questions on which the rows differ most."]
    for exhibit in asked:
        lines = []
        for row in exhibit["rows"]:
            own = report[row["candidate"]].questions.get(exhibit["id"], {})
            why = why_missed(own.get("miss"))
            rank = f"rank {row['rank']}" if row["rank"] is not None else "-"
            value = f"{percent(own[primary])} %" if primary in own else "-"
            lost = cut_off(row.get("golds", ()))
            came = why or ("found; " + lost if lost else "found")
            lines.append([names[row["candidate"]], rank, value, came])
        quotes = [place["quote"] for places in exhibit["golds"] for place in places[:1]]
        parts += [f"### {_text(exhibit['question'])}", *(f"> {_text(quote)}" for quote in quotes)]
        parts += [_rows(["row", "rank", primary, "what came of it"], lines, "lrrl")]
    return parts


def _table(first: str, made: Table, names: Names | None) -> str:
    heads = [first, *(f"{head.text} ({head.more})" if head.more else head.text for head in made.heads)]
    lines = [
        [
            names[name] if names is not None else name,
            *(f"{cell.text} [{cell.more}]" if cell.more else cell.text for cell in cells),
        ]
        for name, cells in made.rows
    ]
    return _rows(heads, lines, "l" + "r" * len(made.heads))


def _rows(heads: Sequence[str], lines: Sequence[Sequence[str]], sides: str) -> str:
    rules = ["---" if side == "l" else "---:" for side in sides]
    cells = [[_text(head) for head in heads], rules, *([_text(cell) for cell in line] for line in lines)]
    return "\n".join(f"| {' | '.join(row)} |" for row in cells)


def _list(texts: Iterable[str]) -> str:
    return "\n".join(f"- {_text(text)}" for text in texts)


def _text(text: str) -> str:
    """A text that stays what it is in Markdown, on one line."""
    return _SPECIAL.sub(r"\\\1", _LINE_ENDS.sub(" ", visible(text.strip())))


def _code(text: str) -> str:
    """A text as code, whatever backticks it has."""
    text = _LINE_ENDS.sub(" ", visible(text))
    fence = "`" * (max((len(run) for run in re.findall("`+", text)), default=0) + 1)
    return f"{fence}{text}{fence}" if "`" not in text else f"{fence} {text} {fence}"
