"""A log as one audience sees it at one moment; for all but a game master folded from records without their secrets."""

from collections.abc import Iterator, Sequence
from contextlib import closing
from copy import copy

from encounterlog.core.folded_log import FoldedLog
from encounterlog.core.logs import Log, replayed
from encounterlog.core.opening import FOE_HIT_POINTS
from encounterlog.errors import Refused
from encounterlog.service.served_logs import Released, ServedLog, looked_at, whole_records
from encounterlog.text.hit_points import word
from eventstore.address import LogAddress, Url
from eventstore.chain import Anchor
from eventstore.events import DiceCommitted, EncounterOpened
from eventstore.record import Recorded
from eventstore.store import Store
from projections.folds.addresses import derived
from projections.judging.book import renamed
from projections.mechanics.pools import HP, HP_MAX
from projections.state import State
from projections.stream.audience import for_players
from projections.time import Where


class AudienceLog(Log):
    """The records of a log as they are at one moment, and as one audience may see them.

    Without `secrets` they are withheld records: nothing that is derived from them, answers and refusals alike, can depend on a
    secret payload. A torn tail, which the next writer mends, is no part of it. `alone` says that the log stays
    locked while this is used: only then is its folded state the one that the service keeps, and not worked out again.
    """

    def __init__(self, known: ServedLog, *, secrets: bool, as_of: int | None = None, alone: bool = False) -> None:
        """Take the result of the last look at the log, which is locked."""
        super().__init__(known.name, as_of=as_of, store=Released(known) if alone else known.store)
        self.name, self.secrets, self._known, self._alone = known.name, secrets, known, alone
        self._shown = known.shown(secrets=secrets)
        self.records: tuple[Recorded, ...] = self._shown.records
        self._whole = known.shown(secrets=True).records

    @property
    def head(self) -> Anchor:
        """Where the log ends."""
        return Anchor(self.records[-1].seq, self.records[-1].hash)

    @property
    def is_chained(self) -> bool:
        """Whether a chain of dice was begun in the log."""
        return any(type(record.event) is DiceCommitted for record in self.records)

    @property
    def place(self) -> LogAddress:
        """The address of the log on its shelf."""
        path = getattr(self._known.store, "path", self.name)
        return path if isinstance(path, Url) else str(path)

    @property
    def folded(self) -> FoldedLog | None:
        """The log folded to its end, if the service keeps it so and this is still its end."""
        present = self._alone and self.as_of is None and self._shown.records is self.records
        return self._shown if present else None

    def first_under(self, key: str) -> int | None:
        """Return the first record that was appended under a key; None if there is none."""
        found = self._known.first_under(key)
        return found if found and found <= (self.as_of or len(self.records)) else None

    def reread(self, as_of: int | None = None) -> "AudienceLog":
        """Return the log as it is now, for the same audience, or as it was when it ended with a record."""
        if self._alone:
            if self._known.size == len(self.records):  # else it has grown by what was appended here
                self._known.look()
            return AudienceLog(self._known, secrets=self.secrets, as_of=as_of, alone=True)
        with looked_at(self._known) as known:
            return AudienceLog(known, secrets=self.secrets, as_of=as_of)

    def grown(self, appended: Sequence[Recorded]) -> "AudienceLog":
        """Return the log as it is now."""
        del appended  # the look at the log finds them, for its audience
        return self.reread()

    def followed_by(self, between: Sequence[Recorded]) -> "AudienceLog":
        """Return the log with the records that others appended, as its audience may see them, folded from the beginning."""
        again, whole = copy(self), (*self._whole, *between)
        again.records = whole if self.secrets else tuple(for_players(whole))
        return again

    def unveiled(self) -> "AudienceLog":
        """Return the log with its secrets, as it was at the same moment."""
        if self.folded is not None:
            return AudienceLog(self._known, secrets=True, alone=True)
        return AudienceLog(self._known, secrets=True, as_of=self.as_of or len(self.records))

    def __iter__(self) -> Iterator[Recorded]:
        if self.as_of is not None and not 0 < self.as_of <= len(self.records):
            says = f"as_of={self.as_of}: this log has no record {self.as_of}"
            raise Refused("usage", says, f"it ends at {len(self.records)}")
        yield from self.records[: self.as_of]


def identity(store: Store) -> str:
    """Return the id of a log, which its opening gave it, "" if there is none; raise as the store does."""
    with closing(whole_records(store)) as records:
        first = next(records, None)
    return first.event.encounter if first and isinstance(first.event, EncounterOpened) else ""


# ---------------------------------------------------------------- the one exception: words for hit points


def words(seen: AudienceLog, where: Where | None) -> dict[str, str] | None:
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
