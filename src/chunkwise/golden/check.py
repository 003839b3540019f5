"""`check_golden`: every fault of a golden file, and what would make it a better one."""

from __future__ import annotations

from bisect import bisect_right
from collections import Counter
from collections.abc import Iterable, Sequence
from pathlib import Path, PurePosixPath

from chunkwise.arguments import checked
from chunkwise.golden.anchor import Page, fold
from chunkwise.golden.entries import Claim, Entry
from chunkwise.golden.examine import SHORT, examine
from chunkwise.golden.faults import Check, counted
from chunkwise.golden.rows import read_rows
from chunkwise.golden.similar import nearly_equal
from chunkwise.types import BlockKind, Corpus, Place, Question, check_corpus, union

ENOUGH = 30
"""Questions below which a difference of a few points says nothing."""
HARD = 5
"""Questions of each hard kind that a golden set should have."""
OFTEN = 3
"""Places of a quote in its document, case folded, from which it is called frequent."""
_LISTED = 5
_KINDS = {
    "a paragraph": (BlockKind.PARAGRAPH,),
    "a list": (BlockKind.LIST, BlockKind.ITEM),
    "a table": (BlockKind.TABLE, BlockKind.ROW),
    "a code block": (BlockKind.CODE,),
    "a quote": (BlockKind.QUOTE,),
    "an admonition": (BlockKind.ADMONITION,),
    "a footnote": (BlockKind.FOOTNOTE,),
}


@checked("path", "corpus")
def check_golden(path: str | Path, corpus: Corpus) -> Check:
    """Find every fault of a golden file, and advise.

    Every document of the corpus is loaded and parsed once, one at a time; a second time only where
    quotes are not found.

    Raises:
        GoldenError: the file cannot be read at all.
        SettingError: `corpus` is no corpus, or `path` no path.
    """
    rows = read_rows(path)
    check_corpus(corpus)
    survey = _Survey()
    found = examine(rows, corpus, survey)
    advice = (*_on_questions(found.questions, found.total, survey), *survey.advice())
    return Check(tuple(found.faults), advice, found.total, len(found.questions))


class _Survey:
    """What the corpus has, what the golds touch, and which golds are odd; fed one document at a time."""

    def __init__(self) -> None:
        self.blocks: Counter[BlockKind] = Counter()
        self.touched: set[BlockKind] = set()
        self.folders: dict[str, int] = {}
        self.headings = 0
        self._asked: set[str] = set()
        self._short: dict[str, str] = {}
        self._often: dict[str, str] = {}
        self._edges: dict[str, str] = {}
        self._bare: dict[str, str] = {}

    def __call__(self, page: Page, placed: list[tuple[Entry, Claim, Place]]) -> None:
        folder = str(PurePosixPath(page.id).parent)
        self.folders[folder] = self.folders.get(folder, 0) + 1
        blocks = page.document.blocks
        self.blocks.update(BlockKind(kind) for kind in blocks.kind)
        self.headings += len(page.document.sections) - 1
        if not placed:
            return
        self._asked.add(folder)
        golds = union(page.document.from_raw(place.span) for _, _, place in placed)
        starts = [gold.start for gold in golds]
        for kind, start, end in zip(blocks.kind, blocks.start, blocks.end, strict=True):
            last = bisect_right(starts, end - 1) - 1
            if last >= 0 and golds[last].end > start:
                self.touched.add(BlockKind(kind))
        lower = page.folded.text.casefold()
        for entry, claim, place in placed:
            text = page.read(place.span)
            if entry.origin != "heading":
                quote = fold(text)
                if len(quote) < SHORT:
                    self._short[entry.id] = quote
                elif (count := lower.count(quote.casefold())) >= OFTEN:
                    self._often[entry.id] = f"{count} times"
                if text != text.strip():
                    self._edges[entry.id] = ""
            if claim.quote is None and not claim.digest:
                self._bare[entry.id] = ""

    def advice(self) -> Iterable[str]:
        """What the golds miss, and which are odd."""
        empty = [folder for folder in sorted(self.folders) if folder not in self._asked]
        if len(self.folders) > 1 and empty:
            named = [f"{'the top folder' if f == '.' else f} ({self.folders[f]})" for f in empty]
            yield f"no question touches these folders (documents in them): {_listed(named)}"
        missed = [
            f"{name} ({self.blocks[kinds[0]]:,} in the corpus)"
            for name, kinds in _KINDS.items()
            if self.blocks[kinds[0]] and not self.touched.intersection(kinds)
        ]
        if missed:
            yield f"no gold touches {_listed(missed, 'or')}"
        for found, what, then in (
            (
                {name: repr(quote) for name, quote in self._short.items()},
                f"with a gold below {SHORT} characters, which may stand anywhere",
                "quote the whole statement",
            ),
            (
                self._often,
                f"with a gold that stands {OFTEN} times or more in its document, case aside",
                "name the other places under 'also' where they answer it too",
            ),
            (
                self._edges,
                "with a gold that begins or ends with white space, which chunks do not keep at their ends",
                "give the span without it",
            ),
            (
                self._bare,
                "with a span and no quote: an edit of the document moves the text away unseen",
                "give the quote, too",
            ),
        ):
            if found:
                named = [f"{name} ({note})" if note else name for name, note in found.items()]
                yield f"{counted(len(found), 'question')} {what}; {then}: {_listed(named)}"


def _on_questions(questions: Sequence[Question], total: int, survey: _Survey) -> Iterable[str]:
    if total < ENOUGH:
        share = f"one question is {100 / total:.1f} points" if total else "nothing can be measured"
        yield f"{counted(total, 'question')}, fewer than {ENOUGH}: {share}"
    if survey.headings:
        yield from _few(questions, "needs_heading", "that can be understood only with the heading")
    if survey.blocks[BlockKind.TABLE]:
        yield from _few(questions, "table_row", "with a row of a table for an answer")
    families = len({question.family for question in questions})
    if families < len(questions):
        yield (
            f"{len(questions)} questions make {families} families (a family or a span in common); "
            "intervals are drawn over families"
        )
    drafted = [question.id for question in questions if not question.reviewed]
    if drafted:
        yield (
            f"{len(drafted)} of {counted(len(questions), 'question')} "
            f"{'was' if len(drafted) == 1 else 'were'} not reviewed by a person: put "
            f"{'it' if len(drafted) == 1 else 'them'} in users' words, then set 'reviewed' to true: "
            f"{_listed(drafted)}"
        )
    pairs = [f"{one} and {other}" for one, other in nearly_equal(questions)]
    if pairs:
        yield (
            f"{counted(len(pairs), 'pair')} of questions that are nearly the same count as independent; give "
            f"them one 'family', or ask one of them otherwise: {_listed(pairs)}"
        )


def _few(questions: Sequence[Question], tag: str, what: str) -> Iterable[str]:
    count = sum(question.tags.get(tag, "").lower() in ("true", "yes", "1") for question in questions)
    if count < HARD:
        yield f"{counted(count, 'question')} {what} (tag {tag}), fewer than {HARD}"


def _listed(names: Sequence[str], last: str = "") -> str:
    more = [f"{len(names) - _LISTED} more"] if len(names) > _LISTED else []
    shown = [*names[:_LISTED], *more]
    if last and len(shown) > 1:
        return f"{', '.join(shown[:-1])} {last} {shown[-1]}"
    return ", ".join(shown)
