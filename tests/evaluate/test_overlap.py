"""Questions against the words of their answers, documents against each other, corpora that are too easy."""

from __future__ import annotations

from random import Random
from typing import Any

import numpy as np
import pytest

from chunkwise.comparison import compare
from chunkwise.evaluate.overlap import measured, thirds, told
from chunkwise.evaluate.repeats import near_duplicates
from chunkwise.readers import read_text
from chunkwise.types import Corpus, Document, Gold, GoldenSet, Place, Question, Report, Span

PUMP = "# Pumps\n\n## Oil change interval\n\nThe oil is changed every 180 days by the service.\n"
QUICK: dict[str, Any] = {"resamples": 50, "exhibits": 0}


def ask(id: str, text: str, document: Document, quote: str, **more: Any) -> Question:
    start = document.text.index(quote)
    return Question(id, text, (Gold(quote, (Place(document.id, Span(start, start + len(quote))),)),), **more)


def found_in(*asked: str) -> Any:
    document = read_text(PUMP, id="pumps.md")
    questions = [ask(f"q{i}", text, document, "changed every 180 days") for i, text in enumerate(asked)]
    return measured(Corpus([document]), questions)


@pytest.mark.parametrize(
    ("asked", "share"),
    [("changed days", 1.0), ("CHANGED when?", 0.5), ("how often, roughly", 0.0), ("?!", 0.0)],
)
def test_the_share_of_words_that_stand_in_the_answer(asked: str, share: float) -> None:
    assert found_in(asked).shares.tolist() == [share]


def test_words_that_stand_in_many_questions_say_nothing() -> None:
    asked = ["what is changed", *(f"what is number{i}" for i in range(11))]
    assert found_in(*asked).shares[0] == 0.0  # each answer here has `changed`
    document = read_text("\n\n".join(f"It is answer{i} of the list." for i in range(12)), id="a.md")
    questions = [ask(f"q{i}", f"is it answer{i}", document, f"It is answer{i} of") for i in range(12)]
    assert measured(Corpus([document]), questions).shares.tolist() == [1.0] * 12


@pytest.mark.parametrize(
    ("asked", "quotes"),
    [
        ("What is the oil change interval?", True),
        ("OIL CHANGE INTERVAL", True),
        ("interval of the oil change", False),
        ("pumps", False),
    ],
)
def test_a_question_that_holds_the_title_above_its_answer(asked: str, quotes: bool) -> None:
    assert found_in(asked).quoting == (("q0",) if quotes else ())


def test_thirds_go_from_the_least_to_the_most_and_part_no_equal_ones() -> None:
    shares = np.array([0.9, 0.1, 0.5] * 5)
    assert thirds(shares) == [[1, 4, 7, 10, 13], [2, 5, 8, 11, 14], [0, 3, 6, 9, 12]]
    assert told(shares)["thirds"][0] == {"questions": 5, "low": 0.1, "high": 0.1}
    assert thirds(shares[:14]) == []  # a third of fewer than five
    assert thirds(np.zeros(30)) == []


def test_documents_that_say_what_others_say() -> None:
    manual = "Press the red key for two seconds until the lamp is green, then let go of it. "
    texts = {
        "a.md": manual + "This is model A with forty keys.",
        "b.md": manual + "This is model B with fifty keys.",
        "c.md": "Nothing in this note was ever said in any other document of the folder.",
        "d.md": "short",
        "e.md": "",
    }
    documents = [read_text(text, id=id) for id, text in texts.items()]
    assert near_duplicates(documents) == ["a.md", "b.md"]
    assert near_duplicates(documents[1:]) == []
    assert near_duplicates([]) == []


# The warnings of whole comparisons.

TOPICS = ("Oil", "Water", "Steam", "Gas", "Noise", "Heat")
SYLLABLES = [a + b for a in "bdfgklmnprst" for b in "aeiou"]


def names(topic: str, i: int) -> list[str]:
    """Four names that stand in one sentence only."""
    draw = Random(f"{topic} {i}")
    return ["".join(draw.choices(SYLLABLES, k=3)) for _ in range(4)]


def sentence(topic: str, i: int) -> str:
    one, two, three, four = names(topic, i)
    return f"{one} {two} watches {three} until {four}."


def page(topic: str) -> str:
    return f"# {topic}\n\n## {topic} in daily work\n\n" + " ".join(sentence(topic, i) for i in range(30))


DOCUMENTS = [read_text(page(topic), id=f"{topic.lower()}.md") for topic in TOPICS]


def questions(text: str = "case {last} again") -> list[Question]:
    """36 questions; `{0}` to `{3}` are the names of the answer, `{last}` is one of the sentence behind it."""
    return [
        ask(
            f"{topic}{i}",
            text.format(*names(topic, i), topic=topic, last=names(topic, i + 1)[0]),
            document,
            sentence(topic, i),
        )
        for document, topic in zip(DOCUMENTS, TOPICS, strict=True)
        for i in range(0, 30, 5)
    ]


def compared(asked: list[Question], *rows: str, corpus: list[Document] = DOCUMENTS, **more: Any) -> Report:
    return compare(Corpus(corpus), GoldenSet(asked), rows or ("fixed:size=200",), **{**QUICK, **more})


def warned(report: Report, what: str) -> str:
    return next((warning for warning in report.warnings if what in warning), "")


def test_questions_that_quote_their_heading_are_warned_of() -> None:
    report = compared(questions("who minds {topic} in daily work, as {0} does"))
    assert warned(report, "quote the heading above the answer").startswith(
        "36 of 36 questions quote the heading"
    )
    assert report.golden["quoting"][0] == "Oil0"
    assert warned(compared(questions()), "quote the heading") == ""


def test_questions_in_the_words_of_their_answers_are_warned_of_with_what_it_does() -> None:
    # A third has all of its words from the answer, a third two of three, a third none.
    parts = questions("{0} {1} {2}")[:12], questions("{0} {1} {last}")[12:24], questions()[24:]
    report = compared([question for part in parts for question in part], primary="hit@1")
    said = warned(report, "share")
    assert said.startswith("half of the questions share 67 % or more of their words with the answer: ")
    assert "of the third that shares least" in said
    assert warned(compared(questions()), "half of the questions") == ""
    whole = compared(questions("{0} {1} {2}"), primary="hit@1")
    assert warned(whole, "share").startswith(
        "half of the questions share all of their words with the answer: "
    )
    least, middle, most = report.candidates[0].overlap
    assert [part["questions"] for part in (least, middle, most)] == [12, 12, 12]
    assert least["value"] < most["value"] == 1


def test_questions_that_are_nearly_the_same_are_warned_of() -> None:
    asked = questions()
    twin = asked[0]._replace(id="twin", text=asked[0].text.upper() + "?")
    other = twin._replace(golds=asked[7].golds)
    report = compared([*asked, other])
    assert warned(report, "nearly the same") == (
        "1 pair of questions is nearly the same (Oil0 and twin): give them one family, or they count as "
        "independent"
    )
    together = [q._replace(family="one") if q.id in ("Oil0", "twin") else q for q in [*asked, other]]
    assert warned(compared(together), "nearly the same") == ""


def test_documents_that_are_nearly_the_same_are_warned_of() -> None:
    copy = read_text(page("Oil") + " One more sentence.", id="oil-2.md")
    report = compared(questions(), corpus=[*DOCUMENTS, copy])
    assert warned(report, "that others do not say too").startswith(
        "2 of 7 documents say little that others do not say too (oil-2.md, oil.md)"
    )
    assert report.corpus["near_duplicates"] == ["oil-2.md", "oil.md"]
    assert warned(compared(questions()), "say little") == ""


def test_a_corpus_that_is_too_easy_is_warned_of() -> None:
    rows = ("fixed:size=400", "paragraph:size=400")
    easy = compared(questions("{0} {1} {2}"), *rows, primary="hit@10")
    assert "too easy to tell chunkers apart" in warned(easy, "every row finds")
    hard = compared(questions(), *rows, primary="hit@1")
    assert warned(hard, "every row finds") == ""
    whole = compared(questions(), budgets=(9000,))
    assert "nothing has to be found" in warned(whole, "all documents together have")
    assert warned(compared(questions(), budgets=(100,)), "all documents together") == ""


def test_rows_that_cut_nothing_are_warned_of() -> None:
    report = compared(questions(), "fixed:size=9000", "fixed:size=300", "document")
    assert warned(report, "one chunk a document") == (
        "one chunk a document, nothing is cut: fixed:size=9000; compare smaller sizes, or longer documents"
    )


def test_short_golds_and_few_questions_are_warned_of() -> None:
    few = questions()[:3]
    start = DOCUMENTS[0].text.index("watches")
    short = Question("short", "is it shut", (Gold("watches", (Place("oil.md", Span(start, start + 7)),)),))
    report = compared([*few, short])
    assert warned(report, "4 questions only: one question is 25.0 points")
    assert warned(report, "1 question with a gold below 8 characters (short)")
