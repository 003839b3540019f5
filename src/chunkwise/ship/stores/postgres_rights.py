"""What others may read in PostgreSQL: a switch takes no right away from them, and no view of their own."""

from __future__ import annotations

from collections.abc import Mapping
from typing import Any, Final

__all__ = ["let_read", "replace_views"]

_TABLES: Final = ("chunks", "words", "lengths")
"""Tables of a version, by the beginning of their names."""


def replace_views(cursor: Any, schema: str, views: Mapping[str, str]) -> None:
    """Put views in the place of those that there are.

    Replaced in their place they keep rights, and the views of others that read them. Where a column has
    another type, as with vectors of another length, they are made anew, and the rights are given again.

    Args:
        cursor: in a transaction.
        schema: where they are, as SQL takes it.
        views: by name what is selected.
    """
    import psycopg

    all_ = (f"{schema}.chunks", f"{schema}.data_chunks")
    try:
        with cursor.connection.transaction():
            for name, selected in views.items():
                cursor.execute(f"CREATE OR REPLACE VIEW {schema}.{name} AS SELECT {selected}")
            for name in set(all_) - {f"{schema}.{name}" for name in views}:
                cursor.execute(f"DROP VIEW IF EXISTS {name}")
    except (psycopg.errors.InvalidTableDefinition, psycopg.errors.FeatureNotSupported):
        readers = {name: _readers(cursor, f"{schema}.{name}") for name in views}
        cursor.execute(f"DROP VIEW IF EXISTS {', '.join(all_)}")
        for name, selected in views.items():
            cursor.execute(f"CREATE VIEW {schema}.{name} AS SELECT {selected}")
            for reader in readers[name]:
                cursor.execute(f"GRANT SELECT ON {schema}.{name} TO {reader}")


def let_read(cursor: Any, schema: str, version: str) -> None:
    """Let everybody read a version who may read the list of versions: they read the others too."""
    readers = _readers(cursor, f"{schema}.versions")
    for name in _TABLES:
        table = f"{schema}.{name}_{version}"
        cursor.execute("SELECT to_regclass(%s)", [table])
        if readers and cursor.fetchone()[0] is not None:
            cursor.execute(f"GRANT SELECT ON {table} TO {', '.join(readers)}")


def _readers(cursor: Any, table: str) -> list[str]:
    """Who else may read a table or view, as SQL names them; none where there is none."""
    cursor.execute(
        "SELECT DISTINCT CASE WHEN own.grantee = 0 THEN 'PUBLIC' "
        "ELSE quote_ident(pg_get_userbyid(own.grantee)) END "
        "FROM pg_class AS held, aclexplode(held.relacl) AS own WHERE held.oid = to_regclass(%s) "
        "AND own.privilege_type = 'SELECT' AND own.grantee <> held.relowner",
        [table],
    )
    return sorted(row[0] for row in cursor.fetchall())
