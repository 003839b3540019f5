"""Families: questions that stand or fall together, as numbers and as sums."""

from __future__ import annotations

from collections.abc import Iterator, Sequence
from typing import Any, TypeAlias

import numpy as np
import numpy.typing as npt

FloatArray: TypeAlias = npt.NDArray[np.float64]
IntArray: TypeAlias = npt.NDArray[np.int64]
Families: TypeAlias = Sequence[str] | Sequence[int] | npt.NDArray[Any]

# Numbers of 8 bytes held at once: memory is bounded, and few enough stay near the processor.
BLOCK = 1 << 18
# Numbers drawn at once: few enough for the cache of a processor, which halves the time.
DRAWN = 1 << 15
# Sums taken in another order differ in the last bits: rounded they are equal, and what is 0 is 0.
DECIMALS = 12


def checked(values: npt.ArrayLike, families: Families) -> tuple[FloatArray, npt.NDArray[np.intp]]:
    """Values as [n, m], and for each row the number of its family, in the order of the sorted labels.

    Raises:
        ValueError: no values, values that are not finite, or lengths that do not fit.
    """
    table = np.asarray(values, dtype=np.float64)
    if table.ndim not in (1, 2):
        raise ValueError(f"values must have the shape [n] or [n, m], got {table.shape}")
    table = table.reshape(len(table), -1) if len(table) else table
    if not len(table):
        raise ValueError("there are no values to resample")
    if len(families) != len(table):
        raise ValueError(f"{len(table)} values need as many families, got {len(families)}")
    if not np.isfinite(table).all():
        raise ValueError("values must be finite; a question without an answer scores 0")
    places = {label: i for i, label in enumerate(sorted(set(families)))}
    return table, np.array([places[label] for label in families], dtype=np.intp)


def family_sums(table: FloatArray, number: npt.NDArray[np.intp]) -> tuple[FloatArray, FloatArray]:
    """Sums of the values by family, [families, m], and the number of questions in each, [families].

    The sums are rounded to 12 decimals, so that differences that cancel are 0.
    """
    count = int(number.max()) + 1
    sums = np.zeros((count, table.shape[1]))
    np.add.at(sums, number, table)
    return rounded(sums), np.bincount(number).astype(np.float64)


def blocks(rows: int, width: int, most: int | None = None) -> Iterator[slice]:
    """`rows` in slices, so that a table of a slice's rows and `width` columns has at most `most` numbers."""
    step = max(1, (most or BLOCK) // max(1, width))
    for first in range(0, rows, step):
        yield slice(first, min(first + step, rows))


def rounded(values: FloatArray) -> FloatArray:
    """Values rounded to 12 decimals; -0.0 becomes 0.0."""
    result: FloatArray = values.round(DECIMALS) + 0.0
    return result
