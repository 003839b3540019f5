"""The nouns of Chunkwise. This room imports nothing of ours but the errors."""

from chunkwise.types.chunk import Chunk
from chunkwise.types.corpus import Corpus, check_corpus
from chunkwise.types.document import Document, Origin, Removal
from chunkwise.types.explanation import Answer, CutInside, ExplainedGold, ExplainedRow, Explanation, Returned
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
    "SCHEMA",
    "Answer",
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
    "CutInside",
    "Decision",
    "Document",
    "DocumentProfile",
    "Edit",
    "Embedder",
    "ExplainedGold",
    "ExplainedRow",
    "Explanation",
    "FloatArray",
    "Gaps",
    "Given",
    "Gold",
    "GoldenSet",
    "IntArray",
    "Lengths",
    "Measure",
    "Notice",
    "Origin",
    "Pair",
    "Place",
    "Profile",
    "Proposal",
    "Question",
    "Ranking",
    "Reader",
    "Removal",
    "Repeated",
    "Report",
    "Retriever",
    "Returned",
    "Run",
    "Score",
    "Section",
    "Sections",
    "Segmenter",
    "Span",
    "Spot",
    "Structure",
    "TextMap",
    "apply",
    "carried",
    "check_corpus",
    "covered",
    "union",
]
