"""A progress bar, where somebody looks."""

import sys
from collections.abc import Callable, Iterator, Sequence
from contextlib import contextmanager
from pathlib import Path

from ctxls.writing.arrivals import count_files


@contextmanager
def shown_progress(paths: Sequence[Path]) -> Iterator[Callable[[], None]]:
    """Show on a terminal how far an import is; what this yields is called once an item."""
    if not sys.stderr.isatty():
        yield lambda: None
        return
    from rich.console import Console  # noqa: PLC0415 - slow to import, and rarely needed
    from rich.progress import BarColumn, MofNCompleteColumn, Progress, TextColumn  # noqa: PLC0415

    columns = (TextColumn("importing"), BarColumn(), MofNCompleteColumn())
    with Progress(*columns, console=Console(stderr=True), transient=True) as progress:
        bar = progress.add_task("", total=count_files(paths))
        yield lambda: progress.advance(bar)
