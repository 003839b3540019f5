"""Checks on chunks: where they are cut, what they hold, how large they are."""

from __future__ import annotations

import re
from itertools import pairwise
from typing import Any

from chunkwise.text import counter, is_blank, sentences
from chunkwise.types import BlockKind, union

from .mapping import Run, Trial, unit_of

Check = dict[str, Any]


def cover(trial: Trial, check: Check) -> None:
    for run in trial.runs:
        spans = [run.raw(chunk) for chunk in run.chunks] + [tuple(span) for span in check.get("except", [])]
        blocks = run.document.blocks
        spans += [run.document.to_raw(b.span) for b in blocks if b.kind == BlockKind.FRONT_MATTER]
        reached = 0
        for span in [*union(spans), (len(run.source), len(run.source))]:
            assert is_blank(run.source[reached : span[0]]), (run.chunker.spec, run.source[reached : span[0]])
            reached = span[1]


def no_cut_inside(trial: Trial, check: Check) -> None:
    for run in trial.runs:
        inside = [p for p in run.cuts() if check["start"] < p < check["end"]]
        assert inside == [], (run.chunker.spec, check["what"])


def no_cut_inside_each(trial: Trial, check: Check) -> None:
    for start, end in check["ranges"]:
        no_cut_inside(trial, {"start": start, "end": end, "what": check["what"]})


def no_cut_between(trial: Trial, check: Check) -> None:
    for run in trial.runs:
        for before, after in check["pairs"]:
            assert [
                p for p in run.cuts() if run.source[p - 1 : p] == before and run.source[p : p + 1] == after
            ] == []


def cuts_only_at_line_starts(trial: Trial, check: Check) -> None:
    for run in trial.runs:
        for p in run.starts():
            if not check["start"] < p < check["end"]:
                continue
            line = max(run.source.rfind("\n", 0, p), run.source.rfind("\r", 0, p)) + 1
            skipped = run.source[p : run.from_text(p)]
            assert is_blank(run.source[line:p]) or "\n" in skipped, (
                run.chunker.spec,
                run.source[line : p + 20],
            )


def cuts_only_at(trial: Trial, check: Check) -> None:
    for run in trial.runs:
        allowed = {run.from_text(p) for p in check["positions"]}
        inner = {run.from_text(p) for p in run.starts()[1:]}
        assert inner <= allowed, (run.chunker.spec, sorted(inner - allowed))


def cuts_only_at_sentence_ends(trial: Trial, _: Check) -> None:
    for run in trial.runs:
        allowed = {span.start for span in sentences(run.source)}
        assert {run.from_text(p) for p in run.starts()} <= allowed


def starts_rise(trial: Trial, _: Check) -> None:
    for run in trial.runs:
        starts = run.starts()
        assert all(a < b for a, b in pairwise(starts))


def starts_between(trial: Trial, check: Check) -> None:
    for run in trial.runs:
        for needle in check["needles"]:
            held = run.holding(needle)
            assert held
            for chunk in held:
                assert check["low"] <= run.raw(chunk).start <= check["high"]


def starts_at_word(trial: Trial, _: Check) -> None:
    for run in trial.runs:
        for p in run.starts():
            p = run.from_text(p)
            assert p == 0 or not (run.source[p - 1].isalnum() and run.source[p].isalnum()), run.source[
                p - 5 : p + 5
            ]


def same_chunk(trial: Trial, check: Check) -> None:
    for run in trial.runs:
        found = [chunk for chunk in run.chunks if all(needle in chunk.text for needle in check["needles"])]
        assert found, (run.chunker.spec, [chunk.text for chunk in run.chunks])


def different_chunks(trial: Trial, check: Check) -> None:
    for run in trial.runs:
        assert [
            chunk for chunk in run.chunks if all(needle in chunk.text for needle in check["needles"])
        ] == []


def words_whole(trial: Trial, check: Check) -> None:
    for run in trial.runs:
        for word in check["words"]:
            assert any(re.search(rf"(?<!\w){re.escape(word)}(?!\w)", chunk.text) for chunk in run.chunks)


def no_chunk_has(trial: Trial, check: Check) -> None:
    for text in check["texts"]:
        assert [chunk for run in trial.runs for chunk in run.chunks if text in chunk.text] == []


def no_chunk_starts_with(trial: Trial, check: Check) -> None:
    for run in trial.runs:
        assert [chunk for chunk in run.chunks if chunk.text.lstrip().startswith(tuple(check["texts"]))] == []


def no_chunk_ends_with(trial: Trial, check: Check) -> None:
    for run in trial.runs:
        assert [chunk for chunk in run.chunks if chunk.text.rstrip().endswith(tuple(check["texts"]))] == []


def no_chunk_ends_matching(trial: Trial, check: Check) -> None:
    for run in trial.runs:
        assert [chunk for chunk in run.chunks if re.search(check["pattern"], chunk.text)] == []


def no_blank_chunks(trial: Trial, _: Check) -> None:
    assert [chunk for run in trial.runs for chunk in run.chunks if is_blank(chunk.text)] == []


def ids_unique(trial: Trial, _: Check) -> None:
    for spec in {run.chunker.spec for run in trial.runs}:
        ids = [chunk.id for run in trial.runs if run.chunker.spec == spec for chunk in run.chunks]
        assert len(set(ids)) == len(ids)


def numbers_dense(trial: Trial, _: Check) -> None:
    for run in trial.runs:
        seen: dict[str, int] = {}
        for chunk in run.chunks:
            assert chunk.number == seen.get(chunk.indexed, 0)
            seen[chunk.indexed] = chunk.number + 1


def _counts(trial: Trial, check: Check) -> dict[str, int]:
    counts: dict[str, int] = {}
    for run in trial.runs:
        if check.get("file", run.name) == run.name:
            counts[run.chunker.spec] = counts.get(run.chunker.spec, 0) + len(run.chunks)
    assert counts
    return counts


def chunk_count(trial: Trial, check: Check) -> None:
    for spec, count in _counts(trial, check).items():
        assert count == check["equals"], spec


def max_chunks(trial: Trial, check: Check) -> None:
    for spec, count in _counts(trial, check).items():
        assert count <= check["limit"], spec


def max_size(trial: Trial, check: Check) -> None:
    count = counter(unit_of(check)).count
    for run in trial.runs:
        for chunk in run.chunks:
            measured = chunk.text if check["of"] == "slice" else chunk.indexed
            assert count(measured) <= check["limit"], (run.chunker.spec, measured)


def max_each(trial: Trial, check: Check) -> None:
    lines = trial.case.lines("settings.jsonl")
    for line, limit in zip(lines, check["limits"], strict=True):
        settings = {**trial.case.settings, **line}
        for run in trial.runs_with(settings):
            assert max(len(chunk.text) for chunk in run.chunks) <= limit
            cover_one(run)


def cover_one(run: Run) -> None:
    """Rule 2 for one run."""
    kept = set(range(len(run.source))) - {p for chunk in run.chunks for p in range(*run.raw(chunk))}
    assert is_blank("".join(run.source[p] for p in sorted(kept)))


def chunks_equal(trial: Trial, check: Check) -> None:
    for run in trial.runs_with({**trial.case.settings, **check.get("settings", {})}):
        assert [list(run.raw(chunk)) for chunk in run.chunks] == check["spans"]


def stripped_chunks_equal(trial: Trial, check: Check) -> None:
    for run in trial.runs_with({**trial.case.settings, **check.get("settings", {})}):
        found = []
        for chunk in run.chunks:
            start = run.raw(chunk).start + len(chunk.text) - len(chunk.text.lstrip())
            found.append([start, start + len(chunk.text.strip())])
        assert found == check["spans"]


def reembedded_at_most(trial: Trial, check: Check) -> None:
    before, after = (
        {chunk.id for run in trial.runs if version in run.root.parts for chunk in run.chunks}
        for version in check["after"]
    )
    assert before
    assert len(after - before) <= check["limit"]


CHECKS = {
    "cover": cover,
    "no_cut_inside": no_cut_inside,
    "no_cut_inside_each": no_cut_inside_each,
    "no_cut_between": no_cut_between,
    "cuts_only_at_line_starts": cuts_only_at_line_starts,
    "cuts_only_at": cuts_only_at,
    "cuts_only_at_sentence_ends": cuts_only_at_sentence_ends,
    "starts_rise": starts_rise,
    "starts_between": starts_between,
    "starts_at_word": starts_at_word,
    "same_chunk": same_chunk,
    "different_chunks": different_chunks,
    "words_whole": words_whole,
    "no_chunk_has": no_chunk_has,
    "no_chunk_starts_with": no_chunk_starts_with,
    "no_chunk_ends_with": no_chunk_ends_with,
    "no_chunk_ends_matching": no_chunk_ends_matching,
    "no_blank_chunks": no_blank_chunks,
    "ids_unique": ids_unique,
    "numbers_dense": numbers_dense,
    "chunk_count": chunk_count,
    "max_chunks": max_chunks,
    "max": max_size,
    "max_each": max_each,
    "chunks_equal": chunks_equal,
    "stripped_chunks_equal": stripped_chunks_equal,
    "reembedded_at_most": reembedded_at_most,
}
