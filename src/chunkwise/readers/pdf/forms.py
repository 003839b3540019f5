"""What was filled into the fields of a form, put on the pages where a reader sees it."""

from __future__ import annotations

import ctypes
import io
from typing import Any, Final

_MARKS: Final = {True: "[x]", False: "[ ]"}
"""A box that is ticked, and one that is not, as Markdown writes them."""
_WIDTH: Final = 1.06  # of such a mark in Helvetica, for a size of 1
_SMALLEST, _LARGEST = 4.0, 14.0  # points


def filled(file: Any) -> bytes | None:
    """The file with the values of its fields as text of their pages; None where it has no fields.

    What stands in a field is drawn by the field and is no text of the page. Buttons and notes of readers stay
    out, as all that is no value.
    """
    import pypdfium2.raw as raw

    if raw.FPDF_GetFormType(file) == raw.FORMTYPE_NONE:
        return None
    file.init_forms()
    found = False
    for index in range(len(file)):
        page = file[index]
        found = _fill(file, page) or found
        page.close()
    if not found:
        return None
    made = io.BytesIO()
    file.save(made)
    return made.getvalue()


def _fill(file: Any, page: Any) -> bool:
    """Put the values of a page's fields on it; whether it has any."""
    import pypdfium2.raw as raw

    found, marked = False, False
    for number in reversed(range(raw.FPDFPage_GetAnnotCount(page))):
        annotation = raw.FPDFPage_GetAnnot(page, number)
        kind = raw.FPDFAnnot_GetFormFieldType(file.formenv, annotation)
        if kind in (raw.FPDF_FORMFIELD_CHECKBOX, raw.FPDF_FORMFIELD_RADIOBUTTON):
            if not raw.FPDFAnnot_GetFlags(annotation) & (
                raw.FPDF_ANNOT_FLAG_HIDDEN | raw.FPDF_ANNOT_FLAG_NOVIEW
            ):
                _tick(file, page, annotation)
            marked = True
        elif kind > raw.FPDF_FORMFIELD_PUSHBUTTON:
            found = True
            raw.FPDFPage_CloseAnnot(annotation)
            continue
        raw.FPDFPage_CloseAnnot(annotation)
        raw.FPDFPage_RemoveAnnot(page, number)
    if marked:
        page.gen_content()
    if found:
        raw.FPDFPage_Flatten(page, raw.FLAT_NORMALDISPLAY)
    return found or marked


def _tick(file: Any, page: Any, annotation: Any) -> None:
    """Write whether a box is ticked in its place."""
    import pypdfium2.raw as raw

    rect = raw.FS_RECTF()
    if not raw.FPDFAnnot_GetRect(annotation, rect):
        return
    height, width = abs(rect.top - rect.bottom), abs(rect.right - rect.left)
    size = max(min(height, width / _WIDTH, _LARGEST), _SMALLEST)
    mark = _MARKS[bool(raw.FPDFAnnot_IsChecked(file.formenv, annotation))]
    text = raw.FPDFPageObj_NewTextObj(file, b"Helvetica", size)
    letters = (mark + "\0").encode("utf-16-le")
    raw.FPDFText_SetText(text, ctypes.cast(ctypes.c_char_p(letters), raw.FPDF_WIDESTRING))
    base = min(rect.top, rect.bottom) + max(0.0, (height - size) / 2) + size / 5
    raw.FPDFPageObj_Transform(text, 1, 0, 0, 1, min(rect.left, rect.right), base)
    raw.FPDFPage_InsertObject(page, text)
