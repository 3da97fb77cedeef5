"""What else can be stated here: seconds of rounds and turns, what is left, when something is due, contests."""

from collections.abc import Callable
from typing import Any

from eventstore.shapes import Action
from projections.because import Because
from projections.rulesets.ruleset import derives
from projections.rulesets.semiautomagic.contests import because_contest, ranking
from projections.rulesets.semiautomagic.delays import counted, due_instant, due_second, held_back
from projections.rulesets.semiautomagic.order import because_place, counting, owes, result
from projections.rulesets.semiautomagic.seconds import acts, playing, ruling_times
from projections.rulesets.semiautomagic.state import (
    SECONDS,
    Act,
    Contest,
    Flight,
    Instant,
    SemiautomagicState,
    instant,
    own_second,
)
from projections.rulesets.semiautomagic.timeline import because_turn, in_hand, round_of_turn, seconds_left, strip
from projections.rulesets.semiautomagic.times import listed_time
from projections.rulesets.semiautomagic.turns import lose_hand
from projections.state import Combatant

Value = tuple[Any, Because]
NOTHING = "none"


def value(state: SemiautomagicState, address: str) -> Value | None:
    """Return the value at `seconds`, `round.<n>.second[.<s>]`, `contest[.<about>[.<id>]]`, or `<id>.<field>[.<name>]`.

    The fields: `seconds` left, last `second` spent, `second.<s>` and `strip` (what the seconds went into),
    `interrupted` (seconds left of a turn broken into), `turn-in-hand`, `round` (of the turn), `total` and `rerolls`; by
    the name of something done `time` (seconds), `left` (still needed), `action` and `effect` (how far they have come),
    `due` (such as r2.ana.3), `delay` (seconds still to count).
    """
    head, _, rest = address.partition(".")
    if address == "seconds":
        return elapsed(state), _because_rounds(state)
    if head == "round" and rest:
        return _round(state, rest)
    if head == "contest":
        return _contest(state, rest)
    one = state.combatants.get(head)
    field, _, name = rest.removeprefix("budget.").replace("_", "-").partition(".")
    if one is None or field not in _FIELDS:
        return None
    return _FIELDS[field](state, one, name.casefold())


@derives("round.six-seconds")
def second_of(number: int, second: int) -> int:
    """Return a second of a round counted from the beginning of the fight; second 0 is the moment at which it begins."""
    return SECONDS * (number - 1) + second


def elapsed(state: SemiautomagicState) -> int:
    """Return the seconds of the fight that have gone by, by the turn being played."""
    return second_of(max(1, state.round_number), state.clock.point.second)


def _because_rounds(state: SemiautomagicState) -> Because:
    return Because(second_of.rules, (state.opened or state.seq or 1,))


def _round(state: SemiautomagicState, rest: str) -> Value | None:
    words = rest.split(".")
    numbers = [int(word) for word in (words[0], *words[2:]) if word.isdigit() and len(word) < 10]
    if len(words) not in (2, 3) or words[1] != "second" or len(numbers) != len(words) - 1 or numbers[0] < 1:
        return None
    return second_of(numbers[0], numbers[1] if len(numbers) > 1 else 0), _because_rounds(state)


# ---------------------------------------------------------------- contests


def _contest(state: SemiautomagicState, rest: str) -> Value | None:
    about, who = rest.casefold(), ""
    if about not in state.contests and "." in about:
        about, _, who = about.rpartition(".")
    found = state.contests.get(about) if rest else next(reversed(state.contests.values()), None)
    if found is None:
        return None
    because = because_contest(state, found)
    if who:
        return (found.results[who][-1], because) if who in found.results else None
    return _winner(found), because


def _winner(found: Contest) -> str:
    first = next(iter(ranking(found)), [])
    return first[0] if len(first) == 1 else NOTHING


# ---------------------------------------------------------------- of a combatant


def _seconds(state: SemiautomagicState, one: Combatant, _name: str) -> Value:
    return seconds_left(state, one), because_turn(state, one)


def _interrupted(state: SemiautomagicState, one: Combatant, _name: str) -> Value:
    """Return the seconds that somebody has left of a turn that was broken into."""
    broken = [turn for turn in state.stack[:-1] if turn.combatant == one.id]
    return (SECONDS - broken[-1].spent if broken else NOTHING), because_turn(state, one)


def _second(state: SemiautomagicState, one: Combatant, name: str) -> Value | None:
    """Return the last second spent of a turn being played, or what a second of it holds."""
    turn = playing(state, one.id)
    if not name:
        return (turn.spent if turn else NOTHING), because_turn(state, one)
    if not name.isdigit() or not 1 <= int(name[:9]) <= SECONDS:
        return None
    return strip(state, one)[int(name[:9]) - 1], because_turn(state, one)


def _hand(state: SemiautomagicState, one: Combatant, name: str) -> Value:
    turn = state.hand.get(one.id)
    left = SECONDS - turn.spent if turn else 0
    return (left if name == "seconds" else in_hand(state, one)), _because_hand(state, one)


def _because_hand(state: SemiautomagicState, one: Combatant) -> Because:
    lost = [turn for turn in state.turns if turn.combatant == one.id and turn.status == "lost"]
    rules = lose_hand.rules if lost and one.id not in state.hand else in_hand.rules
    return Because(rules, tuple(seq for turn in lost for seq in turn.events)) + because_turn(state, one)


def _round_of(state: SemiautomagicState, one: Combatant, _name: str) -> Value:
    turn = playing(state, one.id) or state.hand.get(one.id)
    return (round_of_turn(turn) if turn else NOTHING), because_turn(state, one)


def _strip(state: SemiautomagicState, one: Combatant, _name: str) -> Value:
    return strip(state, one), because_turn(state, one)


def _total(state: SemiautomagicState, one: Combatant, _name: str) -> Value:
    own = state.standings.get(one.id)
    return (own.total, Because(result.rules) + because_place(state, one.id)) if own else (NOTHING, _joined(one))


def _rerolls(state: SemiautomagicState, one: Combatant, _name: str) -> Value:
    own = state.standings.get(one.id)
    return (
        (list(counting(state, own)), Because(owes.rules) + because_place(state, one.id))
        if own
        else (NOTHING, _joined(one))
    )


def _joined(one: Combatant) -> Because:
    return Because(("initiative.reflex-plus-dexterity",), (one.joined,))


def _time(state: SemiautomagicState, one: Combatant, name: str) -> Value | None:
    """Return the seconds that something takes: the last such action, else by a ruling, an entry, or the table."""
    found = _acts(state, one, name)
    ruled = state.ruled_times.get((one.id, name))
    taken = found[-1].seconds if found else listed_time(state, one.id, Action(kind=name, name=name)) if name else None
    if taken is None:
        return None
    because = Because(listed_time.rules, (found[-1].seq if found else one.joined,))
    return taken, because + Because(ruling_times.rules, (ruled[1],)) if ruled else because


def _left(state: SemiautomagicState, one: Combatant, name: str) -> Value | None:
    """Return the seconds that the turns to come have to give to an action that is begun; 0 where it is done or over."""
    found = _acts(state, one, name)
    if not name:
        return _seconds(state, one, name)
    if not found:
        return None
    act = found[-1]
    turn = playing(state, one.id)
    gone = own_second(turn.number - 1 if turn and rests_on(state, act) else state.numbers.get(one.id, 0), SECONDS)
    return (max(0, act.last - gone) if act.status == "begun" else 0), because_running(act)


def because_running(act: Act) -> Because:
    """Say what an action that runs, or ran, on is due by: its seconds, one after the other, over the turns they take."""
    return Because(tuple(reversed(acts.rules)), _seqs(act))


def rests_on(state: SemiautomagicState, act: Act) -> bool:
    """Say whether an action runs on into the turn that its doer is playing."""
    turn = playing(state, act.combatant)
    return turn is not None and act.turn != turn.number


def _status(state: SemiautomagicState, one: Combatant, name: str) -> Value | None:
    found = _acts(state, one, name)
    return (found[-1].status, Because(acts.rules, _seqs(found[-1]))) if found else None


def _due(state: SemiautomagicState, one: Combatant, name: str) -> Value | None:
    """Return when something is done, or with a delay when it occurs, such as r2.ana.3; `none` once it is over."""
    flight = _flight(state, one, name)
    if flight:
        at = due_instant(state, flight) if flight.status == "begun" else None
        return _where(state, one, at), because_flight(state, flight)
    found = _acts(state, one, name)
    if not found:
        return None
    at = instant(found[-1].last) if found[-1].status == "begun" else None
    return _where(state, one, at), because_running(found[-1])


def _where(state: SemiautomagicState, one: Combatant, at: Instant | None) -> str:
    if at is None:
        return NOTHING
    number = state.rounds_of.get(one.id, 0) + at.turn - state.numbers.get(one.id, 0)
    return f"r{number}.{one.id}.{at.second}"


def _effect(state: SemiautomagicState, one: Combatant, name: str) -> Value | None:
    flight = _flight(state, one, name)
    return (flight.status, because_flight(state, flight)) if flight else None


def _delay(state: SemiautomagicState, one: Combatant, name: str) -> Value | None:
    """Return the own seconds that a delay still has to count."""
    flight = _flight(state, one, name)
    if flight is None:
        return None
    turn, number = playing(state, one.id), state.numbers.get(one.id, 0)
    gone = own_second(turn.number, turn.spent) if turn else own_second(number, SECONDS)
    at = due_second(state, flight) if flight.status == "begun" else 0
    return max(0, at - max(gone, flight.act.last)), because_flight(state, flight)


def because_flight(state: SemiautomagicState, flight: Flight) -> Because:
    """Say what a delayed effect is due by."""
    options = state.chosen("effect-during-action", "put-off-turn-seconds", "absent-originator")
    later = due_instant(state, flight).turn != instant(flight.act.last).turn
    rules = reversed(counted.rules) if later else counted.rules
    return Because((*rules, *held_back.rules), (flight.act.seq, *flight.events), options)


def _flight(state: SemiautomagicState, one: Combatant, name: str) -> Flight | None:
    own = [each for each in state.flights if each.act.combatant == one.id and each.name.casefold() == name]
    return next((each for each in own if each.status == "begun"), own[-1] if own else None)


def _acts(state: SemiautomagicState, one: Combatant, name: str) -> list[Act]:
    words = [act for act in state.acts.values() if act.combatant == one.id]
    return [act for act in words if name in ((act.action.name or "").casefold(), act.action.kind.casefold())]


def _seqs(act: Act) -> tuple[int, ...]:
    return (act.seq, act.ended) if act.ended else (act.seq,)


_FIELDS: dict[str, Callable[[SemiautomagicState, Combatant, str], Value | None]] = {
    "seconds": _seconds,
    "second": _second,
    "interrupted": _interrupted,
    "turn-in-hand": _hand,
    "round": _round_of,
    "strip": _strip,
    "total": _total,
    "rerolls": _rerolls,
    "time": _time,
    "left": _left,
    "action": _status,
    "due": _due,
    "delay": _delay,
    "effect": _effect,
}
