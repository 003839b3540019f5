"""`fix_golden`: the faults of a golden file that can be mended without asking."""

from __future__ import annotations

import copy
from pathlib import Path
from typing import Any

from chunkwise.files import replaced
from chunkwise.golden import faults
from chunkwise.golden.examine import examine
from chunkwise.golden.faults import Fault, Fixed
from chunkwise.golden.rows import Rows, parse_rows, read_rows
from chunkwise.types import Corpus

_ROUNDS = 4


def fix_golden(path: str | Path, corpus: Corpus, out: str | Path) -> Fixed:
    """Apply the safe fixes to a golden file and write it to `out` (which may be the same file).

    Mended are: offsets counted in other units, or moved by an edit, where the quote says where they
    belong; quotes that differ in case or typographic signs from the one place they fit; the name of a
    document, where the quotes stand in one other place only; missing ids. Every other line stays byte
    for byte as it was. The file is written beside and renamed.

    Raises:
        GoldenError: the file cannot be read.
    """
    rows = read_rows(path)
    bom = rows.bom
    mended: list[Fault] = []
    found = examine(rows, corpus).faults
    # A fix may bring up another fault of the same entry, so look again.
    for _ in range(_ROUNDS):
        changed = _changes(rows, found)
        if not changed:
            break
        rows = parse_rows(rows.replaced(changed), rows.source)
        before, found = found, examine(rows, corpus).faults
        left = {(fault.entry, fault.message) for fault in found}
        mended += [f for f in before if f.fix is not None and (f.entry, f.message) not in left]
    with replaced(Path(out).resolve()) as file:
        file.write((("\ufeff" if bom else "") + rows.text).encode("utf-8"))
    return Fixed(tuple(mended), tuple(found))


def _changes(rows: Rows, found: list[Fault]) -> dict[int, dict[str, Any]]:
    """The changed data of each entry, by its number. Where two fixes disagree neither is made."""
    wanted: dict[int, dict[faults.Path, set[Any]]] = {}
    for fault in found:
        for path, value in fault.fix.edits if fault.fix is not None else ():
            wanted.setdefault(fault.entry, {}).setdefault(path, set()).add(value)
    changed: dict[int, dict[str, Any]] = {}
    for number, edits in wanted.items():
        if all(len(values) == 1 for values in edits.values()):
            data = copy.deepcopy(rows.rows[number].data)
            for path, (value,) in edits.items():
                data = _edited(data, path, value)
            changed[number] = data
    return changed


def _edited(data: dict[str, Any], path: faults.Path, value: Any) -> dict[str, Any]:
    """The data with one value replaced; an id that was missing comes first."""
    if path == ("id",) and "id" not in data:
        return {"id": value, **data}
    holder: Any = data
    for step in path[:-1]:
        holder = holder[step]
    holder[path[-1]] = value
    return data
