"""Where `ctxls` and `python -m ctxls` start."""

import logging
import os
import sys
from contextlib import suppress
from typing import NoReturn

from ctxls.cli.program import run


def main() -> NoReturn:
    """Run the command line, and end the process with its exit code.

    At once: the interpreter would wait for threads, and one of them may be inside RE2 for seconds
    with a search that nobody waits for any more. All files are closed or safe to leave by now.
    """
    code = run(sys.argv[1:])
    logging.shutdown()
    for stream in (sys.stdout, sys.stderr):
        with suppress(OSError, ValueError):  # nobody reads it, or it is closed
            stream.flush()
    os._exit(code)


if __name__ == "__main__":
    main()
