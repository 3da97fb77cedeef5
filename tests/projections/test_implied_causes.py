"""Implied causes: an outcome that names no cause has the one that is certain, or none."""

from typing import Any

import pytest
from msgspec import structs

from projections.explaining.blame import blame
from projections.folds.replay import replay
from projections.occurrence import Occurrence
from projections.proving.proof import records_of
from projections.rulesets import keys
from tests import causes
from tests.lawful.__main__ import KEYS
from tests.projections.logs import bears, fact, heal, hit, joins, records, round_, strike, turn
from tests.projections.stage import encounters

THREE = (joins("ana"), joins("bo"), joins("cy"), turn("ana"))
LAST = len(THREE) + 2
"""The record of the first fact after those."""


def attack(who: str, *targets: str, name: str = "sword", **more: object) -> str:
    return fact("action_taken", combatant=who, action={"kind": "attack", "name": name, "targets": targets}, **more)


def cast(who: str, *targets: str, name: str = "bolt", **more: object) -> str:
    return fact("action_taken", combatant=who, action={"kind": "cast", "name": name, "targets": targets}, **more)


def rolls_at(who: str, target: str, *, hits: bool = True, **more: object) -> str:
    return fact("attack_rolled", combatant=who, target=target, hit=hits, **more)


def found(*facts: str, together: bool = False) -> Occurrence[Any]:
    """Return the last fact of a turn of Ana's, as the replay has it; the facts of the turn are appended one by one, or together."""
    lines = records(*THREE, *facts)
    if together:
        lines = [
            structs.replace(line, batch=(line.seq - LAST + 1, len(facts))) if line.seq >= LAST else line
            for line in lines
        ]
    return replay(lines).state.moments[len(lines)]


def cause(*facts: str, together: bool = False) -> int:
    """Return the cause of the last fact, counted from the first fact of the turn as 1; 0 if none is certain."""
    seq = found(*facts, together=together).cause
    return seq - LAST + 1 if seq else 0


def test_an_attack_roll_belongs_to_the_act_of_whoever_rolls() -> None:
    assert cause(attack("ana", "bo"), rolls_at("ana", "bo")) == 1
    assert cause(attack("ana", "bo"), rolls_at("cy", "bo")) == 0
    assert cause(attack("ana", "bo"), rolls_at("ana", "cy")) == 0


def test_a_roll_after_a_later_act_of_the_same_combatant_belongs_to_no_earlier_one() -> None:
    parry = fact("action_taken", combatant="ana", action={"kind": "other", "name": "parry"})
    assert cause(attack("ana", "bo"), parry, rolls_at("ana", "bo")) == 0


def test_damage_that_names_its_source_comes_of_the_hit_of_that_one() -> None:
    blows = (attack("ana", "bo"), rolls_at("ana", "bo"), attack("cy", "bo"), rolls_at("cy", "bo"))
    assert cause(*blows, hit("bo", 3, source="ana")) == 2
    assert cause(*blows, hit("bo", 3, source="cy")) == 4
    assert cause(*blows, hit("bo", 3)) == 0
    assert cause(*blows, hit("ana", 3, source="cy")) == 0


def test_damage_without_a_source_has_a_cause_only_right_behind_it_in_one_append() -> None:
    blow = (attack("ana", "bo"), rolls_at("ana", "bo"))
    assert cause(*blow, hit("bo", 3), together=True) == 2
    assert cause(*blow, hit("bo", 3)) == 0
    assert cause(*blow, fact("noted", text="the ceiling creaks"), hit("bo", 3), together=True) == 0


def test_an_effect_without_a_source_comes_of_the_act_of_its_name_right_before_it_in_one_append() -> None:
    fuse = fact("effect_started", effect="fuse")
    twice = (cast("ana", name="fuse"), cast("cy", name="fuse"))
    assert cause(*twice, fuse, together=True) == 2
    assert cause(*twice, fuse) == 0
    assert cause(twice[0], cast("cy", name="flash"), fuse, together=True) == 0
    assert cause(*twice, fact("effect_started", effect="fuse", source="ana"), together=True) == 1
    assert cause(*twice, fact("effect_started", effect="fuse", source="bo"), together=True) == 0


def test_what_was_struck_before_a_fact_was_recorded_is_not_its_cause() -> None:
    blow, hurt = attack("ana", "bo"), hit("bo", 3, source="ana")
    assert cause(blow, strike(LAST), hurt) == 0
    assert replay(records(*THREE, blow, hurt, strike(LAST))).state.moments[LAST + 1].cause == LAST


def test_a_miss_brings_about_nothing() -> None:
    assert cause(attack("ana", "bo"), rolls_at("ana", "bo", hits=False), hit("bo", 3, source="ana")) == 0
    short = fact("attack_rolled", combatant="ana", target="bo", total=9, ac=15)
    assert cause(attack("ana", "bo"), short, hit("bo", 3), together=True) == 0


def test_a_hit_brings_about_further_damage_only_in_the_same_append() -> None:
    blow = (attack("ana", "bo"), rolls_at("ana", "bo"), hit("bo", 3, source="ana"))
    assert cause(*blow, hit("bo", 2, source="ana"), together=True) == 2
    assert cause(*blow, hit("bo", 2, source="ana")) == 0


def test_two_that_fit_are_doubtful_and_none_is_the_cause() -> None:
    twice = found(attack("ana", "bo"), attack("ana", "bo"), hit("bo", 3, source="ana"))
    assert (twice.cause, twice.implied, twice.doubtful) == (0, False, LAST + 1)


def test_each_save_and_each_damage_of_a_spell_belongs_to_its_own_target() -> None:
    storm = (
        cast("ana", "bo", "cy"),
        fact("save_rolled", combatant="bo"),
        hit("bo", 4),
        fact("save_rolled", combatant="cy"),
    )
    assert cause(*storm[:2], together=True) == 1
    assert cause(*storm[:3], together=True) == 2
    assert cause(*storm, together=True) == 1
    assert cause(*storm, hit("cy", 4), together=True) == 4


def test_healing_comes_of_no_attack_but_of_an_act_on_oneself() -> None:
    assert cause(attack("ana", "bo"), heal("bo", 3, source="ana")) == 0
    drink = fact("action_taken", combatant="ana", action={"kind": "other", "name": "drinks"})
    assert cause(drink, heal("ana", 3, source="ana")) == 1
    assert cause(drink, hit("ana", 3, source="ana")) == 0


def test_an_effect_comes_of_the_act_of_its_name() -> None:
    assert cause(cast("ana", name="haze"), bears("Haze", "bo", source="ana")) == 1
    assert cause(cast("ana", "bo", name="haze"), bears("burn", "bo", source="ana"), together=True) == 0


def test_an_effect_that_ended_and_an_act_that_was_abandoned_bring_about_nothing() -> None:
    ended = fact("effect_ended", effect="haze", targets=["bo"])
    assert cause(bears("haze", "bo", source="ana"), hit("bo", 1, source="ana")) == 1
    assert cause(bears("haze", "bo", source="ana"), ended, hit("bo", 1, source="ana")) == 0
    given_up = fact("action_abandoned", combatant="ana", name="bolt")
    assert cause(cast("ana", "bo"), given_up, hit("bo", 1, source="ana")) == 0


def test_nothing_of_an_earlier_turn_is_an_implied_cause() -> None:
    assert cause(attack("ana", "bo"), turn("bo"), hit("bo", 1, source="ana")) == 0


def test_what_happens_at_another_moment_is_an_implied_cause_only_if_it_gives_that_itself() -> None:
    later = fact("segment_reached", segment=6)
    assert replay(records(*THREE[:3], round_(1), attack("ana", "bo"), later, hit("bo", 1, source="ana"))).state.seq == 8
    assert cause(attack("ana", "bo", segment=4), hit("bo", 1, source="ana")) == 1
    assert cause(attack("ana", "bo", segment=4), hit("bo", 1, source="ana", segment=5)) == 0


def test_a_roll_that_confirms_is_no_cause_of_its_own() -> None:
    confirmed = (attack("ana", "bo"), rolls_at("ana", "bo"), rolls_at("ana", "bo", confirms=-1))
    assert cause(*confirmed, hit("bo", 5, source="ana")) == 2


def test_a_recorded_cause_stays_and_is_not_implied() -> None:
    last = found(attack("ana", "bo"), attack("cy", "bo"), hit("bo", 1, source="cy", cause=LAST))
    assert (last.cause, last.implied, last.doubtful) == (LAST, False, 0)


def test_under_a_change_stand_only_the_rolls_that_led_to_it() -> None:
    storm = (
        cast("ana", "bo", "cy"),
        fact("save_rolled", combatant="bo", cause=-1),
        fact("save_rolled", combatant="cy", cause=-2),
    )
    missed = rolls_at("ana", "bo", hits=False, cause=LAST)
    told, _ = blame(records(*THREE, *storm, missed, hit("bo", 4, cause=LAST)), "bo.hp")
    assert told is not None
    assert [each.seq for each in told.touches[-1].causes] == [LAST, LAST + 1]


def test_blame_says_that_a_cause_is_implied_or_that_none_was_recorded() -> None:
    told, _ = blame(
        records(*THREE, attack("ana", "bo"), rolls_at("ana", "bo"), hit("bo", 3, source="ana"), hit("bo", 1)), "bo.hp"
    )
    assert told is not None
    assert [(each.implied, each.uncaused) for each in told.touches[-2:]] == [(True, False), (False, True)]


@pytest.mark.sampled
@pytest.mark.parametrize("key", keys())
def test_no_cause_that_was_taken_away_is_replaced_by_a_false_one(key: str, whole: bool) -> None:
    logs = causes.logs(key) if whole else (("", play.title, records_of(play)) for play in encounters(key))
    found = [
        (name, fact.seq)
        for _, name, log in logs
        for verdict, fact, _ in causes.verdicts(log)
        if verdict == causes.FALSE
    ]
    assert found == []


@pytest.mark.parametrize("key", KEYS)
def test_lawful_fights_that_lost_their_causes_are_accused_of_nothing(key: str) -> None:
    assert [
        each for seed in range(3) for every in (False, True) for each in causes.accused(key, seed, every=every)
    ] == []


@pytest.mark.parametrize(
    ("key", "number"),
    [
        *(("osric", number) for number in (65, 104, 166, 185, 209, 507, 546, 599, 874, 933, 1012, 1024, 1073, 1110)),
        *(("nameless-journey", number) for number in (65, 205, 334, 341, 763, 888)),
        *(("semiautomagic", number) for number in (113, 129, 256)),
        *(("definition-master", number) for number in (273, 517, 792, 956, 1116)),
    ],
)
def test_of_these_fights_nothing_is_certain_that_somebody_could_be_accused_of(key: str, number: int) -> None:
    assert [each for every in (False, True) for each in causes.accused(key, number, every=every)] == []
