"""HTML by selectolax: headings, paragraphs, lists, tables, code and quotes. Nothing is loaded or run.

The tree is walked without recursion, so that only the parser limits how deep a page may be nested.
"""

from __future__ import annotations

import re
from typing import Any, Final

from chunkwise.errors import MissingExtra, ReadError
from chunkwise.readers.acting import Acting
from chunkwise.readers.decode import decode
from chunkwise.readers.options import DEFAULT, SKIP, Options
from chunkwise.readers.signs import refuse_other
from chunkwise.readers.writer import Writer, folded
from chunkwise.types import Document

__all__ = ["parse_page", "read_html"]

TITLE: Final = "document-title"
"""Class of the paragraph that names the whole document; its title stands above all headings."""
DEEPEST: Final = 2000
"""Elements in each other that are parsed: the parser's time grows with the square of the depth."""
CELLS: Final = 100
"""The widest span of a cell that is filled up."""
FILLED: Final = 2_000_000
"""Characters and cells that spans of one table are filled up with; beyond them cells are said once."""
_DROPPED = [
    *("script", "style", "noscript", "template", "iframe", "object", "embed", "svg", "canvas", "audio"),
    *("video", "select", "datalist", "head", "input", "textarea", "progress", "meter", "map", "annotation"),
]
_FURNITURE = (
    "nav, footer, aside, form, dialog, [role=navigation], [role=banner], [role=contentinfo], [role=search], "
    "[role=complementary]"
)
_INLINE_NAMES = (
    "a abbr acronym b bdi bdo big button cite code data del dfn em font i ins kbd label mark math "
    "nobr output q rp rt ruby s samp small span strike strong sub sup time tt u var wbr "
    # Formulas, as far as their parts stand on one line.
    "maction menclose merror mfenced mfrac mi mmultiscripts mn mo mover mpadded mphantom mprescripts "
    "mroot mrow ms mspace msqrt mstyle msub msubsup msup mtext munder munderover none semantics "
)
_INLINE = frozenset(_INLINE_NAMES.split())
_LISTS = frozenset(("ul", "ol", "menu", "dir"))
_HEADINGS = {f"h{level}": level for level in range(1, 7)}
# Elements without an end tag, or with one that may be left out.
_ENDLESS = (
    "br|img|input|meta|link|hr|area|base|col|embed|param|source|track|wbr|p|li|dt|dd|tr|td|th|option|thead|tbody"
    "|tfoot"
)
_TAG = re.compile(rf"<(/?)(?!(?:{_ENDLESS})\b)[a-zA-Z][^>]*?(/?)>", re.IGNORECASE)
_CHARSET = re.compile(rb"""<meta[^>]+charset\s*=\s*["']?\s*([\w.:-]+)""", re.IGNORECASE)
_LANGUAGE = re.compile(r"(?:^|\s)(?:language|lang|highlight-source|brush:)-?\s*([\w+#.-]+)")
_SPACE = " \t\n\r\f"
_SIGNS = {"mfrac": "/", "msup": "^", "msub": "_"}


def read_html(data: bytes, id: str, encoding: str | None, /, options: Options = DEFAULT) -> Document:
    """A web page.

    The encoding is the one that is named, else what a byte order mark or the page itself says, else UTF-8.
    """
    named = _CHARSET.search(data[:4096]) if encoding is None else None
    marked = data.startswith((b"\xef\xbb\xbf", b"\xff\xfe", b"\xfe\xff"))
    name = named[1].decode("ascii", "replace") if named is not None and not marked else encoding
    refuse_other(data, id, "HTML")
    text, _ = decode(data, id, name)
    return parse_page(text, id, options)


def parse_page(text: str, id: str, options: Options = DEFAULT) -> Document:
    """A document of the HTML of a page.

    Raises:
        ReadError: elements are nested too deep.
        MissingExtra: selectolax is not installed.
    """
    try:
        from selectolax.lexbor import LexborHTMLParser
    except ImportError as error:
        raise MissingExtra(f"{id}: reading HTML", "html") from error
    if _depth(text) > DEEPEST:
        raise ReadError(
            id,
            f"elements are nested more than {DEEPEST:,} deep: the page is broken or hostile; mend it, {SKIP}",
        )
    tree = LexborHTMLParser(text)
    title = tree.css_first("head > title")
    name = folded(title.text()) if title is not None else ""
    named = tree.css_first(f"p.{TITLE}")
    if named is not None:
        name = inline_text(named)
    body = tree.body
    writer = Writer()
    if body is not None:
        tree.strip_tags(_DROPPED)
        _drop_hidden(body)
        _sign_formulas(body)
        if not options.boilerplate:
            body = _main(body)
        _Walk(writer, options).run(body)
    metadata = {"title": name} if name else {}
    return writer.document(id, title=name, metadata=metadata, above=named is not None)


def _depth(text: str) -> int:
    """How deep elements are nested at most, end tags that may be left out aside."""
    import numpy as np

    data = np.frombuffer(text.encode("utf-8", "replace"), dtype=np.uint8)
    at = np.flatnonzero(data[:-1] == ord("<")) if len(data) else data
    behind = data[at + 1]
    steps = np.where(behind == ord("/"), -1, ((behind | 32) >= ord("a")) & ((behind | 32) <= ord("z")))
    if not len(steps) or int(np.cumsum(steps).max()) <= DEEPEST:
        return 0  # even if no end tag could be left out
    depth = deepest = 0
    for tag in _TAG.finditer(text):
        if tag[1]:
            depth = max(depth - 1, 0)
        elif not tag[2]:
            depth += 1
            deepest = max(deepest, depth)
    return deepest


def _main(body: Any) -> Any:
    """The main content of a page, and nothing that is furniture of it."""
    for node in body.css(_FURNITURE):
        node.decompose()
    for node in body.css("header"):
        if node.css_first("h1") is None or not _within(node, ("article", "main", "section")):
            node.decompose()
    found = body.css("main, [role=main]")
    if len(found) == 1:
        return found[0]
    articles = body.css("article")
    return articles[0] if len(articles) == 1 else body


def _drop_hidden(body: Any) -> None:
    """Take out what is marked as hidden, but not what a search in the page would open."""
    for node in reversed(body.css("[hidden]")):  # what is inside of others first: it goes with them
        if (node.attributes.get("hidden") or "").lower() != "until-found" and node.tag != "body":
            node.decompose()


def _sign_formulas(body: Any) -> None:
    """Put the sign between the parts of a fraction, a power and an index, which their places tell."""
    for name, sign in _SIGNS.items():
        for node in body.css(f"math {name}"):
            parts = [child for child in node.iter() if child.tag[:1] != "-"]
            if len(parts) > 1:
                parts[1].insert_before(sign)


def _within(node: Any, names: tuple[str, ...]) -> bool:
    above = node.parent
    while above is not None:
        if above.tag in names:
            return True
        above = above.parent
    return False


class _Walk:
    """One walk over a tree: text is collected until a block ends it."""

    def __init__(self, writer: Writer, options: Options) -> None:
        self._writer, self._options = writer, options
        self._text: list[str] = []
        self._acting = Acting(options.headings) if options.headings else None
        self._bold = False  # whether the paragraph that is read is bold as a whole
        self._numbers: list[int] = []  # of the items of the open lists; -1 in a list of bullets

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
        tag = node.tag
        if tag == "-text":
            self._text.append(node.text_content or "")
            return False
        if tag in _INLINE:
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
        if tag == "pre":
            writer.code(node.text(deep=True), _language(node))
            return False
        if tag == "table":
            if _is_layout(node):
                return True
            caption = node.css_first("caption")
            if caption is not None:
                writer.paragraph(inline_text(caption))
            writer.table(table_rows(node))
            return False
        if tag in _LISTS:
            first = _number(node, "start", 1)
            self._numbers.append(first - 1 if tag == "ol" else -1)
            writer.open_list()
        elif tag == "li":
            if not self._numbers:
                self._numbers.append(-1)
                writer.open_list()
            if self._numbers[-1] >= 0:
                self._numbers[-1] = _number(node, "value", self._numbers[-1] + 1)
                writer.open_item(f"{self._numbers[-1]}.")
            else:
                writer.open_item()
        elif tag == "blockquote":
            writer.open_quote()
        elif tag == "hr":
            writer.rule()
        return True

    def _leave(self, node: Any) -> None:
        tag = node.tag
        if tag in _INLINE or tag[:1] == "-" or tag in ("br", "img"):
            return
        self._flush()
        if tag in _LISTS:
            self._writer.close()
            self._numbers.pop()
        elif tag == "li":
            self._writer.close()
            parent = node.parent
            alone = parent is None or parent.tag not in _LISTS
            if alone and (node.next is None or not _follows(node)):
                self._writer.close()
                self._numbers.pop()
        elif tag == "blockquote":
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
                    text = "\n".join(line.strip(_SPACE) for line in text.split("\0")).strip("\n")
                level = self._acting.level(text, bold=self._bold) if self._acting is not None else 0
                if level and not self._numbers:
                    self._writer.heading(level, text)
                else:
                    self._writer.paragraph(text)
            self._bold = False


def _all_bold(node: Any) -> bool:
    """Whether all of a paragraph's text is in bold."""
    strong = node.css("strong, b")
    return bool(strong) and folded("".join(one.text(deep=True) for one in strong)) == inline_text(node)


def _follows(node: Any) -> bool:
    """Whether another item follows one that stands in no list."""
    behind = node.next
    while behind is not None and (behind.tag == "-text" and not (behind.text_content or "").strip()):
        behind = behind.next
    return behind is not None and behind.tag == "li"


def inline_text(node: Any) -> str:
    """The text of an element on one line, with the alternatives of its images."""
    if node.css_first("img, br, p, div, li, ul") is None:
        return folded(node.text(deep=True))
    parts: list[str] = []
    inner, depth = node.child, 1
    while inner is not None:
        tag = inner.tag
        if tag == "-text":
            parts.append(inner.text_content or "")
        elif tag == "img":
            parts.append(f" {inner.attributes.get('alt') or ''} ")
        elif tag not in _INLINE:
            parts.append(" ")
        if inner.child is not None:
            inner = inner.child
            depth += 1
            continue
        while inner.next is None:
            depth -= 1
            if depth < 1:
                return folded("".join(parts))
            inner = inner.parent
            if inner.tag not in _INLINE:
                parts.append(" ")
        inner = inner.next
    return folded("".join(parts))


def table_rows(table: Any) -> list[list[str]]:
    """The cells of a table. One that spans several rows or columns is in each of them."""
    rows: list[list[str]] = []
    pending: dict[int, tuple[int, str]] = {}  # by column: rows left, and the text of the cell above
    room = FILLED
    for row in table.css("tr"):
        cells: list[str] = []

        def above(cells: list[str] = cells) -> None:
            while len(cells) in pending:
                left, text = pending.pop(len(cells))
                if left > 1:
                    pending[len(cells)] = left - 1, text
                cells.append(text)

        cell = row.child
        while cell is not None:
            if cell.tag in ("td", "th"):
                above()
                text = inline_text(cell)
                down, across = _span(cell, "rowspan"), _span(cell, "colspan")
                cost = (down * across - 1) * (len(text) + 1)
                if cost > room:
                    down = across = 1
                else:
                    room -= cost
                for _ in range(across):
                    if down > 1:
                        pending[len(cells)] = down - 1, text
                    cells.append(text)
            cell = cell.next
        above()
        if any(cells):
            rows.append(cells)
    return rows


def _span(cell: Any, name: str) -> int:
    number = min(_number(cell, name, 1), CELLS)
    return number or (CELLS if name == "rowspan" else 1)  # 0: down to the last row


def _number(node: Any, name: str, default: int) -> int:
    """A whole number that an attribute gives."""
    value = (node.attributes.get(name) or "").strip()
    return int(value) if value.isdecimal() and len(value) < 10 else default


def _is_layout(table: Any) -> bool:
    """Whether a table only places blocks on the page."""
    return table.css_first("h1, h2, h3, h4, h5, h6, pre, td table, blockquote") is not None


def _language(node: Any) -> str:
    """The language of a block of code, from the classes of the element and the one in it."""
    inner = node.css_first("code")
    for one in (inner, node, node.parent):
        found = _LANGUAGE.search((one.attributes.get("class") or "") if one is not None else "")
        if found is not None:
            return found[1]
    return ""
