"""Idempotency keys: how a retry is told from new facts, and from the misuse of a key."""

from collections.abc import Callable, Mapping, Sequence
from typing import TypeVar

from eventstore.errors import KeyReused
from eventstore.record import Draft, Recorded, encode, upcast
from eventstore.store import Appended

P = TypeVar("P")


def found(
    drafts: Sequence[Draft], known: Mapping[str, P], batch_at: Callable[[P], Sequence[Recorded]]
) -> Appended | None:
    """Return the earlier append that these drafts repeat; None if their keys are new; raise KeyReused.

    `known` maps a key to the place of its batch, `batch_at` a place to the records of the batch there.
    """
    used = next((draft.key for draft in drafts if draft.key in known), None)
    if used is None:
        return None
    former = batch_at(known[used])
    why = _difference(drafts, former)
    if why:
        seq = next((record.seq for record in former if record.key == used), former[0].seq)
        raise KeyReused(used, seq, why)
    return Appended(former[0].seq, former[-1].seq, tuple(former), again=True)


def _difference(drafts: Sequence[Draft], former: Sequence[Recorded]) -> str:
    """Return how an append differs from an earlier one, or ""."""
    if len(drafts) < len(former):
        return f"it was one of {len(former)} facts appended at once, only {len(drafts)} of which come again"
    if len(drafts) > len(former):
        return f"{len(former)} of these {len(drafts)} facts were appended before, the others were not"
    for place, (draft, record) in enumerate(zip(drafts, former, strict=True), 1):
        if record.withheld:
            return "its event is withheld, so it cannot be compared"
        if draft.key != record.key or draft.secret != record.secret or not _same(draft, record):
            return "there it stands for another fact" if len(drafts) == 1 else f"fact {place} of the append is another"
    return ""


def _same(draft: Draft, record: Recorded) -> bool:
    """Return whether a draft and a record are the same fact, in any version of its type."""
    return encode(upcast(draft.event)) == encode(record.event)
