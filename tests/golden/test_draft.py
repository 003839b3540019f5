from __future__ import annotations

import pytest

from chunkwise.errors import GoldenError
from chunkwise.golden import draft, load_golden, write_golden
from chunkwise.types import Corpus, Span
from tests.golden.make import MARK, corpus, document

BODY = "This section has enough words under its heading. " * 7


def page(*sections: tuple[str, str]) -> str:
    return "".join(f"{heading}\n\n{body}\n\n" for heading, body in sections)


def test_each_heading_with_a_body_is_asked_for_and_the_leaf_section_is_its_gold():
    text = page(
        ("# The title", BODY),
        ("## Change the oil", BODY),
        ("### In winter time", BODY),
        ("## Too short", "Little."),
        ("## Oneword", BODY),
        ("## - * -", BODY),
    )
    golden = draft(corpus({"a.md": text}))
    assert [q.text for q in golden] == ["Change the oil", "In winter time"]
    first = golden.questions[0]
    start, end = text.index("## Change"), text.index("### In")
    assert first.golds[0].places == (("a.md", Span(start, end)),)
    assert (first.origin, first.reviewed, first.family) == ("heading", False, "Change the oil")
    assert first.tags == {"answer_length": "long"}
    assert golden.digests == {"a.md": document("a.md", text).digest}


def test_places_are_raw():
    text = MARK + page(("## Change the oil", BODY))
    (question,) = draft(corpus({"a.md": text}))
    start, end = question.golds[0].places[0].span
    assert text[start:end] == text[1:]


def test_top_headings_are_asked_for_where_there_are_no_others():
    top, both = page(("# Change the oil", BODY)), page(("# Fill the tank", BODY), ("## Oneword", BODY))
    assert [q.text for q in draft(corpus({"a.md": top, "b.md": both}))] == ["Change the oil"]


def test_the_least_body_and_title_are_parameters():
    pages = corpus({"a.md": page(("## Oneword", "x" * 9), ("## Two words", "y" * 10))})
    assert [q.text for q in draft(pages, body=10)] == ["Two words"]
    assert [q.text for q in draft(pages, body=9, words=1)] == ["Oneword", "Two words"]
    assert len(draft(pages)) == 0


def test_white_space_around_a_body_does_not_count():
    pages = corpus({"a.md": "## Two words\n\n" + "\n" * 400 + "x\n"})
    assert len(draft(pages)) == 0


def test_titles_without_spaces_have_words_too():
    titles = ("## 水門の時刻", "## 水門", "## 水")
    assert [q.text for q in draft(corpus({"a.md": page(*((t, BODY) for t in titles))}))] == ["水門の時刻"]
    assert len(draft(corpus({"a.md": page(("## 水門時刻", BODY))}))) == 1


def test_the_same_title_anywhere_is_one_question_with_alternatives():
    texts = {
        "b.md": page(("## First  Steps", BODY), ("## first steps", BODY)),
        "a.md": page(("## First steps", BODY), ("## Other things", BODY)),
    }
    golden = draft(corpus(texts))
    assert [q.text for q in golden] == ["First steps", "Other things"]
    (gold,) = golden.questions[0].golds
    assert [p.doc for p in gold.places] == ["a.md", "b.md", "b.md"]
    assert len({q.family for q in golden}) == 2


def test_ids_are_readable_and_depend_on_the_title_alone():
    one = draft(corpus({"a.md": page(("## What's new: v2.0 (größer)", BODY), ("## ??? !! a1 b2", BODY))}))
    two = draft(corpus({"z/b.md": "Words.\n\n" + page(("### what's new: v2.0 (größer)", BODY * 2))}))
    assert [q.id[:-8] for q in one] == ["h-what-s-new-v2-0-grösser-", "h-a1-b2-"]
    assert one.questions[0].id == two.questions[0].id


def test_long_titles_that_begin_alike_have_different_ids():
    texts = {"a.md": page(*((f"## {'word ' * 30}{n}", BODY) for n in "12"))}
    ids = [q.id for q in draft(corpus(texts))]
    assert len(set(ids)) == 2
    assert max(map(len, ids)) < 60


def test_one_document_is_held_at_a_time():
    loaded = []

    def loading(id):
        loaded.append(id)
        return document(id, page(("## Change the oil", BODY)))

    draft(Corpus.lazy(["b.md", "a.md"], loading))
    assert loaded == ["a.md", "b.md"]


def test_a_draft_is_written_and_read_back(tmp_path):
    pages = corpus(
        {
            "b.md": page(("## First Steps", BODY)),
            "a.md": page(("## First steps", BODY), ("## Two words", BODY)),
        }
    )
    golden = draft(pages)
    write_golden(golden, tmp_path / "g.jsonl")
    assert load_golden(tmp_path / "g.jsonl", pages) == golden
    assert BODY[:40] not in (tmp_path / "g.jsonl").read_text()


def test_a_draft_of_older_documents_is_refused(tmp_path):
    text = page(("## First Steps", BODY), ("## Two words", BODY))
    write_golden(draft(corpus({"a.md": text})), tmp_path / "g.jsonl")
    with pytest.raises(GoldenError, match=r"'a.md' is not as it was .* draft the question again"):
        load_golden(tmp_path / "g.jsonl", corpus({"a.md": "New words. " + text}))
