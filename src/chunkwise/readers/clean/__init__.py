"""Cleaning: a document in, one with less noise out, with the way back to every character that was read.

One step a file, one table of them. Steps run in the order of the table, whatever order they are named in.
Blocks and sections are kept: the structure of the source is carried over, nothing is parsed again.
"""

from __future__ import annotations

from collections.abc import Iterable, Sequence
from typing import Final

from chunkwise.arguments import checked
from chunkwise.errors import SettingError, UnknownName
from chunkwise.readers.clean.base import Finder, Page, Step
from chunkwise.readers.clean.blank_lines import find_blank_lines
from chunkwise.readers.clean.furniture import find_furniture
from chunkwise.readers.clean.hyphenation import find_hyphens
from chunkwise.readers.clean.invisible import find_invisible, suspicious
from chunkwise.readers.clean.ligatures import find_ligatures
from chunkwise.readers.clean.markdown import find_marks
from chunkwise.readers.clean.spaces import find_spaces
from chunkwise.readers.clean.unicode import find_nfc, find_nfkc
from chunkwise.types import Document, Given, Notice, Removal, Structure, TextMap, apply, carried

__all__ = ["STEPS", "Finder", "Page", "Step", "clean", "parse_steps"]

STEPS: Final[dict[str, Step]] = {
    "markdown-to-text": Step(find_marks),
    "page-furniture": Step(find_furniture),
    "hyphenation": Step(find_hyphens),
    "invisible": Step(find_invisible, titles=True),
    "spaces": Step(find_spaces, titles=True),
    "ligatures": Step(find_ligatures, titles=True),
    "nfc": Step(find_nfc, titles=True),
    "nfkc": Step(find_nfkc, titles=True),
    "blank-lines": Step(find_blank_lines),
}
"""The steps by name, in the order in which they run."""
NONE: Final = "no"
"""How a text says that nothing is cleaned."""


def parse_steps(given: str | Iterable[str]) -> tuple[str, ...]:
    """Names of steps in the order in which they run; `invisible+spaces` or several names, `no` for none.

    >>> parse_steps("spaces+invisible")
    ('invisible', 'spaces')

    Raises:
        UnknownName: no such step; the message has the nearest name and the list.
    """
    texts = [given] if isinstance(given, str) else list(given)
    names = [name.strip() for text in texts for name in text.replace(",", "+").split("+") if name.strip()]
    for name in names:
        if name not in STEPS and name != NONE:
            raise UnknownName("cleaning step", name, [*STEPS, NONE])
    return tuple(name for name in STEPS if name in names)


@checked("document")
def clean(document: Document, steps: str | Iterable[str]) -> Document:
    """The document after cleaning. `removed` lists what was taken out or replaced.

    A step that was taken before is not taken again. `to_raw` and `from_raw` lead to what was read.

    Args:
        document: what is cleaned; it is not changed.
        steps: names of `STEPS`.

    Raises:
        SettingError: `document` is none.
        UnknownName: no such step.
    """
    if not isinstance(document, Document):
        raise SettingError(
            f"document must be a Document, got {type(document).__name__}; read_text(text, id) makes one"
        )
    wanted = [name for name in parse_steps(steps) if name not in document.steps]
    if not wanted:
        return document
    text, way = document.text, document.map
    own = TextMap()  # from the text so far to that of the document
    removed: list[Removal] = list(document.removed)
    for name in wanted:
        edits = STEPS[name].find(Page(document, text, own))
        if not edits:
            continue
        removed += [Removal(name, edit.what, way.to_raw(edit[:2]), edit.put) for edit in edits]
        text = apply(text, edits)
        step = TextMap.of(edits)
        way, own = way.then(step), own.then(step)
    taken = (*document.steps, *wanted)
    return document.cleaned(text, _Carried(document, text, own, wanted), way, taken, removed)


class _Carried:
    """Makes the structure of a cleaned text when it is first asked for: that of its document, carried."""

    def __init__(self, document: Document, text: str, own: TextMap, steps: Sequence[str]) -> None:
        self._document, self._text, self._own = document, text, own
        self._steps = [name for name in steps if STEPS[name].titles]
        self._warn = "invisible" in steps

    def __call__(self, text: str, id: str, /) -> Structure:
        document = self._document
        whole = carried(document.structure, self._own, self._text, self._title)
        if self._warn:
            notices = [Notice(id, document.line(at), message) for at, message in suspicious(document.text)]
            whole = whole._replace(notices=(*whole.notices, *notices))
        return Given(self._text, lambda: whole)(text, id)

    def _title(self, title: str) -> str:
        for name in self._steps:
            page = Page(None, title, TextMap())
            title = apply(title, STEPS[name].find(page))
        return " ".join(title.split())
