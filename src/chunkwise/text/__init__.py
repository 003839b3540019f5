"""What is true of any text: blank characters, sentences, graphemes, words, sizes."""

from chunkwise.text.blank import IGNORABLE, VISIBLE, is_blank, line_ends, quoted_line, trim_lines
from chunkwise.text.cells import cell_spans, cells
from chunkwise.text.graphemes import grapheme_ceil, grapheme_ends, grapheme_floor
from chunkwise.text.languages import language_of
from chunkwise.text.rates import Uneven, uneven
from chunkwise.text.rulers import CharRuler, Ruler, earliest_start, ruler
from chunkwise.text.sentences import sentence_ends, sentences
from chunkwise.text.units import BothCounter, bare, counter, special
from chunkwise.text.words import word_spans, word_starts

__all__ = [
    "IGNORABLE",
    "VISIBLE",
    "BothCounter",
    "CharRuler",
    "Ruler",
    "Uneven",
    "bare",
    "cell_spans",
    "cells",
    "counter",
    "earliest_start",
    "grapheme_ceil",
    "grapheme_ends",
    "grapheme_floor",
    "is_blank",
    "language_of",
    "line_ends",
    "quoted_line",
    "ruler",
    "sentence_ends",
    "sentences",
    "special",
    "trim_lines",
    "uneven",
    "word_spans",
    "word_starts",
]
