"""Checks of acts: whether a combatant can act, the price of an act, and the budget of the turn."""

from collections.abc import Iterable, Iterator

from eventstore import events
from projections.because import Because, Derived
from projections.fight import Combatant
from projections.occurrence import is_a
from projections.ruleset.faults import Fault, checks_by
from projections.ruleset.ruleset import Breach, check, derives
from projections.rulesets.definition_master import acts
from projections.rulesets.definition_master.ground import SQUARE, feet
from projections.rulesets.definition_master.reading import Reading, is_granted_by_ruling
from projections.rulesets.definition_master.state import MasterAct, MasterState
from projections.rulesets.definition_master.table import Row, clause_of_kind, fault_clauses, kinds, maneuver_kinds, rows
from projections.rulesets.definition_master.vitals import can_act
from projections.stream.causes import causes

TRADED, NO_OTHER = "standard.traded-for-move", "standard.attacks-exclude-other-standard"
SWIFT_USED, NOT_FROM_MOVE = "swift.one-per-round", "standard.not-from-move"
UNABLE = {
    "nld.unconscious-at-hp": "nld-unconscious",
    "incapacitation.unconscious-in-square": "dying",
    "stabilized.unconscious-at-zero": "stabilized",
    "swallow.unconscious": "unconscious",
    "death.three-in-a-row": "dead",
    "swallow.death": "dead",
}
"""The clauses by which a combatant does nothing, with its status."""
ONE_OF_KIND = {"cast": "casting.standard-provokes", "use-item": "standard.use-activated"}
"""The clauses by which one standard action holds only one act of a kind."""
DEAD = "death.three-in-a-row"
Doing = (
    events.ActionTaken | events.ActionDeclared | events.ActionHeld | events.Moved | events.AttackRolled | events.Placed
)
PAID = (events.ActionTaken, events.ActionDeclared, events.Moved, events.AttackRolled)
SPENT = tuple(cost for cost in acts.ON_TURN if cost != acts.FREE)
"""The costs that are spent: all but free actions."""
BEYOND = {"standard.attacks-in-place", "attacks.extra-above-five", "attacks.at-most-four"}
"""The clauses of which an attack action too many breaks one."""


@derives("turn.action-kinds", on=acts.ACTS)
def keep_act(state: MasterState, fact: Reading[events.Fact]) -> None:
    """Keep the act that a fact records, and the act to which an attack roll or a move belongs."""
    occurrence, event, flow = fact.fact, fact.event, state.flow
    act = fact.act
    if isinstance(event, events.AttackRolled) and not event.confirms and (behind := acts.act_behind(state, occurrence)):
        flow.rolled.setdefault(behind.seq, []).append(occurrence.seq)
    if is_a(occurrence, events.Moved) and (carries := acts.act_of_carried_move(state, occurrence)):
        flow.carried[occurrence.seq] = carries.seq
    if act is None:
        return
    if isinstance(event, events.AttackRolled):
        flow.rolled[act.seq] = [act.seq]
    elif isinstance(event, events.ActionDeclared):
        flow.declared.add(act.seq)
    flow.acts[act.seq] = act
    state.round.acts.append(act)
    if acts.is_immediate(state, act):
        state.round.immediate.setdefault(act.combatant, {})[act.seq] = acts.immediate_kind(act.cost)
    flow.own_acts.setdefault(act.combatant, []).append(act)


def is_act_by_itself(state: MasterState, fact: Reading[Doing]) -> bool:
    """Say whether a fact is an act by itself, unlike a roll of an act, or being moved without paying."""
    event, who = fact.event, fact.event.combatant
    match event:
        case events.AttackRolled():
            return not any(getattr(each.event, "combatant", None) == who for each in causes(state, fact.cause))
        case events.Moved():
            first = next(iter(causes(state, fact.cause)), None)
            by = event.source or (getattr(first.event, "combatant", who) if first else who)
            return not event.forced and (event.cost is not None or by == who)
        case events.Placed():
            return event.square not in (None, state.combat.squares.get(event.combatant, event.square))
    return True


@checks_by(*UNABLE, on=(*acts.ACTS, events.Placed))
def the_unable_do_nothing(state: MasterState, fact: Reading[Doing]) -> Iterator[Fault]:
    """Yield a fault for an act of a combatant who is unconscious, dying, stabilized, swallowed too long, or dead."""
    one = state.combatants.get(fact.event.combatant or "")
    for rule, status in UNABLE.items():
        if one and status == one.status and is_act_by_itself(state, fact):
            found = one.standing.because.flat()
            if status != "dead" or rule in found.rules:
                yield Fault((rule,), f"{one.id} is {status}, and acts", "no act", "an act", found.events)


@checks_by(DEAD, on=(events.AttackRolled, events.DamageDealt, events.Healed))
def nothing_more_befalls_the_dead(
    state: MasterState, fact: Reading[events.AttackRolled | events.DamageDealt | events.Healed]
) -> Iterator[Fault]:
    """Yield a notice for an attack on the dead, for points healed, and for damage by nothing recorded in a later turn."""
    event, one = fact.event, state.combatants.get(fact.event.target or "")
    if one is None or one.status != "dead" or (isinstance(event, events.DamageDealt) and fact.cause):
        return
    found = one.standing.because.flat()
    if DEAD in found.rules and all(state.precedes(seq, state.clock.turn_event) for seq in found.events):
        deed = {events.AttackRolled: "an attack", events.DamageDealt: "damage", events.Healed: "healing"}[type(event)]
        yield Fault((DEAD,), f"{one.id} is dead already", "a living target", deed, found.events, severity="notice")


def act_paid(act: Reading[events.Fact], *costs: str) -> MasterAct | None:
    """Return the act of a fact if it pays one of these costs in its own turn and its doer can act; else None."""
    done = act.act
    pays = done and done.own and done.cost in costs and not done.declared and can_act(act.state, done.combatant)
    return done if pays else None


Excess = tuple[str, str, Iterable[MasterAct]]
"""An excess: the broken clause, the words for it, and the acts that spent the action before."""


def excesses(act: Reading[events.Fact]) -> Iterator[Excess]:
    """Yield each excess of an act over the budget of its turn, by the most specific clause."""
    done = act_paid(act, *SPENT)
    if done is None:
        return
    left = act.budget
    if done.cost == acts.FULL or (left.full and not (is_charge(left) and done.cost == acts.ATTACK)):
        yield from _excess_beside_full_round(done, left)
    elif done.cost == acts.MOVE and not (left.move or (left.standard and acts.may_trade_standard(left, done))):
        yield _move_excess(done, left)
    elif done.cost == acts.STANDARD and not left.standard:
        yield _standard_excess(done, left)
    elif done.cost == acts.ATTACK:
        yield from _attack_excess(act.one, left)
    elif done.cost == acts.SWIFT and left.swifts:
        yield SWIFT_USED, "has used its swift action", left.swifts


def _excess_beside_full_round(done: MasterAct, left: acts.TurnBudget) -> Iterator[Excess]:
    """Yield the excess beside a full-round action: a move, a standard or, except in a charge, a swift action."""
    full, spent = left.full or done, [*left.moves, *left.standards, *left.attacked, *filter(None, [left.full])]
    if done.cost != acts.SWIFT and spent:
        yield _full_round_clause(done, full, spent), f"takes a full round for the {full.kind}", spent
    if (done.cost == acts.SWIFT or (done.cost == acts.FULL and left.swifts)) and full.kind != "charge":
        swifts = left.swifts if done.cost == acts.FULL else spent
        yield "full-round.no-swift", f"has no swift action beside the {full.kind}", swifts
    if done.cost == acts.SWIFT and left.swifts and not is_charge(left):
        yield SWIFT_USED, "has used its swift action", left.swifts


def _full_round_clause(done: MasterAct, full: MasterAct, spent: list[MasterAct]) -> str:
    """Return the clause that lets a full-round action take the turn: the one for its kind, else the general one."""
    if "full-defense" in (done.kind, full.kind):
        return "full-defense.full-round"
    if done.kind == "trample":
        return "trample.full-round"
    stepped = done.kind == "charge" and all(each.kind == "step" for each in spent)
    return "charge.full-round" if stepped else "full-round.whole-turn"


def _move_excess(done: MasterAct, left: acts.TurnBudget) -> Excess:
    """Return the excess of a move action for which neither a move nor a standard action is left."""
    if left.trade:
        return "turn.action-kinds", "has moved twice in this turn", left.moves
    if left.standard:
        stepped = [each for each in (*left.moves, done) if each.kind == "step"]
        return "step.in-place-of-move", "has used its move action for a step", stepped
    if left.attacks is not None:
        return NO_OTHER, "has used its standard action for attacks", left.attacked
    return TRADED, "has no standard action to give up for a second move", left.standards


def _traded_excess(trade: MasterAct, left: acts.TurnBudget) -> Excess:
    """Return the excess of an act after the standard action was given up for a move; a step or standing up explains it best."""
    if stepped := [each for each in left.moves if each.kind == "step"]:
        return "step.in-place-of-move", "has used its move action for a step", stepped
    if stood := [each for each in left.moves if each.kind in kinds("standing")]:
        return "move-action.stand-or-drop", "has used its move action", stood
    return TRADED, "has given up its standard action for a second move", [trade]


def _standard_excess(done: MasterAct, left: acts.TurnBudget) -> Excess:
    """Return the excess of a second standard action, by the act that spent the first."""
    says, spent = "has used its standard action", left.standards
    if left.attacks is not None:
        return NO_OTHER, f"{says} for attacks", left.attacked
    if left.trade:
        return _traded_excess(left.trade, left)
    if alike := [each for each in spent if each.kind == done.kind and done.kind in ONE_OF_KIND]:
        return ONE_OF_KIND[done.kind], says, alike
    labelled = any(each.kind in kinds("effort") for each in (done, *spent))
    return "standard.whole-slot" if labelled else "turn.action-kinds", says, spent


def _attack_excess(one: Combatant, left: acts.TurnBudget) -> Iterator[Excess]:
    """Yield the excess of an attack action: after another standard action, or beyond the number that the combatant has."""
    found, spent = acts.attack_bonuses(one).value, left.attacked
    count = f"has only {len(found)} attack action{'s'[: len(found) != 1]}"
    if left.attacks is None and left.trade:
        yield _traded_excess(left.trade, left)
    elif left.attacks is None and not left.standard:
        if feints := [each for each in left.standards if each.kind == "feint"]:
            yield "feint.standard-contest", "has used its standard action for a feint", feints
        else:
            yield NO_OTHER, "has used its standard action for something else", left.standards
    elif left.attacks != 0 or left.standards or left.trade:
        return
    elif len(spent) > 3:
        yield "attacks.at-most-four", "has made its four attacks", spent
    elif len(found) == 1 and found == acts.bonuses_by_base(found[0]):
        yield "attacks.extra-above-five", f"{count} at base attack bonus {found[0]:+}", spent
    else:
        yield "standard.attacks-in-place", count, spent


@checks_by(*fault_clauses("spending"), *map(clause_of_kind, maneuver_kinds()), on=PAID)
def nothing_is_spent_twice(_state: MasterState, act: Reading[events.Fact]) -> Iterator[Fault]:
    """Yield a fault for each clause that an act beyond the budget breaks; a maneuver breaks that of its kind."""
    for broken, says, spent in excesses(act):
        kind, rule, more = act.taken.kind, broken, ""
        if broken in BEYOND and kind in maneuver_kinds():
            rule, more = clause_of_kind(kind), f", and a {kind} takes one"
        if not any(map(act.is_granted, (rule, *(BEYOND if broken in BEYOND else ())))):
            yield Fault((rule,), f"{act.one.id} {says}{more}", "no more", "another", acts.records_of(spent))


@check("turn.action-kinds", on=PAID, unless=is_granted_by_ruling)
def actions_are_paid_in_the_own_turn(state: MasterState, fact: Reading[events.Fact]) -> Breach | None:
    """Report an act in another's turn that must be paid in one's own, once a fight has turns; speech is free."""
    done = fact.act
    if done is None or done.cost not in acts.ON_TURN or done.own or done.kind in ("speak", "talk"):
        return None
    if not state.flow.started or not can_act(state, done.combatant):
        return None
    turn = state.clock.turn or "nobody"
    who, cost = done.combatant, f"{'n' * (done.cost == acts.ATTACK)} {done.cost} action"
    return Breach(f"{who} takes a{cost} in {turn}'s turn", f"{who}'s turn", f"{turn}'s turn")


@checks_by("step.in-place-of-move", on=events.Moved)
def a_step_is_one_square_for_a_move_action(_state: MasterState, act: Reading[events.Moved]) -> Iterator[Fault]:
    """Yield a fault for a step of more than one square, and for a step with another price than a move action."""
    done, far, rules = act.act, feet(act.event), ("step.in-place-of-move",)
    if done is None or done.kind != "step":
        return
    if far > SQUARE:
        yield Fault(rules, f"{done.combatant} steps {far} ft", f"{SQUARE} ft", f"{far} ft")
    if done.own and done.cost not in (acts.MOVE, acts.STANDARD):
        yield Fault(rules, f"{done.combatant} steps as a {done.cost} action", "a move action", f"a {done.cost} action")


@check("free.distinct-without-limit", on=events.ActionTaken, unless=is_granted_by_ruling)
def no_two_free_actions_are_alike(state: MasterState, act: Reading[events.ActionTaken]) -> Breach | None:
    done = act_paid(act, acts.FREE)
    if done is None or done.kind in ("escape", "talk", "other"):
        return None
    same = [each for each in act.so_far if each.cost == acts.FREE and each.kind == done.kind]
    alike = [each for each in same if state.option("free-sameness") == "kind" or _object(each) == _object(done)]
    says = f"{done.combatant} has used the free action {done.kind} this turn"
    return Breach(says, "another free action", done.kind, acts.records_of(alike)) if alike else None


def _object(act: MasterAct) -> tuple[object, ...]:
    action = act.action
    return (*action.targets, (action.object or "").casefold()) if action.targets or action.object else (action.name,)


@checks_by("full-defense.full-round", "swift.only-from-entries", on=events.ActionTaken)
def an_act_is_a_strike_or_swift_if_it_may_be(state: MasterState, act: Reading[events.ActionTaken]) -> Iterator[Fault]:
    """Yield a fault for a strike by a combatant who only defends, by option, and for a swift act that no entry makes so."""
    done, rule = act.taken, "full-defense.full-round"
    defends = [each for each in act.so_far if each.kind == "full-defense"]
    if done.cost == acts.AOO and defends and state.option("full-defense-strikes") != "allowed":
        says = f"{done.combatant} only defends until its next turn"
        yield Fault((rule,), says, "no attack of opportunity", "an attack of opportunity", acts.records_of(defends))
    if done.cost == acts.SWIFT and done.kind != "drink" and not (is_charge(act.budget) or is_swift(act, done)):
        says = f"nothing on {done.combatant}'s sheet makes {done.action.name or done.kind} a swift action"
        yield Fault(("swift.only-from-entries",), says, "no swift action", "a swift action")


@checks_by(*(row["rule"] for row in rows("price")), NOT_FROM_MOVE, on=events.ActionTaken)
def acts_have_their_price(_state: MasterState, act: Reading[events.ActionTaken]) -> Iterator[Fault]:
    """Yield a fault for an act at another price than its kind's; for some kinds only at too low a price."""
    done = act.taken
    for row in rows("price"):
        if done.kind in row["kinds"] and done.cost in row.get("wrong", (done.cost,)):
            yield from _price_faults(act, done, row)


def _price_faults(act: Reading[events.Fact], done: MasterAct, row: Row) -> Iterator[Fault]:
    """Yield a fault for an act with another price than that of its row or its entry; a potion from a belt is swift."""
    due, belt = acts.cost_by_entry_or_kind(act.state, act.one, done.action), acts.has_belt(act.one)
    in_motion = done.kind == "motion-item" and act.budget.move > 0 and done.own > 0
    listed = row["costs"][:1] if in_motion else row["costs"]  # a move action, while one is left
    rule = NOT_FROM_MOVE if done.cost == acts.MOVE and due in (acts.STANDARD, acts.ATTACK) else row["rule"]
    if done.kind == "drink" and not belt and (done.action.granted_by or "").casefold() == acts.BELT:
        yield Fault((rule,), f"{done.combatant} has no potion belt", "no potion belt", acts.BELT, (act.one.joined,))
    elif done.cost == acts.SWIFT and (belt or done.kind != "drink" or is_charge(act.budget)):
        return
    elif done.cost not in (due, *acts.IMMEDIATE, *listed) and not any(map(act.is_granted, {rule, row["rule"]})):
        wanted, found = (f"a{'n' * (cost == acts.ATTACK)} {cost} action" for cost in (due, done.cost))
        yield Fault((rule,), f"{done.kind} costs {wanted}", wanted, found)


def is_charge(left: acts.TurnBudget) -> bool:
    """Say whether a turn is spent on a charge, whose attacks and swift actions have their own rules."""
    return left.full is not None and left.full.kind == "charge"


def is_swift(act: Reading[events.Fact], done: MasterAct) -> bool:
    """Say whether an act may be swift: by its entry, as a potion from a belt, in a charge, or by a ruling."""
    charged = is_charge(act.budget) and done.kind in (*kinds("swaps"), *kinds("oils"))
    belted = done.kind == "drink" and acts.has_belt(act.one)
    granted = any(map(act.is_granted, ("swift.only-from-entries", "move-action.potion")))
    return charged or belted or granted or acts.cost_by_entry_or_kind(act.state, act.one, done.action) == acts.SWIFT


@derives("free.draw-while-moving", "swift.only-from-entries")
def lawful_price(fact: Reading[events.Fact], act: MasterAct) -> Derived[str]:
    """Return the cost of an act: as recorded where it may be free, swift or a strike, else by its entry or kind."""
    cost, drawn = act.cost, act.kind == "draw" and act.cost == acts.FREE
    moves = [each for each in fact.so_far if act.own and each.kind in (acts.MOVING if drawn else ("charge",))]
    swift, free = cost == acts.SWIFT and not is_swift(fact, act), drawn and not moves
    if swift or free or (cost == acts.AOO and act.kind not in kinds("assaults")):
        cost = acts.cost_by_entry_or_kind(fact.state, fact.one, act.action)
    events = (*acts.records_of(moves), *fact.grants) if drawn or act.cost == acts.SWIFT else ()
    return Derived(cost, Because((), events))
