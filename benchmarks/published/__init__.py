"""Published figures, reproduced: the articles' chunkers as plain callables on Chunkwise's public interface.

`python -m benchmarks.published rfc9562 --data DIR` prints published and own figures side by side. One file a
corpus; what an article defines (its chunkers, its hit rule, its queries) stands there, everything
else is Chunkwise's. Published figures are written down here, own figures are always computed.
"""
