"""Attacks of opportunity that come too late."""

from collections.abc import Iterator
from itertools import takewhile

from eventstore.events import ActionTaken
from projections.rulesets.definition_master.acts.pricing import AOO, IMMEDIATE
from projections.rulesets.definition_master.reading import Reading
from projections.rulesets.definition_master.squares.provoking import opening_of, why_not
from projections.rulesets.definition_master.state import MasterState
from projections.rulesets.definition_master.state_of_turns import Act
from projections.rulesets.ruleset import Breach, check

Acts = Reading[ActionTaken]


@check("aoo.on-leaving-threat", on=ActionTaken)
def a_strike_comes_at_once(state: MasterState, act: Acts) -> Breach | None:
    """Report a strike at what was done before something else: in an earlier turn, or before a further act of the turn."""
    told = act.act
    if told is None or told.cost != AOO or act.is_granted("aoo.on-leaving-threat") or why_not(state, told):
        return None
    opening = opening_of(state, told)
    if opening is None:
        return None
    since = [each for each in _acts_after(state, opening.seq) if each.cost not in (*IMMEDIATE, "free")]
    began = state.clock.turn_event
    if not since and (not began or state.precedes(began, opening.seq)):
        return None
    later = tuple(each.seq for each in since[-1:]) or (began,)
    return Breach(f"the moment of event {opening.seq} has gone by", "at once", "later", (opening.seq, *later))


def _acts_after(state: MasterState, seq: int) -> Iterator[Act]:
    """Yield the acts of the round after a record, the last first."""
    return takewhile(lambda act: state.precedes(seq, act.seq), reversed(state.round.acts))
