"""The `Corpus`: documents by id."""

from __future__ import annotations

import hashlib
from collections.abc import Callable, Iterable, Iterator, Mapping
from pathlib import Path

from chunkwise.errors import CorpusError, SettingError
from chunkwise.types.document import Document
from chunkwise.types.structure import Notice


class Corpus:
    """Documents by id, in the order of their ids as plain strings. Lazy: a file is read when asked for."""

    def __init__(self, documents: Iterable[Document]) -> None:
        found: dict[str, Document] = {}
        for document in documents if isinstance(documents, Iterable) else [documents]:
            if not isinstance(document, Document):
                raise CorpusError(
                    f"a corpus is made of Documents, got {type(document).__name__}; read_text(text, id) "
                    "makes one of a text, read(path) reads files"
                )
            if document.id in found:
                raise CorpusError(f"two documents have the id {document.id!r}; give each its own")
            found[document.id] = document
        self._load: Callable[[str], Document] = found.__getitem__
        self._lazy = False
        self._ids = tuple(sorted(found))
        self._digests: dict[str, str] = {}
        self.notices: tuple[Notice, ...] = ()
        self.skipped: tuple[Notice, ...] = ()

    @classmethod
    def lazy(
        cls,
        ids: Iterable[str],
        load: Callable[[str], Document],
        *,
        digests: Mapping[str, str] | None = None,
        skipped: Iterable[Notice] = (),
    ) -> Corpus:
        """A corpus whose documents are made by `load(id)` each time one is asked for.

        Args:
            ids: all ids, each once.
            load: gives the document of an id; called again at each access, nothing is kept.
            digests: digests that are known already, so that `digest` reads no file again.
            skipped: files that were left out, each with the reason.
        """
        corpus = cls(())
        corpus._ids = tuple(sorted(ids))
        corpus._load, corpus._lazy = load, True
        corpus._digests = dict(digests or {})
        corpus.skipped = tuple(skipped)
        return corpus

    def __repr__(self) -> str:
        return f"Corpus({len(self)} document{'' if len(self) == 1 else 's'})"

    @property
    def ids(self) -> tuple[str, ...]:
        """All document ids, in order."""
        return self._ids

    def __len__(self) -> int:
        return len(self._ids)

    def __iter__(self) -> Iterator[Document]:
        return map(self._load, self._ids)

    def __contains__(self, id: object) -> bool:
        return id in self._known

    def __getitem__(self, id: str) -> Document:
        if id not in self._known:
            raise CorpusError(f"no document {id!r} in the corpus of {len(self)} documents")
        return self._load(id)

    def part(self, ids: Iterable[str]) -> Corpus:
        """Some of the documents. A pickle of it holds these only, or how they are read.

        Raises:
            CorpusError: there is no document of an id.
        """
        wanted = tuple(ids)
        if not self._lazy:
            return Corpus(self[id] for id in wanted)
        for id in wanted:
            if id not in self._known:
                raise CorpusError(f"no document {id!r} in the corpus of {len(self)} documents")
        digests = {id: self._digests[id] for id in wanted if id in self._digests}
        return Corpus.lazy(wanted, self._load, digests=digests)

    @property
    def _known(self) -> frozenset[str]:
        known = self.__dict__.get("_known_ids")
        if known is None:
            known = self.__dict__["_known_ids"] = frozenset(self._ids)
        return known

    @property
    def digest(self) -> str:
        """SHA-256 over every id and document digest, in order; the same whatever was cleaned."""
        total = hashlib.sha256()
        for id in self._ids:
            if id not in self._digests:
                self._digests[id] = self._load(id).source.digest
            total.update(f"{id}\0{self._digests[id]}\n".encode("utf-8", "surrogatepass"))
        return total.hexdigest()

    def digest_of(self, id: str) -> str:
        """The digest of one document, without reading it again where it is known."""
        if id not in self._digests:
            self._digests[id] = self[id].source.digest
        return self._digests[id]


def check_corpus(corpus: object) -> None:
    """Refuse what is no corpus with a `SettingError` that says how one is made of it."""
    if isinstance(corpus, Corpus):
        return
    remedy = "chunkwise.read(path) reads a folder or file"
    if isinstance(corpus, str | Path):
        remedy = f"read it first: chunkwise.read({str(corpus)!r})"
    elif isinstance(corpus, Document):
        remedy = "chunkwise.Corpus([document]) makes one of documents"
    elif isinstance(corpus, list | tuple):
        remedy = "chunkwise.Corpus(documents) makes one of documents, chunkwise.read(path) reads a folder"
    raise SettingError(f"corpus must be a Corpus, got {type(corpus).__name__}; {remedy}")
