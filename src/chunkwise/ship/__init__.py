"""The winner into a vector store, behind a gate. Import names from its modules."""
