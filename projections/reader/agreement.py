"""Whether two readings of a line tell of the same people: who strikes, who is hurt, healed, or in another state, who saves or leaves."""

from collections.abc import Iterable, Sequence

from eventstore.events import (
    ActionDeclared,
    ActionTaken,
    AttackRolled,
    CombatantJoined,
    CombatantLeft,
    ConditionGained,
    ConditionLost,
    DamageDealt,
    Fact,
    Healed,
    InitiativeRolled,
    SaveRolled,
    TurnStarted,
)

Whom = dict[str, set[str]]
ORDER = "has initiative"
"""What a reading tells of an order: a list of numbers may be one, and another reading of it tells of something else."""


def whom(facts: Sequence[Fact]) -> Whom:
    """Return the people of facts, by what is told of them; whose turn begins only where nothing else is told."""
    found: Whom = {}
    if len(facts) == 1 and isinstance(facts[0], TurnStarted):
        return {"has the turn": {facts[0].combatant}}
    for fact in facts:
        for what, who in _told(fact):
            found.setdefault(what, set()).add(who)
    return found


def _told(fact: Fact) -> Iterable[tuple[str, str]]:
    match fact:
        case AttackRolled():
            yield "strikes", fact.combatant
            if fact.target:
                yield "is aimed at", fact.target
        case ActionTaken() | ActionDeclared():
            if fact.combatant and fact.action.kind in ("attack", "cast"):
                yield "strikes", fact.combatant
                yield from (("is aimed at", who) for who in fact.action.targets)
        case DamageDealt():
            yield "is hurt", fact.target
        case Healed():
            yield "is healed", fact.target
        case ConditionGained():
            yield from (("gains", who) for who in fact.targets)
        case ConditionLost():
            yield from (("loses", who) for who in fact.targets)
        case SaveRolled():
            yield "saves", fact.combatant
        case CombatantLeft():
            yield "leaves", fact.combatant
        case InitiativeRolled():
            yield from ((ORDER, who) for who in (fact.combatant, *fact.together) if who)
        case CombatantJoined():
            yield "joins", fact.combatant
        case _:
            pass


def contradict(one: Sequence[Fact], other: Sequence[Fact]) -> bool:
    """Say whether two readings of a line tell the same of different people, or nothing that is the same."""
    mine, theirs = whom(one), whom(other)
    both = mine.keys() & theirs.keys()
    if mine.keys() - {ORDER} and theirs.keys() - {ORDER} and not both:
        return True
    return any(mine[what] != theirs[what] for what in both)
