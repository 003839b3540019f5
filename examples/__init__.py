"""Corpora with golden sets, to try Chunkwise on."""
