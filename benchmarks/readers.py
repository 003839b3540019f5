"""Readers: megabytes a second and peak memory per format, against markitdown, in one run.

    python -m benchmarks.readers
    python -m benchmarks.readers html docx --rounds 5

The files are made here with the libraries that people make them with, always the same. Each reading runs in
a process of its own, so that peaks of memory are its own; works take turns, a ratio is taken within a round,
and what is printed is the median. Times are CPU seconds of the reading, without the start of the process and
the import of libraries, for which one small file is read before the clock starts. Chunkwise makes blocks,
sections and places of the text; markitdown makes Markdown.
"""

from __future__ import annotations

import argparse
import io
import json
import resource
import statistics
import subprocess
import sys
import tempfile
import time
from collections.abc import Callable
from pathlib import Path
from random import Random
from typing import Any

PROSE = """
the green key lamp valve opens slowly until pressure falls below six bar and a second pump starts while nobody
touches the red lever in front of the filter which is cleaned every other week with warm water
"""
WORDS = PROSE.split()
OUT = Path(__file__).parent / "out" / "readers.json"
SECTIONS = {"html": 600, "docx": 90, "pptx": 60, "pdf": 60}
"""Sections, slides or pages of the file that is timed."""
TOOLS = ("chunkwise", "markitdown")
AIMS = {"html": 5.0, "docx": 1.0}
"""So many times as fast Chunkwise must be."""


def sentence(random: Random) -> str:
    """A sentence of some 60 characters."""
    return f"{' '.join(random.choices(WORDS, k=11)).capitalize()}."


def html(sections: int) -> bytes:
    """A page with headings, prose with links, lists, tables and code."""
    random, parts = Random(1), ["<!doctype html><html><head><title>Manual</title></head><body><main>"]
    for i in range(sections):
        parts.append(f"<h{1 + i % 3} id='s{i}'>Section {i}</h{1 + i % 3}>")
        for _ in range(4):
            prose = " ".join(sentence(random) for _ in range(4))
            parts.append(f"<p>{prose} See <a href='#s{i}'>the <b>key</b></a> and <code>wait(x)</code>.</p>")
        parts.append(f"<ul>{''.join(f'<li>{sentence(random)}</li>' for _ in range(4))}</ul>")
        rows = "".join(f"<tr><td>{j}</td><td>{sentence(random)}</td></tr>" for j in range(5))
        parts.append(f"<table><tr><th>Grade</th><th>Period</th></tr>{rows}</table>")
        parts.append(f"<pre><code class='language-py'>def f{i}(x):\n    return x + {i}\n</code></pre>")
    return "\n".join([*parts, "</main></body></html>"]).encode()


def docx(sections: int) -> bytes:
    """A document with headings, prose, lists and tables."""
    import docx as library

    random, made = Random(1), library.Document()
    for i in range(sections):
        made.add_heading(f"Section {i}", 1 + i % 3)
        for _ in range(4):
            made.add_paragraph(" ".join(sentence(random) for _ in range(4)))
        for _ in range(4):
            made.add_paragraph(sentence(random), style="List Bullet")
        table = made.add_table(rows=4, cols=2)
        for row in table.rows:
            for cell in row.cells:
                cell.text = sentence(random)
    return saved(made)


def pptx(slides: int) -> bytes:
    """Slides with a title, texts in two levels and notes."""
    from pptx import Presentation

    random, made = Random(1), Presentation()
    for i in range(slides):
        slide = made.slides.add_slide(made.slide_layouts[1])
        slide.shapes.title.text = f"Slide {i}"
        frame = slide.placeholders[1].text_frame
        frame.text = sentence(random)
        for j in range(6):
            paragraph = frame.add_paragraph()
            paragraph.text, paragraph.level = sentence(random), j % 2
        slide.notes_slide.notes_text_frame.text = sentence(random)
    return saved(made)


def pdf(pages: int) -> bytes:
    """Pages with headings and prose; every fifth has a ruled table."""
    from reportlab.lib import colors
    from reportlab.lib.styles import getSampleStyleSheet
    from reportlab.platypus import PageBreak, Paragraph, SimpleDocTemplate, Table

    random, styles, flow = Random(1), getSampleStyleSheet(), list[Any]()
    for i in range(pages):
        flow.append(Paragraph(f"Section {i}", styles["Heading1"]))
        prose = (" ".join(sentence(random) for _ in range(5)) for _ in range(6))
        flow += [Paragraph(text, styles["Normal"]) for text in prose]
        if i % 5 == 0:
            table = Table([["Grade", "Period"], *([str(j), f"{30 * j} days"] for j in range(1, 5))])
            table.setStyle([("GRID", (0, 0), (-1, -1), 1, colors.black)])
            flow.append(table)
        flow.append(PageBreak())
    file = io.BytesIO()
    SimpleDocTemplate(file, invariant=True).build(flow)
    return file.getvalue()


def saved(made: Any) -> bytes:
    """The bytes of what a library saves."""
    file = io.BytesIO()
    made.save(file)
    return file.getvalue()


MAKERS: dict[str, Callable[[int], bytes]] = {"html": html, "docx": docx, "pptx": pptx, "pdf": pdf}


def reader(tool: str, form: str) -> Callable[[bytes], int]:
    """A function that reads a file and gives the number of characters read."""
    if tool == "markitdown":
        from markitdown import MarkItDown

        converter = MarkItDown(enable_plugins=False)

        def convert(data: bytes) -> int:
            return len(converter.convert_stream(io.BytesIO(data), file_extension=f".{form}").markdown)

        return convert
    from chunkwise.readers import READERS

    def read(data: bytes) -> int:
        document = READERS[f".{form}"](data, f"a.{form}", None)
        return len(document.text) + 0 * len(document.sections)

    return read


def work(tool: str, form: str, folder: Path) -> dict[str, float]:
    """Read once; what a process of its own does."""
    read = reader(tool, form)
    read((folder / f"small.{form}").read_bytes())
    data = (folder / f"large.{form}").read_bytes()
    before = time.process_time()
    characters = read(data)
    seconds = time.process_time() - before
    peak = resource.getrusage(resource.RUSAGE_SELF).ru_maxrss / 1000
    return {"seconds": seconds, "characters": characters, "peak": peak, "bytes": len(data)}


def measured(tool: str, form: str, folder: Path) -> dict[str, float]:
    """The work in a process of its own."""
    command = [sys.executable, "-W", "ignore", "-m", "benchmarks.readers", "--work", tool, form, str(folder)]
    done = subprocess.run(command, check=True, capture_output=True, text=True)
    found: dict[str, float] = json.loads(done.stdout.strip().splitlines()[-1])
    return found


def compare(forms: list[str], rounds: int) -> dict[str, dict[str, Any]]:
    """All rounds of all formats."""
    found: dict[str, dict[str, Any]] = {}
    with tempfile.TemporaryDirectory() as name:
        folder = Path(name)
        for form in forms:
            (folder / f"small.{form}").write_bytes(MAKERS[form](2))
            (folder / f"large.{form}").write_bytes(MAKERS[form](SECTIONS[form]))
            runs: dict[str, list[dict[str, float]]] = {tool: [] for tool in TOOLS}
            for number in range(rounds):
                for tool in TOOLS[number % 2 :] + TOOLS[: number % 2]:
                    runs[tool].append(measured(tool, form, folder))
            pairs = zip(runs["chunkwise"], runs["markitdown"], strict=True)
            found[form] = {
                "megabytes": runs["chunkwise"][0]["bytes"] / 1e6,
                "ratio": statistics.median(b["seconds"] / a["seconds"] for a, b in pairs),
                **{
                    tool: {
                        "mb_per_second": statistics.median(r["bytes"] / 1e6 / r["seconds"] for r in own),
                        "characters_per_second": statistics.median(
                            r["characters"] / r["seconds"] for r in own
                        ),
                        "peak_mb": statistics.median(r["peak"] for r in own),
                    }
                    for tool, own in runs.items()
                },
            }
    return found


def table(found: dict[str, dict[str, Any]]) -> str:
    """The figures as a Markdown table."""
    lines = [
        "| format | file | Chunkwise | markitdown | times as fast | peak memory | of markitdown |",
        "|---|---|---|---|---|---|---|",
    ]
    for form, row in found.items():
        ours, theirs = row["chunkwise"], row["markitdown"]
        aim = AIMS.get(form)
        missed = f" (aim: {aim:g})" if aim is not None and row["ratio"] < aim else ""
        lines.append(
            f"| {form.upper()} | {row['megabytes']:.2f} MB | {ours['mb_per_second']:.2f} MB/s "
            f"| {theirs['mb_per_second']:.2f} MB/s | {row['ratio']:.1f}{missed} | {ours['peak_mb']:.0f} MB "
            f"| {theirs['peak_mb']:.0f} MB |"
        )
    return "\n".join(lines)


def main() -> int:
    """Measure, print a table, and write the figures as JSON where that is asked for."""
    parser = argparse.ArgumentParser(description=(__doc__ or "").split("\n", 1)[0])
    parser.add_argument(
        "forms", nargs="*", choices=[*MAKERS, []], help="formats; all of them if none is named"
    )
    parser.add_argument("--rounds", type=int, default=3)
    parser.add_argument("--json", type=Path, default=OUT, help="where the figures go")
    parser.add_argument("--work", nargs=3, help=argparse.SUPPRESS)
    options = parser.parse_args()
    if options.work:
        tool, form, folder = options.work
        print(json.dumps(work(tool, form, Path(folder))))
        return 0
    found = compare(options.forms or list(MAKERS), options.rounds)
    options.json.parent.mkdir(parents=True, exist_ok=True)
    options.json.write_text(json.dumps(found, indent=1) + "\n", "utf-8")
    print(table(found))
    return 0


if __name__ == "__main__":
    sys.exit(main())
