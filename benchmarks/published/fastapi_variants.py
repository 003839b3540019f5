"""The FastAPI figures with one definition changed at a time: how much each of them decides."""

from __future__ import annotations

from collections import Counter
from collections.abc import Callable, Mapping, Sequence

import numpy as np

from benchmarks.published import fastapi
from benchmarks.published.cells import Rows
from benchmarks.published.fastapi import HEADING, Section, cutters, enough, found, queries, short_rows
from benchmarks.published.search import Indexed, index_all
from chunkwise.adapters import from_callable
from chunkwise.measure import HALF_SECTION, MAJORITY, OVERLAP, HitRule, Rule, either, overlap_length
from chunkwise.types import BlockKind, Document, GoldenSet, Span

MORE_THAN_HALF = Rule("more than half", lambda cs, ce, gs, ge: 2 * overlap_length(cs, ce, gs, ge) > ce - cs)
RULES: dict[str, HitRule] = {
    "base": MAJORITY,
    "more than half": MORE_THAN_HALF,
    "hit if half of chunk OR half of section": either(MAJORITY, HALF_SECTION),
    "hit if chunk covers half of section": HALF_SECTION,
    "hit if any overlap": OVERLAP,
}
NEWS = "release-notes.md"
"""Nearly half of the corpus, and its version numbers are queries."""


def variants(
    documents: Sequence[Document],
    golden: GoldenSet,
    indexes: Mapping[str, Indexed],
    size: int,
    retriever: str,
) -> dict[str, Rows]:
    """Every variant's rows, by its name.

    Args:
        documents: the corpus.
        golden: the queries as the article takes them.
        indexes: its strategies, indexed, by name.
        size: their limit.
        retriever: text form of the retriever.
    """
    tables: dict[str, Rows] = {}

    def ask(name: str, golden: GoldenSet, indexes: Mapping[str, Indexed] = indexes) -> None:
        tables[name] = short_rows({key: found(one, golden) for key, one in indexes.items()}, golden)

    for name, rule in RULES.items():
        rows = {key: found(indexed, golden, rule) for key, indexed in indexes.items()}
        tables[name] = short_rows(rows, golden)
    rows = {key: found(indexed, golden, narrow=_visible) for key, indexed in indexes.items()}
    tables["overlap on stripped chunk"] = short_rows(rows, golden)
    rows = {key: found(indexed, golden, depth=10) for key, indexed in indexes.items()}
    tables["MRR over top 10"] = short_rows(rows, golden, "mrr_at_10")

    for name, keep in QUERIES.items():
        ask(name, queries(documents, keep))
    titles = Counter(question.text.lower() for question in golden)
    ask("unique titles only", _only(golden, lambda q: titles[q.text.lower()] == 1))
    old = _only(golden, lambda q: not q.id.startswith(f"{NEWS}:"))
    ask("release-notes indexed, not queried", old)
    ask("section = whole subtree", queries(documents, cut=_subtrees))

    def indexed(
        cutters_: Mapping[str, fastapi.Cutter], documents: Sequence[Document]
    ) -> Mapping[str, Indexed]:
        chunkers = [(key, from_callable(cutter, key)) for key, cutter in cutters_.items()]
        return index_all(documents, chunkers, retriever)

    without_news = [document for document in documents if document.id != NEWS]
    ask("release-notes removed", old, indexed(cutters(size), without_news))
    bare = {key: _without_heading_lines(cutter) for key, cutter in cutters(size).items()}
    ask("heading lines removed from indexed text", golden, indexed(bare, documents))
    cut = _outside_of_fences(documents)
    ask(
        "headings inside code fences ignored",
        queries(documents, cut=cut),
        indexed(cutters(size, cut), documents),
    )
    return tables


MORE = 1911


def with_more_news(documents: Sequence[Document]) -> list[Document] | None:
    """The corpus with 1,911 more characters of list under the newest heading `Internal` of the news.

    The number was found by search: with it every published figure comes out, so that the author's copy
    was most likely some days younger. None where there is no such place.
    """
    news = next((document for document in documents if document.id == NEWS), None)
    head = news.text.find("### Internal") if news is not None else -1
    if news is None or head < 0:
        return None
    start = news.text.index("\n\n", head) + 2
    line = news.text[start : news.text.index("\n", start) + 1]
    more = (line * MORE)[: MORE - 1] + "\n"
    longer = news.with_text(news.text[:start] + more + news.text[start:])
    return [longer if document is news else document for document in documents]


def _words_at_spaces(section: Section, _: str) -> bool:
    long = section.end - section.start >= 300
    return section.level in (2, 3) and long and len(section.title.split()) >= 2


def _long_body(section: Section, text: str) -> bool:
    head = HEADING.match(text, section.start)
    # The line end behind the heading does not count.
    body = section.end - head.end() - 1 if head else 0
    return enough(section, text) and body >= 300


def _long_visible(section: Section, text: str) -> bool:
    return enough(section, text) and len(text[section.start : section.end].strip()) >= 300


QUERIES: dict[str, Callable[[Section, str], bool]] = {
    "words=split()": _words_at_spaces,
    "body without heading line >=300": _long_body,
    "section span stripped >=300": _long_visible,
}


def _only(golden: GoldenSet, keep: Callable[..., bool]) -> GoldenSet:
    return GoldenSet(filter(keep, golden), golden.digests)


def _subtrees(text: str) -> list[Section]:
    return [section._replace(end=section.subtree) for section in fastapi.sections(text)]


def _visible(document: Document, span: Span) -> Span:
    text = document.text[span.start : span.end]
    return Span(span.end - len(text.lstrip()), span.start + len(text.rstrip()))


def _without_heading_lines(cutter: fastapi.Cutter) -> fastapi.Cutter:
    return lambda text: ((start, end, HEADING.sub("", indexed)) for start, end, indexed in cutter(text))


def _outside_of_fences(documents: Sequence[Document]) -> Callable[[str], list[Section]]:
    """Sections where a line in a code block is no heading, as the parsed blocks say."""
    blocks: dict[str, tuple[np.ndarray, np.ndarray]] = {}
    for document in documents:
        spans = [block.span for block in document.blocks if block.kind is BlockKind.CODE]
        starts, ends = np.array(spans, dtype=np.int64).reshape(-1, 2).T
        blocks[document.text] = starts, ends

    def cut(text: str) -> list[Section]:
        starts, ends = blocks[text]

        def in_code(position: int) -> bool:
            i = int(np.searchsorted(starts, position, side="right")) - 1
            return i >= 0 and position < ends[i]

        return fastapi.sections(text, in_code)

    return cut
