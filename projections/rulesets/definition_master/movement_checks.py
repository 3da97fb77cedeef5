"""Checks of passed squares, distances, charges and tramples."""

from collections.abc import Iterator

from eventstore.events import ActionTaken, AttackRolled, DamageDealt, Fact, Moved
from eventstore.shapes import Square
from projections.mechanics.grants import words
from projections.mechanics.rolls import face
from projections.mechanics.squares import is_straight, leg_to, steps, walked
from projections.ruleset.faults import Fault, checks_by
from projections.ruleset.ruleset import Breach, check, derives
from projections.rulesets.definition_master.acts import AOO, SWIFT, act_behind, carrier
from projections.rulesets.definition_master.attack import ability
from projections.rulesets.definition_master.ground import feet, is_tiny, reach, square_of
from projections.rulesets.definition_master.provoking import opening_of
from projections.rulesets.definition_master.reading import Reading
from projections.rulesets.definition_master.state import MasterAct, MasterState
from projections.rulesets.definition_master.state_of_combat import Passage
from projections.rulesets.definition_master.table import kinds
from projections.rulesets.definition_master.vitals import can_act
from projections.rulesets.definition_master.wielding import shoots

LEAST = 10
"""The least number of feet of a charge."""

# ---------------------------------------------------------------- squares of others on a path


@derives("space.hostile-needs-acrobatics", "space.ally-by-leave", on=Moved, phase="consequences")
def passage_is_kept(state: MasterState, fact: Reading[Moved]) -> None:
    """Keep the combatants through whose squares a path goes, and the act to which the path belongs."""
    met, side = met_on(state, fact.event), state.combatants[fact.event.combatant].side
    if fact.event.forced:
        return
    against = tuple(who for who in met if state.combatants[who].side != side)
    beside = tuple(who for who in met if who not in against)
    state.combat.passages[fact.seq] = Passage(against, beside, state.flow.carried.get(fact.seq, fact.seq))


def met_on(state: MasterState, event: Moved) -> list[str]:
    """Return the living combatants on squares that a path enters."""
    way = set(walked(event.path)[1:])
    if not way:
        return []
    there = (one for one in state.here() if one.status != "dead" and square_of(state, one.id) in way)
    return [one.id for one in there if one.id != event.combatant]


@check("move.up-to-speed", on=Moved)
def one_action_goes_as_far_as_the_speed(state: MasterState, fact: Reading[Moved]) -> Breach | None:
    event, act = fact.event, fact.act
    found, speed = feet(event), state.combatants[event.combatant].sheet.speed
    if found < 0:
        return Breach("nobody goes less than 0 ft", "0 ft or more", f"{found} ft")
    if act is None or act.kind != "move" or found <= speed or fact.is_granted("move.up-to-speed"):
        return None
    return Breach(f"{act.combatant} goes up to {speed} ft", f"{speed} ft", f"{found} ft")


@checks_by("charge.distance", on=ActionTaken)
def a_charge_to_a_square_has_its_length(state: MasterState, fact: Reading[ActionTaken]) -> Iterator[Fault]:
    """Yield a fault for a charge to a square that is too near or too far away."""
    act = fact.taken
    if act.kind == "charge" and act.action.square and act.square:
        yield from faults_of_length(
            state, act, "charge.distance", 5 * steps(leg_to(act.square, act.action.square)), LEAST
        )


def faults_of_length(state: MasterState, act: MasterAct, rule: str, found: int, least: int) -> Iterator[Fault]:
    """Yield a fault for a charge or a trample that is too short, or longer than twice the speed."""
    most = 2 * state.combatants[act.combatant].sheet.speed
    if not least <= found <= most:
        due = f"{least} to {most} ft" if least <= most else "nowhere"
        yield Fault((rule,), f"a {act.kind} goes {due}", due, f"{found} ft", (act.seq,))


@checks_by("charge.straight-line", on=Moved)
def a_charge_is_straight(state: MasterState, fact: Reading[Moved]) -> Iterator[Fault]:
    """Yield a fault for a charge that turns, has an obstacle in its way, or does not go towards its target."""
    act, event, rules = carrier(state, fact.fact), fact.event, ("charge.straight-line",)
    if act is None or act.kind != "charge" or act.combatant != event.combatant:
        return
    stood = (act.seq, *((state.combat.stood[act.target],) if act.target in state.combat.stood else ()))
    if not is_straight(event.path):
        yield Fault(rules, "a charge goes in a straight line", "a straight line", "a corner", stood)
    aim = act.target if is_tiny(state, act.combatant) else ""
    if event.obstructed or (met := [each for each in met_on(state, event) if each != aim]):
        found = "an obstacle" if event.obstructed else " and ".join(met)
        yield Fault(rules, "a charge has nothing in its way", "free squares", found, (act.seq,))
    target = square_of(state, act.target)
    away = [steps(leg_to(each, target)) for each in event.path] if target else []
    if len(away) > 1 and away[-1] >= away[0]:
        yield Fault(rules, "a charge goes towards a foe", "nearer", "not nearer", (act.seq,))


def _charged(fact: Reading[Fact]) -> MasterAct | None:
    return next((each for each in fact.so_far if each.kind == "charge"), None)


@checks_by(
    "charge.attacks-at-end",
    "reach.adjacent",
    "reach.medium-weapon",
    "reach.small-weapon",
    "reach.smaller-than-small",
    on=(ActionTaken, AttackRolled),
)
def nobody_attacks_out_of_reach(state: MasterState, fact: Reading[ActionTaken | AttackRolled]) -> Iterator[Fault]:
    """Yield a fault for an attack on a combatant out of reach: at the end of a charge, or by the reach of size and
    weapon.
    """
    act, own = fact.act, square_of(state, fact.event.combatant)
    if act is None or act.kind not in kinds("reaching") or act.cost == AOO or not can_act(state, act.combatant):
        return
    there, far = square_of(state, act.target), reach(state, act.combatant)
    shot = shoots(state, act.combatant, act.action.name) or "ranged" in words(" ".join(act.action.manner))
    if shot or own is None or there is None or can_reach(state, act, own, there):
        return
    (rule,), charge = far.because.rules, _charged(fact)
    if charge:
        says = f"{act.combatant} does not threaten {act.target}"
        yield Fault(("charge.attacks-at-end",), says, "no attack", "an attack", (charge.seq,))
    elif not fact.is_granted(rule):
        yield Fault((rule,), f"{act.target} is out of reach of {act.combatant}", "within reach", "out of it")


def can_reach(state: MasterState, act: MasterAct, own: Square, there: Square) -> bool:
    """Say whether an attack reaches its target: on its square or, if the attack answers a move, on the named or any
    square that the move left.
    """
    far, named = reach(state, act.combatant).value, act.action.square
    way = opening_of(state, act) if act.trigger else None
    if way is None or way.who != act.target:
        return far.covers(leg_to(own, there))
    if way.lacks_way:
        return named is None or far.covers(leg_to(own, named))
    return any(far.covers(leg_to(own, each)) for each in (there, *way.left) if named in (None, each))


@check("charge.swift-exception", on=ActionTaken)
def a_charge_has_three_swift_actions(state: MasterState, fact: Reading[ActionTaken]) -> Breach | None:
    act = fact.taken
    charge = _charged(fact) if act.own and act.cost == SWIFT else None
    if charge is None or fact.is_granted("charge.swift-exception"):
        return None
    oil = act.kind in kinds("oils") and "oil" in words(f"{act.action.name or ''} {act.action.object or ''}")
    elsewhere = act.action.granted_by is not None or state.option("charge-swift") != "swift-elsewhere"
    if (act.kind in kinds("swaps") or oil) and elsewhere and not fact.budget.swifts:
        return None
    return Breach("a charge has one swift action of three", "swap, potion or oil", act.kind, (charge.seq,))


@check("trample.damage", on=DamageDealt)
def a_trample_deals_its_damage(state: MasterState, fact: Reading[DamageDealt]) -> Breach | None:
    """Report damage of a trample that is not its die and Strength, or is dealt to a combatant still on its feet."""
    act, event = act_behind(state, fact.fact), fact.event
    if act is None or act.kind != "trample" or act.combatant == event.target:
        return None
    won = [each.defender for each in state.combat.maneuvers if each.act == act.begun and each.is_won]
    if event.target not in won:
        return Breach(f"{event.target} was not trampled", "no damage", str(event.amount), (act.seq,))
    dice = [part.dice for part in event.parts if part.dice]
    times = 3 if state.option("trample-strength") == "thrice" else 2
    off = sum(abs(each.amount) for each in event.reductions)
    due = max(0, sum(map(face, dice)) + times * ability(state, act.combatant, "str") - off)
    if not dice or event.amount == due:
        return None
    return Breach(f"a trample deals {due}", str(due), str(event.amount), (act.seq,))
