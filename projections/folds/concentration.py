"""Concentration on effects: its beginning, its end, and its address.

An effect with `concentration` takes up its source's concentration. A ruleset in which a combatant can concentrate on
one effect only calls `end_previous` for effects, from a function marked with the clause; for anything else that ends
it, such as a blow, it calls `release`. If a blow requires a throw, which is a due, `end_if_save_failed` applies the result.
"""

from __future__ import annotations

from eventstore.events import EffectStarted, SaveRolled
from projections.address import NOTHING, Address
from projections.because import Because, Derived
from projections.fight import Combatant
from projections.folds.effects import end_effects, may_be_none
from projections.mechanics.conditions import Effect, Key, effects_held, last_effect_name
from projections.mechanics.dues import answer, answering_records
from projections.occurrence import Occurrence
from projections.state import State


def release(state: State, who: str | None, because: Because | None = None, but: int = 0) -> dict[Key, Effect]:
    """End the effects that a combatant concentrates on, except those of one record, with their children; return the effects that have ended."""
    return end_effects(state, effects_held(state.effects, who, but), because, who)


def end_previous(state: State, fact: Occurrence[EffectStarted], because: Because) -> dict[Key, Effect]:
    """End the earlier concentration of a combatant that begins to concentrate on an effect; return the effects that have ended."""
    return release(state, fact.event.source, because, but=fact.seq) if fact.event.concentration else {}


def end_if_save_failed(
    state: State, fact: Occurrence[SaveRolled], owed: str, made: bool | None, rules: tuple[str, ...]
) -> None:
    """End the concentration of a combatant that fails a throw it owes.

    If an earlier record answered the due, the throw is not owed; the effects then go on and cite that record.
    """
    who = fact.event.combatant
    due = answer(state.dues, who, owed, fact.cause, by=fact.seq)
    before = answering_records(state.dues, owed, who)
    if due and made is False:
        release(state, who, Because(rules, (fact.seq,), of=(due.because,)))
    elif made is False:
        for key in effects_held(state.effects, who):
            state.effects[key].of += (Because((), before),)


def concentration_of(state: State, one: Combatant, rules: tuple[str, ...]) -> tuple[str, Because]:
    """Return the name of the effect that a combatant concentrates on, "" for none, by these clauses."""
    found = last_effect_name(state.effects, state.released, one.id)
    return found.value, Because(rules, () if found.value else (one.joined,), (found,))


# ---------------------------------------------------------------- address


def _read_concentration(state: State, who: str) -> Derived[str]:
    name, because = state.rules.concentration(state, state.combatants[who])
    return Derived(name or NOTHING, because)


def _check_end(state: State, who: str, value: object) -> str:
    busy = effects_held(state.effects, who) or state.rules.concentration(state, state.combatants[who])[0]
    return "" if value == NOTHING and busy else "none, while there is something; effect_started begins an effect"


ADDRESSES = (
    Address(
        "<who>.concentration",
        _read_concentration,
        says="what a combatant concentrates on",
        wants=_check_end,
        rule=lambda state, who, _value, _seq: release(state, who),
        also=may_be_none,
    ),
)
