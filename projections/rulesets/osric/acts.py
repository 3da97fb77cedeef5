"""Acts take their place in the round, holds are kept, and whoever falls is out from the key of the blow on."""

from collections.abc import Iterable

from msgspec import structs

from eventstore.events import (
    ActionHeld,
    ActionTaken,
    CombatantJoined,
    DamageDealt,
    EffectStarted,
    Healed,
    RoundStarted,
    RulingMade,
    SegmentReached,
    SheetChanged,
)
from projections.occurrence import Occurrence
from projections.rulesets.osric.casting import SPELL, begin
from projections.rulesets.osric.openings import CHARGE, FLEE, is_extra, is_interrupt
from projections.rulesets.osric.order import shares_dice
from projections.rulesets.osric.routines import HOLD, WAITING, key_of_act, number_of, takes_routine
from projections.rulesets.osric.spoiling import key_of_outcome, wound
from projections.rulesets.osric.state import BY_DICE, END, SEGMENTS, Act, Fallen, Order, OsricState, Wound
from projections.rulesets.osric.surprise import counted_through
from projections.rulesets.ruleset import derives
from projections.stream.causes import origin

Touching = DamageDealt | Healed | RulingMade | CombatantJoined | SheetChanged


@derives("initiative.other-sides-die", on=ActionTaken)
def acts(state: OsricState, fact: Occurrence[ActionTaken]) -> None:
    """Place an act in the round, and let a casting begin with it."""
    event, action, key = fact.event, fact.event.action, key_of_act(state, fact)
    if action.kind == HOLD:
        _hold(state, event.combatant, fact)
        return
    if out_at(state, fact, key):
        state.barred.add(fact.seq)
    state.keys[fact.seq] = key
    _row(state, fact, key, event.combatant)
    ready = tuple(state.spears) if action.kind == CHARGE else ()
    number, extra = number_of(state, fact), is_extra(state, fact)
    act = Act(fact.seq, event.combatant, action, key, number, extra, event.trigger or 0, ready)
    state.openings[fact.seq] = act
    if action.kind == SPELL:
        begin(state, fact, key)
    else:
        state.acts.append(act)
    if action.kind not in WAITING:
        state.dice_missed = state.dice_missed or fact.point.round > 0
        if not is_interrupt(action):
            state.held.pop(event.combatant, None)


@derives("interrupt.fleeing-attack", "interrupt.set-spears", on=RoundStarted)
def openings_are_over(state: OsricState, _fact: Occurrence[RoundStarted]) -> None:
    """Remember flights and charges, for blows that come too late."""
    state.openings = {seq: act for seq, act in state.openings.items() if act.action.kind in (FLEE, CHARGE)}
    state.barred.clear()
    state.recovered.clear()
    state.undeclared.clear()


@derives("sequence.winner-then-loser", on=EffectStarted)
def effect_is_a_row(state: OsricState, fact: Occurrence[EffectStarted]) -> None:
    """Count an effect among the rows of the round, whose segments never fall."""
    if fact.seq in state.keys:
        _row(state, fact, state.keys[fact.seq], "")


@derives("sequence.winner-then-loser", on=SegmentReached)
def clock_is_a_row(state: OsricState, fact: Occurrence[SegmentReached]) -> None:
    """Count a segment that is said to come among the rows of the round."""
    if 1 <= fact.event.segment <= SEGMENTS and not (fact.event.surprise and state.clock.round):
        state.highest = max(state.highest, fact.event.segment)


def _row(
    state: OsricState,
    fact: Occurrence[ActionTaken] | Occurrence[EffectStarted] | Occurrence[ActionHeld],
    key: Order,
    who: str,
) -> None:
    if 1 <= fact.point.segment <= SEGMENTS and fact.point.round == state.clock.point.round:
        state.highest = max(state.highest, fact.point.segment)
    rows = state.first_rows.setdefault(key.segment, [])
    if who and who not in rows and key.band == BY_DICE and key.cut:
        rows.append(who)


@derives("segments.held-action", on=ActionHeld)
def holds(state: OsricState, fact: Occurrence[ActionHeld]) -> None:
    """Keep that a combatant holds its action."""
    _hold(state, fact.event.combatant, fact)


def _hold(state: OsricState, who: str, fact: Occurrence[ActionHeld] | Occurrence[ActionTaken]) -> None:
    state.held[who] = fact.seq
    _row(state, fact, Order(fact.point.round, fact.point.segment), "")


@derives("segments.held-action", on=RoundStarted)
def holds_are_forgotten(state: OsricState, _fact: Occurrence[RoundStarted]) -> None:
    """Begin a round without holds; unused ones are remembered, for whoever relies on one in it."""
    state.unused_holds = dict(state.held)
    state.held.clear()


# ---------------------------------------------------------------- out of action, and back


@derives("effects.take-hold-at-once", on=(DamageDealt, Healed, RulingMade, CombatantJoined, SheetChanged))
def falls_or_rises(state: OsricState, fact: Occurrence[Touching]) -> None:
    """Take whoever is out of action out of the round from the key of the blow on, and back in when it is over."""
    for who in _touched(state, fact.event):
        one = state.combatants.get(who)
        fallen = state.fallen.get(who)
        if one and one.status == "out" and fallen is None:
            key = _key(state, fact)
            state.fallen[who] = Fallen(key, fact.seq)
            wound(
                state,
                Wound(who, counted_through(state, structs.replace(fact.point, segment=key.segment)), fact.seq),
            )
        elif one and one.status != "out" and fallen:
            state.recovered.setdefault(who, []).append(Fallen(fallen.key, fallen.seq, _key(state, fact)))
            del state.fallen[who]


def _touched(state: OsricState, event: Touching) -> Iterable[str]:
    if isinstance(event, DamageDealt | Healed):
        return (event.target,)
    return list(state.combatants) if isinstance(event, RulingMade) else (event.combatant,)


def _key(state: OsricState, fact: Occurrence[Touching]) -> Order:
    if isinstance(fact.event, DamageDealt | Healed):
        return key_of_outcome(state, fact)  # type: ignore[arg-type]
    return Order(fact.point.round, fact.point.segment, END)


def out_at(state: OsricState, fact: Occurrence[ActionTaken] | Occurrence[ActionHeld], key: Order) -> Fallen | None:
    """Return why somebody is out of action at a key: it fell before, and was not back before it."""
    who = fact.event.combatant
    fallen = state.fallen.get(who)
    times = (*state.recovered.get(who, ()), *((fallen,) if fallen else ()))
    out = next((t for t in times if t.key < key and (t.until is None or key <= t.until)), None)
    return None if out is None or deals_all_the_same(state, fact, out.key, key) else out


@derives("initiative.tie-damage-stands")
def deals_all_the_same(
    state: OsricState, fact: Occurrence[ActionTaken] | Occurrence[ActionHeld], fell: Order, key: Order
) -> bool:
    """Say whether an option lets somebody who fell on equal dice still deal damage in that segment, or that round."""
    event = fact.event
    dealt = isinstance(event, ActionTaken) and takes_routine(event.action)
    if not dealt or fell.round != key.round or not shares_dice(state, state.combatants[event.combatant].side):
        return False
    at_once = fell.segment == key.segment and fell.band == key.band == BY_DICE
    return state.option("tie-damage") == "whole-round" or (state.option("tie-handling") == "ruling" and at_once)


@derives("initiative.tie-damage-stands", "surprise.shared-segment-at-once", on=DamageDealt)
def blows_of_the_fallen_count(state: OsricState, fact: Occurrence[DamageDealt]) -> None:
    """Keep which damage was dealt by somebody who had fallen at the same time."""
    cause = origin(state, fact.cause, state.openings)
    act = state.openings.get(cause)
    if act and act.combatant in state.fallen and cause not in state.barred and state.loss.hp > 0:
        state.survived[fact.event.target] = fact.seq
