"""What somebody maintains: how it ends, and what ends it as something else begins."""

from projections.because import Because
from projections.folds.effects import concentrated, end
from projections.rulesets.ruleset import derives
from projections.rulesets.vile_darkness.state import Casting, VileState
from projections.rulesets.vile_darkness.works import needs_concentration

LOSS = "concentration.loss-ends-effect"


@derives("concentration.second-ends-first")
def ends_others(state: VileState, who: str, seq: int) -> None:
    """End what else somebody maintains as it begins to concentrate on something."""
    others = [key for key in concentrated(state, who) if key[0] != seq]
    gone = end(state, others, Because(ends_others.rules, (seq,)))
    if gone:
        state.round.ended[seq] = state.round.ended.get(seq, {}) | gone


def spare(state: VileState, who: str, because: Because) -> None:
    """Keep why what somebody maintains goes on, where an option might have ended it."""
    for seq, _ in concentrated(state, who):
        state.spared[seq] = Because(of=(because, state.spared.get(seq, Because())))


def casting_begins(state: VileState, casting: Casting) -> None:
    """End what somebody maintains, as of segment 1, as soon as it is known that it begins another concentration."""
    needs = needs_concentration(state, casting)
    if needs.value:
        ends_others(state, casting.who, casting.seq)
    else:
        spare(state, casting.who, needs.because)


def is_taken_back(state: VileState, who: str, seq: int) -> None:
    """Take back what somebody began by a declaration, and what ended because of that."""
    state.works = [each for each in state.works if (each.who, each.seq) != (who, seq)]
    ended = state.round.ended.get(seq, {})
    for key in [key for key, effect in ended.items() if effect.source == who]:
        state.effects[key] = ended.pop(key)
        state.touched.add(state.effects[key].bearer)
