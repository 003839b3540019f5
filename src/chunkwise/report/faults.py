"""The faults of a golden set, for people and for editors: `file:line: what is wrong; the remedy`."""

from __future__ import annotations

from collections.abc import Iterator, Sequence
from typing import Protocol

from chunkwise.report.words import counted

__all__ = ["advice_lines", "fault_lines", "fixed_lines"]


class Faulty(Protocol):
    """A fault: its text form says where it stands, what is wrong and what to do."""

    @property
    def fix(self) -> object | None:
        """The safe change that mends it; None where only a person can tell."""
        ...


class Checked(Protocol):
    """What was found in a golden set."""

    @property
    def faults(self) -> Sequence[Faulty]:
        """Every fault."""
        ...

    @property
    def advice(self) -> Sequence[str]:
        """What would make it a better one."""
        ...

    @property
    def questions(self) -> int:
        """Number of entries, the faulty ones among them."""
        ...

    @property
    def sound(self) -> int:
        """Number of questions that can be scored."""
        ...


def fault_lines(found: Checked) -> Iterator[str]:
    """A line a fault, the safe fix below it, and how many there are."""
    for fault in found.faults:
        yield str(fault)
        if fault.fix is not None:
            yield f"    --fix writes: {fault.fix}"
    faults, questions = len(found.faults), counted(found.questions, "question")
    if not faults:
        yield f"{questions}, no faults"
        return
    mended = sum(fault.fix is not None for fault in found.faults)
    safe = f"; --fix mends {mended:,} of them" if mended else ""
    yield f"{counted(faults, 'fault')}{safe}; {found.sound:,} of {questions} can be scored"


def advice_lines(found: Checked) -> Iterator[str]:
    """A line an advice; nothing of it stops a comparison."""
    for advice in found.advice:
        yield f"advice: {advice}"


def fixed_lines(fixed: Sequence[Faulty], where: str) -> Iterator[str]:
    """A line a fault that was mended."""
    for fault in fixed:
        yield f"mended: {fault}"
        yield f"    now: {fault.fix}"
    yield f"{counted(len(fixed), 'fault')} mended, written to {where}"
