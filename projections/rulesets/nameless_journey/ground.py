"""The checks on movement: the turn, tiles and their price, the speed that is left, the medium."""

from collections.abc import Iterator

from eventstore.events import Moved
from projections.mechanics.squares import in_feet, legs
from projections.ruleset.faults import Fault, checks_by
from projections.ruleset.ruleset import Breach, check
from projections.rulesets.nameless_journey import movement
from projections.rulesets.nameless_journey.reading import Reading
from projections.rulesets.nameless_journey.state import NamelessState

Moves = Reading[Moved]

MEDIA = {"swim": "water", "swimming": "water", "fly": "air", "flying": "air"}
"""The medium that a mode needs; for any other mode a ruling says it."""


# ---------------------------------------------------------------- whose turn


@checks_by("initiative.late-arrival-waits", "move.on-own-turn", on=Moved)
def everybody_moves_on_its_turn(state: NamelessState, fact: Moves) -> Iterator[Fault]:
    """Yield the fault if a combatant moves voluntarily outside its own turn."""
    who, turn = fact.event.combatant, state.clock.turn
    rule = "initiative.late-arrival-waits" if fact.is_newcomer else "move.on-own-turn"
    exempt = fact.on_own_turn or movement.is_exempt(state, fact.event, fact.cause)
    if exempt or fact.rest >= fact.feet > 0 or fact.is_granted(rule):
        return
    if fact.is_newcomer:
        yield Fault((rule,), f"{who} moves before its first turn", "waiting", "a move", (fact.one.joined,))
    else:
        says = f"{who} moves in {f'the turn of {turn}' if turn else 'nobody’s turn'}"
        yield Fault((rule,), says, f"the turn of {who}", turn or "none", state.clock.events)


# ---------------------------------------------------------------- tiles and their price, and what is left


@checks_by(
    "move.five-foot-steps",
    "move.diagonal-seven",
    "move.backtracking-costs",
    "move.speeds-in-tandem",
    "move.within-speed",
    on=Moved,
)
def ground_is_covered_by_the_rules(state: NamelessState, fact: Moves) -> Iterator[Fault]:
    """Yield the faults of the tiles, the price and the length of a stretch."""
    yield from _of_tiles(state, fact.event)
    yield from _of_price(state, fact.event)
    yield from _of_length(state, fact)


def _of_tiles(state: NamelessState, event: Moved) -> Iterator[Fault]:
    rules, priced = ("move.five-foot-steps",), movement.is_priced(state, event)
    if priced and not event.forced and any(movement.tiles(state, leg) > 1 for leg in legs(event.path)):
        yield Fault(rules, "the path leaves out a tile", "tile by tile", "a gap")
    said = in_feet(event.distance) if event.distance else 0
    if said < 0 or not (priced or movement.fits_tiles(state, said)):
        yield Fault(rules, f"no path of tiles is {said} ft", "tiles of 5 ft", f"{said} ft")


def _of_price(state: NamelessState, event: Moved) -> Iterator[Fault]:
    if event.distance is None or not movement.is_priced(state, event):
        return
    feet, said = movement.price(state, event.path), in_feet(event.distance)
    if said >= 0 and said != feet:
        rule = _rule_of_price(state, event)
        yield Fault((rule,), f"the path costs {feet} ft, not {said}", f"{feet} ft", f"{said} ft")


def _rule_of_price(state: NamelessState, event: Moved) -> str:
    if any(movement.diagonal_tiles(state, leg) for leg in legs(event.path)):
        return "move.diagonal-seven"
    return (
        "move.backtracking-costs" if movement.goes_back(state, event.combatant, event.path) else "move.five-foot-steps"
    )


def _of_length(state: NamelessState, fact: Moves) -> Iterator[Fault]:
    """Yield the fault if a stretch is longer than the feet left."""
    mode, ground = movement.mode_of(fact.event), movement.ground_of(state, fact.one.id)
    feet, rest = fact.feet, fact.rest
    if not fact.on_own_turn or movement.is_exempt(state, fact.event, fact.cause) or feet <= rest:
        return
    rule = _rule_of_length(state, fact, mode)
    if not fact.is_granted(rule):
        because = tuple(each.seq for each in ground.stretches if each.counts)
        says = f"{fact.one.id} goes {feet} ft with {rest} ft left to {mode}"
        yield Fault((rule,), says, f"{rest} ft", f"{feet} ft", because)


def _rule_of_length(state: NamelessState, fact: Moves, mode: str) -> str:
    one, alone = fact.one, movement.ground_of(state, fact.one.id).feet.get(mode, 0) + fact.feet
    if len({*movement.modes(state, one), mode}) > 1 and alone <= movement.speed(state, one, mode).value:
        return "move.speeds-in-tandem"
    return "move.backtracking-costs" if movement.goes_back(state, one.id, fact.event.path) else "move.within-speed"


# ---------------------------------------------------------------- the medium


def medium_of(state: NamelessState, mode: str) -> str:
    """Return the medium that a mode needs, also from a ruling on `medium.MODE`; "" if it needs none."""
    for fact in reversed(state.rulings):
        said = (fact.event.values or {}).get(f"medium.{mode}")
        if isinstance(said, str):
            return said.casefold()
    return MEDIA.get(mode, "")


@check("move.mode-needs-its-medium", on=Moved)
def a_mode_has_its_medium(state: NamelessState, fact: Moves) -> Breach | None:
    event, mode = fact.event, movement.mode_of(fact.event)
    needed = medium_of(state, mode)
    exempt = movement.is_exempt(state, event, fact.cause)
    if event.medium is None or not needed or exempt or event.medium.casefold() == needed:
        return None
    if fact.is_granted("move.mode-needs-its-medium"):
        return None
    return Breach(f"{mode} needs {needed}, but the stretch is recorded as {event.medium}", needed, event.medium)
