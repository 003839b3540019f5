"""Tiny models made on the spot: ONNX files written byte by byte, and tokenizers of a few words."""

from __future__ import annotations

import json
import struct
from pathlib import Path
from typing import Any

import numpy as np

WORDS = ["[PAD]", "[UNK]", "[CLS]", "[SEP]", "red", "green", "blue", "car", "tree", "boat", "old", "new"]
FLOAT, INT64 = 1, 7


def save_tokenizer(folder: Path, words: list[str] = WORDS) -> None:
    from tokenizers import Tokenizer
    from tokenizers.models import WordLevel
    from tokenizers.pre_tokenizers import Whitespace
    from tokenizers.processors import TemplateProcessing

    tokenizer = Tokenizer(WordLevel({word: i for i, word in enumerate(words)}, unk_token="[UNK]"))
    tokenizer.pre_tokenizer = Whitespace()
    tokenizer.post_processor = TemplateProcessing(
        single="[CLS] $A [SEP]",
        pair="[CLS] $A [SEP] $B:1 [SEP]:1",
        special_tokens=[("[CLS]", 2), ("[SEP]", 3)],
    )
    folder.mkdir(parents=True, exist_ok=True)
    tokenizer.save(str(folder / "tokenizer.json"))


def sentence_model(folder: Path, table: Any, pooling: str = "mean", window: int = 16) -> Path:
    """A model whose vector of a token is its row of a table."""
    save_tokenizer(folder)
    write(folder / "model.onnx", [node("Gather", ["table", "input_ids"], ["hidden"])], {"table": table}, 3)
    (folder / "tokenizer_config.json").write_text(json.dumps({"model_max_length": window}))
    if pooling:
        (folder / "1_Pooling").mkdir()
        config = {f"pooling_mode_{pooling}_token{'s' if pooling == 'mean' else ''}": True}
        (folder / "1_Pooling" / "config.json").write_text(json.dumps(config))
    return folder


def neighbourly_model(folder: Path, table: Any) -> Path:
    """The same, its activations rounded to 8 bits with one scale for the whole batch."""
    sentence_model(folder, table)
    nodes = [
        node("Gather", ["table", "input_ids"], ["exact"]),
        node("DynamicQuantizeLinear", ["exact"], ["small", "scale", "zero"]),
        node("DequantizeLinear", ["small", "scale", "zero"], ["hidden"]),
    ]
    write(folder / "model.onnx", nodes, {"table": table}, 3)
    return folder


def pair_model(folder: Path) -> Path:
    """A cross-encoder: how many words question and text share, special tokens and unknown words aside."""
    save_tokenizer(folder)
    table = np.eye(len(WORDS), dtype=np.float32)
    table[:4] = 0
    nodes = [
        node("Gather", ["table", "input_ids"], ["words"]),
        node("Cast", ["token_type_ids"], ["types"], to=FLOAT),
        node("Unsqueeze", ["types", "last"], ["second"]),
        node("Sub", ["one", "second"], ["first"]),
        node("Mul", ["words", "first"], ["asked"]),
        node("Mul", ["words", "second"], ["read"]),
        node("ReduceSum", ["asked", "middle"], ["a"], keepdims=0),
        node("ReduceSum", ["read", "middle"], ["b"], keepdims=0),
        node("Mul", ["a", "b"], ["both"]),
        node("ReduceSum", ["both", "middle"], ["hidden"], keepdims=1),
    ]
    constants = {
        "table": table,
        "last": np.array([2], dtype=np.int64),
        "middle": np.array([1], dtype=np.int64),
        "one": np.array([1], dtype=np.float32),
    }
    write(folder / "model.onnx", nodes, constants, 2, inputs=("input_ids", "token_type_ids"))
    return folder


def write(
    path: Path,
    nodes: list[bytes],
    constants: dict[str, Any],
    rank: int,
    inputs: tuple[str, ...] = ("input_ids",),
) -> None:
    """A model file (onnx.proto3: ModelProto, GraphProto)."""
    path.parent.mkdir(parents=True, exist_ok=True)
    graph = b"".join(field(1, n) for n in nodes) + field(2, b"tiny")
    for name, array in constants.items():
        kind = FLOAT if array.dtype == np.float32 else INT64
        tensor = b"".join(number(1, n) for n in array.shape) + number(2, kind)
        graph += field(5, tensor + field(8, name.encode()) + field(9, array.tobytes()))
    graph += b"".join(field(11, value(name, INT64, 2)) for name in inputs)
    graph += field(12, value("hidden", FLOAT, rank))
    path.write_bytes(number(1, 8) + field(7, graph) + field(8, number(2, 13)))


def node(op: str, inputs: list[str], outputs: list[str], **attributes: int) -> bytes:
    data = b"".join(field(1, n.encode()) for n in inputs) + b"".join(field(2, n.encode()) for n in outputs)
    data += field(4, op.encode())
    for name, setting in attributes.items():
        data += field(5, field(1, name.encode()) + number(3, setting) + number(20, 2))
    return data


def value(name: str, kind: int, rank: int) -> bytes:
    shape = b"".join(field(1, field(2, f"{name}{i}".encode())) for i in range(rank))
    return field(1, name.encode()) + field(2, field(1, number(1, kind) + field(2, shape)))


def field(tag: int, data: bytes) -> bytes:
    return varint(tag << 3 | 2) + varint(len(data)) + data


def number(tag: int, n: int) -> bytes:
    return varint(tag << 3) + varint(n)


def varint(n: int) -> bytes:
    data = b""
    while n > 127:
        data += bytes([n & 127 | 128])
        n >>= 7
    return data + bytes([n])


def static_model(folder: Path, table: Any, words: list[str] = WORDS, **more: Any) -> Path:
    """A model in the form of model2vec."""
    save_tokenizer(folder, words)
    arrays = {"embeddings": table, **more}
    header, data = {}, b""
    kinds = {"float32": "F32", "float16": "F16", "int64": "I64", "float64": "F64"}
    for name, array in arrays.items():
        raw = array.tobytes()
        header[name] = {
            "dtype": kinds[array.dtype.name],
            "shape": list(array.shape),
            "data_offsets": [len(data), len(data) + len(raw)],
        }
        data += raw
    head = json.dumps(header).encode()
    (folder / "model.safetensors").write_bytes(struct.pack("<Q", len(head)) + head + data)
    (folder / "config.json").write_text(json.dumps({"normalize": True}))
    return folder
