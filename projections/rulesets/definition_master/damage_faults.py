"""Checks of damage, made when the round is over: massive hits without a save, damage of a miss, wrong dice, wrong
sums.
"""

from collections.abc import Iterator

from eventstore.events import DamageDealt
from projections.mechanics.diagnosis import left_out
from projections.mechanics.rolls import count_of, is_shown, sums, thrown, worth
from projections.ruleset.faults import Fault, checks_by
from projections.ruleset.ruleset import Breach, check
from projections.rulesets.definition_master import attack_faults, damage
from projections.rulesets.definition_master.attack import critical_of, hit_of
from projections.rulesets.definition_master.massive import breach_of_unsaved
from projections.rulesets.definition_master.reading import Reading
from projections.rulesets.definition_master.state import Dealt, MasterState
from projections.rulesets.definition_master.table import bonuses, faults_of


@check("massive.half-maximum", on=DamageDealt)
def massive_damage_is_saved_against(state: MasterState, fact: Reading[DamageDealt]) -> Breach | None:
    hit = state.round.hits.get(fact.seq)
    return breach_of_unsaved(state, hit) if hit and hit.is_open and hit.next else None


AFTER, PLAIN, TWO, DICE = "damage.after-hit", "damage.die-plus-strength", "damage.two-handed", "critical.weapon-dice"
EXTRA, FLAT = "critical.extra-dice-once", "critical.flat-multiplied"
SPELL, SPELLS = "critical.spell-damage-twice", "critical.spells-can"


def faults(state: MasterState, dealt: Dealt) -> Iterator[Fault]:
    """Yield the faults in the record of damage; a consequence of another fault is none."""
    if dealt.roll and (hit := hit_of(state, dealt.roll)).value is False:
        says = f"the attack of {dealt.roll.who} missed"
        yield Fault((AFTER,), says, "no damage", str(dealt.fact.event.amount), hit.because.flat().events)
        return
    yield from _of_faces(dealt)
    others, extra = [*_of_dice(dealt)], [*_of_extra(state, dealt)]
    counts = [] if others else [*_of_count(state, dealt)]
    yield from (*others, *counts, *extra, *_of_sum(state, dealt, counted=bool(counts)))


def _of_faces(dealt: Dealt) -> Iterator[Fault]:
    """Yield a fault for dice that show faces they do not have."""
    rule = dealt.rule or PLAIN
    for own, among in ((rule, dealt.parts.listed), (EXTRA, dealt.parts.extra)):
        for part in among:
            if part.dice and not is_shown(part.dice):
                shown = ", ".join(map(str, part.dice.faces))
                yield Fault((own,), f"{part.dice.notation} cannot show {shown}", part.dice.notation, shown)


def _of_dice(dealt: Dealt) -> Iterator[Fault]:
    """Yield a fault for dice that are not those of the weapon, shield or spell."""
    wanted = dealt.base if dealt.roll and not dealt.fact.event.nonlethal else None
    for part in dealt.parts.listed:
        found = count_of(part.dice.notation) if part.dice else None
        if found and wanted and found[1] != wanted[1]:
            yield Fault((dealt.rule,), f"{part.name} has dice of {wanted[1]}", f"d{wanted[1]}", f"d{found[1]}")


def _of_count(state: MasterState, dealt: Dealt) -> Iterator[Fault]:
    """Yield a fault for dice rolled as for a critical hit without one, and for a wrong number of dice in a critical
    hit.
    """
    count, base, times = thrown(dealt.parts.listed), dealt.base, damage.multiplier(state, dealt).value
    if times == 1:
        if is_doubled(dealt) and (rules := undeserved(state, dealt)):
            yield Fault(rules, f"{dealt.who or 'nobody'} scores no critical hit", "the dice once", f"{count} dice")
        return
    if count and (count != base[0] * times if base else count % times):
        due_ = f"{base[0] * times} dice" if base else f"the dice {times} times"
        rule = SPELL if dealt.spell else DICE
        yield Fault((rule,), f"a critical hit rolls the dice {times} times", due_, f"{count}")


def is_doubled(dealt: Dealt) -> bool:
    """Say whether dice were rolled as for a critical hit: more of them than the weapon has, or with a multiplier."""
    count, base = thrown(dealt.parts.listed), dealt.base
    times = max((each.amount for each in dealt.fact.event.multipliers), default=1)
    return times > 1 or (base is not None and count > base[0])


def undeserved(state: MasterState, dealt: Dealt) -> tuple[str, ...]:
    """Return the clause that denies damage a critical hit; nothing if the roll itself has a fault of that kind."""
    if dealt.roll is None:
        return (SPELLS,) if dealt.spell else ()
    found = (one for roll in (dealt.roll, dealt.roll.confirmed) if roll for one in attack_faults.faults(state, roll))
    reported = any(rule.startswith("critical.") for one in found for rule in one.rules)
    return () if reported else critical_of(state, dealt.roll).because.rules


def _of_extra(state: MasterState, dealt: Dealt) -> Iterator[Fault]:
    """Yield a fault for further dice that were rolled more than once in a critical hit."""
    times = damage.multiplier(state, dealt).value
    for name in dict.fromkeys(part.name for part in dealt.parts.extra if part.dice) if times > 1 else ():
        own = [part for part in dealt.parts.extra if part.name == name]
        count, known = thrown(own), dealt.riders.get(name.casefold())
        multiplied = len(own) >= times or count % times == 0
        if count > known if known else multiplied:
            says = f"{name} is rolled once, however often the other dice are"
            yield Fault((SPELL if dealt.spell else EXTRA,), says, "once", f"{count} dice")


def _of_sum(state: MasterState, dealt: Dealt, *, counted: bool) -> Iterator[Fault]:
    """Yield a fault for an amount that the parts do not allow, by the part that explains it, unless it follows from
    dice `counted` wrong.
    """
    totals, stated = damage.possible_totals(state, dealt), dealt.fact.event.amount
    more = (damage.multiplier(state, dealt).value - 1) * sum(map(worth, dealt.parts.listed))
    if counted and stated in (*damage.possible_totals(state, dealt, 1), *(each + more for each in totals)):
        return
    unearned = damage.multiplier(state, dealt).value == 1 and is_doubled(dealt)
    if not totals or stated in totals or stated < 0 or unearned:
        return
    found = damage.total_of(state, dealt)
    rule = next(iter(damage.undue_flats(dealt).values()), "") or rule_of_wrong_amount(state, dealt, stated, totals[0])
    says = f"the damage of {dealt.who} totals {totals[0]}"
    yield Fault((rule,), says, str(totals[0]), str(stated), found.because.flat().events)


def rule_of_wrong_amount(state: MasterState, dealt: Dealt, stated: int, due: int) -> str:
    """Return the clause of a part recorded with a wrong amount, else of a part that was left out of the sum.

    If there is none, it is the clause of the dice and the parts added to them.
    """
    times, flat = damage.multiplier(state, dealt).value, dealt.parts.flat
    for each in damage.flats_due(dealt):
        if flat.get(each.name) not in (None, each.amount, each.amount * times):
            return each.rule
    out = left_out(stated, lambda out: due + out[1], tried(dealt, times))
    return out[0] if out else PLAIN


def tried(dealt: Dealt, times: int) -> Iterator[tuple[str, int]]:
    """Yield the clauses that can be left out of an amount, each with the points that this adds.

    They are the multiplication of some flat parts, a part other than Strength (or its amount instead of another one of its clause), and the way Strength is added: as for one hand, for two (rounded either way) or doubled. A difference that equals the damage reduction says nothing about Strength.
    """
    due, one = damage.flats_due(dealt), dealt.strength
    flats = [*(each.amount for each in (*due, *dealt.optional)), *damage.unexplained(dealt).values()]
    yield from ((FLAT, -(times - 1) * each) for each in sums(flats))
    for each in (part for part in due if part.name != "str"):
        others = (0, *(row.amount for row in bonuses() if row.rule == each.rule))
        yield from ((each.rule, (other - each.amount) * times) for other in others)
    for each in due[:1]:
        ways = ((way - each.amount) * times for way in (one, one * 3 // 2, (one * 3 + 1) // 2, one * 2))
        yield from ((TWO if each.rule == PLAIN else each.rule, way) for way in ways if way != dealt.reduction.value)


@checks_by(*faults_of("damage"), on=DamageDealt)
def damage_is_recorded_rightly(state: MasterState, fact: Reading[DamageDealt]) -> Iterator[Fault]:
    """Yield the faults in the record of damage."""
    if dealt := state.round.dealt.get(fact.seq):
        yield from faults(state, dealt)
