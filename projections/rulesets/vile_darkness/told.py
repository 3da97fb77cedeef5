"""Which facts tell of an act, however it is told: an act of its own row, a move, a delay, a roll, an effect."""

from typing import Any

from eventstore.events import ActionTaken, AttackRolled, DamageDealt, EffectStarted, Moved, TurnDelayed
from eventstore.shapes import Action
from projections.because import Because
from projections.folds.effects import concentrated
from projections.mechanics.work import DONE, same
from projections.occurrence import Occurrence
from projections.rulesets.vile_darkness.declarations import plain
from projections.rulesets.vile_darkness.initiative import delayed, lows
from projections.rulesets.vile_darkness.space import feet
from projections.rulesets.vile_darkness.state import Act, Casting, VileState
from projections.rulesets.vile_darkness.table import ATTACKS, LASTING, REACTIONS, entry_of, slot_at, slots
from projections.rulesets.vile_darkness.works import work_of
from projections.stream.causes import causes

TELLING = (ActionTaken, Moved, TurnDelayed, AttackRolled, EffectStarted, DamageDealt)
"""What can tell of an act."""
WITHIN = ("charge", "flee", "move")
"""Kinds of acts that a move can belong to."""


def told_act(state: VileState, fact: Occurrence[Any]) -> Act | None:
    """Return the act that a fact tells of, of the state before it; None where it tells of none, or of part of another."""
    if not isinstance(fact.event, TELLING):
        return None
    tells = _TELLS[type(fact.event)]
    found = tells(state, fact)
    return found if found and found.who in state.combatants else None


def slot_name(state: VileState, fact: Occurrence[Any]) -> str:
    """Return the slot that a fact was told in; "" where nobody said."""
    return slot_at(state, fact.point.phase)


def act_behind(state: VileState, fact: Occurrence[Any], who: str) -> Act | None:
    """Return the act of somebody that a fact came out of: by its causes, else its last attack at the same place."""
    acts: dict[int, Act] = state.round.acts
    for seq in (fact.cause, *(each.cause for each in causes(state, fact.cause))):
        if seq in acts and acts[seq].who == who:
            return acts[seq]
    here = [each for each in state.round.acts_of.get(who, ()) if each.kind in ATTACKS]
    here = [each for each in here if (each.slot, each.segment) == (slot_name(state, fact), fact.point.segment)]
    return here[-1] if here and not getattr(fact.event, "cause", None) else None


def _act(state: VileState, fact: Occurrence[Any], who: str, action: Action, **more: Any) -> Act:
    """Return an act with what holds of its doer just then."""
    if who not in state.combatants:
        return Act(fact.seq, who, action.kind, action)
    low = lows(state, who)
    if action.kind == "delaying":
        low = (*low, Because(("delaying.only-in-low",), (fact.seq,)))
    said = state.round.said.get(who)
    fits = said and not said.withdrawn and said.action.kind == action.kind
    fits = fits and (action.kind not in LASTING or same(action.name, said.action.name or action.name or ""))
    return Act(
        fact.seq,
        who,
        action.kind,
        action,
        slot=slot_name(state, fact),
        since=state.clock.phase_event,
        segment=fact.point.segment,
        low=low,
        delayed=delayed(state, who),
        declared=said.seq if said and fits else 0,
        maintains=next((seq for seq, _ in concentrated(state, who)), 0),
        square=state.squares.get(who),
        **more,
    )


def _taken(state: VileState, fact: Occurrence[ActionTaken]) -> Act | None:
    event, action = fact.event, plain(fact.event.action)
    more: dict[str, Any] = {"trigger": event.trigger or 0}
    if action.kind in ATTACKS and action.cost not in REACTIONS:
        more["routine"] = action.routine or _next_routine(state, event.combatant)
    if action.kind in LASTING:
        found = work_of(state, event.combatant, action.name, action.kind)
        more["work"] = found.seq if found else fact.seq
    return _act(state, fact, event.combatant, action, **more)


def _next_routine(state: VileState, who: str) -> int:
    return 1 + max((each.routine for each in state.round.acts_of.get(who, ())), default=0)


def _moved(state: VileState, fact: Occurrence[Moved]) -> Act | None:
    event = fact.event
    if event.forced:
        return None
    behind = act_behind(state, fact, event.combatant) if event.cause else None
    trigger = behind.seq if behind and behind.kind in WITHIN else 0
    manner = (event.mode,) if event.mode else ()
    action = Action(kind="move", cost=event.cost, manner=manner)
    return _act(state, fact, event.combatant, action, trigger=trigger, feet=feet(state, event))


def _delayed(state: VileState, fact: Occurrence[TurnDelayed]) -> Act | None:
    return _act(state, fact, fact.event.combatant, Action(kind="delay"))


def _rolled(state: VileState, fact: Occurrence[AttackRolled]) -> Act | None:
    event = fact.event
    if event.confirms or act_behind(state, fact, event.combatant):
        return None
    action = Action(kind="attack", name=event.name, targets=(event.target,) if event.target else ())
    return _act(state, fact, event.combatant, action, routine=_next_routine(state, event.combatant))


def _effect(state: VileState, fact: Occurrence[EffectStarted]) -> Act | None:
    """Return the completion of work that an effect is, unless a row of its own stands for that."""
    event = fact.event
    who = event.source or ""
    found = work_of(state, who, event.effect, "", event.cause or 0) or _only_work(state, event)
    if found is None:
        return _undeclared(state, fact)
    row = completing_row(state, found)
    if row and not _is_beginning(state, row, fact):
        return None
    action = Action(kind=found.kind, name=found.name, targets=event.targets)
    return _act(state, fact, found.who, action, work=found.seq)


def _is_beginning(state: VileState, row: Act, fact: Occurrence[EffectStarted]) -> bool:
    """Say whether a row began what an effect completes: it was told in an earlier slot, or segment, of the round."""
    names, slot, segment = slots(state), slot_name(state, fact), fact.point.segment
    if not isinstance(state.moments[row.seq].event, ActionTaken) or slot not in names or row.slot not in names:
        return False
    earlier = row.slot == slot and 0 < row.segment < segment
    return earlier or names.index(row.slot) < names.index(slot)


def completing_row(state: VileState, casting: Casting) -> Act | None:
    """Return the row of this round that completed work, as far as is known; an effect later on makes it a beginning."""
    rows = [each.seq for each in casting.incidents if each.ends == DONE and each.seq in state.round.acts]
    return state.round.acts[rows[0]] if rows else None


def _only_work(state: VileState, event: EffectStarted) -> Casting | None:
    """Return the work of this name, where the effect names no source and only one goes by it."""
    if event.source:
        return None
    named = [each for each in state.works if each.name.casefold() == event.effect.casefold()]
    return named[0] if len(named) == 1 else None


def _undeclared(state: VileState, fact: Occurrence[EffectStarted]) -> Act | None:
    """Return the spell that an effect is which nobody declared: by its entry, or by the slot of spells."""
    event = fact.event
    who = event.source or ""
    if who not in state.combatants or act_behind(state, fact, who) or event.parent:
        return None
    if event.cause and fact.cause not in state.moments:
        return None
    entry = entry_of(state, who, event.effect)
    kind = (entry.kind if entry else "incantation" if slot_name(state, fact) == "E" else None) or ""
    if kind not in LASTING:
        return None
    return _act(state, fact, who, Action(kind=kind, name=event.effect, targets=event.targets), work=fact.seq)


def _damage(state: VileState, fact: Occurrence[DamageDealt]) -> Act | None:
    """Return the attack that only its damage tells of: it names its source, and comes of nothing that was told."""
    event, who = fact.event, fact.event.source or ""
    if not who or event.cause or act_behind(state, fact, who):
        return None
    if any(each.who == who for each in state.works) or any(each.source == who for each in state.effects.values()):
        return None
    action = Action(kind="attack", targets=(event.target,))
    return _act(state, fact, who, action, routine=_next_routine(state, who))


_TELLS: dict[type[Any], Any] = {
    ActionTaken: _taken,
    Moved: _moved,
    TurnDelayed: _delayed,
    AttackRolled: _rolled,
    EffectStarted: _effect,
    DamageDealt: _damage,
}
