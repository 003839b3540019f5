"""Texts of the elements of a web page."""

from __future__ import annotations

from typing import Any, Final

from chunkwise.readers.writer import folded

_INLINE_NAMES = (
    "a abbr acronym b bdi bdo big button cite code data del dfn em font i ins kbd label mark math "
    "nobr output q rp rt ruby s samp small span strike strong sub sup time tt u var wbr "
    # Formulas, as far as their parts stand on one line.
    "maction menclose merror mfenced mfrac mi mmultiscripts mn mo mover mpadded mphantom mprescripts "
    "mroot mrow ms mspace msqrt mstyle msub msubsup msup mtext munder munderover none semantics "
    "mjx-container mjx-assistive-mml mjx-math "
)
INLINE: Final = frozenset(_INLINE_NAMES.split())
"""Elements that stand inside of a line."""
_PARTING: Final = "img, br, p, div, li, ul, ol, dt, dd, td, th, pre, blockquote, h1, h2, h3, h4, h5, h6"


def inline_text(node: Any) -> str:
    """The text of an element on one line, with the alternatives of its images."""
    only = node.child
    if only is not None and only.tag == "-text" and only.next is None:
        return folded(only.text_content or "")  # as most are
    if node.css_first(_PARTING) is None:
        return folded(node.text(deep=True))
    return folded(_text(node, " "))


def code_text(node: Any) -> str:
    """The text of a block of code; what a page shows on a line of its own is one."""
    if node.css_first(_PARTING) is None:
        return str(node.text(deep=True))
    return _text(node, "\n")


def _text(node: Any, between: str) -> str:
    """The text of an element, with something between what stands in no line with each other."""
    parts: list[str] = []

    def end() -> None:
        if parts and (between == " " or not parts[-1].endswith(between)):
            parts.append(between)

    inner, depth = node.child, 1
    while inner is not None:
        tag = inner.tag or "-"  # an instruction, as `<?php … ?>` is one, has no name
        if tag == "-text":
            parts.append(inner.text_content or "")
        elif tag == "img":
            parts.append(f" {inner.attributes.get('alt') or ''} ")
        elif tag == "br":
            parts.append(between)
        elif tag[:1] != "-" and tag not in INLINE:
            end()
        if inner.child is not None:
            inner = inner.child
            depth += 1
            continue
        while inner.next is None:
            depth -= 1
            if depth < 1:
                return "".join(parts)
            inner = inner.parent
            if inner.tag not in INLINE:
                end()
        inner = inner.next
    return "".join(parts)


def number_of(node: Any, name: str, default: int) -> int:
    """A whole number that an attribute gives."""
    value = (node.attributes.get(name) or "").strip()
    return int(value) if value.isdecimal() and len(value) < 10 else default
