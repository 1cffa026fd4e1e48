"""A Markdown file as a record: what its place in the folder and its front matter say about it."""

from collections.abc import Mapping
from dataclasses import dataclass
from typing import Any, Final

from ctxls.records.record import SOURCES, NewRecord
from ctxls.writing.folders import Parts
from ctxls.writing.front_matter import FrontMatter, front_matter

PATH: Final = "path"
NAMELESS: Final = "root"
"""The thread of files directly in `/`, which has no name of its own."""


@dataclass(frozen=True, slots=True)
class Defaults:
    """What the caller says of records that do not say it themselves."""

    source: str = SOURCES[0]
    thread: str | None = None


@dataclass(frozen=True, slots=True)
class FileRecord(NewRecord):
    """A record made of a file: its path is in its metadata, and its newest text counts."""


def record_of(text: str, parts: Parts, folder_name: str, defaults: Defaults) -> FileRecord:
    """Make a record of a file's text. The front matter stays in it.

    The thread is the file's folder, or the folder's own name for files directly in it, and the
    front matter may say `thread`, `source`, `title` and `tags`. One of these with a value that
    cannot be one (a `source` that is an address, say) is metadata like any other key.
    """
    matter = front_matter(text)
    said: dict[str, Any] = {**_word(matter, "thread"), **_source(matter), **_tags(matter)}
    title = _word(matter, "title")
    folder = "/".join(parts[:-1]) or folder_name or NAMELESS
    return FileRecord(
        thread=said.get("thread", defaults.thread or folder),
        source=said.get("source", defaults.source),
        text=text,
        tags=said.get("tags", ()),
        metadata=_metadata(matter.values, said) | title | {PATH: "/".join(parts)},
    )


def _metadata(values: Mapping[str, Any], said: Mapping[str, Any]) -> dict[str, Any]:
    return {key: value for key, value in values.items() if key not in said}


def _word(matter: FrontMatter, key: str) -> dict[str, str]:
    word = matter.texts.get(key, "").strip()
    return {key: word} if word else {}


def _source(matter: FrontMatter) -> dict[str, str]:
    said = _word(matter, "source")
    return said if said.get("source") in SOURCES else {}


def _tags(matter: FrontMatter) -> dict[str, tuple[str, ...]]:
    """Read a list of tags, or one text with commas between them."""
    if "tags" in matter.texts:
        written = tuple(matter.texts["tags"].split(","))
    elif "tags" in matter.lists:
        written = matter.lists["tags"]
    else:
        return {}
    return {"tags": tuple(tag.strip() for tag in written if tag.strip())}
