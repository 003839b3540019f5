"""A gate's outcome as lines for a terminal, Markdown, JUnit XML, and annotations of GitHub Actions."""

from __future__ import annotations

import re
import secrets
from collections.abc import Iterable, Iterator
from pathlib import Path
from typing import Final
from xml.etree import ElementTree

from chunkwise.report.words import counted, plain
from chunkwise.ship.outcome import Lost, Outcome, Spot

__all__ = ["github", "junit", "markdown", "terminal", "uncommanded"]

_LISTED: Final = 20  # lost questions in the terminal and in Markdown; JUnit and annotations have all of them
_REASONS: Final = {
    "lost": "its text is in no chunk",
    "unplaced": "its text is in no chunk with a place",
    "cut": "its answer is cut: no chunk holds all of it",
    "unseen": "a chunk would do, and the model does not read it as far as the answer",
    "long": "a chunk was found, and is longer than the whole budget",
    "unmatched": "a chunk would do, and the search gives it no score",
    "deep": "a chunk would do, and stands far down",
    "outranked": "other chunks stand in front of it",
    "beyond": "other chunks stand in front of it",
    "partial": "a part of it was found",
}
_NO_XML: Final = re.compile("[^\t\n\r\x20-\ud7ff\ue000-\ufffd\U00010000-\U0010ffff]")


def terminal(outcome: Outcome, quiet: bool = False) -> Iterator[str]:
    """Plain lines: the verdict, what failed (without `quiet` every check), and the lost questions.

    Names and texts of users are in them: what would move the cursor or begin a line is shown as U+FFFD.
    """
    for line in _lines(outcome, quiet):
        yield plain(line)


def uncommanded(lines: Iterable[str]) -> Iterator[str]:
    """Lines among which GitHub Actions looks for no command.

    The word that ends this is drawn anew each time, so that no text can hold it.
    """
    word = secrets.token_hex(16)
    yield f"::stop-commands::{word}"
    yield from lines
    yield f"::{word}::"


def _lines(outcome: Outcome, quiet: bool) -> Iterator[str]:
    yield _headline(outcome)
    for check in outcome.failed if quiet else outcome.checks:
        yield f"  {'ok    ' if check.passed else 'FAILED'} {check.rule}: {check.said}"
    if outcome.lost and not (quiet and outcome.passed):
        yield _lost_title(outcome)
        for lost in outcome.lost[:_LISTED]:
            yield f"  {lost.id}: {_change(lost)}" + (
                f" ({_REASONS[lost.reason]})" if lost.reason in _REASONS else ""
            )
            if lost.question:
                yield f"    asked     {lost.question}"
            for spot in lost.expected:
                yield f"    expected  {_place(spot)}"
            for spot in lost.instead:
                yield f"    came      {_place(spot)}"
        if len(outcome.lost) > _LISTED:
            yield f"  and {len(outcome.lost) - _LISTED} more"
    if not quiet:
        for note in outcome.notes:
            yield f"note: {note}"


def markdown(outcome: Outcome) -> str:
    """A summary in Markdown, as `GITHUB_STEP_SUMMARY` takes it."""
    lines = [f"## {_headline(outcome)}", "", "| | rule | what |", "|---|---|---|"]
    lines += [
        f"| {'ok' if c.passed else '**failed**'} | {c.rule} | {_cell(c.said)} |" for c in outcome.checks
    ]
    if outcome.lost:
        lines += ["", f"### {_lost_title(outcome)}", "", "| question | change | expected | came instead |"]
        lines += ["|---|---|---|---|"]
        for lost in outcome.lost[:_LISTED]:
            asked = f"{lost.id}: {lost.question}" if lost.question else lost.id
            cells = (
                _cell(asked),
                _cell(_change(lost)),
                "<br>".join(_cell(_place(spot)) for spot in lost.expected),
                "<br>".join(_cell(_place(spot)) for spot in lost.instead),
            )
            lines.append(f"| {' | '.join(cells)} |")
        if len(outcome.lost) > _LISTED:
            lines.append(f"\nand {len(outcome.lost) - _LISTED} more")
    if outcome.notes:
        lines += ["", *(f"- {_cell(note)}" for note in outcome.notes)]
    return "\n".join(lines) + "\n"


def junit(outcome: Outcome) -> bytes:
    """JUnit XML: a test case for each check, and one for each lost question of a gate that failed."""
    lost = [] if outcome.passed else outcome.lost
    suite = ElementTree.Element(
        "testsuite",
        name="chunkwise gate",
        tests=str(len(outcome.checks) + len(lost)),
        failures=str(len(outcome.failed) + len(lost)),
        errors="0",
        skipped="0",
    )
    for check in outcome.checks:
        case = _case(suite, "chunkwise.gate", f"{check.rule}: {check.subject}")
        if not check.passed:
            ElementTree.SubElement(case, "failure", message=_clean(check.said), type=check.rule)
    for one in lost:
        case = _case(suite, "chunkwise.gate.questions", one.id)
        text = ElementTree.SubElement(case, "failure", message=_clean(_change(one)), type="lost")
        text.text = _clean("\n".join(_told(one)))
    if outcome.notes:
        ElementTree.SubElement(suite, "system-out").text = _clean("\n".join(outcome.notes))
    root = ElementTree.Element("testsuites")
    root.append(suite)
    ElementTree.indent(root)
    found: bytes = ElementTree.tostring(root, encoding="utf-8", xml_declaration=True)
    return found + b"\n"


def github(outcome: Outcome, root: str = "") -> Iterator[str]:
    """Workflow commands of GitHub Actions: an error for each failed check and each lost question.

    Args:
        outcome: of a gate; one that passed gives notices for lost questions.
        root: the documents as seen from the repository: a folder, or the one file.
    """
    folder = Path(root).parent if Path(root).is_file() else Path(root)
    level = "notice" if outcome.passed else "error"
    for check in outcome.failed:
        yield f"::error title={_property(f'gate: {check.rule}')}::{_data(check.said)}"
    for lost in outcome.lost:
        place = ""
        if lost.expected:
            spot = lost.expected[0]
            place = f"file={_property((folder / spot.doc).as_posix())}," + (
                f"line={spot.line}," if spot.line else ""
            )
        told = _data("\n".join(_told(lost)))
        yield f"::{level} {place}title={_property(f'question {lost.id}')}::{told}"


def _headline(outcome: Outcome) -> str:
    row = outcome.now.row
    what = f"{row.spec} @ {row.retriever}" if row is not None else outcome.now.source
    verdict = "gate passed" if outcome.passed else "GATE FAILED"
    return f"{verdict}: {what} against {outcome.before.source}, {counted(outcome.now.questions, 'question')}"


def _lost_title(outcome: Outcome) -> str:
    count = len(outcome.lost)
    had = "has" if count == 1 else "have"
    return f"{counted(count, 'question')} {had} less than in {outcome.before.source}"


def _change(lost: Lost) -> str:
    before = "" if lost.before is None else f" from {lost.before:.3g}"
    must = "must pass; " if lost.must else ""
    return f"{must}{lost.measure}{before} to {lost.now:.3g}"


def _told(lost: Lost) -> Iterator[str]:
    if lost.question:
        yield f"asked: {lost.question}"
    yield _change(lost) + (f"; {_REASONS[lost.reason]}" if lost.reason in _REASONS else "")
    yield from (f"expected: {_place(spot)}" for spot in lost.expected)
    yield from (f"came: {_place(spot)}" for spot in lost.instead)


def _place(spot: Spot) -> str:
    where = f"{spot.doc}:{spot.line}" if spot.line else spot.doc
    path = f" [{' > '.join(spot.path)}]" if spot.path else ""
    return f"{where}{path}" + (f" {spot.text}" if spot.text else "")


def _cell(text: str) -> str:
    folded = " ".join(text.split())
    return re.sub(r"([\\|<>`*_~&\[\]])", r"\\\1", folded)


def _case(suite: ElementTree.Element, group: str, name: str) -> ElementTree.Element:
    return ElementTree.SubElement(suite, "testcase", classname=group, name=_clean(name))


def _clean(text: str) -> str:
    """A text without what XML cannot hold."""
    return _NO_XML.sub("\ufffd", text)


def _data(text: str) -> str:
    return text.replace("%", "%25").replace("\r", "%0D").replace("\n", "%0A")


def _property(text: str) -> str:
    return _data(text).replace(":", "%3A").replace(",", "%2C")
