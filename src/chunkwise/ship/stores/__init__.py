"""Stores by the name in front of the colon: `lancedb:./index`."""

from __future__ import annotations

from collections.abc import Callable
from typing import Final

from chunkwise.errors import SettingError, UnknownName
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
"""Every store by its name."""


def open_store(text: str) -> Store:
    """The store of a text form. Nothing is opened or made.

    Raises:
        UnknownName: there is no such store.
        SettingError: the text names no place.
    """
    name, colon, place = text.partition(":")
    if name == "postgres":
        name = "postgresql"
    if name not in STORES:
        raise UnknownName("store", name, STORES)
    if not colon or not place:
        raise SettingError(f"{text!r} names no place; write {name}:PLACE")
    return STORES[name](place)
