"""The checks on movement: whose turn it is, tiles and their price, the speed that is left, the medium."""

from eventstore.events import Moved
from projections.mechanics.squares import legs
from projections.rulesets.nameless_journey.movement import (
    diagonal_tiles,
    fits_tiles,
    goes_back,
    ground_of,
    in_feet,
    is_exempt,
    is_priced,
    mode_of,
    modes,
    price,
    speed,
    tiles,
)
from projections.rulesets.nameless_journey.reading import Reading
from projections.rulesets.nameless_journey.state import NamelessState
from projections.rulesets.ruleset import Breach, check

Moves = Reading[Moved]

MEDIA = {"swim": "water", "swimming": "water", "fly": "air", "flying": "air"}
"""The medium that a mode needs; for any other mode a ruling says it."""


# ---------------------------------------------------------------- whose turn


def _elsewhere(state: NamelessState, fact: Moves, rule: str) -> bool:
    """Say whether somebody moves voluntarily outside its turn."""
    exempt = fact.on_own_turn or is_exempt(state, fact.event, fact.cause)
    allowed = exempt or fact.rest >= fact.feet > 0
    return not allowed and not fact.is_granted(rule, mode_of(fact.event))


@check("initiative.late-arrival-waits", on=Moved)
def a_newcomer_does_not_move_yet(state: NamelessState, fact: Moves) -> Breach | None:
    who = fact.event.combatant
    if not fact.is_newcomer or not _elsewhere(state, fact, "initiative.late-arrival-waits"):
        return None
    return Breach(f"{who} moves before its first turn", "waiting", "a move", (state.combatants[who].joined,))


@check("move.on-own-turn", on=Moved)
def everybody_moves_on_its_turn(state: NamelessState, fact: Moves) -> Breach | None:
    who, turn = fact.event.combatant, state.clock.turn
    if fact.is_newcomer or not _elsewhere(state, fact, "move.on-own-turn"):
        return None
    says = f"{who} moves in {f'the turn of {turn}' if turn else 'nobody’s turn'}"
    return Breach(says, f"the turn of {who}", turn or "none", state.clock.events)


# ---------------------------------------------------------------- tiles and their price


def _mispriced(state: NamelessState, fact: Moves, rule: str) -> Breach | None:
    """Return the breach of a recorded price that differs from that of the path, if this is the rule to cite."""
    event = fact.event
    if event.distance is None or not is_priced(state, event):
        return None
    feet, said = price(state, event.path), in_feet(event.distance)
    if said == feet or said < 0 or rule != _rule_of_price(state, event):
        return None
    return Breach(f"the path costs {feet} ft, not {said}", f"{feet} ft", f"{said} ft")


def _rule_of_price(state: NamelessState, event: Moved) -> str:
    if any(diagonal_tiles(state, leg) for leg in legs(event.path)):
        return "move.diagonal-seven"
    return "move.backtracking-costs" if goes_back(state, event.combatant, event.path) else "move.five-foot-steps"


@check("move.five-foot-steps", on=Moved, group="tiles")
def a_way_has_no_gap(state: NamelessState, fact: Moves) -> Breach | None:
    event = fact.event
    if event.forced or not is_priced(state, event) or all(tiles(state, leg) <= 1 for leg in legs(event.path)):
        return None
    return Breach("the path leaves out a tile", "tile by tile", "a gap")


@check("move.five-foot-steps", on=Moved, group="tiles")
def feet_are_tiles(state: NamelessState, fact: Moves) -> Breach | None:
    event = fact.event
    if event.distance is None:
        return None
    said = in_feet(event.distance)
    if said >= 0 and (is_priced(state, event) or fits_tiles(state, said)):
        return None
    return Breach(f"no path of tiles is {said} ft", "tiles of 5 ft", f"{said} ft")


@check("move.five-foot-steps", on=Moved, group="tiles")
def tiles_have_their_price(state: NamelessState, fact: Moves) -> Breach | None:
    return _mispriced(state, fact, "move.five-foot-steps")


@check("move.diagonal-seven", on=Moved)
def diagonals_have_their_price(state: NamelessState, fact: Moves) -> Breach | None:
    return _mispriced(state, fact, "move.diagonal-seven")


@check("move.backtracking-costs", on=Moved, group="back")
def the_way_back_has_its_price(state: NamelessState, fact: Moves) -> Breach | None:
    return _mispriced(state, fact, "move.backtracking-costs")


# ---------------------------------------------------------------- what is left


def too_far(state: NamelessState, fact: Moves) -> str | None:
    """Return the rule to cite for a stretch longer than what is left; None where it is not."""
    if not fact.on_own_turn or is_exempt(state, fact.event, fact.cause) or fact.feet <= fact.rest:
        return None
    return _rule_of_length(state, fact)


def _too_far(state: NamelessState, fact: Moves, rule: str, found: str) -> Breach | None:
    """Return the breach of a stretch longer than what is left, if this is the rule to cite."""
    mode, feet, rest = mode_of(fact.event), fact.feet, fact.rest
    if rule != found or fact.is_granted(rule, mode):
        return None
    because = tuple(each.seq for each in ground_of(state, fact.one.id).stretches if each.counts)
    return Breach(f"{fact.one.id} goes {feet} ft with {rest} ft of {mode} left", f"{rest} ft", f"{feet} ft", because)


def _rule_of_length(state: NamelessState, fact: Moves) -> str:
    event, one, mode = fact.event, fact.one, mode_of(fact.event)
    alone = ground_of(state, one.id).feet.get(mode, 0) + fact.feet
    if len({*modes(state, one), mode}) > 1 and alone <= speed(state, one, mode).value:
        return "move.speeds-in-tandem"
    return "move.backtracking-costs" if goes_back(state, one.id, event.path) else "move.within-speed"


@check("move.speeds-in-tandem", on=Moved, subject=too_far)
def feet_count_against_every_mode(state: NamelessState, fact: Moves, found: str) -> Breach | None:
    return _too_far(state, fact, "move.speeds-in-tandem", found)


@check("move.backtracking-costs", on=Moved, group="back", subject=too_far)
def the_way_back_comes_off_the_speed(state: NamelessState, fact: Moves, found: str) -> Breach | None:
    return _too_far(state, fact, "move.backtracking-costs", found)


@check("move.within-speed", on=Moved, subject=too_far)
def nobody_goes_beyond_its_speed(state: NamelessState, fact: Moves, found: str) -> Breach | None:
    return _too_far(state, fact, "move.within-speed", found)


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
    event, mode = fact.event, mode_of(fact.event)
    needed = medium_of(state, mode)
    exempt = is_exempt(state, event, fact.cause)
    if event.medium is None or not needed or exempt or event.medium.casefold() == needed:
        return None
    if fact.is_granted("move.mode-needs-its-medium", mode):
        return None
    return Breach(f"{mode} needs {needed}, but the stretch is recorded as {event.medium}", needed, event.medium)
