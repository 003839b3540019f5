"""Write the constraints file anew: what a fresh environment gets today, as plain `name==version` lines.

    python scripts/constraints.py constraints.txt

Makes a temporary environment with the running Python, installs Chunkwise there with all extras, and
writes down what pip installed. Addresses, paths and editable installs are left out.
"""

from __future__ import annotations

import re
import subprocess
import sys
import tempfile
import tomllib
from pathlib import Path

ROOT = Path(__file__).parents[1]
HEAD = """\
# Versions that Chunkwise is developed, tested and benchmarked with. `make` installs with them; a user's
# own environment only follows the lower bounds in pyproject.toml. Made anew by: make constraints
"""
PIN = re.compile(r"([A-Za-z0-9][A-Za-z0-9._-]*)==([A-Za-z0-9][A-Za-z0-9.!+_-]*)")


def pins(freeze: str, own: str = "chunkwise") -> list[str]:
    """The plain pins among the lines of `pip freeze`, sorted by name."""
    found = [match for line in freeze.splitlines() if (match := PIN.fullmatch(line.strip()))]
    return [m[0] for m in sorted(found, key=lambda m: m[1].lower()) if m[1].lower() != own]


def main() -> int:
    """Install and write down."""
    target = Path(sys.argv[1])
    with (ROOT / "pyproject.toml").open("rb") as file:
        extras = ",".join(sorted(tomllib.load(file)["project"]["optional-dependencies"]))
    with tempfile.TemporaryDirectory() as folder:
        python = Path(folder) / "bin" / "python"
        subprocess.run([sys.executable, "-m", "venv", folder], check=True)
        pip = [str(python), "-m", "pip", "--disable-pip-version-check"]
        subprocess.run([*pip, "install", "-qq", f"{ROOT}[{extras}]"], check=True)
        frozen = subprocess.run([*pip, "freeze"], check=True, capture_output=True, text=True).stdout
    lines = pins(frozen)
    beside = target.with_suffix(".new")
    beside.write_text(HEAD + "".join(f"{line}\n" for line in lines), encoding="utf-8")
    beside.replace(target)
    print(f"{target}: {len(lines)} pins")
    return 0


if __name__ == "__main__":
    sys.exit(main())
