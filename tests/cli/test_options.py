"""Options that several commands take are one option: the same flags, and the same word for the value."""

from __future__ import annotations

from collections import defaultdict
from pathlib import Path

import pytest
import typer

from chunkwise.cli import Exit
from chunkwise.cli.app import app

from .conftest import Run


def test_an_option_is_spelt_the_same_in_all_commands() -> None:
    command = typer.main.get_command(app)
    found: dict[str, dict[tuple[tuple[str, ...], str], list[str]]] = defaultdict(lambda: defaultdict(list))
    for name, one in command.commands.items():  # type: ignore[attr-defined]
        for parameter in one.params:
            # What is switched on in one command may take a file in another: --json.
            if parameter.param_type_name == "option" and not parameter.is_flag:
                long = next(flag for flag in parameter.opts if flag.startswith("--"))
                found[long][tuple(parameter.opts), str(parameter.metavar)].append(name)
    assert len(found["--chunker"][("-c", "--chunker"), "SPEC"]) == 5
    differing = {long: dict(ways) for long, ways in found.items() if len(ways) > 1}
    differing.pop("--k")  # search takes one number, the others several
    assert differing == {}


@pytest.mark.parametrize(
    ("arguments", "said"),
    [
        (
            ("gate", "--report", "r.json", "--json", "x.json", "-k", "3"),
            "--k and --json would do nothing with --report",
        ),
        (("gate", "--report", "r.json", "--golden", "golden.jsonl"), "--golden would do nothing"),
        (
            ("explain", "--report", "r.json", "--worst", "1", "--budget", "3"),
            "--budget would do nothing with --report",
        ),
        (("draft", "docs", "--count", "3"), "--count would do nothing without --with"),
        (("search", "q", "--store", "jsonl:x", "--docs", "docs"), "--docs would do nothing without --verify"),
        (
            ("index", "status", "v000001", "--store", "jsonl:x"),
            "status takes no version: leave 'v000001' out",
        ),
        (
            ("index", "versions", "--wait", "3", "--store", "jsonl:x"),
            "--wait would do nothing with versions",
        ),
        (("index", "rollback", "--json", "--store", "jsonl:x"), "--json would do nothing with rollback"),
    ],
)
def test_an_option_that_would_do_nothing_is_refused(run: Run, arguments: tuple[str, ...], said: str) -> None:
    done = run(*arguments)
    assert done.code == Exit.USAGE
    assert said in done.err


def test_what_a_file_sets_may_be_of_no_use_to_a_command(run: Run, folder: Path) -> None:
    (folder / "chunkwise.toml").write_text('[search]\ndocs = "docs"\n[draft]\ncount = 3\n', "utf-8")
    assert run("draft", "docs").code == Exit.OK
    assert "holds files that are not searched" in run("search", "q", "--store", "jsonl:x").err
