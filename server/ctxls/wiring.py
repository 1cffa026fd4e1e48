"""The one place that names a store: settings become a store, and the library around it."""

from collections.abc import Sequence
from typing import Final

from ctxls.queries.library import Library
from ctxls.queries.limits import Limits
from ctxls.settings import Settings
from ctxls.stores.sqlite import SqliteStore, checking

MAPPED_BYTES: Final = 1 << 30


def library(settings: Settings, *, create: bool = False, mapped: bool = False) -> Library:
    """Make the library of the store that the settings name; nothing is opened yet.

    With `create`, the first request makes a store where there is none. Only a process that ends
    with its one answer has it `mapped`: a file cut meanwhile would end a server
    (docs/decisions/0004).
    """
    store = SqliteStore(
        settings.store,
        create=create,
        busy_timeout_s=settings.busy_timeout_s,
        longest_text=settings.max_record_bytes,
        mapped_bytes=MAPPED_BYTES if mapped else 0,
    )
    return Library(store, limits=limits(settings))


def limits(settings: Settings) -> Limits:
    """Hand the ceilings that the settings put on queries down as one value."""
    return Limits(
        most_matches=settings.grep_max_matches_cap,
        most_context_lines=settings.grep_max_context_lines,
        most_entries=settings.grep_max_entries_scanned,
        held_bytes=settings.grep_aggregate_bytes_budget,
        record_seconds=settings.grep_regex_timeout_s,
        grep_seconds=settings.grep_regex_total_timeout_s,
        interactive_seconds=settings.scan_budget_s,
    )


async def damage(settings: Settings) -> Sequence[str]:
    """Let the database look its whole file over, and return what it finds wrong."""
    return await checking.damage(settings.store.absolute(), settings.busy_timeout_s)
