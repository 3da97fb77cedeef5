"""The one exception from what players see: words for hit points, where the log's setting has the true ones."""

from encounterlog.core.logs import LogView, replayed
from encounterlog.core.opening import FOE_HIT_POINTS
from encounterlog.text.hit_points import word
from projections.folds.addresses import derived
from projections.judging.book import renamed
from projections.mechanics.pools import HP, HP_MAX
from projections.state import State
from projections.time import Where


def words(seen: LogView, where: Where | None) -> dict[str, str] | None:
    """Return a word for the hit points of each combatant that players know; None if the log's setting is against it.

    The words come from the full state after the last record that players see. A game master needs none.
    """
    if seen.secrets:
        return None
    known = replayed(seen, where).state
    if renamed(known.options).get(FOE_HIT_POINTS) != "true-words":
        return None
    state = replayed(seen.unveiled(), Where(seq=known.seq) if where else None).state
    found = {who: _word(state, who) for who in known.combatants if who in state.combatants}
    return {who: word for who, word in found.items() if word}


def _word(state: State, who: str) -> str:
    left, most = (found.value if (found := derived(state, f"{who}.{pool}")) else None for pool in (HP, HP_MAX))
    return word(left, most)
