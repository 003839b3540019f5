"""Cleaning on against off on the manuals after noise was put in, for docs/cleaning.md."""

from __future__ import annotations

import json
import re
import tempfile
from collections.abc import Iterable, Mapping
from pathlib import Path
from random import Random

import chunkwise
from chunkwise.types import Corpus, Document, Edit, GoldenSet, Question, Span, TextMap, apply
from examples import manuals

STEPS = "hyphenation+invisible+spaces+ligatures"
SHARE = 0.15
"""So many of the words that could carry noise do."""
ROWS = ("heading:size=800", "fixed:size=800", "recursive:size=800")
_WORD = re.compile(r"[A-Za-z]{6,}")
_SPACE = re.compile(r"(?<=[a-z0-9]) (?=[a-z0-9])")


def noisy(document: Document, seed: int = 0) -> tuple[str, TextMap]:
    """The text with soft hyphens, zero-width and no-break spaces and ligatures put in, and the way back."""
    random = Random(f"{seed} {document.id}")
    text = document.text
    found: list[Edit] = []
    for word in _WORD.finditer(text):
        if random.random() >= SHARE:
            continue
        joined = re.search("ffi|fi|fl|ff", word[0])
        if joined is not None:
            put = {"ffi": "ﬃ", "fi": "ﬁ", "fl": "ﬂ", "ff": "ﬀ"}[joined[0]]
            at = word.start() + joined.start()
            found.append(Edit(at, at + len(joined[0]), put, "ligature"))
        else:
            at = word.start() + random.randrange(2, len(word[0]) - 2)
            found.append(Edit(at, at, random.choice("\u00ad\u200b"), "invisible"))
    found += [
        Edit(space.start(), space.end(), "\u00a0", "space")
        for space in _SPACE.finditer(text)
        if random.random() < SHARE
    ]
    found.sort()
    return apply(text, found), TextMap.of(found)


def corpora() -> tuple[Corpus, GoldenSet, Corpus, GoldenSet]:
    """The manuals as they are and with noise, each with the same questions."""
    texts, lines = manuals.build()
    plain = Corpus(chunkwise.read_text(text, path) for path, text in texts.items())
    with tempfile.TemporaryDirectory() as folder:
        file = Path(folder) / "golden.jsonl"
        file.write_text("".join(json.dumps(line) + "\n" for line in lines), encoding="utf-8")
        golden = chunkwise.load_golden(file, plain)
    made, ways = [], {}
    for document in plain:
        text, ways[document.id] = noisy(document)
        made.append(chunkwise.read_text(text, document.id))
    worse = Corpus(made)
    return plain, golden, worse, moved(golden, ways, worse)


def moved(golden: Iterable[Question], ways: Mapping[str, TextMap], corpus: Corpus) -> GoldenSet:
    """The questions with the places that their answers have in changed texts of the same ids."""
    questions = [
        question._replace(
            golds=tuple(
                gold._replace(
                    places=tuple(
                        place._replace(span=Span(*ways[place.doc].forward(place.span)))
                        for place in gold.places
                    )
                )
                for gold in question.golds
            )
        )
        for question in golden
    ]
    return GoldenSet(questions, {document.id: document.digest for document in corpus})


def table(data: Path) -> str:
    """What each row finds without noise, with noise, and with noise that is cleaned away."""
    del data
    plain, golden, worse, asked = corpora()
    settings = {"exhibits": 0, "resamples": 1000}
    before = chunkwise.compare(plain, golden, ROWS, **settings)
    after = chunkwise.compare(worse, asked, ROWS, clean=["no", STEPS], **settings)
    measure = before.settings["primary"]
    removed = after.corpus["cleaned"][STEPS]
    counts = {what: n for step in removed["steps"].values() for what, n in step.items()}
    lines = [
        f"{len(golden)} questions, {measure} in per cent with 95 % intervals. Put in and taken out again:",
        ", ".join(f"{n:,} × {what}" for what, n in counts.items()) + ".",
        "",
        "| row | as it was | with noise | with noise, cleaned | gain of cleaning |",
        "|---|---|---|---|---|",
    ]
    gains = {pair.first: pair for pair in after.pairs if pair.setting == "clean"}
    for row in ROWS:
        own = [before[row], after[row], after[f"{row},clean={STEPS}"]]
        cells = [
            f"{100 * one.measures[measure].value:.1f} "
            f"({100 * one.measures[measure].low:.1f} to {100 * one.measures[measure].high:.1f})"
            for one in own
        ]
        pair = gains[row]
        cells.append(f"{100 * pair.gain:.1f} ({100 * pair.low:.1f} to {100 * pair.high:.1f})")
        lines.append(f"| `{row}` | {' | '.join(cells)} |")
    return "\n".join(lines) + "\n"
