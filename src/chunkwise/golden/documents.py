"""The names of documents: exact ids, stems in CSV, and the nearest name of one that does not exist."""

from __future__ import annotations

import unicodedata
from collections.abc import Sequence
from difflib import get_close_matches
from functools import cached_property
from pathlib import PurePosixPath

from chunkwise.golden.faults import Problem

_LISTED = 3
_COMPARED = 5000


class NotFound(Problem):
    """A document or a quote that is not where the entry says: the quote may stand in another document."""


class Names:
    """The ids of a corpus, to be looked up by what a golden set calls them."""

    def __init__(self, ids: Sequence[str], *, stems: bool) -> None:
        """Hold the ids; with `stems`, a document may be named by its stem where that is unambiguous."""
        self._ids, self._stems = ids, stems
        self._exact = frozenset(ids)
        self._unknown: dict[str, NotFound] = {}
        self.known = 0
        """Number of names that were found."""

    def resolve(self, name: str) -> str:
        """The id of a document. Raises `NotFound` with the nearest name, `Problem` for several stems."""
        if name not in self._exact and self._stems:
            named = self._by_stem.get(name, [])
            if len(named) > 1:
                raise Problem(
                    f"several documents are called {name!r}: {_listed(named)}", "name one by its path"
                )
            name = named[0] if named else name
        if name in self._exact:
            self.known += 1
            return name
        if name not in self._unknown:
            self._unknown[name] = NotFound(f"no document {name!r} in the corpus", self._nearest(name))
        raise self._unknown[name]

    @cached_property
    def _by_stem(self) -> dict[str, list[str]]:
        """Ids by stem, and by path without ending."""
        found: dict[str, list[str]] = {}
        for doc in self._ids:
            path = PurePosixPath(doc)
            for name in {path.stem, str(path.with_suffix(""))} if path.name else ():
                found.setdefault(name, []).append(doc)
        return found

    @cached_property
    def _by_key(self) -> dict[str, list[str]]:
        """Ids by the forms in which people miswrite them: case, composed letters, other folder or ending."""
        found: dict[str, list[str]] = {}
        for doc in self._ids:
            for key in _keys(doc):
                found.setdefault(key, []).append(doc)
        return found

    def _nearest(self, name: str) -> str:
        for key in _keys(name):
            if key in self._by_key:
                return f"did you mean {_listed(self._by_key[key])}?"
        near = get_close_matches(name, self._ids, n=1) if len(self._ids) <= _COMPARED else []
        if near:
            return f"did you mean {near[0]!r}?"
        return f"'doc' is the path of one of its {len(self._ids)} documents below the root"


def _keys(name: str) -> list[str]:
    plain = unicodedata.normalize("NFC", name).casefold().replace("\\", "/").removeprefix("./").strip("/ ")
    path = PurePosixPath(plain)
    return list(dict.fromkeys([plain, f"*/{path.name}", f"*/{path.stem}.*"]))


def _listed(ids: Sequence[str]) -> str:
    more = f" or {len(ids) - _LISTED} more" if len(ids) > _LISTED else ""
    return " or ".join(map(repr, ids[:_LISTED])) + more
