"""What can be broken by acts: that somebody acts at all, what an act costs, and spending more than a turn has."""

from collections.abc import Iterable, Iterator
from typing import Any

from eventstore.events import ActionDeclared, ActionHeld, ActionTaken, AttackRolled, Moved, Placed
from projections.rulesets.definition_master.acts.acts import (
    AOO,
    ATTACK,
    BELT,
    FREE,
    FULL,
    IMMEDIATE,
    MOVE,
    ON_TURN,
    STANDARD,
    SWIFT,
    by_base,
    curve,
    entry_of,
    has_belt,
    own_cost,
    seqs,
)
from projections.rulesets.definition_master.acts.budget import Budget, buys_move, is_after_step
from projections.rulesets.definition_master.reading import Told
from projections.rulesets.definition_master.squares.ground import feet
from projections.rulesets.definition_master.state import Act, MasterState
from projections.rulesets.definition_master.table import Row, faults_of, kinds, maneuvers, rows, table
from projections.rulesets.definition_master.vitals import can_act
from projections.rulesets.faults import Fault, checks_by
from projections.rulesets.ruleset import Breach, check
from projections.state import Combatant
from projections.stream.causes import causes

ACTS = (ActionTaken, ActionDeclared, Moved, AttackRolled)
BEYOND = {"standard.attacks-in-place", "attacks.extra-above-five", "attacks.at-most-four"}
"""The clauses of which an attack action too many breaks one: that about four, that about a single one, else the first."""

# ---------------------------------------------------------------- who can act


def is_act(state: MasterState, fact: Told) -> bool:
    """Say whether a fact is an act of its own: a roll belongs to its act, and who is moved does not move."""
    event, behind = fact.event, causes(state, fact.cause)
    match event:
        case AttackRolled():
            own = (each.event for each in behind if isinstance(each.event, ActionTaken | AttackRolled))
            return not any(each.combatant == event.combatant for each in own)
        case Moved():
            first = next(iter(behind), None)
            mover = getattr(first.event, "combatant", event.combatant) if first else event.combatant
            return not event.forced and not event.source and mover == event.combatant
        case Placed():
            stood = state.combat.squares.get(event.combatant)
            return event.square is not None and stood is not None and tuple(event.square) != tuple(stood)
    return bool(event.combatant)


@checks_by(*table("unable"), on=(ActionTaken, ActionDeclared, ActionHeld, AttackRolled, Moved, Placed))
def the_unable_do_nothing(state: MasterState, fact: Told) -> Iterator[Fault]:
    """Yield an act of somebody who is unconscious, dying, stabilized, swallowed too long, or dead, by what made it so."""
    one = state.combatants.get(fact.event.combatant or "")
    rules = [rule for rule, status in table("unable").items() if one and one.status == status]
    if one and rules and is_act(state, fact):
        found = one.standing.because.flat()
        for rule in rules:
            if one.status != "dead" or rule in found.rules:
                yield Fault((rule,), f"{one.id} is {one.status} and does nothing", "nothing", "an act", found.events)


# ---------------------------------------------------------------- more than a turn has


def paid(act: Told, *costs: str) -> Act | None:
    """Return the act that a fact tells of if it pays one of these costs in its doer's own turn; None otherwise.

    Whoever cannot act pays nothing: that it acts at all is what is wrong.
    """
    told = act.act
    pays = told and told.own and told.cost in costs and not told.declared and can_act(act.state, told.who)
    return told if pays else None


def over(act: Told, rule: str, says: str, spent: Iterable[Act]) -> Fault:
    """Return the fault of an act by one clause: in words, with the acts that had spent what it takes."""
    return Fault((rule,), f"{act.one.id} {says}", "none left", "a further one", seqs(spent))


def excess(act: Told) -> Iterator[Fault]:
    """Yield by which clauses an act spends beyond the budget of its turn."""
    told, left = paid(act, *ON_TURN), act.budget
    if told is None or told.cost == FREE:
        return
    charges = left.full is not None and left.full.kind == "charge" and told.cost == ATTACK
    if told.cost == FULL or (left.full and not charges):
        yield from _beside(act, told, left)
    elif told.cost == MOVE:
        traded = left.standard and left.attacks is None and not is_after_step(left, told)
        yield from () if left.move or traded else _of_move(act, told, left)
    elif told.cost == STANDARD:
        yield from () if left.standard else _of_standard(act, told, left)
    elif told.cost == ATTACK:
        yield from _of_attack(act, act.one, left)
    elif left.swifts:
        yield over(act, "swift.one-per-round", "has used its swift action", left.swifts)


def _beside(act: Told, told: Act, left: Budget) -> Iterator[Fault]:
    """Yield what goes with no full-round action: a move, a standard or, except in a charge, a swift action."""
    full = left.full or told
    spent = [*left.moves, *left.standards, *left.attacked, *([left.full] if left.full else [])]
    if told.cost != SWIFT and spent:
        says = "has spent of this turn what a full-round action takes"
        yield over(act, "full-round.whole-turn", says, spent)
        if "full-defense" in (told.kind, full.kind):
            yield over(act, "full-defense.full-round", says, spent)
    if (told.cost == SWIFT or (told.cost == FULL and left.swifts)) and full.kind != "charge":
        yield over(act, "full-round.no-swift", f"takes a full round for the {full.kind}", [*left.swifts, *spent])
    if told.cost == SWIFT and left.swifts:
        yield over(act, "swift.one-per-round", "has used its swift action", left.swifts)


def _of_move(act: Told, told: Act, left: Budget) -> Iterator[Fault]:
    """Yield what a move action breaks that neither a move nor a standard action is left for."""
    if left.standard:
        yield from _moved(act, left, told)
        return
    if left.attacks is not None:
        says = "has used its standard action for attacks"
        yield over(act, "standard.attacks-exclude-other-standard", says, left.attacked)
    if left.trade is None:
        says = "has no standard action to give up for a second move"
        yield over(act, "standard.traded-for-move", says, [*left.standards, *left.attacked])
    elif left.attacks is None:
        yield over(act, "turn.action-kinds", "has moved twice in this turn", left.moves)
    yield from _moved(act, left, told)


def _moved(act: Told, left: Budget, *more: Act) -> Iterator[Fault]:
    """Yield the clauses of the moves that had taken the move action: of a step, and of standing up or dropping."""
    if stepped := [each for each in (*left.moves, *more) if each.kind == "step"]:
        yield over(act, "step.in-place-of-move", "has used its move action for a step", stepped)
    if stood := [each for each in left.moves if each.kind in kinds("standing")]:
        yield over(act, "move-action.stand-or-drop", "has used its move action", stood)


def _traded(act: Told, left: Budget) -> Iterator[Fault]:
    says = "has given up its standard action for a second move"
    yield over(act, "standard.traded-for-move", says, [left.trade] if left.trade else [])
    yield from _moved(act, left)


def _of_standard(act: Told, told: Act, left: Budget) -> Iterator[Fault]:
    """Yield what a second standard action breaks, by what has used the first."""
    says, spent = "has used its standard action", left.standards
    alike = [each for each in spent if each.kind == told.kind and told.kind in table("alike")]
    if left.attacks is not None:
        yield over(act, "standard.attacks-exclude-other-standard", f"{says} for attacks", left.attacked)
    elif left.trade:
        yield from _traded(act, left)
    elif alike:
        yield over(act, table("alike")[told.kind], says, alike)
        if left.move and not buys_move(told):
            yield over(act, "standard.not-from-move", "cannot act instead of moving", spent)
    else:
        yield from (over(act, rule, says, spent) for rule in ("standard.whole-slot", "turn.action-kinds"))


def _of_attack(act: Told, one: Combatant, left: Budget) -> Iterator[Fault]:
    """Yield what an attack action breaks: after another standard action, or one more than the curve lists."""
    found, spent = curve(one).value, left.attacked
    count = f"has {len(found)} attack action{'s'[: len(found) != 1]}"
    if left.attacks is None:
        says = "has used its standard action otherwise"
        if left.trade:
            yield from _traded(act, left)
        elif not left.standard:
            yield over(act, "standard.attacks-exclude-other-standard", says, left.standards)
    elif left.attacks or left.standards or left.trade:
        return
    elif len(spent) > 3:
        yield over(act, "attacks.at-most-four", "has attacked four times", spent)
    elif len(found) == 1 and found == by_base(found[0]):
        yield over(act, "attacks.extra-above-five", f"{count} at base attack bonus {found[0]:+}", spent)
    else:
        yield over(act, "standard.attacks-in-place", count, spent)


def is_beyond(act: Told) -> bool:
    """Say whether an act is an attack action more than its doer has."""
    return any(not BEYOND.isdisjoint(each.rules) for each in excess(act))


@checks_by(*faults_of("spending"), on=ACTS)
def nothing_is_spent_twice(_state: MasterState, act: Told) -> Iterator[Fault]:
    """Yield by which clauses an act spends beyond the budget; a maneuver too many has a clause of its own."""
    for each in excess(act):
        is_attack = not BEYOND.isdisjoint(each.rules)
        replaces = is_attack and act.act and act.act.kind in maneuvers()
        if not replaces and not any(map(act.is_granted, BEYOND if is_attack else each.rules)):
            yield each


@check("turn.action-kinds", on=ACTS)
def actions_are_paid_in_the_own_turn(state: MasterState, act: Told) -> Breach | None:
    """Report what only the own turn pays for in the turn of another, once a fight has turns; speech is left to the table."""
    told = act.act
    if told is None or told.cost not in ON_TURN or told.own or not state.flow.started or told.kind in ("speak", "talk"):
        return None
    if act.is_granted("turn.action-kinds") or not can_act(state, told.who):
        return None
    turn = state.clock.turn or "nobody"
    return Breach(f"{told.who} spends {told.cost} in the turn of {turn}", f"the turn of {told.who}", turn)


@check("step.in-place-of-move", on=Moved)
def a_step_is_one_square_for_a_move_action(_state: MasterState, act: Told) -> Breach | None:
    """Report a step of more than a square, and one at another price."""
    told, found = act.act, f"{feet(act.event)} ft"
    if told is None or told.kind != "step":
        return None
    if feet(act.event) > 5:
        return Breach(f"{told.who} takes a step of {found}", "5 ft", found)
    if told.own and told.cost not in (MOVE, STANDARD):
        return Breach(f"{told.who} takes a step as a {told.cost} action", "a move action", told.cost)
    return None


@check("standard.attack-actions-listed", on=ActionTaken)
def a_maneuver_in_an_attacks_place_is_no_standard_action(_state: MasterState, act: Told) -> Breach | None:
    """Report an attack, trip, shatter, disarm or bash at the price of the standard action, and a spell at that of an attack."""
    told = act.act
    if told is None or act.is_granted("standard.attack-actions-listed"):
        return None
    if told.kind in ("attack", *maneuvers()) and told.cost in (STANDARD, MOVE, FREE):
        return Breach(f"a {told.kind} takes an attack action", "an attack action", f"a {told.cost} action")
    entry = entry_of(act.one, act.event.action)
    if told.kind == "cast" and told.cost == ATTACK and not (entry and entry.cost == ATTACK):
        return Breach("no entry makes this spell an attack action", "a standard action", "an attack action")
    return None


@check("free.distinct-without-limit", on=ActionTaken)
def no_two_free_actions_are_alike(state: MasterState, act: Told) -> Breach | None:
    """Report a free action like one before it: of the same kind, and by option about the same thing."""
    told = paid(act, FREE)
    if told is None or told.kind in ("escape", "talk", "other") or act.is_granted("free.distinct-without-limit"):
        return None
    alike = [each for each in act.so_far if each.own and each.cost == FREE and _alike(state, each, told)]
    says = f"{told.who} has used a free action of the kind {told.kind} in this turn"
    return Breach(says, "another kind", told.kind, seqs(alike)) if alike else None


def _alike(state: MasterState, one: Act, other: Act) -> bool:
    return one.kind == other.kind and (state.option("free-sameness") == "kind" or _object(one) == _object(other))


def _object(act: Act) -> tuple[Any, ...]:
    action = act.action
    return (*action.targets, (action.object or "").casefold()) if action.targets or action.object else (action.name,)


@check("full-defense.full-round", on=ActionTaken)
def by_option_who_defends_strikes_at_nobody(state: MasterState, act: Told) -> Breach | None:
    """Report by option an attack of opportunity while the own full defense is in force."""
    if act.act is None or act.act.cost != AOO or state.option("full-defense-strikes") == "allowed":
        return None
    defends = [each for each in act.so_far if each.kind == "full-defense" and each.cost == FULL]
    says = f"{act.one.id} only defends until its next turn"
    return Breach(says, "no strike", "a strike", seqs(defends[:1])) if defends else None


# ---------------------------------------------------------------- what an act costs


@checks_by(*(row["rule"] for row in rows("price")), on=ActionTaken)
def acts_have_their_price(_state: MasterState, act: Told) -> Iterator[Fault]:
    """Yield an act at another price than its kind has; of some kinds only one that costs too little."""
    told = act.act
    for row in rows("price") if told else ():
        if told and told.kind in row["kinds"] and ("cheap" not in row or told.cost in (FREE, MOVE)):
            yield from _priced(act, told, row)


def _priced(act: Told, told: Act, row: Row) -> Iterator[Fault]:
    """Yield an act at another price than its row or its entry has; a potion is swift with the belt that it is taken from."""
    rule, (due, *others), belt = row["rule"], row["costs"], has_belt(act.one)
    if told.kind == "drink" and not belt and (told.action.granted_by or "").casefold() == BELT:
        yield Fault((rule,), f"{told.who} has no potion belt", "no belt", BELT, (act.one.joined,))
    elif told.cost == SWIFT and (belt or told.kind != "drink" or is_in_charge(act)):
        return
    elif told.cost not in (due, *IMMEDIATE, *_instead(act, told, others)) and not act.is_granted(rule):
        yield Fault((rule,), f"{told.kind} costs a {due} action", due, told.cost)


def _instead(act: Told, told: Act, others: list[str]) -> list[str]:
    """Return what else an act may cost: its entry's price; for something in motion the move action goes first."""
    entry = entry_of(act.one, act.event.action)
    kept = told.kind == "motion-item" and act.budget.move > 0 and told.own > 0
    return [*(() if kept else others), *([own_cost(act.state, act.one, told.action)] if entry and entry.cost else ())]


def is_in_charge(act: Told) -> bool:
    """Say whether an act comes in a charge, whose swift actions have their own rule."""
    return act.budget.full is not None and act.budget.full.kind == "charge"


@check("swift.only-from-entries", on=ActionTaken)
def only_entries_make_something_swift(state: MasterState, act: Told) -> Breach | None:
    """Report a swift action that no entry makes one; potions and charges have their own rules."""
    told = act.act
    if told is None or told.cost != SWIFT or told.kind == "drink" or is_in_charge(act):
        return None
    if act.is_granted("swift.only-from-entries") or own_cost(state, act.one, act.event.action) == SWIFT:
        return None
    return Breach(f"no entry of {told.who} makes {told.action.name or told.kind} swift", "an entry", "none")
