"""How the decision says things: shares, points, measures in words."""

from __future__ import annotations

import re

from chunkwise.types import Report

__all__ = ["asked", "counted", "p_value", "percent", "points", "rough", "unit_name", "what"]


def counted(number: int, noun: str, plural: str = "") -> str:
    """A number with its noun."""
    return f"{number:,} {noun if number == 1 else plural or noun + 's'}"


def asked(report: Report) -> str:
    """How many questions were asked."""
    return counted(int(report.golden["questions"]), "question")


def what(measure: str, rule: str = "contained") -> str:
    """What a measure is a share of, in words, under a hit rule."""
    match = re.fullmatch(r"(hit|recall|mrr)@(\d+)(\D.*)?", measure)
    if match is None:
        what = {
            "ceiling": "what the questions need in some chunk, retrieved or not",
            "coverage": "what the questions need in its chunks together",
        }
        return what.get(measure, f"the possible {measure}")
    name, number, unit = match[1], int(match[2]), match[3]
    top = "the first chunk" if number == 1 else f"the first {number} chunks"
    if unit is not None:
        return f"the answers within {number:,} {unit_name(unit)} read ({measure})"
    if rule != "contained" and name != "mrr":
        return f"the {'answers' if name == 'hit' else 'passages needed'} in {top} ({measure}, rule {rule})"
    if name == "hit":
        return f"the whole answers in {top} ({measure})"
    if name == "recall":
        return f"the passages needed in {top} ({measure})"
    return f"the best possible rank for the answers ({measure})"


def unit_name(unit: str) -> str:
    """A unit in the plural."""
    return unit if unit in ("words", "chars") else f"{unit} tokens"


def p_value(p: float | None) -> str:
    """A p as it is printed."""
    return "p < 0.001" if p is not None and p < 0.001 else f"p = {p:.2g}"


def percent(share: float) -> str:
    """A share in per cent, with a digit behind the point where there is one."""
    return f"{100 * share:.1f}".removesuffix(".0")


def points(difference: float) -> str:
    """A difference of shares in points."""
    text = percent(difference)
    return f"{text} point{'' if text == '1' else 's'}"


def rough(number: int) -> int:
    """A number to two digits: more of them would promise too much."""
    step: int = 10 ** max(0, len(str(number)) - 2)
    return int(-(-number // step) * step)
