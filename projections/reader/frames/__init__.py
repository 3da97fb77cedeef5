"""The fourth step: frames. What can be told, by the table of frames (frames.toml), and the functions that fill their slots."""

import tomllib
from collections.abc import Callable
from functools import cache

import msgspec
from msgspec import Struct

from eventstore.paths import beside
from projections.reader.clauses import CONDITIONS
from projections.reader.parts import Part
from projections.reader.slots import Slots, Thread, Told
from projections.toml import copied, text_of

ARROWS = ("->", "→", "=>", ">", "->>", ">>", "=>>")
"""Marks between who strikes and who is struck."""
Fill = Callable[[Slots], Told | None]


class Frame(Struct, frozen=True):
    """A frame: what calls it (kinds of the lexicon, roles of numbers), what its slots are, and what it tells, with an example."""

    name: str
    tells: str
    calls: tuple[str, ...] = ()
    numbers: tuple[str, ...] = ()
    slots: tuple[str, ...] = ()
    makes: tuple[str, ...] = ()
    example: str = ""


class Frames(Struct, frozen=True):
    """The table of frames, in the order in which one goes before another that fits as well."""

    frame: tuple[Frame, ...]


@cache
def table() -> tuple[Frame, ...]:
    """Return the frames, which are read once."""
    path = beside(__file__, "frames.toml")
    text = text_of(path)
    return (copied(path, text, Frames) or msgspec.convert(tomllib.loads(text.decode()), Frames)).frame


@cache
def fills() -> dict[str, Fill]:
    """Return the functions that fill the frames, by the names of these."""
    from projections.reader.frames import blows, clock, deeds, magic, over, points, rolls, states

    modules = (blows, points, rolls, states, magic, deeds, clock, over)
    return {name: fill for module in modules for name, fill in module.FILLS.items()}


REACHED = ("dc", "against", "armor", "needed")
"""The roles of numbers that say what a roll was to reach."""


def _loses(slots: Slots) -> bool:
    """Say whether a number, somebody or a state in the clause was taken by no slot, so that it would be lost; what was to be reached is no loss."""
    left = [part for at, part in enumerate(slots.parts) if at not in slots.used]
    states = (part for part in left if part.role == "word" and part.is_("condition") and not part.is_("filler", "type"))
    return any((part.number is not None and part.role not in REACHED) or part.role == "who" for part in left) or any(
        states
    )


AWAITING = ("wait", "gained", "level")
"""The frames that take what is awaited, or until when something lasts, as words."""


def _tells_a_condition(slots: Slots, frame: str) -> bool:
    """Say whether what a frame would tell as happening is a condition or a reason: because bo hit it for 3."""
    at = next((at for at, part in enumerate(slots.parts) if part.text in CONDITIONS), None)
    if at is None or (frame in AWAITING and slots.parts[at].is_("when", "until")):
        return False
    behind = slots.parts[at + 1 :]
    return any(part.role in ("who", "pronoun") or (part.role == "word" and part.item.is_verb()) for part in behind)


def told(clause: list[Part], thread: Thread) -> list[Told]:
    """Return what a clause can tell, the best first: what leaves the fewest words and guesses the least."""
    kinds = {sense.kind for part in clause if part.role in ("word", "ordinal") for sense in part.item.senses}
    if any(part.role == "mark" and part.text in ARROWS for part in clause):
        kinds.add("strike")
    roles = {part.role for part in clause}
    found: list[tuple[tuple[int, int, int], Told]] = []
    for order, frame in enumerate(table()):
        if not (kinds & {*frame.calls} or roles & {*frame.numbers}):
            continue
        slots = Slots(clause, thread)
        made = fills()[frame.name](slots)
        if made is not None and not (_loses(slots) or _tells_a_condition(slots, frame.name)):
            made.frame, made.either = frame.name, slots.either
            if slots.options:  # whoever is meant is asked first
                made.options, made.others = slots.options, ()
            found.append(((len(made.unread) + 2 * bool(made.options), made.guesses, order), made))
    return [made for _, made in sorted(found, key=lambda each: each[0])]
