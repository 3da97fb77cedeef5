"""Nameless Journey beside its rulebook: circles of answers, and effects that may be of several."""

from typing import Any

import pytest

from projections.judging.audit import audit
from projections.replay.replay import replay
from projections.rulesets.nameless_journey.reactions import can_react
from projections.rulesets.nameless_journey.state import NamelessState
from tests.projections.logs import fact, records


def test_counterspells_that_answer_one_another_in_a_circle_come_to_an_end() -> None:
    counterspell = {"kind": "cast", "name": "Counterspell"}
    people = (fact("combatant_joined", combatant=who, sheet={"hp": 9}) for who in ("ana", "kex"))
    answers = (
        fact("action_taken", combatant=who, action=counterspell, trigger=trigger, succeeded=True)
        for who, trigger in (("ana", 5), ("kex", 4), ("ana", 6))
    )
    state: Any = replay(records(*people, *answers, ruleset="nameless-journey")).state
    assert state.spoiled == {4: 5, 6: 6}


TWO = (
    *(fact("combatant_joined", combatant=who, sheet={"hp": 9}) for who in ("ana", "bo")),
    *(fact("initiative_rolled", combatant=who, die=die) for who, die in (("ana", 12), ("bo", 9))),
    fact("turn_started", combatant="ana"),
)  # records 2 to 6


SPARK = {"name": "spark", "cost": "action"}


@pytest.mark.parametrize(
    ("entries", "turn", "fits"),
    [
        ([SPARK, {"name": "Counterspell", "cost": "reaction"}], "ana", True),
        ([SPARK], "ana", False),  # no Reaction on the sheet
        ([{"name": "riposte", "cost": "reaction", "answers": "an attack"}], "ana", False),
        ([SPARK, {"name": "Counterspell", "cost": "reaction"}], "bo", False),  # it is too late
    ],
)
def test_a_reaction_of_the_sheet_answers_what_it_is_for_in_time(
    entries: list[dict[str, str]], turn: str, fits: bool
) -> None:
    told = (
        fact("combatant_joined", combatant="ana", sheet={"hp": 9}),
        fact("combatant_joined", combatant="bo", sheet={"hp": 9, "entries": entries}),
        *(fact("initiative_rolled", combatant=who, die=die) for who, die in (("ana", 12), ("bo", 9))),
        fact("turn_started", combatant="ana"),
        fact("action_taken", combatant="ana", action={"kind": "cast", "name": "spark", "targets": ["bo"]}),
    )
    later = [fact("turn_started", combatant="bo")] if turn == "bo" else []
    state = replay(records(*told, *later, ruleset="nameless-journey")).state
    assert isinstance(state, NamelessState)
    assert can_react(state, state.combatants["bo"], 7).value is fits


def test_when_an_effect_ends_that_may_be_of_several_is_not_judged() -> None:
    length = {"amount": 2, "unit": "round"}
    strange = fact("effect_started", effect="haze", targets=["bo"], duration=length)
    own = fact("effect_started", effect="haze", targets=["bo"], duration=length, source="ana")
    for effect, stated, wrong in (
        (strange, "ana in round 3", 0),
        (strange, "bo in round 2", 0),
        (strange, "bo in round 3", 0),
        (strange, "bo in round 7", 1),
        (own, "bo in round 3", 1),
    ):
        said = fact("checked", values={"bo.effects.haze.ends": stated})
        assert len(audit(records(*TWO, effect, said, ruleset="nameless-journey")).findings) == wrong, stated
