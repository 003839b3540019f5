"""`Manifest`: everything that is needed to say what a version is, and to build it again."""

from __future__ import annotations

import json
import re
import shlex
from collections.abc import Mapping
from dataclasses import asdict, dataclass, field, fields
from typing import Any, Final

from chunkwise.errors import StoreError

__all__ = [
    "BROKEN",
    "BUILDING",
    "FAILED",
    "READY",
    "SCHEMA",
    "Manifest",
    "is_version",
    "number_of",
    "version_of",
]

SCHEMA: Final = 1
"""Version of the form of manifests and tables."""
BUILDING: Final = "building"
READY: Final = "ready"
FAILED: Final = "failed"
BROKEN: Final = "broken"
_KINDS: Final[dict[str, type]] = {"str": str, "int": int, "Mapping": Mapping}
"""What a field may hold, by its annotation."""
_VERSION: Final = re.compile(r"v[0-9]+")


def version_of(number: int) -> str:
    """The name of a version."""
    return f"v{number:06d}"


def number_of(version: str) -> int:
    """The number of a version, which gives their order: as texts `v1000000` stands before `v999999`."""
    return int(version[1:])


def is_version(name: object) -> bool:
    """Whether something is the name of a version."""
    return isinstance(name, str) and _VERSION.fullmatch(name) is not None


@dataclass(frozen=True, slots=True)
class Manifest:
    """One version of an index."""

    version: str
    """Its name: `v000001`, and so on."""
    state: str
    """`building`, `ready` (all checks passed), `failed` (kept for inspection) or `broken` (unreadable)."""
    created: str
    """When it was begun, in UTC."""
    chunker: str
    """Text form of cleaning and cutting."""
    retriever: str
    """Text form of the retriever."""
    model: Mapping[str, Any] = field(default_factory=dict)
    """`name`, `digest` of everything its vectors depend on, `dimension`, `window`; empty without one."""
    corpus: Mapping[str, Any] = field(default_factory=dict)
    """`documents` (their number) and `digest`."""
    documents: Mapping[str, Any] = field(default_factory=dict)
    """By document id its digest and its number of chunks."""
    chunks: int = 0
    """Number of chunks."""
    content: str = ""
    """Digest over id, document and place of every chunk."""
    golden: Mapping[str, Any] = field(default_factory=dict)
    """`questions`, `digest` and `asked` of the golden set it was checked with; empty without one."""
    baseline: Mapping[str, Any] = field(default_factory=dict)
    """What the golden set found through the store: a baseline for the next version."""
    checks: Mapping[str, Any] = field(default_factory=dict)
    """What was checked and came out: `sample`, `found`, `loss`."""
    work: Mapping[str, Any] = field(default_factory=dict)
    """`cut` documents, `embedded` texts, `reused` chunks, `removed` documents; `base`, the version it was
    built on."""
    versions: Mapping[str, str] = field(default_factory=dict)
    """Of the libraries."""
    last: str = ""
    """The highest version there was when one was deleted while this one was served; else empty. No name is
    given twice: whoever has a version opened would take another one for it."""
    schema: int = SCHEMA
    """Version of this form."""

    @property
    def number(self) -> int:
        """Number of the version."""
        return number_of(self.version)

    @property
    def candidate(self) -> str:
        """Text form of the candidate."""
        return f"{self.chunker} @ {self.retriever}"

    @property
    def recipe(self) -> tuple[Any, ...]:
        """What must be equal for rows of one version to be rows of another."""
        return self.schema, self.chunker, self.retriever, self.model.get("digest", "")

    def to_json(self) -> str:
        """The manifest as JSON text."""
        return json.dumps(asdict(self), ensure_ascii=True, indent=1, allow_nan=False) + "\n"

    @classmethod
    def from_json(cls, text: str, store: str, version: str) -> Manifest:
        """Read the manifest of a version.

        One that cannot be read is `broken`, and says why in `checks`: others can be served all the same.

        Raises:
            StoreError: it is of another schema.
        """
        try:
            data = json.loads(text)
        except (ValueError, RecursionError) as error:
            return cls.broken(version, f"no JSON: {error}")
        if not isinstance(data, dict) or "schema" not in data or data.get("version") != version:
            return cls.broken(version, "JSON, but no manifest of this version")
        if data["schema"] != SCHEMA:
            raise StoreError(
                store,
                f"the manifest of {version} has schema {data['schema']!r}, this version reads {SCHEMA}; "
                "use the Chunkwise that wrote it, or ship to another place",
            )
        known = {f.name for f in fields(cls)}
        try:
            made = cls(**{key: value for key, value in data.items() if key in known})
        except TypeError as error:
            return cls.broken(version, f"not whole: {error}")
        for one in fields(cls):
            if not isinstance(getattr(made, one.name), _KINDS[str(one.type).partition("[")[0]]):
                return cls.broken(version, f"its {one.name!r} is of another kind")
        if made.state not in (BUILDING, READY, FAILED) or (made.last and not is_version(made.last)):
            return cls.broken(version, "its 'state' or 'last' is none that is ever written")
        return made

    @classmethod
    def broken(cls, version: str, why: str) -> Manifest:
        """What stands for a manifest that cannot be read."""
        return cls(version, BROKEN, "", "", "", checks={"broken": why})

    def check_readable(self, store: str) -> None:
        """Raise `StoreError` where it is broken."""
        if self.state == BROKEN:
            raise StoreError(
                store,
                f"the manifest of {self.version} is broken ({self.checks['broken']}); roll back to another "
                f"version with chunkwise index rollback --store {shlex.quote(store)}, or ship to another "
                "place",
            )
