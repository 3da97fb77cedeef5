"""Held actions: declared with a trigger, resolved when it comes, lost at the next turn; they move their combatant's
place.
"""

from collections.abc import Iterator

from eventstore.events import ActionHeld, ActionTaken, Moved
from eventstore.shapes import Action
from projections.because import Because, Derived
from projections.mechanics import triggers, turnlist
from projections.mechanics.triggers import Armed
from projections.ruleset.faults import Fault, checks_by
from projections.ruleset.ruleset import Breach, check, derives
from projections.rulesets.definition_master import acts
from projections.rulesets.definition_master.budget import budget_after
from projections.rulesets.definition_master.order import placed_by, taken_by
from projections.rulesets.definition_master.reading import Reading
from projections.rulesets.definition_master.state import MasterState
from projections.rulesets.definition_master.table import table
from projections.rulesets.definition_master.vitals import can_act
from projections.scheduling.turn_schedule import turn_list

Holds = Reading[ActionHeld]


@derives("held.names-action-and-trigger", "held.move-or-standard", on=ActionHeld)
def action_is_held(state: MasterState, hold: Holds) -> None:
    """Arm an action until its trigger comes, if it may be held; else an action held before stays armed."""
    event, who, able, barred = hold.event, hold.one.id, can_act(state, hold.one.id), why_not(state, hold)
    if held_by(state, who) is None:
        events = (*taken_by(state, who), hold.seq, *hold.grants, *(barred.because if barred else ()))
        state.flow.held[who] = Derived(hold.seq, Because((), events, of=() if able else (hold.one.standing,)))
    if able and barred is None and not missing_part(hold):
        triggers.arm(state.flow.triggers, who, hold.seq, event.action)


@derives("held.position-moves", "held.resolves-when-triggered", on=(ActionTaken, Moved), phase="consequences")
def held_action_is_resolved(state: MasterState, act: Reading[ActionTaken | Moved]) -> None:
    """Move the place of a combatant who resolves a held action right behind the creature that triggered it, or that has
    the turn.
    """
    done, flow = state.flow.acts.get(act.seq), state.flow
    if done is None or done.cost != acts.HELD:
        return
    if (armed := held_by(state, done.combatant)) is None:
        if held := why_held(state, done.combatant):
            flow.stayed[done.combatant] = Derived(done.seq, Because((), (done.seq,), of=held))
        return
    triggers.disarm(flow.triggers, done.combatant)
    flow.resolved[done.combatant] = act.seq, armed.seq
    behind = first = _triggered_by(state, done.combatant, done.trigger)
    since = (state.clock.turn_event,) if any(each.behind == behind for each in state.turns.moves) else ()
    for each in state.turns.moves:  # combatants who have moved behind it in this turn stand between them
        if each.behind == behind and not state.precedes(each.seq, state.clock.turn_event):
            behind = each.who
    if behind in turn_list(state).places and done.combatant in state.turns.places and behind != done.combatant:
        turnlist.move(state.turns, done.combatant, behind, act.seq)
        elsewhere = (done.trigger,) if behind != state.clock.turn else ()
        events = (armed.seq, *elsewhere, *since, placed_by(state, behind), act.seq)
        of = (flow.held[done.combatant], *(() if behind == first else (flow.moved[behind],)))
        flow.moved[done.combatant] = Because(("held.position-moves",), events, of=of)
    if state.option("held-next-round") == "turn-spent":
        turnlist.use(turn_list(state), done.combatant, act.seq)
    flow.spent[done.combatant] = Because((), (act.seq, armed.seq), (flow.held[done.combatant],))


def _triggered_by(state: MasterState, who: str, trigger: int) -> str:
    """Return the combatant who triggered a held action; if no other did, the one whose turn it is."""
    act, fact = state.flow.acts.get(trigger), state.moments.get(trigger)
    event = fact.event if fact else None
    doer: str | None = act.combatant if act else getattr(event, "combatant", None) or getattr(event, "source", None)
    return doer if doer and doer != who else state.clock.turn


def held_by(state: MasterState, who: str) -> Armed | None:
    """Return the action that a combatant holds for a trigger, until it is resolved or the next turn begins."""
    armed = state.flow.triggers.armed.get(who)
    return armed if armed and not state.precedes(armed.seq, state.flow.began(who)) else None


def action_of(armed: Armed) -> Action:
    """Return the action that a combatant holds."""
    assert armed.action is not None  # noqa: S101 – a hold without an action is not armed
    return armed.action


def holding(state: MasterState, who: str) -> Derived[str]:
    """Return the name or kind of the action that a combatant holds for a trigger; "none" if it holds none that is allowed."""
    armed, rules = held_by(state, who), ("held.names-action-and-trigger", "held.lost-at-next-turn")
    if armed is None:
        return Derived("none", Because(rules, (hold_ended_by(state, who),), of=why_held(state, who)))
    action = action_of(armed)
    turn = state.turns.in_hand.get(who)
    events = (armed.seq, *((turn.held,) if turn else ()))
    return Derived(action.name or action.kind, Because(rules, events, of=why_held(state, who)))


def why_held(state: MasterState, who: str) -> tuple[Derived[int], ...]:
    """Return the reason why a combatant's last hold since its turn began is armed or not; nothing once it was
    resolved.
    """
    found, resolved = state.flow.held.get(who), state.flow.resolved.get(who, ())
    if found is None or found.value in resolved or state.precedes(found.value, state.flow.began(who)):
        return ()
    return (found,)


def hold_ended_by(state: MasterState, who: str) -> int:
    """Return the record at which a combatant, since its last turn began, stopped holding an action; else its
    joining.
    """
    lost, (resolved, _) = state.flow.triggers.armed.get(who), state.flow.resolved.get(who, (0, 0))
    if lost and lost.seq in acts.seqs(state.flow.own_acts[who]):
        return state.flow.began(who)
    return resolved if resolved in acts.seqs(acts.acts_since_turn(state, who)) else state.combatants[who].joined


# ---------------------------------------------------------------- declaring


def why_not(state: MasterState, hold: Holds) -> Breach | None:
    """Return the breach if an action cannot be held, because of the turn, its cost, or the budget; None if it can."""
    who, act = hold.one.id, hold.taken
    before = [each for each in acts.acts_of_turn(state, who) if each.seq != hold.seq]
    left, holds = budget_after(hold.one, before), [each for each in before if each.kind == "hold"]
    if hold.is_granted("held.move-or-standard"):
        return None
    if not act.own:
        turn = state.clock.turn or "nobody"
        return Breach(f"{who} holds an action in the turn of {turn}", f"the turn of {who}", turn, state.clock.events)
    if said := _unfit(state, hold):
        return Breach(f"{who} holds {said}", "a move or a standard action", said)
    if holds:
        return Breach(f"{who} holds an action already", "one", "two", acts.seqs(holds))
    if not left.standard and not (act.cost == acts.MOVE and left.move):
        events = acts.seqs((*left.moves, *left.standards, *left.attacked))
        return Breach(f"{who} has spent that action", f"a {act.cost} action left", "none", events)
    return None


what_is_held_is_a_move_or_a_standard_action = check("held.move-or-standard", on=ActionHeld)(why_not)


def _unfit(state: MasterState, hold: Holds) -> str:
    """Return the words for an action that cannot be held: a full-round or a swift action; "" if it can."""
    action = hold.event.action
    if action is None:
        return ""
    cost, unfit = acts.cost_of(state, hold.one, action), (acts.FULL, acts.SWIFT, acts.FREE)
    costs = cost, acts.row_of(action, cost).get("cost")
    return next((f"a {each} action" for each in costs if each in unfit), "")


def missing_part(hold: Holds) -> str:
    """Return the part that a hold does not name: its action, else its trigger; "" if it names both."""
    if hold.event.action is None:
        return "no action"
    return "" if (hold.event.awaiting or "").strip() else "no trigger"


@check("held.names-action-and-trigger", on=ActionHeld)
def holding_names_action_and_trigger(_state: MasterState, hold: Holds) -> Breach | None:
    found = missing_part(hold)
    return Breach(f"{hold.one.id} holds and names {found}", "an action and a trigger", found) if found else None


# ---------------------------------------------------------------- resolving


NAMED, LOST, TRIGGERED = "held.names-action-and-trigger", "held.lost-at-next-turn", "held.resolves-when-triggered"


@checks_by(NAMED, LOST, TRIGGERED, on=(ActionTaken, Moved))
def what_was_held_is_resolved(state: MasterState, act: Reading[ActionTaken | Moved]) -> Iterator[Fault]:
    """Yield a fault for resolving an action that is not held, no longer held, another one, without its trigger, or too
    late.
    """
    done, who, turn = act.act, act.one.id, state.clock.turn_event
    armed = state.flow.triggers.armed.get(who)
    if done is None or done.cost != acts.HELD:
        return
    if armed is None:
        yield Fault((NAMED,), f"{who} holds nothing", "a held action", "none")
    elif armed != held_by(state, who):
        says = f"what {who} held is gone since its turn began"
        yield Fault((LOST,), says, "nothing held", "resolved", (armed.seq, state.flow.began(who)))
    else:
        held = action_of(armed).kind
        if done.kind not in (held.casefold(), *table("akin").get(held.casefold(), ())):
            yield Fault((NAMED,), f"{who} holds {held}, not {done.kind}", held, done.kind, (armed.seq,))
        if not done.trigger and not act.is_granted(TRIGGERED):
            yield Fault((TRIGGERED,), f"{who} resolves a held action without a trigger", "its trigger", "none")
        elif not state.precedes(turn, done.trigger) and not act.is_granted(TRIGGERED):
            says = f"the moment of event {done.trigger} has gone by"
            yield Fault((TRIGGERED,), says, "at once", "later", (turn,))
