"""What a test types, and what came of it."""

from collections.abc import Callable
from dataclasses import dataclass
from pathlib import Path


@dataclass(frozen=True)
class Typed:
    """What came of a command; `out` is what it wrote, as bytes."""

    code: int
    out: bytes
    err: str

    @property
    def text(self) -> str:
        return self.out.decode()

    @property
    def lines(self) -> list[str]:
        return self.text.splitlines()


Ctxls = Callable[..., Typed]
"""`ctxls("grep", "x")` runs it on the store of the test's home."""


def write(folder: Path, name: str, text: str | bytes) -> Path:
    """Write a file, whose folders are made for it."""
    file = folder / name
    file.parent.mkdir(parents=True, exist_ok=True)
    file.write_bytes(text if isinstance(text, bytes) else text.encode())
    return file
