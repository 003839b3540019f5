"""Slides by python-pptx: a section a slide, named by its title; texts in reading order, tables, notes."""

from __future__ import annotations

import io
from collections.abc import Iterator
from typing import Any, Final

from chunkwise.errors import MissingExtra
from chunkwise.readers.options import DEFAULT, Options, broken
from chunkwise.readers.packed import check_packed, transitional
from chunkwise.readers.pptx_frames import (
    Place,
    Places,
    close_lists,
    in_order,
    table_cells,
    unwrapped,
    write_chart,
    write_diagram,
    write_item,
)
from chunkwise.readers.pptx_text import Numbers, frame_text, text_of
from chunkwise.readers.writer import Writer, folded
from chunkwise.types import Document

_DEEPEST: Final = 50  # groups in each other
_SLIDE_NUMBER: Final = 13  # a kind of placeholder


def read_pptx(data: bytes, id: str, encoding: str | None, /, options: Options = DEFAULT) -> Document:
    """A presentation. Each slide is a page and a section; pictures give their alternative texts.

    Raises:
        ReadError: broken, encrypted, another format, or over a limit.
        MissingExtra: python-pptx is not installed.
    """
    del encoding  # it is XML, which says its own
    try:
        from pptx import Presentation
    except ImportError as error:
        raise MissingExtra(f"{id}: reading slides", "pptx") from error
    check_packed(data, id, "PPTX", options)
    writer = Writer()
    try:
        shown, places = Presentation(io.BytesIO(transitional(data))), Places()
        for number, slide in enumerate(shown.slides, 1):
            _slide(writer, slide, number, places)
        title = folded(shown.core_properties.title or "")
    except Exception as error:
        raise broken(id, "PPTX", error) from error
    return writer.document(id, metadata={"title": title} if title else {})


def _slide(writer: Writer, slide: Any, number: int, places: Places) -> None:
    writer.page()
    unwrapped(slide.shapes._spTree)  # noqa: SLF001 - it has no public name
    title = slide.shapes.title
    name = frame_text(title.text_frame) if title is not None else ""
    layout = str(slide.slide_layout.part.partname)
    writer.origin(number, places.of(title, layout).box if title is not None else None)
    writer.heading(1, name or f"Slide {number}")
    for shape, place in _shapes(slide.shapes, places, layout):
        if title is not None and shape._element is title._element:  # noqa: SLF001 - numbers may stand twice
            continue
        writer.origin(number, place.box)
        _shape(writer, shape)
    if slide.has_notes_slide:
        frame = slide.notes_slide.notes_text_frame
        if frame is not None and frame.text.strip():
            writer.origin(number, element="notes")
            for paragraph in frame.paragraphs:
                writer.paragraph(text_of(paragraph))


def _shapes(shapes: Any, places: Places, layout: str, depth: int = 0) -> Iterator[tuple[Any, Place]]:
    """All shapes in reading order, those of groups among them; the number of the slide is no text."""
    for shape, place in in_order(shapes, places, layout):
        inner = getattr(shape, "shapes", None)
        if inner is not None and depth < _DEEPEST:
            yield from _shapes(inner, places, layout, depth + 1)
        elif not (shape.is_placeholder and shape.placeholder_format.type == _SLIDE_NUMBER):
            yield shape, place


def _shape(writer: Writer, shape: Any) -> None:
    if getattr(shape, "has_table", False):
        writer.table(table_cells(shape.table))
    elif getattr(shape, "has_chart", False):
        write_chart(writer, shape.chart)
    elif getattr(shape, "has_text_frame", False):
        _frame(writer, shape)
    else:
        write_diagram(writer, shape)
        alternative = shape._element.xpath(".//p:cNvPr/@descr")  # noqa: SLF001 - it has no public name
        if alternative:
            writer.paragraph(folded(alternative[0]))


def _frame(writer: Writer, shape: Any) -> None:
    """The paragraphs of a shape: items where the layout has bullets, there are levels or numbers."""
    numbers = Numbers()
    said = [(p.level, numbers.mark(p), text) for p in shape.text_frame.paragraphs if (text := text_of(p))]
    body = shape.is_placeholder and shape.placeholder_format.type in (2, 7)  # body, object
    levels = any(level for level, *_ in said)
    bullets = levels or (body and len(said) > 1)
    opened: list[int] = []
    for level, mark, text in said:
        if not mark and not bullets:
            close_lists(writer, opened)
            writer.paragraph(text)
        else:
            write_item(writer, opened, level, text, mark or "-")
    close_lists(writer, opened)
