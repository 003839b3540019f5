"""Precision-omega of eight chunkers on Chroma's corpora, sizes in cl100k tokens. It needs no embeddings."""

from __future__ import annotations

from collections.abc import Mapping, Sequence
from pathlib import Path
from typing import Any

from benchmarks.published.cells import Expected, Figures, Value, side_by_side
from benchmarks.published.chroma import Cut, cut_all, load, mean, recursive, unsearched, windows
from chunkwise.measure import PrecisionOmega
from chunkwise.types import Chunker, GoldenSet

REFERENCE = "chroma"
UNIT = "cl100k"
OWN: Sequence[str] = (f"sentence:size=200,unit={UNIT}", f"fixed:size=200,unit={UNIT}")
SETTINGS = ((800, 400), (400, 200), (400, 0), (200, 0))
PUBLISHED: dict[str, dict[str, Value]] = {}
"""The reference file holds the figures to six digits; what the report prints of them has two or three."""
TOUCHING, STRICT = PrecisionOmega(touching=True), PrecisionOmega()


def chunkers(settings: Sequence[tuple[int, int]] = SETTINGS) -> dict[str, Chunker]:
    """The report's chunkers by row."""
    found: dict[str, Chunker] = {}
    for (size, overlap), (own_size, own_overlap) in zip(SETTINGS, settings, strict=True):
        name = f"{size}_{overlap}"
        found[f"recursive_{name}"] = recursive(own_size, own_overlap, UNIT)
        found[f"token_{name}"] = windows(own_size, own_overlap, UNIT, f"token_{name}")
    return found


def measure(cut: Cut, golden: GoldenSet) -> dict[str, Value]:
    """The figures of one chunker: as in the report, with each of its two quirks left out, and strict."""
    true, first = cut.true_places(), cut.first_places()
    theirs, ours = unsearched(first, golden), unsearched(true, golden)
    as_published = TOUCHING.column(theirs)
    moved = (first.starts != true.starts) & (true.starts >= 0)
    return {
        "chunks": len(cut),
        "precision_omega": mean(as_published),
        "precision_omega_sd": round(float(as_published.std()), 6),
        "precision_omega_strict": mean(STRICT.column(ours)),
        "precision_omega_strict_overlap": mean(STRICT.column(theirs)),
        "precision_omega_true_places": mean(TOUCHING.column(ours)),
        "chunks_on_another_copy": int(moved.sum()),
        "chunks_without_a_place": int((true.starts < 0).sum()),
    }


def run(
    data: Path, *, own: Sequence[Chunker] = (), settings: Sequence[tuple[int, int]] = SETTINGS
) -> Figures:
    """All figures.

    Args:
        data: the folder with `corpora/` and `questions_df.csv`.
        own: Chunkwise's own chunkers that stand beside.
        settings: sizes and overlaps, in the order of the rows; others move the cells.
    """
    corpus, golden = load(data)
    rows = {name: measure(cut_all(corpus, chunker), golden) for name, chunker in chunkers(settings).items()}
    rows |= {f"chunkwise {chunker.spec}": measure(cut_all(corpus, chunker), golden) for chunker in own}
    about: dict[str, Any] = {
        "name": "chroma-eval",
        "digest": corpus.digest,
        "documents": len(corpus),
        "characters": sum(len(document.text) for document in corpus),
        "questions": len(golden),
        "excerpts": sum(len(question.golds) for question in golden),
    }
    return Figures(about, side_by_side(PUBLISHED, rows))


def expected(reference: Mapping[str, Any]) -> Expected:
    """What the reference file says, by place in the output."""
    places: dict[str, Value] = {}
    for name, (chunks, omega) in reference["omega_cl100k"].items():
        places |= {f"rows/{name}/chunks": chunks, f"rows/{name}/precision_omega": omega}
    return places


def notes(figures: Figures) -> list[str]:
    """What the report's way of placing chunks comes to, in words."""
    row = figures.rows["recursive_200_0"]
    moved, chunks = (row[m].ours for m in ("chunks_on_another_copy", "chunks"))
    return [
        "precision_omega: as in the report, chunks placed where their text occurs first, touching counts;",
        "precision_omega_strict: true places and strict overlap.",
        f"recursive_200_0: {moved:,} of {chunks:,} chunks stand on another copy of their text in the report.",
    ]
