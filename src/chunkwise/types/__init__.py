"""The nouns of Chunkwise. This room imports nothing of ours but the errors."""

from chunkwise.types.chunk import Chunk
from chunkwise.types.document import (
    Block,
    BlockKind,
    Blocks,
    Corpus,
    Document,
    Notice,
    Section,
    Sections,
    Structure,
)
from chunkwise.types.golden import Gold, GoldenSet, Place, Question
from chunkwise.types.protocols import Chunker, Counter, Embedder, Measure, Reader, Retriever, Segmenter
from chunkwise.types.report import SCHEMA, CandidateReport, Comparison, Decision, Pair, Report, Score
from chunkwise.types.run import (
    BoolArray,
    Candidate,
    ChunkTable,
    FloatArray,
    Gaps,
    IntArray,
    Ranking,
    Run,
)
from chunkwise.types.span import Span, covered, union

__all__ = [
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
    "Embedder",
    "FloatArray",
    "Gaps",
    "Gold",
    "GoldenSet",
    "IntArray",
    "Measure",
    "Notice",
    "Pair",
    "Place",
    "Question",
    "Ranking",
    "Reader",
    "Report",
    "Retriever",
    "Run",
    "Score",
    "Section",
    "Sections",
    "Segmenter",
    "Span",
    "Structure",
    "covered",
    "union",
]
