"""Checks on what stands in front of a slice, on tables cut in pieces, and on sentences."""

from __future__ import annotations

from typing import Any

from chunkwise.text import sentences

from .mapping import Trial

Check = dict[str, Any]


def _prefixes(trial: Trial, needle: str) -> list[str]:
    found = [run.prefix(chunk) for run in trial.runs for chunk in run.holding(needle)]
    assert found, f"{needle!r} is in no chunk"
    return found


def prefix_has(trial: Trial, check: Check) -> None:
    for prefix in _prefixes(trial, check["needle"]):
        assert [text for text in check["texts"] if text not in prefix] == [], prefix


def prefix_has_in_order(trial: Trial, check: Check) -> None:
    for prefix in _prefixes(trial, check["needle"]):
        at = 0
        for text in check["texts"]:
            at = prefix.find(text, at)
            assert at >= 0, (text, prefix)
            at += len(text)


def prefix_lacks(trial: Trial, check: Check) -> None:
    for prefix in _prefixes(trial, check["needle"]):
        assert [text for text in check["texts"] if text in prefix] == [], prefix


def context_has(trial: Trial, check: Check) -> None:
    for run in trial.runs:
        for chunk in run.holding(check["needle"]):
            shown = run.prefix(chunk) + chunk.text
            assert [text for text in check["texts"] if text not in shown] == [], shown
            assert [text for text in check.get("lacks", []) if text in shown] == [], shown


def count_in_slices(trial: Trial, check: Check) -> None:
    for run in trial.runs:
        assert sum(chunk.text.count(check["text"]) for chunk in run.chunks) == check["equals"]


def count_in_embedded(trial: Trial, check: Check) -> None:
    for run in trial.runs:
        for chunk in run.holding(check.get("needle", check["text"])):
            assert chunk.indexed.count(check["text"]) == check["equals"]


def table_pieces(trial: Trial, check: Check) -> None:
    place = (check["start"], check["end"])
    repeated = f"{check['header']}\n{check['delimiter']}"
    for run in trial.runs:
        lines = run.source[check["start"] : check["end"]].rstrip("\n").split("\n")
        rows = [line for line in lines if line not in (check["header"], check["delimiter"])]
        assert len(rows) == check["rows"]
        pieces = [chunk for chunk in run.chunks if run.raw(chunk).overlap(place)]
        inside = [run.source[max(s, place[0]) : min(e, place[1])] for s, e in map(run.raw, pieces)]
        held = [line for piece in inside for line in piece.split("\n")]
        for row in rows:
            assert held.count(row) == rows.count(row), row
        for chunk in pieces:
            if check["header"] not in chunk.text:
                assert repeated in run.prefix(chunk), run.prefix(chunk)


def _spans(trial: Trial) -> list[list[int]]:
    ((_, source),) = trial.documents()
    return [list(span) for span in sentences(source)]


def exact_sentences(trial: Trial, check: Check) -> None:
    assert _spans(trial) == check["spans"]


def sentence_ends(trial: Trial, check: Check) -> None:
    low, high = check.get("only_in", [0, float("inf")])
    found = {end for _, end in _spans(trial) if low <= end <= high}
    wanted = set(check["positions"])
    assert wanted <= found, sorted(wanted - found)
    assert found <= wanted | set(check.get("optional", [])), sorted(found - wanted)


def no_sentence_starts_with(trial: Trial, check: Check) -> None:
    ((_, source),) = trial.documents()
    assert [s for s in sentences(source) if source[s.start : s.end].startswith(tuple(check["texts"]))] == []


CHECKS = {
    "prefix_has": prefix_has,
    "prefix_has_in_order": prefix_has_in_order,
    "prefix_lacks": prefix_lacks,
    "context_has": context_has,
    "count_in_slices": count_in_slices,
    "count_in_embedded": count_in_embedded,
    "table_pieces": table_pieces,
    "sentences": exact_sentences,
    "sentence_ends": sentence_ends,
    "no_sentence_starts_with": no_sentence_starts_with,
}
