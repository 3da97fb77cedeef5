"""The round as a timeline: who is due, who acts, what is being cast, what was spoiled or lost."""

from typing import Any

from msgspec import structs

from projections.rulesets.osric.order import may_act, order_because, own_key
from projections.rulesets.osric.state import Act, Casting, Order, OsricState, from_absolute
from projections.rulesets.osric.vitals import status
from projections.rulesets.ruleset import derives
from projections.state import Because, Combatant, Entry, action_word
from projections.time import Point


@derives("round.ends-after-both")
def entries(state: OsricState) -> tuple[Entry, ...]:
    """Return the timeline of the round, in the order of its keys."""
    rows = [_casting(one) for one in state.castings] + [_act(state, one) for one in state.acts]
    busy = {row.combatant for row in rows}
    rows += [_waiting(state, one) for one in may_act(state) if one.id not in busy]
    return tuple(sorted(rows, key=lambda row: (row.order, row.events)))


def _casting(one: Casting) -> Entry:
    return Entry(
        point=Point(one.key.round, segment=one.key.segment),
        combatant=one.combatant,
        status=one.status,
        because=one.because,
        action="cast",
        name=one.name,
        due=from_absolute(one.due),
        events=(one.begun,),
        order=structs.astuple(one.key),
    )


def _act(state: OsricState, act: Act) -> Entry:
    return Entry(
        point=Point(act.key.round, segment=act.key.segment),
        combatant=act.combatant,
        status="done",
        because=Because(own_key.rules, (act.seq,)) + order_because(state, {state.combatants[act.combatant].side}),
        action=act.action.kind,
        name=act.action.name,
        events=(act.seq,),
        order=structs.astuple(act.key),
    )


def _waiting(state: OsricState, one: Combatant) -> Entry:
    key = own_key(state, one) or Order(state.clock.point.round, 0)
    declared = state.declared.get(one.id)
    word, because = _standing(state, one, key)
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


def _standing(state: OsricState, one: Combatant, key: Order) -> tuple[str, Because]:
    """Say how somebody stands who has not acted: due, or lost through a fall or the end of the round."""
    because = order_because(state, {one.side}) or Because(own_key.rules, state.clock.events)
    fallen = state.fallen.get(one.id)
    if fallen and fallen.key < key:
        return "lost", Because(("effects.take-hold-at-once", *status.rules), (fallen.seq,)) + because
    if state.clock.open:
        return "due", because
    declared = state.declared.get(one.id)
    if declared and declared.action.kind == "cast":
        return "withdrawn", Because(("declare.spell-may-be-given-up",), state.clock.events) + because
    return "lost", Because(entries.rules, state.clock.events) + because


def casting(state: OsricState, one: Combatant) -> Entry | None:
    """Return what a combatant is casting, if it is under way."""
    return next(
        (_casting(each) for each in state.castings if each.combatant == one.id and each.status == "begun"), None
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
    used = sum(1 for act in state.acts if act.combatant == one.id and act.action.kind in ("attack", "charge"))
    return {"routines": max(0, one.sheet.routines - used)}
