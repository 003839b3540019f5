"""Front matter: a block of `key: value` (YAML) or `key = value` (TOML) lines at the very top."""

from __future__ import annotations

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
_KEY = re.compile(r"""(?:"[^"]+"|'[^']+'|[^\s:#\-?\[{][^:#\r\n]*?)\s*:(?:\s|$)""")


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
    found: dict[str, Any] = {}
    key = ""
    for line in inner.splitlines():
        if not line.strip() or line.lstrip().startswith("#"):
            continue
        if line[0] in " \t-" or (line[0] in "]}" and key):
            if not key:
                return None
            continue
        match = _KEY.match(line)
        if match is None:
            return None
        name, _, value = line.partition(":")
        if match.group().lstrip()[0] in "\"'":
            name, value = match.group().rstrip().rstrip(":"), line[match.end() :]
        key = name.strip().strip("\"'")
        found[key] = _scalar(value.strip())
    return found or None


def _scalar(value: str) -> str:
    if len(value) > 1 and value[0] == value[-1] and value[0] in "\"'":
        return value[1:-1]
    return value.partition(" #")[0].rstrip()
