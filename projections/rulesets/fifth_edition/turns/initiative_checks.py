"""Checks of initiative rolls."""

from __future__ import annotations

from collections.abc import Iterator
from decimal import Decimal

from eventstore.events import InitiativeRolled
from projections.folds.order import rollers
from projections.mechanics import rolls
from projections.mechanics.rolls import is_on
from projections.occurrence import Occurrence
from projections.rulesets.faults import Fault, checks_by
from projections.rulesets.fifth_edition.conditions import exhaustion
from projections.rulesets.fifth_edition.rolls.advantage import of_start, word_of
from projections.rulesets.fifth_edition.rolls.dice import has_wrong_face, kept
from projections.rulesets.fifth_edition.state import FifthState
from projections.rulesets.fifth_edition.turns.initiative import total_of

TOTAL = ("initiative.dexterity-check",)


@checks_by("surprise.disadvantage", "advantage.two-dice", *TOTAL, on=InitiativeRolled)
def initiative_adds_up(state: FifthState, fact: Occurrence[InitiativeRolled]) -> Iterator[Fault]:
    """Yield that the wrong die counts, or that a total is not the die and the bonus."""
    event, who = fact.event, next(iter(rollers(state, fact.event)), "")
    if not who or event.die is None:
        return
    shown = rolls.face(event.die)
    if not is_on(event.die, 20):
        yield Fault(TOTAL, f"{who} throws a face that no d20 has", "1 to 20", str(shown))
    elif has_wrong_face(event.die):
        worse = word_of(tuple(of_start(state, who))) == "disadvantage"
        rule = "surprise.disadvantage" if worse else "advantage.two-dice"
        yield Fault((rule,), f"the wrong die of {who} counts", str(kept(event.die)), str(shown), (fact.seq,))
    elif not event.tie_with:
        yield from wrong_sum(state, who, event, shown)


def wrong_sum(state: FifthState, who: str, event: InitiativeRolled, shown: int) -> Iterator[Fault]:
    """Yield that a total is not the die and the bonus, or that the bonus is not that of the sheet."""
    one, level = state.combatants[who], exhaustion(state, who).value if state.is_new else 0
    own, rest = one.sheet.initiative, None if event.total is None else int(Decimal(event.total)) - shown
    bonus = rest if event.bonus is None else event.bonus
    if rest not in (None, bonus):
        expected = f"{shown + (bonus or 0)}"
        yield Fault(TOTAL, f"{shown} and {bonus} are {expected}", expected, str(event.total))
    if own is not None and bonus not in (None, own, own - 2 * level):
        says = f"the sheet of {who} says {own:+}"
        expected, found = (
            (f"{own:+}", f"{bonus:+}") if event.bonus is not None else (str(shown + own), str(event.total))
        )
        yield Fault(TOTAL, says, expected, found, one.records("initiative"))


@checks_by("initiative.group-one-roll", "initiative.order-fixed", on=InitiativeRolled)
def nobody_rolls_twice(state: FifthState, fact: Occurrence[InitiativeRolled]) -> Iterator[Fault]:
    """Yield that a combatant with a place rolls again."""
    for who in rollers(state, fact.event) if not fact.event.tie_with else ():
        old = state.rolls.get(who)
        if old and not (old.shared and total_of(state, who, fact.event) == old.total):
            rule = ("initiative.group-one-roll" if old.shared else "initiative.order-fixed",)
            says, total = f"{who} has {old.total} already", str(old.total)
            yield Fault(rule, says, total, "another roll", old.events, severity="notice")
