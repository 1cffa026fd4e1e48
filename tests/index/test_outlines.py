from ctxls.index.outlines import MemoryOutlines, outline_key
from ctxls.text.outline import parse_outline


def test_the_least_recently_used_outlines_make_room() -> None:
    outlines = MemoryOutlines(most_sections=7)
    texts = [f"# A{n}\n# B{n}\n" for n in range(3)]
    keys = [outline_key(text.encode()) for text in texts]
    for key, text in zip(keys[:2], texts[:2], strict=True):
        outlines.put(key, parse_outline(text))
    assert outlines.get(keys[0]) is not None
    outlines.put(keys[2], parse_outline(texts[2]))
    kept = [outlines.get(key) for key in keys]
    assert [outline is not None for outline in kept] == [True, False, True]
    assert kept[2] == parse_outline(texts[2])


def test_one_outline_larger_than_the_bound_is_kept_while_it_is_the_newest() -> None:
    outlines = MemoryOutlines(most_sections=2)
    key = outline_key(b"x")
    outlines.put(key, parse_outline("# A\n# B\n# C\n"))
    assert outlines.get(key) is not None
    outlines.put(outline_key(b"y"), parse_outline(""))
    assert outlines.get(key) is None


def test_putting_an_outline_again_counts_it_once() -> None:
    outlines = MemoryOutlines(most_sections=5)
    for _ in range(10):
        outlines.put(outline_key(b"a"), parse_outline("# A\n"))
    outlines.put(outline_key(b"b"), parse_outline("# B\n"))
    assert outlines.get(outline_key(b"a")) is not None


def test_texts_of_other_content_have_other_keys() -> None:
    assert outline_key(b"# A") != outline_key(b"# B")
    assert outline_key(b"# A") == outline_key(b"# A")
