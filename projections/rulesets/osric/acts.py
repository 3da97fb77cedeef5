"""Steps that keep acts and holds, with their places in the round."""

from eventstore import events
from projections.because import Because
from projections.occurrence import Occurrence
from projections.ruleset.ruleset import derives
from projections.rulesets.osric.order import HOLD, WAITING, keep_highest_row
from projections.rulesets.osric.reading import OF_ACTS, Reading
from projections.rulesets.osric.routines import CHARGE, FLEE, is_interrupt
from projections.rulesets.osric.spells import begin_casting, due_key, spell_declared_as, why_effect
from projections.rulesets.osric.state import SEGMENTS, SPELL, KeyedAct, OsricState

OUTCOMES = (*OF_ACTS, events.ActionAbandoned, events.ConditionGained, events.ConditionLost)
"""Results of acts and spells, which may have a segment of their own."""
ROLLS = (events.SaveRolled, events.ContestRolled, events.DiceRolled)
OTHER_MOMENTS = (*ROLLS, events.Moved, events.ResourceChanged, events.EffectEnded)
"""Facts that may have a segment of their own and are no rows of the round: this text does not mention them."""


@derives("round.next-declarations", on=events.RoundStarted)
def keep_claimed_round(state: OsricState, fact: Occurrence[events.RoundStarted]) -> None:
    """Keep the recorded number of a round."""
    state.round.claimed = fact.event.round


@derives("initiative.other-sides-die", on=(events.ActionTaken, *OF_ACTS))
def keep_act(state: OsricState, fact: Reading[events.Fact]) -> None:
    """Keep an act at its place in the round, and begin the casting of a spell."""
    if not fact.is_act or (kind := fact.doing) == HOLD:
        return
    action, who, key = fact.action, fact.who, fact.key
    act_fields = (fact.seq, who, action, fact.point, kind, key.value, key.because)
    said = (fact.declared.seq,) if fact.declared else ()
    act = KeyedAct(*act_fields, said, fact.number, fact.extra, answers=fact.trigger, spears=tuple(state.spears))
    if fact.out:
        state.round.barred.add(fact.seq)
    state.round.keys[fact.seq] = key.value
    _keep_highest_row(state, fact)
    state.round.first_rows.setdefault(key.value.segment, {}).setdefault(who, fact.seq)
    state.round.acts[fact.seq] = act
    state.round.acts_of.setdefault(who, []).append(act)
    if act.routine and not act.extra:
        place = who, key.value.round, 0 if key.value.round else key.value.segment
        state.round.routines.setdefault(place, []).append(act)
    if kind in (FLEE, CHARGE):
        state.openings[fact.seq] = act
    if kind == SPELL:
        begin_casting(state, who, action, fact.seq, key.value)
    if kind not in WAITING and not is_interrupt(action):
        state.round.held.pop(who, None)


@derives("sequence.winner-then-loser", on=events.SegmentReached)
def count_segment_as_row(state: OsricState, fact: Reading[events.SegmentReached]) -> None:
    """Count a recorded segment among the rows of the round; one before the highest sets the clock back."""
    if not (fact.event.surprise and state.clock.round):
        segment = fact.event.segment
        state.round.back = segment if segment < max(state.round.highest, state.round.latest_moment[0]) else 0
        keep_highest_row(state, segment, fact.seq)


@derives("sequence.winner-then-loser", on=(events.EffectStarted, *OUTCOMES))
def count_outcome_as_row(state: OsricState, fact: Reading[events.Fact]) -> None:
    """Count an effect, or an outcome with a segment of its own, among the rows of the round, whose segments never fall."""
    if isinstance(fact.event, events.EffectStarted) or fact.segment is not None:
        _keep_highest_row(state, fact)
    if isinstance(fact.event, (*OF_ACTS, events.EffectStarted, events.ConditionGained)):
        _keep_why_no_act(state, fact)


@derives("sequence.winner-then-loser", on=OTHER_MOMENTS)
def keep_highest_moment(state: OsricState, fact: Reading[events.Fact]) -> None:
    """Keep the highest segment of a roll, move or the like, which are no rows of the round."""
    segment = fact.segment
    if segment and segment <= SEGMENTS:
        state.round.latest_moment = max(state.round.latest_moment, (segment, fact.seq))


def _keep_why_no_act(state: OsricState, fact: Reading[events.Fact]) -> None:
    """Keep why an outcome stands for no act of its source: it is the effect of a spell, or of what goes on."""
    if (casting := fact.casting) is not None:
        why_not = state.round.no_acts.setdefault(casting.who, {})
        if casting.seq in why_not:
            return
        if isinstance(fact.event, OF_ACTS) or spell_declared_as(state, casting.who, casting.name) is not None:
            why_not[casting.seq] = Because((), (fact.seq,), (why_effect(state, fact), due_key(state, casting)))
    elif isinstance(fact.event, OF_ACTS) and fact.who and fact.source_act is None and (those := fact.continues):
        state.round.no_acts.setdefault(fact.who, {}).setdefault(those[0], Because((), (fact.seq, *those)))


def _keep_highest_row(state: OsricState, fact: Reading[events.Fact]) -> None:
    if fact.point.round == state.clock.round:
        keep_highest_row(state, fact.point.segment, fact.seq, fact.fact.timed)


@derives("segments.held-action", on=(events.ActionHeld, events.ActionTaken))
def keep_held_action(state: OsricState, fact: Reading[events.ActionHeld | events.ActionTaken]) -> None:
    """Keep that a combatant holds its action."""
    if isinstance(fact.event, events.ActionHeld) or fact.doing == HOLD:
        state.round.held[fact.who] = fact.seq
        state.round.announced.add(fact.who)
        _keep_highest_row(state, fact)
