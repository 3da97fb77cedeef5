"""Typed decode, streamed line by line, against `decode_lines` of the whole file at once (7), and beside other readers of JSON."""

import json
from collections.abc import Callable
from pathlib import Path

import msgspec

from benchmarks.logs import written
from benchmarks.measuring import Measurement, Work, in_turn, rows_per_event
from eventstore.disk import BUFFER
from eventstore.record import Recorded, newest

AT_ONCE, OWN = "msgspec decode_lines, all at once (floor)", "typed decode, line by line"
MSGSPEC, JSON, PYDANTIC = "msgspec, dicts (peer)", "json.loads (peer)", "pydantic, a union of models (peer)"


def run(folder: Path, short: bool) -> list[Measurement]:
    """Measure the reading of one log; nothing is verified."""
    events, runs = (10_000, 5) if short else (100_000, 7)
    path = written(folder / "decode.jsonl", "plain", events)
    dicts = msgspec.json.Decoder()

    def at_once() -> None:
        msgspec.json.Decoder(Recorded).decode_lines(path.read_bytes())

    def streamed() -> None:
        with path.open("rb", buffering=BUFFER) as file:
            for line in file:
                newest.decode(line)

    def as_dicts() -> None:
        with path.open("rb", buffering=BUFFER) as file:
            for line in file:
                dicts.decode(line)

    def as_json() -> None:
        with path.open("rb", buffering=BUFFER) as file:
            for line in file:
                json.loads(line)

    works: dict[str, Work] = {AT_ONCE: at_once, OWN: streamed, MSGSPEC: as_dicts, JSON: as_json}
    missing = [Measurement(PYDANTIC, "", (), note="pydantic is not installed")]
    try:
        from benchmarks.modelled import reader
    except ImportError:
        pass
    else:
        works[PYDANTIC], missing = _modelled(path, reader()), []
    return [*rows_per_event(in_turn(works, runs), events, AT_ONCE, {OWN: 0.9}), *missing]


def _modelled(path: Path, read: Callable[[bytes], object]) -> Work:
    def as_models() -> None:
        with path.open("rb", buffering=BUFFER) as file:
            for line in file:
                read(line)

    return as_models
