"""The pages say what the code does: tables are compared with it, examples are run, links lead somewhere."""

from __future__ import annotations

import contextlib
import importlib.util
import io
import re
from dataclasses import fields
from itertools import pairwise
from pathlib import Path

import pytest
from scripts.figures import MAKERS, blocks

from chunkwise.adapters.libraries import LIBRARIES
from chunkwise.chunk import CHUNKERS, make_chunkers
from chunkwise.cli.app import COMMANDS
from chunkwise.comparison import make_candidates
from chunkwise.golden.entries import RESERVED
from chunkwise.index import RETRIEVERS, Bm25, make_retrievers
from chunkwise.index.embedders import EMBEDDERS
from chunkwise.measure import MEASURES, RULES, parse_measure
from chunkwise.readers import READERS
from chunkwise.readers.clean import STEPS
from chunkwise.types import CandidateReport, Report

ROOT = Path(__file__).parents[2]
DOCS = ROOT / "docs"
PAGES = sorted([*DOCS.glob("*.md"), ROOT / "README.md", ROOT / "CONTRIBUTING.md", ROOT / "CHANGELOG.md"])
MOST = 280  # lines of a page


def page(name: str) -> str:
    return (DOCS / name).read_text("utf-8")


def section(text: str, title: str) -> str:
    """The text below a heading of level 2, up to the next one."""
    return re.split(rf"^## {re.escape(title)}$", text, flags=re.MULTILINE)[1].split("\n## ")[0]


def rows(text: str) -> list[list[str]]:
    """The cells of all table rows, header and delimiter rows left out."""
    found = []
    lines = text.splitlines()
    for before, line in pairwise(lines):
        if line.startswith("|") and before.startswith("|") and not line.startswith("|-"):
            cells = re.split(r"(?<!\\)\|", line.strip().strip("|"))
            found.append([cell.strip().replace("\\|", "|") for cell in cells])
    return found


def code(cell: str) -> str:
    return re.sub(r"^`+ ?| ?`+$", "", cell) if not cell.endswith(" `") else cell.strip("`")


@pytest.mark.parametrize("name", CHUNKERS)
def test_each_setting_of_a_chunker_is_told_with_its_default(name: str) -> None:
    chunker = CHUNKERS[name]
    told = {code(row[0]): code(row[1]) for row in rows(section(page("chunkers.md"), name))}
    assert told == {f.name: f.metadata["show"](f.default) for f in fields(chunker)}


@pytest.mark.parametrize("name", CHUNKERS)
def test_the_example_of_a_chunker_is_one(name: str) -> None:
    (example,) = re.findall(r"^Example: `(.+)`$", section(page("chunkers.md"), name), re.MULTILINE)
    pytest.importorskip("tiktoken", reason="the extra 'tokens' is not installed")
    (made,) = make_chunkers(example)
    assert type(made) is CHUNKERS[name]


def test_the_rooms_are_those_of_the_import_rules() -> None:
    spec = importlib.util.spec_from_file_location("import_rules", ROOT / "tests" / "test_imports.py")
    assert spec is not None
    assert spec.loader is not None
    rules = importlib.util.module_from_spec(spec)
    spec.loader.exec_module(rules)
    told = {
        row[0]: set(row[2].replace("nothing of ours", "").replace(",", " ").split())
        for row in rows(section(page("architecture.md"), "The rooms"))
    }
    assert told == {room: set(allowed.split()) for room, allowed in rules.ROOMS.items() if room != "__main__"}


def test_every_measure_and_rule_is_explained() -> None:
    text = page("measures.md")
    told = [code(row[0]) for row in rows(section(text, "What is measured of an answer"))]
    parsed = [parse_measure(name.replace("@k", "@5")) for name in told]
    assert {re.sub(r"@.*", "", measure.name) for measure in parsed} == set(MEASURES)
    assert [code(row[0]) for row in rows(section(text, "Hit rules"))] == list(RULES)


def test_the_settings_of_bm25_are_told() -> None:
    told = {code(row[0]): code(row[1]) for row in rows(section(page("retrievers.md"), "`bm25`"))}
    usual = Bm25()
    assert told == {name: str(getattr(usual, name)) for name in ("k1", "b", "words")}


def test_every_retriever_and_model_and_library_is_told() -> None:
    text = page("retrievers.md")
    assert re.findall(r"^## `(\w+)`$", text, re.MULTILINE) == list(RETRIEVERS)
    for form in re.findall(r"-r '?([^\s']+)", text):
        assert len(make_retrievers(form)) == 1
    assert [name for name in EMBEDDERS if f"`{name}`" not in text] == []
    others = section(page("chunkers.md"), "Other libraries")
    assert [code(row[1]) for row in rows(others)] == list(LIBRARIES)
    assert [code(row[0]).partition(".")[0] for row in rows(others)] == list(LIBRARIES)


def test_the_text_forms_parse() -> None:
    for row in rows(section(page("specs.md"), "The grammar")):
        form = code(row[0])
        if "mypackage" not in form:
            assert len(make_candidates(form)) == {"a sweep: t": 3, "a sweep of": 4}.get(row[1][:10], 1), form
    (separators,) = re.findall(r"`(recursive:separators=[^`]+)`", page("specs.md"))
    assert make_chunkers(separators)[0].separators == ("\n\n", ";", ",", "sentence")
    for form in re.findall(r"compare `(fixed:[^`]+)`", page("measures.md")):
        assert len(make_chunkers(form)) == 4
    for form in re.findall(r"`((?:bm25|dense|hybrid|rerank):[^`]+)`", page("specs.md")):
        assert make_retrievers(form)
    for alias, name in re.findall(r"`(\w+@\d+)` is `(\w+@\d+)`", page("specs.md")):
        assert parse_measure(alias).name == name


def test_the_fields_of_a_golden_set_are_told() -> None:
    told = {code(row[0]) for row in rows(section(page("golden-sets.md"), "Fields"))} - {"anything else"}
    assert told <= RESERVED
    assert {"id", "question", "doc", "gold", "quote", "also", "family", "origin", "reviewed"} <= told


def test_every_command_and_file_ending_is_told() -> None:
    told = {
        row[0].strip("`").split()[1]
        for row in rows(page("command-line.md"))
        if row[0].startswith("`chunkwise")
    }
    assert told == {command.__name__ for command in COMMANDS}
    assert [code(row[0]) for row in rows(section(page("cleaning.md"), "Steps"))] == list(STEPS)
    for suffix in READERS:
        if suffix != ".text":
            assert f"`{suffix}`" in page("reading.md")


def test_the_keys_of_a_report_are_told() -> None:
    table = rows(section(page("command-line.md"), "A report as JSON"))
    told = {code(name) for row in table for name in row[0].split(", ")}
    assert told == {f.name for f in fields(Report)}
    (candidates,) = (row[1] for row in table if row[0] == "`candidates`")
    assert re.findall(r"`(\w+)`", candidates) == [f.name for f in fields(CandidateReport)]


@pytest.mark.parametrize("path", PAGES, ids=[path.name for path in PAGES])
def test_links_lead_somewhere_and_pages_are_short(path: Path) -> None:
    text = path.read_text("utf-8")
    for target in re.findall(r"\]\(([^)#\s]+)", text):
        if "://" in target:
            continue
        assert (path.parent / target).exists(), f"{path.name} links to {target}"
    assert len(text.splitlines()) <= MOST


@pytest.mark.parametrize("name", sorted(path.name for path in DOCS.glob("*.md")))
def test_python_on_the_pages_runs(name: str, monkeypatch: pytest.MonkeyPatch) -> None:
    monkeypatch.chdir(ROOT)
    names: dict[str, object] = {}
    for block in re.findall(r"^```python\n(.*?)^```$", page(name), re.MULTILINE | re.DOTALL):
        with contextlib.redirect_stdout(io.StringIO()) as printed:
            exec(compile(block, name, "exec"), names)
        assert printed.getvalue() or "print" not in block


def test_all_pages_are_named_in_the_readme() -> None:
    text = (ROOT / "README.md").read_text("utf-8")
    assert [path.name for path in DOCS.glob("*.md") if f"(docs/{path.name})" not in text] == []


@pytest.mark.parametrize("names", ["rfc9562", "constitution", "fastapi fastapi-definitions"])
def test_published_figures_are_the_ones_that_come_out(names: str, shared: Path) -> None:
    written = blocks(page("published.md"))
    for name in names.split():
        made = MAKERS[name](shared / "corpora")
        assert made is not None
        assert written[name] == made, "write them anew with: make figures"


def test_every_store_is_told() -> None:
    from chunkwise.ship.stores import STORES

    told = [code(row[1]).partition(":")[0] for row in rows(section(page("shipping.md"), "Stores"))]
    assert sorted(told) == sorted(STORES)
