"""Damage of a shatter: to a weapon, a shield or an armor, never to whoever bears it."""

from typing import Any

from eventstore.events import DamageDealt
from projections.because import Because, Derived
from projections.mechanics.grants import names
from projections.rulesets.definition_master.acts.acts import act_at
from projections.rulesets.definition_master.maneuvers.contests import bout_behind
from projections.rulesets.definition_master.reading import Told
from projections.rulesets.definition_master.state import MasterState
from projections.rulesets.definition_master.state_of_combat import Bout
from projections.rulesets.ruleset import Breach, check, derives

# ---------------------------------------------------------------- things


@derives("shatter.contest", on=DamageDealt)
def thing_is_hurt(state: MasterState, fact: Told) -> None:
    """Keep what a weapon, a shield or an armor has taken, unless the contest for it was lost."""
    event: DamageDealt = fact.event
    bout = bout_behind(state, fact, fact.event.target, "shatter")
    if event.object and event.amount > 0 and not (bout and is_lost(bout)):
        state.health.things.setdefault((event.target, event.object.casefold()), []).append((fact.seq, event.amount))


def is_lost(bout: Bout) -> bool:
    """Say whether the aggressor has lost a contest."""
    return bool(bout.attempt.winner) and bout.attempt.winner != bout.attempt.aggressor


@check("shatter.contest", on=DamageDealt)
def a_shatter_hurts_a_thing(state: MasterState, fact: Told) -> Breach | None:
    event, bout = fact.event, bout_behind(state, fact, fact.event.target, "shatter")
    act = act_at(state, fact.cause)
    if bout and is_lost(bout):
        return Breach(f"{bout.attempt.aggressor} lost: nothing is damaged", "0", str(event.amount), bout.attempt.rolls)
    shatters = bout is not None or (act is not None and act.kind == "shatter" and event.target in act.action.targets)
    if not shatters or event.object or not event.amount:
        return None
    return Breach(f"a shatter leaves the hit points of {event.target} alone", "a thing", event.target)


def thing(state: MasterState, who: str, name: str) -> Derived[int] | None:
    """Return the damage that a thing of somebody has taken; None for one that has taken none."""
    own = [hits for (owner, thing), hits in state.health.things.items() if owner == who and names(name, (thing,))]
    taken = {seq: amount for hits in own for seq, amount in hits}
    return Derived(sum(taken.values()), Because(("shatter.contest",), tuple(taken))) if taken else None


def things(state: Any) -> list[tuple[str, str]]:
    """Return the things that have taken damage, with their owners."""
    return list(state.health.things)
