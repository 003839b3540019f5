"""A Word file as its parts: which of them is the text, which its lists, styles and notes."""

from __future__ import annotations

import posixpath
import re
import zipfile
from collections.abc import Callable
from typing import TYPE_CHECKING, Final
from xml.etree import ElementTree

from chunkwise.readers.packed import repacked

if TYPE_CHECKING:
    from xml.etree.ElementTree import Element

MAIN: Final = "officeDocument"
"""What the text itself is to the file."""
NOTES: Final = ("footnotes", "endnotes")

_CALLED = re.compile(
    rb"""(?::(?:embed|link)|<(?:\w+:)?(?:hyperlink|hlinkClick|imagedata)\b[^>]*:id)=["']([^"']*)["']"""
)


class Package:
    """The parts of a file, read when they are asked for."""

    def __init__(self, packed: zipfile.ZipFile) -> None:
        self._packed = packed
        self._relations: dict[str, list[tuple[str, str, str]]] = {}
        self.names = packed.namelist()
        """All parts, in order."""
        main = self._targets("").get(MAIN, ["word/document.xml"])
        self.main = next((name for name in main if name in self.names), "word/document.xml")
        """The part that holds the text."""
        self._kinds = self._targets(self.main)

    def part(self, kind: str) -> str:
        """The name of the part that is `numbering`, `styles` or one of `NOTES` to the text, else empty."""
        found = [*self._kinds.get(kind, ()), posixpath.join(posixpath.dirname(self.main), f"{kind}.xml")]
        return next((name for name in found if name in self.names), "")

    def read(self, name: str) -> bytes | None:
        """A part, where there is one of this name."""
        return self._packed.read(name) if name in self.names else None

    def texts(self) -> dict[str, bytes]:
        """The text and its notes, by their names."""
        names = [self.main, *filter(None, map(self.part, NOTES))]
        return {name: self._packed.read(name) for name in names if name in self.names}

    def related(self, name: str) -> Callable[[str], bytes | None]:
        """What a part calls by an id."""
        return lambda id: self.read({one: target for _, one, target in self._related(name)}.get(id, ""))

    def lost(self, name: str, text: bytes) -> frozenset[str]:
        """The ids by which a part calls pictures and pages that it is related to by none of them."""
        called = {id.decode("utf-8", "replace") for id in _CALLED.findall(text)} - {""}
        return frozenset(called.difference(id for _, id, _ in self._related(name)) if called else ())

    def written(self, changed: dict[str, bytes]) -> bytes:
        """The file with some parts changed, and without its pictures: nothing looks at them."""
        kept = (name for name in self.names if not name.startswith("word/media/"))
        return repacked(kept, lambda name: changed[name] if name in changed else self._packed.read(name))

    def _targets(self, name: str) -> dict[str, list[str]]:
        found: dict[str, list[str]] = {}
        for kind, _, target in self._related(name):
            found.setdefault(kind, []).append(target)
        return found

    def _related(self, name: str) -> list[tuple[str, str, str]]:
        """Kind, id and name of the parts that a part names; those of the file for the empty name."""
        known = self._relations.get(name)
        if known is not None:
            return known
        folder, base = posixpath.split(name)
        text = self.read(posixpath.join(folder, "_rels", f"{base}.rels"))
        self._relations[name] = found = [
            (
                relation.get("Type", "").rpartition("/")[2],
                relation.get("Id", ""),
                _inside(folder, relation),
            )
            for relation in (ElementTree.fromstring(text) if text is not None else ())
        ]
        return found


def _inside(folder: str, relation: Element) -> str:
    """The part that a relation leads to; empty where it leads out of the file."""
    if relation.get("TargetMode") == "External":
        return ""
    return posixpath.normpath(posixpath.join("/", folder, relation.get("Target", ""))).lstrip("/")
