"""What must hold after every fault: the invariants I1 to I7, tried on the log that is left."""

from collections.abc import Sequence
from dataclasses import dataclass, field

from eventstore.errors import Busy, CorruptLog, NotWritten, StoreError
from eventstore.events import Event, Noted
from eventstore.record import Draft, Recorded, encode_record, upcast
from eventstore.store import STORE, Store
from projections.replay.replay import replay
from projections.views.view import show
from tests.eventstore import verifier
from tests.eventstore.logs import AT
from tests.faults.campaign import Run


@dataclass
class Story:
    """Is what happened before the fault: records whose append returned, appends in flight, records that a reader saw."""

    acked: list[Recorded] = field(default_factory=list)
    flying: list[Sequence[Draft]] = field(default_factory=list)
    seen: list[Recorded] = field(default_factory=list)


def judge(run: Run, case: str, story: Story, store: Store, data: bytes) -> list[Recorded]:
    """Hold a log after a fault against its story, count the case, and return what can be read of it.

    `store` is a fresh handle, `data` the bytes of the log before anything was done about the fault.
    """
    run.counts.cases += 1
    records, refusal = readable(store)
    told = [record for record in records if record.by != STORE]
    acked = {record.seq for record in story.acked}
    _judge_acked(run, case, story, told)
    _judge_others(run, case, story, [record for record in told if record.seq not in acked])
    _judge_seen(run, case, story, records)
    _judge_chain(run, case, records, data)
    _judge_folds(run, case, story, [record for record in told if record.seq in acked])
    if refusal is not None and not _exact(refusal, data):
        run.breach("I6", case, f"{type(refusal).__name__} does not say exactly where and why: {refusal}")
    _judge_use(run, case, store, records, refusal, data)
    return records


def readable(store: Store) -> tuple[list[Recorded], StoreError | None]:
    records: list[Recorded] = []
    try:
        for record in store.read():
            records.append(record)  # noqa: PERF402 – a comprehension would lose the part
    except StoreError as error:
        return records, error
    return records, None


def _judge_acked(run: Run, case: str, story: Story, told: Sequence[Recorded]) -> None:
    """I1: every acked event is there, byte for byte."""
    there = {record.seq: encode_record(record) for record in told}
    missing = [record.seq for record in story.acked if there.get(record.seq) != encode_record(record)]
    if missing:
        run.counts.lost += len(missing)
        run.breach("I1", case, f"acked records {missing} are not there as they were")


def _judge_others(run: Run, case: str, story: Story, others: Sequence[Recorded]) -> None:
    """I2 and I3: whatever else is there was in flight, once, and as a whole."""
    flying: list[list[Event | None]] = [[upcast(draft.event) for draft in drafts] for drafts in story.flying]
    rest = list(others)
    while rest:
        size = rest[0].batch[1] if rest[0].batch else 1
        batch, rest = rest[:size], rest[size:]
        if [record.batch for record in batch] != ([None] if size == 1 else [(n, size) for n in range(1, size + 1)]):
            run.counts.split += 1
            run.breach("I3", case, f"the batch at record {batch[0].seq} is split")
        elif (events := [record.event for record in batch]) in flying:
            flying.remove(events)
        elif any(events == each[:size] for each in flying):
            run.counts.split += 1
            run.breach("I3", case, f"record {batch[0].seq} is in the log without the rest of its batch")
        else:
            run.counts.invented += len(batch)
            run.breach("I2", case, f"record {batch[0].seq} was neither acked nor in flight")


def _judge_seen(run: Run, case: str, story: Story, records: Sequence[Recorded]) -> None:
    """I5: what a reader saw is still there."""
    lines = {encode_record(record) for record in records}
    if gone := [record.seq for record in story.seen if encode_record(record) not in lines]:
        run.breach("I5", case, f"a reader saw records {gone}, which are gone")


def _judge_chain(run: Run, case: str, records: Sequence[Recorded], data: bytes) -> None:
    """I4: no gap, a valid chain; the program and the verifier that shares no code with it agree on where the log is good."""
    if [record.seq for record in records] != list(range(1, len(records) + 1)):
        run.breach("I4", case, "the seqs have a gap")
    line, why = verifier.first_fault(b"".join(encode_record(record) + b"\n" for record in records))
    if records and line:
        run.breach("I4", case, f"what was read is no log: line {line}: {why}")
    line, why = verifier.first_fault(data)
    if not line and why.partition(":")[0] != str(len(records)):
        run.breach("I4", case, f"{len(records)} records were read, the verifier finds {why}")


def _judge_folds(run: Run, case: str, story: Story, acked: Sequence[Recorded]) -> None:
    """I7: the acked part folds to what it did before."""
    same = len(acked) == len(story.acked) > 0 and acked[0].seq == 1
    if same and show(replay(acked).state) != show(replay(story.acked).state):
        run.breach("I7", case, "the acked events fold to another state")


def _exact(error: StoreError, data: bytes) -> bool:
    """Whether a refusal gives a reason and, where the log is damaged, the line and the byte at which that begins."""
    if isinstance(error, CorruptLog):
        return bool(error.why) and data[: error.offset].count(b"\n") == error.line - 1
    return bool(str(error))


def _judge_use(
    run: Run, case: str, store: Store, records: Sequence[Recorded], refusal: StoreError | None, data: bytes
) -> None:
    """I6: the log can be written again, or it is refused and the error says exactly why."""
    try:
        done = store.append([Draft(Noted(text="after the fault"))], by="judge", at=AT)
    except StoreError as error:
        run.counts.refused += 1
        if not _exact(error, data):
            run.breach("I6", case, f"{type(error).__name__} does not say exactly why: {error}")
        if getattr(refusal, "torn", False) and not isinstance(error, NotWritten | Busy):
            run.breach("I6", case, f"a torn tail keeps writers out: {error}")
        if refusal is None and not isinstance(error, NotWritten | Busy):
            run.breach("I6", case, f"it can be read but not written: {error}")
        return
    again, problem = readable(store)
    if problem is not None or again[: len(records)] != list(records) or again[-1:] != list(done.records):
        run.breach("I6", case, f"after the next append it reads otherwise: {problem}")
    if not store.verify().sound:
        run.breach("I6", case, "after the next append it does not verify")
