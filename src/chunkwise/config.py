"""Settings from `chunkwise.toml`, or `[tool.chunkwise]` of `pyproject.toml`, in the working folder.

```toml
exclude = ["drafts"]            # for every command that has the option and can take the value

[compare]                       # for one command; stands before the keys above
golden = "golden.jsonl"
chunker = ["heading:size=600", "fixed:size=600|1200"]
k = [1, 5]
```

Keys are the long names of the command line's options. What the command line says stands before all of it.
"""

from __future__ import annotations

import re
import tomllib
from collections.abc import Iterable, Mapping
from difflib import get_close_matches
from pathlib import Path
from typing import Any, Literal, NamedTuple, NoReturn

from chunkwise.errors import SettingError

__all__ = ["FILE", "PROJECT", "Settings", "load_settings"]

FILE = "chunkwise.toml"
PROJECT = "pyproject.toml"
_TABLE = ("tool", "chunkwise")

Kind = Literal["flag", "number", "text", "texts"]
"""What an option takes: yes or no, a whole number, one text, or any number of texts."""
_WANTED = {
    "flag": "true or false",
    "number": "a whole number",
    "text": "a text",
    "texts": "a text or a list of texts",
}


class Settings(NamedTuple):
    """What a file sets."""

    source: str
    """Name of the file; empty where there is none."""
    commands: Mapping[str, Mapping[str, Any]]
    """By command, the value of each option that is set: bool, int, str, or a list of str."""


def load_settings(folder: str | Path, known: Mapping[str, Mapping[str, Kind]]) -> Settings:
    """The settings of a folder.

    Args:
        folder: where the files are looked for; folders above it are not.
        known: by command, every option by its long name and what it takes.

    Raises:
        SettingError: the file is no TOML, both files hold settings, a key is not known, or a value is
            not what the option takes. The message names the file and the line.
    """
    own, project = Path(folder) / FILE, Path(folder) / PROJECT
    found = []
    if own.is_file():
        text = _read(own)
        found.append(_File(FILE, text, (), _parse(FILE, text)))
    if project.is_file() and "chunkwise" in (text := _read(project)):
        table: Any = _parse(PROJECT, text)
        for name in _TABLE:
            table = table.get(name, {}) if isinstance(table, dict) else {}
        if table:
            found.append(_File(PROJECT, text, _TABLE, table))
    if len(found) == 2:
        raise SettingError(
            f"both {FILE} and [{'.'.join(_TABLE)}] of {PROJECT} hold settings; keep them in one of the two"
        )
    return found[0].settings(known) if found else Settings("", {})


class _File(NamedTuple):
    name: str
    text: str
    above: tuple[str, ...]
    """The table of the file that holds the settings."""
    data: Any

    def settings(self, known: Mapping[str, Mapping[str, Kind]]) -> Settings:
        if not isinstance(self.data, dict):
            self.fail((), "chunkwise", "must be a table")
        shared = {key: value for key, value in self.data.items() if not isinstance(value, dict)}
        tables = {key: value for key, value in self.data.items() if isinstance(value, dict)}
        for key in shared:
            if _name(key) in known:
                self.fail((), key, f"is a command: write its settings below [{'.'.join((*self.above, key))}]")
        for command in tables:
            if command not in known:
                self._unknown((), command, "table", known)
        commands = {command: self._shared(shared, options) for command, options in known.items()}
        self._check_shared(shared, known, commands)
        for command, values in tables.items():
            options = known[command]
            for key, value in values.items():
                if _name(key) not in options:
                    self._unknown((command,), key, "key", options)
                read = _as_kind(value, options[_name(key)])
                if read is None:
                    self._refuse((command,), key, value, options[_name(key)])
                commands[command][_name(key)] = read
        return Settings(self.name, commands)

    def _shared(self, shared: Mapping[str, Any], options: Mapping[str, Kind]) -> dict[str, Any]:
        """The keys above all tables that a command has an option for, where their values fit it."""
        values = {
            _name(key): _as_kind(value, options[_name(key)])
            for key, value in shared.items()
            if _name(key) in options
        }
        return {key: value for key, value in values.items() if value is not None}

    def _check_shared(
        self,
        shared: Mapping[str, Any],
        known: Mapping[str, Mapping[str, Kind]],
        commands: Mapping[str, Mapping[str, Any]],
    ) -> None:
        """Refuse keys above all tables that no command takes, or takes with such a value."""
        kinds = {option: kind for options in known.values() for option, kind in options.items()}
        for key, value in shared.items():
            if _name(key) not in kinds:
                self._unknown((), key, "key", [*kinds, *known])
            if not any(_name(key) in values for values in commands.values()):
                self._refuse((), key, value, kinds[_name(key)])

    def _refuse(self, table: tuple[str, ...], key: str, value: Any, kind: Kind) -> NoReturn:
        self.fail(table, key, f"must be {_WANTED[kind]}, got {value!r}")

    def _unknown(self, table: tuple[str, ...], key: str, what: str, known: Iterable[str]) -> NoReturn:
        names = sorted(set(known))
        near = get_close_matches(_name(key), names, n=1, cutoff=0.5)
        hint = f"did you mean {near[0]!r}? " if near else ""
        place = f"[{'.'.join((*self.above, *table))}]" if (*self.above, *table) else "the file"
        self.fail(table, key, f"unknown {what} in {place}; {hint}(known: {', '.join(names)})")

    def fail(self, table: tuple[str, ...], key: str, fault: str) -> NoReturn:
        line = line_of(self.text, (*self.above, *table), key)
        place = f"{self.name}:{line}" if line else self.name
        raise SettingError(f"{place}: {key!r}: {fault}")


def _name(key: str) -> str:
    """The option of a key: `skip_broken` is read as `skip-broken`."""
    return key.replace("_", "-")


def _as_kind(value: Any, kind: Kind) -> Any:
    """The value as the command line takes it; None where it cannot be meant."""
    match kind, value:
        case ("flag", bool()) | ("text", str()):
            return value
        case "number", int() if not isinstance(value, bool):
            return value
        case "texts", list():
            texts = [_as_text(part) for part in value]
            return None if None in texts else texts
        case "texts", _:
            text = _as_text(value)
            return None if text is None else [text]
    return None


def _as_text(value: Any) -> str | None:
    if isinstance(value, str):
        return value
    return str(value) if isinstance(value, int) and not isinstance(value, bool) else None


def _read(path: Path) -> str:
    try:
        return path.read_bytes().decode("utf-8-sig")
    except OSError as error:
        raise SettingError(f"{path.name}: cannot be read: {error.strerror or error}") from error
    except UnicodeDecodeError as error:
        raise SettingError(f"{path.name}: byte {error.start} is not UTF-8; save the file as UTF-8") from error


def _parse(name: str, text: str) -> dict[str, Any]:
    try:
        return tomllib.loads(text)
    except tomllib.TOMLDecodeError as error:
        place = re.search(r"\(at line (\d+), column (\d+)\)", str(error))
        where = f"{name}:{place[1]}" if place else name
        raise SettingError(f"{where}: not valid TOML: {error}") from error


_HEADER = re.compile(r"\s*\[\s*([^\[\]]+?)\s*\]\s*(?:#.*)?")
_KEY = re.compile(r"""\s*((?:[\w-]+|"[^"]*"|'[^']*')(?:\s*\.\s*(?:[\w-]+|"[^"]*"|'[^']*'))*)\s*=""")


def line_of(text: str, table: tuple[str, ...], key: str) -> int:
    """The line, counted from 1, where a key (or the table of that name) is written; 0 if that is not seen.

    The parser of the standard library keeps no lines, so that the text is looked at again.
    """
    wanted, here = (*table, key), tuple[str, ...]()
    for number, line in enumerate(text.split("\n"), 1):
        header, entry = _HEADER.fullmatch(line.rstrip("\r")), _KEY.match(line)
        if header:
            here = _parts(header[1])
            if here[: len(wanted)] == wanted:
                return number
        elif entry and (*here, *_parts(entry[1]))[: len(wanted)] == wanted:
            return number
    return 0


def _parts(dotted: str) -> tuple[str, ...]:
    return tuple(part.strip().strip("\"'") for part in dotted.split("."))
