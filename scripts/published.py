"""The figures of docs/published.md: what articles published, and what comes out here."""

from __future__ import annotations

from collections.abc import Mapping, Sequence
from functools import cache
from pathlib import Path
from typing import Any

OWN = "chunkwise "
FOLDERS = {"rfc9562": "rfc9562", "fastapi": "fastapi-docs", "constitution": "constitution"}


def rfc9562(data: Path) -> str | None:
    """Four strategies on one RFC: where the cuts fall."""
    shown = {
        "chunks": "chunks",
        "avg_size": "mean size",
        "mid_sentence": "cuts in a sentence",
        "longest_chunk": "longest chunk",
        "chunks_over_1000": "chunks over 1,000",
    }
    return _page("rfc9562", data, shown)


def fastapi(data: Path) -> str | None:
    """Five strategies on the FastAPI documentation, 773 headings as queries."""
    shown = {
        "chunks": "chunks",
        "avg_chars": "mean size",
        "crosses_section_pct": "cross a section %",
        "hit_at_1": "hit@1",
        "hit_at_5": "hit@5",
        "mrr_at_5": "MRR@5",
        "chunks_over_limit": "chunks over 800",
        "longest_chunk": "longest chunk",
    }
    return _page("fastapi", data, shown)


def definitions(data: Path) -> str | None:
    """What hit@1 becomes where one definition is another one."""
    figures = _figures("fastapi", data)
    if figures is None:
        return None
    names = {
        "base": "as published: half of the chunk lies in the section",
        "hit if chunk covers half of section": "the chunk holds half of the section",
        "hit if half of chunk OR half of section": "one or the other",
        "hit if any overlap": "any overlap",
        "heading lines removed from indexed text": "as published, heading lines out of the index",
    }
    strategies = list(figures["sensitivity"]["base"])
    lines = _head(["definition", *strategies])
    for name, title in names.items():
        cells = [_text(figures["sensitivity"][name][s]["hit1"]["ours"]) for s in strategies]
        lines.append(f"| {title} | {' | '.join(cells)} |")
    return "\n".join([*lines, ""])


def constitution(data: Path) -> str | None:
    """Three chunkers at three sizes on one document with 32 questions."""
    shown = {
        "chunks": "chunks",
        "ceiling": "ceiling %",
        "bm25_recall_at_1": "BM25 recall@1 %",
        "bm25_recall_at_5": "BM25 recall@5 %",
        "longest_indexed": "longest indexed",
        "chunks_over_limit": "over the size",
    }
    return _page("constitution", data, shown)


def _page(corpus: str, data: Path, shown: Mapping[str, str]) -> str | None:
    figures = _figures(corpus, data)
    if figures is None:
        return None
    lines = _head(["row", *shown.values()])
    for name, row in figures["rows"].items():
        title = f"`{name.removeprefix(OWN)}`" if name.startswith(OWN) else name.replace("_", " ")
        lines.append(f"| {title} | {' | '.join(_cell(row.get(measure)) for measure in shown)} |")
    equal = figures["reference"]
    notes = list(figures["notes"])
    if equal is not None:
        count = equal["figures"] - len(equal["different"])
        notes.append(f"{count} of {equal['figures']} figures equal those of the reference file.")
    return "\n".join([*lines, "", *(f"- {note}" for note in notes), ""])


@cache
def _figures(corpus: str, data: Path) -> dict[str, Any] | None:
    """All figures of one article, computed; None where its corpus is not there."""
    folder = data / FOLDERS[corpus]
    if not folder.is_dir():
        return None
    from benchmarks.published.__main__ import ARTICLES, load_reference
    from benchmarks.published.cells import differences

    from chunkwise.chunk import make_chunkers

    article = ARTICLES[corpus]
    found = article.run(folder, own=[chunker for text in article.OWN for chunker in make_chunkers(text)])
    reference = load_reference(corpus, folder, None)
    plain = found.to_dict() | {"notes": article.notes(found), "reference": None}
    if reference is not None:
        expected = article.expected(reference)
        plain["reference"] = {"figures": len(expected), "different": differences(found, expected)}
    return plain


def _head(titles: Sequence[str]) -> list[str]:
    return [f"| {' | '.join(titles)} |", f"|---|{'---:|' * (len(titles) - 1)}"]


def _cell(cell: Mapping[str, Any] | None) -> str:
    """`published / ours`, or ours alone where nothing was published."""
    if cell is None or cell["ours"] is None:
        return ""
    ours = _text(cell["ours"])
    return ours if cell["published"] is None else f"{_text(cell['published'])} / {ours}"


def _text(value: Any) -> str:
    return f"{value:,}" if isinstance(value, int | float) else str(value)
