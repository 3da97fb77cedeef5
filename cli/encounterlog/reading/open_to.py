"""The acts that a combatant may do, as people ask for them."""

from encounterlog.core.logs import LogView
from encounterlog.errors import Refused
from encounterlog.reading import addressing
from encounterlog.reading.explanations import past_of
from projections.explaining.may import Choices, choices
from projections.explaining.past import Past
from projections.time import Where


def open_to(log: LogView, who: str, where: Where | None) -> tuple[Choices, Past]:
    """Return a combatant's choices, and the log up to that point; raise Refused for a name that nobody has, or several."""
    past = past_of(log, where)
    try:
        return choices(past, addressing.combatant(past.state, who) if who else ""), past
    except Refused as unknown:
        raise (log.problem or unknown) from None  # who is named may join behind the fault
