"""Chunkers of installed packages, by the names that they give through entry points.

A package that has

```
[project.entry-points."chunkwise.chunkers"]
halves = "mypackage.cutting:halves"
```

makes `-c halves:size=400` work wherever it is installed. The entry point is a function that cuts a text, as
in `from_callable`, or a class whose instances are chunkers. Either gets the settings as keyword arguments.
"""

from __future__ import annotations

import inspect
from importlib.metadata import EntryPoint

from chunkwise.adapters.callables import bound, literal
from chunkwise.errors import SettingError
from chunkwise.plugins import load
from chunkwise.spec import Spec, parse_one
from chunkwise.types import Chunker

GROUP = "chunkwise.chunkers"
"""The group of the entry points."""


def from_installed(entry: EntryPoint, spec: Spec) -> Chunker:
    """The chunker of an entry point with the settings of a spec.

    Raises:
        SettingError: it does not import, is no chunker, does not take the settings, or has another name.
    """
    found = load(entry)
    if not inspect.isclass(found):
        if not callable(found):
            raise SettingError(
                f"{spec.name!r} is a {type(found).__name__} ({entry.value}) and cannot be called"
            )
        return bound(found, entry.value, spec)
    settings = {key: literal(value) for key, value in spec.settings.items()}
    try:
        made = found(**settings)
    except TypeError as error:
        raise SettingError(f"{str(spec)!r}: {entry.value} cannot be made so: {error}") from error
    if not isinstance(made, Chunker):
        raise SettingError(
            f"{spec.name!r}: what {entry.value} makes is no chunker; it needs `spec` and a call"
        )
    if parse_one(made.spec).name != spec.name:
        raise SettingError(
            f"{spec.name!r}: {entry.value} calls itself {made.spec!r}, which would not be found again; "
            f"its spec has to begin with {spec.name}"
        )
    return made
