"""The fourth step: frames. The table of frames has everything that can be reported (frames.toml); functions fill their slots."""

from collections.abc import Callable, Iterator, Sequence
from functools import cache

from msgspec import Struct

from eventstore.paths import AnyPath, beside
from projections.reader.clauses import CONDITIONS
from projections.reader.lexicon import lexicon
from projections.reader.parts import Part
from projections.reader.slots import FILLERS, Slots, Thread, Told
from projections.toml import loaded

ARROWS = ("->", "→", "=>", ">", "->>", ">>", "=>>")
"""Marks between attacker and target."""
Fill = Callable[[Slots], Told | None]


class Frame(Struct, frozen=True):
    """A frame: the words that call it (kinds of the lexicon, roles of numbers), its slots, and the fact that it reports, with an example."""

    name: str
    tells: str
    calls: tuple[str, ...] = ()
    numbers: tuple[str, ...] = ()
    slots: tuple[str, ...] = ()
    makes: tuple[str, ...] = ()
    example: str = ""


class Frames(Struct, frozen=True):
    """The table of frames, in order of precedence where several fit equally well."""

    frame: tuple[Frame, ...]
    asks: dict[str, str] = {}
    """The question about an empty slot, by its name, or by the names of its frame and itself."""


@cache
def _frames() -> Frames:
    return loaded(beside(__file__, "frames.toml"), Frames)


@cache
def table() -> tuple[Frame, ...]:
    """Return the frames, which are loaded once."""
    return _frames().frame


@cache
def fills() -> dict[str, Fill]:
    """Return the functions that fill the frames, by their names."""
    from projections.reader.frames import blows, clock, deeds, magic, over, points, rolls, states

    modules = (blows, points, rolls, states, magic, deeds, clock, over)
    return {name: fill for module in modules for name, fill in module.FILLS.items()}


REACHED = ("dc", "against", "armor", "needed")
"""The roles of numbers that a roll has to reach."""


def _loses(slots: Slots) -> bool:
    """Say whether a number, a combatant or a state in the clause was taken by no slot and would be lost. A number to be reached is no loss."""
    left = [part for at, part in enumerate(slots.parts) if at not in slots.used]
    states = (part for part in left if part.role == "word" and part.is_("condition") and not part.is_("filler", "type"))
    return any((part.number is not None and part.role not in REACHED) or part.role == "who" for part in left) or any(
        states
    )


AWAITING = ("wait", "gained", "level")
"""The frames that take an awaited event, or the end of a duration, as words."""


def _tells_a_condition(slots: Slots, frame: str) -> bool:
    """Say whether a frame would report a condition or a reason as something that happens: because bo hit it for 3."""
    at = next((at for at, part in enumerate(slots.parts) if part.text in CONDITIONS), None)
    if at is None or (frame in AWAITING and slots.parts[at].is_("when", "until")):
        return False
    behind = slots.parts[at + 1 :]
    return any(part.role in ("who", "pronoun") or (part.role == "word" and part.item.is_verb()) for part in behind)


def _called(clause: Sequence[Part]) -> Iterator[Frame]:
    """Yield the frames that the words and numbers of a clause call."""
    kinds = {sense.kind for part in clause if part.role in ("word", "ordinal") for sense in part.item.senses}
    if any(part.role == "mark" and part.text in ARROWS for part in clause):
        kinds.add("strike")
    roles = {part.role for part in clause}
    yield from (frame for frame in table() if kinds & {*frame.calls} or roles & {*frame.numbers})


def told(clause: list[Part], thread: Thread) -> list[Told]:
    """Return the meanings of a clause, the best first: with the fewest unread words and the fewest guesses."""
    found: list[tuple[tuple[int, int, int], Told]] = []
    for order, frame in enumerate(_called(clause)):
        slots = Slots(clause, thread)
        made = fills()[frame.name](slots)
        if made is not None and not (_loses(slots) or _tells_a_condition(slots, frame.name)):
            made.frame, made.either = frame.name, slots.either
            if slots.options:  # the combatant who is meant is asked for first
                made.options, made.others = slots.options, ()
            found.append(((len(made.unread) + 2 * bool(made.options), made.guesses, order), made))
    return [made for _, made in sorted(found, key=lambda each: each[0])]


def lacking(clause: Sequence[Part], *, begins: bool) -> str:
    """Return what a clause omits that the first frame called by its verbs needs, as an indirect question: how much damage; "" if it omits nothing.

    In a clause after the one that `begins` the line, one person may be left out.
    """
    verbs = {kind for part in clause if part.role == "word" for kind in part.item.verbs}
    told = [part for part in clause if part.role != "mark"]
    if begins and told and told[0].role == "word" and told[0].item.verbs:
        return _frames().asks["who"]
    people = sum(part.people.ids != () or part.role == "pronoun" for part in told) + (not begins)
    counts = any(part.number is not None or part.role == "dice" for part in told)
    named = any(part.role == "word" and not part.item.verbs and not part.is_(*FILLERS, "towards") for part in told)
    found: list[tuple[int, int, int, str]] = []
    for order, frame in enumerate(_called(clause)):
        if called := [at for at, kind in enumerate(frame.calls) if kind in verbs]:
            needed = [slot.partition(":")[0] for slot in frame.slots if slot[0] != "["]
            missing = [slot for slot in needed if slot in PEOPLE][people:]
            missing += [slot for slot in needed if (slot in NUMBERS and not counts) or (slot in THINGS and not named)]
            found.append((called[0], len(missing), order, f"{frame.name}.{missing[0]}" if missing else ""))
    _, lacks, _, slot = min(found, default=(0, 0, 0, ""))
    asks = _frames().asks
    return (asks.get(slot) or asks[slot.partition(".")[2]]) if lacks else ""


@cache
def verbs(rules: AnyPath) -> dict[str, str]:
    """Return the verb in the example of each frame that has one, with the frame's fact: casts, for a spell that is cast or declared."""
    found: dict[str, str] = {}
    for frame in table():
        words = (word.strip(",:.") for word in frame.example.split())
        called = (
            word for word in words for each in lexicon(rules).senses(word) if each.is_verb and each.kind in frame.calls
        )
        found.setdefault(next(called, ""), frame.tells)
    return {verb: tells for verb, tells in found.items() if verb.endswith("s")}


PEOPLE, NUMBERS = ("who", "whom"), ("points", "roll", "rolls", "number", "distance", "time", "dice")
THINGS = ("spell", "effect", "feature or thing", "weapon")
"""The slots for people, for numbers, and for things by their names."""
