"""`propose`: questions and verbatim quotes from a language model behind any `/v1/chat/completions`."""

from __future__ import annotations

import hashlib
import json
import os
from collections import Counter as Tally
from collections.abc import Callable, Iterator, Mapping
from dataclasses import dataclass
from pathlib import Path
from typing import Any

from chunkwise.arguments import checked
from chunkwise.endpoints import TOO_MUCH, Address, Caller, Refused
from chunkwise.errors import CorpusError, ModelError, ReadError, SettingError
from chunkwise.golden.anchor import Page, fold
from chunkwise.golden.asking import EACH, Passage, Proposal, digest, messages, passages, read_answer
from chunkwise.golden.families import join_families
from chunkwise.types import Corpus, Gold, GoldenSet, Place, Question, check_corpus

__all__ = ["Proposed", "propose"]

COUNT = 60
"""Questions that are proposed where no number is named."""
_UNREADABLE = 5
"""Answers in another form, one behind the other, after which the model is given up on."""
_PATH = "/chat/completions"

Progress = Callable[[str, int, int], None]


@dataclass(frozen=True, slots=True)
class Proposed:
    """What a model proposed."""

    golden: GoldenSet
    """The questions that are kept: `origin` is `model`, `reviewed` is False."""
    discarded: Mapping[str, int]
    """How many proposals were discarded, by reason."""
    passages: int
    """Passages that were asked about."""
    known: int
    """How many of these had been answered in an earlier run."""
    tokens: Mapping[str, int]
    """`prompt` and `completion` tokens of this run, as the endpoint counts them."""


@checked("corpus")
def propose(
    corpus: Corpus,
    url: str,
    model: str,
    *,
    count: int = COUNT,
    key: str | None = None,
    rate: int | None = None,
    keep: str | Path | None = None,
    seed: int = 0,
    progress: Progress | None = None,
) -> Proposed:
    """Have a language model propose questions about passages from all over the corpus.

    A proposal counts only where each of its quotes stands in the document exactly once, white space folded.
    Nobody has looked at what is proposed: `origin` is `model`, `reviewed` is False, and every report says so.

    Args:
        corpus: the documents.
        url: address in front of `/chat/completions`, such as `http://127.0.0.1:11434/v1`.
        model: the name that the endpoint knows the model by.
        count: how many questions are wanted; fewer come back where the passages do not yield as many.
        key: environment variable that holds the key; None for OPENAI_API_KEY.
        rate: requests a minute at most.
        keep: file in which every answer is kept at once, so that a run that was interrupted goes on where it
            stopped; None keeps nothing. Texts of documents are in it, the key is not.
        seed: which passages are asked about, and in which order.
        progress: `progress(stage, done, total)`.

    Raises:
        SettingError: a setting that cannot work, or `corpus` is no corpus.
        CorpusError: no passage to ask about.
        ModelError: the key is missing, or the endpoint refuses or fails; what is proposed already is kept.
    """
    check_corpus(corpus)
    for name, value in (("count", count), ("rate", rate)):
        if value is not None and (not isinstance(value, int) or isinstance(value, bool) or value < 1):
            raise SettingError(f"{name} must be a whole number of at least 1, got {value!r}")
    if not model:
        raise SettingError("name the model that the endpoint shall use, such as --model gpt-4.1-mini")
    address = Address(url, key)
    address.need_key(model, "or name another variable with --key NAME")
    chosen = _spread([p for document in corpus for p in passages(document)], seed)
    if not chosen:
        raise CorpusError("no passage to ask about: none has 200 characters of text")
    answers = _Answers(address, model, rate, Path(keep) if keep is not None else None)
    kept = _Kept(corpus)
    asked = 0
    # Half of the questions that a passage could yield may be discarded; more passages are there for that.
    for passage in chosen:
        if len(kept.questions) >= count:
            break
        asked += 1
        kept.take(passage, answers(passage, corpus[passage.doc].text[slice(*passage.span)]), model, count)
        if progress is not None:
            progress("propose", len(kept.questions), count)
    return Proposed(
        GoldenSet(join_families(kept.questions), kept.digests),
        dict(kept.discarded),
        asked,
        answers.known,
        dict(answers.tokens),
    )


def _spread(found: list[Passage], seed: int) -> list[Passage]:
    """Passages in an order that takes one of each document before it takes a second one of any."""

    def drawn(passage: Passage) -> bytes:
        key = f"{seed}\0{passage.doc}\0{passage.span.start}"
        return hashlib.blake2b(key.encode("utf-8", "surrogatepass"), digest_size=8).digest()

    turns: Tally[str] = Tally()
    rows = []
    for passage in sorted(found, key=drawn):
        rows.append((turns[passage.doc], drawn(passage), passage))
        turns[passage.doc] += 1
    return [passage for _, _, passage in sorted(rows, key=lambda row: row[:2])]


class _Answers:
    """The model's answers, those of an earlier run among them."""

    def __init__(self, address: Address, model: str, rate: int | None, keep: Path | None) -> None:
        self._address, self._model, self._keep = address, model, keep
        self._caller = Caller(f"{address.url}{_PATH}", rate=rate)
        self._kept = dict(_read_kept(keep))
        self._strict = True
        self._unreadable = 0
        self.known = 0
        self.tokens: Tally[str] = Tally()

    def __call__(self, passage: Passage, text: str) -> list[Proposal] | None:
        """What is proposed for a passage; None for an answer that cannot be read."""
        asked = messages(passage, text)
        name = digest(self._model, asked)
        answer = self._kept.get(name)
        if answer is not None:
            self.known += 1
            return read_answer(answer)
        answer = self._ask(asked)
        found = read_answer(answer)
        # What cannot be read is not kept: the next run asks again.
        if found is not None:
            self._write(name, answer)
        self._unreadable = 0 if found is not None else self._unreadable + 1
        if self._unreadable >= _UNREADABLE:
            raise ModelError(
                self._model,
                f"{_UNREADABLE} answers one behind the other were not in the form asked for, the last one "
                f"began {answer[:60]!r}; take a model that can answer with JSON",
            )
        return found

    def _ask(self, asked: list[dict[str, str]]) -> str:
        body: dict[str, Any] = {"model": self._model, "messages": asked, "temperature": 0}
        if self._strict:
            body["response_format"] = {"type": "json_object"}
        try:
            answer = self._caller(body, self._address.key)
        except Refused as refused:
            if refused.status in TOO_MUCH and self._strict:
                # Some servers do not know the setting; the prompt asks for JSON too.
                self._strict = False
                return self._ask(asked)
            kept = (
                "nothing is lost"
                if self._keep is None
                else f"what is proposed already is kept in {self._keep}"
            )
            reason = self._address.why(refused, _PATH, self._model, f"{kept}, and the next run goes on")
            raise ModelError(self._model, reason) from None
        return self._content(answer)

    def _content(self, answer: Any) -> str:
        try:
            content = answer["choices"][0]["message"]["content"]
        except (KeyError, IndexError, TypeError):
            raise ModelError(
                self._model, f"{self._address.url} answers without a message; is it a {_PATH} API?"
            ) from None
        usage = answer.get("usage") or {}
        for name in ("prompt", "completion"):
            number = usage.get(f"{name}_tokens")
            self.tokens[name] += number if isinstance(number, int) else 0
        return content if isinstance(content, str) else ""

    def _write(self, name: str, answer: str) -> None:
        if self._keep is None:
            return
        line = json.dumps({"asked": name, "answer": answer}, ensure_ascii=True)
        with self._keep.open("a", encoding="utf-8") as file:
            # A line end in front too: the line before may be half of one.
            file.write(f"\n{line}\n")
            file.flush()
            os.fsync(file.fileno())


def _read_kept(path: Path | None) -> Iterator[tuple[str, str]]:
    """Answers of an earlier run. The last line may be half of one: the run was killed while it wrote."""
    if path is None or not path.exists():
        return
    try:
        lines = path.read_bytes().decode("utf-8", "replace").splitlines()
    except OSError as error:
        raise ReadError(str(path), f"{error.strerror or error}; it holds what was proposed before") from error
    for line in filter(None, lines):
        try:
            row = json.loads(line)
            yield row["asked"], row["answer"]
        except (ValueError, KeyError, TypeError):
            continue


class _Kept:
    """Proposals that stand in their document, as questions."""

    def __init__(self, corpus: Corpus) -> None:
        self._corpus = corpus
        self._page: Page | None = None
        self._asked: set[str] = set()
        self.questions: list[Question] = []
        self.digests: dict[str, str] = {}
        self.discarded: Tally[str] = Tally()

    def take(self, passage: Passage, proposals: list[Proposal] | None, model: str, most: int) -> None:
        """Keep what can be kept of the proposals for a passage, up to so many questions in all."""
        if proposals is None:
            self.discarded["answer in another form"] += 1
            return
        if self._page is None or self._page.id != passage.doc:
            self._page = Page(self._corpus[passage.doc])
        page = self._page
        for proposal in proposals[:EACH]:
            if len(self.questions) >= most:
                return
            spans = [page.find(quote, 2) for quote in proposal.quotes]
            same = fold(proposal.question).casefold()
            if not all(spans):
                self.discarded["quote not in the document word for word"] += 1
            elif any(len(found) > 1 for found in spans):
                self.discarded["quote in several places"] += 1
            elif len({found[0] for found in spans}) < len(spans):
                self.discarded["quote given twice"] += 1
            elif same in self._asked:
                self.discarded["asked already"] += 1
            elif any(same.rstrip("?") == fold(title).casefold() for title in passage.path):
                self.discarded["a heading and no question"] += 1
            else:
                self._asked.add(same)
                golds = tuple(Gold(page.read(found[0]), (Place(passage.doc, found[0]),)) for found in spans)
                self._add(proposal, golds, model)
                self.digests[passage.doc] = page.document.digest

    def _add(self, proposal: Proposal, golds: tuple[Gold, ...], model: str) -> None:
        key = json.dumps([proposal.question, [gold.places[0].doc for gold in golds], *proposal.quotes])
        name = hashlib.blake2b(key.encode(), digest_size=5).hexdigest()
        tags = {"query_type": proposal.kind} if proposal.kind else {}
        self.questions.append(
            Question(
                f"m-{name}",
                proposal.question,
                golds,
                tags={**tags, "model": model},
                origin="model",
                reviewed=False,
            )
        )
