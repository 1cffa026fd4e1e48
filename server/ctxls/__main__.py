"""Where `ctxls` and `python -m ctxls` start."""

import sys

from ctxls.cli.program import run


def main() -> int:
    """Run the command line and return its exit code."""
    return run(sys.argv[1:])


if __name__ == "__main__":
    sys.exit(main())
