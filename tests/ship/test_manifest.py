"""Manifests that somebody has written into, and addresses in the place of folders."""

from __future__ import annotations

import json
import shlex
from typing import Any

import pytest

from chunkwise.errors import SettingError, StoreError
from chunkwise.ship.manifest import BROKEN, READY, Manifest
from chunkwise.ship.stores import open_store

SOUND = Manifest("v000001", READY, "2026-01-01", "heading", "bm25", last="v000002")


def read(**changes: Any) -> Manifest:
    return Manifest.from_json(json.dumps({**json.loads(SOUND.to_json()), **changes}), "jsonl:x", "v000001")


@pytest.mark.parametrize(
    ("changes", "why"),
    [
        ({"last": 5}, "'last' is of another kind"),
        ({"last": "x"}, "none that is ever written"),
        ({"state": ["x"]}, "'state' is of another kind"),
        ({"state": BROKEN}, "none that is ever written"),
        ({"chunks": "many"}, "'chunks' is of another kind"),
        ({"documents": 5}, "'documents' is of another kind"),
        ({"checks": None}, "'checks' is of another kind"),
    ],
)
def test_a_manifest_with_a_value_of_another_kind_is_broken(changes: dict[str, Any], why: str) -> None:
    assert read() == SOUND
    assert read(more=1) == SOUND
    found = read(**changes)
    assert found.state == BROKEN
    assert why in found.checks["broken"]


def test_the_remedy_of_a_broken_manifest_can_be_pasted() -> None:
    store = "jsonl:./o'er here"
    with pytest.raises(StoreError) as caught:
        read(chunks=None).check_readable(store)
    command = str(caught.value).partition("chunkwise index rollback ")[2]
    assert shlex.split(command)[:2] == ["--store", f"{store},"]


@pytest.mark.parametrize("kind", ["lancedb", "jsonl", "parquet"])
def test_an_address_in_the_place_of_a_folder_is_not_shown(kind: str) -> None:
    with pytest.raises(SettingError, match="name a folder of this machine") as caught:
        open_store(f"{kind}:s3://me:hidden@bucket")
    assert "hidden" not in str(caught.value)
