"""Embedding: Chunkwise against a plain `fastembed` call, and exact search among many vectors.

    python -m benchmarks.embedding --data ../shared/corpora/fastapi-docs

Both embed the same texts with the same model files (all-MiniLM-L6-v2, from packages), the same window and the
same number of cores, in turns, each in a process of its own so that peaks of memory are its own; no cache is
used. The vectors must be equal. Ratios are what counts; they are medians of rounds.

The texts are those of a sweep: five chunkers at three sizes, of whole documents drawn evenly from the
corpus, in the order in which a comparison meets them; `--chunker` names others. What a ratio is made of is
printed beside it: texts that come again are embedded once, and a plain call pads each batch of 256 to its
longest text (both the same on every machine); the rest is time a token, as large batches leave the
processor's cache.

`--search` measures exact search at 213,000 x 384 instead, and its memory.
"""

from __future__ import annotations

import argparse
import json
import os
import resource
import statistics
import subprocess
import sys
import tempfile
import time
from collections.abc import Sequence
from pathlib import Path

SWEEP = tuple(
    f"{name}:size=300|600|1200" for name in ["fixed", "recursive", "sentence", "paragraph", "heading"]
)
PLAIN_BATCH = 256  # what fastembed takes where nothing is said


def texts_of(data: Path, chunkers: Sequence[str], count: int) -> list[str]:
    """The chunks of whole documents, drawn evenly until there are `count`; 0 for all."""
    from chunkwise import read
    from chunkwise.chunk import make_chunkers

    cutters = [cutter for text in chunkers for cutter in make_chunkers(text)]
    documents = [document for document in read(data) if document.text.strip()]
    found: list[str] = []
    # Steps of the golden ratio visit every part of the corpus evenly, however far one goes.
    for i in sorted(range(len(documents)), key=lambda i: i * 0.6180339887 % 1):
        if count and len(found) >= count:
            break
        found += [chunk.indexed for cutter in cutters for chunk in cutter(documents[i])]
    return found


def work_of(texts: list[str], window: int) -> dict[str, int]:
    """Tokens that either side computes."""
    from chunkwise.index.embedders import Setup
    from chunkwise.index.embedders.minilm import minilm
    from chunkwise.index.embedders.tokens import Tokens

    tokens = Tokens(minilm(Setup("minilm")).files.tokenizer.read_bytes(), window)
    lengths = {text: len(tokens.encode([text])[0].ids) for text in dict.fromkeys(texts)}
    parts = [texts[i : i + PLAIN_BATCH] for i in range(0, len(texts), PLAIN_BATCH)]
    return {
        "distinct": len(lengths),
        "all": sum(lengths[text] for text in texts),
        "ours": sum(lengths.values()),
        "plain": sum(len(part) * max(lengths[text] for text in part) for part in parts),
    }


def model_folder(folder: Path, window: int) -> Path:
    """The packaged model in the form that fastembed loads."""
    from chunkwise.index.embedders import Setup
    from chunkwise.index.embedders.minilm import minilm

    files = minilm(Setup("minilm")).files
    for path, name in ((files.model, "model.onnx"), (files.tokenizer, "tokenizer.json")):
        (folder / name).symlink_to(path)
    (folder / "tokenizer_config.json").write_text(
        json.dumps({"model_max_length": window, "pad_token": "[PAD]"})
    )
    return folder


def ours(texts: list[str], window: int, folder: Path) -> tuple[float, object]:
    from chunkwise.index.embedders import Setup, make_embedder

    del folder
    embedder = make_embedder(Setup("minilm", window=window))
    embedder.embed(["warm up"])
    start = time.perf_counter()
    vectors = embedder.embed(texts)
    return time.perf_counter() - start, vectors


def plain(texts: list[str], window: int, folder: Path) -> tuple[float, object]:
    import numpy as np
    from fastembed import TextEmbedding

    model = TextEmbedding(
        "sentence-transformers/all-MiniLM-L6-v2", specific_model_path=str(model_folder(folder, window))
    )
    list(model.embed(["warm up"]))
    start = time.perf_counter()
    vectors = np.array(list(model.embed(texts)))
    return time.perf_counter() - start, vectors


def once(side: str, args: argparse.Namespace, out: Path) -> dict[str, float]:
    """One side in a process of its own."""
    command = [sys.executable, "-m", "benchmarks.embedding", "--data", str(args.data), "--side", side]
    command += ["--texts", str(args.texts), "--window", str(args.window), "--out", str(out)]
    command += [word for chunker in args.chunker for word in ("--chunker", chunker)]
    environment = {**os.environ, "CHUNKWISE_CACHE": "off"}
    done = subprocess.run(command, capture_output=True, text=True, check=True, env=environment)
    result: dict[str, float] = json.loads(done.stdout.splitlines()[-1])
    return result


def side(args: argparse.Namespace) -> None:
    import numpy as np

    texts = texts_of(args.data, args.chunker, args.texts)
    with tempfile.TemporaryDirectory() as folder:
        cpu = time.process_time()
        seconds, vectors = {"ours": ours, "plain": plain}[args.side](texts, args.window, Path(folder))
        cpu = time.process_time() - cpu
    np.save(args.out, vectors)
    peak = resource.getrusage(resource.RUSAGE_SELF).ru_maxrss / 1024
    print(json.dumps({"texts": len(texts), "seconds": seconds, "cpu": cpu, "peak_mb": peak}))


def compare(args: argparse.Namespace) -> None:
    import numpy as np

    rounds: dict[str, list[dict[str, float]]] = {"plain": [], "ours": []}
    with tempfile.TemporaryDirectory() as folder:
        for _ in range(args.rounds):
            for name, found in rounds.items():
                found.append(once(name, args, Path(folder) / f"{name}.npy"))
        one, two = (np.load(Path(folder) / f"{name}.npy") for name in rounds)
        off = float(np.abs(one - two).max())
    texts = texts_of(args.data, args.chunker, args.texts)
    work = work_of(texts, args.window)
    print(
        f"{len(texts):,} chunks of {', '.join(args.chunker)}; {work['distinct']:,} distinct, "
        f"{work['all'] / len(texts):.0f} tokens in the mean, window {args.window}, "
        f"{args.rounds} rounds in turns"
    )
    per_token = {}
    for name, found in rounds.items():
        rate = statistics.median(r["texts"] / r["seconds"] for r in found)
        cpu = statistics.median(r["cpu"] for r in found)
        peak = max(r["peak_mb"] for r in found)
        per_token[name] = cpu / work[name]
        print(
            f"  {name:6} {rate:7.1f} chunks/s  {1000 * cpu / len(texts):6.1f} ms of CPU each  "
            f"{work[name]:,} tokens computed at {1e6 * per_token[name]:.0f} us of CPU  peak {peak:,.0f} MB"
        )
    pairs = list(zip(rounds["plain"], rounds["ours"], strict=True))
    print(f"  times as fast: {statistics.median(p['seconds'] / o['seconds'] for p, o in pairs):.1f}")
    print(
        f"  times less CPU: {statistics.median(p['cpu'] / o['cpu'] for p, o in pairs):.1f} = "
        f"{work['all'] / work['ours']:.2f} (equal texts once) x "
        f"{work['plain'] / work['all']:.2f} (no padding) x "
        f"{per_token['plain'] / per_token['ours']:.2f} (less time a token)"
    )
    print(f"  largest difference of a number in a vector: {off:.1e}")


def search(count: int = 213_000, size: int = 384, questions: int = 64) -> None:
    """Exact search among random vectors, put into the cache as an embedder would."""
    import numpy as np

    from chunkwise.index import Dense, DenseRetriever
    from chunkwise.index.cache import open_vectors
    from chunkwise.index.vectors import digest_of

    rng = np.random.default_rng(0)
    dense = Dense("minilm")
    dense.prepare()
    embedder, store = dense.embedder, open_vectors()
    digests = [digest_of(f"chunk {i}") for i in range(count)]
    start = time.perf_counter()
    for i in range(0, count, 5000):
        part = rng.normal(size=(len(digests[i : i + 5000]), size)).astype(np.float32)
        part /= np.linalg.norm(part, axis=1, keepdims=True)
        store.add(embedder.key, "minilm", digests[i : i + 5000], part, [9] * len(part), [0] * len(part))
    print(f"kept {count} vectors in {time.perf_counter() - start:.1f} s, {store.info().bytes / 1e6:.0f} MB")
    asked = [f"question {i}" for i in range(questions)]
    vectors = rng.normal(size=(questions, size)).astype(np.float32)
    vectors /= np.linalg.norm(vectors, axis=1, keepdims=True)
    keys = [embedder.digest(q, "query") for q in asked]
    store.add(embedder.key, "minilm", keys, vectors, [9] * questions, [0] * questions)
    before = resource.getrusage(resource.RUSAGE_SELF).ru_maxrss / 1024
    start = time.perf_counter()
    retriever = DenseRetriever(dense, digests)
    _ = retriever.vectors
    print(f"read them in {time.perf_counter() - start:.1f} s")
    start = time.perf_counter()
    together = retriever.search_all(asked, 100)
    print(f"{questions} questions together: {1000 * (time.perf_counter() - start) / questions:.1f} ms each")
    times = []
    for question, (numbers, _) in zip(asked, together, strict=True):
        start = time.perf_counter()
        found, _ = retriever.search(question, 100)
        times.append(time.perf_counter() - start)
        assert np.array_equal(found, numbers)
    print(f"one by one: {1000 * statistics.median(times):.1f} ms each")
    peak = resource.getrusage(resource.RUSAGE_SELF).ru_maxrss / 1024
    print(f"peak {peak:.0f} MB ({before:.0f} before), the vectors alone take {count * size * 4 / 1e6:.0f} MB")


def main() -> None:
    parser = argparse.ArgumentParser(description=__doc__.split("\n")[0] if __doc__ else "")
    parser.add_argument("--data", type=Path, default=Path("../shared/corpora/fastapi-docs"))
    parser.add_argument("--chunker", action="append", help="what cuts the documents; repeatable")
    parser.add_argument("--texts", type=int, default=1024, help="chunks to embed; 0 for all")
    parser.add_argument("--window", type=int, default=256)
    parser.add_argument("--rounds", type=int, default=3)
    parser.add_argument("--search", action="store_true", help="measure exact search instead")
    parser.add_argument("--side", choices=("ours", "plain"), help=argparse.SUPPRESS)
    parser.add_argument("--out", type=Path, help=argparse.SUPPRESS)
    args = parser.parse_args()
    args.chunker = args.chunker or list(SWEEP)
    if args.side:
        side(args)
    elif args.search:
        os.environ["CHUNKWISE_CACHE"] = "off"
        search()
    else:
        compare(args)


if __name__ == "__main__":
    main()
