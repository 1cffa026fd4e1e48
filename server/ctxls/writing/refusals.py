"""What an import refuses, and why: a clause without a full stop, to stand behind a file's name."""

from dataclasses import dataclass
from typing import Final

NOT_REGULAR: Final = "it is not a regular file"


class RefusedFileError(Exception):
    """One file, or one line of one, cannot be stored; the message says why."""


@dataclass(frozen=True, slots=True)
class Refusal:
    """What was refused, as its user would name it, and why."""

    what: str
    why: str


def failure(error: OSError) -> str:
    """Say why the operating system refused, for example `permission denied`."""
    return (error.strerror or str(error)).lower()
