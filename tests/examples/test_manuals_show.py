"""What the manuals are made to show: the path helps where the answer does not name its device."""

from __future__ import annotations

import math
import re
from collections import Counter, defaultdict
from pathlib import Path

import pytest
from examples.manuals import build, shape

README = Path(__file__).parents[2] / "examples" / "manuals" / "README.md"
CANDIDATES = ("fixed", "paragraph", "heading, path left out", "heading")


def words(text: str) -> list[str]:
    return re.findall(r"[a-z0-9_]+", text.lower())


def top3(texts: list[str], questions: list[str]) -> list[list[int]]:
    """BM25 as the article's reference defines it: k1 1.5, b 0.75, ties by number."""
    counts = [Counter(words(text)) for text in texts]
    lengths = [sum(count.values()) for count in counts]
    mean = sum(lengths) / len(lengths)
    holders: dict[str, list[int]] = defaultdict(list)
    for i, count in enumerate(counts):
        for word in count:
            holders[word].append(i)
    ranked = []
    for question in questions:
        scores: dict[int, float] = defaultdict(float)
        for word in words(question):
            found = holders.get(word, [])
            idf = math.log(1 + (len(texts) - len(found) + 0.5) / (len(found) + 0.5))
            for i in found:
                tf = counts[i][word]
                scores[i] += idf * tf * 2.5 / (tf + 1.5 * (0.25 + 0.75 * lengths[i] / mean))
        ranked.append(sorted(scores, key=lambda i: (-round(scores[i], 6), i))[:3])
    return ranked


@pytest.fixture(scope="module")
def hits() -> dict[str, dict[str, float]]:
    """Candidate and group of questions to hit@3 in per cent."""
    docs, questions = build()
    found = {}
    for name in CANDIDATES:
        pieces = getattr(shape, name.partition(",")[0])(docs, 600)
        texts = [f"{p.prefix}\n{p.body}" if name == "heading" else p.body for p in pieces]
        groups = defaultdict(list)
        for q, top in zip(questions, top3(texts, [q["question"] for q in questions]), strict=True):
            hit = any(pieces[i].doc == q["doc"] and q["gold"] in texts[i] for i in top)
            groups["all"].append(hit)
            groups[q["names"]].append(hit)
        found[name] = {group: 100 * sum(row) / len(row) for group, row in groups.items()}
    return found


def test_the_path_helps_most_where_the_answer_says_the_unit(hits):
    gain = {name: hits["heading"][name] - hits["heading, path left out"][name] for name in hits["heading"]}
    assert gain["unit"] > 15
    assert gain["unit"] > gain["model"] > gain["code"]


@pytest.mark.parametrize("other", ["fixed", "paragraph"])
def test_heading_with_path_is_far_ahead_on_the_unit(hits, other):
    assert hits["heading"]["unit"] > hits[other]["unit"] + 20
    assert hits["heading"]["all"] > hits[other]["all"] + 15


@pytest.mark.parametrize("name", CANDIDATES)
def test_the_readme_gives_these_figures(hits, name):
    row = " | ".join(f"{hits[name][group]:.1f}" for group in ("all", "model", "unit", "code"))
    assert f"| {name} | {row} |" in README.read_text(encoding="utf-8")


def test_the_readme_gives_the_shape_of_seed_7():
    figures = {f.name: f.value for f in shape.measure(*build())}
    text = README.read_text(encoding="utf-8")
    seed7 = dict(re.findall(r"^\| ([^|]+) \| [^|]+ \| ([^|]+) \| [^|]* \|$", text, re.MULTILINE))
    assert seed7["characters"].split()[0] == f"{figures['characters']:,}"
    assert seed7["fixed chunks at 600"] == f"{figures['fixed chunks at 600']}"
    assert seed7["heading chunks at 600"] == f"{figures['heading chunks at 600']}"
    assert seed7["median length of a gold"] == f"{figures['median length of a gold']:g}"
    median = figures["median length of a manual's section"]
    assert seed7["median and longest section of a manual"] == (
        f"{median:g}, {figures['longest section of a manual']}"
    )
    for size, overlap in ((300, 50), (600, 100)):
        ceiling = figures[f"ceiling of fixed at {size}, overlap {overlap} (%)"]
        assert seed7[f"ceiling of fixed at {size}, overlap {overlap}"] == f"{ceiling:.1f} %"
