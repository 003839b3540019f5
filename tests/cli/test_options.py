"""Options that several commands take are one option: the same flags, and the same word for the value."""

from __future__ import annotations

from collections import defaultdict

import typer

from chunkwise.cli.app import app


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
