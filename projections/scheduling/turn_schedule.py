"""Turns that follow a list: the order, who is due, and the rounds that follow from turns."""

from __future__ import annotations

from collections.abc import Callable, Iterable, Sequence
from itertools import groupby

from eventstore import events
from eventstore.events import Fact, RoundStarted, TurnEnded, TurnResumed, TurnStarted
from projections.because import Because, Cites, Derived, ask_parts
from projections.fight import Slot, TimelineRow
from projections.folds.budget import when_spendable
from projections.folds.moves import STILL, move_to_turn
from projections.folds.rows import row_of_due, row_of_turn
from projections.folds.vitals import has_stood, status_or_left
from projections.mechanics import turnlist
from projections.mechanics.turnlist import Turn, TurnList
from projections.occurrence import Occurrence
from projections.open_types import Fields, RulesState
from projections.ruleset.boundaries import boundaries_of_turn, rounds_as_recorded
from projections.ruleset.ruleset import Breach
from projections.ruleset.schedule import ClockMove, KeptOrder, Names, Schedule
from projections.state import State
from projections.time import Boundary


def boundaries_from_turns(state: State, fact: Occurrence[Fact], besides: Iterable[str] = ()) -> tuple[Boundary, ...]:
    """Return the boundaries of turns as they begin and end; a round opens with the first due combatant's turn.

    `besides` are combatants without a place for whom a round passes as well.
    """
    event, seq, turns = fact.event, fact.seq, state.turns
    if isinstance(event, TurnEnded) and event.combatant in turns.running:
        return (Boundary("turn ended", seq, event.combatant),)
    if not isinstance(event, TurnStarted):
        return ()
    members = [who for who in dict.fromkeys((event.combatant, *event.together)) if who in state.combatants]
    found = turnlist.beginning_of(turn_list(state), event.combatant, state.rules.schedule.out(state), event.together)
    ended = (Boundary("turn ended", seq, who) for who in turns.running)
    return (*ended, *boundaries_of_turn(turns, found, members, seq, state.clock.round, besides))


def unseen_opening(state: State, fact: Occurrence[Fact], besides: Iterable[str] = ()) -> tuple[Boundary, ...]:
    """Return the boundaries of a round that is announced and opens with a turn that is withheld; of any other fact none.

    `besides` are combatants without a place for whom a round passes as well.
    """
    if not isinstance(fact.event, RoundStarted) or not fact.covers or fact.event.round != state.clock.round + 1:
        return ()
    ended = (Boundary("turn ended", fact.seq, who) for who in state.turns.running)
    opening = turnlist.Beginning(opens=True)
    return (*ended, *boundaries_of_turn(turn_list(state), opening, (), fact.seq, state.clock.round, besides))


def boundaries_of_rounds(state: State, fact: Occurrence[Fact]) -> tuple[Boundary, ...]:
    """Return the boundaries of turns and rounds: a round opens as it is recorded, else with the turn of the first due
    combatant. A recorded round ends the running turn, and the places of combatants who are still due are passed.
    """
    if not isinstance(fact.event, RoundStarted):
        return boundaries_from_turns(state, fact)
    seq, turns = fact.seq, turn_list(state)
    ended = (Boundary("turn ended", seq, who) for who in turns.running)
    over = turnlist.unpassed_combatants(turns) if state.clock.round else ()
    return (*ended, *(Boundary("place passed", seq, who) for who in over), *rounds_as_recorded(state, fact))


def boundaries_with_waiting(state: State, fact: Occurrence[Fact]) -> tuple[Boundary, ...]:
    """Return the boundaries of turns and rounds where a turn may be put off, and taken up after another combatant's.

    Taking it up ends the running turn. A turn that is not taken up before its place comes again is lost.
    """
    event, seq, turns = fact.event, fact.seq, state.turns
    match event:
        case events.TurnDelayed(combatant=who):
            return () if who in turns.in_hand else (Boundary("turn put off", seq, who),)
        case TurnResumed(combatant=who):
            held = turns.in_hand.get(who)
            ended = (Boundary("turn ended", seq, each) for each in turns.running)
            return (*ended, Boundary("turn resumed" if held.seq else "turn began", seq, who)) if held else ()
        case TurnStarted(combatant=who) if who in turns.in_hand:
            over = (Boundary("turn lost", seq, who),) if turns.in_hand[who].seq else ()
            return (*over, *boundaries_of_rounds(state, fact))
    return boundaries_of_rounds(state, fact)


def move_behind_last(state: State, fact: Occurrence[TurnResumed]) -> None:
    """Move the place of a combatant who has taken up its turn behind that of the last other combatant who had one."""
    who = fact.event.combatant
    had = [turn.combatant for turn in state.round.turns if turn.combatant != who]
    turn = state.turns.running.get(who)
    if had and turn:
        turnlist.move_place(state.turns, who, had[-1], fact.seq, turn.held)


def order_key(state: State, who: str, key: Derived[Fields]) -> Derived[Fields]:
    """Return the key of a combatant; its reason includes the facts that moved its place."""
    own = (move for move in state.turns.moves if move.who == who)
    moved = [Derived(move, Because((), tuple({move.held or move.seq, move.seq}))) for move in own]
    return Derived(key.value, Because(of=(key, *moved))) if moved else key


def breach_of_order(state: State, fact: Occurrence[TurnStarted]) -> Breach | None:
    """Return the breach if a turn begins while a combatant above is still due."""
    who, out = fact.event.combatant, state.rules.schedule.out(state)
    over = turnlist.beginning_of(turn_list(state), who, out, fact.event.together).passes_over
    return Breach(f"{over[0]} is due before {who}", over[0], who) if over else None


def update_turn_list(state: State, boundary: Boundary) -> None:
    """Update the turn list at a boundary: rounds that open, turns that begin, end, are put off, taken up or lost."""
    turns, who, seq = state.turns, boundary.who, boundary.seq
    match boundary.kind:
        case "round opened":
            turnlist.open_round(turns)
        case "place passed":
            turnlist.pass_place(turn_list(state), who, seq)
        case "turn began":
            turns.in_hand.pop(who, None)  # if it was put off before it had begun, it begins now
            turnlist.begin_turn(turn_list(state), who, seq, state.rules.schedule.out(state))
            begun = Turn(who, state.clock.point, seq)
            turns.running[who] = begun
            state.round.turns.append(begun)
        case "turn ended":
            turnlist.end_turn(turns, who, seq)
        case "turn put off":
            if put_off := turns.running.get(who):
                state.round.turns.remove(put_off)
            turnlist.put_off_turn(turns, put_off or Turn(who, state.clock.point, 0), seq)
        case "turn resumed":  # as the last one so far; its place in this round is used
            turn = turns.in_hand[who]
            turnlist.resume_turn(turns, who, seq)
            turn.point = state.clock.point
            state.round.turns.append(turn)
            turnlist.record_turn(turn_list(state), who, seq)
        case "turn lost":
            state.round.turns.append(turnlist.lose_turn(turns, who, seq))


def combatants_waiting(state: State) -> Derived[list[str]]:
    """Return the combatants who are still to have a turn in this round, citing the records behind their places, the
    turns that are over, and why others are out, or they are not.
    """
    schedule, turns, clock = schedule_of(state), turn_list(state), state.clock
    out = schedule.out(state)
    waiting = list(turnlist.combatants_due(turns, out))
    places = (schedule.key(state, who).because for who in waiting)
    ones = [state.combatants[who] for who in turns.order if who not in turns.progress.had]
    stand = (status_or_left(one) for one in ones if out(one.id) or (one.id in waiting and not has_stood(state, one)))
    of: tuple[Cites, ...] = (turns.progress, *places, *stand)
    return Derived(waiting, Because(schedule.rules, clock.events or (1,), of))


def timeline_rows(state: State) -> tuple[TimelineRow, ...]:
    """Return the rows for the round's turns, its acts, and the combatants who are still due while it lasts."""
    schedule, turns = schedule_of(state), state.turns
    shown = (*state.round.turns, *turns.in_hand.values())
    rows = [row_of_turn(turn, Because(schedule.rules, turn.events), turn.point.turn) for turn in shown]
    rows = sorted([*rows, *schedule.acts(state)], key=lambda row: row.order)
    due = turnlist.combatants_due(schedule.arranged_list(state), schedule.out(state)) if state.clock.open else ()
    return (*rows, *(row_of_due(state, who, schedule.key(state, who).because) for who in due))


def find_turn_move(state: State, fact: Occurrence[Fact]) -> ClockMove:
    """Return the move to the turn of the combatant who acts, if it comes next; an act that answers another may be in
    any turn. So may one whose cost, by the rows of the catalogue, is spent outside its owner's turn.
    """
    if not state.rules.schedule.names_in_order(state) and not state.clock.turn_event:
        return STILL  # a fight without turns
    match fact.event:
        case events.ActionTaken(trigger=None) | events.Moved(forced=None | False, cause=None) as event:
            own = when_spendable(state, event) != "outside-own-turn"
            return move_to_turn(state, event.combatant) if own else STILL
        case events.ActionHeld() | TurnEnded() as event:
            return move_to_turn(state, event.combatant)
    return STILL


def ruled_groups(state: State) -> Iterable[Sequence[str]]:
    """Return the groups of a ruled order, from the first; none where no ruling is in force."""
    return state.ruled_order[1] if state.ruled_order else ()


class TurnSchedule(Schedule, frozen=True, kw_only=True):
    """A schedule of turns that follow the list `State.turns`, which is arranged again after a joining, a roll or a ruling."""

    ranked: Callable[[RulesState], Iterable[Sequence[str]]]
    """Return the combatants who have a place, from the first; combatants who share one are together."""
    key: Callable[[RulesState, str], Derived[Fields | None]]
    """Return the named parts that a combatant is sorted by, with the reason; None for a combatant that only a ruling has placed."""
    rules: tuple[str, ...]
    """The clauses by which a combatant stands in the order."""
    ruled: Callable[[RulesState], Iterable[Sequence[str]]] = ruled_groups
    """Return the groups that a ruling puts before all others."""
    due: Callable[[RulesState], Derived[list[str]]] = combatants_waiting
    """Return the combatants who are still to have a turn in this round, in order, citing what decides it."""
    rounds_from: tuple[type[Fact], ...] = (RoundStarted, TurnStarted, TurnResumed)
    cross_boundary: Callable[[RulesState, Boundary], None] = update_turn_list
    """Move the list over a boundary."""
    crossed: Callable[[RulesState, Occurrence[Fact]], tuple[Boundary, ...]] = boundaries_from_turns
    rows: Callable[[RulesState], tuple[TimelineRow, ...]] = timeline_rows
    moves: Callable[[RulesState, Occurrence[Fact]], ClockMove] = find_turn_move
    acts: Callable[[RulesState], Iterable[TimelineRow]] = lambda _state: ()
    """Return the rows for the round's acts, which are shown among its turns."""
    grouped: bool = False
    """Whether the combatants of one place are shown together in the order."""

    def arranged_list(self, state: RulesState) -> TurnList:
        """Return the turn list with everybody in place."""
        turns: TurnList = state.turns
        if not turns.arranged:
            turns.arranged = True  # the function that ranks combatants may itself ask who is tied
            turnlist.arrange_order(turns, ask_parts(self.ranked, state), self.ruled(state))
        return turns

    def rederive_order(self, state: RulesState) -> None:
        """Let the list be arranged again after a joining, a roll or a ruling."""
        state.turns.arranged = False

    def names_in_order(self, state: RulesState) -> Names:
        """Return the order as names only: everybody here who has a place, one after the other."""
        turns = self.arranged_list(state)
        here = [who for who in turns.order if not state.combatants[who].left]
        if not self.grouped:
            return [[who] for who in here]
        return [list(group) for _, group in groupby(here, key=turns.places.__getitem__)]

    def order(self, state: RulesState) -> tuple[Slot, ...]:
        """Return the order, with its keys and reasons."""
        keys = {tuple(group): self.key(state, group[0]) for group in self.names_in_order(state)}
        return tuple(Slot(group, key.value, key.because) for group, key in keys.items() if key.value is not None)

    def why_absent(self, state: RulesState) -> Because:
        """Return why a combatant is not in the order, or was not rolled for: it has left."""
        return Because(of=tuple(status_or_left(one) for one in state.combatants.values() if one.left))

    def why_empty(self, state: RulesState) -> Because:  # noqa: ARG002 – where places last for a round, it is the round's
        """Return why the order is empty: since the fight was opened, nobody has a place."""
        return Because(self.rules, (1,))

    def make_kept_order(self) -> KeptOrder:
        """Return an object that keeps the names until the list is arranged again, or a combatant joins or leaves."""
        return _KeptNames(self)


class _KeptNames(KeptOrder):
    def __init__(self, schedule: TurnSchedule) -> None:
        super().__init__(schedule)
        self.arranged: list[str] | None = None
        self.roster = 0
        self.found: Names = []

    def update_names(self, state: State, touched: Iterable[str]) -> Names:  # noqa: ARG002 – all have places by the list
        """Return the order after a fact."""
        before, self.arranged = self.arranged, turn_list(state).order
        if self.arranged is not before or self.roster != state.roster_event:
            self.found, self.roster = self.schedule.names_in_order(state), state.roster_event
        return self.found

    def forget(self) -> None:
        """Forget the names, which a ruling has changed."""
        self.arranged = None


def schedule_of(state: State) -> TurnSchedule:
    """Return the schedule of a fight whose ruleset has a turn list."""
    return state.rules.schedule  # type: ignore[return-value]  # such a ruleset has it


def turn_list(state: State) -> TurnList:
    """Return the turn list of a fight whose ruleset has one, with everybody in place."""
    return schedule_of(state).arranged_list(state)
