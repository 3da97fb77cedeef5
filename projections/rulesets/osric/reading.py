"""What checks and steps are handed for a fact: the fact, and what they all ask of it, worked out once."""

from typing import Any

from eventstore.events import ActionHeld, ActionTaken, AttackRolled, DamageDealt, Healed
from eventstore.shapes import Action
from projections.mechanics.conditions import of
from projections.mechanics.memo import Once
from projections.rulesets.osric import routines, spells
from projections.rulesets.osric.falling import out_among
from projections.rulesets.osric.interrupts import fault_of, is_extra, is_interrupt, opening_of
from projections.rulesets.osric.order import FREE, HOLD, WAITING, own_key
from projections.rulesets.osric.state import Casting, KeyedAct, Order, OsricState, Out
from projections.rulesets.reading import FactReading
from projections.state import Combatant
from projections.stream.causes import causes, origin

MISSILE = ("missile",)
OF_ACTS = (AttackRolled, DamageDealt, Healed)
"""What can tell of an act by itself, where no row of its own stands for that."""


class Reading(FactReading[Any]):
    """A fact with the act that it tells of: whose, what, which routine, in answer to what, with which key.

    `action` is that of an `action_taken` or `action_held`, or of an act that only a roll, damage or healing tells of; all
    that belongs to an act is worked out of the state before the fact, lazily.
    """

    state: OsricState

    @Once
    def trigger(self) -> Any:
        """The record that this answers, if the fact names one."""
        return getattr(self.event, "trigger", None)

    @Once
    def reason(self) -> str:
        """Why somebody does this, case folded; "" where nobody said."""
        return (getattr(self.event, "reason", None) or "").casefold()

    @Once
    def who(self) -> str:
        """Who acts, or whose doing this is; "" where nobody said."""
        event = self.event
        return getattr(event, "combatant", None) or getattr(event, "source", None) or ""

    @Once
    def one(self) -> Combatant:
        """The combatant who acts."""
        return self.state.combatants[self.who]

    @Once
    def is_act(self) -> bool:
        """Whether this fact is an act or a hold, or tells of an act for which no row of its own stands."""
        event = self.event
        if isinstance(event, ActionTaken | ActionHeld):
            return True
        if not isinstance(event, OF_ACTS) or self.who not in self.state.combatants:
            return False
        if isinstance(event, AttackRolled) and event.confirms:
            return False
        return self.casting is None and self.told_by is None and not self._goes_on

    @Once
    def waits(self) -> bool:
        """Whether this uses up nothing, and no dice or segment have to be there for it."""
        return self.action.kind in WAITING

    @Once
    def told_by(self) -> KeyedAct | None:
        """The act of the same combatant that this came out of: by its cause, else the last one in its segment."""
        acts: dict[int, KeyedAct] = self.state.round.acts
        for seq in (self.cause, *(fact.cause for fact in causes(self.state, self.cause))):
            if seq in acts and acts[seq].combatant == self.who:
                return acts[seq]
        own = self.state.round.acts_of.get(self.who, ())
        here = [act for act in own if self.point.segment == act.key.segment and act.action.kind not in FREE]
        return here[-1] if here else None

    @Once
    def _goes_on(self) -> bool:
        """Whether this comes of an effect that was there before, or of a casting, and is no new act."""
        if isinstance(self.event, AttackRolled):
            return False
        bearing = (*of(self.state.effects, self.event.target), *of(self.state.conditions, self.event.target))
        return any(each.source == self.who for each in bearing)

    @Once
    def action(self) -> Action:
        """The action that was taken or held, or that this fact tells of."""
        event = self.event
        if isinstance(event, ActionTaken):
            return event.action
        if isinstance(event, ActionHeld):
            return event.action or Action(kind=HOLD)
        if isinstance(event, Healed):
            return Action(kind="other")
        return Action(kind="attack", name=getattr(event, "name", None), manner=self._manner)

    @Once
    def _manner(self) -> tuple[str, ...]:
        """The manner of an attack that its row does not tell: as it was declared, else missile in the place of a shot."""
        state, declared = self.state, self.state.round.said.get(self.who)
        if declared:
            return tuple(declared.action.manner)
        blow, shot = (own_key(state, self.one, Action(kind="attack", manner=how)).value for how in ((), MISSILE))
        there = shot is not None and shot.segment == self.point.segment
        return MISSILE if there and shot != blow else ()

    @Once
    def casting(self) -> Casting | None:
        """The casting that this is the effect of."""
        return spells.casting_of(self.state, self) if isinstance(self.event, spells.FULFILS) else None

    @Once
    def takes_hold(self) -> Order:
        """The key at which this takes hold, if it is an outcome."""
        return spells.key_of_outcome(self.state, self)

    @Once
    def opening(self) -> KeyedAct | None:
        """The act of an opponent that this answers."""
        return opening_of(self.state, self)

    @Once
    def fault(self) -> str:
        """The kind of opening that does not bear this blow out of turn out; "" where it does, or where it is none."""
        return fault_of(self.state, self) if is_interrupt(self.action) else ""

    @Once
    def number(self) -> int:
        """The number of the routine that this belongs to."""
        return routines.number_of(self)

    @Once
    def extra(self) -> bool:
        """Whether this leaves the routines of the round alone."""
        return is_extra(self.state, self)

    @Once
    def begins_routine(self) -> bool:
        """Whether a routine that counts begins with this."""
        return bool(self.number) and not self.extra and routines.is_new(self)

    @Once
    def used(self) -> list[KeyedAct]:
        """The acts before this one by which its doer has used routines."""
        return routines.used(self.state, self.who, self.point)

    @Once
    def key(self) -> routines.Key:
        """The key of the act, or of the moment at which somebody holds."""
        return routines.key_of_act(self.state, self)

    @Once
    def out(self) -> Out | None:
        """Why whoever does this is out of action at its key; None where it is not, or may do it all the same."""
        who = self.who
        return out_among(self.state, who, self.action, self.state.outs.get(who, ()), self.key.value)

    @Once
    def barred(self) -> bool:
        """Whether this is an act of somebody out of action, or came out of one: nothing else of it is reported."""
        if self.is_act:
            return self.out is not None
        return origin(self.state, self.cause, self.state.round.barred) in self.state.round.barred

    @property
    def segment_is_told(self) -> bool:
        """Whether the clock stands at the segment that this fact is in, so that a fault of it was reported there."""
        return self.state.clock.point.segment == self.point.segment != 0
