"""Neutral settings of a case -> Chunkwise's chunkers, and what they make of the case's inputs."""

from __future__ import annotations

import codecs
import os
import re
import time
from collections.abc import Callable, Iterable, Mapping
from dataclasses import dataclass
from functools import cache, cached_property
from pathlib import Path
from typing import Any

from chunkwise.chunk import CHUNKERS
from chunkwise.readers import READERS, read
from chunkwise.text import is_blank
from chunkwise.types import Chunk, Chunker, Corpus, Document, Span

from .loader import FORMATS, Case, generated, make

STRATEGIES = {
    "fixed": "fixed",
    "recursive": "recursive",
    "sentence": "sentence",
    "paragraph": "paragraph",
    "heading": "heading",
    "section": "section",
    "document": "document",
    # Chunkwise's structural chunkers always keep code blocks and table rows whole where they fit.
    "code-fence-safe": "heading",
    "table-aware": "heading",
}
"""Strategy of a case -> name of a chunker."""
WITH_PATH = {"heading", "section"}
"""Chunkers that index the heading path."""
KEEPS_SECTIONS = {"heading"}
"""Chunkers that keep to the sections of all levels as they are."""
OVERLAPPING = {"fixed", "recursive", "paragraph", "heading", "section", "page"}
"""Chunkers that take an overlap."""
UNSIZED = {"document"}
"""Chunkers without a size."""
HEADINGS = {"bold-headings": "bold"}
"""Mode of a statement -> lines that act as headings."""
CLEANINGS = {
    "invisible": ("invisible", "spaces"),
    "page-furniture": ("page-furniture",),
    "markdown-to-text": ("markdown-to-text",),
}
"""Cleaning of a case -> steps of Chunkwise."""
SIGNS = re.compile(r"[\u3000-\u30ff\u4e00-\u9fff\uff00-\uffef]|[A-Za-z]+|[^\s]")


def half_bytes(text: str) -> int:
    """Stands for a byte-level tokenizer."""
    return (len(text.encode("utf-8")) + 1) // 2


def signs(text: str) -> int:
    """One for each CJK character, each run of letters, each other visible character."""
    return len(SIGNS.findall(text))


UNITS: dict[str, str | Callable[[str], int]] = {
    "chars": "chars",
    "characters": "chars",
    "words": "words",
    "tokens": "cl100k",
    "ceil(utf8_bytes / 2)": half_bytes,
    "cjk_letter_runs_signs": signs,
}
"""Unit or counter of a case -> unit of Chunkwise."""


def unit_of(settings: Mapping[str, Any]) -> str | Callable[[str], int]:
    """The unit that settings, or a check, count in."""
    return UNITS[settings.get("counter") or settings.get("unit", "chars")]


def build(name: str, settings: Mapping[str, Any]) -> Chunker:
    """One chunker by its Chunkwise name, with the neutral settings as they are."""
    given: dict[str, Any] = {}
    if name not in UNSIZED and "size" in settings:
        given |= {"size": settings["size"], "unit": unit_of(settings)}
    if name in OVERLAPPING and "overlap" in settings:
        given["overlap"] = settings["overlap"]
    if name in WITH_PATH and settings.get("limit_counts") == "slice":
        given["path"] = False
    return CHUNKERS[name](**given)


def names_for(settings: Mapping[str, Any]) -> list[str]:
    """The chunkers that a case speaks of: the one of its strategy, or all of them."""
    return [STRATEGIES[settings["strategy"]]] if "strategy" in settings else list(CHUNKERS)


def chunkers_for(settings: Mapping[str, Any]) -> list[Chunker]:
    """The chunkers that the settings stand for; a list of overlaps gives one for each."""
    overlaps = settings.get("overlap", 0)
    return [
        build(name, {**settings, "overlap": overlap})
        for name in names_for(settings)
        for overlap in (overlaps if isinstance(overlaps, list) else [overlaps])
    ]


@dataclass(frozen=True)
class Run:
    """A chunker's chunks of one document, with everything that checks ask about."""

    root: Path
    """The folder that was read."""
    name: str
    """Base name of the file."""
    document: Document
    chunker: Chunker
    chunks: list[Chunk]

    @cached_property
    def source(self) -> str:
        """The coordinates of a case: of a text the decoded file, a byte order mark included."""
        return source_of(self.root, self.document)

    def raw(self, chunk: Chunk) -> Span:
        """The place of a chunk in the decoded file."""
        assert chunk.span is not None
        return self.document.to_raw(chunk.span)

    def prefix(self, chunk: Chunk) -> str:
        """What is indexed in front of the slice."""
        shown = self.document.text[chunk.match[0] : chunk.match[1]]
        assert chunk.indexed.endswith(shown)
        return chunk.indexed.removesuffix(shown)

    def holding(self, needle: str) -> list[Chunk]:
        """The chunks that hold a text, else (where it was cut) those that hold a part of it."""
        whole = [chunk for chunk in self.chunks if needle in chunk.text]
        if whole or needle not in self.source:
            return whole
        start = self.source.index(needle)
        place = (start, start + len(needle))
        return [chunk for chunk in self.chunks if self.raw(chunk).overlap(place)]

    def cuts(self) -> list[int]:
        """Starts and ends of chunks inside the file, in the case's coordinates."""
        spans = [self.raw(chunk) for chunk in self.chunks]
        return sorted({p for span in spans for p in span})

    def starts(self) -> list[int]:
        """Starts of all chunks, in the case's coordinates."""
        return [self.raw(chunk).start for chunk in self.chunks]

    def from_text(self, position: int) -> int:
        """A position of the first visible character at or after `position`."""
        found = next((i for i in range(position, len(self.source)) if not is_blank(self.source[i])), None)
        return len(self.source) if found is None else found


def decode(data: bytes) -> str:
    """The text of a file with its byte order mark, if it has one, as the first character."""
    if data.startswith((codecs.BOM_UTF32_LE, codecs.BOM_UTF32_BE)):
        return data.decode("utf-32-le" if data[0] == 0xFF else "utf-32-be")
    if data.startswith((b"\xff\xfe", b"\xfe\xff")):
        return data.decode("utf-16-le" if data[0] == 0xFF else "utf-16-be")
    return data.decode("utf-8")


def source_of(root: Path, document: Document) -> str:
    """What positions in a document of a case count in: the decoded file, or what its reader wrote."""
    if Path(document.id).suffix in FORMATS:
        return document.text
    return decode((root / document.id).read_bytes())


class Trial:
    """A case with its inputs read. Everything is made when it is asked for, and kept."""

    def __init__(self, case: Case, folder: Path | None = None, headings: str = "") -> None:
        """`folder` holds the generated inputs, if the case has a recipe; `headings` act as such."""
        self.case = case
        self.headings = headings
        self.roots = sorted({(case.folder / name).parent for name in case.texts()})
        if folder is not None:
            self.roots = [folder]
        self.spent = 0.0
        """CPU seconds that `runs` took, reading included."""
        self.seconds: dict[str, float] = {}
        """CPU seconds of each chunker on each document, where they were taken."""

    @cached_property
    def corpora(self) -> list[Corpus]:
        """A corpus for each folder with documents. Broken files are left out."""
        return [read(root, skip_broken=True, headings=self.headings) for root in self.roots]

    @property
    def corpus(self) -> Corpus:
        """The one corpus of the case."""
        (corpus,) = self.corpora
        return corpus

    def documents(self) -> Iterable[tuple[Document, str]]:
        """Each document with its decoded file."""
        for root, corpus in zip(self.roots, self.corpora, strict=True):
            for document in corpus:
                yield document, source_of(root, document)

    @cached_property
    def runs(self) -> list[Run]:
        """Every chunker of the settings on every document."""
        before = time.process_time()
        runs = self.runs_with(self.case.settings)
        self.spent = time.process_time() - before
        return runs

    def runs_with(self, settings: Mapping[str, Any]) -> list[Run]:
        """Every chunker of other settings on every document."""
        return [
            Run(root, Path(document.id).name, document, chunker, chunker(document))
            for root, corpus in zip(self.roots, self.corpora, strict=True)
            for document in corpus
            for chunker in chunkers_for(settings)
        ]


class InMemory(Trial):
    """A case of very many small files, which are handed to their readers without a disk in between."""

    def __init__(self, case: Case) -> None:
        super().__init__(case, Path())

    @cached_property
    def corpora(self) -> list[Corpus]:
        """The one corpus."""
        texts = dict(pair for recipe in self.case.generate for pair in generated(recipe))
        return [Corpus.lazy(texts, lambda id: READERS[Path(id).suffix](texts[id].encode("utf-8"), id, None))]


ON_DISK = "CHUNKWISE_CASES_ON_DISK" in os.environ
"""Whether cases of very many small files write them all. That takes minutes on some systems; the rules
for every case are checked on some hundred of them, which are written."""


@cache
def _trial(case: Case, base: Path, headings: str) -> Trial:
    if any("files" in recipe for recipe in case.generate) and not ON_DISK:
        return InMemory(case)
    return Trial(case, make(case, base / case.id) if case.generate else None, headings)


def trial(case: Case, base: Path, mode: str = "") -> Trial:
    """The case's trial; generated inputs are written below `base`, once."""
    return _trial(case, base, HEADINGS.get(mode, ""))
