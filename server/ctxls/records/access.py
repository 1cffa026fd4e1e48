"""Who asks.

The caller is in every method of the store's port, so that no query can forget it: what a caller
may not read does not exist for it.
"""

from dataclasses import dataclass
from typing import Final


@dataclass(frozen=True, slots=True)
class Caller:
    """A principal by name, or the local owner of the store (`name` is None), who reads all."""

    name: str | None

    @property
    def is_owner(self) -> bool:
        """Whether this is the person whose store it is."""
        return self.name is None


OWNER: Final = Caller(None)
"""The person who started the process: stdio sessions and the command line."""
