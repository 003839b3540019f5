"""BM25 in PostgreSQL, which has none: a table of words with the chunks that hold each, and one of lengths.

A word's chunks stand in arrays, not in a row each: that takes a tenth of the room, and is read in one piece.
"""

from __future__ import annotations

from collections.abc import Sequence
from typing import TYPE_CHECKING, Any

if TYPE_CHECKING:
    from chunkwise.index import Bm25

__all__ = ["drop_words", "has_words", "index_words", "search_words"]


def index_words(cursor: Any, schema: str, version: str) -> None:
    """Make the tables of words and lengths from the column `words` of a version; no words, no tables."""
    chunks, words, lengths = _tables(schema, version)
    cursor.execute(f"SELECT EXISTS (SELECT 1 FROM {chunks} WHERE words <> '')")
    if not cursor.fetchone()[0]:
        return
    cursor.execute(
        f"CREATE TABLE {lengths} AS SELECT row_number() OVER (ORDER BY id)::int AS number, id, "
        f"cardinality(string_to_array(words, ' ')) AS length FROM {chunks}"
    )
    cursor.execute(f"ALTER TABLE {lengths} ADD PRIMARY KEY (number)")
    cursor.execute(
        f"CREATE TABLE {words} AS SELECT word, array_agg(number ORDER BY number) AS numbers, "
        "array_agg(count ORDER BY number) AS counts FROM ("
        f"SELECT own.number, word, count(*)::int AS count FROM {lengths} AS own JOIN {chunks} AS chunk "
        "USING (id), string_to_table(chunk.words, ' ') AS word GROUP BY own.number, word) AS held "
        "GROUP BY word"
    )
    # A hash takes words of any length; a tree refuses those of more than 2,700 bytes.
    cursor.execute(f"CREATE INDEX ON {words} USING hash (word)")
    cursor.execute(f"ANALYZE {words}, {lengths}")


def has_words(cursor: Any, schema: str, version: str) -> bool:
    """Whether the words of a version are searched."""
    cursor.execute("SELECT to_regclass(%s)", [_tables(schema, version)[1]])
    return cursor.fetchone()[0] is not None


def search_words(
    cursor: Any, schema: str, version: str, words: Sequence[str], k: int, bm25: Bm25
) -> list[tuple[str, float]]:
    """The best k chunks by the formula of `Bm25`, best first; ties by id."""
    _, held, lengths = _tables(schema, version)
    cursor.execute(
        "WITH whole AS (SELECT count(*)::float8 AS chunks, greatest(avg(length), 1)::float8 AS mean "
        f"FROM {lengths}), "
        "asked AS (SELECT numbers, counts, ln(1 + (chunks - cardinality(numbers) + 0.5) / "
        f"(cardinality(numbers) + 0.5)) AS idf FROM {held}, whole WHERE word = ANY(%(words)s)), "
        "scored AS (SELECT id, sum(idf * count * (%(k1)s + 1) / (count + %(k1)s * (1 - %(b)s + %(b)s * "
        "length / mean))) AS score FROM whole, asked, unnest(numbers, counts) AS hit (number, count) "
        f"JOIN {lengths} USING (number) GROUP BY id) "
        "SELECT id, score FROM scored ORDER BY round(score::numeric, 6) DESC, id LIMIT %(k)s",
        {"words": list(words), "k1": float(bm25.k1), "b": float(bm25.b), "k": k},
    )
    return [(str(id), float(score)) for id, score in cursor.fetchall()]


def drop_words(cursor: Any, schema: str, version: str) -> None:
    """Delete the tables of a version."""
    _, words, lengths = _tables(schema, version)
    cursor.execute(f"DROP TABLE IF EXISTS {words}, {lengths}")


def _tables(schema: str, version: str) -> tuple[str, str, str]:
    return f"{schema}.chunks_{version}", f"{schema}.words_{version}", f"{schema}.lengths_{version}"
