"""Which records of a selection may hold what is wanted, by all segments and the store's versions.

A record that no segment has in its present version is unseen: it may hold anything.
"""

from collections.abc import Collection, Iterable, Iterator, Mapping, Sequence
from dataclasses import dataclass
from hashlib import blake2b
from itertools import accumulate
from typing import Final, TypeAlias

import numpy as np
from numpy.typing import NDArray

from ctxls.index.candidates import Required
from ctxls.index.segment import NO_STAMP, Segment, wanted
from ctxls.records.record import RecordId

Places: TypeAlias = NDArray[np.intp]
Versions: TypeAlias = Mapping[RecordId, str]
"""All records of the store, newest first, each with its version as the store spells it."""
NOWHERE: Final = -1


def stamp_of(version: str) -> int:
    """Return eight bytes that stand for a record's version."""
    return int.from_bytes(blake2b(version.encode("utf-8", "replace"), digest_size=8).digest())


@dataclass(frozen=True, slots=True)
class Signatures:
    """All segments, and which record of them stands for which of the store.

    Never changed once made. What comes after a change is made from what was before it, so that one
    changed record of many costs little.
    """

    segments: Mapping[str, Segment]
    """By the names of their files, oldest first."""
    versions: Versions
    slots: Mapping[RecordId, int]
    """Where a record is among those of all segments, counted through."""

    @property
    def is_complete(self) -> bool:
        """Whether every record of the store is in a segment in its present version."""
        return len(self.slots) == len(self.versions)

    @property
    def dead(self) -> int:
        """How many records of the segments stand for none of the store."""
        return self._signed - len(self.slots)

    @property
    def _signed(self) -> int:
        return sum(len(segment.ids) for segment in self.segments.values())

    def unseen(self) -> Sequence[RecordId]:
        """Return the records that no segment has in their present version."""
        return [one for one in self.versions if one not in self.slots]

    def at(self, versions: Versions) -> "Signatures":
        """Go on with the versions that the store has now."""
        slots = dict(self.slots)
        for gone in self.versions.keys() - versions.keys():
            slots.pop(gone, None)
        changed = [one for one, version in versions.items() if self.versions.get(one) != version]
        for one in changed:
            slots.pop(one, None)
        if changed:  # a segment may know a version that another process took in
            slots.update(_found(self.segments, list(self.segments), versions, set(changed)))
        return Signatures(self.segments, versions, slots)

    def over(self, segments: Mapping[str, Segment]) -> "Signatures":
        """Go on with other segments."""
        names, known = list(segments), list(self.segments)
        only_grew = names[: len(known)] == known and all(
            segments[name] is segment for name, segment in self.segments.items()
        )
        added = names[len(known) :] if only_grew else names
        slots = dict(self.slots) if only_grew else {}
        slots.update(_found(segments, added, self.versions, self.versions))
        return Signatures(segments, self.versions, slots)

    def chosen(self, ids: Sequence[RecordId]) -> "Selection":
        """Prepare a selection of the store's records for many searches."""
        slots = np.fromiter((self.slots.get(one, NOWHERE) for one in ids), np.intp, len(ids))
        places = np.full(self._signed, NOWHERE)
        is_seen = slots != NOWHERE
        places[slots[is_seen]] = np.flatnonzero(is_seen)
        return Selection(ids, tuple(self.segments.values()), places, np.flatnonzero(~is_seen))

    def missed(self, texts: Sequence[tuple[RecordId, bytes]]) -> Sequence[RecordId]:
        """Return the records with a line, of their folded texts, that would not be found."""
        return [record_id for record_id, text in texts if not self._finds(record_id, text)]

    def live_places(self, name: str) -> Places:
        """Return the places in a segment that stand for records of the store, ascending."""
        start, ids = _starts(self.segments)[name], self.segments[name].ids
        return np.flatnonzero([self.slots.get(one) == slot for slot, one in enumerate(ids, start)])

    def _finds(self, record_id: RecordId, text: bytes) -> bool:
        slot, starts = self.slots[record_id], _starts(self.segments)
        name = next(name for name in reversed(starts) if starts[name] <= slot)
        segment = self.segments[name]
        return segment.is_intact() and segment.finds_all(slot - starts[name], text)


def _starts(segments: Mapping[str, Segment]) -> dict[str, int]:
    """Return how many records of other segments come before those of each."""
    lengths = (len(segment.ids) for segment in segments.values())
    return dict(zip(segments, accumulate(lengths, initial=0), strict=False))


def _found(
    segments: Mapping[str, Segment],
    names: Iterable[str],
    versions: Versions,
    among: Collection[RecordId],
) -> Iterator[tuple[RecordId, int]]:
    """Find records in some segments by their present versions; of two, the newest comes last."""
    stamps: dict[RecordId, int] = {}
    starts = _starts(segments)
    for name in names:
        segment, start = segments[name], starts[name]
        for slot, record_id in enumerate(segment.ids, start):
            if record_id in among:
                stamp = stamps.get(record_id)
                if stamp is None:
                    stamp = stamps[record_id] = stamp_of(versions[record_id])
                if stamp == segment.stamps[slot - start] != NO_STAMP:
                    yield record_id, slot


@dataclass(frozen=True, slots=True)
class Selection:
    """Records in an order, and where each of the segments' records is among them."""

    ids: Sequence[RecordId]
    segments: Sequence[Segment]
    places: Places
    unseen: Places

    def may_match(self, required: Required) -> Sequence[int]:
        """Return the places in `ids`, ascending, of the records that may hold what is required."""
        rows = wanted(required)
        found = [self.unseen]
        start = 0
        for segment in self.segments:
            end = start + len(segment.ids)
            places = self.places[start:end]
            if segment.is_intact():
                places = places[segment.may_match(rows)]
            found.append(places[places != NOWHERE])
            start = end
        ascending: list[int] = np.sort(np.concatenate(found)).tolist()
        return ascending
