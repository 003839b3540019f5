"""The rooms of the house import only what their row of the table allows."""

from __future__ import annotations

import ast
import subprocess
import sys
from collections.abc import Iterator
from pathlib import Path

import pytest

import chunkwise

SOURCE = Path(chunkwise.__file__).parent
BASE = "types errors arguments"
LEFT = f"{BASE} spec text structure readers chunk golden measure adapters index"
ROOMS = {
    "errors": "",
    "arguments": "errors",
    "types": "errors arguments",
    "files": "",
    "endpoints": "errors",
    "plugins": "errors",
    "spec": BASE,
    "text": f"{BASE} files",
    "structure": f"{BASE} text",
    "readers": f"{BASE} spec text structure",
    "chunk": f"{BASE} spec text structure",
    "adapters": f"{BASE} spec text structure plugins",
    "golden": f"{BASE} spec text files endpoints",
    "measure": f"{BASE} spec text",
    "index": f"{BASE} spec text files endpoints",
    "stats": "",
    "profiles": f"{BASE} spec text structure readers",
    "evaluate": f"{LEFT} stats",
    "decide": f"{BASE} stats",
    "comparison": f"{LEFT} plugins stats evaluate decide",
    "explanation": f"{BASE} spec text structure readers golden index measure evaluate comparison",
    "report": BASE,
    "config": f"{BASE} spec",
    "ship": f"{LEFT} files plugins stats evaluate decide comparison report config",
    "testing": f"{BASE} text spec structure chunk",
    "cli": f"{LEFT} files stats profiles evaluate decide comparison explanation report config ship testing",
    "__main__": "cli",
}
OPTIONAL = {
    "bpe_openai",
    "chonkie",
    "daft",
    "fastembed",
    "jinja2",
    "lancedb",
    "langchain_text_splitters",
    "llama_index",
    "loguru",
    "model2vec",
    "onnxruntime",
    "pandas",
    "pgvector",
    "psycopg",
    "pyarrow",
    "qdrant_client",
    "ray",
    "tiktoken",
    "tokenizers",
    "usearch",
}
FILES = sorted(SOURCE.rglob("*.py"))


def imported(tree: ast.AST, package: list[str]) -> Iterator[tuple[int, list[str]]]:
    """Line and dotted name, in parts, of everything that the code below `tree` imports."""
    for node in ast.walk(tree):
        if isinstance(node, ast.Import):
            yield from ((node.lineno, alias.name.split(".")) for alias in node.names)
        elif isinstance(node, ast.ImportFrom):
            above = package[: len(package) - node.level + 1] if node.level else []
            module = above + (node.module.split(".") if node.module else [])
            yield from ((node.lineno, [*module, alias.name]) for alias in node.names)


def at_import(body: list[ast.stmt]) -> Iterator[ast.stmt]:
    """The statements that run when a module is imported; not functions, not what only a type checker sees."""
    for node in body:
        if isinstance(node, ast.If) and "TYPE_CHECKING" in ast.unparse(node.test):
            yield from at_import(node.orelse)
        elif isinstance(node, ast.If | ast.Try | ast.With | ast.ClassDef | ast.For | ast.While):
            for part in ("body", "orelse", "finalbody"):
                yield from at_import(getattr(node, part, []))
            for handler in getattr(node, "handlers", []):
                yield from at_import(handler.body)
        elif not isinstance(node, ast.FunctionDef | ast.AsyncFunctionDef):
            yield node


def breaches(file: Path, text: str) -> list[str]:
    """Every import of a module that its room must not have."""
    parts = file.relative_to(SOURCE).with_suffix("").parts
    tree, package, faults = ast.parse(text), ["chunkwise", *parts[:-1]], []
    if parts != ("__init__",):
        if parts[0] not in ROOMS:
            return [f"{file.name}: {parts[0]!r} is no room of the table"]
        allowed = {*ROOMS[parts[0]].split(), parts[0]}
        for line, name in imported(tree, package):
            room = name[1] if len(name) > 1 else "the whole package"
            if name[0] == "chunkwise" and room not in allowed:
                faults.append(f"{'/'.join(parts)}.py:{line}: {parts[0]} may not import {room}")
    for statement in at_import(tree.body):
        for line, name in imported(statement, package):
            if name[0] in OPTIONAL:
                faults.append(f"{'/'.join(parts)}.py:{line}: import {name[0]} where it is needed")
    return faults


@pytest.mark.parametrize("file", FILES, ids=[str(f.relative_to(SOURCE)) for f in FILES])
def test_rooms_import_only_what_they_may(file: Path) -> None:
    assert breaches(file, file.read_text("utf-8")) == []


@pytest.mark.parametrize(
    ("file", "text"),
    [
        ("stats.py", "def f():\n    from chunkwise.types import Span\n"),
        ("chunk/a.py", "from chunkwise import text, golden\n"),
        ("chunk/a.py", "from ..measure import hit\n"),
        ("golden/a.py", "import chunkwise.structure\n"),
        ("measure/a.py", "import chunkwise\n"),
        ("kitchen.py", ""),
        ("text.py", "try:\n    import tiktoken\nexcept ImportError:\n    tiktoken = None\n"),
        ("types/report.py", "class A:\n    import pandas as pd\n"),
    ],
)
def test_a_breach_is_seen(file: str, text: str) -> None:
    assert len(breaches(SOURCE / file, text)) == 1


def test_what_is_allowed_is_not_reported() -> None:
    text = "from ..types import Span\nif TYPE_CHECKING:\n    import pandas\ndef f():\n    import tokenizers\n"
    assert breaches(SOURCE / "text.py", text.replace("..", ".")) == []
    assert breaches(SOURCE / "chunk/a.py", text) == []


def test_the_front_door_holds_names_only() -> None:
    body = ast.parse((SOURCE / "__init__.py").read_text("utf-8")).body
    functions = {node.name for node in body if isinstance(node, ast.FunctionDef)}
    assert functions <= {"__getattr__", "__dir__"}
    assert not [node for node in body if isinstance(node, ast.ClassDef | ast.For | ast.While)]


def test_public_names_are_sorted_and_resolve() -> None:
    names = chunkwise.__all__
    assert list(names) == sorted(names)
    assert len(set(names)) == len(names)
    assert [name for name in names if not hasattr(chunkwise, name)] == []
    assert set(names) <= set(dir(chunkwise))


def test_a_public_name_is_not_hidden_by_a_module_of_that_name() -> None:
    shadowed = [name for name in chunkwise.__all__ if name in ROOMS]
    code = f"import chunkwise, importlib\nfor name in {shadowed}:\n"
    code += " importlib.import_module(f'chunkwise.{name}')\n assert callable(getattr(chunkwise, name)), name"
    subprocess.run([sys.executable, "-c", code], check=True)


def test_import_is_light() -> None:
    heavy = ["numpy", "regex", "rich", "typer", "pyromark", "sentencex", "sqlite3", *sorted(OPTIONAL)]
    assert loaded("chunkwise", heavy) == []


def test_a_comparison_loads_nothing_that_only_other_commands_need() -> None:
    others = ["profiles", "explanation", "ship", "report", "types.profile", "types.explanation"]
    assert loaded("chunkwise.comparison", [f"chunkwise.{name}" for name in others]) == []


def loaded(module: str, others: list[str]) -> list[str]:
    """Those of some modules that are loaded where one is imported in a fresh process."""
    code = f"import sys, {module}; print(*(m for m in {others} if m in sys.modules))"
    done = subprocess.run([sys.executable, "-c", code], capture_output=True, text=True, check=True)
    return done.stdout.split()
