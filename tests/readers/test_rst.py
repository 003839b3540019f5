"""reStructuredText as Sphinx and people write it."""

from __future__ import annotations

import pytest

from chunkwise.errors import ReadError
from chunkwise.types import BlockKind

from .made import cells, outline

pytest.importorskip("docutils")
from chunkwise.readers.rst import read_rst


def read(text: str):
    return read_rst(text.encode(), "a.rst", None)


@pytest.mark.parametrize(
    ("source", "text"),
    [
        # What docutils does not know gives its text.
        (
            ".. code-block:: sh\n   :caption: Start\n   :linenos:\n\n   run\n     it\n",
            "Start\n\n```sh\nrun\n  it\n```\n",
        ),
        (".. mermaid::\n\n   a --> b\n", "```mermaid\na --> b\n```\n"),
        (
            ".. versionadded:: 2.0\n   The lamp.\n\n.. seealso:: The *pump*.\n",
            "> Added in version 2.0\n>\n> The lamp.\n\n> See also\n>\n> The pump.\n",
        ),
        (".. deprecated:: 3.1 Use the other.\n", "> Deprecated since version 3.1\n>\n> Use the other.\n"),
        (
            ".. py:function:: open(a)\n                 open(a, b)\n   :module: x\n\n   Opens it.\n",
            "- open(a)\n\n  open(a, b)\n\n  Opens it.\n",
        ),
        (
            ".. tabs::\n\n   .. tab:: One\n\n      First.\n\n   .. tab:: Two\n\n      - a\n",
            "- One\n\n  First.\n\n- Two\n  - a\n",
        ),
        (".. only:: html\n\n   Shown.\n", "Shown.\n"),
        (
            ".. toctree::\n   :maxdepth: 2\n\n   intro\n\n.. autofunction:: a.b\n\n.. index:: x\n\nEnd.\n",
            "End.\n",
        ),
        (".. image:: a.png\n   :alt: A lamp\n   :loading: lazy\n", "A lamp\n"),
        (
            "See :ref:`the pump <pump>`, :func:`~io.open`, :kbd:`F1` and :py:class:`!Lamp`.\n",
            "See the pump, open, F1 and Lamp.\n",
        ),
        ("A :ref:`b <c>`\n==============\n", "# A b\n"),
        # Boxes say what they are.
        (".. warning:: Hot.\n\n   Wait.\n", "> Warning\n>\n> Hot.\n>\n> Wait.\n"),
        (".. admonition:: Why?\n\n   So.\n", "> Why?\n>\n> So.\n"),
        (".. contents:: All\n\nA\n=\n\nx\n", "# A\n\nx\n"),
        # Terms, options and fields stay with what is said of them.
        (
            "Ram : pump\n    Lifts water.\n\n    Slowly.\nSieve\n    Keeps sand.\n",
            "- Ram : pump\n\n  Lifts water.\n\n  Slowly.\n- Sieve\n\n  Keeps sand.\n",
        ),
        ("-a, --all  All of it.\n-f FILE    That.\n", "- -a, --all\n\n  All of it.\n- -f FILE\n\n  That.\n"),
        (
            ":orphan:\n:Author: Ann\n:Notes: - one\n        - two\n",
            "- Author: Ann\n- Notes:\n  - one\n  - two\n",
        ),
        # Items keep the marks that they are named by.
        (
            "c. one\nd. two\n\n(iv) four\n(v) five\n\nA) x\nB) y\n",
            "c. one\nd. two\n\n(iv) four\n(v) five\n\nA) x\nB) y\n",
        ),
        ("| One\n|   in\n| two\n", "One\n  in\ntwo\n"),
        ("+---+\n| a |\n+--+\n\nb\n", "```\n+---+\n| a |\n+--+\n```\n\nb\n"),
    ],
)
def test_what_becomes_of_it(source, text):
    assert read(source).text == text


def test_a_title_of_no_fitting_level_is_one_all_the_same():
    assert outline(read("A\n===\n\nB\n---\n\nC\n~~~\n\nD\n===\n\nE\n~~~\n\ne\n"))[-2:] == [(1, "D"), (2, "E")]


def test_cells_that_span_rows_are_in_each_and_a_head_is_one_row():
    source = (
        "+---+-------+\n|   | Bar   |\n|   +---+---+\n|   | i | o |\n+===+===+===+\n"
        "| P | 3 | 4 |\n|   +---+---+\n"
        "|   | 5     |\n+---+-------+\n"
    )
    assert cells(read(source)) == [["", "Bar i", "Bar o"], ["P", "3", "4"], ["P", "5", "5"]]


def test_a_box_is_one_block():
    document = read("A\n=\n\n.. note:: Keep it dry.\n\nb\n")
    assert [document.blocks.kind[i] for i in document.blocks.top()] == [
        *(BlockKind.HEADING, BlockKind.ADMONITION, BlockKind.PARAGRAPH),
    ]


@pytest.mark.parametrize("mark", ["`a ", "*a ", "|a ", "a_ ", "[1]_ "])
def test_a_paragraph_of_marks_is_refused_in_time(mark):
    with pytest.raises(ReadError, match=r"^a\.rst: line 3: .* 20,000 marks .*--skip-broken"):
        read(f"A.\n\n{mark * 20_000}\n")
    assert read(f"::\n\n   {mark * 20_000}\n").text.startswith("```\n")


def test_no_text_says_on_what_day_it_is_read():
    from docutils.core import publish_doctree

    source = "Of |d|.\n\n.. |d| date:: %Y\n\n.. code::\n\n   .. |d| date::\n"
    found = read_rst(source.encode(), "a.rst", None)
    assert found.text == "Of |d|.\n\n```\n.. |d| date::\n```\n"
    assert any("is no part of it" in notice.message for notice in found.notices)
    assert "|d|" not in publish_doctree(source).astext().split("\n")[0]  # others' use of docutils stays
