"""HTML by selectolax: headings, paragraphs, lists, tables, code and quotes. Nothing is loaded or run.

The tree is walked without recursion, so that only the parser limits how deep a page may be nested.
"""

from __future__ import annotations

import codecs
import re
from collections.abc import Iterable
from html import escape
from typing import Any, Final

from chunkwise.errors import MissingExtra, ReadError
from chunkwise.readers.decode import decode
from chunkwise.readers.html_signs import only_text, tick_inputs
from chunkwise.readers.html_text import inline_text
from chunkwise.readers.html_walk import Walk
from chunkwise.readers.options import DEFAULT, SKIP, Options
from chunkwise.readers.signs import refuse_other
from chunkwise.readers.writer import Writer, folded
from chunkwise.types import Document, Notice

__all__ = ["parse_page", "read_html"]

TITLE: Final = "document-title"
"""Class of the paragraph that names the whole document; its title stands above all headings."""
DEEPEST: Final = 2000
"""Elements in each other that are parsed: the parser's time grows with the square of the depth."""
_DROPPED = [
    *("script", "style", "noscript", "template", "iframe", "object", "embed", "svg", "canvas", "audio"),
    *("video", "select", "datalist", "head", "input", "textarea", "progress", "meter", "map"),
    *("annotation", "annotation-xml"),
]
_FURNITURE = (
    "nav, footer, aside, form, dialog, [role=navigation], [role=banner], [role=contentinfo], [role=search], "
    "[role=complementary]"
)
# Elements without an end tag, or with one that may be left out.
_ENDLESS = (
    "br|img|input|meta|link|hr|area|base|col|embed|param|source|track|wbr|p|li|dt|dd|tr|td|th|option|thead|tbody"
    "|tfoot"
)
_TAG = re.compile(rf"<(/?)(?!(?:{_ENDLESS})\b)[a-zA-Z][^>]*>", re.IGNORECASE)
_CHARSET = re.compile(rb"""<meta[^>]+charset\s*=\s*["']?\s*([\w.:-]+)""", re.IGNORECASE)
_DECLARED = re.compile(rb"""\s*<\?xml[^>]*?\sencoding\s*=\s*["']([\w.:-]+)["']""", re.IGNORECASE)
_LABELS: Final = {
    **dict.fromkeys(("iso-8859-1", "latin-1", "latin1", "l1", "ascii", "us-ascii", "iso8859-1"), "cp1252"),
    **dict.fromkeys(("iso-8859-9", "latin5"), "cp1254"),
    **dict.fromkeys(("iso-8859-11", "tis-620"), "cp874"),
    **dict.fromkeys(("gb2312", "gb_2312-80", "gbk", "x-gbk"), "gb18030"),
    **dict.fromkeys(("shift_jis", "shift-jis", "sjis", "x-sjis", "ms_kanji", "windows-31j"), "cp932"),
    **dict.fromkeys(("euc-kr", "ks_c_5601-1987", "korean"), "cp949"),
    "big5": "big5hkscs",
    # A page that could be read so far is written in bytes.
    **dict.fromkeys(("utf-16", "utf-16le", "utf-16be", "unicode"), "utf-8"),
}
"""What names of encodings mean in pages (WHATWG, Encoding, 4.2), where Python takes them more narrowly."""
_SELF_CLOSED = re.compile(
    r"<(?!(?:area|base|br|col|embed|hr|img|input|link|meta|param|source|track|wbr)\b)"
    r"([A-Za-z][\w:.-]*)((?:\s[^<>]*)?)/>",
    re.IGNORECASE,
)
_QUOTED_IN_XML = re.compile(r"<!\[CDATA\[(.*?)\]\]>", re.DOTALL)


def read_html(data: bytes, id: str, encoding: str | None, /, options: Options = DEFAULT) -> Document:
    """A web page.

    The encoding is the one that is named, else what a byte order mark or the page itself says, else UTF-8.
    """
    refuse_other(data, id, "HTML")
    text, _ = decode(data, id, encoding or _said(data, id))
    if data[:200].lstrip().startswith(b"<?xml") or id.lower().endswith(".xhtml"):
        text = _as_html(text)
    return parse_page(text, id, options)


def _said(data: bytes, id: str) -> str | None:
    """The encoding that the page says it is in; None where it says nothing, or begins with its mark."""
    if data.startswith((b"\xef\xbb\xbf", b"\xff\xfe", b"\xfe\xff")):
        return None
    named = _CHARSET.search(data[:4096]) or _DECLARED.match(data[:4096])
    if named is None:
        return None
    label = named[1].decode("ascii", "replace").lower()
    name = _LABELS.get(label, label)
    try:
        codecs.lookup(name)
    except LookupError as error:
        raise ReadError(
            id,
            f"says that it is in {label!r}, an encoding that nobody knows; name another "
            f"(--encoding utf-8, or encoding='utf-8'), {SKIP}",
        ) from error
    return name


def _as_html(text: str) -> str:
    """XHTML as HTML: elements that close themselves get an end, or all behind them would be in them."""
    end = text.rfind("]]>") + 3
    text = _QUOTED_IN_XML.sub(lambda quoted: escape(quoted[1]), text[:end]) + text[end:]
    return _SELF_CLOSED.sub(r"<\1\2></\1>", text)


def parse_page(text: str, id: str, options: Options = DEFAULT, notices: Iterable[Notice] = ()) -> Document:
    """A document of the HTML of a page, with what is odd about it.

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
        tick_inputs(body)
        tree.strip_tags(_DROPPED)
        only_text(body)
        if not options.boilerplate:
            body = _main(body)
        Walk(writer, options).run(body)
    metadata = {"title": name} if name else {}
    top = tree.root
    language = top and (top.attributes.get("lang") or top.attributes.get("xml:lang"))
    if language:
        metadata["lang"] = language
    return writer.document(id, title=name, metadata=metadata, notices=notices, above=named is not None)


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
    # Behind the last ">" no tag ends: to look for one from each "<" would take quadratic time.
    for tag in _TAG.finditer(text, 0, text.rfind(">") + 1):
        if tag[1]:
            depth = max(depth - 1, 0)
        elif not tag[0].endswith("/>"):
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


def _within(node: Any, names: tuple[str, ...]) -> bool:
    above = node.parent
    while above is not None:
        if above.tag in names:
            return True
        above = above.parent
    return False
