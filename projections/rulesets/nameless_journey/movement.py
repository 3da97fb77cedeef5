"""Movement: the cost of a stretch in feet, what is left of the speed in each mode, and what a stretch breaks."""

from collections.abc import Iterator

from eventstore.events import Moved
from eventstore.shapes import Square
from projections.because import Because, Derived, terms
from projections.fight import Combatant
from projections.folds.budget import resource_rows
from projections.mechanics.memo import memoize
from projections.mechanics.squares import TILE, diagonals, enters_twice, hexes, in_feet, legs, steps
from projections.occurrence import Occurrence
from projections.ruleset.faults import Fault, checks_by
from projections.ruleset.ruleset import derives
from projections.rulesets.nameless_journey import budget
from projections.rulesets.nameless_journey.budget import REACTION, WAITS, WALK, cost_word, is_exempt, mode_of
from projections.rulesets.nameless_journey.state import RULES, Ground, NamelessState, Stretch

DIAGONAL = 7
"""Feet of a diagonal tile on squares."""


@derives("move.thirty-by-default")
def speeds_by_mode(one: Combatant) -> dict[str, int]:
    """Return the speeds of a sheet by mode, in feet; one that names none has 30 on foot."""
    own = {mode.casefold(): feet for mode, feet in one.sheet.speeds.items()}
    return own or {WALK: resource_rows(RULES)["movement"].amount}


@derives("move.within-speed")
def speed(state: NamelessState, one: Combatant, mode: str) -> Derived[int]:
    """Return the speed in a mode, with what sheet and rulings add; by option an unlisted mode has none."""
    known, ruled = speeds_by_mode(one), state.allowed.get((one.id, mode))
    because = Because((*speed.rules, *speeds_by_mode.rules), (one.joined,), (ruled,) if ruled else ())
    more = ruled.value if ruled else 0
    if mode not in known:
        walks = known.get(WALK, 0) if state.option("unlisted-mode") == "walking-speed" else 0
        return Derived(more + walks, because)
    extra: dict[str, int] = one.sheet.extra
    added = sum(feet for word, feet in extra.items() if word.casefold() == "movement")
    return Derived(more + known[mode] + added, because)


def ground_covered(state: NamelessState, who: str) -> Ground:
    """Return the ground that a combatant has covered since its turn began."""
    return state.ground.get(who) or Ground()


def modes(state: NamelessState, one: Combatant) -> tuple[str, ...]:
    """Return the modes that a combatant has: those of the sheet, and by option those moved in this turn."""
    known = tuple(speeds_by_mode(one))
    moved = [mode for mode in ground_covered(state, one.id).feet if mode not in known]
    return (*known, *moved) if moved and state.option("unlisted-mode") == "walking-speed" else known


@derives("move.speeds-in-tandem", "move.may-be-split", "move.within-speed")
@memoize
def feet_left(state: NamelessState, one: Combatant, mode: str) -> Derived[int]:
    """Return the feet left in a mode on one's own turn: its speed minus everything moved, in any mode and parts."""
    turn = Because((), (state.turn_seq or one.joined,))
    if not state.clock.is_turn_of(one.id):
        return budget.left_outside(state, one.id, mode, Because(("move.within-speed",)) + turn)
    ground, whole = ground_covered(state, one.id), speed(state, one, mode)
    counted = tuple(each.seq for each in ground.stretches if each.counts)
    rules = feet_left.rules if len(speeds_by_mode(one)) > 1 else ()
    moved = sum(ground.feet.values())
    rest = max(0, whole.value - moved)
    said = terms(rest, ("speed", whole.value), ("moved", -moved))
    return Derived(rest, Because(rules, counted, (whole, *said), asked_options_of(ground)) + turn)


def asked_options_of(ground: Ground) -> dict[str, str]:
    """Return the options by which the counted ground has its price."""
    return {name: value for each in ground.stretches if each.counts for name, value in each.asked.items()}


# ---------------------------------------------------------------- tiles


@derives("move.five-foot-steps")
def tiles_of_way(state: NamelessState, leg: tuple[int, int]) -> int:
    """Return how many tiles the shortest way has, on squares or on hexagons."""
    return hexes(leg) if state.option("grid") == "hex" else steps(leg)


@derives("move.diagonal-seven")
def diagonal_tiles(state: NamelessState, leg: tuple[int, int]) -> int:
    """Return how many tiles of the shortest way are diagonal, which they are only on squares."""
    return diagonals(leg) if state.option("grid") == "square" else 0


@derives("move.any-direction", "move.five-foot-steps", "move.backtracking-costs")
def price_of_path(state: NamelessState, path: tuple[Square, ...]) -> int:
    """Return the cost of a path in feet: every tile counts, wherever it turns and however often it is entered."""
    return sum(TILE * tiles_of_way(state, leg) + (DIAGONAL - TILE) * diagonal_tiles(state, leg) for leg in legs(path))


def is_priced(state: NamelessState, event: Moved) -> bool:
    """Return whether a stretch is priced by its path: it has one, and there are tiles."""
    return len(event.path) > 1 and state.option("grid") != "none"


def feet_of_stretch(state: NamelessState, event: Moved) -> int:
    """Return the feet of a stretch: the price of its path, else the recorded distance; one below 0 costs nothing."""
    if is_priced(state, event):
        return price_of_path(state, event.path)
    return max(0, in_feet(event.distance)) if event.distance else 0


def fits_tiles(state: NamelessState, feet: int) -> bool:
    """Return whether any path of tiles has so many feet, 0 or more."""
    diagonal = range(min(TILE, feet // DIAGONAL + 1)) if state.option("grid") == "square" else (0,)
    return state.option("grid") == "none" or any((feet - DIAGONAL * count) % TILE == 0 for count in diagonal)


def goes_back(state: NamelessState, who: str, path: tuple[Square, ...]) -> bool:
    """Return whether a path enters a square that was covered earlier in this turn, or enters one twice."""
    return enters_twice(path, ground_covered(state, who).squares)


# ---------------------------------------------------------------- stretches


def is_free(state: NamelessState, event: Moved, cause: int) -> bool:
    """Return whether a stretch is forced or part of a Reaction, so that it needs no turn and costs no speed."""
    act = state.known.get(cause)
    return event.forced or cost_word(event.cost) == REACTION or (act is not None and act.cost == REACTION)


@derives("move.may-be-split", "move.backtracking-costs", on=Moved)
def keep_stretch(state: NamelessState, fact: Occurrence[Moved]) -> None:
    """Keep a stretch; one in the combatant's own turn is subtracted from its speed."""
    event, mode = fact.event, mode_of(fact.event)
    feet = feet_of_stretch(state, event)
    counts = not is_free(state, event, fact.cause) and state.clock.is_turn_of(event.combatant)
    stretch = Stretch(fact.seq, event.combatant, mode, feet, fact.point, budget.next_row(state), counts)
    state.round.stretches.append(stretch)
    ground = state.ground.setdefault(event.combatant, Ground())
    ground.stretches.append(stretch)
    if counts:
        ground.feet[mode] = ground.feet.get(mode, 0) + feet
        ground.squares.update(event.path)


# ---------------------------------------------------------------- what a stretch breaks

MEDIA = {"swim": "water", "swimming": "water", "fly": "air", "flying": "air"}
"""The medium that a mode needs, unless a ruling on `medium.MODE` says it."""


@checks_by(
    *(WAITS, "move.on-own-turn", "move.five-foot-steps", "move.diagonal-seven", "move.backtracking-costs"),
    *("move.speeds-in-tandem", "move.within-speed", "move.mode-needs-its-medium"),
    on=Moved,
    unless=is_exempt,
)
def ground_is_covered_by_the_rules(state: NamelessState, fact: Occurrence[Moved]) -> Iterator[Fault]:
    """Yield the faults of a stretch: of its turn, its tiles, its price, its length and its medium."""
    yield from _tile_faults(state, fact.event)
    yield from _price_faults(state, fact.event)
    if is_free(state, fact.event, fact.cause):
        return
    if state.clock.is_turn_of(fact.event.combatant):
        yield from _length_faults(state, fact.event)
    else:
        yield from _turn_faults(state, fact.event)
    yield from _medium_faults(state, fact.event)


def _turn_faults(state: NamelessState, event: Moved) -> Iterator[Fault]:
    one, feet = state.combatants[event.combatant], feet_of_stretch(state, event)
    if feet_left(state, one, mode_of(event)).value >= feet > 0:
        return
    if one.id in state.turns.newcomers:
        yield Fault((WAITS,), f"{one.id} moves before its first turn", "no move", "a move", (one.joined,))
    else:
        whose = f"{state.clock.turn or 'nobody'}'s turn"
        yield Fault(("move.on-own-turn",), f"{one.id} moves in {whose}", f"{one.id}'s turn", whose, state.clock.events)


def _tile_faults(state: NamelessState, event: Moved) -> Iterator[Fault]:
    rules, priced = ("move.five-foot-steps",), is_priced(state, event)
    if priced and not event.forced and any(tiles_of_way(state, leg) > 1 for leg in legs(event.path)):
        yield Fault(rules, "the path leaves out a tile", "every tile", "a gap")
    said = in_feet(event.distance) if event.distance else 0
    if said < 0 or not (priced or fits_tiles(state, said)):
        yield Fault(rules, f"no path over tiles is {said} ft long", "steps of 5 ft", f"{said} ft")


def _price_faults(state: NamelessState, event: Moved) -> Iterator[Fault]:
    if event.distance is None or not is_priced(state, event):
        return
    feet, said = price_of_path(state, event.path), in_feet(event.distance)
    if 0 <= said != feet:
        rule = "move.five-foot-steps"
        if any(diagonal_tiles(state, leg) for leg in legs(event.path)):
            rule = "move.diagonal-seven"
        elif goes_back(state, event.combatant, event.path):
            rule = "move.backtracking-costs"
        yield Fault((rule,), f"the path costs {feet} ft, not {said} ft", f"{feet} ft", f"{said} ft")


def _length_faults(state: NamelessState, event: Moved) -> Iterator[Fault]:
    one, mode, feet = state.combatants[event.combatant], mode_of(event), feet_of_stretch(state, event)
    ground, rest = ground_covered(state, one.id), feet_left(state, one, mode).value
    if feet <= rest:
        return
    rule, alone = "move.within-speed", ground.feet.get(mode, 0) + feet
    if len({*modes(state, one), mode}) > 1 and alone <= speed(state, one, mode).value:
        rule = "move.speeds-in-tandem"
    elif goes_back(state, one.id, event.path):
        rule = "move.backtracking-costs"
    because = tuple(each.seq for each in ground.stretches if each.counts)
    yield Fault((rule,), f"{one.id} moves {feet} ft with {rest} ft left to {mode}", f"{rest} ft", f"{feet} ft", because)


def _medium_faults(state: NamelessState, event: Moved) -> Iterator[Fault]:
    mode = mode_of(event)
    ruled = ((fact.event.values or {}).get(f"medium.{mode}") for fact in reversed(state.rulings))
    needed = next((said.casefold() for said in ruled if isinstance(said, str)), MEDIA.get(mode))
    if event.medium is not None and needed and event.medium.casefold() != needed:
        says = f"{mode} needs {needed}, but the stretch is recorded as {event.medium}"
        yield Fault(("move.mode-needs-its-medium",), says, needed, event.medium)
