"""Versions of a store: what there is, back to an earlier one, away with an old one."""

from __future__ import annotations

from dataclasses import replace
from typing import NamedTuple

from chunkwise.errors import SettingError, StoreError
from chunkwise.ship.manifest import BROKEN, READY, Manifest, number_of
from chunkwise.ship.stores import Store

__all__ = ["State", "drop", "is_whole", "rollback", "state"]


class State(NamedTuple):
    """The versions of a store."""

    served: str | None
    """The one that is served."""
    versions: tuple[Manifest, ...]
    """All of them, oldest first."""

    @property
    def current(self) -> Manifest | None:
        """Manifest of the version that is served."""
        return next((one for one in self.versions if one.version == self.served), None)


def state(store: Store) -> State:
    """What there is. Changes nothing."""
    store.prepare()
    while True:
        served = store.served()
        found = State(served, tuple(store.manifests()))
        # A version that was served a moment ago may be deleted by now.
        if served is None or found.current is not None or store.served() == served:
            return found


def rollback(store: Store, to: str | None = None, wait: float = 0.0) -> str:
    """Serve an earlier version again, in one atomic step.

    Args:
        store: the store.
        to: the version; None for the newest one below the one that is served.
        wait: seconds to wait for a ship that is at work.

    Returns:
        The version that is served now.

    Raises:
        StoreError: there is no such version, it did not pass its checks, or its rows are gone.
    """
    store.prepare()
    with store.lock(wait):
        found = state(store) if to is None else _known(store)
        ready = [one.version for one in found.versions if one.state == READY and one.version != found.served]
        if to is None:
            served = found.served
            older = [one for one in ready if served is None or number_of(one) < number_of(served)]
            if not older:
                raise StoreError(store.spec, "there is no older version to go back to")
            to = older[-1]
        if to == found.served:
            return to
        if to not in ready:
            raise StoreError(
                store.spec, f"no version {to!r} that passed (there are {', '.join(ready) or 'none'})"
            )
        manifest = next(one for one in found.versions if one.version == to)
        held = store.view(to).count()
        if held != manifest.chunks:
            raise StoreError(store.spec, f"{to} holds {held:,} of its {manifest.chunks:,} chunks; ship again")
        store.switch(to)
        return to


def _known(store: Store) -> State:
    """What there is, where it may be unknown what is served."""
    try:
        return state(store)
    except StoreError:
        return State(None, tuple(store.manifests()))


def is_whole(store: Store, manifest: Manifest) -> bool:
    """Whether a version has as many rows as were written; somebody may have deleted some."""
    try:
        return store.view(manifest.version).count() == manifest.chunks
    except StoreError:
        return False


def drop(store: Store, version: str, wait: float = 0.0) -> None:
    """Delete a version.

    Raises:
        SettingError: it is the one that is served.
        StoreError: there is no such version.
    """
    store.prepare()
    with store.lock(wait):
        found = state(store)
        if version == found.served:
            raise SettingError(f"{version} is served; roll back or ship before you drop it")
        if version not in {one.version for one in found.versions}:
            known = ", ".join(one.version for one in found.versions) or "none"
            raise StoreError(store.spec, f"no version {version!r} (there are {known})")
        current = found.current
        if (
            current is not None
            and current.state != BROKEN
            and (not current.last or number_of(version) > number_of(current.last))
        ):
            store.save(replace(current, last=found.versions[-1].version))
        store.drop(version)
