"""What a ship, an index and a search say, as lines."""

from __future__ import annotations

from collections.abc import Iterator, Sequence

from chunkwise.report.words import counted, plain
from chunkwise.ship.manifest import BROKEN
from chunkwise.ship.receipts import Receipt
from chunkwise.ship.rendering import terminal
from chunkwise.ship.shipping import Shipped
from chunkwise.ship.upkeep import State

__all__ = ["lines", "receipt_lines", "state_lines", "version_lines"]

_SHOWN = 400  # characters of a chunk in a terminal


def lines(shipped: Shipped, store: str, quiet: bool = False) -> Iterator[str]:
    """What a ship came to."""
    manifest, work = shipped.manifest, shipped.manifest.work
    of = f"{counted(manifest.chunks, 'chunk')} of {counted(len(manifest.documents), 'document')}"
    if shipped.unchanged:
        yield f"nothing changed: {manifest.version} goes on serving at {store} ({of})"
    elif shipped.served:
        yield f"{manifest.version} is served at {store}: {of} by {manifest.candidate}"
    else:
        goes_on = f"{shipped.before} goes on serving" if shipped.before else "nothing is served"
        yield f"NOT SHIPPED: {manifest.version} did not pass; {goes_on} at {store}"
    if not shipped.unchanged and not quiet:
        base = f" on {work['base']}" if work.get("base") else ""
        yield (
            f"  built{base}: {counted(work.get('cut', 0), 'document')} cut, "
            f"{work.get('removed', 0):,} removed, "
            f"{counted(work.get('kept', 0), 'chunk')} kept as they were"
        )
        if manifest.model:
            yield (
                f"  {counted(work.get('embedded', 0), 'text')} embedded with {manifest.model['name']}, "
                f"{work.get('reused', 0):,} had a vector"
            )
    yield from _checks(shipped, quiet)
    if shipped.dropped and not quiet:
        yield f"  deleted: {', '.join(shipped.dropped)}"
    if not quiet:
        yield from (f"note: {note}" for note in shipped.notes)


def _checks(shipped: Shipped, quiet: bool) -> Iterator[str]:
    checked = shipped.checked
    if checked is None:
        return
    yield from (f"  FAILED content: {fault}" for fault in checked.content)
    sample = checked.sample
    if sample is not None and not (quiet and sample.passed):
        mark = "ok    " if sample.passed else "FAILED"
        yield f"  {mark} sample: {sample.found:,} of {counted(sample.asked, 'chunk')} found by their own text"
        yield from (f"    not found: {id}" for id in sample.missed[:10])
        yield from (f"    not the text of the documents: {id}" for id in sample.wrong[:10])
    if checked.golden is not None:
        yield from (f"  {line}" for line in terminal(checked.golden.outcome, quiet))


def state_lines(state: State, store: str) -> Iterator[str]:
    """What is served."""
    manifest = state.current
    if manifest is None:
        yield f"{store}: nothing is served" + (f"; {len(state.versions)} versions" if state.versions else "")
        return
    if manifest.state == BROKEN:
        yield f"{store} serves {manifest.version}, whose manifest is broken: {manifest.checks['broken']}"
        return
    yield f"{store} serves {manifest.version}, shipped {manifest.created}"
    yield f"  {manifest.candidate}"
    yield f"  {counted(manifest.chunks, 'chunk')} of {counted(len(manifest.documents), 'document')}"
    if manifest.model:
        yield f"  model {manifest.model['name']}, {manifest.model.get('dimension')} numbers a vector"
    if manifest.golden:
        yield f"  checked with {counted(manifest.golden['questions'], 'question')}"
        yield from (f"    {rule}" for rule in manifest.checks.get("rules", ()))
    else:
        yield "  no questions were asked"
    sample = manifest.checks.get("sample")
    if sample:
        yield f"  {sample['found']:,} of {counted(sample['asked'], 'chunk')} found by their own text"


def version_lines(state: State) -> Iterator[str]:
    """All versions."""
    for one in state.versions:
        if one.state == BROKEN:
            yield f"{one.version}  broken    {plain(one.checks['broken'])}"
            continue
        mark = "served" if one.version == state.served else one.state
        yield (
            f"{one.version}  {mark:<8}  {one.created}  {counted(one.chunks, 'chunk'):>14}  {one.candidate}"
        )


def receipt_lines(receipts: Sequence[Receipt]) -> Iterator[str]:
    """Search results for a terminal."""
    for one in receipts:
        where = plain(one.doc) + (f":{one.lines[0]}-{one.lines[1]}" if one.lines else "")
        where += f", page {one.page:,}" if one.page else ""
        where += f", {plain(one.element)}" if one.element else ""
        scores = ", ".join(f"{name} {score:.4f}" for name, score in one.scores.items())
        verified = ""
        if one.verified is not None:
            found = one.verified
            place = f" to {plain(found.doc or '')}:{found.lines[0]}-{found.lines[1]}" if found.lines else ""
            verified = f"  [{found.state}{place if found.state == 'moved' else ''}]"
        yield f"{one.rank}. {where}{verified}"
        if one.path:
            yield f"   {' > '.join(plain(title) for title in one.path)}"
        span = f"[{one.span.start}, {one.span.end})" if one.span else "no place"
        yield f"   chunk {one.id} of {one.version}, {span}, {scores}"
        if one.parent_text is not None:
            yield f"   below chunk {one.parent}:"
            yield from (f"   : {line}" for line in _shown(one.parent_text))
        yield from (f"   | {line}" for line in _shown(one.text))
        yield ""


def _shown(text: str) -> Iterator[str]:
    """The beginning of a text, line by line."""
    text = text.strip()
    shown = text if len(text) <= _SHOWN else text[: _SHOWN - 1] + "…"
    yield from map(plain, shown.splitlines())
