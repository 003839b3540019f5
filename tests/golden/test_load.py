from __future__ import annotations

import json
from collections import Counter

import pytest
from hypothesis import given
from hypothesis import strategies as st

from chunkwise.errors import GoldenError
from chunkwise.golden import check_golden, fix_golden, load_golden
from chunkwise.golden.families import join_families
from chunkwise.types import Corpus, Gold, Place, Question, Span
from tests.golden.make import corpus, document, folder, lines, row

PLAIN = ("id", "question", "doc", "gold", "answer", "quote", "spans", "start", "end", "also", "tags", "kind")
RARE = ("reviewed", "origin", "family", "references", "content", "start_index", "end_index", "doc_digest")
KEYS = st.sampled_from(PLAIN + RARE)
OIL = {"a.md": "# Oil\n\nStore it below forty degrees.\n"}
QUOTE = Place("a.md", Span(16, 35))


def load(tmp_path, rows, texts=OIL, **settings):
    return load_golden(lines(tmp_path / "g.jsonl", rows), corpus(texts), **settings)


def faults(tmp_path, rows, texts=OIL):
    with pytest.raises(GoldenError) as caught:
        load(tmp_path, rows, texts)
    for fault in caught.value.faults:
        assert str(fault) in str(caught.value)
        assert fault.remedy
    return caught.value.faults


def test_a_sound_set(tmp_path):
    golden = load(tmp_path, [row(kind="fact")])
    (question,) = golden
    assert (question.id, question.text, question.family) == ("q1", "How warm?", "q1")
    assert question.golds[0].quote == "below forty degrees"
    assert question.golds[0].places == (QUOTE,)
    assert question.tags == {"kind": "fact", "answer_length": "short"}
    assert (question.origin, question.reviewed) == ("written", True)
    assert golden.digests == {"a.md": document("a.md", OIL["a.md"]).digest}
    assert (golden.left_out, golden.faults) == (0, ())


@pytest.mark.parametrize(("length", "name"), [(60, "short"), (61, "medium"), (200, "medium"), (201, "long")])
def test_answer_length_is_derived(tmp_path, length, name):
    text = "x" * length
    (question,) = load(tmp_path, [row(gold=text)], {"a.md": f"A {text} b."})
    assert question.tags["answer_length"] == name
    (question,) = load(tmp_path, [row(gold=text, answer_length="mine")], {"a.md": f"A {text} b."})
    assert question.tags["answer_length"] == "mine"


def test_answer_length_is_that_of_all_that_is_needed(tmp_path):
    (question,) = load(tmp_path, [row(gold=["x" * 40, "y" * 40])], {"a.md": "x" * 40 + " " + "y" * 40})
    assert question.tags["answer_length"] == "medium"


def test_alternatives_in_other_documents(tmp_path):
    texts = {**OIL, "b.md": "Keep below forty degrees, always. Or cooler."}
    rows = [row(also=["Store it", {"doc": "b.md", "quote": "or cooler".title().replace("C", "c")}])]
    (question,) = load(tmp_path, rows, texts)
    assert [(p.doc, *p.span) for p in question.golds[0].places] == [
        ("a.md", 16, 35), ("a.md", 7, 15), ("b.md", 34, 43)
    ]  # fmt: skip


def test_golds_in_several_documents_name_their_own(tmp_path):
    two = [{"doc": "a.md", "quote": "alpha"}, {"doc": "b.md", "quote": "beta"}]
    texts = {"a.md": "alpha one", "b.md": "beta two"}
    (question,) = load(tmp_path, [{"question": "?", "gold": two}], texts)
    assert [gold.places[0].doc for gold in question.golds] == ["a.md", "b.md"]
    (fault,) = faults(tmp_path, [{"question": "?", "gold": [*two[:1], {"doc": "c.md", "quote": "x"}]}], texts)
    assert "no document 'c.md'" in str(fault)
    (fault,) = faults(tmp_path, [{"question": "?", "gold": [*two[:1], {"quote": "beta"}]}], texts)
    assert "no 'doc'" in str(fault)


def test_a_document_without_its_folder_is_not_guessed(tmp_path):
    (fault,) = faults(tmp_path, [row(gold="the porter has it")], {"docs/a.md": "x"})
    assert fault.message == "no document 'a.md' in the corpus"
    assert fault.remedy == "did you mean 'docs/a.md'?"


@pytest.mark.parametrize(
    ("name", "there"),
    [
        ("A.MD", "a.md"),
        ("docs\\a.md", "docs/a.md"),
        ("./a.md", "a.md"),
        ("a.txt", "a.md"),
        ("guide.md", "guides.md"),
        ("日記.md", "x/日記.md"),
        ("e\u0301.md", "\u00e9.md"),
    ],
)
def test_the_nearest_document_is_named(tmp_path, name, there):
    (fault,) = faults(tmp_path, [row(doc=name, gold="not to be found")], {there: "x", "zzz": "y"})
    assert fault.remedy == f"did you mean {there!r}?"


def test_odd_names_are_exact(tmp_path):
    texts = {"a b#c%20d.md": "the one", "a b#c d.md": "the one", "-n.md": "other"}
    (question,) = load(tmp_path, [row(doc="a b#c%20d.md", gold="one")], texts)
    assert question.golds[0].places[0].doc == "a b#c%20d.md"


def test_ids_are_given_where_there_are_none(tmp_path):
    path = tmp_path / "g.json"
    entries = [row(id=None), row(id=None, question="What?", gold="Store it")]
    path.write_text(json.dumps(entries))
    assert [q.id for q in load_golden(path, corpus(OIL))] == ["q1", "q2"]


def test_an_id_that_only_one_lacks_is_a_fault(tmp_path):
    rows = [row(id="q2"), row(id=None, question="What?", gold="Store it")]
    (fault,) = faults(tmp_path, rows)
    assert (fault.line, fault.message) == (2, "no id")
    assert dict(fault.fix.edits)[("id",)] not in ("q2", "")


def test_an_id_that_is_used_twice(tmp_path):
    (fault,) = faults(tmp_path, [row(), row(question="What?", gold="Store it")])
    assert (fault.line, fault.id, fault.message) == (2, "q1", "the id is used in line 1 already")


def test_duplicate_questions(tmp_path):
    rows = [
        row(),
        row(id="q2", question="how  WARM?"),
        row(id="q3", gold="Store it"),
        row(id="q4", question="What?", family="f"),
        row(id="q5", question="What?", gold="Store it", family="f"),
        row(id="q6", question="What?", gold="# Oil", family="g"),
    ]
    found = faults(tmp_path, rows)
    assert [(f.line, f.message) for f in found] == [
        (2, "asks the same as 'q1' in line 1, with the same gold"),
        (3, "asks the same as 'q1' in line 1, with another gold"),
        (6, "asks the same as 'q4' in line 4, with another gold"),
    ]
    assert "'also'" in found[1].remedy
    assert "'family'" in found[1].remedy


def test_one_place_named_twice(tmp_path):
    rows = [
        row(gold=["Store it", [7, 15]]),
        row(id="q2", question="What?", also=["below  forty degrees"]),
    ]
    assert [f.message for f in faults(tmp_path, rows)] == [
        "two of its golds are the same place",
        "a gold and its alternative are the same place",
    ]


def test_all_faults_of_all_lines_are_in_one_report(tmp_path):
    rows = [
        "{",
        row(id="a", doc="b.md", gold="no such text"),
        row(id="b", question="", gold=["nowhere at all", "e"]),
        row(id="c"),
    ]
    with pytest.raises(GoldenError) as caught:
        load(tmp_path, rows)
    assert [(f.line, f.id) for f in caught.value.faults] == [(1, ""), (2, "a"), (3, "b"), (3, "b"), (3, "b")]
    assert str(caught.value).startswith(f"{tmp_path}/g.jsonl: 5 faults in 3 of 4 questions\n")


def test_the_rest_is_scored_only_when_told_to(tmp_path):
    rows = [row(), row(id="q2", question="What?", gold="nowhere"), "{"]
    golden = load(tmp_path, rows, score_rest=True)
    assert [q.id for q in golden] == ["q1"]
    assert golden.left_out == 2
    assert [f.line for f in golden.faults] == [2, 3]
    with pytest.raises(GoldenError, match="2 faults in 2 of 2 questions"):
        load(tmp_path, rows[1:], score_rest=True)


@pytest.mark.parametrize("text", ["", "\n", "[]"])
def test_a_set_without_questions_is_refused(tmp_path, text):
    (tmp_path / "g.jsonl").write_text(text)
    with pytest.raises(GoldenError, match="no questions"):
        load_golden(tmp_path / "g.jsonl", corpus(OIL))


def test_a_set_for_other_documents_says_so(tmp_path):
    rows = [row(doc="x.md", gold="nothing"), row(id="q2", question="What?", doc="y.md", gold="nothing")]
    with pytest.raises(GoldenError, match="a golden set for other documents"):
        load(tmp_path, rows)
    with pytest.raises(GoldenError) as caught:
        load(tmp_path, [*rows, row(id="q3", question="Which?")])
    assert "for other documents" not in str(caught.value)


def test_moved_texts_are_found_in_other_documents(tmp_path):
    texts = {"a.md": "x", "b.md": "Keep below\nforty degrees.", "c.md": "Yes.", "d.md": "Yes."}
    rows = [
        row(doc="gone.md"),
        row(id="q2", question="Is it?", gold="Yes."),
        row(id="q3", question="How warm, again?"),
        row(id="q4", question="Who?", doc="gone.md", gold="nobody knows this"),
        row(id="q5", question="Both?", doc="gone.md", gold=["below forty degrees", "nobody knows this"]),
    ]
    found = {f.id + f.remedy[:9]: f for f in faults(tmp_path, rows, texts)}
    assert "stands in 'b.md', line 1, [5, 24)" in found["q1the quote"].remedy
    assert found["q1the quote"].fix.edits == ((("doc",), "b.md"),)
    assert "'c.md', line 1, [0, 4) and in 'd.md'" in found["q2the quote"].remedy
    assert "'b.md'" in found["q3the quote"].remedy
    # The document is there still, or not all that is needed moved: nothing to be done without asking.
    assert [f.id for f in found.values() if f.fix is not None] == ["q1"]


def test_documents_are_loaded_once_and_only_those_that_are_named(tmp_path):
    texts = {f"{n}.md": f"This is page {n} of all." for n in "abcd"}
    loaded: Counter[str] = Counter()

    def loading(id):
        loaded[id] += 1
        return document(id, texts[id])

    pages = Corpus.lazy(texts, loading)
    rows = [
        row(id=n + m, question=f"{n}{m}?", doc=f"{n}.md", gold=f"page {n} of") for n in "ac" for m in "12"
    ]
    load_golden(lines(tmp_path / "g.jsonl", rows), pages)
    assert loaded == {"a.md": 1, "c.md": 1}


def test_families(tmp_path):
    texts = {"a.md": "One two. Three four. Five six. Seven eight."}
    golds = {
        "a": {"gold": "One two."},
        "b": {"gold": ["Three four.", "One two."]},
        "c": {"gold": "Five six.", "also": ["Three four."]},
        "d": {"gold": "Five six. Seven"},
        "e": {"gold": "Seven eight.", "family": "mine"},
        "f": {"gold": "Five six. Seven eight.", "family": "mine"},
        "g": {"gold": "eight.", "family": "d"},
    }
    rows = [row(id=name, question=f"{name}?", **keys) for name, keys in golds.items()]
    found = {q.id: q.family for q in load(tmp_path, rows, texts)}
    assert found == {"a": "a", "b": "a", "c": "a", "d": "d", "e": "mine", "f": "mine", "g": "d"}


@given(st.lists(st.sets(st.sampled_from("abcdef"), min_size=1, max_size=3), min_size=1, max_size=7))
def test_families_are_the_connected_parts(sets):
    questions = [
        Question(f"q{i}", "?", tuple(Gold("", (Place(n, Span(0, 1)),)) for n in sorted(names)))
        for i, names in enumerate(sets)
    ]
    families = [q.family for q in join_families(questions)]
    parts: list[set[int]] = []
    for i in range(len(sets)):  # grow each part until nothing touches it any more
        part, grown = set(), {i}
        while part != grown:
            part = grown
            grown = {j for j in range(len(sets)) if any(sets[j] & sets[k] for k in part)}
        parts.append(part)
    assert families == [f"q{min(part)}" for part in parts]


CASES = {
    "answer-crosses-a-cut": {"q1": [(160, 193)], "q2": [(43, 76)]},
    "answer-in-two-places": {"q1": [(8, 21), (51, 65)]},
    "answer-only-in-prefix": {"q1": [(64, 72)], "q2": [(90, 122)]},
    "answer-wrapped-differently": {"q1": [(12, 63)]},
}


@pytest.mark.parametrize("name", CASES)
def test_cases_that_are_sound(shared, name):
    golden = load_golden(shared / "cases" / name / "golden.jsonl", folder(shared / "cases" / name))
    assert {q.id: [gold.places[0].span for gold in q.golds] for q in golden} == CASES[name]


def test_questions_in_other_languages_are_anchored(shared):
    root = shared / "cases/queries-not-in-english"
    assert [q.id for q in load_golden(root / "golden.jsonl", folder(root))] == ["ja", "el", "ru", "fr"]


def refused(shared, name, docs=""):
    root = shared / "cases" / name
    with pytest.raises(GoldenError) as caught:
        load_golden(root / "golden.jsonl", folder(root / docs))
    return {f.line: str(f) for f in caught.value.faults}, caught.value.faults


def test_case_span_out_of_range(shared):
    texts, found = refused(shared, "span-out-of-range")
    assert list(texts) == list(range(1, 10))
    assert len(found) == 9


def test_case_document_not_in_corpus(shared):
    texts, found = refused(shared, "document-not-in-corpus", "corpus")
    assert [f.id for f in found] == ["renamed", "removed", "emptied"]
    assert "'old-name.md'" in texts[1]
    assert "'new-name.md'" in texts[1]
    assert "no document 'gone.md'" in texts[2]
    assert "'empty.md' has no text" in texts[3]


def test_case_golden_offsets_other_units(shared):
    texts, _ = refused(shared, "golden-offsets-other-units")
    assert list(texts) == [2, 3]
    for text, unit, reads in (
        (texts[2], "UTF-16 units", "is with the porter."),
        (texts[3], "UTF-8 bytes", "the porter."),
    ):
        assert f'reads "{reads}", the quote is "key is with the porter"' in text
        assert f"the offsets fit {unit}: write [32, 54)" in text


def test_case_query_without_words(shared):
    texts, _ = refused(shared, "query-without-words")
    assert list(texts) == [2]
    assert "q2: the question is empty" in texts[2]


def test_corpus_constitution(shared):
    root = shared / "corpora/constitution"
    golden = load_golden(root / "golden.jsonl", folder(root / "docs"))
    assert len(golden) == 32
    assert {q.tags["answer_length"] for q in golden} == {"short", "medium"}
    text = (root / "docs/constitution.md").read_bytes().decode()
    for question in golden:
        gold = question.golds[0]
        start, end = gold.places[0].span
        assert text[start:end].split() == gold.quote.split()
        derived = "short" if len(gold.quote) <= 60 else "medium"
        assert question.tags["answer_length"] == derived


@pytest.mark.parametrize("root", ["corpora", ""])
def test_corpus_chroma(shared, root):
    """The offsets are exclusive at the end: every slice is its quote. Documents go by their stem."""
    base = shared / "corpora/chroma-eval"
    golden = load_golden(base / "questions_df.csv", folder(base / root))
    assert [q.id for q in golden] == [f"q{n}" for n in range(1, 473)]
    golds = [gold for q in golden for gold in q.golds]
    assert len(golds) == 790
    texts = {d.id: d.text for d in folder(base / root)}
    assert [g for g in golds if texts[g.places[0].doc][slice(*g.places[0].span)] != g.quote] == []
    assert len(golden.digests) == 5


def test_stems_are_for_csv_and_unambiguous_only(tmp_path):
    texts = {"x/a.md": "One two.", "y/a.txt": "One two.", "y/b.md": "One two."}
    path = tmp_path / "g.csv"
    path.write_text("question,doc,gold\nA?,a,One two.\nB?,b,One two.\nC?,x/a,One\nD?,y/a.txt,two.\n")
    golden = load_golden(path, corpus(texts), score_rest=True)
    assert [q.golds[0].places[0].doc for q in golden] == ["y/b.md", "x/a.md", "y/a.txt"]
    (fault,) = golden.faults
    assert (fault.line, fault.message) == (2, "several documents are called 'a': 'x/a.md' or 'y/a.txt'")
    (fault,) = faults(tmp_path, [row(doc="b", gold="no such text")], texts)
    assert fault.message == "no document 'b' in the corpus"


JSON = st.recursive(
    st.none()
    | st.booleans()
    | st.integers(-3, 60)
    | st.floats()
    | st.sampled_from(["", " ", "a.md", "Oil", "it"]),
    lambda inner: st.lists(inner, max_size=3) | st.dictionaries(KEYS, inner, max_size=3),
    max_leaves=6,
)


ENTRY = st.dictionaries(KEYS, JSON, max_size=6).map(lambda changed: {**row(), **changed})


@given(st.lists(ENTRY, min_size=1, max_size=4))
def test_whatever_is_written_is_sound_or_a_fault_with_line_and_remedy(tmp_path_factory, rows):
    path = lines(tmp_path_factory.getbasetemp() / "odd.jsonl", rows)
    found = check_golden(path, corpus(OIL))
    assert all(1 <= f.line <= len(rows) and f.message and f.remedy for f in found.faults)
    assert found.sound == len(rows) - len({f.line for f in found.faults})
    if not found.faults:
        assert all(gold.places for q in load_golden(path, corpus(OIL)) for gold in q.golds)
    done = fix_golden(path, corpus(OIL), path)
    assert len(done.left) <= len(found.faults)
