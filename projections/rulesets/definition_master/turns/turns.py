"""Turns and rounds: who is due, what the beginning of a turn means, turns that are put off and taken later."""

from collections.abc import Iterator
from typing import Any

from eventstore.events import (
    CombatantLeft,
    InitiativeRolled,
    RoundEnded,
    RoundStarted,
    RulingMade,
    TimePassed,
    TurnDelayed,
    TurnEnded,
    TurnResumed,
    TurnStarted,
)
from projections.because import Because, Derived
from projections.folds.order import rollers
from projections.mechanics import ledger, triggers, turnlist
from projections.mechanics.memo import remembered
from projections.mechanics.turnlist import Beginning, Turn
from projections.occurrence import Occurrence
from projections.rulesets.definition_master.acts.acts import AOO, COUNTERSPELL, OTHER
from projections.rulesets.definition_master.sheet import CALENDAR, ROUND
from projections.rulesets.definition_master.state import Before, MasterState
from projections.rulesets.definition_master.turns.order import order_because, placed_by, turn_list
from projections.rulesets.definition_master.vitals import is_dead
from projections.rulesets.ruleset import derives
from projections.rulesets.schedule import turn_comes_up
from projections.time import Boundary


def due(state: MasterState) -> list[str]:
    """Return in order who is due in this round: all but the dead, without a turn in it, not waiting for the next."""
    return list(turnlist.due(turn_list(state), lambda who: is_dead(state, who)))


@derives("round.ends-at-top")
@remembered
def beginning(state: MasterState, event: TurnStarted) -> Beginning:
    """Return the consequences if somebody's turn begins now; where rounds are recorded, it opens one only at their end."""
    turns = turn_list(state)
    found = turnlist.begins(turns, event.combatant, lambda who: is_dead(state, who), ())
    if not found.opens or not state.flow.told:
        return found
    waiting = due(state)
    if event.combatant in waiting:
        return Beginning("due")
    first = turnlist.first_up(turns, lambda who: is_dead(state, who))
    return Beginning("again") if waiting or event.combatant != first else found


@derives("round.ends-at-top", "delay.later-in-round", "initiative.d20-plus-bonus")
def meets(state: MasterState, fact: Occurrence[Any]) -> tuple[Boundary, ...]:
    """Return the boundaries that a fact crosses: rounds are recorded, or follow from turns."""
    return tuple(_met(state, fact))


def _met(state: MasterState, fact: Occurrence[Any]) -> Iterator[Boundary]:
    event, seq = fact.event, fact.seq
    if isinstance(event, RoundStarted) and is_repeated(state, event):
        return
    if isinstance(event, RoundStarted | TurnStarted | TurnResumed | RoundEnded):
        yield from _ends(state, seq)
    match event:
        case RoundStarted():
            if state.clock.round_event:
                yield Boundary("round closed", seq, number=state.clock.round)
            yield Boundary("round opened", seq, number=event.round)
        case TurnStarted():
            yield from _begins(state, event, seq)
        case TurnDelayed():
            yield from _put_off(state, event.combatant, seq)
        case TurnResumed() if event.combatant in state.flow.turns.in_hand:
            yield Boundary("turn resumed", seq, event.combatant)
        case TurnEnded() | CombatantLeft():
            yield Boundary("turn ended", seq, event.combatant)


def _ends(state: MasterState, seq: int) -> Iterator[Boundary]:
    yield from [Boundary("turn ended", seq, who) for who in state.flow.turns.running]


def is_repeated(state: MasterState, event: RoundStarted) -> bool:
    """Say whether the round that is recorded has begun already."""
    return bool(state.clock.round_event) and event.round == state.clock.round


def _begins(state: MasterState, event: TurnStarted, seq: int) -> Iterator[Boundary]:
    who = event.combatant
    held = state.flow.turns.in_hand.get(who)
    if held and held.point.round == state.clock.round:
        yield Boundary("turn resumed", seq, who)
        return
    yield from turn_comes_up(turn_list(state), beginning(state, event), (who,), seq, state.clock.round)


@derives("delay.own-turn-undeclared")
def comes_up(state: MasterState, who: str) -> bool:
    """Say whether it is somebody's turn, or its turn comes next."""
    if who in state.flow.turns.running:
        return True
    waiting = due(state)
    if waiting or state.flow.told:
        return waiting[:1] == [who]
    return who == turnlist.first_up(turn_list(state), lambda each: is_dead(state, each))


def _put_off(state: MasterState, who: str, seq: int) -> Iterator[Boundary]:
    if who in state.flow.turns.in_hand or not comes_up(state, who):
        return
    if who not in state.flow.turns.running:
        yield from _ends(state, seq)
        number = state.clock.round
        if not due(state) and number:
            yield Boundary("round closed", seq, number=number)
        if not due(state):
            yield Boundary("round opened", seq, number=number + 1)
    yield Boundary("turn put off", seq, who)


# ---------------------------------------------------------------- rounds


@derives("round.ends-at-top", "delay.later-in-round", at="round closed")
def what_was_put_off_is_lost(state: MasterState, closed: Boundary) -> None:
    """Lose the turns that are put off when their round closes, unless by option they may still be taken."""
    if state.option("delay-unused") == "forfeit":
        for who in list(state.flow.turns.in_hand):
            _lose(state, who, closed.seq)


def _lose(state: MasterState, who: str, seq: int) -> None:
    if lost := turnlist.lose(state.flow.turns, who, seq):
        state.round.turns.append(lost)
        number = state.flow.taken.get(who, 0) + 1
        state.flow.own_acts[who] = [act for act in state.flow.own_acts.get(who, ()) if act.own != number]


@derives("round.ends-at-top", "immediate.one-per-round", at="round opened")
def round_opens(state: MasterState, opened: Boundary) -> None:
    """Open a round: nobody has had a turn in it, and immediate actions are back unless they come with turns."""
    turnlist.open_round(state.flow.turns)
    state.flow.latest = ""
    state.flow.skipped -= min(state.flow.skipped, max(0, opened.number - state.last.number - 1))
    if state.option("immediate-clock") == "combat-round":
        for kind in (AOO, COUNTERSPELL, OTHER):
            ledger.renew(state.flow.ledger, kind, opened.seq)


@derives("round.six-seconds", on=TimePassed)
def rounds_pass_without_facts(state: MasterState, fact: Occurrence[TimePassed]) -> None:
    """Count the rounds that pass without facts; the next number of a round may count them, too."""
    state.flow.skipped += rounds_of(fact.event)


def rounds_of(event: TimePassed) -> int:
    """Return the whole rounds in a time that has passed."""
    length = CALENDAR.length(event.time)
    return max(0, length.amount * CALENDAR.seconds.get(length.unit, 0) // ROUND)


@derives("round.ends-at-top", on=RoundStarted)
def round_is_told(state: MasterState, _fact: Occurrence[RoundStarted]) -> None:
    """Remember that rounds are recorded."""
    state.flow.told = True


# ---------------------------------------------------------------- turns


@derives("initiative.starts-combat", on=(InitiativeRolled, RulingMade))
def newcomer_is_put_in(state: MasterState, fact: Occurrence[Any]) -> None:
    """Place whoever rolls after the first turn; where its place has gone by, its first turn is in the next round.

    A roll-off or a ruling on a tie before the next turn decides the place anew.
    """
    if not state.flow.started:
        return
    for who in _come_in(state, fact.event, fact.seq):
        turnlist.forget(state.flow.turns, who)
        turnlist.put_in(turn_list(state), who, state.flow.rolls[who].seq)


def _come_in(state: MasterState, event: Any, seq: int) -> list[str]:
    """Return who rolled with this fact, or in this turn, and is now placed by a roll-off or a ruling."""
    rolls = state.flow.rolls
    if isinstance(event, InitiativeRolled) and not event.tie_with:
        return [who for who in rollers(state, event) if who in rolls and rolls[who].seq == seq]
    began = state.clock.turn_event or state.clock.round_event
    return [who for who in state.flow.turns.newcomers if who in rolls and state.precedes(began, rolls[who].seq)]


@derives("initiative.d20-plus-bonus", at="turn began")
def turn_begins(state: MasterState, turn: Boundary) -> None:
    """Begin a turn: it uses the place of whoever is due; a turn put off since the round before is gone."""
    turns = turn_list(state)
    _lose(state, turn.who, turn.seq)
    turnlist.begin(turns, turn.who, turn.seq, lambda who: is_dead(state, who))
    begun = Turn(turn.who, state.clock.point, turn.seq)
    _takes(state, begun, turn.seq)
    turnlist.start(turns, begun)


def _takes(state: MasterState, turn: Turn, seq: int) -> None:
    """Let somebody really take a turn: the own lock ends, a held action is lost, the budget is whole."""
    flow, who = state.flow, turn.combatant
    flow.started = flow.started or seq
    uses = {kind: ledger.uses(flow.ledger, who, kind) for kind in (AOO, COUNTERSPELL, OTHER)}
    began, took = flow.turn_of.get(who, 0), flow.took.get(who, ())
    flow.before[who] = Before(flow.ledger.locks.get(who), flow.triggers.armed.get(who), began, took, uses)
    flow.taken[who] = flow.taken.get(who, 0) + 1
    flow.turn_of[who], flow.latest = seq, who
    flow.took[who] = (placed_by(state, who), turn.held, seq) if turn.held else (seq,)
    ledger.unlock(flow.ledger, who)
    flow.disarmed.pop(who, None)
    if lost := triggers.disarm(flow.triggers, who):
        flow.lapsed[who], flow.disarmed[who] = lost, seq
    if state.option("immediate-clock") == "own-turn":
        for kind in uses:
            ledger.renew(flow.ledger, kind, seq, who)
    state.round.turns.append(turn)


@derives("round.ends-at-top", at="turn ended")
def turn_ends(state: MasterState, turn: Boundary) -> None:
    """End the turn of somebody."""
    if turnlist.end(state.flow.turns, turn.who, turn.seq):
        state.flow.ended[turn.who] = turn.seq


@derives("delay.later-in-round", "delay.no-actions-now", at="turn put off")
def turn_is_put_off(state: MasterState, turn: Boundary) -> None:
    """Put off a turn: it has not been taken, so that the lock and a held action go on."""
    flow = state.flow
    begun = flow.turns.running.get(turn.who)
    flow.came_up[turn.who] = Because(of=tuple(why for who, why in flow.moved.items() if who != turn.who))
    turnlist.put_off(flow.turns, begun or Turn(turn.who, state.clock.point, 0), turn.seq)
    if begun is None:
        return
    if begun in state.round.turns:
        state.round.turns.remove(begun)
    before = flow.before[turn.who]
    flow.taken[turn.who] -= 1
    flow.turn_of[turn.who], flow.took[turn.who] = before.began, before.took
    for kind, uses in before.uses.items():
        flow.ledger.uses.setdefault(kind, {})[turn.who] = uses
    flow.latest = next((each.combatant for each in reversed(state.round.turns)), "")
    if before.lock:
        flow.ledger.locks[turn.who] = before.lock
    if before.armed:
        flow.triggers.armed[turn.who] = before.armed
        flow.lapsed.pop(turn.who, None)
        flow.disarmed.pop(turn.who, None)


@derives("delay.position-moves", at="turn resumed")
def turn_is_taken_up(state: MasterState, turn: Boundary) -> None:
    """Take a turn that was put off: the place moves right behind whoever took a turn last."""
    flow, who = state.flow, turn.who
    behind = flow.latest
    held = turnlist.take_up(flow.turns, who, turn.seq)
    if held is None:
        return
    held.point = state.clock.point
    if who not in turn_list(state).progress.had:
        turnlist.use(flow.turns, who, turn.seq)
    if behind and behind != who:
        turnlist.move(flow.turns, who, behind, turn.seq)
        opened = (state.clock.round_event,) if state.clock.round > 1 else ()
        events = (*opened, held.held, flow.turn_of[behind], placed_by(state, behind), turn.seq)
        flow.moved[who] = Because(turn_is_taken_up.rules, events, of=(flow.came_up.get(who, Because()),))
    _takes(state, held, turn.seq)


@derives("round.ends-at-top", on=RulingMade)
def ruling_opens_a_round(state: MasterState, _fact: Occurrence[RulingMade]) -> None:
    """Let a ruling open the first round."""
    if state.clock.round and not state.flow.turns.rounds:
        turnlist.open_round(state.flow.turns)


# ---------------------------------------------------------------- as it stands


@derives("round.six-seconds")
def second_of(round_: int) -> int:
    """Return the second at which a round opens."""
    return ROUND * (round_ - 1)


def who_is_due(state: MasterState) -> Derived[list[str]]:
    """Return who is due in this round, with what gave them their places and made others' turns go by."""
    waiting = due(state)
    flow, because = state.flow, Because(beginning.rules, state.clock.events or (1,))
    places = tuple(order_because(state, who) for who in waiting)
    held = tuple(Because((), (turn.held,), of=(flow.came_up[who],)) for who, turn in flow.turns.in_hand.items())
    down = [one for one in state.combatants.values() if one.status != "up"]
    lives = tuple(one.standing for one in down if one.id in waiting or one.status == "dead")
    return Derived(waiting, because + Because((), (), {}, (flow.turns.progress, *places, *held, *lives)))
