"""Everything that a query needs for one store: opening a record, its outline, its name."""

import asyncio
import re
from collections.abc import Callable, Mapping
from concurrent.futures import ThreadPoolExecutor
from typing import Any, Final, TypeVar

from ctxls.errors import AmbiguousIdError, InvalidParamsError, NotFoundError
from ctxls.index.outlines import MemoryOutlines, OutlineIndex, outline_key
from ctxls.queries.limits import Limits
from ctxls.records.access import Caller
from ctxls.records.document import Document, named, title_of
from ctxls.records.place import Place
from ctxls.records.record import Candidate, StoredText
from ctxls.records.store import RecordStore
from ctxls.records.uri import format_uri, is_uri, normal_id, parse_uri
from ctxls.text.lines import Lines
from ctxls.text.outline import Outline, first_title, parse_outline
from ctxls.text.printable import printable, quoted

Made = TypeVar("Made")
SMALL_TEXT: Final = 1 << 10
"""Characters up to which work is done on the event loop: the worst parse takes some 20 ms."""
FEW_LINES: Final = 256 << 10
"""Characters whose lines are indexed on the event loop, in some 10 ms."""
MOST_CANDIDATES: Final = 10
WORKERS: Final = 4
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
        outlines: OutlineIndex | None = None,
    ) -> None:
        self.store = store
        self.name = name
        self.limits = limits or Limits()
        self.workers = ThreadPoolExecutor(WORKERS, thread_name_prefix="ctxls-scan")
        self._preparers = ThreadPoolExecutor(PREPARERS, thread_name_prefix="ctxls-prepare")
        self._outlines = outlines or MemoryOutlines()

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
        """Index the lines of a large document off the event loop, before they are asked for."""
        if len(document.text) > FEW_LINES:
            await self.off_loop(len(document.text), lambda: document.lines)
        return document

    async def outline(self, document: Document) -> Outline:
        """Return the outline of a document; parsed off the event loop when it is large."""
        return await self.outline_of(document.text, document.text.encode(), document.lines)

    async def outline_of(self, text: str, data: bytes, lines: Lines | None = None) -> Outline:
        """Return the outline of a text, whose UTF-8 form is `data`."""
        key = outline_key(data)
        found = self._outlines.get(key)
        if found is None:
            found = await self.off_loop(len(text), lambda: parse_outline(text, lines))
            self._outlines.put(key, found)
        return found

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

    async def place_of(self, stored: StoredText, metadata: Mapping[str, Any]) -> Place:
        """Name a record on its way through a scan."""
        title = await self._title(stored.id, metadata, stored.data.decode())
        return Place(stored.id, stored.thread, title)

    def uri(self, place: Place) -> str:
        """Return the canonical URI of a record."""
        return format_uri(self.name, place.thread, place.title, place.record_id)

    async def close(self) -> None:
        """Let go of the store and the workers."""
        await self.store.close()
        for threads in (self.workers, self._preparers):
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
        """Return a record's title, with the least parsing that tells it."""
        heading = None
        if not named(metadata):
            heading = first_title(text)
            if heading is None:
                sections = (await self.outline_of(text, text.encode())).sections
                heading = sections[0].title if sections else None
        return title_of(record_id, metadata, text, heading)
