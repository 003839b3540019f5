"""What is in a corpus before anything is cut: lengths, kinds, where a cut can fall, and sizes to try."""

from chunkwise.profiles.taking import SIZES, profile

__all__ = ["SIZES", "profile"]
