"""Names in PostgreSQL: the address without what is secret in it, and a schema as SQL takes it."""

from __future__ import annotations

import re
from typing import Any, Final, NamedTuple
from urllib.parse import unquote, urlsplit

from chunkwise.errors import MissingExtra, SettingError

__all__ = ["Address", "address", "library", "quoted"]

_SCHEMA: Final = re.compile(r"(?!pg_)[a-z_][a-z0-9_]{0,40}")
"""PostgreSQL keeps names that begin with `pg_` for itself."""
_HOST: Final = re.compile(r"(\[[^\]]*\]|[^:\[\]]*)(:\d*)?")
_SECRET: Final = ("password", "sslpassword", "oauth_client_secret", "scram_client_key", "scram_server_key")
"""Parameters of libpq that nobody may read."""
_HOW: Final = "write postgresql://USER@HOST/DATABASE#SCHEMA"


class Address(NamedTuple):
    """What an address says."""

    url: str
    """For libpq."""
    schema: str
    """Behind the `#`; `chunkwise` where nothing stands there."""
    shown: str
    """The address without what is secret. It opens the same store where that is given in another way."""
    left_out: str
    """How what was left out is given instead; empty where nothing was."""


def address(text: str) -> Address:
    """Take an address apart. Messages show no part of one that cannot be read: it may hold a password.

    Raises:
        SettingError: it is none, or the schema cannot be one.
    """
    scheme, _, rest = text.partition("://")
    if scheme not in ("postgresql", "postgres") or not rest:
        raise SettingError(f"postgresql: the address must begin with postgresql://; {_HOW}")
    unreadable = SettingError(
        f"{scheme}: the address has no host and port where they belong; {_HOW}, "
        "and /, ?, # and @ in a password as %2F, %3F, %23 and %40"
    )
    try:
        parts = urlsplit(text)
    except ValueError:  # its message shows what it was given
        raise unreadable from None
    userinfo, at, hosts = parts.netloc.rpartition("@")
    given = [(unquote(part.partition("=")[0]), part) for part in parts.query.split("&") if part]
    # An @ behind the place of the host: a password with a /, a ? or a # that looked like a port.
    late = not at and any("@" in text for text in (parts.path, parts.fragment, *(name for name, _ in given)))
    if late or not all(map(_HOST.fullmatch, hosts.split(","))):
        raise unreadable
    user, _, password = userinfo.partition(":")
    query = "&".join(part for name, part in given if name not in _SECRET)
    names = [*(["password"] if password else []), *(name for name, _ in given if name in _SECRET)]
    schema = f"#{parts.fragment}" if parts.fragment else ""
    bare = f"{scheme}://{user}{'@' if user else ''}{hosts}{parts.path}{'?' if query else ''}{query}{schema}"
    if schema and not _SCHEMA.fullmatch(parts.fragment):
        raise SettingError(
            f"{bare}: the schema {parts.fragment!r} must be of small letters, digits and underscores, "
            "at most 41 of them, and begin with a letter and not with pg_"
        )
    return Address(text.partition("#")[0], parts.fragment or "chunkwise", bare, _said(names))


def _said(names: list[str]) -> str:
    """How secrets are given that are left out of an address."""
    others = [f"{name} in the address" for name in dict.fromkeys(names) if name != "password"]
    return " and ".join([*(["the password in PGPASSWORD"] if "password" in names else []), *others])


def quoted(schema: str) -> str:
    """A name as SQL takes it, whatever word it is: `select` is one of SQL's own."""
    from psycopg.sql import Identifier

    return str(Identifier(schema).as_string(None))


def library() -> Any:
    """The driver.

    Raises:
        MissingExtra: it is not installed.
    """
    try:
        import psycopg
    except ImportError as error:
        raise MissingExtra("postgresql://", "postgres") from error
    return psycopg
