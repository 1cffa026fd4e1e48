"""The load script on a small store, for its correctness alone: no time is judged here."""

from pathlib import Path

from load.load import LETTERS, PATTERNS, measured
from processes import stored


async def test_outlines_are_answered_while_hostile_searches_run(tmp_path: Path) -> None:
    await stored(tmp_path / "store.db", [LETTERS * 200, "# Title\ntext"])
    found = await measured(tmp_path, PATTERNS[0], searches=2, seconds=0.3)
    assert found.outlasted
    assert found.times
    assert found.at(0) <= found.at(0.99) <= found.at(1)
