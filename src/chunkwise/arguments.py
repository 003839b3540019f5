"""Arguments of the wrong kind from Python: one check of all public functions, by their annotations."""

from __future__ import annotations

from collections.abc import Callable, Iterable, Mapping
from functools import cache, wraps
from inspect import Parameter, Signature, signature
from math import isfinite
from operator import index
from os import PathLike
from typing import Any, Final, ParamSpec, TypeVar

from chunkwise.errors import SettingError

__all__ = ["checked"]

_P = ParamSpec("_P")
_R = TypeVar("_R")
_MANY: Final = ("Iterable", "Sequence", "tuple")
_SHAPES: Final = ("Chunker", "HitRule", "Indexing", "Measure", "Store")
"""Protocols: objects of whatever class. What Python itself brings is none of these."""
_PLAIN: Final[dict[str, type]] = {"str": str, "bool": bool, "Path": PathLike, "Mapping": Mapping}
_SURE: Final = {"str": str, "bool": bool, "int": int, "None": type(None)}
_WORDS: Final = {
    "str": "a text",
    "Path": "a path",
    "int": "a whole number",
    "float": "a number",
    "bool": "True or False",
    "None": "None",
    "Mapping": "a dict",
    "Callable": "a function",
    "Progress": "a function",
}
_ITEMS: Final = {"str": "texts", "int": "whole numbers"}


def checked(*own: str) -> Callable[[Callable[_P, _R]], Callable[_P, _R]]:
    """Have a function refuse arguments of another kind than its annotations name, before it does anything.

    Texts and numbers that come one by one are gathered first: a generator is asked once.

    Args:
        own: parameters that the function looks at by itself, since it has more to say of them.

    Raises:
        SettingError: from the function; names the parameter, what it takes and what it got.
    """

    def decorate(function: Callable[_P, _R]) -> Callable[_P, _R]:
        @cache
        def declared() -> tuple[Signature, dict[str, list[str]], tuple[frozenset[type] | None, ...]]:
            form, hints = signature(function), function.__annotations__.items()
            kinds = {name: _parts(hint) for name, hint in hints if name not in own}
            in_order = []  # what may be given by place
            for name, parameter in form.parameters.items():
                if parameter.kind is not Parameter.POSITIONAL_OR_KEYWORD:
                    break
                in_order.append(_surely(kinds[name]) if name in kinds else None)
            return form, kinds, tuple(in_order)

        @wraps(function)
        def run(*args: _P.args, **kwargs: _P.kwargs) -> _R:
            form, kinds, in_order = declared()
            if not kwargs and len(args) <= len(in_order):
                # Functions that are called for each document are called like this. To bind takes longer.
                for value, sure in zip(args, in_order, strict=False):
                    if sure is not None and type(value) not in sure:
                        break
                else:
                    return function(*args, **kwargs)
            try:
                given = form.bind(*args, **kwargs)
            except TypeError:  # one is missing or unknown, which Python says
                return function(*args, **kwargs)
            for name, value in given.arguments.items():
                if name in kinds:
                    given.arguments[name] = _taken(name, value, kinds[name])
            return function(*given.args, **given.kwargs)

        return run

    return decorate


def _taken(name: str, value: Any, kinds: list[str]) -> Any:
    """The argument, gathered where it comes one by one."""
    if any(_is(value, kind) for kind in kinds):
        if "Path" in kinds and isinstance(value, str) and (not value or "\0" in value):
            raise SettingError(f"{name} must be {_said(kinds)}, and {value!r} names no file")
        return index(value) if "int" in kinds and _is(value, "int") else value
    for kind in kinds:
        many, _, inside = kind.partition("[")
        if many in _MANY and isinstance(value, Iterable) and not isinstance(value, str | bytes | Mapping):
            items = _items(inside)
            if items[0][0].isupper() and items[0] not in ("Any", *_SHAPES):
                return value  # objects of ours, which are looked at where they are used
            found = tuple(value)
            wrong = [one for one in found if not any(_is(one, item) for item in items)]
            if not wrong:
                return tuple(index(one) if _is(one, "int") else one for one in found)
            raise SettingError(f"{name} must be {_said(kinds)}, got {_shown(wrong[0])} in {_shown(value)}")
    raise SettingError(f"{name} must be {_said(kinds)}, got {_shown(value)}")


def _surely(kinds: list[str]) -> frozenset[type]:
    """Classes whose every value is of one of the kinds, and is taken as it is."""
    found = {_SURE[kind] for kind in kinds if kind in _SURE}
    return frozenset(found - {str} if "Path" in kinds else found)


def _is(value: Any, kind: str) -> bool:
    """Whether a value is of one kind."""
    kind = kind.partition("[")[0]
    if kind in ("Any", "object"):
        return True
    if kind == "None":
        return value is None
    if kind in ("int", "float"):
        number = _whole(value) or (kind == "float" and isinstance(value, float) and isfinite(value))
        return number and not isinstance(value, bool)
    if kind in _PLAIN:
        return isinstance(value, _PLAIN[kind])
    if kind in ("Callable", "Progress"):
        return callable(value) and not isinstance(value, type)
    if kind in _SHAPES:
        return type(value).__module__ not in ("builtins", "pathlib")
    return any(own.__name__ == kind for own in type(value).__mro__)


def _whole(value: Any) -> bool:
    """Whether a value is a whole number, of Python or of NumPy."""
    try:
        index(value)
    except TypeError:
        return False
    return True


def _said(kinds: list[str]) -> str:
    """What is taken, in words."""
    words = []
    for kind in kinds:
        head, _, inside = kind.partition("[")
        if kind == "str" and "Path" in kinds:
            continue
        if head in _MANY:
            items = [_ITEMS.get(item, f"{item}s") for item in _items(inside)]
            words.append(f"a list of {' or '.join(items)}")
        else:
            words.append(_WORDS.get(head) or _one(head))
    return ", ".join(words[:-1]) + (" or " if len(words) > 1 else "") + words[-1]


def _shown(value: object) -> str:
    """What was given, in a few words."""
    if value is None or isinstance(value, str | bytes | int | float):
        text = repr(value)
        return text if len(text) <= 40 else f"{text[:39]}…"
    return f"the class {value.__name__}" if isinstance(value, type) else _one(type(value).__name__)


def _one(name: str) -> str:
    """The name of a class with its article."""
    return f"{'an' if name[0] in 'AEIOUaeiou' else 'a'} {name}"


def _items(inside: str) -> list[str]:
    """The kinds of what comes one by one, from behind the bracket of an annotation."""
    return _parts(inside.removesuffix("]").removesuffix(", ..."))


def _parts(text: str) -> list[str]:
    """The kinds that an annotation names."""
    parts, depth = [""], 0
    for character in text:
        depth += (character == "[") - (character == "]")
        if character == "|" and not depth:
            parts.append("")
        else:
            parts[-1] += character
    return [part.strip() for part in parts]
