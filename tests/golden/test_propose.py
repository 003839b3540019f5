"""Questions proposed by a language model, over real HTTP: see `chat.py` for what stands behind the server."""

from __future__ import annotations

import json
from collections.abc import Iterator
from pathlib import Path
from typing import Any

import pytest

import chunkwise
from chunkwise.errors import CorpusError, ModelError, SettingError
from chunkwise.golden.asking import MOST, SYSTEM, passages, read_answer
from chunkwise.golden.propose import propose
from chunkwise.golden.write import write_golden
from chunkwise.readers import read_text
from chunkwise.types import Corpus
from tests.endpoint import hurry

from .chat import Chat, about_numbers, passage_of, proposals

KEY = "sk-test-0123456789"
FILLER = "It is made for daily use in a workshop and needs hardly any care. " * 4


def page(name: str, first: int) -> Any:
    parts = [
        f"## Part {i}\n\n{FILLER}Check value {i} of {name} every {10 * i} days.\n"
        for i in range(first, first + 4)
    ]
    return read_text(f"# {name}\n\n" + "\n".join(parts), id=f"{name}.md")


@pytest.fixture(autouse=True)
def _quick(monkeypatch: pytest.MonkeyPatch) -> None:
    hurry(monkeypatch)


@pytest.fixture
def corpus() -> Corpus:
    return Corpus([page("pump", 1), page("fan", 5)])


@pytest.fixture
def chat() -> Iterator[Chat]:
    with Chat() as running:
        yield running


def test_what_is_proposed_stands_in_its_document_and_is_marked(corpus: Corpus, chat: Chat) -> None:
    found = propose(corpus, chat.url, "small-model")
    assert len(found.golden) == found.passages == len(chat.requests) == 8
    assert (found.discarded, found.known) == ({}, 0)
    assert found.tokens == {"prompt": 800, "completion": 160}
    for question in found.golden:
        (gold,) = question.golds
        (place,) = gold.places
        document = corpus[place.doc]
        assert document.text[slice(*document.from_raw(place.span))] == gold.quote
        assert (question.origin, question.reviewed) == ("model", False)
        assert question.tags == {"query_type": "factual", "model": "small-model"}
    assert set(found.golden.digests) == {"fan.md", "pump.md"}
    again = propose(corpus, chat.url, "small-model").golden
    assert again == found.golden


def test_the_prompt_says_what_a_good_question_is_and_shows_one_passage(corpus: Corpus, chat: Chat) -> None:
    propose(corpus, chat.url, "small-model", count=1)
    (request,) = chat.requests
    assert request["model"] == "small-model"
    assert request["temperature"] == 0
    system, user = request["messages"]
    assert system == {"role": "system", "content": SYSTEM}
    for said in ("words of its user", "Never turn a heading into a question", "character for character"):
        assert said in SYSTEM
    doc, path = user["content"].splitlines()[:2]
    assert doc.removeprefix("Document: ") in corpus.ids
    assert path.startswith("Headings above it: ")
    assert passage_of(request) in corpus[doc.removeprefix("Document: ")].text


def test_passages_come_from_all_documents_before_a_second_one_of_any(corpus: Corpus, chat: Chat) -> None:
    found = propose(corpus, chat.url, "m", count=2)
    assert {question.golds[0].places[0].doc for question in found.golden} == {"fan.md", "pump.md"}
    other = propose(corpus, chat.url, "m", count=2, seed=5)
    assert [q.text for q in other.golden] != [q.text for q in found.golden]


def test_a_long_section_is_asked_about_in_parts_at_block_ends() -> None:
    text = "# Long\n\n" + "\n\n".join(f"Paragraph {i}. " + "x" * 300 for i in range(40))
    parts = list(passages(read_text(text, id="a.md")))
    assert "".join(text[slice(*part.span)] for part in parts) == text
    assert max(part.span.length for part in parts) <= MOST
    assert all(text[part.span.start :].startswith("Paragraph") for part in parts[1:])
    assert list(passages(read_text("# A\n\nShort.\n", id="a.md"))) == []
    unbroken = list(passages(read_text("y" * (2 * MOST + 10), id="a.txt")))
    assert [part.span.length for part in unbroken] == [MOST, MOST]


@pytest.mark.parametrize(
    ("rule", "reason"),
    [
        (
            lambda _: proposals(("What?", ["Check value of it now."])),
            "quote not in the document word for word",
        ),
        (
            lambda p: proposals(("What?", [p.strip().splitlines()[-1].casefold()])),
            "quote not in the document",
        ),
        (lambda _: proposals(("What?", ["It is made for daily use"])), "quote in several places"),
        (lambda p: proposals(("What?", [p.split(". ")[-1]] * 2)), "quote given twice"),
        (lambda p: proposals(("What?", [p.split(". ")[-1]])), "asked already"),
        (
            lambda p: proposals((p.split("\n")[0].strip("# "), [p.split(". ")[-1]])),
            "a heading and no question",
        ),
    ],
)
def test_what_cannot_be_kept_is_discarded_and_counted(corpus: Corpus, rule: Any, reason: str) -> None:
    with Chat(rule) as chat:
        found = propose(corpus, chat.url, "m")
    ((name, number),) = found.discarded.items()
    assert name.startswith(reason)
    assert number + len(found.golden) == 8
    assert len(found.golden) == (reason == "asked already")


def test_quotes_over_several_lines_and_several_quotes_are_found() -> None:
    text = f"# A\n\n{FILLER}\nThe oil is changed\nevery 90 days. {FILLER}\nUse grade 46.\n"
    with Chat(
        lambda _: proposals(("Which oil, and when?", ["changed every 90 days.", "Use grade 46."]))
    ) as chat:
        (question,) = propose(Corpus([read_text(text, id="a.md")]), chat.url, "m").golden
    assert [gold.quote for gold in question.golds] == ["changed\nevery 90 days.", "Use grade 46."]


def test_what_stands_around_the_answer_is_passed_over() -> None:
    row = proposals(("What?", ["x"]))
    for answer in (row, f"Here you are:\n```json\n{row}\n```", json.dumps(json.loads(row)["questions"])):
        found = read_answer(answer)
        assert found is not None
        assert (found[0].question, found[0].quotes, found[0].kind) == ("What?", ("x",), "factual")
    assert read_answer('{"questions": [{"question": " a\\n b ", "quote": "x", "kind": "odd"}]}') is not None
    assert read_answer('{"questions": []}') == []
    assert read_answer('{"questions": [{"question": "What?", "quotes": [" "]}]}') == []
    for broken in (
        "",
        "no",
        '{"questions": "none"}',
        '{"questions": [1]}',
        '{"questions": [{"quotes": []}]}',
    ):
        assert read_answer(broken) is None


def test_a_server_that_does_not_know_the_form_is_asked_without_it(corpus: Corpus) -> None:
    with Chat(strict=False) as chat:
        assert len(propose(corpus, chat.url, "m").golden) == 8
    assert [("response_format" in request) for request in chat.requests] == [True] + [False] * 8


def test_a_server_that_asks_to_wait_is_waited_for(corpus: Corpus, chat: Chat) -> None:
    chat.faults = [(429, {"Retry-After": "0.01"}, ""), (503, {}, ""), (0, {}, "")]
    assert len(propose(corpus, chat.url, "m", count=1).golden) == 1
    assert len(chat.requests) == 4


def test_the_key_is_sent_and_is_nowhere_else(
    corpus: Corpus, monkeypatch: pytest.MonkeyPatch, tmp_path: Path
) -> None:
    monkeypatch.setenv("MY_KEY", KEY)
    keep = tmp_path / "answers"
    with Chat(key=KEY) as chat:
        found = propose(corpus, chat.url, "m", key="MY_KEY", keep=keep)
        assert {headers["Authorization"] for headers in chat.headers} == {f"Bearer {KEY}"}
        write_golden(found.golden, tmp_path / "golden.jsonl")
        monkeypatch.setenv("MY_KEY", f"{KEY}-old")
        with pytest.raises(ModelError, match="the key in the variable MY_KEY is not taken") as error:
            propose(corpus, chat.url, "other", key="MY_KEY")
        assert KEY not in str(error.value)
    for path in tmp_path.iterdir():
        assert KEY not in path.read_text("utf-8")


def test_no_key_for_another_machine_is_said_before_anything_is_sent(corpus: Corpus) -> None:
    with pytest.raises(ModelError, match="environment variable OPENAI_API_KEY"):
        propose(corpus, "https://api.example.com/v1", "m")


def test_a_run_that_failed_goes_on_where_it_stopped(corpus: Corpus, chat: Chat, tmp_path: Path) -> None:
    keep = tmp_path / "answers"
    whole = propose(corpus, chat.url, "m").golden

    def fail_at_fourth(passage: str) -> str:
        if len(chat.requests) == 4:
            chat.faults = [(404, {}, "")]
        return about_numbers(passage)

    chat.rule = fail_at_fourth
    chat.requests.clear()
    with pytest.raises(ModelError, match=r"answers 404.*no /chat/completions, or no model 'm'"):
        propose(corpus, chat.url, "m", keep=keep)
    assert len(chat.requests) == 5
    # Killed while it wrote: the last line is half of one.
    with keep.open("a", encoding="utf-8") as file:
        file.write('{"asked": "00')
    chat.rule = about_numbers
    chat.requests.clear()
    found = propose(corpus, chat.url, "m", keep=keep)
    assert (found.known, len(chat.requests)) == (4, 4)
    assert found.golden == whole
    assert propose(corpus, chat.url, "m", keep=keep).known == 8
    assert propose(corpus, chat.url, "another", keep=keep).known == 0


def test_an_interrupt_keeps_what_was_proposed(corpus: Corpus, chat: Chat, tmp_path: Path) -> None:
    def stop(_: str, done: int, __: int) -> None:
        if done == 3:
            raise KeyboardInterrupt

    with pytest.raises(KeyboardInterrupt):
        propose(corpus, chat.url, "m", keep=tmp_path / "answers", progress=stop)
    assert propose(corpus, chat.url, "m", keep=tmp_path / "answers").known == 3


def test_a_model_that_never_answers_in_the_form_is_given_up_on(corpus: Corpus, tmp_path: Path) -> None:
    answers = iter(["Sorry.", *["no"] * 9])
    with Chat(lambda _: next(answers)) as chat:
        with pytest.raises(ModelError, match="5 answers one behind the other were not in the form"):
            propose(corpus, chat.url, "m", keep=tmp_path / "answers")
        assert len(chat.requests) == 5
    assert not (tmp_path / "answers").exists()
    answers = iter(["Sorry."] + [proposals()] * 9)
    with Chat(lambda _: next(answers)) as chat:
        found = propose(corpus, chat.url, "m")
    assert found.discarded == {"answer in another form": 1}
    assert len(found.golden) == 0


def test_an_answer_of_another_service_is_told(corpus: Corpus, chat: Chat) -> None:
    chat.faults = [(200, {}, '{"data": []}')]
    with pytest.raises(ModelError, match="is it a /chat/completions API"):
        propose(corpus, chat.url, "m")


def test_what_cannot_work_is_refused(corpus: Corpus) -> None:
    url = "http://127.0.0.1:9/v1"
    for settings, said in (
        ({"count": 0}, "count must be"),
        ({"rate": 0}, "rate must be"),
        ({"key": "sk-abcdef"}, "never write the key itself"),
    ):
        with pytest.raises(SettingError, match=said):
            propose(corpus, url, "m", **settings)  # type: ignore[arg-type]
    with pytest.raises(SettingError, match="name the model"):
        propose(corpus, url, "")
    with pytest.raises(SettingError, match="url holds a secret"):
        propose(corpus, "http://user:pw@host/v1", "m")
    with pytest.raises(CorpusError, match="no passage to ask about"):
        propose(Corpus([read_text("# A\n\nShort.\n", id="a.md")]), url, "m")


def test_they_are_counted_apart_in_reports(corpus: Corpus, chat: Chat, tmp_path: Path) -> None:
    found = chunkwise.propose(corpus, chat.url, "m")
    write_golden(found.golden, tmp_path / "golden.jsonl")
    golden = chunkwise.load_golden(tmp_path / "golden.jsonl", corpus)
    written = [golden.questions[0]._replace(origin="written", reviewed=True), *golden.questions[1:]]
    mixed = type(golden)(written, golden.digests)
    report = chunkwise.compare(corpus, mixed, ["heading:size=400", "fixed:size=400"], resamples=50)
    assert report.golden["origin"] == {"model": 7, "written": 1}
    assert report.golden["unreviewed_of_models"] == 7
    assert report.decision is not None
    assert any(
        "7 of 8 questions" in said and "proposed by a model" in said for said in report.decision.not_shown
    )
    assert any("reviewed by nobody" in warning for warning in report.warnings)
    seen = type(golden)([q._replace(reviewed=True) for q in golden], golden.digests)
    quiet = chunkwise.compare(corpus, seen, ["heading:size=400", "fixed:size=400"], resamples=50)
    assert quiet.decision is not None
    assert not any("model" in said for said in (*quiet.decision.not_shown, *quiet.warnings))
