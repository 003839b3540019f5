"""Names of rows, short enough for a table: what all rows share is said once and left out."""

from __future__ import annotations

from collections.abc import Sequence

from chunkwise.types import CandidateReport

__all__ = ["Names", "folded"]

_AT = " @ "
_MARKS = ",:@ /."


class Names:
    """The rows' names for tables."""

    def __init__(self, rows: Sequence[CandidateReport]) -> None:
        """Find the settings that every row without a label of its own shares, such as `size=800`."""
        plain = [row for row in rows if not _own_label(row)]
        settings = [[part for part in _parts(row.spec)[1] if "=" in part] for row in plain]
        common = [part for part in settings[0] if all(part in own for own in settings)] if settings else []
        self.shared: tuple[str, ...] = tuple(common) if len(plain) > 1 else ()
        self._short = {row.name: row.name if _own_label(row) else self._shorten(row) for row in rows}
        if len(set(self._short.values())) < len(self._short):
            self.shared, self._short = (), {row.name: row.name for row in rows}
        self.labelled = {row.name: row.spec for row in rows if _own_label(row)}
        """The text form behind each label."""

    def _shorten(self, row: CandidateReport) -> str:
        name, parts = _parts(row.spec)
        left = [part for part in parts if part not in self.shared]
        short = f"{name}:{','.join(left)}" if left else name
        return f"{short}{_AT}{row.retriever}" if row.label else short

    def __getitem__(self, name: str) -> str:
        """The short name of a row."""
        return self._short.get(name, name)


def _own_label(row: CandidateReport) -> bool:
    """Whether the user named the row. Rows that share a chunker are named after chunker and retriever."""
    return bool(row.label) and row.label != f"{row.spec}{_AT}{row.retriever}"


def _parts(spec: str) -> tuple[str, list[str]]:
    name, _, settings = spec.partition(":")
    return name, settings.split(",") if settings else []


def folded(name: str, width: int) -> str:
    """A name on lines of at most `width` characters, broken behind a mark where there is one."""
    lines, rest = [], name
    while len(rest) > width:
        cut = max((rest.rfind(mark, 0, width) + 1 for mark in _MARKS), default=0)
        cut = cut if cut > width // 3 else width
        lines.append(rest[:cut].rstrip())
        rest = rest[cut:].lstrip()
    return "\n".join([*lines, rest])
