"""One walk over the tree of a web page, without recursion: text is collected until a block ends it."""

from __future__ import annotations

import re
from collections.abc import Container
from typing import Any, Final

from chunkwise.readers.acting import Acting
from chunkwise.readers.html_tables import is_data, table_rows
from chunkwise.readers.html_text import INLINE, code_text, inline_text, number_of
from chunkwise.readers.options import Options
from chunkwise.readers.writer import Writer, folded

NUMBER: Final = "data-shown-number"
"""The attribute of an item with what stands in front of it, where that is no plain number."""
_LISTS: Final = frozenset(("ul", "ol", "menu", "dir"))
_CODE: Final = frozenset(("pre", "listing", "xmp", "ac:plain-text-body"))
_TERMS: Final = frozenset(("dt", "dd"))
_HEADINGS: Final = {f"h{level}": level for level in range(1, 7)}
_LANGUAGE = re.compile(r"(?:^|\s)(?:language|lang|highlight-source|brush:)-?\s*([\w+#.-]+)")
_BOXES: Final = frozenset(("div", "aside", "section", "details", "figure"))
_BOX_NAMES = (
    "admonition|admonitionblock|theme-admonition|markdown-alert|callout|custom-block|notecard"
    "|confluence-information-macro|NOTE|TIP|WARNING|IMPORTANT|CAUTION"
)
_BOX = re.compile(rf"(?:^|\s)(?:{_BOX_NAMES})(?:\s|$)")
_SPACE: Final = " \t\n\r\f"
_BLANK_LINES = re.compile(r"\n{2,}")


class Walk:
    """Writes what is in an element."""

    def __init__(self, writer: Writer, options: Options) -> None:
        self._writer, self._options = writer, options
        self._text: list[str] = []
        self._acting = Acting(options.headings) if options.headings else None
        self._bold = False  # whether the paragraph that is read is bold as a whole
        self._numbers: list[int] = []  # of the items of the open lists; -1 in a list of bullets
        self._terms: list[str] = []  # what was read last of the open lists of terms: `dt`, `dd`, or nothing

    def run(self, root: Any) -> None:
        """Write what is in an element."""
        node, depth = root.child, 1
        while node is not None:
            inner = node.child if self._enter(node) else None
            if inner is not None:
                node = inner
                depth += 1
                continue
            self._leave(node)
            while node.next is None:
                depth -= 1
                if depth < 1:
                    self._flush()
                    return
                node = node.parent
                self._leave(node)
            node = node.next
        self._flush()

    def _enter(self, node: Any) -> bool:
        """Begin an element; whether what is in it is walked too."""
        tag = node.tag or "-"  # an instruction, as `<?php … ?>` is one, has no name
        if tag == "-text":
            self._text.append(node.text_content or "")
            return False
        if tag in INLINE:
            return tag != "a" or self._link(node)
        if tag == "br":
            self._text.append("\0")
            return False
        if tag == "img":
            self._text.append(f" {node.attributes.get('alt') or ''} ")
            return False
        if tag[:1] == "-":
            return False
        self._flush()
        level = _HEADINGS.get(tag)
        if level is not None:
            self._writer.heading(level, inline_text(node) or " ")
            if self._acting is not None:
                self._acting.real(level)
            return False
        return self._begin(tag, node)

    def _begin(self, tag: str, node: Any) -> bool:
        writer = self._writer
        if tag == "p" and self._acting is not None:
            self._bold = _all_bold(node)
        if tag in _CODE:
            writer.code(code_text(node), _language(node))
            return False
        if tag == "table":
            if not is_data(node):
                return True
            caption = node.css_first("caption")
            if caption is not None:
                writer.paragraph(inline_text(caption))
            writer.table(table_rows(node))
            return False
        if tag in _LISTS:
            first = number_of(node, "start", 1)
            self._numbers.append(first - 1 if tag == "ol" else -1)
            writer.open_list()
        elif tag == "li":
            if not self._numbers:
                self._numbers.append(-1)
                writer.open_list()
            shown = node.attributes.get(NUMBER)
            if shown:
                writer.open_item(shown)
            elif self._numbers[-1] >= 0:
                self._numbers[-1] = number_of(node, "value", self._numbers[-1] + 1)
                writer.open_item(f"{self._numbers[-1]}.")
            else:
                writer.open_item()
        elif tag == "dl":
            self._terms.append("")
            writer.open_list()
        elif tag in _TERMS and _of_terms(node):
            self._term(tag)
        elif tag == "blockquote":
            writer.open_quote()
        elif _is_box(node):
            writer.open_box()
        elif tag == "hr":
            writer.rule()
        return True

    def _term(self, tag: str) -> None:
        """A term, or its meaning: terms in a row and what is said of them are one item."""
        before = self._terms[-1]
        if before == "dd" and tag == "dt":
            self._writer.close()
        if before in ("", "dd" if tag == "dt" else ""):
            self._writer.open_item()
        self._terms[-1] = tag

    def _leave(self, node: Any) -> None:
        tag = node.tag or "-"
        if tag in INLINE or tag[:1] == "-" or tag in ("br", "img"):
            return
        self._flush()
        if tag in _LISTS:
            self._writer.close()
            self._numbers.pop()
            if _ends_item(node):
                self._writer.close()
        elif tag == "li":
            parent = node.parent
            alone = parent is None or parent.tag not in _LISTS
            if not alone and _followed(node, _LISTS):
                return  # a list that stands right in the list belongs to the item before it
            self._writer.close()
            if alone and not _followed(node, ("li",)):
                self._writer.close()
                self._numbers.pop()
        elif tag == "dl":
            if self._terms.pop():
                self._writer.close()
            self._writer.close()
        elif tag == "blockquote" or _is_box(node):
            self._writer.close()

    def _link(self, node: Any) -> bool:
        """A link; one without a text is called what it says of itself."""
        if node.child is None:
            self._text.append(node.attributes.get("aria-label") or node.attributes.get("title") or "")
        return True

    def _flush(self) -> None:
        if self._text:
            text = folded("".join(self._text))
            self._text.clear()
            if text:
                if "\0" in text:
                    lines = "\n".join(line.strip(_SPACE) for line in text.split("\0")).strip("\n")
                    *before, text = _BLANK_LINES.split(lines)
                    for paragraph in before:
                        self._writer.paragraph(paragraph)
                level = self._acting.level(text, bold=self._bold) if self._acting is not None else 0
                if level and not self._numbers and not self._terms:
                    self._writer.heading(level, text)
                else:
                    self._writer.paragraph(text)
            self._bold = False


def _all_bold(node: Any) -> bool:
    """Whether all of a paragraph's text is in bold."""
    strong = node.css("strong, b")
    return bool(strong) and folded("".join(one.text(deep=True) for one in strong)) == inline_text(node)


def _is_box(node: Any) -> bool:
    """Whether an element is a note, a warning or the like, as documentation and GitHub show them."""
    return node.tag in _BOXES and _BOX.search(node.attributes.get("class") or "") is not None


def _of_terms(node: Any) -> bool:
    """Whether a term or a meaning stands in a list of them, as itself or grouped."""
    parent = node.parent
    if parent is not None and parent.tag == "div":
        parent = parent.parent
    return parent is not None and parent.tag == "dl"


def _beside(one: Any, *, back: bool = False) -> Any:
    """An element, or the next one where only blank text and comments are in between; None for text."""
    while one is not None and (one.tag or "-")[:1] == "-":
        if one.tag == "-text" and (one.text_content or "").strip():
            return None
        one = one.prev if back else one.next
    return one


def _followed(node: Any, names: Container[str]) -> bool:
    """Whether an element of one of these names follows."""
    behind = _beside(node.next)
    return behind is not None and behind.tag in names


def _ends_item(node: Any) -> bool:
    """Whether a list is the last of those that stand right in a list, behind an item, which they end."""
    parent = node.parent
    if parent is None or parent.tag not in _LISTS or _followed(node, _LISTS):
        return False
    before = _beside(node.prev, back=True)
    while before is not None and before.tag in _LISTS:
        before = _beside(before.prev, back=True)
    return before is not None and before.tag == "li"


def _language(node: Any) -> str:
    """The language of a block of code, from the classes of the element and the one in it."""
    inner = node.css_first("code")
    for one in (inner, node, node.parent):
        found = _LANGUAGE.search((one.attributes.get("class") or "") if one is not None else "")
        if found is not None:
            return found[1]
    return ""
