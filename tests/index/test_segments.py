"""Segments: what is put in is found, as long as its file is whole."""

import subprocess
import sys
import textwrap
from collections.abc import Sequence
from pathlib import Path

import numpy as np
import pytest
from hypothesis import given, settings
from hypothesis import strategies as st

from ctxls.index.columns import COLUMN_BYTES
from ctxls.index.folder import LOCK, SUFFIX, SegmentFolder
from ctxls.index.segment import (
    BadSegmentError,
    Segment,
    SegmentMaker,
    decoded,
    encoded,
    merged,
    wanted,
)

PARAGRAPH = b"the quick brown fox jumps over the lazy dog\n"


def made(texts: Sequence[bytes]) -> Segment:
    maker = SegmentMaker()
    for number, text in enumerate(texts):
        maker.add(f"{number}", number, text)
    return maker.segment()


def found(segment: Segment, *literals: bytes) -> list[str]:
    rows = segment.may_match(wanted([{literal} for literal in literals]))
    return [segment.ids[row] for row in rows]


def file_of(segment: Segment) -> bytes:
    return b"".join(bytes(part) for part in encoded(segment))


texts = st.lists(
    st.lists(st.binary(min_size=1, max_size=40), max_size=6).map(b"\n".join)
    | st.integers(1, 3).map(lambda columns: PARAGRAPH * (columns * COLUMN_BYTES // 44)),
    min_size=1,
    max_size=8,
)


@settings(deadline=None)
@given(texts, st.data())
def test_a_literal_of_one_line_is_never_ruled_out(
    records: list[bytes], data: st.DataObject
) -> None:
    segment = made(records)
    place = data.draw(st.integers(0, len(records) - 1))
    lines = records[place].replace(b"\r", b"\n").split(b"\n")
    line = data.draw(st.sampled_from(lines))
    start = data.draw(st.integers(0, len(line)))
    literal = line[start : start + 12]
    if len(literal) >= 3:
        assert str(place) in found(segment, literal)
    assert segment.finds_all(place, records[place])


def test_what_stands_nowhere_is_ruled_out() -> None:
    segment = made([b"alpha beta\n", PARAGRAPH * 150, b"gamma delta\n" * 600])
    assert found(segment, b"nowhere at all") == []
    assert found(segment, b"gamma") == ["2"]
    assert found(segment, b"quick", b"gamma") == []


def test_one_of_several_alternatives_is_enough() -> None:
    segment = made([b"alpha\n" * 1200, b"beta\n" * 1200, b"gamma\n" * 1200])
    rows = segment.may_match(wanted([{b"alpha", b"gamma"}]))
    assert [segment.ids[row] for row in rows] == ["0", "2"]


def test_a_record_is_found_in_each_of_its_columns() -> None:
    text = b"".join(b"needle%05d and some more words on this line\n" % n for n in range(5000))
    segment = made([b"before\n", text, b"behind\n"])
    assert segment.columns > 10
    assert all("1" in found(segment, b"needle%05d" % n) for n in range(0, 5000, 97))
    assert found(segment, b"needle02500") == ["1"]


def test_a_line_longer_than_a_column_stays_whole() -> None:
    line = b"x" * (3 * COLUMN_BYTES) + b" needle " + b"y" * COLUMN_BYTES
    segment = made([line + b"\nlast"])
    assert found(segment, b"x needle y") == ["0"]
    assert segment.finds_all(0, line + b"\nlast")


def test_a_literal_stands_anywhere_in_a_long_line() -> None:
    line = b"".join(b"%08d" % number for number in range(0, 40_000_000, 997))
    segment = made([line])
    for start in range(65_400, 65_600):
        assert found(segment, line[start : start + 9]) == ["0"]


def test_line_ends_of_any_kind_end_a_column() -> None:
    line = b"word%06d" + b"-" * 90
    for end in (b"\n", b"\r\n", b"\r"):
        text = end.join(line % n for n in range(2000))
        segment = made([text])
        assert segment.columns > 5
        assert segment.finds_all(0, text)


def test_records_without_text_are_kept() -> None:
    segment = made([b"", b"", b"text here"])
    assert list(segment.ids) == ["0", "1", "2"]
    assert "2" in found(segment, b"text")


def test_a_merge_finds_what_its_parts_found_and_forgets_the_rest() -> None:
    one = made([b"small", b"alpha\n" * 1200, b"beta\n" * 1200])
    other = made([b"gamma\n" * 1200, b"delta\n" * 3600])
    both = merged([(one, np.array([0, 1])), (other, np.array([1]))])
    assert list(both.ids) == ["0", "1", "1"]
    assert list(both.stamps) == [0, 1, 1]
    assert found(both, b"alpha") == ["0", "1"]
    assert found(both, b"delta") == ["1"]
    assert found(both, b"beta") == []


def test_a_segment_reads_back_from_its_bytes() -> None:
    segment = made([PARAGRAPH * 1000, b"", "\u2028 Ä".encode()])
    again = decoded(memoryview(file_of(segment)))
    assert list(again.ids) == list(segment.ids)
    assert np.array_equal(again.stamps, segment.stamps)
    assert np.array_equal(again.first, segment.first)
    assert np.array_equal(again.last, segment.last)
    assert np.array_equal(again.matrix, segment.matrix)


def test_a_file_cut_at_any_byte_is_bad() -> None:
    whole = file_of(made([b"some text\n"]))
    for length in [*range(200), *range(200, len(whole), 997), len(whole) - 1]:
        with pytest.raises(BadSegmentError):
            decoded(memoryview(whole[:length]))


def test_a_file_with_any_changed_byte_is_bad() -> None:
    whole = file_of(made([b"some text\n"]))
    for place in [*range(200), *range(200, len(whole), 997)]:
        spoilt = bytearray(whole)
        spoilt[place] ^= 1
        with pytest.raises(BadSegmentError):
            decoded(memoryview(bytes(spoilt)))


def test_files_are_for_this_user_alone(tmp_path: Path) -> None:
    folder = SegmentFolder(tmp_path / "index" / "one")
    name, _ = folder.save(made([b"text"]))
    assert (tmp_path / "index" / "one").stat().st_mode & 0o077 == 0
    assert (tmp_path / "index" / "one" / name).stat().st_mode & 0o077 == 0


def test_a_damaged_file_is_left_out_and_swept_away(tmp_path: Path) -> None:
    folder = SegmentFolder(tmp_path)
    good, _ = folder.save(made([b"good"]))
    bad, _ = folder.save(made([b"bad"]))
    (tmp_path / bad).write_bytes((tmp_path / bad).read_bytes()[:-1])
    (tmp_path / f"empty{SUFFIX}").write_bytes(b"")
    (tmp_path / "rest.part").write_bytes(b"half")
    assert list(folder.load({})) == [good]
    folder.tidy({good})
    assert [path.name for path in tmp_path.iterdir()] == [good]


def test_what_is_mapped_outlives_its_file(tmp_path: Path) -> None:
    folder = SegmentFolder(tmp_path)
    name, _ = folder.save(made([b"alpha beta"]))
    mapped = folder.load({})[name]
    folder.drop(name)
    assert folder.load({}) == {}
    assert found(mapped, b"alpha") == ["0"]


def test_one_process_writes_at_a_time_and_a_killed_one_lets_go(tmp_path: Path) -> None:
    folder = SegmentFolder(tmp_path)
    program = textwrap.dedent(
        """
        import sys
        from pathlib import Path
        from ctxls.index.folder import SegmentFolder
        with SegmentFolder(Path(sys.argv[1])).writing() as is_writer:
            print(is_writer, flush=True)
            sys.stdin.read()
        """
    )
    with subprocess.Popen(
        [sys.executable, "-c", program, str(tmp_path)],
        stdin=subprocess.PIPE,
        stdout=subprocess.PIPE,
        text=True,
    ) as other:
        assert other.stdout is not None
        assert other.stdout.readline() == "True\n"
        with folder.writing() as is_writer:
            assert not is_writer
        other.kill()
        other.wait()
    with folder.writing() as is_writer:
        assert is_writer
    assert (tmp_path / LOCK).exists()
