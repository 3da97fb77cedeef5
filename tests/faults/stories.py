"""What the faults tell of: logs of many kinds, evenings at the table, and how the next writer puts a log in order."""

from collections.abc import Callable, Sequence
from itertools import count

import msgspec

from eventstore.errors import CorruptLog
from eventstore.events import CombatantJoined, Noted
from eventstore.jsonl import JsonlStore
from eventstore.record import Draft
from tests.eventstore.logs import OPENING, drafts, log_of, rounds
from tests.faults.judging import Story
from tests.faults.memfs import How, MemFS
from tests.faults.recording import FORD, REAL, Batch, Make, Moment, Recording, before_sync

BLOCKS = (512, 4096)
ASIDE = FORD.with_name("ford-old.jsonl")
OTHER = msgspec.structs.replace(OPENING, encounter="z9k4", title="Bridge")
CHARACTERS = "éßΩ–✓€𝄞🎲"
"""Two, three and four bytes long."""


def standing(data: bytes, block: int = 512, *, story: Story | None = None) -> Moment:
    machine = MemFS(block=block)
    machine.put(FORD, data)
    return Moment(0, "begin", machine, story or Story())


def a_log_of(batches: Sequence[Batch], make: Make = REAL) -> tuple[Recording, JsonlStore]:
    recording = Recording(MemFS(), make)
    store = recording.create()
    for batch in batches:
        recording.append(store, batch)
    return recording, store


def at_call(recording: Recording, nth: int, happens: Callable[[], object]) -> None:
    calls = count(1)
    recording.beside = lambda: next(calls) == nth and happens()


def filler(size: int) -> Draft:
    return Draft(CombatantJoined(combatant="orc-1", side="orcs", sheet={"story": "x" * size}))


def of_length(count: int) -> Draft:
    """Return a fact whose line has that many bytes, with seq 2."""
    line = log_of(drafts(OPENING), drafts(CombatantJoined(combatant="a", sheet={"x": ""}))).splitlines(keepends=True)[1]
    return Draft(CombatantJoined(combatant="a", sheet={"x": "x" * (count - len(line))}))


LAST: dict[str, tuple[Batch, str | None]] = {
    "a record": (rounds(7, 1), None),
    "a batch": (rounds(7, 3), None),
    "a keyed record": (rounds(7, 1), "volley"),
    "a keyed batch": ([Draft(Noted(text="„Pfeil“ ✓"), secret=True), *rounds(7, 1)], "volley"),
    "a long record": (drafts(Noted(text=f"{CHARACTERS} " * 60)), None),
}
"""What may stand last in a log, with its key."""


def evening(recording: Recording) -> None:
    """Tell of an evening at the table: appends of every kind by several processes, read in between."""
    gm, other = recording.create(), recording.open()
    recording.append(gm, rounds(1, 1))
    recording.append(gm, drafts(*(Noted(text=CHARACTERS * size) for size in (1, 9, 30))))
    recording.append(other, rounds(2, 2), key="second round")
    recording.append(gm, rounds(4, 1), mode="flushed")
    recording.append(other, rounds(5, 2), mode="flushed")
    recording.read(recording.open())
    recording.append(other, rounds(7, 1), mode="flushed")
    recording.append(recording.open(), [filler(5000)])
    recording.append(other, [*rounds(8, 2), *drafts(Noted(text=CHARACTERS * 90))], key="last round")
    recording.append(gm, rounds(8, 1), key="afterwards", mode="flushed")
    recording.append(recording.open(), [*rounds(8, 2), *drafts(Noted(text=CHARACTERS * 90))], key="last round")


def an_evening(make: Make, block: int) -> Recording:
    recording = Recording(MemFS(block=block), make, seed="evening")
    evening(recording)
    return recording


def at_the_end(last: str, make: Make = REAL, *, block: int = 512) -> Moment:
    recording = Recording(MemFS(block=block), make, seed=last)
    store = recording.create()
    recording.append(store, rounds(1, 2), key="first")
    batch, key = LAST[last]
    recording.append(store, batch, key=key)
    return before_sync(recording)


TORN: dict[str, tuple[How, float]] = {
    "a byte of it": ("prefix", 0),
    "half of it": ("prefix", 0.5),
    "all but its line feed": ("prefix", 1),
    "zeros": ("zeros", 0),
}
"""What a first power cut leaves of the last append."""


def torn(last: str, left: str, make: Make = REAL) -> Moment:
    how, share = TORN[left]
    moment = at_the_end(last, make)
    size = 1 + int(share * (moment.unsynced - 2)) if how == "prefix" else None
    back = moment.machine.crash(0, how, cut=size)
    return Recording.after(moment, back).last


def recovered(moment: Moment) -> Recording:
    """Tell how the next writers come and put the log in order, repair it if need be."""
    recording = Recording.after(moment, moment.machine.clone(), seed=moment.case)
    try:
        recording.append(recording.open(), rounds(20, 2))
    except CorruptLog:
        recording.repair()
        recording.append(recording.open(), rounds(20, 2))
    recording.append(recording.open(), rounds(22, 1), key="after")
    return recording
