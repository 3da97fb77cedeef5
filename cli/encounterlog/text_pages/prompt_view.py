"""The view at the table prompt: the clock, the order with points and the combatants who are due, and the remaining acts of one of them."""

import re
from collections.abc import Callable, Iterator, Sequence
from typing import NamedTuple

from encounterlog.text.layout import clip, width
from encounterlog.text.naming import labels
from projections.fight import Slot
from projections.folds.moves import next_up
from projections.folds.order import order_of, who_is_due
from projections.language.notation.offers import what_is_left
from projections.state import State

KEYS = ("Tab: words", "F2: why", "?: forms", "u: undo", "quit")

NARROW = 40
"""The width in columns below which the round is a number only."""
SHORT = 3
"""The least number of letters to which a name is shortened."""


def order(state: State, columns: int) -> str:
    """Return the clock and the places of the round in one line, all combatants with points, due ones with an arrow. If the room
    is short, names are shortened first; then combatants who are not due lose their points, then their place.
    """
    places = _places(state)
    due = [each for each in places if each.due]
    first = places.index(due[0]) if due else 0
    full, short = _called(state), _shortened(state, [each.who for each in places])
    brief = f"{_short_when(state)}: "
    start = (f"{when(state)}: " if places else when(state)) if columns >= NARROW else brief
    lines: tuple[Callable[[], str], ...] = (
        lambda: start + _line(state, places, full, " > "),
        lambda: start + _line(state, places, short, " > "),
        lambda: brief + _line(state, places, short, ">"),
        lambda: brief + _line(state, places, short, ">", points=False),
        lambda: f"{brief}… {_line(state, places[first:], short, '>', points=False)}",
        lambda: f"{brief}… {_line(state, due, short, '>', points=False)}",
    )
    return next((line for make in lines if width(line := make()) <= columns), clip(lines[-1](), columns))


def own(state: State, columns: int, findings: str = "") -> str:
    """Return the current or next combatant with what they have left, and the number of findings; the keys, if there is room for them."""
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


def _short_when(state: State) -> str:
    clock = state.clock
    return " ".join(
        filter(
            None, (f"r{clock.round}" if clock.round else "before r1", str(clock.point.segment or ""), clock.phase or "")
        )
    )


# ---------------------------------------------------------------- places


class RoundPlace(NamedTuple):
    """A place of the round, by its name or a sign that is not shown, its combatants, and whether they may act now."""

    name: str
    who: str
    due: bool = False


UNKNOWN = "?"
"""The place of combatants who have none yet."""


def _places(state: State) -> list[RoundPlace]:
    """Return the places of the round in order, one for each combatant there; before there is an order all combatants, without a
    place. Combatants who have not acted are due in the next place, and in those before it.
    """
    slots, coming = order_of(state), next_up(state)
    if not slots:
        return [RoundPlace(UNKNOWN, one.id, one.id == coming) for one in state.here()]
    found = [RoundPlace(_named(slot, number), who) for number, slot in enumerate(slots) for who in slot.combatants]
    first = next((each.name for each in found if each.who == coming), "")
    last = max((at for at, each in enumerate(found) if each.name == first), default=-1)
    waiting = {*who_is_due(state).value, coming}
    return [each._replace(due=at <= last and each.who in waiting) for at, each in enumerate(found)]


def _named(slot: Slot, number: int) -> str:
    """Return the name of a place: its phase or segment; where turns are counted, a sign of its own, which is not shown."""
    return slot.phase or (f"s{slot.segment}" if slot.segment is not None else f" {number}")


def _line(
    state: State, places: Sequence[RoundPlace], called: dict[str, str], between: str, *, points: bool = True
) -> str:
    """Return places in a row, each with its name once; without `points` only combatants who are due have theirs."""
    said, before = "", ""
    for place in places:
        same = place.name == before
        together = between.lstrip().replace(">", ",") if place.name == UNKNOWN else between.replace(">", "&")
        said += (together if same else between) if said else ""
        said += f"{place.name} " if not same and place.name[0] not in (UNKNOWN, " ") else ""
        said += _person(state, place, called[place.who], points=points or place.due)
        before = place.name
    return said


def _person(state: State, place: RoundPlace, called: str, *, points: bool) -> str:
    one = state.combatants[place.who]
    turn = "*" if place.who == state.clock.turn else "→" if place.due else ""
    down = "" if one.status == "up" else f" ({one.status})" if points else "†"
    return f"{turn}{called}{'' if one.hp is None or not points else f' {one.hp}'}{down}"


def _called(state: State) -> dict[str, str]:
    return labels((who, one.name) for who, one in state.combatants.items())


def _shortened(state: State, those: Sequence[str]) -> dict[str, str]:
    """Return short names, no two alike: the first letters, and the number of one of a kind."""
    called, found = _called(state), dict[str, str]()
    for who in dict.fromkeys(those):
        name = called[who]
        found[who] = next((each for each in _shorter(name) if each not in found.values()), name)
    return found


def _shorter(name: str) -> Iterator[str]:
    base, number = re.fullmatch(r"(.*?)[- ]?(\d*)", name).groups()  # type: ignore[union-attr]  # it always matches
    for letters in range(SHORT, len(base) + 1):
        yield base[:letters].rstrip() + number
