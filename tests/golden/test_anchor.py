from __future__ import annotations

import re

import pytest
from hypothesis import given
from hypothesis import strategies as st

from chunkwise.golden.anchor import Mapped, Page, anchor, fold, folded
from chunkwise.golden.entries import Claim
from chunkwise.golden.faults import Problem
from chunkwise.golden.near import loose_forms
from chunkwise.structure import parse_markdown
from chunkwise.types import Span, TextMap
from tests.golden.make import MARK, document

TEXT = st.text(alphabet="ab A\n\r\t\u00a0\u2028é📦“-", max_size=60)


def claim(**keys: object) -> Claim:
    return Claim("a.md", ("doc",), **keys)  # type: ignore[arg-type]


def fails(text: str, **keys: object) -> Problem:
    with pytest.raises(Problem) as caught:
        anchor(Page(document("a.md", text)), claim(**keys))
    return caught.value


@given(TEXT, TEXT)
def test_a_quote_is_found_wherever_its_words_stand_with_any_white_space(text, quote):
    words = quote.split()
    pattern = r"\s+".join(map(re.escape, words))
    # A look-ahead finds places that overlap, too. Runs of white space are taken whole.
    places = [m.span(1) for m in re.finditer(rf"(?=({pattern}))", text)] if words else []
    assert folded(text).find(fold(quote)) == places


@given(TEXT, st.booleans(), st.data())
def test_the_one_place_is_raw_and_reads_like_the_quote(text, mark, data):
    start = data.draw(st.integers(0, len(text)))
    end = data.draw(st.integers(start, len(text)))
    quote = text[start:end]
    raw = MARK * mark + text
    if not quote.strip() or folded(text).find(fold(quote))[1:]:
        return
    place = anchor(Page(document("a.md", raw)), claim(quote=quote))
    assert fold(raw[place.span.start : place.span.end]) == fold(quote)
    assert place.span == Span(
        start + mark + len(quote) - len(quote.lstrip()), end + mark - len(quote) + len(quote.rstrip())
    )


@given(TEXT)
def test_every_loose_reading_leads_back_to_the_characters_it_was_made_from(text):
    for form in loose_forms(text, Mapped):
        mapped = form.text()
        assert mapped.text == form.loosen(text)
        for i in range(len(mapped.text)):
            start, end = mapped.back(i, i + 1)
            assert end == start + 1
            assert mapped.text[i] in form.loosen(text[start:end])


def test_wrapped_source(shared):
    text = (shared / "cases/answer-wrapped-differently/input.txt").read_bytes().decode()
    quote = "opened at six and closed at nine in the evening"
    assert anchor(Page(document("a.md", text)), claim(quote=quote)).span == (12, 63)


def test_case_counts():
    problem = fails("One. Store it Below Forty Degrees.", quote="below forty degrees")
    assert "other capitals" in problem.remedy
    assert "[14, 33)" in problem.remedy
    assert 'write "Below Forty Degrees"' in problem.remedy


def test_several_places_are_listed_with_lines_and_spans():
    problem = fails("on off\n\non off", quote="on")
    assert "2 places" in problem.message
    assert "line 1, [0, 2)" in problem.message
    assert "line 3, [8, 10)" in problem.message
    assert "[start, end]" in problem.remedy
    assert problem.fix is None


def test_many_places_are_counted_and_not_all_listed():
    problem = fails("x " * 3000, quote="x")
    assert "at least 1,000 places" in problem.message
    assert len(problem.message) < 300


def test_a_span_tells_several_places_apart():
    page = Page(document("a.md", "on off\n\non off"))
    assert anchor(page, claim(quote="on", span=Span(8, 10))).span == (8, 10)


def test_a_span_may_be_wrapped_otherwise_than_its_quote():
    page = Page(document("a.md", "one\n  two three"))
    assert anchor(page, claim(quote="one two", span=Span(0, 9))).span == (0, 9)


@pytest.mark.parametrize(
    ("source", "quote", "difference"),
    [
        ("He said “no” to it.", 'said "no" to', "quotation marks"),
        ("pages 3–5 of it", "pages 3-5 of", "dashes"),
        ("the caf\u00e9 is open", "cafe\u0301 is", "forms of letters"),
        ("the “ﬁle” is here", 'The "file" is', "capitals, quotation marks"),
        ("a long\u00adword here", "longword here", "forms of letters"),
        ("Wait… what?", "Wait... what", "quotation marks"),
        ("STRASSE ist hier", "straße ist", "capitals"),
    ],
)
def test_the_nearest_text_is_named_and_can_be_put_in_the_place_of_the_quote(source, quote, difference):
    problem = fails(source, quote=quote, quote_path=("gold",))
    assert difference in problem.remedy
    ((path, text),) = problem.fix.edits
    assert path == ("gold",)
    assert text in source
    assert anchor(Page(document("a.md", source)), claim(quote=text)).doc == "a.md"


def test_markdown_marks_are_named_but_not_put_in():
    problem = fails("Press **the red** [button](x.md) now.", quote="press the red button now")
    assert "Markdown marks" in problem.remedy
    assert "**the red**" in problem.remedy
    assert problem.fix is None


def test_several_near_places_give_no_fix():
    problem = fails("The key. THE KEY.", quote="the key")
    assert "several places" in problem.remedy
    assert problem.fix is None


def test_a_typing_error_is_shown_where_the_text_goes_on():
    problem = fails("The pump in hall four runs at twenty bar.", quote="pump in hall four runs at thirty bar")
    assert "line 1, [4, 31)" in problem.remedy
    assert "twenty bar" in problem.remedy


TEXTS = "📦📦📦 Boxes are in hall 7.\r\n\r\nThe 🔑 key is with the porter.\r\n"
QUOTE = "key is with the porter"


def counted(prefix: str) -> dict[str, int]:
    return {
        "UTF-16 units": len(prefix.encode("utf-16-le")) // 2,
        "UTF-8 bytes": len(prefix.encode()),
        "text whose CRLF was read as one character": len(prefix.replace("\r\n", "\n")),
    }


@pytest.mark.parametrize("unit", list(counted("")))
@pytest.mark.parametrize("mark", [0, 1])
def test_offsets_in_other_units_are_recognised(unit, mark):
    raw = MARK * mark + TEXTS
    start = raw.index(QUOTE)
    for before in {raw[:start], TEXTS[: start - mark]}:
        span = Span(counted(before)[unit], counted(before + QUOTE)[unit])
        problem = fails(raw, quote=QUOTE, span=span, span_paths=(("start",), ("end",)))
        assert f'the quote is "{QUOTE}"' in problem.message
        assert "reads" in problem.message
        assert problem.remedy == f"the offsets fit {unit}: write [{start}, {start + len(QUOTE)})"
        assert problem.fix.edits == ((("start",), start), (("end",), start + len(QUOTE)))


@pytest.mark.parametrize(
    ("span", "words"),
    [((0, 6), "the last character"), ((1, 8), "count from 1"), ((1, 7), "count from 1 and name the last")],
)
def test_offsets_counted_otherwise(span, words):
    problem = fails("key one key one", quote="key one", span=Span(*span))
    assert words in problem.remedy
    assert "write [0, 7)" in problem.remedy


def test_offsets_without_the_byte_order_mark():
    problem = fails(MARK + "key one key one", quote="key one", span=Span(8, 15))
    assert "without its byte order mark: write [9, 16)" in problem.remedy


def test_moved_offsets_are_set_right_by_a_quote_that_stands_once():
    problem = fails("New. The key is here.", quote="The key", span=Span(0, 7), span_paths=(("a",), ("b",)))
    assert "[5, 12)" in problem.remedy
    assert problem.fix.edits == ((("a",), 5), (("b",), 12))


def test_moved_offsets_of_a_quote_in_several_places_are_left_to_a_person():
    problem = fails("New words. The key. The key.", quote="The key", span=Span(0, 7))
    assert "2 places" in problem.message
    assert problem.fix is None


@pytest.mark.parametrize(("span", "words"), [((0, 99), "behind the 7 characters"), ((3, 5), "blank")])
def test_a_span_without_quote_must_hold_text_of_the_document(span, words):
    assert words in fails("one  tw", span=Span(*span)).message


def test_a_span_of_an_older_document_is_refused():
    page = Page(document("a.md", "text"))
    assert anchor(page, claim(span=Span(0, 4), digest=page.document.digest[:16])).span == (0, 4)
    assert "not as it was" in fails("text", span=Span(0, 4), digest="0" * 16).message


@pytest.mark.parametrize("text", ["", " \n", "\u200b\u00ad\n", MARK])
def test_a_document_without_text(text):
    assert "has no text" in fails(text, quote="two lamps").message


def test_golds_are_anchored_in_what_was_read_before_it_was_cleaned():
    read = document("a.md", "one \u00ad\u00ad\u00adtwo")
    cleaned = read.cleaned("one two", parse_markdown, TextMap([0, 4, 4], [0, 4, 7]), ("invisible",), ())
    page = Page(cleaned)
    assert anchor(page, claim(quote="two")).span == (7, 10)
    assert anchor(page, claim(quote="one \u00ad\u00ad\u00adtwo")).span == (0, 10)
    assert page.length == 10
