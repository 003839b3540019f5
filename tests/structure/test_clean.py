"""`index_clean`: the index goes without marks, everything else is as it was."""

from __future__ import annotations

import pytest

from chunkwise.adapters import from_callable
from chunkwise.adapters import make_chunkers as make_foreign
from chunkwise.chunk import CHUNKERS, Fixed, Heading, make_chunkers
from chunkwise.comparison import make_candidates
from chunkwise.errors import SettingError
from chunkwise.evaluate import evaluate
from chunkwise.evaluate.bare import Bare
from chunkwise.readers import read_text
from chunkwise.structure.clean import clean_index
from chunkwise.testing import check_chunker
from chunkwise.types import Chunk, Corpus, Gold, GoldenSet, Place, Question, Span

ROWS = "".join(f"| row {i} | value **{i}** |\n" for i in range(9))
GUIDE = (
    "# Guide to **it**\n\n## Set [up](x.md)\n\nPress the *key* for `two` seconds. See [the page](http://x.y/z?q=1).\n\n"
    f"- one\n- two\n\n| a | b |\n|---|---|\n{ROWS}\n```py\nx = 1\ny = 2\n```\n\n[ref]: http://foo.bar\n"
)
SETTINGS = {name: "" if name == "document" else ":size=120" for name in CHUNKERS}


def pair(name: str) -> tuple[list[Chunk], list[Chunk]]:
    """The chunks of the guide without and with the setting."""
    text = SETTINGS[name]
    form = f"{name}{text}{',' if text else ':'}index_clean=no|yes"
    plain, clean = make_chunkers(form)
    return plain(GUIDE), clean(GUIDE)


@pytest.mark.parametrize("name", CHUNKERS)
def test_only_what_is_indexed_changes(name: str) -> None:
    plain, clean = pair(name)
    assert [c.span for c in plain] == [c.span for c in clean]
    for before, after in zip(plain, clean, strict=True):
        assert (before.text, before.match, before.path, before.section, before.marks) == (
            after.text,
            after.match,
            after.path,
            after.section,
            after.marks,
        )
        assert len(after.indexed) <= len(before.indexed)
        assert after.indexed.endswith(after.indexed.strip())
    joined = "\n".join(c.indexed for c in clean)
    assert not any(mark in joined.replace("[ref]:", "") for mark in ("](", "**", "|", "```", "# "))


def test_the_context_is_cleaned_and_says_what_is_indexed() -> None:
    chunks = Heading(size=120, index_clean=True)(GUIDE)
    assert chunks[2].context == (("path", "Guide to it > Set up"), ("header", "a b"))
    assert chunks[2].indexed == ("Guide to it > Set up\na b\nrow 3 value 3\nrow 4 value 4\nrow 5 value 5")


def test_what_would_be_empty_stays() -> None:
    # The line end of the last window is a third one, and blank.
    chunks = Fixed(size=40, index_clean=True)("Text.\n" + " " * 34 + "[ref]: http://foo.bar/and/more/of/it\n")
    assert [c.indexed for c in chunks] == ["Text.", "[ref]: http://foo.bar/and/more/of/it"]


def test_no_unit_is_passed() -> None:
    # One word with marks, five without.
    text = "a<br>b<br>c<br>d<br>e " * 4
    check_chunker(Fixed(size=2, unit="words", index_clean=True), text, size=2)
    chunks = Fixed(size=2, unit="words", index_clean=True)(text)
    assert chunks[0].indexed == chunks[0].text


def test_plain_text_has_no_marks() -> None:
    document = read_text("**not** bold\n", "a.txt")
    (chunk,) = Fixed(index_clean=True)(document)
    assert chunk.indexed == chunk.text


def test_equal_ones_are_numbered_anew() -> None:
    document = read_text("*a*\n\n**a**\n", "a.md")
    spans = from_callable(lambda _: [(0, 5), (5, 11)], "s")(document)
    assert [c.number for c in spans] == [0, 0]
    cleaned = clean_index(document, spans)
    assert [(c.indexed, c.number) for c in cleaned] == [("a", 0), ("a", 1)]
    assert len({c.id for c in cleaned}) == 2


def cut(text: str) -> list[tuple[int, int, str]]:
    """A function that writes a line of its own in front."""
    return [(0, 37, "about\n" + text[:37]), (37, len(text), text[37:])]


def test_functions_and_libraries_take_it_too() -> None:
    plain, clean = make_foreign(f"py:{__name__}.cut,index_clean=no|yes")
    before, after = plain(GUIDE), clean(GUIDE)
    assert [c.span for c in before] == [c.span for c in after]
    assert after[0].indexed == "about\nGuide to it\n\nSet up"
    with pytest.raises(SettingError, match="index_clean must be yes or no"):
        make_foreign(f"py:{__name__}.cut,index_clean=7")
    pytest.importorskip("langchain_text_splitters", reason="the extra 'langchain' is not installed")
    name = "langchain.RecursiveCharacterTextSplitter:chunk_size=200,chunk_overlap=0,index_clean=yes"
    (chunker,) = make_foreign(name)
    assert chunker.spec == name
    assert "**" not in "".join(c.indexed for c in chunker(GUIDE))
    assert "**" in "".join(c.text for c in chunker(GUIDE))


def test_its_text_form_comes_back_and_its_place_is_last() -> None:
    chunker = Heading(600, index_clean=True)
    assert chunker.spec == "heading:size=600,index_clean=yes"
    assert make_chunkers(chunker.spec) == [chunker]
    assert Heading(600) != chunker


def test_heading_lines_are_left_out_where_they_have_no_marks() -> None:
    document = read_text("# Guide\n\n## Set *up*\n\nSet up the press.\n\n## Next\n\nGo on.\n", "a.md")
    stripped = Bare(document)(Heading(size=50, index_clean=True)(document))
    assert [c.indexed.split() for c in stripped] == [
        ["Set", "up", "the", "press."],
        ["Guide", "Go", "on."],
    ]


def test_the_report_sets_the_two_against_each_other() -> None:
    documents = [
        read_text(
            f"# Page {i}\n\nThe [rate](http://a.b/tide) of {word} is {i}.\n\nThe {word} is [far](tide.md).\n",
            f"{i}.md",
        )
        for i, word in enumerate(("wax", "tin", "tide"))
    ]
    gold = documents[2].text.index("The tide")
    place = Place("2.md", Span(gold, gold + 15))
    golden = GoldenSet([Question("q", "How far is the tide?", (Gold("x", (place,)),))])
    rows = make_candidates("heading:size=60,index_clean=no|yes")
    report = evaluate(Corpus(documents), golden, rows, resamples=200)
    (one,) = report.pairs
    assert (one.setting, one.before, one.after) == ("index_clean", "no", "yes")
    assert one.extra_characters < 0
    first, second = report.candidates
    assert first.measures["ceiling"] == second.measures["ceiling"]
    assert first.chunks == second.chunks
