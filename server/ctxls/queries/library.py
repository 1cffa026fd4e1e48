"""Everything that a query needs for one store: opening a record, its outline, its name."""

import asyncio
import re
from collections.abc import Callable, Mapping
from concurrent.futures import ThreadPoolExecutor
from copy import copy
from typing import Any, Final, TypeVar

from ctxls.errors import AmbiguousIdError, InvalidParamsError, NotFoundError
from ctxls.index.candidates import CandidateIndex
from ctxls.index.outlines import Outlines
from ctxls.queries.indexing import Indexing
from ctxls.queries.lane import WORKERS, Lane
from ctxls.queries.limits import Limits
from ctxls.records.access import Caller
from ctxls.records.document import LONGEST_NAME, Document, named, title_of
from ctxls.records.metadata import parsed_metadata
from ctxls.records.place import Place
from ctxls.records.record import Candidate, StoredText
from ctxls.records.store import RecordStore
from ctxls.records.uri import format_uri, is_uri, normal_id, parse_uri
from ctxls.text.lines import Lines
from ctxls.text.outline import Outline, first_title, outline_key
from ctxls.text.printable import printable, quoted

Made = TypeVar("Made")
SMALL_TEXT: Final = 1 << 10
"""Characters up to which work is done on the event loop: the worst parse takes some 20 ms."""
FEW_LINES: Final = 256 << 10
"""Characters whose lines are indexed on the event loop, in some 10 ms."""
MOST_CANDIDATES: Final = 10
MOST_HEADINGS: Final = 100_000
UNKNOWN: Final = "\0"
"""No heading: NUL is U+FFFD in all of them."""
PREPARERS: Final = 2
_FULL_ID: Final = re.compile(r"[0-9a-f]{32}")
_PREFIX: Final = re.compile(r"[0-9a-f]{8,31}")
_NUMBER: Final = re.compile(r"[0-9]{1,18}")


class Library:
    """A store with what queries share: its name in URIs, the ceilings, outlines and workers.

    `workers` match. Parses and other preparing have threads of their own, so that an outline does
    not wait for four hostile searches.
    """

    def __init__(
        self,
        store: RecordStore,
        name: str = "local",
        limits: Limits | None = None,
        outlines: Outlines | None = None,
        make_index: Callable[[], CandidateIndex] | None = None,
    ) -> None:
        self.store = store
        self.name = name
        self.limits = limits or Limits()
        self.workers = ThreadPoolExecutor(WORKERS, thread_name_prefix="ctxls-scan")
        self.compiler = ThreadPoolExecutor(1, thread_name_prefix="ctxls-compile")
        self._preparers = ThreadPoolExecutor(PREPARERS, thread_name_prefix="ctxls-prepare")
        self._outlines = outlines or Outlines()
        self._headings: dict[bytes, str | None] = {}
        """First headings by the texts' keys: most hits need no more of an outline."""
        self.lane = Lane(self.workers)
        self.indexing = Indexing(make_index)

    def for_session(self) -> "Library":
        """Return this library with a lane of its own to the workers; all else is shared."""
        mine = copy(self)
        mine.lane = Lane(self.workers)
        return mine

    @property
    def index(self) -> CandidateIndex | None:
        """None where there is none, or none yet: then every record in scope is read."""
        return self.indexing.index

    async def start_index(self) -> CandidateIndex | None:
        """Make the index, off the event loop: what it needs is slow to import."""
        return await self.indexing.start()

    async def open(self, named: str, caller: Caller) -> Document:
        """Open a record by its id in any spelling, by 8 or more of its first digits, or by URI.

        A URI names a whole id, never the start of one. Raises NotFoundError, or AmbiguousIdError
        with up to ten candidates.
        """
        if is_uri(named):
            return await self._fetch(parse_uri(named).id, caller)
        bare = normal_id(named)
        shown = printable(named.strip()[:200])
        if _FULL_ID.fullmatch(bare) or _NUMBER.fullmatch(bare):
            try:
                return await self._fetch(bare, caller)
            except NotFoundError:
                if not _PREFIX.fullmatch(bare):
                    raise NotFoundError.entry(shown) from None
        if not _PREFIX.fullmatch(bare):
            raise InvalidParamsError(
                f"{quoted(named)} is no record id: give 32 hex digits, or at least the"
                " first 8 of them."
            )
        return await self._fetch(await self._resolve(shown, bare, caller), caller)

    async def prepare(self, document: Document) -> Document:
        """Look a large document over off the event loop, before that is asked for."""
        if len(document.text) > FEW_LINES:
            await self.off_loop(len(document.text), lambda: (document.lines, document.key))
        return document

    async def outline(self, document: Document) -> Outline:
        """Return the outline of a document; had off the event loop when it is large."""
        text, key, lines = document.text, document.key, document.lines
        known = self._outlines.known(key)
        if known is not None:
            return known
        return await self.off_loop(len(text), lambda: self._outlines.of(key, text, lines))

    def outline_now(self, text: str, data: bytes, lines: Lines | None = None) -> Outline:
        """Return the outline of a text, in this thread: not for the event loop."""
        return self._outlines.of(outline_key(data), text, lines)

    def place_now(self, stored: StoredText, text: str, outline: Outline | None = None) -> Place:
        """Name a record, whose outline may be known, in this thread: not for the event loop."""
        metadata, heading = parsed_metadata(stored.metadata), None
        if outline is not None:
            heading = outline.sections[0].title if outline.sections else None
        elif not named(metadata):
            heading = self._heading_now(text, stored.data)
        title = title_of(stored.id, metadata, text, heading)
        return Place(stored.id, stored.thread, title)

    def _heading_now(self, text: str, data: bytes) -> str | None:
        """Return the first heading's title, as far as names show it."""
        key = outline_key(data)
        known = self._headings.get(key, UNKNOWN)
        if known is not UNKNOWN:
            return known
        heading = first_title(text)
        if heading is None:
            sections = self.outline_now(text, data).sections
            heading = sections[0].title if sections else None
        if len(self._headings) >= MOST_HEADINGS:
            self._headings.clear()
        self._headings[key] = heading = heading and heading[:LONGEST_NAME]
        return heading

    async def off_loop(self, characters: int, make: Callable[[], Made]) -> Made:
        """Run something pure over so many characters: in a thread unless they are few."""
        if characters <= SMALL_TEXT:
            return make()
        return await asyncio.get_running_loop().run_in_executor(self._preparers, make)

    async def place(self, document: Document) -> Place:
        """Name a document as answers do."""
        record = document.record
        return Place(
            record.id,
            record.thread,
            await self._title(record.id, record.metadata, document.text),
        )

    def uri(self, place: Place) -> str:
        """Return the canonical URI of a record."""
        return format_uri(self.name, place.thread, place.title, place.record_id)

    async def close(self) -> None:
        """Let go of the store and the workers."""
        await self.store.close()
        self._outlines.close()
        if self.index is not None:
            self.index.close()
        for threads in (self.workers, self.compiler, self._preparers):
            threads.shutdown(wait=False, cancel_futures=True)

    async def _fetch(self, record_id: str, caller: Caller) -> Document:
        stored = await self.store.fetch(record_id, caller)
        return await self.prepare(Document(stored.record, stored.text, stored.summaries))

    async def _resolve(self, shown: str, prefix: str, caller: Caller) -> str:
        found = await self.store.candidates(prefix, caller, MOST_CANDIDATES)
        if not found:
            raise NotFoundError.entry(shown)
        if len(found) == 1:
            return found[0].id
        candidates = [await self._shown(candidate) for candidate in found]
        raise AmbiguousIdError(
            f"'{shown}' begins the ids of {len(found)} or more records; give more digits.",
            candidates=candidates,
        )

    async def _shown(self, candidate: Candidate) -> dict[str, str]:
        return {
            "id": candidate.id,
            "title": await self._title(candidate.id, candidate.metadata, candidate.text),
            "time": candidate.created.isoformat().replace("+00:00", "Z"),
        }

    async def _title(self, record_id: str, metadata: Mapping[str, Any], text: str) -> str:
        heading = None
        if not named(metadata):
            heading = await self.off_loop(len(text), lambda: self._heading_now(text, text.encode()))
        return title_of(record_id, metadata, text, heading)
