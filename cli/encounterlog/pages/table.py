"""What is in view at the table prompt: the clock, the order with points and who is next, and what that one has left."""

from encounterlog.wording.layout import clip, width
from encounterlog.wording.naming import labels
from projections.folds.order import names_in_order, who_is_due
from projections.grammar.offers import what_is_left
from projections.grammar.scene import next_up
from projections.state import State

KEYS = ("Tab: words", "F2: why", "?: forms", "u: undo", "quit")

NARROW = 40
"""Below so many columns the round is a number only."""


def order(state: State, columns: int) -> str:
    """Return the clock and the order in one line; where it has no room for all, it begins with who is on or next."""
    called, coming = _called(state), next_up(state)
    due = {*who_is_due(state).value, coming}
    slots = names_in_order(state) or [[one.id] for one in state.here()]
    named = [
        " & ".join(_person(state, who, called[who], coming in slot and who in due) for who in slot) for slot in slots
    ]
    whole = " > ".join(named)
    start = f"{when(state)}: " if named else when(state)
    if width(start + whole) > columns:
        place = next((at for at, slot in enumerate(slots) if {state.clock.turn, coming} & {*slot}), 0)
        whole = f"{'… ' if place else ''}{' > '.join(named[place:])}"
        start = start if columns >= NARROW else f"r{state.clock.round} "
    return clip(start + whole, columns)


def own(state: State, columns: int, findings: str = "") -> str:
    """Return who is on, or next, with what they have left, and how many findings; the keys, if there is room for them."""
    who = state.clock.turn or next_up(state)
    left = what_is_left(state, who) if who in state.combatants else ""
    said = [f"{_called(state)[who]}: {left}"] if who and left else []
    said += [f"{findings} (F2: why)"] if findings else []
    for key in KEYS:
        if width(" · ".join([*said, key])) > columns:
            break
        said.append(key)
    return clip(" · ".join(said), columns)


def when(state: State) -> str:
    """Return the round, with the segment or slot if one is reached."""
    clock = state.clock
    said = f"round {clock.round}" if clock.round else "before round 1"
    said += f", segment {clock.point.segment}" if clock.point.segment else ""
    return said + (f", {clock.phase}" if clock.phase else "")


def _called(state: State) -> dict[str, str]:
    return labels((who, one.name) for who, one in state.combatants.items())


def _person(state: State, who: str, called: str, coming: bool) -> str:
    one = state.combatants[who]
    turn = "*" if who == state.clock.turn else "" if not coming else "→"
    return f"{turn}{called}{'' if one.hp is None else f' {one.hp}'}{'' if one.status == 'up' else f' ({one.status})'}"
