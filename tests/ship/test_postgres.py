"""PostgreSQL: the same promises on a real server, and a view that others can read."""

from __future__ import annotations

import json
import select
import shlex
import threading
import uuid
from concurrent.futures import ThreadPoolExecutor
from contextlib import ExitStack
from functools import partial
from pathlib import Path
from typing import Any
from urllib.parse import quote, urldefrag, urlsplit

import numpy as np
import pytest

import chunkwise
from chunkwise.cli import main
from chunkwise.errors import SettingError, StoreError
from chunkwise.ship.shipping import Shipped
from chunkwise.ship.stores import open_store
from chunkwise.ship.stores.postgres import PostgresStore
from chunkwise.ship.upkeep import rollback
from chunkwise.types import Corpus
from tests.index.tiny import static_model

psycopg = pytest.importorskip("psycopg")


@pytest.fixture
def ship(folder: Path, schema: str, model: Path) -> Any:
    def ship(chunker: str = "heading:size=400", **settings: Any) -> Shipped:
        settings = {"retriever": f"dense:model={model}", **settings}
        return chunkwise.ship_index(folder / "docs", schema, chunker=chunker, **settings)

    return ship


def edit(folder: Path, old: str, new: str) -> None:
    path = folder / "docs" / "leaving.md"
    path.write_text(path.read_text("utf-8").replace(old, new, 1), "utf-8")


def test_shipped_edited_and_shipped_again(ship: Any, folder: Path, schema: str) -> None:
    golden = folder / "golden.jsonl"
    first = ship(golden=golden)
    assert first.served
    assert first.checked.golden.passed
    assert ship(golden=golden).unchanged
    edit(folder, "# Leaving", "An opening.\n\n# Leaving")
    second = ship(golden=golden)
    assert (second.served, second.manifest.work["cut"], second.manifest.work["embedded"]) == (True, 1, 1)
    found = chunkwise.open_index(schema).search("garden leave", 2, corpus=chunkwise.read(folder / "docs"))
    assert [one.verified.state for one in found if one.verified] == ["same", "same"]
    assert found[0].version == "v000002"
    assert rollback(open_store(schema)) == "v000001"
    assert chunkwise.open_index(schema).search("garden leave", 1)[0].version == "v000001"


def test_what_does_not_pass_is_not_served(ship: Any, folder: Path, schema: str) -> None:
    golden = folder / "golden.jsonl"
    ship(golden=golden)
    failed = ship("fixed:size=60", golden=golden)
    assert not failed.served
    assert open_store(schema).served() == "v000001"
    with psycopg.connect(schema.partition("#")[0]) as connection:
        name = schema.partition("#")[2]
        rows = connection.execute("SELECT tablename FROM pg_tables WHERE schemaname = %s", [name]).fetchall()
    assert {row[0] for row in rows} == {"versions", "served", "chunks_v000001"}


def test_others_read_the_view(ship: Any, folder: Path, schema: str, model: Path) -> None:
    """As LangChain's and LlamaIndex's stores do: a text, an embedding, and metadata as JSON."""
    ship()
    url, _, name = schema.partition("#")
    from chunkwise.index import Dense

    vector = Dense(model=str(model)).embedder.questions(["garden leave"])[0]
    with psycopg.connect(url) as connection:
        row = connection.execute(
            f"SELECT id, text, metadata FROM {name}.chunks WHERE metadata->>'doc' = %s "
            "ORDER BY embedding <=> %s::vector LIMIT 1",
            ["leaving.md", json.dumps(vector.tolist())],
        ).fetchone()
    assert row is not None
    assert row[1].startswith("## Garden leave")
    assert row[2]["path"] == ["Leaving", "Garden leave"]
    assert row[2]["version"] == "v000001"
    del folder


def test_approximate_search_is_near_exact_search(server: str, schema: str) -> None:
    store = open_store(schema)
    assert isinstance(store, PostgresStore)
    text = "".join(f"Note {i} of {i * 7 % 1000}.\n\n" for i in range(1500))
    corpus = Corpus([chunkwise.read_text(text, "a.txt")])
    retriever = "dense:model=py:tests.ship.test_postgres.letters"
    assert chunkwise.ship_index(corpus, store, chunker="paragraph:size=24", retriever=retriever).served
    view = store.view("v000001")
    rng = np.random.default_rng(0)
    same = 0
    for _ in range(20):
        vector = rng.normal(size=16).astype(np.float32)
        vector /= np.linalg.norm(vector)
        exact, near = (view.dense(vector, 10, way) for way in (True, False))
        same += len({id for id, _ in exact} & {id for id, _ in near})
        assert [s for _, s in exact] == sorted((s for _, s in exact), reverse=True)
    assert same >= 190
    del server


def letters(texts: list[str]) -> Any:
    """Vectors of texts: counts of digits and letters, spread by a fixed matrix."""
    table = np.random.default_rng(1).normal(size=(128, 16))
    return [np.sum([table[ord(c) % 128] * (1 + i % 5) for i, c in enumerate(t)], axis=0) for t in texts]


def test_nul_and_odd_characters_survive(schema: str, model: Path) -> None:
    text = "# A\0B\n\ngarden \0 leave \ud800, 'quoted' \\ \t {a} é 日本.\n"
    corpus = Corpus([chunkwise.read_text(text, "o'dd \t\\N 日.md")])
    retriever = f"dense:model={model}"
    assert chunkwise.ship_index(corpus, schema, chunker="heading:size=400", retriever=retriever).served
    (found,) = chunkwise.open_index(schema).search("garden leave", 1, corpus=corpus)
    assert found.doc == "o'dd \t\\N 日.md"
    assert found.verified is not None
    assert found.verified.state == "same"


def test_two_ships_at_once(ship: Any, schema: str) -> None:
    with open_store(schema).lock(0), pytest.raises(StoreError, match="another ship is at work"):
        ship()


def test_a_server_that_was_restarted_is_asked_again(
    ship: Any, schema: str, monkeypatch: pytest.MonkeyPatch
) -> None:
    ship()
    monkeypatch.setenv("PGAPPNAME", schema.partition("#")[2])
    index = chunkwise.open_index(schema)
    assert isinstance(index.store, PostgresStore)
    with ExitStack() as held:  # three questions at once leave three connections behind
        for _ in range(3):
            held.enter_context(index.store.asked("waiting"))
    (before,) = index.search("soup", 1)
    idle = list(index.store._idle.queue)
    assert len(idle) == 3
    with psycopg.connect(schema.partition("#")[0]) as connection:
        ended = connection.execute(
            "SELECT pg_terminate_backend(pid) FROM pg_stat_activity "
            "WHERE application_name = %s AND pid <> pg_backend_pid()",
            [schema.partition("#")[2]],
        ).fetchall()
    assert len(ended) == 3
    for one in idle:
        assert select.select([one.fileno()], [], [], 60)[0]
    assert index.search("soup", 1) == [before]


@pytest.mark.parametrize("stage", ["copy", "write", "index", "check"])
def test_a_server_that_is_restarted_under_a_ship_has_freed_its_lock(
    ship: Any, folder: Path, schema: str, stage: str
) -> None:
    ship()
    edit(folder, "# Leaving", "An opening.\n\n# Leaving")
    name = schema.partition("#")[2]
    store = open_store(schema)
    others: list[Shipped] = []

    def tell(now: str, done: int, total: int) -> None:
        del done, total
        if now != stage or others:
            return
        with psycopg.connect(schema.partition("#")[0]) as connection:
            command = (
                "SELECT pg_terminate_backend(pid, 60000) FROM pg_locks "
                "WHERE locktype = 'advisory' AND objid = (hashtext(%s)::bigint & %s)::oid"
            )
            ended = connection.execute(command, [f"chunkwise {name}", 0xFFFFFFFF]).fetchall()
        assert ended == [(True,)]
        others.append(ship(wait=60))

    with pytest.raises(StoreError, match="ended the connection that held the lock"):
        chunkwise.ship_index(folder / "docs", store, progress=tell)
    assert (others[0].served, others[0].manifest.version) == (True, "v000002")
    opened = open_store(schema)
    assert (opened.served(), [one.state for one in opened.manifests()]) == ("v000002", ["ready", "ready"])
    assert opened.view("v000002").count() == others[0].manifest.chunks


def test_ships_to_several_schemas_of_a_new_database_at_once(server: str, folder: Path) -> None:
    """The extension is made once a database, and four ships find it missing."""
    name = f"d{uuid.uuid4().hex[:12]}"
    with psycopg.connect(server, autocommit=True) as connection:
        connection.execute(f"CREATE DATABASE {name}")
    url = urlsplit(server)._replace(path=f"/{name}").geturl()
    together = threading.Barrier(4, timeout=60)

    def make(number: int) -> None:
        store = open_store(f"{url}#t{number}")
        assert isinstance(store, PostgresStore)
        made = store._make

        def begin(cursor: Any) -> None:
            together.wait()
            made(cursor)

        store._make = begin  # type: ignore[method-assign]
        with store.lock(0):
            assert store.manifests() == []

    with ThreadPoolExecutor(4) as pool:
        assert list(pool.map(make, range(4))) == [None] * 4
    del folder


def test_readers_see_one_version_each_time_while_it_is_switched(ship: Any, folder: Path, schema: str) -> None:
    ship()
    index = chunkwise.open_index(schema)
    faults: list[str] = []
    stop = threading.Event()

    def ask() -> None:
        try:
            while not stop.is_set():
                found = index.search("notice period letter portal car", 10)
                versions = {one.version for one in found}
                marks = {word for one in found for word in one.text.split() if word.startswith("edition")}
                if len(versions) != 1 or len(marks) > 1:
                    faults.append(f"{versions} {marks}")
        except Exception as error:  # noqa: BLE001 - whatever it is, the test shows it
            faults.append(repr(error))

    threads = [threading.Thread(target=ask) for _ in range(2)]
    for thread in threads:
        thread.start()
    try:
        for number in range(20):
            path = folder / "docs" / "leaving.md"
            text = path.read_text("utf-8").replace(f" edition{number - 1}", "")
            path.write_text(text.replace("\n\n## ", f" edition{number}\n\n## "), "utf-8")
            assert ship(keep=1).served
    finally:
        stop.set()
        for thread in threads:
            thread.join()
    assert faults == []


def test_a_switch_takes_nothing_from_those_who_read(
    server: str, schema: str, folder: Path, model: Path, tmp_path: Path
) -> None:
    """A user of the server who may only read goes on reading: the view, a view of their own, and versions."""
    name = schema.partition("#")[2]
    other = static_model(tmp_path / "other", np.eye(3, dtype=np.float32), ["[UNK]", "garden", "leave"])
    with psycopg.connect(server, autocommit=True) as admin:
        admin.execute(f'CREATE ROLE "{name} Reader" LOGIN')
        ship_one = partial(chunkwise.ship_index, folder / "docs", schema)
        ship_one(chunker="heading:size=400", retriever=f"hybrid:rrf,dense={model}")
        admin.execute(f'GRANT USAGE ON SCHEMA {name} TO "{name} Reader"')
        admin.execute(f'GRANT SELECT ON ALL TABLES IN SCHEMA {name} TO "{name} Reader"')
        admin.execute(f"CREATE VIEW public.{name} AS SELECT doc FROM {name}.chunks")
    reads = f"{server.replace('postgres:@', quote(f'{name} Reader') + ':@')}#{name}"
    edit(folder, "your car", "your telephone")
    assert ship_one(chunker="heading:size=400").served
    assert chunkwise.open_index(reads).search("garden leave", 1)[0].version == "v000002"
    with psycopg.connect(server, autocommit=True) as admin:
        assert len(admin.execute(f"SELECT doc FROM public.{name}").fetchall()) == 4
        admin.execute(f"DROP VIEW public.{name}")
    # Vectors of another length: the view cannot be replaced in its place.
    assert ship_one(chunker="heading:size=400", retriever=f"hybrid:rrf,dense={other}").served
    assert chunkwise.open_index(reads).search("garden leave", 1)[0].version == "v000003"
    with psycopg.connect(urldefrag(reads)[0]) as reader:
        assert len(reader.execute(f"SELECT embedding FROM {name}.chunks").fetchall()) == 4
    with pytest.raises(StoreError, match="permission denied"):
        chunkwise.ship_index(folder / "docs", reads, chunker="fixed:size=100")


def test_a_user_with_a_schema_of_its_own_needs_no_right_to_make_one(
    server: str, schema: str, folder: Path
) -> None:
    name = schema.partition("#")[2]
    with psycopg.connect(server, autocommit=True) as admin:
        admin.execute("CREATE EXTENSION IF NOT EXISTS vector")
        admin.execute(f"CREATE ROLE {name} LOGIN")
        store = f"{server.replace('postgres:@', f'{name}:@')}#{name}"
        with pytest.raises(StoreError, match=f'CREATE SCHEMA "{name}" AUTHORIZATION'):
            chunkwise.ship_index(folder / "docs", store, chunker="fixed:size=100")
        admin.execute(f"CREATE SCHEMA {name} AUTHORIZATION {name}")
    assert chunkwise.ship_index(folder / "docs", store, chunker="fixed:size=100").served


def test_what_cannot_work_is_said_before_anything_is_made(ship: Any, folder: Path, schema: str) -> None:
    url, _, name = schema.partition("#")
    for bad in ("Bad-Name", "9th", "a b", "pg_mine", "a" * 42):
        with pytest.raises(SettingError, match=f"the schema '{bad}' must be of small letters"):
            open_store(f"{url}#{bad}")
    with pytest.raises(StoreError, match="failed") as caught:
        chunkwise.open_index("postgresql://someone:secret@localhost:1/x")
    assert "secret" not in str(caught.value)
    with psycopg.connect(url, autocommit=True) as connection:
        assert connection.execute("SELECT to_regnamespace(%s)", [name]).fetchone() == (None,)
        connection.execute(f"CREATE SCHEMA {name}")
        connection.execute(f"CREATE TABLE {name}.theirs (a int)")
    with pytest.raises(StoreError, match="made by others"):
        ship()
    del folder


def test_no_command_prints_a_password(
    folder: Path, schema: str, capfd: pytest.CaptureFixture[str], monkeypatch: pytest.MonkeyPatch
) -> None:
    monkeypatch.chdir(folder)
    store = ("--store", schema.replace("postgres:@", "postgres:secret@"))
    assert store[1] != schema
    commands = (
        ("ship", "docs", *store, "-c", "heading:size=400"),
        ("ship", "docs", *store, "-c", "heading:size=200", "-v"),
        ("index", "status", *store),
        ("index", "rollback", *store),
        ("index", "drop", "v000002", *store),
        ("search", "soup", *store),
        ("search", "soup", *store, "--at", "v000009"),
    )
    codes = [main(command) for command in commands]
    out, err = capfd.readouterr()
    assert codes == [0, 0, 0, 0, 0, 0, 9]
    shown = schema.replace("postgres:@", "postgres@")
    assert shown in out
    assert f"next, with the password in PGPASSWORD: chunkwise search 'YOUR QUESTION' --store '{shown}'" in err
    assert "secret" not in out + err


def test_what_comes_next_can_be_run_as_it_is_printed(
    folder: Path, schema: str, capfd: pytest.CaptureFixture[str], monkeypatch: pytest.MonkeyPatch
) -> None:
    monkeypatch.chdir(folder)
    store = schema.replace("postgres:@", "postgres:secret@")
    assert main(["ship", "docs", "--store", store, "-c", "heading:size=400"]) == 0
    _, _, command = capfd.readouterr().err.partition("next, with the password in PGPASSWORD: chunkwise ")
    monkeypatch.setenv("PGPASSWORD", "secret")
    assert main([*shlex.split(command.splitlines()[0].replace("YOUR QUESTION", "soup"))]) == 0
    assert "lunch.md" in capfd.readouterr().out


@pytest.mark.parametrize(
    ("text", "shown", "left_out"),
    [
        ("//h/db", "//h/db", ""),
        ("//me@h:1,[::1]:2/db#it", "//me@h:1,[::1]:2/db#it", ""),
        ("//me:hidden@h/db#it", "//me@h/db#it", "the password in PGPASSWORD"),
        ("//:hidden@/db?host=/tmp", "///db?host=/tmp", "the password in PGPASSWORD"),
        ("//h/db?password=hidden&a=b#it", "//h/db?a=b#it", "the password in PGPASSWORD"),
        ("//h/db?a=b&password=hidden", "//h/db?a=b", "the password in PGPASSWORD"),
        ("//h/db?sslpassword=hidden", "//h/db", "sslpassword in the address"),
        ("//h/db?pass%77ord=hidden&user=me@org", "//h/db?user=me@org", "the password in PGPASSWORD"),
        (
            "//me:hidden@h/db?sslpassword=hidden",
            "//me@h/db",
            "the password in PGPASSWORD and sslpassword in the address",
        ),
    ],
)
def test_what_is_secret_in_an_address_is_not_shown(text: str, shown: str, left_out: str) -> None:
    store = PostgresStore(f"postgresql:{text}")
    assert (store.spec, store.left_out) == (f"postgresql:{shown}", left_out)
    again = PostgresStore(store.spec)
    assert (again.spec, again.left_out, again.schema) == (store.spec, "", store.schema)


@pytest.mark.parametrize(
    ("text", "said"),
    [
        ("//me:hid/den@h/db", "%2F, %3F, %23 and %40"),
        ("//me:12/hidden@h/db", "%2F, %3F, %23 and %40"),
        ("//me:hid?den@h/db", "%2F, %3F, %23 and %40"),
        ("//me:12?hidden@h/db", "%2F, %3F, %23 and %40"),
        ("//me:hid#den@h/db", "%2F, %3F, %23 and %40"),
        ("//me:12#hidden@h/db", "%2F, %3F, %23 and %40"),
        ("//me:hidden\u2100@h/db", "no host and port"),
        ("//me:hidden@[h/db", "no host and port"),
        ("host=h password=hidden", "must begin with postgresql://"),
        ("//", "must begin with postgresql://"),
    ],
)
def test_an_address_that_cannot_be_read_is_refused_and_not_shown(text: str, said: str) -> None:
    with pytest.raises(SettingError, match=said) as caught:
        open_store(f"postgresql:{text}")
    assert "hid" not in str(caught.value)
    assert "den" not in str(caught.value)


def test_a_schema_may_have_a_name_that_sql_has_for_itself(
    server: str, folder: Path, model: Path, capfd: pytest.CaptureFixture[str]
) -> None:
    store, docs = f"{server}#select", str(folder / "docs")
    settings = {"chunker": "heading:size=400", "retriever": f"hybrid:rrf,dense={model}"}
    assert chunkwise.ship_index(docs, store, **settings).served  # type: ignore[arg-type]
    edit(folder, "# Leaving", "An opening.\n\n# Leaving")
    assert chunkwise.ship_index(docs, store, **settings).manifest.work["cut"] == 1  # type: ignore[arg-type]
    assert chunkwise.open_index(store).search("garden leave", 1, exact=True)[0].version == "v000002"
    with psycopg.connect(server) as connection:
        assert connection.execute('SELECT count(*) FROM "select".chunks').fetchone()[0] > 0
    for command in (["rollback"], ["drop", "v000002"], ["status"], ["versions"]):
        assert main(["index", *command, "--store", store]) == 0
    # Without vectors, the views have other columns: they are made anew.
    assert chunkwise.ship_index(docs, store, chunker="fixed:size=100", retriever="bm25").served
    assert "v000001 is served" in capfd.readouterr().err


def test_a_row_that_names_no_version_is_none(ship: Any, schema: str) -> None:
    ship()
    url, name = urldefrag(schema)
    with psycopg.connect(url) as connection:
        connection.execute(f"INSERT INTO {name}.versions VALUES ('backup', '{{}}')")
    assert [one.version for one in open_store(schema).manifests()] == ["v000001"]
