"""Positions of combatants: squares, spaces of several squares, distances, terrain."""

from __future__ import annotations

from collections.abc import Iterator, Sequence

from eventstore.events import Moved, Placed, TerrainSet
from eventstore.shapes import Square
from projections.fight import Combatant
from projections.mechanics.squares import TILE, steps
from projections.occurrence import Occurrence
from projections.ruleset.ruleset import derives
from projections.rulesets.fifth_edition import figures
from projections.rulesets.fifth_edition.sheet import Weapon
from projections.rulesets.fifth_edition.state import FifthState

LONG_REACH = 10
"""The reach of a weapon with the property reach, in feet."""


@derives("move.grid", on=(Placed, Moved), phase="reading")
def position_changes(state: FifthState, fact: Occurrence[Placed] | Occurrence[Moved]) -> None:
    """Keep the square in which a combatant stands, and its opponents in melee."""
    event, who = fact.event, fact.event.combatant
    if isinstance(event, Placed):
        if event.square:
            state.squares[who] = event.square, fact.seq
        state.engaged[who] = event.engaged, fact.seq
    elif event.path:
        state.squares[who] = event.path[-1], fact.seq


@derives("move.difficult-terrain", "water.fire", on=TerrainSet, phase="reading")
def terrain_is_set(state: FifthState, fact: Occurrence[TerrainSet]) -> None:
    """Keep the terrain of some squares, or of all."""
    found = state.terrain.setdefault(fact.event.terrain.casefold(), {})
    for square in fact.event.squares or (None,):
        found[square] = fact.seq


def walked(path: Sequence[Square]) -> list[Square]:
    """Return every square of a path; between two recorded squares the diagonal steps come first."""
    found = list(path[:1])
    for there in path[1:]:
        while found[-1] != tuple(there):
            here = found[-1]
            across, down = there[0] - here[0], there[1] - here[1]
            found.append((here[0] + (across > 0) - (across < 0), here[1] + (down > 0) - (down < 0)))
    return found


def square_of(state: FifthState, who: str) -> tuple[Square, int] | None:
    """Return the square of a combatant, with the record; a rider is where its mount is."""
    return state.squares.get(carrier(state, who))


def carrier(state: FifthState, who: str) -> str:
    """Return the mount of a rider, if its square is recorded, else the combatant itself."""
    mount = state.mounts.get(who)
    return mount.who if mount and mount.who in state.squares else who


def squares(state: FifthState) -> dict[str, Square]:
    """Return the squares of the combatants."""
    return {who: found[0] for who in state.combatants if (found := square_of(state, who))}


def footprint(one: Combatant, square: Square) -> list[Square]:
    """Return the squares that a combatant takes up, from the one with the lowest column and row."""
    side = range(figures.space(one))
    return [(square[0] + across, square[1] + down) for across in side for down in side]


def apart(state: FifthState, one: str, other: str, at: Square | None = None, there: Square | None = None) -> int | None:
    """Return the feet between the nearest squares of two combatants; None if a square is unknown."""
    mine, other_square = square_of(state, one), square_of(state, other)
    here = at or (mine[0] if mine else None)
    to = there or (other_square[0] if other_square else None)
    if here is None or to is None:
        return None
    pairs = (
        steps((a[0] - b[0], a[1] - b[1]))
        for a in footprint(state.combatants[carrier(state, one)], here)
        for b in footprint(state.combatants[carrier(state, other)], to)
    )
    return TILE * min(pairs)


def records(state: FifthState, *those: str) -> tuple[int, ...]:
    """Return the records of these combatants' squares, with those of their mounting."""
    ridden = tuple(state.mounts[who].seq for who in those if carrier(state, who) != who)
    return (*ridden, *(found[1] for who in those if (found := square_of(state, who))))


def within_five(state: FifthState, one: str, other: str, at: Square | None = None) -> bool | None:
    """Say whether two combatants are within 5 feet of one another; None if that is unknown."""
    feet = apart(state, one, other, None, at)
    if feet is not None:
        return feet <= TILE
    for who, whom in ((one, other), (other, one)):
        if who in state.engaged and whom in state.engaged[who][0]:
            return True
    return None


def reach(one: Combatant, weapon: Weapon | None = None) -> int:
    """Return the feet that a combatant reaches in melee."""
    with_reach = LONG_REACH if figures.has_property(weapon, "reach") else None
    feet: list[int] = [TILE, *filter(None, (weapon.reach if weapon else None, with_reach, one.sheet.reach))]
    return max(feet)


def terrain_at(state: FifthState, word: str, square: Square | None) -> tuple[int, ...]:
    """Return the record that gave a square, or without one the whole field, such terrain; none if it has none."""
    found = state.terrain.get(word, {})
    seq = found.get(square, found.get(None))
    return (seq,) if seq else ()


def is_under_water(state: FifthState, who: str) -> tuple[int, ...]:
    """Return the records that put a combatant under water; none if it is not."""
    found = square_of(state, who)
    terrain = terrain_at(state, "underwater", found[0] if found else None)
    marks = tuple(e.seq for e in state.conditions.values() if e.bearer == who and e.called == "underwater")
    medium = (state.in_water[who],) if who in state.in_water else ()
    return terrain or marks or medium


@derives("water.melee", on=Moved, phase="reading")
def water_is_entered_or_left(state: FifthState, fact: Occurrence[Moved]) -> None:
    """Keep whether a combatant is in water, if its move names a medium."""
    medium = (fact.event.medium or "").casefold()
    if medium in ("water", "underwater"):
        state.in_water[fact.event.combatant] = fact.seq
    elif medium:
        state.in_water.pop(fact.event.combatant, None)


def others_in(state: FifthState, who: str, squares_: Sequence[Square]) -> Iterator[str]:
    """Yield the living combatants in one of these squares, without the combatant itself, its mount, and riders."""
    mount = state.mounts.get(who)
    own = (who, mount.who) if mount else (who,)
    for other in state.combatants.values():
        found = square_of(state, other.id)
        if other.id in own or other.left or other.status == "dead" or found is None or other.id in state.mounts:
            continue
        if set(footprint(other, found[0])) & set(squares_):
            yield other.id


def entered(path: Sequence[Square]) -> list[Square]:
    """Return the squares that a path enters, one after the other."""
    return walked(path)[1:]
