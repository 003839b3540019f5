"""Steps 1, 2 and 5: the documents and the hard question, the figures, and what follows from them."""

from __future__ import annotations

from collections.abc import Sequence
from pathlib import Path

from rich.console import Console

from chunkwise.errors import MissingExtra
from chunkwise.index import CacheInfo, cache_info
from chunkwise.report.names import Names
from chunkwise.report.sentences import in_order
from chunkwise.report.tables import Column, paragraph, percent, points, print_table, title
from chunkwise.types import CandidateReport, Report
from examples.demo.corpora import HARD, Asked, Compared

FOUND, FIRST_FIVE = "recall@1000words", "hit@5"


def by_name(compared: Sequence[Compared], name: str) -> Compared:
    """The corpus of a name."""
    return next(one for one in compared if one.name == name)


def documents(console: Console, corpora: Sequence[Asked]) -> None:
    """Step 1: what is compared, and one question that needs its heading."""
    paragraph(
        console,
        "The same documents, cut in eight ways; the same questions, searched in each; and what was found.",
        style="bold",
    )
    title(console, "1. THE DOCUMENTS, AND ONE HARD QUESTION")
    for one in corpora:
        characters = sum(len(document.text) for document in one.corpus)
        paragraph(
            console,
            f"{one.name}: {len(one.corpus):,} documents, {characters:,} characters, "
            f"{len(one.golden):,} questions; {one.about}",
            bullet="- ",
        )
    paragraph(console, "Each question comes with the passage that answers it, as its place in a file.")
    handbook = next(one for one in corpora if one.name == "handbook")
    question = handbook.golden[HARD]
    gold = question.golds[0]
    place = gold.places[0]
    document = handbook.corpus[place.doc]
    path = document.sections.path(document.sections.at(place.span.start))
    subject = gold.quote.strip("| ").partition(" |")[0]
    alike = document.text.count(f"| {subject} |")
    console.print()
    paragraph(console, "The hard question, asked of the handbook:")
    paragraph(console, question.text, bullet="    ", style="bold")
    paragraph(
        console, f"Its answer is a row of a table in {place.doc}, line {document.line(place.span.start)}:"
    )
    paragraph(console, gold.quote, bullet="    ", style="bold")
    paragraph(
        console,
        f'{alike} rows of that file begin with "{subject}". Only the heading two paragraphs above tells '
        f'which of them is meant: "{path[-1]}".',
    )


def searches(console: Console, corpora: Sequence[Asked], missing: MissingExtra | None) -> None:
    """Begin step 2: the two searches in plain words, and what the second one takes."""
    title(console, "2. WHAT EACH CHUNKER FINDS, AND WHAT IT COSTS")
    paragraph(
        console,
        "BM25 searches by words: a chunk scores for each word that it shares with the question, rare words "
        "most. It is quick, and blind to other words for the same thing.",
        bullet="- ",
    )
    paragraph(
        console,
        "MiniLM searches by meaning (dense retrieval): a small language model makes 384 numbers of each "
        "chunk and of the question; what is about the same thing gets similar numbers. It runs on this "
        "machine, and nothing is sent anywhere.",
        bullet="- ",
    )
    if missing is not None:
        paragraph(
            console,
            f"{missing.what.capitalize()} is not installed, so BM25 searches alone here. To see both:",
        )
        console.print(f"    .venv/bin/python -m pip install -e '.[{missing.extra}]'", soft_wrap=True)
        console.print()
        return
    small = " and ".join(one.name for one in corpora if one.small)
    paragraph(
        console,
        "Which of the two finds more depends on the documents, the questions and the chunker, so both are "
        f"measured. MiniLM reads each chunk of {small} once, in up to a minute. {_kept(cache_info())}",
    )
    console.print()


def _kept(cache: CacheInfo) -> str:
    """Where vectors are kept."""
    if cache.temporary:
        return "CHUNKWISE_CACHE is off: the next run has to do it again."
    place = cache.path.replace(str(Path.home()), "~", 1)
    return f"Its numbers are kept in {place}: the next run finds them there and is quick."


def table(console: Console, one: Compared) -> None:
    """The figures of one corpus, and what it changes to search by meaning."""
    report = one.report
    rows, names = in_order(report), Names(report.candidates)
    found = [percent(row.measures[FOUND].value) for row in rows]
    columns = [
        Column("MiniLM\nfound %" if one.meaning else "BM25\nfound %", found),
        Column("95 %\ninterval", [points(row.measures[FOUND].low, row.measures[FOUND].high) for row in rows]),
        Column("", [verdict(report, row) for row in rows], left=True),
        Column(f"{FIRST_FIVE}\n%", [percent(row.measures[FIRST_FIVE].value) for row in rows]),
        Column("chunks", [f"{row.chunks:,}" for row in rows]),
        Column("mean\nsize", [f"{row.sizes['mean']:,.0f}" for row in rows]),
    ]
    if one.meaning:
        others = [one.words[row.name] for row in rows]
        shares = [percent(row.measures[FOUND].value) for row in others]
        wide = max(map(len, shares))
        cells = [f"{s:>{wide}} {verdict(one.words, row)}" for s, row in zip(shares, others, strict=True)]
        columns.insert(0, Column("BM25\nfound %", cells, left=True))
    print_table(console, one.name, [names[row.name] for row in rows], columns)
    if one.meaning:
        gains = [row.measures[FOUND].value - one.words[row.name].measures[FOUND].value for row in rows]
        most, least = (f(range(len(rows)), key=gains.__getitem__) for f in (max, min))
        paragraph(
            console,
            f"By meaning instead of by words: {_signed(sum(gains) / len(gains))} points in the mean of the "
            f"rows, from {_signed(gains[least])} ({names[rows[least].name]}) to {_signed(gains[most])} "
            f"({names[rows[most].name]}).",
        )
    console.print()


def _signed(share: float) -> str:
    """A difference in points with its sign."""
    return f"{'-' if share < 0 else '+'}{percent(abs(share))}"


def legend(console: Console, compared: Sequence[Compared]) -> None:
    """End step 2: what the columns mean."""
    names = Names(compared[0].report.candidates)
    dense = [one.name for one in compared if one.meaning]
    paragraph(
        console,
        "found: share of the answers' text that a reader has after 1,000 words of what the search returns, "
        "with its 95 % interval",
        bullet="  ",
    )
    paragraph(
        console,
        f"{FIRST_FIVE}: share of questions whose whole answer is in the first five chunks. Read it beside "
        "the mean size (characters of what is indexed): five large chunks are more text than five small ones",
        bullet="  ",
    )
    paragraph(
        console,
        "tied: these questions cannot tell the row from the first one, with all rows allowed for; worse: "
        "they can. "
        f"All rows: {', '.join(names.shared)}; size-matched: fixed windows as long as the heading chunks",
        bullet="  ",
    )
    if dense:
        paragraph(
            console,
            f"With two searches, the interval and {FIRST_FIVE} are MiniLM's. "
            f"{_listed([one.name for one in compared if not one.meaning])} is searched by BM25 alone, to "
            "save you a minute: compare searches on your own documents with -r bm25 -r dense:minilm",
            bullet="  ",
        )


def verdict(report: Report, row: CandidateReport) -> str:
    """What the decision says of a row, in a word."""
    decided = report.decision
    if decided is None or row.name not in decided.tied:
        return "worse"
    return "tied" if len(decided.tied) > 1 else "best"


def decision(console: Console, compared: Sequence[Compared]) -> None:
    """Step 5: what to ship, and what would change that."""
    title(console, "5. WHAT TO SHIP, AND WHAT WOULD CHANGE THAT")
    chosen = to_ship(compared)
    for one in compared:
        for search, report in one.reports.items():
            decided = report.decision
            assert decided is not None
            paragraph(
                console,
                f"{one.name}, {search}: {len(decided.tied)} rows tied, {len(decided.ruled_out)} worse; the "
                f"cheapest of the tied: {Names(report.candidates)[str(decided.candidate)]}",
                bullet="- ",
            )
    paragraph(
        console,
        f"Ship {chosen.name}: of the rows that are nowhere worse it finds the most "
        f"({_everywhere(compared, chosen.name)})."
        if chosen is not None
        else "No row is nowhere worse: ship a chunker for each corpus.",
        style="bold",
    )
    console.print()
    paragraph(console, "What would change that:")
    if chosen is not None:
        _other_measure(console, compared, chosen)
        _only_tied(console, compared, chosen)
    paragraph(
        console,
        "documents without headings: there the heading chunker packs paragraphs, and has no path to add",
        bullet="- ",
    )
    paragraph(console, "your documents and your questions, which are the only ones that count:", bullet="- ")
    console.print("    .venv/bin/chunkwise compare YOUR_DOCS", soft_wrap=True)
    console.print("    .venv/bin/chunkwise compare YOUR_DOCS --golden YOUR_QUESTIONS.jsonl", soft_wrap=True)
    if any(one.meaning for one in compared):
        console.print("    .venv/bin/chunkwise compare YOUR_DOCS -r bm25 -r dense:minilm", soft_wrap=True)


def to_ship(compared: Sequence[Compared]) -> CandidateReport | None:
    """Of the rows that no report rules out, the one with the highest mean; the first of equals."""
    reports = [report for one in compared for report in one.reports.values()]
    left = [
        row
        for row in compared[0].report.candidates
        if all(report.decision is not None and row.name in report.decision.tied for report in reports)
    ]
    means = [sum(report[row.name].measures[FOUND].value for report in reports) for row in left]
    return left[means.index(max(means))] if left else None


def _everywhere(compared: Sequence[Compared], name: str) -> str:
    """What a row found in each report."""
    found = []
    for one in compared:
        shares = (
            f"{percent(report[name].measures[FOUND].value)} % with {search}"
            for search, report in one.reports.items()
        )
        found.append(f"{one.name} {' and '.join(shares)}")
    return "; ".join(found)


def _other_measure(console: Console, compared: Sequence[Compared], chosen: CandidateReport) -> None:
    """Where another row is first when chunks are counted instead of words."""
    found = []
    for one in compared:
        first = max(one.report.candidates, key=lambda row: row.measures[FIRST_FIVE].value)
        own = one.report[chosen.name]
        if first.measures[FIRST_FIVE].value > own.measures[FIRST_FIVE].value:
            found.append(f"{one.name}: {_for_five(first)}, {_for_five(own)}")
    if found:
        paragraph(
            console,
            "a reader that always takes five chunks, however long. Answers found, and words read for them:",
            bullet="- ",
        )
    for line in found:
        paragraph(console, line, bullet="    ")


def _for_five(row: CandidateReport) -> str:
    share, words = row.measures[FIRST_FIVE].value, row.costs["sent"]["@5"]
    return f"{row.name} {percent(share)} % for {words:,.0f}"


def _only_tied(console: Console, compared: Sequence[Compared], chosen: CandidateReport) -> None:
    """Corpora on which the questions do not say that the chosen row is better than plain windows."""
    tied = [
        one
        for one in compared
        if one.report.decision is not None and "fixed:size=800" in one.report.decision.tied
    ]
    if tied:
        where = _listed([f"{len(one.asked.golden)} on {one.name}" for one in tied])
        paragraph(
            console,
            f"more questions: {where} do not prove {chosen.name} better than plain windows; if they "
            "stay level, take the windows, which make fewer chunks",
            bullet="- ",
        )


def _listed(parts: Sequence[str]) -> str:
    """`a, b and c`."""
    *others, last = parts
    return f"{', '.join(others)} and {last}" if others else last
