"""Counts and digests: what the store holds is what was written, no row more, less, or other."""

from __future__ import annotations

from collections.abc import Callable
from pathlib import Path

import pytest

import chunkwise
from chunkwise.errors import ChunkerError
from chunkwise.ship.checking import check_content
from chunkwise.ship.records import Record, Tally
from chunkwise.ship.stores import Store, open_store
from chunkwise.types import Chunk, Document

from .make import write_folder

ROWS = [("a", "one.md", 0, 5), ("b", "one.md", 5, 9), ("c", "two.md", 0, 5)]


def tally(rows: list[tuple[str, str, int, int]]) -> Tally:
    made = Tally()
    made.add(rows)
    return made


def test_the_order_of_rows_does_not_matter_and_everything_else_does() -> None:
    whole = tally(ROWS)
    assert (whole.count, whole.digest) == (3, tally(ROWS[::-1]).digest)
    assert (tally(ROWS[:1]) + tally(ROWS[1:])).digest == whole.digest
    others = [
        ROWS[:2],
        [*ROWS, ROWS[0]],
        [*ROWS[:2], ("d", "two.md", 0, 5)],
        [*ROWS[:2], ("c", "one.md", 0, 5)],
        [*ROWS[:2], ("c", "two.md", 1, 5)],
        [*ROWS[:2], ("c", "two.md", 0, 6)],
        [ROWS[0], ROWS[0], ROWS[2]],
        [],
    ]
    digests = [tally(rows).digest for rows in others]
    assert len({whole.digest, *digests}) == 1 + len(others)


def missing(store: Store, records: list[Record]) -> None:
    store.remove("v000001", [records[0].doc])


def twice(store: Store, records: list[Record]) -> None:
    store.write("v000001", records[:1], None)


def other(store: Store, records: list[Record]) -> None:
    doc = records[0].doc
    store.remove("v000001", [doc])
    store.write("v000001", [r._replace(start=r.start + 1) for r in records if r.doc == doc], None)


@pytest.mark.parametrize(
    ("change", "said"),
    [(missing, "the store holds"), (twice, "the store holds"), (other, "not what was written")],
)
def test_a_table_that_was_changed_is_no_base(
    tmp_path: Path, change: Callable[[Store, list[Record]], None], said: str
) -> None:
    docs = write_folder(tmp_path) / "docs"
    store = open_store(f"lancedb:{tmp_path / 'index'}")
    chunkwise.ship_index(docs, store, chunker="heading:size=400")
    view = store.view("v000001")
    written = Tally()
    written.add(view.places())
    assert check_content(written, view) == ()
    records = sorted(view.get([row[0] for row in view.places()]).values())
    change(store, records)
    (fault,) = check_content(written, store.view("v000001"))
    assert said in fault
    (docs / "lunch.md").write_text("# Lunch\n\nClosed.\n", "utf-8")
    shipped = chunkwise.ship_index(docs, store)
    assert shipped.served
    assert shipped.manifest.work["base"] is None
    assert any("does not hold what its manifest says" in note for note in shipped.notes)


class Doubling(chunkwise.Heading):
    """Gives its first chunk twice."""

    def __call__(self, document: Document, /) -> list[Chunk]:
        """The chunks, and one too many."""
        chunks = super().__call__(document)
        return [chunks[0], *chunks]


def test_two_chunks_with_one_id_are_refused(tmp_path: Path) -> None:
    docs = write_folder(tmp_path) / "docs"
    store = open_store(f"lancedb:{tmp_path / 'index'}")
    with pytest.raises(ChunkerError, match=r"leaving\.md: two chunks have one id"):
        chunkwise.ship_index(docs, store, chunker=Doubling(size=400))
    assert store.served() is None
    assert store.manifests() == []
