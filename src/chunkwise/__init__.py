r"""Chunkwise: cut documents for retrieval, measure every way of cutting them, decide.

>>> import chunkwise
>>> [chunk.path for chunk in chunkwise.Heading(size=600)("# Guide\n\n## Setup\n\nPress the key.")]
[('Guide', 'Setup')]
"""

from __future__ import annotations

from importlib import import_module
from typing import TYPE_CHECKING, Any

if TYPE_CHECKING:
    from chunkwise.adapters import from_callable as from_callable
    from chunkwise.chunk import DocumentChunker as DocumentChunker
    from chunkwise.chunk import Fixed as Fixed
    from chunkwise.chunk import Heading as Heading
    from chunkwise.chunk import Page as Page
    from chunkwise.chunk import Paragraph as Paragraph
    from chunkwise.chunk import Recursive as Recursive
    from chunkwise.chunk import SectionChunker as SectionChunker
    from chunkwise.chunk import Sentence as Sentence
    from chunkwise.comparison import compare as compare
    from chunkwise.errors import ChunkwiseError as ChunkwiseError
    from chunkwise.explanation import explain as explain
    from chunkwise.explanation import explain_report as explain_report
    from chunkwise.golden import check_golden as check_golden
    from chunkwise.golden import draft as draft
    from chunkwise.golden import load_golden as load_golden
    from chunkwise.golden import write_golden as write_golden
    from chunkwise.golden.propose import propose as propose
    from chunkwise.profiles import profile as profile
    from chunkwise.readers import read as read
    from chunkwise.readers import read_text as read_text
    from chunkwise.readers.clean import clean as clean
    from chunkwise.ship.baseline import Baseline as Baseline
    from chunkwise.ship.gating import gate as gate
    from chunkwise.ship.opened import open_index as open_index
    from chunkwise.ship.shipping import ship_index as ship_index
    from chunkwise.types import Candidate as Candidate
    from chunkwise.types import Chunk as Chunk
    from chunkwise.types import Corpus as Corpus
    from chunkwise.types import Decision as Decision
    from chunkwise.types import Document as Document
    from chunkwise.types import Gold as Gold
    from chunkwise.types import GoldenSet as GoldenSet
    from chunkwise.types import Place as Place
    from chunkwise.types import Question as Question
    from chunkwise.types import Report as Report
    from chunkwise.types import Span as Span
    from chunkwise.types.explanation import Explanation as Explanation
    from chunkwise.types.profile import Profile as Profile

__version__ = "0.1.0"

# Where each public name lives. A module is imported when one of its names is first asked for, so that
# `import chunkwise` costs next to nothing.
_HOMES = {
    "Baseline": "chunkwise.ship.baseline",
    "Candidate": "chunkwise.types",
    "Chunk": "chunkwise.types",
    "ChunkwiseError": "chunkwise.errors",
    "Corpus": "chunkwise.types",
    "Decision": "chunkwise.types",
    "Document": "chunkwise.types",
    "DocumentChunker": "chunkwise.chunk",
    "Explanation": "chunkwise.types.explanation",
    "Fixed": "chunkwise.chunk",
    "Gold": "chunkwise.types",
    "GoldenSet": "chunkwise.types",
    "Heading": "chunkwise.chunk",
    "Page": "chunkwise.chunk",
    "Paragraph": "chunkwise.chunk",
    "Place": "chunkwise.types",
    "Profile": "chunkwise.types.profile",
    "Question": "chunkwise.types",
    "Recursive": "chunkwise.chunk",
    "Report": "chunkwise.types",
    "SectionChunker": "chunkwise.chunk",
    "Sentence": "chunkwise.chunk",
    "Span": "chunkwise.types",
    "check_golden": "chunkwise.golden",
    "clean": "chunkwise.readers.clean",
    "compare": "chunkwise.comparison",
    "draft": "chunkwise.golden",
    "explain": "chunkwise.explanation",
    "explain_report": "chunkwise.explanation",
    "from_callable": "chunkwise.adapters",
    "gate": "chunkwise.ship.gating",
    "load_golden": "chunkwise.golden",
    "profile": "chunkwise.profiles",
    "propose": "chunkwise.golden.propose",
    "open_index": "chunkwise.ship.opened",
    "read": "chunkwise.readers",
    "read_text": "chunkwise.readers",
    "ship_index": "chunkwise.ship.shipping",
    "write_golden": "chunkwise.golden",
}

__all__ = sorted(_HOMES)


def __getattr__(name: str) -> Any:
    if name not in _HOMES:
        raise AttributeError(f"module 'chunkwise' has no attribute {name!r}")
    value = globals()[name] = getattr(import_module(_HOMES[name]), name)
    return value


def __dir__() -> list[str]:
    return sorted([*globals(), *_HOMES])
