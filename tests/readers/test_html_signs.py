"""Web pages: formulas that are written twice, and what stands beside a text but is none of it."""

from __future__ import annotations

import pytest

from chunkwise.types import BlockKind

pytest.importorskip("selectolax")
from chunkwise.readers.html import read_html

POWER = "<math><semantics><msup><mi>c</mi><mn>2</mn></msup>{}</semantics></math>"
TEX = "<annotation encoding='application/x-tex'>c^2</annotation>"


def text_of(html: str) -> str:
    return read_html(html.encode(), "a.html", None).text


@pytest.mark.parametrize(
    "formula",
    [
        # Wikipedia: MathML for those who cannot see, and a picture with an alternative for all others.
        f"<span class='mwe-math-element'>{POWER.format(TEX)}<img aria-hidden=true alt='{{c^2}}'></span>",
        # KaTeX: the same, and letters that are placed one by one.
        f"<b><span class=katex-mathml>{POWER.format(TEX)}</span><i class=katex-html><b>c</b>2</i></b>",
        # MathJax, versions 3 and 2.
        f"<mjx-container><mjx-math>c2</mjx-math>{POWER.format('')}</mjx-container>",
        f"<span class=MathJax><nobr aria-hidden=true>c2</nobr><span>{POWER.format('')}</span></span>",
        # LaTeXML: what the formula means, in a second tree.
        POWER.format("<annotation-xml><apply><power/><ci>c</ci><cn>2</cn></apply></annotation-xml>"),
    ],
)
def test_a_formula_is_said_once(formula: str) -> None:
    assert text_of(f"<p>So {formula} holds.</p>") == "So c^2 holds.\n"


def test_a_formula_without_mathml_keeps_its_looks() -> None:
    assert text_of("<p><span class=katex><span class=katex-html>c2</span></span></p>") == "c2\n"
    assert text_of("<p><span class=mwe-math-element><img alt='c^2'></span></p>") == "c^2\n"


@pytest.mark.parametrize(
    ("html", "text"),
    [
        # Links that lead to no text of the page.
        (
            "<h2>History<span class=mw-editsection>[<a href=/e>edit</a>]</span></h2><p>a</p>",
            "## History\n\na\n",
        ),
        ("<p>Note. <a href='#r1'>↩</a></p>", "Note.\n"),
        ("<p>Note. <a href='#r1' role=doc-backlink>back</a></p>", "Note.\n"),
        ("<dl><dt>f(x)<a href=m><span class=viewcode-link>[source]</span></a></dt></dl>", "- f(x)\n"),
        # The mark of a note is no part of a title, but of a text.
        ("<h2>Use<sup><a href='#n'>[1]</a></sup></h2>", "## Use\n"),
        ("<h2>Area in m<sup>2</sup></h2>", "## Area in m2\n"),
        ("<p>Use<sup><a href='#n'>[1]</a></sup></p>", "Use[1]\n"),
        # Buttons that copy; others may be all that names a question.
        ("<pre><code>a</code><button>Copy</button></pre>", "```\na\n```\n"),
        ("<pre>a</pre><div><button aria-label='Copy'><svg></svg></button></div>", "```\na\n```\n"),
        ("<h3><button>How long?</button></h3><p>A day.</p>", "### How long?\n\nA day.\n"),
        # A tab that is not open holds text; other hidden parts are no text.
        ("<div role=tabpanel>npm</div><div role=tabpanel hidden>yarn</div><p hidden>x</p>", "npm\n\nyarn\n"),
        # Boxes that are drawn.
        ("<ul><li><div class='checkbox checkbox-on'></div> <span>a</span></ul>", "- [x] a\n"),
        ("<ul><li><span role=checkbox aria-checked=false></span>a</ul>", "- [ ] a\n"),
        # Keys that a table is sorted by, but formulas that only a screen reader says stay.
        (
            "<table><tr><td><span style='display: none'>05-01</span>1 May<td>a</table>",
            "| 1 May | a |\n|---|---|\n",
        ),
        (
            "<table><tr><td><span style='display:none'><math>x</math></span><td>a</table>",
            "| x | a |\n|---|---|\n",
        ),
        ("<p><span style='display:none'>more of it</span></p>", "more of it\n"),
        # What looks like cells of a table.
        ("<div class=tabbed-labels><label>C</label><label>C++</label></div>", "C C++\n"),
        (
            "<div role=row><span role=columnheader>Name</span><span role=columnheader>Bar</span></div>",
            "Name Bar\n",
        ),
        # Old elements for code, and one of Confluence's.
        ("<ac:plain-text-body>a\n  b</ac:plain-text-body>", "```\na\n  b\n```\n"),
        ("<xmp>if a < b\n  c</xmp><listing>d\ne</listing>", "```\nif a < b\n  c\n```\n\n```\nd\ne\n```\n"),
    ],
)
def test_what_stands_beside_the_text(html: str, text: str) -> None:
    assert text_of(html) == text


@pytest.mark.parametrize(
    ("html", "text"),
    [
        ("<ul><li>a</li><ul><li>b</li></ul><li>c</li></ul>", "- a\n  - b\n- c\n"),
        ("<ul><li>a</li> <!-- x --><ul><li>b</ul><ol><li>c</ol></ul>", "- a\n  - b\n  1. c\n"),
        ("<ol><li>a</li><ol><li>b</li><ol><li>c</ol></ol><li>d</ol>", "1. a\n   1. b\n      1. c\n2. d\n"),
        ("<ul><ul><li>a</li></ul><li>b</li></ul>", "- a\n- b\n"),
        ("<ul><li>a</li>loose<ul><li>b</li></ul></ul>", "- a\n\nloose\n- b\n"),
    ],
)
def test_a_list_right_in_a_list_belongs_to_the_item_before_it(html: str, text: str) -> None:
    assert text_of(html) == text


def test_two_line_breaks_part_paragraphs() -> None:
    document = read_html(b"<div>one<br>more<br><br>two<br> <br><br>three</div>", "a.html", None)
    assert document.text == "one\nmore\n\ntwo\n\nthree\n"
    assert [block.kind for block in document.blocks] == [BlockKind.PARAGRAPH] * 3


@pytest.mark.parametrize("name", ["confluence-information-macro x", "notecard", "custom-block tip", "NOTE"])
def test_boxes_of_other_programs(name: str) -> None:
    document = read_html(f"<div class='{name}'><p>Hot</p><p>Wait.</p></div>".encode(), "a.html", None)
    assert document.text == "> Hot\n>\n> Wait.\n"


def test_a_table_that_places_an_icon_beside_a_note_is_none():
    icon = "<td class=icon><div class=title>Note</div><td class=content><p>Keep it dry.</p>"
    text = text_of(f"<div class='admonitionblock note'><table><tr>{icon}</table></div>")
    assert text == "> Note\n>\n> Keep it dry.\n"
