"""Vile Darkness beside its rulebook: the order kept from fact to fact, and who is in melee."""

from typing import Any

import pytest

from eventstore.events import ActionTaken
from eventstore.shapes import Action
from projections.folds.order import OrderKept, names_in_order
from projections.occurrence import Occurrence
from projections.replay.replay import replay
from projections.rulesets.vile_darkness.reading import Reading
from projections.rulesets.vile_darkness.state import Melee, Rounds
from projections.state import State
from tests.projections.logs import fact, joins, override, records, round_

ALIKE = (joins("ana", 9, "heroes"), joins("bo", 8, "orcs", routines=2), joins("cy", 8, "orcs", routines=2))
NEAR = (fact("placed", combatant="ana", engaged=["cy"]), fact("placed", combatant="bo"))
DICE = (fact("initiative_rolled", side="heroes", die=5), fact("initiative_rolled", side="orcs", die=2))
SINGLE = (joins("ana", 9, "heroes"), joins("bo", 8, "orcs"), joins("cy", 8, "orcs"))


@pytest.mark.parametrize(
    "told",
    [(*ALIKE, round_(1), *NEAR, *DICE), (*SINGLE, round_(1), *DICE, override(cy__group="HIGH"))],
    ids=["one of two alike is in melee", "the half is ruled for one of two alike"],
)
def test_a_like_combatant_has_its_own_place_if_melee_or_a_ruling_differs(told: tuple[str, ...]) -> None:
    kept, found = OrderKept(), list[tuple[list[list[str]], list[list[str]]]]()

    def observe_fact(state: State, _fact: Any) -> None:
        found.append((kept.names(state, state.combatants), names_in_order(state)))

    replay(records(*told, ruleset="vile-darkness"), after=observe_fact)
    assert [one for one, _ in found] == [other for _, other in found]
    assert not any({"bo", "cy"} <= {*group} for group in found[-1][1])


def test_nobody_who_is_not_in_the_fight_acts() -> None:
    told = ActionTaken(combatant="ghost", action=Action(kind="attack"))
    assert Reading(replay(records(*SINGLE, ruleset="vile-darkness")).state, Occurrence(9, 9, told)).act is None


# ---------------------------------------------------------------- who is in melee with whom


def test_somebody_parts_from_all_but_those_named() -> None:
    melee = Melee()
    melee.engage("ana", "bo", 3, Rounds(), 1)
    melee.engage("ana", "cy", 4, Rounds(), 1)
    melee.engage("bo", "cy", 5, Rounds(), 1)
    melee.separate("ana", 6, ("cy",))
    assert melee.foes("ana", 1, 2) == ({"cy": {4}}, {6})
    assert melee.foes("cy", 1, 2) == ({"ana": {4}, "bo": {5}}, set())
