"""The charmed, who do not attack their charmer."""

from __future__ import annotations

from collections.abc import Iterator
from typing import Any

from eventstore.events import ActionTaken, AttackRolled, DamageDealt
from projections.occurrence import Occurrence
from projections.rulesets.faults import Fault, checks_by
from projections.rulesets.fifth_edition.acts.deeds import STRIKES
from projections.rulesets.fifth_edition.attacks.circumstances import deed_behind
from projections.rulesets.fifth_edition.conditions import filled, sources
from projections.rulesets.fifth_edition.state import FifthState
from projections.rulesets.fifth_edition.table import clauses


@checks_by(*clauses("no_harm"), on=(ActionTaken, AttackRolled, DamageDealt))
def the_charmed_do_not_harm_the_charmer(state: FifthState, fact: Occurrence[Any]) -> Iterator[Fault]:
    """Yield that a combatant attacks or harms the source of a condition that forbids it."""
    event = fact.event
    who = event.source if isinstance(event, DamageDealt) else event.combatant
    if isinstance(event, ActionTaken):
        whom = event.action.targets if event.action.kind.casefold() in STRIKES else ()
    else:
        whom = (event.target,)
        deed = deed_behind(state, fact.cause)
        who = who or (deed.who if deed else "")
        if deed and deed.kind in STRIKES:
            return  # the act was judged
    for row in filled(state, "no_harm"):
        charmers = sources(state, who, row.name)
        if charmer := next((each for each in charmers if each in whom), ""):
            says, once = f"{who} is {row.name} by {charmer}", (fact.cause or fact.seq, charmer)
            yield Fault((row.rule,), says, "no harm", "an attack", (charmers[charmer],), once=once)
