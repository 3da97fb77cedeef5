"""Acts take their place in the round, however they are told, and holds are kept."""

from eventstore.events import (
    ActionAbandoned,
    ActionHeld,
    ActionTaken,
    AttackRolled,
    ConditionGained,
    ConditionLost,
    ContestRolled,
    DamageDealt,
    DiceRolled,
    EffectEnded,
    EffectStarted,
    Healed,
    Moved,
    ResourceChanged,
    RoundStarted,
    SaveRolled,
    SegmentReached,
)
from projections.occurrence import Occurrence
from projections.rulesets.osric import routines
from projections.rulesets.osric.interrupts import CHARGE, FLEE, is_interrupt
from projections.rulesets.osric.order import HOLD, WAITING, rises
from projections.rulesets.osric.reading import OF_ACTS, Reading
from projections.rulesets.osric.spells import begin
from projections.rulesets.osric.state import SEGMENTS, SPELL, KeyedAct, OsricState
from projections.rulesets.ruleset import derives

OUTCOMES = (DamageDealt, Healed, AttackRolled, ActionAbandoned, ConditionGained, ConditionLost)
"""What comes out of acts and spells, and may say its own segment."""
OTHER_MOMENTS = (Moved, SaveRolled, ContestRolled, DiceRolled, ResourceChanged, EffectEnded)
"""What may say its own segment and is no row of the round: nothing in this text is about it."""


@derives("round.next-declarations", on=RoundStarted)
def round_is_claimed(state: OsricState, fact: Occurrence[RoundStarted]) -> None:
    """Keep the number that a round was opened with."""
    state.round.claimed = fact.event.round


@derives("initiative.other-sides-die", on=(ActionTaken, *OF_ACTS))
def acts(state: OsricState, fact: Reading) -> None:
    """Place an act in the round, and let a casting begin with it."""
    if not fact.is_act:
        return
    action, who = fact.action, fact.who
    if action.kind == HOLD:
        _hold(state, fact)
        return
    key = fact.key
    spears = tuple(state.spears)
    told = (fact.seq, who, action, fact.point)
    act = KeyedAct(*told, key.value, key.because, fact.number, fact.extra, fact.trigger, spears)
    if fact.out:
        state.round.barred.add(fact.seq)
    state.round.keys[fact.seq] = key.value
    _row(state, fact)
    state.round.first_rows.setdefault(key.value.segment, {})[who] = None
    state.round.acts[fact.seq] = act
    state.round.acts_of.setdefault(who, []).append(act)
    routines.keep(state, act)
    if action.kind in (FLEE, CHARGE):
        state.openings[fact.seq] = act
    if action.kind == SPELL:
        begin(state, who, action, fact.seq, key.value)
    if action.kind not in WAITING and not is_interrupt(action):
        state.round.held.pop(who, None)


@derives("sequence.winner-then-loser", on=SegmentReached)
def clock_is_a_row(state: OsricState, fact: Reading) -> None:
    """Count a segment that is said to come among the rows of the round; what is told in one that had gone by follows."""
    if not (fact.event.surprise and state.clock.round):
        segment = fact.event.segment
        state.round.back = segment if segment < max(state.round.highest, state.round.told[0]) else 0
        rises(state, segment, fact.seq)


@derives("sequence.winner-then-loser", on=(EffectStarted, *OUTCOMES))
def outcome_is_a_row(state: OsricState, fact: Reading) -> None:
    """Count an effect, and what says its own segment, among the rows of the round, whose segments never fall."""
    if isinstance(fact.event, EffectStarted) or fact.event.segment is not None:
        _row(state, fact)


@derives("sequence.winner-then-loser", on=OTHER_MOMENTS)
def moment_is_told(state: OsricState, fact: Reading) -> None:
    """Keep the highest segment that is said of a roll, a move or the like, which are no rows of the round."""
    segment = fact.event.segment
    if segment and segment <= SEGMENTS:
        state.round.told = max(state.round.told, (segment, fact.seq))


def _row(state: OsricState, fact: Reading) -> None:
    if fact.point.round == state.clock.round:
        rises(state, fact.point.segment, fact.seq)


@derives("segments.held-action", on=ActionHeld)
def holds(state: OsricState, fact: Reading) -> None:
    """Keep that a combatant holds its action."""
    _hold(state, fact)


def _hold(state: OsricState, fact: Reading) -> None:
    state.round.held[fact.who] = fact.seq
    state.round.announced.add(fact.who)
    _row(state, fact)
