"""`profile`: one pass over the corpus, one document at a time."""

from __future__ import annotations

from collections.abc import Callable, Iterable, Sequence
from pathlib import Path

from chunkwise.arguments import checked
from chunkwise.errors import CorpusError, SettingError
from chunkwise.profiles.lengths import Pieces, blocks_of, sections_of, stretches_of
from chunkwise.profiles.proposing import propose
from chunkwise.profiles.repeats import Repeats
from chunkwise.profiles.warning import warnings
from chunkwise.text import counter, is_blank
from chunkwise.types import Corpus
from chunkwise.types.profile import DocumentProfile, Profile

SIZES = (400, 800, 1600)
"""Sizes, in characters, that lengths are set against where none are named."""
SPARSE = 20_000
"""Characters a heading at least must come in, or a document counts as one without headings."""

Progress = Callable[[str, int, int], None]


@checked("corpus")
def profile(
    corpus: Corpus | str | Path,
    *,
    unit: str | Callable[[str], int] = "words",
    sizes: int | Iterable[int] = SIZES,
    progress: Progress | None = None,
) -> Profile:
    """Look at documents before they are cut.

    Args:
        corpus: the documents, or the path of a folder or file; one is held at a time.
        unit: what characters are set against: `words`, `cl100k`, `o200k`, a tokenizer file, or a function
            `text -> int`.
        sizes: sizes in characters; of every kind of piece it is said how many are longer.
        progress: `progress(stage, done, total)`.

    Raises:
        SettingError: a size below 1, or a unit that does not exist.
        CorpusError: no documents.
    """
    from chunkwise.readers import opened

    limits = _sizes(sizes)
    counted = counter(unit)
    documents = opened(corpus)
    if not len(documents):
        raise CorpusError("the corpus has no documents; give a folder with Markdown or text files")
    sections, repeats = Pieces("section"), Repeats()
    blocks: dict[str, Pieces] = {}
    stretches: dict[str, Pieces] = {}
    rows: list[tuple[str, int, int, int]] = []
    without_text, without_headings = [], []
    bare = 0
    for done, document in enumerate(documents, 1):
        length, headings = len(document.text), len(document.sections) - 1
        rows.append((document.id, length, headings, counted.count(document.text)))
        if is_blank(document.text):
            without_text.append(document.id)
        elif not headings or length / headings > SPARSE:
            without_headings.append(document.id)
        bare += document.sections[0].span.length
        sections_of(document, sections)
        blocks_of(document, blocks)
        stretches_of(document, stretches)
        repeats.add(document)
        if progress is not None:
            progress("profile", done, len(documents))
    total = sum(length for _, length, _, _ in rows)
    found, shared = repeats.finish(documents, total)
    profiles = tuple(
        DocumentProfile(doc, length, _share(length, total), headings, units, shared.get(doc, 0.0))
        for doc, length, headings, units in rows
    )
    order = sorted(blocks.values(), key=lambda pieces: -pieces.characters)
    made = Profile(
        characters=total,
        digest=documents.digest,
        unit=counted.name,
        units=sum(row.units for row in profiles),
        documents=profiles,
        without_text=tuple(without_text),
        without_headings=tuple(without_headings),
        under_no_heading=_share(bare, total),
        sections=sections.lengths(total, limits, documents),
        blocks=tuple(pieces.lengths(total, limits, documents) for pieces in order),
        stretches=tuple(pieces.lengths(total, limits, documents) for pieces in stretches.values()),
        repeated=found,
        proposal=propose(sections, blocks.get("paragraph"), _share(bare, total)),
        warnings=(),
        skipped=tuple(map(str, documents.skipped)),
    )
    return warnings(made)


def _share(part: int, whole: int) -> float:
    return round(part / whole, 6) if whole else 0.0


def _sizes(given: int | Iterable[int]) -> Sequence[int]:
    found = [given] if isinstance(given, int) else list(given)
    for size in found:
        if not isinstance(size, int) or isinstance(size, bool) or size < 1:
            raise SettingError(f"sizes must be whole numbers of at least 1, got {size!r}")
    if not found:
        raise SettingError("sizes: give at least one, such as 800")
    return sorted(set(found))
