"""docutils with bounds: what would take too long, or become too much, is refused before it is read."""

from __future__ import annotations

import re
from collections.abc import Iterator
from contextlib import contextmanager
from threading import RLock
from typing import Any, Final

from chunkwise.errors import ReadError
from chunkwise.readers.options import SKIP

SETTINGS: Final = {
    "file_insertion_enabled": False,
    "raw_enabled": False,
    "report_level": 5,
    "halt_level": 6,
    "doctitle_xform": False,
    "sectsubtitle_xform": False,
    "docinfo_xform": False,
    "line_length_limit": 1_000_000,
    "_disable_config": True,
    "input_encoding": "unicode",
    "smart_quotes": False,
    "syntax_highlight": "none",
}
DEEPEST: Final = 200
"""Levels of indentation in each other."""
MOST: Final = 100_000
"""Characters that the longest substitution may become."""
WORK: Final = 100_000_000
"""Marks of a paragraph times its characters: docutils looks for the end of each mark in all of it."""
_ONE_AT_A_TIME = RLock()
_DEFINED = re.compile(r"^[ \t]*\.\. \|([^|\n]+)\|[ \t]+replace::((?:.*\n?)(?:[ \t]+\S.*\n?)*)", re.MULTILINE)
_NAMED = re.compile(r"\|([^|\n]+)\|")
_MARK = re.compile(r"[`*|_]")


def parse_bounded(text: str, path: str) -> Any:
    """The tree of a text. Raises `ReadError` for a paragraph that would take docutils too long."""
    from docutils.core import publish_doctree
    from docutils.parsers.rst import Parser
    from docutils.parsers.rst.states import Inliner

    inliner = Inliner()  # it makes its patterns of its own class, which therefore has no subclass
    parse = inliner.parse

    def bounded(text: str, lineno: int, memo: Any, parent: Any) -> Any:
        marks = len(_MARK.findall(text)) if len(text) > 1000 else 0
        if marks * len(text) > WORK:
            raise ReadError(
                path,
                f"line {lineno}: a paragraph of {len(text):,} characters holds {marks:,} marks such as "
                f"` and *, too many to be read in time; part it by blank lines, {SKIP}",
            )
        return parse(text, lineno, memo, parent)

    inliner.parse = bounded
    with _without_today():
        return publish_doctree(text, parser=Parser(inliner=inliner), settings_overrides=dict(SETTINGS))


@contextmanager
def _without_today() -> Iterator[None]:
    """No `date` directive: it writes the day of reading, and a text that changes by the day has no places."""
    from docutils.parsers.rst import Directive, directives

    class NoDay(Directive):  # type: ignore[misc] # docutils has no types
        has_content = True

        def run(self) -> list[Any]:
            raise self.error("The day on which a text is read is no part of it.")

    known = directives._directives  # noqa: SLF001 - there is no public way to take one back
    with _ONE_AT_A_TIME:
        before = known.get("date")
        known["date"] = NoDay
        try:
            yield
        finally:
            if before is None:
                del known["date"]
            else:
                known["date"] = before


def check_depth(text: str, path: str) -> None:
    """Refuse lines that are indented in each other too often: each level is parsed again in the next."""
    open_ = [0]
    for number, line in enumerate(text.split("\n"), 1):
        indent = len(line) - len(line.lstrip(" "))
        if indent == len(line.rstrip()):
            continue
        while open_[-1] > indent:
            open_.pop()
        if open_[-1] < indent:
            open_.append(indent)
        if len(open_) > DEEPEST:
            raise ReadError(
                path, f"line {number}: nested more than {DEEPEST} deep, it is broken or hostile; {SKIP[3:]}"
            )


def check_substitutions(text: str, path: str) -> None:
    """Refuse definitions that name each other so often that little text becomes very much."""
    said = {" ".join(name.split()).lower(): body for name, body in _DEFINED.findall(text)}
    sizes: dict[str, int] = {}

    def size(name: str) -> int:
        if name not in sizes:
            sizes[name] = 0  # one that names itself is refused by docutils
            body = said[name]
            named = (" ".join(other.split()).lower() for other in _NAMED.findall(body))
            sizes[name] = min(len(body) + sum(size(other) for other in named if other in said), MOST + 1)
        return sizes[name]

    try:
        bomb = next((name for name in said if size(name) > MOST), None)
    except RecursionError as error:
        raise ReadError(path, f"substitutions name each other in too long a chain; {SKIP[3:]}") from error
    if bomb is not None:
        raise ReadError(
            path, f"what stands for |{bomb}| becomes over {MOST:,} characters: a bomb; {SKIP[3:]}"
        )
