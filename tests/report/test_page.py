"""The page without a browser: nothing of a document is markup or fetched, the same bytes come out."""

from __future__ import annotations

import json
import re
import subprocess
import sys
import zipfile
from dataclasses import replace
from html.parser import HTMLParser
from pathlib import Path
from typing import Any

import pytest
from hypothesis import given
from hypothesis import strategies as st

from chunkwise.errors import MissingExtra, ReportError
from chunkwise.report.page import questions as asked
from chunkwise.report.page import reader, render_page
from chunkwise.report.page.plots import figures
from chunkwise.report.page.sizes import size_table
from chunkwise.report.page.text import Utf16, as_data, visible
from chunkwise.report.sentences import in_order
from chunkwise.types import Comparison, Decision, Report

from .make import report, row
from .nasty_page import GOLDS, IMAGE, NAME, SCRIPT, TEXT, nasty

pytest.importorskip("jinja2", reason="the extra 'report' is not installed")


class Tags(HTMLParser):
    """Every tag with its attributes, and the texts outside of scripts and styles."""

    def __init__(self, page: str) -> None:
        super().__init__()
        self.tags: list[tuple[str, dict[str, Any]]] = []
        self.texts: list[str] = []
        self.inside = ""
        self.scripts: list[str] = []
        self.feed(page)

    def handle_starttag(self, tag: str, attrs: list[tuple[str, str | None]]) -> None:
        self.tags.append((tag, dict(attrs)))
        if tag in ("script", "style"):
            self.inside = tag

    def handle_endtag(self, tag: str) -> None:
        self.inside = "" if tag == self.inside else self.inside

    def handle_data(self, data: str) -> None:
        (self.scripts if self.inside == "script" else self.texts).append(data)


@pytest.fixture(scope="module")
def page() -> str:
    return render_page(nasty()).decode()


def test_nothing_of_a_document_is_markup(page: str) -> None:
    found = Tags(page)
    tags = [tag for tag, _ in found.tags]
    assert tags.count("script") == 2
    assert "img" not in tags
    assert "i" in tags  # of the page itself
    assert {tag for tag in tags if tag in ("iframe", "object", "embed", "base", "form")} == set()
    assert not [name for _, attrs in found.tags for name in attrs if name.startswith("on")]
    text = "".join(found.texts)
    assert SCRIPT in text
    assert IMAGE in text
    assert "valid for a year ␀" in text
    assert "\x00" not in page
    assert "\ud800" not in page


def test_the_data_of_the_reader_is_the_text_to_the_last_character(page: str) -> None:
    data = json.loads(Tags(page).scripts[0])
    (part,) = (one for one in data["documents"] if one["id"] == NAME)
    assert part["text"] == TEXT
    units = TEXT.encode("utf-16-le", "surrogatepass")
    for gold in part["golds"]:
        quote = units[2 * gold[2] : 2 * gold[3]].decode("utf-16-le")
        assert quote in GOLDS.values()


def test_nothing_is_fetched_and_only_the_own_script_may_run(page: str) -> None:
    found = Tags(page)
    for _, attrs in found.tags:
        for name in ("src", "href", "action", "data", "srcset", "poster"):
            assert str(attrs.get(name) or "#").startswith(("#", "data:,")), attrs
    own = re.sub(r"<script type.*?</script>", "", page, flags=re.DOTALL)
    assert not re.search(r"url\(|@import|https?://", own)
    (policy,) = (a["content"] for t, a in found.tags if a.get("http-equiv") == "Content-Security-Policy")
    assert "default-src 'none'" in policy
    assert "unsafe" not in policy


def test_it_has_landmarks_headings_and_labels(page: str) -> None:
    found = Tags(page).tags
    tags = [tag for tag, _ in found]
    for landmark in ("header", "nav", "main", "footer", "h1"):
        assert tags.count(landmark) == 1
    ids = [attrs["id"] for _, attrs in found if "id" in attrs]
    assert len(ids) == len(set(ids))
    for tag, attrs in found:
        if tag == "section":
            assert attrs["aria-labelledby"] in ids
        if tag == "a":
            assert attrs["href"].removeprefix("#") in ids
        if tag == "table":
            assert attrs["class"] == "data"
    assert ("html", {"lang": "en"}) in found


def test_the_same_report_gives_the_same_bytes_whatever_the_seconds() -> None:
    made = nasty()
    assert render_page(made) == render_page(replace(made, timings={"read": 99.0}))
    assert render_page(Report.from_json(made.to_json())) == render_page(made)


def test_without_texts_and_without_questions_there_is_a_page_too() -> None:
    bare = render_page(replace(nasty(), exhibits=())).decode()
    assert "No document is shown" in bare
    assert "Hard questions" not in bare
    unasked = report([row("fixed:size=10", 0.5, measures={})], questions=0, families=0)
    assert "Nothing was decided" in render_page(unasked).decode()


def test_a_page_keeps_below_its_limit_and_says_what_is_left_out(monkeypatch: pytest.MonkeyPatch) -> None:
    monkeypatch.setattr(reader, "MOST", 200)
    monkeypatch.setattr(asked, "MOST", 100)
    made = render_page(nasty()).decode()
    assert "1 of 2 documents, chosen for this page" in made
    assert "1 that the report has is left out" in made
    assert "Its text is left out to keep this page small" in made
    assert len(made) < len(render_page(replace(nasty(), exhibits=())).decode()) + 60_000
    assert reader.MOST + asked.MOST < 10_000_000


def test_a_report_that_lacks_something_is_refused_with_the_remedy() -> None:
    made = nasty()
    with pytest.raises(ReportError, match="run the comparison again"):
        render_page(replace(made, settings={"primary": "hit@1"}))


def test_a_missing_library_names_the_install_line(monkeypatch: pytest.MonkeyPatch) -> None:
    monkeypatch.setitem(sys.modules, "jinja2", None)
    with pytest.raises(MissingExtra, match=r"pip install 'chunkwise\[report\]'"):
        render_page(nasty())


def test_figures_stay_on_their_tracks() -> None:
    made = nasty()
    rows = in_order(made)
    shown = figures(made, rows)
    assert [figure.id for figure in shown] == ["found", "behind", "budgets", "ceiling", "sizes-0", "cuts"]
    for figure in shown:
        assert [track.name for track in figure.tracks] == [row.name for row in rows]
        for track in figure.tracks:
            for shape in track.shapes:
                for at in filter(None, (shape.at, shape.to)):
                    assert 0 <= float(at.removesuffix("%")) <= 100


def test_a_unit_has_a_figure_of_sizes_of_its_own() -> None:
    sizes = {"unit": "words", "min": 1, "median": 20, "mean": 20, "p95": 90, "max": 118372, "marked": 0}
    rows = [row("fixed:size=10", 0.5), row("heading:size=9", 0.4, sizes=sizes)]
    shown = [figure for figure in figures(report(rows), rows) if figure.id.startswith("sizes")]
    assert [len(figure.tracks) for figure in shown] == [1, 1]
    assert shown[1].ticks[-1][1] == "1,000,000"


def test_sizes_in_other_units_are_a_table_of_their_own() -> None:
    plain = row("heading:size=9", 0.4)
    others = [{"unit": "minilm", "median": 7, "mean": 8.2, "p95": 20, "max": 300, "limit": 256, "over": 3}]
    assert size_table([plain]) is None
    assert "size-table" not in render_page(report([plain])).decode()
    both = row("fixed:size=10", 0.5, sizes={**plain.sizes, "others": others})
    made = size_table([plain, both])
    assert made is not None
    assert [[name, *(cell.text for cell in cells)] for name, cells in made.rows] == [
        ["heading:size=9", "chars", "702", "654", "790", "800", "-", "1"],
        ["fixed:size=10", "chars", "702", "654", "790", "800", "-", "1"],
        ["fixed:size=10", "minilm", "7", "8", "20", "300", "256", "3"],
    ]
    assert "the window of the embedder" in render_page(report([plain, both])).decode()


@given(st.text())
def test_data_comes_back_and_cannot_end_its_element(text: str) -> None:
    data = as_data({"text": text})
    assert json.loads(data) == {"text": text}
    assert not set("<>&\u2028\u2029") & set(data)
    data.encode()
    assert not re.search("[\x00-\x08\x0b\x0c\x0e-\x1f]", visible(text))


@given(st.text(), st.integers(0, 30))
def test_positions_are_those_of_javascript(text: str, position: int) -> None:
    position = min(position, len(text))
    assert Utf16(text)(position) == len(text[:position].encode("utf-16-le", "surrogatepass")) // 2


def test_the_templates_are_in_the_wheel(tmp_path: Path) -> None:
    pytest.importorskip("hatchling", reason="hatchling builds the wheel, and is not installed")
    root = Path(__file__).parents[2]
    code = "import sys; from hatchling.build import build_wheel; build_wheel(sys.argv[1])"
    subprocess.run([sys.executable, "-c", code, str(tmp_path)], cwd=root, check=True, capture_output=True)
    (wheel,) = tmp_path.glob("*.whl")
    folder = "chunkwise/report/page/templates/"
    names = {Path(name).name for name in zipfile.ZipFile(wheel).namelist() if name.startswith(folder)}
    assert names == {path.name for path in (root / "src" / folder).iterdir()}
    assert "page.html" in names


def test_a_mark_is_explained_where_there_is_one() -> None:
    rows = [row("a", 0.9), row("b", 0.8)]
    apart = Comparison("recall@1000words", "a", "b", 0.1, 0.02, 0.2, 4)

    def page_of(low: float) -> str:
        tie = Decision("tie", "a", ("a", "b"), (), ("a found most",))
        return render_page(report(rows, comparisons=(replace(apart, low=low),), decision=tie)).decode()

    assert "*: the interval says worse" in page_of(0.02)
    assert "the interval says worse" not in page_of(-0.02)


def test_under_another_rule_no_page_speaks_of_whole_answers() -> None:
    made = report([row("a", 0.9), row("b", 0.8)])
    assert "whole answer is in the first chunk" in render_page(made).decode()
    assert "the chunker cut the answer" in render_page(made).decode()
    other = render_page(replace(made, settings={**made.settings, "rule": "majority"})).decode()
    assert "whole answer is in" not in other
    assert "the chunker cut the answer" not in other
