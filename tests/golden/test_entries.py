from __future__ import annotations

import pytest

from chunkwise.golden.entries import read_entry
from chunkwise.golden.rows import Row
from tests.golden.make import row


def read(**keys):
    return read_entry(Row(1, 0, 0, row(**keys)))


def golds(entry):
    assert entry.problems == []
    return [[(c.doc, c.quote, c.span) for c in need] for need in entry.needs]


def only(entry):
    (problem,) = entry.problems
    return problem


A = "a.md"


@pytest.mark.parametrize(
    ("keys", "wanted"),
    [
        ({"gold": "x"}, [[(A, "x", None)]]),
        ({"gold": None, "answer": "x"}, [[(A, "x", None)]]),
        ({"gold": None, "quote": "x"}, [[(A, "x", None)]]),
        ({"gold": ["x", "y"]}, [[(A, "x", None)], [(A, "y", None)]]),
        ({"gold": [1, 2], "quote": "x"}, [[(A, "x", (1, 2))]]),
        ({"gold": [1, 2]}, [[(A, None, (1, 2))]]),
        ({"gold": None, "answer": "x", "start": 1, "end": 2}, [[(A, "x", (1, 2))]]),
        ({"gold": "x", "start": 1, "end": 2}, [[(A, "x", (1, 2))]]),
        ({"gold": None, "spans": [[1, 2], [3, 4]]}, [[(A, None, (1, 2))], [(A, None, (3, 4))]]),
        ({"gold": ["x", "y"], "spans": [[1, 2], [3, 4]]}, [[(A, "x", (1, 2))], [(A, "y", (3, 4))]]),
        ({"gold": [[1, 2], [3, 4]], "quote": ["x", None]}, [[(A, "x", (1, 2))], [(A, None, (3, 4))]]),
        ({"gold": "x", "spans": [[1, 2]]}, [[(A, "x", (1, 2))]]),
        ({"gold": None, "spans": [1, 2]}, [[(A, None, (1, 2))]]),
        ({"gold": {"quote": "x", "start": 1, "end": 2}}, [[(A, "x", (1, 2))]]),
        (
            {"gold": ["x", {"doc": "b.md", "gold": "y"}, [1, 2]]},
            [[(A, "x", None)], [("b.md", "y", None)], [(A, None, (1, 2))]],
        ),
        (
            {"gold": "x", "also": ["y", {"doc": "b.md", "quote": "z"}]},
            [[(A, "x", None), (A, "y", None), ("b.md", "z", None)]],
        ),
        ({"gold": "x", "also": "y"}, [[(A, "x", None), (A, "y", None)]]),
        ({"gold": "x", "also": [[1, 2]]}, [[(A, "x", None), (A, None, (1, 2))]]),
        ({"gold": "x", "also": [["y", "z"]]}, [[(A, "x", None), (A, "y", None), (A, "z", None)]]),
        ({"gold": ["x", "y"], "also": [[], ["z"]]}, [[(A, "x", None)], [(A, "y", None), (A, "z", None)]]),
        (
            {"gold": None, "references": [{"content": "x", "start_index": 1, "end_index": 2}]},
            [[(A, "x", (1, 2))]],
        ),
    ],
)
def test_every_form_of_a_gold(keys, wanted):
    assert golds(read(**keys)) == wanted


@pytest.mark.parametrize(
    ("keys", "message"),
    [
        ({"gold": None}, "no 'gold'"),
        ({"gold": ""}, "blank"),
        ({"gold": "\u200b "}, "blank"),
        ({"gold": []}, "empty list"),
        ({"gold": ["x", ""]}, "blank"),
        ({"gold": ["x", 5]}, "a gold is a number"),
        ({"gold": True}, "a gold is true or false"),
        ({"gold": [1, 2, 3]}, "a span of 3 numbers"),
        ({"gold": [1.5, 2]}, "'start' is 1.5, no whole number"),
        ({"gold": [True, 2]}, "'start' is true, no whole number"),
        ({"gold": [1, 2], "quote": 5}, "the quote is a number"),
        ({"gold": {"start": 1, "stop": 2}}, "unknown key 'stop'"),
        ({"gold": {}}, "without quote and span"),
        ({"gold": {"doc": "", "quote": "x"}}, "'doc' of a gold is empty"),
        ({"gold": "x", "answer": "y"}, "both 'gold' and 'answer'"),
        ({"gold": "x", "start": 1}, "a span without 'end'"),
        ({"gold": "x", "start": 4, "end": 4}, "[4, 4) is empty"),
        ({"gold": "x", "start": 4, "end": 3}, "ends before it starts"),
        ({"gold": "x", "start": -1, "end": 3}, "below 0"),
        ({"gold": None, "spans": []}, "no list of spans"),
        ({"gold": "x", "spans": [[1, 2], [3, 4]]}, "2 spans and 1 quotes"),
        ({"gold": None, "references": []}, "no list of golds"),
        ({"gold": "x", "also": 5}, "'also' is a number"),
        ({"gold": ["x", "y"], "also": ["z"]}, "'also' is a list that does not fit"),
        ({"question": None}, "no 'question'"),
        ({"question": 7}, "'question' is a number"),
        ({"question": " \u200b"}, "question is empty"),
        ({"doc": None}, "no 'doc'"),
        ({"doc": " "}, "no 'doc'"),
        ({"doc": ["a.md"]}, "'doc' is a list"),
        ({"id": ["a"]}, "'id' is a list"),
        ({"family": True}, "'family' is true or false"),
        ({"origin": "robot"}, "unknown origin 'robot'"),
        ({"reviewed": "maybe"}, "'reviewed' is a text"),
        ({"topics": ["a"]}, "the tag 'topics' is a list"),
        ({"tags": "a"}, "'tags' is a text"),
        ({"tags": {"kind": "a"}, "kind": "b"}, "the tag 'kind' stands twice"),
    ],
)
def test_what_is_wrong_is_said_with_a_remedy(keys, message):
    problem = only(read(**keys))
    assert message in problem.message
    assert problem.remedy


def test_all_problems_of_an_entry_are_gathered():
    entry = read(question="", doc=None, gold=["", "y", 5], origin="robot", list=[1])
    assert len(entry.problems) == 6


@pytest.mark.parametrize(
    ("keys", "remedy"),
    [
        ({"question": None, "query": "How?"}, "rename the key 'query' to 'question'"),
        ({"question": None, "qestion": "How?"}, "rename the key 'qestion' to 'question'"),
        ({"doc": None, "file": "a.md"}, "rename the key 'file' to 'doc'"),
        ({"gold": None, "expected": "x"}, "rename the key 'expected' to 'gold'"),
    ],
)
def test_a_key_with_another_name_is_recognised(keys, remedy):
    assert only(read(**keys)).remedy == remedy


def test_tags_are_texts():
    entry = read(
        kind="a", table_row=True, needs_heading=False, weight=2.5, level=3, none=None, tags={"doc": "x"}
    )
    assert entry.tags == {
        "kind": "a", "table_row": "true", "needs_heading": "false", "weight": "2.5", "level": "3", "doc": "x"
    }  # fmt: skip


def test_names_may_be_numbers():
    entry = read(id=7, family=3)
    assert (entry.id, entry.family) == ("7", "3")


@pytest.mark.parametrize(
    ("keys", "wanted"),
    [
        ({}, ("written", True)),
        ({"origin": "heading"}, ("heading", False)),
        ({"origin": "model", "reviewed": True}, ("model", True)),
        ({"reviewed": False}, ("written", False)),
    ],
)
def test_what_a_person_wrote_counts_as_reviewed(keys, wanted):
    entry = read(**keys)
    assert (entry.origin, entry.reviewed) == wanted
