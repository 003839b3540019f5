"""The manuals: determinism, shape, golden set, growth, and the command."""

from __future__ import annotations

import json
import os
import re
import subprocess
import sys
from collections import Counter
from itertools import pairwise
from pathlib import Path

import pytest
from examples.manuals import ShapeError, build, generate, main, shape
from examples.manuals.devices import MOST, TYPES, devices
from examples.manuals.manual import SECTIONS

ROOT = Path(__file__).parents[2]
Corpus = tuple[dict[str, str], list[dict]]


@pytest.fixture(scope="module")
def corpus() -> Corpus:
    return build()


def fold(text: str) -> str:
    return re.sub(r"\s+", " ", text).strip()


def test_same_seed_same_corpus(corpus):
    generate.draw.cache_clear()
    assert build(seed=7) == corpus


def test_another_seed_another_corpus(corpus):
    docs, questions = build(seed=8)
    assert docs.keys() == corpus[0].keys()
    manuals = [path for path in docs if not path.startswith("policy")]
    assert all(docs[path] != corpus[0][path] for path in manuals)
    assert [q["id"] for q in questions] == [q["id"] for q in corpus[1]]


def test_bytes_do_not_depend_on_the_order_of_hashes(tmp_path):
    written = []
    for hash_seed in ("1", "2"):
        out = tmp_path / hash_seed
        subprocess.run(
            [sys.executable, "-m", "examples.manuals", "--out", str(out)],
            cwd=ROOT,
            env={**os.environ, "PYTHONHASHSEED": hash_seed},
            check=True,
            capture_output=True,
        )
        files = sorted(file for file in out.rglob("*") if file.is_file())
        written.append({str(file.relative_to(out)): file.read_bytes() for file in files})
    assert written[0] == written[1]
    assert len(written[0]) == 22 + 2


def test_the_counts_of_the_article(corpus):
    docs, questions = corpus
    assert len(docs) == 22
    assert Counter(q["kind"] for q in questions) == {"paraphrase": 176, "policy": 5, "identifier": 64}
    assert abs(sum(map(len, docs.values())) / 87_189 - 1) <= 0.01
    said = {q["template"]: q["names"] for q in questions if q["kind"] == "paraphrase"}
    assert Counter(said.values()) == {"model": 5, "unit": 6}
    assert len({q["template"] for q in questions if q["kind"] == "identifier"}) == 4
    assert len(TYPES) == 8
    for path, text in docs.items():
        titles = re.findall(r"^## (.*)$", text, re.MULTILINE)
        assert path.startswith("policy") or titles == list(SECTIONS)


@pytest.mark.parametrize("seed", [0, 1, 7, 8])
def test_every_band_holds(seed):
    figures = shape.measure(*build(seed))
    assert [str(figure) for figure in figures if not figure.inside] == []


def test_each_gold_stands_once_and_says_what_its_tag_says(corpus):
    docs, questions = corpus
    assert len({q["id"] for q in questions}) == len(questions)
    for q in questions:
        assert fold(docs[q["doc"]]).count(fold(q["gold"])) == 1, q["id"]
        model = q["doc"].removesuffix(".md").upper()
        if q["kind"] == "paraphrase":
            assert model in q["question"], q["id"]
            assert (model in q["gold"]) == (q["names"] == "model"), q["id"]
            assert (re.search(r"\b(unit|sensor)\b", q["gold"]) is not None) == (q["names"] == "unit"), q["id"]
        length = len(q["gold"])
        assert q["answer_length"] == ("short" if length <= 60 else "medium" if length <= 200 else "long")
        assert q["query_type"] in {"factual", "conceptual", "procedural"}
        assert q["family"] == (q["id"] if q["kind"] == "policy" else q["template"])


CODE = re.compile(r"\b(?:[FA]|TP)-\d+\b|\b\d+\.\d+\.\d+\b")


def test_identifiers_are_unique_and_have_decoys_beside_them(corpus):
    docs, questions = corpus
    everywhere = Counter(code for text in docs.values() for code in CODE.findall(text))
    assert set(everywhere.values()) == {1}
    for q in questions:
        if q["kind"] == "identifier":
            [code] = CODE.findall(q["question"])
            assert code in q["gold"]
            [section] = [part for part in docs[q["doc"]].split("\n## ") if code in part]
            same_form = re.sub(r"\d+", r"\\d+", re.escape(code).replace(r"\-", "-"))
            assert len(set(re.findall(same_form, section))) >= 2, q["id"]


def test_shared_sentences_speak_of_the_unit_and_name_no_model(corpus):
    docs, questions = corpus
    golds = {q["gold"] for q in questions}
    for path, text in docs.items():
        if path.startswith("policy"):
            continue
        model = path.removesuffix(".md").upper()
        overview = f"The Tarnwick {model} measures"
        sentences = re.split(r"\n+|(?<=[.:])\s+", text.partition("\n\n")[2])
        naming = [s for s in sentences if model in s]
        assert all(s in golds or overview in s for s in naming), path
        assert sum("unit" in s for s in sentences) > 2 * len(naming)


def test_the_command_writes_what_build_gives(corpus, tmp_path, capsys):
    out = tmp_path / "new" / "out"
    assert main(["--out", str(out)]) == 0
    docs = {file.name: file.read_text(encoding="utf-8") for file in (out / "docs").iterdir()}
    lines = [json.loads(line) for line in (out / "golden.jsonl").read_text(encoding="utf-8").splitlines()]
    assert (docs, lines) == corpus
    shown = capsys.readouterr().out
    assert f"{sum(map(len, docs.values()))}"[:2] in shown
    assert "fixed chunks at 600" in shown
    assert not list(out.parent.glob("*.part"))


def test_a_second_run_leaves_nothing_of_the_first(tmp_path):
    assert main(["--out", str(tmp_path / "out"), "--documents", "30"]) == 0
    assert main(["--out", str(tmp_path / "out")]) == 0
    assert len(list((tmp_path / "out" / "docs").iterdir())) == 22


def test_a_folder_of_somebody_else_is_left_alone(tmp_path, capsys):
    (tmp_path / "docs").mkdir()
    (tmp_path / "docs" / "mine.md").write_text("# Mine\n")
    assert main(["--out", str(tmp_path)]) == 2
    assert "somebody else" in capsys.readouterr().err
    assert [file.name for file in tmp_path.rglob("*.md")] == ["mine.md"]


@pytest.mark.parametrize("documents", [0, 6, MOST + 7])
def test_impossible_numbers_of_documents_are_refused(documents, tmp_path, capsys):
    assert main(["--documents", str(documents), "--out", str(tmp_path / "out")]) == 2
    assert "documents must be 7 to" in capsys.readouterr().err
    assert not (tmp_path / "out").exists()


def test_a_shape_outside_its_bands_fails_and_names_the_figure(monkeypatch, tmp_path, capsys):
    real = generate.measure

    def narrowed(docs, questions):
        return [f._replace(high=f.value - 1) if f.name == "characters" else f for f in real(docs, questions)]

    monkeypatch.setattr(generate, "measure", narrowed)
    monkeypatch.setattr(generate, "ATTEMPTS", 2)
    generate.draw.cache_clear()
    try:
        assert main(["--out", str(tmp_path / "out")]) == 1
        with pytest.raises(ShapeError, match="characters"):
            build()
        assert len(build(documents=23)[0]) == 23
    finally:
        generate.draw.cache_clear()
    assert re.search(r"^  characters .*OUTSIDE$", capsys.readouterr().err, re.MULTILINE)
    assert not (tmp_path / "out").exists()


def test_sixty_documents_keep_the_first_and_stay_unique(corpus):
    docs, questions = build(documents=60)
    assert len(docs) == 60
    assert corpus[0].items() <= docs.items()
    assert len(questions) == (60 - 6) * 15 + 5
    assert len({q["id"] for q in questions}) == len(questions)
    titles = [text.partition("\n")[0] for text in docs.values()]
    assert len(set(titles)) == 60
    assert all(fold(docs[q["doc"]]).count(fold(q["gold"])) == 1 for q in questions)
    everywhere = Counter(code for text in docs.values() for code in CODE.findall(text))
    assert set(everywhere.values()) == {1}


def test_a_large_corpus_asks_about_two_hundred_manuals():
    _, questions = build(documents=600)
    assert len(questions) == 200 * 15 + 5
    numbers = {device.path: device.number for device in devices(594)}
    asked = sorted({numbers[q["doc"]] for q in questions if q["kind"] != "policy"})
    assert len(asked) == 200
    assert {b - a for a, b in pairwise(asked)} <= {2, 3}


def test_identifiers_of_fifteen_thousand_devices_are_unique():
    writer = generate.draw(7)[0]
    numbers = {writer.identifiers.number(i) for i in range(150_000)}
    series = {writer.identifiers.series(i) for i in range(15_000)}
    models = {device.model for device in devices(MOST)}
    assert (len(numbers), len(series), len(models)) == (150_000, 15_000, MOST)


@pytest.mark.parametrize("size", [300, 600, 1200])
def test_the_yardstick_agrees_with_the_article_on_its_real_document(shared, size):
    folder = shared / "corpora" / "constitution"
    docs = {"constitution.md": (folder / "docs" / "constitution.md").read_text(encoding="utf-8")}
    questions = [json.loads(line) for line in (folder / "golden.jsonl").read_text("utf-8").splitlines()]
    reference = json.loads((shared / "reference" / "constitution.json").read_text("utf-8"))
    expected = reference["chunks_and_ceilings"][str(size)]
    found = {}
    for chunker in (shape.fixed, shape.paragraph, shape.heading):
        pieces = chunker(docs, size)
        found[chunker.__name__] = [len(pieces), round(shape.ceiling(pieces, questions), 1)]
    assert found == expected
