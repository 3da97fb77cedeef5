"""Seconds: which of them an action holds in a turn, how it runs on into the next, and how it is given up."""

from collections.abc import Iterator

from eventstore.events import ActionAbandoned, ActionTaken, RulingMade
from projections.occurrence import Occurrence
from projections.rulesets.ruleset import derives
from projections.rulesets.semiautomagic.state import SECONDS, Act, SemiautomagicState, Turn, own_second
from projections.rulesets.semiautomagic.times import cost, takes_seconds
from projections.time import Point

# ---------------------------------------------------------------- whose, and which


def playing(state: SemiautomagicState, who: str) -> Turn | None:
    """Return the turn of a combatant that is being played, broken into or not."""
    return next((turn for turn in reversed(state.stack) if turn.combatant == who), None)


def own_turn(state: SemiautomagicState, who: str, cost: int) -> Turn | None:
    """Return the turn in which a combatant can act: its own, if it is played or can go on now; else None."""
    above: list[Turn] = []
    for turn in reversed(state.stack):
        if turn.combatant == who:
            free = takes_seconds(cost) or all(each.spent >= SECONDS or each.seq == turn.seq for each in above)
            return turn if free else None
        above.append(turn)
    return None


@derives("turn.six-second-budget", "turn.any-number-of-actions")
def first_free(turn: Turn) -> int:
    """Return the first second of a turn that is not spent; 7 where all are."""
    return turn.spent + 1


def first_second(turn: Turn, stated: int | None) -> int | None:
    """Return the second in which an action starts: the one stated, if a turn has it, else the first that is free."""
    if stated is not None and 1 <= stated <= SECONDS:
        return stated
    free = first_free(turn)
    return free if free <= SECONDS else None


def holders(turn: Turn, first: int, last: int) -> Iterator[tuple[Act, int]]:
    """Yield the actions that hold seconds of a turn, with the first of these that each holds."""
    for act in (*turn.earlier, *turn.acts):
        start, end = (own - own_second(turn.number, 0) for own in (act.first, act.last))
        low = max(start, first)
        if act.status != "lost" and low <= min(end, last):
            yield act, low


# ---------------------------------------------------------------- doing


@derives("action.consecutive-seconds", "action.runs-on-into-next-round", on=ActionTaken)
def acts(state: SemiautomagicState, fact: Occurrence[ActionTaken]) -> None:
    """Let an action take its seconds one after the other, from its first one on, over as many turns as it needs."""
    event = fact.event
    taken = cost(state, event.combatant, event.action)
    turn = own_turn(state, event.combatant, taken)
    if turn is None:
        act = _outside(state, fact)
        state.outside.append(act)
    else:
        goes_on(state, turn)
        act = _within(state, fact, turn, taken)
    state.acts[fact.seq] = act
    state.nearest_act = fact.seq
    state.placed_at = (fact.seq, act.point)
    clock_shows(state, 0)


def goes_on(state: SemiautomagicState, turn: Turn) -> None:
    """Let a turn that was broken into go on: what broke in is over."""
    while state.stack[-1] is not turn and state.stack[-1].seq != turn.seq:
        over = state.stack.pop()
        confirm(state, over, SECONDS)
        over.status = "done"
    state.latest = turn


def _outside(state: SemiautomagicState, fact: Occurrence[ActionTaken]) -> Act:
    """Return an action outside its doer's turn: it holds no second, and is done with the last that went by."""
    who = fact.event.combatant
    last = own_second(state.numbers.get(who, 0), SECONDS)
    return Act(fact.seq, who, fact.event.action, last + 1, last, 0, state.clock.point)


def _within(state: SemiautomagicState, fact: Occurrence[ActionTaken], turn: Turn, taken: int) -> Act:
    event, number = fact.event, turn.number
    stated = event.second if event.second is not None and 0 <= event.second <= SECONDS else None
    start = first_second(turn, event.second) if takes_seconds(taken) else (stated or turn.spent)
    if not takes_seconds(taken) or start is None:
        own = own_second(number, start if start is not None else SECONDS)
        point = _at(turn, max(1, start or 0) if start is not None else SECONDS)
        act = Act(fact.seq, event.combatant, event.action, own + 1, own, number, point, 0, turn.put_off)
        act.stated = stated is not None
    else:
        first = own_second(number, start)
        last, point = first + taken - 1, _at(turn, start)
        act = Act(fact.seq, event.combatant, event.action, first, last, number, point, taken, turn.put_off)
        spends(state, turn, act)
    turn.acts.append(act)
    return act


def _at(turn: Turn, second: int) -> Point:
    return Point(turn.point.round, turn=turn.point.turn, second=second)


def spends(state: SemiautomagicState, turn: Turn, act: Act) -> None:
    """Let an action take its seconds off a turn; what does not fit into it runs on."""
    confirm(state, turn, SECONDS)
    turn.played = True
    turn.spent = max(turn.spent, min(SECONDS, act.last - own_second(turn.number, 0)))
    if act.last > own_second(turn.number, SECONDS):
        act.status = "begun"
        state.running.setdefault(act.combatant, []).append(act)


# ---------------------------------------------------------------- running on


def rest_of(state: SemiautomagicState, who: str) -> list[Act]:
    """Return the actions of a combatant that are begun and not done."""
    return state.running.get(who, [])


@derives("action.run-on-comes-first", "action.runs-on-into-next-round")
def carried(state: SemiautomagicState, turn: Turn) -> None:
    """Give the first seconds of a turn to what still runs from the turn before."""
    for act in rest_of(state, turn.combatant):
        needs = act.last - own_second(turn.number, 0)
        if needs > 0:
            turn.spent = max(turn.spent, min(SECONDS, needs))
            turn.acts.append(act)


def confirm(state: SemiautomagicState, turn: Turn, second: int) -> None:
    """Let what still ran in a turn be done, as far as it ends by this second of it."""
    for act in list(rest_of(state, turn.combatant)):
        if act.last <= own_second(turn.number, second) and act.turn != turn.number:
            act.status = "done"
            rest_of(state, turn.combatant).remove(act)
            turn.played = True


def waits(turn: Turn, second: int) -> None:
    """Let the seconds of a turn up to this one be gone."""
    turn.waited = max(turn.waited, second)
    turn.spent = max(turn.spent, second)


def lose(state: SemiautomagicState, act: Act, seq: int) -> None:
    """Let an action that runs be lost, and what it was to set off with it."""
    _stops(state, act, "lost", seq)


def _stops(state: SemiautomagicState, act: Act, status: str, seq: int) -> None:
    act.status, act.ended = status, seq
    act.last = min(act.last, _reached(state, act))
    if act in rest_of(state, act.combatant):
        rest_of(state, act.combatant).remove(act)
    flight = state.flight_of.get(act.seq)
    if flight and flight.status == "begun":
        flight.status, flight.events = status, (*flight.events, seq)


def _reached(state: SemiautomagicState, act: Act) -> int:
    """Return the last own second that an action can have taken by now."""
    number = state.numbers.get(act.combatant, 0)
    playing = any(turn.combatant == act.combatant for turn in state.stack)
    return own_second(number - 1 if playing and act.turn != number else number, SECONDS)


@derives("action.given-up")
def give_up(state: SemiautomagicState, act: Act, seq: int) -> None:
    """Let an action be given up: the seconds that it took are gone, and it brings nothing."""
    _stops(state, act, "withdrawn", seq)


@derives("action.given-up", on=ActionAbandoned)
def gives_up(state: SemiautomagicState, fact: Occurrence[ActionAbandoned]) -> None:
    """Give up what a combatant is in the middle of; what is done can no longer be given up."""
    who = fact.event.combatant
    turn = playing(state, who)
    act = to_give_up(state, who, fact.event.name, turn)
    if act is None:
        return
    if turn:
        _frees(turn, act, fact.event.second)
    give_up(state, act, fact.seq)
    clock_shows(state, 0)


def to_give_up(state: SemiautomagicState, who: str, name: str | None, turn: Turn | None) -> Act | None:
    """Return the action that somebody can give up: one that runs on, or the last one of the turn, if nothing came of it."""
    candidates = list(rest_of(state, who))
    timed = [act for act in turn.acts if act.seconds > 0] if turn else []
    if timed and timed[-1].status == "done" and timed[-1].seconds > 1 and not timed[-1].outcomes:
        candidates.append(timed[-1])
    words = (name or "").casefold()
    return next((act for act in candidates if not words or words in _names(act)), None)


def _names(act: Act) -> tuple[str, str]:
    return (act.action.name or "").casefold(), act.action.kind.casefold()


def _frees(turn: Turn, act: Act, stated: int | None) -> None:
    """Give the seconds back that an action given up had not yet taken; without a second stated only its last one."""
    zero = own_second(turn.number, 0)
    last = min(act.last - 1, own_second(turn.number, SECONDS)) if act.turn == turn.number else zero
    if stated is not None and act.first - 1 <= zero + stated < act.last:
        last = zero + stated
    others = [each for each in (*turn.earlier, *turn.acts) if each is not act and (each.seconds > 0 or each.stated)]
    turn.spent = max([last - zero, turn.waited, *(each.last - zero for each in others)])
    turn.spent = max(0, min(SECONDS, turn.spent))
    turn.played = turn.played or last > zero
    act.last = max(last, act.first - 1)


@derives("action.times", "zero-second.within-reason", on=RulingMade)
def ruling_times(state: SemiautomagicState, fact: Occurrence[RulingMade]) -> None:
    """Let a ruling say how many seconds something takes: at `<id>.time.<name>`, or of the action that it is about."""
    for address, value in (fact.event.values or {}).items():
        if not isinstance(value, int) or value < 0:
            continue
        act = state.acts.get(fact.event.event or 0)
        who, _, rest = address.partition(".")
        field, _, name = rest.partition(".")
        if field == "time" and who in state.combatants and name:
            state.ruled_times[who, name.casefold()] = (value, fact.seq)
            act = act or _latest(state, who, name.casefold())
        elif address not in ("time", "seconds"):
            continue
        if act:
            _takes(state, act, value)


def _latest(state: SemiautomagicState, who: str, name: str) -> Act | None:
    turn = playing(state, who)
    return next((act for act in reversed(turn.acts) if name in _names(act)), None) if turn else None


def _takes(state: SemiautomagicState, act: Act, taken: int) -> None:
    """Let an action of a turn that is still played take other seconds than it did: from its first, or the first free one."""
    turn = next((each for each in reversed(state.stack) if act in each.acts and act.turn == each.number), None)
    if turn is None or taken == act.seconds:
        return
    zero = own_second(turn.number, 0)
    first = act.first if act.seconds > 0 else zero + first_free(turn)
    turn.acts.remove(act)
    if act in rest_of(state, act.combatant):
        rest_of(state, act.combatant).remove(act)
    others = [each for each in (*turn.earlier, *turn.acts) if each.seconds > 0]
    turn.spent = max([0, turn.waited, turn.cut, *(min(SECONDS, each.last - zero) for each in others)])
    act.first, act.last, act.status, act.needs = first, first + taken - 1, "done", taken
    turn.acts.append(act)
    if taken > 0:
        act.point = _at(turn, min(SECONDS, first - zero))
        spends(state, turn, act)
    clock_shows(state, 0)


# ---------------------------------------------------------------- the clock


def clock_shows(state: SemiautomagicState, seq: int) -> None:
    """Set the clock to the turn being played, the round and the seconds gone by."""
    clock, turn = state.clock, (state.stack[-1] if state.stack else None)
    clock.round, clock.open = state.round_number, state.round_number > 0
    clock.point = _at(turn, turn.spent) if turn else Point(state.round_number, turn=state.places_told)
    clock.turn = turn.combatant if turn else ""
    clock.together = tuple(dict.fromkeys(each.combatant for each in state.stack if each.combatant != clock.turn))
    if turn:
        clock.turn_event = turn.seq
    clock.round_event = state.opened
    clock.events = tuple(dict.fromkeys(each for each in (state.opened, *(turn.events if turn else ()), seq) if each))
