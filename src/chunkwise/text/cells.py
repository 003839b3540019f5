"""The cells of a table row, as GitHub's Markdown reads them, and of a row of HTML."""

from __future__ import annotations

import re

_LINE_END = re.compile(r"[\r\n]")
# A bar that no backslash escapes. GitHub counts a bar inside of code too.
_BAR = re.compile(r"(?<!\\)(?:\\\\)*\|")
_HTML_CELL = re.compile(r"<t[hd](?=[\s>/])[^>]*>", re.IGNORECASE)
_CELL_END = re.compile(r"</t[hdr]\s*>|<t[hdr](?=[\s>])", re.IGNORECASE)
_COMMENT = re.compile(r"<!--[\s\S]*?-->")
_TAG = re.compile(r"<!--[\s\S]*?-->|</?[A-Za-z][^<>]*>")


def cell_spans(row: str) -> list[tuple[int, int]]:
    r"""Places of the cells of a row, without the bars and the white space around them.

    Args:
        row: a line with bars, whose outer bars may be missing, or `<tr>…</tr>`. Of a header with its
            delimiter line below it, the first line counts.

    >>> row = "| lamp | 2 \\| 3 |"
    >>> [row[start:end] for start, end in cell_spans(row)]
    ['lamp', '2 \\| 3']
    """
    if row.lstrip()[:1] == "<":
        return _html_spans(row)
    start = len(row) - len(row.lstrip())
    found = _LINE_END.search(row, start)
    end = start + len(row[start : found.start() if found else len(row)].rstrip())
    if row.startswith("|", start, end):
        start += 1
    spans: list[tuple[int, int]] = []
    for bar in _BAR.finditer(row, start, end):
        spans.append(_trimmed(row, start, bar.end() - 1))
        start = bar.end()
    if start < end or not spans:
        spans.append(_trimmed(row, start, end))
    return spans


def cells(row: str, count: int | None = None) -> list[str]:
    """Texts of the cells of a row, bars unescaped, tags and the line ends of HTML left out.

    Args:
        row: see `cell_spans`.
        count: number of columns: a shorter row gets empty cells, what a longer one has more is left
            out, as GitHub shows it. None: as many as there are.

    >>> cells("soup", 2)
    ['soup', '']
    """
    html = row.lstrip()[:1] == "<"
    found = [row[start:end] for start, end in cell_spans(row)]
    texts = [_plain(text) for text in found] if html else [text.replace("\\|", "|") for text in found]
    if count is None:
        return texts
    return [*texts, *[""] * (count - len(texts))][:count]


def _html_spans(row: str) -> list[tuple[int, int]]:
    spans = []
    row = _COMMENT.sub(lambda comment: " " * len(comment[0]), row)
    for opening in _HTML_CELL.finditer(row):
        closing = _CELL_END.search(row, opening.end())
        spans.append(_trimmed(row, opening.end(), closing.start() if closing else len(row)))
    return spans


def _plain(text: str) -> str:
    from html import unescape

    return " ".join(unescape(_TAG.sub(" ", text)).split())


def _trimmed(row: str, start: int, end: int) -> tuple[int, int]:
    while start < end and row[start].isspace():
        start += 1
    while end > start and row[end - 1].isspace():
        end -= 1
    return start, end
