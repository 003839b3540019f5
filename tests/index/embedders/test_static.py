from __future__ import annotations

import json
from importlib.util import find_spec
from pathlib import Path

import numpy as np
import pytest
from model2vec import StaticModel
from safetensors.numpy import save_file

from chunkwise.errors import ModelError
from chunkwise.index import Dense
from chunkwise.index.embedders import Setup, make_embedder
from chunkwise.index.embedders.static import read_safetensors
from tests.index.tiny import WORDS, static_model

TABLE = np.random.default_rng(1).normal(size=(len(WORDS), 5)).astype(np.float32)


def word(text: str) -> np.ndarray:
    return TABLE[WORDS.index(text)].astype(np.float64)


def unit(vector: np.ndarray) -> np.ndarray:
    return vector / np.linalg.norm(vector)


def test_a_vector_is_the_mean_of_the_known_words(tmp_path: Path) -> None:
    embedder = make_embedder(Setup(str(static_model(tmp_path, TABLE))))
    found = embedder.embed(["red car", "red spaceship car", "green"])
    assert np.allclose(found[0], unit(word("red") + word("car")), atol=1e-6)
    assert np.array_equal(found[0], found[1])
    assert np.allclose(found[2], unit(word("green")), atol=1e-6)


def test_weights_and_a_mapping_are_used(tmp_path: Path) -> None:
    weights = np.linspace(0.5, 2, len(WORDS))
    mapping = np.arange(len(WORDS), dtype=np.int64) // 2
    folder = static_model(tmp_path, TABLE[:6], weights=weights, mapping=mapping)
    red, car = WORDS.index("red"), WORDS.index("car")
    expected = TABLE[red // 2] * weights[red] + TABLE[car // 2] * weights[car]
    assert np.allclose(make_embedder(Setup(str(folder))).embed(["red car"])[0], unit(expected), atol=1e-6)


def test_the_window_cuts_and_is_counted(tmp_path: Path) -> None:
    embedder = make_embedder(Setup(str(static_model(tmp_path, TABLE)), window=2))
    found = embedder.embed(["red car boat", "red car"])
    assert np.array_equal(found[0], found[1])
    kept = embedder.kept([embedder.digest("red car boat")])
    assert (kept.tokens.tolist(), kept.unseen.tolist()) == ([3], [5])


def test_a_chunk_without_a_known_word_is_never_found(tmp_path: Path) -> None:
    indexer = Dense(str(static_model(tmp_path, TABLE))).indexer()
    indexer.add_texts(["spaceship", "red car", "green tree"])
    retriever = indexer.finish()
    assert retriever.facts.blank == 1
    for question in ("red car", "boat", "green"):
        assert sorted(retriever.search(question, 9)[0].tolist()) == [1, 2]
    assert retriever.search("spaceship", 9)[0].tolist() == []


def test_vectors_are_those_of_model2vec(tmp_path: Path) -> None:
    texts = ["red car", "a red boat and a tree", "old new"]
    folder = static_model(tmp_path, TABLE)
    theirs = StaticModel.from_pretrained(str(folder)).encode(texts)
    assert np.allclose(make_embedder(Setup(str(folder))).embed(texts), theirs, atol=1e-6)


def wordllama(folder: Path) -> Path:
    """The packaged weights of wordllama as model2vec keeps a model; the package itself is not imported."""
    spec = find_spec("wordllama")
    assert spec is not None
    assert spec.origin is not None
    package = Path(spec.origin).parent
    (table,) = read_safetensors(package / "weights" / "l2_supercat_256.safetensors").values()
    folder.mkdir()
    save_file({"embeddings": table}, folder / "model.safetensors")
    tokenizer = (package / "tokenizers" / "l2_supercat_tokenizer_config.json").read_bytes()
    (folder / "tokenizer.json").write_bytes(tokenizer)
    (folder / "config.json").write_text(json.dumps({"model_type": "model2vec", "normalize": True}))
    return folder


def test_a_real_model_finds_what_is_meant(tmp_path: Path) -> None:
    folder = wordllama(tmp_path / "wordllama")
    texts = [
        "The engine is started with the red key.",
        "Parcels may be sent back within thirty days.",
        "Warm water cleans the filter of the coffee machine.",
        "Numbers: 12, 13 — and a “quote” with ünïcode.",
        "",
    ]
    embedder = make_embedder(Setup(str(folder)))
    theirs = StaticModel.from_pretrained(str(folder)).encode(texts)
    assert np.allclose(embedder.embed(texts), theirs, atol=1e-3)
    dense = Dense(str(folder))
    dense.prepare()
    indexer = dense.indexer()
    indexer.add_texts(texts)
    retriever = indexer.finish()
    assert (retriever.facts.dimension, retriever.facts.window, retriever.facts.blank) == (256, 512, 1)
    for question, answer in [
        ("How do I begin to drive?", 0),
        ("How long can goods be returned?", 1),
        ("washing a coffee maker", 2),
    ]:
        assert retriever.search(question, 1)[0].tolist() == [answer]


def test_half_precision_and_the_other_name_of_the_table(tmp_path: Path) -> None:
    half = static_model(tmp_path / "half", TABLE.astype(np.float16))
    whole = make_embedder(Setup(str(static_model(tmp_path / "whole", TABLE)))).embed(["red car"])
    assert np.allclose(make_embedder(Setup(str(half))).embed(["red car"]), whole, atol=2e-3)
    file = half / "model.safetensors"
    data = file.read_bytes().replace(b'"embeddings"', b'"embeddinga"')
    file.write_bytes(data)
    with pytest.raises(ModelError, match="holds no table of embeddings"):
        make_embedder(Setup(str(half), query="q")).embed(["red car"])


def test_a_file_that_is_cut_short_is_named(tmp_path: Path) -> None:
    file = static_model(tmp_path, TABLE) / "model.safetensors"
    file.write_bytes(file.read_bytes()[:-4])
    with pytest.raises(ModelError, match=r"cannot be loaded: model\.safetensors is cut short"):
        make_embedder(Setup(str(tmp_path))).embed(["red car"])
