"""Held actions: declared with a trigger, resolved when it comes, lost at the next turn; they move their holder's place."""

from collections.abc import Iterator

from eventstore.events import ActionHeld, ActionTaken, Moved, TurnStarted
from projections.because import Because, Derived
from projections.mechanics import triggers, turnlist
from projections.rulesets.definition_master.acts.acts import FREE, FULL, HELD, MOVE, SWIFT, cost_of, row_of, seqs
from projections.rulesets.definition_master.reading import Reading, Told
from projections.rulesets.definition_master.state import Act, MasterState
from projections.rulesets.definition_master.turns.order import placed_by, turn_list
from projections.rulesets.faults import Fault, checks_by
from projections.rulesets.ruleset import Breach, check, derives

AKIN = {"move": ("step",), "other": ("move", "step")}
"""What a held action may also be resolved as."""
PLACE = "the place of a turn"
"""The checks of which the most specific reports a turn at a wrong place."""
UNFIT = {FULL: "a full-round action", SWIFT: "a swift action", FREE: "a free action"}
Holds = Reading[ActionHeld]


@derives("held.names-action-and-trigger", on=ActionHeld)
def action_is_held(state: MasterState, fact: Holds) -> None:
    """Arm an action until its trigger comes."""
    event = fact.event
    triggers.arm(state.flow.triggers, event.combatant, fact.seq, event.action, event.awaiting or "")
    state.flow.lapsed.pop(event.combatant, None)


@derives("held.position-moves", "held.resolves-when-triggered", on=(ActionTaken, Moved))
def held_action_is_resolved(state: MasterState, act: Told) -> None:
    """Move the place of whoever resolves a held action right behind the creature that triggered it, or that has the turn."""
    told, flow = state.flow.acts.get(act.seq), state.flow
    armed = triggers.disarm(flow.triggers, told.who) if told and told.cost == HELD else None
    if told is None or armed is None:
        return
    flow.disarmed[told.who] = act.seq
    behind = _triggered_by(state, told.who, told.trigger)
    if behind in turn_list(state).places and told.who in flow.turns.places and behind != told.who:
        turnlist.move(flow.turns, told.who, behind, act.seq)
        elsewhere = (told.trigger,) if behind != state.clock.turn else ()
        events = (armed.seq, *elsewhere, placed_by(state, behind), act.seq)
        flow.moved[told.who] = Because(held_action_is_resolved.rules[:1], events)
    if state.option("held-next-round") == "turn-spent" and told.who not in flow.turns.progress.had:
        turnlist.use(turn_list(state), told.who, act.seq)


def _triggered_by(state: MasterState, who: str, trigger: int) -> str:
    """Return whose doing a trigger is; of an event that is no creature's, whose turn it is."""
    act, fact = state.flow.acts.get(trigger), state.moments.get(trigger)
    event = fact.event if fact else None
    doer: str | None = act.who if act else getattr(event, "combatant", None) or getattr(event, "source", None)
    return doer if doer and doer != who else state.clock.turn


def holding(state: MasterState, who: str) -> Derived[str]:
    """Return what somebody holds for a trigger: the name or kind of the action; "none" if nothing."""
    armed = state.flow.triggers.armed.get(who)
    since = armed.seq if armed else state.flow.disarmed.get(who, state.combatants[who].joined)
    action = armed.action if armed else None
    word = (action.name or action.kind) if action else "something" if armed else "none"
    return Derived(word, Because(("held.names-action-and-trigger", "held.lost-at-next-turn"), (since,)))


# ---------------------------------------------------------------- declaring


@check("held.move-or-standard", on=ActionHeld)
def what_is_held_is_a_move_or_a_standard_action(state: MasterState, hold: Holds) -> Breach | None:
    """Report holding out of turn, what is neither, or what the turn no longer has."""
    who, act, left = hold.one.id, hold.act, hold.budget
    if hold.is_granted("held.move-or-standard") or act is None:
        return None
    if not act.own:
        turn = state.clock.turn or "nobody"
        return Breach(f"{who} holds an action in the turn of {turn}", f"the turn of {who}", turn, state.clock.events)
    if said := _unfit(state, hold):
        return Breach(f"{who} holds {said}", "a move or a standard action", said)
    if before := [each for each in hold.so_far if each.kind == "hold"]:
        return Breach(f"{who} holds an action already", "one", "two", (before[0].seq,))
    if not left.standard and not (act.cost == MOVE and left.move):
        events = seqs((*left.moves, *left.standards, *left.attacked))
        return Breach(f"{who} has spent that action", f"a {act.cost} action left", "none", events)
    return None


def _unfit(state: MasterState, hold: Holds) -> str:
    """Return what a held action is if it can be none: a full-round or a swift action; "" if it can."""
    action = hold.event.action
    if action is None:
        return ""
    cost = cost_of(state, hold.one, action)
    row = row_of(action, cost)
    price = str(row["cost"]) if row else cost
    return UNFIT.get(cost) or UNFIT.get(price, "")


@check("held.names-action-and-trigger", on=ActionHeld)
def holding_names_action_and_trigger(_state: MasterState, hold: Holds) -> Breach | None:
    """Report holding without an action, or without a trigger."""
    if hold.event.action is not None and (hold.event.awaiting or "").strip():
        return None
    missing = "no action" if hold.event.action is None else "no trigger"
    return Breach(f"{hold.one.id} holds and names {missing}", "an action and a trigger", missing)


# ---------------------------------------------------------------- resolving


NAMED, LOST, TRIGGERED = "held.names-action-and-trigger", "held.lost-at-next-turn", "held.resolves-when-triggered"


@checks_by(NAMED, LOST, TRIGGERED, on=(ActionTaken, Moved))
def what_was_held_is_resolved(state: MasterState, act: Told) -> Iterator[Fault]:
    """Yield resolving what is not held, or no longer, or another action, or without its trigger, or later than that."""
    told, who, began = act.act, act.one.id, state.clock.turn_event
    armed, lost = state.flow.triggers.armed.get(who), state.flow.lapsed.get(who)
    if told is None or told.cost != HELD:
        return
    if armed is None and lost is None:
        yield Fault((NAMED,), f"{who} holds nothing", "a held action", "none")
    elif armed is None and lost:
        says, turn = f"what {who} held is gone since its turn began", state.flow.turn_of.get(who, lost.seq)
        yield Fault((LOST,), says, "nothing held", "resolved", (lost.seq, turn))
    elif armed:
        held = armed.action.kind if armed.action else told.kind
        if told.kind not in (held.casefold(), *AKIN.get(held.casefold(), ())):
            yield Fault((NAMED,), f"{who} holds {held}, not {told.kind}", held, told.kind, (armed.seq,))
        if not act.is_granted(TRIGGERED):
            yield from _of_trigger(told, late=bool(began) and not state.precedes(began, told.trigger))


def _of_trigger(told: Act, *, late: bool) -> Iterator[Fault]:
    if not told.trigger:
        yield Fault((TRIGGERED,), f"{told.who} resolves a held action without a trigger", "its trigger", "none")
    elif late:
        yield Fault(
            (TRIGGERED,), f"the moment of event {told.trigger} has gone by", "at once", "later", (told.trigger,)
        )


@check("held.position-moves", on=TurnStarted, group=PLACE)
def place_of_the_holder_has_moved(state: MasterState, turn: Reading[TurnStarted]) -> Breach | None:
    """Report a turn at the old place of somebody whose held action moved it, or a second one in its round."""
    return wrong_place(state, turn, "held.position-moves")


def wrong_place(state: MasterState, turn: Reading[TurnStarted], rule: str) -> Breach | None:
    """Return the breach of beginning a turn at a place that a delay or a held action has moved, too early or again."""
    who, came, moved = turn.one.id, turn.came, state.flow.moved
    if who not in moved or rule not in moved[who].rules or who in state.flow.turns.in_hand:
        return None
    if not came.passes_over and came.how != "again":
        return None
    first = came.passes_over[0] if came.passes_over else "the next"
    return Breach(f"the place of {who} has moved", first, who, moved[who].events[-1:])
