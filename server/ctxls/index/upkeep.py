"""Which segments to make one: so that there are few, and none mostly of records that are gone."""

from collections.abc import Mapping, Sequence
from typing import Final

import numpy as np

from ctxls.index.segment import Segment
from ctxls.index.signatures import Places, Signatures

MOST_SMALL: Final = 3
"""Segments that are not full. A search asks each of them."""
FULL: Final = 16_384
"""Columns from which a segment is left alone: 16 MB, and the text of some 130 MB."""
FEW: Final = 64
"""Columns below which a segment waits for the next merge, however many of them are dead."""

Parts = Sequence[tuple[str, Places]]
"""Segments by name, each with the places of its records that are still of use."""


def merges(signatures: Signatures) -> Sequence[Parts]:
    """Return the merges that are due, each of them the parts of a new segment."""
    small = [name for name, segment in signatures.segments.items() if segment.columns < FULL]
    if len(small) <= MOST_SMALL and signatures.dead <= len(signatures.slots) // 4:
        return []
    live = {name: signatures.live_places(name) for name in signatures.segments}
    segments = signatures.segments
    due = [
        [(name, live[name])]
        for name, segment in segments.items()
        if _is_hollow(segment, live[name])
    ]
    hollow = {name for parts in due for name, _ in parts}
    small = [
        name for name, segment in segments.items() if segment.columns < FULL and name not in hollow
    ]
    if len(small) > MOST_SMALL:
        small.sort(key=lambda name: segments[name].columns)
        due.append([(name, live[name]) for name in sorted(_together(small, segments))])
    return due


def _together(small: Sequence[str], segments: Mapping[str, Segment]) -> Sequence[str]:
    """Take the smaller half, as far as it fits into one segment."""
    sizes = np.cumsum([segments[name].columns for name in small])
    fitting = max(2, int(np.searchsorted(sizes, FULL)))
    return small[: min(fitting, len(small) // 2 + 1)]


def _is_hollow(segment: Segment, live: Places) -> bool:
    """Whether most of a segment's columns are of no record any more."""
    if not len(live):
        return True
    used = int((segment.last[live] - segment.first[live] + 1).sum())
    return segment.columns > FEW and 2 * used < segment.columns
