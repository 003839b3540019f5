"""Directives and roles that docutils does not know, most of them Sphinx's: what of them is text."""

from __future__ import annotations

import re
from textwrap import dedent
from typing import Final, NamedTuple

_DIRECTIVE = re.compile(r"\.\.[ \t]+([\w.+:-]+?)[ \t]?::(?:[ \t]+(\S.*))?\Z")
_OPTION = re.compile(r":([\w-]+):(?:[ \t]+(.*))?\Z")
_ROLE = re.compile(r":[\w.+:-]+:`([^`]*)`")
_NAMED = re.compile(r"(.+?)\s*<[^<>]*>\Z", re.DOTALL)
_SILENT: Final = frozenset(
    (
        *("toctree", "index", "meta", "highlight", "currentmodule", "module", "include", "literalinclude"),
        *("raw", "tabularcolumns", "contents", "sectionauthor", "codeauthor", "default-domain", "todolist"),
        *("testsetup", "testcleanup", "rst-class", "cssclass", "bibliography", "plot", "youtube", "video"),
        "program",
    )
)
"""Directives that say how a page is made, or name other pages."""
_CODE: Final = frozenset(
    ("code-block", "sourcecode", "code", "parsed-literal", "prompt", "ipython", "console")
)
_NAMING_CODE: Final = frozenset(
    ("testcode", "testoutput", "doctest", "graphviz", "digraph", "mermaid", "uml", "productionlist", "math")
)
"""Directives whose own name says what language it is."""
_CONDITIONS: Final = frozenset(("only", "ifconfig", "container", "tab-set", "tabs", "grid", "hlist"))
"""Directives whose argument is no text."""
_PICTURES: Final = frozenset(("figure", "image"))
_VERSIONS: Final = {
    "versionadded": "Added in version",
    "versionchanged": "Changed in version",
    "versionremoved": "Removed in version",
    "deprecated": "Deprecated since version",
}
_BOXES: Final = {"seealso": "See also", "todo": "To do", "deprecated": "Deprecated", "note": "Note"}


class Directive(NamedTuple):
    """What a directive says."""

    kind: str
    """`code`, `box`, or empty."""
    label: str
    """What stands above its content: an argument, a caption, the kind of a box."""
    content: str
    """What it holds, as reStructuredText, or as it is for code."""
    language: str = ""
    """Of code."""


def directive_of(text: str) -> Directive | None:
    """A directive as it is written; None where it is none, or says nothing."""
    first, _, rest = text.partition("\n")
    found = _DIRECTIVE.match(first)
    if found is None:
        return None
    name = found[1].rpartition(":")[2].lower()
    argument = (found[2] or "").strip()
    if name in _SILENT or name.startswith("auto"):
        return Directive("", "", "")
    more, options, content = _parts(dedent(rest))
    if name in _CODE or name in _NAMING_CODE:
        language = name if name in _NAMING_CODE else argument.split(" ")[0]
        return Directive("code", options.get("caption", ""), content or more, language)
    if name in _PICTURES:
        return Directive("", options.get("alt", ""), content)
    content = f"{more}\n\n{content}" if more and content else more or content
    if name in _VERSIONS and argument:
        version, _, said = argument.partition(" ")
        return Directive("box", f"{_VERSIONS[name]} {version}", f"{said}\n{content}".strip("\n"))
    if name in _BOXES:
        return Directive("box", _BOXES[name], f"{argument}\n{content}".strip("\n"))
    return Directive("", "" if name in _CONDITIONS else argument, content)


def _parts(text: str) -> tuple[str, dict[str, str], str]:
    """What goes on with the argument, the options, and what stands behind a blank line."""
    lines = text.split("\n")
    more: list[str] = []
    options: dict[str, str] = {}
    at, last = 0, ""
    while at < len(lines) and lines[at].strip():
        option = _OPTION.match(lines[at])
        if option is not None:
            last = option[1]
            options[last] = (option[2] or "").strip()
        elif last:
            options[last] = f"{options[last]} {lines[at].strip()}".strip()
        else:
            more.append(lines[at])
        at += 1
    return dedent("\n".join(more)), options, "\n".join(lines[at:]).strip("\n")


def role_text(text: str) -> str:
    """What a reader sees of roles: `the intro` of :ref:`the intro <intro>`, `open` of :func:`~io.open`."""
    return _ROLE.sub(lambda found: _shown(found[1]), text)


def _shown(said: str) -> str:
    named = _NAMED.match(said)
    if named is not None:
        return named[1]
    if said.startswith("~"):
        return said[1:].rpartition(".")[2]
    return said.removeprefix("!")
