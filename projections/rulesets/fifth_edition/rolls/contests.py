"""Contests: the higher total wins."""

from __future__ import annotations

from eventstore.events import ContestRolled
from projections.occurrence import Occurrence
from projections.rulesets.fifth_edition.rolls.dice import kept
from projections.rulesets.fifth_edition.state import FifthState
from projections.rulesets.ruleset import Breach, check, derives


@derives("contest.higher-wins", "grapple.contest")
def winner_of(event: ContestRolled) -> str | None:
    """Return the winner of a contest by the higher total, "" at a tie; None if totals are not recorded."""
    totals: dict[str, int] = {}
    for each in event.contenders:
        if each.die is not None:
            totals[each.combatant] = kept(each.die) + sum(part.amount for part in each.modifiers)
        elif (stated := each.check if each.total is None else each.total) is not None:
            totals[each.combatant] = stated
    if len(totals) < len(event.contenders) or not totals:
        return None
    best = max(totals.values())
    first = [who for who, total in totals.items() if total == best]
    return first[0] if len(first) == 1 else ""


@check("contest.higher-wins", on=ContestRolled)
def the_higher_total_wins(state: FifthState, fact: Occurrence[ContestRolled]) -> Breach | None:
    wins, stated = winner_of(fact.event), fact.event.winner
    if wins is None or stated is None or stated == wins:
        return None
    says, of_none = "a tie changes nothing" if not wins else f"{wins} is higher", state.option("edition") == "2024"
    return Breach(says, wins or "nobody", stated, silent=of_none)
