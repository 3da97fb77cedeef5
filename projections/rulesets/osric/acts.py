"""Acts take their place in the round, holds are kept, and whoever falls is out from the key of the blow on."""

from collections.abc import Iterable

from eventstore.events import (
    ActionHeld,
    ActionTaken,
    CombatantJoined,
    DamageDealt,
    EffectStarted,
    Healed,
    RoundEnded,
    RoundStarted,
    RulingMade,
    SheetChanged,
)
from projections.rulesets.osric.casting import SPELL, begin, wound
from projections.rulesets.osric.routines import FREE, is_extra, is_interrupt, key_of_act, number_of
from projections.rulesets.osric.state import END, Act, Fallen, Order, OsricState, Wound
from projections.rulesets.osric.surprise import counted_through
from projections.rulesets.ruleset import derives
from projections.state import Told

Touching = DamageDealt | Healed | RulingMade | CombatantJoined | SheetChanged


@derives("initiative.other-sides-die", on=ActionTaken)
def acts(state: OsricState, told: Told[ActionTaken]) -> None:
    """Place an act in the round, and let a casting begin with it."""
    event = told.event
    key = key_of_act(state, told)
    state.keys[told.seq] = key
    _row(state, told, event.combatant)
    if event.action.kind == SPELL:
        begin(state, told, key)
    else:
        act = Act(told.seq, event.combatant, event.action, key, number_of(state, told), is_extra(state, told))
        state.acts.append(act)
    if event.action.kind not in FREE:
        state.dice_missed = True
        if not is_interrupt(event.action):
            state.held.pop(event.combatant, None)


@derives("sequence.winner-then-loser", on=EffectStarted)
def effect_is_a_row(state: OsricState, told: Told[EffectStarted]) -> None:
    """Count an effect among the rows of the round, whose segments never fall."""
    if told.seq in state.keys:
        _row(state, told, "")


def _row(state: OsricState, told: Told[ActionTaken] | Told[EffectStarted] | Told[ActionHeld], who: str) -> None:
    if 1 <= told.point.segment <= 10:
        state.highest = max(state.highest, told.point.segment)
    rows = state.first_rows.setdefault(told.point.segment, [])
    if who and who not in rows:
        rows.append(who)


@derives("segments.held-action", on=ActionHeld)
def holds(state: OsricState, told: Told[ActionHeld]) -> None:
    """Keep that a combatant holds its action."""
    state.held[told.event.combatant] = told.seq
    _row(state, told, "")


@derives("segments.held-action", on=RoundEnded)
def holds_end(state: OsricState, _told: Told[RoundEnded]) -> None:
    """Let unused holds end with their round; they are remembered, for whoever relies on one later."""
    state.unused_holds |= state.held


@derives("segments.held-action", on=RoundStarted)
def holds_are_forgotten(state: OsricState, _told: Told[RoundStarted]) -> None:
    """Begin a round without holds."""
    state.unused_holds |= state.held
    state.held.clear()


@derives("effects.take-hold-at-once", on=(DamageDealt, Healed, RulingMade, CombatantJoined, SheetChanged))
def falls_or_rises(state: OsricState, told: Told[Touching]) -> None:
    """Take whoever is out of action out of the round from the key of the blow on, and back in when it is over."""
    for who in _touched(state, told.event):
        one = state.combatants.get(who)
        if one and one.status == "out" and who not in state.fallen:
            state.fallen[who] = Fallen(key_of_outcome(state, told), told.seq)
            wound(state, Wound(who, counted_through(state, told.point), told.seq, fells=True))
        elif one and one.status != "out":
            state.fallen.pop(who, None)


def _touched(state: OsricState, event: Touching) -> Iterable[str]:
    if isinstance(event, DamageDealt | Healed):
        return (event.target,)
    return list(state.combatants) if isinstance(event, RulingMade) else (event.combatant,)


def key_of_outcome(state: OsricState, told: Told[Touching]) -> Order:
    """Return the key at which an outcome takes hold: that of the act, roll or effect that it came out of."""
    if not isinstance(told.event, DamageDealt | Healed):
        return Order(told.point.round, told.point.segment, END)
    cause = told.cause
    while cause and cause not in state.keys and cause in state.moments:
        cause = state.moments[cause].cause
    return state.keys.get(cause) or Order(told.point.round, told.point.segment)
