"""Plain functions as chunkers."""

from __future__ import annotations

import pickle
import sys
import textwrap

import numpy as np
import pytest

from chunkwise.adapters import (
    ADAPTERS,
    from_callable,
    is_foreign,
    literal,
    load_callable,
    make_chunker,
    make_chunkers,
)
from chunkwise.errors import ChunkerError, ChunkwiseError, SettingError, UnknownName
from chunkwise.spec import Spec
from chunkwise.structure import parse_markdown
from chunkwise.types import Chunk, Chunker, Document, Span

TEXT = """\
Before.

# Pump

Turn it on.

## Care

Oil it. Oil it again.
"""


def document(text: str = TEXT, id: str = "guides/pump.md") -> Document:
    return Document(id, text, parse_markdown)


def chunks(pieces, text: str = TEXT) -> list[Chunk]:
    return from_callable(lambda _: pieces, "mine")(document(text))


def at(piece: str) -> tuple[int, int]:
    return TEXT.index(piece), TEXT.index(piece) + len(piece)


def test_it_is_a_chunker_with_a_name() -> None:
    chunker = from_callable(str.split, "words")
    assert isinstance(chunker, Chunker)
    assert chunker.spec == "words"
    assert chunker == from_callable(str.split, "words")
    assert {c.chunker for c in chunker(TEXT)} == {"words"}


def test_spans() -> None:
    (chunk,) = chunks([at("Turn it on.")])
    assert chunk.span == at("Turn it on.")
    assert chunk.text == chunk.indexed == "Turn it on."
    assert chunk.match == chunk.span
    assert (chunk.doc, chunk.marks, chunk.context) == ("guides/pump.md", (), ())


def test_spans_with_what_is_searched() -> None:
    (chunk,) = chunks([(*at("Oil it."), "Care\nOil it.")])
    assert (chunk.text, chunk.indexed) == ("Oil it.", "Care\nOil it.")


def test_numbers_of_numpy_and_lists_are_spans_too() -> None:
    pair = np.array(at("Turn it on."))
    assert [c.text for c in chunks([list(at("Before.")), (pair[0], pair[1])])] == ["Before.", "Turn it on."]
    assert all(type(end) is int for c in chunks([(pair[0], pair[1])]) for end in c.span or ())


def test_strings_are_placed_and_keep_what_they_said() -> None:
    first, second = chunks(["# Pump Turn it on.", "Oil it."])
    assert first.text == "# Pump\n\nTurn it on."
    assert first.indexed == "# Pump Turn it on."
    assert second.span == at("Oil it.")


def test_a_string_that_is_not_found_has_no_place_and_stands_last() -> None:
    lost, found = "It was written by a model.", "Turn it on."
    first, second = chunks([lost, found])
    assert first.text == found
    assert (second.span, second.text, second.indexed) == (None, lost, lost)
    assert second.marks == ("unplaced",)
    assert (second.path, second.section) == ((), 0)


def test_generators_and_empty_pieces() -> None:
    def function(text):
        yield from text.split("\n\n")
        yield ""
        yield 3, 3

    found = from_callable(function, "blank lines")("One\n\n\n\n\nTwo\n\nThree")
    assert [c.text for c in found] == ["One", "\nTwo", "Three"]


def test_every_chunk_knows_its_heading_path_whatever_cut_it() -> None:
    pieces = [at("Before."), at("Turn it"), "on.", at("\n\n## Care\n\nOil"), at("it again.")]
    paths = {c.text: (c.path, c.section) for c in chunks(pieces)}
    assert paths == {
        "Before.": ((), 0),
        "Turn it": (("Pump",), 1),
        "on.": (("Pump",), 1),
        # The first visible character counts, not the blank line in front of it.
        "\n\n## Care\n\nOil": (("Pump", "Care"), 2),
        "it again.": (("Pump", "Care"), 2),
    }


def test_a_heading_without_text_stands_in_front_of_the_next_section() -> None:
    text = "# A\n\n## B\n\ntext\n\n## C\n\nmore\n\n# D\n"
    starts = [0, text.index("text"), text.index("# D")]
    paths = [(c.span, c.path, c.section) for c in chunks([(0, 4), *((s, len(text)) for s in starts)], text)]
    assert paths == [
        ((0, 4), ("A",), 1),
        ((0, len(text)), ("A", "B"), 2),
        ((text.index("text"), len(text)), ("A", "B"), 2),
        ((text.index("# D"), len(text)), ("D",), 4),
    ]


def test_chunks_are_sorted_by_start_and_numbered_among_equals() -> None:
    second = TEXT.rindex("Oil it")
    found = chunks([(second, second + 6), at("Before."), at("Oil it")])
    assert [c.text for c in found] == ["Before.", "Oil it", "Oil it"]
    assert [c.number for c in found] == [0, 0, 1]
    assert len({c.id for c in found}) == 3


def test_ready_chunks_keep_what_they_carry_and_their_tree() -> None:
    def ready(piece: str, **more) -> Chunk:
        span = Span(*at(piece))
        return Chunk("other.md", span, piece, f"Pump\n{piece}", more.pop("match", span), **more)

    top = ready("Turn it on.", context=(("path", "Pump"),), marks=("over the limit",))
    small = ready("Oil it. Oil it again.", match=Span(*at("Oil it.")), parent=top.id, path=("wrong",))
    first, second = chunks([top, small])
    assert (first.context, first.marks, first.indexed) == (
        (("path", "Pump"),),
        ("over the limit",),
        "Pump\nTurn it on.",
    )
    assert (second.match, second.path, second.doc) == (at("Oil it."), ("Pump", "Care"), "guides/pump.md")
    assert first.id != top.id
    assert second.parent == first.id


def test_ready_chunks_without_a_place_are_looked_for() -> None:
    lost = Chunk("d", None, "Oil it.", "oil", Span(0, 0), marks=("unplaced",))
    (chunk,) = chunks([lost])
    assert (chunk.span, chunk.match, chunk.indexed, chunk.marks) == (at("Oil it."), at("Oil it."), "oil", ())
    (chunk,) = chunks([lost._replace(text="nowhere")])
    assert (chunk.span, chunk.text, chunk.indexed, chunk.marks) == (None, "nowhere", "oil", ("unplaced",))


@pytest.mark.parametrize(
    ("piece", "numbers"),
    [
        ((-1, 3), ["[-1, 3)", "outside", str(len(TEXT))]),
        ((0, len(TEXT) + 1), [f"[0, {len(TEXT) + 1})", "outside"]),
        ((9, 4), ["[9, 4)", "backwards"]),
        ((9, 4, "text"), ["[9, 4)", "backwards"]),
        ((0.5, 4), ["0.5", "whole numbers"]),
        ((0, None), ["None", "whole numbers"]),
        ((0, 4, 5), ["(0, 4, 5)", "a piece is"]),
        ((0,), ["(0,)", "a piece is"]),
        (None, ["None", "a piece is"]),
        (b"bytes", ["bytes", "a piece is"]),
        (Chunk("d", Span(0, 4), "none", "none", Span(0, 4)), ["[0, 4)", "not the document's"]),
        (Chunk("d", Span(0, 4), TEXT[:4], "", Span(0, 900)), ["[0, 900)", "outside"]),
    ],
)
def test_what_cannot_be_a_chunk_names_chunker_document_and_numbers(piece, numbers) -> None:
    with pytest.raises(ChunkerError) as caught:
        chunks([(0, 1), piece])
    for part in ["mine", "guides/pump.md", "chunk 1", *numbers]:
        assert part in str(caught.value)
    assert str(pickle.loads(pickle.dumps(caught.value))) == str(caught.value)


def test_a_chunker_that_counts_bytes_is_told_so() -> None:
    with pytest.raises(ChunkerError, match="count bytes"):
        chunks([(0, 12)], "äöü äöü")
    with pytest.raises(ChunkerError) as caught:
        chunks([(0, 99)], "äöü äöü")
    assert "bytes" not in str(caught.value)


@pytest.mark.parametrize("result", [None, "one string", 5])
def test_a_result_that_is_no_list_of_pieces(result) -> None:
    with pytest.raises(ChunkerError, match=f"mine on guides/pump.md: returned {type(result).__name__}"):
        chunks(result)


def test_an_error_of_the_function_goes_through_and_says_where() -> None:
    def function(_):
        yield 0, 1
        raise KeyError("inside")

    with pytest.raises(KeyError) as caught:
        from_callable(function, "mine")(document())
    assert "mine on guides/pump.md" in "".join(caught.value.__notes__)


@pytest.mark.parametrize(
    ("function", "name"), [(None, "a"), ("text", "a"), (str.split, ""), (str.split, " ")]
)
def test_what_is_no_function_or_has_no_name_is_refused(function, name) -> None:
    with pytest.raises(SettingError):
        from_callable(function, name)


def test_a_spec_names_a_function_and_its_settings() -> None:
    wide, narrow = make_chunkers("py:textwrap.wrap,width=20|10")
    assert (wide.spec, narrow.spec) == ("py:textwrap.wrap,width=20", "py:textwrap.wrap,width=10")
    assert [c.indexed for c in wide("one two three four five")] == textwrap.wrap(
        "one two three four five", 20
    )
    assert wide == make_chunkers(wide.spec)[0]
    assert wide != narrow
    assert make_chunkers("mine=py:textwrap.wrap")[0].spec == "py:textwrap.wrap"


def test_foreign_names_are_told_from_our_own() -> None:
    assert is_foreign(Spec("py", target="a.b"))
    assert not is_foreign(Spec("pyramid"))
    assert not is_foreign(Spec("heading"))
    with pytest.raises(UnknownName, match="adapter"):
        make_chunker(Spec("heading"))


def test_an_adapter_is_one_entry_of_the_table(monkeypatch) -> None:
    made = from_callable(str.split, "split")
    monkeypatch.setitem(ADAPTERS, "splitters", lambda spec: made if spec.name == "splitters.Words" else None)
    assert make_chunkers("splitters.Words:chunk_size=1000") == [made]


@pytest.fixture
def modules(tmp_path, monkeypatch):
    (tmp_path / "cw_good").mkdir()
    (tmp_path / "cw_good" / "__init__.py").write_text("LIMIT = 3\n")
    (tmp_path / "cw_good" / "cuts.py").write_text(
        "class Cutter:\n"
        "    def cut(text, size=5):\n"
        "        return [text[i:i + size] for i in range(0, len(text), size)]\n"
    )
    (tmp_path / "cw_needy.py").write_text("import cw_not_there\n")
    (tmp_path / "cw_broken.py").write_text("def f(:\n")
    (tmp_path / "cw_raises.py").write_text("raise RuntimeError('no licence')\n")
    monkeypatch.syspath_prepend(str(tmp_path))
    yield
    for name in [name for name in sys.modules if name.startswith("cw_")]:
        del sys.modules[name]


@pytest.mark.usefixtures("modules")
def test_a_method_in_a_package_is_found() -> None:
    assert load_callable("cw_good.cuts.Cutter.cut")("abc", size=2) == ["ab", "c"]
    (chunker,) = make_chunkers("py:cw_good.cuts.Cutter.cut,size=4")
    assert [c.span for c in chunker("abcdef")] == [(0, 4), (4, 6)]


@pytest.mark.usefixtures("modules")
@pytest.mark.parametrize(
    ("path", "parts"),
    [
        ("cw_nowhere.f", ["cw_nowhere", "does not import"]),
        ("cw_good.nothing.f", ["cw_good has no 'nothing'"]),
        ("cw_good.cuts.nothing", ["cw_good.cuts has no 'nothing'"]),
        ("cw_good.cuts.Cutter.paste", ["cw_good.cuts.Cutter has no 'paste'"]),
        ("cw_good.LIMIT", ["int", "cannot be called"]),
        ("cw_needy.f", ["cw_needy.f", "cw_not_there"]),
        ("cw_broken.f", ["cw_broken.f", "SyntaxError"]),
        ("cw_raises.f", ["cw_raises.f", "RuntimeError", "no licence"]),
        ("alone", ["package.module.function"]),
        ("a..b", ["package.module.function"]),
        ("a.b c", ["package.module.function"]),
    ],
)
def test_what_does_not_import_or_cannot_be_called_is_refused(path, parts) -> None:
    with pytest.raises(SettingError) as caught:
        make_chunkers(f"py:{path}")
    for part in parts:
        assert part in str(caught.value)


@pytest.mark.usefixtures("modules")
def test_settings_that_a_function_does_not_take_are_refused_up_front() -> None:
    with pytest.raises(SettingError, match=r"py:cw_good.cuts.Cutter.cut,breadth=5.*breadth"):
        make_chunkers("py:cw_good.cuts.Cutter.cut,breadth=5")


@pytest.mark.parametrize("text", ["py", "py:size=3", "py.module:size=3"])
def test_a_spec_without_a_function_is_refused(text) -> None:
    with pytest.raises(ChunkwiseError, match=r"package\.module\.function"):
        make_chunkers(text)


@pytest.mark.parametrize(
    ("text", "value"),
    [
        *(
            ("600", 600),
            ("-3", -3),
            ("0.5", 0.5),
            (".5", 0.5),
            ("1e3", 1000.0),
            ("yes", True),
            ("False", False),
        ),
        *(
            ("none", None),
            ("text", "text"),
            (r"\n\n", "\n\n"),
            (r"a\,b", "a,b"),
            ("1.2.3", "1.2.3"),
            ("", ""),
        ),
    ],
)
def test_values_of_settings(text, value) -> None:
    assert literal(text) == value
    assert type(literal(text)) is type(value)
