"""The parts of a combatant's card that are not in the state: armour class, attacks and spells as numbers, and the possible acts.
A game master asks about everybody. Others ask about their own combatants alone, and get nothing of anybody else.
"""

from collections.abc import Iterator
from typing import Any

from encounterlog.core.documents import documents, refusing
from encounterlog.core.logs import LogView
from encounterlog.reading.open_to import open_to
from encounterlog.service.calls import Call, Reply, document
from encounterlog.service.people import ALL_SECRETS
from encounterlog.service.problems import Problem
from encounterlog.text_pages.audit import clause_of
from encounterlog.text_pages.may import said
from projections.card import defences
from projections.explaining.may import Choices
from projections.explaining.past import Past
from projections.ruleset.ruleset import Ruleset

HITS = 5
"""How many monsters a search lists."""


def card(call: Call, seen: LogView) -> Reply:
    """Return the card of a combatant."""
    who = call.asked["who"]
    if call.token.role not in ALL_SECRETS and who not in call.token.combatants:
        raise Problem(
            "forbidden", "this card is for the combatant's own player", "players see the cards of their own combatants"
        )
    choices, past = open_to(seen, who, None)
    state = past.state
    if who not in state.combatants:
        raise Problem("bad-request", "there is no such combatant", field="who")
    found = state.rules.card(state, state.combatants[who]) | {"who": who, "may": [*_may(choices, past)]}
    if call.token.role in ALL_SECRETS:
        found |= {"others": {each.id: defences(each.sheet) for each in state.combatants.values()}}
    return document(found)


def _may(choices: Choices, past: Past) -> Iterator[dict[str, Any]]:
    for one in choices.people:
        for each in one.choices:
            rules = [{"id": rule, "says": clause_of(past.state.rules, rule)} for rule in each.because.rules[:2]]
            yield {
                "status": each.status,
                "kind": each.kind,
                "what": each.what,
                "left": each.left,
                "says": said(each, one, past),
                "rules": rules,
            }


# ---------------------------------------------------------------- monsters by search


def monsters(call: Call) -> Reply:
    """Return the monsters of an edition whose names have words that begin as those asked for, those of exactly these words first."""
    known = documents()
    with refusing():
        rows = known.beginning(call.asked["name"], call.asked.get("edition") or known.editions[0])
    return document({"monsters": rows[:HITS]})


def edition_of(rules: Ruleset, chosen: dict[str, str]) -> str:
    """Return the edition of the reference document for a log, the chosen one or the first; "" if its game has none."""
    known = rules.documents()
    return chosen.get("edition", known.editions[0]) if known else ""
