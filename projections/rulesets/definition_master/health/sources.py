"""Who is behind damage, healing and saves: the source that is named, else whoever did what caused it."""

from typing import Any

from eventstore.events import ActionTaken, AttackRolled
from projections.occurrence import Occurrence
from projections.rulesets.definition_master.state import MasterState
from projections.stream.causes import causes


def attacker(state: MasterState, fact: Occurrence[Any]) -> str:
    """Return who dealt damage or healed: the source, else who did what caused it; "" where nobody said."""
    if source := getattr(fact.event, "source", None):
        return str(source)
    for cause in causes(state, fact.cause):
        event = cause.event
        if isinstance(event, ActionTaken | AttackRolled):
            return str(event.combatant)
        if source := getattr(event, "source", None):
            return str(source)
    return ""
