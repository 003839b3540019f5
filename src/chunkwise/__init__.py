"""Chunkwise."""
