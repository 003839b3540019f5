"""Search with receipts: where an answer stands, whether it still stands there, and in which version."""

from __future__ import annotations

import threading
from pathlib import Path
from typing import Any

import numpy as np
import pytest

import chunkwise
from chunkwise.errors import SettingError, StoreError
from chunkwise.index import make_retrievers
from chunkwise.ship.stores import Store, open_store
from chunkwise.types import Span


def ship(folder: Path, store: Store, **settings: Any) -> None:
    assert chunkwise.ship_index(folder / "docs", store, chunker="heading:size=400", **settings).served


def edit(folder: Path, old: str, new: str) -> None:
    path = folder / "docs" / "leaving.md"
    path.write_text(path.read_text("utf-8").replace(old, new, 1), "utf-8")


def test_a_receipt_leads_back_to_the_source(folder: Path, store: Store) -> None:
    ship(folder, store)
    (first, *_) = chunkwise.open_index(store.spec).search("notice period for Grade 7", 3)
    document = chunkwise.read(folder / "docs")["leaving.md"]
    assert (first.rank, first.doc, first.version) == (1, "leaving.md", "v000001")
    assert first.path == ("Leaving", "Notice period for Grade 7")
    assert first.span is not None
    assert first.text == document.text[first.span.start : first.span.end]
    assert first.lines is not None
    assert document.line(first.span.start) == first.lines[0]
    assert first.digest == document.digest
    assert set(first.scores) == {"bm25"}
    assert first.to_dict()["start"] == first.span.start


@pytest.mark.parametrize("retriever", ["dense:model={model}", "hybrid:rrf,dense={model}"])
def test_scores_are_those_of_exact_search(folder: Path, store: Store, model: Path, retriever: str) -> None:
    spec = retriever.format(model=model)
    ship(folder, store, retriever=spec)
    corpus = chunkwise.read(folder / "docs")
    (made,) = make_retrievers(spec)
    indexer = made.indexer()
    chunks = []
    for document in corpus:
        own = chunkwise.Heading(size=400)(document)
        indexer.add(document, own)
        chunks += own
    numbers, scores = indexer.finish().search("notice for grade 7", 4)
    found = chunkwise.open_index(store).search("notice for grade 7", 4)
    if made.spec.startswith("dense"):
        assert [one.id for one in found] == [chunks[i].id for i in numbers.tolist()]
        assert np.allclose([one.score for one in found], scores, atol=2e-6)
    else:
        assert set(found[0].scores) == {"bm25", "dense"}
        assert found[0].id == chunks[int(numbers[0])].id


def test_a_question_without_a_known_word_finds_nothing(folder: Path, store: Store) -> None:
    ship(folder, store)
    index = chunkwise.open_index(store)
    assert index.search("xyzzy") == []
    assert index.search("") == []
    with pytest.raises(SettingError, match="at least 1"):
        index.search("notice", 0)


def test_what_is_verified_is_the_same_moved_or_gone(folder: Path, store: Store) -> None:
    ship(folder, store)
    index = chunkwise.open_index(store)

    def state(question: str) -> Any:
        (found,) = index.search(question, 1, corpus=chunkwise.read(folder / "docs"))
        return found.verified

    assert state("garden leave").state == "same"
    edit(folder, "# Leaving", "An opening.\n\n# Leaving")
    moved = state("garden leave")
    assert (moved.state, moved.doc) == ("moved", "leaving.md")
    assert moved.span.start == chunkwise.read(folder / "docs")["leaving.md"].text.index("## Garden leave")
    edit(folder, "Garden leave uses up", "It uses up")
    assert state("garden leave").state == "gone"
    (folder / "docs" / "lunch.md").rename(folder / "docs" / "canteen.md")
    renamed = state("soup canteen")
    assert (renamed.state, renamed.doc) == ("moved", "canteen.md")
    assert isinstance(renamed.span, Span)


def test_a_text_that_stands_in_another_document_now_has_moved_there(folder: Path, store: Store) -> None:
    """Its own document is still there. Of two others, the one of the same file name is meant."""
    ship(folder, store)
    index, path = chunkwise.open_index(store), folder / "docs" / "leaving.md"
    text = path.read_text("utf-8")
    cut = text.index("## Garden leave")
    path.write_text(text[:cut], "utf-8")
    (folder / "docs" / "aaa.md").write_text(text[cut:], "utf-8")
    (folder / "docs" / "sub").mkdir()
    (folder / "docs" / "sub" / "leaving.md").write_text("Before.\n\n" + text[cut:], "utf-8")
    corpus = chunkwise.read(folder / "docs")
    (found,) = index.search("garden leave", 1, corpus=corpus)
    assert found.verified is not None
    assert (found.verified.state, found.verified.doc) == ("moved", "sub/leaving.md")
    assert corpus["sub/leaving.md"].text[slice(*found.verified.span or ())] == found.text


def test_other_line_ends_move_a_text(folder: Path, store: Store) -> None:
    ship(folder, store)
    path = folder / "docs" / "leaving.md"
    path.write_bytes(path.read_bytes().replace(b"\n", b"\r\n"))
    corpus = chunkwise.read(folder / "docs")
    (found,) = chunkwise.open_index(store).search("garden leave", 1, corpus=corpus)
    assert found.verified is not None
    assert found.verified.state == "moved"
    assert found.verified.lines == found.lines
    place = found.verified.span or Span(0, 0)
    assert corpus["leaving.md"].text[place.start : place.end].replace("\r\n", "\n") == found.text


def test_an_open_index_follows_a_switch(folder: Path, store: Store) -> None:
    ship(folder, store)
    index = chunkwise.open_index(store)
    assert index.search("telephone") == []
    edit(folder, "your car until", "your telephone until")
    ship(folder, store)
    assert index.search("telephone")[0].version == index.version == "v000002"
    assert chunkwise.open_index(store, "v000001").search("telephone") == []


def test_nothing_served_and_a_version_that_is_not_there(folder: Path, store: Store) -> None:
    with pytest.raises(StoreError, match="nothing is served here yet"):
        chunkwise.open_index(store)
    ship(folder, store)
    with pytest.raises(StoreError, match="there is no version v7"):
        chunkwise.open_index(store, "v7")


def test_another_model_is_refused_with_both_digests(
    folder: Path, store: Store, model: Path, tmp_path: Path
) -> None:
    import shutil

    own = shutil.copytree(model, tmp_path / "own")
    ship(folder, store, retriever=f"dense:model={own}")
    data = (own / "model.safetensors").read_bytes()
    (own / "model.safetensors").write_bytes(data[:-1] + bytes([data[-1] ^ 1]))
    with pytest.raises(StoreError, match="vectors of two models cannot be compared"):
        chunkwise.open_index(open_store(store.spec))


def test_many_threads_see_one_version_each_time_while_it_is_switched(folder: Path, store: Store) -> None:
    """20 switches under four readers: no error, and never chunks of two versions."""
    ship(folder, store)
    index = chunkwise.open_index(store)
    faults: list[str] = []
    seen: set[str] = set()
    stop = threading.Event()

    def ask() -> None:
        try:
            while not stop.is_set():
                found = index.search("notice period letter portal car soup", 10)
                versions = {one.version for one in found}
                marks = {word for one in found for word in one.text.split() if word.startswith("edition")}
                seen.update(versions)
                if len(versions) != 1 or len(marks) > 1 or not found:
                    faults.append(f"{versions} {marks} {len(found)}")
        except Exception as error:  # noqa: BLE001 - whatever it is, the test shows it
            faults.append(repr(error))

    threads = [threading.Thread(target=ask) for _ in range(4)]
    for thread in threads:
        thread.start()
    try:
        for number in range(20):
            for name in ("leaving.md", "lunch.md"):
                path = folder / "docs" / name
                text = path.read_text("utf-8").replace(f" edition{number - 1}", "")
                path.write_text(text.replace("\n\n## ", f" edition{number}\n\n## "), "utf-8")
            ship(folder, store, keep=1)
    finally:
        stop.set()
        for thread in threads:
            thread.join()
    assert faults == []
    assert len(seen) > 3
    assert store.served() == "v000021"
