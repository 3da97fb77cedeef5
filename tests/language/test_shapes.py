"""Shapes of sentences: examples, and sentences made of each head with pairs of adjuncts and with each word."""

from functools import cache

import pytest

from projections.language.notation.printing import print_line
from projections.language.notation.table import Table
from projections.language.table import Shape, language_table
from projections.open_types import Facts
from projections.rulesets import find
from tests.language.making import Maker, heads
from tests.language.scenes import SCENES, facts_of, meanings, scene
from tests.tables import for_each

LANGUAGE = language_table(find("plain").rules)
HOMES = ("hurt", "fight", "lineup", "osric", "declaring", "segments", "empty", "taught", "felled")
"""The scenes in which the example of a shape is tried."""
UNCUED = ("bare damage", "bare healing", "roll", "rolled in a save", "rolled in its save", "damage each")
"""The adjuncts whose numbers have no cue, so that their order counts."""


@cache
def home(name: str) -> Table:
    """Return the first scene in which the example of a shape has one meaning."""
    shape = next(each for each in LANGUAGE.shapes if each.name == name)
    return next(at for at in map(scene, HOMES) if meanings(at, shape.example) and len(meanings(at, shape.example)) == 1)


def plain(facts: Facts) -> list[str]:
    """Return facts in no order, without their causes."""
    return sorted(str({key: value for key, value in sorted(each.items()) if key != "cause"}) for each in facts)


def shapes() -> list[Shape]:
    """Return the shapes that every game has."""
    return [*LANGUAGE.shapes]


@for_each("shape", shapes())
def test_an_example_has_one_meaning_printed_as_lines_that_read_back(shape: Shape) -> None:
    at = home(shape.name)
    (parsed,) = meanings(at, shape.example)
    left = [*parsed.facts]
    while left:
        line, count = print_line(at.context, left)
        read = at.parse_if_accepted(line) if not line.startswith("{") else None
        assert read is None or [*read.facts[read.moved :]] or read.rest
        left = left[count:]


@pytest.mark.parametrize("shape", [each for each in shapes() if each.takes], ids=lambda shape: shape.name)
def test_two_adjuncts_say_the_same_in_either_order(shape: Shape) -> None:
    at, maker = home(shape.name), Maker(LANGUAGE)
    head = next(each for each in heads(shape) if meanings(at, maker.pattern(each)) or each is heads(shape)[-1])
    for one, other, both in maker.pairs(shape, head):
        found = [[*map(facts_of, meanings(at, line))] for line in both]
        assert all(len(each) < 2 for each in found) or {one, other} & {*shape.asks}, both
        if not {one, other} & {*UNCUED} and all(len(each) == 1 for each in found):
            assert plain(found[0][0]) == plain(found[1][0]), both


@pytest.mark.parametrize("shape", shapes(), ids=lambda shape: shape.name)
def test_another_word_of_a_class_says_the_same_or_is_asked_about(shape: Shape) -> None:
    at, maker = home(shape.name), Maker(LANGUAGE)
    for head in heads(shape):
        lines = [Maker(LANGUAGE).pattern(head, word) for word in range(6)]
        found = [facts_of(each[0]) for each in (meanings(at, line) for line in lines) if len(each) == 1]
        kinds = {tuple(fact.get("type", "rest") for fact in facts) for facts in found}
        assert len(kinds) <= 1, (maker.pattern(head), lines)


def test_the_scenes_are_those_of_games() -> None:
    assert {key for key, _ in SCENES.values()} <= {"plain", "5e", "osric"}
