"""Folders of Markdown files: which are found, in which order, and how they are opened safely.

A folder may hold anything: links that lead out of it or back into it, pipes, names that are no
text. Every file is opened beneath the folder, one path segment after the other and never through
a link, so that nothing outside is read even if the folder changes meanwhile; and without waiting
for a pipe's other end.
"""

import os
import stat
from collections.abc import Iterator
from dataclasses import dataclass, replace
from pathlib import Path
from typing import Final

from ctxls.writing.refusals import NOT_REGULAR, Refusal, failure

MARKDOWN: Final = (".md", ".markdown")
DEEPEST: Final = 100
Parts = tuple[str, ...]
"""A path relative to the folder, as its segments; () is the folder itself."""
FILE_FLAGS: Final = os.O_RDONLY | os.O_NONBLOCK | os.O_CLOEXEC
"""Does not wait for a pipe's other end."""
_FOLDER_FLAGS: Final = os.O_RDONLY | os.O_DIRECTORY | os.O_NOFOLLOW | os.O_CLOEXEC


@dataclass(frozen=True, slots=True)
class Found:
    """A file or folder: `parts` is the path that it was found by, `real` where it lies.

    The two differ where a link was followed.
    """

    parts: Parts
    real: Parts
    kind: str = "file"
    """`file`, `folder`, `link`, or `other` for pipes, sockets and devices."""

    @property
    def is_wanted(self) -> bool:
        """Whether its name makes it a folder to look into, or a file to import."""
        return self.kind == "folder" or is_markdown(self.parts[-1])


class Folder:
    """An open folder. `path` is what its user calls it, in refusals."""

    def __init__(self, path: Path) -> None:
        self.path = path
        self._real = Path(os.path.realpath(path, strict=True))  # a loop is an OSError here
        self._descriptor = os.open(self._real, _FOLDER_FLAGS)
        self._linked: set[Parts] = set()

    def close(self) -> None:
        """Let go of the folder."""
        os.close(self._descriptor)

    def markdown(self) -> Iterator[Found | Refusal]:
        """Find its Markdown files: those of a folder by name, then those of the folders in it.

        Hidden files and folders (`.git`) and `node_modules` are not looked into. A link to what is
        found anyway is skipped; one to another place inside is followed, once.
        """
        self._linked.clear()
        folders = [Found((), (), "folder")]
        while folders:
            inner: list[Found] = []
            for item in self._entries(folders.pop()):
                if isinstance(item, Found) and item.kind == "folder":
                    inner.append(item)
                else:
                    yield item
            folders.extend(reversed(inner))

    def open(self, real: Parts) -> int:
        """Open a file for reading and return its descriptor; OSError where that cannot be."""
        return self._beneath(real, FILE_FLAGS | os.O_NOFOLLOW)

    def shown(self, found: Found) -> str:
        """Name a file as the folder's user would."""
        return str(Path(self.path, *found.parts))

    def _entries(self, folder: Found) -> Iterator[Found | Refusal]:
        try:
            entries = self._listed(folder)
        except OSError as error:
            yield Refusal(self.shown(folder), failure(error))
            return
        for entry in entries:
            found = self._followed(entry) if entry.kind == "link" else entry
            if isinstance(found, Refusal):
                yield found
            elif found and found.is_wanted:
                why = _unwanted(found)
                yield Refusal(self.shown(found), why) if why else found

    def _listed(self, folder: Found) -> list[Found]:
        descriptor = self._beneath(folder.real, _FOLDER_FLAGS)
        try:
            with os.scandir(descriptor) as entries:
                names = sorted((entry.name, _kind(entry)) for entry in entries)
        finally:
            os.close(descriptor)
        return [
            Found((*folder.parts, name), (*folder.real, name), kind)
            for name, kind in names
            if not _is_skipped(name)
        ]

    def _followed(self, link: Found) -> Found | Refusal | None:
        """Find what a link leads to; None where that is found without it, or is not wanted."""
        path = self._real.joinpath(*link.real)
        mode = _mode_behind(path)
        found = replace(link, kind="folder" if stat.S_ISDIR(mode) else "file")
        if not found.is_wanted:
            return None
        real = Path(os.path.realpath(path))
        if not real.is_relative_to(self._real):
            return Refusal(self.shown(link), "it is a link that leads out of the folder")
        if not mode:
            return Refusal(self.shown(link), "it is a link that leads nowhere")
        found = replace(found, real=real.relative_to(self._real).parts)
        if found.real in self._linked or _is_walked(found):
            return None
        self._linked.add(found.real)
        return found

    def _beneath(self, real: Parts, flags: int) -> int:
        descriptor = os.dup(self._descriptor)
        for number, part in enumerate(real, 1):
            outer = descriptor
            try:
                descriptor = os.open(
                    part, flags if number == len(real) else _FOLDER_FLAGS, dir_fd=outer
                )
            finally:
                os.close(outer)
        return descriptor


def is_markdown(name: str) -> bool:
    """Whether a file's name says that it is Markdown, in either case."""
    return name.lower().endswith(MARKDOWN)


def _kind(entry: "os.DirEntry[str]") -> str:
    if entry.is_symlink():
        return "link"
    if entry.is_dir(follow_symlinks=False):
        return "folder"
    return "file" if entry.is_file(follow_symlinks=False) else "other"


def _mode_behind(link: Path) -> int:
    """Return the mode of what a link leads to; 0 where that is nothing, or cannot be looked at."""
    try:
        return link.stat().st_mode
    except OSError:
        return 0


def _is_skipped(name: str) -> bool:
    return name.startswith(".") or name == "node_modules"


def _is_walked(found: Found) -> bool:
    """Whether the walk comes by itself to where a link leads."""
    return not any(map(_is_skipped, found.real)) and (
        found.kind == "folder" or is_markdown(found.real[-1])
    )


def _unwanted(found: Found) -> str | None:
    """Say why a file or folder is refused before it is opened."""
    try:
        found.parts[-1].encode()
    except UnicodeEncodeError:
        return "its name is not UTF-8"
    if found.kind == "folder" and len(found.parts) >= DEEPEST:
        return f"it is nested deeper than {DEEPEST} folders"
    return NOT_REGULAR if found.kind == "other" else None
