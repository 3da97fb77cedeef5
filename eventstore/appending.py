"""The decision on an append: lines to write, the earlier append that it repeats, or an error; shared by all stores."""

from collections.abc import Callable, Mapping, Sequence

from msgspec import Struct

from eventstore import keys
from eventstore.chain import LogPosition
from eventstore.errors import Malformed, WrongVersion
from eventstore.events import Noted
from eventstore.record import Draft, Recorded
from eventstore.store import STORE, Again, Appended
from eventstore.writing import Entropy, Lines, keyed, lines_of


class Request(Struct, frozen=True):
    """The request of one call of `append`; its key is on the first draft."""

    drafts: Sequence[Draft]
    by: str
    at: str
    after: int | None
    again: Again | None = None

    @property
    def keys(self) -> list[str]:
        """The keys under which the append can be repeated."""
        return [draft.key for draft in self.drafts if draft.key is not None]


class Written(Struct, frozen=True):
    """The present log: its end, its keys, and functions to look into it."""

    place: LogPosition
    keys: Mapping[str, LogPosition]
    batch_at: Callable[[LogPosition], Sequence[Recorded]]
    since: Callable[[int], tuple[Recorded, ...]]


class Refusal(Exception):
    """An append that was refused when it was decided again; `why` is the error with which it was."""

    def __init__(self, why: Exception) -> None:
        self.why = why


class Tail:
    """The end of a growing log, with the lines to be written after the present ones."""

    def __init__(self, written: Written, entropy: Entropy) -> None:
        self.place = written.place
        self.lines: list[Lines] = []
        self.keys: dict[str, Lines] = {}
        self._written, self._entropy = written, entropy
        self._ends = written.place.seq
        """The end of the log for those who append, without the store's own notes."""

    def is_blind(self, request: Request) -> bool:
        """Return whether an append may stand wherever the log ends, and is not known to be decided on this end."""
        is_open = request.after is None or request.again is not None
        return is_open and request.after != self._ends and not request.keys

    def note(self, text: str, at: str) -> None:
        """Add a note of the store itself."""
        self._grow(lines_of([Draft(Noted(text=text))], self.place, by=STORE, at=at, entropy=self._entropy))

    def append(self, request: Request) -> Appended:
        """Decide on an append: add its lines to those to be written, or find the earlier append that it repeats.

        Raises WrongVersion, KeyReused, Malformed, TooLarge, and Refusal where it was decided again.
        """
        if request.by == STORE:
            raise Malformed("by", f"{STORE} stands for the store itself", "say who you are")
        if again := self._former(request.drafts):
            return again
        drafts = request.drafts
        if request.after is not None and request.after != self._ends:
            between = self._since(request.after)
            if request.again is None or not between:
                raise WrongVersion(request.after, self._ends, between)
            try:
                drafts = keyed(request.again(between), request.drafts[0].key)
            except Exception as error:
                raise Refusal(error) from error
        lines = lines_of(drafts, self.place, by=request.by, at=request.at, entropy=self._entropy)
        self._grow(lines)
        self._ends = lines.end.seq
        for key in request.keys:
            self.keys[key] = lines
        return Appended(lines.records[0].seq, lines.records[-1].seq, lines.records)

    @property
    def data(self) -> bytes:
        """The bytes to be written."""
        return b"".join([lines.data for lines in self.lines])

    def _grow(self, lines: Lines) -> None:
        self.lines.append(lines)
        self.place = lines.end

    def _former(self, drafts: Sequence[Draft]) -> Appended | None:
        return keys.found(drafts, self.keys, lambda lines: lines.records) or keys.found(
            drafts, self._written.keys, self._written.batch_at
        )

    def _since(self, after: int) -> tuple[Recorded, ...]:
        pending = (record for lines in self.lines for record in lines.records if after < record.seq <= self._ends)
        return (*self._written.since(after), *pending)
