"""Durations of effects and conditions: their rounds are counted by the turns of the combatant who they are of."""

from eventstore.shapes import Duration
from projections.because import Because
from projections.folds.effects import remember
from projections.mechanics.conditions import Effect
from projections.mechanics.durations import DurationRules, Timer, count_back, from_whom, start, timer_on_turns
from projections.rulesets.definition_master.state import MasterState
from projections.rulesets.ruleset import derives
from projections.time import Boundary


@derives("round.six-seconds")
def timer(state: MasterState, effect: Effect, said: Duration) -> Timer:
    """Count rounds by the turns that a duration names, else those of whom it comes from or its bearer."""
    return timer_on_turns(effect, said, "" if said.of else from_whom(state, effect), effect.bearer)


@derives("full-round.until-next-turn", at="turn put off")
def put_off_turn_is_counted_back(state: MasterState, turn: Boundary) -> None:
    """Count durations back that a turn had counted and that is then put off."""
    held = state.turns.in_hand.get(turn.who)
    for timer in count_back(state.durations, turn.who, held.resumed or held.seq) if held else ():
        remember(state, timer.effect)
    for key, effect in {**state.effects, **state.conditions, **state.over}.items():
        if held and effect.ticked_by[-1:] == (held.resumed or held.seq,):
            effect.left, effect.ticked_by = (effect.left or 0) + 1, effect.ticked_by[:-1]
            freed = state.freed_by.get(effect.bearer, {}).get(effect.name.casefold(), Because())
            among = state.conditions if effect.seq in freed.events else state.effects
            if key in state.over:
                among[key] = state.over.pop(key)
            state.touched.add(effect.bearer)
            start(state.durations, key, Timer(effect, turn.who, "start"))


DURATIONS = DurationRules(
    rules=put_off_turn_is_counted_back.rules,
    timer=timer,
    starts=("turn began", "turn resumed", "place passed"),
    ends_at=lambda _state, _key: None,
    empty_rounds=True,
    next_round=False,
    shows_unknown=True,
)
"""A place that is passed counts like a turn that begins; the end of an effect is not announced."""
