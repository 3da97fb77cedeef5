"""The round as a timeline: who is due, who acts, what is being cast, what was held, spoiled or lost."""

from typing import Any

from msgspec import structs

from projections.because import Because
from projections.rulesets.osric.casting import declared_as, declared_spell
from projections.rulesets.osric.openings import is_interrupt
from projections.rulesets.osric.order import dice_are_picked_up, may_act, order_because, own_key, routines_due, side_key
from projections.rulesets.osric.routines import WAITING, count_used
from projections.rulesets.osric.spoiling import disturbed_before, is_disturbed
from projections.rulesets.osric.state import Act, Casting, Order, OsricState, Seen
from projections.rulesets.osric.surprise import because_length, free, listed, point_of
from projections.rulesets.osric.vitals import status
from projections.rulesets.ruleset import derives
from projections.state import Combatant, Entry, action_word
from projections.time import Point


def entries(state: OsricState) -> tuple[Entry, ...]:
    """Return the timeline of the round, or of surprise, in the order of its keys."""
    rows = [_casting(state, one) for one in state.castings]
    rows += [_act(state, act) for act in state.acts]
    rows += [_effect(seen) for seen in state.seen]
    now = state.clock.point.round
    rows = [row for row in rows if row.point.round == now or row.action == "cast"]
    rows += _waiting_in_surprise(state) if now == 0 else _waiting(state)
    return tuple(sorted(rows, key=lambda row: (row.order, row.events)))


def _casting(state: OsricState, one: Casting) -> Entry:
    last = one.last if one.cut is None else max(one.start, min(one.cut, one.last))
    return Entry(
        point=Point(one.key.round, segment=one.key.segment),
        combatant=one.combatant,
        status=one.status,
        because=one.because,
        action="cast",
        name=one.name,
        due=Point(one.due.round, segment=one.due.segment),
        until=point_of(state, last),
        events=(one.begun,),
        order=structs.astuple(one.key),
    )


def _act(state: OsricState, act: Act) -> Entry:
    return Entry(
        point=Point(act.key.round, segment=act.key.segment),
        combatant=act.combatant,
        status="done",
        because=_because_acts(state, act),
        action=act.action.kind,
        name=act.action.name,
        events=(act.seq,),
        order=structs.astuple(act.key),
    )


def _because_acts(state: OsricState, act: Act) -> Because:
    """Say why somebody acts there: by its surprise, or by the dice."""
    one = state.combatants[act.combatant]
    if act.key.round == 0:
        return Because(free.rules, (act.seq,)) + because_length(state, one)
    return Because(side_key.rules, (act.seq,)) + order_because(state, [one])


def _effect(seen: Seen) -> Entry:
    return Entry(
        point=Point(seen.key.round, segment=seen.key.segment),
        combatant=seen.combatant,
        status="done",
        because=Because(("spell.completes-after-casting-time",), (seen.seq,)),
        action="effect",
        name=seen.name,
        events=(seen.seq,),
        order=structs.astuple(seen.key),
    )


def _busy(state: OsricState) -> set[str]:
    """Return who has used its place: by an act of its own, a routine out of turn after it, or a casting of this round."""
    own = {act.combatant for act in state.acts if act.action.kind not in WAITING and not _is_ahead(state, act)}
    return own | {one.combatant for one in state.castings if one.key.round == state.clock.point.round}


def _is_ahead(state: OsricState, act: Act) -> bool:
    """Say whether an act is a blow out of turn that leaves the own place for later."""
    own = own_key(state, state.combatants[act.combatant])
    return is_interrupt(act.action) and (act.extra or own is None or act.key.segment < own.segment)


def _waiting(state: OsricState) -> list[Entry]:
    """Return who has not acted, and the spells that were declared and not begun."""
    busy = _busy(state)
    found = [_due(state, one) for one in may_act(state) if one.id not in busy]
    lost = {row.combatant for row in found if row.status == "lost"}
    unused = [one for one in may_act(state) if one.id in busy | lost and not state.clock.open]
    return found + [row for one in unused if (row := _unused(state, one))]


def _unused(state: OsricState, one: Combatant) -> Entry | None:
    """Return the row of a spell that somebody declared for this round and did not begin."""
    now = state.clock.point.round
    begun = [each for each in state.castings if each.combatant == one.id and each.key.round == now]
    if not declared_spell(state, one.id) or any(declared_as(state, one.id, each.name) for each in begun):
        return None
    key = own_key(state, one) or Order(state.clock.point.round, 0)
    because = Because(("declare.spell-may-be-given-up",), state.clock.events) + order_because(state, [one])
    return _row(state, one, key, "withdrawn", because)


def _waiting_in_surprise(state: OsricState) -> list[Entry]:
    """Return who may still act in the surprise segments from the present one on."""
    now = max(1, state.clock.point.segment)
    found = []
    for segment in listed(state, now):
        acted = {act.combatant for act in state.acts if act.key.segment == segment}
        casting = {one.combatant for one in state.castings if one.status == "begun"}
        for one in state.here():
            if free(state, one, segment) and one.id not in acted | casting | state.fallen.keys():
                key = Order(0, segment)
                because = because_length(state, one) + Because(free.rules)
                found.append(_row(state, one, key, "due", because))
    return found


def _due(state: OsricState, one: Combatant) -> Entry:
    key = own_key(state, one) or Order(state.clock.point.round, 0)
    word, because = _standing(state, one, key)
    return _row(state, one, key, word, because)


def _row(state: OsricState, one: Combatant, key: Order, word: str, because: Because) -> Entry:
    declared = state.declared.get(one.id)
    return Entry(
        point=Point(key.round, segment=key.segment),
        combatant=one.id,
        status=word,
        because=because,
        action=declared.action.kind if declared else None,
        name=action_word(declared.action) if declared else None,
        events=(declared.seq,) if declared else (),
        order=structs.astuple(key),
    )


@derives("round.ends-after-both")
def _standing(state: OsricState, one: Combatant, key: Order) -> tuple[str, Because]:
    """Say how somebody stands who has not acted: due, held, withdrawn, spoiled, or lost."""
    because = order_because(state, [one]) or Because(dice_are_picked_up.rules, state.clock.events or (one.joined,))
    fallen = state.fallen.get(one.id)
    if fallen and fallen.key < key:
        return "lost", Because(("effects.take-hold-at-once", *status.rules), (fallen.seq,)) + because
    spell = declared_spell(state, one.id)
    hurt = disturbed_before(state, one.id, state.clock.point)
    if spell and hurt:
        return "spoiled", Because(is_disturbed.rules, (hurt.seq,), state.chosen("spoil-from")) + because
    if spell and (spell.given_up or not state.clock.open):
        events = (spell.given_up,) if spell.given_up else state.clock.events
        return "withdrawn", Because(("declare.spell-may-be-given-up",), events) + because
    if one.id in state.held and state.clock.open:
        return "held", Because(("segments.held-action",), (state.held[one.id],)) + because
    if state.clock.open:
        return "due", because
    return "lost", Because(_standing.rules, state.clock.events) + because


def casting(state: OsricState, one: Combatant) -> Entry | None:
    """Return what a combatant is casting, if it is under way."""
    return next(
        (_casting(state, each) for each in state.castings if each.combatant == one.id and each.status == "begun"), None
    )


@derives("spell.start-is-first-segment", "spell.spoiled-by-interruption")
def concentration(state: OsricState, one: Combatant) -> tuple[str, Because]:
    """Return the spell that a combatant is in the middle of: what other rulesets call concentration is that window."""
    own = [each for each in state.castings if each.combatant == one.id]
    if not own:
        return "", Because(concentration.rules[:1], (one.joined,))
    last = own[-1]
    return (last.name if last.status == "begun" else ""), last.because


def budget(state: OsricState, one: Combatant) -> dict[str, Any]:
    """Return the routines that a combatant has left in this round."""
    return {"routines": max(0, routines_due(state, one) - count_used(state, one.id, state.clock.point))}
