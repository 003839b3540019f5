"""Tests; the folders mirror src/chunkwise."""
