"""Questions asked in the table grammar: ?m, ?o m, help."""

from pathlib import Path

from encounterlog.edge.failures import REFUSED, Failure
from eventstore.errors import Malformed
from projections.grammar import names
from projections.grammar.table import Table
from projections.grammar.telling import Told
from projections.grammar.tokens import Token, Untold

FIELDS = ("hp", "status", "concentration")
"""What is told of somebody who is only named."""


def answered(file: Path, told: Told, table: Table) -> list[str]:
    """Return the answer to a question or a wish for help; nothing for a line that says nothing."""
    if told.rest == "help":
        from encounterlog.pages.told import help_

        return help_(table.done.state.rules, told.words)
    if told.rest != "why":
        return []
    from encounterlog.pages import why as page
    from encounterlog.reading import asking
    from projections.explaining.why import WhyFinding

    try:
        _, found = asking.read(file, None, None)
        answers = [
            one
            for question in asked(table, told.words)
            for one in asking.answers(found, question, thorough=False, variants=False)
        ]
        if any(isinstance(one, WhyFinding) for one in answers):
            return page.page(answers, found.state, every=False)
        return page.short(answers, found.state)
    except (Untold, Malformed) as error:
        raise Failure(REFUSED, str(error), error.hint) from None


def asked(table: Table, words: str) -> list[tuple[str, ...]]:
    """Return the questions in the words of encounter why: somebody's values, who of two comes first, or an address."""
    state = table.done.state
    typed = words.split()
    if len(typed) == 2 and all(names.combatants(state, each) for each in typed):
        return [(_who(table, typed[0]), "before", _who(table, typed[1]))]
    if len(typed) == 1 and "." not in typed[0] and names.combatants(state, typed[0]):
        who = _who(table, typed[0])
        return [(f"{who}.{field}",) for field in FIELDS]
    head, dot, rest = typed[0].partition(".") if typed else ("", "", "")
    if not dot and len(names.combatants(state, head)) == 1:
        return [(_who(table, head), *typed[1:])]
    if dot and names.combatants(state, head):
        return [(f"{_who(table, head)}.{rest}", *typed[1:])]
    return [tuple(typed)]


def _who(table: Table, word: str) -> str:
    return names.combatant(table.done.state, Token(word, 0, len(word)))
