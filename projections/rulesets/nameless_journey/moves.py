"""Ground: what a stretch costs in feet, and what is left of the speed in each mode."""

from collections.abc import Iterator
from itertools import pairwise

from eventstore.events import Moved
from eventstore.shapes import Distance, Square
from projections.occurrence import Occurrence
from projections.rulesets.nameless_journey.resources import REACTION, cost_word, has_turn, row_of
from projections.rulesets.nameless_journey.state import NamelessState, Stretch
from projections.rulesets.ruleset import derives
from projections.state import Combatant

WALK = "walk"
WALKING = 30
"""Feet a turn on foot where the sheet names no speed."""
TILE, DIAGONAL = 5, 7
"""Feet of a tile, and of a diagonal one on squares."""
FEET = {"ft": (1, 1), "foot": (1, 1), "feet": (1, 1), "square": (TILE, 1), "hex": (TILE, 1), "m": (10, 3)}
"""Feet in other measures, as fractions; an unknown one counts as feet."""


@derives("move.thirty-by-default")
def speeds(one: Combatant) -> dict[str, int]:
    """Return the speeds of a sheet by mode, in feet; one that names none has 30 on foot."""
    return {mode.casefold(): feet for mode, feet in one.sheet.speeds.items()} or {WALK: WALKING}


def mode_of(event: Moved) -> str:
    """Return the mode of a stretch; where none is named, somebody walks."""
    return (event.mode or WALK).casefold()


@derives("move.within-speed")
def speed(state: NamelessState, one: Combatant, mode: str) -> int:
    """Return the speed in a mode, with what sheet and rulings add; one that is not listed has by option none."""
    known, ruled = speeds(one), state.allowed.get((one.id, mode), 0)
    if mode not in known:
        return ruled + (known.get(WALK, 0) if state.option("unlisted-mode") == "walking-speed" else 0)
    extra: dict[str, int] = one.sheet.extra
    return ruled + known[mode] + sum(feet for word, feet in extra.items() if word.casefold() == "movement")


def modes(state: NamelessState, one: Combatant) -> tuple[str, ...]:
    """Return the modes that somebody has: those of the sheet, and by option those moved in this turn."""
    moved = state.feet.get(one.id, {}) if state.option("unlisted-mode") == "walking-speed" else {}
    return tuple(dict.fromkeys((*speeds(one), *moved)))


@derives("move.speeds-in-tandem", "move.may-be-split", "move.within-speed")
def left_in(state: NamelessState, one: Combatant, mode: str) -> int:
    """Return the feet left in a mode on the own turn: its speed less all that was moved, in whatever mode and parts."""
    if not has_turn(state, one.id):
        return 0
    return max(0, speed(state, one, mode) - sum(state.feet.get(one.id, {}).values()))


def in_feet(distance: Distance) -> int:
    """Return a distance in feet."""
    times, by = FEET.get(distance.unit.casefold(), (1, 1))
    return distance.amount * times // by


def legs(path: tuple[Square, ...]) -> Iterator[tuple[int, int]]:
    """Yield the steps of a path: columns and rows."""
    yield from ((there[0] - here[0], there[1] - here[1]) for here, there in pairwise(path))


@derives("move.diagonal-seven")
def diagonals(columns: int, rows: int) -> int:
    """Return how many tiles of the shortest way lie diagonally, on squares."""
    return min(abs(columns), abs(rows))


@derives("move.five-foot-steps")
def tiles(state: NamelessState, columns: int, rows: int) -> int:
    """Return how many tiles the shortest way has, on squares or on hexagons."""
    furthest = max(abs(columns), abs(rows))
    return max(furthest, abs(columns + rows)) if state.option("grid") == "hex" else furthest


@derives("move.any-direction", "move.five-foot-steps", "move.backtracking-costs")
def price(state: NamelessState, path: tuple[Square, ...]) -> int:
    """Return what a path costs in feet: every tile of it, wherever it turns and however often it comes by."""
    feet = 0
    for columns, rows in legs(path):
        feet += TILE * tiles(state, columns, rows)
        if state.option("grid") == "square":
            feet += (DIAGONAL - TILE) * diagonals(columns, rows)
    return feet


def is_priced(state: NamelessState, event: Moved) -> bool:
    """Say whether the path of a stretch says what it costs: there is one, and there are tiles."""
    return len(event.path) > 1 and state.option("grid") != "none"


def feet_of(state: NamelessState, event: Moved) -> int:
    """Return the feet of a stretch: the price of its path, else as recorded; below 0 it costs nothing."""
    if is_priced(state, event):
        return price(state, event.path)
    return max(0, in_feet(event.distance)) if event.distance else 0


def fits_tiles(state: NamelessState, feet: int) -> bool:
    """Say whether any path of tiles has so many feet."""
    grid = state.option("grid")
    if feet < 0 or grid == "none":
        return feet >= 0
    if grid == "hex":
        return feet % TILE == 0
    return any((feet - DIAGONAL * count) % TILE == 0 for count in range(min(TILE, feet // DIAGONAL + 1)))


def is_exempt(state: NamelessState, fact: Occurrence[Moved]) -> bool:
    """Say whether a stretch is forced or part of a Reaction, so that it needs no turn and costs no speed."""
    event = fact.event
    act = state.known.get(fact.cause)
    return event.forced or cost_word(event.cost) == REACTION or (act is not None and act.cost == REACTION)


def goes_back(state: NamelessState, who: str, path: tuple[Square, ...]) -> bool:
    """Say whether a path comes by a square that was covered in this turn before, or comes by one twice."""
    covered = state.covered.get(who, set())
    return len({*path[1:]}) < len(path[1:]) or any(tile in covered or tile == path[0] for tile in path[1:])


@derives("move.may-be-split", "move.backtracking-costs", on=Moved)
def ground_is_covered(state: NamelessState, fact: Occurrence[Moved]) -> None:
    """Keep a stretch; one of the own turn comes off the speed, its part of the whole."""
    event, mode = fact.event, mode_of(fact.event)
    feet = feet_of(state, event)
    counts = not is_exempt(state, fact) and has_turn(state, event.combatant)
    state.stretches.append(Stretch(fact.seq, event.combatant, mode, feet, fact.point, row_of(state), counts))
    if counts:
        moved = state.feet.setdefault(event.combatant, {})
        moved[mode] = moved.get(mode, 0) + feet
        state.covered.setdefault(event.combatant, set()).update(event.path)
