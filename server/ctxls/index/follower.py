"""The signature index of one store: follows what the store holds, and takes in what it lacks."""

import asyncio
import logging
from collections.abc import AsyncGenerator, Callable, Iterable, Mapping, Sequence
from concurrent.futures import ThreadPoolExecutor
from contextlib import aclosing, suppress
from functools import partial
from typing import Final, TypeVar

from ctxls.errors import CtxlsError
from ctxls.index.candidates import IndexStatus, Report, Selected
from ctxls.index.folder import SegmentFolder
from ctxls.index.folding import folded
from ctxls.index.segment import Segment, SegmentMaker, merged
from ctxls.index.signatures import Selection, Signatures, Versions, stamp_of
from ctxls.index.upkeep import Parts, merges
from ctxls.records.access import OWNER, Caller
from ctxls.records.document import spelled_title
from ctxls.records.filters import Filter
from ctxls.records.record import RecordId, StoredText
from ctxls.records.store import RecordStore

POLL_S: Final = 1.0
"""How often the store is asked whether it changed, so that a search need not wait for that."""
HELD_BYTES: Final = 4 << 20
WORKERS: Final = 2
"""One takes in and merges, while the other prepares for those who search."""
MOST_COLUMNS: Final = 4_096
"""What is saved at a time while the index is built: some 32 MB of text."""
MOST_SELECTIONS: Final = 16
"""Selections kept until the store changes; each takes some 100 bytes a record."""

Made = TypeVar("Made")
State = tuple[int, ...]
_log: Final = logging.getLogger(__name__)


class SignatureIndex:
    """A CandidateIndex of segments in a folder, or in memory where that cannot be written.

    What is read here never changes: it is replaced whole, on the event loop.
    """

    def __init__(self, store: RecordStore, folder: SegmentFolder) -> None:
        self._store = store
        self._folder = folder
        self._workers = ThreadPoolExecutor(WORKERS, thread_name_prefix="ctxls-index")
        self._replacing = asyncio.Lock()
        """Held from reading what is known to replacing it."""
        self._state: State | None = None
        self._now = Signatures({}, {}, {})
        self._selections: dict[tuple[Filter, Caller], Selection] = {}
        self._unsaved: dict[str, Segment] = {}
        self._tended: Signatures | None = None
        self._has_warned = False

    async def selection(self, scope: Filter, caller: Caller) -> Selected:
        """Select the readable records in scope as they are now."""
        now = await self._refreshed()
        key = None if scope.conditions else (scope, caller)
        found = self._selections.get(key) if key else None
        if found is None:
            whole = (scope, caller) == (Filter(), OWNER)
            ids = list(now.versions) if whole else await self._store.select(scope, caller)
            found = await self._in_thread(lambda: now.chosen(ids))
            if key and now is self._now:
                self._keep(key, found)
        return found

    async def status(self) -> IndexStatus:
        """Say how far the index is."""
        now = await self._refreshed()
        size = sum(segment.size for segment in now.segments.values())
        return IndexStatus("ready" if now.is_complete else "building", len(now.slots), size)

    async def follow(self, report: Report) -> None:
        """Catch up now and whenever the store changes, until cancelled."""
        while True:
            with suppress(CtxlsError):  # a store that is away or damaged is said elsewhere
                await self.catch_up(report)
            await asyncio.sleep(POLL_S)

    async def catch_up(self, report: Report) -> bool:
        """Take in what is unseen; false where another process is doing so."""
        if await self._refreshed() is self._tended and await self._in_thread(self._is_as_left):
            return True
        try:
            with self._folder.writing() as is_writer:
                return await self._tend(report) if is_writer else await self._reloaded()
        except OSError as error:
            self._warn(error)
            return await self._tend(report)

    async def rebuild(self, report: Report) -> bool:
        """Throw all away and take everything in; false where another process is writing."""
        await self._refreshed()
        with self._folder.writing() as is_writer:
            if is_writer:
                names = {*self._now.segments, *await self._in_thread(self._folder.names)}
                await self._adopt({})
                await self._in_thread(partial(self._emptied, names))
                await self._tend(report)
            return is_writer

    async def wrong(self, report: Report) -> Sequence[RecordId]:
        """Compare with the store, and return the records that a search could miss."""
        now, found, done = await self._refreshed(), list[RecordId](), 0
        async with aclosing(self._store.texts(list(now.slots), OWNER, HELD_BYTES)) as batches:
            async for batch in batches:
                texts = await self._in_thread(partial(_all_folded, batch))
                found += await self._in_thread(partial(now.missed, texts))
                done += len(batch)
                report(done, len(now.slots))
        return found

    @property
    def is_kept(self) -> bool:
        """Whether the next process finds what this one has taken in."""
        return not self._unsaved

    def close(self) -> None:
        """Let go of the threads."""
        self._workers.shutdown(wait=False, cancel_futures=True)

    async def _refreshed(self) -> Signatures:
        """Return what stands for the store as it is now."""
        if await self._store.state() != self._state:
            async with self._replacing:
                state = await self._store.state()
                if state != self._state:
                    await self._refresh(state)
        return self._now

    async def _refresh(self, state: State) -> None:
        versions = await self._store.versions(OWNER)
        known = self._now
        if self._state is None:
            known = known.over(await self._in_thread(self._loaded))
        self._replace(await self._in_thread(lambda: known.at(dict(versions))))
        self._state = state

    async def _adopt(self, segments: Mapping[str, Segment]) -> None:
        """Go on with other segments, over the versions that are known."""
        async with self._replacing:
            known = self._now
            self._replace(await self._in_thread(lambda: known.over(segments)))

    async def _reloaded(self) -> bool:
        """Take over what another process has written."""
        segments = await self._in_thread(self._loaded)
        if segments != self._now.segments:
            await self._adopt(segments)
        return self._now.is_complete

    async def _tend(self, report: Report) -> bool:
        """Take in what is unseen, and merge what should be one."""
        await self._in_thread(self._tidy)
        await self._reloaded()
        await self._take_in(self._now, report)
        await self._merge(self._now)
        self._tended = self._now
        return True

    async def _take_in(self, now: Signatures, report: Report) -> None:
        unseen, done = await self._in_thread(now.unseen), 0
        async with aclosing(self._made(unseen, now.versions)) as made:
            async for segment, records in made:
                done += records
                if segment is not None:
                    sure = await self._in_thread(
                        partial(_unmoved, segment, now.versions, (await self._refreshed()).versions)
                    )
                    name, saved = await self._in_thread(partial(self._saved, sure))
                    await self._adopt({**self._now.segments, name: saved})
                report(done, len(unseen))

    async def _made(
        self, unseen: Sequence[RecordId], versions: Versions
    ) -> AsyncGenerator[tuple[Segment | None, int], None]:
        """Read unseen records, and yield how many were read, with a segment where one is full."""
        maker = SegmentMaker()
        async with aclosing(self._store.texts(unseen, OWNER, HELD_BYTES)) as batches:
            async for batch in batches:
                await self._in_thread(partial(_take, maker, batch, versions))
                if maker.columns >= MOST_COLUMNS:
                    yield await self._in_thread(maker.segment), len(batch)
                    maker = SegmentMaker()
                else:
                    yield None, len(batch)
        if maker.columns:
            yield await self._in_thread(maker.segment), 0

    async def _merge(self, now: Signatures) -> None:
        for parts in await self._in_thread(partial(merges, now)):
            segments = dict(self._now.segments)
            if any(len(places) for _, places in parts):
                name, saved = await self._in_thread(partial(self._merged, parts))
                segments[name] = saved
            for name, _ in parts:
                del segments[name]
            await self._adopt(segments)
            await self._in_thread(partial(self._drop, [name for name, _ in parts]))

    def _replace(self, now: Signatures) -> None:
        self._now = now
        self._selections = {}

    def _keep(self, key: tuple[Filter, Caller], selection: Selection) -> None:
        if len(self._selections) >= MOST_SELECTIONS:
            del self._selections[next(iter(self._selections))]
        self._selections[key] = selection

    def _loaded(self) -> Mapping[str, Segment]:
        known = self._now.segments
        try:
            return {**self._folder.load(known), **self._unsaved}
        except OSError as error:
            self._warn(error)
            return known

    def _is_as_left(self) -> bool:
        """Whether nobody has written to the folder, or emptied it, since we looked."""
        segments = self._now.segments
        try:
            return (
                all(segment.is_intact() for segment in segments.values())
                and self._folder.names() == segments.keys() - self._unsaved.keys()
            )
        except OSError:
            return True

    def _tidy(self) -> None:
        with suppress(OSError):
            self._folder.tidy(self._now.segments)

    def _saved(self, segment: Segment) -> tuple[str, Segment]:
        try:
            return self._folder.save(segment)
        except OSError as error:
            self._warn(error)
            name = f"unsaved-{id(segment)}"
            self._unsaved[name] = segment
            return name, segment

    def _merged(self, parts: Parts) -> tuple[str, Segment]:
        segments = self._now.segments
        return self._saved(merged([(segments[name], places) for name, places in parts]))

    def _drop(self, names: Iterable[str]) -> None:
        for name in names:
            if self._unsaved.pop(name, None) is None:
                with suppress(OSError):
                    self._folder.drop(name)

    def _emptied(self, names: Iterable[str]) -> None:
        """Throw all away, or raise OSError: what stays would be taken for what is made anew."""
        self._unsaved.clear()
        for name in names:
            self._folder.drop(name)

    def _warn(self, error: OSError) -> None:
        if not self._has_warned:
            self._has_warned = True
            why = error.strerror
            _log.warning("The search index is kept in memory: its folder cannot be used (%s).", why)

    async def _in_thread(self, make: Callable[[], Made]) -> Made:
        return await asyncio.get_running_loop().run_in_executor(self._workers, make)


def _take(maker: SegmentMaker, batch: Sequence[StoredText], versions: Versions) -> None:
    for record_id, text in _all_folded(batch):
        maker.add(record_id, stamp_of(versions[record_id]), text)


def _unmoved(segment: Segment, before: Versions, after: Versions) -> Segment:
    """Leave no record in the name of a version that its text may not be of any more."""
    moved = [one for one in segment.ids if before[one] != after.get(one)]
    return segment.without(frozenset(moved)) if moved else segment


def _all_folded(batch: Sequence[StoredText]) -> Sequence[tuple[RecordId, bytes]]:
    return [(stored.id, _folded(stored)) for stored in batch]


def _folded(stored: StoredText) -> bytes:
    """Return what searches look at: the text and, where the metadata has one, the title."""
    title = spelled_title(stored.metadata)
    if title is None:
        return folded(stored.data)
    return folded(b"\n".join((stored.data, title.encode("utf-8", "replace"))))
