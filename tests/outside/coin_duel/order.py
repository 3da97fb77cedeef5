"""The order: heads before tails; of equal coins by option."""

from itertools import groupby

from coin_duel.state import CoinState, Throw
from eventstore.events import InitiativeRolled
from projections.because import Because
from projections.fight import Slot
from projections.occurrence import Occurrence
from projections.ruleset.ruleset import derives

HEADS = 1


@derives("order.heads-first", on=InitiativeRolled)
def coin_is_thrown(state: CoinState, fact: Occurrence[InitiativeRolled]) -> None:
    """Keep the coin of a combatant: 1 is heads, anything else tails."""
    if fact.event.combatant:
        state.thrown[fact.event.combatant] = Throw(fact.event.die == HEADS, fact.seq)


@derives("order.heads-first")
def slots(state: CoinState) -> tuple[Slot, ...]:
    """Return everybody with a coin and a purse that is not empty, heads first."""
    placed = [one.id for one in state.here() if one.id in state.thrown and one.status != "broke"]
    placed.sort(key=lambda who: not state.thrown[who].heads)
    level = groupby(placed, key=lambda who: state.thrown[who].heads)
    return tuple(slot for heads, members in level for slot in among_equals(state, heads, tuple(members)))


@derives("order.equal-coins")
def among_equals(state: CoinState, heads: bool, members: tuple[str, ...]) -> tuple[Slot, ...]:
    """Return those with equal coins one after the other as they joined, or by option in one place."""
    at_once = len(members) > 1 and state.option("equal-coins") == "at-once"
    groups = [members] if at_once else [(who,) for who in members]
    rules = slots.rules + (among_equals.rules if len(members) > 1 else ())
    return tuple(
        Slot(group, {"coin": "heads" if heads else "tails"}, Because(rules, _events(state, group))) for group in groups
    )


def _events(state: CoinState, group: tuple[str, ...]) -> tuple[int, ...]:
    return tuple(sorted(state.thrown[who].seq for who in group))
