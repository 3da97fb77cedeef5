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
from projections.rulesets.fifth_edition.conditions import behind, exhaustion
from projections.rulesets.fifth_edition.rolls.dice import has_right_die_of, has_wrong_face, kept
from projections.rulesets.fifth_edition.state import FifthState
from projections.rulesets.fifth_edition.turns.initiative import total_of
from projections.rulesets.ruleset import Breach, check, derives


@checks_by("surprise.disadvantage", "advantage.two-dice", "initiative.dexterity-check", on=InitiativeRolled)
def initiative_adds_up(state: FifthState, fact: Occurrence[InitiativeRolled]) -> Iterator[Fault]:
    """Yield that the wrong die counts, or that a total is not the die and the bonus."""
    event, who = fact.event, next(iter(rollers(state, fact.event)), "")
    if not who or event.die is None:
        return
    one, shown = state.combatants[who], rolls.face(event.die)
    if not is_on(event.die, 20):
        yield Fault(("initiative.dexterity-check",), f"{who} throws a face that no d20 has", "1 to 20", str(shown))
    elif has_wrong_face(event.die):
        rule = (
            "surprise.disadvantage"
            if state.is_new and initiative_advantage(state, who)[0] < 0
            else "advantage.two-dice"
        )
        yield Fault((rule,), f"the wrong die of {who} counts", str(kept(event.die)), str(shown), (fact.seq,))
    elif not event.tie_with:
        bonus = event.bonus if event.bonus is not None else one.sheet.initiative
        if event.total is not None and bonus is not None and int(Decimal(event.total)) != shown + bonus:
            expected = f"{shown + bonus}"
            yield Fault(
                ("initiative.dexterity-check",), f"{shown} and {bonus} are {expected}", expected, str(event.total)
            )
        own, level = one.sheet.initiative, exhaustion(state, who).value if state.is_new else 0
        if own is not None and event.bonus not in (None, own, own - 2 * level):
            says = f"the sheet of {who} says {own:+}"
            yield Fault(
                ("initiative.dexterity-check",), says, f"{own:+}", f"{event.bonus:+}", one.records("initiative")
            )


@derives("surprise.disadvantage")
def initiative_advantage(state: FifthState, who: str) -> tuple[int, tuple[int, ...]]:
    """Return how an initiative roll leans in 2024 (below 0: disadvantage), and by which records."""
    worse = [state.surprised[who]] if who in state.surprised else []
    worse += behind(state, who, "incapacitated")
    better = behind(state, who, "invisible")
    return bool(better) - bool(worse), (*worse, *better)


@check("surprise.disadvantage", on=InitiativeRolled)
def initiative_has_the_right_dice(state: FifthState, fact: Occurrence[InitiativeRolled]) -> Breach | None:
    who, die = next(iter(rollers(state, fact.event)), ""), fact.event.die
    if die is None or not state.is_new or state.option("advantage") == "shown":
        return None
    way, events = initiative_advantage(state, who)
    if not events or has_right_die_of(die, {1: "higher", -1: "lower"}.get(way, "")) or has_wrong_face(die):
        return None
    return Breach(f"{who} rolls otherwise than it should", STATES[way], "other dice", events, "notice")


STATES = {1: "advantage", 0: "one die", -1: "disadvantage"}


@checks_by("initiative.group-one-roll", "initiative.order-fixed", on=InitiativeRolled)
def nobody_rolls_twice(state: FifthState, fact: Occurrence[InitiativeRolled]) -> Iterator[Fault]:
    """Yield that somebody who has a place rolls again."""
    for who in rollers(state, fact.event) if not fact.event.tie_with else ():
        if (old := state.rolls.get(who)) and not (old.shared and total_of(state, who, fact.event) == old.total):
            rule = "initiative.group-one-roll" if old.shared else "initiative.order-fixed"
            yield Fault(
                (rule,), f"{who} has {old.total} already", str(old.total), "another roll", old.events, severity="notice"
            )
