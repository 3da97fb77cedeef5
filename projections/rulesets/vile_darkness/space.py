"""Space: squares of five feet, lengths of moves, distances, and the squares around a square."""

from math import hypot

from eventstore.events import ActionTaken, Moved, TerrainSet
from eventstore.shapes import Distance, Square
from projections.because import Because, Derived
from projections.fight import Combatant
from projections.mechanics.grants import words_of
from projections.mechanics.squares import Leg, legs, neighbours, steps
from projections.occurrence import Occurrence
from projections.ruleset.ruleset import derives
from projections.rulesets.vile_darkness.state import VileState, cited_records

FOOT = {"ft": 1.0, "m": 3.28, "square": 5.0}
SQUARE = 5
RESTRICTED, OPEN = {"restricted", "narrow", "cramped", "confined"}, {"open", "clear", "floor"}
CLOSED = {"wall", "walls", "rock", "blocked", "closed", "pillar", "solid"}
"""Words for terrain: scarce room (RESTRICTED), open squares (OPEN), squares that cannot be entered (CLOSED)."""

# ---------------------------------------------------------------- distances


@derives("grid.square-five-feet")
def parse_feet(said: Distance) -> float:
    """Return a distance in feet; a square is five."""
    return said.amount * FOOT.get(said.unit.casefold(), 1.0)


@derives("grid.distance-between-centers")
def leg_length(state: VileState, leg: Leg) -> float:
    """Return the length of a straight leg in feet, from centre to centre, or by counted squares."""
    if 0 not in leg and state.option("diagonals") == "counted-squares":
        return float(SQUARE * steps(leg))
    return SQUARE * hypot(*leg)


def feet_of_move(state: VileState, event: Moved) -> float:
    """Return the feet that a move covers: by its path, else as recorded."""
    way = sum(leg_length(state, leg) for leg in legs(event.path))
    return way or (parse_feet(event.distance) if event.distance else 0.0)


@derives("grid.distance-between-centers", "grid.square-five-feet")
def feet_between(state: VileState, one: str, other: str) -> Derived[float] | None:
    """Return the feet between two combatants; None if one of them has no square."""
    if one not in state.squares or other not in state.squares:
        return None
    leg = next(legs((state.squares[one], state.squares[other])))
    value, stand = leg_length(state, leg), (cited_records(state.stood[one], state.stood[other]),)
    centres, squares = feet_between.rules
    because = Because((squares, centres) if 0 in leg else (centres,), of=stand)
    return Derived(int(value) if value.is_integer() else round(value, 1), because)


# ---------------------------------------------------------------- positions


def in_the_fight(one: Combatant) -> bool:
    """Return whether a combatant has not left and is not out of the fight."""
    return not one.left and one.status != "out"


def melee_records(state: VileState, who: str) -> tuple[int, ...]:
    """Return the records that put a combatant in melee with opponents, if it and they are in the fight; else none."""
    found, _ = state.melee.foes(who, state.clock.round, state.clock.round_event)
    if not in_the_fight(state.combatants[who]):
        return ()
    return tuple(sorted({seq for foe, by in found.items() if in_the_fight(state.combatants[foe]) for seq in by}))


@derives("grid.square-five-feet", on=(Moved, ActionTaken))
def keep_walk(state: VileState, fact: Occurrence[Moved | ActionTaken]) -> None:
    """Keep the end of a path as the mover's square; after a move without a path the square is unknown."""
    event, who = fact.event, fact.event.combatant
    if isinstance(event, ActionTaken):
        if event.action.square is not None and fact.kind in ("move", "charge", "flee"):
            put_on_square(state, who, event.action.square, fact.seq)
    elif event.path:
        put_on_square(state, who, event.path[-1], fact.seq)
    else:
        state.squares.pop(who, None)


def put_on_square(state: VileState, who: str, square: Square, seq: int) -> None:
    """Put a combatant on a square."""
    state.squares[who] = square
    state.stood[who] = seq


# ---------------------------------------------------------------- terrain


@derives("weapon.open-square", on=TerrainSet, phase="reading")
def keep_terrain(state: VileState, fact: Occurrence[TerrainSet]) -> None:
    """Keep the terrain of squares."""
    state.ground.append(fact)


def terrain_record(state: VileState, square: Square, kind: set[str]) -> tuple[int, ...]:
    """Return the last record of a square's terrain if it is of this kind."""
    for fact in reversed(state.ground):
        said = {*words_of(fact.event.terrain)}
        if (not fact.event.squares or square in fact.event.squares) and said & (kind | OPEN):
            return (fact.seq,) if said & kind else ()
    return ()


def scarce_room_records(state: VileState, square: Square) -> tuple[int, ...]:
    """Return the records that make room scarce on a square, rulings and terrain; none if it is not scarce."""
    facts = [fact for fact in state.rulings if fact.event.ruling == "fact"]
    said = [each.seq for each in facts if RESTRICTED & {*words_of(f"{each.event.subject or ''} {each.event.decision}")}]
    return (*said, *terrain_record(state, square, RESTRICTED))


def enclosing_records(state: VileState, seq: int, square: Square) -> tuple[int, ...]:
    """Return the records that show all squares around a square as taken or closed; none if one was open."""
    scene, found = state.round.scenes.get(seq, {}).values(), list[int]()
    for each in neighbours(square):
        shut = [stood for taken, stood in scene if taken == each] + [*terrain_record(state, each, CLOSED)]
        if not shut:
            return ()
        found += shut
    return tuple(found)
