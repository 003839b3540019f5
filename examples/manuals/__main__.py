import sys

from examples.manuals.generate import main

sys.exit(main())
