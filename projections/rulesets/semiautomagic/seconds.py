"""Seconds: those that an action takes by a ruling, the sheet, or the table, and holds in a turn; running on, and giving up."""

import re
from functools import cache
from itertools import takewhile

from eventstore import events
from eventstore.events import ActionAbandoned, ActionTaken, Fact, InitiativeRolled, Moved, TurnResumed, TurnStarted
from eventstore.shapes import Action, Span, Whole
from projections.because import Because, Cites
from projections.folds.effects import end_conditions as lose_condition
from projections.mechanics import turnlist
from projections.mechanics.acts import name_or_kind
from projections.mechanics.conditions import find_effects
from projections.mechanics.memo import Once, memoize
from projections.mechanics.turnlist import Beginning
from projections.mechanics.work import DONE, LOST, WITHDRAWN, Incident, complete_work
from projections.occurrence import Occurrence
from projections.open_types import Fields
from projections.ruleset.catalogue import read_catalogue
from projections.ruleset.reading import E_co, FactReading
from projections.ruleset.ruleset import derives
from projections.rulesets.semiautomagic.state import (
    CALENDAR,
    RULES,
    SECONDS,
    Delayed,
    Listed,
    SecondsState,
    TimedAct,
    TimedTurn,
)
from projections.scheduling.turn_schedule import turn_list
from projections.sheet import entry_named
from projections.time import Point

# ---------------------------------------------------------------- the seconds that an action takes


@cache
def rows_by_kind() -> dict[str, Fields]:
    """Return the rows of the catalogue's table of actions by kind."""
    return {row["kind"]: row for row in read_catalogue(RULES).action}


@derives("action.abbreviated")
def parse_seconds(time: Whole | str | Span | None) -> int | None:
    """Return a time in seconds (4SA means four); None if there is none, or its unit is unknown."""
    if time is None:
        return None
    if isinstance(time, str):
        number = re.match(r"\d+", time)
        return int(number[0]) if number else None
    return CALENDAR.count_units(CALENDAR.length(time), "second")


def _entry_of(state: SecondsState, who: str, action: Action) -> Listed | None:
    entries: tuple[Listed, ...] = state.combatants[who].sheet.entries
    return entry_named(entries, action.name)


def ruled_time(state: SecondsState, who: str, action: Action) -> tuple[int, int] | None:
    """Return the seconds that a ruling gives a combatant's action, by its name or its kind, and the ruling."""
    named = state.ruled_times.get((who, name_or_kind(action).casefold()))
    return named or state.ruled_times.get((who, action.plain_kind))


def own_time(state: SecondsState, who: str, action: Action) -> int | None:
    """Return the seconds that a ruling, or else its entry, gives a combatant's action; None if neither gives any."""
    ruled, entry = ruled_time(state, who, action), _entry_of(state, who, action)
    return ruled[0] if ruled else parse_seconds(entry.time) if entry else None


@derives("action.times", "action.run-three-or-longer")
def listed_time(state: SecondsState, who: str, action: Action) -> int | None:
    """Return the seconds that an action takes by a ruling, its entry, or the table; None if none of them gives any."""
    own, row = own_time(state, who, action), rows_by_kind().get(action.plain_kind)
    return own if own is not None else row["seconds"] if row else None


def cost(state: SecondsState, who: str, action: Action) -> int:
    """Return the seconds that an action holds: a ruling's, else the recorded ones, right or wrong, else the listed; at least 0."""
    recorded = parse_seconds(action.time)
    if recorded is None or ruled_time(state, who, action):
        recorded = listed_time(state, who, action)
    return max(0, recorded or 0)


@derives("zero-second.free", "zero-second.during-action")
def takes_seconds(cost: int) -> bool:
    """Return whether an action takes any second; one that takes none needs no free second, and fits into any action."""
    return cost > 0


def act_delay(state: SecondsState, who: str, action: Action) -> int | None:
    """Return the delay of an action's effect in seconds: the recorded one, else that of its entry; None without one."""
    recorded = parse_seconds(action.delay)
    entry = _entry_of(state, who, action) if recorded is None else None
    return parse_seconds(entry.delay) if entry else recorded


# ---------------------------------------------------------------- a fact with what checks and steps need of it

Doing = InitiativeRolled | ActionTaken | Moved | events.TurnDelayed | TurnResumed | TurnStarted
"""The facts of one combatant that rolls initiative, has a turn, acts or moves."""


@memoize
def beginning(state: SecondsState, event: TurnStarted) -> Beginning:
    """Return the consequences of a turn that begins for the order and the round."""
    return turnlist.beginning_of(turn_list(state), event.combatant, state.is_out, event.together)


def turn_interrupted(state: SecondsState, stated: int | None) -> TimedTurn | None:
    """Return the turn that a delayed one interrupts: one with seconds left, else, if a second is stated, the last."""
    found = next((turn for turn in reversed(state.stack) if turn.spent < SECONDS or turn.only_continues), None)
    return found or (state.stack[-1] if stated is not None and stated < SECONDS and state.stack else None)


def can_go_on(state: SecondsState, turn: TimedTurn) -> bool:
    """Return whether a turn is no longer interrupted: the interrupting one is spent, or began together with it."""
    above = takewhile(lambda each: each is not turn, reversed(state.stack))
    return all(each.spent >= SECONDS or each.seq == turn.seq for each in above)


@derives("turn.six-second-budget", "turn.any-number-of-actions")
def free_second(turn: TimedTurn) -> int:
    """Return the first second of a turn that is not spent; 7 if all six are spent."""
    return turn.spent + 1


class Reading(FactReading[E_co]):
    """A fact with the values that its checks and steps need: the beginning of its turn, its cost, the seconds that it claims."""

    state: SecondsState

    @property
    def who(self: "Reading[Doing]") -> str:
        """The combatant whom the fact is about."""
        return self.event.combatant or ""

    @Once
    def beginning(self: "Reading[TurnStarted]") -> Beginning:
        """The consequences of the turn that begins."""
        return beginning(self.state, self.event)

    @Once
    def seconds(self: "Reading[ActionTaken]") -> int:
        """The seconds that the action holds."""
        return cost(self.state, self.who, self.event.action)

    @Once
    def turn(self: "Reading[ActionTaken]") -> TimedTurn | None:
        """The turn in which the action is done: its actor's, if that is being played or can go on now; else None."""
        turn = self.state.playing(self.who)
        return turn if turn and (takes_seconds(self.seconds) or can_go_on(self.state, turn)) else None

    @Once
    def start(self: "Reading[ActionTaken]") -> int | None:
        """The second of the turn in which the action starts: as stated, else the first free one; None without one."""
        turn, stated = self.turn, self.event.second
        if turn is None or not takes_seconds(self.seconds):
            return None
        first = stated if stated is not None and 1 <= stated <= SECONDS else free_second(turn)
        return first if first <= SECONDS else None

    @Once
    def held(self: "Reading[ActionTaken]") -> list[TimedAct]:
        """The actions that hold seconds claimed by this one."""
        turn, first = self.turn, self.start
        return turn.holding(first, min(SECONDS, first + self.seconds - 1)) if turn and first else []

    @Once
    def broken(self: "Reading[TurnResumed]") -> TimedTurn | None:
        """The turn that a delayed one interrupts."""
        return turn_interrupted(self.state, self.event.second)


# ---------------------------------------------------------------- doing


@derives("action.consecutive-seconds", "action.runs-on-into-next-round", on=ActionTaken)
def keep_act(state: SecondsState, fact: Reading[ActionTaken]) -> None:
    """Record an action: it takes consecutive seconds from its first on, over as many turns as it needs."""
    if turn := fact.turn:
        resume_turn(state, turn, fact.seq)
    act = state.acts[fact.seq] = _begin_act(state, fact, turn)
    for word in dict.fromkeys((act.action.plain_kind, act.name.casefold())):
        state.done_as[act.who, word] = [*state.done_as.get((act.who, word), [])[-1:], act]
    state.placed_at = (fact.seq, turn.at(turn.spent) if turn and not act.length and not act.stated else act.point)
    begin_delayed_effect(state, act)
    if not act.runs:
        _end_condition_by_act(state, act)


RISING = {"stand-up": "prone", "crouch-up": "prone", "rise": "crouching"}
"""The conditions that end with acts of the table."""


@derives("action.times", "action.runs-on-into-next-round")
def _end_condition_by_act(state: SecondsState, act: TimedAct) -> None:
    ends = find_effects(state.conditions, RISING.get(act.action.plain_kind, ""), (act.who,), None)
    gone = lose_condition(state, ends, Because(_end_condition_by_act.rules, (act.seq,)))
    for effect in gone.values():
        effect.ended = state.now
    state.over |= gone


def resume_turn(state: SecondsState, turn: TimedTurn, seq: int) -> None:
    """Let an interrupted turn go on: the turns that interrupted it are over."""
    while state.stack[-1].seq != turn.seq:
        over = state.stack.pop()
        complete_acts(state, over, SECONDS, seq)
        over.ended = seq
    state.latest = turn


def _begin_act(state: SecondsState, fact: Reading[ActionTaken], turn: TimedTurn | None) -> TimedAct:
    """Return an action that begins; outside its actor's turn it holds no second, and ends with the last one passed."""
    if turn is None:
        start = SECONDS * state.clock_of(fact.who).number + 1
        now = (state.stack[-1].begun, *[each.held for each in state.stack[-1].timed]) if state.stack else ()
        act = _make_act(fact, start, 0, Because((), (fact.seq,), now), state.clock.point)
        state.round.outside.append(act)
        return act
    stated, first, ruled = fact.event.second, fact.start, ruled_time(state, fact.who, fact.event.action)
    said = stated if stated is not None and 0 <= stated <= SECONDS else None
    at = first or (turn.spent if said is None or takes_seconds(fact.seconds) else said)
    before: list[Cites] = [*turn.spent_by, *[act.held for act in (*turn.earlier, *turn.timed)]]
    of = (turn.begun, *([] if first and first == stated else before))
    because = Because((), (fact.seq, *(ruled[1:] if ruled else ())), of)
    act = _make_act(fact, turn.zero + (first or at + 1), fact.seconds if first else 0, because, turn.at(max(1, at)))
    act.turn, act.late, act.stated = turn.number, turn.put_off, said is not None
    put_in_turn(state, turn, act)
    return act


def _make_act(fact: Reading[ActionTaken], start: int, length: int, because: Because, point: Point) -> TimedAct:
    action = fact.event.action
    return TimedAct(fact.who, name_or_kind(action), fact.seq, start, length, because, action=action, point=point)


def put_in_turn(state: SecondsState, turn: TimedTurn, act: TimedAct) -> None:
    """Give an action its seconds of a turn; the rest of a longer one runs on into the next."""
    if not takes_seconds(act.length):
        turn.trifles.append(act)
        return
    complete_acts(state, turn, SECONDS, act.seq)
    turn.timed.append(act)
    if act.last > turn.zero + SECONDS:
        act.runs = True
        state.running.setdefault(act.who, []).append(act)


@derives("delayed-effect.each-on-its-own")
def begin_delayed_effect(state: SecondsState, act: TimedAct) -> None:
    """Begin the delayed effect of an action, counted from the end of that action; a delay below 0 counts as 0."""
    delay = act_delay(state, act.who, act.action)
    if delay is None:
        return
    because = Because((), (act.seq,), (act.held,))
    effect = Delayed(act.who, act.name, act.seq, act.start, max(0, delay), because, act=act)
    state.delayed[act.seq] = state.delayed_by[act.seq] = effect


# ---------------------------------------------------------------- running on


@derives("action.run-on-comes-first", "action.runs-on-into-next-round")
def carry_acts_over(state: SecondsState, turn: TimedTurn) -> None:
    """Give the first seconds of a turn to actions that run on from the turn before."""
    for act in state.rest_of(turn.combatant):
        turn.timed.append(act)
        act.turns += (turn.seq,)


def complete_acts(state: SecondsState, turn: TimedTurn, second: int, seq: int) -> None:
    """Complete the actions that run on into a turn and end by this second of it."""
    for act in list(state.rest_of(turn.combatant)):
        if act.last <= turn.zero + second:
            because = Because(("action.runs-on-into-next-round",), of=(turn.begun, Because((), act.turns)))
            complete_work(act, seq, act.last, because)
            _stop_running(state, act)
            _end_condition_by_act(state, act)


def _stop_running(state: SecondsState, act: TimedAct) -> None:
    act.runs, state.clock_of(act.who).stopped = False, act
    state.touched.add(act.who)
    if act in state.rest_of(act.who):
        state.rest_of(act.who).remove(act)


def pass_seconds(turn: TimedTurn, second: int, because: Because) -> None:
    """Record that the seconds of a turn up to this one have passed."""
    if second > turn.spent:
        turn.waited, turn.waits = second, because


def lose_act(state: SecondsState, act: TimedAct, seq: int, *of: Cites) -> None:
    """Lose a running action, with the effect that it would have set off."""
    _end_act(state, act, LOST, seq, last_second_passed(state, act), *of)


@derives("action.given-up")
def give_up(state: SecondsState, act: TimedAct, seq: int, tick: int | None = None) -> None:
    """Give up an action: its seconds so far are spent, and it has no outcome."""
    _end_act(state, act, WITHDRAWN, seq, last_second_passed(state, act) if tick is None else tick)


def _end_act(state: SecondsState, act: TimedAct, status: str, seq: int, tick: int, *of: Cites) -> None:
    turn = state.clock_of(act.who).turn
    rules = give_up.rules if status == WITHDRAWN else ("action.run-on-comes-first",)
    why = Because(rules, of=(*((turn.begun,) if turn else ()), *of))
    act.incidents.append(Incident(seq, tick, status, why, sure=True))
    _stop_running(state, act)
    state.round.stopped.append(act)
    effect = state.delayed_by.get(act.seq)
    if effect and not effect.incidents:
        end_effect(state, effect, status, seq, why)


def end_effect(state: SecondsState, effect: Delayed, status: str, seq: int, because: Because) -> None:
    """End a delayed effect: it occurs, is called off, or is lost."""
    effect.incidents.append(Incident(seq, effect.start, status, because, sure=True))
    effect.events += (seq,)
    state.delayed.pop(effect.seq, None)
    state.round.effects.append(effect)
    for source in (effect.who, None):
        state.round.ended_of[effect.name.casefold(), source] = effect


def last_second_passed(state: SecondsState, act: TimedAct) -> int:
    """Return the last own second that an action can have taken by now, in the turn in which it began."""
    turn, number = state.playing(act.who), state.clock_of(act.who).number
    return turn.zero if turn and act.turn != number else SECONDS * number


@derives("action.given-up", on=ActionAbandoned)
def give_up_by_record(state: SecondsState, fact: Occurrence[ActionAbandoned]) -> None:
    """Give up the action that a combatant is in the middle of; a completed one can no longer be given up."""
    who = fact.event.combatant
    turn = state.playing(who)
    act = act_to_give_up(state, who, fact.event.name, turn)
    if act and turn:
        tick = _last_second_taken(turn, act, fact.event.second)
        shown = tuple(each.seq for each in turn.trifles if each.stated and each.last >= tick > turn.zero)
        act.because = Because((), shown[:1], (act.because,))
        give_up(state, act, fact.seq, tick)
    elif act:
        give_up(state, act, fact.seq)
    elif turn and turn.timed and (last := turn.timed[-1]).outcomes:
        last.because = Because((), last.outcomes[:1], (last.because,))


def act_to_give_up(state: SecondsState, who: str, name: str | None, turn: TimedTurn | None) -> TimedAct | None:
    """Return the action that a combatant can give up: one that runs on, or the last one of the turn without an outcome."""
    candidates = list(state.rest_of(who))
    last = turn.timed[-1] if turn and turn.timed else None
    if last and last.status.value == DONE and last.length > 1 and not last.outcomes:
        candidates.append(last)
    words = (name or "").casefold()
    named = (act for act in candidates if words in ("", (act.action.name or "").casefold(), act.action.plain_kind))
    return next(named, None)


def _last_second_taken(turn: TimedTurn, act: TimedAct, stated: int | None) -> int:
    """Return the last own second that an action given up took: the stated one if that fits, else the last of the turn
    in which it began, or, in a later turn, the last that a recorded trifle shows.
    """
    if stated is not None and act.start - 1 <= turn.zero + stated < act.last:
        return turn.zero + stated
    known = turn.zero + SECONDS if act.turn == turn.number else turn.zero
    return min(act.last - 1, max([known, *(each.last for each in turn.trifles if each.stated)]))


def has_no_outcome(state: SecondsState, fact: Occurrence[Fact]) -> bool:
    """Return whether an act has no outcome by now: an action that runs on into the next turn."""
    return any(act.seq == fact.seq for own in state.running.values() for act in own)


# ---------------------------------------------------------------- rulings on times


@derives("action.times", "zero-second.within-reason")
def change_length(state: SecondsState, act: TimedAct, taken: int, seq: int) -> None:
    """Change the length of an action in a turn still being played, from its first or the first free second."""
    turn = next((each for each in reversed(state.stack) if act in each.acts and act.turn == each.number), None)
    if turn is None or taken == act.length:
        return
    if not act.length:
        act.start = turn.zero + free_second(turn)
    (turn.timed if act.length else turn.trifles).remove(act)
    _stop_running(state, act)
    act.length, act.because = taken, Because(of=(act.because, Because(change_length.rules, (seq,))))
    act.point = turn.at(min(SECONDS, act.start - turn.zero))
    put_in_turn(state, turn, act)
