"""Attack rolls: totals, hits, critical hits, cover, range and reach; contests, saves and checks."""

from __future__ import annotations

from collections.abc import Iterator
from typing import Any

from eventstore.events import AttackRolled, ContestRolled, DiceRolled, EffectStarted, SaveRolled
from eventstore.shapes import Aim, Dice, Modifier
from projections.because import Because, Derived
from projections.mechanics.rolls import is_on
from projections.occurrence import Occurrence
from projections.rulesets.faults import Fault, checks_by
from projections.rulesets.fifth_edition import figures
from projections.rulesets.fifth_edition.conditions import events_of, exhaustion, has
from projections.rulesets.fifth_edition.dice import has_wrong_face, kept
from projections.rulesets.fifth_edition.ground import is_under_water, reach, records, square_of
from projections.rulesets.fifth_edition.leanings import deed_behind, distance, is_near, manner_of, wrong_dice
from projections.rulesets.fifth_edition.state import Deed, FifthState, Rolled
from projections.rulesets.ruleset import Breach, check, derives

COVERS = {"half cover": 2, "three-quarters cover": 5}


def named(modifiers: tuple[Modifier, ...], *words: str) -> list[Modifier]:
    """Return the modifiers with one of these names."""
    return [each for each in modifiers if each.name.casefold() in words]


def own(modifiers: tuple[Modifier, ...]) -> list[Modifier]:
    """Return the modifiers of a roll itself, without those to what it has to reach."""
    return [each for each in modifiers if (each.to or "").casefold() not in ("ac", "dc") and not is_cover(each)]


def is_cover(each: Modifier) -> bool:
    """Say whether a modifier is cover."""
    return "cover" in each.name.casefold()


@derives("exhaustion.penalty")
def penalty(state: FifthState, who: str, modifiers: tuple[Modifier, ...]) -> int:
    """Return what exhaustion of 2024 still takes off a roll whose parts do not name it."""
    level = exhaustion(state, who).value if state.is_new and who in state.combatants else 0
    return 0 if not level or not modifiers or named(modifiers, "exhaustion", "bonus") else -2 * level


def comes_to(state: FifthState, event: Any) -> int | None:
    """Return what a roll comes to by its die and its modifiers, without these or a die as stated; None where nobody can tell.

    What is added to a die that was recorded alone with its outcome is on the sheet, if anywhere.
    """
    if event.die is None or (event.total is not None and not event.modifiers):
        total: int | None = event.total
        return total
    who = getattr(event, "combatant", None) or ""
    added: int | None = sum(each.amount for each in own(event.modifiers))
    if not event.modifiers and (event.hit if isinstance(event, AttackRolled) else event.succeeded) is not None:
        added = bonus_of_save(state, event) if isinstance(event, SaveRolled) else None
    return None if added is None else kept(event.die) + added + penalty(state, who, event.modifiers)


def bonus_of_save(state: FifthState, event: SaveRolled) -> int | None:
    """Return the bonus of a save that the sheet says; None where it says none, or where an effect may add to it."""
    one = state.combatants.get(event.combatant)
    if one is None or any(effect.bearer == one.id for effect in state.effects.values()):
        return None
    return figures.save(one, "constitution" if event.purpose == "concentration" else figures.ability(event.save))


# ---------------------------------------------------------------- to hit


@derives("cover.bonus")
def cover_of(state: FifthState, event: AttackRolled, deed: Deed | None) -> Derived[int]:
    """Return what cover adds to the AC of a target: the most protective, as a modifier or an aim tells it."""
    told = [COVERS.get(each.name.casefold(), 0) for each in event.modifiers if is_cover(each)]
    aims = [each for each in aims_of(state, deed) if each.target in (None, event.target)]
    told += [5 if (each.cover or 0) >= 75 else 2 if (each.cover or 0) >= 50 else 0 for each in aims]
    return Derived(max(told, default=0), Because(cover_of.rules))


def aims_of(state: FifthState, deed: Deed | None) -> tuple[Aim, ...]:
    """Return the lines of the effect that an act began."""
    return tuple(aim for seq in state.aimed.get(deed.seq if deed else 0, ()) for aim in state.begun[seq].aim)


@derives("attack.total", "attack.meets-ac", "attack.natural-twenty", "attack.natural-one", "water.ranged")
def hits(state: FifthState, fact: Occurrence[AttackRolled]) -> Derived[bool | None]:
    """Return whether an attack hits: on a 20, on no 1, else by its total against the AC; None where nobody can tell."""
    event, deed = fact.event, deed_behind(state, fact.cause)
    whom = state.combatants.get(event.target or "")
    total, meets, twenty, one, water = hits.rules
    if beyond := too_far_in_water(state, fact, deed):
        return Derived(False, Because((water,), beyond))
    if event.die is not None and kept(event.die) in (1, 20):
        return Derived(kept(event.die) == 20, Because((twenty if kept(event.die) == 20 else one,), (fact.seq,)))
    if event.hit is False and may_be_too_far_in_water(state, fact, deed):
        return Derived(False, Because((meets,), (fact.seq,)))
    ac, said = event.ac, tuple[int, ...]()
    if ac is None and whom and whom.sheet.ac is not None:
        ac, said = whom.sheet.ac + cover_of(state, event, deed).value, whom.records("ac")
    comes = comes_to(state, event)
    if ac is None or comes is None:
        return Derived(event.hit, Because((meets,), (fact.seq,)))
    return Derived(comes >= ac, Because((meets, total), (fact.seq, *said)))


def too_far_in_water(state: FifthState, fact: Occurrence[AttackRolled], deed: Deed | None) -> tuple[int, ...]:
    """Return the records by which a shot under water goes beyond the normal range; nothing where it does not."""
    event = fact.event
    water = is_under_water(state, event.combatant) if event.combatant in state.combatants else ()
    if not water or not event.target or not manner_of(state, event, deed) & {"ranged", "thrown"}:
        return ()
    weapon = figures.weapon_of(state.combatants[event.combatant], event.name or (deed.action.name if deed else None))
    feet, reaches = distance(state, deed, event.combatant, event.target), figures.ranges(weapon)
    return (*water, *records(state, event.combatant, event.target)) if feet and reaches and feet > reaches[0] else ()


def may_be_too_far_in_water(state: FifthState, fact: Occurrence[AttackRolled], deed: Deed | None) -> bool:
    """Say whether a shot may go beyond the normal range under water, for all that is recorded of squares: nobody told how far it goes."""
    event, who = fact.event, fact.event.combatant
    if who not in state.combatants or not manner_of(state, event, deed) & {"ranged", "thrown"}:
        return False
    in_water = is_under_water(state, who) or ("underwater" in state.terrain and square_of(state, who) is None)
    return bool(in_water) and distance(state, deed, who, event.target or "") is None


def lowest(state: FifthState, event: AttackRolled, deed: Deed | None) -> tuple[int, bool]:
    """Return the lowest face that is a critical hit, and whether the sheet says it."""
    one = state.combatants[event.combatant]
    weapon = figures.weapon_of(one, event.name or (deed.action.name if deed else None))
    said = (weapon.critical if weapon else None) or one.sheet.critical
    return said or 20, said is not None


@derives("condition.automatic-critical")
def struck_helpless(state: FifthState, fact: Occurrence[AttackRolled]) -> Derived[bool]:
    """Return whether a hit is critical since it comes from within 5 feet at somebody paralyzed or unconscious."""
    event = fact.event
    if not event.target or event.target not in state.combatants:
        return Derived(False, Because(struck_helpless.rules))
    found = has(state, event.target, *(name for name, row in figures.rows(state).items() if row.get("critical_within")))
    if not found.value or not is_near(state, fact):
        return Derived(False, Because(struck_helpless.rules))
    where = records(state, event.combatant, event.target)
    return Derived(True, Because(struck_helpless.rules, where, state.chosen("within-five"), (found,)))


@derives("attack.meets-ac", "attack.natural-twenty", "condition.automatic-critical", on=AttackRolled)
def attack_is_rolled(state: FifthState, fact: Occurrence[AttackRolled]) -> None:
    """Keep whether an attack hits, and whether it is critical."""
    event, deed = fact.event, deed_behind(state, fact.cause)
    found = hits(state, fact)
    helpless = struck_helpless(state, fact)
    twenty = event.die is not None and kept(event.die) >= lowest(state, event, deed)[0]
    critical = bool(event.critical) or bool(found.value and (twenty or helpless.value))
    told = None if helpless.value and not twenty else critical
    told = told if event.critical is None else event.critical
    rolled = Rolled(
        fact.seq, event.combatant, event.target or "", found.value, critical, told, deed, events_of(helpless)
    )
    state.rolled[fact.seq] = rolled
    if deed:
        state.rolls_of.setdefault(deed.seq, []).append(fact.seq)


# ---------------------------------------------------------------- checks: to hit

ON_ATTACK = (
    "advantage.two-dice",
    "exhaustion.penalty",
    "attack.total",
    "cover.bonus",
    "water.ranged",
    "attack.natural-twenty",
    "attack.natural-one",
    "attack.meets-ac",
)


@checks_by(*ON_ATTACK, on=AttackRolled)
def an_attack_roll_is_right(state: FifthState, fact: Occurrence[AttackRolled]) -> Iterator[Fault]:
    """Yield the first thing that is wrong with an attack roll."""
    found = [*(wrong_total(state, fact)), *wrong_cover(fact), *wrong_hit(state, fact)]
    third = [each for each in found if each.severity == "notice"]
    grave = [each for each in found if each.severity != "notice"]
    yield from (*third, *grave[:1])


def wrong_total(state: FifthState, fact: Occurrence[AttackRolled]) -> Iterator[Fault]:
    """Yield that an attack roll does not add up."""
    event, who = fact.event, fact.event.combatant
    if event.die is None:
        return
    if not is_on(event.die, 20):
        yield Fault(("attack.total",), "a face that no d20 has", "1 to 20", str(kept(event.die)))
    if isinstance(event.die, Dice):
        yield from wrong_dice(event.die)
    missing = penalty(state, who, event.modifiers)
    plain = kept(event.die) + sum(each.amount for each in own(event.modifiers))
    if event.total is not None and event.modifiers and event.total not in (plain, plain + missing):
        yield Fault(
            ("attack.total",), "the total is not the die and its modifiers", str(plain + missing), str(event.total)
        )
    elif missing and event.total != plain + missing and event.total is not None:
        why = events_of(exhaustion(state, who))
        yield Fault(
            ("exhaustion.penalty",), f"exhaustion takes {-missing} off", str(plain + missing), str(event.total), why
        )
    yield from by_sheet(state, fact)


def by_sheet(state: FifthState, fact: Occurrence[AttackRolled]) -> Iterator[Fault]:
    """Yield as a notice that a part named for an ability or proficiency differs from the sheet."""
    one = state.combatants[fact.event.combatant]
    for each in own(fact.event.modifiers):
        name = each.name.casefold()
        said = one.sheet.proficiency if name == "proficiency" else figures.modifier(one, figures.ability(name))
        if said is not None and (name == "proficiency" or figures.ability(name)) and each.amount != said:
            says, why = f"the sheet of {one.id} says {said:+} {name}", one.records("abilities", "proficiency")
            yield Fault(("attack.total",), says, f"{said:+}", f"{each.amount:+}", why, severity="notice")


def wrong_cover(fact: Occurrence[AttackRolled] | Occurrence[SaveRolled]) -> Iterator[Fault]:
    """Yield that cover adds something else than it does, or that two covers are added up."""
    told = [each for each in fact.event.modifiers if each.name.casefold() in COVERS]
    for each in told:
        most = COVERS[each.name.casefold()]
        if abs(each.amount) != most:
            yield Fault(("cover.bonus",), f"{each.name} gives {most}", str(most), str(each.amount))
    if len({each.name.casefold() for each in told}) > 1:
        yield Fault(("cover.bonus",), "only the most protective cover counts", "5", str(sum(e.amount for e in told)))


def wrong_hit(state: FifthState, fact: Occurrence[AttackRolled]) -> Iterator[Fault]:
    """Yield that a hit is told as a miss, a miss as a hit, or a critical hit as none."""
    event, deed = fact.event, deed_behind(state, fact.cause)
    found, shown = hits(state, fact), kept(event.die) if event.die is not None else 0
    if event.die is not None and has_wrong_face(event.die):
        return
    least, known = lowest(state, event, deed)
    rule = next(iter(found.because.rules), "attack.meets-ac")
    if event.hit is not None and found.value is not None and event.hit != found.value and not event.foiled:
        expected, stated = ("a hit", "a miss") if found.value else ("a miss", "a hit")
        yield Fault(
            (rule,),
            f"{fact.event.combatant} is told to {'hit' if event.hit else 'miss'}",
            expected,
            stated,
            found.because.events,
        )
    elif shown == 20 and event.critical is False and found.value:
        yield Fault(("attack.natural-twenty",), "a 20 is a critical hit", "critical", "not critical", (fact.seq,))
    elif event.critical and known and 0 < shown < least and not struck_maybe(state, event):
        yield Fault(
            ("attack.natural-twenty",), f"{shown} is no critical hit", f"{least} or more", str(shown), (fact.seq,)
        )


def struck_maybe(state: FifthState, event: AttackRolled) -> bool:
    """Say whether the target may be helpless, so that any hit is critical."""
    return bool(event.target in state.combatants and has(state, event.target or "", "paralyzed", "unconscious").value)


@check("condition.automatic-critical", on=AttackRolled)
def the_helpless_are_hit_critically(state: FifthState, fact: Occurrence[AttackRolled]) -> Breach | None:
    event = fact.event
    twenty = event.die is not None and kept(event.die) == 20
    if event.critical is not False or twenty or not hits(state, fact).value:
        return None
    found = struck_helpless(state, fact)
    if not found.value:
        return None
    return Breach(f"{event.target} is helpless, and near", "critical", "not critical", events_of(found))


# ---------------------------------------------------------------- checks: where to


@check("attack.range", on=AttackRolled)
def shots_go_no_farther_than_they_can(state: FifthState, fact: Occurrence[AttackRolled]) -> Breach | None:
    event, deed = fact.event, deed_behind(state, fact.cause)
    manner = manner_of(state, event, deed) & {"ranged", "thrown"}
    if not manner or not event.target or event.target not in state.combatants:
        return None
    weapon = figures.weapon_of(state.combatants[event.combatant], event.name or (deed.action.name if deed else None))
    feet, reaches = distance(state, deed, event.combatant, event.target), figures.ranges(weapon)
    if feet is None or reaches is None or feet <= reaches[1] or too_far_in_water(state, fact, deed):
        return None
    where = records(state, event.combatant, event.target)
    return Breach(f"{event.target} is {feet} feet away", f"{reaches[1]} ft", f"{feet} ft", where)


@check("attack.reach", on=AttackRolled)
def blows_reach_no_farther(state: FifthState, fact: Occurrence[AttackRolled]) -> Breach | None:
    event, deed = fact.event, deed_behind(state, fact.cause)
    if deed is None or not event.target or event.target not in state.combatants:
        return None
    manner, one = manner_of(state, event, deed), state.combatants[event.combatant]
    if not manner & {"melee", "unarmed", "offhand"} or manner & {"thrown", "ranged"}:
        return None
    weapon = figures.weapon_of(one, event.name or deed.action.name)
    feet, most = distance(state, deed, one.id, event.target), reach(one, weapon)
    thrown = "offhand" in manner and "melee" not in manner and figures.ranges(weapon)
    if feet is None or feet <= most or thrown:
        return None
    return Breach(
        f"{event.target} is {feet} feet away", f"{most} ft", f"{feet} ft", records(state, one.id, event.target)
    )


@check("cover.total", on=(AttackRolled, EffectStarted))
def nothing_reaches_behind_total_cover(_state: FifthState, fact: Occurrence[Any]) -> Breach | None:
    event = fact.event
    if isinstance(event, AttackRolled):
        wrong = bool(named(event.modifiers, "total cover"))
        return Breach(f"{event.target} is behind total cover", "no attack", "one") if wrong else None
    if len(event.targets) != 1:
        return None
    wrong = any((aim.line or "").casefold() == "blocked" and aim.target in (None, *event.targets) for aim in event.aim)
    return Breach(f"the line to {event.targets[0]} is blocked", "a clear path", "none") if wrong else None


@derives("cover.total", "cover.bonus", on=EffectStarted)
def effect_is_aimed(state: FifthState, fact: Occurrence[EffectStarted]) -> None:
    """Keep what an effect says of itself, and of which act it is."""
    state.begun[fact.seq] = fact.event
    if fact.cause and fact.event.aim:
        state.aimed.setdefault(fact.cause, []).append(fact.seq)


# ---------------------------------------------------------------- spells to hit


@check("spell.attack-bonus", on=AttackRolled)
def spell_attacks_have_their_bonus(state: FifthState, fact: Occurrence[AttackRolled]) -> Breach | None:
    deed = deed_behind(state, fact.cause)
    said = named(fact.event.modifiers, "bonus", "spell attack")
    one = state.combatants[fact.event.combatant]
    armed = figures.weapon_of(one, fact.event.name)
    if deed is None or deed.kind != "cast" or len(said) != 1 or armed:
        return None
    wanted, stated = figures.spell_attack(one)
    if wanted is None or said[0].amount == wanted:
        return None
    severity = "breach" if stated and not any(e.bearer == one.id for e in state.effects.values()) else "notice"
    says, why = f"the sheet of {one.id} gives {wanted:+}", one.records("spellcasting")
    return Breach(says, f"{wanted:+}", f"{said[0].amount:+}", why, severity)


# ---------------------------------------------------------------- saves, checks, contests


def dc_of(state: FifthState, fact: Occurrence[Any]) -> int | None:
    """Return the DC of a save or check: its own, else that of the act that allowed it."""
    event = fact.event
    if event.dc is not None:
        return int(event.dc)
    deed = state.deeds.get(fact.cause)
    allowed = deed.action.allows_save if deed and isinstance(event, SaveRolled) else None
    return allowed.dc if allowed else None


@derives("save.total", "condition.fails-saves", "blinded.sight", "deafened.hearing")
def succeeds(state: FifthState, fact: Occurrence[Any]) -> Derived[bool | None]:
    """Return whether a save or check succeeds: not where a condition fails it, else by its total against the DC."""
    event = fact.event
    if why := fails(state, event):
        return Derived(False, why)
    comes, needed = comes_to(state, event), dc_of(state, fact)
    if isinstance(event, SaveRolled) and comes is not None:
        comes += cover_in_save(event)
    made = event.succeeded if comes is None or needed is None else comes >= needed
    return Derived(
        made, Because(succeeds.rules[:1], (fact.seq, *((fact.cause,) if fact.cause and event.dc is None else ())))
    )


def cover_in_save(event: SaveRolled) -> int:
    """Return what cover adds to a save, where a modifier names it."""
    told = [each.amount for each in event.modifiers if is_cover(each)]
    return max(told, default=0)


@derives("condition.fails-saves", "blinded.sight", "deafened.hearing")
def fails(state: FifthState, event: Any) -> Because | None:
    """Return why a save or check fails by itself: a condition fails it; None where it does not."""
    saves, sight, hearing = fails.rules
    who = event.combatant
    if isinstance(event, SaveRolled):
        save = figures.ability(event.save)
        found = has(state, who, *(name for name, row in figures.rows(state).items() if save in row.get("fails", ())))
        return Because((saves,), (), {}, (found,)) if found.value else None
    for word, name, rule in (("sight", "blinded", sight), ("hearing", "deafened", hearing)):
        found = has(state, who, name)
        if found.value and word in (event.purpose or "").casefold():
            return Because((rule,), (), {}, (found,))
    return None


@checks_by(
    "condition.fails-saves",
    "blinded.sight",
    "deafened.hearing",
    "cover.bonus",
    "exhaustion.penalty",
    "save.total",
    on=(SaveRolled, DiceRolled),
)
def saves_and_checks_are_right(state: FifthState, fact: Occurrence[Any]) -> Iterator[Fault]:
    """Yield the first thing that is wrong with a save or a check."""
    event = fact.event
    if event.purpose in ("death", "concentration") and isinstance(event, SaveRolled):
        return
    if (event.combatant or "") not in state.combatants:
        return
    yield from [*wrong_save(state, fact)][:1]


def wrong_save(state: FifthState, fact: Occurrence[Any]) -> Iterator[Fault]:
    """Yield what is wrong with a save or check."""
    event, why = fact.event, fails(state, fact.event)
    if why:
        if event.succeeded:
            yield Fault(why.rules, f"{event.combatant} fails by its condition", "failed", "made", why.flat().events)
        return
    if isinstance(event, SaveRolled):
        yield from wrong_cover(fact)
    yield from wrong_sum(state, event)
    found = succeeds(state, fact)
    is_d20 = not isinstance(event.die, Dice) or "d20" in event.die.notation
    wrong_face = event.die is not None and has_wrong_face(event.die)
    if (
        event.succeeded is not None
        and found.value is not None
        and event.succeeded != found.value
        and is_d20
        and not wrong_face
    ):
        words = {True: "made", False: "failed"}
        says = f"{comes_to(state, event)} against DC {dc_of(state, fact)}"
        yield Fault(("save.total",), says, words[bool(found.value)], words[event.succeeded], found.because.events)


def wrong_sum(state: FifthState, event: Any) -> Iterator[Fault]:
    """Yield that the total of a save or check is not its die and modifiers."""
    if event.die is None or event.total is None or (isinstance(event.die, Dice) and "d20" not in event.die.notation):
        return
    if not is_on(event.die, 20):
        yield Fault(("save.total",), "a face that no d20 has", "1 to 20", str(kept(event.die)))
    missing = penalty(state, event.combatant, event.modifiers)
    sums = {kept(event.die) + sum(each.amount for each in those) for those in (own(event.modifiers), event.modifiers)}
    if event.total in {each + missing for each in sums} or has_wrong_face(event.die):
        return
    if event.total in sums:
        why = events_of(exhaustion(state, event.combatant))
        yield Fault(
            ("exhaustion.penalty",),
            f"exhaustion takes {-missing} off",
            str(event.total + missing),
            str(event.total),
            why,
        )
    elif event.modifiers:
        yield Fault(
            ("save.total",), "the total is not the die and its modifiers", str(max(sums) + missing), str(event.total)
        )


@derives("save.total", on=(SaveRolled, DiceRolled))
def save_is_made(state: FifthState, fact: Occurrence[Any]) -> None:
    """Keep whether a save or check succeeds, by the act that asked for it."""
    made = succeeds(state, fact).value
    if made is not None:
        state.made[fact.seq] = made
        if fact.cause and isinstance(fact.event, SaveRolled):
            state.saves[fact.cause, fact.event.combatant] = made


@derives("contest.higher-wins", "grapple.contest")
def winner_of(event: ContestRolled) -> str | None:
    """Return who wins a contest: the higher total, nobody at a tie; None where totals are not recorded."""
    totals: dict[str, int] = {}
    for each in event.contenders:
        if each.die is not None:
            totals[each.combatant] = kept(each.die) + sum(part.amount for part in each.modifiers)
        elif each.total is not None or each.check is not None:
            totals[each.combatant] = each.total if each.total is not None else each.check or 0
    if len(totals) < len(event.contenders) or not totals:
        return None
    best = max(totals.values())
    first = [who for who, total in totals.items() if total == best]
    return first[0] if len(first) == 1 else ""


@check("contest.higher-wins", on=ContestRolled)
def the_higher_total_wins(_state: FifthState, fact: Occurrence[ContestRolled]) -> Breach | None:
    wins, told = winner_of(fact.event), fact.event.winner
    if wins is None or told is None or told == wins:
        return None
    return Breach("a tie changes nothing" if not wins else f"{wins} is higher", wins or "nobody", told)
