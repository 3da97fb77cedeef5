"""Late checks of attack rolls: the die, the armour class used, the total and the hit stated; one finding a roll.

A wrong hit is put down to the mistake by which it would have been right, the most particular first.
"""

from collections.abc import Callable
from functools import wraps

from eventstore.events import AttackRolled
from projections.mechanics.rolls import is_on
from projections.rulesets.ruleset import Breach, check
from projections.rulesets.vile_darkness.attack import (
    NO_TABLE,
    ac_of,
    bonuses,
    gains,
    hit_of,
    need_of,
    raw_need,
    repeated,
    shown,
    total_of,
    unlawful,
)
from projections.rulesets.vile_darkness.late import LateCheck
from projections.rulesets.vile_darkness.reading import Reading
from projections.rulesets.vile_darkness.state import Roll, VileState

Looks = Callable[[VileState, Roll], Breach | None]


def of_rolls(rule: str, rank: int) -> Callable[[Looks], LateCheck]:
    """Mark a late check of attack rolls."""

    def mark(function: Looks) -> LateCheck:
        @wraps(function)
        def looks(state: VileState, fact: Reading) -> Breach | None:
            roll = state.round.rolls.get(fact.seq)
            return function(state, roll) if roll else None

        return check(rule, on=AttackRolled, group="roll", rank=rank)(looks)

    return mark


# ---------------------------------------------------------------- die, target, armour class, total


@of_rolls("attack.target-and-roll", 1)
def a_d20_is_rolled(_state: VileState, roll: Roll) -> Breach | None:
    if roll.event.die is None or is_on(roll.event.die, 20):
        return None
    return Breach(f"the die of {roll.who} shows {shown(roll)}", "1 to 20", str(shown(roll)))


@of_rolls("attack.target-and-roll", 2)
def an_attack_has_a_target(state: VileState, roll: Roll) -> Breach | None:
    act = state.round.acts.get(roll.act)
    if roll.target or (act and (act.action.object or act.action.targets)):
        return None
    return Breach(f"{roll.who} attacks nobody", "a target", "none", once=("target", roll.act or roll.seq))


@of_rolls("concentration.no-combat-penalty", 11)
def concentrating_brings_no_penalty(state: VileState, roll: Roll) -> Breach | None:
    wrong, stated = unlawful(roll), roll.event.ac
    if wrong:
        return Breach(f"{wrong[0].name} brings no penalty", "no penalty", str(wrong[0].amount))
    own = ac_of(state, roll)
    if not roll.maintains or stated is None or stated <= own.value:
        return None
    return Breach(f"{roll.target} is as hard to hit as ever", str(own.value), str(stated), own.because.flat().events)


@of_rolls("attack.ac-scale", 12)
def an_armour_class_is_on_the_scale(_state: VileState, roll: Roll) -> Breach | None:
    if roll.event.ac is None or -10 <= roll.event.ac <= 10:
        return None
    return Breach(f"there is no armour class {roll.event.ac}", "-10 to 10", str(roll.event.ac))


def _wrong_ac(state: VileState, roll: Roll) -> Breach | None:
    own = ac_of(state, roll)
    if not roll.target or roll.event.ac in (None, own.value):
        return None
    says = f"{roll.target} has armour class {own.value}, stated as {roll.event.ac}"
    return Breach(says, str(own.value), str(roll.event.ac), own.because.flat().events)


@of_rolls("attack.ac-bonus-sign", 13)
def a_bonus_lowers_the_armour_class(state: VileState, roll: Roll) -> Breach | None:
    return _wrong_ac(state, roll) if gains(state, roll) or _parts(state, roll) else None


def _parts(state: VileState, roll: Roll) -> int:
    """Return what parts of its armour class are worth to the target of a roll."""
    return sum(state.combatants[roll.target].sheet.ac_parts.values()) if roll.target else 0


@of_rolls("attack.target-and-roll", 14)
def the_roll_is_against_the_armour_class(state: VileState, roll: Roll) -> Breach | None:
    return _wrong_ac(state, roll)


@of_rolls("attack.modified-score", 15)
def a_total_is_the_die_and_its_modifiers(state: VileState, roll: Roll) -> Breach | None:
    total, stated = total_of(state, roll), roll.event.total
    if total.value is None or stated in (None, total.value):
        return None
    return Breach(f"the roll comes to {total.value}", str(total.value), str(stated), total.because.flat().events)


# ---------------------------------------------------------------- the hit


def of_hits(rule: str, rank: int, is_why: Callable[[VileState, Roll], bool]) -> LateCheck:
    """Return a check of wrong hits: a predicate says whether this rule was overlooked, or misread, in it."""

    def wrong_hit(state: VileState, roll: Roll) -> Breach | None:
        hit, stated = hit_of(state, roll), roll.event.hit
        if stated is None or hit.value in (None, stated) or (roll.called and shown(roll) not in (1, 20)):
            return None
        if not is_why(state, roll):
            return None
        found, due = ("a hit", "a miss") if stated else ("a miss", "a hit")
        decided = shown(roll) in (1, 20) or roll.event.foiled
        needs = "" if decided else f", {need_of(state, roll).value} being needed"
        says = f"{total_of(state, roll).value} of {roll.who} is stated as {found}{needs}"
        return Breach(says, f"{due}{needs}", found, hit.because.flat().events)

    wrong_hit.__name__ = f"wrong by {rule}"
    return of_rolls(rule, rank)(wrong_hit)


def _would(state: VileState, roll: Roll, needed: int, bonus: int | None = None) -> bool:
    """Say whether what is stated would be right with another need, or with another bonus."""
    die, total = shown(roll), total_of(state, roll).value or 0
    return bool((total if bonus is None or die is None else die + bonus) >= needed) == roll.event.hit


def _raw(state: VileState, roll: Roll, *, starred: bool) -> int:
    """Return what a roll would need if 20 did not repeat, with a starred line or a plain one."""
    return raw_need(roll.aac0, starred, ac_of(state, roll).value)


def _mirrored(state: VileState, roll: Roll) -> int:
    """Return what a roll would need if bonuses raised the armour class."""
    changed = sum(amount for amount, _ in gains(state, roll))
    return repeated(raw_need(roll.aac0, roll.starred, roll.ac + 2 * _parts(state, roll) + changed))


def _has_no_table(state: VileState, roll: Roll) -> bool:
    sheet = state.combatants[roll.who].sheet
    return bool(sheet.class_) and sheet.attack_table.casefold() in NO_TABLE


FOILED = of_hits("foiled.attempted-and-wasted", 21, lambda _, roll: roll.event.foiled)
ONE = of_hits("attack.natural-one", 22, lambda _, roll: shown(roll) == 1)
TWENTY = of_hits("attack.natural-twenty", 23, lambda _, roll: shown(roll) == 20)
MAINTAINS = of_hits(
    "concentration.no-combat-penalty",
    24,
    lambda s, roll: roll.maintains and _would(s, roll, need_of(s, roll).value - 2),
)
STARRED = of_hits(
    "attack.aac0-starred", 25, lambda s, roll: roll.starred and _would(s, roll, repeated(_raw(s, roll, starred=False)))
)
TWENTIES = of_hits(
    "attack.six-twenties",
    26,
    lambda s, roll: (raw := _raw(s, roll, starred=roll.starred)) > 20 and _would(s, roll, raw),
)
SIGN = of_hits(
    "attack.ac-bonus-sign",
    27,
    lambda s, roll: bool(gains(s, roll) or _parts(s, roll)) and _would(s, roll, _mirrored(s, roll)),
)
SCORE = of_hits(
    "attack.modified-score",
    28,
    lambda s, roll: bonuses(s, roll).value != 0 and _would(s, roll, need_of(s, roll).value, 0),
)
TABLE = of_hits("attack.class-without-table", 29, _has_no_table)
PLAIN = of_hits("attack.aac0", 30, lambda _, __: True)
