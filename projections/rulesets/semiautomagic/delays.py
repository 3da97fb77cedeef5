"""Delayed effects: set off as an action ends, they count their originator's own seconds until they occur."""

from collections.abc import Iterator

from eventstore.events import ActionTaken, CombatantLeft, DamageDealt, EffectEnded, Fact, RulingMade, SheetChanged
from projections.occurrence import Occurrence
from projections.rulesets.ruleset import derives
from projections.rulesets.semiautomagic.rounds import out
from projections.rulesets.semiautomagic.sheet import seconds_of
from projections.rulesets.semiautomagic.state import (
    SECONDS,
    Flight,
    Instant,
    SemiautomagicState,
    instant,
    own_second,
)
from projections.rulesets.semiautomagic.times import entry_of
from projections.state import action_word

Touching = DamageDealt | CombatantLeft | RulingMade | SheetChanged

# ---------------------------------------------------------------- set off


def delay_of(state: SemiautomagicState, who: str, event: ActionTaken) -> int | None:
    """Return the delay of what an action sets off, in seconds: as recorded, else of its entry; None without one."""
    recorded = seconds_of(event.action.delay)
    entry = entry_of(state, who, event.action)
    return seconds_of(entry.delay) if recorded is None and entry else recorded


@derives("delayed-effect.each-on-its-own", on=ActionTaken)
def sets_off(state: SemiautomagicState, fact: Occurrence[ActionTaken]) -> None:
    """Let an action set off its delayed effect, which counts from that action's own end; below 0 a delay counts as 0."""
    delay = delay_of(state, fact.event.combatant, fact.event)
    if delay is None:
        return
    flight = Flight(state.acts[fact.seq], action_word(fact.event.action), max(0, delay))
    state.flights.append(flight)
    state.flight_of[fact.seq] = flight


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
    if act.late and state.option("put-off-turn-seconds") == "at-its-place":
        return max(act.last, own_second(act.turn, SECONDS))
    return act.last


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


# ---------------------------------------------------------------- over


def flights_named(state: SemiautomagicState, name: str, source: str | None) -> Iterator[Flight]:
    """Yield the delayed effects of this name and originator (None: anybody's)."""
    for each in state.flights:
        if each.name.casefold() == name.casefold() and source in (None, each.act.combatant):
            yield each


@derives("delayed-effect.occurs-after-own-seconds", on=EffectEnded)
def called_off(state: SemiautomagicState, fact: Occurrence[EffectEnded]) -> None:
    """Let a delayed effect be called off before it occurs."""
    flight = pending(state, fact.event)
    if flight:
        flight.status, flight.events = "withdrawn", (*flight.events, fact.seq)


def pending(state: SemiautomagicState, event: EffectEnded) -> Flight | None:
    """Return the delayed effect that is still to occur and that this ends."""
    found = flights_named(state, event.effect, event.source)
    return next((each for each in found if each.status == "begun"), None)


def is_pending(state: SemiautomagicState, event: Fact) -> bool:
    """Say whether what is called off is a delayed effect that is still to occur."""
    return isinstance(event, EffectEnded) and pending(state, event) is not None


@derives("delayed-effect.on-own-turn", on=(DamageDealt, CombatantLeft, RulingMade, SheetChanged))
def lost_with_its_originator(state: SemiautomagicState, fact: Occurrence[Touching]) -> None:
    """Let the effects in flight of whoever is out be lost, where an option has it so."""
    if state.option("absent-originator") != "effect-lost":
        return
    for flight in state.flights:
        if flight.status == "begun" and out(state, flight.act.combatant):
            flight.status, flight.events = "lost", (*flight.events, fact.seq)


def due_instant(state: SemiautomagicState, flight: Flight) -> Instant:
    """Return the turn and second on its originator's clock in which an effect occurs."""
    return instant(due_second(state, flight))
