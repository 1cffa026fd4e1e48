"""What the settings let a server offer to its clients."""

from collections.abc import Mapping
from dataclasses import dataclass, field
from typing import Any


@dataclass(frozen=True, slots=True)
class Offer:
    """Which abilities are switched on, and the settings that context/status may show."""

    grep: bool = True
    """workspace/symbol and context/grep."""
    navigation: bool = True
    """textDocument/documentSymbol and context/navigate."""
    range: bool = True
    """context/readRange."""
    settings: Mapping[str, Any] = field(default_factory=dict)
