"""What a web page sets beside its text: signs, buttons, boxes, and formulas that it writes twice."""

from __future__ import annotations

from typing import Any, Final

_ANCHORS: Final = frozenset(
    ("", "#", "¶", "§", "🔗", "\u200b", "\ufeff", "↑", "↩", "↩\ufe0e", "↩\ufe0f", "↵")
)
"""What a link says that only marks the place of a heading, or leads from a note back to its mark."""
_BESIDE: Final = (
    "td.linenos, pre .linenos, pre .lineno, pre .lnt, pre .ln, pre button, clipboard-copy, .mw-editsection, "
    ".viewcode-link, [role=doc-backlink], .mw-cite-backlink"
)
"""Numbers of lines, buttons, and links that lead to no text of the page."""
_MAYBE: Final = "a[href^='#'], button, td span[style*='display:none'], td span[style*='display: none']"
"""Links in the page, buttons, and hidden keys by which a table is sorted: some of them are text."""
_COPY: Final = frozenset(("copy", "copied", "copied!", "copy code", "copy to clipboard"))
_CELLS: Final = "[role=cell], [role=gridcell], [role=columnheader], [role=rowheader], .tabbed-labels > label"
_TICKED: Final = "li .checkbox-on, li .checkbox-off, li [role=checkbox]"
_HEADINGS: Final = frozenset(f"h{level}" for level in range(1, 7))
_SIGNS: Final = {"mfrac": "/", "msup": "^", "msub": "_", "msubsup": "_^"}
"""By element, what stands in front of its second part, and of its third."""


def tick_inputs(body: Any) -> None:
    """Say of boxes in items and paragraphs whether they are ticked, as Markdown writes it."""
    for node in body.css("li input[type=checkbox], p input[type=checkbox]"):
        node.insert_before("[x] " if "checked" in node.attributes else "[ ] ")


def only_text(body: Any) -> None:
    """Leave of a page what it says, once, and write out what its signs say."""
    _drop_hidden(body)
    # What is inside of others first: it goes with them.
    for node in reversed(body.css(f"{_BESIDE}, {_MAYBE}")):
        if node.css_matches(_BESIDE) or _is_sign(node):
            node.decompose()
    for node in body.css(f"{_CELLS}, {_TICKED}"):
        node.insert_before(_shown(node))
        if node.tag == "div" and node.child is None:
            node.decompose()  # a box that is drawn
    if body.css_first("math") is not None:
        _drop_looks(body)
        _sign_formulas(body)


def _drop_hidden(body: Any) -> None:
    """Take out what is marked as hidden, but not what a search in the page or a tab would open."""
    for node in reversed(body.css("[hidden]")):
        until_found = (node.attributes.get("hidden") or "").lower() == "until-found"
        if not until_found and node.attributes.get("role") != "tabpanel" and node.tag != "body":
            node.decompose()


def _is_sign(node: Any) -> bool:
    """Whether a link only leads to a place, a button copies what stands beside it, or a text is hidden."""
    if node.tag == "span":
        return node.css_first("math") is None
    said = node.text(deep=True).strip()
    if node.tag == "button":
        return (said or node.attributes.get("aria-label") or "").lower() in _COPY
    if said in _ANCHORS:
        return node.css_first("img") is None
    # The mark of a note in a heading is no part of the title.
    return node.parent.tag == "sup" and said.strip("[]()").isdecimal() and _in_heading(node)


def _in_heading(node: Any) -> bool:
    above = node.parent
    while above is not None and above.tag not in _HEADINGS:
        above = above.parent
    return above is not None


def _shown(node: Any) -> str:
    """What stands before an element: whether a box is ticked; a space parts what looks like cells."""
    role, names = node.attributes.get("role"), (node.attributes.get("class") or "").split()
    if role != "checkbox" and "checkbox-on" not in names and "checkbox-off" not in names:
        return " "
    ticked = node.attributes.get("aria-checked") == "true" or "checkbox-on" in names
    return "[x] " if ticked else "[ ] "


def _drop_looks(body: Any) -> None:
    """Take out how formulas look, where the page has them as formulas too."""
    for node in reversed(body.css(".katex-mathml ~ .katex-html, .MathJax nobr[aria-hidden=true]")):
        node.decompose()
    for name, look in ((".mwe-math-element", "img"), ("mjx-container", "mjx-math")):
        for node in body.css(name):
            shown = node.css_first(look)
            if shown is not None and node.css_first("math") is not None:
                shown.decompose()


def _sign_formulas(body: Any) -> None:
    """Put the sign between the parts of a fraction, a power and an index, which their places tell."""
    for name, signs in _SIGNS.items():
        for node in body.css(f"math {name}"):
            parts = [child for child in node.iter() if (child.tag or "-")[:1] != "-"]
            for sign, part in zip(signs, parts[1:], strict=False):
                part.insert_before(sign)
