"""Golden sets: questions, and the places of the corpus that answer them."""

from chunkwise.golden.check import check_golden
from chunkwise.golden.draft import draft
from chunkwise.golden.faults import Check, Fault, Fix, Fixed
from chunkwise.golden.fix import fix_golden
from chunkwise.golden.load import load_golden
from chunkwise.golden.rows import check_source, each_key_once
from chunkwise.golden.similar import nearly_equal
from chunkwise.golden.write import write_golden

__all__ = [
    "Check",
    "Fault",
    "Fix",
    "Fixed",
    "check_golden",
    "check_source",
    "draft",
    "each_key_once",
    "fix_golden",
    "load_golden",
    "nearly_equal",
    "write_golden",
]
