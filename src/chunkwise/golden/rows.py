"""A golden file as rows: JSON Lines, a plain JSON list, or CSV, recognised by what they hold.

Each row knows the slice of the file it stands in, so that one row can be written anew while every
other byte stays as it is.
"""

from __future__ import annotations

import csv
import io
import json
import os
import re
from bisect import bisect_right
from collections.abc import Iterator
from dataclasses import dataclass, field
from pathlib import Path
from typing import Any

from chunkwise.errors import GoldenError, SettingError
from chunkwise.golden.faults import Problem
from chunkwise.types import GoldenSet

REFERENCES = "references"
_LINE_END = re.compile(r"\r\n|\n|\r")
_SPACE = re.compile(r"[ \t\r\n]*")
_FORMS = (
    "write one JSON object a line (JSON Lines), a JSON list of objects, or CSV with the columns "
    "question, doc and gold (or references)"
)


@dataclass(slots=True)
class Row:
    """One entry of a golden file."""

    line: int
    """Line where it begins, counted from 1."""
    start: int
    """Its slice of the file's text."""
    end: int
    data: dict[str, Any] = field(default_factory=dict)
    """Keys and values as written; of CSV, the cells that are not empty."""
    problem: Problem | None = None
    """Why it could not be read."""


@dataclass(slots=True)
class Rows:
    """All entries of a golden file."""

    source: str
    """The file, as it was named."""
    text: str
    """Its whole text, without a byte order mark."""
    form: str
    """`lines`, `list` or `csv`."""
    rows: list[Row]
    bom: bool = False
    """Whether the file begins with a byte order mark."""
    columns: tuple[str, ...] = ()
    """The columns of CSV."""

    def replaced(self, changed: dict[int, dict[str, Any]]) -> str:
        """The text of the file with some rows (by number) written anew."""
        pieces, last = [], 0
        for number, data in sorted(changed.items()):
            row = self.rows[number]
            pieces += [self.text[last : row.start], self._written(row, data)]
            last = row.end
        return "".join([*pieces, self.text[last:]])

    def _written(self, row: Row, data: dict[str, Any]) -> str:
        old = self.text[row.start : row.end]
        if self.form != "csv":
            inner = re.search(r"\n([ \t]*)[\"}]", old)
            if inner is None:
                return json_text(data)
            step = len(inner[1].expandtabs(4)) // 2
            end = "\r\n" if "\r\n" in old else "\n"
            return json_text(data, step).replace("\n", end + " " * step)
        out = io.StringIO()
        cells = [_cell(data.get(column, "")) for column in self.columns]
        csv.writer(out, lineterminator=old[len(old.rstrip("\r\n")) :]).writerow(cells)
        return out.getvalue()


def read_rows(path: str | Path) -> Rows:
    """The rows of a golden file. Rows that cannot be read are there with their problem.

    Raises `GoldenError` where the whole file cannot be read: missing, not UTF-8, of no known form; and
    `SettingError` where `path` is none.
    """
    _check_path(path)
    source = str(path)
    try:
        data = Path(path).read_bytes()
    except OSError as error:
        raise GoldenError(
            f"{source}: {error.strerror or error}; name a golden set that can be read"
        ) from error
    try:
        text = data.decode("utf-8")
    except UnicodeDecodeError as error:
        line = data.count(b"\n", 0, error.start) + 1
        raise GoldenError(
            f"{source}:{line}: byte {error.start} is not UTF-8 ({error.reason}); save the file as UTF-8"
        ) from error
    return parse_rows(text, source)


def check_source(golden: object) -> None:
    """Refuse what is no golden set and no path of one, or is not there, before a corpus is read for it."""
    if golden is not None and not isinstance(golden, GoldenSet):
        _check_path(golden)


def _check_path(path: object) -> None:
    if not isinstance(path, str | os.PathLike):
        raise SettingError(
            f"a golden set is a file, given by its path, got {type(path).__name__}; write one JSON object a "
            "line, and load_golden(path, corpus)"
        )
    if not Path(path).exists():
        raise GoldenError(
            f"{path}: No such file; name a golden set, or have one drafted: chunkwise draft DOCS -o FILE"
        )


def parse_rows(text: str, source: str) -> Rows:
    """The rows of the text of a golden file; `source` names it in messages and tells CSV by its ending."""
    bom = text.startswith("\ufeff")
    text = text[1:] if bom else text
    first = text[_SPACE.match(text).end() :][:1]  # type: ignore[union-attr] # matches the empty text
    if not first:
        rows = Rows(source, text, "lines", [])
    elif source.lower().endswith(".csv"):
        if first in "[{":
            raise GoldenError(f"{source}:1: this is JSON, not CSV; give it the ending .jsonl")
        rows = _csv(text, source)
    elif first == "[":
        rows = Rows(source, text, "list", list(_json_list(text)))
    elif first == "{" or source.lower().endswith((".jsonl", ".ndjson")):
        if first != "{" and _parting(text.splitlines()[0]):
            raise GoldenError(f"{source}:1: this is CSV, not JSON Lines; give it the ending .csv")
        rows = Rows(source, text, "lines", list(_json_lines(text)))
        _check_wrapped(rows)
    elif "," in text.splitlines()[0] or _parting(text.splitlines()[0]):
        rows = _csv(text, source)
    else:
        raise GoldenError(f"{source}:1: this is no golden set; {_FORMS}")
    rows.bom = bom
    return rows


def json_text(data: Any, indent: int | None = None) -> str:
    """JSON on one line (or indented), with letters as they are unless they cannot be written as UTF-8."""
    text = json.dumps(data, ensure_ascii=False, indent=indent)
    try:
        text.encode("utf-8")
    except UnicodeEncodeError:
        return json.dumps(data, indent=indent)
    return text


def each_key_once(pairs: list[tuple[str, Any]]) -> dict[str, Any]:
    """An object of JSON, unless it has a key twice: which of the two is meant cannot be known. For
    `object_pairs_hook`; raises `ValueError`.
    """
    data = dict(pairs)
    if len(data) < len(pairs):
        names = [name for name, _ in pairs]
        twice = next(name for name in names if names.count(name) > 1)
        raise ValueError(f"the key {twice!r} stands twice")
    return data


def _constant(name: str) -> Any:
    raise ValueError(f"{name} is no JSON value")


_DECODER = json.JSONDecoder(object_pairs_hook=each_key_once, parse_constant=_constant)


def _decode(text: str, start: int) -> tuple[Any, int]:
    """The JSON value at `start` and its end; `Problem` where it is broken."""
    try:
        return _DECODER.raw_decode(text, start)
    except json.JSONDecodeError as error:
        raise Problem(f"broken JSON ({error.msg}, column {error.colno})", "correct the line") from error
    except RecursionError as error:
        raise Problem("JSON nested too deep", "write a plain object") from error
    except ValueError as error:
        raise Problem(f"broken JSON ({error})", "correct the line") from error


def _object(row: Row, value: Any) -> Row:
    if isinstance(value, dict):
        row.data = value
    else:
        row.problem = Problem(f"an entry is a JSON object, this is {kind(value)}", 'write {"id": …, …}')
    return row


def kind(value: Any) -> str:
    """What sort of JSON value this is, in words."""
    names = {bool: "true or false", int: "a number", float: "a number", str: "a text", list: "a list"}
    return names.get(type(value), "null" if value is None else "an object")


def _json_lines(text: str) -> Iterator[Row]:
    start, line, skip = 0, 0, 0
    bounds = [*(match.span() for match in _LINE_END.finditer(text)), (len(text), len(text))]
    for end, after in bounds:
        line += 1
        begin = _SPACE.match(text, start, end).end()  # type: ignore[union-attr] # matches the empty text
        start = after
        if begin >= end or begin < skip:
            continue
        row = Row(line, begin, begin + len(text[begin:end].rstrip(" \t")))
        try:
            value, stop = _decode(text[begin : row.end], 0)
            if stop < row.end - begin:
                raise Problem(f"more text after the object, column {stop + 1}", "write one object a line")
            yield _object(row, value)
        except Problem as problem:
            row.problem = problem
            try:
                _, stop = _decode(text, begin)
            except Problem:
                pass
            else:
                if stop > row.end:
                    lines = len(_LINE_END.findall(text, begin, stop))
                    row.problem = Problem(
                        f"one object over lines {line} to {line + lines}", "write one object a line"
                    )
                    row.end = skip = stop
            yield row


def _json_list(text: str) -> Iterator[Row]:
    breaks = [match.end() for match in _LINE_END.finditer(text)]

    def at(position: int) -> Row:
        return Row(bisect_right(breaks, position) + 1, position, position)

    def skip(position: int) -> int:
        return _SPACE.match(text, position).end()  # type: ignore[union-attr] # matches the empty text

    def broken(position: int, found: str) -> Row:
        row = at(min(position, len(text)))
        row.problem = Problem(
            f"broken JSON ({found})", "correct it; what stands behind it in the list was not read"
        )
        return row

    position = skip(skip(0) + 1)
    if text[position : position + 1] == "]":
        position = skip(position + 1)
        if position < len(text):
            yield broken(position, "text after the list")
        return
    while True:
        row = at(position)
        try:
            value, position = _DECODER.raw_decode(text, position)
        except (ValueError, RecursionError) as error:
            if isinstance(error, json.JSONDecodeError):
                row.line = at(error.pos).line
                reason = f"{error.msg}, column {error.colno}"
            else:
                reason = str(error)
            row.problem = Problem(
                f"broken JSON ({reason})", "correct it; what stands behind it in the list was not read"
            )
            yield row
            return
        row.end = position
        yield _object(row, value)
        position = skip(position)
        mark = text[position : position + 1]
        position = skip(position + 1)
        if mark == "]" and position == len(text):
            return
        if mark != ",":
            yield broken(position, "text after the list" if mark == "]" else "no comma or ] after the entry")
            return


def _csv(text: str, source: str) -> Rows:
    lines = [text[a:b] for a, b in _line_spans(text)]
    starts = [a for a, _ in _line_spans(text)] + [len(text)]
    reader = csv.reader(lines)
    header: list[str] | None = None
    rows: list[Row] = []
    while True:
        first = reader.line_num
        try:
            cells = next(reader)
        except StopIteration:
            break
        except csv.Error as error:
            row = Row(first + 1, starts[first], starts[reader.line_num])
            row.problem = Problem(f"broken CSV ({error})", "correct the record")
            rows.append(row)
            continue
        if not any(cell.strip() for cell in cells):
            continue
        if header is None:
            header = [cell.strip() for cell in cells]
            twice = next((name for name in header if name and header.count(name) > 1), None)
            parting = _parting(lines[first])
            if "question" not in header and parting not in ("", ","):
                raise GoldenError(
                    f"{source}:{first + 1}: columns are parted by {parting!r}; save them with commas between"
                )
            if "question" not in header or twice is not None:
                found = f"the column {twice!r} stands twice" if twice else "no column 'question'"
                raise GoldenError(f"{source}:{first + 1}: {found} (columns: {', '.join(header)}); {_FORMS}")
            continue
        row = Row(first + 1, starts[first], starts[reader.line_num])
        if len(cells) != len(header):
            row.problem = Problem(
                f"{len(cells)} cells where the header has {len(header)}", "give each column its cell"
            )
        else:
            pairs = zip(header, cells, strict=True)
            row.data = {name: cell for name, cell in pairs if name and (cell or name == "question")}
            _convert_cells(row)
        rows.append(row)
    if rows and rows[-1].problem is None and _is_open(text[rows[-1].start : rows[-1].end]):
        rows[-1].problem = Problem("a quotation mark is never closed: all behind it is one cell", "close it")
    return Rows(source, text, "csv", rows, columns=tuple(header or ()))


def _check_wrapped(found: Rows) -> None:
    """Refuse one object that holds the list of questions under a name of its own."""
    data = found.rows[0].data if len(found.rows) == 1 else {}
    for key, value in data.items() if "question" not in data else ():
        if isinstance(value, list) and value and all(isinstance(one, dict) for one in value):
            raise GoldenError(
                f"{found.source}:1: the questions stand in {key!r} of one object; write the list alone"
            )


def _is_open(record: str) -> bool:
    """Whether a record of CSV ends inside of quotation marks."""
    try:
        list(csv.reader(io.StringIO(record, newline=""), strict=True))
    except csv.Error as error:
        return "unexpected end" in str(error)
    return False


def _parting(line: str) -> str:
    """What parts the columns of a line of names, one of which is `question`; empty for other lines."""
    for mark in (",", ";", "\t", "|"):
        names = [name.strip().strip('"') for name in line.split(mark)]
        if len(names) > 1 and "question" in names:
            return mark
    return ""


def _convert_cells(row: Row) -> None:
    """Cells that hold JSON or a number become values, as the other forms have them."""
    references = row.data.get(REFERENCES)
    if isinstance(references, str):
        try:
            value, stop = _decode(references, 0)
            if references[stop:].strip():
                raise Problem(f"broken JSON (text after column {stop})", "correct the cell")
            row.data[REFERENCES] = value
        except Problem as problem:
            row.problem = Problem(f"{problem.message} in the column '{REFERENCES}'", "correct the cell")
    for name in ("start", "end"):
        cell = row.data.get(name, "")
        if re.fullmatch(r"\s*-?[0-9]{1,18}\s*", cell):
            row.data[name] = int(cell)
    if row.data.get("reviewed", "").lower() in ("true", "false"):
        row.data["reviewed"] = row.data["reviewed"].lower() == "true"


def _cell(value: Any) -> str:
    if isinstance(value, bool):
        return "true" if value else "false"
    return value if isinstance(value, str) else json.dumps(value)


def _line_spans(text: str) -> list[tuple[int, int]]:
    ends = [match.end() for match in _LINE_END.finditer(text)]
    if not ends or ends[-1] < len(text):
        ends.append(len(text))
    return list(zip([0, *ends[:-1]], ends, strict=True))
