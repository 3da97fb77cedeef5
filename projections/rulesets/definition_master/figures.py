"""The round as a list of turns and acts, what everybody has left, and the derived values that only this ruleset has."""

from collections.abc import Callable
from functools import partial
from typing import Any

from projections.address import NOTHING, Address, a_count, a_number, a_number_or_none, a_word, is_number
from projections.because import Because, Derived
from projections.folds import vitals as common
from projections.mechanics.turnlist import Turn
from projections.rulesets.definition_master.acts.acts import (
    ATTACK,
    FREE,
    MOVE,
    STANDARD,
    SWIFT,
    acts_of_turn,
    curve,
    has_turn,
    just_ended,
)
from projections.rulesets.definition_master.acts.budget import act_is_kept, left, priced_by
from projections.rulesets.definition_master.attacks.armor import NOT_FLAT, armor, feinted_since
from projections.rulesets.definition_master.attacks.attack import critical_of, hit_of, last_roll
from projections.rulesets.definition_master.attacks.damage import comes_to, thing, things
from projections.rulesets.definition_master.attacks.wield import in_slots, since
from projections.rulesets.definition_master.health.death import chosen, needs
from projections.rulesets.definition_master.health.massive import dc_of
from projections.rulesets.definition_master.health.recovery import nld_rate, rate
from projections.rulesets.definition_master.maneuvers.grapple import grapple_of, partner
from projections.rulesets.definition_master.maneuvers.swallow import swallowed_by
from projections.rulesets.definition_master.squares.ground import reached_squares, space, square_of
from projections.rulesets.definition_master.squares.provoking import may_strike
from projections.rulesets.definition_master.state import Act, Failure, MasterState
from projections.rulesets.definition_master.state_of_combat import HITS, Roll
from projections.rulesets.definition_master.table import described
from projections.rulesets.definition_master.turns import immediate, order
from projections.rulesets.definition_master.turns.held import holding
from projections.rulesets.definition_master.turns.order import order_because
from projections.rulesets.definition_master.turns.turns import due, meets, second_of
from projections.rulesets.definition_master.vitals import can_act
from projections.rulesets.ruleset import derives
from projections.state import Combatant, Entry
from projections.time import Point

LEFT: dict[str, Callable[[MasterState, str], Derived[int]]] = {
    **{word: partial(left, what=word) for word in (MOVE, STANDARD)},
    "attacks": partial(left, what=ATTACK),
    SWIFT: partial(left, what=SWIFT),
    "immediate": immediate.left,
}
"""What is left of a turn, and of immediate actions, by the words of the budget."""


def entries(state: MasterState) -> tuple[Entry, ...]:
    """Return the turns of the round in order, with acts, then those that are put off, and who is still due."""
    rows = [_turn(state, turn) for turn in state.round.turns] + [_act(state, act) for act in state.round.acts]
    rows.sort(key=lambda row: row.order)
    held = [_turn(state, turn) for turn in state.flow.turns.in_hand.values()]
    return (*rows, *held, *(_due(state, who) for who in due(state)))


def _turn(state: MasterState, turn: Turn) -> Entry:
    ended = (turn.ended,) if turn.ended else ()
    because = Because(meets.rules[:1], (*turn.events, *ended)) + order_because(state, turn.combatant)
    order = (turn.point.round, turn.point.turn, 0, *max(map(state.at, turn.events)))
    return Entry(turn.point, turn.combatant, turn.status, because, "turn", events=turn.events, order=order)


def _act(state: MasterState, act: Act) -> Entry:
    because = Because(act_is_kept.rules, (act.seq,), priced_by(state, (act,)))
    order = (act.point.round, act.point.turn, 1, *state.at(act.seq))
    return Entry(
        act.point, act.who, "done", because, act.kind, act.action.name, act.cost, events=(act.seq,), order=order
    )


def _due(state: MasterState, who: str) -> Entry:
    return Entry(Point(state.clock.round), who, "due", order_because(state, who), action="turn")


def budget(state: MasterState, one: Combatant) -> dict[str, Any]:
    """Return what somebody has left of its turn."""
    return {word: read(state, one.id).value for word, read in LEFT.items()}


def left_of(state: MasterState, who: str, what: str) -> Derived[int] | None:
    """Return what somebody has left of one of the things that a turn has, or of immediate actions."""
    return LEFT[what](state, who) if what in LEFT else None


# ---------------------------------------------------------------- turns


def _second(state: MasterState, round_: int) -> Derived[int]:
    return Derived(second_of(round_), Because(second_of.rules, state.clock.events or (1,)))


def _free(state: MasterState, who: str) -> Derived[list[str] | str]:
    one, rules = state.combatants[who], ("free.distinct-without-limit",)
    acts = [act for act in acts_of_turn(state, who) if act.own and act.cost == FREE]
    of = (one.standing,) if acts and has_turn(state, who) else ()
    if of and can_act(state, who):
        events = (*order.taken_by(state, who), *(act.seq for act in acts))
        return Derived([act.kind for act in acts], Because(rules, events, of=of))
    ended = just_ended(state, who) if acts and can_act(state, who) else 0
    return Derived(NOTHING, Because(rules, (ended or one.joined,), of=of))


def _bonuses(state: MasterState, who: str) -> Derived[list[int]]:
    found = curve(state.combatants[who])
    return Derived(list(found.value), found.because)


# ---------------------------------------------------------------- health


@derives("death.three-in-a-row")
def failures(state: MasterState, who: str) -> Derived[int]:
    """Return how many death saves somebody has failed in a row since it fell."""
    one, body = state.combatants[who], state.health.of(who)
    rules = body.failures[-1].because.rules if body.failures else failures.rules
    forgot = (body.forgot,) if body.forgot else ()
    because = (*(each.because for each in body.failures), *forgot, one.standing)
    return Derived(len(body.failures), Because(rules, () if body.failures else (one.joined,), body.options, because))


def _set_failures(state: MasterState, who: str, value: int, seq: int) -> None:
    state.health.of(who).failures = tuple(Failure(seq, Because(("log.ruling",), (seq,))) for _ in range(value))
    common.stands(state, state.combatants[who])


@derives("incapacitation.wound-at-zero", "incapacitation.wound-chosen-by-gm")
def wounds(state: MasterState, who: str) -> Derived[list[str]]:
    """Return the wounds of somebody in the GM's words."""
    found = state.health.of(who).wounds
    return Derived(list(found.values()), Because(wounds.rules, tuple(found) or (state.combatants[who].joined,)))


def _death_dc(state: MasterState, who: str) -> Derived[Any]:
    found, standing = needs(state, who), state.combatants[who].standing
    if found is None:
        return Derived(NOTHING, Because(("death.table-chooses-one-type",), (), chosen(state), (standing,)))
    return Derived(found.value, Because(of=(found, standing)))


@derives("massive.dc-attacker-hit-dice", "massive.half-maximum")
def massive_dc(state: MasterState, who: str) -> Derived[Any]:
    """Return the DC of the save against massive damage that somebody owes; none if it owes none."""
    hit = state.health.last.get(who)
    saved = hit.saved if hit and hit.massive else 0
    none = Because(massive_dc.rules[1:], (saved or state.combatants[who].joined,), state.chosen("massive-source"))
    found = dc_of(state, hit) if hit and hit.massive and not saved else None
    return Derived(found.value, Because(of=(found, none))) if found else Derived(NOTHING, none)


def _last_damage(state: MasterState, who: str) -> Derived[Any]:
    dealt = state.health.blows.get(who)
    return comes_to(state, dealt) if dealt else _none(state, who, "damage.after-hit")


def _blamed(state: MasterState, who: str, stated: Any) -> str:
    """Return the rule that a wrong status breaks: of death if somebody is called dead, of a failure that was left out."""
    status, failed = state.combatants[who].status, state.health.of(who).failures
    if str(stated).casefold() == "dead":
        return {"dying": "death.three-in-a-row", "unconscious": "swallow.death"}.get(status, "")
    left_out = str(stated) == f"dying({len(failed) - 1})" and not all(each.rolled for each in failed)
    return "massive.failure-counts-first-save" if left_out else ""


def _death_roll(state: MasterState) -> Derived[str]:
    option = chosen(state)
    return Derived(option["death-roll"], Because(("death.table-chooses-one-type",), (1,), option))


def _wants_type(state: MasterState, value: object) -> str:
    option = state.rules.catalogue().find_option("death-roll")
    known = option.values if option else ()
    return "" if value in known else f"one of {', '.join(known)}"


# ---------------------------------------------------------------- combat


def _none(state: MasterState, who: str, rule: str) -> Derived[Any]:
    return Derived(NOTHING, Because((rule,), (state.combatants[who].joined,)))


def _armor(touch: bool, flat: Derived[bool] = NOT_FLAT) -> Callable[[MasterState, str], Derived[Any]]:
    def read(state: MasterState, who: str) -> Derived[Any]:
        unsaid = state.combatants[who].sheet.ac is None
        return _none(state, who, HITS) if unsaid else armor(state, who, touch, flat)

    return read


def _of_last(derive: Callable[[MasterState, Roll], Derived[Any]]) -> Callable[[MasterState, str], Derived[Any]]:
    """Return what reads a value of the last attack roll of somebody."""

    def read(state: MasterState, who: str) -> Derived[Any]:
        roll = last_roll(state, who)
        found = derive(state, roll) if roll else None
        return found if found and found.value is not None else _none(state, who, "attack.formula")

    return read


def _feinted(state: MasterState, who: str) -> Derived[bool]:
    grapples, seq = state.combat.grapples, feinted_since(state, who)
    hold, freed, joined = grapples.of(who), grapples.freed.get(who), state.combatants[who].joined
    if hold:
        return Derived(True, Because(("grapple.flat-footed-to-others",), (hold.seq,), of=hold.tries))
    return Derived(bool(seq), Because(("feint.flat-footed",), (seq or joined,), of=(freed,) if freed else ()))


def _wields(state: MasterState, who: str) -> Derived[Any]:
    held = [item for item in in_slots(state, who).values() if item]
    return Derived(held or NOTHING, Because(("wield.slots",), since(state, who) or (state.combatants[who].joined,)))


def _square(state: MasterState, who: str) -> Derived[Any]:
    found, inside = square_of(state, who), state.health.inside.get(who)
    seq = inside.seq if inside else state.combat.stood.get(who, state.combatants[who].joined)
    return Derived(f"{found[0]},{found[1]}" if found else NOTHING, Because(("space.one-square",), (seq,)))


STATUS = next(each for each in common.ADDRESSES if each.pattern == "<who>.status")
ADDRESSES = (
    described(
        "<who>.initiative",
        order.initiative,
        wants=lambda s, who, v: "" if is_number(v) and who in s.flow.rolls else "a number, once there is a roll",
        rule=order.ruling_sets_a_total,
    ),
    described("second", lambda state: _second(state, max(1, state.clock.round))),
    described("round.<number>.second", lambda state, number: _second(state, int(number))),
    described("<who>.left.<what>", left_of, places=lambda s: [(who, what) for who in s.combatants for what in LEFT]),
    described("<who>.budget.<what>", left_of, places=lambda _state: ()),
    described("<who>.lock", immediate.lock_of),
    described("<who>.attack-bonuses", _bonuses),
    described("<who>.holding", holding),
    described("<who>.free", _free),
    Address(STATUS.pattern, STATUS.read, says=STATUS.says, wants=STATUS.wants, rule=STATUS.rule, blames=_blamed),
    described("<who>.failures", failures, wants=a_count, rule=_set_failures),
    described("<who>.wounds", wounds),
    described("<who>.death-dc", _death_dc, wants=a_number_or_none),
    described("<who>.massive-dc", massive_dc, wants=a_number_or_none),
    described("<who>.damage", _last_damage),
    described("<who>.swallowed-by", swallowed_by),
    described("<who>.things.<name>", thing, places=things),
    described("<who>.recovery", rate),
    described("<who>.nld-recovery", nld_rate),
    described("options.death-roll", _death_roll, wants=_wants_type),
    described("<who>.ac", _armor(False), wants=a_number),
    described("<who>.touch", _armor(True), wants=a_number),
    described("<who>.flat-footed-ac", _armor(False, Derived(True, Because(("feint.flat-footed",)))), wants=a_number),
    described("<who>.flat-footed", _feinted),
    described("<who>.total", _of_last(lambda _, roll: roll.total)),
    described("<who>.hit", _of_last(hit_of)),
    described("<who>.critical", _of_last(critical_of)),
    described("<who>.reach", reached_squares),
    described("<who>.space", space),
    described("<who>.square", _square),
    described("<who>.wields", _wields),
    described("<who>.grapple", grapple_of, wants=a_word),
    described("<who>.grapple.with", partner),
    described("<who>.provokes", may_strike),
)
