"""A sample of lines of known meaning, changed: nothing is recorded otherwise than meant."""

from collections import Counter
from random import Random

from tests.language.mutations import known, mutations, recorded_otherwise


def test_a_changed_line_means_the_change_or_is_asked_about() -> None:
    random, tried = Random(7), Counter[str]()
    for line in random.sample(known(), 60):
        for mutation in mutations(line, random):
            tried[mutation.kind] += 1
            assert recorded_otherwise(line, mutation) is None, mutation
    assert {"unknown", "filler", "number", "name"} <= tried.keys()
