"""What somebody maintains: how it ends, and what ends it as something else begins."""

from projections.because import Because
from projections.folds.effects import concentrated, end
from projections.mechanics.conditions import Effect, Key
from projections.rulesets.ruleset import derives
from projections.rulesets.vile_darkness.state import Casting, VileState
from projections.rulesets.vile_darkness.works import needs_concentration

LOSS = "concentration.loss-ends-effect"


def fail(state: VileState, keys: list[Key], because: Because) -> dict[Key, Effect]:
    """End maintained effects, and keep why."""
    gone = end(state, keys, because) if keys else {}
    state.failed |= {seq: because for seq, _ in gone}
    return gone


@derives("concentration.second-ends-first")
def ends_others(state: VileState, who: str, seq: int) -> None:
    """End what else somebody maintains as it begins to concentrate on something."""
    others = [key for key in concentrated(state, who) if key[0] != seq and state.effects[key].parent != seq]
    gone = fail(state, others, Because(ends_others.rules, (seq,)))
    if gone:
        state.round.ended[seq] = state.round.ended.get(seq, {}) | gone


def spare(state: VileState, who: str, because: Because) -> None:
    """Keep why what somebody maintains goes on, where an option might have ended it."""
    for seq, _ in concentrated(state, who) if because.options else ():
        state.spared[seq] = Because(of=(because, *((state.spared[seq],) if seq in state.spared else ())))


def casting_begins(state: VileState, casting: Casting) -> None:
    """End what somebody maintains, as of segment 1, as soon as it is known that it begins another concentration."""
    needs = needs_concentration(state, casting)
    if needs.value:
        ends_others(state, casting.who, casting.seq)
    else:
        spare(state, casting.who, needs.because)


def is_taken_back(state: VileState, seq: int) -> None:
    """Give back what ended because of a declaration that is taken back."""
    for key, effect in state.round.ended.pop(seq, {}).items():
        state.effects[key] = effect
        state.failed.pop(key[0], None)
