"""Why a question was found or missed: one question, and what each row of a comparison made of it."""

from chunkwise.explanation.asking import explain
from chunkwise.explanation.stored import explain_report

__all__ = ["explain", "explain_report"]
