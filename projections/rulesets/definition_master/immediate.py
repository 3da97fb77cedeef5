"""Immediate actions: three kinds that exclude one another, one use a round; held actions, the third kind."""

from collections.abc import Collection, Iterable, Iterator
from itertools import takewhile

from eventstore.events import ActionHeld, ActionTaken, Fact, Moved
from eventstore.shapes import Action
from projections.because import NOTHING_CITED, Because, Derived
from projections.fight import Combatant
from projections.mechanics import turnlist
from projections.mechanics.triggers import Armed
from projections.ruleset.faults import Fault, checks_by
from projections.ruleset.ruleset import Breach, check, derives
from projections.rulesets.definition_master import acts
from projections.rulesets.definition_master.order import placing_record, turn_records
from projections.rulesets.definition_master.reading import Reading
from projections.rulesets.definition_master.state import MasterAct, MasterState
from projections.rulesets.definition_master.table import rows
from projections.rulesets.definition_master.vitals import can_act
from projections.scheduling.turn_schedule import turn_list

WORDS, LOCKS, EXCLUDES = ({row["kind"]: row[each] for row in rows("immediate")} for each in ("called", "lock", "rule"))
"""The words for each kind, the words for a lock to it, and the clauses that let it bar the other kinds."""
ONE, ONE_STRIKE = "immediate.one-per-round", "aoo.one-without-feats"
BY_GRANT, SPENDS = "immediate.more-of-kind-by-grant", "held.spends-immediate"


@derives("immediate.more-of-kind-by-grant", "aoo.battle-prowess")
def allowed_uses(one: Combatant, kind: str) -> int:
    """Return the number of uses of a kind that a combatant has in a round: one, and those of its feats."""
    feats: dict[str, int] = one.sheet.feats
    given = [(number, row) for name, number in feats.items() for row in rows("feat") if has_name(row["name"], name)]
    return 1 + sum(max(0, number - int(row["first"])) for number, row in given if row["gives"] == kind)


def has_name(feat: str, name: str) -> bool:
    """Say whether a feat of the sheet is this one of the table, with or without further words."""
    return feat in "-".join(name.casefold().split())


def _immediate_kinds(state: MasterState, those: Iterable[MasterAct]) -> dict[int, str]:
    return {act.seq: acts.immediate_kind(act.cost) for act in those if acts.is_immediate(state, act)}


@derives(ONE, "immediate.three-kinds")
def uses_in_round(state: MasterState, who: str) -> dict[int, str]:
    """Return the kinds of a combatant's immediate actions in this round or, by option, since its turn began."""
    if state.option("immediate-clock") == "own-turn":
        return _immediate_kinds(state, acts.acts_since_turn(state, who))
    return dict(state.round.immediate.get(who, {}))


@derives("immediate.three-kinds")
def lock_with_record(state: MasterState, who: str) -> tuple[str, int] | None:
    """Return the kind to which a combatant is locked until its next turn, and the record that locked it."""
    return next(((kind, seq) for seq, kind in _immediate_kinds(state, acts.acts_since_turn(state, who)).items()), None)


@derives(ONE, "immediate.more-of-kind-by-grant", "immediate.any-time", "full-round.free-and-immediate-stay")
def is_possible(one: Combatant, had: Collection[str], kind: str) -> bool:
    """Say whether one more of a kind is possible after those of the round, apart from the lock."""
    return not had or ({*had} == {kind} and len(had) < allowed_uses(one, kind))


def amount_left(state: MasterState, who: str) -> Derived[int]:
    """Return 1 if one more immediate action is possible, of the kind of a lock or of the round's first, else 0."""
    rules = (*is_possible.rules, "aoo.battle-prowess")
    had, locked, one = uses_in_round(state, who), lock_with_record(state, who), state.combatants[who]
    earlier = locked[0] if locked and locked[1] not in had else ""

    def is_left(used: list[str]) -> bool:
        return is_possible(one, used, earlier or next(iter(used), ""))

    if is_left([*had.values()]):
        by_turn = state.option("immediate-clock") == "own-turn"
        kept = by_turn and _immediate_kinds(state, state.flow.own_acts.get(who, ())).keys() - had
        since = state.flow.began(who) if kept else 0
        return Derived(1, Because(rules, (since or one.joined,)))
    alone = [seq for seq in had if is_left([kind for each, kind in had.items() if each != seq])]
    own = [*had.values()]
    by_lock = (locked[1],) if locked and earlier and is_possible(one, own, own[0]) else ()
    return Derived(0, Because(rules, (*(alone or had), *by_lock)))


def lock_status(state: MasterState, who: str) -> Derived[str]:
    """Return the kind to which a combatant is locked until its next turn; "none" if it is not locked."""
    own = acts.acts_since_turn(state, who), state.flow.own_acts.get(who, ())
    now, kept = (_immediate_kinds(state, those) for those in own)
    to, first = (next(iter(each.values()), "") for each in (now, kept))
    turn = turn_records(state, who) if first not in ("", to) else ()
    if not to:
        began = state.flow.began(who) if turn else state.combatants[who].joined
        return Derived("none", Because(acts.immediate_kind.rules, (began,), of=(Derived(None, Because((), turn)),)))
    alike = takewhile(lambda seq: now[seq] == to, now)
    return Derived(LOCKS[to], Because(acts.immediate_kind.rules, (*turn, *alike)))


def _immediate_kind(act: Reading[Fact]) -> str:
    """Return the kind of an immediate action; "" for another act, and for a combatant who cannot act at all."""
    done = act.act
    if done is None or done.cost not in acts.IMMEDIATE or not can_act(act.state, done.combatant):
        return ""
    return acts.immediate_kind(done.cost)


@checks_by(*EXCLUDES.values(), ONE, ONE_STRIKE, BY_GRANT, SPENDS, on=(ActionTaken, Moved))
def immediate_actions_are_limited(state: MasterState, act: Reading[ActionTaken | Moved]) -> Iterator[Fault]:
    """Yield a fault for an immediate action against a lock, by its own clause if held, and for one too many."""
    if not (kind := _immediate_kind(act)):
        return
    who, had, locked = act.one.id, uses_in_round(state, act.one.id), lock_with_record(state, act.one.id)
    if locked and locked[0] != kind:
        rule, says = EXCLUDES[locked[0]], f"it cannot use {WORDS[kind]} before its next turn"
        if not act.is_granted(rule):
            says = f"{who} has used {WORDS[locked[0]]}: {says}"
            yield Fault((rule,), says, WORDS[locked[0]], WORDS[kind], locked[1:])
    elif rule := clause_of_surplus(act.one, kind, had.values(), again=bool(locked)):
        held = act.taken.cost == acts.HELD and {*had.values()} != {kind}
        if not any(map(act.is_granted, {rule, SPENDS} if held else {rule})):
            says = f"{who} has used {WORDS[next(iter(had.values()), acts.OTHER)]} already"
            yield Fault((SPENDS if held else rule,), says, "no more", "another", tuple(had))


def clause_of_surplus(one: Combatant, kind: str, had: Collection[str], *, again: bool) -> str:
    """Return the rule that forbids one more of a kind, `again` if the lock is to it; "" if it is lawful."""
    if is_possible(one, had, kind) and not (again and kind == acts.OTHER and allowed_uses(one, acts.OTHER) == 1):
        return ""
    if kind == acts.OTHER or {*had} != {kind}:
        return ONE
    return ONE_STRIKE if kind == acts.AOO and allowed_uses(one, acts.AOO) == 1 else BY_GRANT


@check("aoo.battle-prowess", on=ActionTaken)
def prowess_gives_strikes_only(_state: MasterState, act: Reading[ActionTaken]) -> Breach | None:
    named = act.event.action.granted_by or ""
    given = next((row["gives"] for row in rows("feat") if has_name(row["name"], named)), None)
    if not _immediate_kind(act) or given is None or given == _immediate_kind(act):
        return None
    return Breach(f"{act.event.action.granted_by} gives {WORDS[given]}", WORDS[given], WORDS[_immediate_kind(act)])


Holds = Reading[ActionHeld]


@derives("held.names-action-and-trigger", "held.move-or-standard", on=ActionHeld)
def arm_action(state: MasterState, hold: Holds) -> None:
    """Arm an action until its trigger comes, if it may be held; else an action held before stays armed."""
    event, who, able, barred = hold.event, hold.one.id, can_act(state, hold.one.id), holding_breach(state, hold)
    if armed_action(state, who) is None:
        events = (*turn_records(state, who), hold.seq, *hold.grants, *(barred.because if barred else ()))
        state.flow.held[who] = Derived(hold.seq, Because((), events, of=() if able else (hold.one.standing,)))
    if able and barred is None and not missing_part(hold):
        state.flow.triggers.armed[who] = Armed(hold.seq, event.action)


@derives("held.position-moves", "held.resolves-when-triggered", on=(ActionTaken, Moved), phase="consequences")
def resolve_held_action(state: MasterState, act: Reading[ActionTaken | Moved]) -> None:
    """Move the place of a combatant who resolves a held action right behind the creature that triggered it."""
    done, flow = state.flow.acts.get(act.seq), state.flow
    if done is None or done.cost != acts.HELD:
        return
    if (armed := armed_action(state, done.combatant)) is None:
        if held := why_held(state, done.combatant):
            flow.stayed[done.combatant] = Derived(done.seq, Because((), (done.seq,), of=held))
        return
    flow.triggers.armed.pop(done.combatant, None)
    behind = first = _trigger_combatant(state, done.combatant, done.trigger)
    since = (state.clock.turn_event,) if any(each.behind == behind for each in state.turns.moves) else ()
    for each in state.turns.moves:  # combatants who have moved behind it in this turn stand between them
        if each.behind == behind and not state.precedes(each.seq, state.clock.turn_event):
            behind = each.who
    if behind in turn_list(state).places and done.combatant in state.turns.places and behind != done.combatant:
        turnlist.move_place(state.turns, done.combatant, behind, act.seq)
        elsewhere = (done.trigger,) if behind != state.clock.turn else ()
        events = (armed.seq, *elsewhere, *since, placing_record(state, behind), act.seq)
        of = (flow.held[done.combatant], *(() if behind == first else (flow.moved[behind],)))
        flow.moved[done.combatant] = Because(("held.position-moves",), events, of=of)
    if state.option("held-next-round") == "turn-spent":
        turnlist.record_turn(turn_list(state), done.combatant, act.seq)
    flow.spent[done.combatant] = Because((), (act.seq, armed.seq), (flow.held[done.combatant],))


def _trigger_combatant(state: MasterState, who: str, trigger: int) -> str:
    """Return the combatant who triggered a held action; if no other did, the one whose turn it is."""
    act, fact = state.flow.acts.get(trigger), state.moments.get(trigger)
    event = fact.event if fact else None
    doer: str | None = act.combatant if act else getattr(event, "combatant", None) or getattr(event, "source", None)
    return doer if doer and doer != who else state.clock.turn


def armed_action(state: MasterState, who: str) -> Armed | None:
    """Return the action that a combatant holds for a trigger, until it is resolved or the next turn begins."""
    armed = state.flow.triggers.armed.get(who)
    return armed if armed and not state.precedes(armed.seq, state.flow.began(who)) else None


def action_held(armed: Armed) -> Action:
    """Return the action that a combatant holds."""
    assert armed.action is not None  # noqa: S101 – a hold without an action is not armed
    return armed.action


def name_of_held(state: MasterState, who: str) -> Derived[str]:
    """Return the name or kind of the action that a combatant holds for a trigger; "none" if it holds none that is allowed."""
    armed, rules = armed_action(state, who), ("held.names-action-and-trigger", "held.lost-at-next-turn")
    if armed is None:
        return Derived("none", Because(rules, (hold_ended_by(state, who),), of=why_held(state, who)))
    action = action_held(armed)
    turn = state.turns.in_hand.get(who)
    events = (armed.seq, *((turn.held,) if turn else ()))
    return Derived(action.name or action.kind, Because(rules, events, of=why_held(state, who)))


def why_held(state: MasterState, who: str) -> tuple[Derived[int], ...]:
    """Return why a combatant's last hold since its turn began is armed or not; nothing once it was resolved."""
    found, spent = state.flow.held.get(who), state.flow.spent.get(who, NOTHING_CITED)
    if found is None or found.value in spent.events or state.precedes(found.value, state.flow.began(who)):
        return ()
    return (found,)


def hold_ended_by(state: MasterState, who: str) -> int:
    """Return the record since a combatant's last turn began that ended its hold; else its joining."""
    lost = state.flow.triggers.armed.get(who)
    resolved = next(iter(state.flow.spent.get(who, NOTHING_CITED).events), 0)
    if lost and lost.seq in acts.records_of(state.flow.own_acts[who]):
        return state.flow.began(who)
    return resolved if resolved in acts.records_of(acts.acts_since_turn(state, who)) else state.combatants[who].joined


def holding_breach(state: MasterState, hold: Holds) -> Breach | None:
    """Return the breach if an action cannot be held, because of the turn, its cost, or the budget; None if it can."""
    who, act = hold.one.id, hold.taken
    before = [each for each in acts.acts_of_turn(state, who) if each.seq != hold.seq]
    left, holds = acts.budget_after(hold.one, before), [each for each in before if each.kind == "hold"]
    if hold.is_granted("held.move-or-standard"):
        return None
    if not act.own:
        turn = state.clock.turn or "nobody"
        return Breach(f"{who} holds an action in {turn}'s turn", f"{who}'s turn", f"{turn}'s turn", state.clock.events)
    if said := _unholdable(state, hold):
        return Breach(f"{who} holds {said}", "a move or a standard action", said)
    if holds:
        return Breach(f"{who} already holds an action", "one held action", "two", acts.records_of(holds))
    if not left.standard and not (act.cost == acts.MOVE and left.move):
        events = acts.records_of((*left.moves, *left.standards, *left.attacked))
        return Breach(f"{who} has no {act.cost} action left to hold", f"a {act.cost} action left", "none", events)
    return None


what_is_held_is_a_move_or_a_standard_action = check("held.move-or-standard", on=ActionHeld)(holding_breach)


def _unholdable(state: MasterState, hold: Holds) -> str:
    """Return the words for an action that cannot be held: a full-round or a swift action; "" if it can."""
    action = hold.event.action
    if action is None:
        return ""
    cost, unfit = acts.act_cost(state, hold.one, action), (acts.FULL, acts.SWIFT, acts.FREE)
    costs = cost, acts.table_row(action, cost).get("cost")
    return next((f"a {each} action" for each in costs if each in unfit), "")


def missing_part(hold: Holds) -> str:
    """Return the part that a hold does not name: its action, else its trigger; "" if it names both."""
    if hold.event.action is None:
        return "no action"
    return "" if (hold.event.awaiting or "").strip() else "no trigger"


@check("held.names-action-and-trigger", on=ActionHeld)
def holding_names_action_and_trigger(_state: MasterState, hold: Holds) -> Breach | None:
    found = missing_part(hold)
    says = f"{hold.one.id} holds an action, but names {found}"
    return Breach(says, "an action and a trigger", found) if found else None


RESOLVED_AS = {"move": ("step",), "other": ("move", "step")}
"""The kinds as which a held action may also be resolved."""
NAMED, LOST, TRIGGERED = "held.names-action-and-trigger", "held.lost-at-next-turn", "held.resolves-when-triggered"


@checks_by(NAMED, LOST, TRIGGERED, on=(ActionTaken, Moved))
def what_was_held_is_resolved(state: MasterState, act: Reading[ActionTaken | Moved]) -> Iterator[Fault]:
    """Yield a fault for resolving an action that is not held as such, or without its trigger, or too late."""
    done, who, turn = act.act, act.one.id, state.clock.turn_event
    armed = state.flow.triggers.armed.get(who)
    if done is None or done.cost != acts.HELD:
        return
    if armed is None:
        yield Fault((NAMED,), f"{who} holds nothing", "a held action", "none")
    elif armed != armed_action(state, who):
        says = f"{who}'s held action was lost when its turn began"
        yield Fault((LOST,), says, "nothing held", "resolved", (armed.seq, state.flow.began(who)))
    else:
        held = action_held(armed).kind
        if done.kind not in (held.casefold(), *RESOLVED_AS.get(held.casefold(), ())):
            yield Fault((NAMED,), f"{who}'s held action is {held}, not {done.kind}", held, done.kind, (armed.seq,))
        if not done.trigger and not act.is_granted(TRIGGERED):
            yield Fault((TRIGGERED,), f"{who} resolves a held action without its trigger", "a trigger", "none")
        elif not state.precedes(turn, done.trigger) and not act.is_granted(TRIGGERED):
            says = f"the moment of event {done.trigger} has passed"
            yield Fault((TRIGGERED,), says, "at once", "later", (turn,))
