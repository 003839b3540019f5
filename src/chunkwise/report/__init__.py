"""Renderings: what was found, for people and for files. Nothing is computed here."""
