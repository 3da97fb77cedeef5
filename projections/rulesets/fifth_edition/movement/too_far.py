"""Checks of how far a move goes."""

from __future__ import annotations

from collections.abc import Iterator

from eventstore.events import Moved
from projections.occurrence import Occurrence
from projections.rulesets.faults import Fault, checks_by
from projections.rulesets.fifth_edition import figures
from projections.rulesets.fifth_edition.conditions import events_of, exhaustion, stops
from projections.rulesets.fifth_edition.movement.cost import is_own, stride_of
from projections.rulesets.fifth_edition.movement.dragging import drag, dragged_by, drags_now
from projections.rulesets.fifth_edition.movement.feet_left import overdrawn
from projections.rulesets.fifth_edition.movement.flying import cannot_fly
from projections.rulesets.fifth_edition.movement.jumping import jumped_too_far
from projections.rulesets.fifth_edition.state import FifthState, Stretch
from projections.state import Combatant


@checks_by(
    "dead.out",
    "move.flyer-falls",
    "condition.speed-zero",
    "exhaustion.table",
    "move.several-speeds",
    "move.jump",
    "grapple.drag",
    "move.extra-cost",
    "move.up-to-speed",
    on=Moved,
)
def moves_go_no_farther_than_they_can(state: FifthState, fact: Occurrence[Moved]) -> Iterator[Fault]:
    """Yield that a move goes too far, by the clause that says how far it may."""
    event, one = fact.event, state.combatants[fact.event.combatant]
    if event.distance and event.distance.amount < 0:
        yield Fault(("move.up-to-speed",), "a distance below 0", "0 or more", str(event.distance.amount))
    puller = dragged_by(state, fact)
    if puller:
        yield from too_far_dragged(state, puller, fact)
    elif is_own(event) and not fact.cause:
        yield from too_far(state, one, stride_of(state, fact))


def too_far(state: FifthState, one: Combatant, stride: Stretch) -> Iterator[Fault]:
    """Yield that a move goes too far."""
    stopped = stops(state, one.id)
    if one.status == "dead":
        yield Fault(
            ("dead.out",), f"{one.id} is dead, and moves", "nothing", "a move", one.standing.because.flat().events
        )
        return
    if stride.mode == "fly" and (why := cannot_fly(state, one)):
        yield Fault(("move.flyer-falls",), f"{one.id} flies on", "a fall", "flight", why)
        return
    if stopped.value:
        yield Fault(
            ("condition.speed-zero",), f"the speed of {one.id} is 0", "0 ft", f"{stride.feet} ft", events_of(stopped)
        )
        return
    yield from jumped_too_far(state, one, stride)
    left, level = (
        overdrawn(state, one, stride.mode) if stride.mode in figures.speeds(one) else overdrawn(state, one),
        exhaustion(state, one.id),
    )
    known = figures.speeds(one)
    if known and stride.mode in ("fly", "burrow") and stride.mode not in known:
        says = f"the sheet of {one.id} has no speed for that"
        yield Fault(("move.several-speeds",), says, "another mode", stride.mode, one.records("speeds"))
    elif left is not None and stride.price > left and (stride.own or not state.clock.turn):
        yield beyond(state, one, stride, left, level.value)


def too_far_dragged(state: FifthState, puller: str, fact: Occurrence[Moved]) -> Iterator[Fault]:
    """Yield that somebody drags another farther than its half speed, or twice the feet, allow."""
    one, strides = state.combatants[puller], state.strides.get(puller, [])
    if not strides or strides[-1].drags:
        return
    drag(state, puller, fact.event.combatant, fact.seq)
    dragging = strides[-1].drags
    left = overdrawn(state, one)
    strides[-1].drags = 0
    if dragging and left is not None and left < 0:
        says = f"{puller} drags {fact.event.combatant} {-left} feet too far"
        yield Fault(
            ("grapple.drag",), says, f"{strides[-1].feet + left} ft", f"{strides[-1].feet} ft", (strides[-1].seq,)
        )


def beyond(state: FifthState, one: Combatant, stride: Stretch, left: int, level: int) -> Fault:
    """Return the fault of a move that costs more than is left, by the clause that makes it too much."""
    modes, known = {each.mode for each in state.strides.get(one.id, ())}, figures.speeds(one)
    unclear = [each for each in state.effects.values() if each.bearer == one.id and not has_modifiers(state, each.seq)]
    rule = "move.up-to-speed"
    before = {known.get(mode, known.get("walk", 0)) for mode in modes}
    if (len(known) > 1 and before - {known.get(stride.mode, known.get("walk", 0))}) or (
        len(known) > 1 and modes and modes != {stride.mode}
    ):
        rule = "move.several-speeds"
    elif drags_now(state, one.id):
        rule = "grapple.drag"
    elif level and not state.is_new and (level > 4 or stride.price <= left + (known.get("walk", 0) + 1) // 2):
        rule = "exhaustion.table"
    elif stride.feet <= left and "move.extra-cost" in stride.rules:
        rule = "move.extra-cost"
    events = tuple(seq for each in state.strides.get(one.id, ()) for seq in (each.seq, *each.events))
    says = f"{one.id} has {max(0, left)} feet left"
    severity = "notice" if unclear else "breach"
    why = (*events, *stride.events, *(events_of(exhaustion(state, one.id)) if level else ()))
    return Fault((rule,), says, f"{max(0, left)} ft", f"{stride.price} ft", why, severity=severity)


def has_modifiers(state: FifthState, seq: int) -> bool:
    """Say whether the record of an effect says what it changes, or that it is one of the conditions."""
    begun = state.begun.get(seq)
    return bool(begun and (begun.modifiers or begun.effect.casefold() in figures.rows(state)))
