"""Implied concentration: the caster of a spell that is known to need it concentrates on it."""

from msgspec import structs

from eventstore.events import ActionTaken, ConditionGained, EffectStarted, Fact
from projections.language.notation import forms
from projections.language.notation.line_context import LineContext, declared_by, known_spell
from projections.language.notation.parsing import Parsed
from projections.stream.corrections import referring


def concentrating(context: LineContext, parsed: Parsed) -> Parsed:
    """Return the meaning of a line in which each spell that is known to need concentration has an effect on which its caster concentrates.

    A spell with a casting time begins none until its declared casting is carried out, and one that fails begins none. A
    script itself says all that it records.
    """
    table = forms.of(context.state.rules.rules)
    if context.script or not table.concentrates or parsed.form == "json":
        return parsed
    facts, place = list(parsed.facts), 0
    while place < len(facts):
        act = facts[place]
        casting = table.words.get("casting", ())
        if isinstance(act, ActionTaken) and _begins(context, act, casting):
            facts[place + 1 :] = _with_effect(context, act, facts[place + 1 :])
        place += 1
    return structs.replace(parsed, facts=tuple(facts))


def _begins(context: LineContext, act: ActionTaken, casting: tuple[str, ...]) -> bool:
    """Say whether concentration begins with an act."""
    action, declared = act.action, declared_by(context, act.combatant)
    if action.kind not in casting:
        return False
    spell = known_spell(context, act.combatant, action.name or "")
    is_over = declared is not None and (declared.name or "").casefold() == (action.name or "").casefold()
    is_quick = action.time is None and spell.get("time") is None
    return bool(spell.get("concentration")) and (is_over or is_quick)


def _with_effect(context: LineContext, act: ActionTaken, behind: list[Fact]) -> list[Fact]:
    """Return the facts of a line after the casting of a spell, with its concentration effect, which may be among them already."""
    name, who = act.action.name or "", act.combatant
    found = [each for each in behind if isinstance(each, EffectStarted) and each.effect.casefold() == name.casefold()]
    if found:
        own = [each for each in found if each.source == who]
        return [structs.replace(each, concentration=True) if each in own else each for each in behind]
    effect = EffectStarted(effect=name, source=who, targets=_friends(context, act), concentration=True, cause=-1)
    return [effect, *(_moved_on(each, at) for at, each in enumerate(behind, 1))]


def _friends(context: LineContext, act: ActionTaken) -> tuple[str, ...]:
    """Return a spell's targets if all are on its caster's side; whether it affects others is still to be reported."""
    people = context.state.combatants
    side = people[act.combatant].side if act.combatant in people else None
    own = [who for who in act.action.targets if who == act.combatant or (side and people[who].side == side)]
    return act.action.targets if len(own) == len(act.action.targets) else ()


def _moved_on(fact: Fact, behind: int) -> Fact:
    """Return a fact some places after an act, with its references to that act and beyond moved past the effect that is inserted between.

    A condition that the act causes belongs to the effect, and ends with it.
    """
    kept = -behind if isinstance(fact, ConditionGained) else 0
    return referring(fact, lambda back: back - 1 if back <= -behind and back != kept else back)
