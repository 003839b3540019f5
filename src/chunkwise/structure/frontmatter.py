"""Front matter: a block of `key: value` (YAML) or `key = value` (TOML) lines at the very top."""

from __future__ import annotations

import json
import re
import tomllib
from typing import Any

_OPEN = re.compile(r"(---|\+\+\+)[ \t]*(?:\r\n?|\n)")
_CLOSE = {
    "---": re.compile(r"^(?:---|\.\.\.)[ \t]*(?:\r\n?|\n|\Z)", re.MULTILINE),
    "+++": re.compile(r"^\+\+\+[ \t]*(?:\r\n?|\n|\Z)", re.MULTILINE),
}
# A lone carriage return is a line end too, which `^` does not know.
_CLOSE_CR = {
    "---": re.compile(r"(?:(?<=[\r\n])|\A)(?:---|\.\.\.)[ \t]*(?:\r\n?|\n|\Z)"),
    "+++": re.compile(r"(?:(?<=[\r\n])|\A)\+\+\+[ \t]*(?:\r\n?|\n|\Z)"),
}
# A key with spaces holds no colon, so that prose is none.
_KEY = re.compile(r"""("[^"]+"|'[^']+'|[^\s:#\-?\[{][^:#\r\n]*?|[^\s#\-?\[{]\S*?)\s*:(?:\s|$)""")
_LINE_END = re.compile(r"\r\n?|\n")
_LINES_BELOW = re.compile(r"[|>][-+1-9]{0,2}\s*(?:#.*)?$")
_QUOTED = re.compile(r"""("(?:[^"\\]|\\.)*"|'(?:[^']|'')*')\s*(?:#.*)?$""")
_FLOW_MARK = re.compile(r""""(?:[^"\\]|\\.)*"|'[^']*'|[\[\]{},]""")
_FLOW_KEY = re.compile(
    r"""\s*("[^"]+"|'[^']+'|[^\s"'\[\]{},:#%][^\[\]{},:#]*?)\s*:(?:\s|(?<=":)|(?<=':)|\Z)"""
)
_REMARK = re.compile(r"(?:^|\s)#.*")
_NOTHING = ("~", "null", "Null", "NULL")


def front_matter(text: str) -> tuple[int, dict[str, Any]]:
    """Where the body begins, and what the front matter says; `(0, {})` where there is none.

    A page that opens with a thematic break has none: the lines between two `---` must be keys with
    values (or comments, list entries and deeper lines below a key).
    """
    opened = _OPEN.match(text)
    if opened is None:
        return 0, {}
    mark = opened[1]
    close = (_CLOSE_CR if "\r" in text else _CLOSE)[mark].search(text, opened.end())
    if close is None:
        return 0, {}
    inner = text[opened.end() : close.start()]
    found = _toml(inner) if mark == "+++" else _yaml(inner)
    return (0, {}) if found is None else (close.end(), found)


def _toml(inner: str) -> dict[str, Any] | None:
    try:
        return tomllib.loads(inner.replace("\r\n", "\n").replace("\r", "\n"))
    except tomllib.TOMLDecodeError:
        return None


def _yaml(inner: str) -> dict[str, Any] | None:
    """Keys and plain values of the top level, as text; None where the lines are no mapping.

    The values are only shown and named, never acted upon: a YAML library would be one dependency for
    the title alone.
    """
    if inner.lstrip()[:1] == "{":
        return _flow(inner.strip())
    found: list[tuple[str, str, list[str]]] = []  # key, what stands behind it, the lines below it
    for line in _LINE_END.split(inner):
        if line[:1] in ("", " ", "\t", "-", "#") or (line[0] in "]}" and found):
            if found:
                found[-1][2].append(line.strip())
            elif line.strip() and not line.lstrip().startswith("#"):
                return None
            continue
        match = _KEY.match(line)
        if match is None:
            return None
        found.append((match[1].strip("\"'"), line[match.end() :].strip(), []))
    return {key: _scalar(value, below) for key, value, below in found} or None


def _flow(inner: str) -> dict[str, Any] | None:
    """The same of a mapping in braces, as in JSON; values that are lists or mappings are empty."""
    if inner[-1] != "}":
        return None
    pairs, depth, begin = [], 0, 1
    for mark in _FLOW_MARK.finditer(inner, 1, len(inner) - 1):
        depth += (mark[0] in "[{") - (mark[0] in "]}")
        if mark[0] == "," and not depth:
            pairs.append(inner[begin : mark.start()])
            begin = mark.end()
    if depth:
        return None
    found: dict[str, Any] = {}
    for pair in (*pairs, inner[begin:-1]):
        match = _FLOW_KEY.match(pair)
        if match is not None:
            value = " ".join(pair[match.end() :].split())
            found[match[1].strip("\"'")] = "" if value[:1] in ("[", "{") else _scalar(value, [])
        elif pair.strip():
            return None
    return found or None


def _scalar(value: str, below: list[str]) -> str:
    """A value of one line or of several; empty where it is a list or a mapping of deeper lines."""
    if _LINES_BELOW.match(value):
        return "\n".join(below).strip() if value[0] == "|" else " ".join(filter(None, below))
    more = [line for line in below if line and line[0] != "#"]
    if more and value[:1] not in ("[", "{") and not any(line[0] == "-" or _KEY.match(line) for line in more):
        value = " ".join([value, *more]).lstrip()
    quoted = _QUOTED.match(value)
    if quoted is None:
        value = _REMARK.sub("", value).rstrip()
        return "" if value in _NOTHING else value
    if value[0] == "'":
        return quoted[1][1:-1].replace("''", "'")
    try:
        return str(json.loads(quoted[1], strict=False))
    except ValueError:
        # YAML has escapes that JSON has not.
        return quoted[1][1:-1]
