"""The command line from a checkout: `python cli.py --help`."""

from __future__ import annotations

import sys

from grader.cli import main

if __name__ == "__main__":
    sys.exit(main())
