"""`ctxls doctor`: what is set, what the store is, and what to do where something is wrong."""

import argparse
import asyncio
import platform
from collections.abc import Iterator, Sequence
from dataclasses import dataclass
from typing import Final

from ctxls import __version__, wiring
from ctxls.cli.arguments import settings_of
from ctxls.cli.asking import missing
from ctxls.cli.exits import DONE, NOTHING
from ctxls.cli.terminal import Output
from ctxls.errors import CtxlsError
from ctxls.queries.library import Library
from ctxls.queries.status import Status, status
from ctxls.records.access import OWNER
from ctxls.settings import Settings, default_config, default_store

EXAMPLE: Final = "ctxls doctor --store ~/notes.db"

MOST_WRONG: Final = 5
"""Lines shown of what is wrong: a damaged page is followed by all that it leads to."""


@dataclass(frozen=True, slots=True)
class Findings:
    """What was found out about the store; `wrong` is empty for a sound one."""

    status: Status | None
    wrong: Sequence[str]


def add_arguments(_parser: argparse.ArgumentParser) -> None:
    """Declare the arguments: there are none of its own."""


def run(args: argparse.Namespace) -> int:
    """Print what was found; 1 when something is wrong. Nothing is changed."""
    settings, output = settings_of(args), Output()
    found = _look(settings)
    for name, text in _lines(settings, found):
        output.line(f"{output.paint(f'{name:9}', 'bold')} {output.name(text)}")
    return NOTHING if found.wrong else DONE


def _look(settings: Settings) -> Findings:
    if not settings.store.exists():
        return Findings(None, [missing(settings.store)])
    try:
        return asyncio.run(_ask(settings))
    except CtxlsError as error:
        return Findings(None, [error.message])


async def _ask(settings: Settings) -> Findings:
    library: Library = wiring.library(settings)
    try:
        found = await status(library, OWNER)
        return Findings(found, await wiring.damage(settings))
    finally:
        await library.close()


def _lines(settings: Settings, found: Findings) -> Iterator[tuple[str, str]]:
    yield "ctxls", f"{__version__}, on Python {platform.python_version()}"
    config = default_config()
    yield "settings", f"{config}" if config.exists() else f"the defaults ({config} is not there)"
    yield "log", str(settings.log)
    is_default = settings.store == default_store()
    yield "store", f"{settings.store}{' (the default one)' if is_default else ''}"
    if found.status:
        yield "layout", f"{found.status.layout}, on {found.status.backend}"
        yield "records", f"{found.status.records:,}"
        yield "access", _access(found.status)
    for wrong in found.wrong[:MOST_WRONG]:
        yield "wrong", wrong
    yield "verdict", _verdict(found)


def _access(found: Status) -> str:
    if not found.read_only:
        return "read and write"
    return "read only; to store records, import into a store of ctxls's own"


def _verdict(found: Findings) -> str:
    if not found.wrong:
        return "all is well"
    if found.status:  # it opens, and is damaged all the same
        return "the store is damaged; restore it from a backup"
    return "the store cannot be used as it is"
