"""What is printed where it is asked for: tags, hit rules, heading lines, and all else that was measured."""

from __future__ import annotations

from collections.abc import Sequence
from typing import TYPE_CHECKING, Any

from chunkwise.report.cutting import parted, sizes
from chunkwise.report.names import Names
from chunkwise.report.sentences import needed
from chunkwise.report.tables import Column, paragraph, percent, points, print_table, title
from chunkwise.report.words import counted
from chunkwise.types import CandidateReport, Pair, Report

if TYPE_CHECKING:
    from rich.console import Console

__all__ = ["by_overlap", "by_rule", "by_tag", "copied_from_headings", "everything", "one_setting", "tests"]

Rows = Sequence[CandidateReport]
ROW = "row"
_SIDES = ("starts", "ends")
_KINDS = ("sentence", "paragraph", "row", "code")


def copied_from_headings(report: Report, rows: Rows, names: Names, console: Console) -> None:
    """Figures of questions copied from headings, with and without the heading lines in the index."""
    if not rows or not all(row.headings for row in rows):
        return
    measures = [str(report.settings["primary"]), *_first_hit(report)]
    count = int(rows[0].headings["questions"])
    title(console, f"WITHOUT THE HEADING LINES: {counted(count, 'question')} copied from headings")
    columns = [
        Column(f"{measure}\n{how} %", [percent(row.headings[how][measure]["value"]) for row in rows])
        for measure in dict.fromkeys(measures)
        for how in ("with", "without")
    ]
    print_table(console, ROW, [names[row.name] for row in rows], columns)
    paragraph(
        console,
        "without: the lines that the questions were copied from are taken out of the index; the path of "
        "headings that some rows put in front of a chunk stays",
        bullet="  ",
        style="dim",
    )


def by_rule(report: Report, rows: Rows, names: Names, console: Console) -> None:
    """One measure under every hit rule: the rule alone can change who is first."""
    rules = list(dict.fromkeys(rule for row in rows for rule in row.rules))
    for measure in _first_hit(report):
        title(
            console, f"UNDER EACH HIT RULE: {measure}, {counted(int(report.golden['questions']), 'question')}"
        )
        columns = [
            Column(
                f"{rule.replace(' or ', chr(10) + 'or ')} %",
                [percent(row.rules[rule][measure].value) for row in rows],
            )
            for rule in rules
        ]
        print_table(console, ROW, [names[row.name] for row in rows], columns)


def by_tag(report: Report, rows: Rows, names: Names, console: Console, detail: int) -> None:
    """The primary measure by the values of each tag, the number of questions beside every figure."""
    primary = str(report.settings["primary"])
    for tag, values in rows[0].tags.items() if rows else ():
        title(console, f"BY {tag}: {primary} in %, in brackets the number of questions")
        columns = [
            Column(
                value.replace(" × ", " ×\n"),
                [_tag_cell(row.tags[tag][value], primary, detail) for row in rows],
            )
            for value in values
        ]
        print_table(console, ROW, [names[row.name] for row in rows], columns)


def by_overlap(report: Report, rows: Rows, names: Names, console: Console) -> None:
    """The primary measure by thirds of how many words questions share with their answers."""
    parts = (report.golden.get("overlap") or {}).get("thirds", [])
    if not parts or not all(row.overlap for row in rows):
        return
    title(console, f"BY WORDS SHARED WITH THE ANSWER: {report.settings['primary']} in %")
    columns = [
        Column(
            f"{percent(part['low'])} to\n{percent(part['high'])} %\n({part['questions']:,})",
            [percent(row.overlap[i]["value"]) for row in rows],
        )
        for i, part in enumerate(parts)
    ]
    print_table(console, ROW, [names[row.name] for row in rows], columns)
    paragraph(
        console,
        "shared: so many of the telling words of a question stand in its answer too; in brackets the number "
        "of questions. Users do not know the words of the answer: look at the left column",
        bullet="  ",
        style="dim",
    )


def _tag_cell(found: Any, primary: str, detail: int) -> str:
    score = found["measures"][primary]
    interval = f" {points(score['low'], score['high'])}" if detail > 0 else ""
    return f"{percent(score['value'])}{interval} ({found['questions']:,})"


def one_setting(report: Report, names: Names, console: Console) -> None:
    """Rows that differ in one setting only: what the setting changes, and what it costs."""
    if not report.pairs:
        return
    title(console, f"ONE SETTING AT A TIME: {report.settings['primary']}, rows that differ in nothing else")
    pairs = report.pairs
    columns = [
        Column("gain\npoints", [percent(pair.gain) for pair in pairs]),
        Column("95 %\ninterval", [points(pair.low, pair.high) for pair in pairs]),
        Column("characters\nindexed more", [f"{pair.extra_characters:,}" for pair in pairs]),
        Column("", [_changed(pair, report.level) for pair in pairs], True),
    ]
    heads = [f"{pair.setting} {pair.before} → {pair.after}: {names[pair.second]}" for pair in pairs]
    print_table(console, "setting: row", heads, columns)
    paragraph(
        console,
        "gain: points more than the row without the change, on the same questions; better and worse: more "
        f"than chance, with {counted(len(pairs), 'pair')} looked at",
        bullet="  ",
        style="dim",
    )


def _changed(pair: Pair, level: float) -> str:
    if pair.adjusted < level and (pair.low > 0 or pair.high < 0):
        return "better" if pair.gain > 0 else "worse"
    return "level" if pair.low == pair.high == 0 else "cannot tell"


def tests(report: Report, names: Names, console: Console) -> None:
    """Each row against the first one: the tests, what they could have shown, and what would settle it."""
    found = [c for c in report.comparisons if c.adjusted is not None]
    if not found:
        return
    title(console, f"AGAINST {names[found[0].best]}: tests of the difference on {found[0].measure}")
    columns = [
        Column("families\ndiffering", [f"{c.differing:,}" for c in found]),
        Column("p", [_p(c.p) for c in found]),
        Column("p\ncorrected", [_p(c.adjusted) for c in found]),
    ]
    if any(c.midp is not None for c in found):
        columns.append(Column("mid-p", [_p(c.midp) for c in found]))
    columns += [
        Column("detectable\npoints", ["-" if c.detectable is None else percent(c.detectable) for c in found]),
        Column("questions\nneeded", [needed(c) for c in found]),
    ]
    print_table(console, ROW, [names[c.other] for c in found], columns)
    legend = [
        (
            "p: paired sign-flip test over families; corrected: for the number of rows, and for having "
            "picked the best by the same questions"
        ),
        "mid-p: McNemar's test over families",
        "detectable: the smallest difference that would be found in 4 of 5 such sets of questions",
        (
            "needed: questions that would tell the two apart, if the difference is the one seen; too many: "
            "over 10,000, or for a difference of less than 0.1 points"
        ),
    ]
    for text in legend:
        if not text.startswith("mid-p") or any(c.midp is not None for c in found):
            paragraph(console, text, bullet="  ", style="dim")
    if report.chances:
        by_chance = sorted(report.chances.items(), key=lambda item: -item[1])
        told = ", ".join(f"{names[name]} {percent(share)} %" for name, share in by_chance)
        paragraph(
            console,
            f"How likely each is the best of these rows, if nothing was known before: {told}. This is no "
            "test: of two rows that differ in one question it favours one by 63 % or more.",
        )


def _p(p: float | None) -> str:
    return "-" if p is None else f"{p:.3f}"


def everything(report: Report, rows: Rows, names: Names, console: Console) -> None:
    """Every measure with its interval, the damage by kind on both sides of cuts, sizes, costs, seconds."""
    short = [names[row.name] for row in rows]
    measures = list(rows[0].measures) if rows else []
    if measures:
        title(console, "EVERY MEASURE: % with its 95 % interval")
    columns = []
    for measure in measures:
        scores = [row.measures[measure] for row in rows]
        columns.append(Column(measure, [f"{percent(s.value)} [{points(s.low, s.high)}]" for s in scores]))
    print_table(console, ROW, short, columns)
    for side in _SIDES:
        title(console, f"WHERE CHUNKS {'BEGIN' if side == 'starts' else 'END'}: % of the cuts inside of")
        columns = [Column("cuts", [f"{row.boundaries[side]['cuts']:,}" for row in rows])]
        columns += [
            Column(kind, [percent(row.boundaries[side]["shares"][kind]) for row in rows]) for kind in _KINDS
        ]
        print_table(console, ROW, short, columns)
    parted(rows, short, console)
    sizes(rows, short, console)
    _costs(rows, short, console)
    if report.timings:
        title(console, "SECONDS")
        steps = [f"{step} {seconds:.2f}" for step, seconds in report.timings.items() if seconds >= 0.005]
        paragraph(console, ", ".join(steps))


def _costs(rows: Rows, short: Sequence[str], console: Console) -> None:
    title(console, "COSTS in characters")
    heads = {
        "characters_indexed": "indexed",
        "context_characters": "of them\ncontext",
        "slice_characters": "in all\nchunks",
        "covered_characters": "counted\nonce",
        "lost_characters": "in no\nchunk",
    }
    columns = [Column(head, [f"{row.costs[key]:,}" for row in rows]) for key, head in heads.items()]
    print_table(console, ROW, short, columns)
    if not rows[0].costs["sent"]:
        return
    title(console, f"HANDED TO THE READER: {rows[0].costs['unit']}, mean of all questions")
    columns = [
        Column(key, [f"{row.costs['sent'][key]:,.0f}" for row in rows]) for key in rows[0].costs["sent"]
    ]
    print_table(console, ROW, short, columns)


def _first_hit(report: Report) -> list[str]:
    """The first measure that a hit rule decides; none where nothing was measured at a k."""
    ks = list(report.settings["k"])
    return [f"hit@{ks[0]}"] if ks else []
