"""Effects and conditions that run out, are renewed, or hang on somebody's concentration."""

from eventstore.events import ConditionGained, EffectStarted
from eventstore.shapes import Duration
from projections.bearing import Key, end
from projections.rulesets.plain.sheet import CALENDAR
from projections.rulesets.plain.state import PlainState
from projections.rulesets.ruleset import derives
from projections.state import Because, Combatant, Effect, Told
from projections.vitals import within


@derives("effect.renewed", on=EffectStarted)
def renews(state: PlainState, told: Told[EffectStarted]) -> None:
    """Let a new effect take the place of one of its name on the same bearer."""
    if state.option("same-effect") == "stacks":
        return
    name, bearers = told.event.effect.casefold(), told.event.targets or ("",)
    old = [k for k, e in state.effects.items() if k[0] != told.seq and e.bearer in bearers]
    end(state, [k for k in old if state.effects[k].name.casefold() == name], renews.rules)


@derives("concentration.one-at-a-time", on=EffectStarted)
def lets_go(state: PlainState, told: Told[EffectStarted]) -> None:
    """End what the source concentrated on before, with everything that hangs on it."""
    source = told.event.source
    if told.event.concentration and source and state.option("concentration") != "any":
        held = [k for k, e in state.effects.items() if k[0] != told.seq and e.concentration and e.source == source]
        end(state, held, lets_go.rules)


@derives("effect.runs-out", on=(EffectStarted, ConditionGained))
def is_counted_in_rounds(state: PlainState, told: Told[EffectStarted] | Told[ConditionGained]) -> None:
    """Count a duration in rounds of six seconds, rounded up; one in a unit that is none here is not counted."""
    said = told.event.duration
    if said is None:
        return
    length = CALENDAR.length(said)
    rounds = CALENDAR.count(length, "round") if length else None
    left = None if rounds is None else max(0, within(rounds))
    counted = said if left is None else Duration(amount=left, unit="round", of=said.of, at=said.at)
    for among in (state.effects, state.conditions):
        for effect in (effect for key, effect in among.items() if key[0] == told.seq):
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
        end(state, _run_out(state.effects))
        for key in _run_out(state.conditions):
            del state.conditions[key]


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
    own = [e for e in state.effects.values() if e.concentration and e.source == one.id]
    if own:
        return own[-1].name, Because(concentration.rules, (own[-1].seq,))
    return "", Because(concentration.rules, (one.joined,))
