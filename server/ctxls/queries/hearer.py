"""Who is told, while a query runs, what it has found and how far it is."""

from collections.abc import Awaitable, Callable
from dataclasses import dataclass
from typing import Generic, TypeVar

Part = TypeVar("Part")
HowFar = Callable[[], float]
"""Tells from 0 to 1 how much of a scan is decided; may be called at any time."""


def _unwatched(_how_far: HowFar) -> None:
    """Watch nothing."""


@dataclass(frozen=True, slots=True)
class Hearer(Generic[Part]):
    """Hears a query while it runs. The default hears nothing."""

    found: Callable[[Part], Awaitable[None]] | None = None
    """Is given each part of what is found; the answer at the end then holds none of it.

    What it awaits, such as a client that reads slowly, holds up the search and counts as its time.
    """
    watch: Callable[[HowFar], None] = _unwatched
    """Is given, as a scan begins, what tells how far it is."""
