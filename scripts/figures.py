"""Write the figures of README.md and docs/ anew, each between its two markers.

    python -m scripts.figures [--data ../shared/corpora] [FILE ...]

A block begins with `<!-- figures: NAME -->` and ends with `<!-- /figures -->`. What stands between is
computed by the function of that name below, and by nothing else. Blocks whose data is not at hand stay
as they are, and that is said.
"""

from __future__ import annotations

import argparse
import re
import sys
from collections.abc import Callable, Mapping
from pathlib import Path

from scripts import (
    arithmetic,
    choices,
    claims,
    context,
    explained,
    first_minute,
    meaning,
    noise,
    published,
    rates,
    readme,
    scale,
    stored,
    tables,
    together,
)

ROOT = Path(__file__).parents[1]
BLOCK = re.compile(r"(<!-- figures: (?P<name>[\w-]+) -->\n)(?P<body>.*?)(<!-- /figures -->)", re.DOTALL)

Maker = Callable[[Path], str | None]
"""Makes a block from the folder of the corpora; None where its data is not there."""
MAKERS: Mapping[str, Maker] = {
    "compare": readme.compare,
    "corpora": readme.corpora,
    "explain": explained.notice,
    "rfc9562": published.rfc9562,
    "fastapi": published.fastapi,
    "fastapi-definitions": published.definitions,
    "constitution": published.constitution,
    "constitution-minilm": meaning.constitution,
    "manuals-minilm": meaning.manuals,
    "index-clean": meaning.index_clean,
    "again": meaning.again,
    "speed": stored.speed,
    "scale": scale.tables,
    "first-minute": first_minute.table,
    "rates": rates.table,
    "noise": noise.table,
    "readers": stored.readers,
    "tokens": stored.tokens,
    "headers": tables.table,
    "code-with-prose": together.code,
    "overlap": together.overlap,
    "choices": choices.table,
    "cut-rates": choices.cut_rates,
    "arithmetic-measured": arithmetic.measured,
    "arithmetic-sizes": arithmetic.sizes,
    "arithmetic-vectors": arithmetic.vectors,
    "arithmetic-bill": arithmetic.bill,
    "claims-boundaries": claims.boundaries,
    "claims-headings": claims.headings,
    "claims-documents": claims.real_documents,
    "claims-sections": claims.fifteen_thousand,
    "claims-notice": claims.notice_period,
    "equal-context": context.manuals,
    "equal-context-corpora": context.corpora,
    "chroma-minilm": context.chroma,
}
# The pages of docs/ first: they are one of the corpora that README.md has figures about.
FILES = (
    "docs/arithmetic.md",
    "docs/claims.md",
    "docs/cleaning.md",
    "docs/cut-rate.md",
    "docs/equal-context.md",
    "docs/explain.md",
    "docs/first-choice.md",
    "docs/reading.md",
    "docs/published.md",
    "docs/retrievers.md",
    "docs/scale.md",
    "docs/speed.md",
    "docs/tables.md",
    "docs/tokens.md",
    "docs/together.md",
    "docs/verdict.md",
    "README.md",
)


def blocks(text: str) -> dict[str, str]:
    """The blocks of a page by name."""
    return {match["name"]: match["body"] for match in BLOCK.finditer(text)}


def spliced(text: str, made: Mapping[str, str]) -> str:
    """A page with blocks replaced; the others stay as they are."""
    return BLOCK.sub(lambda m: f"{m[1]}{made.get(m['name'], m['body'])}{m[4]}", text)


def main() -> int:
    """Write the named files, or all of them."""
    parser = argparse.ArgumentParser(description="Write the figures of the pages anew.")
    parser.add_argument("--data", type=Path, default=ROOT.parent / "shared" / "corpora")
    parser.add_argument("files", nargs="*", default=FILES)
    options = parser.parse_args()
    for name in options.files:
        path = ROOT / name
        text = path.read_text("utf-8")
        made = {block: MAKERS[block](options.data) for block in blocks(text)}
        for block in (block for block, body in made.items() if body is None):
            print(f"{name}: {block} stays as it is, its data is not there")
        after = spliced(text, {block: body for block, body in made.items() if body is not None})
        path.write_text(after, encoding="utf-8")
        print(f"{name}: {'changed' if after != text else 'unchanged'}")
    return 0


if __name__ == "__main__":
    sys.exit(main())
