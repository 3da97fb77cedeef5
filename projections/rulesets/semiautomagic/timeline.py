"""The round turn by turn and second by second: who spends what on what, what runs on, what falls due, what is in hand."""

from typing import Any

from projections.because import Because
from projections.occurrence import Occurrence
from projections.rulesets.ruleset import derives
from projections.rulesets.semiautomagic.delays import counted, due_instant, held_back
from projections.rulesets.semiautomagic.order import because_place
from projections.rulesets.semiautomagic.rounds import due
from projections.rulesets.semiautomagic.seconds import acts, carried, first_free, holders, playing
from projections.rulesets.semiautomagic.state import (
    SECONDS,
    Act,
    Flight,
    Instant,
    SemiautomagicState,
    Turn,
    instant,
    own_second,
)
from projections.rulesets.semiautomagic.times import takes_seconds
from projections.state import Combatant, Entry, action_word
from projections.time import Point

EMPTY = "-"
"""A second that goes unused."""


def entries(state: SemiautomagicState) -> tuple[Entry, ...]:
    """Return the turns told of in this round with what was done in them, what still runs, and who is due."""
    fact = [*state.turns, *(turn for turn in state.hand.values() if turn not in state.turns)]
    rows = [_turn(turn) for turn in fact]
    rows += [_act(state, turn, act) for turn in fact for act in turn.acts]
    rows += [_waiting(state, act) for act in _still_running(state, fact)]
    rows += [_outside(act) for act in _outside_turns(state)]
    rows += [_effect(state, flight) for flight in state.flights]
    rows.sort(key=lambda row: (row.point, row.order))
    return (*rows, *_passed(state), *(_due(state, who) for who in due(state)))


def _turn(turn: Turn) -> Entry:
    rules = ["round.one-turn-each", "turn.six-second-budget"]
    if turn.put_off:
        rules += ["delay.lost-if-not-taken" if turn.status == "lost" else "delay.turn-put-off"]
    return Entry(
        point=turn.point,
        combatant=turn.combatant,
        status=turn.status,
        because=Because(tuple(rules), turn.events),
        action="turn",
        name=_words(turn),
        events=turn.events,
        order=(0, turn.seq),
    )


def _words(turn: Turn) -> str | None:
    """Say of a delayed turn which round it belongs to, and where it was taken."""
    if not turn.put_off or turn.status in ("held", "lost"):
        return None
    if not turn.taken:
        return "put off"
    where = f"in the turn of {turn.within} after second {turn.after}" if turn.within else "between two turns"
    return f"of round {turn.round}, {where}"


def _act(state: SemiautomagicState, turn: Turn, act: Act) -> Entry:
    """Return what an action has of a turn: one that runs on has a row in each turn that it runs through."""
    zero = own_second(turn.number, 0)
    first, last = max(1, act.first - zero), min(SECONDS, act.last - zero)
    timed = takes_seconds(act.needs)
    return Entry(
        point=_at(turn.point, first) if timed else act.point,
        combatant=act.combatant,
        status=act.status,
        because=_because(act, carried=act.turn != turn.number),
        action=act.action.kind,
        name=act.action.name,
        due=_when(state, act.combatant, instant(act.last), turn) if timed else None,
        until=_at(turn.point, max(first, last)) if timed else None,
        events=(act.seq, *act.outcomes, *((act.ended,) if act.ended else ())),
        order=(1, act.seq),
    )


def _at(point: Point, second: int) -> Point:
    return Point(point.round, turn=point.turn, second=second)


def _because(act: Act, *, carried: bool = False) -> Because:
    rules = acts.rules[:1] if act.needs > 1 else first_free.rules if act.needs else takes_seconds.rules[:1]
    if carried:
        rules = ("action.run-on-comes-first",)
    elif act.status == "begun":
        rules = tuple(reversed(acts.rules))
    if act.status == "withdrawn":
        rules = ("action.given-up",)
    return Because(rules, (act.seq, act.ended) if act.ended else (act.seq,))


def _when(state: SemiautomagicState, who: str, at: Instant, turn: Turn | None) -> Point:
    """Return a point of somebody's turns: of this one, or of a later round, where nobody knows yet which turn it will be."""
    if turn and at.turn == turn.number:
        return _at(turn.point, at.second)
    number = state.rounds_of.get(who, 0) + at.turn - state.numbers.get(who, 0)
    return Point(max(0, number), second=at.second)


def _still_running(state: SemiautomagicState, fact: list[Turn]) -> list[Act]:
    shown = {act.seq for turn in fact for act in turn.acts}
    return [act for each in state.running.values() for act in each if act.seq not in shown]


def _waiting(state: SemiautomagicState, act: Act) -> Entry:
    """Return an action that is begun, as it waits for the next turn of its doer."""
    start = Point(act.point.round, second=act.point.second)
    return Entry(
        point=start,
        combatant=act.combatant,
        status=act.status,
        because=_because(act),
        action=act.action.kind,
        name=act.action.name,
        due=_when(state, act.combatant, instant(act.last), None),
        until=Point(start.round, second=SECONDS),
        events=(act.seq,),
        order=(1, act.seq),
    )


def _outside_turns(state: SemiautomagicState) -> list[Act]:
    return [act for act in state.outside if act.point.round == state.round_number]


def _outside(act: Act) -> Entry:
    return Entry(
        point=act.point,
        combatant=act.combatant,
        status=act.status,
        because=Because(("action.own-turn",), (act.seq,)),
        action=act.action.kind,
        name=act.action.name,
        events=(act.seq,),
        order=(1, act.seq),
    )


def _effect(state: SemiautomagicState, flight: Flight) -> Entry:
    """Return a delayed effect: from the end of its action until it is due; or where it occurred."""
    act = flight.act
    done = flight.status == "done"
    turn = next((turn for turn in state.turns if act in turn.acts), None)
    start = _when(state, act.combatant, instant(max(1, act.last)), turn)
    options = state.chosen("effect-during-action", "put-off-turn-seconds", "absent-originator")
    return Entry(
        point=flight.point if done else start,
        combatant=act.combatant,
        status=flight.status,
        because=Because((*counted.rules, *held_back.rules), (act.seq, *flight.events), options),
        action="effect" if done else "delay",
        name=flight.name,
        due=_when(state, act.combatant, due_instant(state, flight), playing(state, act.combatant)),
        until=None if done else start,
        events=(act.seq, *flight.events),
        order=(2, act.seq),
    )


def _passed(state: SemiautomagicState) -> list[Entry]:
    """Return the places that went by without a turn: in this round, their owners being out, and as the last one closed."""
    return [
        *(_lost(state, who, seq, state.round_number) for who, seq in state.passed.items()),
        *(_lost(state, who, seq, state.round_number - 1) for who, seq in state.missed.items()),
    ]


def _lost(state: SemiautomagicState, who: str, seq: int, number: int) -> Entry:
    passed = Because(("round.one-turn-each", "delayed-effect.on-own-turn"), (seq,))
    return Entry(
        point=Point(number),
        combatant=who,
        status="lost",
        because=passed + (because_place(state, who) if who in state.standings else Because()),
        action="turn",
        events=(seq,),
    )


def _due(state: SemiautomagicState, who: str) -> Entry:
    return Entry(
        point=Point(state.round_number),
        combatant=who,
        status="due",
        because=because_place(state, who),
        action="turn",
    )


# ---------------------------------------------------------------- what is left


@derives("turn.six-second-budget")
def seconds_left(state: SemiautomagicState, one: Combatant) -> int:
    """Return the seconds that somebody has left of a turn being played: what a die in front of the player would show."""
    turn = playing(state, one.id)
    return SECONDS - min(SECONDS, first_free(turn) - 1) if turn else 0


@derives("delay.turn-put-off")
def in_hand(state: SemiautomagicState, one: Combatant) -> int:
    """Return how many turns somebody has in hand: one at most."""
    return 1 if one.id in state.hand else 0


def round_of_turn(turn: Turn) -> int:
    """Return the round that a turn belongs to: a delayed one to that in which it was put off."""
    return turn.round


def budget(state: SemiautomagicState, one: Combatant) -> dict[str, Any]:
    """Return the seconds that somebody has left of its turn, and the turns in hand."""
    return {"seconds": seconds_left(state, one), "turn-in-hand": in_hand(state, one)}


def because_turn(state: SemiautomagicState, one: Combatant) -> Because:
    """Say which facts stand behind what somebody has left: its turn, and what was done in it."""
    turn = playing(state, one.id) or state.hand.get(one.id)
    if turn is None:
        return Because(seconds_left.rules, (state.had.get(one.id) or one.joined,))
    rules = (*seconds_left.rules, *(in_hand.rules if turn.put_off else ()))
    return Because((*rules, *carried.rules[:1]), (*turn.events, *(act.seq for act in turn.acts)))


def strip(state: SemiautomagicState, one: Combatant) -> list[str]:
    """Return what each second of somebody's last turn went into: `bolt 2/4` is the second of four, `! fuse` an effect."""
    own = [turn for turn in state.turns if turn.combatant == one.id and turn.status != "held"]
    if not own:
        return [EMPTY] * SECONDS
    return [_cell(state, own[-1], second) for second in range(1, SECONDS + 1)]


def _cell(state: SemiautomagicState, turn: Turn, second: int) -> str:
    own = own_second(turn.number, second)
    held = [_part(act, own) for act, _ in holders(turn, second, second) if act not in turn.earlier]
    there = _at(turn.point, second)
    effects = [f"! {each.name}" for each in state.flights if each.status == "done" and each.point == there]
    return " ".join([" + ".join(held) or EMPTY, *effects])


def _part(act: Act, own: int) -> str:
    word = act.action.name or act.action.kind.replace("-", " ")
    return word if act.needs == 1 else f"{word} {own - act.first + 1}/{act.needs}"


def moment(state: SemiautomagicState, fact: Occurrence[Any]) -> Point | None:
    """Return the second that an action, or an effect, was found to begin or occur in; None for anything else."""
    seq, point = state.placed_at
    return Point(state.round_number, turn=point.turn, second=point.second) if seq == fact.seq else None


# ---------------------------------------------------------------- casting


def casting(state: SemiautomagicState, one: Combatant) -> Entry | None:
    """Return the spell that somebody has begun and not done, which runs on into the next turn."""
    act = _spell(state, one)
    return _waiting(state, act) if act else None


def concentration(state: SemiautomagicState, one: Combatant) -> tuple[str, Because]:
    """Return the spell that somebody is in the middle of: the text knows no other concentration."""
    act = _spell(state, one)
    if act is None:
        return "", Because(acts.rules, (one.joined,))
    return action_word(act.action), _because(act)


def _spell(state: SemiautomagicState, one: Combatant) -> Act | None:
    return next((act for act in state.running.get(one.id, []) if act.action.kind == "cast"), None)
