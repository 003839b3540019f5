r"""Text forms: `heading:size=600,unit=cl100k` and the values they stand for.

The grammar, whole:

```
candidate = chunker [" @ " retriever]
spec      = [label "="] name [":" part {"," part}]
part      = target | key "=" value {"|" value}        several values sweep
list      = item {"+" item}                            inside one value, where a setting takes a list
```

A backslash keeps the next character from its special meaning (`\,`, `\|`, `\+`, `\\`); `\n`, `\t` and
`\r` are the usual characters, `\s` is a space. Spaces around names and values mean nothing.
"""

from __future__ import annotations

import itertools
import re
from collections.abc import Iterable, Mapping
from contextlib import suppress
from dataclasses import dataclass, field, fields
from operator import index
from typing import Any, Self, SupportsIndex

from chunkwise.errors import SettingError, UnknownSetting

_ESCAPES = {"n": "\n", "t": "\t", "r": "\r", "s": " "}
_UNESCAPES = {"\n": "\\n", "\t": "\\t", "\r": "\\r", " ": "\\s"}
_AROUND = " \t\r\n"
_NAME = re.compile(r"[A-Za-z_][\w.\-]*")


@dataclass(frozen=True, slots=True)
class Spec:
    """A parsed text form.

    >>> str(Spec("heading", {"size": "600"}, label="mine"))
    'mine=heading:size=600'
    """

    name: str
    """What it names: an entry of a room's table."""
    settings: Mapping[str, str] = field(default_factory=dict)
    """Settings as written, escapes kept."""
    label: str = ""
    """The user's own name for it."""
    target: str = ""
    """The part without a key, as in `py:package.module.function`."""

    def __str__(self) -> str:
        parts = [self.target] if self.target else []
        parts += [f"{key}={value}" for key, value in self.settings.items()]
        body = f"{self.name}:{','.join(parts)}" if parts else self.name
        return f"{self.label}={body}" if self.label else body


def parse(text: str) -> list[Spec]:
    """Parse one text form; several values in a setting give several specs (a sweep).

    >>> [str(s) for s in parse("fixed:size=300|600,overlap=50")]
    ['fixed:size=300,overlap=50', 'fixed:size=600,overlap=50']

    Raises:
        SettingError: the text is no spec; the message shows the place.
    """
    source = text.strip(_AROUND)
    head, colon, rest = source.partition(":")
    label, equals, name = head.rpartition("=")
    label, name = label.strip(), name.strip()
    if not _NAME.fullmatch(name) or (equals and not label) or "," in label:
        raise SettingError(f"{text!r} is no spec; write name:key=value,… such as heading:size=600")
    target = ""
    keys: list[str] = []
    choices: list[list[str]] = []
    for number, part in enumerate(split(rest, ",") if colon else []):
        key, equals, value = part.partition("=")
        key = key.strip()
        if not equals:
            if number or not part.strip():
                raise SettingError(f"{text!r}: {part!r} is no setting; write key=value")
            target = part.strip()
            continue
        if not re.fullmatch(r"[A-Za-z_]\w*", key):
            raise SettingError(f"{text!r}: {key!r} is no name of a setting")
        if key in keys:
            raise SettingError(f"{text!r} gives {key!r} twice; several values are written {key}=a|b")
        keys.append(key)
        choices.append(split(value.strip(_AROUND), "|"))
    specs = [
        Spec(name, dict(zip(keys, values, strict=True)), label, target)
        for values in itertools.product(*choices)
    ]
    if label and len(specs) > 1:
        raise SettingError(
            f"{text!r}: the label {label!r} stands for {len(specs)} specs; leave it out of a sweep"
        )
    return specs


def parse_one(text: str) -> Spec:
    """Parse a text form that stands for exactly one spec."""
    specs = parse(text)
    if len(specs) != 1:
        raise SettingError(f"{text!r} stands for {len(specs)} specs, one is wanted")
    return specs[0]


def split_candidate(text: str) -> tuple[str, str]:
    """`chunker @ retriever` as a pair; the retriever is empty where none is given."""
    chunker, _, retriever = text.partition(" @ ")
    return chunker.strip(), retriever.strip()


def split(text: str, mark: str) -> list[str]:
    """Split at an unescaped character; escapes are kept."""
    parts, current, i = [], "", 0
    while i < len(text):
        if text[i] == "\\" and i + 1 < len(text):
            current += text[i : i + 2]
            i += 2
        elif text[i] == mark:
            parts.append(current)
            current = ""
            i += 1
        else:
            current += text[i]
            i += 1
    return [*parts, current]


def unescape(value: str) -> str:
    """The characters that an escaped value stands for."""
    return re.sub(r"\\(.)", lambda m: _ESCAPES.get(m[1], m[1]), value, flags=re.DOTALL)


def escape(value: str) -> str:
    r"""A value with the special characters escaped, and spaces at its ends: `unescape(escape(x)) == x`."""
    return re.sub(r"[\\,|+\n\t\r]|\A +| +\Z", lambda m: "".join(map(_escaped, m[0])), value)


def _escaped(character: str) -> str:
    return _UNESCAPES.get(character, "\\" + character)


def refuse_unknown(what: str, given: Iterable[str], known: Iterable[str]) -> None:
    """Raise where a setting is not known, with the nearest known one and the list.

    `chunk_size` and `chunk_overlap` name the setting that is meant.
    """
    names = list(known)
    for key in given:
        if key in names:
            continue
        meant = key.removeprefix("chunk_") if key in ("chunk_size", "chunk_overlap") else ""
        raise UnknownSetting(what, key, names, meant if meant in names else "")


class Settings:
    """What is made of named settings. One that it does not have is refused as in its text form."""

    __slots__ = ()

    def __new__(cls, *given: Any, **settings: Any) -> Self:
        """Look at the names before anything else is done. Raises `UnknownSetting`."""
        del given
        if settings:
            refuse_unknown(cls.called(), settings, [field.name for field in fields(cls) if field.init])  # type: ignore[arg-type]
        return super().__new__(cls)

    @classmethod
    def called(cls) -> str:
        """What it is, as errors name it."""
        return cls.__name__.lower()


def whole_number(name: str, value: object, least: int) -> int:
    """A setting that must be a whole number of at least `least`; text is read, booleans are refused. NumPy's
    whole numbers are taken too.

    Raises:
        SettingError: names the setting and the value given.
    """
    number: int | None = None
    if isinstance(value, SupportsIndex) and not isinstance(value, bool):
        with suppress(TypeError):  # NumPy's booleans
            number = index(value)
    elif isinstance(value, str) and re.fullmatch(r"[+-]?[0-9]+", value.strip()):
        number = int(value)
    if number is None or number < least:
        raise SettingError(f"{name} must be a whole number of at least {least}, got {value!r}")
    return number


def yes_or_no(name: str, value: object) -> bool:
    """A setting that is `yes` or `no`; Python's booleans are taken too."""
    if isinstance(value, bool):
        return value
    known = {"yes": True, "true": True, "on": True, "no": False, "false": False, "off": False}
    if isinstance(value, str) and value.strip().lower() in known:
        return known[value.strip().lower()]
    raise SettingError(f"{name} must be yes or no, got {value!r}")
