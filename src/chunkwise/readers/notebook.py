"""Jupyter notebooks: their texts as they are, their code in fences, printed output behind it."""

from __future__ import annotations

import json
import re
from collections.abc import Iterator
from typing import Any, Final

from chunkwise.errors import ReadError
from chunkwise.readers.acting import ActingParse
from chunkwise.readers.options import DEFAULT, SKIP, Options
from chunkwise.structure import parse_markdown
from chunkwise.types import Document, Origin

LONGEST_OUTPUT: Final = 2_000
"""Characters of the longest output that is kept; longer ones are mostly data."""
_TERMINAL = re.compile(r"\x1b\[[0-9;]*[A-Za-z]")
_TICKS = re.compile(r"^\s*(`{3,})", re.MULTILINE)


def read_notebook(data: bytes, id: str, encoding: str | None, /, options: Options = DEFAULT) -> Document:
    """A notebook as Markdown; `origins` name the cells, from 1. Pictures and HTML in outputs are left out.

    Raises:
        ReadError: no JSON, or no notebook; the message names the line.
    """
    del encoding  # JSON is UTF-8
    try:
        found = json.loads(data)
        cells = found["cells"]
        if not isinstance(cells, list):
            raise TypeError("'cells' is no list")
        language = str(found.get("metadata", {}).get("kernelspec", {}).get("language", "") or "python")
        parts, origins, length = [], [], 0
        for number, cell in enumerate(cells, 1):
            said = "\n".join(_cell(cell, language))
            if said:
                origins.append(Origin(length, 0, element=f"cell {number}"))
                parts.append(said)
                length += len(said) + 1
        text = "\n".join(parts)
    except RecursionError as error:
        raise ReadError(id, f"is nested too deep to be a notebook; {SKIP[3:]}") from error
    except json.JSONDecodeError as error:
        raise ReadError(
            id,
            f"line {error.lineno}: no valid JSON ({error.msg}): truncated? Save the notebook again, {SKIP}",
        ) from error
    except UnicodeDecodeError as error:
        raise ReadError(id, f"byte {error.start} is not UTF-8; save the notebook again, {SKIP}") from error
    except (KeyError, TypeError, AttributeError, ValueError) as error:
        raise ReadError(
            id, f"is no notebook of version 4 ({error}); open it in Jupyter and save it again, {SKIP}"
        ) from error
    parse = ActingParse(parse_markdown, options.headings) if options.headings else parse_markdown
    return Document(id, text, parse, origins=origins)


def _cell(cell: dict[str, Any], language: str) -> Iterator[str]:
    source = _joined(cell["source"])
    if not source.strip():
        return
    if cell["cell_type"] != "code":
        yield source.strip("\n") + "\n"
        return
    yield _fenced(source, language)
    for output in cell.get("outputs", ()):
        said = output.get("text") or (output.get("data") or {}).get("text/plain") or ""
        said = _TERMINAL.sub("", _joined(said)).strip("\n")
        if said.strip() and len(said) <= LONGEST_OUTPUT:
            yield _fenced(said, "text")


def _joined(source: Any) -> str:
    return "".join(source) if isinstance(source, list) else str(source)


def _fenced(text: str, language: str) -> str:
    longest = max((len(ticks) for ticks in _TICKS.findall(text)), default=2)
    fence = "`" * (longest + 1)
    body = text.strip("\n")
    return f"{fence}{language}\n{body}\n{fence}\n"
