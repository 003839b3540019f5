"""Names of rows in tables: what all share is left out, once it is safe."""

from __future__ import annotations

from chunkwise.report.names import Names, folded

from .make import row


def short(*rows: object) -> tuple[list[str], tuple[str, ...]]:
    names = Names(rows)  # type: ignore[arg-type]
    return [names[one.name] for one in rows], names.shared  # type: ignore[attr-defined]


def test_what_every_row_shares_is_left_out() -> None:
    found, shared = short(
        row("fixed:size=800", 0), row("fixed:size=800,overlap=9", 0), row("heading:size=800", 0)
    )
    assert (found, shared) == (["fixed", "fixed:overlap=9", "heading"], ("size=800",))


def test_a_row_without_the_setting_keeps_it_for_all() -> None:
    found, shared = short(row("fixed:size=800", 0), row("document", 0))
    assert (found, shared) == (["fixed:size=800", "document"], ())


def test_labels_stay_and_do_not_hinder() -> None:
    mine = row("fixed:size=517", 0, "size-matched")
    found, shared = short(row("fixed:size=800", 0), row("heading:size=800", 0), mine)
    assert (found, shared) == (["fixed", "heading", "size-matched"], ("size=800",))
    assert Names([mine]).labelled == {"size-matched": "fixed:size=517"}


def test_one_row_keeps_its_name() -> None:
    assert short(row("fixed:size=800", 0)) == (["fixed:size=800"], ())


def test_rows_that_differ_in_the_retriever_keep_it() -> None:
    rows = [row("fixed:size=800", 0, f"fixed:size=800 @ {name}", name) for name in ("bm25", "bm25:k1=1.2")]
    assert short(*rows) == (["fixed @ bm25", "fixed @ bm25:k1=1.2"], ("size=800",))


def test_names_that_would_be_alike_stay_whole() -> None:
    rows = [row("fixed:size=800", 0), row("fixed:size=800", 0, "fixed")]
    found, shared = short(*rows)
    assert (found, shared) == (["fixed:size=800", "fixed"], ())


def test_long_names_are_folded_behind_marks() -> None:
    assert folded("heading:size=800,path=no", 17) == "heading:size=800,\npath=no"
    assert folded("short", 17) == "short"
    assert folded("x" * 12, 5) == "xxxxx\nxxxxx\nxx"
    assert folded("a" * 30 + ":b", 10).replace("\n", "") == "a" * 30 + ":b"
