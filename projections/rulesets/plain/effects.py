"""Effects and conditions that run out, are renewed, or hang on somebody's concentration."""

from collections import Counter

from eventstore.events import CombatantLeft, ConditionGained, EffectEnded, EffectStarted
from eventstore.shapes import Duration
from projections.address import Address, names
from projections.because import Because, Derived
from projections.folds.effects import borne, end, lose, set_effects
from projections.mechanics.conditions import Effect, Key, matching
from projections.mechanics.pools import within
from projections.occurrence import Occurrence
from projections.rulesets.plain.sheet import CALENDAR
from projections.rulesets.plain.state import PlainState
from projections.rulesets.ruleset import derives
from projections.state import Combatant


@derives("effect.renewed", on=EffectStarted)
def renews(state: PlainState, fact: Occurrence[EffectStarted]) -> None:
    """Let a new effect take the place of one of its name on the same bearer."""
    if state.option("same-effect") == "stacks":
        return
    name, bearers = fact.event.effect.casefold(), fact.event.targets or ("",)
    old = [k for k, e in state.effects.items() if k[0] != fact.seq and e.bearer in bearers]
    _end(state, [k for k in old if state.effects[k].name.casefold() == name], renews.rules, "same-effect")


@derives("concentration.one-at-a-time", on=EffectStarted)
def lets_go(state: PlainState, fact: Occurrence[EffectStarted]) -> None:
    """End what the source concentrated on before, with everything that hangs on it."""
    source = fact.event.source
    if fact.event.concentration and source and state.option("concentration") != "any":
        _end(state, [k for k in _held(state, source) if k[0] != fact.seq], lets_go.rules, "concentration")


@derives("concentration.one-at-a-time", on=CombatantLeft)
def leaver_lets_go(state: PlainState, fact: Occurrence[CombatantLeft]) -> None:
    """End what somebody who leaves concentrated on, with everything that hangs on it."""
    end(state, _held(state, fact.event.combatant), Because(leaver_lets_go.rules, (fact.seq,)))


def _held(state: PlainState, who: str) -> list[Key]:
    """Return what somebody concentrates on."""
    return [key for key, effect in state.effects.items() if effect.concentration and effect.source == who]


def _end(state: PlainState, keys: list[Key], rules: tuple[str, ...], option: str) -> None:
    """End these effects by these rules in the reading of an option, which is then among the reasons."""
    end(state, keys, Because(rules, (state.now,), state.chosen(option)))


@derives("effect.runs-out", on=(EffectStarted, ConditionGained))
def is_counted_in_rounds(state: PlainState, fact: Occurrence[EffectStarted] | Occurrence[ConditionGained]) -> None:
    """Count a duration in rounds of six seconds, rounded up; one in a unit that is none here is not counted."""
    said = fact.event.duration
    if said is None:
        return
    length = CALENDAR.length(said)
    rounds = CALENDAR.count(length, "round") if length else None
    left = None if rounds is None else max(0, within(rounds))
    counted = said if left is None else Duration(amount=left, unit="round", of=said.of, at=said.at)
    for among in (state.effects, state.conditions):
        for effect in (effect for key, effect in among.items() if key[0] == fact.seq):
            effect.left, effect.duration = left, counted


@derives("effect.runs-out")
def ticks(state: PlainState, owners: tuple[str, ...], moment: str, seq: int) -> None:
    """Count a round off what lasts until turns of these owners begin (`start`) or end (`end`)."""
    found = [effect for effect in _counted(state) if _owner(effect) in owners and _moment(effect) == moment]
    _count(state, found, 1, seq)


@derives("effect.runs-out")
def ticks_with_rounds(state: PlainState, seq: int) -> None:
    """Count a round off what lasts for nobody's turns, or for those of somebody who has left."""
    taking_turns = {one.id for one in state.here()}
    _count(state, [effect for effect in _counted(state) if _owner(effect) not in taking_turns], 1, seq)


@derives("effect.runs-out")
def passes(state: PlainState, rounds: int, seq: int) -> None:
    """Count so many rounds off whatever lasts for a time."""
    if rounds > 0:
        _count(state, _counted(state), rounds, seq)


def _counted(state: PlainState) -> list[Effect]:
    return [e for among in (state.effects, state.conditions) for e in among.values() if e.left is not None]


def _count(state: PlainState, found: list[Effect], rounds: int, seq: int) -> None:
    """Count so many rounds off, and end what has run out."""
    over = False
    for effect in found:
        effect.left, effect.ticked_by = (effect.left or 0) - rounds, (seq,)
        over = over or effect.left <= 0
    if over:
        because = Because(ticks.rules, (seq,))
        gone = end(state, _run_out(state.effects), because) | lose(state, _run_out(state.conditions), because)
        for key, effect in gone.items():
            effect.ticked_by = (seq,)
            state.over[key] = effect


@derives("effect.runs-out")
def forgets_what_ran_out(state: PlainState, before: int) -> None:
    """Forget what ran out before a fact: whoever says now that it is over is late."""
    for key in [key for key, effect in state.over.items() if max(effect.ticked_by, default=0) < before]:
        del state.over[key]


@derives("effect.runs-out")
def still_runs(state: PlainState, event: EffectEnded) -> Effect | None:
    """Return which of the effects that are said to have ended has time left, on a bearer whose own did not just run out."""
    over = [state.over[key] for key in matching(state.over, event.effect, event.targets, event.source)]
    running = [state.effects[key] for key in matching(state.effects, event.effect, event.targets, event.source)]
    late = [one for one in running if not any(_ran_out_beside(other, one) for other in over)]
    return next((one for one in late if (one.left or 0) > 0), None)


def _ran_out_beside(over: Effect, running: Effect) -> bool:
    return over.bearer == running.bearer and max(over.ticked_by, default=0) > running.seq


def _run_out(among: dict[Key, Effect]) -> list[Key]:
    return [key for key, effect in among.items() if effect.left is not None and effect.left <= 0 and effect.ticked_by]


def _moment(effect: Effect) -> str:
    """Return whether an effect is counted as turns begin or end."""
    said = effect.duration.at if effect.duration else None
    return "end" if said and said.casefold() == "end" else "start"


def _owner(effect: Effect) -> str:
    """Return on whose turns an effect is counted: whom it names, else its bearer, else its source."""
    return (effect.duration.of if effect.duration else None) or effect.bearer or effect.source


@derives("concentration.one-at-a-time")
def concentration(state: PlainState, one: Combatant) -> tuple[str, Because]:
    """Return what a combatant concentrates on."""
    own, chosen = _held(state, one.id), state.chosen("concentration")
    if own:
        last = state.effects[own[-1]]
        return last.name, Because(concentration.rules, (last.seq,), chosen)
    released = state.released.get(one.id)
    return "", Because(concentration.rules, (one.joined,), chosen, (released,) if released else ())


@derives("effect.renewed")
def stacked(state: PlainState, who: str) -> Derived[list[str]]:
    """Return the effects on a combatant; where it bears several of one name, the reading that lets it is named."""
    found = borne(state, who)
    if max(Counter(name.casefold() for name in found.value).values(), default=0) < 2:
        return found
    return Derived(found.value, Because(stacked.rules, (), state.chosen("same-effect"), (found,)))


ADDRESSES = (Address("<who>.effects", stacked, wants=names, rule=set_effects),)
