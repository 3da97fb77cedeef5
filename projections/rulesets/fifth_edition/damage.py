"""Damage: a target's part, dice and amounts, falls, one roll for several targets, suffocation and burning."""

from collections.abc import Iterable, Iterator, Mapping
from operator import itemgetter

from msgspec import Struct, structs

from eventstore.events import DamageDealt, Moved
from eventstore.shapes import Part
from projections.because import Because, Derived
from projections.fight import Combatant
from projections.folds.vitals import update_status
from projections.mechanics.diagnosis import omission
from projections.mechanics.pools import HP
from projections.mechanics.rolls import dice_and_sides, part_points
from projections.mechanics.shares import Taking, damage_by_type
from projections.mechanics.squares import in_feet
from projections.occurrence import Occurrence
from projections.ruleset.faults import Fault, checks_by
from projections.ruleset.ruleset import derives
from projections.rulesets.fifth_edition import circumstances, conditions, figures, spellbook
from projections.rulesets.fifth_edition.circumstances import deed_behind, footprint, is_under_water, roll_behind
from projections.rulesets.fifth_edition.state import Deed, FifthState, Rolled
from projections.rulesets.fifth_edition.table import clauses_with
from projections.time import Boundary

HALF = "half"


class Dealing(Struct, frozen=True):
    """Recorded damage with its dealer, its act and its attack roll."""

    fact: Occurrence[DamageDealt]
    one: Combatant
    dealer: Combatant | None
    deed: Deed | None
    rolled: Rolled | None
    whole: bool
    """Whether the parts are known to be all of the damage."""


def make_dealing(state: FifthState, fact: Occurrence[DamageDealt]) -> Dealing:
    """Return recorded damage with its dealer, its act and its attack roll."""
    event, deed, rolled = fact.event, deed_behind(state, fact.cause), roll_behind(state, fact)
    who = event.source or (deed.who if deed else rolled.who if rolled else "")
    dealer = state.combatants.get(who)
    whole = is_whole_damage(event, damage_types(dealer))
    return Dealing(fact, state.combatants[event.target], dealer, deed, rolled, whole)


def is_whole_damage(event: DamageDealt, names: Mapping[str, str | None]) -> bool:
    """Say whether the parts of damage are all of it.

    They are if each says its kind or is named like something on the dealer's sheet, or if dice of a known type and the
    amounts added to them make up the whole amount, so that nothing else was added or taken off. A part with another
    name, such as one by which a program doubles its roll, may be the work of a resistance or vulnerability.
    """
    named = [bool(each.kind) or each.name.casefold() in names for each in event.parts]
    if not named or all(named):
        return bool(named)
    typed = named[0] or event.parts[0].damage_type is not None
    added = all(known or each.dice or is_bonus(each) for each, known in zip(event.parts, named, strict=True))
    rolled = any(each.dice for each in event.parts)
    return typed and rolled and added and sum(map(part_points, event.parts)) * _damage_factor(event) == event.amount


def is_bonus(part: Part) -> bool:
    """Say whether a flat part is added to a roll: a bonus, an ability modifier, or points of the type in its name."""
    name = part.name.casefold()
    return name in ("bonus", (part.damage_type or "").casefold()) or bool(figures.ability_name(name))


def damage_types(one: Combatant | None) -> dict[str, str | None]:
    """Return the folded names of a sheet's weapons, with the types of their damage, and of its entries, with None."""
    if one is None:
        return {}
    entries: dict[str, str | None] = {each.name.casefold(): None for each in one.sheet.entries or ()}
    return entries | {each.name.casefold(): each.damage_type for each in one.sheet.weapons}


@derives("resistance.halves", "water.fire", "vulnerability.doubles", "immunity.nothing", *clauses_with("resists"))
def damage_taking(state: FifthState, deal: Dealing) -> tuple[Taking, dict[str, str], bool]:
    """Return the way a target takes damage, the clause of each resistance, and whether the sheet states all of it."""
    sheet, event = deal.one.sheet, deal.fact.event
    resists = dict.fromkeys((each.casefold() for each in sheet.resistances or ()), "resistance.halves")
    for effect in state.effects.values():
        begun = state.begun.get(effect.seq)
        if effect.bearer == deal.one.id and begun:
            resists |= dict.fromkeys(resisted_types(begun.attributes), "resistance.halves")
    borne = (row for row in conditions.rows_with(state, "resists") if conditions.carries(state, deal.one.id, row.name))
    resists |= {row.resists: row.rule for row in borne}
    if is_under_water(state, deal.one.id) and _is_immersed(state, deal.one):
        resists.setdefault("fire", "water.fire")
    found = Taking(
        half=is_halved(state, deal),
        less=sum(abs(each.amount) for each in event.reductions),
        late=state.option("save-half") == "reduce-first",
        resists=frozenset(resists),
        doubles=frozenset(each.casefold() for each in sheet.vulnerabilities or ()),
        immune=frozenset(each.casefold() for each in sheet.immunities or ()),
    )
    complete = None not in (sheet.resistances, sheet.vulnerabilities, sheet.immunities)
    return found, resists, complete


def resisted_types(attributes: Iterable[str]) -> Iterator[str]:
    """Yield the types of damage that the attributes of an effect resist."""
    for each in attributes:
        words = each.casefold().replace("resistance", "resists").replace("resist ", "resists ").split()
        if "resists" in words:
            yield from words


def _is_immersed(state: FifthState, one: Combatant) -> bool:
    found = circumstances.square_of(state, one.id)
    squares = footprint(one, found[0]) if found else []
    return all(circumstances.terrain_records(state, "underwater", each) for each in squares)


@derives("save.half")
def is_halved(state: FifthState, deal: Dealing) -> bool:
    """Say whether a save halves damage: the act says so and the target made it, or the damage is recorded as halved."""
    if deal.deed is None or _is_said_to_be_half(deal.fact.event):
        return _is_said_to_be_half(deal.fact.event)
    allowed = deal.deed.save
    return bool(allowed and allowed.half and state.saves.get((deal.deed.seq, deal.one.id)))


def save_severity(deal: Dealing) -> str:
    """Return the severity of a finding on a save: a notice if the save is known by the name of a spell alone."""
    if deal.deed is None or deal.dealer is None or deal.deed.action.allows_save:
        return "breach"
    return figures.severity(deal.dealer, deal.deed.action, "allows_save")


def spell_damage_type(state: FifthState, deed: Deed) -> tuple[str, str]:
    """Return the type of damage of a cast spell, "" if unknown, and where a document, not the sheet, states it, else ""."""
    if deed.kind != "cast" or not deed.name:
        return "", ""
    one = state.combatants[deed.who]
    entry, own = figures.spell_entry(state, one, deed.action), figures.entry_of(one, deed.name)
    if entry is None or entry.damage_type is None:
        return "", ""
    is_own = own is not None and own.damage_type is not None
    return entry.damage_type, "" if is_own else spellbook.spell_reference(deed.name, state.edition)


def _is_said_to_be_half(event: DamageDealt) -> bool:
    return any(HALF in each.name.casefold() for each in event.multipliers)


def may_be_halved(state: FifthState, deal: Dealing) -> bool:
    """Say whether an unrecorded save may have halved damage: the act allows one, or is unknown."""
    if deal.deed is None:
        return bool(deal.fact.doubtful)
    allowed = deal.deed.save
    return bool(allowed and allowed.half) and (deal.deed.seq, deal.one.id) not in state.saves


def _damage_factor(event: DamageDealt) -> int:
    return max((each.amount for each in event.multipliers if HALF not in each.name.casefold()), default=1)


def omissions(takes: Taking, shares: dict[str, int], by: int, resists: dict[str, str]) -> Iterator[tuple[str, int]]:
    """Yield the clauses that may have been left out, each with the damage taken without it.

    Of several resistances each is left out alone, then all; last comes a resistance that is counted twice.
    """
    own = [*dict.fromkeys(resists[name] for name in (*shares, "all") if name in resists)]
    none = structs.replace(takes, resists=frozenset())
    yield "immunity.nothing", structs.replace(takes, immune=frozenset()).damage_taken(shares, by)
    for rule in own:
        others = frozenset(name for name in takes.resists if resists[name] != rule)
        yield rule, structs.replace(takes, resists=others).damage_taken(shares, by)
    yield from ((rule, none.damage_taken(shares, by)) for rule in own[:1])
    yield "vulnerability.doubles", structs.replace(takes, doubles=frozenset()).damage_taken(shares, by)
    if own:
        yield "resistance.no-stacking", none.damage_taken({name: amount // 4 for name, amount in shares.items()}, by)


def deciding_records(state: FifthState, deal: Dealing, types: frozenset[str]) -> tuple[int, ...]:
    """Return the records that decide how a target takes damage of these types."""
    open_ = {*types, "all"} - {each.casefold() for each in deal.one.sheet.resistances or ()}
    own = ((e.seq, state.begun.get(e.seq)) for e in state.effects.values() if e.bearer == deal.one.id)
    effects = tuple(seq for seq, begun in own if begun and {*resisted_types(begun.attributes)} & open_)
    sheet = deal.one.records("resistances", "vulnerabilities", "immunities")
    return (*sheet, *effects, *conditions.records_of(conditions.flag_of(state, deal.one.id, "resists")))


def possible_amounts(takes: Taking, shares: dict[str, int], by: int, one: Combatant) -> set[int]:
    """Return the amounts that are possible if the sheet leaves out resistances, vulnerabilities or immunities."""
    found = {0}
    for name, amount in shares.items():
        each = {takes.damage_taken({name: amount}, by)}
        if one.sheet.resistances is None:
            each.add(structs.replace(takes, resists=takes.resists | {name}).damage_taken({name: amount}, by))
        if one.sheet.vulnerabilities is None:
            each.add(structs.replace(takes, doubles=takes.doubles | {name}).damage_taken({name: amount}, by))
        if one.sheet.immunities is None:
            each.add(0)
        found = {before + more for before in found for more in each}
    return found


@checks_by(
    "critical.dice-twice", "hazard.falling", "attack.unarmed", "two-weapon.no-modifier", "damage.weapon-modifier",
    "immunity.nothing", "resistance.no-stacking", "resistance.order", "resistance.halves", *clauses_with("resists"),
    "water.fire", "vulnerability.doubles", "save.half", "damage.amount", on=DamageDealt,
)  # fmt: skip
def damage_is_right(state: FifthState, fact: Occurrence[DamageDealt]) -> Iterator[Fault]:
    """Yield the first fault in recorded damage."""
    event = fact.event
    if event.object:
        return
    if event.amount < 0:
        yield Fault(("damage.amount",), "damage is never below 0", "0 damage or more", f"{event.amount} damage")
        return
    deal = make_dealing(state, fact)
    found = [*dice_faults(deal), *fall_faults(state, deal), *unarmed_faults(state, deal), *modifier_faults(deal)]
    found = found or [*amount_faults(state, deal)] or [*type_faults(state, deal)] or [*half_faults(state, deal)]
    yield from found[:1]


def dice_faults(deal: Dealing) -> Iterator[Fault]:
    """Yield a fault for a weapon that does not deal its dice, or twice as many in a critical hit."""
    rolled = deal.rolled
    if rolled is None or deal.dealer is None or rolled.stated is None:
        return
    thrown = [(part.name, part.dice.notation) for part in deal.fact.event.parts if part.dice]
    for name, dice in thrown:
        thing = figures.weapon_of(deal.dealer, name) or figures.entry_of(deal.dealer, name)
        own = thing.dice if thing else None
        had, threw = dice_and_sides(own), dice_and_sides(dice)
        if had is None or threw is None or had[1] != threw[1]:
            continue
        wanted = had[0] * (2 if rolled.stated else 1)
        if threw[0] != wanted:
            says = f"{name} deals {own}" + (", and this is a critical hit" if rolled.stated else "")
            yield Fault(("critical.dice-twice",), says, f"{wanted}d{had[1]}", dice, (rolled.seq,))


def unarmed_faults(state: FifthState, deal: Dealing) -> Iterator[Fault]:
    """Yield a fault for an unarmed strike that does not deal 1 and the Strength modifier."""
    if deal.deed is None or deal.dealer is None or "unarmed" not in deal.deed.manner:
        return
    strength, event = figures.modifier(deal.dealer, "strength"), deal.fact.event
    dice = len(event.parts) > 2 or any(part.dice for part in event.parts)
    if strength is None or dice or figures.entry_of(deal.dealer, "unarmed strike", deal.deed.action.name):
        return
    wanted = max(0, 1 + strength)
    stated = sum(map(part_points, event.parts)) if deal.whole else event.amount
    takes, _, complete = damage_taking(state, deal)
    right = [wanted] if deal.whole else [wanted, wanted // 2, wanted * 2, 0]
    if complete and not deal.whole:
        right = [takes.damage_taken({"bludgeoning": wanted})]
    if stated not in right:
        says, why = f"an unarmed strike deals 1{strength:+}", deal.dealer.records("abilities")
        yield Fault(("attack.unarmed",), says, f"{wanted} damage", f"{stated} damage", why)


def modifier_faults(deal: Dealing) -> Iterator[Fault]:
    """Yield a fault for a modifier that is not that of the weapon, and for any modifier of an off-hand attack."""
    deed, one = deal.deed, deal.dealer
    if one is None or deed is None:
        return
    flats = [(part.name, part.amount) for part in deal.fact.event.parts if part.amount is not None]
    style = figures.entry_of(one, "two-weapon fighting", "fighting style: two-weapon fighting")
    if "offhand" in deed.manner and not style:
        for name, amount in flats:
            if amount > 0 and (figures.ability_name(name) or name.casefold() == "bonus"):
                severity = "notice" if name.casefold() == "bonus" else "breach"
                says = f"{one.id}'s off-hand attack adds no modifier"
                yield Fault(("two-weapon.no-modifier",), says, "+0", f"+{amount}", (deed.seq,), severity=severity)
        return
    weapons = [w for part in deal.fact.event.parts if (w := figures.weapon_of(one, part.name))]
    for name, amount in flats:
        named = figures.ability_name(name)
        modifier = figures.modifier(one, named)
        if not weapons or modifier is None:
            continue
        fits = figures.uses_modifier(weapons[0], deed.manner, named)
        if amount != modifier or fits is False:
            says = f"{one.id} adds {amount:+} to the damage of the {weapons[0].name}"
            expected = f"{modifier:+}" if fits is not False else "another ability"
            yield Fault(("damage.weapon-modifier",), says, expected, f"{amount:+}", one.records("abilities", "weapons"))


def amount_faults(state: FifthState, deal: Dealing) -> Iterator[Fault]:
    """Yield a fault for an amount of damage that is not that of its parts, by the clause that was forgotten.

    The parts must be all of the damage, and amounts that the open points of the sheet allow are right. If one forgotten
    clause explains the amount, the fault cites it, else the most likely one.
    """
    if not deal.whole:
        return
    event = deal.fact.event
    shares, stated, by = damage_by_type(event.parts, damage_types(deal.dealer)), event.amount, _damage_factor(event)
    takes, resists, _ = damage_taking(state, deal)
    wanted, types = takes.damage_taken(shares, by), frozenset(shares)
    halved = structs.replace(takes, half=True).damage_taken(shares, by)
    if stated == wanted or (stated == halved and may_be_halved(state, deal)):
        return
    says, why = f"{deal.one.id} takes {wanted} damage", deciding_records(state, deal, types)
    if stated == structs.replace(takes, half=False).damage_taken(shares, by):
        says, why = f"{deal.one.id} made the save: half the damage", deal.one.records("resistances")
        yield Fault(("save.half",), says, f"{wanted} damage", f"{stated} damage", why, severity=save_severity(deal))
    elif stated not in possible_amounts(takes, shares, by, deal.one):
        out = omission(stated, itemgetter(1), omissions(takes, shares, by, resists))
        rule = out[0] if out else likely_clause(takes, shares, resists, stated - wanted)
        yield Fault((rule,), says, f"{wanted} damage", f"{stated} damage", why)


def type_faults(state: FifthState, deal: Dealing) -> Iterator[Fault]:
    """Yield a fault if points stated without dice make up the amount, though the target takes their type otherwise.

    Points of a type to which it is immune cannot be lost. Points that it resists, or to which it is vulnerable, may be
    the rolled ones or those left: a notice says how many would be taken of rolled ones. If something was taken off,
    they are those left.
    """
    event = deal.fact.event
    stated, (takes, resists, _) = event.amount, damage_taking(state, deal)
    shares = damage_by_type(event.parts, damage_types(deal.dealer))
    if deal.deed and not event.parts and stated:
        named, row = spell_damage_type(state, deal.deed)
        if named.casefold() in takes.immune:
            says = f"{deal.deed.name} deals {named}{f' ({row})' if row else ''}, and {deal.one.id} is immune to it"
            why = deal.one.records("immunities")
            severity = "notice" if row else "breach"
            yield Fault(("immunity.nothing",), says, "0 damage", f"{stated} damage", why, severity=severity)
            return
    if any(part.dice for part in event.parts) or sum(shares.values()) != stated:
        return
    if stated in possible_amounts(takes, shares, _damage_factor(event), deal.one):
        return
    if immune := {name: points for name, points in shares.items() if name in takes.immune}:
        says = f"{deal.one.id} is immune to {' and '.join(immune)}"
        why, wanted = deciding_records(state, deal, frozenset(immune)), stated - sum(immune.values())
        yield Fault(("immunity.nothing",), says, f"{wanted} damage", f"{stated} damage", why)
        return
    if any(part_points(part) < 0 for part in event.parts):
        return
    wanted = takes.damage_taken(shares, _damage_factor(event))
    forgotten = [rule for rule, amount in omissions(takes, shares, _damage_factor(event), resists) if amount != wanted]
    if wanted != stated and forgotten:
        says = f"{deal.one.id} takes {wanted} damage if {stated} was rolled"
        why = deciding_records(state, deal, frozenset(shares))
        yield Fault((forgotten[0],), says, f"{wanted} damage", f"{stated} damage", why, severity="notice")


def likely_clause(takes: Taking, shares: dict[str, int], resists: dict[str, str], off: int) -> str:
    """Return the clause that was most likely misread if none was left out: of resistance, of immunity, of amounts."""
    resisted = [resists[name] for name in (*shares, "all") if name in resists]
    if resisted and (takes.less or takes.doubles & shares.keys()):
        return "resistance.order"
    if takes.immune & shares.keys():
        return "immunity.nothing"
    return resisted[0] if resisted and off == 1 else "damage.amount"


def half_faults(state: FifthState, deal: Dealing) -> Iterator[Fault]:
    """Yield a fault if a target that made its save takes as much as one that failed."""
    event, deed = deal.fact.event, deal.deed
    if deed is None or not is_halved(state, deal) or not event.amount or _is_said_to_be_half(event):
        return
    for other in state.dealt.get(deed.seq, ()):
        failed = state.saves.get((deed.seq, other.event.target)) is False
        if failed and other.event.amount == event.amount and not event.parts:
            says, severity = f"{event.target} made the save: half the damage", save_severity(deal)
            half, full = f"{event.amount // 2} damage", f"{event.amount} damage"
            yield Fault(("save.half",), says, half, full, (other.seq,), severity=severity)
            return


def fall_faults(state: FifthState, deal: Dealing) -> Iterator[Fault]:
    """Yield a fault for a fall that does not deal the dice of its height."""
    height = state.heights.get(deal.fact.cause)
    if height is None:
        return
    wanted = min(20, height // 10)
    for part in deal.fact.event.parts:
        threw = dice_and_sides(part.dice.notation) if part.dice else None
        if threw and threw[1] == 6 and threw[0] != wanted:
            says, why = f"a fall of {height} feet deals {wanted}d6", (deal.fact.cause,)
            yield Fault(("hazard.falling",), says, f"{wanted}d6", f"{threw[0]}d6", why)


@derives("hazard.falling", on=(Moved, DamageDealt), phase="points")
def keep_fall(state: FifthState, fact: Occurrence[Moved] | Occurrence[DamageDealt]) -> None:
    """Keep the height of a fall, and let the combatant fall prone once it takes damage by it."""
    event = fact.event
    if isinstance(event, Moved):
        if (event.mode or "").casefold() == "fall" and event.distance:
            state.heights[fact.seq] = in_feet(event.distance)
    elif fact.cause in state.heights and event.amount > 0:
        conditions.fall_prone(state, event.target, fact.seq, Derived(event.target, Because((), (fact.cause,))))


@derives("damage.one-roll-for-all", on=DamageDealt, phase="points")
def keep_damage(state: FifthState, fact: Occurrence[DamageDealt]) -> None:
    """Keep the damage that an act deals."""
    if fact.cause:
        state.dealt.setdefault(fact.cause, []).append(fact)


@checks_by("damage.one-roll-for-all", on=DamageDealt)
def one_roll_hurts_all(state: FifthState, fact: Occurrence[DamageDealt]) -> Iterator[Fault]:
    """Yield a fault if the damage of one act to several targets shows different dice."""
    deed = state.deeds.get(fact.cause)
    if deed is None or state.rolls_of.get(deed.seq) or (state.is_new and deed.save is None) or is_attack(state, deed):
        return
    for other in state.dealt.get(deed.seq, ())[:1]:
        mine, theirs = _faces_by_dice(fact.event.parts), _faces_by_dice(other.event.parts)
        if other.event.target != fact.event.target and mine.keys() == theirs.keys() and mine != theirs:
            says = f"{deed.action.name or deed.kind} makes one damage roll for all its targets"
            yield Fault(("damage.one-roll-for-all",), says, _format_faces(theirs), _format_faces(mine), (other.seq,))


def is_attack(state: FifthState, deed: Deed) -> bool:
    """Say whether an act is an attack, or a spell that attacks: each roll deals damage of its own, recorded or not."""
    if deed.kind == "attack":
        return True
    if deed.kind != "cast" or not deed.name:
        return False
    spell = spellbook.spell_named(deed.name, state.edition)
    return spell is not None and bool(spell.attack)


def _faces_by_dice(parts: tuple[Part, ...]) -> dict[tuple[str, str], tuple[int, ...]]:
    return {(part.name.casefold(), part.dice.notation): tuple(sorted(part.dice.faces)) for part in parts if part.dice}


def _format_faces(found: dict[tuple[str, str], tuple[int, ...]]) -> str:
    return "; ".join("+".join(map(str, each)) for each in found.values())


@derives("hazard.suffocation", at=("turn began", "turn ended"), phase="aftermath")
def run_out_of_breath(state: FifthState, turn: Boundary) -> None:
    """Let a suffocating combatant fall to 0 hit points after as many rounds as its Constitution modifier, or gain exhaustion in 2024."""
    one = state.combatants[turn.who]
    if not conditions.carries(state, one.id, "suffocating"):
        state.choking.pop(one.id, None)
        return
    found = conditions.has(state, one.id, "suffocating")
    is_new = state.is_new
    if turn.kind == "turn ended":
        level = Because((), (turn.seq,), (found,))
        state.exhausted.setdefault(one.id, []).append((int(is_new), Derived(one.id, level)))
        update_status(state, one)
    elif not is_new:
        since = conditions.records_of(found)[0]
        before, turns = state.choking.get(one.id, (since, ()))
        turns = (*turns, turn.seq) if before == since else (turn.seq,)
        state.choking[one.id] = since, turns
        constitution = figures.modifier(one, "constitution")
        if constitution is not None and len(turns) == max(1, constitution) + 1 and (one.hp or 0) > 0:
            why = Because((), turns, (found,))
            one.pools[HP].set_value(0, turn.seq, (why,))
            state.body(one.id).by = run_out_of_breath.rules
            update_status(state, one)
            if one.status == "dying":
                conditions.fall_prone(state, one.id, turn.seq, Derived(one.id, why))


@derives("hazard.burning", at="turn began", phase="aftermath")
def owe_fire_damage(state: FifthState, turn: Boundary) -> None:
    """Let a burning combatant owe fire damage as its turn begins, in 2024."""
    found = conditions.has(state, turn.who, "burning")
    state.fire_due.pop(turn.who, None)
    burns = found.value and state.is_new
    why = Because(owe_fire_damage.rules, (turn.seq,), (found,))
    if burns:
        state.fire_due[turn.who] = why
    elif found.because.of:
        state.ended["fire", turn.who] = why


@derives("hazard.burning", on=DamageDealt, phase="points")
def count_fire_damage(state: FifthState, fact: Occurrence[DamageDealt]) -> None:
    """Count recorded fire damage as that of burning."""
    types = {(part.damage_type or "fire").casefold() for part in fact.event.parts} or {"fire"}
    if "fire" in types and (due := state.fire_due.pop(fact.event.target, None)):
        state.ended["fire", fact.event.target] = Because((), (fact.seq,), (due,))


@derives("hazard.burning")
def due_fire_damage(state: FifthState, who: str) -> Derived[str]:
    """Return the fire damage that is due for a combatant, or none."""
    if due := state.fire_due.get(who):
        return Derived("1d4 fire", due)
    return Derived("none", Because(due_fire_damage.rules, (state.combatants[who].joined,), state.why_over("fire", who)))
