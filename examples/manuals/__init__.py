"""A corpus of near-duplicate device manuals with questions whose answers are known.

`build(seed=7, documents=22)` gives it in memory; `python -m examples.manuals --out DIR` writes it.
"""

from examples.manuals.generate import ShapeError, build, main

__all__ = ["ShapeError", "build", "main"]
