"""What was recorded for a table although nobody had said it: numbers and names that stand neither in the words of the table nor in the log."""

import re
from collections.abc import Iterable, Iterator

from msgspec import to_builtins

from eventstore.events import CombatantJoined, DiceDrawn, DiceRolled, Noted, SheetChanged
from eventstore.form import REFERENCE_FIELDS
from eventstore.record import Recorded
from projections.language.notation.names import folded
from projections.language.table import NUMBERS
from projections.open_types import Json
from projections.stream.game_words import game_words

SAID = "said: "
"""The beginning of the note with the words of the table, which stands before the facts that were recorded for them."""
COUNTED = frozenset(
    ("round", "segment", "second", "phase", "type", "kind", "unit", "side", "ruling", "text", *REFERENCE_FIELDS)
)
"""Fields that state nothing of their own: places in the log and on the clock, and the game's own classes."""
NAMING = frozenset(
    ("combatant", "target", "targets", "source", "name", "effect", "condition", "resource", "object", "together")
)
"""Fields that name somebody or something."""
TOLD = (CombatantJoined, SheetChanged, DiceRolled, DiceDrawn)
"""The facts whose numbers may be recorded again: sheets and dice."""


def unstated(records: Iterable[Recorded]) -> Iterator[tuple[int, str]]:
    """Yield the numbers and names of recorded facts that stand neither in what was said, nor in a sheet, a roll or a name of the log before."""
    numbers, names, said = set[int](), {*game_words()}, ""
    for record in records:
        event = record.event
        if record.batch is None or record.batch[0] == 1:
            text = event.text if isinstance(event, Noted) and event.event is None else ""
            said = text.removeprefix(SAID) if record.batch and text.startswith(SAID) else ""
        if event is None or (isinstance(event, Noted) and said):
            continue
        parts = [*_parts(to_builtins(event), "")]
        words = {folded(each) for each in re.findall(r"[^\W_]+", said)}
        told = {int(each) for each in words if each.isdecimal()} | {NUMBERS[each] for each in words & NUMBERS.keys()}
        for name, value in parts if said else ():
            if not _is_known(name, value, numbers | told, names | words):
                yield record.seq, f"{name} {value}"
        if isinstance(event, TOLD):
            numbers |= {value for _, value in parts if isinstance(value, int)}
        names |= {each for name, value in parts if isinstance(value, str) and name in NAMING for each in _words(value)}


def _is_known(name: str, value: int | str, numbers: set[int], names: set[str]) -> bool:
    if isinstance(value, int):
        return value in numbers
    return name not in NAMING or _words(value) <= names


def _words(name: str) -> set[str]:
    return {each for each in re.findall(r"[^\W_]+", folded(name)) if not each.isdecimal()}


def _parts(value: Json, name: str) -> Iterator[tuple[str, int | str]]:
    """Yield the numbers and texts of a fact, each with the field that holds it."""
    if isinstance(value, dict):
        yield from (part for key, each in value.items() if key not in COUNTED for part in _parts(each, key))
    elif isinstance(value, list | tuple):
        yield from (part for each in value for part in _parts(each, name))
    elif isinstance(value, int | str) and not isinstance(value, bool):
        yield name, abs(value) if isinstance(value, int) else value
