"""Which facts tell of an act, however it is told: an act of its own row, a move, a delay, a roll, an effect.

Checks and steps are handed a fact as a `Reading`, with the act that it tells of.
"""

from itertools import chain
from typing import Any

from msgspec import structs

from eventstore.events import ActionTaken, AttackRolled, EffectStarted, Moved, TurnDelayed
from eventstore.shapes import Action
from projections.mechanics.concentration import concentrated
from projections.mechanics.grants import words
from projections.mechanics.memo import Once
from projections.mechanics.work import same
from projections.occurrence import Occurrence
from projections.rulesets.reading import FactReading
from projections.rulesets.vile_darkness.initiative import delayed, lows
from projections.rulesets.vile_darkness.space import feet
from projections.rulesets.vile_darkness.state import Casting, VileAct, VileState
from projections.rulesets.vile_darkness.table import ATTACKS, LASTING, REACTIONS, entry_of, plain, slot_at
from projections.rulesets.vile_darkness.works import aside_of, slot_of_work, work_of
from projections.stream.causes import origin

WITHIN = ("charge", "flee", "move")
"""Kinds of acts that a move can belong to."""


def slot_name(state: VileState, fact: Occurrence[Any]) -> str:
    """Return the slot that a fact was told in; "" where nobody said."""
    return slot_at(state, fact.point.phase)


def act_behind(state: VileState, fact: Occurrence[Any], who: str) -> VileAct | None:
    """Return the act of somebody that a fact came out of: by its causes, else, where nothing else can be, its last attack at the same place."""
    own: dict[int, VileAct] = {each.seq: each for each in state.round.acts_of.get(who, ())}
    caused = origin(state, fact.cause, own)
    if caused or fact.doubtful:
        return own.get(caused)
    place = slot_name(state, fact), fact.point.segment
    here = [each for each in own.values() if each.kind in ATTACKS and (each.slot, each.point.segment) == place]
    return here[-1] if here else None


def _act(state: VileState, fact: Occurrence[Any], who: str, action: Action, **more: Any) -> VileAct:
    """Return an act with what holds of its doer just then."""
    work, those = more.get("work", 0), [state.round.said.get(who), *reversed(state.round.besides.get(who, ()))]
    standing = [each for each in those if each and not each.withdrawn]
    said = [each.seq for each in standing if (each.seq == work if work else each.action.kind == action.kind)]
    told = fact.seq, who, action, fact.point, slot_name(state, fact)
    return VileAct(
        *told,
        since=state.clock.phase_event,
        low=lows(state, who),
        delayed=delayed(state, who),
        declared=said[0] if said else 0,
        maintains=next((seq for seq, _ in concentrated(state.effects, who)), 0),
        square=state.squares.get(who),
        **more,
    )


def _taken(state: VileState, fact: Occurrence[ActionTaken]) -> VileAct | None:
    event, action = fact.event, plain(fact.event.action)
    more: dict[str, Any] = {"trigger": event.trigger} if event.trigger else {}
    if action.kind in ATTACKS and action.cost not in REACTIONS:
        more["routine"] = action.routine or _next_routine(state, event.combatant)
    if action.kind in LASTING:
        found = work_of(state, event.combatant, action.name, action.kind)
        if found is None or _is_another(state, found, fact):
            found = aside_of(state, event.combatant, action.name)
        more["work"] = found.seq if found else fact.seq
    return _act(state, fact, event.combatant, action, **more)


def _is_another(state: VileState, casting: Casting, fact: Occurrence[ActionTaken]) -> bool:
    """Say whether a row tells of other work of the name of one that a row has completed in its slot before."""
    row = completing_row(state, casting)
    if row is None or not isinstance(state.moments[row.seq].event, ActionTaken) or _is_beginning(state, row, fact):
        return False
    return row.slot.endswith(slot_of_work(state, casting))


def _next_routine(state: VileState, who: str) -> int:
    return 1 + max((each.routine for each in state.round.acts_of.get(who, ())), default=0)


def _moved(state: VileState, fact: Occurrence[Moved]) -> VileAct | None:
    event = fact.event
    if event.forced:
        return None
    behind = act_behind(state, fact, event.combatant)
    more: dict[str, Any] = {"trigger": behind.seq} if behind and behind.kind in WITHIN else {}
    action = Action(kind="move", cost=event.cost, manner=(event.mode,) if event.mode else ())
    return _act(state, fact, event.combatant, action, feet=feet(state, event), **more)


def _delayed(state: VileState, fact: Occurrence[TurnDelayed]) -> VileAct | None:
    """Return a delay; one of which nobody said the slot is declared in step 1 as long as no dice have fallen."""
    act = _act(state, fact, fact.event.combatant, Action(kind="delay"))
    return act if act.slot or state.round.dice else structs.replace(act, slot="DECLARE")


def _rolled(state: VileState, fact: Occurrence[AttackRolled]) -> VileAct | None:
    event = fact.event
    if fact.doubtful or act_behind(state, fact, event.combatant):
        return None
    action = Action(kind="attack", name=event.name, targets=(event.target,) if event.target else ())
    return _act(state, fact, event.combatant, action, routine=_next_routine(state, event.combatant))


def _effect(state: VileState, fact: Occurrence[EffectStarted]) -> VileAct | None:
    """Return the completion of work that an effect is, unless a row of its own stands for that."""
    event, begun = fact.event, (*state.works, *chain.from_iterable(state.round.aside.values()))
    named = {each.who for each in begun if same(event.effect, each.name)}
    who = event.source or (next(iter(named)) if len(named) == 1 else "")
    found = work_of(state, who, event.effect, "", event.cause) or aside_of(state, who, event.effect)
    if found is None:
        return _undeclared(state, fact)
    row = completing_row(state, found)
    if row and not _is_beginning(state, row, fact):
        return None
    action = Action(kind=found.kind, name=found.name, targets=event.targets)
    return _act(state, fact, found.who, action, work=found.seq)


def _is_beginning(state: VileState, row: VileAct, fact: Occurrence[ActionTaken] | Occurrence[EffectStarted]) -> bool:
    """Say whether a row began what a fact completes: it was told in an earlier slot, or segment, of the round."""
    told = state.moments[row.seq]
    then, now = told.point, fact.point
    earlier = then.phase < now.phase or 0 < then.segment < now.segment
    return isinstance(told.event, ActionTaken) and earlier


def completing_row(state: VileState, casting: Casting) -> VileAct | None:
    """Return the row of this round that completed work, as far as is known; an effect later on makes it a beginning."""
    return next((state.round.acts[seq] for seq in casting.completed), None)


def _undeclared(state: VileState, fact: Occurrence[EffectStarted]) -> VileAct | None:
    """Return the spell that an effect is which nobody declared: by its entry, or by the slot of spells."""
    event, who = fact.event, fact.event.source
    entry, slot = entry_of(state, who, event.effect), slot_name(state, fact)
    kind = entry.kind if entry else "incantation" if slot == "E" else None
    if not who or kind not in LASTING:
        return None
    behind = act_behind(state, fact, who)
    if behind and (event.cause or entry is None or {*words(event.effect)} <= {*words(behind.action.name or "")}):
        return None
    return _act(state, fact, who, Action(kind=kind, name=event.effect, targets=event.targets), work=fact.seq)


_TOLD_BY: dict[type[Any], Any] = {
    ActionTaken: _taken,
    Moved: _moved,
    TurnDelayed: _delayed,
    AttackRolled: _rolled,
    EffectStarted: _effect,
}
OF_ACTS = tuple(_TOLD_BY)
"""What can tell of an act."""


class Reading(FactReading[Any]):
    """A fact with the act that it tells of; in a late check that is the act as the round kept it."""

    @Once
    def act(self) -> VileAct | None:
        """The act of somebody here that this tells of, of the state before it; None for none, or for part of another."""
        kept, tells = self.state.round.acts.get(self.seq), _TOLD_BY.get(type(self.event))
        told = kept or (tells(self.state, self.fact) if tells else None)
        return told if told and told.combatant in self.state.combatants else None

    @Once
    def who(self) -> str:
        """Whose doing this is; "" where nobody said."""
        if self.act:
            return self.act.combatant
        return getattr(self.event, "combatant", "") or getattr(self.event, "source", "")
