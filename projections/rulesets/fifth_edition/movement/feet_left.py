"""Moves as they are recorded, and the feet that a combatant has left in its turn."""

from __future__ import annotations

from eventstore.events import Moved
from projections.because import Because, Derived
from projections.occurrence import Occurrence
from projections.rulesets.fifth_edition.conditions import events_of, speed, stops
from projections.rulesets.fifth_edition.movement.cost import diagonal_steps, is_own, is_unforced, mode_of, stretch_of
from projections.rulesets.fifth_edition.movement.dragging import dragged_by, drags_now, note_drag
from projections.rulesets.fifth_edition.movement.flying import land
from projections.rulesets.fifth_edition.shapes import Deed
from projections.rulesets.fifth_edition.state import FifthState
from projections.rulesets.ruleset import Breach, derives
from projections.state import Combatant


@derives("move.up-to-speed", "move.several-speeds", "move.forced", "grapple.drag", "move.flyer-falls", on=Moved)
def move_is_made(state: FifthState, fact: Occurrence[Moved]) -> None:
    """Keep a combatant's own movement, or that it is dragged along; only a move in the air keeps it flying."""
    event, who, mode, puller = fact.event, fact.event.combatant, mode_of(fact.event), dragged_by(state, fact)
    if puller:
        note_drag(state, puller, who, fact.seq)
    elif is_own(event):
        stride = stretch_of(state, fact)
        stride.price = 0 if stops(state, who).value else stride.price
        state.strides.setdefault(who, []).append(stride)
        state.moves[fact.seq] = who, stride, Because((), (fact.seq,))
        if mode == "fly":
            state.airborne[who] = (*state.airborne.get(who, ()), fact.seq)
        else:
            land(state, who, fact.seq)
    elif is_unforced(event):  # nobody recorded how far
        state.strides.setdefault(who, []).append(stretch_of(state, fact))
    if mode == "fall":
        land(state, who, fact.seq)


@derives("act.dash")
def dashes(state: FifthState, who: str) -> tuple[int, ...]:
    """Return the Dash actions of a combatant since its turn began."""
    return tuple(deed.seq for deed in state.done.get(who, ()) if deed.kind == "dash")


@derives("move.stand-up", "mount.half-speed")
def half_speed_acts(state: FifthState, who: str) -> tuple[Deed, ...]:
    """Return the acts since a combatant's turn began that cost half its speed: standing up, mounting, dismounting."""
    kinds = ("stand-up", "mount", "dismount")
    return tuple(d for d in state.done.get(who, ()) if d.kind in kinds and d.cost == "movement")


@derives("move.stand-up", "mount.half-speed")
def half_speed(state: FifthState, one: Combatant) -> int | None:
    """Return half the speed of a combatant after all changes, rounded down; None if its sheet names no speed."""
    own = speed(state, one).value
    return None if own is None else own // 2


@derives("move.up-to-speed", "act.dash", "move.forced", "grapple.drag", "move.stand-up")
def feet_left(state: FifthState, one: Combatant) -> Derived[int] | None:
    """Return the feet that a combatant can still walk in its turn, by the moves recorded; None if its sheet names no speed.

    The reason cites every stretch with the ground that made it costly and with the places of the others, the Dash actions,
    the acts that cost half the speed, and whom the combatant dragged along.
    """
    own, balance = speed(state, one), feet_balance(state, one)
    if balance is None:
        return None
    strides, dashed = state.strides.get(one.id, ()), dashes(state, one.id)
    dragged, halved = drags_now(state, one.id), half_speed_acts(state, one.id)
    costs = [rule for each in reversed(strides) for rule in each.rules]
    named = {"grapple.drag": dragged, **dict.fromkeys(costs, True), "act.dash": dashed, "move.stand-up": halved}
    rules = (*(rule for rule, shown in named.items() if shown), *own.because.rules, "move.up-to-speed")
    events = [each.seq for each in strides] + [seq for each in strides for seq in each.events]
    events += [*dashed, *(each.seq for each in halved), *dragged]
    others = [seq for each in strides for seq in each.around]
    others += [seq for each in strides if each.drags for seq in (each.drags, each.hold)]
    options = state.chosen("diagonal") if any(diagonal_steps(each.path) for each in strides) else {}
    options |= state.chosen("edition") if any(each.options for each in strides) else {}
    turn, of = state.clock.turn_event, (own, Derived(one.id, Because((), tuple(others))))
    return Derived(max(0, balance), Because(tuple(dict.fromkeys(rules)), (turn, *events), options, of))


def feet_balance(state: FifthState, one: Combatant, mode: str = "walk") -> int | None:
    """Return the feet that a combatant has left in a mode, below 0 if it has gone too far; None if its sheet names no such speed."""
    own, walk = speed(state, one, mode).value, speed(state, one).value
    if own is None:
        return None
    strides, drags = state.strides.get(one.id, ()), bool(drags_now(state, one.id))
    gone = sum(each.price + (each.feet if each.drags and state.is_new else 0) for each in strides)
    gone += own // 2 if drags and not state.is_new else 0
    gone += sum(own // 2 if each.half is None else each.half for each in half_speed_acts(state, one.id))
    dash = max(own, walk or own) if state.is_new else walk or own
    return own + dash * len(dashes(state, one.id)) - gone


def too_few_feet(state: FifthState, one: Combatant) -> Breach | None:
    """Return the breach of an act that costs half the speed of a combatant with fewer feet left; None if they are enough."""
    left, half = feet_balance(state, one), half_speed(state, one)
    if left is None or half is None or left >= half:
        return None
    events = (*events_of(speed(state, one)), *(each.seq for each in state.strides.get(one.id, ())))
    return Breach(f"{one.id} has {max(0, left)} feet left", f"{half} ft", f"{max(0, left)} ft", events)
