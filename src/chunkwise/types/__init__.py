"""The nouns of Chunkwise. This room imports nothing of ours but the errors and the check of arguments.

What only some commands need is imported from where it stands: `types.explanation`, `types.profile`.
"""

from chunkwise.types.chunk import Chunk
from chunkwise.types.corpus import Corpus, check_corpus
from chunkwise.types.document import Document, Origin, Removal
from chunkwise.types.golden import Gold, GoldenSet, Place, Question
from chunkwise.types.protocols import Chunker, Counter, Embedder, Measure, Reader, Retriever, Segmenter
from chunkwise.types.report import (
    LEVEL,
    MARGIN,
    SCHEMA,
    CandidateReport,
    Comparison,
    Decision,
    Pair,
    Report,
    Score,
)
from chunkwise.types.run import (
    BoolArray,
    Candidate,
    ChunkTable,
    FloatArray,
    Gaps,
    Hits,
    IntArray,
    Ranking,
    Rankings,
    Run,
)
from chunkwise.types.span import Span, covered, union
from chunkwise.types.structure import (
    Block,
    BlockKind,
    Blocks,
    Given,
    Notice,
    Section,
    Sections,
    Structure,
    carried,
)
from chunkwise.types.textmap import Edit, TextMap, apply

__all__ = [
    "LEVEL",
    "MARGIN",
    "SCHEMA",
    "Block",
    "BlockKind",
    "Blocks",
    "BoolArray",
    "Candidate",
    "CandidateReport",
    "Chunk",
    "ChunkTable",
    "Chunker",
    "Comparison",
    "Corpus",
    "Counter",
    "Decision",
    "Document",
    "Edit",
    "Embedder",
    "FloatArray",
    "Gaps",
    "Given",
    "Gold",
    "GoldenSet",
    "Hits",
    "IntArray",
    "Measure",
    "Notice",
    "Origin",
    "Pair",
    "Place",
    "Question",
    "Ranking",
    "Rankings",
    "Reader",
    "Removal",
    "Report",
    "Retriever",
    "Run",
    "Score",
    "Section",
    "Sections",
    "Segmenter",
    "Span",
    "Structure",
    "TextMap",
    "apply",
    "carried",
    "check_corpus",
    "covered",
    "union",
]
