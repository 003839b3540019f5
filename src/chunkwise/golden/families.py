"""Families: questions that stand or fall together."""

from __future__ import annotations

from collections.abc import Iterable, Sequence

from chunkwise.types import Place, Question


def join_families(questions: Sequence[Question]) -> list[Question]:
    """The questions with their families filled in.

    Questions with the same family as given, or with a place (document and span) in common, are of one
    family; so is a question whose id is another one's family. The family is called by the first name
    that is given in it, else by the id of its first question.
    """
    above: dict[object, object] = {}

    def root(key: object) -> object:
        above.setdefault(key, key)
        while above[key] != key:
            above[key] = above[above[key]]
            key = above[key]
        return key

    for question in questions:
        for key in _keys(question):
            above[root(key)] = root(question.id)
    names: dict[object, str] = {}
    for question in questions:
        if question.family:
            names.setdefault(root(question.id), question.family)
    for question in questions:
        names.setdefault(root(question.id), question.id)
    return [question._replace(family=names[root(question.id)]) for question in questions]


def _keys(question: Question) -> Iterable[str | Place]:
    if question.family:
        yield question.family
    for gold in question.golds:
        yield from gold.places
