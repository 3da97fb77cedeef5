"""The dice of an attack."""

from collections.abc import Iterator

from eventstore.events import AttackRolled
from eventstore.paths import path_beside
from harbour_watch.state import WatchState
from projections.mechanics.conditions import TwoDice, columns
from projections.mechanics.rolls import die_kept, has_right_die, result_of
from projections.occurrence import Occurrence
from projections.ruleset.catalogue import table_rows
from projections.ruleset.faults import Fault, checks_by
from projections.ruleset.ruleset import Breach, check

CONDITIONS = table_rows(path_beside(__file__, "rules.toml"), "condition", TwoDice)
DICE = {"": "one die", "higher": "two dice, and the higher counts", "lower": "two dice, and the lower counts"}


@checks_by("throw.one-die", *(row.rule for row in CONDITIONS), on=AttackRolled)
def the_right_die_counts(state: WatchState, fact: Occurrence[AttackRolled]) -> Iterator[Fault]:
    """Yield that an attack is thrown with the wrong dice, or that the wrong one of two counts."""
    event = fact.event
    found = columns(state.conditions, CONDITIONS, attacks=event.combatant, attacked=event.target or "")
    clauses = {die: rule for rule, die, _ in found}
    kept = die_kept(better="higher" in clauses, worse="lower" in clauses)
    if event.die is not None and not has_right_die(event.die, kept):
        events = tuple(seq for *_, because in found for seq in because.events)
        rule = clauses.get(kept, "throw.one-die")
        yield Fault((rule,), f"{event.combatant} throws {DICE[kept]}", DICE[kept], "other dice", events)


@check("throw.hits-at-guard", on=AttackRolled)
def an_attack_hits_at_guard(state: WatchState, fact: Occurrence[AttackRolled]) -> Breach | None:
    event, target = fact.event, state.combatants.get(fact.event.target or "")
    comes = result_of(event, state.combatants[event.combatant].sheet.skill)
    if target is None or comes is None or event.hit in (None, comes >= target.sheet.guard):
        return None
    return Breach(f"{comes} against a guard of {target.sheet.guard}", "a miss" if event.hit else "a hit")
