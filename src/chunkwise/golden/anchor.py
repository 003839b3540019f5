"""Where a quote stands: exact search with white space folded, in raw coordinates."""

from __future__ import annotations

import re
from array import array
from bisect import bisect_right
from functools import cached_property

from chunkwise.golden.documents import NotFound
from chunkwise.golden.entries import Claim
from chunkwise.golden.faults import Fix, Problem, shown
from chunkwise.golden.near import Loose, loose_forms
from chunkwise.golden.units import other_units
from chunkwise.text import is_blank
from chunkwise.types import Document, Place, Span

LISTED = 5
"""How many of several places a message lists."""
MOST = 1000
"""Where counting of places stops."""
_SPACE = re.compile(r"\s+")
_RUN = re.compile(r"\s{2,}")


def fold(text: str) -> str:
    """A text with every run of white space as one space, and none at its ends."""
    return " ".join(text.split())


class Mapped:
    """A text made from another one, with the way back: breaks where the two run apart."""

    def __init__(self, text: str, here: array[int], there: array[int]) -> None:
        """Hold the text; from `here[i]` on, its character `here[i] + n` is character `there[i] + n`."""
        self.text, self._here, self._there = text, here, there

    def back(self, start: int, end: int) -> Span:
        """The span of the other text that `[start, end)` was made from. It must not be empty."""
        return Span(self._back(start), self._back(end - 1) + 1)

    def _back(self, position: int) -> int:
        i = bisect_right(self._here, position) - 1
        there = self._there[i] + position - self._here[i]
        # A character that became several: all of them lead to that one.
        return min(there, self._there[i + 1] - 1) if i + 1 < len(self._there) else there

    def find(self, needle: str, most: int = MOST) -> list[Span]:
        """Every place of `needle`, in the other text; places may overlap. At most `most` of them."""
        found: list[Span] = []
        at = self.text.find(needle) if needle else -1
        while at >= 0 and len(found) < most:
            found.append(self.back(at, at + len(needle)))
            at = self.text.find(needle, at + 1)
        return found


def folded(text: str) -> Mapped:
    """A text with white space folded, and the way back. Time and memory are linear in the text."""
    here, there = array("q", [0]), array("q", [0])
    lost = 0
    for match in _RUN.finditer(text):
        lost += match.end() - match.start() - 1
        here.append(match.end() - lost)
        there.append(match.end())
    return Mapped(_SPACE.sub(" ", text), here, there)


class Page:
    """One document while its golds are looked up. Everything is made once, when it is first needed."""

    def __init__(self, document: Document) -> None:
        # Golds are anchored in what was read, whatever is cleaned afterwards.
        self.document = document = document.source
        self.id = document.id
        self.text = document.text

    @cached_property
    def folded(self) -> Mapped:
        """The text with white space folded."""
        return folded(self.text)

    @cached_property
    def blank(self) -> bool:
        """Whether the document has no text."""
        return is_blank(self.text)

    @cached_property
    def length(self) -> int:
        """Number of characters of the decoded file."""
        return self.document.to_raw((0, len(self.text))).end

    @cached_property
    def _loose(self) -> tuple[Loose[Mapped], ...]:
        return loose_forms(self.folded.text, Mapped)

    def find(self, quote: str, most: int = MOST) -> list[Span]:
        """Raw spans of all places of a quote, white space folded, in the same case."""
        return [self.document.to_raw(span) for span in self.folded.find(fold(quote), most)]

    def read(self, span: tuple[int, int]) -> str:
        """The characters of the document at a raw span."""
        start, end = self.document.from_raw(span)
        return self.text[start:end]

    def where(self, span: tuple[int, int]) -> str:
        """A raw span in words: `line 3, [12, 30)`."""
        return f"line {self.document.line(self.document.from_raw(span).start)}, [{span[0]}, {span[1]})"

    def loosely(self, quote: str) -> tuple[str, list[Span]] | None:
        """How a quote differs from the document where it does so in case or signs only, and the places."""
        needle = fold(quote)

        def found(form: Loose[Mapped]) -> list[Span]:
            return form.text().find(form.loosen(needle), LISTED + 1)

        *strict, loose, bare = self._loose
        # What differs in case or in signs differs in one or both: most quotes are told apart by two looks.
        for form in (*strict, loose, bare) if found(loose) else (bare,):
            if spans := found(form):
                return form.difference, [self.document.to_raw(self.folded.back(*span)) for span in spans]
        return None

    def begins(self, quote: str) -> tuple[Span, str] | None:
        """Where the longest beginning of a quote stands, and how the document goes on there.

        None where less than half of the quote, or less than 20 characters, is found.
        """
        needle = fold(quote)
        low, high = 0, len(needle)
        while low < high:  # a longer beginning is found only where each shorter one is
            middle = (low + high + 1) // 2
            low, high = (middle, high) if needle[:middle] in self.folded.text else (low, middle - 1)
        if low < max(20, len(needle) // 2):
            return None
        at = self.folded.text.find(needle[:low])
        span = self.document.to_raw(self.folded.back(at, at + low))
        return span, self.folded.text[max(at, at + low - 20) : at + low + 20]


def anchor(page: Page, claim: Claim) -> Place:
    """The one place of a claim in its document. Raises `Problem` where there is none, or several."""
    if page.blank:
        raise NotFound(f"the document {page.id!r} has no text", "restore it, or remove the question")
    if claim.span is not None:
        return Place(page.id, _checked(page, claim, claim.span))
    quote = claim.quote or ""
    found = page.find(quote)
    if len(found) == 1:
        return Place(page.id, found[0])
    if found:
        raise _several(page, quote, found)
    raise _none(page, claim, f"the quote does not stand in {page.id!r}: {shown(quote)}")


def _checked(page: Page, claim: Claim, span: Span) -> Span:
    """A span that lies in the document and reads like its quote."""
    quote = claim.quote
    text = page.read(span)
    outside = f"the span {_brackets(span)} ends behind the {page.length} characters of {page.id!r}"
    if quote is None:
        if span.end > page.length:
            raise Problem(outside, "give offsets within the document, counted in code points")
        if is_blank(text):
            raise Problem(
                f"the span {_brackets(span)} of {page.id!r} is blank", "give the span of the answer"
            )
        if claim.digest and not page.document.digest.startswith(claim.digest):
            raise Problem(
                f"{page.id!r} is not as it was when the span {_brackets(span)} was written",
                "draft the question again, or give the quote",
            )
        return span
    if span.end <= page.length and fold(text) == fold(quote):
        return span
    texts = f"reads {shown(text)}, the quote is {shown(quote)}"
    inside = f"{_brackets(span)} of {page.id!r}"
    message = f"{inside if span.end <= page.length else f'{outside} and'} {texts}"
    fitting = other_units(page.document, quote, span, fold)
    if fitting is not None:
        unit, right = fitting
        raise Problem(message, f"the offsets fit {unit}: write {_brackets(right)}", _moved(claim, right))
    found = page.find(quote)
    if len(found) == 1:
        right = found[0]
        raise Problem(message, f"the quote stands at {_brackets(right)}: write that", _moved(claim, right))
    if found:
        several = _several(page, quote, found)
        raise Problem(f"{message}, and {several.message}", several.remedy)
    raise _none(page, claim, message)


def _brackets(span: Span) -> str:
    return f"[{span.start}, {span.end})"


def _moved(claim: Claim, span: Span) -> Fix:
    return Fix(tuple(zip(claim.span_paths, span, strict=True)))


def _several(page: Page, quote: str, found: list[Span]) -> Problem:
    count = f"{len(found)} places" if len(found) < MOST else f"at least {MOST:,} places"
    places = "; ".join(page.where(span) for span in found[:LISTED])
    more = "; …" if len(found) > LISTED else ""
    return Problem(
        f"the quote stands in {count} of {page.id!r}: {shown(quote, 40)} ({places}{more})",
        "lengthen the quote, or add the [start, end] of the one that is meant",
    )


def _none(page: Page, claim: Claim, message: str) -> Problem:
    """The problem of a quote that is not found, with the nearest text there is."""
    quote = claim.quote or ""
    near = page.loosely(quote)
    if near is None:
        begins = page.begins(quote)
        if begins is None:
            return NotFound(message, "quote the document character for character")
        span, text = begins
        return NotFound(
            message,
            f"its beginning stands in {page.where(span)}, but there the document goes on {shown(text, 60)}",
        )
    difference, found = near
    if len(found) > 1:
        places = "; ".join(page.where(span) for span in found[:LISTED])
        return Problem(
            message, f"with {difference} it stands in several places ({places}): quote one exactly"
        )
    text = fold(page.read(found[0]))
    remedy = f"with {difference} it stands in {page.where(found[0])}: write {shown(text)}"
    if "Markdown" in difference:
        return Problem(message, remedy)
    edits = [(claim.quote_path, text)]
    if claim.span is not None:
        edits += zip(claim.span_paths, found[0], strict=True)  # type: ignore[arg-type] # numbers beside texts
    return Problem(message, remedy, Fix(tuple(edits)))
