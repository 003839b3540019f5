"""Sizes to compare: those at which some half, three quarters and nine tenths of the sections stay whole."""

from __future__ import annotations

import numpy as np

from chunkwise.profiles.lengths import Pieces
from chunkwise.types import IntArray
from chunkwise.types.profile import Proposal

ROUND = (200, 300, 400, 500, 600, 800, 1000, 1200, 1600, 2000, 2400)
"""Sizes in characters that are proposed. Smaller chunks hold no answer; larger ones hold several subjects."""
APART = 1.5
"""Least ratio of two sizes that are proposed together."""
USUAL = (400, 800, 1600)
"""Where the documents do not say what to try."""
_SHARES = (0.5, 0.9, 0.75)
_LONG = 0.12
_FEW = 10  # sections; fewer say nothing about the next document


def propose(sections: Pieces, paragraphs: Pieces | None, bare: float) -> Proposal:
    """Sizes to compare.

    Args:
        sections: sections with text of their own.
        paragraphs: paragraphs; None where there are none.
        bare: share of the text below no heading.
    """
    headed = bare < 0.5 and len(sections.sizes) >= _FEW
    if headed:
        sizes, reasons = _fitting(sections.sizes, "sections")
        chunkers: tuple[str, ...] = ("heading", "fixed")
    elif paragraphs is not None and len(paragraphs.sizes) >= _FEW:
        # A chunk takes several paragraphs: one that holds only one of them says little.
        sizes, reasons = _several(paragraphs.sizes)
        chunkers = ("paragraph", "recursive", "fixed")
    else:
        sizes = list(USUAL)
        reasons = ["there are too few sections and paragraphs to go by: these are usual first sizes"]
        chunkers = ("recursive", "fixed")
    values = "|".join(map(str, sizes))
    return Proposal(tuple(sizes), tuple(reasons), tuple(f"{name}:size={values}" for name in chunkers))


def _rounded(length: float) -> int:
    """The next round size that is not below a length; the largest one where none is."""
    return next((size for size in ROUND if size >= length), ROUND[-1])


def _fitting(lengths: IntArray, noun: str) -> tuple[list[int], list[str]]:
    found: list[int] = []
    for size in (*(_rounded(float(np.quantile(lengths, share))) for share in _SHARES), *USUAL):
        # Sizes nearer to each other than that no set of questions tells apart.
        if len(found) < len(USUAL) and all(max(size, o) >= APART * min(size, o) for o in found):
            found.append(size)
    reasons = [
        f"{size:,}: {100 * float((lengths <= size).mean()):.0f} % of the {noun} fit whole"
        for size in sorted(found)
    ]
    long = float((lengths > max(found)).mean())
    if long > _LONG:
        reasons.append(
            f"{100 * long:.0f} % of the {noun} are longer than all of these and are cut inside at every size"
        )
    return sorted(found), reasons


def _several(lengths: IntArray) -> tuple[list[int], list[str]]:
    median = float(np.median(lengths))
    sizes: list[int] = []
    for times, least in ((2, 300), (4, 600), (8, 1200)):
        size = _rounded(max(median * times, least))
        # The largest sizes are nearer to each other than medians doubled are.
        if not sizes or size >= APART * sizes[-1]:
            sizes.append(size)
    reasons = []
    for size in sizes:
        many = size / median if median else 0.0
        whole = 100 * float((lengths <= size).mean())
        reasons.append(
            f"{size:,}: about {many:.0f} paragraphs of median length; {whole:.0f} % of all fit whole"
        )
    reasons.append("there are hardly any headings to go by, so that paragraphs decide")
    return sizes, reasons
