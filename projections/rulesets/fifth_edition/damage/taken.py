"""What a target takes of damage: resistances, vulnerabilities, immunities, halves."""

from __future__ import annotations

from collections.abc import Iterable, Iterator, Mapping
from typing import Any

from msgspec import Struct, structs

from eventstore.events import DamageDealt
from eventstore.shapes import Part
from projections.mechanics.rolls import worth
from projections.mechanics.shares import Taking
from projections.occurrence import Occurrence
from projections.rulesets.fifth_edition import figures
from projections.rulesets.fifth_edition.attacks.circumstances import deed_behind, roll_behind
from projections.rulesets.fifth_edition.conditions import carries, events_of, filled, is_said
from projections.rulesets.fifth_edition.movement.positions import footprint, is_under_water, square_of, terrain_at
from projections.rulesets.fifth_edition.shapes import Deed, Rolled
from projections.rulesets.fifth_edition.state import FifthState
from projections.rulesets.fifth_edition.table import clauses
from projections.rulesets.ruleset import derives
from projections.state import Combatant

HALF = "half"


class Dealing(Struct, frozen=True):
    """Recorded damage with what it comes from: its dealer, its act, its attack roll."""

    fact: Occurrence[Any]
    one: Combatant
    dealer: Combatant | None
    deed: Deed | None
    rolled: Rolled | None
    whole: bool
    """Whether the parts are known to be all of it."""


def dealing(state: FifthState, fact: Occurrence[DamageDealt]) -> Dealing:
    """Return recorded damage with what it comes from."""
    event, deed, rolled = fact.event, deed_behind(state, fact.cause), roll_behind(state, fact)
    who = event.source or (deed.who if deed else rolled.who if rolled else "")
    dealer = state.combatants.get(who)
    return Dealing(fact, state.combatants[event.target], dealer, deed, rolled, is_whole(event, known(dealer)))


def is_whole(event: DamageDealt, names: Mapping[str, str | None]) -> bool:
    """Say whether the parts of damage are all of it.

    They are if each says its kind or is named like something on the dealer's sheet, or if dice of a known type and what is
    added to them make up the amount: then nothing else was added, and nothing was taken off. A part with another name,
    such as one by which a program doubles what it rolled, may be what a resistance or vulnerability did.
    """
    named = [bool(each.kind) or each.name.casefold() in names for each in event.parts]
    if not named or all(named):
        return bool(named)
    typed = named[0] or event.parts[0].damage_type is not None
    added = all(known or each.dice or is_bonus(each) for each, known in zip(event.parts, named, strict=True))
    rolled = any(each.dice for each in event.parts)
    return typed and rolled and added and sum(map(worth, event.parts)) * times(event) == event.amount


def is_bonus(part: Part) -> bool:
    """Say whether a flat part is added to a roll: a bonus, an ability modifier, or points of the type in its name."""
    name = part.name.casefold()
    return name in ("bonus", (part.damage_type or "").casefold()) or bool(figures.ability(name))


def known(one: Combatant | None) -> dict[str, str | None]:
    """Return the names of the weapons and entries of a sheet, with the types of their damage."""
    if one is None:
        return {}
    entries: dict[str, str | None] = {each.name.casefold(): None for each in one.sheet.entries or ()}
    return entries | {each.name.casefold(): each.damage_type for each in one.sheet.weapons}


@derives("resistance.halves", "water.fire", "vulnerability.doubles", "immunity.nothing", *clauses("resists"))
def taking(state: FifthState, deal: Dealing) -> tuple[Taking, dict[str, str], bool]:
    """Return how a target takes damage, the clause of each resistance, and whether the sheet says all of it."""
    halves, water, *_ = taking.rules
    sheet, event = deal.one.sheet, deal.fact.event
    resists = dict.fromkeys((each.casefold() for each in sheet.resistances or ()), halves)
    for effect in state.effects.values():
        begun = state.begun.get(effect.seq)
        if effect.bearer == deal.one.id and begun:
            resists |= dict.fromkeys(resisted(begun.attributes), halves)
    resists |= {row.resists: row.rule for row in filled(state, "resists") if carries(state, deal.one.id, row.name)}
    if is_under_water(state, deal.one.id) and immersed(state, deal.one):
        resists.setdefault("fire", water)
    found = Taking(
        half=halved(state, deal),
        less=sum(abs(each.amount) for each in event.reductions),
        late=state.option("save-half") == "reduce-first",
        resists=frozenset(resists),
        doubles=frozenset(each.casefold() for each in sheet.vulnerabilities or ()),
        immune=frozenset(each.casefold() for each in sheet.immunities or ()),
    )
    complete = None not in (sheet.resistances, sheet.vulnerabilities, sheet.immunities)
    return found, resists, complete


def resisted(attributes: Iterable[str]) -> Iterator[str]:
    """Yield the types of damage that the attributes of an effect resist."""
    for each in attributes:
        words = each.casefold().replace("resistance", "resists").replace("resist ", "resists ").split()
        if "resists" in words:
            yield from words


def immersed(state: FifthState, one: Combatant) -> bool:
    """Say whether a combatant is under water with all its squares."""
    found = square_of(state, one.id)
    return found is None or all(terrain_at(state, "underwater", each) for each in footprint(one, found[0]))


@derives("save.half")
def halved(state: FifthState, deal: Dealing) -> bool:
    """Say whether a save halves damage: the act says so and the target made it, or the damage is recorded as halved."""
    if deal.deed is None or is_said_to_be_half(deal.fact.event):
        return is_said_to_be_half(deal.fact.event)
    allowed = deal.deed.save
    return bool(allowed and allowed.half and state.saves.get((deal.deed.seq, deal.one.id)))


def save_severity(deal: Dealing) -> str:
    """Return how a finding on a save counts: one that is known by the name of a spell alone is only a notice."""
    if deal.deed is None or deal.dealer is None or deal.deed.action.allows_save:
        return "breach"
    return figures.severity(deal.dealer, deal.deed.action, "allows_save")


def type_of_spell(state: FifthState, deed: Deed) -> tuple[str, str]:
    """Return the type of damage of the spell that an act casts, and the row of a reference document that says so; "" where there is none, or its sheet says it."""
    if deed.kind != "cast" or not deed.name:
        return "", ""
    one = state.combatants[deed.who]
    entry, own = figures.spell_of(state, one, deed.action), figures.entry_of(one, deed.name)
    if entry is None or entry.damage_type is None:
        return "", ""
    from projections.rulesets.fifth_edition import spellbook  # only where somebody casts

    is_own = own is not None and own.damage_type is not None
    return entry.damage_type, "" if is_own else spellbook.reference(deed.name, state.option("edition"))


def is_said_to_be_half(event: DamageDealt) -> bool:
    """Say whether damage is recorded as halved."""
    return any(HALF in each.name.casefold() for each in event.multipliers)


def may_be_halved(state: FifthState, deal: Dealing) -> bool:
    """Say whether a save that is not recorded may have halved damage: the act allows one, or is unknown."""
    if deal.deed is None:
        return bool(deal.fact.doubtful)
    allowed = deal.deed.save
    return bool(allowed and allowed.half) and (deal.deed.seq, deal.one.id) not in state.saves


def times(event: DamageDealt) -> int:
    """Return the number by which damage is multiplied."""
    stated = [each.amount for each in event.multipliers if HALF not in each.name.casefold()]
    return max(stated, default=1)


def neglected(takes: Taking, types: frozenset[str], resists: dict[str, str]) -> Iterator[tuple[str, Taking]]:
    """Yield the clauses that may have been forgotten, each with how damage is taken without it."""
    resisted = next((resists[name] for name in (*types, "all") if name in resists), "resistance.halves")
    yield "immunity.nothing", structs.replace(takes, immune=frozenset())
    yield resisted, structs.replace(takes, resists=frozenset())
    yield "vulnerability.doubles", structs.replace(takes, doubles=frozenset())


def reasons(state: FifthState, deal: Dealing, types: frozenset[str]) -> tuple[int, ...]:
    """Return the records behind how a target takes damage of these types."""
    open_ = {*types, "all"} - {each.casefold() for each in deal.one.sheet.resistances or ()}
    own = ((e.seq, state.begun.get(e.seq)) for e in state.effects.values() if e.bearer == deal.one.id)
    effects = tuple(seq for seq, begun in own if begun and {*resisted(begun.attributes)} & open_)
    sheet = deal.one.records("resistances", "vulnerabilities", "immunities")
    return (*sheet, *effects, *events_of(is_said(state, deal.one.id, "resists")))


def possible(takes: Taking, shares: dict[str, int], by: int, one: Combatant) -> set[int]:
    """Return the amounts that are possible where the sheet leaves out resistances, vulnerabilities or immunities."""
    found = {0}
    for name, amount in shares.items():
        each = {takes.of({name: amount}, by)}
        if one.sheet.resistances is None:
            each.add(structs.replace(takes, resists=takes.resists | {name}).of({name: amount}, by))
        if one.sheet.vulnerabilities is None:
            each.add(structs.replace(takes, doubles=takes.doubles | {name}).of({name: amount}, by))
        if one.sheet.immunities is None:
            each.add(0)
        found = {before + more for before in found for more in each}
    return found
