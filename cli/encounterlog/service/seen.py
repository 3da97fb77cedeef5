"""A log as somebody sees it: read once, verified; for all but a game master folded from records without their secrets."""

from collections import deque
from collections.abc import Generator, Iterator
from contextlib import closing
from pathlib import Path

from encounterlog.edge import failures
from encounterlog.edge.failures import Failure
from encounterlog.reading.logs import Log, replayed
from encounterlog.writing.opening import HIT_POINT_WORDS
from eventstore.chain import Anchor
from eventstore.errors import CorruptLog, NotALog
from eventstore.events import EncounterOpened
from eventstore.record import Recorded
from eventstore.store import Store
from projections.folds.addresses import derived
from projections.mechanics.pools import HP, HP_MAX
from projections.state import State
from projections.stream.audience import for_players
from projections.time import Where


class Seen(Log):
    """The records of a log as they are at one moment, and as one audience may see them.

    Without `secrets` they are withheld records: whatever is derived from them, answers and refusals alike, cannot
    depend on a secret payload. A torn tail, which the next writer mends, is no part of it.
    """

    def __init__(self, name: str, store: Store, *, secrets: bool, as_of: int | None = None) -> None:
        """Read the log; raise as the store does."""
        super().__init__(Path(name), as_of=as_of, store=store)
        self.name, self.secrets = name, secrets
        whole = tuple(whole_records(store))
        if not whole:
            raise NotALog(self.path, "it holds no record")
        self.records: tuple[Recorded, ...] = whole if secrets else tuple(for_players(whole))

    @property
    def head(self) -> Anchor:
        """Where the log ends."""
        return Anchor(self.records[-1].seq, self.records[-1].hash)

    def anew(self, as_of: int | None = None) -> "Seen":
        """Return the log as it is now, for the same audience, or as it was when it ended with a record."""
        return Seen(self.name, self.store, secrets=self.secrets, as_of=as_of)

    def note_revision(self) -> None:
        """Do nothing: a service has no terminal to note anything on."""

    def _readable(self) -> Iterator[Recorded]:
        if self.as_of is not None and not 0 < self.as_of <= len(self.records):
            says = f"as_of={self.as_of}: this log has no record {self.as_of}"
            raise Failure(failures.USAGE, says, f"it ends at {len(self.records)}")
        yield from self.records[: self.as_of]


def whole_records(store: Store) -> Generator[Recorded, None, None]:
    """Yield the records of a log but for a torn tail; raise what else is wrong with it."""
    try:
        yield from store.read()
    except CorruptLog as error:
        if not error.torn:
            raise


def identity(store: Store) -> str:
    """Return the id of a log, which its opening gave it, "" if there is none; raise as the store does."""
    with closing(whole_records(store)) as records:
        first = next(records, None)
    return first.event.encounter if first and isinstance(first.event, EncounterOpened) else ""


def whole_head(store: Store) -> Anchor:
    """Return the end of a log but for a torn tail; raise what else is wrong with it."""
    try:
        return store.head()
    except CorruptLog as error:
        last = next(iter(deque(whole_records(store), maxlen=1)), None)
        if last is None:
            raise error from None
        return Anchor(last.seq, last.hash)


# ---------------------------------------------------------------- the one exception: words for hit points


def words(seen: Seen, where: Where | None) -> dict[str, str] | None:
    """Return a word for the hit points of each combatant that players know; None if the log's setting is against it.

    They are functions of the full state after the record where the players' view ends. A game master needs none.
    """
    if seen.secrets:
        return None
    known = replayed(seen, where).state
    if known.options.get(HIT_POINT_WORDS) != "yes":
        return None
    full = Seen(seen.name, seen.store, secrets=True, as_of=seen.as_of or len(seen.records))
    state = replayed(full, Where(seq=known.seq) if where else None).state
    found = {who: _word(state, who) for who in known.combatants if who in state.combatants}
    return {who: word for who, word in found.items() if word}


def _word(state: State, who: str) -> str:
    """Return unhurt, hurt, bloodied (at half or less) or down; nothing for one without hit points."""
    left, most = (found.value if (found := derived(state, f"{who}.{pool}")) else None for pool in (HP, HP_MAX))
    if not isinstance(left, int):
        return ""
    if left <= 0:
        return "down"
    if not isinstance(most, int) or left >= most:
        return "unhurt"
    return "bloodied" if 2 * left <= most else "hurt"
