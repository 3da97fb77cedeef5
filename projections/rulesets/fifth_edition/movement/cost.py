"""What a move costs: each foot one, more for difficult ground and slow modes."""

from __future__ import annotations

from itertools import pairwise

from eventstore.events import Moved
from eventstore.shapes import Square
from projections.folds.vitals import standing
from projections.mechanics.squares import TILE, diagonals, in_feet, leg_to
from projections.occurrence import Occurrence
from projections.rulesets.fifth_edition import figures
from projections.rulesets.fifth_edition.conditions import events_of, has
from projections.rulesets.fifth_edition.movement.positions import (
    entered,
    footprint,
    others_in,
    records,
    terrain_at,
    walked,
)
from projections.rulesets.fifth_edition.shapes import Stretch
from projections.rulesets.fifth_edition.state import FifthState
from projections.rulesets.ruleset import derives
from projections.state import Combatant

FREE_MODES = ("teleport", "fall")
"""The modes that cost no movement."""


SLOW = {"climb": "move.extra-cost", "swim": "move.extra-cost", "crawl": "move.extra-cost", "squeeze": "move.squeeze"}


def mode_of(event: Moved) -> str:
    """Return the mode of a move; walking if none is recorded."""
    return (event.mode or "walk").casefold()


@derives("move.forced", "turn.own-turn-only")
def is_own(event: Moved) -> bool:
    """Say whether a move is the combatant's own, and how far it goes is recorded."""
    return has_recorded_ground(event) and is_unforced(event)


def has_recorded_ground(event: Moved) -> bool:
    """Say whether the squares or the feet of a move are recorded."""
    return bool(event.path) or event.distance is not None


def is_unforced(event: Moved) -> bool:
    """Say whether a combatant moves by itself, by its speed."""
    return not event.forced and mode_of(event) not in FREE_MODES and event.source in (None, event.combatant)


def feet_of(event: Moved) -> int:
    """Return the feet of a move: as recorded, else 5 for each step of the path."""
    return max(0, in_feet(event.distance)) if event.distance else TILE * len(entered(event.path))


@derives(
    "move.grid", "move.difficult-terrain", "move.extra-cost", "move.squeeze", "move.others-are-difficult", "move.jump"
)
def stretch_of(state: FifthState, fact: Occurrence[Moved]) -> Stretch:
    """Return a move with its cost: a foot each, and one more on difficult ground, for climbing, for squeezing."""
    event, one = fact.event, state.combatants[fact.event.combatant]
    mode, squares, recorded = mode_of(event), entered(event.path), has_recorded_ground(event)
    rules: list[str] = []
    slow, events = slow_mode(state, one, mode)
    grounds = [ground_of(state, one, square, rules, events) for square in squares]
    feet = feet_of(event)
    price = price_of_squares(state, grounds, slow) if squares else feet * (2 if slow else 1)
    if squares:
        price += feet - TILE * len(squares)
    if state.option("diagonal") == "alternating":
        had = sum(diagonal_steps(each.path) for each in state.strides.get(one.id, ()))
        price += TILE * ((had + diagonal_steps(event.path)) // 2 - had // 2)
    said = (*dict.fromkeys((*rules, slow) if slow else rules), stretch_of.rules[0]) if recorded else ()
    return Stretch(
        seq=fact.seq,
        mode=mode,
        feet=feet,
        price=price,
        rules=said,
        events=tuple(events),
        path=event.path,
        turn=state.clock.turn_event,
        own=state.has_turn(one.id),
        around=places_of_all(state) if event.path else (),
        options=state.chosen("edition") if enters_others(state, one, squares) or (slow and any(grounds)) else {},
        recorded=recorded,
    )


def places_of_all(state: FifthState) -> tuple[int, ...]:
    """Return the records by which the combatants stand where they do, or take no space any more."""
    gone = [standing(each) for each in state.combatants.values() if each.left or each.status == "dead"]
    return (*records(state, *state.combatants), *(seq for each in gone for seq in events_of(each)))


@derives("move.extra-cost", "move.squeeze")
def slow_mode(state: FifthState, one: Combatant, mode: str) -> tuple[str, list[int]]:
    """Return the clause by which each foot in a mode costs one more, or "", and the records of squeezing."""
    if mode in SLOW and mode not in figures.speeds(one):
        return SLOW[mode], []
    squeezed = has(state, one.id, "squeezing")
    return ("move.squeeze", [*events_of(squeezed)]) if squeezed.value else ("", [])


@derives("move.difficult-terrain", "move.squeeze")
def price_of_squares(state: FifthState, grounds: list[bool], slow: str) -> int:
    """Return the feet that squares cost, each of them difficult ground or not; in 2024 squeezing on difficult ground costs no third foot."""
    narrow = state.is_new and slow == "move.squeeze"
    return sum(TILE * (1 + hard + (bool(slow) and not (hard and narrow))) for hard in grounds)


def enters_others(state: FifthState, one: Combatant, squares: list[Square]) -> bool:
    """Say whether a combatant enters squares of others."""
    return any(True for square in squares for _ in others_in(state, one.id, footprint(one, square)))


def diagonal_steps(path: tuple[Square, ...]) -> int:
    """Return how many steps of a path are diagonal."""
    squares = walked(path)
    return sum(bool(diagonals(leg_to(here, there))) for here, there in pairwise(squares))


def ground_of(state: FifthState, one: Combatant, square: Square, rules: list[str], events: list[int]) -> bool:
    """Say whether a square is difficult to enter, by its terrain or by a combatant in it; add the clauses and records to the lists."""
    taken = footprint(one, square)
    terrain = [seq for each in taken for seq in terrain_at(state, "difficult", each)]
    in_the_way = False
    if terrain:
        rules.append("move.difficult-terrain")
        events += terrain
    for other in others_in(state, one.id, taken):
        friend = state.combatants[other].side == one.side or figures.size(state.combatants[other]) == 0
        if not (state.is_new and friend):
            rules.append("move.others-are-difficult")
            events += records(state, other)
            in_the_way = True
    return in_the_way or bool(terrain)
