from __future__ import annotations

import json
from pathlib import Path

import numpy as np
import pytest

from chunkwise.errors import ModelError, SettingError
from chunkwise.index.embedders import Setup, make_embedder, make_model
from chunkwise.index.embedders.onnx import Session, find_files
from tests.index.tiny import WORDS, neighbourly_model, save_tokenizer, sentence_model

RNG = np.random.default_rng(0)
TABLE = RNG.normal(size=(len(WORDS), 6)).astype(np.float32)
CLS, SEP, UNK = TABLE[2], TABLE[3], TABLE[1]


def unit(vector: np.ndarray) -> np.ndarray:
    return vector / np.linalg.norm(vector)


def word(text: str) -> np.ndarray:
    return TABLE[WORDS.index(text)]


@pytest.mark.parametrize(
    ("pooling", "expected"),
    [("mean", CLS + word("red") + word("car") + SEP), ("cls", CLS), ("last", SEP)],
)
def test_pooling(tmp_path: Path, pooling: str, expected: np.ndarray) -> None:
    named = "lasttoken" if pooling == "last" else pooling
    folder = sentence_model(tmp_path, TABLE, pooling="" if pooling == "last" else named)
    setup = Setup(str(folder), pooling="last" if pooling == "last" else None)
    assert np.allclose(make_embedder(setup).embed(["red car"])[0], unit(expected), atol=1e-6)


def test_a_pooling_that_nobody_says_is_asked_for(tmp_path: Path) -> None:
    folder = sentence_model(tmp_path, TABLE, pooling="")
    with pytest.raises(ModelError, match="write pooling=mean or pooling=cls"):
        make_embedder(Setup(str(folder))).embed(["red car"])


def test_window_and_prefixes_come_from_the_folder(tmp_path: Path) -> None:
    folder = sentence_model(tmp_path, TABLE, window=4)
    prompts = {"prompts": {"query": "old ", "document": "new "}}
    (folder / "config_sentence_transformers.json").write_text(json.dumps(prompts))
    embedder = make_embedder(Setup(str(folder)))
    assert embedder.window == 4
    # Two words are left beside the special tokens: the prefix and one more.
    assert np.allclose(
        embedder.embed(["red car"], "query")[0], unit(CLS + word("old") + word("red") + SEP), atol=1e-6
    )
    assert np.allclose(embedder.embed(["red car"])[0], unit(CLS + word("new") + word("red") + SEP), atol=1e-6)
    kept = embedder.kept([embedder.digest("red car")])
    assert (kept.tokens.tolist(), kept.unseen.tolist()) == ([5], [4])
    bare = make_embedder(Setup(str(folder), query="", passage="", window=3))
    assert np.allclose(bare.embed(["red car"], "query")[0], unit(CLS + word("red") + SEP), atol=1e-6)


def test_a_file_that_names_no_real_window_is_passed_over(tmp_path: Path) -> None:
    folder = sentence_model(tmp_path, TABLE)
    (folder / "tokenizer_config.json").write_text('{"model_max_length": 1000000000000000019884624838656}')
    assert find_files(folder).window == 512


def test_changed_model_settings_and_prefixes_never_meet_old_vectors(tmp_path: Path) -> None:
    folder = sentence_model(tmp_path, TABLE)
    text = ["red car"]
    first = make_embedder(Setup(str(folder))).embed(text)
    sentence_model(tmp_path / "other", -TABLE)
    (tmp_path / "other" / "model.onnx").replace(folder / "model.onnx")
    embedder = make_embedder(Setup(str(folder)))
    embedder.prepare()
    assert np.array_equal(embedder.embed(text), -first)
    for setup in (
        Setup(str(folder), passage="old "),
        Setup(str(folder), window=3),
        Setup(str(folder), pooling="cls"),
    ):
        other = make_embedder(setup)
        assert other.fill(text).embedded == 1
        assert not np.allclose(other.embed(text), -first, atol=1e-3)


def test_a_model_whose_batches_share_a_scale_gets_one_text_at_a_time(tmp_path: Path) -> None:
    table = TABLE.copy()
    table[WORDS.index("boat")] *= 50
    folder = neighbourly_model(tmp_path, table)
    texts = ["red car", "old boat", "green tree", "new boat"]
    vectors = make_embedder(Setup(str(folder))).embed(texts)
    session = Session(find_files(folder))
    session.load()
    assert session.alone
    batch = session.tokens.encode(texts)
    rows = [e.ids for e in batch]
    together = session.run(rows, rows)[0].mean(axis=1)
    alone = [session.run([row], [row])[0].mean(axis=1)[0] for row in rows]
    # The boats make the steps so large that a batch changes the others: this is what must not happen.
    assert not np.allclose(unit(together[0]), unit(alone[0]), atol=0.05)
    assert np.allclose(vectors, [unit(v) for v in alone], atol=1e-6)


def test_what_a_folder_lacks_is_named(tmp_path: Path) -> None:
    with pytest.raises(ModelError, match="there is no such folder"):
        make_model(Setup(str(tmp_path / "nowhere")))
    with pytest.raises(ModelError, match=r"needs model\.onnx and tokenizer\.json"):
        make_model(Setup(str(tmp_path)))
    (tmp_path / "a.onnx").write_bytes(b"")
    with pytest.raises(ModelError, match=r"has no tokenizer\.json"):
        make_model(Setup(str(tmp_path)))
    (tmp_path / "b.onnx").write_bytes(b"")
    with pytest.raises(ModelError, match=r"needs one model\.onnx .* \(found: a\.onnx, b\.onnx\)"):
        make_model(Setup(str(tmp_path)))


def test_a_broken_model_is_named(tmp_path: Path) -> None:
    save_tokenizer(tmp_path)
    (tmp_path / "model.onnx").write_bytes(b"no model")
    embedder = make_embedder(Setup(str(tmp_path)))
    embedder.prepare()
    with pytest.raises(ModelError, match="cannot be loaded"):
        embedder.embed(["red car"])


def test_settings_of_other_models_are_refused(tmp_path: Path) -> None:
    folder = sentence_model(tmp_path, TABLE)
    with pytest.raises(SettingError, match="takes no 'rate'"):
        make_model(Setup(str(folder), rate=3))
