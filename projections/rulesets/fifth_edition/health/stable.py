"""First aid, and being stable."""

from __future__ import annotations

from collections.abc import Iterator
from typing import Any

from eventstore.events import ActionTaken, ConditionGained, DiceRolled
from projections.because import Because
from projections.folds.effects import lose
from projections.folds.vitals import update_status
from projections.mechanics import tallies as marks
from projections.occurrence import Occurrence
from projections.rulesets.faults import Fault, checks_by
from projections.rulesets.fifth_edition.conditions import fall_prone
from projections.rulesets.fifth_edition.health.dying import become_stable, die, wake_up
from projections.rulesets.fifth_edition.rolls.dice import kept
from projections.rulesets.fifth_edition.state import FifthState
from projections.rulesets.ruleset import derives
from projections.state import Combatant


@derives("stable.first-aid", "stable.state", "death-save.three", on=ConditionGained)
def stable_or_dead_is_gained(state: FifthState, fact: Occurrence[ConditionGained]) -> None:
    """Let a combatant be stable or dead by a recorded condition of that name."""
    name = fact.event.condition.casefold()
    if name not in ("stable", "dead"):
        return
    for who in state.joined(fact.event.targets):
        one, body = state.combatants[who], state.body(who)
        lose(state, [(fact.seq, who)])
        if name == "dead":
            die(state, one, Because(("dead.out",), (fact.seq,)))
        elif one.hp is not None and one.hp <= 0 and not body.dead and not body.stable:
            why = Because(stable_or_dead_is_gained.rules[:2], (fact.seq,))
            if one.status != "dying":
                why += Because(of=(one.standing,))
                fall_prone(state, who, fact.seq)
            become_stable(state, one, why, ("stable.state",))


@derives("stable.first-aid", on=(DiceRolled, ActionTaken))
def first_aid_is_given(state: FifthState, fact: Occurrence[Any]) -> None:
    """Keep whom first aid is for, and let a Medicine check of 10 make that combatant stable."""
    event = fact.event
    if isinstance(event, ActionTaken):
        whom = next(iter(event.action.targets), "")
        if event.action.kind.casefold() == "stabilize" and whom in state.combatants:
            state.aid[event.combatant] = fact.seq, whom
        return
    if event.combatant not in state.aid or "medicine" not in (event.purpose or "").casefold():
        return
    seq, whom = state.aid[event.combatant]
    total = check_total(event)
    made = state.checks_made.get(fact.seq) if event.dc is not None else total is not None and total >= 10
    one = state.combatants[whom]
    state.aided[fact.seq] = state.aided[seq] = bool(made)
    why = Because(first_aid_is_given.rules, (seq, fact.seq))
    if made and one.status == "dying":
        become_stable(state, one, why)
    elif made:
        wake_up(state, one, why)
        update_status(state, one)


def check_total(event: DiceRolled) -> int | None:
    """Return the total of a check."""
    return event.total if event.die is None else kept(event.die) + sum(each.amount for each in event.modifiers)


@checks_by("stable.first-aid", "death-save.three", on=ConditionGained)
def being_stable_has_its_reason(state: FifthState, fact: Occurrence[ConditionGained]) -> Iterator[Fault]:
    """Yield that a combatant is recorded as stable by a failed check, or before its third successful death save."""
    if fact.event.condition.casefold() != "stable":
        return
    if state.aided.get(fact.cause) is False:
        yield Fault(("stable.first-aid",), "the check failed", "DC 10", "less", (fact.cause,))
    for who in state.joined(fact.event.targets):
        if fact.cause in state.death_saves and state.combatants[who].status == "dying":
            count = marks.count(state.tallies, who, "successes").value
            says = f"{who} has {count} of three successes"
            yield Fault(("death-save.three",), says, "three", str(count), (fact.cause,))


def goes_on(_state: FifthState, one: Combatant) -> ConditionGained | None:
    """Return the condition by which a combatant is stable in its next fight; None if it is not stable."""
    return ConditionGained(condition="stable", targets=(one.id,)) if one.status == "stable" else None
