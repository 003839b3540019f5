"""Checks on the structure of a document: headings, sections, paths, tables, notices."""

from __future__ import annotations

import re
from typing import Any

from chunkwise.structure import tables
from chunkwise.types import BlockKind, Document, Section

from .mapping import Trial

Check = dict[str, Any]


def outline(trial: Trial, check: Check) -> None:
    for document, _ in trial.documents():
        found = [[s.level, s.title, document.to_raw(s.span).start] for s in document.sections[1:]]
        assert found == check["headings"]


def section_count(trial: Trial, check: Check) -> None:
    assert sum(len(document.sections) - 1 for document, _ in trial.documents()) == check["equals"]


def _titled(trial: Trial, title: str, nth: int = 1) -> tuple[Document, Section]:
    found = [(d, s) for d, _ in trial.documents() for s in d.sections[1:] if s.title == title]
    assert len(found) >= nth, f"{len(found)} sections have the title {title!r}"
    return found[nth - 1]


def section_start(trial: Trial, check: Check) -> None:
    document, section = _titled(trial, check["title"], check.get("nth", 1))
    assert document.to_raw(section.span).start == check["start"]


def body_at(trial: Trial, check: Check) -> None:
    document, section = _titled(trial, check["title"], check["nth"])
    body = document.text[section.body : section.span.end]
    blank = len(body) - len(body.lstrip())
    assert document.to_raw((section.body + blank, section.span.end)).start == check["start"]


def parent(trial: Trial, check: Check) -> None:
    document, section = _titled(trial, check["section"])
    above = document.sections[section.parent].title if section.parent >= 0 else None
    assert above == check["parent"]


def different_parents(trial: Trial, check: Check) -> None:
    parents = []
    for number, title in enumerate(check["sections"]):
        _, section = _titled(trial, title, check["sections"][: number + 1].count(title))
        parents.append(section.parent)
    assert len(set(parents)) == len(parents)


def path(trial: Trial, check: Check) -> None:
    paths = [list(chunk.path) for run in trial.runs for chunk in run.holding(check["needle"])]
    assert paths, f"{check['needle']!r} is in no chunk"
    for found in paths:
        assert found == check["path"]


def path_any(trial: Trial, check: Check) -> None:
    paths = [list(chunk.path) for run in trial.runs for chunk in run.holding(check["needle"])]
    assert paths, f"{check['needle']!r} is in no chunk"
    for found in paths:
        assert found in check["paths"]


def path_or_error(trial: Trial, check: Check) -> None:
    # The mark of the file is honoured, so the path it is.
    path(trial, check)


def no_path_has(trial: Trial, check: Check) -> None:
    titles = [title for run in trial.runs for chunk in run.chunks for title in chunk.path]
    titles += [title for document, _ in trial.documents() for title in document.sections.titles]
    for text in check["texts"]:
        assert [title for title in titles if text in title] == []


def paragraph_break_between(trial: Trial, check: Check) -> None:
    for document, _ in trial.documents():
        blocks = document.blocks
        found = []
        for needle in check["needles"]:
            at = document.text.index(needle)
            found += [
                i
                for i, block in enumerate(blocks)
                if block.kind == BlockKind.PARAGRAPH and block.span[0] <= at < block.span[1]
            ]
        assert len(set(found)) == len(check["needles"])
    for run in trial.runs:
        for chunk in run.chunks:
            assert not all(needle in chunk.text for needle in check["needles"])


def table_count(trial: Trial, check: Check) -> None:
    kinds = [kind for document, _ in trial.documents() for kind in document.blocks.kind]
    assert kinds.count(BlockKind.TABLE) == check["equals"]


def table_cells(trial: Trial, check: Check) -> None:
    ((_, *body),) = [table for document, _ in trial.documents() for table in tables(document)]
    assert body[check["row"] - 1] == check["cells"]


def warning(trial: Trial, check: Check) -> None:
    said = [str(notice) for document, _ in trial.documents() for notice in document.notices]
    said += [str(notice) for corpus in trial.corpora for notice in corpus.notices]
    assert any(names_all(message, check["names"]) for message in said), said


def document_count(trial: Trial, check: Check) -> None:
    assert sum(len(corpus) for corpus in trial.corpora) == check["equals"]


def names_all(message: str, names: list[str]) -> bool:
    """Whether every name stands in a message as a word of its own."""
    return all(re.search(rf"(?<![\w-]){re.escape(name)}(?!\w)", message) for name in names)


CHECKS = {
    "outline": outline,
    "section_count": section_count,
    "section_start": section_start,
    "body_at": body_at,
    "parent": parent,
    "different_parents": different_parents,
    "path": path,
    "path_any": path_any,
    "path_or_error": path_or_error,
    "no_path_has": no_path_has,
    "paragraph_break_between": paragraph_break_between,
    "table_count": table_count,
    "table_cells": table_cells,
    "warning": warning,
    "document_count": document_count,
}
