"""The beginning of chains of dice: one for open rolls, one for secret ones."""

from encounterlog.edge import dice_secrets
from encounterlog.edge.clock import now
from encounterlog.edge.ending import note_written
from encounterlog.edge.failures import REFUSED, Failure
from encounterlog.reading.logs import Log, tolerant
from encounterlog.writing.drawing import current
from eventstore.events import DiceCommitted
from eventstore.record import Draft, Recorded


def begin(log: Log, *, by: str, seed: str | None = None, because: str | None = None) -> list[Recorded]:
    """Keep two new secrets beside a log and record their commitments; return its records with them.

    Raise Failure where a chain can still be used, and the store's errors.
    """
    records = list(tolerant(log))
    before, number = current(records, hidden=False)
    if before and number <= before.length and because is None:
        here = dice_secrets.find(log.place, before.link) is not None
        hint = "" if here else "its secret is not here; if it is lost, say so: encounter dice FILE start --because TEXT"
        left = f"{before.length - number + 1:,} rolls left"
        raise Failure(REFUSED, f"{log.path}: the log has a chain of dice with {left}", hint or "just roll: d20+5")
    drafts = tuple(
        Draft(
            DiceCommitted(holder=by, link=_link(log, seed, len(records), hidden=hidden), hidden=hidden, reason=because)
        )
        for hidden in (False, True)
    )
    done = log.store.append(drafts, by=by, at=now(), after=len(records))
    note_written()
    return [*records, *done.records]


def _link(log: Log, seed: str | None, records: int, *, hidden: bool) -> str:
    """Keep a new secret and return its commitment; a second chain from the same seed has another secret."""
    secret = dice_secrets.made(None if seed is None else f"{seed}:{records}:{'hidden' if hidden else 'open'}")
    return dice_secrets.keep(log.place, secret)
