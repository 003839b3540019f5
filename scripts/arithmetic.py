"""The figures of docs/arithmetic.md: what 15,000, 1 million and 100 million documents come to.

    python -m scripts.arithmetic [DOCS]

measures counts and rates on manuals of `examples.manuals`, and keeps them in `benchmarks/out`; `make figures`
computes the page from there. Those of a folder of yours are printed and not kept. Times are those of the
processor, so that a busy machine changes them little; what is computed for other sizes is in proportion to
documents, tokens or chunks.
"""

from __future__ import annotations

import argparse
import json
import math
import os
import platform
import sys
import tempfile
import time
import tracemalloc
from collections.abc import Iterator, Mapping
from contextlib import contextmanager
from importlib.metadata import version
from pathlib import Path
from typing import Any

from scripts.stored import OUT, stored

FILE = OUT / "arithmetic.json"
CHUNKERS = (
    "fixed:size=600",
    "fixed:size=600,overlap=100",
    "recursive:size=600",
    "sentence:size=600",
    "paragraph:size=600",
    "heading:size=600",
    "section:size=2000",
)
SIZES = (15_000, 1_000_000, 100_000_000)
DOCUMENTS = 300  # that are measured
EMBEDDED = 400  # texts that are embedded for the rate
VECTORS = 30_000  # of which a graph is built
DIMENSION = 384  # of the model whose rate is measured
DIMENSIONS = (256, 384, 768, 1024, 1536, 3072)
M = 16  # neighbours of a point in the graph; twice as many on the lowest layer
PRICE = 0.02  # dollars for a million tokens, the assumption of the page
BILL, BILLED, LIMIT = 3.10, 213_000, 512  # the article's bill, its chunks, and its own limit in tokens
GB = 1e9
COLUMNS = (
    "documents",
    "chunker",
    "chunks",
    "tokens",
    "money",
    "read and cut",
    "embed",
    "write and graph",
    "vectors and graph",
    "texts",
)


@contextmanager
def _clock(into: dict[str, float], name: str) -> Iterator[None]:
    began = time.process_time()
    yield
    into[name] = time.process_time() - began


def measure(folder: Path, docs: Path | None = None) -> dict[str, Any]:
    """Counts and rates of documents; None: of manuals. Writes these and an index below a folder."""
    from examples.manuals.generate import write

    import chunkwise
    from chunkwise.comparison import make_candidates
    from chunkwise.ship.rows import cut
    from chunkwise.ship.searching import make_asking
    from chunkwise.text import counter

    if docs is None:
        write(folder / "corpus", seed=7, documents=DOCUMENTS)
        docs = folder / "corpus" / "docs"
    spent: dict[str, float] = {}
    tracemalloc.start()
    corpus = chunkwise.read(docs)
    digests = {id: corpus.digest_of(id) for id in corpus.ids}
    entries = {id: [digest, 9] for id, digest in digests.items()}
    held, _ = tracemalloc.get_traced_memory()
    tracemalloc.stop()
    with _clock(spent, "read"):
        chunkwise.read(docs)
    tokens = counter("cl100k")
    asking = make_asking("dense:model=minilm")
    rows, texts = [], []
    for text in CHUNKERS:
        (candidate,) = make_candidates(text, ["dense:model=minilm"])
        with _clock(spent, "cut"):
            made = [pair for id in corpus.ids for pair in cut(corpus, id, digests[id], candidate, asking)]
        indexed = [chunk.indexed for _, chunk in made]
        rows.append(
            {
                "chunker": text,
                "chunks": len(made),
                "tokens": sum(tokens.count(one) for one in indexed),
                "bytes": sum(
                    len(one.encode()) for record, _ in made for one in (record.text, record.indexed)
                ),
                "cut": spent["cut"],
            }
        )
        texts += indexed[:: max(1, len(indexed) * len(CHUNKERS) // EMBEDDED)]
    model = asking.embedder.model
    list(model.embed(texts[:1], "passage"))  # it is loaded now
    with _clock(spent, "embed"):
        widths = {part.vectors.shape[1] for part in model.embed(texts, "passage")}
    assert widths == {DIMENSION}
    return {
        "about": f"chunkwise {version('chunkwise')}, Python {platform.python_version()} on "
        f"{platform.machine()}, {platform.system()}",
        "documents": len(corpus),
        "characters": sum(len(document.text) for document in corpus),
        "read": spent["read"],
        "rows": rows,
        "embed": spent["embed"] / sum(tokens.count(one) for one in texts),
        "graph": _graph(folder / "index"),
        "held": held / len(corpus),
        "manifest": len(json.dumps(entries, indent=1)) / len(corpus),
    }


def _graph(folder: Path) -> float:
    """Seconds of the processor for one vector: written, and put into a graph of LanceDB."""
    import numpy as np

    import chunkwise
    from chunkwise.chunk import make_chunkers
    from chunkwise.ship.manifest import BUILDING, Manifest
    from chunkwise.ship.records import make_records
    from chunkwise.ship.stores.lance import LanceStore

    drawn = np.random.default_rng(7)
    around = drawn.normal(size=(1_000, DIMENSION))
    vectors = around[drawn.integers(0, 1_000, VECTORS)] + drawn.normal(size=(VECTORS, DIMENSION)) / 2
    unit = (vectors / np.linalg.norm(vectors, axis=1, keepdims=True)).astype(np.float32)
    document = chunkwise.read_text("text")
    (chunker,) = make_chunkers("document")
    (record,) = make_records(document, chunker(document))
    store = LanceStore(str(folder))
    spent: dict[str, float] = {}
    with store.lock(0), _clock(spent, "graph"):
        store.create(Manifest("v000001", BUILDING, "", "", ""), DIMENSION, None)
        for start in range(0, VECTORS, 2_000):
            own = [record._replace(id=str(i)) for i in range(start, start + 2_000)]
            store.write("v000001", own, unit[start : start + 2_000])
        store.finish("v000001")
    return spent["graph"] / VECTORS


def links(m: int = M) -> float:
    """Bytes of a point's links in a graph (HNSW): 2 m on the lowest layer, m on each layer above it.

    A point is on a layer above with the chance 1/m, on the next with that of 1/m², and so on, which makes
    1/(m-1) layers in the mean; a link has 4 bytes (Malkov and Yashunin, arXiv:1603.09320, section 4).
    """
    return 4 * (2 * m + m / (m - 1))


def sizes(data: Path) -> str | None:
    """The table of sizes; None where nothing was measured."""
    del data
    found = stored(FILE)
    return None if found is None else _sizes(found)


def _sizes(found: Mapping[str, Any]) -> str:
    lines = [f"| {' | '.join(COLUMNS)} |", f"|---:|---|{'---:|' * (len(COLUMNS) - 2)}"]
    for size in SIZES:
        for row in found["rows"]:
            times = size / found["documents"]
            chunks, tokens = row["chunks"] * times, row["tokens"] * times
            cells = [
                f"{size:,}",
                f"`{row['chunker']}`",
                _short(chunks),
                _short(tokens),
                _money(tokens * PRICE / 1e6),
                _hours((found["read"] + row["cut"]) * times),
                _hours(tokens * found["embed"]),
                _hours(chunks * found["graph"]),
                _gigabytes(chunks * (4 * DIMENSION + links())),
                _gigabytes(row["bytes"] * times),
            ]
            lines.append(f"| {' | '.join(cells)} |")
    return "\n".join([*lines, ""])


def measured(data: Path) -> str | None:
    """What the sizes are computed from; None where nothing was measured."""
    del data
    found = stored(FILE)
    return None if found is None else _measured(found)


def _measured(found: Mapping[str, Any]) -> str:
    documents, held, manifest = found["documents"], found["held"], found["manifest"]
    rows = [("first reading, digests", f"{1000 * found['read'] / documents:.2f} ms a document")]
    for row in found["rows"]:
        shape = f"{row['chunks'] / documents:.1f} chunks of {row['tokens'] / row['chunks']:.0f} tokens"
        spent = f"{1000 * row['cut'] / documents:.2f} ms a document"
        rows.append((f"read again, parsed and cut by `{row['chunker']}`: {shape}", spent))
    rows += [
        ("embedded by all-MiniLM-L6-v2 in 8 bits", f"{1 / found['embed']:,.0f} tokens a second"),
        (
            f"written to LanceDB and put into its graph, {DIMENSION} numbers",
            f"{1000 * found['graph']:.2f} ms a chunk",
        ),
        ("kept in memory by the process that ships", f"{held:,.0f} bytes a document"),
        ("manifest of a version", f"{manifest:,.0f} bytes a document"),
    ]
    size = found["characters"] / documents
    about = (
        f"Measured on {documents:,} documents of {size:,.0f} characters in time of one processor, with "
        f"{found['about']}."
    )
    most = SIZES[-1]
    needs = (
        f"For {most:,} documents the process that ships keeps {_gigabytes(most * held)} in memory and writes "
        f"a manifest of {_gigabytes(most * manifest)}."
    )
    table = [f"| {what} | {much} |" for what, much in rows]
    return "\n".join([about, "", "| measured | |", "|---|---:|", *table, "", needs, ""])


def vectors(data: Path) -> str:
    """Bytes of a vector and of its links."""
    del data
    lines = [
        "| numbers | 32 bits | 8 bits | links, m=16 | a million chunks, 32 bits | a million chunks, 8 bits |",
        "|---:|---:|---:|---:|---:|---:|",
    ]
    for count in DIMENSIONS:
        cells = [f"{count:,}", f"{4 * count:,} B", f"{count:,} B", f"{links():.0f} B"]
        cells += [_gigabytes(1e6 * (width * count + links())) for width in (4, 1)]
        lines.append(f"| {' | '.join(cells)} |")
    return "\n".join([*lines, ""])


def bill(data: Path) -> str:
    """What is wrong with the article's bill."""
    del data
    each = BILL / PRICE * 1e6 / BILLED
    most = BILLED * LIMIT * PRICE / 1e6
    said = (
        f"{_money(BILL)} for {BILLED:,} chunks at {_money(PRICE)} a million tokens would be {each:.0f}",
        f"tokens each, above the limit of {LIMIT} that the article sets itself. If every chunk were full,",
        f"the bill would be {_money(most)}.",
    )
    return "\n".join([*said, ""])


def _digits(value: float) -> str:
    """Three digits that count."""
    places = 2 - math.floor(math.log10(value)) if value else 0
    return f"{value:,.{min(places, 4)}f}" if places > 0 else f"{round(value, places):,.0f}"


def _short(count: float) -> str:
    for limit, name in ((1e12, "trillion"), (1e9, "billion"), (1e6, "million")):
        if count >= limit:
            return f"{_digits(count / limit)} {name}"
    return _digits(count)


def _money(dollars: float) -> str:
    return f"${dollars:,.0f}" if dollars >= 100 else f"${dollars:.2f}"


def _hours(seconds: float) -> str:
    return f"{_digits(seconds / 3600)} h"


def _gigabytes(count: float) -> str:
    return f"{_digits(count / GB)} GB" if count < 1000 * GB else f"{_digits(count / GB / 1000)} TB"


def main() -> int:
    """Measure, and keep what was measured."""
    parser = argparse.ArgumentParser(description="Measure what the page of arithmetic is computed from.")
    parser.add_argument("docs", type=Path, nargs="?", help="a folder of yours, instead of manuals")
    docs: Path | None = parser.parse_args().docs
    os.environ["CHUNKWISE_CACHE"] = "off"
    with tempfile.TemporaryDirectory() as folder:
        found = measure(Path(folder), docs)
    if docs is None:
        FILE.parent.mkdir(parents=True, exist_ok=True)
        FILE.write_text(json.dumps(found, indent=1) + "\n", encoding="utf-8")
    print(_measured(found))
    print(_sizes(found))
    return 0


if __name__ == "__main__":
    sys.exit(main())
