"""Splitters of other libraries, with the real libraries where they are installed."""

from __future__ import annotations

import sys
from importlib.util import find_spec
from types import ModuleType

import pytest

from chunkwise.adapters import LIBRARIES, is_foreign, make_chunker, make_chunkers
from chunkwise.adapters.libraries import _parts, _value
from chunkwise.errors import ChunkwiseError, MissingExtra, SettingError
from chunkwise.spec import Spec, parse_one
from chunkwise.structure import parse_markdown
from chunkwise.text import counter
from chunkwise.types import Chunk, Chunker, Document

TEXT = "".join(
    f"# Pump {n}\n\nTurn it on. Wait.\n\n{'Ask twice. ' * n}\n\n## Care\n\nOil it  well.\tOil it {n} times.\n"
    for n in (3, 4, 5, 2)
)
RECURSIVE = "langchain.RecursiveCharacterTextSplitter"
INSTALLED = {"langchain": "langchain_text_splitters", "llamaindex": "llama_index", "chonkie": "chonkie"}
SPECS = (
    f"{RECURSIVE}:chunk_size=60,chunk_overlap=0",
    f"{RECURSIVE}:chunk_size=60,chunk_overlap=25",
    f"{RECURSIVE}:chunk_size=9,chunk_overlap=3,length=words",
    "langchain.CharacterTextSplitter:separator=\\n\\n,chunk_size=70,chunk_overlap=0",
    "langchain.MarkdownTextSplitter:chunk_size=60,chunk_overlap=0",
    "llamaindex.SentenceSplitter:chunk_size=20,chunk_overlap=4,length=words",
    "llamaindex.TokenTextSplitter:chunk_size=20,chunk_overlap=0,length=words",
    "llamaindex.MarkdownNodeParser",
    "llamaindex.SentenceWindowNodeParser:window_size=1",
    "chonkie.RecursiveChunker:chunk_size=60",
    "chonkie.SentenceChunker:chunk_size=9,length=words",
    "chonkie.TokenChunker:chunk_size=7,chunk_overlap=2,length=words",
)


def need(kind: str) -> None:
    if find_spec(INSTALLED[kind]) is None:
        pytest.skip(f"{INSTALLED[kind]} is not installed: pip install 'chunkwise[{kind}]'")


def made(spec: str) -> Chunker:
    need(spec.partition(".")[0])
    (chunker,) = make_chunkers(spec)
    return chunker


def cut(spec: str, text: str = TEXT) -> list[Chunk]:
    return made(spec)(Document("guides/pump.md", text, parse_markdown))


@pytest.mark.parametrize("spec", SPECS)
def test_every_chunk_has_its_true_place(spec: str) -> None:
    chunks = cut(spec)
    assert len(chunks) > 3
    held: set[int] = set()
    for chunk in chunks:
        assert chunk.span is not None
        assert chunk.text == TEXT[chunk.span.start : chunk.span.end]
        assert chunk.marks == ()
        held.update(range(*chunk.span))
    # Nothing that can be seen is lost, so that repeated sentences were not all put on the first copy.
    assert {i for i, c in enumerate(TEXT) if not c.isspace()} <= held
    assert [c.span for c in chunks] == sorted(c.span for c in chunks)
    assert chunks[-1].path[0] == "Pump 2"


@pytest.mark.parametrize("spec", SPECS)
def test_text_forms_parse_back_to_equal_chunkers(spec: str) -> None:
    chunker = made(spec)
    assert chunker.spec == spec
    assert chunker == made(chunker.spec)
    assert isinstance(chunker, Chunker)
    assert is_foreign(parse_one(spec))


def test_a_sweep_and_a_label() -> None:
    need("langchain")
    found = make_chunkers(f"{RECURSIVE}:chunk_size=60|90,chunk_overlap=0")
    assert [c.spec[-29:] for c in found] == [
        "chunk_size=60,chunk_overlap=0"[-29:],
        "chunk_size=90,chunk_overlap=0",
    ]
    assert found[0] != found[1]
    labelled = make_chunker(parse_one(f"mine={RECURSIVE}:chunk_size=60,chunk_overlap=0"))
    assert labelled == found[0]


@pytest.mark.parametrize(
    "name", [f"{RECURSIVE}:chunk_overlap=0,chunk_size", "chonkie.RecursiveChunker:chunk_size"]
)
def test_the_unit_in_which_a_library_counts(name: str) -> None:
    words = [len(c.text.split()) for c in cut(f"{name}=8,length=words")]
    assert 4 < max(words) <= 8
    tokens = counter("cl100k")
    assert 6 < max(tokens.count(c.text) for c in cut(f"{name}=12,length=cl100k")) <= 12


def test_sizes_are_reported_in_the_unit_in_which_a_library_counts() -> None:
    assert made(f"{RECURSIVE}:chunk_size=8,chunk_overlap=0,length=words").counter.name == "words"
    assert made(f"{RECURSIVE}:chunk_size=80,chunk_overlap=0").counter is None


def test_lists_and_plain_values() -> None:
    wanted = "list[str] | None"
    assert _value(r"\n\n+\n+ +", wanted) == ["\n\n", "\n", " ", ""]
    assert _value(r"a\+b+2", wanted) == ["a+b", "2"]
    assert _value("x", wanted) == ["x"]
    assert _value("x", "typing.Union[str, list[str]]") == "x"
    assert _value("1+2", "list[int]") == [1, 2]
    assert (_value("no", "bool"), _value("0.5", "float"), _value(r"\n", "str")) == (False, 0.5, "\n")
    ends = [
        c.text
        for c in cut(f"{RECURSIVE}:separators=OIL+.+ ,chunk_size=30,chunk_overlap=0,keep_separator=end")
    ]
    assert "Turn it on." in " ".join(ends)
    assert all(len(text) <= 30 for text in ends)


def test_context_that_a_library_writes_is_indexed_and_no_part_of_the_place() -> None:
    chunk = cut("llamaindex.MarkdownNodeParser")[1]
    assert chunk.text.startswith("## Care")
    assert chunk.indexed == f"header_path: /Pump 3/\n\n{chunk.text}"


def test_a_character_that_a_library_cut_has_no_place() -> None:
    text = "pump 🚰🚰 pump"
    chunks = cut("langchain.TokenTextSplitter:encoding_name=cl100k_base,chunk_size=2,chunk_overlap=0", text)
    unplaced = [c for c in chunks if c.span is None]
    assert 0 < len(unplaced) < len(chunks)
    assert {c.marks for c in unplaced} == {("unplaced",)}
    assert chunks[-1].span is None


@pytest.mark.parametrize(
    ("spec", "message"),
    [
        ("langchain", "names no splitter; write langchain.RecursiveCharacterTextSplitter"),
        ("langchain.X,y=1", "no spec"),
        ("langchain.:chunk_size=3", "names no splitter"),
        ("langchain.RecursiveCharactorTextSplitter", "did you mean 'RecursiveCharacterTextSplitter'"),
        ("langchain.Language", "unknown langchain splitter"),
        ("langchain.TextSplitter", "unknown langchain splitter"),
        (f"{RECURSIVE}:size=300", "did you mean 'chunk_size'"),
        (f"{RECURSIVE}:chunk_size=100", "cannot be made so: Got a larger chunk overlap"),
        (f"{RECURSIVE}:chunk_size=0,chunk_overlap=0", "cannot be made so"),
        (f"{RECURSIVE}:length=wrods", "unknown unit"),
        ("langchain.MarkdownHeaderTextSplitter", "headers_to_split_on"),
        (
            "langchain.HTMLHeaderTextSplitter:length=words,headers_to_split_on=a+b",
            "counts in a unit of its own",
        ),
    ],
)
def test_what_cannot_be_is_refused_with_its_reason(spec: str, message: str) -> None:
    need("langchain")
    with pytest.raises(SettingError, match=message):
        make_chunkers(spec)


@pytest.mark.parametrize("kind", LIBRARIES)
def test_a_library_that_is_not_installed(kind: str, monkeypatch: pytest.MonkeyPatch) -> None:
    module = LIBRARIES[kind].module
    for name in [n for n in sys.modules if n == module or n.startswith(f"{module}.")]:
        monkeypatch.delitem(sys.modules, name)
    monkeypatch.setitem(sys.modules, module.partition(".")[0], None)
    monkeypatch.setitem(sys.modules, module, None)
    with pytest.raises(MissingExtra, match=rf"pip install 'chunkwise\[{kind}\]'"):
        make_chunker(Spec(f"{kind}.Anything"))


def test_a_library_that_misses_another_one(monkeypatch: pytest.MonkeyPatch, tmp_path) -> None:
    (tmp_path / "broken_splitters.py").write_text("import not_there_at_all\n")
    monkeypatch.syspath_prepend(tmp_path)
    broken = LIBRARIES["langchain"]._replace(module="broken_splitters")
    monkeypatch.setitem(LIBRARIES, "langchain", broken)
    with pytest.raises(SettingError, match="not_there_at_all"):
        make_chunker(Spec("langchain.Anything"))


def test_a_splitter_that_needs_another_library(monkeypatch: pytest.MonkeyPatch) -> None:
    module = ModuleType("greedy_splitters")

    class Greedy:
        def __init__(self) -> None:
            raise ImportError("pip install more")

        def split_text(self, text: str) -> list[str]:
            return [text]

    module.Greedy = Greedy  # type: ignore[attr-defined]
    monkeypatch.setitem(sys.modules, "greedy_splitters", module)
    monkeypatch.setitem(LIBRARIES, "langchain", LIBRARIES["langchain"]._replace(module="greedy_splitters"))
    with pytest.raises(SettingError, match="needs another library: pip install more"):
        make_chunker(Spec("langchain.Greedy"))


def test_an_error_of_the_library_names_the_chunker_and_the_document(monkeypatch: pytest.MonkeyPatch) -> None:
    chunker = made(f"{RECURSIVE}:chunk_size=60,chunk_overlap=0")
    monkeypatch.setattr(chunker.function.made, "split_text", lambda _: 1 / 0)
    with pytest.raises(ZeroDivisionError) as caught:
        chunker(Document("guides/pump.md", TEXT, parse_markdown))
    assert not isinstance(caught.value, ChunkwiseError)
    assert "guides/pump.md" in caught.value.__notes__[0]


def test_units_of_a_text() -> None:
    words = counter("words")
    for text in ("", "  ", "one", " one  two\n"):
        parts = _parts(text, words.ends(text))
        assert "".join(parts) == text
        assert len([p for p in parts if p.strip()]) == words.count(text)
