"""What a reader may be told, and the limits that keep a hostile file from taking the machine."""

from __future__ import annotations

from collections.abc import Iterable
from typing import Final, NamedTuple

from chunkwise.errors import ReadError, UnknownName

ACTING: Final = ("bold", "numbered")
"""Lines that can be taken for headings where a format has none."""
MEGABYTE: Final = 1_000_000
SKIP: Final = "or leave such files out (--skip-broken)"


class Options(NamedTuple):
    """How files are read. One value for a whole corpus."""

    headings: tuple[str, ...] = ()
    """Which lines act as headings besides real ones: `bold`, `numbered`."""
    boilerplate: bool = True
    """Whether navigation, page heads and feet and the like of web pages are read too."""
    max_size: int = 200
    """Megabytes of the largest file, and of what is packed in one, that is read."""


DEFAULT: Final = Options()


def parse_headings(given: str | Iterable[str]) -> tuple[str, ...]:
    """Names of `ACTING`, as in `bold+numbered`. Raises `UnknownName`."""
    texts = [given] if isinstance(given, str) else list(given)
    names = [name.strip() for text in texts for name in text.replace(",", "+").split("+") if name.strip()]
    for name in names:
        if name not in ACTING:
            raise UnknownName("kind of heading", name, ACTING)
    return tuple(name for name in ACTING if name in names)


def check_size(path: str, size: int, limit: int) -> None:
    """Refuse a file of more than `limit` megabytes. Raises `ReadError`."""
    if size > limit * MEGABYTE:
        raise ReadError(
            path,
            f"has {size / MEGABYTE:,.0f} MB, more than the limit of {limit:,} MB; raise the limit "
            f"(--max-size {-(-size // MEGABYTE)}, or max_size=…), {SKIP}",
        )


def broken(path: str, form: str, error: Exception) -> ReadError:
    """The error of a file that its library cannot read."""
    said = " ".join(str(error).split()) or type(error).__name__
    return ReadError(
        path, f"cannot be read as {form}: {said[:200]}; is it whole? Open it and save it again, {SKIP}"
    )
