"""Stores on disk, and real servers of them."""

from collections.abc import AsyncIterator, Sequence
from pathlib import Path
from typing import Any

import pytest
from processes import Child, ChildOf, command, environment


@pytest.fixture
async def child_of(tmp_path: Path) -> AsyncIterator[ChildOf]:
    """Start servers of stores, which end with the test."""
    children: list[Child] = []

    async def start(store: Path, words: Sequence[str] = (), **streams: Any) -> Child:
        child = await Child.start(words or command(store), environment(tmp_path), **streams)
        children.append(child)
        return child

    yield start
    for child in children:
        await child.end()
