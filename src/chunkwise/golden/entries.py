"""What a row says: its question, and the claims where the answer stands, not yet looked up."""

from __future__ import annotations

from collections.abc import Mapping
from dataclasses import dataclass, field
from difflib import get_close_matches
from typing import Any

from chunkwise.golden.faults import Path, Problem
from chunkwise.golden.rows import REFERENCES, Row, json_text, kind
from chunkwise.text import is_blank
from chunkwise.types import Span

ORIGINS = ("written", "heading", "model")
QUOTES = ("gold", "answer", "quote", "content")
PAIRS = (("start", "end"), ("start_index", "end_index"))
NESTED = "tags"
DIGEST = "doc_digest"
_KEYS = ("id", "question", "doc", "corpus_id", "gold", "answer", "quote", "spans", "start", "end", "also")
RESERVED = frozenset((*_KEYS, "family", "origin", "reviewed", NESTED, DIGEST, REFERENCES))
"""Keys that are no tags."""
_GOLD_FORMS = 'write "gold": a quote, a list of quotes that are all needed, or [start, end] with "quote"'
_WRONG_NAMES = {
    "question": ("query", "q", "text", "input", "prompt"),
    "doc": ("document", "file", "path", "source", "filename", "document_id", "doc_id"),
    "gold": ("golden", "span", "context", "reference", "expected", "ground_truth", "excerpt"),
}


@dataclass(frozen=True, slots=True)
class Claim:
    """One place that an entry names: a document, and a quote or a span or both."""

    doc: str
    """The document as it is named."""
    doc_path: Path
    """Way to that name in the entry."""
    quote: str | None = None
    """The answer as written."""
    quote_path: Path = ()
    span: Span | None = None
    """The offsets given, in raw coordinates."""
    span_paths: tuple[Path, Path] = ((), ())
    """Ways to the start and the end."""
    digest: str = ""
    """How the digest of the document began when the span was written."""


@dataclass(slots=True)
class Entry:
    """A row that was understood, or its problems."""

    row: Row
    id: str = ""
    question: str = ""
    needs: list[list[Claim]] = field(default_factory=list)
    """For each needed gold the claims, any one of which is enough; the first is the gold itself."""
    family: str = ""
    tags: dict[str, str] = field(default_factory=dict)
    origin: str = "written"
    reviewed: bool = True
    problems: list[Problem] = field(default_factory=list)


def read_entry(row: Row) -> Entry:
    """What a row says. All that is wrong with it is gathered in `problems`."""
    entry = Entry(row)
    if row.problem is not None:
        entry.problems.append(row.problem)
    # Of a row that is broken the id is enough.
    steps = (_id, _question, _needs, _family, _origin, _tags) if row.problem is None else (_id,)
    for step in steps:
        try:
            step(entry, row.data)
        except Problem as problem:
            entry.problems.append(problem)
    return entry


def _name(data: Mapping[str, Any], key: str) -> str:
    """A value that is a name: a text, or a number that stands for one. Empty where it is absent."""
    value = data.get(key)
    if value is None:
        return ""
    if isinstance(value, int) and not isinstance(value, bool):
        return str(value)
    if not isinstance(value, str):
        raise Problem(f"'{key}' is {kind(value)}", f'write "{key}" as a text')
    return value


def _missing(data: Mapping[str, Any], key: str, remedy: str) -> Problem:
    for name in _WRONG_NAMES[key]:
        if name in data:
            return Problem(f"no '{key}'", f"rename the key '{name}' to '{key}'")
    near = get_close_matches(key, [name for name in data if name not in RESERVED], n=1, cutoff=0.75)
    return Problem(f"no '{key}'", f"rename the key '{near[0]}' to '{key}'" if near else remedy)


def _id(entry: Entry, data: Mapping[str, Any]) -> None:
    name = _name(data, "id")
    entry.id = "" if is_blank(name) else name


def _question(entry: Entry, data: Mapping[str, Any]) -> None:
    if data.get("question") is None:
        raise _missing(data, "question", 'add "question": what is asked, in the words of a user')
    value = data["question"]
    if not isinstance(value, str):
        raise Problem(f"'question' is {kind(value)}", "write the question as a text")
    if is_blank(value):
        raise Problem("the question is empty", "write what is asked, or remove the entry")
    entry.question = value


def _family(entry: Entry, data: Mapping[str, Any]) -> None:
    entry.family = _name(data, "family")


def _origin(entry: Entry, data: Mapping[str, Any]) -> None:
    origin = _name(data, "origin") or "written"
    if origin not in ORIGINS:
        raise Problem(f"unknown origin {origin!r}", f"write one of {', '.join(ORIGINS)}")
    entry.origin = origin
    reviewed = data.get("reviewed")
    if reviewed is None:
        reviewed = origin == "written"
    if not isinstance(reviewed, bool):
        raise Problem(f"'reviewed' is {kind(reviewed)}", "write true or false")
    entry.reviewed = reviewed


def _tags(entry: Entry, data: Mapping[str, Any]) -> None:
    nested = data.get(NESTED)
    if nested is not None and not isinstance(nested, dict):
        raise Problem(f"'{NESTED}' is {kind(nested)}", f'write "{NESTED}" as an object of names and values')
    free = {key: value for key, value in data.items() if key not in RESERVED}
    for key, value in [*free.items(), *(nested or {}).items()]:
        if value is None:
            continue
        if isinstance(value, dict | list):
            raise Problem(
                f"the tag '{key}' is {kind(value)}",
                "a tag is a text, a number, true or false: write one value",
            )
        tag = value if isinstance(value, str) else json_text(value)
        if entry.tags.setdefault(key, tag) != tag:
            raise Problem(f"the tag '{key}' stands twice", f"remove it from '{NESTED}' or beside it")


def _needs(entry: Entry, data: Mapping[str, Any]) -> None:
    """Fill `entry.needs` from whichever of the forms of a gold the entry uses."""
    doc_key = "corpus_id" if "corpus_id" in data and data.get("doc") is None else "doc"
    doc = _name(data, doc_key)
    doc = "" if is_blank(doc) else doc
    before = len(entry.problems)
    base = Claim(doc, (doc_key,), digest=_name(data, DIGEST))
    parts = _parts(data)
    for part in parts:
        entry.needs.append([])
        _add(entry, base, *part)
    for need, alternatives in zip(entry.needs, _also(data, len(parts)), strict=True):
        for value, path in alternatives:
            _add(entry, base, value, path, need=need)
    claims = [claim for need in entry.needs for claim in need]
    if not doc and (not claims or any(not claim.doc for claim in claims)):  # each gold may name its own
        missing = _missing(data, "doc", 'add "doc": path of the document below the root')
        entry.problems.insert(before, missing)


def _add(
    entry: Entry,
    base: Claim,
    value: Any,
    path: Path,
    quote: Any = None,
    quote_path: Path = (),
    need: list[Claim] | None = None,
) -> None:
    """Add one claim to a need (the last one if None), or the problem with it to the entry."""
    try:
        (entry.needs[-1] if need is None else need).append(_claim(base, value, path, quote, quote_path))
    except Problem as problem:
        entry.problems.append(problem)


_Part = tuple[Any, Path, Any, Path]


def _parts(data: Mapping[str, Any]) -> list[_Part]:
    """Every needed gold as written: value and way to it, quote beside it and way to that."""
    key = next((name for name in ("gold", "answer") if data.get(name) is not None), "")
    if key == "gold" and data.get("answer") is not None and data["answer"] != data["gold"]:
        raise Problem("both 'gold' and 'answer'", "keep one of them")
    quote_key = "quote" if data.get("quote") is not None else key
    if data.get(REFERENCES) is not None:
        listed = data[REFERENCES]
        if not isinstance(listed, list) or not listed:
            raise Problem(
                f"no list of golds in '{REFERENCES}'", "write [{content, start_index, end_index}, …]"
            )
        return [(value, (REFERENCES, i), None, ()) for i, value in enumerate(listed)]
    if data.get("spans") is not None:
        return _paired(data, "spans", quote_key)
    if "start" in data or "end" in data:
        pair = {name: data.get(name) for name in ("start", "end")}
        return [(pair, (), data.get(quote_key), (quote_key,))]
    if not key:
        if quote_key:
            return [(data["quote"], ("quote",), None, ())]
        raise _missing(data, "gold", _GOLD_FORMS)
    gold = data[key]
    if not isinstance(gold, list) or _is_pair(gold):
        return [(gold, (key,), data.get("quote"), ("quote",))]
    if not gold:
        raise Problem(f"'{key}' is an empty list", _GOLD_FORMS)
    if all(isinstance(item, list) for item in gold):
        return _paired(data, key, "quote")
    return [(item, (key, i), None, ()) for i, item in enumerate(gold)]


def _paired(data: Mapping[str, Any], key: str, quote_key: str) -> list[_Part]:
    """A list of spans, with the list of their quotes where there is one."""
    spans, quotes = data[key], data.get(quote_key)
    if not isinstance(spans, list) or not spans:
        raise Problem(f"no list of spans in '{key}'", f'write "{key}": [[start, end], …]')
    if _is_pair(spans):
        return [(spans, (key,), quotes, (quote_key,))]
    if quotes is None:
        return [(span, (key, i), None, ()) for i, span in enumerate(spans)]
    if isinstance(quotes, str) and len(spans) == 1:
        return [(spans[0], (key, 0), quotes, (quote_key,))]
    if not isinstance(quotes, list) or len(quotes) != len(spans):
        count = len(quotes) if isinstance(quotes, list) else 1
        raise Problem(
            f"{len(spans)} spans and {count} quotes",
            f"give '{quote_key}' as a list with a quote for each span",
        )
    return [(spans[i], (key, i), quotes[i], (quote_key, i)) for i in range(len(spans))]


def _also(data: Mapping[str, Any], count: int) -> list[list[tuple[Any, Path]]]:
    """For each needed gold its alternatives as written, each with the way to it."""
    also = data.get("also")
    if also is None:
        return [[] for _ in range(count)]
    if count > 1:
        if isinstance(also, list) and len(also) == count and all(isinstance(item, list) for item in also):
            return [[(value, ("also", n, i)) for i, value in enumerate(item)] for n, item in enumerate(also)]
    elif isinstance(also, str | dict) or _is_pair(also):
        return [[(also, ("also",))]]
    elif isinstance(also, list) and len(also) == 1 and isinstance(also[0], list) and not _is_pair(also[0]):
        return [[(value, ("also", 0, i)) for i, value in enumerate(also[0])]]
    elif isinstance(also, list):
        return [[(value, ("also", i)) for i, value in enumerate(also)]]
    wanted = "a list of quotes" if count == 1 else f"a list of {count} lists, one for each needed gold"
    raise Problem(f"'also' is {kind(also)} that does not fit", f'write "also" as {wanted}')


def _is_pair(value: Any) -> bool:
    """Whether this is meant as `[start, end]`: a list of nothing but numbers."""
    return isinstance(value, list) and bool(value) and all(isinstance(item, int | float) for item in value)


def _claim(base: Claim, value: Any, path: Path, quote: Any = None, quote_path: Path = ()) -> Claim:
    """One part of a gold: a quote, a pair of offsets, or an object with its own keys."""
    doc, doc_path, digest = base.doc, base.doc_path, base.digest
    ends: tuple[Any, Any] | None = None
    paths: tuple[Path, Path] = ((), ())
    if isinstance(value, str):
        quote, quote_path = value, path
    elif isinstance(value, list):
        if len(value) != 2:
            raise Problem(f"a span of {len(value)} numbers", "write [start, end]")
        ends, paths = (value[0], value[1]), ((*path, 0), (*path, 1))
    elif isinstance(value, dict):
        for name in value:
            if name not in ("doc", DIGEST, *QUOTES, *(end for pair in PAIRS for end in pair)):
                raise Problem(f"unknown key '{name}' in a gold", "a gold has doc, quote, start and end")
        if value.get("doc") is not None:
            doc, doc_path, digest = _name(value, "doc"), (*path, "doc"), ""
            if is_blank(doc):
                raise Problem("'doc' of a gold is empty", "name the document, or leave 'doc' out")
        digest = _name(value, DIGEST) or digest
        key = next((name for name in QUOTES if value.get(name) is not None), None)
        if key is not None:
            quote, quote_path = value[key], (*path, key)
        for first, last in PAIRS:
            if first in value or last in value:
                ends = (value.get(first), value.get(last))
                paths = ((*path, first), (*path, last))
    else:
        raise Problem(f"a gold is {kind(value)}", _GOLD_FORMS)
    if quote is not None:
        if not isinstance(quote, str):
            raise Problem(f"the quote is {kind(quote)}", "write the quote as a text")
        if is_blank(quote):
            raise Problem("the gold is blank", "quote the answer from the document")
    elif ends is None:
        raise Problem("a gold without quote and span", _GOLD_FORMS)
    span = None if ends is None else _span(*ends)
    return Claim(doc, doc_path, quote, quote_path, span, paths, digest)


def _span(start: Any, end: Any) -> Span:
    for name, value in (("start", start), ("end", end)):
        if value is None:
            raise Problem(f"a span without '{name}'", "give both start and end")
        if isinstance(value, bool) or not isinstance(value, int):
            shown = json_text(value)
            raise Problem(
                f"'{name}' is {shown}, no whole number", "write start and end as whole numbers, without marks"
            )
    if start < 0:
        raise Problem(f"start {start} is below 0", "count characters from the beginning of the file, from 0")
    if end == start:
        raise Problem(f"the span [{start}, {end}) is empty", "end is the place after the last character")
    if end < start:
        raise Problem(f"the span [{start}, {end}) ends before it starts", "write the smaller number first")
    return Span(start, end)
