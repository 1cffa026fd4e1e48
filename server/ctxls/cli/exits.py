"""How a command ends: every error as one sentence on standard error, and an exit code."""

import logging
import os
import sys
from secrets import token_hex
from types import TracebackType
from typing import Final, Self

from ctxls.cli.logs import is_kept
from ctxls.cli.terminal import complain
from ctxls.errors import AmbiguousIdError, CtxlsError

DONE: Final = 0
NOTHING: Final = 1
"""The work was done: nothing was found, something was refused, or something needs mending."""
ERROR: Final = 2
INTERRUPTED: Final = 130
UNREAD: Final = 141
"""Nobody reads the output any more: what a shell reports of a program that SIGPIPE ended."""
log: Final = logging.getLogger("ctxls.cli")


class Exit:
    """The end of a command: `code` is what the work gave, or what its error means."""

    def __init__(self) -> None:
        self.code = DONE

    def __enter__(self) -> Self:
        """Begin the work."""
        return self

    def __exit__(
        self,
        _kind: type[BaseException] | None,
        error: BaseException | None,
        _trace: TracebackType | None,
    ) -> bool:
        """Say what went wrong, and end the error here."""
        error = error or _flushed()
        if error is not None:
            self.code = _code(error)
            if self.code == ERROR:
                _tell(error)
        return True


def _flushed() -> OSError | None:
    """Write out what is left, where an error can still be told."""
    try:
        sys.stdout.flush()
    except OSError as error:
        return error
    return None


def _code(error: BaseException) -> int:
    match error:
        case SystemExit(code=int(code)):  # argparse, after --help and --version
            return code
        case KeyboardInterrupt():
            return INTERRUPTED
        case BrokenPipeError():
            _forget_output()
            return UNREAD
        case _:
            return ERROR


def _forget_output() -> None:
    """Send what is still buffered nowhere: the interpreter flushes once more as it ends."""
    nowhere = os.open(os.devnull, os.O_WRONLY)
    os.dup2(nowhere, sys.stdout.fileno())
    os.close(nowhere)


def _tell(error: BaseException) -> None:
    match error:
        case AmbiguousIdError():
            rows = [f"  {row['id']}  {row['title']}" for row in error.data.get("candidates", ())]
            complain("\n".join([error.message, *rows]))
        case CtxlsError():
            complain(error.message)
        case OSError():
            _forget_output()
            place = f"{error.filename}: " if error.filename else ""
            complain(f"{place}{error.strerror or error}.")
        case _:
            _tell_unexpected(error)


def _tell_unexpected(error: BaseException) -> None:
    hint = "" if is_kept() else " Set CTXLS_LOG=FILE and run it again to keep the details."
    log.error(
        "Something went wrong inside ctxls, under the reference %s.%s",
        token_hex(4),
        hint,
        exc_info=error,
    )
