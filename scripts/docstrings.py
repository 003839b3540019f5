"""Write into the docstrings of the chunkers what is said under each of their settings.

    python -m scripts.docstrings

The one source is the docstring under the field, in the class that declares it. What a class inherits is said
in its own docstring too, where `help()` and editors look; a test fails where the two differ.
"""

from __future__ import annotations

import ast
import inspect
import sys
import textwrap
from dataclasses import fields
from functools import cache
from itertools import pairwise
from pathlib import Path
from typing import Any

from chunkwise.chunk import CHUNKERS

WIDTH = 110
_ARGS = "\n\n    Args:\n"


def arguments(one: type[Any]) -> str:
    """The settings of a class with what is said under each, as a section of its docstring."""
    said: dict[str, str] = {}
    for base in reversed(one.__mro__):
        said |= _said(base)
    lines = []
    for field in sorted(fields(one), key=lambda field: bool(field.kw_only)):
        if field.init:
            lines += textwrap.wrap(
                f"{field.name}: {said[field.name]}",
                WIDTH,
                initial_indent=" " * 8,
                subsequent_indent=" " * 12,
                break_long_words=False,
                break_on_hyphens=False,
            )
    return "\n".join(lines)


def spliced(source: str, one: type[Any]) -> str:
    """The source of a module with the section in the docstring of a class of it."""
    text = _class(source, one.__name__).body[0]
    assert isinstance(text, ast.Expr)
    assert text.end_lineno is not None
    lines = source.split("\n")
    old = "\n".join(lines[text.lineno - 1 : text.end_lineno])
    head = old.rstrip().removesuffix('"""').partition(_ARGS)[0].rstrip()
    new = f'{head}{_ARGS}{arguments(one)}\n    """'
    return "\n".join([*lines[: text.lineno - 1], new, *lines[text.end_lineno :]])


def _class(source: str, name: str) -> ast.ClassDef:
    classes = (node for node in ast.parse(source).body if isinstance(node, ast.ClassDef))
    return next(node for node in classes if node.name == name)


@cache
def _said(base: type[Any]) -> dict[str, str]:
    """The docstrings under the fields that a class declares."""
    if not base.__module__.startswith("chunkwise."):
        return {}
    source = Path(inspect.getfile(base)).read_text("utf-8")
    found = {}
    for field, below in pairwise(_class(source, base.__name__).body):
        if (
            isinstance(field, ast.AnnAssign)
            and isinstance(field.target, ast.Name)
            and isinstance(below, ast.Expr)
            and isinstance(below.value, ast.Constant)
        ):
            found[field.target.id] = " ".join(str(below.value.value).split())
    return found


def main() -> None:
    """Write the sections anew, and say which files changed."""
    for one in CHUNKERS.values():
        path = Path(inspect.getfile(one))
        old = path.read_text("utf-8")
        new = spliced(old, one)
        if new != old:
            path.write_text(new, "utf-8")
            sys.stdout.write(f"{path.name}: written\n")


if __name__ == "__main__":
    main()
