"""Turns and rounds as they were recorded, and the move of the clock with a typed act or turn."""

from msgspec import structs

from eventstore.events import ActionHeld, ActionTaken, Fact, Moved, RulingMade, TurnEnded, TurnStarted
from projections.because import Because
from projections.folds.durations import count_boundary
from projections.folds.moves import STILL, move_to_turn, round_opening, with_round_opening
from projections.mechanics.timers import cite_reason
from projections.mechanics.turnlist import Turn, end_turn, resume_turn
from projections.occurrence import Occurrence
from projections.ruleset.boundaries import boundaries_with_delay
from projections.ruleset.ruleset import derives
from projections.ruleset.schedule import ClockMove
from projections.rulesets.plain.state import PlainState
from projections.time import Boundary


@derives("turn.as-recorded", "round.as-recorded", "turn.put-off")
def boundaries_crossed(state: PlainState, fact: Occurrence[Fact]) -> tuple[Boundary, ...]:
    """Return the boundaries that a fact crosses: rounds and turns as they were recorded."""
    return boundaries_with_delay(state, fact)


@derives("turn.own-acts", at="turn began")
def end_held_action(state: PlainState, turn: Boundary) -> None:
    """End a held action when the combatant's own turn begins."""
    state.holding.discard(turn.who)


@derives("turn.put-off", at="turn resumed", phase="effects")
def cite_delay(state: PlainState, turn: Boundary) -> None:
    """Cite the delay of a turn that is taken up, by which its beginning is not counted again."""
    cite_reason(state.durations, turn.who, "start", Because(cite_delay.rules, (state.turns.running[turn.who].held,)))


@derives("turn.own-acts", on=ActionHeld)
def hold_action(state: PlainState, fact: Occurrence[ActionHeld]) -> None:
    """Let a combatant hold an action until its next turn, for a moment in another's."""
    state.holding.add(fact.event.combatant)


@derives("turn.own-acts", on=(ActionTaken, Moved))
def take_held_action(state: PlainState, fact: Occurrence[ActionTaken] | Occurrence[Moved]) -> None:
    """Count an act outside its combatant's turn as the action that a combatant held."""
    if fact.event.combatant not in state.turns.running:
        state.holding.discard(fact.event.combatant)


@derives("turn.as-recorded", on=RulingMade)
def begin_turn_by_ruling(state: PlainState, fact: Occurrence[RulingMade]) -> None:
    """Open the round that a ruling names, and begin its turn; running turns of others end, and count."""
    clock = state.clock
    if clock.turn_event == fact.seq:
        for over in [Boundary("turn ended", fact.seq, who) for who in state.turns.running if who != clock.turn]:
            end_turn(state.turns, over.who, over.seq)
            count_boundary(state, over)
    if clock.round_event == fact.seq:
        clock.open = True
        _carry_over(state)
    if clock.turn and clock.turn not in state.turns.running:
        clock.point = structs.replace(clock.point, turn=clock.point.turn + 1)
        turn = resume_turn(state.turns, clock.turn, fact.seq) or Turn(clock.turn, clock.point, fact.seq)
        turn.point = clock.point
        state.turns.running[turn.combatant] = turn
        state.round.turns.append(turn)


def _carry_over(state: PlainState) -> None:
    """Keep only running turns for the new round; turns that are over and the acts of the old round are dropped."""
    now, old = state.clock.point.round, state.round
    if now != old.number:
        turns = [turn for turn in old.turns if turn.status == "begun"]
        for turn in (*turns, *state.turns.in_hand.values()):
            turn.point = structs.replace(turn.point, round=now)
        state.round = structs.replace(old, number=now, turns=turns, acts=[])


def clock_move(state: PlainState, fact: Occurrence[Fact]) -> ClockMove:
    """Return the move to the turn of the acting combatant; an answer, or an act with a cost of its own, needs none."""
    if not state.rules.schedule.names_in_order(state) and not state.clock.turn_event:
        return STILL  # a fight without turns
    match fact.event:
        case ActionTaken(trigger=None, action=action) if not action.cost:
            return with_round_opening(state, move_to_turn(state, fact.event.combatant))
        case Moved(forced=None | False, cost=None) | ActionHeld() | TurnEnded():
            return with_round_opening(state, move_to_turn(state, fact.event.combatant))
        case TurnStarted(combatant=who):
            return ClockMove(round_opening(state, who))
    return STILL
