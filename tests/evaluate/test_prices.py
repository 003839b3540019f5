"""The price file, and money: what is refused, and sums worked by hand."""

from __future__ import annotations

from pathlib import Path
from typing import Any

import pytest

from chunkwise.errors import ReadError, SettingError
from chunkwise.evaluate.prices import Prices, load_prices, money

GOOD = """\
# what our providers ask
currency = "EUR"
embedding = 0.1
reading = 2
queries_per_month = 1000
changed_per_month = 0.25
tokens_per_unit = 1.5
"""


def written(tmp_path: Path, text: str) -> Path:
    path = tmp_path / "prices.toml"
    path.write_text(text, "utf-8")
    return path


def test_a_whole_file(tmp_path: Path) -> None:
    assert load_prices(written(tmp_path, GOOD)) == Prices("EUR", 0.1, 2, 1000, 0.25, 1.5)
    assert load_prices(written(tmp_path, "\ufeffembedding = 1")) == Prices(embedding=1)
    assert load_prices(written(tmp_path, "")) == Prices()


@pytest.mark.parametrize(
    ("text", "message"),
    [
        ("\nembeding = 1", r"prices\.toml:2: embeding is no known key; did you mean 'embedding'\? \(known: "),
        ("[reading]\nprice = 1", r"prices\.toml:1: reading must be a number of at least 0"),
        ("\n[embed]\nprice = 1", r"prices\.toml:2: embed is no known key; did you mean 'embedding'"),
        ("xyz = 1", r"prices\.toml:1: xyz is no known key \(known: changed_per_month, currency"),
        ("reading = -1", "reading must be a number of at least 0, got -1"),
        ("reading = nan", "reading must be a number"),
        ("reading = true", "reading must be a number"),
        ('reading = "2"', "reading must be a number"),
        ("reading = 1\nchanged_per_month = 5", r":2: changed_per_month must be a share from 0 to 1, got 5"),
        ("currency = 3", "currency must be a text"),
        ("embedding 1", r"prices\.toml: not valid TOML: .*line 1"),
    ],
)
def test_what_cannot_be_meant_names_the_line_and_the_key(tmp_path: Path, text: str, message: str) -> None:
    with pytest.raises(SettingError, match=message):
        load_prices(written(tmp_path, text))


def test_files_that_cannot_be_read(tmp_path: Path) -> None:
    with pytest.raises(ReadError, match=r"nowhere\.toml: cannot be read"):
        load_prices(tmp_path / "nowhere.toml")
    (tmp_path / "latin.toml").write_bytes(b'currency = "\xa3"')
    with pytest.raises(ReadError, match="byte 12 is not UTF-8"):
        load_prices(tmp_path / "latin.toml")


def test_values_made_in_python_are_checked_too() -> None:
    with pytest.raises(SettingError, match="prices: reading must be a number"):
        Prices(reading=-2)


COSTS: dict[str, Any] = {
    "embedded": 4_000_000,
    "unit": "cl100k",
    "sent": {"@5": 1000.0, "@1000cl100k": 800.0},
    "churn": {"share": 0.5},
}


def test_sums_by_hand() -> None:
    found = money(COSTS, Prices("EUR", 0.1, 2, 1000, 0.25), 20)
    assert found["currency"] == "EUR"
    # 4 million tokens at 0.1; a quarter of the documents change, half of their texts.
    assert found["index"] == pytest.approx(0.4)
    assert found["changes"] == pytest.approx(0.4 * 0.25 * 0.5)
    # 20 tokens embedded, 1,000 read.
    assert found["query"]["@5"] == pytest.approx(20e-6 * 0.1 + 1000e-6 * 2)
    assert found["month"]["@5"] == pytest.approx(0.05 + 1000 * 0.002002)
    assert list(found["query"]) == list(found["month"]) == ["@5", "@1000cl100k"]


def test_without_churn_all_of_a_changed_document_is_embedded_again() -> None:
    costs = {key: value for key, value in COSTS.items() if key != "churn"}
    assert money(costs, Prices(embedding=0.1, changed_per_month=0.25), 20)["changes"] == pytest.approx(0.1)


def test_words_need_to_be_told_how_many_tokens_they_have() -> None:
    costs = {**COSTS, "unit": "words"}
    with pytest.raises(SettingError, match=r"unit='cl100k', or say how many tokens a word has"):
        money(costs, Prices(embedding=0.1), 20)
    assert money(costs, Prices(embedding=0.1, tokens_per_unit=1.5), 20)["index"] == pytest.approx(0.6)
    assert Prices(tokens_per_unit=0.25).tokens("chars") == 0.25
    with pytest.raises(SettingError, match="a character has"):
        Prices().tokens("chars")


def test_sums_keep_six_digits_whatever_their_size() -> None:
    found = money({**COSTS, "embedded": 123_456_789}, Prices(embedding=1 / 3), 0)
    assert found["index"] == 41.1523
    assert found["query"]["@5"] == 0.0
