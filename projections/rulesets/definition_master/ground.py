"""Ground: the squares on which combatants stand, and those that they reach and threaten."""

from operator import is_

from eventstore.events import ActionTaken, CombatantLeft, Moved, Placed
from eventstore.shapes import Square
from projections.because import Because, Derived
from projections.mechanics.squares import Reach, legs, steps
from projections.occurrence import Occurrence
from projections.ruleset.ruleset import derives
from projections.rulesets.definition_master.arms import slots_changed_by, untrained_weapon, weapon_in_hand
from projections.rulesets.definition_master.state import Front, MasterState, Threat
from projections.rulesets.definition_master.table import Size, rings, sizes

SQUARE = 5
HUNDREDTHS = {"ft": 100, "square": 100 * SQUARE, "squares": 100 * SQUARE, "m": 328}
"""Hundredths of a foot in each unit."""


@derives("space.one-square", on=(Placed, Moved, CombatantLeft))
def keep_position(state: MasterState, fact: Occurrence[Placed | Moved | CombatantLeft]) -> None:
    """Keep the square of a combatant; it is unknown after a move without a path, and once the combatant has left."""
    who = fact.event.combatant
    match fact.event:
        case Placed(square=tuple() as square) | Moved(path=(*_, square)):
            put_on_square(state, who, square, fact.seq)
        case _ if who in state.combat.squares:
            del state.combat.squares[who]
            state.combat.stood[who] = fact.seq


@derives("space.one-square", on=ActionTaken, phase="aftermath")
def keep_end_of_charge(state: MasterState, fact: Occurrence[ActionTaken]) -> None:
    """Keep the square on which a charge or a trample ends, if the act names it."""
    action = fact.event.action
    if action.square is not None and action.plain_kind in ("charge", "trample"):
        put_on_square(state, fact.event.combatant, action.square, fact.seq)


def put_on_square(state: MasterState, who: str, square: Square, seq: int) -> None:
    """Put a combatant on a square."""
    state.combat.squares[who] = square
    state.combat.stood[who] = seq


def square_of(state: MasterState, who: str) -> Square | None:
    """Return the square on which a combatant stands; None if it is not recorded, or the combatant is swallowed."""
    return None if who in state.health.inside else state.combat.squares.get(who)


def size_of(state: MasterState, who: str) -> Size | None:
    """Return the size of a combatant; None if the table does not have it."""
    return sizes().get(state.combatants[who].sheet.size.casefold())


def is_tiny(state: MasterState, who: str) -> bool:
    """Say whether a combatant is smaller than Small, and so must share the square of an opponent."""
    size = size_of(state, who)
    return size is not None and size.rank < sizes()["small"].rank


@derives("space.one-square", "size.modifiers-vary")
def side_in_squares(state: MasterState, who: str) -> Derived[int]:
    """Return the squares that a combatant takes up on a side: one, or as its sheet says for an odd size."""
    size, sheet = size_of(state, who), state.combatants[who].sheet
    if size and size.squares is None:
        return Derived(sheet.space, Because(("size.modifiers-vary",), state.combatants[who].records("size", "space")))
    return Derived(1, Because(("space.one-square",), state.combatants[who].records("size")))


def feet(event: Moved) -> int:
    """Return the feet of a move: the recorded distance, else by squares, a diagonal one counting as one."""
    if event.distance is not None:
        return event.distance.amount * HUNDREDTHS.get(event.distance.unit.casefold(), HUNDREDTHS["ft"]) // 100
    return SQUARE * sum(map(steps, legs(event.path)))


REACHES = ("reach.adjacent", "reach.medium-weapon", "reach.small-weapon", "reach.smaller-than-small")


@derives(*REACHES, "size.modifiers-vary")
def reach(state: MasterState, who: str) -> Derived[Reach]:
    """Return the reach of a combatant with the weapon in its hand, by its size, with the one rule for it."""
    one, weapon = state.combatants[who], weapon_in_hand(state, who)
    long, own, said = weapon is not None and weapon.reach, one.records("size", "weapons"), one.sheet.reach
    row = rings().get((one.sheet.size.casefold(), "reach" if long else "ordinary"))
    if is_tiny(state, who):
        return Derived(Reach(0), Because(("reach.smaller-than-small",), own))
    if row is None or said not in (None, SQUARE):
        around = 1 if said is None else said // SQUARE
        return Derived(Reach(around), Because(("size.modifiers-vary",), one.records("size", "reach")))
    slots = slots_changed_by(state, who) if any(each.reach for each in one.sheet.weapons) else ()
    found = Reach(row.rings, row.corners, not long or state.option("reach-adjacent") == "threatened")
    return Derived(found, Because((row.rule,), slots, (Derived(one.sheet.size, Because((), own)),)))


def reached_squares(state: MasterState, who: str) -> Derived[int]:
    """Return the number of squares around its own that a combatant reaches."""
    far = reach(state, who)
    return Derived(far.value.squares, far.because)


@derives("untrained.weapon-no-threat", "grapple.no-threat", "incapacitation.unconscious-in-square")
def why_no_threat(state: MasterState, who: str) -> Derived[str]:
    """Return the rule that keeps a combatant from threatening any square, wherever it stands; "" if none does."""
    weapon, grapple, out = "untrained.weapon-no-threat", "grapple.no-threat", "incapacitation.unconscious-in-square"
    standing, freed = state.combatants[who].standing, state.combat.grapples.freed.get(who)
    if standing.value != "up":
        return Derived(out, Because((out,), of=(standing,)))
    if hold := state.combat.grapples.of(who):
        return Derived(grapple, Because((grapple,), (hold.seq,)))
    if unused := untrained_weapon(state, who):
        return Derived(weapon, Because((weapon,), of=(unused,)))
    return Derived("", Because(of=(standing, *((freed,) if freed else ()))))


def threatened_squares(state: MasterState, who: str) -> Threat:
    """Return the squares that a combatant threatens, derived again when one of the inputs is replaced."""
    one, combat, square = state.combatants[who], state.combat, square_of(state, who)
    held, stood = combat.grapples.of(who) or combat.grapples.freed.get(who), combat.stood.get(who, 0)
    inputs = (one.standing, one.sheet, held, combat.hands.changed.get(who), square, stood)
    kept = combat.threats.get(who)
    if kept is None or not all(map(is_, kept.inputs, inputs)):
        barred, far = why_no_threat(state, who), reach(state, who)
        kept = combat.threats[who] = Threat(inputs, barred, far, one.standing, square, stood)
    return kept


def foe_threats(state: MasterState, who: str) -> dict[str, Threat]:
    """Return the squares that the foes of a combatant threaten; the result is never changed."""
    combat, side, stood = state.combat, state.combatants[who].side, state.combat.stood
    kept = ({**each} for each in (combat.grapples.holds, combat.grapples.freed, combat.hands.changed))
    inputs = state.roster_event, len(state.rulings), (*state.health.inside,), *kept
    front = combat.fronts.get(side)
    if front is None or front.inputs != inputs:
        foes = [one for one in state.here() if one.side != side]
        front = combat.fronts[side] = Front(inputs, foes, {one.id: threatened_squares(state, one.id) for one in foes})
    pairs = zip(front.foes, front.threats.values(), strict=True)
    moved = [one.id for one, was in pairs if one.standing is not was.standing or stood.get(one.id, 0) != was.stood]
    if moved:
        front.threats = front.threats | {foe: threatened_squares(state, foe) for foe in moved}
    return front.threats
