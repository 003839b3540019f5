"""The figures of docs/equal-context.md: what is first at equal k, and what is left of it at equal context."""

from __future__ import annotations

from collections.abc import Mapping, Sequence
from pathlib import Path
from typing import Any

from chunkwise import Corpus, GoldenSet, Report, compare, load_golden, read
from chunkwise.report.tables import percent, points
from scripts.choices import on_manuals
from scripts.stored import OUT, stored

ROOT = Path(__file__).parents[1]
FILE = OUT / "chroma-minilm.json"
"""Where the long run leaves its figures: see `MEASURED`."""
MEASURED = (
    "python -m benchmarks.published chroma-minilm --data ../shared/corpora/chroma-eval "
    "--json benchmarks/out/chroma-minilm.json"
)
SIZES = (300, 600, 1200, 2400)
K = 5
BUDGETS = (500, 1000)
AT_K, AT_BUDGET = f"text-recall@{K}", f"recall@{BUDGETS[0]}words"
"""The same share of the answers' text, read in so many chunks and in so many words."""
TOKENS = "recall_at_800_tokens_true_places"


def manuals(data: Path) -> str:
    """Eight rows on the synthetic manuals with BM25: by five chunks, and by budgets of words."""
    del data
    report = _compared(*on_manuals(), _sweep("fixed", "paragraph"))
    titles = [f"in {K} chunks %", *(f"in {budget:,} words %" for budget in BUDGETS)]
    measures = [AT_K, *(f"recall@{budget}words" for budget in BUDGETS)]
    ranks = [_ranks(report, measure) for measure in measures]
    lines = [
        f"| row | words in {K} chunks | hit@{K} % | {' | rank | '.join(titles)} | rank |",
        f"|---|---:|---:|{'---:|---:|' * len(titles)}",
    ]
    for row in report.candidates:
        cells = [f"{row.costs['sent'][f'@{K}']:,.0f}", percent(row.measures[f"hit@{K}"].value)]
        for measure, rank in zip(measures, ranks, strict=True):
            score = row.measures[measure]
            cells += [f"{percent(score.value)} ({points(score.low, score.high)})", str(rank[row.name])]
        lines.append(f"| `{row.name}` | {' | '.join(cells)} |")
    return "\n".join([*lines, ""])


def corpora(data: Path) -> str | None:
    """A row a corpus: which chunker is first in five chunks, and how far behind it is in 500 words."""
    if not (data / "chroma-eval").is_dir():
        return None
    titles = [
        "documents",
        "questions",
        f"first in {K} chunks",
        "words in them",
        f"first in {BUDGETS[0]} words",
        f"words in its {K} chunks",
        f"the first in {K} chunks is behind it by",
    ]
    lines = [f"| {' | '.join(titles)} |", "|---|---:|---|---:|---|---:|---|"]
    legal, texts = read(data / "constitution" / "docs"), read(data / "chroma-eval" / "corpora")
    every: Sequence[tuple[str, Corpus, GoldenSet | None, Sequence[str]]] = (
        ("near-duplicate manuals", *on_manuals(), ("fixed", "paragraph", "heading")),
        (
            "a constitution",
            legal,
            load_golden(data / "constitution" / "golden.jsonl", legal),
            ("fixed", "paragraph", "heading"),
        ),
        (
            "API documentation, drafted questions",
            read(data / "fastapi-docs" / "docs"),
            None,
            ("fixed", "paragraph", "heading"),
        ),
        (
            "Chroma's five texts",
            texts,
            load_golden(data / "chroma-eval" / "questions_df.csv", texts),
            ("fixed", "recursive", "sentence"),
        ),
    )
    for kind, corpus, golden, chunkers in every:
        report = _compared(corpus, golden, _sweep(*chunkers))
        at_k = min(report.candidates, key=lambda row: -row.measures[AT_K].value)
        best = report.comparisons[0].best
        against = {c.other: c for c in report.comparisons}
        if at_k.name == best:
            behind = "nothing: it is first there too"
        else:
            c = against[at_k.name]
            out = report.decision is not None and at_k.name in report.decision.ruled_out
            said = "more than chance" if out else "may be chance"
            behind = f"{percent(c.difference)} points ({points(c.low, c.high)}), {said}"
        sent = [f"{row.costs['sent'][f'@{K}']:,.0f}" for row in (at_k, report[best])]
        lines.append(
            f"| {kind} | {report.golden['questions']} | `{at_k.name}` | {sent[0]} | `{best}` | {sent[1]} | "
            f"{behind} |"
        )
    return "\n".join([*lines, ""])


def chroma(data: Path) -> str | None:
    """The six rows of Chroma's report, as the last long run left them; None where there was none."""
    del data
    plain = stored(FILE)
    if plain is None:
        return None
    rows: Mapping[str, Mapping[str, Mapping[str, Any]]] = plain["rows"]
    named = {name: row for name, row in rows.items() if row["recall"]["published"] is not None}
    titles = [
        "row",
        "chunks",
        "published, in 5 chunks %",
        "here, in 5 chunks %",
        "rank",
        "tokens in them",
        "in 800 tokens %",
        "rank",
        "tokens indexed",
    ]
    lines = [f"| {' | '.join(titles)} |", f"|---|{'---:|' * (len(titles) - 1)}"]

    def ours(name: str, measure: str) -> float:
        return float(rows[name][measure]["ours"])

    ranks = {
        measure: {name: 1 + i for i, name in enumerate(sorted(rows, key=lambda n: -ours(n, measure)))}
        for measure in ("recall", TOKENS)
    }
    for name, row in rows.items():
        published = row["recall"]["published"]
        title = name.replace("_", " ") if name in named else f"`{name.removeprefix('chunkwise ')}`"
        lines.append(
            f"| {title} | {row['chunks']['ours']:,} | {'' if published is None else published} | "
            f"{ours(name, 'recall'):.2f} | {ranks['recall'][name]} | {ours(name, 'tokens_at_5'):,.0f} | "
            f"{ours(name, TOKENS):.2f} | {ranks[TOKENS][name]} | {row['tokens_indexed']['ours']:,} |"
        )
    lines += ["", f"Measured with {plain['corpus']['versions']}; {_bands(plain['reference'])}"]
    return "\n".join([*lines, ""])


def _bands(reference: Mapping[str, Any]) -> str:
    """How many figures lie within what is expected of them, and which do not."""
    different = reference["different"]
    equal = reference["figures"] - len(different)
    said = f"{equal} of {reference['figures']} figures lie within their bands."
    for place, both in different.items():
        _, name, measure = place.split("/")
        wanted = both["reference"]
        wanted = f"{wanted[0]} to {wanted[1]}" if isinstance(wanted, list) else wanted
        said += (
            f" Outside: {measure.replace('_', ' ')} of {name.replace('_', ' ')}, {both['ours']} where "
            f"{wanted} is expected."
        )
    return said


def _compared(corpus: Corpus, golden: GoldenSet | None, candidates: Sequence[str]) -> Report:
    return compare(
        corpus,
        golden,
        candidates,
        k=(K,),
        budgets=BUDGETS,
        primary=AT_BUDGET,
        measures=[AT_K],
        exhibits=0,
    )


def _sweep(*names: str) -> list[str]:
    return [f"{name}:size={size}" for name in names for size in SIZES]


def _ranks(report: Report, measure: str) -> dict[str, int]:
    """Of each row how many have a higher mean, and one more."""
    values = {row.name: row.measures[measure].value for row in report.candidates}
    return {name: 1 + sum(other > own for other in values.values()) for name, own in values.items()}
