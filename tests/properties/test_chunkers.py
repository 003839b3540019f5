"""The promises of every built-in chunker, on generated Markdown."""

from __future__ import annotations

from dataclasses import fields
from typing import Any

import pytest
from hypothesis import assume, example, given
from hypothesis import strategies as st

from chunkwise.chunk import CHUNKERS, make_chunkers
from chunkwise.structure import parse_markdown, parse_plain
from chunkwise.testing import check_chunker
from chunkwise.text.tokens import minilm_tokenizer
from chunkwise.types import Document

from .strategies import SIZES, markdown

ALL_LEVELS = (1, 2, 3, 4, 5, 6)
KEEPS_SECTIONS = {"heading", "section"}
NAMES = list(CHUNKERS)
CHARS = st.just("chars")
MODELS = ["minilm"] if minilm_tokenizer() is not None else []


def has(name: str, setting: str) -> bool:
    """Whether a chunker has a setting."""
    return setting in {field.name for field in fields(CHUNKERS[name])}


def half_bytes(text: str) -> int:
    """Stands for a tokenizer that works on bytes; not additive."""
    return (len(text.encode("utf-8")) + 1) // 2


@st.composite
def settings_of(draw: st.DrawFn, name: str, units: Any = CHARS) -> dict[str, Any]:
    """Settings for a chunker: a size, an overlap below it, and what else it takes."""
    given_: dict[str, Any] = {}
    if has(name, "size"):
        given_ = {"size": draw(SIZES), "unit": draw(units)}
        if has(name, "overlap") and draw(st.booleans()):
            given_["overlap"] = draw(st.integers(0, given_["size"] - 1))
        if has(name, "offset") and draw(st.booleans()):
            given_["offset"] = draw(st.integers(0, given_["size"] - 1))
    if has(name, "levels"):
        given_["levels"] = ALL_LEVELS
    if has(name, "path"):
        given_["path"] = draw(st.booleans())
    if has(name, "lead_in"):
        given_["lead_in"] = draw(st.booleans())
        given_["table_header"] = draw(st.booleans())
        given_["code"] = draw(st.sampled_from(["whole", "with-prose"]))
    given_["index_clean"] = draw(st.booleans())
    return given_


def check(name: str, settings: dict[str, Any], document: Document | str) -> None:
    """All promises."""
    chunks = check_chunker(
        CHUNKERS[name](**settings),
        document,
        size=settings.get("size"),
        overlap=settings.get("overlap", 0),
        crosses_sections=name not in KEEPS_SECTIONS,
    )
    if isinstance(document, Document):
        for chunk in chunks:
            assert chunk.path == document.sections.path(chunk.section)
            shown = document.text[slice(*chunk.match)]
            if not settings.get("index_clean"):
                assert chunk.indexed == "\n".join([*(text for _, text in chunk.context), shown])
            assert chunk.indexed.startswith("\n".join(text for _, text in chunk.context))
            for setting, kind in (("path", "path"), ("table_header", "header")):
                assert settings.get(setting, True) or kind not in dict(chunk.context)


@pytest.mark.parametrize("name", NAMES)
@given(data=st.data(), made=markdown())
def test_promises_hold_on_markdown(name: str, data: st.DataObject, made: Any) -> None:
    check(name, data.draw(settings_of(name)), Document("a.md", made.text, parse_markdown))


@pytest.mark.parametrize("name", NAMES)
@given(data=st.data(), text=st.text(st.characters(exclude_categories=["Cs"]), max_size=80))
@example(data=None, text="")
def test_promises_hold_on_any_text(name: str, data: st.DataObject | None, text: str) -> None:
    settings = data.draw(settings_of(name)) if data is not None else {}
    check(name, settings, Document("a.txt", text, parse_plain))
    check(name, settings, text)


@pytest.mark.parametrize("name", [name for name in NAMES if has(name, "unit")])
@given(data=st.data(), made=markdown(most=4))
def test_promises_hold_in_other_units(name: str, data: st.DataObject, made: Any) -> None:
    settings = data.draw(
        settings_of(name, st.sampled_from(["words", half_bytes, "cl100k", "o200k", *MODELS]))
    )
    assume(settings["unit"] == "words" or settings["size"] >= 8)  # a character alone may take several
    check(name, settings, Document("a.md", made.text, parse_markdown))


@pytest.mark.parametrize("name", [name for name in NAMES if has(name, "within")])
@given(data=st.data(), made=markdown(most=4))
def test_two_limits_hold_at_once(name: str, data: st.DataObject, made: Any) -> None:
    """One in tokens of the embedder, its special tokens counted, the other in those of a language model."""
    units = ["chars", "words", half_bytes, "cl100k", *MODELS]
    settings = data.draw(settings_of(name, st.sampled_from(units)))
    settings["within"] = data.draw(st.integers(8, 400)), data.draw(st.sampled_from(units))
    assume(settings["size"] >= 12)  # a character alone may take several, and some stand around every text
    for key in ("overlap", "offset"):
        settings[key] = min(settings.get(key, 0), settings["size"] // 2) if has(name, key) else 0
    settings = {key: value for key, value in settings.items() if has(name, key)}
    check(name, settings, Document("a.md", made.text, parse_markdown))


@pytest.mark.parametrize("name", NAMES)
@given(data=st.data())
def test_specs_parse_back(name: str, data: st.DataObject) -> None:
    chunker = CHUNKERS[name](**data.draw(settings_of(name, st.sampled_from(["chars", "words", "o200k"]))))
    assert make_chunkers(chunker.spec) == [chunker]
    assert [found.spec for found in make_chunkers(chunker.spec)] == [chunker.spec]
