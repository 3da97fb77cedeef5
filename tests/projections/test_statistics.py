"""Statistics: points as they really changed, credited to whoever the facts name, with what they were dealt."""

from projections.replay.replay import replay
from projections.views.statistics import Sums, Tally
from projections.views.steps import PoolsWatch, step_observer
from tests.projections.logs import act, amend, fact, heal, hit, joins, override, records, round_


def tallies(*facts: str, ruleset: str = "plain") -> dict[tuple[int, str], Tally]:
    """Return the statistics of a log with these facts, all rounds of it."""
    sums = Sums(lambda _: True)
    replay(records(*facts, ruleset=ruleset), after=step_observer(sums.take_step, PoolsWatch()))
    return {(one.round, one.combatant): one for one in sums.tallies()}


BOTH = (joins("ana", 10), joins("ulf", 8), round_(1))


def test_damage_is_credited_to_its_source_or_to_whoever_caused_it() -> None:
    facts = (hit("ulf", 1), hit("ulf", 2, source="ana"), act("ana", "sword"), hit("ulf", 3, cause=-1))
    found = tallies(*BOTH, *facts)
    ana, ulf = found[1, "ana"], found[1, "ulf"]
    assert (ana.dealt, ana.dealt_with, ana.actions) == (5, {"": 2, "sword": 3}, 1)
    assert (ulf.took, ulf.took_from, ulf.hp) == (6, {"": 1, "ana": 5}, 2)


def test_what_led_to_damage_is_followed_to_the_action() -> None:
    rolled = fact("attack_rolled", combatant="ana", target="ulf", die=15, cause=-1)
    found = tallies(*BOTH, act("ana", "sword"), rolled, hit("ulf", 3, cause=-1))
    assert (found[1, "ana"].dealt_with, found[1, "ana"].attacks) == ({"sword": 3}, 1)
    named = fact("attack_rolled", combatant="ana", target="ulf", name="left hand", die=15, cause=-1)
    assert tallies(*BOTH, act("ana"), named, hit("ulf", 3, cause=-1))[1, "ana"].dealt_with == {"left hand": 3}


def test_healing_counts_the_points_that_came_back() -> None:
    found = tallies(*BOTH, hit("ana", 4), act("ulf", "mend"), heal("ana", 9, source="ulf", cause=-1))
    ana, ulf = found[1, "ana"], found[1, "ulf"]
    regained = 10 - 6 if ana.hp == 10 else 9
    assert (ana.took, ana.regained, ulf.healed_with, ulf.healed) == (4, regained, {"mend": regained}, regained)


def test_each_round_is_counted_by_itself() -> None:
    found = tallies(*BOTH, hit("ulf", 1, source="ana"), round_(2), hit("ulf", 2, source="ana"), round_(3))
    assert [found[number, "ulf"].took for number in (0, 1, 2, 3)] == [0, 1, 2, 0]
    assert [found[number, "ulf"].hp for number in (0, 1, 2, 3)] == [8, 7, 5, 5]


def test_of_somebody_whose_hit_points_nobody_said_amounts_count_as_stated() -> None:
    found = tallies(joins("ana", 10), joins("ulf", None), round_(1), hit("ulf", 7, source="ana"), heal("ulf", 2))
    assert (found[1, "ulf"].took, found[1, "ulf"].regained, found[1, "ulf"].hp) == (7, 2, None)


def test_a_ruling_and_a_thing_that_breaks_are_no_damage() -> None:
    found = tallies(*BOTH, override(ulf__hp=1), hit("ulf", 3, object="shield", source="ana"))
    assert (found[1, "ulf"].took, found[1, "ana"].dealt, found[1, "ulf"].hp) == (0, 0, 1)


def test_temporary_points_and_non_lethal_damage_count() -> None:
    found = tallies(*BOTH, heal("ana", 3, temporary=True), hit("ana", 5))[1, "ana"]
    assert (found.regained, found.took, found.hp, found.temp) == (3, 5, 8, 0)
    facts = (hit("ana", 4, nonlethal=True), heal("ana", 1, nonlethal=True))
    found = tallies(*BOTH, *facts, ruleset="definition-master")[1, "ana"]
    assert (found.took, found.regained, found.hp, found.nld) == (4, 1, 10, 3)


def test_facts_that_lead_to_each_other_in_a_circle_end() -> None:
    again = amend(5, hit("ulf", 1, cause=6))
    found = tallies(*BOTH, hit("ulf", 1), hit("ulf", 3, cause=5), again)
    assert found[1, "ulf"].took_from == {"": 4}
