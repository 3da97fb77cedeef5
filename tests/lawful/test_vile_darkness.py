"""What the generator for Vile Darkness takes the text to say, held against worked rounds; and that its fights are well formed."""

import random

import pytest

from eventstore.form import event_of
from tests.lawful.fight import Fight
from tests.lawful.judging import faults
from tests.lawful.tables.vile_darkness.breaches import BREACHES, SPELL
from tests.lawful.tables.vile_darkness.people import Casting, somebody
from tests.lawful.tables.vile_darkness.play import Table
from tests.lawful.tables.vile_darkness.sums import (
    Deed,
    at_once,
    ends,
    hit_points,
    hits,
    lined_up,
    need,
    order_of_slots,
    standing,
    within,
)
from tests.lawful.vile_darkness import lawful

FIGHTS = range(12)


def deed(who: str, slot: str, high: bool, **more: int | bool | None) -> Deed:
    side = "heroes" if who in ("ada", "bram", "cleo", "dov", "eli") else "orcs"
    found = Deed(who, side, slot, lambda: None, high)
    for name, value in more.items():
        setattr(found, name, value)
    return found


def order(*deeds: Deed) -> list[list[str]]:
    found = list[list[str]]()
    for slot in order_of_slots({}):
        line = lined_up([each for each in deeds if each.slot == slot], random.Random(0), {})
        groups = at_once(line, {})
        assert groups is not None
        found += groups
    return found


# ---------------------------------------------------------------- worked rounds


def test_one_untied_round_goes_through_all_slots() -> None:
    high = standing({"heroes": 5, "orcs": 2})
    assert high == {"heroes": True, "orcs": False}
    assert order(
        deed("cleo", "E", True, due=3),
        deed("ulf", "L.D3", False, speed=7),
        deed("snag", "L.D2", False),
        deed("dov", "H.D4", True),
        deed("ada", "H.D3", True, speed=5),
        deed("bram", "H.D2", True),
    ) == [["bram"], ["ada"], ["dov"], ["snag"], ["ulf"], ["cleo"]]
    rolls = [(19, False, 7, 14, True), (19, False, 7, 8, False), (18, False, 6, 15, True), (19, False, 6, 13, True)]
    rolls += [(19, False, 6, 5, False), (19, False, 4, 17, True)]
    assert [hits(die, 0, need(aac0, starred, ac)) for aac0, starred, ac, die, _ in rolls] == [r[-1] for r in rolls]


def test_a_tie_goes_by_kind_and_then_by_speed_with_the_minors_of_the_round() -> None:
    assert standing({"heroes": 4, "orcs": 4}) == {"heroes": True, "orcs": True}
    assert order(
        deed("grim", "H.D3", True, speed=8),
        deed("ada", "H.D3", True, speed=7 + 1),
        deed("dov", "H.D3", True, speed=6 + 1),
        deed("ulf", "H.D3", True, speed=7),
        deed("eli", "H.D3", True, speed=3 + 1),
        deed("snag", "H.D2", True),
        deed("dov", "H.D1", True),
    ) == [["dov"], ["snag"], ["eli"], ["dov", "ulf"], ["ada", "grim"]]


def test_delays_of_every_kind_stand_in_low_and_only_the_condition_loses_ties() -> None:
    assert order(
        deed("bram", "L.D2", False, delayed=True),
        deed("snag", "L.D2", False),
        deed("eli", "L.D2", False),
        deed("ulf", "L.D3", False, speed=7),
        deed("ada", "L.D3", False, speed=5),
        deed("grim", "L.D4", False, delayed=True),
    ) == [["eli", "snag"], ["bram"], ["ada"], ["ulf"], ["grim"]]
    assert order(
        deed("ada", "L.D3", False, speed=5, delayed=True),
        deed("ulf", "L.D3", False, speed=7 + 2, delayed=True),
        deed("grim", "L.D3", False, speed=8),
        deed("eli", "L.D3", False, speed=3 + 1),
        deed("bram", "GL", False),
    ) == [["eli"], ["grim"], ["ada"], ["ulf"], ["bram"]]


def test_spells_go_by_segment_and_then_high_before_low() -> None:
    spells = [("urk", False, 2), ("cleo", True, 3), ("dov", True, 4)]
    assert order(*(deed(who, "E", high, due=due) for who, high, due in spells)) == [["urk"], ["cleo"], ["dov"]]
    assert order(deed("dov", "E", False, due=2), deed("urk", "E", True, due=2)) == [["urk"], ["dov"]]
    assert order(deed("cleo", "E", False, due=2), deed("urk", "E", False, due=2)) == [["cleo", "urk"]]


@pytest.mark.parametrize(
    ("segment", "kept"), [(0, False), (2, False), (3, False), (5, True)], ids=["unknown", "inside", "last", "after"]
)
def test_a_wound_breaks_a_casting_of_segments_1_to_3_unless_it_is_known_to_come_later(segment: int, kept: bool) -> None:
    table = Table(random.Random(0))
    table.begins()
    table.timed, table.slot, table.segment = bool(segment), "L.D2", segment
    cleo = somebody("cleo", "heroes", "caster", random.Random(0))
    cleo.memorized["spark"], cleo.casting = 2, Casting(SPELL["spark"], 1, table.round, table.round, 3)
    table.disturb(cleo)
    assert (cleo.casting is not None, cleo.memorized["spark"]) == (kept, 1 + kept)


def test_more_than_ten_segments_run_on_into_the_next_round() -> None:
    assert ends(1, 9 + 1 + 1) == (2, 1)
    assert ends(1, 10) == (1, 10)
    assert ends(3, 13 + 2) == (4, 5)


def test_attack_numbers_repeat_20_six_times() -> None:
    scale = range(10, -11, -1)
    assert [need(18, False, ac) for ac in scale] == [*range(8, 20), *[20] * 6, 21, 22, 23]
    assert [need(20, True, ac) for ac in scale] == [*range(11, 20), *[20] * 6, *range(21, 27)]
    assert [need(10, False, ac) for ac in scale] == list(range(21))
    assert hits(18, 2, need(18, False, -5))
    assert not hits(19, 0, need(20, True, 1))
    assert not hits(1, 9, need(16, False, 10))
    assert hits(20, -2, need(20, False, -8))


def test_enhanced_hit_dice_have_their_bonus_for_each_die() -> None:
    assert hit_points((3, 6, 2, 8), 4) == 35


def test_distances_run_from_center_to_center() -> None:
    assert within((0, 0), (3, 4), 25)
    assert not within((0, 0), (3, 4), 24)
    assert within((0, 0), (3, 4), 20, counted=True)


# ---------------------------------------------------------------- its fights


@pytest.mark.parametrize("number", FIGHTS)
def test_hit_points_are_those_of_plain_bookkeeping(number: int) -> None:
    fight = lawful(random.Random(number), 5)
    for fact in fight.facts:
        if fact["type"] == "combatant_joined":
            fact["sheet"] = {key: fact["sheet"][key] for key in ("hp", "hp_max")}
    known = {seq: {k: v for k, v in values.items() if k.endswith(".hp")} for seq, values in fight.knows.items()}
    assert not [each for each in faults("plain", Fight({}, fight.facts, known)) if ".hp is" in each]


@pytest.mark.parametrize("breach", [each for each, _ in BREACHES], ids=lambda each: str(each.__name__))
def test_a_breach_is_about_a_fact_of_its_fight(breach: object) -> None:
    (moments,) = (moments for each, moments in BREACHES if each is breach)
    for number in range(3):
        table = Table(random.Random(number))
        next(moment for moment in table.play(2) if moment in moments)
        (told_breach,) = (each for each, _ in BREACHES if each is breach)
        rule, seq = told_breach(table)
        assert "." in rule
        assert 2 <= seq <= table.fight.seq
        assert [event_of(fact) for fact in table.fight.facts]


@pytest.mark.parametrize("seed", range(6))
def test_who_delays_in_low_is_delayed_from_the_announcement_on_and_not_before(seed: int) -> None:
    dice = random.Random(seed)
    table = Table(dice)
    one, other = table.muster("heroes", "fighter"), table.muster("orcs", "fighter")
    table.begins()
    table.throws({"heroes": 2, "orcs": 5})
    table.announces(one, "L.D2")
    early, late = (table.adds(one, slot, lambda: None) for slot in ("L.D1", "L.D2"))
    foe = table.adds(other, "L.D2", lambda: None)
    assert (early.delayed, late.delayed, foe.delayed) == (False, True, False)
    told = lined_up([late, *(each for each in table.deeds if each.slot == "L.D2" and each is not late)], dice, {})
    assert told[-1] is late
