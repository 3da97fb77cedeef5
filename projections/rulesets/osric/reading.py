"""A fact as checks and steps get it, with values that they share, each computed once."""

from msgspec import structs

from eventstore.events import ActionHeld, ActionTaken, AttackRolled, DamageDealt, Healed
from eventstore.shapes import Action
from projections.fight import Combatant
from projections.mechanics.acts import is_shot, name_or_kind
from projections.mechanics.conditions import effects_of
from projections.mechanics.declarations import Declared
from projections.mechanics.memo import Once
from projections.mechanics.work import is_same
from projections.ruleset.reading import E_co, FactReading
from projections.rulesets.osric import routines, spells
from projections.rulesets.osric.order import FREE, HOLD, WAITING, own_key
from projections.rulesets.osric.routines import INTERRUPT, is_extra, is_interrupt, only_opening, opening_fault
from projections.rulesets.osric.state import Casting, KeyedAct, OsricState, Out
from projections.rulesets.osric.vitals import time_out_at
from projections.stream.causes import causes, find_origin

MISSILE = ("missile",)
OF_ACTS = (AttackRolled, DamageDealt, Healed)
"""Facts that can stand for an act which has no row of its own."""


class Reading(FactReading[E_co]):
    """A fact with its act, by the state before it: the doer, action and routine, the opening that it answers, its key.

    The act is an `action_taken` or `action_held`, or one for which only a roll, damage or healing stands.
    """

    state: OsricState

    @Once
    def segment(self) -> int | None:
        """The recorded segment of the fact itself, if there is one."""
        return getattr(self.event, "segment", None)

    @property
    def trigger(self) -> int | None:
        """The number of the record that this answers: the one that the fact names, else that of its only opening."""
        named: int | None = getattr(self.event, "trigger", None)
        return named or (self.opening.seq if self.opening else None)

    @Once
    def reason(self) -> str:
        """The recorded reason, case folded; "" without one."""
        return (getattr(self.event, "reason", None) or "").casefold()

    @Once
    def who(self) -> str:
        """The combatant who acts or is the source; "" where the fact names none."""
        event = self.event
        return getattr(event, "combatant", None) or getattr(event, "source", None) or ""

    @Once
    def one(self) -> Combatant:
        """The combatant who acts."""
        return self.state.combatants[self.who]

    @Once
    def is_act(self) -> bool:
        """Whether this fact is an act or a hold, or stands for an act that has no row of its own."""
        event = self.event
        if isinstance(event, ActionTaken | ActionHeld):
            return True
        if not isinstance(event, OF_ACTS) or self.who not in self.state.combatants:
            return False
        if isinstance(event, AttackRolled) and event.confirms:
            return False
        return self.casting is None and self.source_act is None and not self.continues

    @Once
    def waits(self) -> bool:
        """Whether this spends nothing and needs neither dice nor a segment."""
        return self.doing in WAITING

    @Once
    def source_act(self) -> KeyedAct | None:
        """The act of the same combatant from which this results: the one in its chain of causes, else the last in its segment."""
        acts: dict[int, KeyedAct] = self.state.round.acts
        for seq in (self.cause, *(fact.cause for fact in causes(self.state, self.cause))):
            if seq in acts and acts[seq].combatant == self.who:
                return acts[seq]
        own = self.state.round.acts_of.get(self.who, ())
        here = [act for act in own if self.point.segment == act.key.segment and act.kind not in FREE]
        return here[-1] if here else None

    @Once
    def act_behind(self) -> KeyedAct | None:
        """The act, of any combatant, in its chain of causes."""
        acts: dict[int, KeyedAct] = self.state.round.acts
        return acts.get(find_origin(self.state, self.cause, acts))

    def answers(self, act: KeyedAct) -> bool:
        """Return whether this results from a blow that answers an act, so that the movement of the act stands."""
        return self.act_behind is not None and self.act_behind.answers == act.seq

    @Once
    def continues(self) -> tuple[int, ...]:
        """The effects and conditions that its source has put on the target: this may result from them, and is no new act."""
        if not isinstance(self.event, DamageDealt | Healed):
            return ()
        bearer, kept = self.event.target, (self.state.effects, self.state.conditions)
        return tuple(each.seq for those in kept for each in effects_of(those, bearer) if each.source == self.who)

    @Once
    def said(self) -> Action:
        """The action as the fact has it: the one that was taken or held, or for which the fact stands."""
        event = self.event
        if isinstance(event, ActionTaken):
            return event.action
        if isinstance(event, ActionHeld):
            return event.action or Action(kind=HOLD)
        if isinstance(event, Healed):
            return Action(kind="other")
        return Action(kind="attack", name=getattr(event, "name", None))

    @property
    def at(self) -> tuple[str, ...]:
        """The targets of the action, else that of the fact."""
        target: str | None = getattr(self.event, "target", None)
        return self.said.targets or ((target,) if target else ())

    @Once
    def action(self) -> Action:
        """The action with what else is known of it: its manner, and that it answers an opening."""
        said, manner = self.said, self._manner
        answers = not said.cost and said.plain_kind == "attack" and self.opening
        cost = INTERRUPT if answers and not opening_fault(self.state, self, answers) else said.cost
        return structs.replace(said, manner=manner, cost=cost) if (manner, cost) != (said.manner, said.cost) else said

    @property
    def doing(self) -> str:
        """The kind of that action, case folded."""
        return self.kind or self.action.plain_kind

    @Once
    def declared(self) -> Declared | None:
        """The declaration that says how an attack was made, for which this may stand alone."""
        said: Declared | None = self.state.round.said.get(self.who)
        if isinstance(self.event, AttackRolled | DamageDealt):
            return said
        done = self.event.action if isinstance(self.event, ActionTaken) else None
        if not said or not done or done.manner or done.plain_kind != said.action.plain_kind or not is_shot(said.action):
            return None
        return said if is_same(done.name, name_or_kind(said.action)) else None

    @Once
    def _manner(self) -> tuple[str, ...]:
        """The manner of an attack without one: as declared, else missile if it comes in the place of a shot."""
        state = self.state
        if self.declared:
            return MISSILE if is_shot(self.declared.action) else self.declared.action.manner
        if isinstance(self.event, ActionTaken | ActionHeld | Healed):
            return self.said.manner
        blow, shot = (own_key(state, self.one, Action(kind="attack", manner=how)).value for how in ((), MISSILE))
        there = shot is not None and shot.segment == self.point.segment
        return MISSILE if there and shot != blow else ()

    @Once
    def casting(self) -> Casting | None:
        """The casting that this is the effect of."""
        return spells.casting_of_effect(self.state, self) if isinstance(self.event, spells.FULFILS) else None

    @Once
    def opening(self) -> KeyedAct | None:
        """The act that this names as its opening, else the only one that it can answer, of an earlier round too."""
        named: int | None = getattr(self.event, "trigger", None)
        if named is None:
            return only_opening(self.state, self)
        acts: dict[int, KeyedAct] = self.state.openings | self.state.round.acts
        return acts.get(find_origin(self.state, named, acts))

    @Once
    def fault(self) -> str:
        """The kind of opening that does not justify this blow out of turn; "" if it does, or if this is no such blow."""
        return opening_fault(self.state, self, self.opening) if is_interrupt(self.action) else ""

    @Once
    def number(self) -> int:
        """The number of the routine that this belongs to."""
        return routines.routine_number(self)

    @Once
    def extra(self) -> bool:
        """Whether this uses no routine of the round."""
        return is_extra(self.state, self)

    @Once
    def begins_routine(self) -> bool:
        """Whether a routine that counts begins with this."""
        return bool(self.number) and not self.extra and routines.opens_routine(self)

    @Once
    def used(self) -> list[KeyedAct]:
        """The acts before this one by which its doer has used routines."""
        return routines.routine_acts(self.state, self.who, self.point)

    @Once
    def key(self) -> routines.Key:
        """The key of the act or hold."""
        return routines.derive_key(self.state, self)

    @Once
    def out(self) -> Out | None:
        """The doer's time out of action at the key of this act; None while it is up, or may act all the same."""
        who = self.who
        return time_out_at(self.state, who, self.action, self.state.outs.get(who, ()), self.key.value)

    @Once
    def barred(self) -> bool:
        """Whether this is an act of a combatant out of action, or results from one, so that nothing else is reported of it."""
        if self.is_act:
            return self.out is not None
        return find_origin(self.state, self.cause, self.state.round.barred) in self.state.round.barred

    @property
    def is_in_clock_segment(self) -> bool:
        """Whether the clock shows the segment of this fact, so that a wrong segment was reported before."""
        return self.state.clock.point.segment == self.point.segment != 0
