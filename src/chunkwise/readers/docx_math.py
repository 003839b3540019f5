"""Formulas of Office on one line: `a/b`, `x^2`, `√(n + 1)`. What they say stays, in the order of reading."""

from __future__ import annotations

from typing import TYPE_CHECKING, Final

if TYPE_CHECKING:
    from xml.etree.ElementTree import Element

_M: Final = "{http://schemas.openxmlformats.org/officeDocument/2006/math}"
FORMULA: Final = f"{_M}oMath"
FORMULAS: Final = f"{_M}oMathPara"
"""Formulas on lines of their own."""


def said(element: Element) -> str:
    """The text of a formula or of a part of one."""
    tag = element.tag.removeprefix(_M)
    part = {child.tag.removeprefix(_M): child for child in element}

    def of(name: str, *, whole: bool = False) -> str:
        text = said(part[name]) if name in part else ""
        return text if not whole or len(text) < 2 or text.isalnum() else f"({text})"

    if tag == "t":
        return element.text or ""
    if tag == "f":
        return f"{of('num', whole=True)}/{of('den', whole=True)}"
    if tag == "rad":
        return f"{of('deg')}√{of('e', whole=True)}"
    if tag == "nary":
        sign = _property(element, "naryPr", "chr") or "∫"
        return f"{sign}{_raised(of('sub', whole=True), of('sup', whole=True))} {of('e')}"
    if tag in ("sSup", "sSub", "sSubSup"):
        return of("e", whole=True) + _raised(of("sub", whole=True), of("sup", whole=True))
    if tag in ("limLow", "limUpp"):
        return f"{of('e')}_{of('lim', whole=True)} "
    if tag == "d":
        begin = _property(element, "dPr", "begChr")
        end = _property(element, "dPr", "endChr")
        parts = [said(child) for child in element if child.tag == f"{_M}e"]
        between = _property(element, "dPr", "sepChr") or "|"
        return f"{'(' if begin is None else begin}{between.join(parts)}{')' if end is None else end}"
    if tag == "func":
        return f"{of('fName')} {of('e')}"
    if tag in ("m", "eqArr"):
        rows = [child for child in element if child.tag in (f"{_M}mr", f"{_M}e")]
        return "; ".join(said(row) for row in rows)
    if tag == "mr":
        return ", ".join(said(cell) for cell in element)
    if tag == FORMULAS.removeprefix(_M):
        return " ".join(said(child) for child in element if child.tag == FORMULA)
    return "".join(map(said, element))


def _raised(below: str, above: str) -> str:
    return (f"_{below}" if below else "") + (f"^{above}" if above else "")


def _property(element: Element, properties: str, name: str) -> str | None:
    found = element.find(f"{_M}{properties}/{_M}{name}")
    return found.get(f"{_M}val", "") if found is not None else None
