"""Receipts lead to the page or the element, and on demand to the chunk above."""

from __future__ import annotations

import json
from pathlib import Path

import pytest

import chunkwise
from chunkwise.cli import main
from chunkwise.ship.stores import STORES, Store, open_store

from .make import POLICY, write_folder

PAGES = "The first page is about lamps.\n\fThe second page is about rooms.\n"
CELLS = {
    "cells": [
        {"cell_type": "markdown", "metadata": {}, "source": "# Lamps\n\nAll lamps burn oil."},
        {"cell_type": "code", "metadata": {}, "source": "light('lamp')", "outputs": [], "execution_count": 1},
    ],
    "metadata": {},
    "nbformat": 4,
    "nbformat_minor": 5,
}


@pytest.fixture
def folder(tmp_path: Path) -> Path:
    write_folder(tmp_path)
    (tmp_path / "docs" / "pages.txt").write_text(PAGES, "utf-8")
    (tmp_path / "docs" / "cells.ipynb").write_text(json.dumps(CELLS), "utf-8")
    return tmp_path


def test_pages_and_cells_are_told_where_there_are_any(folder: Path, store: Store) -> None:
    chunkwise.ship_index(folder / "docs", store, chunker="page")
    index = chunkwise.open_index(store)
    (rooms,) = index.search("rooms", 1)
    assert (rooms.doc, rooms.page, rooms.element) == ("pages.txt", 2, None)
    (oil,) = index.search("oil", 1)
    document = chunkwise.read(folder / "docs")["cells.ipynb"]
    assert oil.span is not None
    assert oil.element == document.origins(oil.span)[0].element != ""
    (soup,) = index.search("soup", 1)
    assert (soup.page, soup.element) == (None, None)
    assert soup.to_dict()["page"] is None


@pytest.mark.parametrize("kind", [*STORES])
def test_every_store_keeps_pages_and_parents(
    folder: Path, model: Path, kind: str, request: pytest.FixtureRequest
) -> None:
    text = request.getfixturevalue("schema") if kind == "postgresql" else f"{kind}:{folder / 'store'}"
    store = open_store(text)
    chunkwise.ship_index(folder / "docs", store, chunker="section:size=400", retriever=f"dense:model={model}")
    version = store.served()
    assert version is not None
    view = store.view(version)
    held = view.get([row[0] for row in view.places()])
    assert {record.page for record in held.values() if record.doc == "pages.txt"} >= {1}
    garden = next(record for record in held.values() if "Garden leave uses up" in record.text)
    assert held[garden.parent].text.startswith("# Leaving")
    getattr(store, "close", lambda: None)()


def test_the_chunk_above_comes_on_demand(folder: Path, store: Store) -> None:
    chunkwise.ship_index(folder / "docs", store, chunker="section:size=400")
    index = chunkwise.open_index(store)
    (plain,) = index.search("garden leave car", 1)
    assert plain.parent is not None
    assert plain.parent_text is None
    assert "parent_text" not in plain.to_dict()
    (found,) = index.search("garden leave car", 1, parents=True)
    assert found.parent_text is not None
    assert found.parent_text.startswith("# Leaving")
    assert POLICY.startswith(found.parent_text.rstrip())
    top = next(one for one in index.search("letter portal handover", 5, parents=True) if one.parent is None)
    assert top.parent_text is None


def test_a_terminal_shows_it(folder: Path, store: Store, capsys: pytest.CaptureFixture[str]) -> None:
    chunkwise.ship_index(folder / "docs", store, chunker="section:size=400")
    assert main(["search", "garden leave car", "-k", "1", "--parents", "--store", store.spec]) == 0
    said = capsys.readouterr().out
    assert "   below chunk " in said
    assert "   : # Leaving" in said
    assert main(["search", "second rooms", "-k", "1", "--store", store.spec]) == 0
    assert "1. pages.txt:" in (said := capsys.readouterr().out)
    assert ", page " in said.splitlines()[0]
