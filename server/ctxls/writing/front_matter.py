"""YAML front matter: the mapping at the very top of a Markdown text, read as JSON values.

Read by PyYAML's safe loader, within bounds, since a file may come from anywhere: at most 64 KiB,
no aliases (a few lines of them grow to gigabytes), no tags but `!!str`, no deeper than metadata
may be. What YAML knows and JSON does not becomes text: a date is the ISO 8601 string of itself,
and so is what its author would not call a number (`10:30` is 630 in YAML 1.1).
"""

from collections.abc import Iterator, Mapping
from dataclasses import dataclass, field
from datetime import date
from typing import Any, Final

import yaml

from ctxls.records.metadata import DEEPEST, fits_64_bits
from ctxls.text.lines import Lines
from ctxls.text.outline import front_matter_lines
from ctxls.text.slices import BOM
from ctxls.writing.refusals import RefusedFileError

LARGEST: Final = 64 << 10
_TAG: Final = "tag:yaml.org,2002:"
_ALLOWED_TAGS: Final = (None, "!", _TAG + "str")


class _Loader(getattr(yaml, "CSafeLoader", yaml.SafeLoader)):  # type: ignore[misc]
    """The safe loader, ten times faster where PyYAML was built with libyaml."""


@dataclass(frozen=True, slots=True)
class FrontMatter:
    """What the front matter says: `values` as JSON, and `texts`, its plain entries as written.

    `version: 1.10` is 1.1 in `values` and `1.10` in `texts`.
    """

    values: Mapping[str, Any] = field(default_factory=dict)
    texts: Mapping[str, str] = field(default_factory=dict)
    lists: Mapping[str, tuple[str, ...]] = field(default_factory=dict)
    """The entries that are lists of plain values, each value as written."""


def front_matter(text: str) -> FrontMatter:
    """Read the front matter of `text`; what is no mapping is text between two rules.

    Raises RefusedFileError where it is no YAML, or more than the bounds allow.
    """
    source = _source(text)
    if not source:
        return FrontMatter()
    if len(source.encode()) > LARGEST:
        raise RefusedFileError(f"its front matter is over {LARGEST} bytes")
    try:
        _refuse_hostile(source)
        return _read(_Loader(source))
    except yaml.MarkedYAMLError as error:
        raise RefusedFileError(_where(error)) from None
    except yaml.YAMLError:
        raise RefusedFileError("its front matter holds a character that YAML forbids") from None


def _source(text: str) -> str:
    """Cut the YAML out from between its fences; only texts that may have it are indexed."""
    if not text.removeprefix(BOM).startswith("---"):
        return ""
    lines = Lines.of(text)
    count = front_matter_lines(text, lines)
    return text[lines.starts[1] : lines.starts[count - 1]] if count else ""


def _refuse_hostile(source: str) -> None:
    """Look at the events, which nest no call, before anything is built of them."""
    depth = 0
    for event in yaml.parse(source, _Loader):
        if isinstance(event, yaml.AliasEvent):
            raise RefusedFileError(f"its front matter has the alias *{event.anchor}")
        if isinstance(event, yaml.CollectionEndEvent):
            depth -= 1
        elif isinstance(event, yaml.ScalarEvent | yaml.CollectionStartEvent):
            if event.tag not in _ALLOWED_TAGS:
                raise RefusedFileError(f"its front matter has the tag {event.tag}")
            depth += isinstance(event, yaml.CollectionStartEvent)
        if depth > DEEPEST:
            raise RefusedFileError(f"its front matter is nested deeper than {DEEPEST} levels")


def _read(loader: Any) -> FrontMatter:
    node = loader.get_single_node()
    if not isinstance(node, yaml.MappingNode):
        return FrontMatter()
    entries = [(key.value, value) for key, value in node.value if isinstance(key, yaml.ScalarNode)]
    return FrontMatter(
        _as_json(loader.construct_document(node)),
        {key: value.value for key, value in entries if _is_plain(value)},
        {key: tuple(_texts(value)) for key, value in entries if _is_plain_list(value)},
    )


def _is_plain(node: yaml.Node) -> bool:
    """Whether this is a single value, and not the absence of one."""
    return isinstance(node, yaml.ScalarNode) and node.tag != _TAG + "null"


def _is_plain_list(node: yaml.Node) -> bool:
    return isinstance(node, yaml.SequenceNode) and all(
        isinstance(item, yaml.ScalarNode) for item in node.value
    )


def _texts(node: yaml.Node) -> Iterator[str]:
    return (item.value for item in node.value if _is_plain(item))


def _as_json(value: Any) -> Any:
    if isinstance(value, dict):
        return {_key(key): _as_json(item) for key, item in value.items()}
    if isinstance(value, list):
        return [_as_json(item) for item in value]
    return value.isoformat() if isinstance(value, date) else value


def _key(key: Any) -> str:
    """Return a key as JSON would have it: `true`, `null` and `2` for what is no text."""
    if isinstance(key, str):
        return key
    if key is None or isinstance(key, bool):  # by its type: 1 equals True
        return {True: "true", False: "false", None: "null"}[key]
    return str(_as_json(key))


def _where(error: yaml.MarkedYAMLError) -> str:
    """Say what is wrong and in which line of the file, whose first line is the fence."""
    what = error.problem or error.context or "it cannot be read"
    line = f" (line {error.problem_mark.line + 2})" if error.problem_mark else ""
    return f"its front matter is not YAML{line}: {what}"


def _number(loader: Any, node: yaml.ScalarNode) -> Any:
    try:
        number = loader.construct_yaml_int(node)
    except ValueError:
        return node.value
    return number if ":" not in node.value and fits_64_bits(number) else node.value


def _fraction(loader: Any, node: yaml.ScalarNode) -> Any:
    try:
        number = loader.construct_yaml_float(node)
    except (ValueError, OverflowError):  # 1:1:1, two hundred times over, by sixties
        return node.value
    return number if ":" not in node.value else node.value


def _time(loader: Any, node: yaml.ScalarNode) -> Any:
    try:
        return loader.construct_yaml_timestamp(node)
    except ValueError:  # 2026-13-45
        return node.value


def _text(_loader: Any, node: yaml.ScalarNode) -> Any:
    return node.value  # a lone `=`, for which YAML 1.1 has a type of its own


_CONSTRUCT: Final = {"int": _number, "float": _fraction, "timestamp": _time, "value": _text}
for _kind, _construct in _CONSTRUCT.items():
    _Loader.add_constructor(_TAG + _kind, _construct)
