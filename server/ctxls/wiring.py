"""The one place that names a store: settings become a store, and the library around it."""

import os
from collections.abc import Sequence
from functools import partial
from hashlib import blake2b
from pathlib import Path
from typing import Final

from ctxls.index.candidates import CandidateIndex
from ctxls.index.outline_file import OutlineFile
from ctxls.index.outlines import Outlines
from ctxls.queries.library import Library
from ctxls.queries.limits import Limits
from ctxls.records.store import RecordStore
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
    if not settings.index:
        return Library(store, limits=limits(settings))
    return Library(
        store,
        limits=limits(settings),
        outlines=Outlines(kept=OutlineFile(_derived(settings))),
        make_index=partial(_index, store, _signatures(settings)),
    )


def has_index(settings: Settings) -> bool:
    """Whether searches have an index already."""
    return settings.index and os.path.exists(_signatures(settings))  # noqa: PTH110 - a folder that may not be entered has none


def _derived(settings: Settings) -> Path:
    """Return the folder of what is derived from the store: its name stands for the store's path."""
    path = os.path.realpath(settings.store)
    return settings.index_dir / blake2b(os.fsencode(path), digest_size=8).hexdigest()


def _signatures(settings: Settings) -> Path:
    return _derived(settings) / "signatures"


def _index(store: RecordStore, folder: Path) -> CandidateIndex:
    # Imported in a thread, by those who search: numpy takes 0.1 s.
    from ctxls.index.folder import SegmentFolder  # noqa: PLC0415
    from ctxls.index.follower import SignatureIndex  # noqa: PLC0415

    return SignatureIndex(store, SegmentFolder(folder))


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
