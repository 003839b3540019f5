"""Code with its prose, and overlap where nothing is there to cut at, for docs/together.md."""

from __future__ import annotations

import re
from collections import Counter
from collections.abc import Iterator
from itertools import pairwise
from pathlib import Path

from chunkwise import Corpus, GoldenSet, Report, compare, load_golden, read, read_text
from chunkwise.chunk import make_chunkers
from chunkwise.golden import draft
from chunkwise.report.tables import percent
from chunkwise.types import BlockKind, Document, Edit, Gold, Place, Question, Span, TextMap, apply
from scripts.noise import moved
from scripts.tables import gain

FOUND = "recall@1000words"
CODE_ROWS = tuple(f"{name}:size={size}" for name in ("heading", "paragraph") for size in (400, 800, 1200))
RAW_ROWS = {
    "fixed:size=400": (100, 200),
    "fixed:size=800": (100, 200, 400),
    "recursive:size=800": (200,),
    "sentence:size=800": (200,),
}
_PROSE_AND_CODE = (BlockKind.PARAGRAPH, BlockKind.CODE)
_SPOKEN = re.compile(r"[^\w'’]+|[A-Z]+")


def code(data: Path) -> str | None:
    """A row for each chunker and size, code kept whole against code kept with its prose."""
    if not (data / "fastapi-docs").is_dir():
        return None
    corpus = read(data / "fastapi-docs" / "docs")
    alone, both = code_questions(corpus)
    specs = [f"{row},code=whole|with-prose" for row in CODE_ROWS]
    reports = [
        compare(corpus, golden, specs, primary=FOUND, rule="contained", resamples=2000, exhibits=0)
        for golden in (alone, both)
    ]
    lines = [
        f"{len(alone)} questions, {FOUND} in per cent, gains of `with-prose` in points with 95 % intervals.",
        "",
        "| row | in one chunk: whole | with-prose | code: whole | gain | code and paragraph: whole | gain |",
        "|---|---:|---:|---:|---:|---:|---:|",
    ]
    for row in CODE_ROWS:
        cells = [percent(in_one(corpus, both, spec)) for spec in (row, f"{row},code=with-prose")]
        for report in reports:
            (pair,) = (pair for pair in report.pairs if pair.setting == "code" and pair.first == row)
            cells += [percent(report[row].measures[FOUND].value), gain(pair)]
        lines.append(f"| `{row}` | {' | '.join(cells)} |")
    return "\n".join([*lines, ""])


def in_one(corpus: Corpus, both: GoldenSet, spec: str) -> float:
    """The share of questions whose golds all lie in one chunk."""
    (chunker,) = make_chunkers(spec)
    spans = {document.id: [chunk.span for chunk in chunker(document) if chunk.span] for document in corpus}
    found = 0
    for question in both:
        places = [gold.places[0] for gold in question.golds]
        start, end = min(p.span.start for p in places), max(p.span.end for p in places)
        found += any(span.start <= start and end <= span.end for span in spans[places[0].doc])
    return found / len(both)


def code_questions(corpus: Corpus) -> tuple[GoldenSet, GoldenSet]:
    """Each heading over prose with code below it, as a question: for the first code block of its section,
    and for that together with the paragraph in front of it. Titles that stand twice are left out.
    """
    titles = Counter(section.title for document in corpus for section in document.sections)
    wanted = {question.text for question in draft(corpus)}
    alone, both, digests = [], [], {}
    for document in corpus:
        for title, prose, code in _codes(document):
            if titles[title] > 1 or title not in wanted:
                continue
            digests[document.id] = document.digest
            places = [(Place(document.id, document.to_raw(span)),) for span in (prose, code)]
            name = f"code-{len(alone)}"
            alone.append(Question(name, title, (Gold("", places[1]),), family=title, origin="heading"))
            both.append(alone[-1]._replace(golds=tuple(Gold("", place) for place in places)))
    return GoldenSet(alone, digests), GoldenSet(both, digests)


def _codes(document: Document) -> Iterator[tuple[str, Span, Span]]:
    """Of each section its title, and its first code block behind a paragraph: that and the code."""
    blocks, sections = document.blocks, document.sections
    seen = {0}  # what stands above the first heading has no title
    for before, number in pairwise(blocks.top()):
        section = sections.at(blocks.start[number])
        if (blocks.kind[before], blocks.kind[number]) != _PROSE_AND_CODE or section in seen:
            continue
        if sections.at(blocks.start[before]) == section:
            seen.add(section)
            yield sections.titles[section], _shown(document, before), _shown(document, number)


def _shown(document: Document, number: int) -> Span:
    """A block without the blank lines behind it."""
    start, end = document.blocks.start[number], document.blocks.end[number]
    return Span(start, start + len(document.text[start:end].rstrip()))


def overlap(data: Path) -> str | None:
    """A row for each chunker and overlap, on texts as a recogniser of speech gives them."""
    if not (data / "chroma-eval").is_dir():
        return None
    texts = read(data / "chroma-eval" / "corpora")
    golden = load_golden(data / "chroma-eval" / "questions_df.csv", texts)
    made, ways = [], {}
    for document in texts:
        text, ways[document.id] = spoken(document.text)
        made.append(read_text(text, document.id))
    corpus = Corpus(made)
    everything = moved(golden, ways, corpus)
    speech = Corpus(document for document in made if document.id == "state_of_the_union.md")
    asked = [question for question in everything if question.golds[0].places[0].doc in speech.ids]
    specs = [f"{row},overlap={'|'.join(map(str, (0, *more)))}" for row, more in RAW_ROWS.items()]
    reports = [
        compare(*pair, specs, primary=FOUND, resamples=2000, exhibits=0)
        for pair in (
            (speech, GoldenSet(asked, {document.id: document.digest for document in speech})),
            (corpus, everything),
        )
    ]
    said = f"Whole: answers that lie whole in some chunk, in per cent. Found: {FOUND} in per cent; gains over"
    columns = [
        f"{name}, {report.golden['questions']} questions: whole | found | gain"
        for name, report in zip(("a speech", "all five texts"), reports, strict=True)
    ]
    lines = [
        f"{said} no overlap in points with 95 % intervals.",
        "",
        f"| row | overlap | text indexed | {' | '.join(columns)} |",
        "|---|---:|---:|---:|---:|---:|---:|---:|---:|",
    ]
    for row, more in RAW_ROWS.items():
        for size in (0, *more):
            label = f"{row},overlap={size}" if size else row
            cells = [cell for report in reports for cell in _overlapped(report, row, label)]
            factor = reports[1][label].costs["overlap_factor"]
            lines.append(f"| `{row}` | {size} | × {factor:.2f} | {' | '.join(cells)} |")
    return "\n".join([*lines, ""])


def _overlapped(report: Report, row: str, label: str) -> list[str]:
    measures = report[label].measures
    gains = [pair for pair in report.pairs if (pair.first, pair.second) == (row, label)]
    return [
        percent(measures["ceiling"].value),
        percent(measures[FOUND].value),
        gain(gains[0]) if gains else "",
    ]


def spoken(text: str) -> tuple[str, TextMap]:
    """A text in small letters without line ends and punctuation, and the way back."""
    found = []
    for part in _SPOKEN.finditer(text):
        put = part[0].lower() if part[0][0].isalpha() else " "
        if put != part[0]:
            found.append(Edit(part.start(), part.end(), put, "spoken"))
    return apply(text, found), TextMap.of(found)
