"""Moves as they are recorded, and the feet that a combatant has left in its turn."""

from __future__ import annotations

from eventstore.events import Moved
from projections.because import Because, Derived
from projections.occurrence import Occurrence
from projections.rulesets.fifth_edition.conditions import speed, stops
from projections.rulesets.fifth_edition.movement.cost import diagonal_steps, is_own, is_unforced, mode_of, stride_of
from projections.rulesets.fifth_edition.movement.dragging import drag, dragged_by, drags_now
from projections.rulesets.fifth_edition.movement.flying import land
from projections.rulesets.fifth_edition.state import Deed, FifthState
from projections.rulesets.ruleset import derives
from projections.state import Combatant


@derives("move.up-to-speed", "move.several-speeds", "move.forced", "grapple.drag", "move.flyer-falls", on=Moved)
def ground_is_covered(state: FifthState, fact: Occurrence[Moved]) -> None:
    """Keep a move of one's own, and whom it drags along; walking, somebody flies no longer."""
    event, who = fact.event, fact.event.combatant
    mode = mode_of(event)
    if is_own(event) and not dragged_by(state, fact):
        stride = stride_of(state, fact)
        if stops(state, who).value:
            stride.price = 0
        state.strides.setdefault(who, []).append(stride)
        state.moves[fact.seq] = who, stride, Because((), (fact.seq,))
        if mode == "fly":
            state.airborne[who] = fact.seq
        else:
            land(state, who, fact.seq)
    elif puller := dragged_by(state, fact):
        drag(state, puller, who, fact.seq)
    elif is_unforced(event) and not fact.cause:  # how far, nobody recorded
        state.strides.setdefault(who, []).append(stride_of(state, fact))
    if mode == "fall":
        land(state, who, fact.seq)


@derives("act.dash")
def dashes(state: FifthState, who: str) -> tuple[int, ...]:
    """Return the acts by which somebody dashed since its turn began."""
    return tuple(deed.seq for deed in state.done.get(who, ()) if deed.kind == "dash")


@derives("move.stand-up", "mount.half-speed")
def halves(state: FifthState, who: str) -> tuple[Deed, ...]:
    """Return the acts since somebody's turn began that cost half its speed: standing up, mounting, dismounting."""
    kinds = ("stand-up", "mount", "dismount")
    return tuple(d for d in state.done.get(who, ()) if d.kind in kinds and d.cost == "movement" and d.own)


@derives("move.stand-up", "mount.half-speed")
def half_speed(state: FifthState, one: Combatant) -> int | None:
    """Return half the speed that somebody has after all changes, rounded down; None where its sheet names none."""
    own = speed(state, one).value
    return None if own is None else own // 2


@derives("move.up-to-speed", "act.dash", "move.forced", "grapple.drag", "move.stand-up")
def feet_left(state: FifthState, one: Combatant, mode: str = "walk") -> Derived[int] | None:
    """Return the feet that somebody has left in a mode, as far as moves were recorded; None where the sheet names no speed."""
    own, rested = speed(state, one, mode), overdrawn(state, one, mode)
    if own.value is None or rested is None:
        return None
    strides = state.strides.get(one.id, ())
    rules = [rule for each in reversed(strides) for rule in each.rules]
    rules += ["act.dash"] if dashes(state, one.id) else []
    rules = ["grapple.drag", *rules] if drags_now(state, one.id) else rules
    rules = [*rules, *(("move.stand-up",) if halves(state, one.id) else ())]
    events = [each.seq for each in strides] + [seq for each in strides for seq in each.events]
    events += [*dashes(state, one.id), *(each.seq for each in halves(state, one.id)), *drags_now(state, one.id)]
    turn = state.clock.turn_event or one.joined
    around = tuple(seq for each in strides for seq in each.around)
    drawn = tuple(seq for each in strides if each.drags for seq in (each.drags, each.hold))
    pulled = Derived(one.id, Because((), (*around, *drawn)))
    said = tuple(dict.fromkeys((*rules, *own.because.rules, "move.up-to-speed")))
    options = state.chosen("diagonal") if any(diagonal_steps(each.path) for each in strides) else {}
    options |= state.chosen("edition") if any(each.options or each.drags for each in strides) else {}
    return Derived(max(0, rested), Because(said, (turn, *events), options, (own, pulled)))


def overdrawn(state: FifthState, one: Combatant, mode: str = "walk") -> int | None:
    """Return the feet that somebody has left in a mode, below 0 where it has gone too far."""
    own, walk = speed(state, one, mode).value, speed(state, one).value
    if own is None:
        return None
    dragging, strides = drags_now(state, one.id), state.strides.get(one.id, ())
    gone = sum(each.price + (each.feet if each.drags and state.is_new else 0) for each in strides)
    half = walk // 2 if dragging and not state.is_new and walk else 0
    halved = sum(own // 2 if each.half is None else each.half for each in halves(state, one.id))
    return own - half * bool(dragging) + (walk or own) * len(dashes(state, one.id)) - gone - halved
