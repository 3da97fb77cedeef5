"""Checks of damage: dice, modifiers and amounts."""

from __future__ import annotations

from collections.abc import Iterator
from typing import Any

from msgspec import structs

from eventstore.events import DamageDealt
from projections.mechanics.rolls import count_of, worth
from projections.mechanics.shares import by_type
from projections.occurrence import Occurrence
from projections.rulesets.faults import Fault, checks_by
from projections.rulesets.fifth_edition import figures
from projections.rulesets.fifth_edition.damage.falls import wrong_fall
from projections.rulesets.fifth_edition.damage.taken import (
    HALF,
    Dealing,
    dealing,
    halved,
    known,
    may_be_halved,
    neglected,
    possible,
    reasons,
    taking,
    times,
)
from projections.rulesets.fifth_edition.state import FifthState

AMOUNTS = (
    "critical.dice-twice",
    "hazard.falling",
    "attack.unarmed",
    "two-weapon.no-modifier",
    "damage.weapon-modifier",
    "immunity.nothing",
    "resistance.no-stacking",
    "resistance.order",
    "resistance.halves",
    "petrified.resists",
    "water.fire",
    "vulnerability.doubles",
    "save.half",
    "damage.amount",
)
"""The clauses on amounts of damage, of which one reports a row."""


@checks_by(*AMOUNTS, on=DamageDealt)
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
    found = found or [*wrong_amount(state, deal)] or [*wrong_half(state, deal)]
    yield from found[:1]


def wrong_dice(deal: Dealing) -> Iterator[Fault]:
    """Yield that the dice of a weapon are not as many as it has: twice in a critical hit, once in any other."""
    rolled = deal.rolled
    if rolled is None or deal.dealer is None or rolled.stated is None:
        return
    for part in deal.fact.event.parts:
        name = part.name
        thing: Any = figures.weapon_of(deal.dealer, name) or figures.entry_of(deal.dealer, name)
        had = count_of(thing.dice) if thing and thing.dice else None
        threw = count_of(part.dice.notation) if part.dice else None
        if had is None or threw is None or had[1] != threw[1]:
            continue
        wanted = had[0] * (2 if rolled.stated else 1)
        if threw[0] != wanted:
            says = f"{name} has {thing.dice}" + (", and this is a critical hit" if rolled.stated else "")
            yield Fault(
                ("critical.dice-twice",),
                says,
                f"{wanted}d{had[1]}",
                part.dice.notation if part.dice else "",
                (rolled.seq,),
            )


def wrong_fist(state: FifthState, deal: Dealing) -> Iterator[Fault]:
    """Yield that an unarmed strike deals something else than 1 and the modifier of Strength."""
    if deal.deed is None or deal.dealer is None or "unarmed" not in deal.deed.manner:
        return
    strength = figures.modifier(deal.dealer, "strength")
    event = deal.fact.event
    if (
        strength is None
        or any(part.dice for part in event.parts)
        or len(event.parts) > 2
        or figures.entry_of(deal.dealer, "unarmed strike", deal.deed.action.name)
    ):
        return
    wanted = max(0, 1 + strength)
    told = sum(map(worth, event.parts)) if deal.whole else event.amount
    takes, _, complete = taking(state, deal)
    if deal.whole:
        equal = told == wanted
    elif complete:
        equal = told == takes.of({"bludgeoning": wanted})
    else:
        equal = told in (wanted, wanted // 2, wanted * 2, 0)
    if not equal:
        why = deal.dealer.records("abilities")
        yield Fault(("attack.unarmed",), f"1 and {strength:+}", str(wanted), str(told), why)


def wrong_flat(deal: Dealing) -> Iterator[Fault]:
    """Yield that a modifier is added to the off-hand blow, or another one than that of the weapon."""
    deed, one = deal.deed, deal.dealer
    if one is None or deed is None:
        return
    flats = [part for part in deal.fact.event.parts if part.dice is None and part.amount is not None]
    if "offhand" in deed.manner and not figures.entry_of(
        one, "two-weapon fighting", "fighting style: two-weapon fighting"
    ):
        for part in flats:
            if (part.amount or 0) > 0 and (figures.ability(part.name) or part.name.casefold() == "bonus"):
                severity = "notice" if part.name.casefold() == "bonus" else "breach"
                says = f"the off-hand blow of {one.id} adds no modifier"
                yield Fault(("two-weapon.no-modifier",), says, "0", str(part.amount), (deed.seq,), severity=severity)
        return
    weapons = [w for part in deal.fact.event.parts if part.dice and (w := figures.weapon_of(one, part.name))]
    for part in flats:
        named = figures.ability(part.name)
        modifier = figures.modifier(one, named) if named else None
        if not weapons or modifier is None:
            continue
        fits = figures.weapon_modifier(weapons[0], deed.manner, named)
        if part.amount != modifier or fits is False:
            says = f"{weapons[0].name} adds the modifier of its attack roll"
            expected = f"{modifier:+}" if fits is not False else "another ability"
            why = one.records("abilities", "weapons")
            yield Fault(("damage.weapon-modifier",), says, expected, f"{part.amount:+}", why)


def wrong_amount(state: FifthState, deal: Dealing) -> Iterator[Fault]:
    """Yield that an amount is not what its parts come to, by the clause that it neglects."""
    if not deal.whole:
        return
    shares, told, by = by_type(deal.fact.event.parts, known(deal.dealer)), deal.fact.event.amount, times(deal)
    takes, resists, _ = taking(state, deal)
    wanted = takes.of(shares, by)
    if told == wanted:
        return
    types = frozenset(shares)
    if takes.half and told == structs.replace(takes, half=False).of(shares, by):
        yield Fault(
            ("save.half",), f"{deal.one.id} made the save", str(wanted), str(told), deal.one.records("resistances")
        )
        return
    halves = {structs.replace(takes, half=True).of(shares, by)} if may_be_halved(state, deal) else set()
    if told in possible(takes, shares, by, deal.one) | halves:
        return
    resisted = [name for name in (*types, "all") if name in resists]
    why = reasons(state, deal, types)
    for rule, other in neglected(takes, types, resists):
        if told == other.of(shares, by):
            yield Fault((rule,), f"{deal.one.id} takes {wanted}", str(wanted), str(told), why)
            return
    rule = resists[resisted[0]] if resisted and told == wanted + 1 else "damage.amount"
    if resisted and told == structs.replace(takes, resists=frozenset()).of({k: v // 4 for k, v in shares.items()}, by):
        rule = "resistance.no-stacking"
    elif resisted and (takes.less or takes.doubles & types):
        rule = "resistance.order"
    elif takes.immune & types:
        rule = "immunity.nothing"
    yield Fault((rule,), f"{deal.one.id} takes {wanted}", str(wanted), str(told), why)


def wrong_half(state: FifthState, deal: Dealing) -> Iterator[Fault]:
    """Yield that somebody who made its save takes as much of the same roll as somebody who did not."""
    event, deed = deal.fact.event, deal.deed
    if deed is None or not halved(state, deal) or event.amount < 2 or any(HALF in e.name for e in event.multipliers):
        return
    for other in state.dealt.get(deed.seq, ()):
        failed = state.saves.get((deed.seq, other.event.target)) is False
        if failed and other.event.amount == event.amount and not deal.whole and not event.parts:
            yield Fault(
                ("save.half",), f"{event.target} made the save", str(event.amount // 2), str(event.amount), (other.seq,)
            )
            return
