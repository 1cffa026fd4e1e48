import threading
from collections.abc import Callable

import pytest

from ctxls.index.outlines import WORTH_KEEPING, MemoryOutlines, Outlines
from ctxls.text.outline import Outline, outline_key, parse_outline


def outline_of(text: str) -> Outline:
    return parse_outline(text)


def key_of(text: str) -> bytes:
    return outline_key(text.encode())


def test_the_least_recently_used_outlines_make_room() -> None:
    outlines = MemoryOutlines(most_bytes=3 * 250 * 2 + 50)
    texts = [f"# A{n}\n# B{n}\n" for n in range(3)]
    for text in texts[:2]:
        outlines.put(key_of(text), outline_of(text))
    assert outlines.get(key_of(texts[0])) is not None
    outlines.put(key_of(texts[2]), outline_of(texts[2]))
    kept = [outlines.get(key_of(text)) for text in texts]
    assert [outline is not None for outline in kept] == [True, False, True]
    assert kept[2] == outline_of(texts[2])


@pytest.mark.parametrize(
    "large", ["# A\n" * 30, "# " + "x" * 9_000, "# " + "y" * 64 + "\n## " + "x" * 9_000]
)
def test_many_sections_and_long_titles_both_weigh(large: str) -> None:
    outlines = MemoryOutlines(most_bytes=8_000)
    for text in (large, "# small"):
        outlines.put(key_of(text), outline_of(text))
    assert outlines.get(key_of(large)) is None
    assert outlines.get(key_of("# small")) is not None


def test_one_outline_larger_than_the_bound_is_kept_while_it_is_the_newest() -> None:
    outlines = MemoryOutlines(most_bytes=2)
    outlines.put(key_of("x"), outline_of("# A\n# B\n# C\n"))
    assert outlines.get(key_of("x")) is not None
    outlines.put(key_of("y"), outline_of(""))
    assert outlines.get(key_of("x")) is None


def test_putting_an_outline_again_counts_it_once() -> None:
    outlines = MemoryOutlines(most_bytes=2_000)
    for _ in range(10):
        outlines.put(key_of("a"), outline_of("# A\n"))
    outlines.put(key_of("b"), outline_of("# B\n"))
    assert outlines.get(key_of("a")) is not None


def test_texts_of_other_content_have_other_keys() -> None:
    assert key_of("# A") != key_of("# B")
    assert key_of("# A") == key_of("# A")


class Shelf(MemoryOutlines):
    """Counts what is asked of it, and calls `then` meanwhile."""

    def __init__(self, then: Callable[[], object] = lambda: None) -> None:
        super().__init__()
        self.asked = 0
        self._then = then

    def get(self, key: bytes) -> Outline | None:
        self.asked += 1
        self._then()
        return super().get(key)


LARGE = "# A\n" + "x" * WORTH_KEEPING


def test_what_is_not_in_memory_is_taken_from_the_shelf_and_put_there_once_made() -> None:
    kept = Shelf()
    assert Outlines(kept=kept).of(key_of(LARGE), LARGE) == outline_of(LARGE)
    marked = outline_of("# What was kept")
    kept.put(key_of(LARGE), marked)
    fresh = Outlines(kept=kept)
    assert fresh.known(key_of(LARGE)) is None
    assert fresh.of(key_of(LARGE), LARGE) == marked
    assert fresh.known(key_of(LARGE)) == marked


def test_a_small_text_is_not_looked_for_on_the_shelf() -> None:
    kept = Shelf()
    assert Outlines(kept=kept).of(key_of("# A"), "# A") == outline_of("# A")
    assert kept.asked == 0


def test_two_who_want_the_same_outline_wait_for_one_parse() -> None:
    both_want_it = threading.Event()
    kept = Shelf(lambda: both_want_it.wait(10))
    outlines = Outlines(kept=kept)
    found: list[Outline] = []

    def want() -> None:
        found.append(outlines.of(key_of(LARGE), LARGE))

    threads = [threading.Thread(target=want) for _ in range(2)]
    for thread in threads:
        thread.start()
    both_want_it.set()
    for thread in threads:
        thread.join(10)
    assert kept.asked == 1
    assert found[0] is found[1]
