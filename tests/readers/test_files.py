"""Which files of a folder are documents, and what is said of the others."""

from __future__ import annotations

from collections.abc import Callable
from pathlib import Path

import pytest

from chunkwise.errors import CorpusError
from chunkwise.readers import read
from chunkwise.readers.files import matches

Make = Callable[..., Path]


@pytest.fixture
def make(tmp_path: Path) -> Make:
    """Make a folder of small files."""

    def make(*ids: str) -> Path:
        for id in ids:
            path = tmp_path / "docs" / id
            path.parent.mkdir(parents=True, exist_ok=True)
            path.write_text(f"The file {id}.\n", encoding="utf-8")
        return tmp_path / "docs"

    return make


def skipped(root: Path, **settings: object) -> dict[str, str]:
    return {notice.doc: notice.message for notice in read(root, **settings).skipped}  # type: ignore[arg-type]


def test_all_known_endings_are_read_in_the_order_of_their_paths(make: Make) -> None:
    root = make("b.md", "a.txt", "c/d.markdown", "c/D.MDX", "Z.text", "c.md", "c/a/x.md")
    corpus = read(root)
    assert corpus.ids == ("Z.text", "a.txt", "b.md", "c.md", "c/D.MDX", "c/a/x.md", "c/d.markdown")
    assert [document.id for document in corpus] == list(corpus.ids)
    assert len(corpus) == 7
    assert corpus["c/d.markdown"].text == "The file c/d.markdown.\n"
    assert corpus.skipped == ()


def test_names_are_taken_as_they_are(make: Make) -> None:
    odd = [
        "a b#c%20d.md",
        "a b#c d.md",
        "-n.md",
        "日記.md",
        "手帳.md",
        "手帳.txt",
        "é.md",
        "[x]*?.md",
        "a'b\".md",
    ]
    corpus = read(make(*odd))
    assert corpus.ids == tuple(sorted(odd))
    assert {document.id: document.text for document in corpus} == {id: f"The file {id}.\n" for id in odd}


def test_hidden_files_and_folders_are_left_out_and_said(make: Make) -> None:
    root = make("a.md", ".hidden.md", ".git/config.md", "sub/.cache/deep/b.md", "sub/b.md")
    assert read(root).ids == ("a.md", "sub/b.md")
    assert skipped(root) == {
        ".git": "hidden folder left out",
        ".hidden.md": "hidden file left out",
        "sub/.cache": "hidden folder left out",
    }


def test_other_formats_are_said_once_an_ending(make: Make) -> None:
    root = make("a.md", "b.odt", "c.ODT", "x/d.odt", "e.py", "Makefile")
    found = skipped(root)
    assert len(found) == 3
    assert found["b.odt"] == "files of another format (.odt), with 2 more left out"
    assert found["e.py"] == "file of another format left out"
    assert found["Makefile"] == "file of another format left out"


def test_include_reads_what_it_names_and_nothing_else(make: Make) -> None:
    root = make("a.md", "b.rst", "c/d.md", "c/e.rst", ".hidden.md")
    assert read(root, include=["*.rst"]).ids == ("b.rst", "c/e.rst")
    assert read(root, include=["c"]).ids == ("c/d.md", "c/e.rst")
    assert read(root, include=["c/*.md", "b.*"]).ids == ("b.rst", "c/d.md")
    assert read(root, include=[".hidden.md"]).ids == (".hidden.md",)


def test_an_included_file_of_another_ending_is_plain_text(make: Make) -> None:
    root = make("a.rst")
    (root / "a.rst").write_text("# Not a heading\n")
    (document,) = read(root, include=["*.rst"])
    assert len(document.sections) == 1


def test_a_binary_file_is_no_document_even_when_it_is_included(make: Make) -> None:
    root = make("a.dat", "b.dat")
    (root / "b.dat").write_bytes(b"\x7fELF\0\0")
    assert read(root, include=["*.dat"]).ids == ("a.dat",)
    assert skipped(root, include=["*.dat"]) == {"b.dat": "file of another format left out"}


def test_exclude_wins(make: Make) -> None:
    root = make("a.md", "drafts/b.md", "c/drafts/d.md", "c/e.md")
    assert read(root, exclude=["drafts"]).ids == ("a.md", "c/e.md")
    assert read(root, exclude=["drafts/*"]).ids == ("a.md", "c/drafts/d.md", "c/e.md")
    assert read(root, exclude=["c/"]).ids == ("a.md", "drafts/b.md")
    assert read(root, include=["*.md"], exclude=["a.md"]).ids == ("c/drafts/d.md", "c/e.md", "drafts/b.md")


@pytest.mark.parametrize(
    ("pattern", "id", "found"),
    [
        ("*.md", "a.md", True),
        ("*.md", "x/a.md", True),
        ("*.MD", "a.md", False),
        ("x", "x/a.md", True),
        ("x", "y/x/a.md", True),
        ("x", "xy/a.md", False),
        ("x/*", "x/a.md", True),
        ("x/*", "x/y/a.md", True),
        ("x/*", "y/x/a.md", False),
        ("**/x/*", "y/x/a.md", True),
        ("**/x/*", "x/a.md", True),
        ("**/a.md", "a.md", True),
        ("x/y", "x/y/a.md", True),
        ("./x/a.md", "x/a.md", True),
        ("x/", "x/a.md", True),
        ("a?.md", "ab.md", True),
        ("[ab].md", "b.md", True),
        ("[ab].md", "c.md", False),
    ],
)
def test_patterns(pattern: str, id: str, found: bool) -> None:
    assert matches(pattern, id) is found


def test_a_link_to_a_folder_is_not_followed_and_a_link_to_a_file_is_read(make: Make, tmp_path: Path) -> None:
    root = make("a.md")
    (tmp_path / "outside").mkdir()
    (tmp_path / "outside" / "b.md").write_text("b")
    try:
        (root / "folder").symlink_to(tmp_path / "outside", target_is_directory=True)
        (root / "loop").symlink_to(root, target_is_directory=True)
        (root / "link.md").symlink_to(tmp_path / "outside" / "b.md")
    except OSError:
        pytest.skip("no links here")
    assert read(root).ids == ("a.md", "link.md")


@pytest.mark.parametrize("files", [(), ("a.odt",), (".hidden/a.md",)])
def test_a_folder_without_documents_is_refused(make: Make, tmp_path: Path, files: tuple[str, ...]) -> None:
    (tmp_path / "docs").mkdir()
    make(*files)
    with pytest.raises(CorpusError, match=r"no documents \(.*\.md.*\.txt.*\) to read in .*docs") as caught:
        read(tmp_path / "docs")
    for file in files:
        assert file.partition("/")[0] in str(caught.value), "it is said what was left out"


def test_a_pattern_that_names_nothing_is_refused(make: Make) -> None:
    with pytest.raises(CorpusError, match="no documents"):
        read(make("a.md"), include=["*.rst"])
