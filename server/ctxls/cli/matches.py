"""Printing what grep found: `thread/title:line:text`, as grep itself does."""

from collections.abc import Iterator, Sequence
from dataclasses import dataclass, field
from itertools import groupby

from ctxls.cli.terminal import Output
from ctxls.queries.grep import GrepAnswer, MatchRow
from ctxls.records.place import Place
from ctxls.text.lines import Span


@dataclass(slots=True)
class Line:
    """A line to show, at most once however many matches it has; `start` is its first offset."""

    number: int
    text: str
    start: int = 0
    matches: list[Span] = field(default_factory=list)


def print_matches(found: GrepAnswer, output: Output) -> None:
    """Print lines, names or counts, whichever was asked for."""
    if found.mode == "content":
        _print_rows(found.rows, output)
        return
    for item in found.records:
        name = output.paint(_name(item.place, output), "name")
        if found.mode == "count":
            output.line(f"{name}:{output.paint(str(item.count), 'number')}")
        else:
            output.line(f"{output.paint(item.place.record_id, 'id')}  {name}")


def _print_rows(rows: Sequence[MatchRow], output: Output) -> None:
    """Print records apart from one another, and lines that are not neighbours, by `--`."""
    has_context = any(row.before or row.after for row in rows)
    last: tuple[str, int] | None = None
    for record_id, group in groupby(rows, key=lambda row: row.place.record_id):
        of_record = list(group)
        for line in _lines(of_record):
            if has_context and last and last not in _just_before(record_id, line.number):
                output.line(output.paint("--", "dim"))
            _print_line(of_record[0].place, line, output)
            last = record_id, line.number


def _just_before(record_id: str, number: int) -> tuple[tuple[str, int], ...]:
    return (record_id, number - 1), (record_id, number)


def _lines(rows: Sequence[MatchRow]) -> Iterator[Line]:
    """Merge the matches of a record into lines in order; a match wins over its neighbour's context.

    A line of more than 400 characters comes in several pieces, where its matches are far apart.
    """
    matching: dict[tuple[int, int], Line] = {}
    around: dict[int, Line] = {}
    for row in rows:
        key = row.line_number, row.line_start
        line = matching.setdefault(key, Line(row.line_number, row.line, row.line_start))
        line.matches.append(row.match)
        for number, text in _context(row):
            around.setdefault(number, Line(number, text))
    numbers = {line.number for line in matching.values()}
    rest = [line for line in around.values() if line.number not in numbers]
    yield from sorted([*matching.values(), *rest], key=lambda line: (line.number, line.start))


def _context(row: MatchRow) -> Iterator[tuple[int, str]]:
    yield from enumerate(row.before, row.line_number - len(row.before))
    yield from enumerate(row.after, row.line_number + 1)


def _print_line(place: Place, line: Line, output: Output) -> None:
    mark = ":" if line.matches else "-"
    name = output.paint(_name(place, output), "name")
    number = output.paint(str(line.number), "number")
    output.line(f"{name}{mark}{number}{mark}{_highlighted(line, output)}")


def _highlighted(line: Line, output: Output) -> str:
    pieces, done = [], 0
    for match in line.matches:
        start, end = (min(max(at - line.start, done), len(line.text)) for at in _ends(match))
        pieces += [output.text(line.text[done:start])]
        pieces += [output.paint(output.text(line.text[start:end]), "match")]
        done = end
    return "".join([*pieces, output.text(line.text[done:])])


def _ends(match: Span) -> tuple[int, int]:
    return match.start, match.end


def _name(place: Place, output: Output) -> str:
    return output.name(f"{place.thread}/{place.title}")
