"""The output for a line that was written: each fact as a sentence, with its record."""

from collections.abc import Iterator, Mapping

from encounterlog.text.facts import brief, corrected_in_words
from encounterlog.text.naming import labels, voice
from eventstore.events import CombatantJoined, Struck
from projections.language.notation import forms
from projections.language.notation.parsing import Parsed
from projections.language.notation.table import Table
from projections.ruleset.ruleset import Ruleset
from projections.state import State
from projections.stream.corrections import absolute


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
    return {record.seq: corrected_in_words(record, done, called) for record in there}


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
