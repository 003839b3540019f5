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
from chunkwise.types.profile import DocumentProfile, Lengths, Profile, Proposal, Repeated, Spot
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
    "DocumentProfile",
    "Embedder",
    "FloatArray",
    "Gaps",
    "Gold",
    "GoldenSet",
    "IntArray",
    "Lengths",
    "Measure",
    "Notice",
    "Pair",
    "Place",
    "Profile",
    "Proposal",
    "Question",
    "Ranking",
    "Reader",
    "Repeated",
    "Report",
    "Retriever",
    "Run",
    "Score",
    "Section",
    "Sections",
    "Segmenter",
    "Span",
    "Spot",
    "Structure",
    "covered",
    "union",
]
