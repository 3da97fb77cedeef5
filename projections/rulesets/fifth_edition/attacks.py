"""Attack rolls: hits, totals, ranges, spell attacks, two weapons, and the charmed, who do not attack."""

from collections.abc import Iterator
from typing import TypeAlias

from eventstore.events import ActionTaken, AttackRolled, DamageDealt
from eventstore.shapes import Dice
from projections.because import Because, Derived
from projections.occurrence import Occurrence
from projections.ruleset.faults import Fault, checks_by
from projections.ruleset.ruleset import Breach, check, derives
from projections.rulesets.fifth_edition import circumstances, figures, rolls
from projections.rulesets.fifth_edition.advantage import dice_faults
from projections.rulesets.fifth_edition.circumstances import is_under_water, placings, reach, square_of
from projections.rulesets.fifth_edition.conditions import change_sum, flag_of, has_flag, records_of, rows_with, sources
from projections.rulesets.fifth_edition.death import saving_trait
from projections.rulesets.fifth_edition.deeds import STRIKES, deed_of, is_attack_action
from projections.rulesets.fifth_edition.movement import has_unclear_effect
from projections.rulesets.fifth_edition.state import Deed, FifthState, Rolled
from projections.rulesets.fifth_edition.table import clauses_with


@derives("attack.total", "attack.meets-ac", "attack.natural-twenty", "attack.natural-one", "water.ranged")
def is_hit(state: FifthState, fact: Occurrence[AttackRolled]) -> Derived[bool | None]:
    """Return whether an attack hits: always on a 20, never on a 1, else by total and AC; None if that is unknown."""
    event, deed = fact.event, circumstances.deed_behind(state, fact.cause)
    whom = state.combatants.get(circumstances.target_of(event))
    meets = "attack.meets-ac"
    if beyond := water_range_records(state, fact, deed):
        return Derived(False, Because(("water.ranged",), beyond))
    if (face := rolls.face_or_zero(event.die)) in (1, 20):
        natural = "attack.natural-twenty" if face == 20 else "attack.natural-one"
        return Derived(face == 20, Because((natural,), (fact.seq,)))
    if event.hit is False and may_be_too_far_in_water(state, fact, deed):
        return Derived(False, Because((meets,), (fact.seq,)))
    ac, said = event.ac, tuple[int, ...]()
    if ac is None and whom and whom.sheet.ac is not None:
        more, why = change_sum(state, whom.id, "ac")
        ac, said = whom.sheet.ac + more + circumstances.cover_bonus(state, event, deed), (*whom.records("ac"), *why)
    rolled = rolls.roll_total(state, event)
    if ac is None or rolled is None:
        return Derived(event.hit, Because((meets,), (fact.seq,)))
    return Derived(rolled >= ac, Because((meets, "attack.total"), (fact.seq, *said)))


def water_range_records(state: FifthState, fact: Occurrence[AttackRolled], deed: Deed | None) -> tuple[int, ...]:
    """Return the records that put a shot under water beyond its normal range; none if it is not."""
    event = fact.event
    water = is_under_water(state, event.combatant)
    if not water or not circumstances.manner_of(state, event, deed) & {"ranged", "thrown"}:
        return ()
    feet = circumstances.distance(state, deed, event.combatant, circumstances.target_of(event))
    reaches = figures.weapon_ranges(circumstances.weapon_used(state, event, deed))
    far = feet and reaches and feet > reaches[0]
    return (*water, *placings(state, event.combatant, circumstances.target_of(event))) if far else ()


def may_be_too_far_in_water(state: FifthState, fact: Occurrence[AttackRolled], deed: Deed | None) -> bool:
    """Say whether a shot under water may go beyond its normal range, as the distance is not recorded."""
    event, who = fact.event, fact.event.combatant
    if not circumstances.manner_of(state, event, deed) & {"ranged", "thrown"}:
        return False
    in_water = is_under_water(state, who) or ("underwater" in state.terrain and square_of(state, who) is None)
    return bool(in_water) and circumstances.distance(state, deed, who, circumstances.target_of(event)) is None


def lowest_critical_face(state: FifthState, event: AttackRolled, deed: Deed | None) -> tuple[int, bool]:
    """Return the lowest face that is a critical hit, and whether the sheet states it."""
    weapon = circumstances.weapon_used(state, event, deed)
    said = (weapon.critical if weapon else None) or state.combatants[event.combatant].sheet.critical
    return said or 20, said is not None


@derives("condition.automatic-critical")
def is_automatic_critical(state: FifthState, fact: Occurrence[AttackRolled]) -> Derived[bool]:
    """Return whether a hit is critical because its target is paralyzed or unconscious, and within 5 feet."""
    event, whom = fact.event, circumstances.target_of(fact.event)
    if not has_flag(state, whom, "critical_within") or not circumstances.is_near(state, fact):
        return Derived(False, Because(is_automatic_critical.rules))
    found = flag_of(state, whom, "critical_within")
    return Derived(True, Because(is_automatic_critical.rules, placings(state, event.combatant, whom), (found,)))


@derives("attack.meets-ac", "attack.natural-twenty", "condition.automatic-critical", on=AttackRolled, phase="rolls")
def keep_attack_outcome(state: FifthState, fact: Occurrence[AttackRolled]) -> None:
    """Keep whether an attack hits, and whether it is critical."""
    event, deed = fact.event, circumstances.deed_behind(state, fact.cause)
    found = is_hit(state, fact)
    helpless = is_automatic_critical(state, fact)
    twenty = rolls.face_or_zero(event.die) >= lowest_critical_face(state, event, deed)[0]
    critical = bool(event.critical) or bool(found.value and (twenty or helpless.value))
    stated = None if helpless.value and not twenty else critical
    stated = stated if event.critical is None else event.critical
    who, whom, why = event.combatant, circumstances.target_of(event), records_of(helpless)
    asked = Because(options=helpless.because.options)
    state.rolled[fact.seq] = Rolled(fact.seq, who, whom, found.value, critical, stated, deed, why, asked)
    if deed:
        state.rolls_of.setdefault(deed.seq, []).append(fact.seq)


TOTAL, TWENTY = ("attack.total",), ("attack.natural-twenty",)


@checks_by(
    "advantage.two-dice", "exhaustion.penalty", *TOTAL, "cover.bonus", "water.ranged", *TWENTY, "attack.natural-one",
    "attack.meets-ac", on=AttackRolled,
)  # fmt: skip
def an_attack_roll_is_right(state: FifthState, fact: Occurrence[AttackRolled]) -> Iterator[Fault]:
    """Yield the notices on an attack roll, and the first breach of it."""
    found = [*sum_faults(state, fact), *rolls.cover_faults(fact)]
    yield from (each for each in found if each.severity == "notice")
    breaches = [each for each in found if each.severity != "notice"]
    yield from breaches[:1] if breaches else hit_faults(state, fact)


def sum_faults(state: FifthState, fact: Occurrence[AttackRolled]) -> Iterator[Fault]:
    """Yield faults for an attack roll that does not add up, or has the wrong dice."""
    event = fact.event
    if event.die is None:
        return
    yield from rolls.face_faults(event.die, TOTAL)
    if isinstance(event.die, Dice):
        yield from dice_faults(event.die)
    added = sum(each.amount for each in rolls.own_modifiers(event.modifiers))
    yield from rolls.total_faults(state, event, TOTAL, {rolls.kept_face(event.die) + added})
    yield from modifier_faults(state, fact)


def modifier_faults(state: FifthState, fact: Occurrence[AttackRolled]) -> Iterator[Fault]:
    """Yield a notice for a modifier named after an ability or proficiency that differs from the sheet's."""
    one = state.combatants[fact.event.combatant]
    for each in rolls.own_modifiers(fact.event.modifiers):
        name = each.name.casefold()
        said = one.sheet.proficiency if name == "proficiency" else figures.modifier(one, figures.ability_name(name))
        if said is not None and each.amount != said:
            says, why = f"{one.id}'s sheet says {said:+} {name}", one.records("abilities", "proficiency")
            yield Fault(TOTAL, says, f"{said:+}", f"{each.amount:+}", why, severity="notice")


def hit_faults(state: FifthState, fact: Occurrence[AttackRolled]) -> Iterator[Fault]:
    """Yield a fault for a hit stated as a miss, a miss stated as a hit, or a critical hit stated wrongly."""
    event, deed = fact.event, circumstances.deed_behind(state, fact.cause)
    found, shown = is_hit(state, fact), rolls.face_or_zero(event.die)
    least, known = lowest_critical_face(state, event, deed)
    rule = next(iter(found.because.rules), "attack.meets-ac")
    if event.hit is not None and event.hit != found.value and not event.foiled:
        expected, stated = ("a hit", "a miss") if found.value else ("a miss", "a hit")
        says = f"{event.combatant}'s attack roll is recorded as {stated}"
        by_sheet = rule == "attack.meets-ac" and event.ac is None  # an effect may have changed it
        unclear = by_sheet and has_unclear_effect(state, circumstances.target_of(event))
        severity = "notice" if unclear else "breach"
        yield Fault((rule,), says, expected, stated, found.because.events, severity=severity)
    elif shown == 20 and event.critical is False and found.value:
        yield Fault(TWENTY, "a natural 20 is a critical hit", "a critical hit", "an ordinary hit", (fact.seq,))
    elif event.critical and known and 0 < shown < least and not may_be_helpless(state, fact):
        says = f"a natural {shown} is no critical hit"
        yield Fault(TWENTY, says, f"a natural {least}{' or more' * (least < 20)}", f"a natural {shown}", (fact.seq,))


def may_be_helpless(state: FifthState, fact: Occurrence[AttackRolled]) -> bool:
    """Say whether the target is helpless and may be near, so that any hit is critical."""
    helpless = has_flag(state, circumstances.target_of(fact.event), "critical_within")
    return helpless and circumstances.is_near(state, fact) is not False


@check("condition.automatic-critical", on=AttackRolled)
def the_helpless_are_hit_critically(state: FifthState, fact: Occurrence[AttackRolled]) -> Breach | None:
    event = fact.event
    if event.critical is not False or rolls.face_or_zero(event.die) == 20 or not is_hit(state, fact).value:
        return None
    found = is_automatic_critical(state, fact)
    says = f"any hit on {event.target}, helpless within 5 ft, is critical"
    return Breach(says, "critical hit", "ordinary hit", records_of(found)) if found.value else None


@checks_by("attack.range", "attack.reach", on=AttackRolled)
def attacks_go_no_farther_than_they_can(state: FifthState, fact: Occurrence[AttackRolled]) -> Iterator[Fault]:
    """Yield the fault of a shot beyond its range, or of a blow beyond its reach."""
    event, deed = fact.event, circumstances.deed_behind(state, fact.cause)
    one, whom = state.combatants[event.combatant], circumstances.target_of(event)
    manner, weapon = circumstances.manner_of(state, event, deed), circumstances.weapon_used(state, event, deed)
    reaches, rule = figures.weapon_ranges(weapon), "attack.range"
    thrown = "offhand" in manner and "melee" not in manner and bool(reaches)
    most: int | None = None
    if manner & {"ranged", "thrown"}:
        most = reaches[1] if reaches and not water_range_records(state, fact, deed) else None
    elif manner & {"melee", "unarmed", "offhand"} and not thrown:
        most, rule = reach(one, weapon), "attack.reach"
    feet = circumstances.distance(state, deed, one.id, whom)
    if feet is not None and most is not None and feet > most:
        yield Fault((rule,), f"{whom} is {feet} feet away", f"{most} ft", f"{feet} ft", placings(state, one.id, whom))


Harms: TypeAlias = ActionTaken | AttackRolled | DamageDealt


@check("dead.out", on=(ActionTaken, AttackRolled, DamageDealt))
def the_dead_are_attacked_no_more(state: FifthState, fact: Occurrence[Harms]) -> Breach | None:
    """Find an attack on the dead alone: its act, a roll of none, or damage by nobody in a later turn."""
    event, deed = fact.event, circumstances.deed_behind(state, fact.cause)
    whom: tuple[str | None, ...] = event.action.targets if isinstance(event, ActionTaken) else (event.target,)
    stated = isinstance(event, DamageDealt) and not fact.implied
    judged = deed and (stated or deed.kind == ("cast" if isinstance(event, DamageDealt) else "attack"))
    those = [state.combatants[who] for who in whom if who in state.combatants]
    if judged or not those or (isinstance(event, ActionTaken) and fact.kind != "attack"):
        return None
    if any(each.status != "dead" or saving_trait(state, each) for each in those):
        return None
    why = records_of(those[0].standing)
    if isinstance(event, DamageDealt) and not all(state.precedes(seq, state.clock.turn_event) for seq in why):
        return None  # it may be part of what killed
    return Breach(f"{those[0].id} is dead already", "a living target", "a dead one", why, "notice")


@check("spell.attack-bonus", on=AttackRolled)
def spell_attacks_have_their_bonus(state: FifthState, fact: Occurrence[AttackRolled]) -> Breach | None:
    deed = circumstances.deed_behind(state, fact.cause)
    said = rolls.modifiers_named(fact.event.modifiers, "bonus", "spell attack")
    one = state.combatants[fact.event.combatant]
    if deed is None or deed.kind != "cast" or len(said) != 1 or figures.weapon_of(one, fact.event.name):
        return None
    wanted, stated = figures.casting_number(one, "attack")
    if wanted is None or said[0].amount == wanted:
        return None
    severity = "breach" if stated and not any(e.bearer == one.id for e in state.effects.values()) else "notice"
    says, why = f"{one.id}'s sheet gives {wanted:+} for spell attacks", one.records("spellcasting")
    return Breach(says, f"{wanted:+}", f"{said[0].amount:+}", why, severity)


@check("two-weapon.bonus-attack", on=ActionTaken, subject=deed_of)
def the_off_hand_has_its_conditions(state: FifthState, _fact: Occurrence[ActionTaken], deed: Deed) -> Breach | None:  # noqa: PLR0911 – one for each condition
    if "offhand" not in deed.manner or deed.granted or not deed.own or deed.cost != "bonus":
        return None
    one = state.combatants[deed.who]
    attacks = [each for each in state.done.get(deed.who, ()) if each.kind == "attack"]
    first = [each for each in attacks if is_attack_action(each)]
    if not first and all(each.known for each in attacks):
        return Breach(f"{deed.who} has not attacked in this turn", "an Attack action first", "none")
    second = figures.weapon_of(one, deed.action.name)
    why = (*one.records("weapons"), *(d.seq for d in first))
    if figures.has_property(second, "light") is False:
        name = str(deed.action.name)
        return Breach(f"{name} is not light", "a light weapon", name, why)
    light = [d for d in first if figures.has_property(figures.weapon_of(one, d.action.name), "light") is not False]
    if first and not light:
        return Breach(f"{deed.who}'s first attack was not with a light weapon", "a light weapon", "another", why)
    if not state.is_new and second and not figures.is_melee(second):
        return Breach(f"{second.name} is no melee weapon", "a melee weapon", second.name, why)
    if light and deed.name and all(each.name == deed.name for each in light):
        return Breach("both attacks are with the same weapon", "a different weapon", str(deed.action.name), why)
    return None


@checks_by(*clauses_with("no_harm"), on=(ActionTaken, AttackRolled, DamageDealt))
def the_charmed_do_not_harm_the_charmer(state: FifthState, fact: Occurrence[Harms]) -> Iterator[Fault]:
    """Yield a fault for a combatant that attacks or harms the source of a condition that forbids it."""
    event = fact.event
    who = event.source if isinstance(event, DamageDealt) else event.combatant
    whom: tuple[str | None, ...]
    if isinstance(event, ActionTaken):
        whom = event.action.targets if fact.kind in STRIKES else ()
    else:
        whom = (event.target,)
        deed = circumstances.deed_behind(state, fact.cause)
        who = who or (deed.who if deed else "")
        if deed and deed.kind in STRIKES:
            return  # the act was judged
    for row in rows_with(state, "no_harm"):
        charmers = sources(state, who or "", row.name)
        if charmer := next((each for each in charmers if each in whom), ""):
            says, once = f"{who} is {row.name} by {charmer}", (fact.cause or fact.seq, charmer)
            yield Fault((row.rule,), says, "no attack", "an attack", (charmers[charmer],), once=once)
