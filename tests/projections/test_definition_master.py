"""Definition Master beside its rulebook: what holds of the health of combatants whatever befalls them."""

from typing import Any

import pytest
from hypothesis import given, strategies as st

from eventstore.events import AttackRolled
from projections.fight import Combatant
from projections.folds.addresses import addresses, derived
from projections.judging.audit import audit
from projections.mechanics.dues import owed
from projections.replay.replay import replay
from projections.rulesets.definition_master.immediate import held_by
from projections.rulesets.definition_master.state import MasterState
from tests.causes import accused
from tests.projections.logs import fact, records

MOST = 20
BIG_AND_SMALL = (("maw", "huge"), ("bo", "small"))
JOINED = fact("combatant_joined", combatant="ana", sheet={"hp": MOST, "hit_dice": 2, "con": 1})
DAMAGE = st.builds(
    lambda amount, nonlethal: fact(
        "damage_dealt", target="ana", amount=amount, **({"nonlethal": True} if nonlethal else {})
    ),
    st.integers(-3, 12),
    st.booleans(),
)
HEALING = st.builds(
    lambda amount, nonlethal: fact(
        "healed", target="ana", amount=amount, source="ana", **({"nonlethal": True} if nonlethal else {})
    ),
    st.integers(-3, 12),
    st.booleans(),
)
REST = st.builds(lambda days: fact("time_passed", time={"amount": days, "unit": "day"}), st.integers(0, 3))
SAVE = st.builds(
    lambda die: fact("save_rolled", combatant="ana", purpose="massive-damage", die=die), st.integers(1, 20)
)


def ana(*facts: str) -> Combatant:
    """Return a combatant after these facts."""
    return replay(records(JOINED, *facts, ruleset="definition-master")).state.combatants["ana"]


def points(one: Combatant) -> tuple[int, int, str]:
    """Return hit points, non-lethal damage and status."""
    return one.hp or 0, one.nld, one.status


@given(st.lists(st.one_of(DAMAGE, HEALING, REST, SAVE), max_size=12))
def test_hit_points_stay_between_0_and_their_maximum_and_the_status_follows(facts: list[str]) -> None:
    hp, nld, status = points(ana(*facts))
    assert 0 <= hp <= MOST
    assert nld >= 0
    assert (status in ("dying", "stabilized", "dead")) == (hp == 0)
    assert status != "nld-unconscious" or nld >= hp > 0
    assert status != "up" or nld < hp


@given(st.integers(0, 19), st.integers(0, 60), st.integers(0, 4), st.integers(0, 4))
def test_days_come_to_the_same_together_or_one_after_the_other(lost: int, bruised: int, some: int, more: int) -> None:
    before = (
        fact("damage_dealt", target="ana", amount=min(lost, 9)),
        fact("damage_dealt", target="ana", amount=max(0, lost - 9)),
        fact("damage_dealt", target="ana", amount=bruised, nonlethal=True),
    )
    days = [fact("time_passed", time={"amount": each, "unit": "day"}) for each in (some, more, some + more)]
    assert points(ana(*before, *days[:2])) == points(ana(*before, days[2]))


@given(st.lists(st.integers(1, 100), min_size=1, max_size=4))
def test_three_failures_in_a_row_kill_and_nothing_else_does(dice: list[int]) -> None:
    facts = [
        fact("combatant_joined", combatant="gru", sheet={"hp": 9}),
        fact("initiative_rolled", combatant="ana", die=9),
        fact("initiative_rolled", combatant="gru", die=19),
        fact("turn_started", combatant="gru"),
        *(fact("damage_dealt", target="ana", amount=9) for _ in range(3)),
    ]
    for die in dice:
        facts += [
            fact("turn_started", combatant="ana"),
            fact("save_rolled", combatant="ana", save="percentile", purpose="death", die=die),
            fact("turn_started", combatant="gru"),
        ]
    failed = [die < target for die, target in zip(dice, (51, 61, 71), strict=False)]
    options = {"death-roll": "all-equal"}
    one = replay(records(JOINED, *facts, ruleset="definition-master", options=options)).state.combatants["ana"]
    expected = "stabilized" if not all(failed) else "dead" if len(dice) >= len((51, 61, 71)) else "dying"
    assert one.status == expected


def test_a_death_roll_is_owed_from_the_beginning_of_a_turn_of_the_dying_to_its_end() -> None:
    fallen = (
        fact("combatant_joined", combatant="gru", sheet={"hp": 9}),
        fact("initiative_rolled", combatant="gru", die=9),
        fact("initiative_rolled", combatant="ana", die=5),
        fact("turn_started", combatant="gru"),
        fact("damage_dealt", target="ana", amount=MOST),
    )
    began, ended = fact("turn_started", combatant="ana"), fact("turn_ended", combatant="ana")

    def owed_death_rolls(*facts: str) -> list[tuple[str, tuple[int, ...]]]:
        told = records(JOINED, *fallen, *facts, ruleset="definition-master", options={"death-roll": "stats-matter"})
        return [(due.who, due.because.events) for due in owed(replay(told).state.dues, "death roll")]

    assert owed_death_rolls() == []
    assert owed_death_rolls(began) == [("ana", (7, 8))]
    assert owed_death_rolls(began, ended) == []


def test_whoever_has_not_joined_is_not_swallowed_and_has_no_wound_beside_those_who_have() -> None:
    others = [fact("combatant_joined", combatant=who, sheet={"hp": 20, "size": size}) for who, size in BIG_AND_SMALL]
    facts = [
        fact("condition_gained", condition="swallowed", targets=["zed", "ana"], source="maw"),
        fact("condition_gained", condition="wound", targets=["zed", "ana"]),
        fact(
            "contest_rolled",
            about="swallow",
            contenders=[{"combatant": who, "check": 9} for who in ("bo", "zed", "ana")],
        ),
        fact("action_taken", combatant="maw", action={"kind": "swallow", "targets": ["zed", "bo"]}),
        fact(
            "contest_rolled",
            about="swallow",
            contenders=[{"combatant": who, "check": check} for who, check in (("maw", 9), ("zed", 3), ("bo", 5))],
        ),
    ]
    done = audit(records(JOINED, *others, *facts, ruleset="definition-master"))
    assert done.problem is None
    state = done.replay.state
    assert isinstance(state, MasterState)
    assert {who: each.by for who, each in state.health.inside.items()} == {"ana": "maw", "bo": "maw"}
    assert [who for who, body in state.health.bodies.items() if body.wounds] == ["ana"]
    assert [one.event for one in done.findings if one.rule == "swallow.size"] == [7]


# ---------------------------------------------------------------- turns

THREE = [fact("combatant_joined", combatant=who, sheet={"hp": 9}) for who in ("bo", "cy", "kex")]
THREE += [fact("initiative_rolled", combatant=who, die=die) for who, die in (("bo", 19), ("cy", 12), ("kex", 5))]


def told(facts: list[str]) -> MasterState:
    """Return the state of a fight of three after these facts."""
    state = replay(records(*THREE, *facts, ruleset="definition-master")).state
    assert isinstance(state, MasterState)
    return state


@given(
    st.lists(st.tuples(st.sampled_from(("take", "delay", "resume", "hold", "resolve")), st.integers(0, 2)), max_size=14)
)
def test_a_place_that_moves_never_yields_a_second_turn_in_a_round(steps: list[tuple[str, int]]) -> None:
    facts, number = [fact("round_started", round=1)], 1
    taken = dict.fromkeys(("bo", "cy", "kex"), 0)
    for step, which in steps:
        state = told(facts)
        waiting, held = derived(state, "due"), [*state.turns.in_hand]
        armed = [who for who in state.flow.triggers.armed if held_by(state, who) and who != state.clock.turn]
        first = waiting.value[0] if waiting and waiting.value else ""
        if step == "resume" and held:
            who = held[which % len(held)]
            facts += [fact("turn_ended", combatant=state.clock.turn)] if state.clock.turn else []
            facts.append(fact("turn_resumed", combatant=who))
        elif step == "resolve" and armed and state.clock.turn:
            speak = fact(
                "action_taken", combatant=state.clock.turn, action={"kind": "speak", "name": f"word {len(facts)}"}
            )
            action = {"kind": "attack", "name": "sword", "cost": "held"}
            resolved = fact("action_taken", combatant=armed[0], action=action, trigger=len(THREE) + len(facts) + 2)
            facts += [speak, resolved]
            continue
        elif first and step == "delay":
            facts.append(fact("turn_delayed", combatant=first))
            continue
        elif first:
            who = first
            facts.append(fact("turn_started", combatant=who))
            if step == "hold":
                facts.append(fact("action_held", combatant=who, action={"kind": "attack"}, awaiting="somebody speaks"))
        else:
            number, taken = number + 1, dict.fromkeys(taken, 0)
            facts.append(fact("round_started", round=number))
            continue
        taken[who] += 1
        assert taken[who] == 1
    rules = {each.rule for each in audit(records(*THREE, *facts, ruleset="definition-master")).findings}
    assert not rules & {"round.ends-at-top", "delay.later-in-round", "initiative.d20-plus-bonus", "held.position-moves"}


ACTS = st.sampled_from(("attack", "cast", "draw", "drink", "speak", "charge", "full-defense", "step", "ability"))
COSTS = st.sampled_from(("", "move", "standard", "swift", "free", "full-round", "attack"))


@given(st.lists(st.tuples(ACTS, COSTS), max_size=8))
def test_nothing_that_is_left_of_a_turn_ever_grows_before_the_next_one(acts: list[tuple[str, str]]) -> None:
    facts = [fact("turn_started", combatant="bo")]
    before: list[int] = []
    for kind, cost in acts:
        action = {"kind": kind, **({"cost": cost} if cost else {})}
        facts.append(fact("action_taken", combatant="bo", action=action))
        found = [derived(told(facts), f"bo.left.{what}") for what in ("move", "standard", "swift", "attacks")]
        left = [each.value for each in found if each]
        assert not before or all(now <= then for now, then in zip(left, before, strict=True))
        before = left


def test_what_nobody_has_changed_cites_the_joining() -> None:
    state = replay(records(JOINED, ruleset="definition-master")).state
    found = {each: derived(state, each) for each in addresses(state) if each.startswith("ana.")}
    assert len(found) > 40
    assert [address for address, value in found.items() if value and value.because.flat().events != (2,)] == []


FIGHT = (
    *(fact("combatant_joined", combatant=who, sheet={"hp": 20, "hit_dice": 2}) for who in ("ana", "bo")),
    *(fact("initiative_rolled", combatant=who, die=die) for who, die in (("ana", 15), ("bo", 9))),
    fact("round_started", round=1),
    fact("turn_started", combatant="ana"),
)
MASSIVE = fact("damage_dealt", target="bo", amount=15)
SAVED = fact("save_rolled", combatant="bo", save="fortitude", purpose="massive-damage", die=10)


@pytest.mark.parametrize(
    "later",
    [(fact("round_started", round=2),), (fact("turn_started", combatant="bo"), fact("round_started", round=2))],
    ids=["passed over", "not"],
)
def test_whoever_may_be_dead_by_a_save_that_nobody_can_judge_is_not_waited_for(later: tuple[str, ...]) -> None:
    def early(*told: str) -> bool:
        found = audit(records(*FIGHT, *told, *later, ruleset="definition-master")).findings
        return any("before the turn of bo" in finding.says for finding in found)

    assert early() is (len(later) == 1)
    assert not early(MASSIVE, SAVED)


TWICE = (
    *(
        fact("combatant_joined", combatant=who, sheet={"hp": 90, "attacks": [6, 1], "ac": 12})
        for who in ("ana", "bo", "cy")
    ),
    *(fact("initiative_rolled", combatant=who, die=die) for who, die in (("ana", 15), ("bo", 9), ("cy", 4))),
    fact("round_started", round=1),
    fact("turn_started", combatant="ana"),
)
BEGUN = len(TWICE) + 1
"""The record at which the turn of Ana begins."""


def does(kind: str, at: str = "bo", **more: object) -> str:
    return fact("action_taken", combatant="ana", action={"kind": kind, "targets": [at], **more})


def strikes(at: str = "bo", die: int = 9, **more: object) -> str:
    return fact("attack_rolled", combatant="ana", target=at, die=die, **more)


def behind(*told: str) -> list[int]:
    """Return, for each attack roll of Ana's turn, the place of its act in the turn, from 1; 0 if none is certain, or it is an act of its own."""
    log = records(*TWICE, *told, ruleset="definition-master")
    state = replay(log).state
    assert isinstance(state, MasterState)
    acts = {roll: act for act, those in state.flow.rolled.items() for roll in those}
    return [acts.get(each.seq, BEGUN) - BEGUN for each in log if isinstance(each.event, AttackRolled)]


def rules(*told: str) -> list[str]:
    return [one.rule for one in audit(records(*TWICE, *told, ruleset="definition-master")).findings]


ATTACK, AT_CY, TRIP, ROLL = does("attack"), does("attack", "cy"), does("trip"), strikes()
BOLT = does("cast", name="bolt", cost="swift")


def test_a_roll_at_somebody_else_than_the_act_that_waits_belongs_to_none_if_another_waits() -> None:
    anybody = fact("action_taken", combatant="ana", action={"kind": "attack"})
    nobody = fact("attack_rolled", combatant="ana", die=9)
    assert behind(ATTACK, AT_CY, strikes("cy"), ROLL) == [0, 1]
    assert behind(ATTACK, strikes("cy")) == [1]
    for first, roll in ((anybody, strikes("cy")), (ATTACK, nobody), (ATTACK, strikes(name="sword"))):
        assert behind(first, AT_CY, roll) == [1]
    assert behind(does("attack", name="sword"), does("attack", name="axe"), strikes(name="axe")) == [0]


def test_a_roll_after_a_spell_that_may_have_one_belongs_to_no_act_unless_it_says_so() -> None:
    named = does("attack", name="sword")
    assert behind(BOLT, ATTACK, ROLL) == [0]
    assert behind(BOLT, named, strikes(name="Sword")) == [2]
    assert behind(BOLT, AT_CY, strikes("cy")) == [2]
    assert behind(BOLT, AT_CY, strikes(name="bolt")) == [0]
    assert behind(BOLT, ROLL, ROLL) == [1, 1]
    assert behind(ATTACK, BOLT, ROLL, ROLL) == [1, 2]
    assert behind(ATTACK, BOLT, ROLL, ROLL, ROLL) == [1, 2, 2]


def test_a_roll_of_which_it_is_not_certain_what_it_belongs_to_has_the_bonus_of_any_attack() -> None:
    twice = (BOLT, ATTACK, ATTACK)
    assert [each for each in rules(*twice, strikes(total=15), strikes(total=10)) if each == "attack.formula"] == []
    assert "attack.formula" in rules(*twice, strikes(total=14))
    oil = [{"name": "oil", "amount": 2}]
    assert "attack.formula" not in rules(*twice, strikes(total=12, modifiers=oil))


@pytest.mark.parametrize("number", [157, 273, 517, 792, 5330])
def test_whoever_may_be_dead_by_a_save_that_nobody_can_judge_is_passed_over_by_nobody(number: int) -> None:
    assert [each for every in (False, True) for each in accused("definition-master", number, every=every)] == []


@pytest.mark.parametrize("number", [221, 407])
def test_where_somebody_lies_who_may_have_fallen_on_its_way_is_not_known(number: int) -> None:
    assert [*accused("definition-master", number, every=True, apart=True)] == []


MOVED = fact("moved", combatant="ana")


@pytest.mark.parametrize(
    ("before", "then", "depends"),
    [
        (MOVED, does("draw", cost="free"), True),
        (does("charge"), BOLT, True),
        (MOVED, BOLT, False),
        (MOVED, does("draw"), False),
        (MOVED, does("speak"), False),
    ],
)
def test_what_an_act_provokes_cites_what_was_done_before_if_its_price_depends_on_that(
    before: str, then: str, depends: bool
) -> None:
    provokes = derived(replay(records(*TWICE, before, then, ruleset="definition-master")).state, "ana.provokes")
    assert provokes is not None
    assert (BEGUN + 1 in provokes.because.flat().events) == depends


# ---------------------------------------------------------------- contests

BIG = {"hp": 90, "attacks": [6], "ac": 12, "size": "large", "str": 4, "hit_dice": 2, "wis": 3}
"""A sheet by which a Strength roll of 11 comes to 19, and a level check of 10 to 15."""


def contest(about: str, ana: dict[str, Any], bo: dict[str, Any], **more: object) -> str:
    return fact(
        "contest_rolled", about=about, contenders=[{"combatant": "ana"} | ana, {"combatant": "bo"} | bo], **more
    )


def says_of_contest(*told: str) -> list[str]:
    grown = (fact("sheet_changed", combatant=who, sheet=BIG) for who in ("ana", "bo"))
    return [one.says for one in audit(records(*TWICE, *grown, *told, ruleset="definition-master")).findings]


def listed(**parts: int) -> dict[str, Any]:
    return {"modifiers": [{"name": name.replace("_", " "), "amount": amount} for name, amount in parts.items()]}


@pytest.mark.parametrize(
    ("parts", "total", "follows"),
    [
        ({"str": 3}, 18, True),  # what is not listed is added
        ({"str": 3}, 14, True),  # it is not
        ({"str": 3}, 15, False),
        ({"struck": -4}, 15, True),
        ({"struck": -4}, 14, False),
        ({"struck": -4, "bless": 2}, 17, True),
        ({"struck": -4, "bless": 2}, 19, False),
    ],
)
def test_a_total_that_follows_from_wrong_parts_is_no_fault_of_its_own(
    parts: dict[str, int], total: int, follows: bool
) -> None:
    found = says_of_contest(TRIP, ROLL, contest("trip", {"die": 11, "total": total} | listed(**parts), {"die": 3}))
    assert found != []
    assert ("the roll of ana totals" in " ".join(found)) != follows


STRUCK = (
    TRIP,
    ROLL,
    fact("action_taken", combatant="bo", action={"kind": "attack", "targets": ["ana"]}, trigger=BEGUN + 3),
    fact("attack_rolled", combatant="bo", target="ana", die=15),
    fact("damage_dealt", target="ana", amount=3),
)
"""An attempt at which the defender may have struck: nobody says whose damage it is."""


def test_of_whoever_may_have_been_struck_what_was_stated_stands_and_of_the_other_it_is_judged() -> None:
    def found(*told: str, bo: dict[str, Any], **more: object) -> list[str]:
        return says_of_contest(*told, contest("trip", {"die": 11, "total": 15}, bo, **more))

    assert found(*STRUCK, bo={"die": 3}) == []
    assert found(*STRUCK, bo={"die": 3, "total": 12}) == ["the roll of bo totals 11"]
    assert found(*STRUCK, bo={"die": 9}, winner="bo") == []
    listing = contest("trip", {"die": 11, "total": 15} | listed(struck=-4), {"die": 9})
    assert says_of_contest(*STRUCK, listing) == []
    prone = fact("condition_gained", condition="prone", targets=["bo"])
    assert says_of_contest(*STRUCK, listing, prone) == ["bo was not knocked prone by this contest"]
    assert found(TRIP, ROLL, bo={"die": 3}) == ["the roll of ana totals 19"]


# ---------------------------------------------------------------- falling on one's way

AT_BO = {"kind": "attack", "targets": ["bo"]}
ABREAST = (
    *(
        fact("combatant_joined", combatant=who, side=side, sheet={"hp": 30, "ac": 12, "hit_dice": 3})
        for who, side in (("ana", "foes"), ("bo", "heroes"), ("cy", "heroes"))
    ),
    *(fact("placed", combatant=who, square=(at, 0)) for who, at in (("ana", 0), ("bo", 1))),
    *(fact("initiative_rolled", combatant=who, die=die) for who, die in (("bo", 15), ("ana", 9), ("cy", 4))),
    fact("round_started", round=1),
    fact("turn_started", combatant="bo"),
)
GOES = len(ABREAST) + 2
"""The record by which Bo goes."""
WAY = fact("moved", combatant="bo", path=[(1, 0), (2, 0), (3, 0)])
STRUCK_AT = (
    fact("action_taken", combatant="ana", action=AT_BO, trigger=GOES),
    fact("attack_rolled", combatant="ana", target="bo", die=15),
)
NEXT = GOES + 1 + len(STRUCK_AT)


def hurts(amount: int, who: str = "bo", **more: object) -> str:
    return fact("damage_dealt", target=who, amount=amount, **more)


def saves(**more: object) -> str:
    return fact("save_rolled", combatant="bo", save="fortitude", purpose="massive-damage", **more)


def lies(*told: str, who: str = "bo") -> tuple[int, int] | None:
    """Return where somebody is known to be."""
    state = replay(records(*ABREAST, *told, ruleset="definition-master")).state
    assert isinstance(state, MasterState)
    return state.combat.squares.get(who)


def test_whoever_may_have_fallen_by_a_strike_at_its_move_may_lie_on_its_way() -> None:
    assert lies(WAY, *STRUCK_AT, hurts(40)) is None
    assert lies(WAY, *STRUCK_AT, hurts(18), saves()) is None


def test_whoever_cannot_have_fallen_by_a_strike_at_its_move_is_where_it_went() -> None:
    went, rock = (3, 0), fact("effect_started", effect="rock", targets=["bo"])
    assert lies(WAY, *STRUCK_AT, hurts(3)) == went
    assert lies(WAY, *STRUCK_AT, hurts(18), saves(succeeded=True)) == went
    assert lies(WAY, hurts(40)) == went
    assert lies(WAY, *STRUCK_AT, rock, hurts(40, cause=NEXT)) == went
    strike = fact("action_taken", combatant="ana", action=AT_BO | {"cost": "other"}, trigger=NEXT)
    assert lies(WAY, *STRUCK_AT, hurts(2, "cy"), strike, hurts(40, cause=NEXT + 1)) == went
    flees = fact("moved", combatant="cy", cause=NEXT)
    assert lies(WAY, *STRUCK_AT, hurts(2, "cy"), flees, hurts(40, cause=NEXT + 1)) == went


def strikes_at(trigger: int, *told: str, **more: object) -> list[str]:
    """Return what the rules say of a strike of Ana's at Bo."""
    strike = fact("action_taken", combatant="ana", action=AT_BO | more, trigger=trigger)
    return [one.rule for one in audit(records(*ABREAST, *told, strike, ruleset="definition-master")).findings]


def test_a_strike_that_is_not_open_breaks_the_clause_on_reach_unless_nobody_left_what_is_in_reach() -> None:
    far = fact("placed", combatant="bo", square=(5, 0))
    nears = fact("moved", combatant="bo", path=[(5, 0), (4, 0), (3, 0), (2, 0), (1, 0)])
    away, anywhere = fact("moved", combatant="bo", path=[(5, 0), (6, 0)]), fact("moved", combatant="bo", cause=GOES + 1)
    casts = fact("action_taken", combatant="bo", action={"kind": "cast", "name": "light"})
    assert strikes_at(GOES + 1, far, nears) == ["move.leaving-threat-provokes"]
    assert strikes_at(GOES + 1, far, nears, square=(3, 0)) == ["reach.adjacent"]
    assert strikes_at(GOES + 1, far, away) == ["reach.adjacent"]
    assert strikes_at(GOES + 1, far, away, anywhere) == ["reach.adjacent"]
    assert strikes_at(GOES + 1, far, casts) == ["reach.adjacent"]
    assert strikes_at(GOES + 1, far, casts, nears) == ["reach.adjacent"]


def test_a_save_counts_against_a_hit_that_may_have_been_massive() -> None:
    """No cause is recorded: the save is not due, and one that was failed brings to 0 hit points."""
    log = (fact("combatant_joined", combatant="bo", sheet={"hp": 20, "saves": {"fortitude": 0}}), hurts(12))
    failed, options = saves(die=2, dc=15, succeeded=False), {"massive-source": "attack-hits"}
    state = replay(records(*log, failed, ruleset="definition-master", options=options)).state
    assert (state.combatants["bo"].hp, state.combatants["bo"].status) == (0, "dying")
