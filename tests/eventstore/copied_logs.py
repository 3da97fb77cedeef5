"""What the tests of copying share with others."""

from eventstore.chain import withhold_payload
from eventstore.events import Noted
from eventstore.record import Draft
from tests.eventstore.logs import GOLDEN, OPENING, drafts, log_of, rehashed, rounds, small_log

LATER = GOLDEN.with_name("format-1-later.jsonl")


def with_events(*texts: str) -> bytes:
    made = log_of(drafts(OPENING), *([Draft(Noted(text="x"))] for _ in texts)).splitlines(keepends=True)
    old = b'{"type":"noted","text":"x"}'
    return rehashed([made[0], *(line.replace(old, text.encode()) for line, text in zip(made[1:], texts, strict=True))])


UNKNOWN = with_events(
    '{"type":"damage_dealt.7","target":"orc-1","worse":[{"ü":-1},[]],"empty":{}}',
    '{"type":"amended","event":2,"replacement":{"type":"dreamt","of":"🐑 „sheep“"},"reason":"he slept"}',
    '{"type":"inserted","after":2,"fact":{"type":"dreamt","z":1,"a":2}}',
    '{"type":"amended","event":3,"replacement":{"type":"amended","event":2,"replacement":{"type":"x.9"}}}',
)


def in_part(data: bytes, *seqs: int) -> bytes:
    rows = data.splitlines(keepends=True)
    return b"".join(withhold_payload(row) if seq in seqs else row for seq, row in enumerate(rows, 1))


LOGS = {
    "every type": GOLDEN.read_bytes(),
    "earlier versions": LATER.read_bytes(),
    "unknown types": UNKNOWN,
    "batch, key, secret, umlauts": small_log(),
    "withheld": in_part(small_log(), 2, 3),
    "unknown and withheld": in_part(UNKNOWN, 2, 4),
    "one record": log_of(drafts(OPENING)),
    "batches": log_of(drafts(OPENING), *(rounds(number, number % 5 + 1) for number in range(40))),
}
