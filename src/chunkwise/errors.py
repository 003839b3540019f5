"""Every error that Chunkwise raises on purpose.

The tree is the documentation: catch the branch you can do something about.

```
ChunkwiseError
├── SettingError        a setting that cannot work: size 0, overlap >= size, an unknown key
│   ├── NameClash       two packages, or one and Chunkwise, give the same name
│   └── UnknownName     a chunker, retriever, measure or unit that does not exist
│       ├── UnknownRow      a row that a report or an explanation does not have; a KeyError too
│       └── UnknownSetting  a setting that something does not have; a TypeError too, as Python's own
├── ReadError           a file that cannot be read; carries the path and, if known, the place in it
│   └── BrokenFiles     several of them, found before any work was done
├── CorpusError         a corpus without documents, or a document id that is not in it
├── ChunkerError        a chunker, mostly somebody else's, gave what cannot be a chunk
├── GoldenError         a golden set with faults; carries every fault with line and remedy
├── ReportError         a stored report that is broken, or of another schema
├── ModelError          a model or endpoint that is not there, refuses, or gives what is no vector
├── NotComparable       a gate's two sides were not measured alike: other questions, measure or counter
├── NothingMeasured     a gate was given no questions, or figures that are no numbers
├── RunnerError         processes or a cluster that are not there, or that end before their work is done
├── StoreError          a store that cannot be reached or used, or holds something else than was meant
└── MissingExtra        an optional library is not installed; carries the install line
```
"""

from __future__ import annotations

import shlex
import shutil
import sys
from collections.abc import Iterable, Sequence
from difflib import get_close_matches
from pathlib import Path
from typing import Any

__all__ = [
    "BrokenFiles",
    "ChunkerError",
    "ChunkwiseError",
    "CorpusError",
    "GoldenError",
    "MissingExtra",
    "ModelError",
    "NameClash",
    "NotComparable",
    "NothingMeasured",
    "ReadError",
    "ReportError",
    "RunnerError",
    "SettingError",
    "StoreError",
    "UnknownName",
    "UnknownRow",
    "UnknownSetting",
]


class ChunkwiseError(Exception):
    """The root of all errors of this package."""

    def __reduce__(self) -> tuple[Any, ...]:
        # By what it has and not by its constructor, which takes other things than the message: so every one
        # of these comes back whole from another process.
        return _restored, (type(self), self.args), self.__dict__


def _restored(kind: type[ChunkwiseError], args: tuple[Any, ...]) -> ChunkwiseError:
    return kind.__new__(kind, *args)


def first_line(error: BaseException) -> str:
    """What an error of another library says, on one line of at most 300 characters; else its name."""
    return (str(error).strip() or type(error).__name__).splitlines()[0][:300]


class SettingError(ChunkwiseError):
    """A setting that cannot work; the message names the setting and the value given."""


class NameClash(SettingError):
    """A name that two packages give through entry points, or one that is built in; the message names both."""

    def __init__(self, group: str, name: str, owners: Sequence[str]) -> None:
        self.group, self.name, self.owners = group, name, list(owners)
        given = " and by ".join([*owners] if len(owners) > 1 else ["Chunkwise", *owners])
        super().__init__(
            f"the name {name!r} in {group} is given by {given}; uninstall one, or have its package take "
            "another name"
        )


class UnknownName(SettingError):
    """A name that is not in a table; the message gives the nearest name and the list."""

    def __init__(self, kind: str, name: str, known: Iterable[str]) -> None:
        self.kind, self.name, self.known = kind, name, sorted(known)
        near = get_close_matches(str(name), self.known, n=1, cutoff=0.5)
        hint = f"; did you mean {near[0]!r}?" if near else ""
        super().__init__(f"unknown {kind} {name!r}{hint} (known: {', '.join(self.known) or 'none'})")


class UnknownSetting(UnknownName, TypeError):
    """A setting that something does not have, in a text form or as an argument.

    `meant` is what it is called here, where the name is another library's for it.
    """

    def __init__(self, what: str, name: str, known: Iterable[str], meant: str = "") -> None:
        super().__init__(f"setting of {what}", name, known)
        self.meant = meant
        if meant:
            self.args = (f"{what}: the setting is called {meant!r} here, not {name!r}",)


class UnknownRow(UnknownName, KeyError):
    """A row that a report, or the explanation of a question, does not have."""

    __str__ = Exception.__str__  # that of a KeyError puts the message in quotes

    def __init__(self, name: str, known: Iterable[str]) -> None:
        super().__init__("row", name, known)


class ReadError(ChunkwiseError):
    """A file that cannot be read. `path` is the file, `reason` says where and why, with the remedy."""

    def __init__(self, path: str, reason: str) -> None:
        self.path, self.reason = path, reason
        super().__init__(f"{path}: {reason}")


class BrokenFiles(ReadError):
    """Several files that cannot be read, all found before any work was done. `errors` holds each."""

    def __init__(self, errors: Sequence[ReadError]) -> None:
        self.errors = list(errors)
        super().__init__(self.errors[0].path if self.errors else "", "")
        lines = "\n".join(f"  {e}" for e in self.errors)
        self.args = (f"{len(self.errors)} files cannot be read:\n{lines}",)


class CorpusError(ChunkwiseError):
    """A corpus that cannot be used: no documents, or a document id that it does not hold."""


class ChunkerError(ChunkwiseError):
    """What a chunker gave for a document cannot be a chunk. `chunker` is its text form, `doc` the id."""

    def __init__(self, chunker: str, doc: str, fault: str) -> None:
        self.chunker, self.doc, self.fault = chunker, doc, fault
        super().__init__(f"{chunker} on {doc}: {fault}")


class GoldenError(ChunkwiseError):
    """A golden set with faults. `faults` holds each one: where it stands, what is wrong, the remedy."""

    def __init__(self, message: str, faults: Sequence[object] = ()) -> None:
        self.faults = list(faults)
        super().__init__("\n".join([message, *(f"  {f}" for f in self.faults)]))


class ReportError(ChunkwiseError):
    """A stored report that is broken or has a schema this version does not read."""


class ModelError(ChunkwiseError):
    """A model that cannot be used. `model` is its name, `reason` says what is wrong, with the remedy."""

    def __init__(self, model: str, reason: str) -> None:
        self.model, self.reason = model, reason
        super().__init__(f"{model}: {reason}")


class NotComparable(ChunkwiseError):
    """A gate cannot compare: other questions, another measure, hit rule or counter than the baseline's."""


class NothingMeasured(ChunkwiseError):
    """A gate has nothing to judge: no questions, or a figure that is missing or no finite number."""


class StoreError(ChunkwiseError):
    """A store that cannot be used. `store` is its text form, `reason` says what is wrong, with the remedy."""

    def __init__(self, store: str, reason: str) -> None:
        self.store, self.reason = store, reason
        super().__init__(f"{store}: {reason}")


class RunnerError(ChunkwiseError):
    """What runs elsewhere does not run. `runner` is its name, `reason` says why, with the remedy."""

    def __init__(self, runner: str, reason: str) -> None:
        self.runner, self.reason = runner, reason
        super().__init__(f"--runner {runner}: {reason}")


class MissingExtra(ChunkwiseError):
    """An optional library is missing. The message carries the exact install line."""

    def __init__(self, what: str, extra: str) -> None:
        self.what, self.extra = what, extra
        super().__init__(f"{what} needs an optional library: {_pip()} install 'chunkwise[{extra}]'")


def _pip() -> str:
    """What installs into the environment that runs: `pip`, unless the one on the path is another's."""
    found = shutil.which("pip")
    if found is not None and Path(found).parent == Path(sys.executable).parent:
        return "pip"
    return f"{shlex.quote(sys.executable)} -m pip" if sys.executable else "pip"
