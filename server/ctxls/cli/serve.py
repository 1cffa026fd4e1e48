"""`ctxls serve`: an editor's server, on standard input and output."""

import argparse
import asyncio
import logging
import sys
from typing import Final

from ctxls import wiring
from ctxls.cli.arguments import settings_of
from ctxls.cli.logs import log_to_file
from ctxls.daemon.listeners import serve_stdio
from ctxls.errors import CtxlsError
from ctxls.lsp.offer import Offer
from ctxls.queries.library import Library
from ctxls.settings import Settings, default_store

EXAMPLE: Final = "ctxls serve --store ~/notes.db"
SWITCH_S: Final = 0.001
"""How long a thread that parses keeps Python's lock while the event loop waits for it."""
log: Final = logging.getLogger("ctxls.serve")


def add_arguments(_parser: argparse.ArgumentParser) -> None:
    """Declare the arguments: `--store` is all there is, since the client says the rest."""


def run(args: argparse.Namespace) -> int:
    """Serve until the client leaves; 0 when it said goodbye.

    Only the default store is made where there is none: a path that a person mistyped stays absent.
    """
    sys.setswitchinterval(SWITCH_S)
    settings = settings_of(args)
    log_to_file(settings.log)
    library = wiring.library(settings, create=settings.store == default_store())
    return asyncio.run(_serve(library, settings))


async def _serve(library: Library, settings: Settings) -> int:
    looking = asyncio.create_task(_look(library, settings))
    following = asyncio.create_task(library.indexing.follow())
    following.add_done_callback(_say_ended)
    try:
        return await serve_stdio(library, _offer(settings))
    finally:
        looking.cancel()
        following.cancel()
        await library.close()


def _say_ended(following: asyncio.Task[None]) -> None:
    """Log what nobody foresaw: searches stay right, and read ever more records."""
    if not following.cancelled() and (error := following.exception()):
        log.error("The search index is no longer kept up to date.", exc_info=error)


async def _look(library: Library, settings: Settings) -> None:
    """Log once what is served, or why nothing can be until the store is mended."""
    try:
        found = await library.store.describe()
    except CtxlsError as error:
        log.warning("%s: %s Requests are refused until that changes.", settings.store, error)
    else:
        access = "read-only" if found.read_only else "to read and write"
        log.info("Serving %s (%s), %s.", settings.store, found.layout, access)


def _offer(settings: Settings) -> Offer:
    return Offer(
        grep=settings.enable_grep_context,
        navigation=settings.enable_context_navigation,
        range=settings.enable_context_range,
        settings=settings.public(),
    )
