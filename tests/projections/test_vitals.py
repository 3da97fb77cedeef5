"""Pools: what damage and healing do to hit points, temporary points and non-lethal damage, on plain."""

from typing import Any

import pytest
from msgspec import structs

from eventstore.events import DamageDealt, Healed
from eventstore.shapes import LARGEST
from projections.folds.addresses import value_of
from projections.folds.vitals import change_pools
from projections.mechanics.pools import PoolRules
from projections.occurrence import Occurrence
from projections.rulesets import RULESETS
from tests.projections.logs import amend, fact, findings, heal, hit, hp, joins, override, play, rules, value


def ulf(*facts: str, start: int | None = 10, options: dict[str, str] | None = None, **sheet: Any) -> tuple[object, ...]:
    """Return hit points, temporary points and non-lethal damage of Ulf after these facts."""
    one = play(joins("ulf", start, **sheet), *facts, options=options).combatants["ulf"]
    return one.hp, one.temp, one.nld


def test_a_changed_sheet_replaces_whole_keys_and_keeps_the_others() -> None:
    changes = fact("sheet_changed", combatant="ulf", sheet={"resources": {"arrows": 3}})
    one = play(joins("ulf", ac=14, resources={"arrows": 9, "oil": 1}), changes).combatants["ulf"]
    assert one.resources == {"arrows": 3}
    assert one.sheet.ac == 14


def decided(*facts: str, **how: Any) -> tuple[object, tuple[int, ...]]:
    """Return the status of Ulf after these facts, and the records that decided it."""
    standing = play(*facts, **how).combatants["ulf"].standing
    return standing.value, standing.because.flat().events


def test_a_blow_beyond_the_floor_decides_alone_also_as_non_lethal() -> None:
    how: dict[str, Any] = {"ruleset": "nameless-journey", "options": {"hp-floor": "zero"}}
    assert decided(joins("ulf", 5), hit("ulf", 3), hit("ulf", 8, nonlethal=True), **how) == ("down", (2, 4))


def test_non_lethal_damage_is_healed_no_lower_than_0_which_decides_too() -> None:
    bruised, soothed = joins("ulf", 10, nld=4), heal("ulf", 10, nonlethal=True)
    how: dict[str, Any] = {"ruleset": "definition-master"}
    assert decided(bruised, soothed, hit("ulf", 9, nonlethal=True), **how) == ("up", (2, 3))
    healing = heal("ulf", 9, nonlethal=True), heal("ulf", 3, nonlethal=True)
    assert decided(bruised, hit("ulf", 2), *healing, hit("ulf", 6), **how) == ("up", (2, 4, 5))


FLOOR, CAP = {"temporary-points": "replace"}, {"same-effect": "renews"}
RULES = PoolRules(floor=0, temporary="larger", floor_option=next(iter(FLOOR)), cap_option=next(iter(CAP)))


def rests_on(
    event: DamageDealt | Healed, hp: int | None = 10, most: int | str | None = 12, rules: PoolRules = RULES
) -> tuple[tuple[int, ...], dict[str, str]]:
    """Return the records and options behind hit points after record 9; 3 set the maximum, 4 two temporary points."""
    maximum = fact("noted", text="whole") if most is None else override(ulf__hp_max=most)
    state = play(joins("ulf", hp), maximum, override(ulf__temp=2))
    state.rules = structs.replace(state.rules, pools=lambda _state, _one: rules)
    happens: Occurrence[Any] = Occurrence(9, 9, event)
    change_pools(state, happens)
    found = value_of(state, "ulf.hp")
    assert found
    return found.because.events, found.because.options


@pytest.mark.parametrize(
    ("amount", "hp", "expected"),
    [
        (1, 10, ((2, 4, 9), {})),  # temporary points took it
        (10, 10, ((2, 4, 9), {})),
        (11, 10, ((2, 4, 9), FLOOR)),
        (12, 10, ((2, 4, 9), FLOOR)),
        (0, 10, ((2,), {})),
        (3, None, ((2,), {})),
    ],
)
def test_hit_points_rest_on_the_points_that_took_a_blow_and_on_the_floor(
    amount: int, hp: int | None, expected: tuple[tuple[int, ...], dict[str, str]]
) -> None:
    assert rests_on(DamageDealt(target="ulf", amount=amount), hp)[0] == expected[0]
    if hp is not None:
        assert rests_on(DamageDealt(target="ulf", amount=amount), hp)[1] == expected[1]


def test_a_blow_at_the_floor_is_no_reason_where_no_option_says_so() -> None:
    blow = DamageDealt(target="ulf", amount=5)
    assert rests_on(blow, 0, rules=PoolRules(floor=0)) == ((2,), {})
    assert rests_on(blow, 0, rules=PoolRules(floor=0, floor_option=next(iter(FLOOR)))) == ((2, 9), FLOOR)


@pytest.mark.parametrize(
    ("amount", "hp", "most", "expected"),
    [
        (2, 10, 12, ((2, 9), {})),
        (3, 10, 12, ((2, 3, 9), CAP)),
        (11, 10, 12, ((2, 3, 9), CAP)),
        (3, 12, 12, ((2, 3, 9), CAP)),
        (3, 12, None, ((2,), {})),  # whole since it joined
        (5, 10, "none", ((2, 9), {})),
        (5, None, 12, ((2,), {})),
    ],
)
def test_hit_points_rest_on_a_maximum_that_healing_stopped_at(
    amount: int, hp: int | None, most: int | str | None, expected: tuple[tuple[int, ...], dict[str, str]]
) -> None:
    assert rests_on(Healed(target="ulf", amount=amount), hp, most) == expected


def test_hit_points_that_healing_makes_whole_rest_on_it() -> None:
    state = play(joins("ulf", 8, hp_max=10))
    state.rules = structs.replace(state.rules, pools=lambda _state, _one: RULES)
    healing: Occurrence[Any] = Occurrence(9, 9, Healed(target="ulf", amount=5))
    change_pools(state, healing)
    found = value_of(state, "ulf.hp")
    assert found
    assert (found.because.events, found.because.options) == ((2, 9), CAP)


def test_log_limit_points_stop_at_what_a_log_can_hold_and_it_is_found() -> None:
    enormous = hit("ulf", LARGEST)
    assert hp(play(joins("ulf"), *[enormous] * 5)) == {"ulf": -LARGEST}
    assert rules(joins("ulf"), hit("ulf", LARGEST), hit("ulf", 30), hit("ulf", 1)) == [
        ("log.limit", 4),
        ("log.limit", 5),
    ]
    uncapped = (joins("ulf"), override(ulf__hp_max="none"), heal("ulf", LARGEST), hit("ulf", 7))
    assert [hp(play(*uncapped, ruleset=key)) for key in RULESETS] == [{"ulf": LARGEST - 7}] * len(RULESETS)
    assert rules(joins("ulf", LARGEST), heal("ulf", 5)) == []
    temporary = heal("ulf", LARGEST, temporary=True)
    told = (joins("ulf"), temporary, temporary)
    assert play(*told, options={"temporary-points": "add"}).combatants["ulf"].temp == LARGEST
    assert rules(*told, options={"temporary-points": "add"}) == [("log.limit", 4)]
    (one,) = findings(*told, options={"temporary-points": "add"})
    assert one.says == "the points would go beyond what a log can hold, ±9,007,199,254,740,991"
    assert (one.expected, one.found) == ("", "")


def test_log_limit_holds_for_resources_too() -> None:
    spends = fact("resource_changed", combatant="ulf", resource="oil", amount=-LARGEST)
    told = (joins("ulf", resources={"oil": -3}), spends)
    assert play(*told).combatants["ulf"].resources == {"oil": -LARGEST}
    assert rules(*told) == [("log.limit", 3)]


# resources


def test_where_nobody_said_how_much_there_was_what_is_left_counts() -> None:
    spends = fact("resource_changed", combatant="ulf", resource="oil", amount=-1, left=4)
    again = fact("resource_changed", combatant="ulf", resource="oil", amount=-1, left=3)
    assert play(joins("ulf"), spends, again).combatants["ulf"].resources == {"oil": 3}
    assert rules(joins("ulf"), spends, again) == []


# sheets, joining, leaving


def test_log_sheet_a_sheet_of_the_wrong_form_takes_no_hold() -> None:
    told = (joins("ulf"), amend(2, fact("combatant_joined", combatant="ulf", sheet={"hp": "nine"})), hit("ulf", 3))
    assert play(*told).combatants == {}
    assert rules(*told) == [("log.sheet", 2), ("log.stranger", 4)]
    changed = fact("sheet_changed", combatant="ulf", sheet={"hp": "nine"})
    assert rules(joins("ulf"), changed) == [("log.sheet", 3)]
    assert rules(changed) == [("log.stranger", 2)]


def test_log_joining_somebody_joins_once_and_may_come_back() -> None:
    leaves = fact("combatant_left", combatant="ulf")
    assert rules(joins("ulf"), leaves, joins("ulf", 3)) == []
    assert hp(play(joins("ulf"), leaves, joins("ulf", 3))) == {"ulf": 3}
    assert rules(joins("ulf"), joins("ulf")) == [("log.joining", 3)]


def test_log_joining_combatants_and_sides_share_no_name() -> None:
    assert rules(joins("ulf", side="orcs"), joins("orcs")) == [("log.joining", 3)]
    assert rules(joins("ulf", side="orcs"), joins("grim", side="ulf")) == [("log.joining", 3)]
    assert rules(joins("ulf"), joins("grim", side="ulf")) == []


def test_healing_beyond_the_maximum_decides_where_an_option_lets_it_count() -> None:
    how: dict[str, Any] = {"ruleset": "nameless-journey", "options": {"healing-cap": "none"}}
    assert decided(joins("ulf", 10, hp_max=10), heal("ulf", 6), hit("ulf", 12), **how) == ("up", (2, 3))


def test_a_ruled_status_stands_until_it_is_lifted() -> None:
    told = (joins("ulf"), override(ulf__status="hidden"), hit("ulf", 10))
    assert value(play(*told), "ulf.status") == "hidden"
    assert value(play(*told, override(ulf__status="none")), "ulf.status") == "down"


def test_log_statement_what_is_left_of_a_resource_is_compared() -> None:
    spends = fact("resource_changed", combatant="ulf", resource="oil", amount=-1, left=4)
    (one,) = findings(joins("ulf", resources={"oil": 3}), spends)
    assert (one.rule, one.expected, one.found) == ("log.statement", "2 left", "4 left")


def test_points_become_known_by_a_change_of_the_sheet() -> None:
    known = fact("sheet_changed", combatant="ulf", sheet={"hp": 9, "temp": 2, "nld": 1})
    assert ulf(known, hit("ulf", 3), start=None) == (8, 0, 1)
