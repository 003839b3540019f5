"""`chunkwise draft --with` as it is run, against a server on this machine (see `tests/golden/chat.py`)."""

from __future__ import annotations

import json
import os
import signal
import subprocess
import sys
import threading
from collections.abc import Iterator
from pathlib import Path
from typing import Any

import pytest

import chunkwise
from chunkwise.cli import Exit
from tests.cli.conftest import Run
from tests.endpoint import hurry
from tests.golden.chat import Chat, about_numbers

ANSWERS = "drafted.jsonl.answers"


@pytest.fixture
def chat(monkeypatch: pytest.MonkeyPatch) -> Iterator[Chat]:
    hurry(monkeypatch)
    with Chat() as running:
        yield running


def ask(run: Run, chat: Chat, *more: str) -> Any:
    return run("draft", "docs", "--with", chat.url, "--model", "small", "-o", "drafted.jsonl", *more)


def test_questions_are_written_and_the_answers_are_gone(run: Run, chat: Chat, folder: Path) -> None:
    done = ask(run, chat, "--count", "2")
    assert (done.code, done.out) == (Exit.OK, "")
    lines = (folder / "drafted.jsonl").read_text("utf-8").splitlines()
    assert len(lines) == 2
    assert all((row["origin"], row["reviewed"]) == ("model", False) for row in map(json.loads, lines))
    assert "2 questions proposed by small about 2 passages, written to drafted.jsonl." in done.err
    assert "200 tokens sent, 40 received" in done.err
    assert "Nobody has looked at them" in done.err
    assert not (folder / ANSWERS).exists()
    checked = run("check", "drafted.jsonl", "--docs", "docs")
    assert checked.code == Exit.OK
    assert "2 of 2 questions were not reviewed by a person" in checked.out


def test_what_was_proposed_is_kept_when_the_endpoint_fails(run: Run, chat: Chat, folder: Path) -> None:
    def once(passage: str) -> str:
        chat.faults = [(401, {}, "")]
        return about_numbers(passage)

    chat.rule = once
    failed = ask(run, chat)
    assert failed.code == Exit.MODEL
    assert "the key in the variable OPENAI_API_KEY is not set" in failed.err
    assert (folder / ANSWERS).exists()
    assert not (folder / "drafted.jsonl").exists()
    chat.rule = about_numbers
    before = len(chat.requests)
    assert ask(run, chat).code == Exit.OK
    assert len(chat.requests) - before == 2  # of three passages one was answered before
    assert not (folder / ANSWERS).exists()


@pytest.mark.skipif(sys.platform == "win32", reason="signals are others there")
def test_after_ctrl_c_the_same_command_goes_on(run: Run, chat: Chat, folder: Path) -> None:
    second, end = threading.Event(), threading.Event()

    def hang(passage: str) -> str:
        if len(chat.requests) > 1:
            second.set()
            end.wait(600)
        return about_numbers(passage)

    chat.rule = hang
    command = [sys.executable, "-m", "chunkwise", "draft", "docs", "--with", chat.url, "--model", "small"]
    with subprocess.Popen(
        [*command, "-o", "drafted.jsonl"],
        cwd=folder,
        env={**os.environ, "PYTHONPATH": str(Path(chunkwise.__file__).parents[1])},
        stderr=subprocess.PIPE,
        text=True,
    ) as process:
        assert second.wait(300)
        process.send_signal(signal.SIGINT)
        _, told = process.communicate(timeout=300)
    end.set()
    assert process.returncode == Exit.INTERRUPTED
    assert f"what was proposed is kept in {ANSWERS}; the same command goes on from there" in told
    assert len((folder / ANSWERS).read_text("utf-8").split()) > 1
    assert not (folder / "drafted.jsonl").exists()
    before = len(chat.requests)
    assert ask(run, chat).code == Exit.OK
    assert len(chat.requests) - before == 2


def test_drafts_of_a_model_are_written_over_until_somebody_reviewed_one(
    run: Run, chat: Chat, folder: Path
) -> None:
    path = folder / "drafted.jsonl"
    assert ask(run, chat).code == Exit.OK
    assert ask(run, chat).code == Exit.OK
    first, *others = path.read_text("utf-8").splitlines()
    path.write_text("\n".join([json.dumps({**json.loads(first), "reviewed": True}), *others]), "utf-8")
    refused = ask(run, chat)
    assert refused.code == Exit.USAGE
    assert "line 1 was written or reviewed by a person" in refused.err
    assert ask(run, chat, "--force").code == Exit.OK


def test_what_is_missing_is_said_before_anything_is_read(run: Run, chat: Chat) -> None:
    for arguments, said in (
        (("--with", chat.url, "-o", "a.jsonl"), "name it with --model"),
        (("--with", chat.url, "--model", "m"), "name one with -o"),
        (("--model", "m"), "name the endpoint too"),
        (("--with", "api.example.com", "--model", "m", "-o", "a.jsonl"), "url must be like"),
    ):
        done = run("draft", "docs", *arguments)
        assert done.code == Exit.USAGE
        assert said in done.err
    done = run("draft", "docs", "--with", "https://api.example.com/v1", "--model", "m", "-o", "a.jsonl")
    assert done.code == Exit.MODEL
    assert "put it into the environment variable OPENAI_API_KEY" in done.err
    assert chat.requests == []
