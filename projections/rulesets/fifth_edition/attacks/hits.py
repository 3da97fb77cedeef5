"""Attack rolls: whether they hit, and whether they are critical."""

from __future__ import annotations

from eventstore.events import AttackRolled
from projections.because import Because, Derived
from projections.occurrence import Occurrence
from projections.rulesets.fifth_edition import figures
from projections.rulesets.fifth_edition.attacks.circumstances import (
    deed_behind,
    distance,
    is_near,
    manner_of,
    target_of,
    weapon_used,
)
from projections.rulesets.fifth_edition.attacks.cover import cover_of
from projections.rulesets.fifth_edition.conditions import changed_by, events_of, is_said
from projections.rulesets.fifth_edition.movement.positions import is_under_water, records, square_of
from projections.rulesets.fifth_edition.rolls.dice import shown_by
from projections.rulesets.fifth_edition.rolls.totals import roll_total
from projections.rulesets.fifth_edition.shapes import Deed, Rolled
from projections.rulesets.fifth_edition.state import FifthState
from projections.rulesets.ruleset import derives


@derives("attack.total", "attack.meets-ac", "attack.natural-twenty", "attack.natural-one", "water.ranged")
def hits(state: FifthState, fact: Occurrence[AttackRolled]) -> Derived[bool | None]:
    """Return whether an attack hits: on a 20, on no 1, else by its total against the AC; None if that is unknown."""
    event, deed = fact.event, deed_behind(state, fact.cause)
    whom = state.combatants.get(target_of(event))
    total, meets, twenty, one, water = hits.rules
    if beyond := too_far_in_water(state, fact, deed):
        return Derived(False, Because((water,), beyond))
    if (face := shown_by(event.die)) in (1, 20):
        return Derived(face == 20, Because((twenty if face == 20 else one,), (fact.seq,)))
    if event.hit is False and may_be_too_far_in_water(state, fact, deed):
        return Derived(False, Because((meets,), (fact.seq,)))
    ac, said, options = event.ac, tuple[int, ...](), dict[str, str]()
    if ac is None and whom and whom.sheet.ac is not None:
        more, why = changed_by(state, whom.id, "ac")
        ac, said = whom.sheet.ac + more + cover_of(state, event, deed), (*whom.records("ac"), *why)
        options = state.chosen("same-effect") if why else {}
    rolled = roll_total(state, event)
    if ac is None or rolled is None:
        return Derived(event.hit, Because((meets,), (fact.seq,)))
    return Derived(rolled >= ac, Because((meets, total), (fact.seq, *said), options))


def too_far_in_water(state: FifthState, fact: Occurrence[AttackRolled], deed: Deed | None) -> tuple[int, ...]:
    """Return the records by which a shot under water goes beyond the normal range; none if it does not."""
    event = fact.event
    water = is_under_water(state, event.combatant)
    if not water or not manner_of(state, event, deed) & {"ranged", "thrown"}:
        return ()
    weapon = weapon_used(state, event, deed)
    feet, reaches = distance(state, deed, event.combatant, target_of(event)), figures.ranges(weapon)
    far = feet and reaches and feet > reaches[0]
    return (*water, *records(state, event.combatant, target_of(event))) if far else ()


def may_be_too_far_in_water(state: FifthState, fact: Occurrence[AttackRolled], deed: Deed | None) -> bool:
    """Say whether a shot under water may go beyond the normal range: its distance is not recorded."""
    event, who = fact.event, fact.event.combatant
    if not manner_of(state, event, deed) & {"ranged", "thrown"}:
        return False
    in_water = is_under_water(state, who) or ("underwater" in state.terrain and square_of(state, who) is None)
    return bool(in_water) and distance(state, deed, who, target_of(event)) is None


def lowest_critical(state: FifthState, event: AttackRolled, deed: Deed | None) -> tuple[int, bool]:
    """Return the lowest face that is a critical hit, and whether the sheet says it."""
    weapon = weapon_used(state, event, deed)
    said = (weapon.critical if weapon else None) or state.combatants[event.combatant].sheet.critical
    return said or 20, said is not None


@derives("condition.automatic-critical")
def automatic_critical(state: FifthState, fact: Occurrence[AttackRolled]) -> Derived[bool]:
    """Return whether a hit is critical as its target is paralyzed or unconscious, within 5 feet."""
    event, found = fact.event, is_said(state, target_of(fact.event), "critical_within")
    if not found.value or not is_near(state, fact):
        return Derived(False, Because(automatic_critical.rules))
    where = records(state, event.combatant, target_of(event))
    return Derived(True, Because(automatic_critical.rules, where, state.chosen("within-five"), (found,)))


@derives("attack.meets-ac", "attack.natural-twenty", "condition.automatic-critical", on=AttackRolled)
def attack_is_rolled(state: FifthState, fact: Occurrence[AttackRolled]) -> None:
    """Keep whether an attack hits, and whether it is critical."""
    event, deed = fact.event, deed_behind(state, fact.cause)
    found = hits(state, fact)
    helpless = automatic_critical(state, fact)
    twenty = shown_by(event.die) >= lowest_critical(state, event, deed)[0]
    critical = bool(event.critical) or bool(found.value and (twenty or helpless.value))
    stated = None if helpless.value and not twenty else critical
    stated = stated if event.critical is None else event.critical
    who, whom, why = event.combatant, target_of(event), events_of(helpless)
    state.rolled[fact.seq] = Rolled(fact.seq, who, whom, found.value, critical, stated, deed, why)
    if deed:
        state.rolls_of.setdefault(deed.seq, []).append(fact.seq)
