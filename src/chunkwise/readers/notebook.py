"""Jupyter notebooks: their texts as they are, their code in fences, printed output behind it."""

from __future__ import annotations

import json
import re
from collections.abc import Iterator
from typing import Any, Final

from chunkwise.errors import ReadError
from chunkwise.readers.acting import ActingParse
from chunkwise.readers.clean.invisible import TERMINAL
from chunkwise.readers.options import DEFAULT, SKIP, Options
from chunkwise.structure import parse_markdown
from chunkwise.types import BlockKind, Document, Origin

LONGEST_OUTPUT: Final = 2_000
"""Characters of the longest output that is kept; longer ones are mostly data."""
_TERMINAL = re.compile(TERMINAL)
_ERASED = re.compile(r"^.*(?:\r\x1b\[0?K|\x1b\[2K)", re.MULTILINE)
"""What a terminal has erased of a line: all behind a return, or the whole line."""
_LINE_END = re.compile(r"\r+\n")
_TICKS = re.compile(r"^\s*(`{3,})", re.MULTILINE)
_FENCE = re.compile(r"[ \t]*(`{3,}|~{3,})")
_OPENING: Final = ("```", "~~~", "<!--")
_MAGIC = re.compile(r"\s*%%(bash|sh|sql|html|javascript|js|latex|markdown|perl|ruby|R|svg)\b")


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
        language = _language(found.get("metadata"))
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


def _language(metadata: Any) -> str:
    """The language of the kernel, or of the text; Python where neither is told."""
    about = metadata if isinstance(metadata, dict) else {}
    for name, key in (("kernelspec", "language"), ("language_info", "name")):
        told = about.get(name)
        if isinstance(told, dict) and told.get(key):
            return str(told[key])
    return "python"


def _own_language(cell: dict[str, Any]) -> str:
    """The language of a cell where it says one of its own, as VS Code and Polyglot Notebooks write it."""
    about = cell.get("metadata")
    for name, key in (("vscode", "languageId"), ("dotnet_interactive", "language")):
        told = about.get(name) if isinstance(about, dict) else None
        if isinstance(told, dict) and told.get(key):
            return str(told[key])
    return ""


def _cell(cell: dict[str, Any], language: str) -> Iterator[str]:
    source = _joined(cell.get("source") or "")
    if not source.strip():
        return
    if cell["cell_type"] != "code":
        yield _closed(source.strip("\n")) + "\n"
        return
    magic = _MAGIC.match(source)
    yield _fenced(source, magic[1].lower() if magic is not None else _own_language(cell) or language)
    for output in cell.get("outputs") or ():
        said = _printed(_joined(_output(output))).strip("\n")
        if said.strip() and len(said) <= LONGEST_OUTPUT:
            yield _fenced(said, "text")


def _closed(text: str) -> str:
    """The text of a cell, with an end for the fence or comment that it opens: no cell goes on in the next."""
    if not any(mark in text for mark in _OPENING):
        return text
    structure = parse_markdown(text, "")
    if not any("never closed" in notice.message for notice in structure.notices):
        return text
    last = structure.blocks[structure.blocks.top()[-1]]
    opened = _FENCE.match(text, last.span.start)
    return f"{text}\n{opened[1]}" if last.kind == BlockKind.CODE and opened is not None else f"{text} -->"


def _output(output: dict[str, Any]) -> Any:
    """What a cell printed, gave, or failed with; not how an object calls itself that is shown otherwise."""
    if output.get("output_type") == "error":
        return f"{output.get('ename', 'Error')}: {output.get('evalue', '')}"
    data = output.get("data") or {}
    said = output.get("text") or data.get("text/plain") or ""
    shown = data.get("text/markdown") or data.get("text/latex")
    return shown if shown and _joined(said).startswith("<") else said


def _printed(text: str) -> str:
    """What is left of an output when all of it is printed: a return or a step back is written over."""
    text = _LINE_END.sub("\n", _TERMINAL.sub("", _ERASED.sub("", text)))
    if "\b" in text:
        kept: list[str] = []
        for char in text:
            if char != "\b":
                kept.append(char)
            elif kept and kept[-1] not in "\r\n":
                kept.pop()
        text = "".join(kept)
    if "\r" not in text:
        return text
    lines = []
    for line in text.split("\n"):
        *before, shown = line.split("\r")
        for part in reversed(before):  # only what is longer than all behind it is still seen
            if len(part) > len(shown):
                shown += part[len(shown) :]
        lines.append(shown)
    return "\n".join(lines)


def _joined(source: Any) -> str:
    return "".join(source) if isinstance(source, list) else str(source)


def _fenced(text: str, language: str) -> str:
    longest = max((len(ticks) for ticks in _TICKS.findall(text)), default=2)
    fence = "`" * (longest + 1)
    body = text.strip("\n")
    return f"{fence}{language}\n{body}\n{fence}\n"
