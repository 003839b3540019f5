"""One ship at a time: who waits, who is refused, and what becomes of one that lost its lock."""

from __future__ import annotations

import os
import threading
from contextlib import nullcontext
from pathlib import Path
from typing import Any

import pytest

import chunkwise
from chunkwise.errors import StoreError
from chunkwise.ship.shipping import Shipped
from chunkwise.ship.stores import Store, open_store

from .test_shipping import Broken, cut, edit, held, ship


def test_two_ships_at_once(folder: Path, store: Store) -> None:
    other = open_store(store.spec)
    with store.lock(0), pytest.raises(StoreError, match="another ship is at work"):
        ship(folder, other)
    held_long, go = threading.Event(), threading.Event()

    def hold() -> None:
        with store.lock(0):
            held_long.set()
            go.wait(60)

    thread = threading.Thread(target=hold)
    thread.start()
    assert held_long.wait(60)
    threading.Timer(0.2, go.set).start()
    assert ship(folder, other, wait=60).served
    thread.join()


def test_a_lock_that_cannot_be_taken_is_an_error_of_the_store(folder: Path, store: Store) -> None:
    (folder / "index" / "chunkwise" / "lock").mkdir(parents=True)
    with pytest.raises(StoreError, match=r"locking failed.*; see that its files can be written to"):
        ship(folder, store)


@pytest.mark.skipif(not hasattr(os, "geteuid") or os.geteuid() == 0, reason="root may write everywhere")
@pytest.mark.parametrize("name", ["index", "index/chunkwise"])
def test_a_folder_that_lost_its_rights_is_told_before_any_work(folder: Path, store: Store, name: str) -> None:
    ship(folder, store)
    edit(folder, "lunch.md", "noon", "one")
    (folder / name).chmod(0o555)
    stages: list[str] = []
    try:
        with pytest.raises(StoreError, match=f"{name} cannot be written to"):
            ship(folder, store, progress=lambda stage, *_: stages.append(stage))
        assert stages == ["read"]
        assert chunkwise.open_index(store).search("soup", 1)[0].version == "v000001"
    finally:
        (folder / name).chmod(0o755)


class Unlocked(Broken):
    """A store whose lock keeps nobody out, as that of a server whose connection broke."""

    def lock(self, wait: float) -> Any:
        del wait
        return nullcontext()


@pytest.mark.parametrize("keeps", [True, False])
@pytest.mark.parametrize("stage", ["index", "check"])
def test_a_ship_that_lost_its_lock_takes_nothing_from_the_next(
    folder: Path, store: Store, stage: str, keeps: bool
) -> None:
    ship(folder, store)
    edit(folder, "lunch.md", "noon", "one")
    others: list[Shipped] = []

    def tell(now: str, done: int, total: int) -> None:
        del done, total
        if now == stage and not others:
            edit(folder, "lunch.md", "at one", "at eleven")
            others.append(ship(folder, store))

    with pytest.raises(StoreError):
        ship(folder, Unlocked(store, 0), progress=tell, keep_failed=keeps)  # type: ignore[arg-type]
    (other,) = others
    assert (store.served(), other.manifest.version) == ("v000002", "v000002")
    assert [m.state for m in store.manifests()] == ["ready", "ready"]
    assert held(store) == cut(folder)
