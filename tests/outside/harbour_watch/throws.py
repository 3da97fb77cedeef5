"""The dice of an attack."""

from collections.abc import Iterator

from eventstore.events import AttackRolled
from harbour_watch.state import WatchState
from projections.mechanics.conditions import has
from projections.mechanics.rolls import die_kept, has_right_die, result_of
from projections.occurrence import Occurrence
from projections.rulesets.faults import Fault, checks_by
from projections.rulesets.ruleset import Breach, check

DICE = {
    "": ("throw.one-die", "one die"),
    "higher": ("throw.netted-higher", "two dice, and the higher counts"),
    "lower": ("throw.dazzled-lower", "two dice, and the lower counts"),
}


@checks_by(*(rule for rule, _ in DICE.values()), on=AttackRolled)
def the_right_die_counts(state: WatchState, fact: Occurrence[AttackRolled]) -> Iterator[Fault]:
    """Yield that an attack is thrown with the wrong dice, or that the wrong one of two counts."""
    event, marks = fact.event, state.conditions
    netted, dazzled = has(marks, event.target or "", "netted"), has(marks, event.combatant, "dazzled")
    kept = die_kept(better=netted.value, worse=dazzled.value)
    if event.die is not None and not has_right_die(event.die, kept):
        rule, wanted = DICE[kept]
        events = (*netted.because.events, *dazzled.because.events)
        yield Fault((rule,), f"{event.combatant} throws {wanted}", wanted, "other dice", events)


@check("throw.hits-at-guard", on=AttackRolled)
def an_attack_hits_at_guard(state: WatchState, fact: Occurrence[AttackRolled]) -> Breach | None:
    event, target = fact.event, state.combatants.get(fact.event.target or "")
    comes = result_of(event, state.combatants[event.combatant].sheet.skill)
    if target is None or comes is None or event.hit in (None, comes >= target.sheet.guard):
        return None
    return Breach(f"{comes} against a guard of {target.sheet.guard}", "a miss" if event.hit else "a hit")
