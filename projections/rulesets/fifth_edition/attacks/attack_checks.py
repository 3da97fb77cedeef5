"""Checks of attack rolls: totals, hits, critical hits."""

from __future__ import annotations

from collections.abc import Iterator

from eventstore.events import AttackRolled
from eventstore.shapes import Dice
from projections.occurrence import Occurrence
from projections.rulesets.faults import Fault, checks_by
from projections.rulesets.fifth_edition import figures
from projections.rulesets.fifth_edition.attacks.circumstances import deed_behind, is_near, target_of
from projections.rulesets.fifth_edition.attacks.cover import wrong_cover
from projections.rulesets.fifth_edition.attacks.hits import automatic_critical, hits, lowest_critical
from projections.rulesets.fifth_edition.conditions import events_of, is_so
from projections.rulesets.fifth_edition.movement.too_far import has_modifiers
from projections.rulesets.fifth_edition.rolls.advantage import wrong_dice
from projections.rulesets.fifth_edition.rolls.dice import kept, shown_by
from projections.rulesets.fifth_edition.rolls.totals import own, wrong_face, wrong_total
from projections.rulesets.fifth_edition.state import FifthState
from projections.rulesets.ruleset import Breach, check

TOTAL, TWENTY = ("attack.total",), ("attack.natural-twenty",)


@checks_by(
    "advantage.two-dice", "exhaustion.penalty", *TOTAL, "cover.bonus", "water.ranged", *TWENTY, "attack.natural-one",
    "attack.meets-ac", on=AttackRolled,
)  # fmt: skip
def an_attack_roll_is_right(state: FifthState, fact: Occurrence[AttackRolled]) -> Iterator[Fault]:
    """Yield the notices on an attack roll, and the first breach of it."""
    found = [*wrong_sum(state, fact), *wrong_cover(fact)]
    yield from (each for each in found if each.severity == "notice")
    breaches = [each for each in found if each.severity != "notice"]
    yield from breaches[:1] if breaches else wrong_hit(state, fact)


def wrong_sum(state: FifthState, fact: Occurrence[AttackRolled]) -> Iterator[Fault]:
    """Yield that an attack roll does not add up, or has the wrong dice."""
    event = fact.event
    if event.die is None:
        return
    yield from wrong_face(event, TOTAL)
    if isinstance(event.die, Dice):
        yield from wrong_dice(event.die)
    yield from wrong_total(state, event, TOTAL, {kept(event.die) + sum(each.amount for each in own(event.modifiers))})
    yield from by_sheet(state, fact)


def by_sheet(state: FifthState, fact: Occurrence[AttackRolled]) -> Iterator[Fault]:
    """Yield as a notice that a modifier named for an ability or proficiency is not that of the sheet."""
    one = state.combatants[fact.event.combatant]
    for each in own(fact.event.modifiers):
        name = each.name.casefold()
        said = one.sheet.proficiency if name == "proficiency" else figures.modifier(one, figures.ability(name))
        if said is not None and each.amount != said:
            says, why = f"the sheet of {one.id} says {said:+} {name}", one.records("abilities", "proficiency")
            yield Fault(TOTAL, says, f"{said:+}", f"{each.amount:+}", why, severity="notice")


def wrong_hit(state: FifthState, fact: Occurrence[AttackRolled]) -> Iterator[Fault]:
    """Yield that a hit is stated as a miss, a miss as a hit, or a critical hit wrongly."""
    event, deed = fact.event, deed_behind(state, fact.cause)
    found, shown = hits(state, fact), shown_by(event.die)
    least, known = lowest_critical(state, event, deed)
    rule = next(iter(found.because.rules), "attack.meets-ac")
    if event.hit is not None and event.hit != found.value and not event.foiled:
        expected, stated = ("a hit", "a miss") if found.value else ("a miss", "a hit")
        says = f"{event.combatant} is recorded to {'hit' if event.hit else 'miss'}"
        severity = "notice" if rule == "attack.meets-ac" and may_have_another_ac(state, event) else "breach"
        yield Fault((rule,), says, expected, stated, found.because.events, severity=severity)
    elif shown == 20 and event.critical is False and found.value:
        yield Fault(TWENTY, "a 20 is a critical hit", "critical", "not critical", (fact.seq,))
    elif event.critical and known and 0 < shown < least and not may_be_helpless(state, fact):
        yield Fault(TWENTY, f"{shown} is no critical hit", f"{least} or more", str(shown), (fact.seq,))


def may_have_another_ac(state: FifthState, event: AttackRolled) -> bool:
    """Say whether the AC of the target is only that of its sheet, and there is an effect on it of which nobody says what it changes."""
    whom = target_of(event)
    unclear = (each for each in state.effects.values() if each.bearer == whom and not has_modifiers(state, each.seq))
    return event.ac is None and any(unclear)


def may_be_helpless(state: FifthState, fact: Occurrence[AttackRolled]) -> bool:
    """Say whether the target may be helpless, and near, so that any hit is critical."""
    return is_so(state, target_of(fact.event), "critical_within") and is_near(state, fact) is not False


@check("condition.automatic-critical", on=AttackRolled)
def the_helpless_are_hit_critically(state: FifthState, fact: Occurrence[AttackRolled]) -> Breach | None:
    event = fact.event
    if event.critical is not False or shown_by(event.die) == 20 or not hits(state, fact).value:
        return None
    found = automatic_critical(state, fact)
    if not found.value:
        return None
    return Breach(f"{event.target} is helpless, and near", "critical", "not critical", events_of(found))
