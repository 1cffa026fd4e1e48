"""A thousand patterns: no record that matches is ruled out."""

from random import Random

from hostile import random_pattern, random_text

from ctxls.index.folding import folded
from ctxls.index.segment import Segment, SegmentMaker, wanted
from ctxls.text.matcher import find_bytes


def segment_of(texts: list[bytes]) -> Segment:
    maker = SegmentMaker()
    for number, text in enumerate(texts):
        maker.add(str(number), number, folded(text))
    return maker.segment()


def test_a_thousand_patterns_rule_out_nothing_that_matches() -> None:
    random, narrowed = Random(20261202), 0
    for _ in range(20):
        texts = [
            random_text(random).encode() * random.choice([1, 1, 5, 200, 900]) for _ in range(25)
        ]
        segment = segment_of(texts)
        for _ in range(50):
            pattern = random_pattern(random)
            rows = wanted(pattern.required)
            kept = {int(segment.ids[place]) for place in segment.may_match(rows)}
            narrowed += len(kept) < len(texts)
            for number, text in enumerate(texts):
                if number not in kept:
                    assert next(find_bytes(pattern, text, lambda: 0.0), None) is None, pattern
    assert narrowed > 200
