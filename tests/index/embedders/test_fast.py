"""Models of fastembed, loaded by it from a folder that is laid out as it lays out what it has fetched."""

from __future__ import annotations

import json
import logging
from pathlib import Path

import numpy as np
import pytest

from chunkwise.errors import MissingExtra, ModelError, UnknownName
from chunkwise.index import Bm25, Dense, Rerank
from chunkwise.index.embedders import Setup, make_embedder
from chunkwise.index.embedders.fast import PREFIXES
from chunkwise.index.embedders.minilm import minilm
from tests.index.tiny import pair_model

NAME = "sentence-transformers/all-MiniLM-L6-v2"


def fetched(
    root: Path, source: str, model_file: str, model: Path, tokenizer: Path, window: int = 256
) -> None:
    folder = root / f"models--{source.replace('/', '--')}"
    snapshot = folder / "snapshots" / "0123456789abcdef"
    (snapshot / model_file).parent.mkdir(parents=True)
    (folder / "refs").mkdir()
    (folder / "refs" / "main").write_text("0123456789abcdef")
    (snapshot / model_file).symlink_to(model)
    (snapshot / "tokenizer.json").symlink_to(tokenizer)
    (snapshot / "config.json").write_text("{}")
    config = {"model_max_length": window, "pad_token": "[PAD]"}
    (snapshot / "tokenizer_config.json").write_text(json.dumps(config))


@pytest.fixture(autouse=True)
def _offline(tmp_path: Path, monkeypatch: pytest.MonkeyPatch) -> None:
    monkeypatch.setenv("FASTEMBED_CACHE_PATH", str(tmp_path / "models"))
    monkeypatch.setenv("HF_HUB_OFFLINE", "1")
    make_embedder.cache_clear()


def test_a_model_by_name_gives_the_vectors_of_the_same_files(tmp_path: Path) -> None:
    files = minilm(Setup("minilm")).files
    fetched(tmp_path / "models", "Qdrant/all-MiniLM-L6-v2-onnx", "model.onnx", files.model, files.tokenizer)
    texts = ["A cat sat.", "Stocks fell.", "word " * 300, "One more cat."]
    embedder = make_embedder(Setup(NAME.lower()))
    embedder.prepare()
    assert embedder.window == 256
    assert embedder.model._model is None  # nothing is loaded yet
    assert np.allclose(embedder.embed(texts), make_embedder(Setup("minilm")).embed(texts), atol=2e-6)
    assert embedder.name == NAME
    assert embedder.model._model.model.tokenizer.truncation["max_length"] == 256
    kept = embedder.kept([embedder.digest(text) for text in texts])
    assert kept.tokens[2] == 302
    assert kept.unseen.tolist() == [0, 0, 1500 - (254 * 5 - 1), 0]


def test_no_model_and_no_network_is_told_before_any_document_is_read(
    capfd: pytest.CaptureFixture[str], caplog: pytest.LogCaptureFixture
) -> None:
    caplog.set_level(logging.DEBUG)
    with pytest.raises(ModelError) as error:
        Dense().prepare()
    message = str(error.value)
    assert message.startswith("BAAI/bge-small-en-v1.5: the model is not in ")
    assert (
        "python -c \"from fastembed import TextEmbedding; TextEmbedding('BAAI/bge-small-en-v1.5')\""
        in message
    )
    assert "FASTEMBED_CACHE_PATH" in message
    assert "pip install 'chunkwise[minilm]'" in message
    assert capfd.readouterr() == ("", "")


def test_no_reranking_model_is_told_the_same_way() -> None:
    with pytest.raises(
        ModelError, match=r"cross_encoder import TextCrossEncoder; TextCrossEncoder\('Xenova/"
    ):
        Rerank(Bm25()).prepare()


def test_a_reranking_model_by_name(tmp_path: Path) -> None:
    folder = pair_model(tmp_path / "made")
    source = "Xenova/ms-marco-MiniLM-L-6-v2"
    fetched(
        tmp_path / "models", source, "onnx/model.onnx", folder / "model.onnx", folder / "tokenizer.json", 32
    )
    rerank = Rerank(Bm25())
    rerank.prepare()
    scores, _ = rerank.scorer.scores("red car", ["green tree", "old red car", "new car"])
    assert scores.tolist() == [0, 2, 1]


def test_an_unknown_name_gives_the_nearest() -> None:
    with pytest.raises(UnknownName, match=r"did you mean 'BAAI/bge-small-en-v1\.5'"):
        Dense("BAAI/bge-smal-en-v1.5").prepare()


def test_a_missing_library_is_told_with_the_install_line(monkeypatch: pytest.MonkeyPatch) -> None:
    monkeypatch.setattr("chunkwise.index.embedders.fast.find_spec", lambda _: None)
    with pytest.raises(MissingExtra, match=r"pip install 'chunkwise\[dense\]'"):
        Dense().prepare()


def test_prefixes_are_known_for_the_models_that_need_them() -> None:
    from fastembed import TextEmbedding

    descriptions = {m["model"].lower(): m["description"] for m in TextEmbedding.list_supported_models()}
    assert set(PREFIXES) <= set(descriptions)
    needing = {name for name, said in descriptions.items() if "documents: necessary" in said}
    # One half of a pair of models: the other one embeds its questions.
    assert needing - set(PREFIXES) == {"qdrant/stella-en-400m-v5-doc-onnx"}
    embedder = make_embedder(Setup("intfloat/multilingual-e5-large"))
    assert (embedder.model.query, embedder.model.passage) == ("query: ", "passage: ")
    bare = make_embedder(Setup("intfloat/multilingual-e5-large", query="", passage="p "))
    assert (bare.model.query, bare.model.passage) == ("", "p ")


def test_questions_get_no_prefix_from_fastembed_itself() -> None:
    import inspect

    from fastembed.text.text_embedding_base import TextEmbeddingBase

    # The reason for the table of prefixes; where this changes, the table must go.
    assert "self.embed(query" in inspect.getsource(TextEmbeddingBase.query_embed)
