"""Turns: who is due, how a turn begins, the rounds that follow from turns, and the turn of a typed act."""

from eventstore import events
from eventstore.events import ActionTaken, CombatantJoined, Fact, InitiativeRolled, Moved, RulingMade, TurnEnded
from projections.because import Because, Cites, Derived
from projections.folds.moves import STILL, move_to_turn, stay_in_turn
from projections.folds.order import combatants_of_roll
from projections.folds.vitals import status_or_left
from projections.mechanics import turnlist
from projections.mechanics.memo import memoize
from projections.mechanics.timers import owners
from projections.mechanics.turnlist import Beginning
from projections.occurrence import Occurrence
from projections.ruleset.ruleset import derives
from projections.ruleset.schedule import ClockMove
from projections.rulesets.nameless_journey import budget
from projections.rulesets.nameless_journey.effects import count_clock_down, end_brief_effects
from projections.rulesets.nameless_journey.movement import is_free
from projections.rulesets.nameless_journey.order import placing_record, why_ordered
from projections.rulesets.nameless_journey.state import ROUND, UNITS, Ground, NamelessState, described
from projections.scheduling.turn_schedule import boundaries_from_turns, combatants_waiting, turn_list, unseen_opening
from projections.time import Boundary


def combatants_due(state: NamelessState) -> list[str]:
    """Return the combatants due in this round, in order: placed, not out, without a turn in it, not waiting."""
    return list(turnlist.combatants_due(turn_list(state), state.is_out))


@derives("round.begins-with-first-in-order")
def is_round_over(state: NamelessState) -> bool:
    """Return whether the next turn opens a round: nobody is due, or only the first in the order, who was passed over."""
    return turnlist.is_over(turn_list(state), state.is_out)


@derives("initiative.highest-first", "round.begins-with-first-in-order")
@memoize
def beginning(state: NamelessState, event: events.TurnStarted) -> Beginning:
    """Return the consequences if a combatant's turn begins now, with the others who share it."""
    return turnlist.beginning_of(turn_list(state), event.combatant, state.is_out, event.together)


@derives("initiative.highest-first", "round.begins-with-first-in-order")
def boundaries_crossed(state: NamelessState, fact: Occurrence[Fact]) -> tuple[Boundary, ...]:
    """Return the boundaries that a fact crosses; rounds follow from turns, and a recorded round is only a claim."""
    unplaced = [owner for owner in owners(state.durations) if owner and owner not in state.turns.places]
    return unseen_opening(state, fact, unplaced) or boundaries_from_turns(state, fact, unplaced)


# ---------------------------------------------------------------- newcomers


@derives("initiative.late-arrival-waits", "initiative.late-arrival-no-reaction", on=CombatantJoined)
def keep_newcomer_waiting(state: NamelessState, fact: Occurrence[CombatantJoined]) -> None:
    """Let combatants who join after the fight's first turn wait for their own first turn."""
    who = fact.event.combatant
    state.waits_by.pop(who, None)
    if state.started:
        state.turns.newcomers[who] = fact.seq
        if not state.turn_before:
            state.waits_by[who] = (state.started,)


@derives("initiative.late-arrival-inserted", on=(InitiativeRolled, RulingMade))
def place_newcomers(state: NamelessState, fact: Occurrence[InitiativeRolled] | Occurrence[RulingMade]) -> None:
    """Place a combatant who rolls after the first turn; it is due in this round only if below all who had their turn in it."""
    if not state.started:
        return
    for who in _newcomers_placed(state, fact.event, fact.seq):
        turnlist.forget_turn(state.turns, who)
        turns = turn_list(state)
        behind = _acting_combatant(state) if state.option("late-place-passed") == "after-current" else ""
        waits = not turnlist.insert_newcomer(turns, who, state.rolls[who].seq, behind)
        state.first_rounds[who] = max(1, state.clock.round) + waits
        state.acted.pop(who, None)
        state.early.pop(who, None)
        state.late[who] = _why_late(state, who)


def _newcomers_placed(state: NamelessState, event: InitiativeRolled | RulingMade, seq: int) -> list[str]:
    """Return the newcomers who rolled now, or in this turn and are now placed by a roll-off or a ruling on a tie."""
    begun, rolls = state.turn_seq, state.rolls
    if isinstance(event, InitiativeRolled) and not event.tie_with:
        return [who for who in combatants_of_roll(state, event) if who in rolls and rolls[who].seq == seq]
    return [who for who in state.turns.newcomers if who in rolls and state.precedes(begun, rolls[who].seq)]


def _why_late(state: NamelessState, who: str) -> Because:
    """Return the turns that combatants below a newcomer's place had had, if any, with the option on late places."""
    turns = state.turns
    below = [each for each in turns.progress.had if turnlist.round_spot(turns, each) >= (turns.places[who],)]
    events = {seq for each in below for seq in (placing_record(state, each), turns.progress.had[each])}
    return Because((), tuple(sorted(events)))


def _acting_combatant(state: NamelessState) -> str:
    acted = (turn.combatant for turn in reversed(state.round.turns))
    return next((who for who in acted if who in state.turns.places), "")


# ---------------------------------------------------------------- turns and rounds


@derives("initiative.highest-first", at="turn ended")
def end_turn(state: NamelessState, turn: Boundary) -> None:
    """End a turn, with the effects that last only until then and the amounts that a ruling allowed in it."""
    end_brief_effects(state, turn.seq)
    count_clock_down(state, turn.who, turn.seq, at="end")
    state.allowed = {key: each for key, each in state.allowed.items() if key[0] != turn.who}


@derives("initiative.highest-first", on=RulingMade)
def end_turn_by_ruling(state: NamelessState, fact: Occurrence[RulingMade]) -> None:
    """End the running turns of combatants from whom a ruling takes the turn."""
    if "turn" in (fact.event.values or {}):
        for over in [Boundary("turn ended", fact.seq, who) for who in state.turns.running if who != state.clock.turn]:
            turnlist.end_turn(state.turns, over.who, over.seq)
            end_turn(state, over)


@derives("initiative.highest-first", at="turn began")
def begin_turn(state: NamelessState, turn: Boundary) -> None:
    """Begin a turn: it uses the place of the combatant who is due, which counts time, and renews its resources."""
    who, progress = turn.who, state.turns.progress
    if state.turn_seq != turn.seq:
        state.turn_before, state.turn_seq = state.turn_seq, turn.seq
    if not state.started:
        _begin_fight(state, turn.seq)
    if progress.had.get(who) == turn.seq:
        state.acted[who] = 0 if who in state.acted else turn.seq
        if who not in progress.passed:
            count_clock_down(state, who, turn.seq, (placing_record(state, who),))
    elif who in progress.late:
        state.early[who] = turn.seq
    budget.renew_resources(state, turn)
    covered = state.ground.get(who)
    state.ground[who] = Ground(turn.seq, bool(covered and covered.feet))


@derives("initiative.late-arrival-rolls")
def _begin_fight(state: NamelessState, seq: int) -> None:
    """Begin the fight; a combatant who is out without a roll at that time counts as a newcomer later."""
    state.started = seq
    out = [one for one in state.here() if state.is_out(one.id)]
    state.turns.newcomers |= {one.id: one.joined for one in out if one.id not in state.rolls}
    state.waits_by |= {one.id: state.rolls[one.id].events for one in out if one.id in state.rolls}


@derives("effect.counts-from-originators-turn", at="place passed")
def pass_place(state: NamelessState, place: Boundary) -> None:
    """Pass a combatant's place without a turn, when the round closes or a combatant below begins; this counts time."""
    because: tuple[int, ...] = ()
    if place.name:
        out = status_or_left(state.combatants[place.who]).because.flat().events
        because = (placing_record(state, place.who), placing_record(state, place.name), *out)
    count_clock_down(state, place.who, place.seq, because)
    count_clock_down(state, place.who, place.seq, at="end")


@derives("initiative.highest-first", at="round closed")
def lose_turns(state: NamelessState, closed: Boundary) -> None:
    """Lose the turns still due when a round closes."""
    state.round.lost = dict.fromkeys(combatants_due(state), closed.seq)


@derives("round.begins-with-first-in-order", at="round opened")
def open_round(state: NamelessState, opened: Boundary) -> None:
    """Open the next round, which counts time, and gives reactions back."""
    if opened.number > 1:
        count_clock_down(state, "", opened.seq)
    budget.renew_resources(state, opened)


@derives("round.begins-with-first-in-order", on=RulingMade)
def open_round_by_ruling(state: NamelessState, _fact: Occurrence[RulingMade]) -> None:
    """Let a ruling open the first round."""
    if state.clock.round and not state.turns.rounds:
        turnlist.open_round(state.turns)


# ---------------------------------------------------------------- addresses


@derives("round.five-seconds")
def opening_second(round_: int) -> int:
    """Return the second at which a round opens, which all its turns share."""
    return ROUND * (round_ - 1)


@derives("round.twelve-a-minute")
def opening_minute(round_: int) -> int:
    """Return how many minutes are over when a round opens."""
    return opening_second(round_) // UNITS["minute"]


def _time_over(state: NamelessState, round_: int, field: str) -> Derived[int]:
    rule = opening_second if field == "second" else opening_minute
    return Derived(rule(round_), Because(rule.rules, state.clock.events or (1,)))


def due_with_reason(state: NamelessState) -> Derived[list[str]]:
    """Return the combatants due in this round, by the facts behind their places and the turns that are over."""
    late: list[Cites] = []
    for who, why in state.late.items():
        if state.first_rounds[who] >= state.clock.round:
            late += [why_ordered(state, who), why]
    found = combatants_waiting(state)
    return Derived(found.value, Because(beginning.rules, of=(found, *late)))


def _first_turn(state: NamelessState, who: str) -> Derived[int] | None:
    if who not in state.first_rounds:
        return None
    because = Because(place_newcomers.rules, (), (why_ordered(state, who), state.late[who]))
    return Derived(state.first_rounds[who], because)


ADDRESSES = (
    *(described(field, lambda s, f=field: _time_over(s, max(1, s.clock.round), f)) for field in ("second", "minute")),
    *(
        described(f"round.<number>.{field}", lambda s, number, f=field: _time_over(s, int(number), f))
        for field in ("second", "minute")
    ),
    described("<who>.first-turn", _first_turn, places=lambda s: ((who,) for who in s.first_rounds)),
)


def clock_move(state: NamelessState, fact: Occurrence[Fact]) -> ClockMove:
    """Return the move to a combatant's turn for an act that spends of that turn; a Reaction needs no move."""
    match fact.event:
        case ActionTaken(combatant=who) as event:
            cost = budget.cost_of(state.combatants[who], event)
            if cost in budget.ON_TURN:
                return move_to_turn(state, who)
            return STILL if cost == budget.REACTION else stay_in_turn(state, who)
        case Moved(combatant=who) as event:
            return STILL if is_free(state, event, fact.cause) else move_to_turn(state, who)
        case TurnEnded(combatant=who):
            return move_to_turn(state, who)
    return STILL
