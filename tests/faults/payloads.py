"""Fault 66: facts that a program hands over and that cannot be read back as they are: refused before a byte is written."""

import datetime as dt
import enum
from collections.abc import Iterator
from decimal import Decimal
from typing import Any, cast

from eventstore.errors import Malformed, StoreError
from eventstore.events import Checked, CombatantJoined, DamageDealt, Noted
from eventstore.record import Draft, encode
from eventstore.shapes import Part
from tests.eventstore.logs import rounds
from tests.faults.campaign import Run, fault
from tests.faults.memfs import MemFS
from tests.faults.recording import REAL, Make, Recording, hold


class _Side(enum.Enum):
    ORCS = "orcs"


STRANGE: dict[str, Any] = {
    "the keys 1 and '1'": {1: "a", "1": "b"},
    "one within a list": [{"hp": [{1: 1, "1": 2}]}],
    "keys that are no text": {1: 1, 2: 2},
    "a key of None": {None: 1},
    "a fraction": 1.5,
    "no number": float("nan"),
    "an endless number": float("inf"),
    "a Decimal": Decimal("1.50"),
    "a moment": dt.datetime(2026, 11, 20, tzinfo=dt.UTC),
    "bytes": b"\xff\x00",
    "an enum": _Side.ORCS,
    "nothing": None,
    "half a surrogate pair": "\ud800",
    "text that is not in normal form C": "e\u0301",
    "a key that is not in normal form C": {"e\u0301": 1},
    "two keys of one normal form": {"e\u0301": 1, "é": 2},
    "a large number": 2**53,
    "a set": {1},
    "a struct": Noted(text="inside"),
}
"""Values in a sheet."""

UNTYPED: dict[str, Any] = {
    "text for a number": DamageDealt(target="orc-1", amount=cast("int", "3")),
    "a number for text": Noted(text=cast("str", 3)),
    "truth for a number": DamageDealt(target="orc-1", amount=cast("int", True)),
    "a target that is not an id": DamageDealt(target="Orc 1", amount=3),
    "a target with an escape": DamageDealt(target="orc\x1b[2J", amount=3),
    "a target with a line feed": DamageDealt(target="orc-1\n", amount=3),
    "a cause of 0": DamageDealt(target="orc-1", amount=3, cause=0),
    "the keys 1 and '1' of values": Checked(values=cast("Any", {1: 5, "1": 6})),
    "an empty list where it is left out": DamageDealt(target="orc-1", amount=3, parts=cast("tuple[Part, ...]", [])),
    "a list of characters": Noted(text=cast("str", list("abc"))),
}
"""Facts that no type checker let pass, or that break the rules of form; none of them may be taken."""


def payloads() -> Iterator[tuple[str, Any]]:
    for name, value in STRANGE.items():
        yield name, CombatantJoined(combatant="orc-1", side="orcs", sheet={"hp": value})
        yield f"{name}, as a sheet", CombatantJoined(combatant="orc-1", side="orcs", sheet=value)
    yield from UNTYPED.items()


@fault(66, 'a fact that cannot be read back as it is: keys 1 and "1", fractions, no text, no id')
def strange(run: Run, make: Make = REAL) -> None:
    """Each alone, behind good facts in a batch, and once more by its key: refused, or there as it was given."""
    for name, event in payloads():
        for place in (0, 2):
            recording = Recording(MemFS(), make, seed=name)
            store = recording.create()
            recording.append(store, rounds(1, 1))
            before = recording.machine.get(recording.path)
            batch = [*rounds(2, place), Draft(event)]
            try:
                recording.append(store, batch, key="strange")
            except Malformed:
                recording.keyed.clear()
                run.counts.refused += 1
                if recording.machine.get(recording.path) != before:
                    run.breach("I3", name, "it was refused, and yet something was written")
            except StoreError as error:
                run.breach("I6", name, f"it ended with {error!r}")
            else:
                _is_there(run, name, recording, event)
                if name in UNTYPED:
                    run.breach("I6", name, "it was taken")
            _goes_on(run, name, recording)
            hold(run, f"{name}, behind {place}", recording.last, recording.machine)


def _is_there(run: Run, name: str, recording: Recording, event: Any) -> None:
    """What was taken reads as it was given."""
    records = recording.read(recording.open())
    if not records or records[-1].event is None or encode(records[-1].event) != encode(event):
        run.counts.lost += 1
        run.breach("I1", name, "it was taken, and reads otherwise")


def _goes_on(run: Run, name: str, recording: Recording) -> None:
    try:
        recording.append(recording.open(), rounds(3, 1))
    except StoreError as error:
        run.breach("I6", name, f"nothing can be appended after it: {error}")
