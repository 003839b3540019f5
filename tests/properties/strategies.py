"""Hypothesis strategies for Markdown of every kind, with the kinds that were drawn."""

from __future__ import annotations

from typing import NamedTuple

from hypothesis import strategies as st

KINDS = [
    *("atx heading", "setext heading", "paragraph", "bulleted list", "ordered list", "table"),
    *("backtick fence", "tilde fence", "fence in fence", "unclosed fence", "indented code", "quote", "alert"),
    *("html block", "html comment", "unclosed comment", "raw html", "front matter yaml", "front matter toml"),
    *("!!! admonition", "??? admonition", "::: admonition", "/// admonition", "=== tab", "rule", "footnote"),
    *("link definition", "nested list", "LF", "CRLF", "CR", "mixed line ends", "no line end at the end"),
    *("emoji", "combining", "cjk", "right to left", "ignorable", "control", "noise", "empty"),
]
"""Every kind that `markdown` can draw."""

ODD = {
    "emoji": ["👩‍🔧", "🏴󠁧󠁢󠁳󠁣󠁴󠁿", "👍🏽", "🇩🇰🇸🇪", "1️⃣", "❤️", "👨‍👩‍👧‍👦"],
    "combining": ["e\u0301", "a\u0300\u0301\u0302\u0303", "\u0301", "क्षि", "ก็", "ﬁn"],
    "cjk": ["日本語の文。", "水門は六時に開きます！", "使い方", "「はい。」", "한국어", "中文，句子。"],
    "right to left": ["שלום", "مرحبا", "ما می‌رویم", "\u202bעברית\u202c"],
    "ignorable": ["\u200b", "\u00ad", "\u2060", "\ufeff", "\u200d", "\u3164", "\ufe0f", "so\u00adft"],
    "control": [
        "\x00",
        "\x1b[31m",
        "\x07",
        "\x0b",
        "\x0c",
        "\x85",
        "\u2028",
        "\u2029",
        "\xa0",
        "\u3000",
        "\x1c",
    ],
}
WORDS = [
    *(
        "the pump",
        "runs",
        "at 24 bar.",
        "Gate",
        "opens",
        "v2.3.1",
        "e.g. this",
        "Mr. Hill",
        "Is it?",
        "No!",
        "a",
    ),
    *(
        "**bold**",
        "`code`",
        "[link](#a)",
        "![i](b.png)",
        "[^1]",
        "<b>x</b>",
        "\\# no",
        "C#",
        "{#id}",
        "{1, 2}",
    ),
    *(
        "supercalifragilistic" * 3,
        "x_1 * y_2",
        "$5 to $9",
        "1.",
        "-",
        "#",
        "|",
        ">",
        "<!--",
        "-->",
        "```",
        "&amp;",
    ),
]


class Made(NamedTuple):
    """A generated text and the kinds that it was made of."""

    text: str
    kinds: frozenset[str]


Block = tuple[list[str], frozenset[str]]
Lines = st.SearchStrategy[Block]
NONE: frozenset[str] = frozenset()


@st.composite
def inline(draw: st.DrawFn, longest: int = 12) -> tuple[str, frozenset[str]]:
    """One line of running text."""
    parts, kinds = [], set()
    for _ in range(draw(st.integers(1, longest))):
        if draw(st.integers(0, 7)):
            parts.append(draw(st.sampled_from(WORDS)))
            continue
        kind = draw(st.sampled_from([*ODD, "noise"]))
        if kind == "noise":
            alphabet = st.characters(exclude_categories=["Cs"], exclude_characters="\r\n")
            parts.append(draw(st.text(alphabet, max_size=6)))
        else:
            parts.append(draw(st.sampled_from(ODD[kind])))
        kinds.add(kind)
    line = draw(st.sampled_from([" ", " ", " ", "", "  "])).join(parts)
    return line, frozenset(kinds)


def _with(kind: str, kinds: frozenset[str] = NONE) -> frozenset[str]:
    return kinds | {kind}


@st.composite
def atx(draw: st.DrawFn) -> Block:
    title, kinds = draw(inline(4))
    line = (
        " " * draw(st.integers(0, 3))
        + "#" * draw(st.integers(1, 6))
        + draw(st.sampled_from([" ", "\t", "  "]))
    )
    return [line + title + draw(st.sampled_from(["", "", " #", " ## ", " {#an-id .class}"]))], _with(
        "atx heading", kinds
    )


@st.composite
def setext(draw: st.DrawFn) -> Block:
    titles = [draw(inline(4)) for _ in range(draw(st.integers(1, 2)))]
    kinds = frozenset().union(*(k for _, k in titles))
    return [*(t for t, _ in titles), draw(st.sampled_from(["===", "---", "-", "======  "]))], _with(
        "setext heading", kinds
    )


@st.composite
def paragraph(draw: st.DrawFn) -> Block:
    lines = [draw(inline()) for _ in range(draw(st.integers(1, 4)))]
    kinds = frozenset().union(*(k for _, k in lines))
    return [line for line, _ in lines], _with("paragraph", kinds)


@st.composite
def table(draw: st.DrawFn) -> Block:
    columns = draw(st.integers(1, 4))
    kinds: frozenset[str] = frozenset(["table"])
    rows = []
    for _ in range(draw(st.integers(1, 6))):
        cells = [draw(inline(3)) for _ in range(max(1, columns + draw(st.sampled_from([0, 0, 0, 0, 1, -1]))))]
        kinds = kinds.union(*(k for _, k in cells))
        rows.append("| " + " | ".join(c for c, _ in cells) + " |")
    delimiter = (
        "|" + "|".join(draw(st.sampled_from([" --- ", ":--", "--:", ":-:"])) for _ in range(columns)) + "|"
    )
    header = "| " + " | ".join(f"Name {i}" for i in range(columns)) + " |"
    return [header, delimiter, *rows], kinds


@st.composite
def fence(draw: st.DrawFn) -> Block:
    mark = draw(st.sampled_from("`~"))
    length = draw(st.integers(3, 5))
    kinds = {"backtick fence" if mark == "`" else "tilde fence"}
    body = draw(
        st.lists(
            st.sampled_from(["# not a heading", "", "  x = 1", "step_00(" + "a, " * 12 + ")", "---"]),
            max_size=6,
        )
    )
    if draw(st.booleans()):
        inner = draw(st.sampled_from(["`", "~"])) * 3
        if inner[0] != mark or length > 3:
            body += [inner + "python", "# inside", "", inner]
            kinds.add("fence in fence")
    lines = [mark * length + draw(st.sampled_from(["", "python", " text title=x"])), *body]
    if draw(st.integers(0, 9)):
        lines.append(mark * draw(st.integers(length, 6)))
    else:
        kinds.add("unclosed fence")
    return lines, frozenset(kinds)


@st.composite
def indented(draw: st.DrawFn) -> Block:
    lines = draw(
        st.lists(st.sampled_from(["# hash", "run --now", "", "\tdeep", "a" * 90]), min_size=1, max_size=5)
    )
    mark = draw(st.sampled_from(["    ", "\t"]))
    return [mark + line if line else "" for line in ["first", *lines]], frozenset(["indented code"])


HTML = {
    "html block": ["<div>", "# inside the block", "text", "</div>"],
    "html comment": ["<!-- a comment", "", "# hidden", "-->"],
    "unclosed comment": ["<!-- never closed", "", "# hidden as well"],
    "raw html": ["<pre>", "# raw", "", "--- more", "</pre>"],
}
ADMONITIONS = {
    "!!! admonition": ('!!! note "Hot parts"', "    ", ""),
    "??? admonition": ("??? tip", "    ", ""),
    "=== tab": ('=== "Wood"', "    ", ""),
    "::: admonition": ("::: warning", "", ":::"),
    "/// admonition": ("/// note | Title", "", "///"),
}


@st.composite
def html(draw: st.DrawFn) -> Block:
    kind = draw(st.sampled_from([*HTML, "html block", "html comment", "raw html"]))
    return list(HTML[kind]), frozenset([kind])


@st.composite
def rule_or_note(draw: st.DrawFn) -> Block:
    kind = draw(st.sampled_from(["rule", "footnote", "link definition"]))
    if kind == "rule":
        return [draw(st.sampled_from(["---", "***", "_ _ _", "- - -"]))], frozenset([kind])
    text, kinds = draw(inline(5))
    if kind == "footnote":
        more = ["", "    second paragraph"] if draw(st.booleans()) else []
        return [f"[^{draw(st.integers(1, 3))}]: {text}", *more], _with(kind, kinds)
    return ["[a link]: #anchor"], frozenset([kind])


def _indent(lines: list[str], first: str, rest: str) -> list[str]:
    return [(first if i == 0 else rest if line else rest.rstrip()) + line for i, line in enumerate(lines)]


@st.composite
def listing(draw: st.DrawFn, inner: Lines) -> Block:
    ordered = draw(st.booleans())
    loose = draw(st.booleans())
    start = draw(st.integers(0, 12))
    bullet = draw(st.sampled_from("-*+"))
    kinds: frozenset[str] = frozenset(["ordered list" if ordered else "bulleted list"])
    lines: list[str] = []
    for i in range(draw(st.integers(1, 4))):
        mark = f"{start + i}. " if ordered else f"{bullet} "
        body: list[str] = []
        for _ in range(draw(st.integers(1, 3))):
            more, found = draw(inner)
            body += ["", *more] if body and draw(st.booleans()) else more
            kinds |= found | ({"nested list"} if found & {"ordered list", "bulleted list"} else NONE)
        lines += ([""] if loose and lines else []) + _indent(body, mark, " " * len(mark))
    return lines, kinds


@st.composite
def quote(draw: st.DrawFn, inner: Lines) -> Block:
    body, kinds = draw(inner)
    if draw(st.booleans()):
        return [f"> [!{draw(st.sampled_from(['NOTE', 'WARNING']))}]", *_indent(body, "> ", "> ")], _with(
            "alert", kinds
        )
    return _indent(body, "> ", draw(st.sampled_from(["> ", ">", ">  "]))), _with("quote", kinds)


@st.composite
def admonition(draw: st.DrawFn, inner: Lines) -> Block:
    kind = draw(st.sampled_from(list(ADMONITIONS)))
    head, indent, tail = ADMONITIONS[kind]
    body, kinds = draw(inner)
    blank = [""] if draw(st.booleans()) else []
    return [head, *blank, *_indent(body, indent, indent), *([tail] if tail else [])], _with(kind, kinds)


LEAVES: Lines = st.one_of(
    paragraph(), paragraph(), table(), fence(), indented(), html(), rule_or_note(), atx()
)
NESTED: Lines = st.recursive(
    LEAVES, lambda inner: st.one_of(listing(inner), quote(inner), admonition(inner)), max_leaves=3
)
BLOCKS: Lines = st.one_of(
    atx(),
    atx(),
    setext(),
    LEAVES,
    LEAVES,
    listing(NESTED),
    listing(NESTED),
    quote(NESTED),
    admonition(NESTED),
)
FRONT = {
    "front matter yaml": ["---", "title: A page", "tags: [a, b]", "# a comment", "---"],
    "front matter toml": ["+++", 'title = "A page"', "[extra]", "+++"],
}
ENDS = {"LF": ["\n"], "CRLF": ["\r\n"], "CR": ["\r"], "mixed line ends": ["\n", "\r\n", "\r"]}


@st.composite
def markdown(draw: st.DrawFn, most: int = 8) -> Made:
    """A Markdown text of up to `most` blocks."""
    lines: list[str] = []
    kinds: set[str] = set()
    if not draw(st.integers(0, 4)):
        front = draw(st.sampled_from(list(FRONT)))
        kinds.add(front)
        lines += FRONT[front]
    for _ in range(draw(st.integers(0, most))):
        block, found = draw(BLOCKS)
        lines += [""] * draw(st.sampled_from([0, 1, 1, 1, 1, 3])) + block
        kinds |= found
    end = draw(st.sampled_from(["LF", *ENDS]))
    kinds.add(end)
    text = "".join(
        line + (ENDS[end][0] if end != "mixed line ends" else draw(st.sampled_from(ENDS[end])))
        for line in lines
    )
    if draw(st.booleans()):
        text = text.rstrip("\r\n")
        kinds.add("no line end at the end")
    if not text:
        kinds.add("empty")
    return Made(text, frozenset(kinds))


SIZES = st.one_of(st.integers(1, 12), st.integers(1, 120), st.integers(1, 600), st.integers(1, 2000))
"""Sizes from 1 to 2,000, small ones more often."""
