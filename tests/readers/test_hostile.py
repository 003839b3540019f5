"""Broken, encrypted, truncated, mislabelled and hostile files: file, place and remedy, in bounded work."""

from __future__ import annotations

import io
import json
import zipfile

import pytest

from chunkwise.errors import BrokenFiles, MissingExtra, ReadError, UnknownName
from chunkwise.readers import READERS, read

from . import made

pytest.importorskip("selectolax")
pytest.importorskip("mammoth")
pytest.importorskip("pypdfium2")
pytest.importorskip("pptx")
pytest.importorskip("docx")
pytest.importorskip("reportlab")


def refused(data: bytes, name: str, **options) -> str:
    from chunkwise.readers.options import Options

    with pytest.raises(ReadError) as error:
        READERS["." + name.rpartition(".")[2]](data, name, None, options=Options(**options))
    message = str(error.value)
    assert message.startswith(f"{name}: ")
    assert "--skip-broken" in message or "leave such files out" in message
    return message


def packed(**parts: bytes) -> bytes:
    file = io.BytesIO()
    with zipfile.ZipFile(file, "w", zipfile.ZIP_DEFLATED) as archive:
        for name, data in parts.items():
            archive.writestr(name.replace("__", "/").replace("_xml", ".xml"), data)
    return file.getvalue()


OLE = b"\xd0\xcf\x11\xe0\xa1\xb1\x1a\xe1" + b"\0" * 600


@pytest.mark.parametrize(
    ("name", "data", "says"),
    [
        ("a.docx", b"Hello", "no zip file"),
        ("a.docx", OLE, "before 2007"),
        ("a.docx", OLE + "EncryptedPackage".encode("utf-16-le"), "is encrypted"),
        ("a.docx", made.docx()[:-300], "truncated"),
        ("a.docx", packed(a_xml=b"<a/>"), "is a zip file and no DOCX"),
        ("a.docx", packed(word__document_xml=b"<broken"), "cannot be read as DOCX"),
        ("a.pptx", made.docx(), "is a zip file and no PPTX"),
        ("a.pdf", b"<html></html>", "is no PDF"),
        ("a.pdf", made.pdf()[:400], "cannot be read as PDF"),
        ("a.md", made.pdf(), "is no Markdown but PDF"),
        ("a.txt", made.docx(), "is no text but a zip file"),
        ("a.html", made.pdf(), "is no HTML but PDF"),
        ("a.rst", b"\x89PNG\r\n\x1a\n", "is no reStructuredText but a picture"),
        ("a.ipynb", b'{"cells": [', "line 1: no valid JSON"),
        ("a.ipynb", b"[" * 200_000, "nested too deep"),
        ("a.ipynb", b'{"worksheets": []}', "no notebook of version 4"),
        ("a.srt", b"Just some text\n", "holds no time"),
        ("a.html", b"<b>" * 200_000, "nested more than 2,000 deep"),
        ("a.html", b"<div><i></i>" * 200_000 + b"x", "nested more than 2,000 deep"),
    ],
)
def test_file_place_and_remedy(name, data, says):
    assert says in refused(data, name)


def test_an_encrypted_pdf_says_so():
    from reportlab.lib.pdfencrypt import StandardEncryption

    data = made.drawn([(50, 50, "secret")], encrypt=StandardEncryption("user", "owner"))
    assert "is encrypted; save it without a password" in refused(data, "a.pdf")


def test_a_zip_bomb_is_refused_before_it_is_unpacked():
    bomb = packed(word__document_xml=b" " * 30_000_000)
    assert len(bomb) < 100_000
    assert "a bomb" in refused(bomb, "a.docx")
    parts = {f"word__{i}_xml": bytes(range(256)) * 6000 for i in range(4)}
    assert "unpacks to 6 MB, more than the limit of 5 MB" in refused(packed(**parts), "a.docx", max_size=5)


@pytest.mark.parametrize("encoding", ["utf-8", "utf-16"])
def test_entities_are_refused(encoding):
    bomb = '<?xml version="1.0"?><!DOCTYPE a [<!ENTITY b "x"><!ENTITY c "&b;&b;&b;">]><a>&c;</a>'
    data = packed(word__document_xml=bomb.encode(encoding))
    assert "declares entities" in refused(data, "a.docx")


def test_nothing_outside_of_the_file_is_loaded(tmp_path):
    (tmp_path / "secret.txt").write_text("the secret", "utf-8")
    place = tmp_path / "secret.txt"
    (tmp_path / "a.rst").write_text(
        f"Text.\n\n.. include:: {place}\n\n.. raw:: html\n   :file: {place}\n", "utf-8"
    )
    (tmp_path / "a.html").write_text(
        f'<p>Text.</p><script>document.write("x")</script><iframe src="{place}"></iframe>'
        f'<object data="{place}">'
        f'</object><link rel=stylesheet href="{place}"><img src="{place}" alt="A picture">', "utf-8"
    )  # fmt: skip
    for document in read(tmp_path, include=["a.*"]):
        assert "secret" not in document.text
        assert "document.write" not in document.text
        assert "Text." in document.text


def test_a_scan_is_said_so():
    from PIL import Image as Picture
    from reportlab.lib.styles import getSampleStyleSheet
    from reportlab.lib.units import cm
    from reportlab.platypus import Image, PageBreak, Paragraph

    file = io.BytesIO()
    Picture.new("RGB", (40, 40), "red").save(file, "PNG")

    def scan():
        return Image(io.BytesIO(file.getvalue()), 5 * cm, 5 * cm)

    assert "is a scan: no page has text; run OCR first" in refused(made.pdf(scan()), "a.pdf")
    text = Paragraph("Real text.", getSampleStyleSheet()["Normal"])
    mixed = READERS[".pdf"](made.pdf(text, PageBreak(), scan(), PageBreak(), scan()), "a.pdf", None)
    assert [n.message for n in mixed.notices] == ["page 2 to 3 has no text: a scan? Run OCR first"]
    assert mixed.text == "Real text.\n"


def test_files_over_the_limit_are_refused_unread(tmp_path):
    with (tmp_path / "a.md").open("wb") as file:
        file.truncate(3_000_000)
    with pytest.raises(ReadError, match=r"has 3 MB, more than the limit of 2 MB.*--max-size 3"):
        read(tmp_path, max_size=2)


def test_all_broken_files_are_told_together_and_the_rest_goes_on_when_asked(tmp_path):
    (tmp_path / "a.md").write_text("# Sound\n\nText.\n", "utf-8")
    (tmp_path / "b.pdf").write_bytes(b"%PDF-1.7 nothing")
    (tmp_path / "c.docx").write_bytes(OLE)
    with pytest.raises(BrokenFiles) as error:
        read(tmp_path)
    assert [e.path for e in error.value.errors] == ["b.pdf", "c.docx"]
    corpus = read(tmp_path, skip_broken=True)
    assert corpus.ids == ("a.md",)
    assert [n.doc for n in corpus.skipped] == ["b.pdf", "c.docx"]


def test_a_missing_library_is_told_with_its_install_line(monkeypatch):
    import sys

    for module, name, extra in (
        ("selectolax.lexbor", "a.html", "html"),
        ("mammoth", "a.docx", "docx"),
        ("pypdfium2", "a.pdf", "pdf"),
        ("pptx", "a.pptx", "pptx"),
        ("docutils.core", "a.rst", "rst"),
    ):
        monkeypatch.setitem(sys.modules, module, None)
        with pytest.raises(MissingExtra, match=rf"pip install 'chunkwise\[{extra}\]'"):
            READERS["." + name.partition(".")[2]](b"x", name, None)


def test_an_unknown_kind_of_heading_is_named(tmp_path):
    (tmp_path / "a.md").write_text("x", "utf-8")
    with pytest.raises(UnknownName, match="did you mean 'bold'"):
        read(tmp_path, headings="bolt")


def test_deep_but_lawful_pages_are_read():
    page = b"<ul><li>" * 300 + b"x" + b"</ul>" * 300
    document = READERS[".html"](page, "a.html", None)
    assert document.text.strip().endswith("x")
    notebook = {"cells": [{"cell_type": "markdown", "source": "# A"}], "nbformat": 4, "metadata": {}}
    assert READERS[".ipynb"](json.dumps(notebook).encode(), "a.ipynb", None).sections.titles == ["", "A"]


@pytest.mark.parametrize("mark", ["<a ", '<a b="', "<![CDATA[", "</b", "<x/"])
@pytest.mark.parametrize("name", ["a.html", "a.xhtml"])
def test_tags_that_never_end_are_looked_for_once(mark: str, name: str) -> None:
    """Minutes, if each of them were looked for up to the end of the page."""
    page = "<p>Said.</p>" + mark * 60_000
    document = READERS["." + name.partition(".")[2]](page.encode(), name, None)
    assert document.text.startswith("Said.")
