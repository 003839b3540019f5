"""Speed and memory: Chunkwise against other libraries, in one run.

    python -m benchmarks.speed [PART ...] --data ../shared/corpora [--json FILE] [--write-docs]

Parts: start, cutting, comparing, grid, scale; all of them where none is named. Times are CPU seconds of this
process on one thread, works take turns, figures are medians, and ratios are those of each round. Outputs of
the compared tools are kept in benchmarks/out. A run that measures some parts keeps what the file has of the
others, if that was measured with the same versions on the same kind of machine and the same pages.
"""

from __future__ import annotations

import argparse
import json
import platform
import sys
from collections.abc import Callable, Iterable, Sequence
from importlib.metadata import version
from pathlib import Path
from typing import Any

from rich.console import Console

import benchmarks.one_thread  # noqa: F401  # before NumPy
from benchmarks import peers, speed_comparing, speed_cutting, speed_scale, speed_start
from benchmarks.speed_figures import Figure, cells, from_json, markdown, show
from benchmarks.speed_pages import characters, pages, root_of

HERE = Path(__file__).parent
OUT = HERE / "out"
PAGE = HERE.parent / "docs" / "speed.md"
PARTS = ("start", "cutting", "comparing", "grid", "scale")
LARGE = 50_000_000


def main(arguments: Sequence[str] | None = None) -> int:
    """The command line. 0: measured, whether or not the aims are met."""
    options = command().parse_args(arguments)
    if options.from_json:
        plain = json.loads(options.from_json.read_text("utf-8"))
        figures, about = from_json(plain), plain["about"]
    else:
        figures, about = measure(options)
    console = Console(width=max(Console().width, 120))
    show(figures, console)
    missed = [figure for figure in figures if figure.met is False]
    aimed = [figure for figure in figures if figure.met is not None]
    console.print(f"{len(aimed) - len(missed)} of {len(aimed)} aims met.")
    for figure in missed:
        console.print(f"  missed: {figure.name}, {figure.against}: {figure.judged:.3g}, {figure.aim}")
    if options.write_docs:
        write_docs(options.page, markdown(figures, about))
        console.print(f"written to {options.page}")
    return 0


def command() -> argparse.ArgumentParser:
    """The options."""
    parser = argparse.ArgumentParser(
        prog="python -m benchmarks.speed",
        description=__doc__,
        formatter_class=argparse.RawDescriptionHelpFormatter,
    )
    parser.add_argument("parts", nargs="*", metavar="PART", help=f"of {', '.join(PARTS)}")
    parser.add_argument("--data", type=Path, default=HERE.parents[1] / "shared" / "corpora")
    parser.add_argument("--rounds", type=int, default=9, help="rounds on the pages as they are")
    parser.add_argument("--large", type=int, default=LARGE, metavar="CHARACTERS", help="0 leaves it out")
    parser.add_argument("--files", type=int, default=speed_scale.MANY, help="number of small files")
    parser.add_argument("--json", type=Path, default=OUT / "speed.json", metavar="FILE")
    parser.add_argument("--from-json", type=Path, metavar="FILE", help="show the figures of an earlier run")
    parser.add_argument("--write-docs", action="store_true", help="write the tables into docs/speed.md")
    parser.add_argument("--page", type=Path, default=PAGE, help=argparse.SUPPRESS)
    return parser


def measure(options: argparse.Namespace) -> tuple[list[Figure], dict[str, Any]]:
    """Take the time of the parts that are asked for.

    Raises:
        SystemExit: an unknown part, no pages, or a library that is missing.
    """
    unknown = [part for part in options.parts if part not in PARTS]
    if unknown:
        raise SystemExit(f"no part {unknown[0]!r}; there are {', '.join(PARTS)}")
    root = root_of(options.data)
    made = pages(root) if root.is_dir() else []
    if not made:
        raise SystemExit(f"no Markdown files below {options.data}; name another folder with --data")
    versions = {"chunkwise": version("chunkwise"), "Python": platform.python_version(), **peers.versions()}
    works: dict[str, Callable[[], Iterable[Figure]]] = {
        "start": lambda: speed_start.run(options.rounds),
        "cutting": lambda: speed_cutting.run(made, options.rounds, options.large),
        "comparing": lambda: speed_comparing.run(root, max(1, options.rounds // 3), OUT),
        "grid": lambda: speed_comparing.run_grid(root, OUT),
        "scale": lambda: speed_scale.run(
            made, 1, options.large or characters(made), many=options.files, few=max(1, options.files // 10)
        ),
    }
    about = {
        "versions": versions,
        "machine": f"{platform.machine()}, {platform.system()}",
        "files": len(made),
        "characters": characters(made),
    }
    wanted = [part for part in PARTS if not options.parts or part in options.parts]
    found: dict[str, list[Figure]] = {part: [] for part in PARTS}
    found |= {part: own for part, own in earlier(options.json, about).items() if part not in wanted}
    for part in wanted:
        print(f"measuring: {part} ...", file=sys.stderr, flush=True)
        found[part] = []
        for figure in works[part]():
            print("  " + "  ".join(filter(None, cells(figure))), file=sys.stderr, flush=True)
            found[part].append(figure)
            # After each one, so that a run that is stopped has not measured in vain.
            plain = [{"of": name, **one.to_dict()} for name, own in found.items() for one in own]
            write(options.json, json.dumps({"about": about, "figures": plain}, indent=1))
    return [figure for own in found.values() for figure in own], about


def earlier(path: Path, about: dict[str, Any]) -> dict[str, list[Figure]]:
    """The figures of an earlier run by part; none where it was about something else, which is said."""
    if not path.is_file():
        return {}
    plain = json.loads(path.read_text("utf-8"))
    if plain["about"] != about or not all("of" in one for one in plain["figures"]):
        print(f"{path}: measured with other versions, pages or machines, and not kept", file=sys.stderr)
        return {}
    found: dict[str, list[Figure]] = {}
    for one, figure in zip(plain["figures"], from_json(plain), strict=True):
        found.setdefault(one["of"], []).append(figure)
    return found


def write(path: Path, text: str) -> None:
    """Write a file beside its place and rename it."""
    path.parent.mkdir(parents=True, exist_ok=True)
    beside = path.with_name(f".{path.name}.part")
    beside.write_text(text + "\n", "utf-8")
    beside.replace(path)


def write_docs(page: Path, tables: str) -> None:
    """Put the tables between the markers `figures: speed` of a page."""
    from scripts.figures import blocks, spliced

    text = page.read_text("utf-8")
    if "speed" not in blocks(text):
        raise SystemExit(f"{page} has no block <!-- figures: speed -->")
    write(page, spliced(text, {"speed": tables + "\n"}).rstrip("\n"))


if __name__ == "__main__":
    sys.exit(main())
