"""Damage: what its parts come to, and what of that somebody takes."""

from __future__ import annotations

from collections.abc import Iterable, Iterator
from typing import Any

from msgspec import Struct, structs

from eventstore.events import ConditionGained, DamageDealt, Moved
from eventstore.shapes import Part
from projections.because import Because, Derived
from projections.mechanics.rolls import count_of, worth
from projections.mechanics.shares import Taking, by_type
from projections.mechanics.squares import in_feet
from projections.occurrence import Occurrence
from projections.rulesets.faults import Fault, checks_by
from projections.rulesets.fifth_edition import figures
from projections.rulesets.fifth_edition.conditions import behind, borne, events_of, fall_prone, has
from projections.rulesets.fifth_edition.ground import footprint, is_under_water, square_of, terrain_at
from projections.rulesets.fifth_edition.leanings import deed_behind
from projections.rulesets.fifth_edition.state import Deed, FifthState, Rolled
from projections.rulesets.ruleset import derives
from projections.state import Combatant

HALF = "half"


class Dealing(Struct, frozen=True):
    """Damage as it was recorded, with its act, its attack roll, whoever deals it, and whether its parts are all of it."""

    fact: Occurrence[Any]
    one: Combatant
    dealer: Combatant | None
    deed: Deed | None
    rolled: Rolled | None
    whole: bool


def dealing(state: FifthState, fact: Occurrence[DamageDealt]) -> Dealing:
    """Return damage with what it comes from."""
    event = fact.event
    deed = deed_behind(state, fact.cause)
    rolled = state.rolled.get(fact.cause)
    if rolled is None and deed:
        own = [
            state.rolled[seq] for seq in state.rolls_of.get(deed.seq, ()) if state.rolled[seq].target == event.target
        ]
        rolled = own[-1] if own else None
    who = event.source or (deed.who if deed else rolled.who if rolled else "")
    dealer = state.combatants.get(who)
    names = known(dealer)
    whole = bool(event.parts) and all(each.kind or each.name.casefold() in names for each in event.parts)
    return Dealing(fact, state.combatants[event.target], dealer, deed, rolled, whole)


def known(one: Combatant | None) -> dict[str, str]:
    """Return the names of the weapons and entries of a sheet, with the types of their damage."""
    if one is None:
        return {}
    found = {each.name.casefold(): "" for each in one.sheet.entries or ()}
    return found | {each.name.casefold(): each.damage_type or "" for each in one.sheet.weapons}


# ---------------------------------------------------------------- what is taken of it


@derives("resistance.halves", "vulnerability.doubles", "immunity.nothing", "petrified.resists", "water.fire")
def taking(state: FifthState, deal: Dealing) -> tuple[Taking, dict[str, str], bool]:
    """Return how somebody takes damage, by which clause each resistance, and whether the sheet says all of it."""
    halves, _, _, stone, water = taking.rules
    sheet, event = deal.one.sheet, deal.fact.event
    resists = dict.fromkeys((each.casefold() for each in sheet.resistances or ()), halves)
    for effect in state.effects.values():
        begun = state.begun.get(effect.seq)
        if effect.bearer == deal.one.id and begun:
            resists |= dict.fromkeys(resisted(begun.attributes), halves)
    if has(state, deal.one.id, "petrified").value:
        resists["all"] = stone
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
            yield from (word for word in words if word not in ("resists", "to"))


def immersed(state: FifthState, one: Combatant) -> bool:
    """Say whether somebody is wholly under water: each square that it takes up is."""
    found = square_of(state, one.id)
    return found is None or all(terrain_at(state, "underwater", each) for each in footprint(one, found[0]))


@derives("save.half")
def halved(state: FifthState, deal: Dealing) -> bool:
    """Say whether a save halves damage: the act says so and the target made it, or the damage is told as halved."""
    if any(HALF in each.name.casefold() for each in deal.fact.event.multipliers):
        return True
    allowed = deal.deed.action.allows_save if deal.deed else None
    return bool(allowed and allowed.half and deal.deed and state.saves.get((deal.deed.seq, deal.one.id)))


def may_be_halved(state: FifthState, deal: Dealing) -> bool:
    """Say whether a save may have halved damage that nobody told: one that the act allows, or an act that is not known."""
    if deal.deed is None:
        return bool(deal.fact.doubtful)
    allowed = deal.deed.action.allows_save
    return bool(allowed and allowed.half) and (deal.deed.seq, deal.one.id) not in state.saves


def times(deal: Dealing) -> int:
    """Return by how much damage is multiplied."""
    told = [each.amount for each in deal.fact.event.multipliers if HALF not in each.name.casefold()]
    return max(told, default=1)


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
    if rolled is None or deal.dealer is None or rolled.told is None:
        return
    for part in deal.fact.event.parts:
        name = part.name
        thing: Any = figures.weapon_of(deal.dealer, name) or figures.entry_of(deal.dealer, name)
        had = count_of(thing.dice) if thing and thing.dice else None
        threw = count_of(part.dice.notation) if part.dice else None
        if had is None or threw is None or had[1] != threw[1]:
            continue
        wanted = had[0] * (2 if rolled.told else 1)
        if threw[0] != wanted:
            says = f"{name} has {thing.dice}" + (", and this is a critical hit" if rolled.told else "")
            yield Fault(
                ("critical.dice-twice",),
                says,
                f"{wanted}d{had[1]}",
                part.dice.notation if part.dice else "",
                (rolled.seq,),
            )


def wrong_fall(state: FifthState, deal: Dealing) -> Iterator[Fault]:
    """Yield that a fall has another number of dice than its height gives."""
    height = state.heights.get(deal.fact.cause)
    if height is None:
        return
    wanted = min(20, height // 10)
    for part in deal.fact.event.parts:
        threw = count_of(part.dice.notation) if part.dice else None
        if threw and threw[1] == 6 and threw[0] != wanted:
            yield Fault(
                ("hazard.falling",), f"a fall of {height} feet", f"{wanted}d6", f"{threw[0]}d6", (deal.fact.cause,)
            )


@derives("hazard.falling", on=(Moved, DamageDealt))
def somebody_falls(state: FifthState, fact: Occurrence[Moved] | Occurrence[DamageDealt]) -> None:
    """Keep how deep somebody falls, and let it lie prone once the fall has hurt it."""
    event = fact.event
    if isinstance(event, Moved):
        if (event.mode or "").casefold() == "fall" and event.distance:
            state.heights[fact.seq] = in_feet(event.distance)
    elif fact.cause in state.heights and event.amount > 0:
        fall_prone(state, event.target, fact.seq, Derived(event.target, Because((), (fact.cause,))))


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


def neglected(takes: Taking, types: frozenset[str], resists: dict[str, str]) -> Iterator[tuple[str, Taking]]:
    """Yield what may have been neglected: the clause, and how damage is taken without it."""
    resisted = next((resists[name] for name in (*types, "all") if name in resists), "resistance.halves")
    yield "immunity.nothing", structs.replace(takes, immune=frozenset())
    yield resisted, structs.replace(takes, resists=frozenset())
    yield "vulnerability.doubles", structs.replace(takes, doubles=frozenset())


def reasons(state: FifthState, deal: Dealing, types: frozenset[str]) -> tuple[int, ...]:
    """Return the records by which somebody takes damage of these types as it does."""
    open_ = {*types, "all"} - {each.casefold() for each in deal.one.sheet.resistances or ()}
    borne_ = ((e.seq, state.begun.get(e.seq)) for e in state.effects.values() if e.bearer == deal.one.id)
    effects = tuple(seq for seq, begun in borne_ if begun and {*resisted(begun.attributes)} & open_)
    return (
        *deal.one.records("resistances", "vulnerabilities", "immunities"),
        *effects,
        *behind(state, deal.one.id, "petrified"),
    )


def possible(takes: Taking, shares: dict[str, int], by: int, one: Combatant) -> set[int]:
    """Return what may be taken where the sheet leaves out what it resists, doubles, or is immune to."""
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


# ---------------------------------------------------------------- one roll for all


@derives("damage.one-roll-for-all", on=DamageDealt)
def damage_is_kept(state: FifthState, fact: Occurrence[DamageDealt]) -> None:
    """Keep damage by the act that deals it."""
    if fact.cause:
        state.dealt.setdefault(fact.cause, []).append(fact)


@checks_by("damage.one-roll-for-all", on=DamageDealt)
def one_roll_hurts_all(state: FifthState, fact: Occurrence[DamageDealt]) -> Iterator[Fault]:
    """Yield that the damage of one act to several targets shows other faces."""
    deed = state.deeds.get(fact.cause)
    if deed is None or state.rolls_of.get(deed.seq) or (state.is_new and deed.action.allows_save is None):
        return
    for other in state.dealt.get(deed.seq, ())[:1]:
        mine, theirs = faces(fact.event.parts), faces(other.event.parts)
        if other.event.target != fact.event.target and mine.keys() == theirs.keys() and mine != theirs:
            says = f"{deed.action.name or deed.kind} rolls once for all"
            yield Fault(("damage.one-roll-for-all",), says, shown(theirs), shown(mine), (other.seq,))


def faces(parts: tuple[Part, ...]) -> dict[tuple[str, str], tuple[int, ...]]:
    """Return the faces of dice by their names and notations."""
    return {(part.name.casefold(), part.dice.notation): tuple(sorted(part.dice.faces)) for part in parts if part.dice}


def shown(found: dict[tuple[str, str], tuple[int, ...]]) -> str:
    """Return faces in words."""
    return "; ".join("+".join(map(str, each)) for each in found.values())


# ---------------------------------------------------------------- conditions that do not take


@checks_by("immunity.nothing", "petrified.resists", on=ConditionGained)
def the_immune_gain_no_condition(state: FifthState, fact: Occurrence[ConditionGained]) -> Iterator[Fault]:
    """Yield that somebody gains a condition to which it is immune, by its sheet or since it is petrified."""
    name = fact.event.condition.casefold()
    for who in fact.event.targets:
        one = state.combatants.get(who)
        if one is None:
            continue
        if name in (each.casefold() for each in one.sheet.immunities or ()):
            why = one.records("immunities")
            yield Fault(("immunity.nothing",), f"{who} is immune to being {name}", "none", name, why)
        elif name in figures.rows(state)["petrified"].get("immune", ()) and "petrified" in borne(state, who):
            why = events_of(has(state, who, "petrified"))
            yield Fault(("petrified.resists",), f"{who} is petrified", "none", name, why)
