"""Arguments of retrievers that are none of their settings."""

from __future__ import annotations

from typing import Any

import pytest

from chunkwise.errors import UnknownSetting
from chunkwise.index import Bm25, Dense, Hybrid, Rerank


@pytest.mark.parametrize(
    ("made", "argument", "said"),
    [
        (Bm25, "kl", r"unknown setting of bm25 'kl'; did you mean 'k1'\? \(known: b, k1, label, words\)"),
        (Dense, "modle", r"unknown setting of dense 'modle'; did you mean 'model'\?"),
        (Hybrid, "fusoin", r"unknown setting of hybrid 'fusoin'; did you mean 'fusion'\?"),
        (Rerank, "depth", r"unknown setting of rerank 'depth' \(known: label, model, of, top, window\)"),
    ],
)
@pytest.mark.parametrize("kind", [UnknownSetting, TypeError])
def test_an_argument_that_is_no_setting_is_refused_by_name(
    made: type[Any], argument: str, said: str, kind: type[Exception]
) -> None:
    with pytest.raises(kind, match=f"^{said}"):
        made(**{argument: 3})
