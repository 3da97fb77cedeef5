"""Acts as they were recorded: what each costs, which attack action it uses, and which act is behind a roll."""

from typing import Any

from msgspec import structs

from eventstore.events import ActionDeclared, ActionHeld, ActionTaken, AttackRolled, Moved
from eventstore.shapes import Action
from projections.occurrence import Occurrence
from projections.rulesets.definition_master.acts.curve import bonus_of
from projections.rulesets.definition_master.acts.pricing import (
    ATTACK,
    FREE,
    HELD,
    IMMEDIATE,
    MOVE,
    STANDARD,
    cost_of,
    cost_word,
    row_of,
)
from projections.rulesets.definition_master.squares.ground import square_of
from projections.rulesets.definition_master.state import MasterState
from projections.rulesets.definition_master.state_of_turns import Act

CARRIES = ("charge", "trample", "grapple-move", "shove")
"""Acts of which a move is part."""
BLOWS = ("attack", "bash", "charge")
"""Acts each of whose attack rolls is an attack action of its own."""
TOUCHES = ("trip", "disarm", "grapple", "shove")
"""Acts that have a single attack roll, which opens them."""
ROLLS = ("cast", "use-item", "ability", "counterspell", "trample", "swallow", "other")
"""Acts to which any attack rolls may belong."""


def has_turn(state: MasterState, who: str) -> bool:
    """Say whether it is somebody's turn."""
    return who == state.clock.turn or who in state.clock.together


def just_ended(state: MasterState, who: str) -> int:
    """Return what ended the turn that somebody took last, if it would go on without that; else 0."""
    ended = state.flow.ended.get(who, 0)
    return ended if ended == (state.clock.turn_event or state.clock.round_event) else 0


def own_turn(state: MasterState, who: str) -> int:
    """Return the number of the turn that somebody has, 0 if it is not its turn."""
    return state.flow.taken.get(who, 0) if has_turn(state, who) else 0


def acts_of_turn(state: MasterState, who: str) -> list[Act]:
    """Return what somebody has done in the turn that it took last, its immediate actions included."""
    number = state.flow.taken.get(who, 0)
    return [act for act in state.flow.own_acts.get(who, ()) if act.own == number]


def slots_used(state: MasterState, who: str) -> int:
    """Return how many attack actions somebody has used in its turn."""
    return sum(act.slot >= 0 and not act.declared for act in acts_of_turn(state, who))


def told_act(state: MasterState, fact: Occurrence[Any]) -> Act | None:
    """Return the act that a fact tells of, from the state before it; None if it tells of none."""
    event = fact.event
    if isinstance(event, ActionTaken) or (isinstance(event, ActionDeclared) and event.combatant):
        return _of_action(state, fact)
    if isinstance(event, Moved):
        return None if is_carried(state, fact) else _of_move(state, fact)
    if isinstance(event, ActionHeld):
        return _of_hold(state, fact)
    return implied(state, fact) if isinstance(event, AttackRolled) else None


def _act(state: MasterState, fact: Occurrence[Any], action: Action, cost: str, row: str) -> Act:
    who = fact.event.combatant
    own = own_turn(state, who) if cost not in IMMEDIATE else 0
    one = state.combatants[who]
    slot = slots_used(state, who) if cost == ATTACK and own else -1
    return Act(
        seq=fact.seq,
        who=who,
        action=action,
        kind=action.kind.casefold(),
        cost=cost,
        row=row,
        turn=state.clock.turn,
        own=own,
        slot=slot,
        bonus=bonus_of(one, max(0, slot)),
        trigger=getattr(fact.event, "trigger", None) or 0,
        point=fact.point,
        square=square_of(state, who),
    )


def _of_action(state: MasterState, fact: Occurrence[Any]) -> Act:
    event = fact.event
    cost = cost_of(state, state.combatants[event.combatant], event.action, getattr(event, "trigger", None))
    row = row_of(event.action, cost)
    act = _act(state, fact, event.action, cost, str(row["name"]) if row else "")
    said = declaration(state, event.combatant, event.action) if isinstance(event, ActionTaken) else None
    return structs.replace(act, declared=said.seq, slot=said.slot, bonus=said.bonus) if said else act


def declaration(state: MasterState, who: str, action: Action) -> Act | None:
    """Return the declaration of the present turn that an act carries out; None if there is none."""
    own = acts_of_turn(state, who) if has_turn(state, who) else []
    done = {act.declared for act in own}
    said = (act for act in own if act.seq in state.flow.declared and act.seq not in done)
    return next((act for act in said if act.kind == action.kind.casefold()), None)


def _of_move(state: MasterState, fact: Occurrence[Any]) -> Act:
    event = fact.event
    step = (event.mode or "").casefold() == "step"
    cost = cost_word(event.cost, "move") or MOVE
    action = Action(kind="step" if step else "move", cost=event.cost)
    act = _act(state, fact, action, cost, "five-foot-step" if step else "move")
    return structs.replace(act, trigger=event.cause or 0) if cost in IMMEDIATE else act


def is_carried(state: MasterState, fact: Occurrence[Any]) -> bool:
    """Say whether a move is part of a charge, a trample or the like, or was forced, and so costs nothing itself."""
    event = fact.event
    return bool(event.forced or carrier(state, fact))


def carrier(state: MasterState, fact: Occurrence[Any]) -> Act | None:
    """Return the act that a move is part of: the one that it names, else the charge or trample that it follows."""
    event = fact.event
    behind = act_at(state, fact.cause)
    if behind or event.cause or event.cost:
        return behind if behind and behind.kind in CARRIES and event.cost != HELD else None
    own = acts_of_turn(state, event.combatant) if has_turn(state, event.combatant) else []
    last = own[-1] if own else None
    return last if last and last.kind in ("charge", "trample") and last.seq not in state.flow.carried.values() else None


def _of_hold(state: MasterState, fact: Occurrence[Any]) -> Act:
    held = fact.event.action
    kind = held.kind.casefold() if held else ""
    cost = cost_word(held.cost, kind) if held and held.cost else ""
    price = cost or (cost_of(state, state.combatants[fact.event.combatant], held) if held else STANDARD)
    cost = price if price in (MOVE, FREE) else STANDARD
    return _act(state, fact, Action(kind="hold", name=kind or None), cost, f"hold-{cost}")


# ---------------------------------------------------------------- the act behind an outcome


def act_at(state: MasterState, cause: int) -> Act | None:
    """Return the act that a record is, or that was its cause, and so on; None if there is none."""
    seen = set[int]()
    while cause and cause not in seen:
        if act := state.flow.acts.get(cause):
            return act
        seen.add(cause)
        before = state.moments.get(cause)
        cause = before.cause if before else 0
    return None


def act_behind(state: MasterState, fact: Any) -> Act | None:
    """Return the act that a roll or an outcome belongs to: of whoever rolls, if somebody does."""
    found = act_at(state, getattr(fact.event, "confirms", None) or fact.cause)
    who = getattr(fact.event, "combatant", None) if isinstance(fact.event, AttackRolled) else None
    if who is None or (found and found.who == who) or fact.event.cause:
        return found
    now = (act for act in reversed(state.round.acts) if act.point == fact.point)
    return next((act for act in now if act.who == who and act.kind not in ("move", "step", "hold")), None)


def is_further(state: MasterState, act: Act, fact: Occurrence[Any]) -> bool:
    """Say whether an attack roll is an attack besides the act before it: one that has had its roll, or that has none."""
    before = any(state.precedes(seq, fact.seq) for seq in state.flow.rolled.get(act.seq, ()))
    if act.kind in BLOWS:
        return bool(act.own) and (act.kind == "charge" or before)
    if fact.event.cause:
        return False
    return before if act.kind in TOUCHES else act.kind not in ROLLS


def implied(state: MasterState, fact: Occurrence[Any]) -> Act | None:
    """Return the attack action that an attack roll is by itself: of an act that has had one, or of none at all."""
    event = fact.event
    if event.confirms or not has_turn(state, event.combatant):
        return None
    act = act_behind(state, fact)
    if act is None or is_further(state, act, fact):
        action = Action(kind="attack", name=event.name, targets=(event.target,) if event.target else ())
        return _act(state, fact, action, ATTACK, "attack")
    return None


def act_of_roll(state: MasterState, fact: Occurrence[Any]) -> Act | None:
    """Return the act that an attack roll belongs to; of several rolls of a held action each has its own bonus."""
    own = state.flow.acts.get(fact.seq) or implied(state, fact)
    if own:
        return own
    act = act_behind(state, fact)
    if act and act.cost == HELD and act.kind in BLOWS:
        before = state.flow.rolled.get(act.seq, [])
        number = before.index(fact.seq) if fact.seq in before else len(before)
        return structs.replace(act, bonus=bonus_of(state.combatants[act.who], number))
    return act
