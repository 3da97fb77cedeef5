"""The charmed, who do not attack their charmer."""

from __future__ import annotations

from typing import Any

from eventstore.events import ActionTaken, AttackRolled, DamageDealt
from projections.occurrence import Occurrence
from projections.rulesets.fifth_edition.acts.deeds import STRIKES
from projections.rulesets.fifth_edition.attacks.circumstances import deed_behind
from projections.rulesets.fifth_edition.conditions import sources
from projections.rulesets.fifth_edition.state import FifthState
from projections.rulesets.ruleset import Breach, check


@check("charmed.no-harm", on=(ActionTaken, AttackRolled, DamageDealt))
def the_charmed_do_not_harm_the_charmer(state: FifthState, fact: Occurrence[Any]) -> Breach | None:
    event = fact.event
    who = event.source if isinstance(event, DamageDealt) else event.combatant
    if isinstance(event, ActionTaken):
        whom = event.action.targets if event.action.kind.casefold() in STRIKES else ()
    else:
        whom = (event.target,)
        deed = deed_behind(state, fact.cause)
        who = who or (deed.who if deed else "")
        if deed and deed.kind in STRIKES:
            return None  # the act was judged
    charmers = sources(state, who, "charmed")
    charmer = next((each for each in charmers if each in whom), "")
    if not charmer:
        return None
    once = (fact.cause or fact.seq, charmer)
    return Breach(f"{who} is charmed by {charmer}", "no harm", "an attack", (charmers[charmer],), once=once)
