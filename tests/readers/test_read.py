"""Reading: everything is looked at before any work, one document is held at a time."""

from __future__ import annotations

import io
import os
import pickle
import sys
from pathlib import Path

import pytest

from chunkwise.errors import BrokenFiles, CorpusError, ReadError
from chunkwise.readers import READERS, read, read_text
from chunkwise.types import BlockKind


@pytest.fixture
def docs(tmp_path: Path) -> Path:
    (tmp_path / "a.md").write_text("# Pumps\n\nText.\n")
    (tmp_path / "b.txt").write_text("# Not a heading\n\nText.\n")
    return tmp_path


def test_the_ending_says_how_a_file_is_parsed(docs: Path) -> None:
    markdown, plain = read(docs)
    assert [section.title for section in markdown.sections] == ["", "Pumps"]
    assert [section.title for section in plain.sections] == [""]
    assert [block.kind for block in plain.blocks] == [BlockKind.PARAGRAPH] * 2
    assert {".md", ".mdx", ".txt", ".html", ".docx", ".pdf", ".pptx", ".rst", ".ipynb", ".srt", ".vtt"} < set(
        READERS
    )


@pytest.mark.parametrize("path", ["a.md", "b.txt"])
def test_a_single_file(docs: Path, path: str) -> None:
    corpus = read(docs / path)
    assert corpus.ids == (path,)
    assert corpus[path].text == (docs / path).read_text()
    assert read(str(docs / path)).ids == (path,)


def test_a_single_file_of_any_ending_is_read(tmp_path: Path) -> None:
    (tmp_path / "notes").write_text("Text.")
    assert read(tmp_path / "notes")["notes"].text == "Text."


def test_standard_input_is_markdown(monkeypatch: pytest.MonkeyPatch) -> None:
    data = "\ufeff# Größe\r\n\r\nText.\r\n".encode()
    monkeypatch.setattr(sys, "stdin", io.TextIOWrapper(io.BytesIO(data), encoding="ascii"))
    (document,) = read("-")
    assert document.id == "stdin.md"
    assert document.text == "# Größe\r\n\r\nText.\r\n"
    assert document.sections[1].title == "Größe"
    assert document.shift == 1


def test_standard_input_in_a_named_encoding(monkeypatch: pytest.MonkeyPatch) -> None:
    monkeypatch.setattr(sys, "stdin", io.TextIOWrapper(io.BytesIO("Größe".encode("cp1252"))))
    assert read("-", encoding="cp1252")["stdin.md"].text == "Größe"


def test_broken_standard_input(monkeypatch: pytest.MonkeyPatch) -> None:
    monkeypatch.setattr(sys, "stdin", io.TextIOWrapper(io.BytesIO(b"\xff")))
    with pytest.raises(ReadError, match=r"stdin\.md: not UTF-8: byte 0xFF at offset 0"):
        read("-")


@pytest.mark.parametrize("path", ["none", "none/a.md", ""])
def test_what_is_not_there(tmp_path: Path, path: str, monkeypatch: pytest.MonkeyPatch) -> None:
    monkeypatch.chdir(tmp_path)
    with pytest.raises((ReadError, CorpusError)):
        read(path)
    with pytest.raises(ReadError, match="no such file or folder"):
        read("none")


class TestBroken:
    @pytest.fixture(autouse=True)
    def _break(self, docs: Path) -> None:
        (docs / "c.md").write_bytes(b"caf\xe9\n")

    def test_one_broken_file_is_named(self, docs: Path) -> None:
        with pytest.raises(ReadError, match=r"^c\.md: not UTF-8: byte 0xE9 at offset 3") as caught:
            read(docs)
        assert not isinstance(caught.value, BrokenFiles)

    def test_all_of_several_are_named(self, docs: Path) -> None:
        (docs / "0.txt").write_bytes(b"\n\n\xff")
        with pytest.raises(BrokenFiles) as caught:
            read(docs)
        lines = str(caught.value).split("\n")
        assert lines[0] == "2 files cannot be read:"
        assert lines[1].startswith("  0.txt: not UTF-8: byte 0xFF at offset 2 (line 3)")
        assert lines[2].startswith("  c.md: not UTF-8: byte 0xE9 at offset 3 (line 1)")
        assert [error.path for error in caught.value.errors] == ["0.txt", "c.md"]
        assert str(pickle.loads(pickle.dumps(caught.value))) == str(caught.value)

    def test_nothing_is_parsed_before(self, docs: Path, monkeypatch: pytest.MonkeyPatch) -> None:
        def refuse(*_: object) -> None:
            raise AssertionError("parsed before all files were looked at")

        monkeypatch.setattr("chunkwise.readers.parse_markdown", refuse)
        with pytest.raises(ReadError, match=r"c\.md"):
            read(docs)

    def test_skip_broken_goes_on_and_says_so(self, docs: Path) -> None:
        corpus = read(docs, skip_broken=True)
        assert corpus.ids == ("a.md", "b.txt")
        (notice,) = corpus.skipped
        assert notice.doc == "c.md"
        assert notice.message.startswith("broken, left out: not UTF-8: byte 0xE9 at offset 3")

    def test_nothing_but_broken_files(self, docs: Path) -> None:
        (docs / "a.md").unlink()
        (docs / "b.txt").unlink()
        with pytest.raises(CorpusError, match=r"(?s)no documents.*c\.md: broken, left out"):
            read(docs, skip_broken=True)

    def test_the_right_encoding_reads_them(self, docs: Path) -> None:
        assert read(docs, encoding="cp1252")["c.md"].text == "café\n"

    def test_a_file_that_may_not_be_read(self, docs: Path) -> None:
        (docs / "c.md").write_text("fine")
        (docs / "d.md").mkdir()  # a folder with the name of a file is walked, not read
        (docs / "e.md").symlink_to(docs / "nowhere.md")
        with pytest.raises(ReadError, match=r"e\.md: "):
            read(docs)
        assert read(docs, skip_broken=True).ids == ("a.md", "b.txt", "c.md")

    @pytest.mark.skipif(
        os.name == "nt" or not hasattr(os, "geteuid") or os.geteuid() == 0, reason="root reads all"
    )
    def test_a_file_without_permission(self, docs: Path) -> None:
        (docs / "c.md").chmod(0)
        with pytest.raises(ReadError, match=r"c\.md: cannot be read: Permission denied"):
            read(docs)


def test_a_file_that_vanishes_is_named(docs: Path) -> None:
    corpus = read(docs)
    assert corpus["b.txt"].text
    (docs / "b.txt").unlink()
    documents = iter(corpus)
    assert next(documents).id == "a.md"
    with pytest.raises(ReadError, match=r"b\.txt: the file has vanished since it was found; run again"):
        next(documents)


def test_a_document_is_read_when_it_is_asked_for_and_not_kept(docs: Path) -> None:
    corpus = read(docs)
    assert corpus["a.md"] is not corpus["a.md"]


def test_an_unknown_id_is_refused(docs: Path) -> None:
    corpus = read(docs)
    assert "a.md" in corpus
    assert "c.md" not in corpus
    with pytest.raises(CorpusError, match=r"no document 'c\.md' in the corpus of 2 documents"):
        corpus["c.md"]


def test_digests_are_those_of_the_texts_and_read_no_file_again(docs: Path) -> None:
    corpus = read(docs)
    expected = {document.id: document.digest for document in corpus}
    whole = corpus.digest
    for path in docs.iterdir():
        path.unlink()
    assert {id: corpus.digest_of(id) for id in corpus.ids} == expected
    assert corpus.digest == whole


def test_a_changed_character_or_name_changes_the_digest(docs: Path) -> None:
    before = read(docs).digest
    assert read(docs).digest == before
    (docs / "a.md").write_text("# Pumps\n\nText!\n")
    changed = read(docs).digest
    (docs / "a.md").rename(docs / "a2.md")
    assert len({before, changed, read(docs).digest}) == 3


def test_progress_is_told_for_every_file(docs: Path) -> None:
    told: list[tuple[str, int, int]] = []
    read(docs, progress=lambda *step: told.append(step))
    assert told == [("read", 1, 2), ("read", 2, 2)]


@pytest.mark.parametrize(
    ("id", "titles"),
    [("text.md", ["", "A"]), ("x.mdx", ["", "A"]), ("notes", ["", "A"]), ("a.txt", [""]), ("a.TEXT", [""])],
)
def test_a_text_of_ones_own(id: str, titles: list[str]) -> None:
    document = read_text("# A\n\nText.", id)
    assert document.id == id
    assert [section.title for section in document.sections] == titles
    assert read_text("x").id == "text.md"
