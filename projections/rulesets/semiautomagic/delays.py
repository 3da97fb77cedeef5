"""Delayed effects: set off as an action ends, they count their originator's own seconds, turn after turn, until they occur."""

from collections.abc import Iterable, Iterator

from eventstore.events import (
    ActionTaken,
    AttackRolled,
    CombatantLeft,
    ConditionGained,
    DamageDealt,
    DiceRolled,
    EffectEnded,
    EffectStarted,
    Healed,
    RulingMade,
    SaveRolled,
    SheetChanged,
)
from projections.rulesets.ruleset import derives
from projections.rulesets.semiautomagic.rounds import out
from projections.rulesets.semiautomagic.seconds import clock_shows, confirm, entry_of, own_turn, waits
from projections.rulesets.semiautomagic.sheet import seconds_of
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
from projections.state import Told, action_word
from projections.time import Point

Outcome = DamageDealt | Healed | EffectStarted | ConditionGained
Touching = DamageDealt | CombatantLeft | RulingMade | SheetChanged

# ---------------------------------------------------------------- set off


def delay_of(state: SemiautomagicState, who: str, event: ActionTaken) -> int | None:
    """Return the delay of what an action sets off, in seconds: as recorded, else of its entry; None without one."""
    recorded = seconds_of(event.action.delay)
    entry = entry_of(state, who, event.action)
    return seconds_of(entry.delay) if recorded is None and entry else recorded


@derives("delayed-effect.each-on-its-own", on=ActionTaken)
def sets_off(state: SemiautomagicState, told: Told[ActionTaken]) -> None:
    """Let an action set off its delayed effect, which counts from that action's own end; below 0 a delay counts as 0."""
    delay = delay_of(state, told.event.combatant, told.event)
    if delay is None:
        return
    flight = Flight(state.acts[told.seq], action_word(told.event.action), max(0, delay), 0)
    state.flights.append(flight)
    state.flight_of[told.seq] = flight


@derives(
    "delayed-effect.occurs-after-own-seconds", "delayed-effect.no-effort", "delayed-effect.runs-on-into-later-turns"
)
def counted(since: int, delay: int) -> int:
    """Return the own second in which a delay ends: its seconds run on whatever is done, or not done, in them."""
    return since + delay


@derives("delay.lost-if-not-taken")
def counts_from(state: SemiautomagicState, flight: Flight) -> int:
    """Return the own second from which a delay counts: the end of its action.

    Where the seconds of a turn put off passed at its place, none pass again as it is taken: it counts from its last.
    """
    act = flight.act
    if state.option("put-off-turn-seconds") != "at-its-place" or act.turn not in _put_off(state, act):
        return act.last
    return max(act.last, own_second(act.turn, SECONDS))


def _put_off(state: SemiautomagicState, act: Act) -> Iterable[int]:
    """Return the number of the turn that an action was begun in, if that was a delayed one."""
    return (act.turn,) if act.seq in state.taken_late else ()


def due_second(state: SemiautomagicState, flight: Flight) -> int:
    """Return the own second in which a delayed effect occurs."""
    return held_back(state, flight.act.combatant, counted(counts_from(state, flight), flight.delay))


@derives("delayed-effect.during-running-action")
def held_back(state: SemiautomagicState, who: str, second: int) -> int:
    """Return the own second in which an effect occurs that is due in this one: an action that runs holds it back, or not."""
    if state.option("effect-during-action") != "after-the-action":
        return second
    turns = [turn for turn in state.turns if turn.combatant == who]
    acts = {act.seq: act for turn in turns for act in turn.acts if act.status in ("begun", "done")}
    return max([second, *(act.last for act in acts.values() if act.first <= second < act.last)])


# ---------------------------------------------------------------- who and what an outcome comes of


def act_of(state: SemiautomagicState, told: Told[Outcome]) -> Act | None:
    """Return the action that an outcome comes out of: what it names, else the last one of the present turn."""
    seq = told.event.cause or 0
    while seq in state.came_from and seq not in state.acts:
        seq = state.came_from[seq]
    return state.acts.get(seq)


def flight_of(state: SemiautomagicState, told: Told[Outcome]) -> Flight | None:
    """Return the delayed effect that is recorded as occurring: by its action, else by its name and originator."""
    event = told.event
    if event.cause and event.cause in state.came_from and not isinstance(event, EffectStarted):
        return None
    act = act_of(state, told)
    if act:
        return state.flight_of.get(act.seq)
    if not isinstance(event, EffectStarted) or event.cause:
        return None
    found = [each for each in flights_named(state, event.effect, event.source) if each.status != "done"]
    return found[0] if found else next(flights_named(state, event.effect, event.source), None)


def flights_named(state: SemiautomagicState, name: str, source: str | None) -> Iterator[Flight]:
    """Yield the delayed effects of this name and originator (None: anybody's)."""
    for each in state.flights:
        if each.name.casefold() == name.casefold() and source in (None, each.act.combatant):
            yield each


# ---------------------------------------------------------------- occurring


@derives("action.runs-on-into-next-round", on=(DamageDealt, Healed, EffectStarted, ConditionGained))
def comes_of_it(state: SemiautomagicState, told: Told[Outcome]) -> None:
    """Let a delayed effect occur, and an action be done that brings something in its last second."""
    flight = flight_of(state, told)
    act = act_of(state, told)
    if isinstance(told.event, EffectStarted) and (act or flight):
        state.came_from[told.seq] = flight.act.seq if flight else act.seq if act else 0
    if flight:
        occurs(state, flight, told)
    elif act:
        act.outcomes += (told.seq,)
        _done_with_it(state, act, told.event.second)


def _done_with_it(state: SemiautomagicState, act: Act, stated: int | None) -> None:
    turn = own_turn(state, act.combatant, 0)
    if turn and instant(act.last).turn == turn.number and act.turn != turn.number:
        confirm(state, turn, SECONDS if stated is None else stated)
        clock_shows(state, 0)


def occurs(state: SemiautomagicState, flight: Flight, told: Told[Outcome]) -> None:
    """Let a delayed effect occur, where it was recorded."""
    flight.events += (told.seq,)
    if flight.status != "begun":
        return
    due = instant(due_second(state, flight))
    turn = playing(state, flight.act.combatant)
    second = told.event.second if told.event.second is not None else due.second
    flight.status = "done"
    flight.point = Point(state.round, turn=state.clock.point.turn, second=second)
    if turn and turn.number == due.turn:
        flight.point = Point(turn.point.round, turn=turn.point.turn, second=second)
        resume(state, turn)
        confirm(state, turn, due.second)
        waits(turn, due.second)
    state.placed_at = (told.seq, flight.point)
    clock_shows(state, 0)


def playing(state: SemiautomagicState, who: str) -> Turn | None:
    """Return the turn of a combatant that is being played, broken into or not."""
    return next((turn for turn in reversed(state.stack) if turn.combatant == who), None)


def resume(state: SemiautomagicState, turn: Turn) -> None:
    """Let a turn that was broken into go on with an effect of its owner."""
    while state.stack[-1] is not turn and turn in state.stack:
        over = state.stack.pop()
        confirm(state, over, SECONDS)
        over.status = "done"


@derives("action.consecutive-seconds", on=(AttackRolled, SaveRolled, DiceRolled))
def rolled_for_it(state: SemiautomagicState, told: Told[AttackRolled] | Told[SaveRolled] | Told[DiceRolled]) -> None:
    """Remember what a roll was made for, so that what comes of the roll is found to come of the action."""
    if told.event.cause:
        state.came_from[told.seq] = told.event.cause


@derives("delayed-effect.occurs-after-own-seconds", on=EffectEnded)
def called_off(state: SemiautomagicState, told: Told[EffectEnded]) -> None:
    """Let a delayed effect be called off before it occurs."""
    flight = pending(state, told.event)
    if flight:
        flight.status, flight.events = "withdrawn", (*flight.events, told.seq)


def pending(state: SemiautomagicState, event: EffectEnded) -> Flight | None:
    """Return the delayed effect that is still to occur and that this ends."""
    found = flights_named(state, event.effect, event.source)
    return next((each for each in found if each.status == "begun"), None)


@derives("delayed-effect.on-own-turn", on=(DamageDealt, CombatantLeft, RulingMade, SheetChanged))
def lost_with_its_originator(state: SemiautomagicState, told: Told[Touching]) -> None:
    """Let the effects in flight of whoever is out be lost, where an option has it so."""
    if state.option("absent-originator") != "effect-lost":
        return
    for flight in state.flights:
        if flight.status == "begun" and out(state, flight.act.combatant):
            flight.status, flight.events = "lost", (*flight.events, told.seq)


def due_instant(state: SemiautomagicState, flight: Flight) -> Instant:
    """Return the turn and second on its originator's clock in which an effect occurs."""
    return instant(due_second(state, flight))
