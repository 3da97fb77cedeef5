"""The output for a line that was written: each fact as a sentence, with its record, and the sums of dice that were rolled here."""

from collections.abc import Iterator, Mapping, Sequence

from encounterlog.words.facts import blow_in_words, corrected_in_words, count_blow, short_sentence
from encounterlog.words.naming import label_combatants, make_voice
from encounterlog.words.phrases import list_names
from eventstore.events import AttackRolled, CombatantJoined, DiceRolled, InitiativeRolled, Noted, SaveRolled, Struck
from eventstore.record import Recorded
from eventstore.shapes import Dice
from projections.folds.addresses import derive_value
from projections.language.notation import forms
from projections.language.notation.parsing import Parsed
from projections.language.notation.table import Table
from projections.state import State
from projections.stream.corrections import absolute

HERE = "rolled here:"  # the beginning of the note on dice that the program rolled
Roll = AttackRolled | SaveRolled | DiceRolled | InitiativeRolled


def has_own_dice(records: Sequence[Recorded]) -> bool:
    """Return whether dice of a line were rolled by the program."""
    return any(isinstance(record.event, Noted) and record.event.text.startswith(HERE) for record in records)


def roll_results(records: Sequence[Recorded], state: State) -> Iterator[str]:
    """Yield a line for each roll of a line whose dice were rolled here: its sum, and the number to reach, in the state after it."""
    if not has_own_dice(records):
        return
    events = [record.event for record in records if record.event is not None]
    called = label_combatants((who, one.name) for who, one in state.combatants.items())
    for event in events:
        if isinstance(event, Roll) and isinstance(event.die, Dice):
            who = event.combatant or getattr(event, "side", None) or ""
            whose = f"the roll of {called.get(who, who)}" if who else "the roll"
            yield f"    {whose} totals {_sum_dice(event, event.die)}{_number_to_reach(event, state, called)}"


def _sum_dice(event: Roll, die: Dice) -> int:
    shown = sum(face for place, face in enumerate(die.faces) if place not in die.dropped)
    added = (event.bonus or 0) if isinstance(event, InitiativeRolled) else sum(each.amount for each in event.modifiers)
    return shown + added


def _number_to_reach(event: Roll, state: State, called: Mapping[str, str]) -> str:
    if not isinstance(event, AttackRolled):
        stated = getattr(event, "dc", None)
        return f" against {stated}" if stated is not None else ""
    who, target = event.combatant, event.target or ""
    there = (derive_value(state, address) for address in (f"{who}.hit", f"{target}.ac", f"{who}.total"))
    hit, armor, total = (found.value if found else None for found in there)
    if type(hit) is not bool:
        return ""
    differs = type(total) is int and isinstance(event.die, Dice) and total != _sum_dice(event, event.die)
    counts = f", of which {total} counts," if differs else ""
    plain = type(armor) is int and event.ac is None and event.against is None and target
    against = f" against ac {armor} of {called.get(target, target)}" if plain else ""
    return f"{counts}{against}: {'a hit' if hit else 'a miss'}"


def fact_sentences(parsed: Parsed, table: Table, first: int) -> Iterator[str]:
    """Yield the facts of a line typed at a table as sentences, from record `first` on, and the notes on their names."""
    done, wanted = table.done, {fact.event for fact in parsed.facts if isinstance(fact, Struck)}
    there = (record for record in table.records if record.seq in wanted) if wanted else ()
    name, joining = make_voice(done.state), [*_names_of_joining(parsed)]
    struck = {one.seq: corrected_in_words(one, done.corrections, name) for one in there}
    yield from describe_facts(parsed, done.state, first, struck)
    words = forms.first_words(done.state.rules.rules) if joining else frozenset[str]()
    for word in (word for called in joining for word in dict.fromkeys(called) if word in words):
        yield f"{word} is also a word of the grammar: as a name it stands after a colon, :{word}"


def describe_facts(parsed: Parsed, state: State, first: int, struck: Mapping[int, str] | None = None) -> Iterator[str]:
    """Yield facts as sentences, from record `first`, without it without numbers; strikes with what is `struck` in words."""
    there = ((who, one.name) for who, one in state.combatants.items())
    called = make_voice(state, label_combatants([*there, *_names_of_joining(parsed)]))
    groups, end = list[tuple[int, int]](), 0
    while (place := end) < len(parsed.facts):  # a blow is said in one sentence, unless a part of it is secret
        end += count_blow(parsed.facts[place:]) if place >= parsed.moved and not parsed.kept else 1
        groups.append((place, end))
    numbers = [f"{first + place}–{first + end - 1}" if end > place + 1 else f"{first + place}" for place, end in groups]
    width = max(map(len, numbers), default=0)
    indent = " " * (width + 2) if first else ""
    for (place, end), number in zip(groups, numbers, strict=True):
        fact = parsed.facts[place]
        clock, secret = "clock: " if place < parsed.moved else "", " (secret)" if place in parsed.kept else ""
        taken = (struck or {}).get(fact.event) if isinstance(fact, Struck) else None
        if end > place + 1:
            words = blow_in_words(parsed.facts[place:end], called)
        else:
            words = short_sentence(absolute(fact, first + place) if first else fact, called)
        yield f"{f'{number:>{width}}  ' if first else ''}{clock}{words}{f': {taken}' if taken else ''}{secret}"
    if parsed.hides:
        yield f"{indent}kept from players: {list_names(parsed.hides, called)} {'is' if len(parsed.hides) == 1 else 'are'} hidden"
    if parsed.secret and not parsed.kept:
        yield f"{indent}players see it: that the clock moves is no secret"
    if parsed.stays:
        yield f"{indent}the clock stays: {parsed.stays}"
    if parsed.advice:
        yield f"{indent}note: {parsed.advice}"


def _names_of_joining(parsed: Parsed) -> Iterator[tuple[str, str]]:
    for fact in parsed.facts:
        if isinstance(fact, CombatantJoined):
            yield fact.combatant, fact.name or fact.combatant
