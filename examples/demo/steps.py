"""Steps 1, 2 and 5: the documents and the hard question, the figures, and what follows from them."""

from __future__ import annotations

from collections.abc import Sequence

from rich.console import Console

from chunkwise.report.names import Names
from chunkwise.report.sentences import in_order
from chunkwise.report.tables import Column, paragraph, percent, points, print_table, title
from chunkwise.types import CandidateReport, Report
from examples.demo.corpora import HARD, Compared

FOUND, FIRST_FIVE = "recall@1000words", "hit@5"


def by_name(compared: Sequence[Compared], name: str) -> Compared:
    """The corpus of a name."""
    return next(one for one in compared if one.name == name)


def documents(console: Console, compared: Sequence[Compared]) -> None:
    """Step 1: what is compared, and one question that needs its heading."""
    paragraph(
        console,
        "The same documents, cut in eight ways; the same questions, searched in each; and what was found.",
        style="bold",
    )
    title(console, "1. THE DOCUMENTS, AND ONE HARD QUESTION")
    for one in compared:
        about, asked = one.report.corpus, one.report.golden
        paragraph(
            console,
            f"{one.name}: {about['documents']:,} documents, {about['characters']:,} characters, "
            f"{asked['questions']:,} questions; {one.about}",
            bullet="- ",
        )
    paragraph(console, "Each question comes with the passage that answers it, as its place in a file.")
    handbook = by_name(compared, "handbook")
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


def figures(console: Console, compared: Sequence[Compared]) -> None:
    """Step 2: what each chunker found, and what it costs."""
    title(console, "2. WHAT EACH CHUNKER FINDS, AND WHAT IT COSTS")
    for one in compared:
        _table(console, one)
    names = Names(compared[0].report.candidates)
    paragraph(
        console,
        "found: share of the answers' text that a reader has after 1,000 words of what the search (BM25) "
        "returns, with its 95 % interval",
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


def _table(console: Console, one: Compared) -> None:
    report = one.report
    rows, names = in_order(report), Names(report.candidates)
    print_table(
        console,
        one.name,
        [names[row.name] for row in rows],
        [
            Column("found %", [percent(row.measures[FOUND].value) for row in rows]),
            Column(
                "95 %\ninterval", [points(row.measures[FOUND].low, row.measures[FOUND].high) for row in rows]
            ),
            Column("", [verdict(report, row) for row in rows], left=True),
            Column(f"{FIRST_FIVE}\n%", [percent(row.measures[FIRST_FIVE].value) for row in rows]),
            Column("chunks", [f"{row.chunks:,}" for row in rows]),
            Column("mean\nsize", [f"{row.sizes['mean']:,.0f}" for row in rows]),
        ],
    )
    console.print()


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
        decided = one.report.decision
        assert decided is not None
        worse = len(decided.ruled_out)
        paragraph(
            console,
            f"{one.name}: {len(decided.tied)} rows are tied, {worse} {'is' if worse == 1 else 'are'} worse; "
            f"the cheapest of the tied is {decided.candidate}",
            bullet="- ",
        )
    paragraph(
        console,
        f"Ship {chosen.name}: of the rows that no corpus rules out it finds the most "
        f"({_everywhere(compared, chosen.name)})."
        if chosen is not None
        else "No row is left on every corpus: ship a chunker for each.",
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


def to_ship(compared: Sequence[Compared]) -> CandidateReport | None:
    """Of the rows that no corpus rules out, the one with the highest mean; the first of equals."""
    decisions = [one.report.decision for one in compared]
    left = [
        row
        for row in compared[0].report.candidates
        if all(decided is not None and row.name in decided.tied for decided in decisions)
    ]
    means = [sum(one.report[row.name].measures[FOUND].value for one in compared) for row in left]
    return left[means.index(max(means))] if left else None


def _everywhere(compared: Sequence[Compared], name: str) -> str:
    return ", ".join(f"{percent(one.report[name].measures[FOUND].value)} % on {one.name}" for one in compared)


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
        *others, last = (f"{one.report.golden['questions']} on {one.name}" for one in tied)
        where = f"{', '.join(others)} and {last}" if others else last
        paragraph(
            console,
            f"more questions: {where} do not prove {chosen.name} better than plain windows; if they "
            "stay level, take the windows, which make fewer chunks",
            bullet="- ",
        )
