"""Web pages: what is a block, what is text, what is left out."""

from __future__ import annotations

import pytest

from chunkwise.errors import ReadError
from chunkwise.readers.options import Options
from chunkwise.types import BlockKind

from .made import cells, outline

pytest.importorskip("selectolax")
from chunkwise.readers.html import read_html


def page(html: str, **options):
    return read_html(html.encode(), "a.html", None, options=Options(**options))


def kinds(document):
    return [(block.kind.name, block.level, block.depth) for block in document.blocks]


@pytest.mark.parametrize(
    ("html", "text"),
    [
        ("<p>a <b>b</b>c</p>text<div>d</div>", "a bc\n\ntext\n\nd\n"),
        ("<p>one<br>two</p>", "one\ntwo\n"),
        ("<p>a&nbsp;b &amp; c</p>", "a\xa0b & c\n"),
        ("<p>See <img src=x alt='the chart'>.</p>", "See the chart .\n"),
        ("<a href=x aria-label='Home'></a>", "Home\n"),
        ("<a href=x>the page</a>", "the page\n"),
        ("<ul><li>a<ul><li>b</li></ul></li><li>c</li></ul>", "- a\n  - b\n- c\n"),
        ("<ol start=3><li>a<li>b</ol>", "3. a\n4. b\n"),
        ("<ol><li>a<li value=9>b<li>c<li value=x>d</ol>", "1. a\n9. b\n10. c\n11. d\n"),
        ("<p>a<i hidden>x<b hidden>x</b></i> b</p><p hidden>x</p><p hidden=until-found>c</p>", "a b\n\nc\n"),
        ("<body hidden><p>a</p></body>", "a\n"),
        (
            "<table><tr><td rowspan=0>a<td>b<tr><td>c<tr><td>d</table>",
            "| a | b |\n|---|---|\n| a | c |\n| a | d |\n",
        ),
        (
            "<math><semantics><msup><mi>x</mi> <mn>2</mn></msup><annotation>x^2</annotation></semantics>",
            "x ^2\n",
        ),
        (
            "<math><mi>x</mi><mo>=</mo><mfrac><mn>1</mn><msub><mi>y</mi><mn>0</mn></msub></mfrac></math>",
            "x=1/y_0\n",
        ),
        ("<math><msubsup><mi>x</mi><mn>1</mn><mn>2</mn></msubsup></math>", "x_1^2\n"),
        ("<li>a<li>b", "- a\n- b\n"),
        ("<ul><li></li><li>b</li></ul>", "- b\n"),
        ("<pre><code class='language-py'>a\n  b\n</code></pre>", "```py\na\n  b\n```\n"),
        ("<pre>``` in it</pre>", "````\n``` in it\n````\n"),
        ("<blockquote><p>a<p>b</blockquote>", "> a\n>\n> b\n"),
        ("<p>a</p><hr><p>b</p>", "a\n\n---\n\nb\n"),
        ("<script>x</script><style>y</style><p>z</p><!-- c --><noscript>n</noscript>", "z\n"),
        ("<p hidden>a</p><p>b</p>", "b\n"),
        ("<h2>A <i>b</i></h2>", "## A b\n"),
        # Links and numbers that a page sets beside its text.
        ("<h2>Oil <a class=headerlink href='#oil'>¶</a></h2><p>x", "## Oil\n\nx\n"),
        (
            "<h2><a href='#oil' aria-label='Link to Oil'>\u200b</a>Oil</h2><a href='#top'>Top</a>",
            "## Oil\n\nTop\n",
        ),
        ("<div><h2>Oil</h2><a href='#oil' aria-label='Permalink'><svg></svg></a></div>", "## Oil\n"),
        (
            "<table><tr><td class=linenos><pre>1\n2</pre></td><td><pre>a\nb</pre></td></tr></table>",
            "```\na\nb\n```\n",
        ),
        # What stands on a line of its own in code.
        ("<pre>a<br>b<div>c</div><div>d</div></pre>", "```\na\nb\nc\nd\n```\n"),
        # Instructions are neither text nor elements.
        ("<p>a<?php echo 1 ?>b</p><?xml-model x?><h2>c<?d?></h2>", "ab\n\n## c\n"),
        (
            "<ul><li><input type=checkbox checked> oiled<li><input type=checkbox> tight</ul>",
            "- [x] oiled\n- [ ] tight\n",
        ),
        # Terms stay with what is said of them.
        (
            "<dl><dt>Ram<dt>Pump<dd>Lifts water.<dd>Needs oil.<dt>Sieve<dd>Keeps <p>sand</p> out.</dl>",
            "- Ram\n\n  Pump\n\n  Lifts water.\n\n  Needs oil.\n- Sieve\n\n  Keeps\n\n  sand\n\n  out.\n",
        ),
        ("<dl><div><dt>a</dt><dd>b<dl><dd>c</dd></dl></dd></div></dl>d", "- a\n\n  b\n  - c\n\nd\n"),
        ("<dl></dl><ul><li><dt>a</dt></li></ul>", "- a\n"),
        (
            "<div class='admonition tip'><p class=title>Note</p><p>Hot.</p></div><div class=noted>a</div>",
            "> Note\n>\n> Hot.\n\na\n",
        ),
        ("", ""),
    ],
)
def test_what_becomes_of_it(html, text):
    assert page(html).text == text


def test_blocks_tile_the_text_and_nest():
    document = page("<h1>A</h1><ul><li>a<p>b</p><ul><li>c</li></ul></li></ul><table><tr><td>x<td>y</table>")
    assert kinds(document) == [
        ("HEADING", 1, 0), ("LIST", 0, 0), ("ITEM", 1, 1), ("PARAGRAPH", 0, 2), ("LIST", 0, 2),
        ("ITEM", 2, 3), ("TABLE", 0, 0), ("ROW", 0, 1),
    ]  # fmt: skip
    spans = [document.blocks[i].span for i in document.blocks.top()]
    assert [s.start for s in spans] == [0, *(s.end for s in spans[:-1])]
    assert spans[-1].end == len(document.text)


def test_cells_that_span_are_in_each_row_and_column():
    html = (
        "<table><thead><tr><th rowspan=2>A<th colspan=2>B</tr><tr><th>C<th>D</tr></thead>"
        "<tr><td>1<td>2|3<td>4<br>5</table>"
    )
    assert cells(page(html)) == [["A", "B C", "B D"], ["1", "2|3", "4 5"]]


def test_a_table_that_only_places_blocks_is_none():
    document = page("<table><tr><td><h1>A</h1><p>b</p></td></tr></table>")
    assert outline(document) == [(1, "A")]
    assert BlockKind.TABLE not in document.blocks.kind


@pytest.mark.parametrize(
    ("html", "rows"),
    [
        # A table in a table that only places it.
        (
            "<table><tr><td>Sum<div><table><tr><th>A<th>B<tr><td>1<td>2</table></div></table>",
            [["A", "B"], ["1", "2"]],
        ),
        ("<table role=presentation><tr><td>x<td>y</table><table><tr><td>1<td>2</table>", [["1", "2"]]),
        # Cells that are named keep what stands in them.
        (
            "<table><tr><th>A<th>B<tr><td>x<td><table><tr><td>1<td>2</table></table>",
            [["A", "B"], ["x", "1 2"]],
        ),
        ("<table><tr><td>A<td>B<tr><td>x<td><pre>y = 1</pre></table>", [["A", "B"], ["x", "y = 1"]]),
        ("<table><tr><th><h4>A</h4><th>B<tr><td>x<td>y<p>z</table>", [["A", "B"], ["x", "y z"]]),
        # The foot is the last, wherever it is written.
        (
            "<table><caption>c</caption><col><thead><tr><th>A<tfoot><tr><td>3<tbody><tr><td>2</table>",
            [["A"], ["2"], ["3"]],
        ),
        ("<table><tr><td><tr><td>x</td></tr></td></tr></table>", [["x"]]),
    ],
)
def test_tables_within_tables(html, rows):
    assert cells(page(html)) == rows


FURNISHED = (
    "<title>T</title><header><a>Shop</a></header><nav>Menu</nav><main><h1>A</h1><p>Text.</p><aside>Ad</aside>"
    "</main><footer>Imprint</footer>"
)


def test_boilerplate_is_left_out_when_asked():
    assert page(FURNISHED).text == "Shop\n\nMenu\n\n# A\n\nText.\n\nAd\n\nImprint\n"
    assert page(FURNISHED, boilerplate=False).text == "# A\n\nText.\n"


def test_the_title_of_the_page_is_the_root_where_there_is_no_first_heading():
    assert page("<title>T</title><h2>A</h2>").sections.path(1) == ("T", "A")
    assert page("<title>T</title><h1>A</h1>").sections.path(1) == ("A",)


def test_elements_that_close_themselves_hold_nothing():
    head = '<?xml version="1.0"?><html><head><title/><script src="a.js" /></head>'
    text = f'{head}<body><a id="x"/><p>a<br/><![CDATA[<b>]]>'
    assert page(text).text == "a\n<b>\n"
    assert read_html(text[21:].encode(), "a.xhtml", None).text == "a\n<b>\n"


@pytest.mark.parametrize(
    ("head", "encoding", "text"),
    [
        ('<meta http-equiv=Content-Type content="text/html; charset=ISO-8859-1">', "cp1252", "“5 €”"),
        ("<meta charset=gb2312>", "gbk", "朱镕基"),
        ("<meta charset=Shift_JIS>", "cp932", "①髙"),
        ('<meta charset="utf-16">', "utf-8", "Größe"),
        ('<?xml version="1.0" encoding="koi8-r"?>', "koi8-r", "Насос"),
    ],
)
def test_names_of_encodings_mean_what_they_mean_on_the_web(head, encoding, text):
    assert read_html(f"{head}<p>{text}</p>".encode(encoding), "a.html", None).text == f"{text}\n"


def test_an_encoding_that_nobody_knows_is_named():
    with pytest.raises(ReadError, match=r"^a\.html: .* 'x-odd', .*--encoding utf-8.*--skip-broken"):
        page("<meta charset=x-odd><p>a</p>")


@pytest.mark.parametrize(
    ("head", "encoding"), [('<meta charset="iso-8859-1">', "latin-1"), ("", "utf-8"), ("", "utf-16")]
)
def test_the_page_says_its_encoding(head, encoding):
    assert read_html(f"{head}<p>Größe</p>".encode(encoding), "a.html", None).text == "Größe\n"


def test_lines_that_act_as_headings():
    html = "<p><b>GUIDE</b></p><p><b>1. Scope</b></p><p>All.</p><p>2.1 Notice</p><p><b>Note:</b> so.</p>"
    assert outline(page(html)) == []
    assert outline(page(html, headings=("bold",))) == [(1, "GUIDE"), (2, "1. Scope")]
    assert outline(page(html, headings=("bold", "numbered")))[2] == (3, "2.1 Notice")


def test_an_edit_keeps_what_is_around_it():
    document = page("<h1>A</h1><p>one</p><h2>B</h2><p>two # three</p>")
    changed = document.with_text(document.text.replace("one", "one more"))
    assert outline(changed) == outline(document)
    assert [changed.text[slice(*b.span)].strip() for b in changed.blocks] == [
        "# A", "one more", "## B", "two # three",
    ]  # fmt: skip
