"""Suffocation and burning."""

from __future__ import annotations

from eventstore.events import DamageDealt
from projections.because import Because, Derived
from projections.folds.vitals import update_status
from projections.mechanics.pools import HP
from projections.occurrence import Occurrence
from projections.rulesets.fifth_edition import figures
from projections.rulesets.fifth_edition.conditions import carries, events_of, fall_prone, has, kept_from
from projections.rulesets.fifth_edition.state import FifthState
from projections.rulesets.ruleset import derives
from projections.state import Combatant
from projections.time import Boundary


@derives("hazard.suffocation", at=("turn began", "turn ended"))
def breath_runs_out(state: FifthState, turn: Boundary) -> None:
    """Let a suffocating combatant fall to 0 hit points after as many rounds as its Constitution modifier, or gain exhaustion in 2024."""
    one = state.combatants[turn.who]
    if not carries(state, one.id, "suffocating"):
        state.choking.pop(one.id, None)
        return
    found = has(state, one.id, "suffocating")
    if turn.kind == "turn ended":
        level = Because((), (turn.seq,), state.chosen("edition"), (found,))
        state.exhausted.setdefault(one.id, []).append((int(state.is_new), Derived(one.id, level)))
        update_status(state, one)
    elif not state.is_new:
        since = events_of(found)[0]
        before, turns = state.choking.get(one.id, (since, ()))
        turns = (*turns, turn.seq) if before == since else (turn.seq,)
        state.choking[one.id] = since, turns
        constitution = figures.modifier(one, "constitution")
        if constitution is not None and len(turns) == max(1, constitution) + 1 and (one.hp or 0) > 0:
            fall_unconscious(state, one, turn.seq, Because((), turns, state.chosen("edition"), (found,)))


def fall_unconscious(state: FifthState, one: Combatant, seq: int, why: Because) -> None:
    """Let a combatant fall to 0 hit points for want of breath."""
    one.pools[HP].put(0, seq, (why,))
    state.body(one.id).by = breath_runs_out.rules
    update_status(state, one)
    if one.status == "dying":
        fall_prone(state, one.id, seq, Derived(one.id, why))


@derives("hazard.burning", at="turn began")
def fire_is_due(state: FifthState, turn: Boundary) -> None:
    """Let a burning combatant owe fire damage as its turn begins, in 2024."""
    found = has(state, turn.who, "burning")
    state.fire_due.pop(turn.who, None)
    why = Because(fire_is_due.rules, (turn.seq,), state.chosen("edition"), (found,))
    if state.is_new and found.value:
        state.fire_due[turn.who] = why
    elif found.because.of:
        kept_from(state, turn.who, "fire", why)


@derives("hazard.burning", on=DamageDealt)
def fire_is_paid(state: FifthState, fact: Occurrence[DamageDealt]) -> None:
    """Count recorded fire damage as that of burning."""
    types = {(part.damage_type or "fire").casefold() for part in fact.event.parts} or {"fire"}
    if "fire" in types and (due := state.fire_due.pop(fact.event.target, None)):
        kept_from(state, fact.event.target, "fire", Because((), (fact.seq,), {}, (due,)))


@derives("hazard.burning")
def burning(state: FifthState, who: str) -> Derived[str]:
    """Return the fire damage that is due for a combatant, or none."""
    due, over = state.fire_due.get(who), state.ended.get(("fire", who))
    if due:
        return Derived("1d4 fire", due)
    why = (Derived(who, over),) if over else ()
    return Derived("none", Because(burning.rules, (state.combatants[who].joined,), {}, why))
