"""The report on a terminal: what stands where, for whom, and that it fits."""

from __future__ import annotations

import io
import re
from dataclasses import replace

import pytest
from rich.console import Console

from chunkwise.report.terminal import render
from chunkwise.types import Comparison, Decision, Report

from .make import MEASURES, report, row

PRIMARY = "recall@1000words"
LONG = "py:somebody.elses.package.with.a.long.path.cut,chunk_size=800,separators=no"


def shown(made: Report, width: int = 80, detail: int = 0) -> str:
    console = Console(file=io.StringIO(), width=width, markup=False, highlight=False, emoji=False)
    render(made, console, detail=detail)
    assert isinstance(console.file, io.StringIO)
    return console.file.getvalue()


def part(text: str, head: str) -> list[str]:
    """The lines below a heading, up to the next blank line."""
    lines = text.splitlines()
    start = next(i for i, line in enumerate(lines) if line.startswith(head)) + 1
    end = next((i for i in range(start, len(lines)) if not lines[i].strip()), len(lines))
    return lines[start:end]


def line(lines: list[str], name: str) -> str:
    """The cells of a row, one blank between them."""
    return " ".join(next(line for line in lines if line.split()[:1] == [name]).split()[1:])


@pytest.fixture
def tie() -> Report:
    best, near, few, far = "heading:size=800", "fixed:size=800", "fixed:size=800,overlap=9", "document"
    return report(
        [row(near, 0.75), row(few, 0.71), row(best, 0.81), row("document", 0.123)],
        comparisons=(
            Comparison(PRIMARY, best, near, 0.06, -0.012, 0.13, 9),
            Comparison(PRIMARY, best, few, 0.10, 0.02, 0.2, 4),
            Comparison(PRIMARY, best, far, 0.687, 0.6, 0.7, 30),
        ),
        decision=Decision(
            "tie",
            near,
            (near, few, best),
            (far,),
            (
                "on this corpus fixed:size=800 found 75 % of the answers",
                "3 of 4 rows cannot be told apart by 245 questions",
                f"{best} is 6 points ahead of {near} on {PRIMARY}, which may be chance",
                f"{near} is the cheapest of them: it has the fewest chunks",
            ),
            not_shown=("What 245 questions of 40 families can miss: less than 9 points.",),
            hides=("fixed:size=800 is weakest on kind = how",),
        ),
        warnings=("a caution", "another one"),
    )


def test_the_sentence_comes_first_then_what_may_be_missed_then_the_table(tie: Report) -> None:
    text = shown(tie)
    assert text.startswith("on this corpus fixed:size=800 found 75 % of the answers\n")
    limits = text.index("What 245 questions of 40 families can miss")
    assert limits < text.index("FOUND: ") < text.index("WHAT FOLLOWS") < text.index("2 WARNINGS")


def test_a_row_has_its_figure_its_interval_and_its_difference(tie: Report) -> None:
    found = part(shown(tie), "FOUND")
    assert line(found, "heading:size=800") == "81.0 76.0 to 85.0 - - tied"
    assert line(found, "fixed:size=800") == "75.0 70.0 to 79.0 6.0 -1.2 to 13.0 cheapest"
    assert line(found, "document") == "12.3 7.3 to 16.3 68.7 60.0 to 70.0 worse"
    # Highest first, and no row is called best.
    names = [row.split()[0] for row in found[2:7] if row[0] != " "]
    assert names == ["heading:size=800", "fixed:size=800", "fixed:size=800,", "overlap=9", "document"]
    assert "best" not in " ".join(found[2:6])


def test_a_tie_for_want_of_differing_questions_is_marked(tie: Report) -> None:
    found = part(shown(tie), "FOUND")
    assert line(found, "overlap=9").endswith(" tied *")
    assert any(text.strip().startswith("*: ") for text in found)
    alone = shown(report([row("a", 0.5)]))
    assert "*: " not in alone


def test_a_winner_is_called_best() -> None:
    made = report(
        [row("a", 0.5), row("b", 0.9)],
        comparisons=(Comparison(PRIMARY, "b", "a", 0.4, 0.3, 0.5, 20),),
        decision=Decision("winner", "b", ("b",), ("a",), ("b found most",)),
    )
    found = part(shown(made), "FOUND")
    assert (line(found, "b").split()[-1], line(found, "a").split()[-1]) == ("best", "worse")
    assert "use b: it is better than every other row" in shown(made)


def test_costs_and_damage_stand_in_the_row(tie: Report) -> None:
    assert line(part(shown(tie), "THE CHUNKS"), "document") == "12,345 654 25.0 5.0 8,077,580 15.4"


def test_reasons_that_the_table_holds_are_left_to_those_who_ask(tie: Report) -> None:
    plain, verbose, quiet = shown(tie), shown(tie, detail=1), shown(tie, detail=-1)
    said = " ".join(plain.split("- use ")[1].split("\n- ")[0].split())
    assert said == (
        "fixed:size=800, the cheapest of 3 tied rows, or heading:size=800 for the highest mean, 6.0 points "
        "more; no row is shown to be the best"
    )
    assert "3 of 4 rows cannot be told apart" not in plain
    assert "3 of 4 rows cannot be told apart" in verbose
    assert "ahead of" not in plain
    assert "ahead of" in verbose
    assert "3 of 4 rows" not in quiet
    assert "2 WARNINGS (read all with -v), the first: a caution" in plain
    assert "another one" not in plain
    assert part(verbose, "2 WARNINGS") == ["- a caution", "- another one"]
    assert "a caution" not in quiet
    assert "2 WARNINGS (read them with -v)" in quiet


def test_a_row_over_several_starts_has_its_range() -> None:
    starts = {"offsets": [0, 200, 400], "measures": {PRIMARY: {"low": 0.704, "high": 0.751}}}
    text = shown(report([row("fixed:size=600,offsets=3", 0.73, starts=starts), row("document", 0.5)]))
    line_ = " ".join(" ".join(part(text, "FOUND")).split())
    assert (
        "fixed:size=600,offsets=3: the mean over 3 starts of its windows; they found 70.4 to 75.1 %" in line_
    )
    assert "document: the mean" not in line_


def test_what_follows_goes_from_what_is_ruled_out_to_what_the_mean_hides(tie: Report) -> None:
    assert tie.decision is not None
    made = replace(tie, decision=replace(tie.decision, settles=("about 900 questions",)))
    lines = part(shown(made), "WHAT FOLLOWS")
    heads = [line[2:].split(":")[0] for line in lines if line.startswith("- ")]
    assert heads == [
        "ruled out, worse by more than chance",
        "use fixed",
        "fixed",
        "what would settle it",
        "fixed",
    ]
    assert lines[-1] == "- fixed:size=800 is weakest on kind = how"


def test_every_column_is_explained(tie: Report) -> None:
    text = shown(tie)
    for word in (
        "found",
        "behind",
        "hit@1",
        "mrr@5",
        "ceiling",
        "rule contained",
        "overlap",
        "cross sections",
    ):
        assert re.search(rf"^  {re.escape(word)}: ", text, re.MULTILINE), word


def test_sizes_in_other_units_stand_side_by_side() -> None:
    plain = row("heading", 0.5)
    others = [
        {"unit": "cl100k", "median": 160.0, "mean": 150.4, "p95": 190, "max": 201, "limit": 200, "over": 1},
        {"unit": "minilm", "median": 170.0, "mean": 161.0, "p95": 260, "max": 300, "limit": 256, "over": 7},
    ]
    lines = part(shown(report([replace(plain, sizes={**plain.sizes, "others": others})]), detail=1), "SIZES")
    assert [" ".join(found.split()[1:]) for found in lines if found.startswith("heading")] == [
        "chars 5 702.5 654.3 790 800 - 1",
        "cl100k - 160 150.4 190 201 200 1",
        "minilm - 170 161 260 300 256 7",
    ]


def test_what_is_parted_is_told_where_there_is_any_of_it() -> None:
    plain = row("heading", 0.5)
    parts = {"rows_without_header": {"count": 2, "of": 9, "share": 0.2222}, "code_cut": {"count": 0, "of": 0}}
    text = shown(report([replace(plain, boundaries={**plain.boundaries, **parts})]), detail=1)
    found = part(text, "PARTED")
    assert line(found, "heading") == "3 of 40 617 of 12,345 2 of 9"
    assert "begin in no chunk that holds the header" in " ".join(" ".join(found).split())
    assert "code blocks" not in " ".join(found)


def test_everything_measured_is_printed_when_asked_for(tie: Report) -> None:
    text = shown(tie, detail=1)
    for measure in MEASURES:
        assert measure in text
    assert line(part(text, "WHERE CHUNKS BEGIN"), "document") == "8 25.0 50.0 0.0 12.5"
    assert line(part(text, "SIZES"), "document") == "chars 5 702.5 654.3 790 800 - 1"
    assert line(part(text, "PARTED"), "document") == "3 of 40 617 of 12,345"
    assert line(part(text, "HANDED TO THE READER"), "document") == "99 512 996"
    assert "UNDER EACH HIT RULE" in text
    assert "read 1.25" in text


def test_questions_from_headings_are_shown_without_them_and_under_each_rule() -> None:
    def scored(value: float) -> dict[str, dict[str, float]]:
        return {name: {"value": value, "low": 0.0, "high": 1.0} for name in MEASURES}

    headings = {"questions": 245, "with": scored(0.6), "without": scored(0.2)}
    text = shown(
        report([row("a", 0.6, headings=headings), row("b", 0.5, headings=headings)], origin={"heading": 245})
    )
    assert line(part(text, "WITHOUT THE HEADING LINES"), "a") == "60.0 20.0 60.0 20.0"
    assert line(part(text, "UNDER EACH HIT RULE"), "a") == "60.0 60.0 60.0 60.0"


def test_tags_have_the_number_of_questions_beside_every_figure() -> None:
    def value(number: int, share: float) -> dict[str, object]:
        return {"questions": number, "measures": {PRIMARY: {"value": share, "low": 0.1, "high": 0.9}}}

    tags = {"kind": {"how": value(180, 0.5), "when": value(65, 0.25)}}
    made = report([row("a", 0.6, tags=tags)])
    assert line(part(shown(made), "BY kind"), "a") == "50.0 (180) 25.0 (65)"
    assert "10.0 to 90.0 (180)" in shown(made, detail=1)


@pytest.mark.parametrize("detail", [-1, 0, 1])
@pytest.mark.parametrize("width", [80, 120])
def test_it_fits_and_no_number_is_cut(width: int, detail: int) -> None:
    long = row(LONG, 1.0, retriever="bm25:k1=1.2,b=0.5")
    rows = [
        long,
        row("heading:size=400,unit=cl100k,levels=1+2+3", 0.00004),
        row("fixed", 0.5, "a name of my own"),
    ]
    text = shown(report(rows, warnings=("word " * 40,)), width, detail)
    assert max(map(len, text.splitlines())) <= width
    assert "…" not in text.replace("2, … 0", "")
    # Long names are folded, not shortened.
    assert LONG in "".join(text.split()) or detail < 1
    assert "8,077,580" in text or detail < 0


def test_a_narrow_terminal_gets_whole_lines() -> None:
    text = shown(report([row("heading:size=800", 0.5), row(LONG, 0.4)]), width=40)
    assert line(part(text, "THE CHUNKS"), "heading:size=800").startswith("12,345 654 25.0")


def test_markup_in_names_is_text(tie: Report) -> None:
    text = shown(report([row("fixed", 0.5, "[bold]mine[/bold] :smile:")]))
    assert "[bold]mine[/bold] :smile:" in text
    assert "\x1b" not in shown(tie)


def test_rows_of_several_units_name_theirs() -> None:
    tokens = row("fixed:unit=cl100k", 0.5)
    tokens = row("fixed:unit=cl100k", 0.5, sizes={**tokens.sizes, "unit": "cl100k"})
    chunks = part(shown(report([row("document", 0.5), tokens])), "THE CHUNKS")
    assert line(chunks, "fixed:unit=cl100k").startswith("12,345 654 cl100k ")


def test_nothing_decided_says_why() -> None:
    decision = Decision("undecided", None, (), (), ("no row found anything", "no row has any chunks"))
    text = shown(report([row("a", 0.0)], decision=decision), detail=-1)
    assert text.startswith("no row found anything")
    assert "no row has any chunks" in text


def test_what_is_found_in_a_chunk_depends_on_the_hit_rule(tie: Report) -> None:
    whole = " ".join(shown(tie).split())
    assert "hit@1: share of questions whose whole answer is in the first chunk" in whole
    assert "ceiling: share of questions whose answer lies whole in some chunk" in whole
    # A chunk that is a hit by another rule need not hold the whole answer.
    half = " ".join(shown(replace(tie, settings={**tie.settings, "rule": "majority"})).split())
    assert "whole answer is in" not in half
    assert "lies whole" not in half
    assert "hit@1: share of questions whose answer is found in the first chunk, by the hit rule" in half
    assert "some chunk is a hit by the hit rule: no search can find more" in half
