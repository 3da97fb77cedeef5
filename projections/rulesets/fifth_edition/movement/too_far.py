"""Checks of how far a move goes."""

from __future__ import annotations

from collections.abc import Iterator

from eventstore.events import Moved
from projections.occurrence import Occurrence
from projections.rulesets.faults import Fault, checks_by
from projections.rulesets.fifth_edition import figures
from projections.rulesets.fifth_edition.conditions import events_of, exhaustion, is_listed, stops
from projections.rulesets.fifth_edition.health.kept_alive import doubt
from projections.rulesets.fifth_edition.movement.cost import is_own, stretch_of
from projections.rulesets.fifth_edition.movement.dragging import dragged_by, drags_now, note_drag
from projections.rulesets.fifth_edition.movement.feet_left import dashes, feet_balance, half_speed_acts
from projections.rulesets.fifth_edition.movement.flying import cannot_fly
from projections.rulesets.fifth_edition.movement.jumping import jumped_too_far
from projections.rulesets.fifth_edition.shapes import Stretch
from projections.rulesets.fifth_edition.state import FifthState
from projections.state import Combatant


@checks_by(
    "dead.out", "move.flyer-falls", "condition.speed-zero", "exhaustion.table", "move.several-speeds", "move.jump",
    "grapple.drag", "move.extra-cost", "move.up-to-speed", on=Moved,
)  # fmt: skip
def moves_go_no_farther_than_they_can(state: FifthState, fact: Occurrence[Moved]) -> Iterator[Fault]:
    """Yield that a move goes too far, by the clause that says how far it may."""
    event, one = fact.event, state.combatants[fact.event.combatant]
    if event.distance and event.distance.amount < 0:
        yield Fault(("move.up-to-speed",), "a distance below 0", "0 or more", str(event.distance.amount))
    puller = dragged_by(state, fact)
    if puller:
        yield from too_far_dragged(state, puller, fact)
    elif is_own(event) and not fact.cause:
        yield from too_far(state, one, stretch_of(state, fact))


def too_far(state: FifthState, one: Combatant, stride: Stretch) -> Iterator[Fault]:
    """Yield that a move goes too far, or that the combatant cannot move like that at all."""
    stopped, known, went = stops(state, one.id), figures.speeds(one), f"{stride.feet} ft"
    if one.status == "dead":
        yield dead_and_moves(state, one)
    elif stride.mode == "fly" and (why := cannot_fly(state, one)):
        yield Fault(("move.flyer-falls",), f"{one.id} flies on", "a fall", "flight", why)
    elif stopped.value:
        yield Fault(("condition.speed-zero",), f"the speed of {one.id} is 0", "0 ft", went, events_of(stopped))
    else:
        yield from jumped_too_far(state, one, stride)
        left = feet_balance(state, one, stride.mode if stride.mode in known else "walk")
        if known and stride.mode in ("fly", "burrow") and stride.mode not in known:
            says = f"the sheet of {one.id} has no speed for that"
            yield Fault(("move.several-speeds",), says, "another mode", stride.mode, one.records("speeds"))
        elif left is not None and stride.price > left and stride.own:
            yield too_many_feet(state, one, stride, left)


def dead_and_moves(state: FifthState, one: Combatant) -> Fault:
    """Return that a dead combatant moves; a notice where a trait may keep it alive."""
    why, keeps = one.standing.because.flat().events, doubt(state, one)
    says = f"{one.id} is dead, and moves"
    if not keeps:
        return Fault(("dead.out",), says, "nothing", "a move", why)
    says = f"{one.id} is at 0 hit points, and moves: {keeps}, or a ruling, would explain it"
    return Fault(("dead.out",), says, "nothing", "a move", why, (one.id,), "notice")


def too_far_dragged(state: FifthState, puller: str, fact: Occurrence[Moved]) -> Iterator[Fault]:
    """Yield that a combatant drags another farther than half its speed, or in 2024 than twice the feet, allow."""
    strides = state.strides.get(puller, [])
    if not strides or strides[-1].drags:
        return
    last = strides[-1]
    note_drag(state, puller, fact.event.combatant, fact.seq)
    dragging, left = last.drags, feet_balance(state, state.combatants[puller])
    last.drags = 0
    if dragging and left is not None and left < 0:
        says = f"{puller} drags {fact.event.combatant} {-left} feet too far"
        yield Fault(("grapple.drag",), says, f"{last.feet + left} ft", f"{last.feet} ft", (last.seq,))


def too_many_feet(state: FifthState, one: Combatant, stride: Stretch, left: int) -> Fault:
    """Return the fault of a move that costs more feet than are left; a notice under an effect that may have changed the speed."""
    level, strides = exhaustion(state, one.id), (*state.strides.get(one.id, ()), stride)
    unclear = [each for each in state.effects.values() if each.bearer == one.id and not has_modifiers(state, each.seq)]
    before = (seq for each in strides[:-1] for seq in (each.seq, *each.events))
    acts = (*dashes(state, one.id), *(each.seq for each in half_speed_acts(state, one.id)))
    why = (*sorted((*before, *acts)), *stride.events, *(events_of(level) if level.value else ()))
    says, severity = f"{one.id} has {max(0, left)} feet left", "notice" if unclear else "breach"
    rule = (exceeded_clause(state, one, stride, left, level.value),)
    return Fault(rule, says, f"{max(0, left)} ft", f"{stride.price} ft", why, severity=severity)


def exceeded_clause(state: FifthState, one: Combatant, stride: Stretch, left: int, level: int) -> str:
    """Return the clause by which a move costs more feet than are left.

    It is that of several speeds if the turn had another mode or speed, then that of dragging. Exhaustion is the reason if the
    move were in reach at full speed, and slow ground or a slow mode if the feet themselves were left.
    """
    known, modes = figures.speeds(one), {each.mode for each in state.strides.get(one.id, ())}
    if len(known) > 1 and modes and modes != {stride.mode}:
        return "move.several-speeds"
    if drags_now(state, one.id):
        return "grapple.drag"
    full = known[stride.mode if stride.mode in known else "walk"]
    if level and not state.is_new and (level > 4 or stride.price <= left + full - full // 2):
        return "exhaustion.table"
    return "move.extra-cost" if stride.feet <= left and "move.extra-cost" in stride.rules else "move.up-to-speed"


def has_modifiers(state: FifthState, seq: int) -> bool:
    """Say whether the record of an effect says what it changes, or that it is one of the conditions."""
    begun = state.begun.get(seq)
    return bool(begun and (begun.modifiers or is_listed(state, begun.effect)))
