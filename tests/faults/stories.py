"""What the faults tell of: logs of many kinds, evenings at the table, and how the next writer puts a log in order."""

from collections.abc import Callable, Sequence
from itertools import count

import msgspec

from eventstore.errors import CorruptLog
from eventstore.events import CombatantJoined, Noted
from eventstore.jsonl import JsonlStore
from eventstore.record import Draft
from tests.eventstore.logs import OPENING, drafts, rounds
from tests.faults.judging import Story
from tests.faults.memfs import How, MemFS
from tests.faults.telling import FORD, REAL, Batch, Make, Moment, Telling, before_sync

BLOCKS = (512, 4096)
ASIDE = FORD.with_name("ford-old.jsonl")
OTHER = msgspec.structs.replace(OPENING, encounter="z9k4", title="Bridge")
CHARACTERS = "éßΩ–✓€𝄞🎲"
"""Two, three and four bytes long."""


def standing(data: bytes, block: int = 512, *, story: Story | None = None) -> Moment:
    """Return a machine on which the log is just that."""
    machine = MemFS(block=block)
    machine.put(FORD, data)
    return Moment(0, "begin", machine, story or Story())


def a_log_of(batches: Sequence[Batch], make: Make = REAL) -> tuple[Telling, JsonlStore]:
    """Tell of a log with these appends after its opening, and return the handle that wrote them."""
    telling = Telling(MemFS(), make)
    store = telling.create()
    for batch in batches:
        telling.append(store, batch)
    return telling, store


def at_call(telling: Telling, nth: int, happens: Callable[[], object]) -> None:
    """Let something happen before the nth call from now on."""
    calls = count(1)
    telling.beside = lambda: next(calls) == nth and happens()


def filler(size: int) -> Draft:
    """Return a draft with that many bytes of text in it."""
    return Draft(CombatantJoined(combatant="orc-1", side="orcs", sheet={"story": "x" * size}))


LAST: dict[str, tuple[Batch, str | None]] = {
    "a record": (rounds(7, 1), None),
    "a batch": (rounds(7, 3), None),
    "a keyed record": (rounds(7, 1), "volley"),
    "a keyed batch": ([Draft(Noted(text="„Pfeil“ ✓"), secret=True), *rounds(7, 1)], "volley"),
    "a long record": (drafts(Noted(text=f"{CHARACTERS} " * 60)), None),
}
"""What may stand last in a log, with its key."""


def evening(telling: Telling) -> None:
    """Tell of an evening at the table: appends of every kind by several processes, read in between."""
    gm, other = telling.create(), telling.open()
    telling.append(gm, rounds(1, 1))
    telling.append(gm, drafts(*(Noted(text=CHARACTERS * size) for size in (1, 9, 30))))
    telling.append(other, rounds(2, 2), key="second round")
    telling.append(gm, rounds(4, 1), mode="flushed")
    telling.append(other, rounds(5, 2), mode="flushed")
    telling.read(telling.open())
    telling.append(other, rounds(7, 1), mode="flushed")
    telling.append(telling.open(trusting=True), [filler(5000)])
    telling.append(other, [*rounds(8, 2), *drafts(Noted(text=CHARACTERS * 90))], key="last round")
    telling.append(gm, rounds(8, 1), key="afterwards", mode="flushed")
    telling.append(telling.open(), [*rounds(8, 2), *drafts(Noted(text=CHARACTERS * 90))], key="last round")


def an_evening(make: Make, block: int) -> Telling:
    telling = Telling(MemFS(block=block), make, seed="evening")
    evening(telling)
    return telling


def at_the_end(last: str, make: Make = REAL, *, block: int = 512) -> Moment:
    """Return the moment before the last sync of a log that ends so."""
    telling = Telling(MemFS(block=block), make, seed=last)
    store = telling.create()
    telling.append(store, rounds(1, 2), key="first")
    batch, key = LAST[last]
    telling.append(store, batch, key=key)
    return before_sync(telling)


TORN: dict[str, tuple[How, float]] = {
    "a byte of it": ("prefix", 0),
    "half of it": ("prefix", 0.5),
    "all but its line feed": ("prefix", 1),
    "zeros": ("zeros", 0),
}
"""What a first power cut leaves of the last append."""


def torn(last: str, left: str, make: Make = REAL) -> Moment:
    """Return a story up to its first power cut, on the machine that came back."""
    how, share = TORN[left]
    moment = at_the_end(last, make)
    size = 1 + int(share * (moment.unsynced - 2)) if how == "prefix" else None
    back = moment.machine.crash(0, how, cut=size)
    return Telling.after(moment, back).last


def recovered(moment: Moment) -> Telling:
    """Tell how the next writers come and put the log in order, repair it if need be."""
    telling = Telling.after(moment, moment.machine.clone(), seed=moment.case)
    try:
        telling.append(telling.open(), rounds(20, 2))
    except CorruptLog:
        telling.repair()
        telling.append(telling.open(), rounds(20, 2))
    telling.append(telling.open(trusting=True), rounds(22, 1), key="after")
    return telling
