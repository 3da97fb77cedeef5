"""What stands behind a blow or a spell in its line befalls whom that befell, and has it as its cause."""

from collections.abc import Iterable, Iterator, Sequence

from msgspec import structs

from eventstore.events import (
    ActionAbandoned,
    ActionTaken,
    AttackRolled,
    Checked,
    CombatantLeft,
    ConditionGained,
    ConditionLost,
    DamageDealt,
    EffectEnded,
    EffectStarted,
    Fact,
    Healed,
    Moved,
    RulingMade,
    SaveRolled,
    TurnEnded,
)
from projections.grammar.line_context import LineContext, declared_by
from projections.grammar.parsing import Parsed

OUTCOMES = (SaveRolled, ConditionGained, ConditionLost, DamageDealt, EffectEnded, ActionAbandoned, RulingMade, Checked)
"""The facts that befall somebody; whatever else is said is done by whoever acts in the sentence."""
UNCLEAR = (CombatantLeft, TurnEnded)
"""The facts that either may be about who acts or whom it is at, if nothing says who."""


def struck(facts: Sequence[Fact]) -> tuple[str, ...]:
    """Return those at whom the acts and effects of these facts are, else whose points others changed; nobody if there is none."""
    aimed = [who for fact in facts for who in aimed_at(fact) if who != _doer(fact)]
    changed = (
        fact for fact in facts if isinstance(fact, DamageDealt | Healed) and fact.source not in (None, fact.target)
    )
    return tuple(dict.fromkeys(aimed or (fact.target for fact in changed if fact.target)))


def misses(facts: Sequence[Fact]) -> bool:
    """Say whether the last of these attack rolls misses, so that it befalls nobody."""
    rolls = [fact.hit for fact in facts if isinstance(fact, AttackRolled)]
    return rolls[-1:] == [False]


def aimed_at(fact: Fact) -> tuple[str, ...]:
    """Return those at whom an act, an attack roll or an effect is; nobody for any other fact."""
    match fact:
        case ActionTaken(action=action):
            return action.targets
        case AttackRolled(target=str(target)):
            return (target,)
        case EffectStarted(targets=targets):
            return targets
    return ()


def _doer(fact: Fact) -> str | None:
    return fact.source if isinstance(fact, EffectStarted) else getattr(fact, "combatant", None)


def befalls(facts: Sequence[Fact]) -> bool:
    """Say whether these facts only tell what befalls somebody."""
    return facts != () and all(isinstance(fact, OUTCOMES) or _is_forced(fact) for fact in facts)


def _is_forced(fact: Fact) -> bool:
    return isinstance(fact, Moved) and fact.forced


def is_unclear(facts: Sequence[Fact]) -> bool:
    """Say whether these facts may be about whoever acts, or about whom that is at."""
    return facts != () and all(isinstance(fact, UNCLEAR) for fact in facts)


def is_of_who_has(facts: Sequence[Fact]) -> bool:
    """Say whether these facts only tell what somebody loses, which shows whom they are about."""
    return all(isinstance(fact, ConditionLost | EffectEnded | ActionAbandoned) for fact in facts)


def is_possible(context: LineContext, facts: Iterable[Fact]) -> bool:
    """Say whether those who lose something by these facts have it: a condition, an effect, work that they have begun."""
    return all(_has(context, fact) for fact in facts)


def _has(context: LineContext, fact: Fact) -> bool:
    state = context.state
    match fact:
        case ConditionLost(condition=name, targets=targets):
            borne = {(each.bearer, each.name.casefold()) for each in state.conditions.values()}
            return any((who, name.casefold()) in borne for who in targets)
        case EffectEnded(effect=name, source=str(source)):
            return any(
                each.source == source and each.name.casefold() == name.casefold() for each in state.effects.values()
            )
        case ActionAbandoned(combatant=who):
            return who in context.memory.begun or declared_by(context, who) is not None
    return True


def caused(facts: Sequence[Fact], before: Sequence[Fact]) -> tuple[Fact, ...]:
    """Return what stands behind these facts in a line, with the last act at those whom it befalls as its cause, counted back."""
    return tuple(_caused(fact, before, len(before) + place) for place, fact in enumerate(facts))


def behind(part: Parsed, line: str, before: Sequence[Fact]) -> Parsed:
    """Return a part of a line behind these facts with the act that it comes of as its cause, which its lines say, too."""
    facts = part.facts if part.acts else caused(part.facts, before)
    back = [-cause for old, new in zip(part.facts, facts, strict=True) if old is not new and (cause := cause_of(new))]
    said = part.said or (line,)
    marks = back if len(back) == len(said) else back[:1]
    shown = (f"{each} ^{number if number > 1 else ''}" for each, number in zip(said, marks, strict=False))
    return structs.replace(part, facts=facts, said=(*shown, *said[len(marks) :]))


def cause_of(fact: Fact) -> int:
    """Return the cause of a fact as it is recorded, 0 if it has none."""
    return getattr(fact, "cause", None) or 0


def _caused(fact: Fact, before: Sequence[Fact], place: int) -> Fact:
    whom = {*_bearers(fact)}
    acts = [at for at, each in enumerate(before) if isinstance(each, ActionTaken | EffectStarted)]
    act = next((at for at in reversed(acts) if whom & {*aimed_at(before[at])} - {_doer(before[at])}), None)
    if act is None or getattr(fact, "cause", 0) is not None:
        return fact
    return structs.replace(fact, cause=act - place)


def _bearers(fact: Fact) -> Iterator[str]:
    """Yield those whom a fact befalls, if it can have a cause."""
    match fact:
        case SaveRolled(combatant=who) | DamageDealt(target=str(who)):
            yield who
        case EffectEnded(source=source, targets=several):
            yield from (*several, source or "")
        case ConditionGained(targets=several) | ConditionLost(targets=several):
            yield from several
