"""Durations of effects and conditions: their rounds are counted by the turns of whoever they are of."""

from typing import Any

from eventstore.events import ConditionGained, EffectStarted, RulingMade, TimePassed
from eventstore.shapes import Duration
from projections.because import Because
from projections.folds.effects import run_out
from projections.mechanics.timers import Timer, count, count_all, owners, start
from projections.occurrence import Occurrence
from projections.rulesets.definition_master.sheet import CALENDAR
from projections.rulesets.definition_master.state import MasterState
from projections.rulesets.ruleset import derives
from projections.time import Boundary


@derives("round.six-seconds", on=(EffectStarted, ConditionGained, RulingMade))
def is_counted(state: MasterState, _fact: Occurrence[Any]) -> None:
    """Count what has a duration in rounds, by the turns that it names, else those of its source or its bearer."""
    for key, effect in {**state.effects, **state.conditions}.items():
        if key in state.flow.timers or not (said := effect.duration):
            continue
        if (rounds := CALENDAR.count(CALENDAR.length(said), "round")) is not None:
            effect.left, effect.duration = rounds, Duration(amount=rounds, unit="round", of=said.of, at=said.at)
            at = "turn ended" if (said.at or "").casefold() == "end" else "turn began"
            start(state.flow.timers, key, Timer(effect, said.of or effect.source or effect.bearer, at))


@derives("round.six-seconds", at=("turn began", "turn resumed", "place passed", "turn ended"))
def turn_counts(state: MasterState, turn: Boundary) -> None:
    """Count down what is counted by somebody's turns; a place that goes by counts like a turn that begins."""
    _counts(state, turn.who, turn.seq, "turn ended" if turn.kind == "turn ended" else "turn began")


@derives("round.six-seconds", at="round opened")
def round_counts(state: MasterState, opened: Boundary) -> None:
    """Count down by rounds what is counted by the turns of nobody, or of somebody who has left."""
    for owner in owners(state.flow.timers):
        if owner not in state.combatants or state.combatants[owner].left:
            _counts(state, owner, opened.seq, "turn began")
            _counts(state, owner, opened.seq, "turn ended")


def _counts(state: MasterState, owner: str, seq: int, at: str) -> None:
    run_out(state, state.flow.timers, count(state.flow.timers, owner, seq, at), state.rules.effect_rules)


@derives("round.six-seconds", on=TimePassed)
def time_passes(state: MasterState, fact: Occurrence[TimePassed]) -> None:
    """Count down everything by the rounds that pass without facts."""
    over = count_all(state.flow.timers, fact.seq, CALENDAR.whole(fact.event.time, "round"))
    run_out(state, state.flow.timers, over, state.rules.effect_rules)


@derives("full-round.until-next-turn", at="turn put off")
def goes_on(state: MasterState, turn: Boundary) -> None:
    """Count back what a turn has counted that is then put off, and so was not taken."""
    held = state.turns.in_hand.get(turn.who)
    for key, effect in {**state.effects, **state.conditions, **state.over}.items():
        if held and effect.ticked_by[-1:] == (held.resumed or held.seq,):
            effect.left, effect.ticked_by = (effect.left or 0) + 1, effect.ticked_by[:-1]
            freed = state.freed_by.get(effect.bearer, {}).get(effect.name.casefold(), Because())
            among = state.conditions if effect.seq in freed.events else state.effects
            if key in state.over:
                among[key] = state.over.pop(key)
            state.touched.add(effect.bearer)
            start(state.flow.timers, key, Timer(effect, turn.who, "turn began"))
