"""The ruleset's own addresses, the budget, and the timeline; the clock's move to a slot."""

from collections.abc import Callable, Iterable
from functools import partial
from itertools import combinations, permutations

from msgspec import structs

from eventstore.events import Fact
from eventstore.shapes import Action
from projections.address import NOTHING, a_count, a_list_of_names, a_number, a_number_or_none, a_word
from projections.because import NOTHING_CITED, Because, Derived
from projections.fight import Combatant, TimelineRow
from projections.folds import concentration as common_concentration, effects as common
from projections.folds.clock import because_of
from projections.folds.effects import CONDITIONS, condition_names, stated_list
from projections.folds.moves import STILL, move_to_slot, stay_between_rounds
from projections.folds.rows import clock_reason, row_of_act, sort_rows
from projections.mechanics.work import DONE, SPOILED, WITHDRAWN, Incident, is_same
from projections.occurrence import Occurrence
from projections.open_types import Json
from projections.ruleset.budget import Budget
from projections.ruleset.ruleset import derives
from projections.ruleset.schedule import ClockMove
from projections.rulesets.vile_darkness import attack, order, table, works
from projections.rulesets.vile_darkness.action_checks import stopping_reaction
from projections.rulesets.vile_darkness.concentration import bare_concentration, why_last_ended
from projections.rulesets.vile_darkness.grid import foes_in_melee, room_needed, set_melee
from projections.rulesets.vile_darkness.hit_dice import attacks_as, morale, other_names, overall_dice, save_dice
from projections.rulesets.vile_darkness.initiative import delayed_by, dice_half, half_then, has_delayed_before, why_low
from projections.rulesets.vile_darkness.order import forfeiting_delay, is_forfeit, majors_left
from projections.rulesets.vile_darkness.place import act_key, act_slot, blow_speed, expected_act, is_blow, work_act
from projections.rulesets.vile_darkness.reading import Reading
from projections.rulesets.vile_darkness.space import feet_between
from projections.rulesets.vile_darkness.spells import times_memorized
from projections.rulesets.vile_darkness.state import (
    DELAYED,
    HIGH,
    LOW,
    AttackRoll,
    Casting,
    Key,
    VileAct,
    VileState,
    cited_records,
)
from projections.rulesets.vile_darkness.works import COMPLEX, bare_under_way, due_at, taken_back, under_way, why_ended
from projections.time import Point


def timeline_rows(state: VileState) -> tuple[TimelineRow, ...]:
    """Return the timeline of the round in the order of its keys."""
    if not state.clock.round:
        return ()
    rows = [_act_row(state, each) for each in state.round.acts.values() if each.kind not in table.LASTING]
    rows += [_work_row(state, each) for each in state.works]
    rows += [_expected_row(state, each, "due") for each in order.expected_acts(state)]
    rows += [_expected_row(state, each, "lost") for each in missed_acts(state)]
    return sort_rows(state, rows)


def _make_row(state: VileState, act: VileAct, how: str, because: Because, **more: object) -> TimelineRow:
    key, slot = act_key(state, act), act_slot(state, act)
    own = key.value or Key(state.clock.round, 0)
    point = Point(own.round, segment=act.point.segment)
    why = (because, table.why_row(state, act), clock_reason(state, act.seq))
    more |= {"cost": act.action.cost or table.row_of(state, act).weight, "phase": slot.value}
    more |= {"order": structs.astuple(own), "key": structs.asdict(own)}
    return row_of_act(point, act.combatant, act.action, how, Because(of=why), **more)


def _act_row(state: VileState, act: VileAct) -> TimelineRow:
    if by := stopping_reaction(state, act):
        because = Because(("free.on-trigger-segment",), (act.seq, by), of=(state.combatants[act.combatant].standing,))
        return _make_row(state, act, "lost", because, events=(act.seq,))
    if act.kind == "delay":
        since = [each.seq for each in state.round.acts_of[act.combatant] if state.precedes(act.seq, each.seq)]
        how = "held" if state.clock.open and not is_forfeit(state, act) and not since else "done"
        because = Because(("delay.high-waits-for-low",), (act.seq,), (half_then(state, act), cited_records(*since[:1])))
        return _make_row(state, act, how, because, events=(act.seq,))
    return _make_row(state, act, "done", Because((), (act.seq,), (act_slot(state, act),)), events=(act.seq,))


def _work_row(state: VileState, casting: Casting) -> TimelineRow:
    how, when, found = works.status(state, casting), works.due_at(state, casting).value, works.window(state, casting)
    act = next((each for each in state.round.acts_of.get(casting.who, ()) if each.work == casting.seq), None)
    done = Action(kind=casting.kind, name=casting.name)
    shown = act or VileAct(casting.seq, casting.who, done, Point(casting.round), work=casting.seq)
    ended = works.why_ended(state, casting).value if how.value in (SPOILED, WITHDRAWN) else None
    timed = clock_reason(state, ended.seq if ended else 0)
    row = _make_row(state, shown, how.value, Because(of=(how.because, found, timed)), events=(casting.seq,))
    begun, last = map(works.point_of, found.value)
    until, broken = _point_of_break(state, casting, ended) if ended else (last, "")
    return structs.replace(row, point=begun, due=when, until=until, broken=broken)


def _point_of_break(state: VileState, casting: Casting, ended: Incident) -> tuple[Point, str]:
    """Return the segment in which work was broken off, its last one if that is unknown, and the slot."""
    first, last = works.window(state, casting).value
    if ended.seq not in state.moments:
        return works.point_of(last), ""
    point, spell = state.moments[ended.seq].point, works.spell_causing(state, ended)
    tick = works.window(state, spell).value[1] if spell else ended.tick if point.segment else 0
    return works.point_of(min(tick, last) if tick >= first else last), table.slot_at(state, point.phase)


def missed_acts(state: VileState) -> list[VileAct]:
    """Return the expected acts of combatants who missed their place, forfeited it, or are out of the fight."""
    here = state.here()
    found: list[VileAct] = []
    gone: list[VileAct] = []
    for each in (each for one in here for each in order.expected_if_idle(state, one)):
        if state.combatants[each.combatant].status == "out":
            gone.append(each)
        elif not state.clock.open or order.has_slot_passed(state, each):
            found.append(each)
    delays = [(one, delay) for one in here if (delay := forfeiting_delay(state, one.id))]
    return [*found, *gone, *(structs.replace(expected_act(state, one), low=delay.low) for one, delay in delays)]


def _expected_row(state: VileState, act: VileAct, how: str) -> TimelineRow:
    one = state.combatants[act.combatant]
    if how == "due" or forfeiting_delay(state, one.id):
        rules = () if how == "due" else is_forfeit.rules
        because = Because(rules, (one.joined,), (act_slot(state, act), majors_left(state, one)))
    else:
        why = one.standing if one.status == "out" else act_slot(state, act)
        because = Because(("round.step-order",), (*state.clock.events, one.joined), (why,))
    return structs.replace(_make_row(state, act, how, because), action=None, name=None, cost=None)


def current_casting(state: VileState, one: Combatant) -> TimelineRow | None:
    """Return the spell that a combatant is casting, or the item that it activates."""
    busy = reversed(works.bare_under_way(state, one.id))
    return next((_work_row(state, each) for each in busy if each.kind in table.SPELLS), None)


def clock_move(state: VileState, fact: Occurrence[Fact]) -> ClockMove:
    """Return the clock's move to the slot of an act that states none; an answer to another act moves nothing."""
    act = None if getattr(fact.event, "phase", None) else Reading(state, fact).act
    if act is None or act.trigger or table.row_of(state, act).slot == "trigger":
        return STILL
    if not state.clock.open:
        return stay_between_rounds(state)
    slot = act_slot(state, structs.replace(act, slot="")).value
    if why := _why_slot_uncertain(state, act, slot):
        return ClockMove(stays=f"{why}; the name of the slot moves it")
    return move_to_slot(state, act.combatant, slot, [each.slot for each in state.round.acts.values()])


def _why_slot_uncertain(state: VileState, act: VileAct, slot: str) -> str:
    who, row = act.combatant, table.row_of(state, act)
    is_here = any(each.slot == state.clock.phase for each in state.round.acts_of.get(who, ()))
    if row.joined or row.slot == "any" or (act.kind == "move" and is_here):  # a move may be part of a charge or flight
        return f"{who} can do this in several slots"
    if who in state.round.waits and slot.startswith("L.") and slot != state.clock.phase:
        return f"{who} declared a delay, to {slot}"
    return "" if slot else next(iter(order.words_on_missing_dice(state)), f"nothing says where {who} does this")


def _set_ac(state: VileState, who: str, value: int, seq: int) -> None:
    state.lost.pop(who, None)
    gained = [*attack.ac_changes(state, who), *attack.ruled_modifiers(state, who, attack.AC)]
    one = state.combatants[who]
    one.sheet = structs.replace(one.sheet, ac=value + sum(each.amount for each in gained))
    one.changed["ac"] = seq


def _aac0(state: VileState, who: str) -> Derived[object]:
    sheet = state.combatants[who].sheet
    value = f"{sheet.aac0}*" if sheet.aac0_starred else sheet.aac0
    rule = "attack.aac0-starred" if sheet.aac0_starred else "attack.aac0"
    return Derived(value, Because((rule,), state.combatants[who].records("aac0", "aac0_starred")))


def _of_last_roll(state: VileState, who: str, read: Callable[[VileState, AttackRoll], Derived[Json]]) -> Derived[Json]:
    rolls = [each for each in state.round.rolls.values() if each.who == who]
    found = read(state, rolls[-1]) if rolls else None
    none = Because(attack.roll_total.rules, (state.round.opened or state.combatants[who].joined,))
    return found if found and found.value is not None else Derived(NOTHING, none)


def _room_needed(state: VileState, who: str) -> Derived[int]:
    blows = [each for each in state.round.acts_of.get(who, ()) if each.kind in table.ATTACKS]
    return room_needed(state, blows[-1] if blows else expected_act(state, state.combatants[who]))


def _melee_wanted(state: VileState, who: str, value: object) -> str:
    wanted = a_list_of_names(state, who, value)
    return wanted or ("those who have joined" if {*stated_list(value)} - state.combatants.keys() else "")


OF_NUMBERS = (
    table.described("<who>.ac", attack.armour_class, wants=attack.on_the_scale, rule=_set_ac),
    table.described("<who>.aac0", _aac0),
    table.described(
        "<who>.need.<target>",
        attack.need_against,
        wants=a_number,
        places=lambda s: ((one.id, other.id) for one, other in permutations(s.here(), 2) if one.side != other.side),
    ),
    table.described("<who>.total", partial(_of_last_roll, read=attack.roll_total)),
    table.described("<who>.hit", partial(_of_last_roll, read=attack.is_hit)),
    table.described("<who>.primary", attack.primary_weapon),
    table.described("<who>.room", _room_needed),
    table.described("<who>.attacks-as", attacks_as, wants=a_word, also=other_names),
    table.described("<who>.save-dice", save_dice, wants=a_count),
    table.described("<who>.overall-dice", overall_dice, wants=a_count),
    table.described("<who>.morale", morale, wants=a_number),
    table.described("<who>.melee", foes_in_melee, wants=_melee_wanted, rule=set_melee),
    table.described(
        "distance.<one>.<other>", feet_between, places=lambda state: combinations(sorted(state.squares), 2)
    ),
)


def shown_act(state: VileState, who: str) -> VileAct:
    """Return the act whose slot is shown for a combatant: that of its work, its last major action, its last act, an expected one."""
    works = [each for each in bare_under_way(state, who) if due_at(state, each).value.round >= state.clock.round]
    if works:
        return work_act(state, state.combatants[who], works[-1])
    acts = [each for each in state.round.acts_of.get(who, ()) if each.kind not in table.QUIET]
    majors = [each for each in acts if each.routine or table.row_of(state, each).weight == "major"]
    found: list[VileAct] = majors or acts or [expected_act(state, state.combatants[who])]
    return found[-1]


def _group_now(state: VileState, who: str) -> Derived[object]:
    """Return the group of a combatant now, HIGH or LOW; a delay puts it in LOW whatever the dice."""
    one, found = state.combatants[who], why_low(state, who)
    own, were = dice_half(state, one), cited_records(*(each.delayed for each in state.round.acts_of.get(who, ())))
    why = (Derived(None, found[0]),) if found else ()
    return Derived(LOW if found else own.value or NOTHING, Because((), (one.joined,), (*why, own, were)))


def _slot_of_combatant(state: VileState, who: str) -> Derived[object]:
    joined = Because(("round.step-order",), (state.combatants[who].joined,))
    if not state.clock.round:
        return Derived(NOTHING, joined)
    act, works = shown_act(state, who), under_way(state, state.works_of.get(who, []))
    later = [each for each in state.round.acts_of.get(who, ()) if act.seq and state.precedes(act.seq, each.seq)]
    done = [Derived(each, each.because) for each in state.used.get(who, ()) if each.kind == COMPLEX]
    found, rows = act_slot(state, act), [table.why_row(state, each) for each in later]
    back = NOTHING_CITED if found.value == "E" else taken_back(state, who, *table.LASTING)
    return Derived(found.value or NOTHING, Because(of=(found, joined, works, back, *done, *rows)))


def _weapon_speed(state: VileState, who: str) -> Derived[object]:
    blows = [each for each in state.round.acts_of.get(who, ()) if is_blow(state, each)]
    found = blow_speed(state, blows[-1] if blows else expected_act(state, state.combatants[who]))
    return Derived(NOTHING if found.value is None else found.value, found.because)


@derives("time.default-one-segment", "time.asterisk-no-time", "immediate.anytime", "ability.default-innate")
def time_of_act(state: VileState, who: str) -> Derived[object]:
    """Return the segments that a combatant's last act takes."""
    default, acts = "time.default-one-segment", state.round.acts_of.get(who, ())
    if not acts:
        because = Because((default,), (state.combatants[who].joined,), (_declaration_records(state, who),))
        return Derived(NOTHING, because)
    found, entry = table.segments_taken(state, acts[-1]), table.entry_of(state, who, acts[-1].action.name)
    by_kind = {"immediate": ("immediate.anytime",), "innate": ("ability.default-innate", default)}
    rules = by_kind.get(acts[-1].kind, (default,))
    rules = ("time.asterisk-no-time",) if acts[-1].action.time == 0 else (default,) if entry and entry.kind else rules
    of = cited_records(*(each.seq for each in acts), *(each.delayed for each in acts), 0 if entry else acts[-1].work)
    behind = cited_records(acts[-1].work, state.combatants[who].changed.get("entries", 0))
    return Derived(found, Because(rules, (state.combatants[who].joined,), (of, behind)))


def _declaration_records(state: VileState, who: str) -> Derived[tuple[int, ...]]:
    """Return the records that replaced or restored a combatant's declarations, and works of others with the names of its own."""
    own = {each.name.casefold() for each in state.works_of.get(who, ())}
    alike = (each.seq for each in state.works if each.who != who and each.name.casefold() in own)
    return cited_records(*state.round.shifted.get(who, ()), *alike)


def _concentration_object(state: VileState, who: str) -> Derived[object] | None:
    found = CONCENTRATION.read(state, who)
    return found and Derived(found.value, found.because + Because(of=(_declaration_records(state, who),)))


def _major_actions_left(state: VileState, who: str) -> Derived[int]:
    found = majors_left(state, state.combatants[who])
    return Derived(found.value, found.because + Because(of=(_declaration_records(state, who),)))


def _current_spell(state: VileState, who: str) -> Derived[Casting | None]:
    """Return the spell that a combatant is casting; None with the end of the last one as reason."""
    own = [each for each in state.works_of.get(who, ()) if each.kind in table.SPELLS]
    works = under_way(state, own)
    others = _declaration_records(state, who)
    if works.value:
        return Derived(works.value[-1], Because(of=(why_ended(state, works.value[-1]), works, others)))
    ended = why_last_ended(state, own)
    none = Because(("incantation.needs-concentration",), (state.combatants[who].joined,))
    return Derived(None, Because(of=(ended, works, taken_back(state, who, *table.SPELLS), others, none)))


def _spell_name(state: VileState, who: str) -> Derived[str]:
    found = _current_spell(state, who)
    return Derived(found.value.name if found.value else NOTHING, found.because)


def _bare_spell_name(state: VileState, who: str) -> str:
    return next((each.name for each in reversed(bare_under_way(state, who)) if each.kind in table.SPELLS), NOTHING)


def _completion_segment(state: VileState, who: str) -> Derived[object]:
    """Return the segment in which a combatant's work completes; in another round as r2s3."""
    casts = _current_spell(state, who)
    if casts.value is None:
        return Derived(NOTHING, casts.because)
    found = due_at(state, casts.value)
    point = found.value
    where = point.segment if point.round == state.clock.round else f"r{point.round}s{point.segment}"
    return Derived(where, Because(of=(found, casts)))


@derives("delay.gives-delayed", "delaying.no-condition", "delay.declared-no-condition", "minor.many-may-delay")
def names_of_conditions(state: VileState, who: str) -> Derived[list[str]]:
    """Return the conditions of a combatant; a delaying activity or a declared delay does not give the delayed one."""
    found = condition_names(state, who)
    works = [each.seq for each in state.round.acts_of.get(who, ()) if table.row_of(state, each).type == "delaying"]
    rules = ["delay.gives-delayed"] if delayed_by(state, who) or DELAYED in state.freed_by.get(who, {}) else []
    rules = ["minor.many-may-delay"] if delayed_by(state, who) in {fact.seq for fact in state.rulings} else rules
    rules += ["delaying.no-condition"] if works else []
    rules += ["delay.declared-no-condition"] if who in state.round.waits else []
    return Derived(found.value, Because(tuple(rules), (), (found,)))


@derives("time.round-segments")
def seconds_elapsed(state: VileState) -> Derived[int]:
    """Return the seconds since round 1 began: sixty a round, six a segment."""
    point = state.clock.point
    spent = 60 * max(0, point.round - 1) + 6 * point.segment
    events = {*because_of(state, "round").events, *because_of(state, "segment").events}
    return Derived(spent, Because(seconds_elapsed.rules, tuple(sorted(events))))


def _clause_of_end(state: VileState, who: str, stated: object) -> str:
    own = [each for each in state.works_of.get(who, ()) if is_same(str(stated), each.name)]
    ended = why_ended(state, own[-1]).value if own else None
    return ended.because.clause if ended and ended.ends != DONE else ""


def _words_wanted(words: Iterable[str], value: Json) -> str:
    return "" if value in words else f"one of {', '.join(words)}"


def _amount_left(state: VileState, one: Combatant, what: str) -> Derived[int] | None:
    return majors_left(state, one) if what == "major" else times_memorized(state, one.id, what)


BUDGET = Budget(left=_amount_left, own=("major",))
(CASTING,) = (each for each in common.ADDRESSES if each.pattern == "<who>.casting")
(CONCENTRATION,) = common_concentration.ADDRESSES
WORKS = {each: {"wants": each.wants, "rule": each.rule, "blames": _clause_of_end} for each in (CASTING, CONCENTRATION)}
ADDRESSES = (
    *OF_NUMBERS,
    table.described("seconds", seconds_elapsed),
    table.described(CONDITIONS, names_of_conditions),
    table.described(
        "<who>.group",
        _group_now,
        wants=lambda _s, _w, value: _words_wanted((HIGH, LOW), value),
        blames=lambda s, who, stated: "delay.gives-delayed" if stated == LOW and has_delayed_before(s, who) else "",
    ),
    table.described(
        "<who>.slot", _slot_of_combatant, wants=lambda state, _w, value: _words_wanted(table.slot_names(state), value)
    ),
    table.described("<who>.speed", _weapon_speed, wants=a_number_or_none),
    table.described("<who>.time", time_of_act),
    table.described("<who>.major", _major_actions_left),
    table.described(CASTING.pattern, _spell_name, bare=_bare_spell_name, **WORKS[CASTING]),
    table.described(CONCENTRATION.pattern, _concentration_object, bare=bare_concentration, **WORKS[CONCENTRATION]),
    table.described("<who>.casting.due", _completion_segment),
)
