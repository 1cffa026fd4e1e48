"""One store with what the tests read, and a Neovim for each test."""

from collections.abc import Callable, Iterator
from contextlib import ExitStack
from pathlib import Path

import pytest
from editors.neovim.driving import Neovim, NeovimOf, headless, init_of, relayed
from editors.neovim.odd import EMPTY, ODD
from editors.neovim.shelf import PLAIN, Shelf, shelf_of


@pytest.fixture(scope="session")
def shelf(tmp_path_factory: pytest.TempPathFactory) -> Shelf:
    """Return the store that most tests read and none changes."""
    return shelf_of(tmp_path_factory.mktemp("shelf"), [*PLAIN, *ODD, *EMPTY])


@pytest.fixture
def own_shelf(tmp_path: Path) -> Shelf:
    """Return a store that a test may change."""
    return shelf_of(tmp_path, PLAIN)


@pytest.fixture(scope="session")
def many_neovims(tmp_path_factory: pytest.TempPathFactory) -> Iterator[NeovimOf]:
    """Start Neovims with the client, each in a folder of its own, that live to the end."""
    with ExitStack() as running:
        yield starter(running, lambda: tmp_path_factory.mktemp("neovim"))


@pytest.fixture
def neovim_of(tmp_path_factory: pytest.TempPathFactory) -> Iterator[NeovimOf]:
    """Start Neovims with the client for one test."""
    with ExitStack() as running:
        yield starter(running, lambda: tmp_path_factory.mktemp("neovim"))


def starter(running: ExitStack, folder_of: Callable[[], Path]) -> NeovimOf:
    def start(
        shelf: Shelf, *arguments: str, before: str = "", after: str = "", **more: str
    ) -> Neovim:
        folder = folder_of()
        init = init_of(relayed(folder, shelf.store), shelf.store, before, after)
        return running.enter_context(headless(Neovim(folder, init), *arguments, **more))

    return start


@pytest.fixture(scope="session")
def lasting_neovim(many_neovims: NeovimOf, shelf: Shelf) -> Neovim:
    return many_neovims(shelf)


@pytest.fixture
def neovim(lasting_neovim: Neovim) -> Neovim:
    """Return the Neovim that most tests share, with nothing in it."""
    lasting_neovim.renew()
    return lasting_neovim
