"""Facts with their acts: an act can be recorded as such, or implied by a move, a delay, a roll or an effect."""

from collections.abc import Callable
from itertools import chain
from typing import Any

from msgspec import structs

from eventstore.events import ActionTaken, AttackRolled, EffectStarted, Fact, Moved, TurnDelayed
from eventstore.shapes import Action
from projections.mechanics.conditions import effects_held
from projections.mechanics.grants import words_of
from projections.mechanics.memo import Once
from projections.mechanics.work import is_same
from projections.occurrence import Occurrence
from projections.ruleset.reading import E_co, FactReading
from projections.rulesets.vile_darkness.initiative import delayed_by, why_low
from projections.rulesets.vile_darkness.space import feet_of_move
from projections.rulesets.vile_darkness.state import Casting, VileAct, VileState
from projections.rulesets.vile_darkness.table import ATTACKS, LASTING, REACTIONS, entry_of, plain_action, slot_at
from projections.rulesets.vile_darkness.works import replaced_work, slot_of_work, work_of
from projections.stream.causes import find_origin

WITHIN = ("charge", "flee", "move")
"""Kinds of acts to which a move can belong."""


def slot_name(state: VileState, fact: Occurrence[Fact]) -> str:
    """Return the recorded slot of a fact; "" without one."""
    return slot_at(state, fact.point.phase)


def act_behind(state: VileState, fact: Occurrence[Fact], who: str) -> VileAct | None:
    """Return the act of a combatant that caused a fact: the one in its causes, else its last attack in slot and segment."""
    own: dict[int, VileAct] = {each.seq: each for each in state.round.acts_of.get(who, ())}
    caused = find_origin(state, fact.cause, own)
    if caused or fact.doubtful:
        return own.get(caused)
    place = slot_name(state, fact), fact.point.segment
    here = [each for each in own.values() if each.kind in ATTACKS and (each.slot, each.point.segment) == place]
    return here[-1] if here else None


def _make_act(
    state: VileState, fact: Occurrence[Fact], who: str, action: Action,
    *, work: int = 0, routine: int = 0, trigger: int = 0, feet: float = 0,
) -> VileAct:  # fmt: skip
    """Return an act with the present circumstances of its doer."""
    those = [state.round.said.get(who), *reversed(state.round.besides.get(who, ()))]
    standing = [each for each in those if each and not each.withdrawn]
    said = [each.seq for each in standing if (each.seq == work if work else each.action.kind == action.kind)]
    return VileAct(
        fact.seq, who, action, fact.point, slot_name(state, fact), since=state.clock.phase_event,
        low=why_low(state, who), delayed=delayed_by(state, who), declared=next(iter(said), 0),
        maintains=next((seq for seq, _ in effects_held(state.effects, who)), 0),
        square=state.squares.get(who), work=work, routine=routine, trigger=trigger, feet=feet,
    )  # fmt: skip


def _act_taken(state: VileState, fact: Occurrence[ActionTaken]) -> VileAct | None:
    event, action = fact.event, plain_action(fact.event.action)
    routine = work = 0
    if action.kind in ATTACKS and action.cost not in REACTIONS:
        routine = action.routine or _next_routine_number(state, event.combatant)
    if action.kind in LASTING:
        found = work_of(state, event.combatant, action.name, action.kind)
        if found is None or _is_other_work(state, found, fact):
            found = replaced_work(state, event.combatant, action.name)
        work = found.seq if found else fact.seq
    return _make_act(state, fact, event.combatant, action, work=work, routine=routine, trigger=event.trigger or 0)


def _is_other_work(state: VileState, casting: Casting, fact: Occurrence[ActionTaken]) -> bool:
    """Return whether an act is other work than one of the same name that a row completed earlier in its slot."""
    row = completing_row(state, casting)
    done = row is not None and isinstance(state.moments[row.seq].event, ActionTaken)
    return bool(row and done and not _is_start(state, row, fact) and row.slot.endswith(slot_of_work(state, casting)))


def _next_routine_number(state: VileState, who: str) -> int:
    return 1 + max((each.routine for each in state.round.acts_of.get(who, ())), default=0)


def _act_of_move(state: VileState, fact: Occurrence[Moved]) -> VileAct | None:
    event = fact.event
    if event.forced:
        return None
    source = act_behind(state, fact, event.combatant)
    trigger = source.seq if source and source.kind in WITHIN else 0
    action = Action(kind="move", cost=event.plain_cost or None, manner=(event.mode.casefold(),) if event.mode else ())
    return _make_act(state, fact, event.combatant, action, feet=feet_of_move(state, event), trigger=trigger)


def _act_of_delay(state: VileState, fact: Occurrence[TurnDelayed]) -> VileAct | None:
    """Return a delay; until dice have fallen, one without a slot is declared in step 1."""
    act = _make_act(state, fact, fact.event.combatant, Action(kind="delay"))
    return act if act.slot or state.round.dice else structs.replace(act, slot="DECLARE")


def _act_of_roll(state: VileState, fact: Occurrence[AttackRolled]) -> VileAct | None:
    event = fact.event
    if fact.doubtful or act_behind(state, fact, event.combatant):
        return None
    action = Action(kind="attack", name=event.name, targets=(event.target,) if event.target else ())
    return _make_act(state, fact, event.combatant, action, routine=_next_routine_number(state, event.combatant))


def _act_of_effect(state: VileState, fact: Occurrence[EffectStarted]) -> VileAct | None:
    """Return the completion of work by an effect, unless it has a row of its own, or a ruling brings the effect about."""
    if fact.cause and any(ruling.seq == fact.cause for ruling in state.rulings):
        return None
    event, begun = fact.event, (*state.works, *chain.from_iterable(state.round.aside.values()))
    named = {each.who for each in begun if is_same(event.effect, each.name)}
    who = event.source or (next(iter(named)) if len(named) == 1 else "")
    found = work_of(state, who, event.effect, "", event.cause) or replaced_work(state, who, event.effect)
    if found is None:
        return _undeclared_spell(state, fact)
    row = completing_row(state, found)
    if row and not _is_start(state, row, fact):
        return None
    action = Action(kind=found.kind, name=found.name, targets=event.targets)
    return _make_act(state, fact, found.who, action, work=found.seq)


def _is_start(state: VileState, row: VileAct, fact: Occurrence[ActionTaken] | Occurrence[EffectStarted]) -> bool:
    """Return whether a row began the work that a fact completes: it is in an earlier slot or segment."""
    begun, then, now = state.moments[row.seq].event, state.moments[row.seq].point, fact.point
    return isinstance(begun, ActionTaken) and (then.phase < now.phase or 0 < then.segment < now.segment)


def completing_row(state: VileState, casting: Casting) -> VileAct | None:
    """Return the row of this round that completed work; a later effect can turn it into the beginning."""
    return next((state.round.acts[seq] for seq in casting.completed), None)


def _undeclared_spell(state: VileState, fact: Occurrence[EffectStarted]) -> VileAct | None:
    """Return the undeclared spell of an effect: by its entry, or by the slot of spells."""
    event, who = fact.event, fact.event.source
    entry, slot = entry_of(state, who, event.effect), slot_name(state, fact)
    kind = entry.kind if entry else "incantation" if slot == "E" else None
    if not who or kind not in LASTING:
        return None
    source = act_behind(state, fact, who)
    if source and (event.cause or entry is None or {*words_of(event.effect)} <= {*words_of(source.action.name or "")}):
        return None
    return _make_act(state, fact, who, Action(kind=kind, name=event.effect, targets=event.targets), work=fact.seq)


ACT_OF: dict[type[Fact], Callable[[VileState, Any], VileAct | None]] = {
    ActionTaken: _act_taken,
    Moved: _act_of_move,
    TurnDelayed: _act_of_delay,
    AttackRolled: _act_of_roll,
    EffectStarted: _act_of_effect,
}
"""The functions that return the act which a fact of a type records or implies."""
OF_ACTS = tuple(ACT_OF)


class Reading(FactReading[E_co]):
    """A fact with its act; in a late check, that is the act kept by the round."""

    state: VileState

    @Once
    def act(self) -> VileAct | None:
        """The act of a joined combatant that the fact records or implies, if it is no part of another one."""
        read, act = ACT_OF.get(type(self.event)), self.state.round.acts.get(self.seq)
        act = act or (read(self.state, self.fact) if read else None)
        return act if act and act.combatant in self.state.combatants else None

    @Once
    def who(self) -> str:
        """The actor of the fact; "" if it names none."""
        if self.act:
            return self.act.combatant
        return getattr(self.event, "combatant", "") or getattr(self.event, "source", "")
