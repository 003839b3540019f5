"""docs/gate.md says what the gate does."""

from __future__ import annotations

import re
from pathlib import Path

from chunkwise.cli.exits import exit_of
from chunkwise.errors import GoldenError, NotComparable, NothingMeasured, ReportError, SettingError
from chunkwise.ship.rules import BOUNDARIES, COSTS, SIZES, Rules, load_rules

PAGE = (Path(__file__).parents[2] / "docs" / "gate.md").read_text("utf-8")


def test_the_file_of_rules_on_the_page_is_one(tmp_path: Path) -> None:
    (text,) = re.findall(r"^```toml\n(.*?)^```$", PAGE, re.MULTILINE | re.DOTALL)
    path = tmp_path / "gate.toml"
    path.write_text(text, "utf-8")
    assert load_rules(path).must_pass == ("notice-grade-7",)


def test_every_rule_is_told_with_its_default() -> None:
    told = dict(re.findall(r"^\| `(\w+)` \| (.+?) \|", PAGE, re.MULTILINE))
    assert list(told) == [name for name in Rules.__dataclass_fields__ if name not in ("source", "text")]
    usual = Rules()
    assert told["interval"] == f"`{str(usual.interval).lower()}`"
    for name in ("max_drop", "ceiling", "coverage"):
        assert told[name] == f"`{getattr(usual, name)}`"
    for name in (*BOUNDARIES, *SIZES, *COSTS):
        assert f"`{name}`" in PAGE


def test_the_codes_are_those_of_the_errors() -> None:
    told = [int(code) for code in re.findall(r"^\| .+ \| (\d) \|$", PAGE, re.MULTILINE)]
    kinds = (SettingError, ReportError, GoldenError, NotComparable, NothingMeasured)
    assert told == [1, *(exit_of(kind("")) for kind in kinds)]
