"""Words for lexical search: texts as integers of one growing vocabulary.

A text is cut into **runs**, the longest stretches of characters that can belong to a word, and each
run is turned into words by itself. Whether a character joins a run depends on that character alone, so a
slice of a text has the runs of the text, cut at its edges. That is why the words of a chunk can be
taken from the words of its document: only the runs that an edge cuts are analysed again.
"""

from __future__ import annotations

import re
import unicodedata
from collections import OrderedDict
from collections.abc import Callable, Iterable, Sequence
from functools import lru_cache
from operator import add
from typing import TYPE_CHECKING, Any

import numpy as np

from chunkwise.errors import UnknownName
from chunkwise.index.ranking import Asked
from chunkwise.index.slices import NO_COLUMNS, ChunkWords, Columns, Cut, Joining, Stripped, words_of
from chunkwise.text.blank import VISIBLE
from chunkwise.types import Chunk, Document, IntArray

if TYPE_CHECKING:
    import numpy.typing as npt

KINDS = ("ascii", "unicode")
"""Known kinds of words."""

_SPACE = 0x20
_UNKNOWN = 0xFFFFFFFF
# Below this length it is cheaper to analyse each chunk's text than to set up columns.
_SMALL = 1024
# Longer runs (clauses of scripts without spaces) hardly ever come again: they are not remembered.
_REMEMBERED = 32
# Columns take some 30 bytes a word; this bounds the cache of documents to about 50 MB.
_CACHED_CHARACTERS = 8_000_000
_LISTS = 8  # of questions that are remembered
_ASCII_RUNS = bytes(
    ord(chr(c).lower()) if c < 128 and (chr(c).isalnum() or c == 0x5F) else _SPACE for c in range(256)
)
_ASCII_WORD = re.compile("[a-z0-9_]+")
# The only characters outside ASCII whose lower case holds an ASCII letter: I with a dot, Kelvin sign.
_LOWER_TO_ASCII = (0x130, 0x212A)
# The bulk of Chinese and Japanese text: characters that normalising and folding leave as they are.
_PLAIN_UNSPACED = re.compile("[\u3005\u3041-\u3096\u30a1-\u30fa\u30fc\u3400-\u4dbf\u4e00-\u9fff]+")
# Letters by category, apostrophes by use: Ukrainian and Hawaiian are written with these or with quotes.
_APOSTROPHES = "\u02bb\u02bc"


class Analyzer:
    """Turns texts into words and words into integers; one vocabulary for all candidates of a comparison.

    `words="unicode"` (default): letters, digits, combining marks and inner underscores make words,
    compatibility forms are unified (NFKC) and case is folded, so that composed and decomposed accents,
    full-width letters, ligatures and final sigma match. Apostrophes of every shape separate
    (`l’écluse`: `l`, `écluse`), default-ignorable characters such as soft hyphens are ignored. In
    scripts written without spaces (Han, Hiragana, Katakana, Thai, Lao, Khmer, Myanmar and the others of
    line breaking class SA), and in Hangul, whose words end in particles, every pair of neighbouring
    characters is a word, each with its marks; a character that stands alone is one too. A question of
    nothing but such characters asks for all words that hold one of them, see `asked`.

    `words="ascii"`: all matches of `[a-z0-9_]+` in the lower-cased text, for comparison with
    published figures. Text in other scripts has no words then.
    """

    def __init__(self, words: str = "unicode") -> None:
        """Start an empty vocabulary.

        Raises:
            UnknownName: `words` is neither `unicode` nor `ascii`.
        """
        if words not in KINDS:
            raise UnknownName("kind of words", words, KINDS)
        self.words = words
        self._vocabulary = _Vocabulary()
        self._cut: Callable[[str], list[str]] = _ascii_words if words == "ascii" else _unicode_words
        self._surfaces = _Surfaces(self._one)
        self._documents: OrderedDict[str, Columns] = OrderedDict()
        self._joining = Joining()
        self._held = 0
        self._contexts: dict[str, list[int]] = {}
        self._questions: dict[str, tuple[int, ...]] = {}
        self._alone: dict[tuple[int, ...], tuple[str, ...]] = {}
        self._asked: dict[tuple[int, tuple[str, ...]], Asked] = {}

    def __repr__(self) -> str:
        return f"Analyzer(words={self.words!r}), {len(self)} words"

    def __len__(self) -> int:
        """Number of different words seen."""
        return len(self._vocabulary)

    @property
    def vocabulary(self) -> list[str]:
        """All words seen; the position is the word's number."""
        return list(self._vocabulary)

    def tokens(self, text: str) -> list[str]:
        """The words of a text, in reading order, repeated as they come."""
        return [word for run in _runs(text, self.words)[0] for word in self._cut(run)]

    def ids(self, text: str) -> IntArray:
        """The words of a text as numbers; new words join the vocabulary."""
        return np.array(self.numbers(text), dtype=np.int64)

    def question(self, text: str) -> tuple[int, ...]:
        """The distinct words of a question, in the order in which they first come; remembered."""
        known = self._questions.get(text)
        if known is None:
            if len(self._questions) >= 100_000:
                self._questions.clear()
            known = tuple(dict.fromkeys(self.numbers(text)))
            if not text.isascii() and (characters := alone(self.tokens(text))):
                self._alone[known] = characters
            self._questions[text] = known
        return known

    def asked(self, text: str) -> tuple[int, ...]:
        """The words that are looked for: those of the question, and where it is made of single characters of
        scripts without spaces all words seen so far that hold one of them.
        """
        words = self.question(text)
        characters = self._alone.get(words) if self._alone else None
        if characters is None:
            return words
        return tuple(map(self._vocabulary.__getitem__, holding(characters, list(self._vocabulary))))

    def questions(self, texts: Iterable[str]) -> Asked:
        """What many questions look for; remembered for those asked last: every index is asked the same."""
        # Words may come that hold the single characters of a question.
        key = len(self) if self._alone else 0, tuple(texts)
        known = self._asked.get(key)
        if known is None:
            if len(self._asked) >= _LISTS:
                self._asked.clear()
            known = self._asked[key] = Asked.of([self.asked(text) for text in key[1]])
        return known

    def columns(self, document: Document) -> Columns:
        """The words of a document as columns. Kept for the documents last seen, found again by their text."""
        text = document.text
        known = self._documents.get(text)
        if known is not None:
            self._documents.move_to_end(text)
            return known
        runs, marks = _runs(text, self.words)
        ids, first = self._number(runs)
        inside = np.zeros(len(marks) + 2, dtype=np.int8)
        inside[1:-1] = marks != _SPACE
        edges = np.diff(inside)
        columns = Columns(np.flatnonzero(edges == 1), np.flatnonzero(edges == -1), first, ids)
        self._documents[text] = columns
        self._held += len(text)
        while self._held > _CACHED_CHARACTERS and len(self._documents) > 1:
            self._held -= len(self._documents.popitem(last=False)[0])
        return columns

    def chunks(
        self, document: Document, chunks: Sequence[Chunk], stripped: Stripped | None = None
    ) -> ChunkWords:
        """The words of the `indexed` strings of chunks, as numbers.

        Equal to analysing each string alone, whatever made it.

        Args:
            document: the document.
            chunks: its chunks.
            stripped: what leaves lines out of them, if they are to be counted without these too.
        """
        return self.chunks_of([Cut(document, chunks, stripped)])

    def chunks_of(self, cuts: Sequence[Cut]) -> ChunkWords:
        """The same for the chunks of several documents, one document after the other."""
        known = [
            NO_COLUMNS if len(cut.document.text) <= _SMALL else self.columns(cut.document) for cut in cuts
        ]
        return words_of(self, cuts, known, self._joining)

    def part(self, document: Document, span: tuple[int, int]) -> list[int]:
        """The words of a slice of a document, equal to `numbers` of its text.

        They are taken from the columns of the document where these are known and no edge cuts a run.
        """
        known = self._documents.get(document.text)
        if known is not None:
            first = int(np.searchsorted(known.ends, span[0], side="right"))
            behind = int(np.searchsorted(known.starts, span[1]))
            if first >= behind:
                return []
            if known.starts[first] >= span[0] and known.ends[behind - 1] <= span[1]:
                words: list[int] = known.ids[known.first[first] : known.first[behind]].tolist()
                return words
        return self.numbers(document.text[span[0] : span[1]])

    def separate(self, text: str, position: int) -> bool:
        """Whether no run goes over `position`, as far as the character before it says."""
        if not position:
            return True
        return text[position - 1] == "\n" or not _runs(text[position - 1], self.words)[0]

    def context(self, text: str) -> list[int]:
        """The words of what stands in front of the texts of many chunks; remembered."""
        known = self._contexts.get(text)
        if known is None:
            if len(self._contexts) >= 10_000:
                self._contexts.clear()
            known = self._contexts[text] = self.numbers(text)
        return known

    def run(self, text: str) -> list[int]:
        """The words of one run, or of a part of one."""
        number = self._surfaces[text.lower()] if text.isascii() else -1
        return [number] if number >= 0 else self.numbers(text)

    def numbers(self, text: str) -> list[int]:
        """The words of a short text as numbers; new words join the vocabulary."""
        runs = _ascii_runs(text).decode("ascii").split() if text.isascii() else _runs(text, self.words)[0]
        ids = list(map(self._surfaces.__getitem__, runs))
        if -1 not in ids:
            return ids
        opened: list[int] = []
        for run, number in zip(runs, ids, strict=True):
            opened += [number] if number >= 0 else map(self._vocabulary.__getitem__, self._cut(run))
        return opened

    def _number(self, runs: list[str]) -> tuple[IntArray, IntArray]:
        """The words of runs as numbers, and where the words of each run begin among them."""
        ids = np.fromiter(map(self._surfaces.__getitem__, runs), np.int64, len(runs))
        odd = np.flatnonzero(ids < 0).tolist()
        if not odd:
            return ids, np.arange(len(runs) + 1)
        # The few runs that are not one word are opened up in place.
        counts = np.ones(len(runs) + 1, dtype=np.int64)
        opened: list[int] = []
        for i in odd:
            words = self._cut(runs[i])
            counts[i] = len(words)
            opened += map(self._vocabulary.__getitem__, words)
        first = np.concatenate((np.zeros(1, dtype=np.int64), np.cumsum(counts[:-1])))
        one = np.repeat(ids >= 0, counts[:-1])
        wide = np.empty(int(first[-1]), dtype=np.int64)
        wide[one] = ids[ids >= 0]
        wide[~one] = opened
        return wide, first

    def _one(self, run: str) -> int:
        """Number of the word that a run is; -1 where it is none or several."""
        words = self._cut(run)
        return self._vocabulary[words[0]] if len(words) == 1 else -1


class _Vocabulary(dict[str, int]):
    """Words and their numbers; a new word gets the next number when it is looked up."""

    def __missing__(self, word: str) -> int:
        number = self[word] = len(self)
        return number


class _Surfaces(dict[str, int]):
    """Runs as they stand in texts, and the number of the word that each is; -1 for those to be opened up."""

    def __init__(self, number: Callable[[str], int]) -> None:
        super().__init__()
        self._find = number

    def __missing__(self, run: str) -> int:
        if len(run) > _REMEMBERED:
            return -1
        number = self[run] = self._find(run)
        return number


def alone(words: Sequence[str]) -> tuple[str, ...]:
    """The words, where each is a single character of a script without spaces; else none."""
    units, unspaced = _patterns()[1:]
    single = all(unspaced.match(word) and units.fullmatch(word) for word in words)
    return tuple(dict.fromkeys(words)) if single else ()


def holding(characters: Sequence[str], words: Iterable[str]) -> list[str]:
    """The words in which one of these characters stands, with whatever marks, in the order of their texts.

    Nearly every character of such a script stands in two pairs, that with the one before it and that with the
    one behind it; at an edge of a run in one, and in none of its own.
    """
    return sorted({word for word in words for character in characters if character in word})


def _ascii_runs(text: str) -> bytes:
    """An ASCII text in lower case, with spaces outside of runs."""
    return text.encode("ascii").translate(_ASCII_RUNS)


def _runs(text: str, words: str) -> tuple[list[str], npt.NDArray[Any]]:
    """The runs of a text, ASCII letters in lower case, and one integer a character: 0x20 outside of runs."""
    if text.isascii():
        data = _ascii_runs(text)
        return data.decode("ascii").split(), np.frombuffer(data, dtype=np.uint8)
    table = _table(words)
    codes = np.frombuffer(text.encode("utf-32-le", "surrogatepass"), dtype=np.uint32)
    folded = table[codes]
    unknown = np.unique(codes[folded == _UNKNOWN])
    if len(unknown):
        table[unknown] = [code if _joins(chr(code)) else _SPACE for code in unknown.tolist()]
        folded = table[codes]
    return folded.tobytes().decode("utf-32-le", "surrogatepass").split(), folded


@lru_cache(maxsize=2)
def _table(words: str) -> npt.NDArray[np.uint32]:
    """For each code point: 0x20 outside of runs, else the character, ASCII letters in lower case.

    For `unicode` it is filled as characters come.
    """
    table = np.full(0x110000, _SPACE if words == "ascii" else _UNKNOWN, dtype=np.uint32)
    table[:128] = list(_ASCII_RUNS[:128])
    if words == "ascii":
        table[list(_LOWER_TO_ASCII)] = _LOWER_TO_ASCII
    return table


def _joins(character: str) -> bool:
    """Whether a character belongs to runs.

    Letters, numbers and marks that do not enclose do; default-ignorable characters, so that a soft
    hyphen parts no word; and signs that NFKC turns into letters, such as `㎏`. Signs that hang on a
    word (`™`) are no part of it.
    """
    kind = unicodedata.category(character)
    if kind[0] in "LMN":
        return kind != "Me" and character not in _APOSTROPHES
    if not VISIBLE.match(character):
        return not character.isspace()
    plain = unicodedata.normalize("NFKC", character)
    if unicodedata.decomposition(character).startswith("<super>"):
        return False
    return any(unicodedata.category(c)[0] in "LN" or c == "_" for c in plain)


def _ascii_words(run: str) -> list[str]:
    return _ASCII_WORD.findall(run.lower())


def _unicode_words(run: str) -> list[str]:
    """The words of one run."""
    if run.isascii():
        word = run.lower().strip("_")
        return [word] if word else []
    if _PLAIN_UNSPACED.fullmatch(run):
        return list(map(add, run, run[1:])) or [run]
    pieces, units, unspaced = _patterns()
    # Ignorable characters first: they would keep a mark from its letter. Folding may decompose, so
    # that the result is normalised once more (Unicode Standard 3.13, D145 to D147). Full folding turns
    # the Turkish capital I with a dot into i and a mark; people write i.
    plain = unicodedata.normalize("NFKC", "".join(VISIBLE.findall(run))).casefold().replace("i\u0307", "i")
    words: list[str] = []
    for piece in pieces.findall(unicodedata.normalize("NFKC", plain)):
        if not unspaced.match(piece):
            words.append(piece.rstrip("_"))
            continue
        characters = units.findall(piece)
        if len(characters) == 1:
            words.append(piece)
        words += map(add, characters, characters[1:])
    return words


@lru_cache(maxsize=1)
def _patterns() -> tuple[Any, Any, Any]:
    """Patterns for normalised text: a word or a stretch without spaces; its characters; its first one."""
    import regex

    # Thai, Lao, Khmer and Myanmar letters are of class SA, with those of some smaller scripts.
    named = ("Hani", "Hira", "Kana", "Hang")
    scripts = "".join(rf"\p{{Script_Extensions={script}}}" for script in named) + r"\p{Line_Break=SA}"
    unspaced = rf"[[{scripts}]&&[\p{{L}}\p{{Nl}}\p{{No}}]]"
    letter = rf"[[\p{{L}}\p{{N}}]--{unspaced}--[{_APOSTROPHES}]]"
    spaced = rf"{letter}[{letter}\p{{M}}_]*"
    return (
        regex.compile(rf"(?V1)(?:{unspaced}\p{{M}}*)+|{spaced}"),
        regex.compile(rf"(?V1){unspaced}\p{{M}}*"),
        regex.compile(rf"(?V1){unspaced}"),
    )
