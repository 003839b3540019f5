"""Checks on cleaning: what is left, what is gone, and the way back to what was read."""

from __future__ import annotations

from typing import Any

from chunkwise.readers.clean import clean
from chunkwise.text import sentences
from chunkwise.types import Document

from .mapping import CLEANINGS, Trial

Check = dict[str, Any]


def _cleaned(trial: Trial) -> list[Document]:
    steps = CLEANINGS[trial.case.settings["clean"]]
    return [clean(document, steps) for document, _ in trial.documents()]


def _texts(trial: Trial) -> list[str]:
    found = [document.text for document in _cleaned(trial)]
    assert found
    return found


def _folded(text: str) -> str:
    return " ".join(text.split())


def equals(trial: Trial, check: Check) -> None:
    assert _texts(trial) == [check["text"]]


def equals_ws(trial: Trial, check: Check) -> None:
    assert [_folded(text) for text in _texts(trial)] == [_folded(check["text"])]


def contains_ws(trial: Trial, check: Check) -> None:
    for text in _texts(trial):
        assert _folded(check["text"]) in _folded(text)


def contains_in_order(trial: Trial, check: Check) -> None:
    for text in _texts(trial):
        at = 0
        for part in check["texts"]:
            at = text.index(part, at) + len(part)


def lacks(trial: Trial, check: Check) -> None:
    for text in _texts(trial):
        assert [part for part in check["texts"] if part in text] == []


def count(trial: Trial, check: Check) -> None:
    assert sum(text.count(check["text"]) for text in _texts(trial)) == check["equals"]


def tokens(trial: Trial, check: Check) -> None:
    assert [text.split() for text in _texts(trial)] == [check["tokens"]]


def idempotent(trial: Trial, _: Check) -> None:
    steps = CLEANINGS[trial.case.settings["clean"]]
    for document in _cleaned(trial):
        assert clean(document.source.with_text(document.text), steps).text == document.text


def maps_back(trial: Trial, check: Check) -> None:
    for document in _cleaned(trial):
        start = document.text.index(check["cleaned"])
        place = (start, start + len(check["cleaned"]))
        assert document.to_raw(place) == (check["start"], check["end"])
        assert document.from_raw((check["start"], check["end"])) == place


def sentence_count(trial: Trial, check: Check) -> None:
    assert sum(len(sentences(text)) for text in _texts(trial)) == check["equals"]


def page_of(trial: Trial, check: Check) -> None:
    for document in (*_cleaned(trial), *(document for document, _ in trial.documents())):
        assert document.page(document.text.index(check["needle"])) == check["page"]


CHECKS = {
    "cleaned_equals": equals,
    "cleaned_equals_ws": equals_ws,
    "cleaned_contains_ws": contains_ws,
    "cleaned_contains_in_order": contains_in_order,
    "cleaned_lacks": lacks,
    "cleaned_count": count,
    "cleaned_tokens": tokens,
    "clean_idempotent": idempotent,
    "clean_maps_back": maps_back,
    "sentence_count_cleaned": sentence_count,
    "page_of": page_of,
}
