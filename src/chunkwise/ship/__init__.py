"""The winner into a vector store, behind a gate: versions, checks, one switch, and search with receipts."""
