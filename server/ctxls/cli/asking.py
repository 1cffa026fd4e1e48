"""Putting one question to a store: it is opened, asked, and let go."""

import asyncio
from collections.abc import Awaitable, Callable, Iterator
from contextlib import contextmanager
from pathlib import Path
from shlex import quote
from typing import Final, TypeVar

from ctxls import wiring
from ctxls.errors import (
    StoreBusyError,
    StoreDamagedError,
    StoreNewerError,
    StoreUnavailableError,
)
from ctxls.lsp.extensions.view import View
from ctxls.queries.library import Library
from ctxls.settings import Settings, default_store
from ctxls.text.positions import Encoding

Answer = TypeVar("Answer")
OF_THE_STORE: Final = (StoreBusyError, StoreDamagedError, StoreNewerError, StoreUnavailableError)


def ask(settings: Settings, query: Callable[[Library], Awaitable[Answer]]) -> Answer:
    """Ask the store that must be there already."""
    if not settings.store.exists():
        raise StoreUnavailableError(missing(settings.store))
    with naming(settings.store):
        return asyncio.run(_ask(wiring.library(settings, mapped=True), query))


def view_of(library: Library) -> View:
    """Show answers as `--json` does: canonical URIs, columns in code points."""
    return View(library.uri, Encoding.UTF32)


def missing(store: Path) -> str:
    """Say that there is no store, and how one is made."""
    option = "" if store == default_store() else f" --store {quote(str(store))}"
    return f"There is no store at {store}; `ctxls import FOLDER{option}` makes one."


@contextmanager
def naming(store: Path) -> Iterator[None]:
    """Put the store's path before what is wrong with it: nothing below this knows it."""
    try:
        yield
    except OF_THE_STORE as error:
        raise type(error)(f"{store}: {error.message}", **error.data) from error


async def _ask(library: Library, query: Callable[[Library], Awaitable[Answer]]) -> Answer:
    try:
        return await query(library)
    finally:
        await library.close()
