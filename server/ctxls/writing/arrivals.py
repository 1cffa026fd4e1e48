"""What paths hold, one after the other: a record, or the reason why there is none."""

import os
from collections.abc import Callable, Iterator, Sequence
from contextlib import closing
from dataclasses import dataclass, field
from functools import partial
from pathlib import Path
from typing import Final

from ctxls.errors import InvalidParamsError
from ctxls.records.record import NewRecord
from ctxls.records.storable import refuse_record
from ctxls.writing import json_lines
from ctxls.writing.folders import FILE_FLAGS, Folder, Parts, is_markdown
from ctxls.writing.markdown import Defaults, record_of
from ctxls.writing.refusals import Refusal, RefusedFileError, failure
from ctxls.writing.texts import read_text, regular

JSON_LINES: Final = ".jsonl"
ESCAPED: Final = 2
"""How many times as long as its text a JSON line may be, for what its escapes take."""
BESIDES: Final = 1 << 20
"""Bytes that a JSON line may hold beside its text."""


@dataclass(frozen=True, slots=True)
class Arrivals:
    """Reads paths into records that can be stored; `longest_text` is in bytes of UTF-8."""

    longest_text: int
    defaults: Defaults = field(default_factory=Defaults)

    def of(self, paths: Sequence[Path]) -> Iterator[NewRecord | Refusal]:
        """Read folders, Markdown files and JSON lines, in the order of `paths`."""
        for path in paths:
            try:
                yield from self._of(path)
            except OSError as error:
                yield Refusal(str(path), failure(error))
            except RefusedFileError as error:
                yield Refusal(str(path), str(error))

    def _of(self, path: Path) -> Iterator[NewRecord | Refusal]:
        if path.is_dir():
            yield from self._of_folder(path)
        elif path.name.lower().endswith(JSON_LINES):
            yield from self._of_lines(path)
        elif is_markdown(path.name):
            whole = Path(os.path.abspath(path))  # noqa: PTH100 - resolving would follow the link
            opening = partial(os.open, path, FILE_FLAGS)
            make = partial(self._of_file, opening, (path.name,), whole.parent.name)
            yield self._checked(str(path), make)
        else:
            path.stat()  # a missing one is better called missing
            raise RefusedFileError("it is neither a folder nor a .md, .markdown or .jsonl file")

    def _of_folder(self, path: Path) -> Iterator[NewRecord | Refusal]:
        name = Path(os.path.abspath(path)).name  # noqa: PTH100 - as above
        with closing(Folder(path)) as folder:
            for found in folder.markdown():
                if isinstance(found, Refusal):
                    yield found
                    continue
                opening = partial(folder.open, found.real)
                make = partial(self._of_file, opening, found.parts, name)
                yield self._checked(folder.shown(found), make)

    def _of_file(self, opening: Callable[[], int], parts: Parts, folder_name: str) -> NewRecord:
        with regular(opening()) as descriptor:
            text = read_text(descriptor, self.longest_text)
        return record_of(text, parts, folder_name, self.defaults)

    def _of_lines(self, path: Path) -> Iterator[NewRecord | Refusal]:
        most = ESCAPED * self.longest_text + BESIDES
        with (
            regular(os.open(path, FILE_FLAGS)) as descriptor,
            open(descriptor, "rb", closefd=False) as file,
        ):
            for number, line in json_lines.numbered(file, most):
                yield self._checked(f"{path}:{number}", partial(self._of_line, line))

    def _of_line(self, line: bytes | None) -> NewRecord:
        if line is None:
            raise RefusedFileError("it is too long a line")
        return json_lines.record_in(line, self.defaults)

    def _checked(self, what: str, make: Callable[[], NewRecord]) -> NewRecord | Refusal:
        try:
            record = make()
            refuse_record(record, self.longest_text)
        except OSError as error:
            return Refusal(what, failure(error))
        except RefusedFileError as error:
            return Refusal(what, str(error))
        except InvalidParamsError as error:
            return Refusal(what, error.message.rstrip("."))
        return record


def count_files(paths: Sequence[Path]) -> int:
    """Count what an import will look at, for the length of a progress bar."""
    total = 0
    for path in paths:
        try:
            with closing(Folder(path)) as folder:
                total += sum(1 for _ in folder.markdown())
        except OSError:
            total += 1  # a file, or what will be refused
    return total
