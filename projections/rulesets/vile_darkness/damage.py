"""Damage: what the parts of a blow come to, what a weapon can do, and blows that do none."""

from collections.abc import Callable
from functools import wraps

from eventstore.events import ConditionGained, DamageDealt, EffectStarted
from projections.because import Because, Derived
from projections.mechanics.grants import granted
from projections.mechanics.rolls import amount, extremes, face, is_shown, worth
from projections.rulesets.ruleset import Breach, check, derives
from projections.rulesets.vile_darkness.armour import DAMAGE, added, ruled
from projections.rulesets.vile_darkness.attack import about, hit_of, shown
from projections.rulesets.vile_darkness.late import LateCheck
from projections.rulesets.vile_darkness.reading import Reading
from projections.rulesets.vile_darkness.state import Roll, VileState
from projections.rulesets.vile_darkness.table import weapons_in
from projections.stream.causes import causes

OUTCOMES = (DamageDealt, ConditionGained, EffectStarted)

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
    whom = getattr(fact.event, "targets", None) or (getattr(fact.event, "target", ""),)
    if not roll.event.foiled or roll.event.hit or roll.target not in whom or getattr(fact.event, "amount", 1) <= 0:
        return None
    return Breach(f"the attack of {roll.who} is foiled", "no damage", "an outcome", (roll.seq,))


def of_misses(rule: str, rank: int, is_why: Callable[[Roll], bool]) -> LateCheck:
    """Return a check of damage out of a roll that misses, unless the roll was stated as a hit."""

    def does_damage(state: VileState, fact: Reading, roll: Roll) -> Breach | None:
        hit, done = hit_of(state, roll), fact.event.amount
        told = roll.event.hit or roll.called or roll.event.foiled
        if hit.value is not False or told or fact.event.target != roll.target or done <= 0 or not is_why(roll):
            return None
        return Breach(f"the roll of {roll.who} misses", "no damage", str(done), hit.because.flat().events)

    does_damage.__name__ = f"missed by {rule}"
    return of_outcomes(rule, rank)(does_damage)


ONE = of_misses("attack.natural-one", 3, lambda roll: shown(roll) == 1)
MISS = of_misses("attack.aac0", 4, lambda _: True)

# ---------------------------------------------------------------- what its parts come to


def of_sums(rule: str, rank: int, is_why: Callable[[Reading], bool]) -> LateCheck:
    """Return a check of what the parts of damage come to; a predicate says for which this rule is."""

    def wrong_sum(state: VileState, fact: Reading) -> Breach | None:
        event: DamageDealt = fact.event
        due = amount(event.parts, event.multipliers, event.reductions)
        if not event.parts or due == event.amount or not is_why(fact) or _may_stack(state, fact):
            return None
        return Breach(f"the parts come to {due}", str(due), str(fact.event.amount))

    wrong_sum.__name__ = f"sum by {rule}"
    return check(rule, on=DamageDealt, group="damage", rank=rank)(wrong_sum)


STACKED = of_sums("damage.multipliers-do-not-stack", 5, lambda fact: len(fact.event.multipliers) > 1)
MULTIPLIED = of_sums("damage.multiplier-after-modifiers", 6, lambda fact: len(fact.event.multipliers) == 1)
ADDED = of_sums("attack.stat-block", 7, lambda fact: not fact.event.multipliers)


def _may_stack(state: VileState, fact: Reading) -> bool:
    """Say whether a ruling or an effect lets several multipliers stack."""
    roll = roll_of(state, fact) if len(fact.event.multipliers) > 1 else None
    if roll is None:
        return False
    rule, events = "damage.multipliers-do-not-stack", (fact.seq, *about(state, roll))
    said = granted(state.rulings, rule, who=(roll.who,), event=events, since=state.round.opened)
    running = [each for each in state.effects.values() if each.seq in state.bearing and each.bearer in (roll.who, "")]
    words = [word.casefold() for each in running for word in state.bearing[each.seq].attributes]
    return said.value or any("multipliers" in word and "stack" in word for word in words)


# ---------------------------------------------------------------- what a weapon can do


@check("attack.stat-block", on=DamageDealt, group="damage", rank=8)
def dice_show_what_they_have(_state: VileState, fact: Reading) -> Breach | None:
    wrong = next((part.dice for part in fact.event.parts if part.dice and not is_shown(part.dice)), None)
    return Breach(f"{wrong.notation} cannot show this", wrong.notation, str(face(wrong))) if wrong else None


@of_outcomes("attack.stat-block", 9)
def a_weapon_does_what_its_line_says(state: VileState, fact: Reading, roll: Roll) -> Breach | None:
    weapons, event = weapons_in(state, roll.who, roll.name), fact.event
    limits = extremes(weapons[0].dice) if len(weapons) == 1 and weapons[0].dice else None
    if limits is None or event.reductions:
        return None
    times = max((mod.amount for mod in event.multipliers), default=1)
    ruling = ruled(state, roll.who, DAMAGE, about(state, roll), fact.seq)
    more = weapons[0].magic + sum(change[0] for _, change in (*added(state, roll.who, DAMAGE), *ruling))
    least, most = (limits[0] + min(0, more)) * times, (limits[1] + max(0, more)) * times
    done = event.amount
    if event.parts:
        (least, most), done = limits, sum(worth(part) for part in event.parts if part.kind == "weapon") or limits[0]
    if done == 0 or least <= done <= most:
        return None
    says = f"{weapons[0].name} ({weapons[0].dice}) cannot do {done}"
    return Breach(says, f"{least} to {most}", str(done), (state.combatants[roll.who].joined, roll.seq))
