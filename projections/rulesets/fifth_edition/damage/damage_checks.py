"""Checks of damage: dice, modifiers and amounts."""

from __future__ import annotations

from collections.abc import Iterator
from typing import Any

from msgspec import structs

from eventstore.events import DamageDealt
from projections.mechanics.rolls import count_of, worth
from projections.mechanics.shares import Taking, by_type
from projections.occurrence import Occurrence
from projections.rulesets.faults import Fault, checks_by
from projections.rulesets.fifth_edition import figures
from projections.rulesets.fifth_edition.damage.falls import wrong_fall
from projections.rulesets.fifth_edition.damage.taken import (
    Dealing,
    dealing,
    halved,
    is_said_to_be_half,
    known,
    may_be_halved,
    neglected,
    possible,
    reasons,
    save_severity,
    taking,
    times,
    type_of_spell,
)
from projections.rulesets.fifth_edition.state import FifthState
from projections.rulesets.fifth_edition.table import clauses


@checks_by(
    "critical.dice-twice", "hazard.falling", "attack.unarmed", "two-weapon.no-modifier", "damage.weapon-modifier",
    "immunity.nothing", "resistance.no-stacking", "resistance.order", "resistance.halves", *clauses("resists"),
    "water.fire", "vulnerability.doubles", "save.half", "damage.amount", on=DamageDealt,
)  # fmt: skip
def damage_is_right(state: FifthState, fact: Occurrence[DamageDealt]) -> Iterator[Fault]:
    """Yield the first thing that is wrong with an amount of damage."""
    event = fact.event
    if event.object:
        return
    if event.amount < 0:
        yield Fault(("damage.amount",), "damage is never below 0", "0 or more", str(event.amount))
        return
    deal = dealing(state, fact)
    found = [*wrong_dice(deal), *wrong_fall(state, deal), *wrong_fist(state, deal), *wrong_flat(deal)]
    found = found or [*wrong_amount(state, deal)] or [*wrong_type(state, deal)] or [*wrong_half(state, deal)]
    yield from found[:1]


def wrong_dice(deal: Dealing) -> Iterator[Fault]:
    """Yield that a weapon does not deal its dice, or in a critical hit twice as many."""
    rolled = deal.rolled
    if rolled is None or deal.dealer is None or rolled.stated is None:
        return
    thrown = [(part.name, part.dice.notation) for part in deal.fact.event.parts if part.dice]
    for name, dice in thrown:
        thing: Any = figures.weapon_of(deal.dealer, name) or figures.entry_of(deal.dealer, name)
        had = count_of(thing.dice) if thing else None
        threw = count_of(dice)
        if had is None or threw is None or had[1] != threw[1]:
            continue
        wanted = had[0] * (2 if rolled.stated else 1)
        if threw[0] != wanted:
            says = f"{name} has {thing.dice}" + (", and this is a critical hit" if rolled.stated else "")
            yield Fault(("critical.dice-twice",), says, f"{wanted}d{had[1]}", dice, (rolled.seq,))


def wrong_fist(state: FifthState, deal: Dealing) -> Iterator[Fault]:
    """Yield that an unarmed strike does not deal 1 and the Strength modifier."""
    if deal.deed is None or deal.dealer is None or "unarmed" not in deal.deed.manner:
        return
    strength, event = figures.modifier(deal.dealer, "strength"), deal.fact.event
    dice = len(event.parts) > 2 or any(part.dice for part in event.parts)
    if strength is None or dice or figures.entry_of(deal.dealer, "unarmed strike", deal.deed.action.name):
        return
    wanted = max(0, 1 + strength)
    stated = sum(map(worth, event.parts)) if deal.whole else event.amount
    takes, _, complete = taking(state, deal)
    right = [wanted] if deal.whole else [wanted, wanted // 2, wanted * 2, 0]
    if complete and not deal.whole:
        right = [takes.of({"bludgeoning": wanted})]
    if stated not in right:
        why = deal.dealer.records("abilities")
        yield Fault(("attack.unarmed",), f"an unarmed strike deals 1 and {strength:+}", str(wanted), str(stated), why)


def wrong_flat(deal: Dealing) -> Iterator[Fault]:
    """Yield that a modifier is added that is not that of the weapon, or any to the off-hand attack."""
    deed, one = deal.deed, deal.dealer
    if one is None or deed is None:
        return
    flats = [(part.name, part.amount) for part in deal.fact.event.parts if part.amount is not None]
    style = figures.entry_of(one, "two-weapon fighting", "fighting style: two-weapon fighting")
    if "offhand" in deed.manner and not style:
        for name, amount in flats:
            if amount > 0 and (figures.ability(name) or name.casefold() == "bonus"):
                severity = "notice" if name.casefold() == "bonus" else "breach"
                says = f"the off-hand attack of {one.id} adds no modifier"
                yield Fault(("two-weapon.no-modifier",), says, "0", str(amount), (deed.seq,), severity=severity)
        return
    weapons = [w for part in deal.fact.event.parts if (w := figures.weapon_of(one, part.name))]
    for name, amount in flats:
        named = figures.ability(name)
        modifier = figures.modifier(one, named)
        if not weapons or modifier is None:
            continue
        fits = figures.weapon_modifier(weapons[0], deed.manner, named)
        if amount != modifier or fits is False:
            says = f"{weapons[0].name} adds the modifier of its attack roll"
            expected = f"{modifier:+}" if fits is not False else "another ability"
            why = one.records("abilities", "weapons")
            yield Fault(("damage.weapon-modifier",), says, expected, f"{amount:+}", why)


def wrong_amount(state: FifthState, deal: Dealing) -> Iterator[Fault]:
    """Yield that an amount of damage is not that of its parts, by the clause that was forgotten.

    The parts have to be all of the damage, and amounts that are possible by what the sheet leaves open are right. If one
    forgotten clause explains the amount, that clause is cited, else the one that most likely does.
    """
    if not deal.whole:
        return
    event = deal.fact.event
    shares, stated, by = by_type(event.parts, known(deal.dealer)), event.amount, times(event)
    takes, resists, _ = taking(state, deal)
    wanted, types = takes.of(shares, by), frozenset(shares)
    halved = structs.replace(takes, half=True).of(shares, by)
    if stated == wanted or (stated == halved and may_be_halved(state, deal)):
        return
    says, why = f"{deal.one.id} takes {wanted}", reasons(state, deal, types)
    if stated == structs.replace(takes, half=False).of(shares, by):
        says, why = f"{deal.one.id} made the save", deal.one.records("resistances")
        yield Fault(("save.half",), says, str(wanted), str(stated), why, severity=save_severity(deal))
    elif stated not in possible(takes, shares, by, deal.one):
        found = (rule for rule, other in neglected(takes, types, resists) if stated == other.of(shares, by))
        rule = next(found, "") or likely_clause(takes, shares, by, resists, stated)
        yield Fault((rule,), says, str(wanted), str(stated), why)


def wrong_type(state: FifthState, deal: Dealing) -> Iterator[Fault]:
    """Yield that points of a type that the target takes otherwise are stated without dice: they make up the amount.

    Of a type to which it is immune none can be lost. Of one that it resists, or to which it is vulnerable, they may be what
    was left or what was rolled: a notice says what is taken of the latter. Where something was taken off, they are what was left.
    """
    event = deal.fact.event
    stated, (takes, resists, _) = event.amount, taking(state, deal)
    shares = by_type(event.parts, known(deal.dealer))
    if deal.deed and not event.parts and stated:
        named, row = type_of_spell(state, deal.deed)
        if named.casefold() in takes.immune:
            says = f"{deal.deed.name} deals {named}{f' ({row})' if row else ''}, and {deal.one.id} is immune to it"
            why = deal.one.records("immunities")
            yield Fault(("immunity.nothing",), says, "0", str(stated), why, severity="notice" if row else "breach")
            return
    if any(part.dice for part in event.parts) or sum(shares.values()) != stated:
        return
    if stated in possible(takes, shares, times(event), deal.one):
        return
    if immune := {name: points for name, points in shares.items() if name in takes.immune}:
        says = f"{deal.one.id} is immune to {' and '.join(immune)}"
        why = reasons(state, deal, frozenset(immune))
        yield Fault(("immunity.nothing",), says, str(stated - sum(immune.values())), str(stated), why)
        return
    if any(worth(part) < 0 for part in event.parts):
        return
    wanted = takes.of(shares, times(event))
    forgotten = [
        rule for rule, other in neglected(takes, frozenset(shares), resists) if other.of(shares, times(event)) != wanted
    ]
    if wanted != stated and forgotten:
        says, why = f"{deal.one.id} takes {wanted} if {stated} was rolled", reasons(state, deal, frozenset(shares))
        yield Fault((forgotten[0],), says, str(wanted), str(stated), why, severity="notice")


def likely_clause(takes: Taking, shares: dict[str, int], by: int, resists: dict[str, str], stated: int) -> str:
    """Return the clause that was most likely misread for a wrong amount: of resistance, of immunity, of amounts."""
    types, quarters = frozenset(shares), {name: amount // 4 for name, amount in shares.items()}
    resisted = [resists[name] for name in (*types, "all") if name in resists]
    if resisted and stated == structs.replace(takes, resists=frozenset()).of(quarters, by):
        return "resistance.no-stacking"
    if resisted and (takes.less or takes.doubles & types):
        return "resistance.order"
    if takes.immune & types:
        return "immunity.nothing"
    return resisted[0] if resisted and stated == takes.of(shares, by) + 1 else "damage.amount"


def wrong_half(state: FifthState, deal: Dealing) -> Iterator[Fault]:
    """Yield that a target that made its save takes as much as one that did not."""
    event, deed = deal.fact.event, deal.deed
    if deed is None or not halved(state, deal) or not event.amount or is_said_to_be_half(event):
        return
    for other in state.dealt.get(deed.seq, ()):
        failed = state.saves.get((deed.seq, other.event.target)) is False
        if failed and other.event.amount == event.amount and not event.parts:
            says, half = f"{event.target} made the save", str(event.amount // 2)
            yield Fault(("save.half",), says, half, str(event.amount), (other.seq,), severity=save_severity(deal))
            return
