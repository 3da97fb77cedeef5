"""The outcome of dice that were rolled here: their sum, and the number to reach, if the game defines one."""

from collections.abc import Iterator, Mapping, Sequence

from encounterlog.text.naming import labels
from eventstore.events import AttackRolled, DiceRolled, InitiativeRolled, Noted, SaveRolled
from eventstore.record import Recorded
from eventstore.shapes import Dice
from projections.folds.addresses import derived
from projections.state import State

HERE = "rolled here:"
"""The beginning of the note on dice that the program rolled."""
Roll = AttackRolled | SaveRolled | DiceRolled | InitiativeRolled


def are_rolled(records: Sequence[Recorded]) -> bool:
    """Return whether dice of a line were rolled by the program."""
    return any(isinstance(record.event, Noted) and record.event.text.startswith(HERE) for record in records)


def came_to(records: Sequence[Recorded], state: State) -> Iterator[str]:
    """Yield a line for each roll of a line whose dice were rolled here: its sum, and the number to reach, in the state after it."""
    if not are_rolled(records):
        return
    events = [record.event for record in records if record.event is not None]
    called = labels((who, one.name) for who, one in state.combatants.items())
    for event in events:
        if isinstance(event, Roll) and isinstance(event.die, Dice):
            who = event.combatant or getattr(event, "side", None) or ""
            whose = f"the roll of {called.get(who, who)}" if who else "the roll"
            yield f"    {whose} totals {_sum(event, event.die)}{_meets(event, state, called)}"


def _sum(event: Roll, die: Dice) -> int:
    """Return the sum of the dice that were not dropped, with the added numbers."""
    shown = sum(face for place, face in enumerate(die.faces) if place not in die.dropped)
    added = (event.bonus or 0) if isinstance(event, InitiativeRolled) else sum(each.amount for each in event.modifiers)
    return shown + added


def _meets(event: Roll, state: State, called: Mapping[str, str]) -> str:
    """Return the number that a roll must reach: the one that the line states, or the sheet's armour class if the game decides by that."""
    if isinstance(event, AttackRolled):
        return _strikes(event, state, called)
    stated = getattr(event, "dc", None)
    return f" against {stated}" if stated is not None else ""


def _strikes(event: AttackRolled, state: State, called: Mapping[str, str]) -> str:
    hit, armor = _value(state, event.combatant, "hit"), _value(state, event.target or "", "ac")
    if type(hit) is not bool:
        return ""
    total = _value(state, event.combatant, "total")
    counts = (
        f", of which {total} counts,"
        if type(total) is int and isinstance(event.die, Dice) and total != _sum(event, event.die)
        else ""
    )
    plain = type(armor) is int and event.ac is None and event.against is None and event.target
    against = f" against ac {armor} of {called.get(event.target or '', event.target or '')}" if plain else ""
    return f"{counts}{against}: {'a hit' if hit else 'a miss'}"


def _value(state: State, who: str, field: str) -> object:
    found = derived(state, f"{who}.{field}")
    return found.value if found else None
