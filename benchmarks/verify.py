"""Verification of digest and chain on the bytes of each line, against two SHA-256 over ready slices of them (8)."""

from hashlib import sha256
from pathlib import Path

from benchmarks.logs import written
from benchmarks.measuring import Measurement, Work, in_turn, rows_per_event
from eventstore.chain import DIGEST, GENESIS, TAIL, TO_CUT, verify_line

FLOOR, OWN = "two SHA-256 over ready slices (floor)", "digest and chain verified"


def run(folder: Path, short: bool) -> list[Measurement]:
    """Measure with the lines in memory; replay (9) includes reading and decoding."""
    events, runs = (10_000, 5) if short else (100_000, 7)
    lines = written(folder / "verify.jsonl", "plain", events).read_bytes().splitlines()
    slices = [(line[: (cut := line.find(DIGEST) + TO_CUT)], line[cut + 1 : -TAIL]) for line in lines]

    def floor() -> None:
        for head, body in slices:
            sha256(body).hexdigest()
            sha256(head).hexdigest()

    def own() -> None:
        previous = GENESIS
        for line in lines:
            previous = verify_line(line, previous)

    works: dict[str, Work] = {FLOOR: floor, OWN: own}
    return rows_per_event(in_turn(works, runs), events, FLOOR, {OWN: 0.4})
