"""What Nameless Journey costs is what its catalogue says: the tables of actions and resources alone hold it."""

import tomllib
from pathlib import Path
from typing import Any

import pytest

from projections.because import asking
from projections.folds.addresses import value_of
from projections.folds.budget import price_rows
from projections.judging.audit import audit
from projections.replay.replay import replay
from projections.rulesets import find
from projections.rulesets.nameless_journey import budget
from projections.rulesets.nameless_journey.reactions import can_react
from projections.rulesets.nameless_journey.state import NamelessState
from tests.projections.logs import fact, findings, records

RULES = tomllib.loads(Path(find("nameless-journey").rules).read_text("utf-8"))


def rows(table: str, name: str) -> dict[str, dict[str, Any]]:
    """Return the rows of a table of the catalogue by their names, each of which stands there once."""
    found = {row[name]: row for row in RULES[table]}
    assert len(found) == len(RULES[table])
    return found


ACTIONS, RESOURCES = rows("action", "kind"), rows("resource", "name")


def test_the_prices_of_acts_are_those_of_the_catalogue_with_their_costs_in_order() -> None:
    kinds = {kind: (tuple(row["cost"]), row["entry"]) for kind, row in ACTIONS.items()}
    assert {
        kind: (each.costs, each.entry) for kind, each in price_rows(find("nameless-journey").rules).items()
    } == kinds


def test_the_resources_of_the_own_turn_are_those_of_the_catalogue() -> None:
    own = [name for name, row in RESOURCES.items() if row["where"] == "own-turn"]
    assert [*budget.ON_TURN, "movement"] == own
    assert RESOURCES[budget.REACTION]["where"] == "outside-own-turn"


def test_every_resource_returns_as_the_own_turn_starts_as_the_reaction_does_by_default() -> None:
    assert {row["returns"] for row in RESOURCES.values()} == {find("nameless-journey").default("reaction-returns")}


def test_a_reaction_before_the_first_turn_is_there_by_an_option_and_later_not_any_more() -> None:
    joined = [fact("combatant_joined", combatant=who, sheet={"hp": 9}) for who in ("ana", "bo")]
    told = (*joined, *(fact("initiative_rolled", combatant=who, die=die) for who, die in (("ana", 12), ("bo", 9))))
    turns = [fact("turn_started", combatant=who) for who in ("ana", "bo")]
    for so_far, options in ((turns[:1], {"reaction-before-first-turn"}), (turns, set())):
        left = value_of(replay(records(*told, *so_far, ruleset="nameless-journey")).state, "bo.left.reaction")
        assert left is not None
        assert left.because.options.keys() & {"reaction-before-first-turn"} == options


def test_counterspells_that_answer_one_another_in_a_circle_come_to_an_end() -> None:
    counterspell = {"kind": "cast", "name": "Counterspell"}
    people = (fact("combatant_joined", combatant=who, sheet={"hp": 9}) for who in ("ana", "kex"))
    answers = (
        fact("action_taken", combatant=who, action=counterspell, trigger=trigger, succeeded=True)
        for who, trigger in (("ana", 5), ("kex", 4), ("ana", 6))
    )
    state: Any = replay(records(*people, *answers, ruleset="nameless-journey")).state
    assert state.spoiled == {4: 5, 6: 6}


def test_a_condition_that_lasts_does_something_whatever_else_is_gained() -> None:
    told = [fact("combatant_joined", combatant=who, side=who, sheet={"hp": 9}) for who in ("ana", "bo")]
    gained = [fact("condition_gained", condition=name, targets=["bo"]) for name in ("burning", "wary")]
    hit = fact("damage_dealt", target="bo", amount=1, cause=4)
    found = findings(*told, *gained, hit, ruleset="nameless-journey")
    assert "effect.ends-at-turn-start" not in [each.rule for each in found]


SPELLS = [{"name": "spark", "cost": "action"}, {"name": "Counterspell", "cost": "reaction"}]
TWO = (
    *(fact("combatant_joined", combatant=who, sheet={"hp": 9, "entries": SPELLS}) for who in ("ana", "bo")),
    *(fact("initiative_rolled", combatant=who, die=die) for who, die in (("ana", 12), ("bo", 9))),
    fact("turn_started", combatant="ana"),
)  # records 2 to 6


def test_a_counterspell_is_no_implied_cause() -> None:
    cast = fact("action_taken", combatant="ana", action={"kind": "cast", "name": "spark", "targets": ["bo"]})
    for name, cause in (("Counterspell", 0), ("spark", 8)):
        counter = fact("action_taken", combatant="bo", action={"kind": "cast", "name": name}, trigger=7)
        heals = fact("healed", target="bo", amount=1, source="bo")
        state = replay(records(*TWO, cast, counter, heals, ruleset="nameless-journey")).state
        assert state.moments[9].cause == cause


@pytest.mark.parametrize(
    ("entries", "facts", "value", "cited"),
    [
        (SPELLS, ("cast",), True, {3, 7}),
        (SPELLS[:1], ("cast",), False, {3}),  # no Reaction on the sheet
        ([{"name": "riposte", "cost": "reaction", "answers": "an attack"}], ("cast",), False, {3, 7}),
        (SPELLS, ("cast", "turn"), False, {3, 8}),  # it is too late
    ],
)
def test_a_reaction_of_the_sheet_answers_what_it_is_for_in_time(
    entries: list[dict[str, str]], facts: tuple[str, ...], value: bool, cited: set[int]
) -> None:
    joined = (
        fact("combatant_joined", combatant="ana", sheet={"hp": 9, "entries": SPELLS}),
        fact("combatant_joined", combatant="bo", sheet={"hp": 9, "entries": entries}),
    )
    known = {
        "cast": fact("action_taken", combatant="ana", action={"kind": "cast", "name": "spark", "targets": ["bo"]}),
        "turn": fact("turn_started", combatant="bo"),
    }
    state = replay(records(*joined, *TWO[2:], *(known[each] for each in facts), ruleset="nameless-journey")).state
    assert isinstance(state, NamelessState)
    found = asking(can_react, state, state.combatants["bo"], 7)
    because = found.because.flat()
    assert (found.value, set(because.events), bool(because.options)) == (value, cited, len(cited) > 1)
    assert because.rules == (("reaction.follows-its-cause",) if len(cited) > 1 else ("reaction.needs-trait-or-spell",))


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


def test_a_condition_that_lasts_does_something_though_an_effect_has_ended() -> None:
    burning = fact("condition_gained", condition="burning", targets=["bo"])  # record 7
    haze = (
        fact("effect_started", effect="haze", targets=["ana"]),
        fact("effect_ended", effect="haze", targets=["ana"]),
    )
    hurts = fact("damage_dealt", target="bo", amount=1, cause=7)
    for later in ((), (fact("turn_started", combatant="bo"),)):
        assert findings(*TWO, burning, *haze, *later, hurts, ruleset="nameless-journey") == []


def test_an_effect_of_nobody_known_may_run_on_for_a_round_after_its_end() -> None:
    began = fact("effect_started", effect="haze", targets=["bo"], duration={"amount": 1, "unit": "round"})
    turns = [fact("turn_started", combatant=who) for who in ("bo", "ana") * 4]
    over = fact("effect_ended", effect="haze", targets=["bo"], reason="expired")
    hurts = fact("damage_dealt", target="bo", amount=1, cause=7)
    for later in (over, hurts):
        found = [
            len(findings(*TWO, began, *turns[:count], later, ruleset="nameless-journey")) for count in (3, 5, 6, 7)
        ]
        assert found == [0, 0, 1, 1]
