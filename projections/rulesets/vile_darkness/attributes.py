"""Attributes of effects, the attributes that they imply, and immunity to them."""

from collections.abc import Iterator

from eventstore.events import ActionTaken, ConditionGained, DamageDealt, EffectStarted, Fact, Moved
from projections.because import Because
from projections.folds.effects import end
from projections.ruleset.catalogue import read
from projections.ruleset.faults import Fault, checks_by
from projections.ruleset.ruleset import derives
from projections.rulesets.vile_darkness.reading import Reading
from projections.rulesets.vile_darkness.state import VileState, cited_records
from projections.rulesets.vile_darkness.table import RULES, entry_of
from projections.stream.causes import causes

Affecting = ConditionGained | DamageDealt | EffectStarted | Moved | ActionTaken
AFFECTING = (ConditionGained, DamageDealt, EffectStarted, Moved, ActionTaken)
"""Facts that affect a combatant."""


@derives("attribute.implied")
def carried(attributes: set[str]) -> set[str]:
    """Return the attributes that others imply."""
    rows = read(RULES).tables["implied"]
    return {each for row in rows if row["attribute"] in attributes for each in row["carries"]}


def listed(state: VileState, event: EffectStarted | ActionTaken) -> set[str]:
    """Return the attributes of an effect or act, or of its entry."""
    if isinstance(event, EffectStarted):
        entry, said = entry_of(state, event.source, event.effect), event.attributes
    else:
        entry, said = entry_of(state, event.combatant, event.action.name), ()
    return {each.casefold() for each in (*said, *(entry.attributes if entry else ()))}


@derives("attribute.immunity", "attribute.implied")
def immune(state: VileState, who: str, attributes: set[str]) -> tuple[str, str] | None:
    """Return one of these attributes, or one that they imply, to which a combatant is immune, with the rule."""
    own = {each.casefold() for each in state.combatants[who].sheet.immune}
    for rule, those in (("attribute.immunity", attributes), ("attribute.implied", carried(attributes))):
        if found := sorted(own & those):
            return found[0], rule
    return None


@derives("attribute.immunity", on=EffectStarted, phase="effects")
def effects_leave_the_immune_alone(state: VileState, fact: Reading[EffectStarted]) -> None:
    """Remove an effect from targets who are immune to it."""
    for who in filter(state.combatants.__contains__, fact.event.targets):
        if found := immune(state, who, listed(state, fact.event)):
            changed = cited_records(state.combatants[who].changed.get("immune", 0))
            end(state, [(fact.seq, who)], Because((found[1],), (fact.seq,), (changed,)))


def touched(fact: Reading[Fact]) -> Iterator[str]:
    """Yield the combatants whom a fact affects."""
    event = fact.event
    if isinstance(event, ConditionGained | EffectStarted):
        yield from event.targets
    elif isinstance(event, DamageDealt):
        yield from (event.target,) if event.amount > 0 and not event.object else ()
    elif isinstance(event, Moved) or (isinstance(event, ActionTaken) and fact.kind == "flee"):
        yield event.combatant


@checks_by("attribute.immunity", "attribute.implied", on=AFFECTING)
def the_immune_are_not_affected(state: VileState, fact: Reading[Affecting]) -> Iterator[Fault]:
    """Yield a fault for each combatant affected in spite of an immunity."""
    event = fact.event
    because = getattr(event, "trigger", None) or fact.cause
    kinds = (EffectStarted,) if isinstance(event, EffectStarted) else (EffectStarted, ActionTaken)
    sources = [(each.event, each.seq) for each in causes(state, because) if isinstance(each.event, kinds)]
    for who in filter(state.combatants.__contains__, touched(fact)):
        for source, seq in sources:
            if found := immune(state, who, listed(state, source)):
                events = (*state.combatants[who].records("immune"), seq)
                yield Fault((found[1],), f"{who} is immune to {found[0]}", "no effect", "an effect", events)
                return
