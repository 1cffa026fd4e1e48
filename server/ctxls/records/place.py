"""Which record an answer is about, in what an answer needs to show it."""

from dataclasses import dataclass


@dataclass(frozen=True, slots=True)
class Place:
    """Which record, as answers name it: enough to build its URI without asking the store."""

    record_id: str
    thread: str
    title: str
