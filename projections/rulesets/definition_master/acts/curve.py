"""Attack actions: how many somebody has, and at which bonus each."""

from projections.because import Because, Derived
from projections.rulesets.definition_master.table import rows
from projections.rulesets.ruleset import derives
from projections.state import Combatant


@derives("attacks.extra-above-five", "attacks.at-most-four")
def curve(one: Combatant) -> Derived[tuple[int, ...]]:
    """Return the bonuses of somebody's attack actions, the best first: those of the sheet, else by base attack bonus."""
    written: tuple[int, ...] = one.sheet.attacks
    base = one.sheet.base_attack
    return Derived(written or by_base(base), Because(curve.rules, (one.joined,)))


def by_base(base: int) -> tuple[int, ...]:
    """Return the attack actions of a base attack bonus, each 5 below the one before."""
    count = max((row["attacks"] for row in rows("attack_count") if base >= row["base_from"]), default=1)
    return tuple(base - 5 * number for number in range(count))


def bonus_of(one: Combatant, slot: int) -> int:
    """Return the bonus of an attack action by its number from 0; one too many has that of the last."""
    found = curve(one).value
    return found[min(slot, len(found) - 1)]
