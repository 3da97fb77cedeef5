"""OSRIC beside its rulebook: circles, numbers beyond reason, and what does not depend on an order."""

from itertools import permutations, product

import pytest
from msgspec import structs

from eventstore.record import encode
from projections.judging.audit import audit
from projections.replay.replay import replay
from projections.rulesets.osric.state import Blow, Order, OsricState, Out, Stood
from projections.rulesets.osric.vitals import trail_with_blow
from projections.stream.audience import for_players
from projections.views.view import show
from tests.projections.logs import fact, records

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


def test_causes_in_a_circle_come_to_an_end() -> None:
    circle = (
        *FIGHT,
        fact("dice_rolled", purpose="luck"),
        fact("damage_dealt", target="ogre", amount=1, cause=6),
        fact("amended", event=6, replacement={"type": "dice_rolled", "purpose": "luck", "cause": 7}),
    )
    assert replay(records(*circle, ruleset="osric")).state.combatants["ogre"].hp == 19
    assert rules(*circle) == []


@pytest.mark.parametrize("lines", [
    (fact("segment_reached", segment=2**53 - 1), acts("mira", "ogre", 10**9)),
    (fact("surprise_rolled", side="party", die=10**7, surprised_on=2 * 10**7), acts("ogre", "mira", 10**6)),
])  # fmt: skip
def test_numbers_beyond_reason_are_shown_in_no_time(lines: tuple[str, ...]) -> None:
    state = replay(records(*FIGHT[:2], *lines, ruleset="osric")).state
    assert len(show(state).order) <= 100
    assert rules(*FIGHT[:2], *lines)


def test_the_moment_of_a_fall_follows_the_keys_in_any_order_of_rows() -> None:
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


@pytest.mark.parametrize(("hp", "limit"), [(2, 0), (0, -2)])
def test_keys_of_blows_say_when_somebody_is_out_in_any_order(hp: int, limit: int) -> None:
    state = replay(records(*FIGHT, ruleset="osric")).state
    assert isinstance(state, OsricState)
    each = tuple(product((Order(1, 2), Order(1, 3)), (-3, -1, 2)))
    for told in product(each, repeat=4):
        blows = [Blow(key, by, seq) for seq, (key, by) in enumerate(told, 10)]
        state.round.trails.clear()
        for blow in blows:
            state.round.trails["mira"] = trail_with_blow(state, "mira", hp, blow, limit)
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


def at(segment: int) -> str:
    return fact("segment_reached", segment=segment)


@pytest.mark.parametrize("options", [{}, {"many-sides": "ruling"}])
def test_a_hidden_third_side_lets_players_read_no_act_before_its_segment(options: dict[str, str]) -> None:
    third = fact("combatant_joined", combatant="zark", side="umbra", sheet={"hp": 30})
    dice = (*DICE, fact("initiative_rolled", side="umbra", die=6))
    log = [*records(*FIGHT[:2], third, *FIGHT[2:], *dice, acts("mira", "ogre", 1), ruleset="osric", options=options)]
    hidden = [structs.replace(each, secret=each.secret or b"umbra" in encode(each.event)) for each in log]
    for told in (hidden, [*for_players(hidden)]):
        assert not [found for found in audit(told).findings if found.rule == "initiative.other-sides-die"]
