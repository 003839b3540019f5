"""Check the promises of a chunker: `check_chunker` works on Chunkwise's own and on anybody's.

```python
from chunkwise.testing import check_chunker

def test_my_chunker():
    check_chunker(MyChunker(size=400), open("guide.md", newline="").read(), size=400)
```
"""

from __future__ import annotations

from collections.abc import Callable, Iterable, Iterator, Sequence
from typing import Any

from chunkwise.arguments import checked
from chunkwise.structure import parse_markdown
from chunkwise.text import bare, counter, is_blank
from chunkwise.types import BlockKind, Chunk, Chunker, Document, Span, union

__all__ = ["PromiseError", "check_chunker"]

ADDED = "A paragraph that was added by the check of stable ids."
OTHER = "# Another document\n\nIt is cut between two runs, so that a chunker that remembers is found out.\n"
OVER = "over the limit"


class PromiseError(AssertionError):
    """A chunker did not keep a promise. `promise` names it, the message shows the place."""

    def __init__(self, spec: str, document: Document, promise: str, fault: str) -> None:
        self.spec, self.doc, self.promise, self.fault = spec, document.id, promise, fault
        super().__init__(f"{spec} on {document.id} breaks the promise '{promise}': {fault}")

    def __reduce__(self) -> tuple[Any, ...]:
        # Only so that worker processes of a test run can hand it on: the text stays behind.
        return _revive, (self.args[0], self.spec, self.doc, self.promise, self.fault)


def _revive(message: str, spec: str, doc: str, promise: str, fault: str) -> PromiseError:
    error = PromiseError.__new__(PromiseError, message)
    error.spec, error.doc, error.promise, error.fault = spec, doc, promise, fault
    return error


@checked()
def check_chunker(
    chunker: Chunker,
    document: Document | str,
    *,
    size: int | None = None,
    unit: str | Callable[[str], int] | None = None,
    overlap: int = 0,
    crosses_sections: bool = True,
) -> list[Chunk]:
    """Run a chunker on a document and check every promise that a chunker makes.

    The promises: each chunk is the exact slice of the text at its span; starts rise strictly; every
    visible character is in a chunk, and in one only where there is no overlap (front matter may be
    left out); no chunk is blank; none is over the limit without the mark `over the limit`; the same
    input gives the same chunks; ids are unique, and an edit elsewhere does not change them.

    Args:
        chunker: a chunker of Chunkwise or any object with its protocol.
        document: a document, or a text that is taken for Markdown.
        size: the limit on `chunk.indexed`; None leaves it unchecked.
        unit: what the size and the overlap are counted in: `chars`, `words`, `cl100k`, `o200k`, the
            path of a tokenizer file, or a function. None: the chunker's own `unit`, else characters.
        overlap: how much of a chunk may be repeated in the next, in `unit`. With 0, no visible
            character is in two chunks.
        crosses_sections: False for a chunker that keeps to the sections: text under one heading is
            never in a chunk with anything of a later section.

    Returns:
        The chunks, for further checks.

    Raises:
        PromiseError: an `AssertionError` that says which promise, and shows the place.
    """
    whole = Document("text.md", document, parse_markdown) if isinstance(document, str) else document
    spec = str(getattr(chunker, "spec", type(chunker).__name__))
    unit = getattr(chunker, "unit", "chars") if unit is None else unit
    chunks = chunker(document)
    faults: list[tuple[str, Iterator[str]]] = [
        ("exact slices", _slices(chunks, whole)),
        ("starts rise", _starts(chunks)),
        ("no blank chunk", _blank(chunks, whole)),
        ("every visible character is covered", _coverage(chunks, whole)),
        ("no more overlap than asked for", _overlap(chunks, whole, overlap, unit)),
        ("a size is a hard limit", _limit(chunks, whole, size, unit)),
        (
            "a second limit holds as well",
            _limit(chunks, whole, *(getattr(chunker, "within", None) or (None, unit))),
        ),
        ("no section is crossed", iter(()) if crosses_sections else _sections(chunks, whole)),
        ("ids are unique", _unique(chunks, whole)),
        ("same input, same chunks", _repeat(chunker, document, chunks)),
        ("an edit elsewhere changes no id", _edits(chunker, document, whole, chunks, crosses_sections)),
    ]
    for promise, found in faults:
        for fault in found:
            raise PromiseError(spec, whole, promise, fault)
    return chunks


def _placed(chunks: Iterable[Chunk]) -> Iterator[tuple[int, Chunk, Span]]:
    for number, chunk in enumerate(chunks):
        if chunk.span is not None:
            yield number, chunk, Span(*chunk.span)


def _short(text: str, limit: int = 60) -> str:
    return repr(text) if len(text) <= limit else f"{text[: limit // 2]!r} … {text[-limit // 2 :]!r}"


def _at(document: Document, span: tuple[int, int]) -> str:
    start, end = span
    return f"line {document.line(start)}, [{start}, {end}): {_short(document.text[start:end])}"


def _slices(chunks: Sequence[Chunk], document: Document) -> Iterator[str]:
    for number, chunk in enumerate(chunks):
        if chunk.span is None:
            yield f"chunk {number} has no place in the document: {_short(chunk.text)}"
            continue
        start, end = chunk.span
        if not 0 <= start < end <= len(document.text):
            yield f"chunk {number} has the span [{start}, {end}) in a text of {len(document.text)} characters"
        elif chunk.text != document.text[start:end]:
            yield f"chunk {number} is {_short(chunk.text)}, but the text is {_at(document, chunk.span)}"
        elif not chunk.span[0] <= chunk.match[0] < chunk.match[1] <= chunk.span[1]:
            yield f"chunk {number} indexes {tuple(chunk.match)}, not inside its span [{start}, {end})"


def _starts(chunks: Sequence[Chunk]) -> Iterator[str]:
    last = -1
    for number, _, span in _placed(chunks):
        if span.start <= last:
            yield f"chunk {number} starts at {span.start}, the one before it at {last}"
        last = span.start


def _blank(chunks: Sequence[Chunk], document: Document) -> Iterator[str]:
    for number, _, span in _placed(chunks):
        if is_blank(document.text[span.start : span.end]):
            yield f"chunk {number} shows nothing: {_at(document, span)}"


def _coverage(chunks: Sequence[Chunk], document: Document) -> Iterator[str]:
    blocks = document.blocks
    metadata = [blocks[i].span for i, kind in enumerate(blocks.kind) if kind == BlockKind.FRONT_MATTER]
    reached = 0
    length = len(document.text)
    for span in [*union([*metadata, *(span for _, _, span in _placed(chunks))]), Span(length, length)]:
        if not is_blank(document.text[reached : span.start]):
            yield f"in no chunk: {_at(document, (reached, span.start))}"
        reached = max(reached, span.end)


def _overlap(
    chunks: Sequence[Chunk], document: Document, overlap: int, unit: str | Callable[[str], int]
) -> Iterator[str]:
    count = bare(counter(unit)).count
    reached = 0
    for number, _, span in _placed(chunks):
        twice = document.text[span.start : min(reached, span.end)]
        if twice and not is_blank(twice) and (overlap == 0 or count(twice) > overlap):
            place = _at(document, (span.start, min(reached, span.end)))
            yield f"chunk {number} repeats {count(twice)} (overlap {overlap}) of a chunk before it: {place}"
        reached = max(reached, span.end)


def _limit(
    chunks: Sequence[Chunk], document: Document, size: int | None, unit: str | Callable[[str], int]
) -> Iterator[str]:
    if size is None:
        return
    measured = counter(unit)
    for number, chunk in enumerate(chunks):
        found = measured.count(chunk.indexed)
        if found > size and OVER not in chunk.marks:
            place = _at(document, chunk.span) if chunk.span else _short(chunk.text)
            yield (
                f"chunk {number} indexes {found} {measured.name}, the limit is {size}, and it has not the "
                f"mark '{OVER}' (marks: {list(chunk.marks)}); {place}; indexed: {_short(chunk.indexed)}"
            )


def _sections(chunks: Sequence[Chunk], document: Document) -> Iterator[str]:
    text, sections = document.text, document.sections
    for number, _, span in _placed(chunks):
        for i in range(sections.at(span.start), sections.at(span.end - 1)):
            body = text[max(sections.body[i], span.start) : sections.end[i]]
            after = text[sections.end[i] : span.end]
            if not is_blank(body) and not is_blank(after):
                title = _short(sections.titles[i]) if i else "no heading"
                yield (
                    f"chunk {number} {tuple(span)} has text under {title} and goes on into the next section: "
                    f"{_at(document, (sections.end[i], span.end))}"
                )


def _unique(chunks: Sequence[Chunk], document: Document) -> Iterator[str]:
    seen: dict[str, int] = {}
    for number, chunk in enumerate(chunks):
        if chunk.id in seen:
            place = _at(document, chunk.span) if chunk.span else _short(chunk.text)
            yield f"chunks {seen[chunk.id]} and {number} have the id {chunk.id}; the second: {place}"
        seen[chunk.id] = number


def _repeat(chunker: Chunker, document: Document | str, chunks: Sequence[Chunk]) -> Iterator[str]:
    chunker(document.with_text(OTHER) if isinstance(document, Document) else OTHER)
    again = chunker(document)
    if len(again) != len(chunks):
        yield f"{len(chunks)} chunks in the first run, {len(again)} in the second"
    for number, (first, second) in enumerate(zip(chunks, again, strict=False)):
        if first != second or first.id != second.id:
            yield f"chunk {number} was {tuple(first)!r}, and in the second run {tuple(second)!r}"


def _edits(
    chunker: Chunker,
    document: Document | str,
    whole: Document,
    chunks: Sequence[Chunk],
    crosses_sections: bool,
) -> Iterator[str]:
    text = whole.text
    top = 0
    if whole.blocks and whole.blocks.kind[0] == BlockKind.FRONT_MATTER:
        top = whole.blocks.end[0]
    edits = {
        "a paragraph was added at the top": f"{text[:top]}{ADDED}\n\n{text[top:]}",
        "a paragraph was added at the end": f"{text}\n\n{ADDED}\n",
    }
    before = _by_indexed(chunks)
    for edit, changed in edits.items():
        edited = whole.with_text(changed)
        after = _by_indexed(chunker(edited if isinstance(document, Document) else changed))
        for indexed, ids in before.items():
            for first, second in zip(ids, after.get(indexed, ids), strict=False):
                if first != second:
                    yield f"{edit}, and the chunk that indexes {_short(indexed)} got another id"
        if crosses_sections:
            continue
        last = len(whole.sections) - 1
        for _, chunk, span in _placed(chunks):
            number = whole.sections.at(span.end - 1)
            elsewhere = number > 0 if edit.endswith("top") else number < last
            if elsewhere and chunk.indexed not in after:
                yield f"{edit}, and the chunk {_at(whole, span)}, in another section, is no longer there"


def _by_indexed(chunks: Iterable[Chunk]) -> dict[str, list[str]]:
    found: dict[str, list[str]] = {}
    for chunk in chunks:
        found.setdefault(chunk.indexed, []).append(chunk.id)
    return found
