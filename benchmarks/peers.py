"""The libraries that Chunkwise is compared with, each called as its documentation says.

They are the extra `bench`. Nothing is imported before it is asked for.
"""

from __future__ import annotations

from collections.abc import Callable, Sequence
from importlib.metadata import PackageNotFoundError, version

from benchmarks.speed_pages import Page

PACKAGES = ("langchain-text-splitters", "semantic-text-splitter", "llama-index-core", "context-grid")
Cut = Callable[[Sequence[Page]], int]
"""Cuts pages and says how many chunks there are."""


def versions() -> dict[str, str]:
    """The installed version of each library.

    Raises:
        SystemExit: one is missing; says what installs it.
    """
    found = {}
    for package in PACKAGES:
        try:
            found[package] = version(package)
        except PackageNotFoundError:
            raise SystemExit(f"{package} is not installed: pip install -e '.[bench]'") from None
    return found


def langchain_headers(size: int) -> Cut:
    """LangChain: sections by headings of all levels, then its recursive splitter within each."""
    from langchain_text_splitters import MarkdownHeaderTextSplitter, RecursiveCharacterTextSplitter

    levels = [("#" * level, f"level {level}") for level in range(1, 7)]
    sections = MarkdownHeaderTextSplitter(levels)
    within = RecursiveCharacterTextSplitter(chunk_size=size, chunk_overlap=0)
    return lambda made: sum(len(within.split_documents(sections.split_text(text))) for _, text in made)


def langchain_recursive(size: int) -> Cut:
    """LangChain: the recursive splitter, with the start of each chunk."""
    from langchain_text_splitters import RecursiveCharacterTextSplitter

    splitter = RecursiveCharacterTextSplitter(chunk_size=size, chunk_overlap=0, add_start_index=True)
    return lambda made: sum(len(splitter.create_documents([text])) for _, text in made)


def semantic_text_splitter(size: int) -> Cut:
    """semantic-text-splitter: Markdown, with the offset of each chunk."""
    from semantic_text_splitter import MarkdownSplitter

    splitter = MarkdownSplitter(size)
    return lambda made: sum(len(splitter.chunk_indices(text)) for _, text in made)


def llama_index(size: int) -> Cut:
    """LlamaIndex: a node a heading, with its path. It knows no limit of size."""
    from llama_index.core import Document
    from llama_index.core.node_parser import MarkdownNodeParser

    del size
    parser = MarkdownNodeParser()
    return lambda made: sum(
        len(parser.get_nodes_from_documents([Document(text=text, id_=name)])) for name, text in made
    )


def events_alone(size: int) -> Cut:
    """pyromark: the events of a whole parse in an empty loop. What any parse with it costs in Python."""
    from pyromark import Markdown, Options

    del size
    parser = Markdown(options=Options.ENABLE_TABLES | Options.ENABLE_FOOTNOTES | Options.ENABLE_GFM)
    return lambda made: sum(1 for _, text in made for _ in parser.events_with_range(text))


HEADING: dict[str, tuple[Callable[[int], Cut], float | None]] = {
    "LangChain, headers then recursive": (langchain_headers, 2.0),
    "semantic-text-splitter, MarkdownSplitter": (semantic_text_splitter, 2.5),
    "LlamaIndex, MarkdownNodeParser": (llama_index, 15.0),
    "pyromark, events in an empty loop": (events_alone, None),
}
"""What cuts at headings, and how many times faster Chunkwise should be at least; None is no aim, for
comparison only."""
RECURSIVE = "LangChain, recursive with starts"
