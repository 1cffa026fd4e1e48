"""What every store does, whatever the database: two callers, over every method of the port."""

import re
from collections.abc import Awaitable, Callable, Mapping, Sequence
from contextlib import suppress
from datetime import UTC, datetime, timedelta
from typing import Any

import pytest

from ctxls.errors import InvalidParamsError, NotFoundError
from ctxls.records.access import OWNER, Caller
from ctxls.records.filters import Filter, condition
from ctxls.records.record import NewRecord, Record
from ctxls.records.store import Page, RecordStore

ANNA, BOB, NOBODY = Caller("anna"), Caller("bob"), Caller("")
NOON = datetime(2026, 11, 30, 12, tzinfo=UTC)
ALL = Filter()

Records = Mapping[str, Record]
"""By text."""


@pytest.fixture
async def records(store: RecordStore) -> Records:
    """One record for all, one of Anna's own, one of the local owner's own."""
    added = await store.add(
        [
            NewRecord("common", "agent", "shared", tags=("all",)),
            NewRecord("annas", "agent", "anna's", tags=("hers", "both"), private=True),
        ],
        ANNA,
    )
    added = [
        *added,
        *await store.add(
            [NewRecord("owners", "user", "owner's", tags=("both", "own"), private=True)], OWNER
        ),
    ]
    return dict(zip(("shared", "anna's", "owner's"), added, strict=True))


async def _fetched(store: RecordStore, records: Records, caller: Caller) -> set[str]:
    found = set()
    for record in records.values():
        with suppress(NotFoundError):
            found.add((await store.fetch(record.id, caller)).text)
    return found


async def _candidates(store: RecordStore, records: Records, caller: Caller) -> set[str]:
    found = [await store.candidates(record.id, caller, 10) for record in records.values()]
    return {one.text for few in found for one in few}


async def _selected(store: RecordStore, records: Records, caller: Caller) -> set[str]:
    ids = await store.select(ALL, caller)
    return {text for text, record in records.items() if record.id in ids}


async def _streamed(store: RecordStore, records: Records, caller: Caller) -> set[str]:
    ids = [record.id for record in records.values()]
    batches = [batch async for batch in store.texts(ids, caller, 1)]
    return {text.data.decode() for batch in batches for text in batch}


async def _listed(store: RecordStore, records: Records, caller: Caller) -> set[str]:
    listed = {one.record.id for one in (await store.records(ALL, caller, 10, None)).items}
    return {text for text, record in records.items() if record.id in listed}


async def _threads(store: RecordStore, records: Records, caller: Caller) -> set[str]:
    listed = (await store.threads(ALL, caller, 10, None)).items
    assert all(thread.records == 1 for thread in listed)
    names = {thread.thread for thread in listed}
    return {text for text, record in records.items() if record.thread in names}


async def _tags(store: RecordStore, records: Records, caller: Caller) -> set[str]:
    counts = {tag.tag: tag.records for tag in (await store.tags(ALL, caller, 10, None)).items}
    seen = {text for text, record in records.items() if set(record.tags) <= counts.keys()}
    assert counts.get("both", 0) == len(seen - {"shared"})
    return seen


VISIBLE = [
    (ANNA, {"shared", "anna's"}),
    (BOB, {"shared"}),
    (NOBODY, {"shared"}),
    (OWNER, {"shared", "anna's", "owner's"}),
]
See = Callable[[RecordStore, Records, Caller], Awaitable[set[str]]]


@pytest.mark.parametrize(("caller", "visible"), VISIBLE)
@pytest.mark.parametrize(
    "see", [_fetched, _candidates, _selected, _streamed, _listed, _threads, _tags]
)
async def test_a_caller_sees_what_is_shared_and_its_own(
    store: RecordStore, records: Records, caller: Caller, visible: set[str], see: See
) -> None:
    assert await see(store, records, caller) == visible


@pytest.mark.parametrize(("caller", "visible"), VISIBLE)
async def test_a_caller_counts_what_it_may_read(
    store: RecordStore, records: Records, caller: Caller, visible: set[str]
) -> None:
    assert len(records) == 3
    assert await store.count(caller) == len(visible)


async def test_an_unreadable_record_answers_as_a_missing_one(
    store: RecordStore, records: Records
) -> None:
    answers = []
    for record_id in (records["anna's"].id, "0" * 32):
        with pytest.raises(NotFoundError) as refused:
            await store.fetch(record_id, BOB)
        answers.append((refused.value.message.replace(record_id, "ID"), list(refused.value.data)))
    assert answers[0] == answers[1]


@pytest.mark.parametrize("record_id", ["", "7", "\0", "\ud800", "x" * 5_000, "' OR 1 --"])
async def test_what_is_no_id_names_no_record(
    store: RecordStore, records: Records, record_id: str
) -> None:
    for asked in (record_id, records["shared"].id + record_id + "\0"):
        with pytest.raises(NotFoundError):
            await store.fetch(asked, OWNER)
        assert await _texts(store, [asked]) == []
        assert await store.select(Filter(ids=(asked,)), OWNER) == []


async def test_a_new_record_reads_as_it_was_stored(store: RecordStore) -> None:
    new = NewRecord(
        "deploy/db",
        "user",
        "# Ü 🧭\r\nline\u2028same\rlast ",
        content_type="multimodal",
        tags=(" DB ", "db", "Ärger"),
        metadata={"title": "Plan", "n": [1, 2.5, None, {"ключ": True}]},
        summary="A plan.",
    )
    before = datetime.now(UTC)
    [record] = await store.add([new], OWNER)
    found = await store.fetch(record.id, OWNER)
    assert found.record == record
    assert found.text == new.text
    assert (record.thread, record.source, record.content_type) == (
        "deploy/db",
        "user",
        "multimodal",
    )
    assert (record.tags, record.metadata) == (("db", "ärger"), new.metadata)
    assert (record.summary, record.version) == ("A plan.", 1)
    assert record.total_chars == len(new.text)
    assert record.content_hash is not None
    assert re.fullmatch("[0-9a-f]{64}", record.content_hash)
    assert re.fullmatch("[0-9a-f]{12}7[0-9a-f]{3}[89ab][0-9a-f]{15}", record.id)
    assert before <= record.created == record.updated <= datetime.now(UTC)


async def test_records_stored_together_are_newest_last_first(store: RecordStore) -> None:
    added = [*await _many(store, 300), *await _many(store, 300)]
    assert await store.select(ALL, OWNER) == [record.id for record in reversed(added)]
    assert len({record.id for record in added}) == 600


TIMES = [
    NOON,
    NOON + timedelta(microseconds=1),
    NOON + timedelta(microseconds=500_000),
    NOON + timedelta(microseconds=510_000),
    NOON + timedelta(seconds=1),
    NOON.replace(year=999),
    NOON.astimezone(),
]


async def test_records_are_ordered_by_their_time_to_the_microsecond(store: RecordStore) -> None:
    added = await store.add([_at(time) for time in TIMES], OWNER)
    assert [record.created for record in added] == TIMES
    newest_first = sorted(added, key=lambda record: (record.created, record.id), reverse=True)
    assert await store.select(ALL, OWNER) == [record.id for record in newest_first]
    assert [(await store.fetch(record.id, OWNER)).record for record in added] == added


@pytest.mark.parametrize("bound", TIMES)
async def test_after_is_inclusive_and_before_exclusive(store: RecordStore, bound: datetime) -> None:
    added = await store.add([_at(time) for time in TIMES], OWNER)
    after = await store.select(Filter(created_after=bound), OWNER)
    before = await store.select(Filter(created_before=bound), OWNER)
    assert set(after) == {record.id for record in added if record.created >= bound}
    assert set(before) == {record.id for record in added if record.created < bound}


SCOPED = [
    NewRecord("a", "user", "0", tags=("db", "x"), metadata={"n": 1}),
    NewRecord("a", "agent", "1", tags=("DB",), metadata={"n": 2}),
    NewRecord("b", "agent", "2", content_type="multimodal", metadata={"n": 3, "s": "X"}),
    NewRecord("A", "user", "3", tags=("ж",)),
]


@pytest.mark.parametrize(
    ("scope", "texts"),
    [
        (ALL, "3210"),
        (Filter(thread="a"), "10"),
        (Filter(thread="nowhere"), ""),
        (Filter(thread="a' OR 1 --"), ""),
        (Filter(source="agent"), "21"),
        (Filter(content_type="multimodal"), "2"),
        (Filter(tags=("db",)), "10"),
        (Filter(tags=(" Db\t", "Ж")), "310"),
        (Filter(tags=("d",)), ""),
        (Filter(ids=()), ""),
        (Filter(conditions=(condition("n", "gte", 2),)), "21"),
        (Filter(conditions=(condition("n", "gte", 2), condition("s", "eq", "x"))), "2"),
        (Filter(conditions=(condition("n", "not_exists", None),)), "3"),
        (Filter(thread="a", source="agent", tags=("db",)), "1"),
        (Filter(thread="a", conditions=(condition("s", "eq", "x"),)), ""),
    ],
)
async def test_a_scope_holds_in_every_list(store: RecordStore, scope: Filter, texts: str) -> None:
    await store.add(SCOPED, OWNER)
    found = [SCOPED[int(text)] for text in texts]
    listed = (await store.records(scope, OWNER, 10, None)).items
    assert [one.text for one in listed] == list(texts)
    assert await store.select(scope, OWNER) == [one.record.id for one in listed]
    threads = (await store.threads(scope, OWNER, 10, None)).items
    assert sorted(one.thread for one in threads) == sorted({new.thread for new in found})
    tags = (await store.tags(scope, OWNER, 10, None)).items
    assert {one.tag for one in tags} == {tag.lower() for new in found for tag in new.tags}


async def test_ids_in_a_scope_narrow_it(store: RecordStore) -> None:
    added = await store.add(SCOPED, OWNER)
    some = Filter(ids=(added[0].id, added[2].id, "0" * 32), source="user")
    assert await store.select(some, OWNER) == [added[0].id]


async def test_threads_and_tags_are_counted_and_ordered(store: RecordStore) -> None:
    await store.add(SCOPED, OWNER)
    threads = (await store.threads(ALL, OWNER, 10, None)).items
    assert [(one.thread, one.records) for one in threads] == [("A", 1), ("b", 1), ("a", 2)]
    tags = (await store.tags(ALL, OWNER, 10, None)).items
    assert [(one.tag, one.records) for one in tags] == [("db", 2), ("x", 1), ("ж", 1)]


async def test_the_thread_that_changed_last_comes_first(store: RecordStore) -> None:
    times = {"old": NOON, "new": NOON + timedelta(seconds=2), "middle": NOON + timedelta(seconds=1)}
    await store.add([NewRecord(name, "user", "x", created=at) for name, at in times.items()], OWNER)
    threads = (await store.threads(ALL, OWNER, 10, None)).items
    assert [(one.thread, one.updated) for one in threads] == [
        (name, times[name]) for name in ("new", "middle", "old")
    ]


Lists = Callable[[RecordStore, int, str | None], Awaitable[Page[Any]]]
LISTS: dict[str, Lists] = {
    "records": lambda store, limit, cursor: store.records(ALL, OWNER, limit, cursor),
    "threads": lambda store, limit, cursor: store.threads(ALL, OWNER, limit, cursor),
    "tags": lambda store, limit, cursor: store.tags(ALL, OWNER, limit, cursor),
}


@pytest.mark.parametrize("limit", [1, 2, 3, 7, 8])
@pytest.mark.parametrize("name", LISTS)
async def test_pages_joined_are_the_whole_list(store: RecordStore, name: str, limit: int) -> None:
    new = [_at(NOON, f"t{number % 7}", tags=(f"g{number % 7}",)) for number in range(7)]
    await store.add(new, OWNER)
    whole = await LISTS[name](store, 100, None)
    assert len(whole.items) == 7
    assert whole.next_cursor is None
    page = await LISTS[name](store, limit, None)
    joined = list(page.items)
    while page.next_cursor:
        assert len(page.items) == limit
        page = await LISTS[name](store, limit, page.next_cursor)
        joined.extend(page.items)
    assert joined == list(whole.items)


async def test_a_record_stored_meanwhile_moves_no_page(store: RecordStore) -> None:
    await store.add([_at(NOON, text=str(number)) for number in range(4)], OWNER)
    first = await store.records(ALL, OWNER, 2, None)
    await store.add([_at(NOON + timedelta(days=1), text="new")], OWNER)
    second = await store.records(ALL, OWNER, 2, first.next_cursor)
    assert [one.text for one in (*first.items, *second.items)] == ["3", "2", "1", "0"]


@pytest.mark.parametrize("name", LISTS)
async def test_a_cursor_of_something_else_is_refused(store: RecordStore, name: str) -> None:
    await store.add([_at(NOON, f"t{number}", tags=(f"g{number}",)) for number in range(3)], OWNER)
    cursors = [
        (await ask(store, 1, None)).next_cursor for other, ask in LISTS.items() if other != name
    ]
    for cursor in (*cursors, "", "x", "WzFd", "🧭", "AAAA", "'"):
        with pytest.raises(InvalidParamsError, match="is no cursor of this list"):
            await LISTS[name](store, 10, cursor)


async def test_candidates_are_the_records_that_begin_so_newest_first(store: RecordStore) -> None:
    added = await _many(store, 12)
    [long] = await store.candidates(added[3].id, OWNER, 10)
    assert (long.id, long.text) == (added[3].id, "3")
    assert long.created == added[3].created
    few = await store.candidates(added[0].id[:8], OWNER, 10)
    assert [one.id for one in few] == [record.id for record in reversed(added)][:10]


@pytest.mark.parametrize("prefix", ["00000000", "%", "_", "g", "\ud800", "\0", "A"])
async def test_what_begins_no_id_has_no_candidates(store: RecordStore, prefix: str) -> None:
    await _many(store, 1)
    assert await store.candidates(prefix, OWNER, 10) == ()


@pytest.mark.parametrize("held_bytes", [1, 20, 10_000])
async def test_texts_come_in_the_order_asked_in_bounded_batches(
    store: RecordStore, held_bytes: int
) -> None:
    added = await _many(store, 700, size=10)
    asked = [record.id for record in added]
    asked = [*asked[350:], "0" * 32, *asked[:350], *["f" * 32] * 300, asked[0], asked[0]]
    expected = [record_id for record_id in asked if record_id not in {"0" * 32, "f" * 32}]
    batches = [batch async for batch in store.texts(asked, OWNER, held_bytes)]
    assert [text.id for batch in batches for text in batch] == expected
    assert all(batches)
    for batch in batches:
        assert sum(len(text.data) for text in batch[:-1]) < held_bytes


async def test_a_text_larger_than_a_batch_comes_whole(store: RecordStore) -> None:
    await store.add([NewRecord("t", "user", "é" * 100_000)], OWNER)
    [text] = await _texts(store, await store.select(ALL, OWNER))
    assert text.data == "é".encode() * 100_000
    assert (text.thread, text.metadata) == ("t", "{}")


async def test_a_record_removed_while_texts_are_read_is_left_out(store: RecordStore) -> None:
    ids = [record.id for record in await _many(store, 3)]
    assert [text.id for text in await _texts(store, [ids[0], "a" * 32, ids[2]])] == [ids[0], ids[2]]


REFUSED = [
    ({"text": "a\0b"}, "text holds a NUL character; leave it out."),
    ({"text": "a\ud800"}, "text holds a lone surrogate; leave it out."),
    ({"text": "é" * (1 << 19) + "x"}, "text has 1048577 bytes; at most 1048576 can be stored."),
    ({"thread": " "}, "threadId is blank; name a thread."),
    ({"thread": "a\0"}, "threadId holds a NUL character; leave it out."),
    ({"source": "robot"}, "source is 'robot'; use user or agent."),
    ({"content_type": "image"}, "contentType is 'image'; use text or multimodal."),
    ({"tags": ("a", " ")}, "tags holds a blank tag; leave it out, or name a tag."),
    ({"tags": ("a\udc00",)}, "tags holds a lone surrogate; leave it out."),
    ({"summary": "\0"}, "summary holds a NUL character; leave it out."),
    ({"metadata": {"a": [{"b": "\0"}]}}, "metadata holds a NUL character; leave it out."),
    ({"metadata": {"\ud800": 1}}, "metadata holds a lone surrogate; leave it out."),
    ({"metadata": {"a": float("nan")}}, "metadata holds nan, which is not a finite number."),
    ({"metadata": {"a": 2**63}}, "metadata holds a number outside the range of 64 bits."),
    ({"metadata": {"a": NOON}}, "metadata holds a datetime, which is not JSON; make it text."),
    ({"metadata": {1: "a"}}, "metadata has the key 1; keys must be text."),
]


@pytest.mark.parametrize(("parts", "said"), REFUSED)
async def test_a_record_that_may_not_be_stored_stops_all_it_came_with(
    store: RecordStore, parts: dict[str, Any], said: str
) -> None:
    wrong = NewRecord(**({"thread": "t", "source": "user", "text": "x"} | parts))
    with pytest.raises(InvalidParamsError) as refused:
        await store.add([NewRecord("t", "user", "sound"), wrong], OWNER)
    assert refused.value.message == said
    assert await store.count(OWNER) == 0


async def test_the_largest_text_is_stored(store: RecordStore) -> None:
    [record] = await store.add([NewRecord("t", "user", "é" * (1 << 19))], OWNER)
    assert record.total_chars == 1 << 19


async def test_storing_nothing_stores_nothing(store: RecordStore) -> None:
    assert await store.add([], OWNER) == []
    assert await store.count(OWNER) == 0


async def test_a_closed_store_opens_again(store: RecordStore) -> None:
    await _many(store, 2)
    await store.close()
    await store.close()
    assert await store.count(OWNER) == 2


def _at(time: datetime, thread: str = "t", tags: Sequence[str] = (), text: str = "x") -> NewRecord:
    return NewRecord(thread, "user", text, tags=tuple(tags), created=time)


async def _many(store: RecordStore, count: int, size: int = 0) -> Sequence[Record]:
    new = [NewRecord("t", "user", str(number).rjust(size)) for number in range(count)]
    return await store.add(new, OWNER)


async def _texts(store: RecordStore, ids: Sequence[str]) -> list[Any]:
    return [text async for batch in store.texts(ids, OWNER, 100) for text in batch]
