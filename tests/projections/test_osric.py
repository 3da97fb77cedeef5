"""OSRIC beside its rulebook: what crosses rounds, corrections and views."""

from itertools import permutations, product
from typing import Any

import pytest
from msgspec import structs

from eventstore.record import encode
from projections.folds.addresses import value_of
from projections.judging.audit import audit
from projections.proving.proof import records_of
from projections.replay.replay import replay
from projections.rulesets.osric.order import other_orders
from projections.rulesets.osric.state import Blow, Order, OsricState, Out, Stood
from projections.rulesets.osric.vitals import trail_of
from projections.state import State
from projections.stream.audience import for_players
from projections.views.leaves import LeavesSeen
from projections.views.steps import Step, steps
from projections.views.view import show
from tests.causes import accused
from tests.projections.changes import changes
from tests.projections.logs import fact, records
from tests.projections.stage import Script

FIGHT = (
    fact("combatant_joined", combatant="mira", side="party", sheet={"hp": 9}),
    fact("combatant_joined", combatant="ogre", side="foes", sheet={"hp": 20}),
    fact("surprise_settled"),
    fact("round_started", round=1),
)
DICE = (fact("initiative_rolled", side="party", die=3), fact("initiative_rolled", side="foes", die=3))


def acts(who: str, target: str, segment: int) -> str:
    action = {"kind": "attack", "name": "blow", "targets": [target]}
    return fact("action_taken", combatant=who, segment=segment, action=action)


def rules(*lines: str) -> list[str]:
    told = records(*lines, ruleset="osric", options={"silent-texts": "reported"})  # three sides meet in some of these
    return [finding.rule for finding in audit(told).findings]


def test_the_page_no_longer_waits_for_a_declared_spell_that_is_spoiled() -> None:
    declared = fact("action_declared", combatant="mira", action={"kind": "cast", "name": "web", "time": 3})
    blow = (acts("ogre", "mira", 3), fact("damage_dealt", target="mira", amount=2, cause=-1))
    dice = (fact("initiative_rolled", side="party", die=3), fact("initiative_rolled", side="foes", die=5))
    kept, seen = LeavesSeen(), list[Any]()

    def look(step: Step, state: State) -> None:
        kept.after(step, state)
        seen.append(kept.known["the clock"]["due"].value)

    told = records(*FIGHT, declared, *dice, *blow, ruleset="osric", options={"spoil-from": "round-start"})
    steps(told, None, look)
    assert seen[-2:] == [["mira"], []]


def test_causes_in_a_circle_come_to_an_end() -> None:
    circle = (
        *FIGHT,
        fact("dice_rolled", purpose="luck"),
        fact("damage_dealt", target="ogre", amount=1, cause=6),
        fact("amended", event=6, replacement={"type": "dice_rolled", "purpose": "luck", "cause": 7}),
    )
    assert replay(records(*circle, ruleset="osric")).state.combatants["ogre"].hp == 19
    assert rules(*circle) == []


@pytest.mark.parametrize(
    "lines",
    [
        (fact("segment_reached", segment=2**53 - 1), acts("mira", "ogre", 10**9)),
        (fact("surprise_rolled", side="party", die=10**7, surprised_on=2 * 10**7), acts("ogre", "mira", 10**6)),
    ],
)
def test_numbers_beyond_reason_are_shown_in_no_time(lines: tuple[str, ...]) -> None:
    state = replay(records(*FIGHT[:2], *lines, ruleset="osric")).state
    assert len(show(state).order) <= 100
    assert rules(*FIGHT[:2], *lines)


def test_the_moment_at_which_somebody_falls_follows_the_keys_in_any_order_of_the_rows() -> None:
    three = (
        fact("combatant_joined", combatant="ada", side="heroes", sheet={"hp": 9}),
        fact("combatant_joined", combatant="kell", side="guards", sheet={"hp": 9}),
        fact("combatant_joined", combatant="fang", side="wolves", sheet={"hp": 9}),
        fact("surprise_settled"),
        fact("round_started", round=1),
        fact("initiative_rolled", side="heroes", die=5),
        fact("initiative_rolled", side="guards", die=3),
        fact("initiative_rolled", side="wolves", die=2),
    )
    held = (acts("ada", "fang", 5), fact("damage_dealt", target="fang", amount=6, cause=-1))
    own = (acts("kell", "fang", 5), fact("damage_dealt", target="fang", amount=5, cause=-1))
    bite = (acts("fang", "kell", 5),)
    for rows in permutations((held, own, bite)):
        assert rules(*three, *(line for row in rows for line in row)) == []
    harder = (acts("kell", "fang", 5), fact("damage_dealt", target="fang", amount=9, cause=-1))
    for rows in permutations((held, harder, bite)):
        assert rules(*three, *(line for row in rows for line in row)) == ["effects.take-hold-at-once"]


def test_the_row_and_the_strip_of_an_undecided_archer_name_both_its_places() -> None:
    archer = fact("combatant_joined", combatant="ada", side="party", sheet={"hp": 9, "missile_bonus": 1})
    shown = show(replay(records(archer, *FIGHT[1:], *DICE, ruleset="osric")).state)
    row = next(row for row in shown.timeline if row.combatant == "ada")
    assert (row.status, row.segment, row.key["else"]) == ("due", 2, {"ada": 3})
    assert shown.strip is not None
    drawn = next(line for line in shown.strip.rows if line.combatant == "ada")
    assert (drawn.cells[:4], drawn.notes) == ((".", "d", "d", "."), ("due, else in 3",))


def test_what_came_out_of_a_struck_blow_without_naming_it_is_noticed() -> None:
    blow = (fact("segment_reached", segment=3), fact("attack_rolled", combatant="mira", target="ogre", hit=True))
    hurt, strike = fact("damage_dealt", target="ogre", amount=2, source="mira"), fact("struck", event=9)
    assert rules(*FIGHT, *DICE, *blow, hurt, strike) == ["log.consequence"]
    assert rules(*FIGHT, *DICE, *blow, strike, hurt) == []
    again = fact("attack_rolled", combatant="mira", target="ogre", hit=True)
    assert rules(*FIGHT, *DICE, *blow, again, hurt, strike) == []


def reason(address: str, *lines: str) -> tuple[object, tuple[str, ...], tuple[int, ...]]:
    found = value_of(replay(records(*lines, ruleset="osric")).state, address)
    assert found
    because = found.because
    return found.value, because.rules, because.events


@pytest.mark.parametrize(("address", "value", "named"), [("party.segment", 4, True), ("mira.hp", 4, False)])
def test_a_ruling_on_a_segment_and_on_nothing_else_puts_a_combatant_among_many_sides(
    address: str, value: int, *, named: bool
) -> None:
    ruled = fact("ruling_made", ruling="override", decision="so be it", values={address: value})
    found = value_of(replay(records(*FIGHT, *DICE, ruled, ruleset="osric")).state, "mira.segment")
    assert found
    assert ("many-sides" in found.because.options) is named


def orders_of(*lines: str) -> int:
    state = replay(records(*lines, ruleset="osric")).state
    assert isinstance(state, OsricState)
    return len(list(other_orders(state)))


@pytest.mark.parametrize(("archers", "orders"), [(1, 1), (2, 3), (6, 63), (7, 0)])
def test_each_of_a_few_undecided_archers_may_stand_elsewhere(archers: int, orders: int) -> None:
    band = [
        fact("combatant_joined", combatant=f"archer{n}", side="party", sheet={"hp": 9, "missile_bonus": 1})
        for n in range(archers)
    ]
    assert orders_of(*band, *FIGHT, *DICE) == orders
    assert orders_of(*band, *FIGHT[:2]) == 0
    fixed = fact("ruling_made", ruling="override", decision="late", values={"archer0.segment": 6})
    assert orders_of(*band, *FIGHT, *DICE, fixed) == (63 if archers == 7 else orders // 2)


@pytest.mark.parametrize("source", ["initiative.enc", "sequence.enc", "health.enc"])
def test_the_order_kept_from_fact_to_fact_is_that_of_all_at_once(source: str) -> None:
    for play in Script("osric", source):
        told = records_of(play)
        assert changes(told, thoroughly=False) == changes(told, thoroughly=True), play.title


@pytest.mark.parametrize(("hp", "limit"), [(2, 0), (0, -2)])
def test_the_keys_of_blows_say_when_somebody_is_out_of_action_in_whatever_order_they_are_told(
    hp: int, limit: int
) -> None:
    state = replay(records(*FIGHT, ruleset="osric")).state
    assert isinstance(state, OsricState)
    each = tuple(product((Order(1, 2), Order(1, 3)), (-3, -1, 2)))
    for told in product(each, repeat=4):
        blows = [Blow(key, by, seq) for seq, (key, by) in enumerate(told, 10)]
        state.round.trails.clear()
        for blow in blows:
            state.round.trails["mira"] = trail_of(state, "mira", hp, blow, limit)
        assert state.round.trails["mira"].last == taken_in_their_order(hp, blows, limit)


def taken_in_their_order(hp: int, blows: list[Blow], limit: int) -> Stood:
    outs: list[Out] = []
    for blow in sorted(blows, key=lambda one: one.key):
        was_up, hp = hp > limit, hp + blow.by
        if was_up and hp <= limit:
            outs.append(Out(blow.key, blow.seq))
        if hp > limit and not was_up:
            outs[-1] = Out(outs[-1].key, outs[-1].seq, blow.key)
    return Stood(hp, tuple(outs))


def test_surprise_die_what_a_surprise_of_no_segments_rests_on_is_the_check_of_the_side() -> None:
    def because(*lines: str) -> list[tuple[int, ...]]:
        state = replay(records(*FIGHT[:2], *lines, ruleset="osric")).state
        found = (value_of(state, address) for address in ("mira.surprise", "party.surprise", "surprise.length"))
        return [each.because.events for each in found if each]

    die, alert = fact("surprise_rolled", side="party", die=5), fact("surprise_settled", sides=["party"])
    foes = fact("surprise_rolled", side="foes", die=6)
    assert because() == [(2,), (1, 2), (1,)]
    assert because(die, foes) == [(2, 4), (1, 2, 4), (1, 4, 5)]
    assert because(alert) == [(2, 4), (1, 2, 4), (1, 4)]
    ruling = fact("ruling_made", ruling="override", decision="awake", values={"party.surprise": 0})
    assert because(die, ruling) == [(2, 5), (1, 5), (1,)]


CASTS = fact("action_taken", combatant="mira", segment=3, action={"kind": "cast", "name": "web", "time": 2})
DECLARES = fact("action_declared", combatant="mira", action={"kind": "cast", "name": "web", "time": 2})
HURT = fact("damage_dealt", target="mira", amount=1)  # record 9, or 10
OVER = fact("round_ended", round=1)
NO_SPELL = fact("checked", values={"mira.casting": "none", "mira.concentration": "none", "mira.casting.due": "none"})


def of_two_who_cast(*told: str) -> list[str]:
    return rules(*FIGHT, DECLARES, *DICE, CASTS, *told)


def test_damage_of_which_nobody_said_when_may_have_spoiled_a_spell_where_play_is_later_than_the_clock() -> None:
    assert of_two_who_cast(HURT, OVER) == []
    assert of_two_who_cast(HURT, NO_SPELL) == []
    assert of_two_who_cast(OVER) == ["round.ends-after-both"]
    assert of_two_who_cast(fact("damage_dealt", target="mira", amount=0), OVER) == ["round.ends-after-both"]


def shoots(who: str) -> str:
    action = {"kind": "attack", "name": "bow", "manner": ["missile"], "targets": ["ogre"]}
    return fact("action_taken", combatant=who, segment=5, action=action)


def test_damage_that_may_be_of_either_of_two_shots_is_no_effect_of_a_spell_that_was_spoiled() -> None:
    struck_in_time = fact("damage_dealt", segment=4, target="mira", amount=1)
    harm = fact("damage_dealt", segment=5, target="ogre", amount=2, source="mira")
    assert "spell.spoiled-by-interruption" not in of_two_who_cast(struck_in_time, shoots("mira"), shoots("mira"), harm)


def test_whether_damage_that_may_be_of_a_hit_spoils_a_spell_is_open_where_only_a_hit_does() -> None:
    action = {"kind": "attack", "name": "axe", "targets": ["mira"]}
    blow = fact("action_taken", combatant="ogre", segment=3, action=action)
    roars = fact("action_taken", combatant="ogre", segment=3, action={"kind": "other", "name": "roars"})
    of_that = fact("damage_dealt", target="mira", amount=1, cause=10)
    open_still = (blow, fact("noted", text="smoke"), HURT)
    broken = ["round.ends-after-both"]
    for option, more, rules_broken in (
        ("hit", open_still, []),
        ("ruling", open_still, broken),
        ("hit", (roars, of_that), broken),
    ):
        told = (*FIGHT, DECLARES, *DICE, CASTS, *more, OVER)
        log = records(*told, ruleset="osric", options={"spoil-cause": option})
        assert [finding.rule for finding in audit(log).findings] == rules_broken


def at(segment: int) -> str:
    return fact("segment_reached", segment=segment)


def casts(segment: int, name: str = "web", time: int = 2) -> str:
    return fact("action_taken", combatant="mira", segment=segment, action={"kind": "cast", "name": name, "time": time})


def hurts(who: str = "ogre", **more: object) -> str:
    return fact("damage_dealt", target=who, amount=1, **more)


BROKEN = "round.ends-after-both"


def test_an_outcome_without_a_cause_may_be_the_effect_of_a_spell_that_is_due() -> None:
    due, blow = (at(3), casts(3), at(5)), acts("ogre", "ogre", 5)
    for told, wrong in (
        ((*due,), True),
        ((*due, hurts()), False),
        ((*due, hurts(source="mira")), False),
        ((*due, hurts(source="ogre")), True),
        ((*due, blow, hurts(cause=-1)), True),
        ((*due, fact("effect_started", effect="smoke", targets=["ogre"], source="ogre")), True),
        ((*due[:2], at(4), hurts()), True),
    ):
        assert (BROKEN in rules(*FIGHT, *DICE, *told, OVER)) is wrong
    log = (*FIGHT, *DICE, *due, hurts(), OVER)
    options = {"spoil-window": "through-effect"}
    assert [
        one.rule for one in audit(records(*log, ruleset="osric", options=options)).findings if one.rule == BROKEN
    ] == []


def test_damage_without_a_cause_leaves_open_what_its_target_casts_up_to_the_segment_that_play_has_reached() -> None:
    ahead = (at(3), acts("ogre", "mira", 5), hurts("mira"))
    for told, wrong in (
        ((*ahead, casts(5)), False),
        ((*ahead, casts(6)), True),
        ((at(3), hurts("mira"), casts(6)), True),
    ):
        assert (BROKEN in rules(*FIGHT, *DICE, *told, OVER)) is wrong


def test_damage_without_a_cause_in_the_segment_in_which_a_spell_is_due_leaves_open_whether_it_has_effect() -> None:
    spoiled, effect = (
        "spell.spoiled-by-interruption",
        fact("effect_started", effect="web", source="mira", targets=["ogre"]),
    )
    for told, wrong in (
        ((at(3), casts(3), at(5), hurts("mira")), False),
        ((at(3), casts(3), at(4), hurts("mira"), at(5)), True),
        ((at(3), casts(3), at(4), acts("ogre", "mira", 4), hurts("mira", cause=-1), at(5)), True),
        ((at(3), casts(3), at(4), acts("ogre", "mira", 5), hurts("mira"), at(5)), False),
        ((at(3), casts(3), acts("ogre", "mira", 3), hurts("mira", segment=4), at(5)), True),
    ):
        assert (spoiled in rules(*FIGHT, *DICE, *told, effect)) is wrong


def test_a_roll_without_a_cause_may_add_the_missile_bonus() -> None:
    archer = fact("combatant_joined", combatant="bram", side="party", sheet={"hp": 9, "missile_bonus": 2})
    strength = [{"name": "strength", "amount": 3}]
    for total, cause, wrong in ((13, {}, False), (15, {}, False), (14, {}, True), (15, {"cause": 9}, True)):
        roll = fact("attack_rolled", combatant="bram", target="ogre", die=10, modifiers=strength, total=total, **cause)
        told = rules(FIGHT[0], archer, *FIGHT[1:], *DICE, acts("bram", "ogre", 3), acts("bram", "mira", 3), roll)
        assert (total, cause, "attack.missile-bonus-to-hit" in told) == (total, cause, wrong)


@pytest.mark.parametrize("number", [217, 525])
def test_when_in_a_segment_somebody_fell_by_a_blow_of_no_known_act_accuses_nobody(number: int) -> None:
    assert [each for every in (False, True) for each in accused("osric", number, every=every, apart=True)] == []


def test_an_effect_that_segments_end_rests_on_the_last_of_a_round_and_on_time_that_passes() -> None:
    begun = fact(
        "effect_started", effect="bless", targets=["mira"], duration={"amount": 20, "unit": "segment"}, segment=1
    )
    clock = [fact("segment_reached", segment=number) for number in (2, 3, 4)]
    assert reason("mira.effects.bless", *FIGHT, *DICE, begun, *clock)[::2] == (17, (8, 11))
    passed = fact("time_passed", time={"amount": 6, "unit": "second"})
    assert reason("mira.effects.bless", *FIGHT, *DICE, begun, clock[0], passed, *clock[1:])[::2] == (16, (8, 9, 10, 12))
    rounds = fact("round_ended", round=1), fact("round_started", round=2)
    assert reason("mira.effects.bless", *FIGHT, *DICE, begun, clock[0], *rounds, clock[1])[::2] == (8, (8, 9, 10, 12))


@pytest.mark.parametrize("options", [{}, {"many-sides": "ruling"}])
def test_a_hidden_third_side_lets_players_read_of_no_act_before_its_segment(options: dict[str, str]) -> None:
    third = fact("combatant_joined", combatant="zark", side="umbra", sheet={"hp": 30})
    dice = (*DICE, fact("initiative_rolled", side="umbra", die=6))
    log = [*records(*FIGHT[:2], third, *FIGHT[2:], *dice, acts("mira", "ogre", 1), ruleset="osric", options=options)]
    hidden = [structs.replace(each, secret=each.secret or b"umbra" in encode(each.event)) for each in log]
    for told in (hidden, [*for_players(hidden)]):
        assert not [found for found in audit(told).findings if found.rule == "initiative.other-sides-die"]
