"""A profile for people: what is in the documents, what to beware of, and which sizes to compare."""

from __future__ import annotations

import json
from collections.abc import Sequence
from shlex import quote
from typing import TYPE_CHECKING

from chunkwise.report.tables import Column, paragraph, percent, print_table, title, wide_enough
from chunkwise.report.words import counted
from chunkwise.types.profile import Lengths, Profile

if TYPE_CHECKING:
    from rich.console import Console

__all__ = ["profile_json", "render_profile"]

_SHOWN = 3
_MANY = 20
_NAMES = {
    "section": "sections",
    "paragraph": "paragraphs",
    "list": "lists",
    "table": "tables",
    "code": "code blocks",
    "quote": "quotes",
    "admonition": "admonitions",
    "html": "HTML blocks",
    "front matter": "front matter",
    "footnote": "footnotes",
}
_RUNGS = {
    "blank line": "blank lines",
    "line end": "… or line ends",
    "sentence end": "… or sentence ends",
    "white space": "… or white space",
}


def profile_json(profile: Profile) -> bytes:
    """The profile as JSON in UTF-8, line end included."""
    text = json.dumps(profile.to_dict(), ensure_ascii=False, indent=1)
    return f"{text}\n".encode("utf-8", "backslashreplace")


def render_profile(profile: Profile, console: Console, *, docs: str = "docs/", detail: int = 0) -> None:
    """Print a profile.

    Args:
        profile: what is printed.
        console: where to.
        docs: the documents as the user named them, for the commands at the end.
        detail: -1 for what to beware of and what to try, 0, or 1 for every document.
    """
    with wide_enough(console):
        _about(profile, console)
        _warnings(profile, console)
        if detail >= 0:
            _pieces(profile, console)
            _stretches(profile, console)
            _documents(profile, console, detail)
            _repeated(profile, console, detail)
        _proposal(profile, console, docs)


def _about(profile: Profile, console: Console) -> None:
    documents = counted(len(profile.documents), "document")
    headings = sum(row.headings for row in profile.documents)
    unit = _unit(profile)
    paragraph(
        console,
        f"{documents}, {counted(profile.characters, 'character')}, {counted(headings, 'heading')}; "
        f"{profile.rate:.1f} characters a {unit}",
        style="bold",
    )


def _unit(profile: Profile) -> str:
    return {"words": "word", "chars": "character"}.get(profile.unit, f"token of {profile.unit}")


def _columns(rows: Sequence[Lengths], sizes: Sequence[int]) -> list[Column]:
    columns = [
        Column("count", [f"{row.count:,}" for row in rows]),
        Column("% of\ntext", [percent(row.share) for row in rows]),
        Column("median", [f"{row.median:,.0f}" for row in rows]),
        Column("p90", [f"{row.p90:,.0f}" for row in rows]),
        Column("longest", [f"{row.longest:,}" for row in rows]),
    ]
    columns += [
        Column(f"% over\n{size:,}", [percent(row.over[size]) if row.count else "-" for row in rows])
        for size in sizes
    ]
    return columns


def _pieces(profile: Profile, console: Console) -> None:
    rows = [row for row in (profile.sections, *profile.blocks) if row.count]
    if not rows:
        return
    title(console, "WHAT IT IS MADE OF: lengths in characters")
    names = [_NAMES.get(row.kind, row.kind) for row in rows]
    print_table(console, "", names, _columns(rows, list(profile.sections.over)))
    _legend(
        console,
        "sections: from a heading to the next one, headings without text of their own left aside; p90: nine "
        "in ten are not longer; % over: share of them that no chunk of this size can hold whole",
    )
    _longest(rows, names, console)


def _longest(rows: Sequence[Lengths], names: Sequence[str], console: Console) -> None:
    """Where the longest of each kind stand, those first that are longer than any chunk."""
    long = [
        (row, name)
        for row, name in zip(rows, names, strict=True)
        if row.at is not None and row.over and row.longest > max(row.over)
    ]
    for row, name in sorted(long, key=lambda found: -found[0].longest)[:_SHOWN]:
        below = f", below {' › '.join(row.at.path)}" if row.at is not None and row.at.path else ""
        paragraph(console, f"longest of the {name}: {row.longest:,} at {row.at}{below}", bullet="- ")


def _stretches(profile: Profile, console: Console) -> None:
    title(console, "WHERE IT CAN BE CUT: characters between two")
    rows = profile.stretches
    columns = [
        Column("median", [f"{row.median:,.0f}" for row in rows]),
        Column("longest", [f"{row.longest:,}" for row in rows]),
    ]
    columns += [
        Column(f"over\n{size:,}", [f"{round(row.over[size] * row.count):,}" for row in rows])
        for size in profile.sections.over
    ]
    print_table(console, "", [_RUNGS[row.kind] for row in rows], columns)
    _legend(
        console,
        "over: how many of these stretches are longer; there a chunker has to cut at what the next line adds",
    )
    for row in rows:
        if row.at is not None and row.over and row.longest > max(row.over):
            place = _RUNGS[row.kind].removeprefix("… or ")
            paragraph(console, f"longest between two {place}: {row.longest:,} at {row.at}", bullet="- ")


def _documents(profile: Profile, console: Console, detail: int) -> None:
    rows = sorted(profile.documents, key=lambda row: -row.characters)
    if len(rows) < 2:
        return
    shown = rows if detail > 0 else rows[:_SHOWN]
    unit = _unit(profile)
    title(console, "THE DOCUMENTS" if detail > 0 else f"THE LARGEST OF {len(rows):,} DOCUMENTS")
    print_table(
        console,
        "",
        [row.doc for row in shown],
        [
            Column("characters", [f"{row.characters:,}" for row in shown]),
            Column("% of\ntext", [percent(row.share) for row in shown]),
            Column("headings", [f"{row.headings:,}" for row in shown]),
            Column(f"characters\na {unit.partition(' ')[0]}", [f"{row.rate:.1f}" for row in shown]),
            Column("% also in\nothers", [percent(row.repeated) for row in shown]),
        ],
    )
    rated = sorted((row for row in rows if row.units >= _MANY), key=lambda row: (row.rate, row.doc))
    if detail <= 0 and len(rated) > 1:
        low, high = rated[0], rated[-1]
        paragraph(
            console,
            f"characters a {unit}: from {low.rate:.1f} ({low.doc}) to {high.rate:.1f} ({high.doc})",
            bullet="- ",
        )


def _repeated(profile: Profile, console: Console, detail: int) -> None:
    repeated = profile.repeated
    if not repeated.texts:
        return
    title(console, "WHAT STANDS MORE THAN ONCE")
    paragraph(
        console,
        f"{counted(repeated.texts, 'text')} of 40 characters or more; the repetitions are "
        f"{percent(repeated.share)} % of all text",
    )
    for found in repeated.most if detail > 0 else repeated.most[:_SHOWN]:
        where = ", ".join(map(str, found["at"])) + (", …" if found["times"] > len(found["at"]) else "")
        paragraph(
            console,
            f"{found['times']:,} times {found['characters']:,} characters ({where}): {found['text']}",
            bullet="- ",
        )


def _warnings(profile: Profile, console: Console) -> None:
    if profile.warnings:
        title(console, "BEWARE")
    for text in profile.warnings:
        paragraph(console, text, bullet="- ")


def _proposal(profile: Profile, console: Console, docs: str) -> None:
    title(console, "SIZES TO COMPARE, in characters")
    for reason in profile.proposal.reasons:
        paragraph(console, reason, bullet="- ")
    console.print()
    console.print(f"chunkwise compare {quote(docs)} --golden golden.jsonl \\", soft_wrap=True)
    options = [f"    -c '{spec}'" for spec in profile.proposal.chunkers]
    console.print(" \\\n".join(options), soft_wrap=True)


def _legend(console: Console, text: str) -> None:
    paragraph(console, text, bullet="  ", style="dim")
