"""What Nameless Journey costs is what its catalogue says: the tables of actions and resources alone hold it."""

import tomllib
from pathlib import Path
from typing import Any

from projections.folds.budget import price_rows
from projections.judging.audit import audit
from projections.replay.replay import replay
from projections.rulesets import find
from projections.rulesets.nameless_journey import budget
from tests.projections.logs import fact, records

RULES = tomllib.loads(Path(find("nameless-journey").rules).read_text("utf-8"))


def rows(table: str, name: str) -> dict[str, dict[str, Any]]:
    """Return the rows of a table of the catalogue by their names, each of which stands there once."""
    found = {row[name]: row for row in RULES[table]}
    assert len(found) == len(RULES[table])
    return found


ACTIONS, RESOURCES = rows("action", "kind"), rows("resource", "name")


def test_prices_of_acts_are_those_of_the_catalogue_in_order() -> None:
    kinds = {kind: (tuple(row["cost"]), row["entry"]) for kind, row in ACTIONS.items()}
    assert {
        kind: (each.costs, each.entry) for kind, each in price_rows(find("nameless-journey").rules).items()
    } == kinds


def test_the_resources_of_the_own_turn_are_those_of_the_catalogue() -> None:
    own = [name for name, row in RESOURCES.items() if row["where"] == "own-turn"]
    assert [*budget.ON_TURN, "movement"] == own
    assert RESOURCES[budget.REACTION]["where"] == "outside-own-turn"


def test_every_resource_returns_as_the_own_turn_starts_by_default() -> None:
    assert {row["returns"] for row in RESOURCES.values()} == {find("nameless-journey").default("reaction-returns")}


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
