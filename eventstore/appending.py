"""The decision on an append: lines to write, the earlier append that it repeats, or an error; shared by all stores."""

from collections.abc import Callable, Mapping, Sequence
from typing import TypeVar

from msgspec import Struct

from eventstore.chain import LogPosition
from eventstore.errors import KeyReused, Malformed, WrongVersion
from eventstore.events import Noted
from eventstore.record import Draft, Recorded, encode, upcast
from eventstore.store import STORE, Appended, Request, put_key
from eventstore.writing import Entropy, Lines, make_lines

P = TypeVar("P")


def _find_earlier_append(
    drafts: Sequence[Draft], known: Mapping[str, P], batch_at: Callable[[P], Sequence[Recorded]]
) -> Appended | None:
    """Return the earlier append that these drafts repeat; None if their keys are new; raise KeyReused.

    `known` maps a key to the place of its batch, `batch_at` a place to the records of the batch there.
    """
    used = next((draft.key for draft in drafts if draft.key in known), None)
    if used is None:
        return None
    former = batch_at(known[used])
    why = _describe_difference(drafts, former)
    if why:
        seq = next((record.seq for record in former if record.key == used), former[0].seq)
        raise KeyReused(used, seq, why)
    return Appended(former[0].seq, former[-1].seq, tuple(former), again=True)


def _describe_difference(drafts: Sequence[Draft], former: Sequence[Recorded]) -> str:
    """Return how an append differs from an earlier one, or ""."""
    if len(drafts) < len(former):
        return f"it was one of {len(former)} facts appended at once, only {len(drafts)} of which come again"
    if len(drafts) > len(former):
        return f"{len(former)} of these {len(drafts)} facts were appended before, the others were not"
    for place, (draft, record) in enumerate(zip(drafts, former, strict=True), 1):
        if record.withheld:
            return "its event is withheld, so it cannot be compared"
        if (
            draft.key != record.key
            or draft.secret != record.secret
            or encode(upcast(draft.event)) != encode(record.event)
        ):
            return "there it stands for another fact" if len(drafts) == 1 else f"fact {place} of the append is another"
    return ""


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

    def add_note(self, text: str, at: str) -> None:
        """Add a note of the store itself."""
        self._add_lines(make_lines([Draft(Noted(text=text))], self.place, by=STORE, at=at, entropy=self._entropy))

    def append(self, request: Request) -> Appended:
        """Decide on an append: add its lines to those to be written, or find the earlier append that it repeats.

        Raises WrongVersion, KeyReused, Malformed, TooLarge, and Refusal where it was decided again.
        """
        if request.by == STORE:
            raise Malformed("by", f"{STORE} stands for the store itself", "say who you are")
        if again := self._earlier_append(request.drafts):
            return again
        drafts = request.drafts
        if request.after is not None and request.after != self._ends:
            between = self._records_since(request.after)
            if request.again is None or not between:
                raise WrongVersion(request.after, self._ends, between)
            try:
                drafts = put_key(request.again(between), request.drafts[0].key)
            except Exception as error:
                raise Refusal(error) from error
        lines = make_lines(drafts, self.place, by=request.by, at=request.at, entropy=self._entropy)
        self._add_lines(lines)
        self._ends = lines.end.seq
        for key in request.keys:
            self.keys[key] = lines
        return Appended(lines.records[0].seq, lines.records[-1].seq, lines.records)

    @property
    def data(self) -> bytes:
        """The bytes to be written."""
        return b"".join([lines.data for lines in self.lines])

    def _add_lines(self, lines: Lines) -> None:
        self.lines.append(lines)
        self.place = lines.end

    def _earlier_append(self, drafts: Sequence[Draft]) -> Appended | None:
        return _find_earlier_append(drafts, self.keys, lambda lines: lines.records) or _find_earlier_append(
            drafts, self._written.keys, self._written.batch_at
        )

    def _records_since(self, after: int) -> tuple[Recorded, ...]:
        pending = (record for lines in self.lines for record in lines.records if after < record.seq <= self._ends)
        return (*self._written.since(after), *pending)
