"""The five steps of a comparison, on documents that come with Chunkwise: `python -m examples.demo`."""
