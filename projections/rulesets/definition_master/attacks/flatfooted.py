"""Who is flat-footed against whom: in a grapple to all but the other one, after a feigned strike to everybody."""

from eventstore.events import AttackRolled
from projections.because import Because, Derived
from projections.rulesets.definition_master.state import MasterState
from projections.rulesets.ruleset import derives

FLAT = "flat-footed"


@derives("grapple.flat-footed-to-others", "feint.flat-footed")
def flat_footed(state: MasterState, who: str, to: str, event: AttackRolled | None = None) -> Derived[bool]:
    """Return whether somebody is flat-footed to another; what other chapters make so is taken as recorded."""
    others, feint = flat_footed.rules
    hold = state.combat.grapples.of(who)
    if hold and to not in (hold.aggressor, hold.defender):
        return Derived(True, Because((others,), (hold.seq,)))
    if feinted := feinted_since(state, who):
        return Derived(True, Because((feint,), (feinted,)))
    said = event is not None and (event.against or "").casefold() == FLAT
    if said and not hold and who not in state.combat.feinted:
        return Derived(True, Because((feint,), ()))
    return Derived(False, Because())


def feinted_since(state: MasterState, who: str) -> int:
    """Return the contest of this round that somebody lost to a feigned strike, or 0."""
    number, seq = state.combat.feinted.get(who, (0, 0))
    return seq if seq and number == state.clock.round else 0
