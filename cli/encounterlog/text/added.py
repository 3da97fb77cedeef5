"""The output for a line that was written: each fact as a sentence, with its record, and the sums of dice that were rolled here."""

from collections.abc import Iterator, Mapping, Sequence

from encounterlog.text.facts import brief, corrected_in_words
from encounterlog.text.naming import labels, voice
from eventstore.events import AttackRolled, CombatantJoined, DiceRolled, InitiativeRolled, Noted, SaveRolled, Struck
from eventstore.record import Recorded
from eventstore.shapes import Dice
from projections.folds.addresses import derived
from projections.language.notation import forms
from projections.language.notation.parsing import Parsed
from projections.language.notation.table import Table
from projections.ruleset.ruleset import Ruleset
from projections.state import State
from projections.stream.corrections import absolute

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


def lines_of(parsed: Parsed, table: Table, first: int) -> Iterator[str]:
    """Yield the facts of a line typed at a table as sentences, from record `first` on, and the notes on their names."""
    yield from facts(parsed, table.done.state, first, _struck(parsed, table))
    yield from _names_that_are_words(parsed, table.done.state.rules)
    yield from _names_that_are_taken(parsed, table.done.state)


def _struck(parsed: Parsed, table: Table) -> dict[int, str]:
    """Return the facts that a line strikes, in words."""
    done, wanted = table.done, {fact.event for fact in parsed.facts if isinstance(fact, Struck)}
    if not wanted:
        return {}
    called = voice(done.state)
    there = (record for record in table.records if record.seq in wanted)
    return {record.seq: corrected_in_words(record, done.corrections, called) for record in there}


def _names_that_are_words(parsed: Parsed, rules: Ruleset) -> Iterator[str]:
    """Yield how to type the names of newcomers that are words of the grammar."""
    joining = [*_joining(parsed)]
    words = forms.words(rules.rules) if joining else frozenset[str]()
    for who, called in joining:
        for name in dict.fromkeys((who, called)):
            if name in words:
                yield f"{name} is also a word of the grammar: as a name it stands after a colon, :{name}"


def _names_that_are_taken(parsed: Parsed, state: State) -> Iterator[str]:
    """Yield a note for each newcomer with the name of another combatant: they are two."""
    for who, called in _joining(parsed):
        same = [one.id for one in state.here() if one.name == called and one.id != who]
        if same:
            yield f"{who} is another {called}, beside {', '.join(same)}; u takes back a combatant who should not join again"


def facts(parsed: Parsed, state: State, first: int, struck: Mapping[int, str] | None = None) -> Iterator[str]:
    """Yield facts as sentences, from record `first`, without it without numbers; strikes with what is `struck` in words."""
    called = voice(state, labels([*((who, one.name) for who, one in state.combatants.items()), *_joining(parsed)]))
    width = len(str(first + len(parsed.facts)))
    for place, fact in enumerate(parsed.facts):
        number = f"{first + place:>{width}}  " if first else ""
        clock = "clock: " if place < parsed.moved else ""
        secret = " (secret)" if place in parsed.kept else ""
        taken = (struck or {}).get(fact.event) if isinstance(fact, Struck) else None
        words = brief(absolute(fact, first + place) if first else fact, called)
        yield f"{number}{clock}{words}{f': {taken}' if taken else ''}{secret}"
    if parsed.hides:
        yield f"{'':{width + 2 if first else 0}}kept from players: {_listed([*map(called, parsed.hides)])} {'is' if len(parsed.hides) == 1 else 'are'} hidden"
    if parsed.secret and not parsed.kept:
        yield f"{'':{width + 2 if first else 0}}players see it: that the clock moves is no secret"
    if parsed.stays:
        yield f"{'':{width + 2 if first else 0}}the clock stays: {parsed.stays}"
    if parsed.advice:
        yield f"{'':{width + 2 if first else 0}}note: {parsed.advice}"


def _joining(parsed: Parsed) -> Iterator[tuple[str, str]]:
    for fact in parsed.facts:
        if isinstance(fact, CombatantJoined):
            yield fact.combatant, fact.name or fact.combatant


def _listed(names: list[str]) -> str:
    """Return names as a list in a sentence."""
    *others, last = names
    return f"{', '.join(others)} and {last}" if others else last
