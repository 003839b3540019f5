"""The benchmark of speed runs, and its figures have the right shape. No test asks how fast anything is."""

from __future__ import annotations

import json

import pytest
from benchmarks.speed_figures import Figure, from_json, markdown, parts
from rich.console import Console

import chunkwise
from benchmarks import peers, speed, speed_clock, speed_cutting, speed_pages, speed_scale, speed_start


@pytest.fixture
def made(folder):
    return speed_pages.pages(folder)


@pytest.fixture
def stand_ins(monkeypatch):
    """Libraries that are always there, in place of those of the extra."""
    calls = []

    def make(size):
        assert size == speed_cutting.SIZE
        return lambda made: calls.append(len(made)) or sum(len(text) // size + 1 for _, text in made)

    monkeypatch.setattr(peers, "HEADING", {"one": (make, 2.0), "two": (make, 15.0)})
    monkeypatch.setattr(speed_cutting, "ONE_FILE_LARGE", ("one",))
    monkeypatch.setattr(peers, "langchain_recursive", make)
    monkeypatch.setattr(peers, "versions", lambda: {"one": "1.0"})
    return calls


def test_pages_are_read_as_they_are_and_multiplied(folder, made, tmp_path) -> None:
    assert [name for name, _ in made] == sorted(name for name, _ in made)
    total = speed_pages.characters(made)
    assert total == sum(len(path.read_bytes().decode()) for path in folder.rglob("*.md"))
    rows = list(speed_pages.copies(made, 5 * total - 1))
    assert len(rows) == 5
    assert len({name for row in rows for name, _ in row}) == 5 * len(made)
    assert speed_pages.write(tmp_path, (page for row in rows for page in row)) == 5 * len(made)
    assert sum(len(document.text) for document in chunkwise.read(tmp_path)) == 5 * total


def test_small_pages_are_as_many_as_asked_for(made) -> None:
    small = list(speed_pages.pieces(made, 1203, size=200))
    assert len({name for name, _ in small}) == 1203
    assert all(200 <= len(text) < 2000 and text.startswith("# Page ") for _, text in small)
    assert small[1202][0] == "001/202.md"


def test_the_data_may_be_the_pages_or_the_folder_of_all_corpora(tmp_path) -> None:
    assert speed_pages.root_of(tmp_path) == tmp_path
    (tmp_path / "docs").mkdir()
    assert speed_pages.root_of(tmp_path) == tmp_path / "docs"
    (tmp_path / "fastapi-docs" / "docs").mkdir(parents=True)
    assert speed_pages.root_of(tmp_path) == tmp_path / "fastapi-docs" / "docs"


def test_works_take_turns_and_each_round_begins_with_another_one() -> None:
    order = []
    spent = speed_clock.alternating({name: lambda n=name: lambda: order.append(n) for name in "abc"}, 3)
    assert "".join(order) == "abc" + "abc" + "bca" + "cab"
    assert [len(times) for times in spent.values()] == [3, 3, 3]


def test_making_a_work_is_not_timed(monkeypatch) -> None:
    clock = iter(range(100))
    monkeypatch.setattr(speed_clock.time, "process_time", lambda: next(clock))

    def make():
        for _ in range(10):
            next(clock)
        return lambda: None

    assert speed_clock.alternating({"a": make}, 2, warm=False) == {"a": [1, 1]}


def test_a_ratio_is_that_of_each_round() -> None:
    assert speed_clock.Ratio.of([2.0, 9.0, 8.0], [1.0, 3.0, 1.0]) == (3.0, 2.0, 8.0)


def test_a_fresh_process_tells_its_cost_and_its_failure() -> None:
    held = speed_clock.process(["-c", "print('x' * 9); a = bytearray(80_000_000)"])
    assert held.cpu > 0
    assert held.wall > 0
    assert 80_000_000 < held.peak < 300_000_000
    with pytest.raises(RuntimeError, match=r"ended with 3"):
        speed_clock.process(["-c", "raise SystemExit(3)"])


def test_cutting_has_a_line_for_each_library_and_corpus(made, stand_ins) -> None:
    total = speed_pages.characters(made)
    found = list(speed_cutting.run(made, rounds=3, large=3 * total))
    by_part = parts(found)
    assert list(by_part) == [speed_cutting.HEADINGS, speed_cutting.GIVEN]
    assert len(by_part[speed_cutting.HEADINGS]) == 2 + 2 + 2 + 1
    assert len(by_part[speed_cutting.GIVEN]) == 6
    assert {figure.least for figure in by_part[speed_cutting.HEADINGS]} == {2.0, 15.0}
    for figure in found:
        assert figure.ours > 0
        assert figure.theirs > 0
        assert figure.low <= figure.ratio <= figure.high
        assert figure.met == (figure.ratio >= figure.least)
    assert max(stand_ins) > len(made)


def test_the_work_that_is_timed_is_whole(made) -> None:
    cut = chunkwise.Heading(size=speed_cutting.SIZE)
    chunks = [chunk for name, text in made for chunk in cut(chunkwise.read_text(text, name))]
    assert speed_cutting.from_text(made) == len(chunks) > len(made)
    assert speed_cutting.ready(made, cut)() == len(chunks)


def test_growth_and_memory_have_a_line_for_each_corpus(made) -> None:
    total = speed_pages.characters(made)
    found = list(speed_scale.run(made, 1, 3 * total, many=40, few=10, specs=("heading:size=1000",)))
    by_part = parts(found)
    assert [len(by_part[part]) for part in (speed_scale.TIME, speed_scale.MEMORY)] == [2, 4]
    assert [figure.most for figure in by_part[speed_scale.TIME]] == [1.5, 1.5]
    assert "in 18 files" in found[0].name
    assert "in one file" in found[1].name
    assert all(figure.ours > 0 for figure in by_part[speed_scale.TIME])
    memory = [figure for figure in by_part[speed_scale.MEMORY] if figure.unit == "MB"]
    assert all(5 < figure.ours < 500 for figure in memory)


def test_starting_is_measured_in_fresh_processes() -> None:
    found = list(speed_start.run(1))
    assert [figure.most for figure in found] == [None, 0.2, 0.4]
    assert all(0 < figure.ours < 60 for figure in found)


def test_aims_are_told_in_words_and_judged() -> None:
    fast = Figure("p", "a", "b", 1.0, 3.0, "s", 3.0, 2.0, 4.0, least=2.0)
    slow = Figure("p", "a", "b", 1.0, 1.5, "s", 1.5, 1.0, 2.0, least=2.0)
    big = Figure("p", "a", "b", 0.5, None, "s", most=0.4)
    grown = Figure("p", "a", "b", 3.0, 2.0, "s", 1.5, most=1.5)
    free = Figure("p", "a", "b", 3.0, 2.0, "s", 1.5)
    figures = (fast, slow, big, grown, free)
    assert [figure.met for figure in figures] == [True, False, False, True, None]
    assert [figure.aim for figure in figures] == [
        "at least 2x",
        "at least 2x",
        "at most 0.4 s",
        "at most 1.5x",
        "",
    ]
    assert from_json({"figures": [figure.to_dict() for figure in figures]}) == list(figures)


def test_the_command_writes_json_and_the_page(folder, stand_ins, tmp_path, capsys) -> None:
    file, page = tmp_path / "speed.json", tmp_path / "speed.md"
    page.write_text("# Speed\n\n<!-- figures: speed -->\nold\n<!-- /figures -->\n\nEnd.\n", "utf-8")
    arguments = ["--data", str(folder), "--rounds", "1", "--large", "0", "--json", str(file)]
    assert speed.main(["cutting", *arguments, "--write-docs", "--page", str(page)]) == 0
    assert stand_ins
    plain = json.loads(file.read_text("utf-8"))
    assert len(plain["figures"]) == 2 + 2 + 3
    assert plain["about"]["files"] == 6
    assert plain["about"]["versions"]["one"] == "1.0"
    text = page.read_text("utf-8")
    assert text.startswith("# Speed\n\n<!-- figures: speed -->\nMeasured with ")
    assert text.endswith("\n<!-- /figures -->\n\nEnd.\n")
    assert "old" not in text
    assert markdown(from_json(plain), plain["about"]).strip() in text
    assert text.count("| heading, 6 files") == 2
    printed = capsys.readouterr().out
    assert "of 7 aims met" in printed
    assert speed.main(["--from-json", str(file)]) == 0
    assert capsys.readouterr().out.splitlines()[:3] == printed.splitlines()[:3]


@pytest.mark.usefixtures("stand_ins")
def test_a_part_that_is_measured_alone_keeps_the_others(folder, tmp_path, monkeypatch, capsys) -> None:
    file = tmp_path / "speed.json"
    arguments = ["--data", str(folder), "--rounds", "1", "--large", "0", "--json", str(file)]

    def names() -> list[str]:
        return [one["of"] for one in json.loads(file.read_text("utf-8"))["figures"]]

    assert speed.main(["cutting", *arguments]) == 0
    assert speed.main(["start", *arguments]) == 0
    assert names() == ["start"] * 3 + ["cutting"] * 7
    before = json.loads(file.read_text("utf-8"))["figures"]
    assert speed.main(["start", *arguments]) == 0
    after = json.loads(file.read_text("utf-8"))["figures"]
    assert names() == ["start"] * 3 + ["cutting"] * 7
    assert after[3:] == before[3:]
    assert "of 9 aims met" in capsys.readouterr().out
    monkeypatch.setattr(peers, "versions", lambda: {"one": "1.1"})
    assert speed.main(["start", *arguments]) == 0
    assert names() == ["start"] * 3
    assert "measured with other versions" in capsys.readouterr().err


@pytest.mark.parametrize(
    ("arguments", "said"),
    [(["cuting"], "no part 'cuting'"), (["--data", "nowhere"], "no Markdown files below nowhere")],
)
def test_what_cannot_be_measured_is_refused(arguments, said, stand_ins) -> None:
    with pytest.raises(SystemExit, match=said):
        speed.main(arguments)
    assert not stand_ins


def test_a_missing_library_is_named_with_the_remedy(monkeypatch) -> None:
    monkeypatch.setattr(peers, "PACKAGES", ("a-library-that-is-not-there",))
    with pytest.raises(SystemExit, match=r"a-library-that-is-not-there .* pip install -e '\.\[bench\]'"):
        peers.versions()


def test_the_libraries_cut(made) -> None:
    pytest.importorskip("langchain_text_splitters", reason="the extra bench is not installed")
    pytest.importorskip("semantic_text_splitter", reason="the extra bench is not installed")
    pytest.importorskip("llama_index.core", reason="the extra bench is not installed")
    for make, _ in peers.HEADING.values():
        assert make(1000)(made) >= 3 * len(made)
    assert peers.langchain_recursive(1000)(made) > len(made)


def test_figures_fit_a_narrow_terminal(capsys) -> None:
    from benchmarks.speed_figures import show

    figures = [Figure("Part", "name " * 9, "other", 1234.5, 0.01234, "ms/MB", 2.0, least=2.0, note="Noted.")]
    show(figures, Console(width=80))
    printed = capsys.readouterr().out
    assert max(map(len, printed.splitlines())) <= 80
    for text in ("1,234", "0.0123", "yes", "Noted."):
        assert text in printed
