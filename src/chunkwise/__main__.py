"""`python -m chunkwise`: the command line."""

import sys

from chunkwise.cli import main

if __name__ == "__main__":
    sys.exit(main())
