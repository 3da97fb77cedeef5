"""Damage: what the parts of a blow come to, what a weapon can do, and blows that do none."""

import re
from collections.abc import Callable
from functools import wraps

from eventstore.events import ConditionGained, DamageDealt, EffectStarted
from eventstore.shapes import Part
from projections.because import Because, Derived
from projections.mechanics.grants import granted
from projections.mechanics.rolls import face, is_on
from projections.rulesets.ruleset import Breach, check, derives
from projections.rulesets.vile_darkness.armour import DAMAGE, added, ruled
from projections.rulesets.vile_darkness.attack import about, hit_of, shown
from projections.rulesets.vile_darkness.late import LateCheck
from projections.rulesets.vile_darkness.reading import Reading
from projections.rulesets.vile_darkness.state import Roll, VileState
from projections.rulesets.vile_darkness.table import weapons_in
from projections.stream.causes import causes

OUTCOMES = (DamageDealt, ConditionGained, EffectStarted)
DICE = re.compile(r"(\d*)d(\d+)([+-]\d+)?")

# ---------------------------------------------------------------- the roll that it comes out of


def roll_of(state: VileState, fact: Reading) -> Roll | None:
    """Return the attack roll that an outcome comes out of: by its causes, else the only one of the act that it names."""
    rolls: dict[int, Roll] = state.round.rolls
    for seq in (fact.cause, *(each.cause for each in causes(state, fact.cause))):
        if seq in rolls:
            return rolls[seq]
        own = [each for each in rolls.values() if each.act == seq and seq and each.seq < fact.seq]
        if len(own) == 1:
            return own[0]
    return None


def of_outcomes(rule: str, rank: int, on: tuple[type, ...] = (DamageDealt,)) -> Callable[..., LateCheck]:
    """Mark a late check of what comes out of an attack roll."""

    def mark(function: Callable[[VileState, Reading, Roll], Breach | None]) -> LateCheck:
        @wraps(function)
        def looks(state: VileState, fact: Reading) -> Breach | None:
            roll = roll_of(state, fact)
            return function(state, fact, roll) if roll else None

        return check(rule, on=on, group="damage", rank=rank)(looks)

    return mark


# ---------------------------------------------------------------- attacks that come to nothing


@derives("called-shot.else-wasted", "called-shot.by-ruling")
def succeeds(state: VileState, roll: Roll) -> Derived[bool]:
    """Return whether a called shot does what it was aimed at: on a natural 20, or where a ruling after it says so."""
    wasted, by_ruling = succeeds.rules
    if shown(roll) == 20:
        return Derived(True, Because((wasted,), (roll.seq,)))
    for fact in state.rulings:
        event = fact.event
        later = fact.seq > roll.seq and event.event in about(state, roll)
        if later or (event.ruling == "grant" and event.rule in succeeds.rules and fact.seq > state.round.opened):
            return Derived(True, Because((by_ruling,), (roll.seq, fact.seq)))
    return Derived(False, Because((wasted,), (roll.seq,)))


@of_outcomes("called-shot.else-wasted", 1, OUTCOMES)
def a_failed_called_shot_does_nothing(state: VileState, _fact: Reading, roll: Roll) -> Breach | None:
    if not roll.called or succeeds(state, roll).value:
        return None
    return Breach(f"the called shot of {roll.who} has failed", "nothing", "an outcome", (roll.seq,))


@of_outcomes("foiled.attempted-and-wasted", 2, OUTCOMES)
def a_foiled_attack_does_nothing(_state: VileState, fact: Reading, roll: Roll) -> Breach | None:
    if not roll.event.foiled or roll.event.hit or getattr(fact.event, "amount", 1) <= 0:
        return None
    return Breach(f"the attack of {roll.who} is foiled", "no damage", "an outcome", (roll.seq,))


@of_outcomes("attack.natural-one", 3)
def a_one_does_no_damage(state: VileState, fact: Reading, roll: Roll) -> Breach | None:
    return _missed(state, fact, roll) if shown(roll) == 1 else None


@of_outcomes("attack.aac0", 4)
def a_miss_does_no_damage(state: VileState, fact: Reading, roll: Roll) -> Breach | None:
    return _missed(state, fact, roll)


def _missed(state: VileState, fact: Reading, roll: Roll) -> Breach | None:
    """Return the breach of damage out of a roll that misses, unless the roll was stated as a hit."""
    hit = hit_of(state, roll)
    wrongly = roll.event.hit or roll.called or roll.event.foiled
    if hit.value is not False or wrongly or fact.event.target != roll.target or fact.event.amount <= 0:
        return None
    return Breach(f"the roll of {roll.who} misses", "no damage", str(fact.event.amount), hit.because.flat().events)


# ---------------------------------------------------------------- what its parts come to


def part_sum(part: Part) -> int:
    """Return what a part of damage comes to."""
    return (part.amount or 0) + (face(part.dice) if part.dice else 0)


@derives("damage.multiplier-after-modifiers", "damage.multipliers-do-not-stack")
def reckoned(event: DamageDealt) -> int | None:
    """Return what damage comes to by its parts: their sum by the highest multiplier alone; None without parts."""
    if not event.parts:
        return None
    times = max((mod.amount for mod in event.multipliers), default=1)
    return max(0, sum(map(part_sum, event.parts)) * times - sum(abs(mod.amount) for mod in event.reductions))


def _wrong_sum(fact: Reading) -> Breach | None:
    due = reckoned(fact.event)
    if due in (None, fact.event.amount):
        return None
    return Breach(f"the parts come to {due}", str(due), str(fact.event.amount))


@check("damage.multipliers-do-not-stack", on=DamageDealt, group="damage", rank=5)
def only_the_highest_multiplier_counts(state: VileState, fact: Reading) -> Breach | None:
    if len(fact.event.multipliers) < 2 or _may_stack(state, fact):
        return None
    return _wrong_sum(fact)


@check("damage.multiplier-after-modifiers", on=DamageDealt, group="damage", rank=6)
def a_multiplier_takes_modifiers_too(_state: VileState, fact: Reading) -> Breach | None:
    return _wrong_sum(fact) if len(fact.event.multipliers) == 1 else None


@check("attack.stat-block", on=DamageDealt, group="damage", rank=7)
def parts_make_the_whole(_state: VileState, fact: Reading) -> Breach | None:
    return None if fact.event.multipliers else _wrong_sum(fact)


def _may_stack(state: VileState, fact: Reading) -> bool:
    """Say whether a ruling or an effect lets multipliers stack."""
    roll = roll_of(state, fact)
    events = (fact.seq, *(about(state, roll) if roll else ()))
    who = (roll.who,) if roll else ()
    said = granted(state.rulings, "damage.multipliers-do-not-stack", who=who, event=events, since=state.round.opened)
    running = [each for each in state.effects.values() if each.seq in state.bearing and each.bearer in (*who, "")]
    words = [word.casefold() for each in running for word in state.bearing[each.seq].attributes]
    return said.value or any("multipliers" in word and "stack" in word for word in words)


# ---------------------------------------------------------------- what a weapon can do


def dice_range(notation: str) -> tuple[int, int] | None:
    """Return the least and the most that dice such as 2d6+1 can show; None where they are not understood."""
    found = DICE.fullmatch(notation.replace(" ", "").casefold())
    if found is None:
        return None
    count, sides, flat = int(found[1] or 1), int(found[2]), int(found[3] or 0)
    return count + flat, count * sides + flat


@check("attack.stat-block", on=DamageDealt, group="damage", rank=8)
def dice_show_what_they_have(_state: VileState, fact: Reading) -> Breach | None:
    for part in fact.event.parts:
        found = DICE.match(part.dice.notation.casefold()) if part.dice else None
        if part.dice and found and not (is_on(part.dice, int(found[2])) and len(part.dice.faces) == int(found[1] or 1)):
            return Breach(
                f"{part.dice.notation} cannot show {face(part.dice)}", part.dice.notation, str(face(part.dice))
            )
    return None


@of_outcomes("attack.stat-block", 9)
def a_weapon_does_what_its_line_says(state: VileState, fact: Reading, roll: Roll) -> Breach | None:
    weapons, event = weapons_in(state, roll.who, roll.name), fact.event
    limits = dice_range(weapons[0].dice) if len(weapons) == 1 and weapons[0].dice else None
    if limits is None or event.reductions:
        return None
    weapon = weapons[0]
    if event.parts:
        amount, more = sum(part_sum(part) for part in event.parts if part.kind == "weapon"), 0
        amount = amount or limits[0]
    else:
        times = max((mod.amount for mod in event.multipliers), default=1)
        ruling = ruled(state, roll.who, DAMAGE, about(state, roll), fact.seq)
        more = weapon.magic + sum(change[0] for _, change in (*added(state, roll.who, DAMAGE), *ruling))
        limits, amount = (limits[0] * times, (limits[1] + max(0, more)) * times), event.amount
    if amount == 0 or limits[0] + min(0, more) <= amount <= limits[1]:
        return None
    says = f"{weapon.name} ({weapon.dice}) cannot do {amount}"
    return Breach(says, f"{limits[0]} to {limits[1]}", str(amount), (state.combatants[roll.who].joined, roll.seq))
