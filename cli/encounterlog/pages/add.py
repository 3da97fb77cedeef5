"""What is said of a line that was told: each fact as a sentence, with its record; the answers to questions; the forms."""

import textwrap
from collections.abc import Iterator

from encounterlog.wording.facts import brief
from encounterlog.wording.naming import labels
from encounterlog.writing.entering import Written
from eventstore.events import CombatantJoined
from projections.grammar import forms
from projections.grammar.forms import Form
from projections.grammar.parsing import Parsed
from projections.rulesets.ruleset import Ruleset
from projections.state import State
from projections.stream.corrections import absolute


def lines(written: Written) -> Iterator[str]:
    """Yield each fact that was written as a sentence, those by which the clock moved marked as such."""
    first = written.done.written.first if written.done else 0
    yield from facts(written.parsed, written.table.done.state, first)
    yield from _names_that_are_words(written.parsed, written.table.done.state.rules)
    yield from _names_that_are_taken(written.parsed, written.table.done.state)


def _names_that_are_words(parsed: Parsed, rules: Ruleset) -> Iterator[str]:
    """Yield how somebody is named whose name is a word of the grammar, as they join."""
    joining = [*_joining(parsed)]
    words = forms.words(rules.rules) if joining else frozenset[str]()
    for who, called in joining:
        for name in dict.fromkeys((who, called)):
            if name in words:
                yield f"{name} is also a word of the grammar: as a name it stands behind a colon, :{name}"


def _names_that_are_taken(parsed: Parsed, state: State) -> Iterator[str]:
    """Yield of each who joins under a name that somebody else has that they are another one."""
    for who, called in _joining(parsed):
        same = [one.id for one in state.here() if one.name == called and one.id != who]
        if same:
            yield f"{who} is another {called}, beside {', '.join(same)}; u takes back who was not meant to join again"


def facts(parsed: Parsed, state: State, first: int) -> Iterator[str]:
    """Yield facts as sentences, from record `first`; without it, without numbers."""
    called = labels([*((who, one.name) for who, one in state.combatants.items()), *_joining(parsed)])
    width = len(str(first + len(parsed.facts)))
    for place, fact in enumerate(parsed.facts):
        number = f"{first + place:>{width}}  " if first else ""
        clock = "clock: " if place < parsed.moved else ""
        secret = " (secret)" if parsed.secret else ""
        yield f"{number}{clock}{brief(absolute(fact, first + place) if first else fact, lambda who: called.get(who, who))}{secret}"


def _joining(parsed: Parsed) -> Iterator[tuple[str, str]]:
    for fact in parsed.facts:
        if isinstance(fact, CombatantJoined):
            yield fact.combatant, fact.name or fact.combatant


def help_(rules: Ruleset, words: str = "") -> list[str]:
    """Return the forms of the grammar in a table, by parts; or only those with a word in them."""
    table = forms.of(rules.rules)
    found = [form for form in table.form if not words or words.casefold() in _text(form)]
    if not found:
        return [f"no form of the table grammar has the word {words[:60]}; help lists all"]
    width = max(len(form.example) for form in found if len(form.example) <= LONGEST)
    rows: list[str] = []
    for part in dict.fromkeys(form.part for form in found):
        rows += ["", part] if rows else [part]
        for form in found:
            if form.part == part:
                rows += _row(form, width)
    return rows


LONGEST = 30
"""The longest example that stands beside its meaning."""


def _row(form: Form, width: int) -> list[str]:
    said = textwrap.wrap(form.says, 76 - width)
    if len(form.example) > LONGEST:
        return [f"  {form.example}", *(f"  {'':{width}}  {line}" for line in said)]
    return [f"  {form.example if not place else '':{width}}  {line}" for place, line in enumerate(said)]


def _text(form: Form) -> str:
    return " ".join((form.name, *form.patterns, form.says, form.example)).casefold()
