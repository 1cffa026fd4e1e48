"""Where log records go: warnings to standard error as sentences, the whole story to a file."""

import logging
from logging.handlers import RotatingFileHandler
from pathlib import Path
from typing import Final

from ctxls.cli.terminal import complain

LARGEST: Final = 1 << 20
"""Bytes of a log file; one older file of that size is kept beside it."""
FORMAT: Final = "%(asctime)s %(process)d %(levelname)s %(name)s: %(message)s"
_ours: Final = logging.getLogger("ctxls")


class TerminalHandler(logging.Handler):
    """Says a record in one sentence, without the traceback that it may carry."""

    def emit(self, record: logging.LogRecord) -> None:
        """Say it."""
        complain(record.getMessage())


def log_to_terminal() -> None:
    """Show warnings on standard error."""
    if not any(isinstance(handler, TerminalHandler) for handler in _ours.handlers):
        _ours.addHandler(TerminalHandler(logging.WARNING))


def log_to_file(path: Path) -> None:
    """Write what happens to a file, once; where that cannot be, say so and go on."""
    if is_kept():
        return
    logging.raiseExceptions = False  # a full disk is no reason to print tracebacks
    try:
        path.parent.mkdir(0o700, parents=True, exist_ok=True)
        handler = RotatingFileHandler(path, maxBytes=LARGEST, backupCount=1, encoding="utf-8")
    except OSError as error:
        complain(f"The log cannot be written to {path}: {error.strerror}.")
        return
    handler.setFormatter(logging.Formatter(FORMAT))
    _ours.addHandler(handler)
    _ours.setLevel(logging.INFO)


def is_kept() -> bool:
    """Whether what is logged is written to a file."""
    return any(isinstance(handler, RotatingFileHandler) for handler in _ours.handlers)
