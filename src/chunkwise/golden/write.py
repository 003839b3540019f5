"""`write_golden`: a `GoldenSet` as JSON Lines that load back to an equal one."""

from __future__ import annotations

from collections.abc import Mapping
from pathlib import Path
from typing import Any

from chunkwise.arguments import checked
from chunkwise.errors import SettingError
from chunkwise.files import replaced
from chunkwise.golden.entries import DIGEST, NESTED, RESERVED
from chunkwise.golden.rows import json_text
from chunkwise.types import GoldenSet, Place, Question

_DIGITS = 16


@checked("golden")
def write_golden(golden: GoldenSet, path: str | Path) -> None:
    """Write a golden set as JSON Lines, in UTF-8, beside and renamed.

    A gold is written as `[start, end]` with its quote. One without a quote (a drafted section) gets
    `doc_digest`, the beginning of its document's digest: after an edit of the document it is a fault
    to be drafted again and not a span of other text. The file loads back to an equal set; only a
    question without `answer_length` has that tag afterwards.

    Raises:
        SettingError: `golden` is no golden set.
    """
    if not isinstance(golden, GoldenSet):
        raise SettingError(
            f"golden must be a GoldenSet, got {type(golden).__name__}; GoldenSet(questions) makes one"
        )
    lines = [f"{json_text(entry(question, golden.digests))}\n" for question in golden]
    with replaced(Path(path).resolve()) as file:
        file.write("".join(lines).encode("utf-8"))


def entry(question: Question, digests: Mapping[str, str]) -> dict[str, Any]:
    """One question as an entry of a golden file."""
    golds = question.golds
    doc = golds[0].places[0].doc
    data: dict[str, Any] = {"id": question.id, "question": question.text, "doc": doc}
    if any(gold.places[0].doc != doc for gold in golds):
        data["gold"] = [_part(gold.places[0], "", digests, gold.quote) for gold in golds]
    else:
        spans, quotes = [list(gold.places[0].span) for gold in golds], [gold.quote or None for gold in golds]
        single = len(golds) == 1
        data["gold"] = spans[0] if single else spans
        if any(quotes):
            data["quote"] = quotes[0] if single else quotes
        if not all(quotes) and doc in digests:
            data[DIGEST] = digests[doc][:_DIGITS]
    also = [[_part(place, doc, digests) for place in gold.places[1:]] for gold in golds]
    if any(also):
        data["also"] = also[0] if len(also) == 1 else also
    if question.family not in ("", question.id):
        data["family"] = question.family
    if question.origin != "written":
        data["origin"] = question.origin
    if question.origin != "written" or not question.reviewed:
        # Written out also where it goes without saying: it is what a reviewer changes.
        data["reviewed"] = question.reviewed
    data |= {key: value for key, value in question.tags.items() if key not in RESERVED}
    nested = {key: value for key, value in question.tags.items() if key in RESERVED}
    return data | ({NESTED: nested} if nested else {})


def _part(place: Place, doc: str, digests: Mapping[str, str], quote: str = "") -> dict[str, Any]:
    """A place as an object; the document is left out where it is `doc`."""
    named = {} if place.doc == doc else {"doc": place.doc}
    data: dict[str, Any] = {**named, "start": place.span.start, "end": place.span.end}
    if quote:
        data["quote"] = quote
    elif place.doc in digests:
        data[DIGEST] = digests[place.doc][:_DIGITS]
    return data
