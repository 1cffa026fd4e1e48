"""One row of grep: ctxls and the others in turns, and whether they found the same lines."""

from collections.abc import Mapping, Sequence
from dataclasses import dataclass, field
from statistics import median
from typing import Any, Final

from bench import rivals
from bench.ground import Ground, Records
from bench.questions import AHEAD, MOST, Question, expected, questions
from bench.rivals import Ran, Rival
from bench.scanning import scanned
from bench.table import Aim, Line, milliseconds
from bench.wire import Wire

Found = set[tuple[str, int]]
SECONDS_A_ROW: Final = 6.0
"""A row whose turns take long has fewer of them, but never under FEWEST."""
FEWEST: Final = 3


@dataclass
class Grepping:
    """Runs rows on one ground; `wrong` says where an answer was not the others' answer."""

    wire: Wire
    ground: Ground
    records: Records
    rounds: int
    absent: Sequence[str]
    wrong: list[str] = field(default_factory=list)

    def lines(self) -> list[Line]:
        """Ask every question."""
        return [
            line
            for question in questions(self.ground, self.records)
            for line in self._row(question)
        ]

    def _row(self, question: Question) -> list[Line]:
        found, truth = self._checked(question)
        tools = self._tools(question)
        ours, theirs = self._timed(question, [tool for tool, _ in tools])
        shown = question.shown, milliseconds(ours)
        if not tools:
            return [Line(*shown, found=found)]
        return [
            Line(*shown, _named(tool, ran, truth), milliseconds(taken), taken / ours, aim, found)
            for (tool, aim), (taken, ran) in zip(tools, theirs, strict=True)
        ]

    def _tools(self, question: Question) -> list[tuple[Rival, Aim]]:
        found = []
        if "rg" not in self.absent:
            found.append((rivals.ripgrep(self.ground, question), Aim(question.aim)))
            if question.head_aim is not None:
                head = rivals.ripgrep_to_head(self.ground, question)
                found.append((head, Aim(question.head_aim)))
        if "csearch" not in self.absent:
            found.append((rivals.codesearch(self.ground, question), Aim(AHEAD, "over")))
        return found

    def _timed(
        self, question: Question, tools: Sequence[Rival]
    ) -> tuple[float, list[tuple[float, Ran]]]:
        """Take turns; return everybody's median, and what each of the others wrote last."""
        ours: list[float] = []
        theirs: list[list[Ran]] = [[] for _ in tools]
        while len(ours) < self.rounds:
            ours.append(self.wire.ask("context/grep", params(question)).seconds)
            for tool, ran in zip(tools, theirs, strict=True):
                ran.append(tool.run())
            spent = sum(ours) + sum(one.seconds for ran in theirs for one in ran)
            if len(ours) >= FEWEST and spent > SECONDS_A_ROW:
                break
        return median(ours), [(median(one.seconds for one in ran), ran[-1]) for ran in theirs]

    def _checked(self, question: Question) -> tuple[str, Found]:
        """Compare what is found and note a difference; return how much it is, and all of it."""
        answer = self.wire.ask("context/grep", params(question)).result
        ours = {(row["contextId"], row["lineNumber"]) for row in answer["results"]}
        theirs = self._truth(question)
        is_part = answer["truncated"] and ours
        wanted = self._first(ours, theirs) if is_part else theirs
        self._compare(question, self._even(ours), self._even(wanted), answer)
        count = f"{answer['totalMatches']:,}"
        return (f"{count} of {len(theirs):,} lines" if is_part else count), theirs

    def _truth(self, question: Question) -> Found:
        """Ask ripgrep, or scan with Python where there is none."""
        if "rg" in self.absent:
            return scanned(self.ground.files, question)
        return rivals.ripgrep(self.ground, question).run().lines

    def _first(self, ours: Found, theirs: Found) -> Found:
        """Return those lines that come before the last one that we found, and that one."""
        place = {record: number for number, record in enumerate(self.records.ids)}
        last = max((place[record], line) for record, line in ours)
        return {found for found in theirs if (place[found[0]], found[1]) <= last}

    def _even(self, found: Found) -> Found:
        return {(record, line) for record, line in found if record not in self.records.odd}

    def _compare(
        self, question: Question, ours: Found, wanted: Found, answer: Mapping[str, Any]
    ) -> None:
        if ours != wanted:
            extra, lost = sorted(ours - wanted)[:2], sorted(wanted - ours)[:2]
            sizes = f"{len(ours):,} lines instead of {len(wanted):,}"
            self.wrong.append(f"{question.shown}: {sizes}; extra {extra}, lost {lost}")
        if answer["truncated"] and answer["truncatedBy"] != "matches":
            self.wrong.append(f"{question.shown}: ended by {answer['truncatedBy']}")
        planted = expected(question, len(self.records.ids)) if self.ground.is_made else None
        held = len({record for record, _ in ours})
        if planted is not None and held != planted and not answer["truncated"]:
            self.wrong.append(f"{question.shown}: in {held:,} records instead of {planted:,}")


def _named(tool: Rival, ran: Ran, truth: Found) -> str:
    """Name a tool, with how many lines it found where these are not all."""
    found = len(ran.lines)
    return tool.name if found in {len(truth), MOST} else f"{tool.name} ({found:,} lines)"


def params(question: Question) -> Mapping[str, Any]:
    """Return the params of context/grep that ask a question."""
    return {
        "pattern": question.pattern,
        "isRegex": question.is_regex,
        "caseSensitive": question.case_sensitive,
        "outputMode": "content",
        "maxMatches": MOST,
    }
