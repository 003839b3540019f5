from __future__ import annotations

import pytest

from chunkwise.golden import check_golden
from chunkwise.types import Corpus
from tests.golden.make import corpus, document, folder, lines, row

TEXTS = {
    "guide/a.md": "# Oil\n\nStore it below forty degrees.\n",
    "guide/b.md": "# Fees\n\nAdults pay eight coins each.\n\n| who | coins |\n|---|---|\n"
    "| children | four coins |\n",
    "news/c.md": "# News\n\nThere is nothing new to be told. Oil, oil, OIL barrels. oil barrels!\n",
}


def check(tmp_path, rows, texts=TEXTS):
    return check_golden(lines(tmp_path / "g.jsonl", rows), corpus(texts))


def advice(tmp_path, rows, texts=TEXTS):
    return "\n".join(check(tmp_path, rows, texts).advice)


def many(count, **keys):
    text = " ".join(f"Statement number {i} is true." for i in range(count))
    rows = [
        row(id=f"q{i}", question=f"{i}?", gold=f"Statement number {i} is true.", **keys) for i in range(count)
    ]
    return rows, {"a.md": text}


def test_faults_do_not_stop_it(tmp_path):
    found = check(tmp_path, ["{", row(doc="guide/a.md"), row(id="q2", question="Where?", doc="gone.md")])
    assert [f.line for f in found.faults] == [1, 3]
    assert (found.questions, found.sound) == (3, 1)


def test_a_good_set_gets_no_advice(tmp_path):
    rows, texts = many(30)
    found = check(tmp_path, rows, texts)
    assert (found.faults, found.advice, found.sound) == ((), (), 30)


def test_few_questions(tmp_path):
    rows, texts = many(29)
    assert check(tmp_path, rows, texts).advice == ("29 questions, fewer than 30: one question is 3.4 points",)


def test_hard_kinds_are_asked_for_where_the_corpus_has_them(tmp_path):
    rows, texts = many(30)
    texts["b.md"] = "# Title\n\n| a | b |\n"
    text = advice(tmp_path, rows, texts)
    assert (
        "0 questions that can be understood only with the heading (tag needs_heading), fewer than 5" in text
    )
    assert "0 questions with a row of a table for an answer (tag table_row), fewer than 5" in text
    rows = [{**r, "needs_heading": i < 5, "table_row": "yes" if i < 4 else False} for i, r in enumerate(rows)]
    text = advice(tmp_path, rows, texts)
    assert "needs_heading" not in text
    assert "4 questions with a row of a table" in text


def test_what_no_question_touches(tmp_path):
    text = advice(tmp_path, [row(doc="guide/a.md")])
    assert "no question touches these folders (documents in them): news (1)" in text
    assert "no gold touches a table (3 in the corpus)" in text
    rows = [
        row(doc="guide/b.md", gold="children | four coins"),
        row(id="q2", question="?!", doc="news/c.md", gold="nothing new to be"),
    ]
    text = advice(tmp_path, rows)
    assert "touches" not in text


def test_golds_that_hit_anywhere(tmp_path):
    rows = [
        row(doc="guide/a.md", gold="forty degrees"),
        row(id="q2", question="B?", doc="news/c.md", gold="Oil, oil, OIL"),
        row(id="q3", question="C?", doc="news/c.md", gold="OIL barrels. oil"),
        row(id="q4", question="D?", doc="guide/b.md", gold="eight coins each."),
    ]
    text = advice(tmp_path, rows)
    assert "2 questions with a gold below 15 characters" in text
    assert "q1 ('forty degrees'), q2 ('Oil, oil, OIL')" in text


def test_golds_that_stand_often(tmp_path):
    text = "It is sold in Barrels. IT IS SOLD in barrels. It is sold in barrels! It Is Sold In Barrels?"
    rows = [row(gold="It is sold in barrels!"), row(id="q2", question="B?", gold="It Is Sold In Barrels")]
    found = advice(tmp_path, rows, {"a.md": text})
    assert "1 question with a gold that stands 3 times or more" in found
    assert "q2 (4 times)" in found


def test_spans_without_quotes_and_with_white_space(tmp_path):
    rows = [row(gold=[0, 20]), row(id="q2", question="B?", gold=[0, 21], quote="A sentence of words.")]
    found = advice(tmp_path, rows, {"a.md": "A sentence of words. And more."})
    assert "1 question with a span and no quote" in found
    assert "1 question with a gold that begins or ends with white space" in found


def test_families_and_drafts_are_told(tmp_path):
    rows = [
        row(doc="guide/a.md"),
        row(id="q2", question="How hot?", doc="guide/a.md"),
        row(id="h", question="Fees", doc="guide/b.md", gold="Adults pay eight", origin="heading"),
    ]
    text = advice(tmp_path, rows)
    assert "3 questions make 2 families" in text
    assert "1 of 3 questions was not reviewed by a person: put it in users' words" in text
    (line,) = [line for line in advice(tmp_path, rows[-1:]).splitlines() if "reviewed" in line]
    assert "1 of 1 question was not reviewed" in line


def test_questions_that_are_nearly_the_same_are_told(tmp_path):
    rows = [
        row(doc="guide/a.md", question="How many coins do adults pay?"),
        row(id="q2", question="how many coins do adults pay", doc="guide/b.md", gold="Adults pay eight"),
    ]
    assert "1 pair of questions that are nearly the same count as independent" in advice(tmp_path, rows)
    assert "nearly the same" not in advice(tmp_path, [dict(one, family="fees") for one in rows])


def test_every_document_is_loaded_once(tmp_path):
    loaded = []

    def loading(id):
        loaded.append(id)
        return document(id, TEXTS[id])

    check_golden(lines(tmp_path / "g.jsonl", [row(doc="guide/a.md")]), Corpus.lazy(TEXTS, loading))
    assert loaded == sorted(TEXTS)


@pytest.mark.parametrize(
    ("path", "docs"),
    [
        ("constitution/golden.jsonl", "constitution/docs"),
        ("chroma-eval/questions_df.csv", "chroma-eval/corpora"),
    ],
)
def test_real_golden_sets_have_no_faults(shared, path, docs):
    found = check_golden(shared / "corpora" / path, folder(shared / "corpora" / docs))
    assert found.faults == ()
    assert found.sound == found.questions > 30
