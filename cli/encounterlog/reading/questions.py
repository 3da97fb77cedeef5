"""Questions asked in the table grammar: ?m, ?o m, help."""

import re

from encounterlog.edge.failures import REFUSED, Failure
from encounterlog.reading.logs import Log
from eventstore.errors import Malformed
from projections.grammar import names
from projections.grammar.parsing import Parsed
from projections.grammar.table import Table
from projections.grammar.tokens import NotUnderstood, Token

FIELDS = ("hp", "status", "concentration")
"""What is told of somebody who is only named."""


def answered(log: Log, parsed: Parsed, table: Table) -> list[str]:
    """Return the answer to a question or a wish for help; nothing for a line that says nothing."""
    if parsed.rest == "help":
        from encounterlog.pages.add import help_

        return help_(table.done.state.rules, parsed.words)
    if parsed.rest != "why":
        return []
    from encounterlog.pages import why as page
    from encounterlog.reading import asking
    from projections.explaining.why import WhyFinding

    try:
        found = asking.past_of(log.anew(), None)
        answers = [
            one
            for question in asked(table, parsed.words)
            for one in asking.answers(found, question, thorough=False, variants=False)
        ]
        if any(isinstance(one, WhyFinding) for one in answers):
            return page.page(answers, found.state, every=False)
        return page.short(answers, found.state)
    except (NotUnderstood, Malformed) as error:
        raise Failure(REFUSED, str(error), error.hint) from None


def asked(table: Table, words: str) -> list[tuple[str, ...]]:
    """Return the questions in the words of encounter why: somebody's values, who of two comes first, or an address.

    A question in a sentence is about those whom it names.
    """
    state, found = table.done.state, list[tuple[str, ...]]()
    match words.split():
        case ["finding", *_]:
            pass
        case [one, other] if _one(table, one) and _one(table, other):
            found = [(_who(table, one), "before", _who(table, other))]
        case [one, "before", other]:
            found = [(_who(table, one), "before", _who(table, other))]
        case [one] if "." not in one and names.combatants(state, one):
            found = _about(_who(table, one))
        case [one, "cannot" | "can", "act"]:
            found = [(_who(table, one), "cannot", "act")]
        case [one, value] if _one(table, one):
            found = [(f"{_who(table, one)}.{value}",)]
        case [address, *more] if "." in address and names.combatants(state, address.partition(".")[0]):
            who, _, field = address.partition(".")
            found = [(f"{_who(table, who)}.{field}", *more)]
        case [_, _, _, *_] as typed:
            people = dict.fromkeys(_one(table, re.sub(r"(['’]s)?\??$", "", word)) for word in typed)
            found = [question for who in people if who for question in _about(who)]
    return found or [tuple(words.split())]


def _about(who: str) -> list[tuple[str, ...]]:
    return [(f"{who}.{field}",) for field in FIELDS]


def _one(table: Table, word: str) -> str:
    """Return the one combatant whom a word names; "" if it names nobody, or several."""
    found = names.combatants(table.done.state, word) if word else []
    return found[0] if len(found) == 1 else ""


def _who(table: Table, word: str) -> str:
    return names.combatant(table.done.state, Token(word, 0, len(word)))
