"""How large an answer may become."""

import json
from typing import Any, Final

import pytest
from making import record
from peers import PeerOf

from ctxls.queries.limits import Limits

MOST: Final = 4 << 20
CONTROLS: Final = "\x01" * 390
"""JSON writes each of these in six bytes."""
DEEP: Final = "".join(f"{'#' * level} {'漢' * 60}{level}\n" for level in range(1, 7))


def size(found: Any) -> int:
    return len(json.dumps(found, ensure_ascii=False, separators=(",", ":")).encode())


@pytest.mark.parametrize(
    ("text", "mode", "ends"),
    [
        (f"{DEEP}\n" + f"needle{CONTROLS}\n" * 100, "content", "bytes"),
        ("needle\n" * 1000, "content", "bytes"),
        (f"{DEEP}needle", "files_with_matches", "bytes"),
        ("needle", "count", None),
    ],
)
async def test_an_answer_takes_4_mib_of_json_at_most(
    peer_of: PeerOf, text: str, mode: str, ends: str | None
) -> None:
    records = [record(text, "漢" * 100, title=f"{CONTROLS}{n}") for n in range(1200)]
    peer = await peer_of(records, limits=Limits(most_matches=100_000))
    asked = {"pattern": "needle", "outputMode": mode, "contextLines": 20, "maxMatches": 100_000}
    found = await peer.result("context/grep", asked)
    assert found.get("truncatedBy") == ends
    assert size(found) <= MOST
    assert ends is None or size(found) > MOST // 2
