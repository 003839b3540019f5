"""Which lines number their pages, in what people write at the edge of one."""

from __future__ import annotations

import pytest

from chunkwise import read_text
from chunkwise.readers.clean import clean

ROMAN = ("i", "ii", "iii", "iv", "v", "vi")
WORDS = ("one", "two", "three", "four", "five", "six")


def left(*feet: str) -> list[str]:
    """The feet that are left of pages with so many feet."""
    pages = [
        f"Of the {word} quays.\nBoats lie at each, {word} deep.\n\n{foot}\n"
        for word, foot in zip(WORDS, feet, strict=True)
    ]
    cleaned = clean(read_text("\f".join(pages), "a.txt"), "page-furniture").text
    return [line for line in cleaned.split("\n") if line and line[:2] not in ("Of", "Bo")]


@pytest.mark.parametrize(
    "foot",
    [
        *("{}", "[{}]", "- {} -", "{} of 6", "{}/6", "{} (6)", "2-{}", "A-{}", "{} из 6", "{} z 6"),
        *("Page {}", "PAGE {} OF 6", "Page: {}", "Page No. {}", "Page A-{}", "Pg. {} / 6", "p. {}", "page{}"),
        *("Seite {} von 6", "Página {} de 6", "Стр. {} из 6", "Side {} af 6", "Strona {} z 6", "Folha {}"),
        *("Sheet {} of 6", "第{}页", "第 {} 页 / 共 6 页", "{}/6ページ", "{}쪽"),
        *("Harbour rules    {}", "{} | Harbour rules", "Printed on 1 May 2024    Page {} of 6"),
    ],
)
def test_lines_that_count_with_the_pages_go(foot):
    assert left(*(foot.format(i) for i in range(1, 7))) == []
    assert left(*(foot.format(i + 16) for i in range(1, 7))) == []


@pytest.mark.parametrize("foot", ["{}", "- {} -", "[{}]", "Page {}", "Preface    {}", "{} | Preface"])
def test_roman_numbers_count_too(foot):
    assert left(*map(foot.format, ROMAN)) == []
    assert left(*(foot.format(number.upper()) for number in ROMAN)) == []


def test_roman_numbers_before_the_first_chapter_go_with_the_others():
    assert left("i", "ii", "iii", "1", "2", "3") == []


def test_roman_numbers_of_a_few_pages_of_many():
    numbers = [*ROMAN[:4], *map(str, range(1, 31))]
    pages = [f"Quay {'abcdefghij'[i % 10]}{'klmnop'[i // 10]}.\n\n{n}\n" for i, n in enumerate(numbers)]
    cleaned = clean(read_text("\f".join(pages), "a.txt"), "page-furniture").text
    assert [line for line in cleaned.split("\n") if line and not line.startswith("Quay")] == []


def test_numbers_count_on_where_a_page_was_put_in():
    assert left("1", "2", "3", "5", "6", "7") == []


@pytest.mark.parametrize(
    "feet",
    [
        [f"Step {i}" for i in range(1, 7)],
        [f"In {i} of 6 cases it held." for i in range(1, 7)],
        [f"Chapter {number.upper()}" for number in ROMAN],
        [f"{number}. the item" for number in ROMAN],
        [str(7 * i) for i in range(1, 7)],
        ["c", "b", "c", "a", "d", "l"],  # letters of a register, some of them roman
        ["vi", "i", "iv", "ii", "v", "iii"],
        ["mild", "did", "civil", "mix", "dill", "mid"],
    ],
)
def test_what_only_looks_like_a_number_of_a_page_stays(feet):
    assert left(*feet) == feet
