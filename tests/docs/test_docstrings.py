"""What is said under a setting is what `help()` and editors show."""

from __future__ import annotations

import inspect
import pydoc
from dataclasses import fields
from pathlib import Path

import pytest
from scripts.docstrings import arguments, spliced

from chunkwise.chunk import CHUNKERS
from chunkwise.chunk.base import BaseChunker


@pytest.mark.parametrize("name", CHUNKERS)
def test_the_settings_are_said_as_under_their_fields(name: str) -> None:
    one = CHUNKERS[name]
    source = Path(inspect.getfile(one)).read_text("utf-8")
    assert spliced(source, one) == source, "run python -m scripts.docstrings"
    shown = pydoc.plain(pydoc.render_doc(one))
    for field in fields(one):
        assert f"{field.name}: " in shown.partition("Method resolution order")[0]


def test_what_a_class_says_anew_counts() -> None:
    heading, page = (arguments(CHUNKERS[name]) for name in ("heading", "page"))
    assert "so that what the cut does" in heading
    assert "path: Whether the heading path is indexed with each chunk.\n" in f"{page}\n"
    assert "size: Largest size of the indexed string, context included, in units." in page


def test_a_section_is_written_anew_and_once() -> None:
    one = CHUNKERS["fixed"]
    source = Path(inspect.getfile(one)).read_text("utf-8")
    changed = source.replace("        size: Largest size of a window, in units.\n", "        size: Old.\n", 1)
    assert changed != source
    assert spliced(changed, one) == source
    head, _, rest = source.partition("\n\n    Args:\n")
    bare = f'{head}\n    """{rest.partition(chr(34) * 3)[2]}'
    assert spliced(bare, one) == source
    assert issubclass(one, BaseChunker)
