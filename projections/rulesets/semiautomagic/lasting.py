"""Durations of effects and conditions: counted in turns of six seconds, those of the one who brought them about."""

from collections.abc import Iterator

from eventstore.shapes import Duration
from projections.mechanics.conditions import Effect
from projections.mechanics.durations import DurationRules, Passed, Timer, by_turns, from_whom, timer_on_turns
from projections.rulesets.ruleset import derives
from projections.rulesets.semiautomagic.state import SemiautomagicState
from projections.time import Boundary


@derives("effect.runs-out")
def timer(state: SemiautomagicState, effect: Effect, said: Duration) -> Timer:
    """Count a duration by the turns that it names, else those of whom it comes from or its bearer."""
    return timer_on_turns(effect, said, "" if said.of else from_whom(state, effect), effect.bearer)


@derives("effect.runs-out")
def counted_turns(state: SemiautomagicState, boundary: Boundary) -> Iterator[Passed]:
    """Yield the turns that a boundary counts; a place that goes by counts as a turn, and a turn taken after that no more."""
    passed = state.turns.progress.passed
    if boundary.kind == "place passed":
        yield Passed(boundary.who, absent=True)
    elif boundary.kind != "turn began" or boundary.who not in passed:
        yield from by_turns(state, boundary)


DURATIONS = DurationRules(rules=timer.rules, timer=timer, passes=counted_turns)
