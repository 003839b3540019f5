"""`chunkwise index`: the versions of a store."""

from __future__ import annotations

import json as as_json
from typing import Annotated

import typer

from chunkwise.cli.options import refuse_idle
from chunkwise.cli.output import note, say
from chunkwise.cli.ship import StoreText, Wait
from chunkwise.errors import UnknownName

ACTIONS = ("status", "versions", "rollback", "drop")

Action = Annotated[str, typer.Argument(metavar="ACTION", help="status, versions, rollback or drop.")]
Version = Annotated[
    str | None, typer.Argument(metavar="VERSION", help="For rollback (default: the one before) and drop.")
]
Json = Annotated[bool, typer.Option("--json", help="status and versions: print the manifests as JSON Lines.")]


def index(
    context: typer.Context,
    action: Action,
    store: StoreText,
    version: Version = None,
    wait: Wait = 0,
    json: Json = False,
) -> None:
    """Show the versions of an index, go back to one, delete one."""
    from chunkwise.errors import SettingError
    from chunkwise.ship.account import state_lines, version_lines
    from chunkwise.ship.stores import open_store
    from chunkwise.ship.upkeep import drop, rollback, state

    if action not in ACTIONS:
        raise UnknownName("action", action, ACTIONS)
    if action in ("status", "versions"):
        if version is not None:
            raise SettingError(f"{action} takes no version: leave {version!r} out")
        refuse_idle(context, f"with {action}", "wait")
    else:
        refuse_idle(context, f"with {action}", "json")
    target = open_store(store)
    if action in ("status", "versions"):
        found = state(target)
        if json:
            shown = found.versions if action == "versions" else [one for one in [found.current] if one]
            say(as_json.dumps(as_json.loads(one.to_json())) for one in shown)
        else:
            say(state_lines(found, target.spec) if action == "status" else version_lines(found))
    elif action == "rollback":
        now = rollback(target, version, float(wait))
        note(f"{now} is served at {target.spec}")
    else:
        if version is None:
            raise SettingError("drop needs the version to delete; see: chunkwise index versions")
        drop(target, version, float(wait))
        note(f"{version} is deleted")
