"""What five articles claim, and what comes out here: the tables of docs/claims.md.

A row is a claim: what the article says, what was measured here, and a word for the two. The word is found
from the figures, so that it changes with them.
"""

from __future__ import annotations

import importlib.util
from collections.abc import Mapping, Sequence
from pathlib import Path

from scipy.stats import spearmanr

from chunkwise import Report, compare, read
from chunkwise.report.tables import percent, points
from scripts.choices import FOUND, measured, rank_correlations
from scripts.claims_measured import (
    SECTION,
    WINDOW,
    Claim,
    ahead,
    by_size,
    gain,
    on_bm25,
    on_handbook,
    on_minilm,
    path_on_and_off,
    sections_and_windows,
    standing,
    table,
    the_pair,
    tokens_of_1000,
    within,
)

FLAT = ("chat logs", "financial", "abstracts", "a speech", "encyclopedia")
"""How the kinds of documents without headings begin."""
TECHNICAL = ("manuals", "API documentation")
PRICED = {"sections": (94_000, 1.40), "windows": (213_000, 3.10)}
"""Chunks of the article on 15,000 documents, and what it says it paid to embed them."""
PRICE = 0.02
"""Of a million tokens, in that article."""
LIMIT = 512
"""Tokens of its windows."""
AGREES, NOT, OPEN = "agrees", "does not come out", "cannot be told"


def boundaries(data: Path) -> str | None:
    """The article on one specification: cuts, overlap, sizes."""
    if not (data / "chroma-eval").is_dir():
        return None
    reports = measured(data)
    overlaps = [the_pair(one.report, "overlap") for one in reports]
    better = sum(pair.adjusted < 0.05 and pair.gain > 0 for pair in overlaps)
    flat = [standing(one.report, "fixed") for one in reports if one.kind.startswith(FLAT)]
    _, mean, low, high = rank_correlations(data)
    ratios = [
        float(one.report[name].sizes["first"]["ratio"])
        for one in reports
        for name in ("heading", "paragraph", "recursive")
    ]
    shorter = sum(ratio < 1 for ratio in ratios)
    folders = ("rfc9562", "fastapi-docs/docs", "constitution/docs", "chroma-eval/corpora")
    rates = [tokens_of_1000(read(data / folder)) for folder in folders]
    return table(
        Claim(
            "overlap improves nothing where there are places to cut at",
            "no figure",
            f"`fixed:size=800` with an overlap of 100 against none on {len(overlaps)} corpora: "
            f"{within(100 * pair.gain for pair in overlaps)} points; better by more than chance on {better}",
            AGREES if not better else f"not on {better}",
        ),
        Claim(
            "for prose there is no case where windows are the better pick",
            "no figure",
            f"on {len(flat)} flat texts windows are first on {flat.count('first')}, tied on "
            f"{flat.count('tied')}, ruled out on {flat.count('worse')}",
            AGREES if flat.count("worse") == len(flat) else NOT,
        ),
        Claim(
            "the share of cut ideas goes with retrieval quality",
            "no figure",
            f"rank correlation of cut rate and recall, mean of the corpora: {mean:+.2f} "
            f"({low:+.2f} to {high:+.2f})",
            AGREES if high < 0 else NOT,
        ),
        Claim(
            "short chunks punch above their weight in a ranked list",
            "no figure",
            "length of the chunk that stands first against that of all, medians, BM25: "
            f"{min(ratios):.2f} to {max(ratios):.2f}; shorter in {shorter} of {len(ratios)} cases",
            AGREES if shorter > 0.9 * len(ratios) else f"{NOT} with BM25",
        ),
        Claim(
            "1,000 characters hold some 250 English tokens",
            "250",
            f"cl100k on {len(rates)} corpora: {min(rates):.0f} to {max(rates):.0f}",
            AGREES if min(rates) > 200 and max(rates) < 300 else "depends on the text",
        ),
    )


def headings(data: Path) -> str | None:
    """The article on the FastAPI documentation: real questions, the path, sizes."""
    if not (data / "fastapi-docs").is_dir():
        return None
    reports = [one for one in measured(data) if not one.kind.startswith(FLAT)]
    drafted = [one for one in reports if "drafted" in one.kind]
    asked = [one for one in reports if one not in drafted]
    copied, *_ = (ahead(one, "heading", "fixed") for one in drafted)
    own = {one.kind: ahead(one, "heading", "fixed") for one in asked}
    packed = [ahead(one, "paragraph", "fixed") for one in reports]
    paths = [(kind, report, the_pair(report, "path")) for kind, report in path_on_and_off(data)]
    more = [
        100 * pair.extra_characters / report[pair.first].costs["characters_indexed"]
        for _, report, pair in paths
    ]
    gains = ", ".join(f"{kind} {gain(pair)}" for kind, _, pair in paths)
    sizes = {
        kind: {row.spec: row.measures[FOUND].value for row in report.candidates}
        for kind, report in by_size(data)
        if kind in TECHNICAL
    }
    named = "; ".join(f"{kind} {' / '.join(map(percent, found.values()))}" for kind, found in sizes.items())
    spread = max(100 * (max(found.values()) - min(found.values())) for found in sizes.values())
    first = [max(found, key=lambda spec: found[spec]) for found in sizes.values()]
    return table(
        Claim(
            "the gap is smaller with real questions, and goes the same way",
            "no figure",
            f"`heading` is ahead of `fixed` at 800 by {copied:.1f} points on questions copied from headings, "
            "by " + ", ".join(f"{lead:.1f} ({kind})" for kind, lead in own.items()) + " on written ones",
            AGREES if min(own.values()) > 0 and max(own.values()) < copied else NOT,
        ),
        Claim(
            "packing paragraphs alone does not help",
            "hit@1 0.375 against 0.389",
            f"`paragraph` against `fixed`: {within(packed)} points on {len(packed)} corpora with headings",
            AGREES if max(packed) < 5 else NOT,
        ),
        Claim(
            "the heading path costs nothing",
            "0.712 to 0.785 at hit@1",
            f"{min(more):.1f} to {max(more):.1f} % more characters are indexed; gains in points: {gains}",
            "it gains, at a price" if any(pair.adjusted < 0.05 for _, _, pair in paths) else OPEN,
        ),
        Claim(
            "some 500 characters for technical documentation",
            "no figure",
            f"`heading` at 300 / 500 / 800 / 1,200, % found in 1,000 words: {named}",
            AGREES
            if all("=500" in spec for spec in first)
            else f"sizes differ by {spread:.1f} points at most",
        ),
    )


def real_documents(data: Path) -> str | None:
    """The article on manuals and the Constitution, with MiniLM in the place of its model."""
    if importlib.util.find_spec("fastembed") is None or not (data / "constitution").is_dir():
        return None
    (_, report), (_, legal) = on_minilm(data)
    names = ("heading", "paragraph", "fixed")

    def at(measure: str, name: str, size: int, of: Report = report) -> float:
        return 100 * of[f"{name}:size={size}"].measures[measure].value

    first = {
        kind: [at("hit@1", name, 600, of) for name in names]
        for kind, of in (("manuals", report), ("constitution", legal))
    }
    by_three = {name: [at("hit@3", name, size) for size in (300, 600, 1200)] for name in names}
    by_words = {name: [at(FOUND, name, size) for size in (300, 600, 1200)] for name in names}
    with_, without = (report[f"heading:size=600{path}"].tags["names"] for path in ("", ",path=no"))
    moved = {
        value: 100 * (with_[value]["measures"]["hit@3"]["value"] - own["measures"]["hit@3"]["value"])
        for value, own in without.items()
    }
    ceilings = [percent(report[f"{name}:size=300"].measures["ceiling"].value) for name in names]
    lexical = on_bm25()
    same = float(
        spearmanr(
            *([one[row.name].measures[FOUND].value for row in report.candidates] for one in (lexical, report))
        ).statistic
    )
    first_sizes = [float(row.sizes["first"]["ratio"]) for row in report.candidates]
    detectable = legal.limits["detectable"]
    return table(
        Claim(
            "heading chunks lead at recall@1 on both sets",
            "84.4 / 78.1 / 65.6 on the Constitution",
            f"`{'` / `'.join(names)}` at 600: "
            + "; ".join(f"{kind} {' / '.join(f'{v:.1f}' for v in values)}" for kind, values in first.items()),
            AGREES
            if all(max(values) == values[0] > values[1] for values in first.values())
            else f"on {sum(values[0] > max(values[1:]) for values in first.values())} of 2",
        ),
        Claim(
            "the path matters where the sentence says `the unit`",
            "some 25 points at recall@3",
            "hit@3 with the path against without, by what the sentence names: "
            + ", ".join(f"{value} {by:+.1f}" for value, by in moved.items()),
            AGREES if moved["unit"] > 15 and moved["unit"] > moved["model"] else NOT,
        ),
        Claim(
            "for heading chunks the size hardly matters on the manuals",
            "recall@3 at three sizes",
            f"hit@3 at 300 / 600 / 1,200: {_listed(by_three['heading'])}",
            AGREES if max(by_three["heading"]) - min(by_three["heading"]) < 10 else NOT,
        ),
        Claim(
            "larger windows and paragraphs score higher, and are paid for",
            "recall@3 at three sizes",
            f"hit@3: windows {_listed(by_three['fixed'])}, paragraphs {_listed(by_three['paragraph'])}; "
            f"in 1,000 words {_listed(by_words['fixed'])} and {_listed(by_words['paragraph'])}",
            AGREES if all(by_three[n][0] < by_three[n][-1] for n in names[1:]) else NOT,
        ),
        Claim(
            "on 32 questions gaps under 5 points are noise",
            "5 points",
            "less than any that could be shown"
            if detectable is None
            else f"what they could have shown begins at {percent(detectable)} points",
            AGREES if detectable is None or detectable > 0.05 else NOT,
        ),
        Claim(
            "short windows cut answers that no search can find",
            "ceiling 93.5 % at 300",
            f"ceilings at 300: {' / '.join(ceilings)}",
            AGREES if ceilings[-1] == min(ceilings, key=float) else NOT,
        ),
        Claim(
            "a dense model ranks the chunkers as BM25 does (expected in the article on FastAPI)",
            "not measured there",
            f"rank correlation of {len(report.candidates)} rows on the manuals: {same:+.2f}",
            AGREES if same > 0.7 else NOT,
        ),
        Claim(
            "short chunks punch above their weight (said in the article on RFC 9562)",
            "no figure",
            "the chunk that stands first against all, median lengths: "
            f"{min(first_sizes):.2f} to {max(first_sizes):.2f}",
            AGREES if max(first_sizes) < 1 else NOT,
        ),
    )


def fifteen_thousand(data: Path) -> str | None:
    """The article on 15,000 documents, whose corpus is not published: by kind of question, and the bill."""
    if not (data / "fastapi-docs").is_dir():
        return None
    reports = dict(sections_and_windows(data))
    bill = reports.pop("API documentation")  # drafted questions: their rule knows only sections
    chunks, tokens = (
        bill[WINDOW].chunks / bill[SECTION].chunks,
        bill[WINDOW].costs["embedded"] / bill[SECTION].costs["embedded"],
    )
    each = {name: paid / PRICE * 1e6 / count for name, (count, paid) in PRICED.items()}
    (legal,) = reports["constitution"].comparisons
    chats = next(one.report for one in measured(data) if "chat" in one.kind)
    sent = [
        f"{report[row].costs['sent']['@5']:,.0f}" for report in reports.values() for row in (SECTION, WINDOW)
    ]
    return table(
        of_kind("sections find more of all questions", "0.81 against 0.73", reports, None),
        of_kind(
            "and less of short facts", "0.71 against 0.79", reports, "factual × short", sections_first=False
        ),
        of_kind("and more of procedures", "0.85 against 0.68", reports, "procedural"),
        Claim(
            "five of each are compared",
            "windows of 512 tokens, sections of 300 to 800",
            f"tokens in five sections / windows: {_in_pairs(reports, sent)}",
            "[not the same text](equal-context.md)",
        ),
        Claim(
            "2.3 times the chunks is 2.3 times the cost of embedding",
            "94,000 and 213,000 chunks, $1.40 and $3.10",
            f"on the API documentation {chunks:.2f} times the chunks are {tokens:.2f} times the tokens; the "
            f"article's own bill would be {each['windows']:,.0f} tokens for each window of at most {LIMIT}",
            NOT if abs(tokens / chunks - 1) > 0.1 and each["windows"] > LIMIT else AGREES,
        ),
        Claim(
            "legal prose: sections lose more",
            "not measured there",
            f"the Constitution, in 1,000 tokens: `{legal.best.partition(':')[0]}` is "
            f"{percent(legal.difference)} points ahead ({points(legal.low, legal.high)})",
            OPEN if legal.low <= 0 else AGREES if legal.best == WINDOW else NOT,
        ),
        Claim(
            "conversations without headings: sections bring nothing",
            "not measured there",
            f"chat logs: `section` is {standing(chats, 'section')}",
            AGREES if standing(chats, "section") != "first" else NOT,
        ),
    )


def notice_period(data: Path) -> str:
    """The article with the notice period: three chunkers on policies with tables."""
    del data
    fixed, larger, recursive, heading = (
        "fixed:size=512,unit=cl100k",
        "fixed:size=1024,unit=cl100k",
        "recursive:size=400,unit=cl100k",
        "heading:size=400,unit=cl100k",
    )
    report = compare(
        *on_handbook(), [fixed, larger, recursive, heading], k=(5,), unit="cl100k", resamples=200, exhibits=0
    )
    hits = {row.name: 100 * row.measures["hit@5"].value for row in report.candidates}
    read_ = {row.name: 100 * row.measures["recall@1000cl100k"].value for row in report.candidates}
    sent = {row.name: row.costs["sent"]["@5"] for row in report.candidates}
    parted = {row.name: row.boundaries["headings_parted"]["count"] for row in report.candidates}
    rows = {row.name: row.boundaries["starts"]["row"] for row in report.candidates}
    failed = {
        kind: [100 * (1 - row.measures["hit@20"].value) for row in made.candidates]
        for kind, made in path_on_and_off(None)
    }
    fewer = ", ".join(f"{kind} {without:.1f} to {with_:.1f} %" for kind, (without, with_) in failed.items())
    return table(
        Claim(
            "larger windows find more and cost more to read",
            "1,024 tokens against 512, no figure",
            f"in five chunks {hits[fixed]:.1f} to {hits[larger]:.1f} %, in {sent[fixed]:,.0f} to "
            f"{sent[larger]:,.0f} tokens",
            AGREES if hits[larger] > hits[fixed] and sent[larger] > 1.5 * sent[fixed] else NOT,
        ),
        Claim(
            "sections find it as often with less than half of the text",
            "against 1,024 tokens, no figure",
            f"`{heading}`: {hits[heading]:.1f} % in {sent[heading]:,.0f} tokens; in 1,000 tokens "
            f"{read_[heading]:.1f} % against {read_[larger]:.1f} %",
            "not in as many chunks; in as much text it finds more"
            if hits[heading] < hits[larger] and read_[heading] > read_[larger]
            else AGREES,
        ),
        Claim(
            "windows and recursive splitting know nothing of headings and tables",
            "no figure",
            f"headings parted from their text by windows, `recursive` and `heading`: {parted[fixed]}, "
            f"{parted[recursive]} and {parted[heading]}; rows cut: {rows[fixed]}, {rows[recursive]} and "
            f"{rows[heading]}",
            AGREES if min(parted[fixed], parted[recursive]) > parted[heading] == 0 else NOT,
        ),
        Claim(
            "the heading path is a cheap version of a context that a model writes",
            "the model's context: 49 % fewer failures in the first 20",
            f"questions not answered by the first 20 chunks, without and with the path: {fewer}",
            AGREES if all(with_ < without for without, with_ in failed.values()) else "not everywhere",
        ),
    )


def _listed(values: Sequence[float]) -> str:
    return " / ".join(f"{value:.1f}" for value in values)


def of_kind(
    claim: str, article: str, reports: Mapping[str, Report], tag: str | None, *, sections_first: bool = True
) -> Claim:
    """Sections against windows on questions of one kind: in five chunks, and in 1,000 tokens."""
    said, counts = [], [0, 0]
    for kind, report in reports.items():
        found = [_of_tag(report, row, tag) for row in (SECTION, WINDOW)]
        values = [[one[measure] for one in found] for measure in ("hit@5", "recall@1000cl100k")]
        for i, (section, window) in enumerate(values):
            counts[i] += section > window if sections_first else section < window
        pairs = [" / ".join(map(percent, pair)) for pair in values]
        said.append(f"{kind} {pairs[0]}, in 1,000 tokens {pairs[1]}")
    of = len(reports)
    return Claim(
        claim,
        article,
        f"sections / windows, % in five chunks: {'; '.join(said)}",
        AGREES
        if counts == [of, of]
        else f"on {counts[0]} of {of} in five chunks, on {counts[1]} in 1,000 tokens",
    )


def _of_tag(report: Report, row: str, tag: str | None) -> dict[str, float]:
    """Means of a row on all questions, or on those with a value of a tag."""
    if tag is None:
        return {name: score.value for name, score in report[row].measures.items()}
    by = next(values for values in report[row].tags.values() if tag in values)
    return {name: score["value"] for name, score in by[tag]["measures"].items()}


def _in_pairs(reports: Mapping[str, Report], values: Sequence[str]) -> str:
    """Two values for each corpus, with its name."""
    return ", ".join(f"{kind} {values[2 * i]} / {values[2 * i + 1]}" for i, kind in enumerate(reports))
