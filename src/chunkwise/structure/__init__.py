"""Structure: what a text's own marks say about its blocks and sections. One parse, no objects."""

from chunkwise.structure.markdown import parse_markdown
from chunkwise.structure.plain import parse_code, parse_plain
from chunkwise.structure.tables import tables

__all__ = ["parse_code", "parse_markdown", "parse_plain", "tables"]
