"""Effects and conditions: who bears which, since when, from whom, for how long."""

from eventstore.events import CombatantLeft, ConditionGained, ConditionLost, EffectEnded, EffectStarted
from projections.mechanics.conditions import end, matching
from projections.rulesets.ruleset import derives
from projections.state import Effect, Occurrence, State


@derives(on=EffectStarted)
def effect_starts(state: State, fact: Occurrence[EffectStarted]) -> None:
    """Put an effect on each target; with no target it stands by itself, and what concentrates on it is its source."""
    event = fact.event
    for bearer in bearers(state, event) if event.targets else ("",):
        state.effects[fact.seq, bearer] = Effect(
            seq=fact.seq,
            name=event.effect,
            bearer=bearer,
            source=event.source or "",
            duration=event.duration,
            left=event.duration.amount if event.duration else None,
            concentration=event.concentration,
            parent=event.parent or 0,
            since=fact.point,
        )


def bearers(state: State, event: EffectStarted | ConditionGained) -> tuple[str, ...]:
    """Return those among the targets who have joined; nobody else can bear anything."""
    return tuple(who for who in event.targets if who in state.combatants)


@derives(on=EffectEnded)
def effect_ends(state: State, fact: Occurrence[EffectEnded]) -> None:
    """End the effects of this name, source and bearer, with everything that has them as parent."""
    event = fact.event
    end(state, matching(state.effects, event.effect, event.targets, event.source))


@derives(on=ConditionGained)
def condition_comes(state: State, fact: Occurrence[ConditionGained]) -> None:
    """Put the targets into a state; one that they are in already is renewed."""
    event = fact.event
    for bearer in bearers(state, event):
        for key in matching(state.conditions, event.condition, (bearer,), None):
            del state.conditions[key]
        state.conditions[fact.seq, bearer] = Effect(
            seq=fact.seq,
            name=event.condition,
            bearer=bearer,
            source=event.source or "",
            duration=event.duration,
            left=event.duration.amount if event.duration else None,
            since=fact.point,
        )


@derives(on=ConditionLost)
def condition_goes(state: State, fact: Occurrence[ConditionLost]) -> None:
    """Take the targets out of a state."""
    for key in matching(state.conditions, fact.event.condition, fact.event.targets, None, anyone=False):
        del state.conditions[key]


@derives(on=CombatantLeft)
def bearer_leaves(state: State, fact: Occurrence[CombatantLeft]) -> None:
    """Take what a combatant bears along when it leaves."""
    who = fact.event.combatant
    end(state, [key for key in state.effects if key[1] == who])
    for key in [key for key in state.conditions if key[1] == who]:
        del state.conditions[key]
