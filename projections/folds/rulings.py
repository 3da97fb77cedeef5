"""Rulings in place of derived values: the values that can be ruled, and the changes by a ruling."""

from eventstore.events import ActionTaken, AttackRolled, Moved, RulingMade
from projections.fight import Ruled
from projections.folds.addresses import matching_addresses
from projections.mechanics.acts import name_or_kind
from projections.mechanics.grants import has_grant
from projections.occurrence import Occurrence
from projections.ruleset.ruleset import derives
from projections.state import State


@derives("log.ruling", on=RulingMade)
def keep_ruling(state: State, fact: Occurrence[RulingMade]) -> None:
    """Keep a ruling, which may change the order; an override sets the values that it can."""
    state.rulings.append(fact)
    if fact.event.ruling == "override":
        for address, value in (fact.event.values or {}).items():
            if not refusal_of_ruling(state, address, value):
                assign_value(state, address, value, fact.seq)
    state.rules.schedule.rederive_order(state)


def is_exempt(state: State, fact: Occurrence[ActionTaken | AttackRolled | Moved], rule: str) -> bool:
    """Return whether a ruling exempts a combatant from a rule, or this act."""
    event, one = fact.event, state.combatants[fact.event.combatant]
    words = (event.action.kind, name_or_kind(event.action)) if isinstance(event, ActionTaken) else ()
    return has_grant(state.rulings, rule, who=(one.id, one.side), event=(fact.seq, fact.cause), said=words).value


def refusal_of_ruling(state: State, address: str, value: object) -> str:
    """Return "" if a ruling can put this value at an address, or the address is unknown; else the kind of value that it needs."""
    for each, parts in matching_addresses(state, address):
        return each.why_refused(state, parts, value)
    return ""


def assign_value(state: State, address: str, value: object, seq: int) -> None:
    """Put a value in place of a derived one, at the first address of that name; `refusal` has allowed it."""
    for each, parts in matching_addresses(state, address):
        if each.rule:
            each.rule(state, *parts, value, seq)
        else:
            state.ruled[address] = Ruled(value, seq, each.until)
        return
