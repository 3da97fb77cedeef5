"""The beginning of dice chains: one for open rolls, one for secret ones."""

from typing import cast

from encounterlog.core.drawn_dice import current
from encounterlog.core.logs import LogView, tolerant
from encounterlog.errors import Refused
from encounterlog.storage import dice_secrets, services
from encounterlog.storage.clock import now
from encounterlog.storage.stores import is_served
from encounterlog.written import note_written
from eventstore.address import LogAddress, Url
from eventstore.events import DiceCommitted
from eventstore.record import Draft, Recorded


def begin(log: LogView, *, by: str, seed: str | None = None, because: str | None = None) -> list[Recorded]:
    """Store two new secrets beside a log and record their commitments; return its records with them.

    Raise Refused where a chain can still be used, and the store's errors. A service does it for the logs that it keeps.
    """
    if is_served(log.place):
        asked = {"because": because or "", "seed": seed or ""}
        services.ask("POST", cast("Url", log.place).given, "dice", asked)
        return list(tolerant(log))
    records = list(tolerant(log))
    before, number = current(records, hidden=False)
    if before and number <= before.length and because is None:
        here = dice_secrets.find(log.place, before.link) is not None
        hint = "" if here else "its secret is not here; if it is lost, say so: encounter dice FILE start --because TEXT"
        left = f"{before.length - number + 1:,} rolls left"
        raise Refused("refused", f"{log.path}: the log has a chain of dice with {left}", hint or "just roll: d20+5")
    drafts = commitments(log.place, len(records), by=by, seed=seed, because=because)
    done = log.store.append(drafts, by=by, at=now(), after=len(records))
    note_written()
    return [*records, *done.records]


def commitments(
    place: LogAddress, records: int, *, by: str, seed: str | None = None, because: str | None = None
) -> tuple[Draft, ...]:
    """Store two new secrets beside a log of so many records, and return the facts that begin their chains; raise the store's errors.

    A second chain from the same seed has another secret.
    """
    return tuple(
        Draft(DiceCommitted(holder=by, link=dice_secrets.keep(place, secret), hidden=hidden, reason=because))
        for hidden, kind in ((False, "open"), (True, "hidden"))
        for secret in [dice_secrets.made(None if seed is None else f"{seed}:{records}:{kind}")]
    )
