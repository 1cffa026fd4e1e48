"""Looks for a pattern that the index answers wrongly, for as long as it is told: `make fuzz`.

Each round makes texts and an index of them from a seed, and compares many random patterns.
"""

import argparse
import sys
import time
from random import Random

from hostile import random_pattern, random_text

from ctxls.index.folding import folded
from ctxls.index.segment import SegmentMaker, wanted
from ctxls.text.matcher import find_bytes

PATTERNS = 200


def round_of(seed: int) -> str | None:
    """Run one round, and say what was wrong."""
    random = Random(seed)
    texts = [random_text(random).encode() * random.choice([1, 1, 5, 300]) for _ in range(25)]
    maker = SegmentMaker()
    for number, text in enumerate(texts):
        maker.add(str(number), number, folded(text))
    segment = maker.segment()
    for _ in range(PATTERNS):
        pattern = random_pattern(random)
        kept = {int(segment.ids[place]) for place in segment.may_match(wanted(pattern.required))}
        for number, text in enumerate(texts):
            if number not in kept and next(find_bytes(pattern, text, lambda: 0.0), None):
                return f"seed {seed}: {pattern} matches what the index ruled out: {text[:2000]!r}"
    return None


def main() -> int:
    """Run rounds until the time is over, or one goes wrong."""
    parser = argparse.ArgumentParser(description=__doc__)
    parser.add_argument("--seconds", type=float, default=60)
    parser.add_argument("--seed", type=int, default=time.time_ns() % 1_000_000_000)
    args = parser.parse_args()
    end, seed = time.monotonic() + args.seconds, args.seed
    while time.monotonic() < end:
        wrong = round_of(seed)
        if wrong:
            print(wrong)
            return 1
        seed += 1
        print(f"\r{(seed - args.seed) * PATTERNS:,} patterns", end="", file=sys.stderr, flush=True)
    print(f"\n{(seed - args.seed) * PATTERNS:,} patterns from seed {args.seed}, none wrong.")
    return 0


if __name__ == "__main__":
    sys.exit(main())
