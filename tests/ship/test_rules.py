"""The file of rules: read as it is meant, refused with file and line."""

from __future__ import annotations

from pathlib import Path

import pytest

from chunkwise.errors import SettingError
from chunkwise.ship.rules import Rules, load_rules

WHOLE = """\
measures = ["recall@1000words", "mrr@10"]
max_drop = 0.03
ceiling = false
must_pass = ["notice"]
within = 3

[tags]
"query_type=factual" = 0.05

[boundaries]
row = 0.0

[costs]
"sent@5" = 1.2
chunks = 2
"""


def write(folder: Path, text: str) -> Path:
    path = folder / "gate.toml"
    path.write_text(text, "utf-8")
    return path


def test_a_whole_file(tmp_path: Path) -> None:
    rules = load_rules(write(tmp_path, WHOLE))
    assert rules.measures == ("recall@1000words", "mrr@10")
    assert (rules.max_drop, rules.ceiling, rules.coverage, rules.within) == (0.03, None, 0.0, 3)
    assert rules.tags == {"query_type=factual": 0.05}
    assert rules.costs == {"sent@5": 1.2, "chunks": 2.0}
    assert rules.tag_names == ("query_type",)


def test_limits_by_measure_name_what_is_compared(tmp_path: Path) -> None:
    rules = load_rules(write(tmp_path, '[max_drop]\n"hit@5" = 0.1\nceiling = 0.2\n'))
    assert rules.compared("mrr@10") == ("hit@5", "ceiling")
    assert (rules.drop_of("hit@5"), rules.drop_of("mrr@10")) == (0.1, None)
    assert Rules().compared("mrr@10") == ("mrr@10",)


@pytest.mark.parametrize(
    ("text", "message"),
    [
        (
            "interval = true\nmaxdrop = 0.1\n",
            r"gate\.toml:2: 'maxdrop': unknown rule; did you mean 'max_drop'",
        ),
        ("[boundaries]\nrows = 0.1\n", r"gate\.toml:2: 'rows': unknown rule in \[boundaries\]"),
        ("[costs]\nmoney = 1.1\n", "unknown rule in"),
        ("max_drop = 2\n", "is a share"),
        ("max_drop = -0.1\n", "at least 0"),
        ("max_drop = nan\n", "at least 0"),
        ("max_drop = true\n", "at least 0"),
        ("interval = 1\n", "true or false"),
        ("must_pass = 'a'\n", "a list of texts"),
        ("within = 0\n", "at least 1"),
        ("sizes = 3\n", "must be a table"),
        ("[tags]\nkind = 0.1\n", "a tag and its value"),
        ("max_drop =\n", "not valid TOML"),
        ('\ntags = {"kind=table" = 2}\n', r"gate\.toml:2: 'kind=table': is a share"),
    ],
)
def test_what_cannot_be_meant_is_refused(tmp_path: Path, text: str, message: str) -> None:
    with pytest.raises(SettingError, match=message):
        load_rules(write(tmp_path, text))


def test_a_file_that_is_not_there(tmp_path: Path) -> None:
    with pytest.raises(SettingError, match=r"none\.toml: cannot be read"):
        load_rules(tmp_path / "none.toml")
