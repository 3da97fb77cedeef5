"""The round as a timeline: rows for acts, castings and effects, and for combatants who have not acted; the clock's move to a segment."""

from collections.abc import Mapping
from typing import Any

from msgspec import structs

from eventstore import events
from projections.because import Because, Cites, Derived
from projections.fight import Combatant, TimelineRow
from projections.folds.clock import because_of
from projections.folds.moves import STILL, move_to_segment, stay_between_rounds
from projections.folds.order import who_is_due
from projections.folds.rows import clock_reason, sort_rows
from projections.folds.side_dice import side_of
from projections.mechanics.acts import name_or_kind
from projections.mechanics.pools import HP, is_at_or_below
from projections.occurrence import Occurrence
from projections.open_types import Fields
from projections.ruleset.budget import Budget
from projections.ruleset.ruleset import derives
from projections.ruleset.schedule import ClockMove
from projections.rulesets.osric import order, routines, spells, surprise
from projections.rulesets.osric.checks import sides_owing_a_die
from projections.rulesets.osric.reading import Reading
from projections.rulesets.osric.routines import count_used, is_interrupt, opens_routine, routine_acts, routines_allowed
from projections.rulesets.osric.state import SPELL, Casting, KeyedAct, Order, OsricState
from projections.rulesets.osric.surprise import is_free, length_reason, play_reason, point_of, segments_from
from projections.rulesets.osric.vitals import disturb_caster, status as standing


def clock_move(state: OsricState, fact: Occurrence[events.Fact]) -> ClockMove:
    """Return the move to the segment of an act or effect without one, or to the next round by a die or declaration."""
    match fact.event:
        case events.InitiativeRolled() | events.ActionDeclared() as event:
            return ClockMove(_new_round(state, event))
        case events.ActionTaken(segment=None):
            return _move_to_act(state, Reading(state, fact))
        case events.EffectStarted(segment=None):
            return _move_to_effect(state, Reading(state, fact))
    return STILL


def _new_round(state: OsricState, event: events.InitiativeRolled | events.ActionDeclared) -> tuple[events.Fact, ...]:
    """Return the beginning of a round to which dice or a declaration belong, if that is not the present one."""
    clock, begins = state.clock, events.RoundStarted(round=state.clock.round + 1)
    if clock.open:
        again = isinstance(event, events.InitiativeRolled) and (side := side_of(state, event)) in state.round.dice
        nobody_left = again and not order.may_roll_again(state, side).value and not who_is_due(state).value
        return (events.RoundEnded(round=clock.round), begins) if nobody_left else ()
    before = not clock.round and (sides_owing_a_die(state) or clock.point.segment < surprise.number_of_segments(state))
    return () if before and isinstance(event, events.ActionDeclared) else (begins,)


def _move_to_effect(state: OsricState, fact: Reading[events.Fact]) -> ClockMove:
    if fact.casting is None or not state.clock.open:
        return STILL
    due, name = spells.due_key(state, fact.casting).value, fact.casting.name
    if not fact.casting.key.segment:
        return ClockMove(stays=f"nothing says in which segment {name} was begun; seg moves it")
    if due.round == state.clock.round:
        return move_to_segment(state, name, due.segment, state.round.back or state.round.highest)
    return ClockMove(stays=f"{name} is due in segment {due.segment} of round {due.round}")


def _move_to_act(state: OsricState, fact: Reading[events.Fact]) -> ClockMove:
    if is_interrupt(fact.action) or fact.trigger is not None:
        return STILL
    if not state.clock.open:
        return stay_between_rounds(state) if state.clock.round else _move_in_surprise(state, fact)
    if fact.waits:
        return ClockMove(stays=f"{fact.who} can do this in any segment; seg moves it")
    if fact.used and opens_routine(fact):
        first = max(1, routines.first_further_segment(state, fact.one, fact.action))
        waits = state.clock.point.segment < first
        return ClockMove(stays=f"{fact.who} can act again from segment {first} on; seg moves it") if waits else STILL
    return _move_to_own_segment(state, fact)


def _move_to_own_segment(state: OsricState, fact: Reading[events.Fact]) -> ClockMove:
    """Return the move to a combatant's own segment; one that holds may act in a later one, so the clock stays."""
    own, lacks, who = order.own_key(state, fact.one, fact.action).value, order.words_on_dice(state), fact.who
    if own is None:
        return ClockMove(stays=f"{lacks[0] if lacks else f'nothing says in which segment {who} acts'}; seg moves it")
    if who in state.round.held and state.clock.point.segment < own.segment:
        return ClockMove(stays=f"{who} holds, and can act from segment {own.segment} on; seg moves it")
    return move_to_segment(state, who, own.segment, state.round.back or state.round.highest)


def _move_in_surprise(state: OsricState, fact: Reading[events.Fact]) -> ClockMove:
    """Return the move in surprise to the first segment to come in which a combatant is free and has not acted."""
    now, acts = state.clock.point.segment, state.round.acts_of.get(fact.who, ())
    acted = {act.key.segment for act in acts if act.kind not in order.WAITING}
    those = [each for each in segments_from(state, max(1, now)) if is_free(state, fact.one, each) and each not in acted]
    if fact.waits or not opens_routine(fact) or not those or those[0] == now:
        return STILL
    return ClockMove((events.SegmentReached(segment=those[0], surprise=True),))


def timeline_rows(state: OsricState) -> tuple[TimelineRow, ...]:
    """Return the timeline of the round, or of surprise, in the order of its keys."""
    rows = [_casting_row(state, one) for one in state.castings]
    rows += [_act_row(state, act) for act in state.round.acts.values() if act.kind != SPELL]
    rows += [_effect_row(state, seq, one) for seq, one in state.round.seen.items()]
    now = state.clock.point.round
    rows = [row for row in rows if row.point.round == now or row.action == SPELL]
    rows += _waiting_rows_in_surprise(state) if now == 0 else _waiting_rows(state)
    return sort_rows(state, rows)


def _make_row(
    key: Order, who: str, word: str, because: Because, also: Mapping[str, object] = {}, **more: Any
) -> TimelineRow:
    parts = {**structs.asdict(key), **also}
    return TimelineRow(key.point, who, word, because, key=parts, order=structs.astuple(key), **more)


def _casting_row(state: OsricState, one: Casting) -> TimelineRow:
    end, due, last = spells.ending_incident(state, one).value, spells.due_key(state, one).value, one.last
    if end and end.ends in ("spoiled", "withdrawn"):
        last = max(one.start, min(end.tick, one.last))
    how, act = spells.casting_status(state, one), state.round.acts.get(one.seq)
    more: Fields = {"action": SPELL, "name": one.name}
    more |= {"cost": act.action.cost, "targets": act.action.targets} if act else {}
    more |= {"due": due.point, "until": point_of(state, last), "events": (one.seq,)}
    return _make_row(one.key, one.who, how.value, how.because, **more)


def _act_row(state: OsricState, act: KeyedAct) -> TimelineRow:
    action, because = act.action, Because(of=(act.because, clock_reason(state, act.seq)))
    more: Fields = {"action": action.kind, "name": action.name, "cost": action.cost, "targets": action.targets}
    return _make_row(act.key, act.combatant, "done", because, events=(act.seq,), **more)


def _effect_row(state: OsricState, seq: int, one: Casting) -> TimelineRow:
    key, due = state.round.keys[seq], spells.due_key(state, one)
    is_late = key.round == due.value.round and key.segment > due.value.segment
    because = Because(("spell.completes-after-casting-time",), (seq,), of=(due, state.round.timed[seq]))
    more: Fields = {"action": "effect", "name": one.name, "events": (seq,)}
    also = {"typed": f"segment {key.segment}"} if is_late else {}
    return _make_row(due.value if is_late else key, one.who, "done", because, also, **more)


def _is_before_place(state: OsricState, act: KeyedAct) -> bool:
    if not is_interrupt(act.action):
        return False
    own = order.shown_key(state, state.combatants[act.combatant]).value
    return act.extra or own is None or act.key.segment < own.segment


def _waiting_rows(state: OsricState) -> list[TimelineRow]:
    acts = (act for act in state.round.acts.values() if act.kind not in order.WAITING)
    casters = {one.who for one in state.castings if one.key.round == state.clock.point.round}
    busy = casters | {act.combatant for act in acts if not _is_before_place(state, act)}
    found = [_due_row(state, one) for one in order.all_who_may_act(state) if one.id not in busy]
    lost = {row.combatant for row in found if row.status == "lost"}
    unused = [one for one in order.all_who_may_act(state) if one.id in busy | lost and order.end_records(state)]
    return found + [row for one in unused if (row := _unused_spell_row(state, one))]


def _unused_spell_row(state: OsricState, one: Combatant) -> TimelineRow | None:
    now = state.clock.point.round
    declared = spells.declared_spell(state, one.id)
    begun = (each for each in state.castings if each.who == one.id and each.key.round == now)
    if not declared or any(spells.spell_declared_as(state, one.id, each.name) for each in begun):
        return None
    own, done = order.own_key(state, one, declared.action), state.round.no_acts.get(one.id, {}).values()
    because = Because(("declare.spell-may-be-given-up",), order.end_records(state), (own, *done))
    return _row_of_combatant(state, one, own.value, "withdrawn", because)


def why_unlisted(state: OsricState) -> Because:
    """Return what decides who is due and stands in no row: what has no row, and in surprise its length, the present segment and who is free."""
    others = tuple(act.seq for act in state.round.acts.values() if act.key.round != state.clock.point.round)
    events = (*others, *state.round.taken_back)
    if state.clock.round:
        return Because((), events)
    lengths = (length_reason(state, one) for one in state.here())
    return Because((), events, (play_reason(state), because_of(state, "segment"), *lengths))


def _waiting_rows_in_surprise(state: OsricState) -> list[TimelineRow]:
    found = []
    for segment in segments_from(state, max(1, state.clock.point.segment)):
        acted = {act.combatant for act in state.round.acts.values() if act.key.segment == segment}
        for one in order.free_combatants(state, segment):
            if one.id not in acted and not spells.current_casting(state, one.id):
                before = tuple(act.seq for act in state.round.acts_of.get(one.id, ()))
                because = Because(is_free.rules, before, (Derived(segment, length_reason(state, one)),))
                found.append(_row_of_combatant(state, one, Order(0, segment), "due", because))
    return found


def _due_row(state: OsricState, one: Combatant) -> TimelineRow:
    """Return the row of a combatant who has not acted, with both possible places of an undecided archer."""
    own, out = order.shown_key(state, one), order.time_out(state, one.id)
    other = order.key_without_shot(state, one)
    if out and other.value and _may_still_act(state, out.key, other.value):
        own = other
    word, because = _waiting_status(state, one, own)
    also = order.other_segments(state, [one], own.value) if word in ("due", "lost") else {}
    return _row_of_combatant(state, one, own.value, word, because, also)


def _row_of_combatant(
    state: OsricState, one: Combatant, key: Order | None, word: str, because: Because, also: Mapping[str, object] = {}
) -> TimelineRow:
    more: dict[str, object] = {}
    if declared := state.round.said.get(one.id):
        action = declared.action
        more = {"action": action.kind, "name": name_or_kind(action), "targets": action.targets}
        more["events"] = (declared.seq,)
    return _make_row(key or Order(state.clock.point.round, 0), one.id, word, because, also, **more)


@derives("round.ends-after-both")
def _waiting_status(state: OsricState, one: Combatant, own: Derived[Order | None]) -> tuple[str, Because]:
    """Return the status of a combatant who has not acted, with its reason: due, held, withdrawn, spoiled, or lost."""
    key = own.value or Order(state.clock.point.round, 0)
    out, held = order.time_out(state, one.id), state.round.held.get(one.id)
    if out and not _may_still_act(state, out.key, key):
        then = [state.round.fell_then[out.seq]] if out.seq in state.round.fell_then else []
        return "lost", Because(("effects.take-hold-at-once", *standing.rules), (out.seq,), (one.standing, own, *then))
    if found := _spell_status(state, one, own) or _lost_status(state, one, own):
        return found
    if order.end_records(state):
        return "lost", Because(_waiting_status.rules, order.end_records(state), (own,))
    if held:
        return "held", Because(("segments.held-action",), (held,), (own,))
    touched = state.round.touched.get(one.id, ()) if spells.declared_spell(state, one.id) else ()
    doubtful = order.is_up_again(state, one.id) or is_at_or_below(one.pools[HP], 0, ()).value
    answered = [act for act in state.round.acts_of.get(one.id, ()) if act.answers]
    events = tuple(seq for act in answered for seq in (act.answers, act.seq))
    asked = (*touched, *state.round.no_acts.get(one.id, {}).values(), *(act.asked for act in answered))
    asked += (order.routines_due(state, one),) if answered else ()
    return "due", Because((), events, (own, *((one.standing,) if doubtful else ()), *asked))


def _spell_status(state: OsricState, one: Combatant, own: Derived[Order | None]) -> tuple[str, Because] | None:
    spell, hurt = spells.declared_spell(state, one.id), spells.incident_before_start(state, one.id, state.clock.point)
    if spell and hurt:
        return "spoiled", Because(disturb_caster.rules, (hurt.seq,), (own, *state.round.touched.get(one.id, ())))
    if spell is None or not (spell.withdrawn or order.end_records(state)):
        return None
    events = (spell.withdrawn,) if spell.withdrawn else order.end_records(state)
    return "withdrawn", Because(("declare.spell-may-be-given-up",), events, (own, *state.round.touched.get(one.id, ())))


def _lost_status(state: OsricState, one: Combatant, own: Derived[Order | None]) -> tuple[str, Because] | None:
    point = state.clock.point
    blows = routine_acts(state, one.id, point)
    if not blows or count_used(state, one.id, point) < routines_allowed(state, one, point):
        return None
    reasons: tuple[Cites, ...] = (order.routines_due(state, one), own, *(act.asked for act in blows))
    return "lost", Because(("attack.not-more-routines-than-due",), tuple(act.seq for act in blows), reasons)


def _may_still_act(state: OsricState, fell: Order, key: Order) -> bool:
    """Return whether a fallen combatant may still act: its place is in the present segment and not after the fall."""
    return key <= fell and key.segment == fell.segment >= state.round.highest


def current_casting_row(state: OsricState, one: Combatant) -> TimelineRow | None:
    """Return the row of the spell that a combatant is casting, if any."""
    found = spells.current_casting(state, one.id)
    return _casting_row(state, found) if found else None


@derives("attack.one-routine")
def routines_left(state: OsricState, one: Combatant, what: str) -> Derived[int] | None:
    """Return the routines that a combatant has left in this round."""
    if what != ROUTINES:
        return None
    due, now = order.routines_due(state, one), state.clock.point
    blows = tuple(act.seq for act in routine_acts(state, one.id, now))
    rest = max(0, due.value - count_used(state, one.id, now))
    return Derived(rest, Because(routines_left.rules, (*blows, *state.clock.events[:1]), (due,)))


ROUTINES = "routines"
BUDGET = Budget(left=routines_left, own=(ROUTINES,))
"""The budget: routines left of those that are due (`<who>.routines`)."""
