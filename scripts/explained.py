"""The output of `chunkwise explain` on the handbook, for docs/explain.md."""

from __future__ import annotations

from pathlib import Path

from scripts.readme import printed

ROOT = Path(__file__).parents[1]
COMMAND = (
    "chunkwise explain examples/handbook/docs --golden examples/handbook/golden.jsonl "
    "--question notice-grade-7 -c fixed:size=800 -c heading:size=800 -k 3"
)


def notice(data: Path) -> str:
    """The hard question, cut by windows and by headings."""
    del data
    first, _, rest = COMMAND.partition(" --question")
    return f"```\n$ {first} \\\n    --question{rest}\n{printed(COMMAND, ROOT)}```\n"
