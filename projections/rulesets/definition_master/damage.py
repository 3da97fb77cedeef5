"""Damage: the totals that its dice allow, the parts added to each roll of them; late checks of it."""

from collections import Counter
from collections.abc import Iterable, Iterator
from itertools import product

from eventstore.events import AttackRolled, DamageDealt
from projections.because import NOTHING_CITED, Because, Derived
from projections.mechanics.diagnosis import omission
from projections.mechanics.grants import is_named, words_of
from projections.mechanics.rolls import count_dice, dice_and_sides, has_valid_faces, part_points, possible_sums
from projections.occurrence import Occurrence
from projections.ruleset.faults import Fault, checks_by
from projections.ruleset.ruleset import Breach, check, derives
from projections.rulesets.definition_master import arms, attack
from projections.rulesets.definition_master.acts import BLOWS, act_behind
from projections.rulesets.definition_master.attack import does_hit, is_critical, sheet_part, short_part_name
from projections.rulesets.definition_master.massive import unsaved_breach
from projections.rulesets.definition_master.reading import Reading
from projections.rulesets.definition_master.state import AttackRoll, Dealt, MasterAct, MasterState, Named, Parts
from projections.rulesets.definition_master.table import bonuses, bonuses_of, fault_clauses, kinds, mentions
from projections.rulesets.definition_master.vitals import attacker
from projections.sheet import entry_named
from projections.stream.causes import causes

AFTER, PLAIN, TWO, DICE = "damage.after-hit", "damage.die-plus-strength", "damage.two-handed", "critical.weapon-dice"
NEGATIVE, EXTRA, FLAT = "damage.negative-strength", "critical.extra-dice-once", "critical.flat-multiplied"
SPELL, SPELLS = "critical.spell-damage-twice", "critical.spells-can"
LISTED = ("weapon", "spell", "listed", "base")
"""The kinds of parts that are the dice of the weapon or spell."""
SHIELD_DICE = {"buckler": "1d4", "full": "1d6", "tower": "1d10"}
"""The dice of the shields, by a word of their names."""


def parse_parts(event: DamageDealt) -> Parts:
    """Return the parts of recorded damage; dice without a kind are those of the weapon if they come first."""
    said = {(part.kind or "").casefold() for part in event.parts}
    first = next((part.name for part in event.parts if part.dice), None) if said.isdisjoint(LISTED) else None
    found, off = Parts([], [], Counter()), [abs(mod.amount) for mod in event.reductions]
    for part in event.parts:
        kind = (part.kind or "").casefold()
        if kind == "reduction" or "reduction" in words_of(part.name):
            off.append(abs(part_points(part)))
        elif kind in LISTED or (not kind and part.dice and part.name == first):
            found.listed.append(part)
        elif part.dice or kind == "extra":
            found.extra.append(part)
        else:
            found.flat[short_part_name(part.name)] += part_points(part)
    return found._replace(reductions=sum(off)) if off else found


@derives("damage.die-plus-strength", "damage.two-handed", "damage.negative-strength")
def strength_part(state: MasterState, who: str, hands: Derived[bool], manner: Iterable[str]) -> Named:
    """Return the amount that Strength adds to a roll of damage: one and a half times with two hands, rounded down."""
    one = state.combatants[who]
    own, weapons = one.sheet.str_, Derived("", Because((), one.records("weapons")))
    because = Because((), one.records("str"), (hands, weapons))
    if not hands.value and "two-handed" not in map(str.casefold, manner):
        return Named("str", own, PLAIN, Because((PLAIN,), of=(because,)))
    if own >= 0:
        return Named("str", own * 3 // 2, TWO, Because((TWO, PLAIN), of=(because,)))
    amount = own * 3 // 2 if state.option("negative-rounding") == "down" else -(-own * 3 // 2)
    return Named("str", amount, NEGATIVE, Because((NEGATIVE, TWO, PLAIN), (), (because,)))


def flat_parts(state: MasterState, who: str, roll: AttackRoll, manner: Iterable[str]) -> Iterator[Named]:
    """Yield the parts added to each roll of a weapon's dice."""
    weapon, hands = roll.arm, arms.takes_both_hands(state, who, roll.arm)
    yield strength_part(state, who, hands, manner)
    if weapon and weapon.bonus:
        yield sheet_part(state, who, short_part_name(weapon.name), weapon.bonus, "damage.die-plus-strength", "weapons")
    yield from arms.stance_parts(state, who, "damage", hands.value)
    if weapon and (unused := arms.untrained_weapon(state, who, weapon)):
        for row in bonuses_of("untrained-weapon", "damage"):
            yield Named("untrained", row.amount, row.rule, Because((row.rule,), of=(unused,)))


def optional_parts(state: MasterState, who: str) -> Iterator[Named]:
    """Yield the parts that feats, entries, effects and rulings may add to each roll of damage."""
    sheet, rule = state.combatants[who].sheet, "damage.die-plus-strength"
    found = [(name, amount) for name, amount in sheet.feats.items() if {"offensive", "damage"} & {*words_of(name)}]
    mods = (mod for entry in sheet.entries for mod in entry.modifiers if (mod.to or "").casefold() == "damage")
    for name, amount in (*found, *((mod.name, mod.amount) for mod in mods)):
        yield sheet_part(state, who, short_part_name(name), amount, rule, "feats", "entries")
    for name, amount, why in arms.added_parts(state, who, "damage"):
        yield Named(short_part_name(name), amount, rule, why)


@derives("damage.die-plus-strength", "bash.damage", "critical.spell-damage-twice", on=DamageDealt, phase="points")
def keep_damage(state: MasterState, fact: Reading[DamageDealt]) -> None:
    """Keep damage with its values of that moment: the attack roll, the dice, and what each roll of them adds."""
    event = fact.event
    act = act_behind(state, fact.fact)
    roll = roll_behind_damage(state, fact.fact) or implied_roll(act, fact)
    who = hit.attacker if (hit := state.round.hits.get(fact.seq)) else attacker(state, fact.fact)
    manner = act.action.manner if act else ()
    spell = (act and act.kind in kinds("spells")) or (roll and roll.is_touch)
    dealt = Dealt(fact.fact, who, parse_parts(event), roll, spell=bool(spell))
    if who in state.combatants:
        dice, dealt.rule, dealt.times = dice_of(state, who, roll, act.action.name if act else event.source)
        dealt.base = dice_and_sides(dice)
        dealt.strength, dealt.riders = state.combatants[who].sheet.str_, further_dice(state, who)
        if roll and not dealt.spell:
            if dealt.rule == PLAIN:
                dealt.base = weapon_dice(state, dealt, roll.weapon)
            dealt.flats = tuple(flat_parts(state, who, roll, manner))
            dealt.optional = tuple(optional_parts(state, who))
            target = state.combatants[event.target]
            takes_off = 0 if event.object else target.sheet.reduction
            dealt.reduction = Derived(takes_off, Because((), target.records("reduction")))
        state.health.blows[who] = dealt
        keep_further_dice(state, dealt)
    state.round.dealt[fact.seq] = dealt


def weapon_dice(state: MasterState, dealt: Dealt, weapon: str) -> tuple[int, int] | None:
    """Return the dice of the weapon that the recorded dice name; None if it is not on the sheet."""
    said = next((part.name for part in dealt.parts.listed), weapon)
    if is_named(said, (weapon,)) or mentions("dice", said) or dice_and_sides(said):
        return dealt.base
    named = arms.weapon_named(state, dealt.who, said)
    return dice_and_sides(named.dice) if named else None


def further_dice(state: MasterState, who: str) -> dict[str, int]:
    """Return the numbers of further dice, by name: from a combatant's entries, else from its earlier rolls."""
    entries = {entry.name.casefold(): dice_and_sides(entry.dice) for entry in state.combatants[who].sheet.entries}
    said = {name: found[0] for name, found in entries.items() if found}
    return {name: count for (one, name), count in state.health.riders.items() if one == who} | said


def keep_further_dice(state: MasterState, dealt: Dealt) -> None:
    """Keep the numbers of further dice that a combatant first rolled in a hit that was not critical."""
    rolled = [(part.name.casefold(), part.dice) for part in dealt.parts.extra if part.dice]
    if rolled and dealt.roll and not is_critical(state, dealt.roll).value:
        for name, dice in rolled:
            state.health.riders.setdefault((dealt.who, name), len(dice.faces))


def roll_behind_damage(state: MasterState, fact: Occurrence[DamageDealt]) -> AttackRoll | None:
    """Return the attack roll behind damage, its nearest cause with one: no opening touch, no confirmation."""
    for seq in (fact.cause, *(each.cause for each in causes(state, fact.cause))):
        roll = state.round.rolls.get(seq) or state.round.rolls.get(next(reversed(state.flow.rolled.get(seq, ())), 0))
        roll = state.round.rolls.get(roll.confirms) if roll and roll.confirms else roll
        if roll:
            return None if roll.opens else roll
    return None


def implied_roll(act: MasterAct | None, fact: Reading[DamageDealt]) -> AttackRoll | None:
    """Return an attack roll for a blow without a recorded one; None if the damage is not a blow's."""
    event = fact.event
    contest = fact.state.combat.bouts.get(fact.cause)
    cause = contest.attempt.act if contest else fact.cause
    if act is None or act.seq != cause or event.source not in (None, act.combatant):
        return None
    if act.kind not in (*BLOWS, "shatter"):
        return None
    who, name = act.combatant, act.action.name
    roll, arm = AttackRolled(combatant=who, target=event.target, name=name), arms.weapon_of(fact.state, who, name)
    return AttackRoll(act.seq, who, event.target, roll, act, weapon=name or "", arm=arm)


def dice_of(state: MasterState, who: str, roll: AttackRoll | None, name: str | None) -> tuple[str | None, str, int]:
    """Return the dice of a weapon, a shield or a spell, the clause behind them, and the multiplier of a critical hit."""
    one = state.combatants[who]
    if roll and roll.act.kind == "bash":
        said = [roll.weapon, *arms.items_by_slot(state, who).values(), *one.sheet.shields]
        dice = (die for name in said for shield, die in SHIELD_DICE.items() if shield in words_of(name))
        return next(dice, None), "bash.damage", 2
    if roll is None or roll.spell:
        entry = entry_named(one.sheet.entries, name, roll.event.name if roll else None)
        return (entry.dice if entry else None), SPELL, (entry.multiplier if entry else None) or 2
    if roll.arm:
        return roll.arm.dice, PLAIN, roll.arm.multiplier
    return (one.sheet.unarmed if mentions("bare", roll.weapon) else None), PLAIN, 2


def dice_multiplier(state: MasterState, dealt: Dealt) -> Derived[int]:
    """Return the number of times that the dice of a blow are rolled."""
    if dealt.roll is None:
        return Derived(1, NOTHING_CITED)
    critical = is_critical(state, dealt.roll)
    return Derived(dealt.times if critical.value else 1, critical.because)


def _unexplained_flats(dealt: Dealt) -> dict[str, int]:
    known = {each.name for each in (*dealt.flats, *dealt.optional)} | undue_flats(dealt).keys()
    return {name: amount for name, amount in dealt.parts.flat.items() if name not in known}


def undue_flats(dealt: Dealt) -> dict[str, str]:
    """Return the recorded flat parts of stances that are not in force, with the clauses that give them."""
    known = {each.name for each in (*dealt.flats, *dealt.optional)}
    given = {short_part_name(row.name): row.rule for row in bonuses() if row.to == "damage"}
    return {name: given[name] for name in dealt.parts.flat if name in given and name not in known}


def due_flats(dealt: Dealt) -> list[Named]:
    """Return the parts that are added to each roll of the dice: those always added, and optional ones that were recorded."""
    return [*dealt.flats, *(each for each in dealt.optional if each.name in dealt.parts.flat)]


@derives("critical.flat-multiplied", "critical.weapon-dice", "critical.extra-dice-once", "damage.die-plus-strength")
def damage_total(state: MasterState, dealt: Dealt) -> Derived[int]:
    """Return the total of damage by its parts: dice, the parts added to each roll of them, further dice, less reductions."""
    totals = possible_totals(state, dealt)
    stated = dealt.fact.event.amount
    times = dice_multiplier(state, dealt)
    if not totals:
        return Derived(stated, Because(("hp.damage-subtracts",), (dealt.fact.seq,)))
    own = due_flats(dealt)
    critical = ("critical.weapon-dice", "critical.flat-multiplied", "critical.extra-dice-once")
    rules = (*(critical if times.value > 1 and not dealt.spell else ()), dealt.rule)
    first = tuple(dict.fromkeys(each.rule for each in own if each.amount and each.rule != "damage.die-plus-strength"))
    total = stated if stated in totals else totals[0]
    own += dealt.optional if total != totals[0] else ()
    because = Because((*first, *rules), (dealt.fact.seq,), of=(times, dealt.reduction, *(each.because for each in own)))
    return Derived(total, because)


def possible_totals(state: MasterState, dealt: Dealt, times: int = 0) -> list[int]:
    """Return the totals that the recorded dice allow, rolled so many `times`, the likeliest first."""
    parts = dealt.parts
    if not parts.listed or dealt.roll is None:
        return []
    times = times or dice_multiplier(state, dealt).value
    dice = sum(map(part_points, (*parts.listed, *parts.extra)))
    flat = times * sum(each.amount for each in due_flats(dealt))
    off = dealt.reduction.value if parts.reductions is None else parts.reductions
    optional_ = [each.amount * times for each in dealt.optional if each.name not in parts.flat]
    amounts = product(unexplained_amounts(dealt, times), [0, *optional_, sum(optional_)])  # none, one or all of them
    return [max(0, dice + flat + unexplained + optional - off) for unexplained, optional in amounts]


def unexplained_amounts(dealt: Dealt, times: int) -> list[int]:
    """Return the amounts that unexplained flat parts may add: their sum for each roll or once, like due parts."""
    flat, due = dealt.parts.flat, due_flats(dealt)
    amount = sum(_unexplained_flats(dealt).values())
    if amount == times * sum(each.amount for each in due) and not any(each.name in flat for each in dealt.flats):
        return [0]  # it stands for the parts that are due
    recorded = [(flat.get(each.name), each.amount) for each in due if each.amount]
    is_multiplied = any(found == due_once * times for found, due_once in recorded)
    is_single = any(found == due_once for found, due_once in recorded)
    ways = ((not is_multiplied, amount * times), (is_multiplied or not is_single, amount))
    return [each for is_possible, each in ways if is_possible]


@check("massive.half-maximum", on=DamageDealt)
def massive_damage_is_saved_against(state: MasterState, fact: Reading[DamageDealt]) -> Breach | None:
    hit = state.round.hits.get(fact.seq)
    return unsaved_breach(state, hit) if hit and hit.is_open and hit.next else None


@checks_by(*fault_clauses("damage"), on=DamageDealt)
def damage_is_recorded_rightly(state: MasterState, fact: Reading[DamageDealt]) -> Iterator[Fault]:
    """Yield the faults in the record of damage; a consequence of another fault is none."""
    if (dealt := state.round.dealt.get(fact.seq)) is None:
        return
    if dealt.roll and (hit := does_hit(state, dealt.roll)).value is False:
        says, found = f"{dealt.roll.who}'s attack missed", f"{dealt.fact.event.amount} damage"
        yield Fault((AFTER,), says, "no damage", found, hit.because.flat().events)
        return
    yield from _face_faults(dealt)
    others, extra = [*_dice_faults(dealt)], [*_further_dice_faults(state, dealt)]
    counts = [] if others else [*_count_faults(state, dealt)]
    yield from (*others, *counts, *extra, *_sum_faults(state, dealt, counted=bool(counts)))


def _face_faults(dealt: Dealt) -> Iterator[Fault]:
    """Yield a fault for dice that show faces they do not have."""
    for rule, among in ((dealt.rule or PLAIN, dealt.parts.listed), (EXTRA, dealt.parts.extra)):
        for dice in (part.dice for part in among if part.dice and not has_valid_faces(part.dice)):
            shown = ", ".join(map(str, dice.faces))
            yield Fault((rule,), f"{dice.notation} cannot show {shown}", dice.notation, shown)


def _dice_faults(dealt: Dealt) -> Iterator[Fault]:
    """Yield a fault for dice that are not those of the weapon, shield or spell."""
    wanted = dealt.base if dealt.roll and not dealt.fact.event.nonlethal else None
    for part in dealt.parts.listed:
        found = dice_and_sides(part.dice.notation) if part.dice else None
        if found and wanted and found[1] != wanted[1]:
            yield Fault((dealt.rule,), f"the dice for {part.name} are d{wanted[1]}s", f"d{wanted[1]}", f"d{found[1]}")


def _count_faults(state: MasterState, dealt: Dealt) -> Iterator[Fault]:
    """Yield a fault for dice as in a critical hit without one, and for a wrong number of dice in one."""
    count, base, times = count_dice(dealt.parts.listed), dealt.base, dice_multiplier(state, dealt).value
    if times == 1:
        if is_rolled_as_critical(dealt) and (rules := why_no_critical(state, dealt)):
            yield Fault(rules, f"{dealt.who or 'nobody'} scores no critical hit", "the dice once", f"{count} dice")
        return
    if count and (count != base[0] * times if base else count % times):
        due_ = f"{base[0] * times} dice" if base else f"the dice {times} times"
        rule = SPELL if dealt.spell else DICE
        found = f"{count} {'die' if count == 1 else 'dice'}"
        yield Fault((rule,), f"a critical hit rolls the dice {times} times", due_, found)


def is_rolled_as_critical(dealt: Dealt) -> bool:
    """Say whether dice were rolled as for a critical hit: more of them than the weapon has, or with a multiplier."""
    count, base = count_dice(dealt.parts.listed), dealt.base
    times = max((each.amount for each in dealt.fact.event.multipliers), default=1)
    return times > 1 or (base is not None and count > base[0])


def why_no_critical(state: MasterState, dealt: Dealt) -> tuple[str, ...]:
    """Return the clause that denies damage a critical hit; nothing if the roll itself has a fault of that kind."""
    if dealt.roll is None:
        return (SPELLS,) if dealt.spell else ()
    found = (one for roll in (dealt.roll, dealt.roll.confirmed) if roll for one in attack.roll_faults(state, roll))
    reported = any(rule.startswith("critical.") for one in found for rule in one.rules)
    return () if reported else is_critical(state, dealt.roll).because.rules


def _further_dice_faults(state: MasterState, dealt: Dealt) -> Iterator[Fault]:
    """Yield a fault for further dice that were rolled more than once in a critical hit."""
    times = dice_multiplier(state, dealt).value
    for name in dict.fromkeys(part.name for part in dealt.parts.extra if part.dice) if times > 1 else ():
        own = [part for part in dealt.parts.extra if part.name == name]
        count, known = count_dice(own), dealt.riders.get(name.casefold())
        multiplied = len(own) >= times or count % times == 0
        if count > known if known else multiplied:
            says = f"a critical hit does not multiply the dice of {name}"
            yield Fault((SPELL if dealt.spell else EXTRA,), says, "the dice once", f"{count} dice")


def _sum_faults(state: MasterState, dealt: Dealt, *, counted: bool) -> Iterator[Fault]:
    """Yield a fault for an amount that its parts do not allow, unless it follows from dice `counted` wrong."""
    totals, stated = possible_totals(state, dealt), dealt.fact.event.amount
    more = (dice_multiplier(state, dealt).value - 1) * sum(map(part_points, dealt.parts.listed))
    if counted and stated in (*possible_totals(state, dealt, 1), *(each + more for each in totals)):
        return
    unearned = dice_multiplier(state, dealt).value == 1 and is_rolled_as_critical(dealt)
    if not totals or stated in totals or stated < 0 or unearned:
        return
    found = damage_total(state, dealt)
    rule = next(iter(undue_flats(dealt).values()), "") or clause_of_wrong_amount(state, dealt, stated, totals[0])
    says = f"{dealt.who} deals {totals[0]} damage"
    yield Fault((rule,), says, f"{totals[0]} damage", f"{stated} damage", found.because.flat().events)


def clause_of_wrong_amount(state: MasterState, dealt: Dealt, stated: int, due: int) -> str:
    """Return the clause of a part recorded wrong, else of one left out of the sum, else of the dice."""
    times, flat = dice_multiplier(state, dealt).value, dealt.parts.flat
    for each in due_flats(dealt):
        if flat.get(each.name) not in (None, each.amount, each.amount * times):
            return each.rule
    out = omission(stated, lambda out: due + out[1], omissions(dealt, times))
    return out[0] if out else PLAIN


def omissions(dealt: Dealt, times: int) -> Iterator[tuple[str, int]]:
    """Yield the clauses that can be left out of an amount, each with the points that this adds: the multiplication of
    flat parts, a part other than Strength, the way Strength is added unless the difference equals the reduction.
    """
    due, one = due_flats(dealt), dealt.strength
    flats = [*(each.amount for each in (*due, *dealt.optional)), *_unexplained_flats(dealt).values()]
    yield from ((FLAT, -(times - 1) * each) for each in possible_sums(flats))
    for each in (part for part in due if part.name != "str"):
        others = (0, *(row.amount for row in bonuses() if row.rule == each.rule))
        yield from ((each.rule, (other - each.amount) * times) for other in others)
    for each in due[:1]:
        ways = ((way - each.amount) * times for way in (one, one * 3 // 2, (one * 3 + 1) // 2, one * 2))
        yield from ((TWO if each.rule == PLAIN else each.rule, way) for way in ways if way != dealt.reduction.value)
