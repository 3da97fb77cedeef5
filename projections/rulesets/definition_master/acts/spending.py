"""What can be broken by acts: that somebody acts at all, what an act costs, and spending more than a turn has."""

from collections.abc import Iterable, Iterator
from typing import Any

from eventstore.events import ActionDeclared, ActionTaken, AttackRolled, Moved, Placed
from projections.rulesets.definition_master.acts import acts
from projections.rulesets.definition_master.acts.budget import Budget, trades
from projections.rulesets.definition_master.reading import Reading
from projections.rulesets.definition_master.squares.ground import feet
from projections.rulesets.definition_master.state import MasterAct, MasterState
from projections.rulesets.definition_master.table import Row, faults_of, kinds, maneuvers, rows, table
from projections.rulesets.definition_master.vitals import can_act
from projections.rulesets.faults import Fault, checks_by
from projections.rulesets.ruleset import Breach, check
from projections.state import Combatant
from projections.stream.causes import causes

TRADED, NO_OTHER = "standard.traded-for-move", "standard.attacks-exclude-other-standard"
SWIFT_USED, GIVEN_UP = "swift.one-per-round", "has given up its standard action for a second move"
PAID = (ActionTaken, ActionDeclared, Moved, AttackRolled)
SPENT = tuple(cost for cost in acts.ON_TURN if cost != acts.FREE)
"""What is spent: all but free actions."""
BEYOND = {"standard.attacks-in-place", "attacks.extra-above-five", "attacks.at-most-four"}
"""The clauses of which an attack action too many breaks one: that about four, that about a single one, else the first."""


def the_act(_state: MasterState, fact: Reading) -> MasterAct | None:
    """Return the act that a fact tells of: what checks of acts are about."""
    return fact.act


# ---------------------------------------------------------------- who can act


def is_act(state: MasterState, fact: Reading) -> bool:
    """Say whether a fact is an act of its own: a roll belongs to its act, and who is moved, and pays nothing, does not move."""
    event, who = fact.event, fact.event.combatant
    match event:
        case AttackRolled():
            return not any(getattr(each.event, "combatant", None) == who for each in causes(state, fact.cause))
        case Moved():
            first = next(iter(causes(state, fact.cause)), None)
            by = event.source or (getattr(first.event, "combatant", who) if first else who)
            return not event.forced and (event.cost is not None or by == who)
        case Placed():
            return event.square not in (None, state.combat.squares.get(who, event.square))
    return True


@checks_by(*table("unable"), on=(*acts.ACTS, Placed))
def the_unable_do_nothing(state: MasterState, fact: Reading) -> Iterator[Fault]:
    """Yield an act of somebody who is unconscious, dying, stabilized, swallowed too long, or dead, by what made it so."""
    one = state.combatants.get(fact.event.combatant)
    for rule, status in table("unable").items():
        if one and status == one.status and is_act(state, fact):
            found = one.standing.because.flat()
            if status != "dead" or rule in found.rules:
                yield Fault((rule,), f"{one.id} is {status} and does nothing", "nothing", "an act", found.events)


# ---------------------------------------------------------------- more than a turn has


def paid(act: Reading, *costs: str) -> MasterAct | None:
    """Return the act that a fact tells of if it pays one of these costs in its doer's own turn; None otherwise.

    Whoever cannot act pays nothing: that it acts at all is what is wrong.
    """
    told = act.act
    pays = told and told.own and told.cost in costs and not told.declared and can_act(act.state, told.combatant)
    return told if pays else None


Excess = tuple[str, str, Iterable[MasterAct]]
"""A clause by which an act is too much, that in words, and the acts that had spent what it takes."""


def excess(act: Reading) -> Iterator[Excess]:
    """Yield by which clauses an act spends beyond the budget of its turn."""
    told = paid(act, *SPENT)
    if told is None:
        return
    left = act.budget
    if told.cost == acts.FULL or (left.full and not (is_charge(left) and told.cost == acts.ATTACK)):
        yield from _beside(told, left)
    elif told.cost == acts.MOVE and not (left.move or (left.standard and trades(left, told))):
        yield from _of_move(told, left)
    elif told.cost == acts.STANDARD and not left.standard:
        yield from _of_standard(told, left)
    elif told.cost == acts.ATTACK:
        yield from _of_attack(act.one, left)
    elif told.cost == acts.SWIFT and left.swifts:
        yield SWIFT_USED, "has used its swift action", left.swifts


def _beside(told: MasterAct, left: Budget) -> Iterator[Excess]:
    """Yield what goes with no full-round action: a move, a standard or, except in a charge, a swift action."""
    full, spent = left.full or told, [*left.moves, *left.standards, *left.attacked, *filter(None, [left.full])]
    says = f"takes a full round for the {full.kind}"
    if told.cost != acts.SWIFT and spent:
        yield "full-round.whole-turn", says, spent
        if "full-defense" in (told.kind, full.kind):
            yield "full-defense.full-round", says, spent
    if (told.cost == acts.SWIFT or (told.cost == acts.FULL and left.swifts)) and full.kind != "charge":
        yield "full-round.no-swift", says, [*left.swifts, *spent]
    if told.cost == acts.SWIFT and left.swifts:
        yield SWIFT_USED, "has used its swift action", left.swifts


def _of_move(told: MasterAct, left: Budget) -> Iterator[Excess]:
    """Yield what a move action breaks that neither a move nor a standard action is left for."""
    if left.attacks is not None:
        yield NO_OTHER, "has used its standard action for attacks", left.attacked
    if not left.standard and left.trade is None:
        spent = [*left.standards, *left.attacked]
        yield TRADED, "has no standard action to give up for a second move", spent
    elif left.trade:
        yield "turn.action-kinds", "has moved twice in this turn", left.moves
    yield from _moved(left, told)


def _moved(left: Budget, *more: MasterAct) -> Iterator[Excess]:
    """Yield the clauses of the moves that had taken the move action: of a step, and of standing up or dropping."""
    if stepped := [each for each in (*left.moves, *more) if each.kind == "step"]:
        yield "step.in-place-of-move", "has used its move action for a step", stepped
    if stood := [each for each in left.moves if each.kind in kinds("standing")]:
        yield "move-action.stand-or-drop", "has used its move action", stood


def _of_standard(told: MasterAct, left: Budget) -> Iterator[Excess]:
    """Yield what a second standard action breaks, by what has used the first."""
    says, spent = "has used its standard action", left.standards
    if left.attacks is not None:
        yield NO_OTHER, f"{says} for attacks", left.attacked
    elif left.trade:
        yield TRADED, GIVEN_UP, [left.trade]
        yield from _moved(left)
    elif alike := [each for each in spent if each.kind == told.kind and told.kind in table("alike")]:
        yield table("alike")[told.kind], says, alike
        if left.move:
            yield "standard.not-from-move", "cannot act instead of moving", spent
    else:
        yield "standard.whole-slot", says, spent
        yield "turn.action-kinds", says, spent


def _of_attack(one: Combatant, left: Budget) -> Iterator[Excess]:
    """Yield what an attack action breaks: after another standard action, or one more than the curve lists."""
    found, spent = acts.curve(one).value, left.attacked
    count = f"has {len(found)} attack action{'s'[: len(found) != 1]}"
    if left.attacks is None and left.trade:
        yield TRADED, GIVEN_UP, [left.trade]
        yield from _moved(left)
    elif left.attacks is None and not left.standard:
        yield NO_OTHER, "has used its standard action otherwise", left.standards
    elif left.attacks != 0 or left.standards or left.trade:
        return
    elif len(spent) > 3:
        yield "attacks.at-most-four", "has attacked four times", spent
    elif len(found) == 1 and found == acts.by_base(found[0]):
        yield "attacks.extra-above-five", f"{count} at base attack bonus {found[0]:+}", spent
    else:
        yield "standard.attacks-in-place", count, spent


def is_beyond(act: Reading) -> bool:
    """Say whether an act is an attack action more than its doer has."""
    return any(rule in BEYOND for rule, *_ in excess(act))


@checks_by(*faults_of("spending"), on=PAID)
def nothing_is_spent_twice(_state: MasterState, act: Reading) -> Iterator[Fault]:
    """Yield by which clauses an act spends beyond the budget; a maneuver too many has a clause of its own."""
    for rule, says, spent in excess(act):
        replaces = rule in BEYOND and act.taken.kind in maneuvers()
        if not replaces and not any(map(act.is_granted, BEYOND if rule in BEYOND else (rule,))):
            yield Fault((rule,), f"{act.one.id} {says}", "none left", "a further one", acts.seqs(spent))


@check("turn.action-kinds", on=PAID, subject=the_act)
def actions_are_paid_in_the_own_turn(state: MasterState, act: Reading, told: MasterAct) -> Breach | None:
    """Report what only the own turn pays for in the turn of another, once a fight has turns; speech is left to the table."""
    if told.cost not in acts.ON_TURN or told.own or not state.flow.started or told.kind in ("speak", "talk"):
        return None
    if act.is_granted("turn.action-kinds") or not can_act(state, told.combatant):
        return None
    turn = state.clock.turn or "nobody"
    return Breach(f"{told.combatant} spends {told.cost} in the turn of {turn}", f"the turn of {told.combatant}", turn)


@check("step.in-place-of-move", on=Moved, subject=the_act)
def a_step_is_one_square_for_a_move_action(_state: MasterState, act: Reading, told: MasterAct) -> Breach | None:
    found = f"{feet(act.event)} ft"
    if told.kind == "step" and feet(act.event) > 5:
        return Breach(f"{told.combatant} takes a step of {found}", "5 ft", found)
    if told.kind == "step" and told.own and told.cost not in (acts.MOVE, acts.STANDARD):
        return Breach(f"{told.combatant} takes a step as a {told.cost} action", "a move action", told.cost)
    return None


@check("standard.attack-actions-listed", on=ActionTaken, subject=the_act)
def a_maneuver_in_an_attacks_place_is_no_standard_action(
    _state: MasterState, act: Reading, told: MasterAct
) -> Breach | None:
    if act.is_granted("standard.attack-actions-listed"):
        return None
    if told.kind in ("attack", *maneuvers()) and told.cost in (acts.STANDARD, acts.MOVE, acts.FREE):
        return Breach(f"a {told.kind} takes an attack action", "an attack action", f"a {told.cost} action")
    due = acts.own_cost(act.state, act.one, told.action)
    if told.kind == "cast" and told.cost == acts.ATTACK and due != acts.ATTACK:
        return Breach("no entry makes this spell an attack action", "a standard action", "an attack action")
    return None


@check("free.distinct-without-limit", on=ActionTaken)
def no_two_free_actions_are_alike(state: MasterState, act: Reading) -> Breach | None:
    told = paid(act, acts.FREE)
    if told is None or told.kind in ("escape", "talk", "other") or act.is_granted("free.distinct-without-limit"):
        return None
    same = [each for each in act.so_far if each.cost == acts.FREE and each.kind == told.kind]
    alike = [each for each in same if state.option("free-sameness") == "kind" or _object(each) == _object(told)]
    says = f"{told.combatant} has used a free action of the kind {told.kind} in this turn"
    return Breach(says, "another kind", told.kind, acts.seqs(alike)) if alike else None


def _object(act: MasterAct) -> tuple[Any, ...]:
    action = act.action
    return (*action.targets, (action.object or "").casefold()) if action.targets or action.object else (action.name,)


@check("full-defense.full-round", on=ActionTaken, subject=the_act)
def by_option_who_defends_strikes_at_nobody(state: MasterState, act: Reading, told: MasterAct) -> Breach | None:
    defends = [each for each in act.so_far if each.kind == "full-defense"]
    if told.cost != acts.AOO or not defends or state.option("full-defense-strikes") == "allowed":
        return None
    return Breach(f"{told.combatant} only defends until its next turn", "no strike", "a strike", acts.seqs(defends))


# ---------------------------------------------------------------- what an act costs


@checks_by(*(row["rule"] for row in rows("price")), on=ActionTaken)
def acts_have_their_price(_state: MasterState, act: Reading) -> Iterator[Fault]:
    """Yield an act at another price than its kind has; of some kinds only one that costs too little."""
    told = act.taken
    for row in rows("price"):
        if told.kind in row["kinds"] and ("cheap" not in row or told.cost in (acts.FREE, acts.MOVE)):
            yield from _priced(act, told, row)


def _priced(act: Reading, told: MasterAct, row: Row) -> Iterator[Fault]:
    """Yield an act at another price than its row or its entry has; a potion is swift with the belt that it is taken from."""
    rule, (due, *others), belt = row["rule"], row["costs"], acts.has_belt(act.one)
    if told.kind == "drink" and not belt and (told.action.granted_by or "").casefold() == acts.BELT:
        yield Fault((rule,), f"{told.combatant} has no potion belt", "no belt", acts.BELT, (act.one.joined,))
    elif told.cost == acts.SWIFT and (belt or told.kind != "drink" or is_charge(act.budget)):
        return
    elif told.cost not in (due, *acts.IMMEDIATE, *_instead(act, told, others)) and not act.is_granted(rule):
        yield Fault((rule,), f"{told.kind} costs a {due} action", due, told.cost)


def _instead(act: Reading, told: MasterAct, others: list[str]) -> list[str]:
    """Return what else an act may cost: its entry's price; for something in motion the move action goes first."""
    kept = told.kind == "motion-item" and act.budget.move > 0 and told.own > 0
    own = acts.own_cost(act.state, act.one, told.action)
    return [own] if kept else [*others, own]


def is_charge(left: Budget) -> bool:
    """Say whether a turn goes into a charge, whose attacks and swift actions have their own rules."""
    return left.full is not None and left.full.kind == "charge"


@check("swift.only-from-entries", on=ActionTaken, subject=the_act)
def only_entries_make_something_swift(state: MasterState, act: Reading, told: MasterAct) -> Breach | None:
    if told.cost != acts.SWIFT or told.kind == "drink" or is_charge(act.budget):
        return None
    if act.is_granted("swift.only-from-entries") or acts.own_cost(state, act.one, told.action) == acts.SWIFT:
        return None
    return Breach(f"no entry of {told.combatant} makes {told.action.name or told.kind} swift", "an entry", "none")
