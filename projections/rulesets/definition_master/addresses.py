"""The timeline of a round, the budget of a combatant, and addresses that only this ruleset has."""

from collections.abc import Callable

from msgspec import structs

from projections.address import NOTHING, a_number, a_number_or_none, a_tally, a_word, is_number, require
from projections.because import Because, Cites, Derived
from projections.fight import TimelineRow
from projections.folds import rows, vitals as common
from projections.mechanics.memo import memoize
from projections.mechanics.pools import HP_MAX
from projections.mechanics.turnlist import Turn
from projections.open_types import Json
from projections.ruleset.budget import Budget
from projections.ruleset.ruleset import derives
from projections.rulesets.definition_master import (
    acts,
    arms,
    attack,
    damage,
    death,
    grapple,
    ground,
    health,
    immediate,
    maneuvers,
    massive,
    movement,
    order,
    swallow,
    turns,
)
from projections.rulesets.definition_master.state import HITS, AttackRoll, Failure, MasterAct, MasterState
from projections.rulesets.definition_master.table import described
from projections.rulesets.definition_master.vitals import can_act, set_status


def timeline_rows(state: MasterState) -> tuple[TimelineRow, ...]:
    """Return the rows of the round: its turns and acts in order, then the turns put off and the turns still due."""
    done = [_turn_row(state, turn) for turn in state.round.turns] + [_act_row(state, act) for act in state.round.acts]
    done.sort(key=lambda row: row.order)
    put_off = [_turn_row(state, turn) for turn in state.turns.in_hand.values()]
    due = (rows.row_of_due(state, who, order.reason_for_place(state, who)) for who in turns.combatants_due(state))
    return (*done, *put_off, *due)


def _turn_row(state: MasterState, turn: Turn) -> TimelineRow:
    ended = (turn.ended,) if turn.ended else ()
    because = Because(("round.ends-at-top",), (*turn.events, *ended)) + order.reason_for_place(state, turn.combatant)
    place = (turn.point.round, turn.point.turn, *max(map(state.place_of, turn.events)))
    return rows.row_of_turn(turn, because, *place)


def _act_row(state: MasterState, act: MasterAct) -> TimelineRow:
    because = Because(("turn.action-kinds",), (act.seq,), options=acts.price_options((act,)))
    place = (act.point.round, act.point.turn, *state.place_of(act.seq))
    more = {"cost": act.cost, "events": (act.seq,), "order": place}
    return rows.row_of_act(act.point, act.combatant, act.action, "done", because, **more)


@memoize
def amount_left(state: MasterState, who: str, what: str) -> Derived[int] | None:
    """Return how much a combatant has left of an action of its turn, or of immediate actions; None for another word."""
    if what == "immediate":
        return immediate.amount_left(state, who)
    return acts.amount_left(state, who, what) if what in (acts.MOVE, acts.STANDARD, "attacks", acts.SWIFT) else None


BUDGET = Budget(left=lambda state, one, what: amount_left(state, one.id, what))


def _clause_of_wrong_total(state: MasterState, who: str, stated: Json) -> str:
    roll, digits = state.flow.rolls.get(who), str(stated).removeprefix("-").replace(".", "", 1)
    return order.broken_clauses(state, roll, stated)[0] if roll and digits.isdecimal() else ""


def _free_actions(state: MasterState, who: str) -> Derived[list[str] | str]:
    one, rules = state.combatants[who], ("free.distinct-without-limit",)
    own = [act for act in acts.acts_of_turn(state, who) if act.cost == acts.FREE]
    of = (one.standing,) if own and acts.has_turn(state, who) else ()
    if of and can_act(state, who):
        events = (*order.turn_records(state, who), *(act.seq for act in own))
        return Derived([act.kind for act in own], Because(rules, events, of=of))
    ended = acts.turn_end_record(state, who, had=bool(own) and can_act(state, who))
    return Derived(NOTHING, Because(rules, (ended,), of=of))


def _attack_bonuses(state: MasterState, who: str) -> Derived[list[int]]:
    found = acts.attack_bonuses(state.combatants[who])
    return Derived([*found.value], found.because)


@derives("death.three-in-a-row")
def failed_death_saves(state: MasterState, who: str) -> Derived[int]:
    """Return the number of death saves that a combatant has failed in a row since it fell."""
    one, body = state.combatants[who], state.health.of(who)
    rules = body.failures[-1].because.rules if body.failures else failed_death_saves.rules
    forgot = (Derived("", body.forgot),) if body.forgot else ()
    events = () if body.failures else (one.joined,)
    of = (*(each.because for each in body.failures), *forgot, body.broke, body.spared, one.standing)
    return Derived(len(body.failures), Because(rules, events, of, options=body.options))


def _set_failures(state: MasterState, who: str, value: int, seq: int) -> None:
    state.health.of(who).failures = tuple(Failure(Because(("log.ruling",), (seq,))) for _ in range(value))
    common.update_status(state, state.combatants[who])


@derives("incapacitation.wound-at-zero", "incapacitation.wound-chosen-by-gm")
def wounds(state: MasterState, who: str) -> Derived[list[str]]:
    """Return the wounds of a combatant in the GM's words."""
    body = state.health.of(who)
    events = tuple(body.wounds) or (state.combatants[who].joined,)
    return Derived(list(body.wounds.values()), Because(wounds.rules, events, of=body.falls))


def _death_dc(state: MasterState, who: str) -> Derived[object]:
    found, standing = death.next_target(state, who), state.combatants[who].standing
    none = Because(("death.table-chooses-one-type",), (), (standing,))
    return Derived(found.value, Because(of=(found, standing))) if found else Derived(NOTHING, none)


@derives("massive.dc-attacker-hit-dice", "massive.half-maximum")
def massive_dc(state: MasterState, who: str) -> Derived[object]:
    """Return the DC of the save against massive damage that a combatant owes; none if it owes none."""
    hit, one = state.health.last.get(who), state.combatants[who]
    if hit is None:
        return _no_value(state, who, "massive.half-maximum")
    dc, dead = massive.massive_dc(state, hit), [one.standing] if one.status == "dead" else []
    of: tuple[Cites, ...] = (one.pools[HP_MAX].derived(), hit.reached, hit.asked, *dead)
    none = Because(("massive.half-maximum",), (hit.saved if dc and hit.saved else one.joined,), of)
    return Derived(dc.value, Because(of=(dc, none))) if dc and hit.is_open else Derived(NOTHING, none)


def _last_damage(state: MasterState, who: str) -> Derived[object]:
    dealt = state.health.blows.get(who)
    return damage.damage_total(state, dealt) if dealt else _no_value(state, who, "damage.after-hit")


def _clause_of_wrong_status(state: MasterState, who: str, stated: object) -> str:
    """Return the rule that a wrong status breaks: on death, or on an automatic failure that it lacks; else ""."""
    status, failed = state.combatants[who].status, state.health.of(who).failures
    if str(stated).casefold() == "dead":
        return {"dying": "death.three-in-a-row", "unconscious": "swallow.death"}.get(status, "")
    left_out = str(stated) == f"dying({len(failed) - 1})" and not all(each.rolled for each in failed)
    return "massive.failure-counts-first-save" if left_out else ""


def _death_roll_kind(state: MasterState) -> Derived[str]:
    found = death.roll_kind(state)
    return Derived(found.value, Because(("death.table-chooses-one-type",), (1,), options=found.because.options))


def _no_value(state: MasterState, who: str, rule: str) -> Derived[object]:
    return Derived(NOTHING, Because((rule,), (state.combatants[who].joined,)))


Reader = Callable[[MasterState, str], Derived[object]]


def _armor_reader(touch: bool, flat: Derived[bool] = arms.NOT_FLAT) -> Reader:
    def read(state: MasterState, who: str) -> Derived[Json]:
        if state.combatants[who].sheet.ac is None:
            return _no_value(state, who, HITS)
        return arms.armor_class(state, who, touch, flat, arms.armor_parts(state, who, touch, flat))

    return read


def _reader_of_last_roll(derive: Callable[[MasterState, AttackRoll], Derived[object]]) -> Reader:
    """Return a function that reads a value of the last attack roll of a combatant."""

    def read(state: MasterState, who: str) -> Derived[Json]:
        own = (each for each in state.round.rolls.values() if each.who == who and not each.confirms)
        roll = next(reversed([*own]), None)
        found = derive(state, roll) if roll else None
        if found and found.value is not None:
            return found
        none = _no_value(state, who, "attack.formula")
        return Derived(none.value, Because(of=(none, found), options=found.because.options)) if found else none

    return read


def _is_flat_footed(state: MasterState, who: str) -> Derived[bool]:
    grapples, seq = state.combat.grapples, arms.lost_feint(state, who)
    hold, freed, joined = grapples.of(who), grapples.freed.get(who), state.combatants[who].joined
    if hold:
        return Derived(True, Because(("grapple.flat-footed-to-others",), (hold.seq,), of=hold.tries))
    return Derived(bool(seq), Because(("feint.flat-footed",), (seq or joined,), of=(freed,) if freed else ()))


def _wielded_items(state: MasterState, who: str) -> Derived[object]:
    items = [item for item in arms.items_by_slot(state, who).values() if item]
    events = arms.slots_changed_by(state, who) or (state.combatants[who].joined,)
    fell = state.combat.hands.picked.get(who, 0)
    return Derived(items or NOTHING, Because(("wield.slots",), (*events, fell) if fell else events))


def _standing_square(state: MasterState, who: str) -> Derived[object]:
    found, known = ground.square_of(state, who), who in state.combat.squares
    inside = state.health.inside.get(who) if known else None
    seq = inside.seq if inside else state.combat.stood.get(who, state.combatants[who].joined)
    felled = state.combat.felled.get(seq) or (state.health.freed.get(who) if known else None)
    because = Because(("space.one-square",), (seq,), of=(Derived(who, felled),) if felled else ())
    return Derived(f"{found[0]},{found[1]}" if found else NOTHING, because)


FLAT = Derived(True, Because(("feint.flat-footed",)))
DEATH_ROLLS = ("not-chosen", *death.NEEDED)
STATUS = next(each for each in common.ADDRESSES if each.pattern == "<who>.status")
ADDRESSES = (
    described(
        "<who>.initiative",
        order.initiative_total,
        wants=lambda s, who, v: "" if is_number(v) and who in s.flow.rolls else "a number, once there is a roll",
        rule=order.set_total,
        blames=_clause_of_wrong_total,
    ),
    described("second", lambda state: turns.opening_second(state, max(1, state.clock.round))),
    described("round.<number>.second", lambda state, number: turns.opening_second(state, int(number))),
    described("<who>.left.<what>", amount_left),
    described("<who>.lock", immediate.lock_status),
    described("<who>.attack-bonuses", _attack_bonuses),
    described("<who>.holding", immediate.name_of_held),
    described("<who>.free", _free_actions),
    structs.replace(STATUS, rule=set_status, blames=_clause_of_wrong_status),
    described("<who>.failures", failed_death_saves, wants=a_tally, rule=_set_failures, lasts=True),
    described("<who>.wounds", wounds),
    described("<who>.death-dc", _death_dc, wants=a_number_or_none),
    described("<who>.massive-dc", massive_dc, wants=a_number_or_none),
    described("<who>.damage", _last_damage),
    described("<who>.swallowed-by", swallow.swallower),
    described("<who>.things.<name>", maneuvers.damage_of_thing, places=lambda state: list(state.health.things)),
    described("<who>.recovery", health.recovery_rate),
    described("<who>.nld-recovery", health.nonlethal_recovery_rate),
    described(
        "options.death-roll",
        _death_roll_kind,
        wants=require(f"one of {', '.join(DEATH_ROLLS)}", lambda value: value in DEATH_ROLLS),
    ),
    described("<who>.ac", _armor_reader(False), wants=a_number),
    described("<who>.touch", _armor_reader(True), wants=a_number),
    described("<who>.flat-footed-ac", _armor_reader(False, FLAT), wants=a_number),
    described("<who>.flat-footed", _is_flat_footed),
    described("<who>.total", _reader_of_last_roll(lambda _, roll: roll.total)),
    described("<who>.hit", _reader_of_last_roll(attack.does_hit)),
    described("<who>.critical", _reader_of_last_roll(attack.is_critical)),
    described("<who>.reach", ground.reached_squares),
    described("<who>.space", ground.side_in_squares),
    described("<who>.square", _standing_square),
    described("<who>.wields", _wielded_items),
    described("<who>.grapple", grapple.grapple_status, wants=a_word),
    described("<who>.grapple.with", grapple.grapple_partner),
    described("<who>.provokes", movement.who_may_strike),
)
