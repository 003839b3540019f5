"""A server that speaks `/v1/chat/completions` over real HTTP.

It stands for a language model behind an OpenAI-compatible service. There is no model in it: it answers by
rule from the prompt. Of the passage that it is shown it asks one question about the first sentence with a
number, in words of its own, and quotes that sentence. What a model does wrong it does on demand (see `Rule`).
"""

from __future__ import annotations

import json
import re
from collections.abc import Callable
from typing import Any

from chunkwise.golden.asking import BEGIN, END
from tests.endpoint import JsonServer

Rule = Callable[[str], str]
"""Makes the content of an answer from the passage of a prompt."""


def passage_of(body: dict[str, Any]) -> str:
    """The passage that a request shows."""
    content: str = body["messages"][-1]["content"]
    return content.split(f"{BEGIN}\n")[1].split(f"\n{END}")[0]


def proposals(*rows: tuple[str, list[str]]) -> str:
    """An answer in the form that is asked for."""
    return json.dumps({"questions": [{"question": q, "quotes": g, "kind": "factual"} for q, g in rows]})


def about_numbers(passage: str) -> str:
    """The rule of an honest model: a sentence with a number, quoted as it stands."""
    found = re.search(r"[A-Z][^.\n]*\d[^.\n]*\.", passage)
    if found is None:
        return proposals()
    number = re.search(r"\d+", found[0])
    assert number is not None
    return proposals((f"What should I know about the {number[0]}?", [found[0]]))


class Chat(JsonServer):
    """Answers by a rule."""

    path = "/v1/chat/completions"

    def __init__(self, rule: Rule = about_numbers, key: str = "", strict: bool = True) -> None:
        super().__init__(key)
        self.rule, self.strict = rule, strict

    def reply(self, body: dict[str, Any]) -> tuple[int, str]:
        if not self.strict and "response_format" in body:
            return 400, json.dumps({"error": {"message": "unknown field response_format"}})
        content = self.rule(passage_of(body))
        usage = {"prompt_tokens": 100, "completion_tokens": 20}
        message = {"role": "assistant", "content": content}
        return 200, json.dumps({"choices": [{"index": 0, "message": message}], "usage": usage})
