"""Effects that run out, are renewed, or hang on somebody's concentration."""

from eventstore.events import EffectStarted, TurnEnded, TurnStarted
from projections.bearing import end
from projections.rulesets.plain.state import PlainState
from projections.rulesets.ruleset import derives
from projections.state import Because, Combatant, Effect, Told

COUNTED = {"round": 1, "minute": 10, "turn": 10, "hour": 600}
"""Units that are counted in rounds, of six seconds each."""


@derives("effect.renewed", on=EffectStarted)
def renews(state: PlainState, told: Told[EffectStarted]) -> None:
    """Let a new effect take the place of one of its name on the same bearer."""
    if state.option("same-effect") == "renews":
        name = told.event.effect.casefold()
        end(
            state,
            [
                k
                for k, e in state.effects.items()
                if k[0] != told.seq and e.name.casefold() == name and e.bearer in told.event.targets
            ],
        )


@derives("concentration.one-at-a-time", on=EffectStarted)
def lets_go(state: PlainState, told: Told[EffectStarted]) -> None:
    """End what the source concentrated on before, with everything that hangs on it."""
    source = told.event.source
    if told.event.concentration and source and state.option("concentration") == "one":
        end(state, [k for k, e in state.effects.items() if k[0] != told.seq and e.concentration and e.source == source])


@derives("effect.runs-out", on=(TurnStarted, TurnEnded))
def counts_down(state: PlainState, told: Told[TurnStarted] | Told[TurnEnded]) -> None:
    """Count the durations of the turn's owner, and of those who act with it, down, and end what has run out."""
    event = told.event
    moment = "start" if isinstance(event, TurnStarted) else "end"
    owners = {event.combatant, *(event.together if isinstance(event, TurnStarted) else ())}
    for key, effect in list(state.effects.items()):
        if effect.left is not None and _ticks(effect, owners, moment):
            effect.left -= 1
            effect.ticked_by = (told.seq,)
            if effect.left <= 0:
                end(state, [key])


def _ticks(effect: Effect, owners: set[str], moment: str) -> bool:
    duration = effect.duration
    return duration is not None and (duration.of or effect.bearer) in owners and (duration.at or "end") == moment


@derives("concentration.one-at-a-time")
def concentration(state: PlainState, one: Combatant) -> tuple[str, Because]:
    """Return what a combatant concentrates on."""
    own = [e for e in state.effects.values() if e.concentration and e.source == one.id]
    if own:
        return own[-1].name, Because(concentration.rules, (own[-1].seq,))
    return "", Because(concentration.rules, (one.joined,))
