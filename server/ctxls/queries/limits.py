"""The ceilings that settings put on queries, as one frozen value."""

from dataclasses import dataclass


@dataclass(frozen=True, slots=True)
class Limits:
    """Ceilings; a request's own value over one of them is lowered to it."""

    most_matches: int = 1000
    most_context_lines: int = 20
    most_entries: int = 0
    """Records that one grep decides; 0 means no ceiling."""
    held_bytes: int = 64 << 20
    """Text that one scan may hold at a time; one record is always read whole."""
    record_seconds: float = 5.0
    """What a regular expression may take over one record."""
    grep_seconds: float = 30.0
    """What a regular expression may take over one whole grep."""
    interactive_seconds: float = 2.0
    """What workspace/symbol and definition may take."""
    answer_bytes: int = 4 << 20
    """About how large a grep answer may grow."""
    most_listed: int = 1000
