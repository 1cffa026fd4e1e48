"""Makes server/ctxls/text/fold_table.py from RE2 itself: `python tests/make_fold_table.py`.

Of each class of variants one stands for all: of the shortest in UTF-8 the first in lower case, else
the first.
"""

from collections.abc import Iterator
from pathlib import Path
from typing import Any

import re2

TABLE = Path(__file__).parent.parent / "server/ctxls/text/fold_table.py"
CASED = r"[\p{Lu}\p{Ll}\p{Lt}\p{Mn}\p{Nl}\p{So}]"
"""What all characters with variants are among (Unicode 16, 5.18); test_fold.py proves it."""
Run = tuple[int, int, int, int]
"""First and last code point, the step between them, and what is added to each."""


def insensitive(pattern: str) -> Any:
    options = re2.Options()
    options.case_sensitive = False
    return re2.compile(pattern, options)


def classes() -> Iterator[list[str]]:
    """Find the variants of each character that may have some, by searching for it among all."""
    characters = [chr(code) for code in range(0x110000) if not 0xD800 <= code <= 0xDFFF]
    left = re2.findall(CASED, "".join(characters))
    text = "".join(left)
    seen: set[str] = set()
    for char in left:
        if char not in seen:
            variants = insensitive(re2.escape(char)).findall(text)
            re2.purge()
            seen.update(variants)
            if len(variants) > 1:
                yield variants


def fold_table() -> dict[int, int]:
    """Return each code point that folds to another, and that one."""
    table = {}
    for variants in classes():
        chosen = min(variants, key=lambda char: (len(char.encode()), not char.islower(), char))
        table.update({ord(char): ord(chosen) for char in variants if char != chosen})
    return dict(sorted(table.items()))


def runs(table: dict[int, int]) -> Iterator[Run]:
    """Put neighbours with the same difference together, one or two apart."""
    codes = list(table)
    while codes:
        first, step = codes[0], 1
        delta = table[first] - first
        step = next((step for step in (1, 2) if table.get(first + step) == first + step + delta), 1)
        last = first
        while table.get(last + step) == last + step + delta:
            last += step
        taken = set(range(first, last + 1, step))
        codes = [code for code in codes if code not in taken]
        yield first, last, step, delta


def main() -> None:
    rows = "\n".join(f"    ({', '.join(map(str, run))})," for run in runs(fold_table()))
    TABLE.write_text(
        '"""Made by tests/make_fold_table.py from RE2; do not edit."""\n\n'
        "from typing import Final\n\n"
        "# fmt: off\n"
        "RUNS: Final[tuple[tuple[int, int, int, int], ...]] = (\n"
        f"{rows}\n)\n"
        '"""First and last code point, the step between them, and what folding adds to each."""\n',
        encoding="utf-8",
    )


if __name__ == "__main__":
    main()
