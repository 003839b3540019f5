"""Stores by the name in front of the colon: `lancedb:./index`."""

from __future__ import annotations

from collections.abc import Callable
from typing import Final

from chunkwise.errors import SettingError, StoreError, UnknownName
from chunkwise.plugins import added, load
from chunkwise.ship.stores.base import Features, Store, View

__all__ = ["STORES", "Features", "Store", "View", "open_store"]


def _lance(place: str) -> Store:
    from chunkwise.ship.stores.lance import LanceStore

    return LanceStore(place)


def _postgres(place: str) -> Store:
    from chunkwise.ship.stores.postgres import PostgresStore

    return PostgresStore(f"postgresql:{place}")


def _qdrant(place: str) -> Store:
    from chunkwise.ship.stores.qdrant import QdrantStore

    return QdrantStore(place)


def _jsonl(place: str) -> Store:
    from chunkwise.ship.stores.files import JsonLinesStore

    return JsonLinesStore(place)


def _parquet(place: str) -> Store:
    from chunkwise.ship.stores.files import ParquetStore

    return ParquetStore(place)


STORES: Final[dict[str, Callable[[str], Store]]] = {
    "lancedb": _lance,
    "postgresql": _postgres,
    "qdrant": _qdrant,
    "jsonl": _jsonl,
    "parquet": _parquet,
}
"""The built-in stores by name. Other packages add theirs through entry points in `chunkwise.stores`: a
function that takes the place and gives the store."""


def open_store(text: str) -> Store:
    """The store of a text form. Nothing is opened or made.

    Raises:
        UnknownName: there is no such store.
        SettingError: the text names no place, or another package's store does not import.
        StoreError: what another package gives is no store.
    """
    name, colon, place = text.partition(":")
    if name == "postgres":
        name = "postgresql"
    others = added("chunkwise.stores", (*STORES, "postgres"))
    if name not in STORES and name not in others:
        error = UnknownName("store", name, [*STORES, *others])
        if not colon:  # a path alone does not say what kind of store is meant
            error.args = (f"{error}; write KIND:PLACE, such as lancedb:{text}",)
        raise error
    if not colon or not place:
        raise SettingError(f"{text!r} names no place; write {name}:PLACE")
    if name in STORES:
        return STORES[name](place)
    made = load(others[name])(place)
    if not isinstance(made, Store):
        raise StoreError(name, f"{others[name].value} gives a {type(made).__name__}, which is no store")
    return made
