"""Faults 1 to 10 and 13 to 15: the power goes, at every byte and at every call."""

from collections.abc import Iterable, Iterator
from contextlib import suppress
from itertools import pairwise, product
from random import Random

from eventstore.errors import Busy, CorruptLog, NotALog, NotWritten, OutcomeUnknown, StoreError, WrongVersion
from eventstore.events import CombatantJoined, Noted
from eventstore.form import LONGEST_LINE
from eventstore.jsonl import JsonlStore
from eventstore.record import Draft
from eventstore.store import STORE
from tests.eventstore.logs import AT, OPENING, drafts, log_of, read, rounds
from tests.faults.campaign import Run, fault
from tests.faults.judging import Story
from tests.faults.memfs import Died, How, MemFS
from tests.faults.telling import FORD, REAL, Batch, Make, Moment, Telling, before_sync, cut, hold

BLOCKS = (512, 4096)
SPOILING: tuple[How, ...] = ("zeros", "garbage", "any")
CHARACTERS = "éßΩ–✓€𝄞🎲"
"""Two, three and four bytes long."""


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


def told(make: Make, block: int, story: str = "evening") -> Telling:
    telling = Telling(MemFS(block=block), make, seed=story)
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


def at_every_moment(run: Run, how: How, seeds: Iterable[int], make: Make = REAL) -> None:
    """Cut the power of an evening at every call."""
    seeds = list(seeds)
    for block in BLOCKS:
        telling = told(make, block)
        for moment in [*telling.moments, telling.last]:
            for seed in seeds:
                cut(run, f"blocks of {block}", moment, seed, how)


# ---------------------------------------------------------------- cut short


@fault(1, "power cut at every byte of the last record")
def at_every_byte(run: Run, make: Make = REAL) -> None:
    for last in LAST:
        moment = at_the_end(last, make)
        step = run.some(1 if last == "a record" else 13, 1)
        for size in (*range(0, moment.unsynced, step), moment.unsynced):
            cut(run, last, moment, 0, "prefix", size)


@fault(2, "… inside a character of several bytes")
def in_a_character(run: Run, make: Make = REAL) -> None:
    batches: dict[str, Batch] = {
        "a record": drafts(Noted(text=CHARACTERS)),
        "a batch": drafts(*(Noted(text=CHARACTERS[at:]) for at in range(3))),
        "a line over blocks": drafts(Noted(text=CHARACTERS * run.some(8, 200))),
    }
    for name, batch in batches.items():
        telling = Telling(MemFS(), make, seed=name)
        telling.append(telling.create(), batch)
        moment = before_sync(telling)
        new = moment.machine.get(moment.path)[-moment.unsynced :]
        for size in (at for at, byte in enumerate(new) if byte & 0xC0 == 0x80):
            cut(run, name, moment, 0, "prefix", size)


@fault(3, "… after the record, before its line feed")
def before_the_line_feed(run: Run, make: Make = REAL) -> None:
    """Whoever comes then reads the record, repeats it and writes on; and the power goes once more."""
    for last, block in product(LAST, BLOCKS):
        moment = at_the_end(last, make, block=block)
        after = cut(run, f"{last}, blocks of {block}", moment, 0, "prefix", moment.unsynced - 1)
        for story in (written_on, read_and_written_on, repeated_and_written_on):
            telling = Telling.after(moment, after.clone())
            story(telling)
            for second, how in product(telling.moments, SPOILING):
                for seed in range(run.some(1, 30)):
                    cut(run, f"{last}, blocks of {block}, {story.__name__}", second, seed, how)


def written_on(telling: Telling) -> None:
    telling.append(telling.open(), rounds(1, 2))
    telling.append(telling.open(), rounds(3, 1))


def read_and_written_on(telling: Telling) -> None:
    telling.read(telling.open())
    written_on(telling)


def repeated_and_written_on(telling: Telling) -> None:
    for key, batch in list(telling.keyed.items()):
        telling.append(telling.open(), batch, key=key)
    written_on(telling)


@fault(4, "… between the records of a batch")
def in_a_batch(run: Run, make: Make = REAL) -> None:
    for size, key in product((2, 3, run.some(20, 200)), (None, "volley")):
        telling = Telling(MemFS(), make, seed=size)
        telling.append(telling.create(), rounds(1, size), key=key)
        moment = before_sync(telling)
        new = moment.machine.get(moment.path)[-moment.unsynced :]
        ends = [at + 1 for at, byte in enumerate(new) if byte == 10]
        for end in ends:
            for place in (end - 1, end):
                cut(run, f"a batch of {size}, key {key}", moment, 0, "prefix", place)


# ---------------------------------------------------------------- as blocks come to the disk


def grown(moment: Moment, data: bytes) -> MemFS:
    """Return the machine of a moment, which came back after a power cut with this content of the log."""
    machine = moment.machine.clone()
    machine.put(moment.path, data)
    return machine.crash()


@fault(5, "unsynced pages persisted out of order")
def out_of_order(run: Run, make: Make = REAL) -> None:
    """Each block of the last append was kept or is zeros, in every combination, or many; then stories at random."""
    for block, (name, pieces) in product(BLOCKS, {"a record": 1, "a batch": 4, "a long batch": 30}.items()):
        batch = [filler(max(block * 4 // pieces - 350, 1)) for _ in range(pieces)]
        telling = Telling(MemFS(block=block), make, seed=name)
        telling.append(telling.create(), batch, key="volley")
        moment = before_sync(telling)
        for left, kept in _left(run, moment, block):
            hold(run, f"{name}, blocks of {block}, kept {kept}", moment, grown(moment, left))
    at_every_moment(run, "holes", range(run.some(1, 40)), make)
    lives(run, run.some(80, 4000), make)


def _left(run: Run, moment: Moment, block: int) -> Iterator[tuple[bytes, str]]:
    """Yield what may be left of a log whose last append consists of such blocks, and which are kept."""
    data = moment.machine.get(moment.path)
    start, most = len(data) - moment.unsynced, run.some(32, 1024)
    borders = [start, *range((start // block + 1) * block, len(data), block), len(data)]
    ways: Iterable[tuple[bool, ...]] = product((True, False), repeat=len(borders) - 1)
    if len(borders) - 1 > most.bit_length():
        ways = [tuple(run.chance.choices((True, False), k=len(borders) - 1)) for _ in range(most)]
    for kept in ways:
        parts = [data[a:b] if keep else bytes(b - a) for keep, (a, b) in zip(kept, pairwise(borders), strict=True)]
        yield data[:start] + b"".join(parts), "".join("01"[keep] for keep in kept)


@fault(6, "file length updated, data zero")
def zeros(run: Run, make: Make = REAL) -> None:
    at_every_moment(run, "zeros", [0], make)
    for last in LAST:
        moment = at_the_end(last, make)
        data, old = moment.machine.get(moment.path), moment.machine.medium(moment.path)
        for size in range(1, 2 * moment.unsynced, run.some(97, 3)):
            hold(run, f"{last}, then {size} zeros and no data", moment, grown(moment, old + bytes(size)))
        for size in range(1, moment.unsynced, run.some(97, 3)):
            left = data[: len(old) + size].ljust(len(data), b"\0")
            hold(run, f"{last}, {size} bytes of it, then zeros", moment, grown(moment, left))


@fault(7, "length not updated, data lost")
def lost(run: Run, make: Make = REAL) -> None:
    at_every_moment(run, "lost", [0], make)


@fault(8, "garbage or old lines of the file in the tail")
def garbage(run: Run, make: Make = REAL) -> None:
    for last in LAST:
        moment = at_the_end(last, make)
        old = moment.machine.medium(moment.path)
        for name, tail in _old_lines(old, moment.unsynced, run.chance):
            hold(run, f"{last}, and in its place {name}", moment, grown(moment, old + tail))
    at_every_moment(run, "garbage", range(run.some(1, 100)), make)
    lives(run, run.some(80, 4000), make, "of rubbish")


def _old_lines(old: bytes, size: int, chance: Random) -> Iterator[tuple[str, bytes]]:
    """Yield what old lines of a log may look like in a tail of this size: whole, cut, filled up, behind rubbish."""
    lines = old.splitlines(keepends=True)
    spans = [(first, last) for first in range(len(lines)) for last in range(first + 1, len(lines) + 1)]
    for first, last in spans:
        name, text = f"lines {first + 1} to {last}", b"".join(lines[first:last])
        yield name, text
        yield f"{name} cut short", text[:-9]
        yield f"{name} in its size", text[:size].ljust(size, b"\0")
        yield f"{name} behind zeros", bytes(512 - len(old) % 512) + text
        yield f"{name} behind rubbish", chance.randbytes(512 - len(old) % 512) + text
        yield f"{name} many times", text * 20


@fault(9, "cut exactly at block boundaries (512, 4096)")
def at_boundaries(run: Run, make: Make = REAL) -> None:
    """The last append begins or ends at a boundary, or a few bytes before or after it; the cut is at every boundary."""
    for block, off, name in product(BLOCKS, (-1, 0, 1), ("begins", "ends")):
        telling = Telling(MemFS(block=block), make, seed=(block, off, name))
        store = telling.create()
        _fill(telling, store, block if name == "begins" else block // 2, off if name == "begins" else 0)
        _fill(telling, store, block * run.some(2, 4), 0 if name == "begins" else off)
        moment = before_sync(telling)
        end = len(moment.machine.get(moment.path))
        start = end - moment.unsynced
        assert (start if name == "begins" else end) % block == off % block
        case = f"blocks of {block}, {name} at {off:+}"
        for boundary in range(start // 512 * 512, end + 512, 512):
            for place in (boundary - 1, boundary, boundary + 1):
                if start <= place <= end and (boundary % block == 0 or place == boundary):
                    cut(run, case, moment, 0, "prefix", place - start)
        for how in ("zeros", "holes", "garbage", "any"):
            for seed in range(run.some(1, 30)):
                cut(run, case, moment, seed, how)


def _fill(telling: Telling, store: JsonlStore, size: int, off: int) -> None:
    """Append a note, so that the log ends so many bytes after a multiple of a size."""
    trial = Telling(telling.machine.clone(), telling.make)
    trial.append(trial.open(), [filler(1)])
    bare = len(trial.machine.get(trial.path)) - 1
    telling.append(store, [filler((off - bare) % size or size)])


@fault(10, "last line larger than any tail window")
def large(run: Run, make: Make = REAL) -> None:
    line = filler(LONGEST_LINE - 500)
    for name, batch in {"a line": [line], "a batch": [line] * run.some(2, 8)}.items():
        telling = Telling(MemFS(block=4096), make, seed=name)
        store = telling.create()
        telling.append(store, [line])
        telling.append(store, batch, key="large")
        moment = before_sync(telling)
        places = [
            1,
            1 << 10,
            1 << 13,
            1 << 16,
            1 << 18,
            1 << 19,
            LONGEST_LINE - 2,
            moment.unsynced - 1,
            moment.unsynced,
        ]
        chance = run.chance
        places += [chance.randrange(moment.unsynced) for _ in range(run.some(2, 100))]
        for place in chance.sample(places, 4) if run.short else places:
            cut(run, name, moment, 0, "prefix", place)
        for how in ("holes", "garbage") if run.short else ("zeros", "holes", "garbage", "any"):
            for seed in range(run.some(1, 20)):
                cut(run, name, moment, seed, how)


# ---------------------------------------------------------------- while a log is put in order


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


@fault(13, "crash during recovery, and during the second one")
def in_recovery(run: Run, make: Make = REAL) -> None:
    chance = run.chance
    _replaced(run, make)
    for last, left in product(LAST, TORN):
        first = torn(last, left, make)
        tail = _tail(first)
        for second in recovered(first).moments:
            for how in ("lost", "kept", "any"):
                case = f"{last}, {left}"
                back = cut(run, case, second, chance.randrange(1000), how)
                _still_there(run, f"{case}, {second.case}, {how}", tail, back)
                if run.short and chance.random() < 0.95:
                    continue
                again = recovered(Telling.after(second, back).last)
                for third in again.moments:
                    seed = chance.randrange(1000)
                    _still_there(
                        run, f"{case}, the third cut {third.case}", tail, cut(run, f"{case}, again", third, seed)
                    )


def _replaced(run: Run, make: Make) -> None:
    """All die at a call of a repair that puts a new file in the place of the log; another writes on, and the power goes."""
    good = log_of(drafts(OPENING), rounds(1, 2))
    found = Moment(0, "begin", MemFS(), Story(read(good)), make=make)
    found.machine.put(FORD, good.replace(b"\n", b"\r\n"))
    repairing = Telling.after(found, found.machine.clone())
    repairing.repair()
    for moment in [*repairing.moments, repairing.last]:
        telling = Telling.after(moment, moment.machine.clone())
        with suppress(CorruptLog):
            telling.append(telling.open(), rounds(3, 1))
        for seed in range(run.some(3, 30)):
            back = telling.last.machine.crash(seed)
            Telling.after(moment, back).repair()  # which does nothing where that is done
            hold(run, f"a log with CR LF, repaired, {moment.case} all died, any {seed}", telling.last, back)


def _tail(moment: Moment) -> bytes:
    """Return what the next writer cuts off."""
    data = moment.machine.get(moment.path)
    good = moment.make.opened(moment.machine.clone()).verify()
    return data[good.problem.offset :] if good.problem else b""


def _still_there(run: Run, case: str, tail: bytes, machine: MemFS) -> None:
    """What was cut off is in one piece somewhere, at every moment."""
    if not any(tail in machine.get(FORD.with_name(name)) for name in machine.names(FORD.parent)):
        run.breach("I6", case, "what was cut off is in no file")


@fault(14, "crash after the cut, before its note")
def before_the_note(run: Run, make: Make = REAL) -> None:
    """Whoever writes next says what was cut off, though it was another who did."""
    for last, left in product(LAST, TORN):
        if left == "all but its line feed":  # nothing is cut off
            continue
        moments = recovered(torn(last, left, make)).moments
        cuts = [place for place, moment in enumerate(moments) if moment.call == "truncate"]
        for moment in moments[cuts[0] + 1 : cuts[0] + 5]:
            for seed in range(run.some(3, 100)):
                back = cut(run, f"{last}, {left}", moment, seed)
                store = make.opened(back)
                try:
                    store.append(rounds(30, 1), by="gm", at=AT)
                except CorruptLog:  # rubbish, which was judged
                    continue
                notes = [record for record in store.read() if record.by == STORE and isinstance(record.event, Noted)]
                if not any(".torn-" in note.event.text for note in notes if isinstance(note.event, Noted)):
                    run.breach("I6", f"{last}, {left}, {moment.case}, any {seed}", "nothing says what was cut off")


# ---------------------------------------------------------------- what was shown


def reads(telling: Telling) -> None:
    telling.read(telling.open())


def repeats(telling: Telling) -> None:
    for key, batch in list(telling.keyed.items()):
        with suppress(CorruptLog, NotALog):
            telling.append(telling.open(), batch, key=key)


def writes_too_late(telling: Telling) -> None:
    with suppress(StoreError):
        telling.append(telling.open(), rounds(1, 1), after=1)


@fault(15, "crash between write and fdatasync; a reader saw the bytes")
def seen(run: Run, make: Make = REAL) -> None:
    """All processes die at a call, somebody looks, and the power goes; or somebody looks at every call."""
    for block in BLOCKS[: run.some(1, 2)]:
        evenings = told(make, block)
        for moment in [*evenings.moments, evenings.last]:
            if moment.call == "open" or moment.path.name not in moment.machine.names(moment.path.parent):
                continue
            for look in (reads, repeats, writes_too_late):
                telling = Telling.after(moment, moment.machine.clone(), seed=look.__name__)
                look(telling)
                for how in ("lost", "garbage", "any"):
                    case = f"blocks of {block}, {moment.case} all died, one {look.__name__}"
                    for seed in range(run.some(1, 10)):
                        cut(run, case, telling.last, seed, how)
        _watched(run, make, block)


def _watched(run: Run, make: Make, block: int) -> None:
    """Cut the power of an evening at which a reader looks before every call."""
    telling = Telling(MemFS(block=block), make, seed="watched")
    telling.beside = lambda: reads(telling)
    evening(telling)
    for moment in [*telling.moments[:: run.some(9, 1)], telling.last]:
        cut(run, f"blocks of {block}, watched", moment, moment.nth)


# ---------------------------------------------------------------- at random


def lives(run: Run, number: int, make: Make = REAL, kind: str = "") -> None:
    """Tell so many stories at random, each of some nights that end with the power gone."""
    for place in range(number):
        life(run, f"{run.number} {kind} {place}", make)


def life(run: Run, seed: str, make: Make = REAL) -> None:
    chance = Random(f"{run.seed} {seed}")
    telling = Telling(MemFS(block=chance.choice(BLOCKS)), make, seed=seed)
    for night in range(1, chance.randint(2, 4)):
        case = f"life {run.seed} {seed}, night {night}"
        with suppress(Died):
            _night(telling, chance)
        telling.machine.cut_power()
        moment, refused = telling.last, run.counts.refused
        back = cut(run, case, moment, chance.randrange(1 << 30))
        telling = Telling.after(moment, back, seed=f"{seed} {night}")
        if run.counts.refused > refused:
            try:
                telling.repair()
            except StoreError:  # nothing was acked, which was judged
                return


def _night(telling: Telling, chance: Random) -> None:
    """Let some processes work on a log until the power goes, or morning comes; some die before."""
    if chance.random() < 0.8:
        telling.machine.power_cut_at(chance.randint(1, 120), short=chance.choice((None, chance.randrange(2000))))
    if chance.random() < 0.3:
        telling.beside = lambda: chance.random() < 0.1 and _disturb(telling, chance)
    hands: list[JsonlStore] = []
    for _ in range(chance.randint(2, 9)):
        if not hands or chance.random() < 0.3:
            hands.append(_hand(telling, chance))
        store = chance.choice(hands)
        if chance.random() < 0.1:
            telling.process_of(store).die_at(chance.randint(1, 15), short=chance.choice((None, chance.randrange(2000))))
        try:
            _act(telling, store, chance)
        except WrongVersion:
            pass
        except Died:
            if not telling.machine.on:
                raise
            hands.remove(store)


def _disturb(telling: Telling, chance: Random) -> None:
    """Read or write beside somebody who writes; who has to wait gives up."""
    if chance.random() < 0.5 or telling.path.name not in telling.machine.names(telling.path.parent):
        telling.read(telling.open())
        return
    with suppress(Busy):
        telling.append(telling.open(), rounds(1, 1))


def _hand(telling: Telling, chance: Random) -> JsonlStore:
    if telling.path.name in telling.machine.names(telling.path.parent):
        return telling.open(trusting=chance.random() < 0.4)
    return telling.create([*drafts(OPENING), *rounds(1, chance.randrange(3))])


def _act(telling: Telling, store: JsonlStore, chance: Random) -> None:
    """Do one of the things that are done to a log."""
    batch = drafts(*(Noted(text=_text(chance)) for _ in range(chance.choice((1, 1, 1, 2, 3, 8)))))
    kind = chance.choice(("plain", "plain", "flushed", "keyed", "again", "after", "read"))
    if kind == "read":
        telling.read(store)
    elif kind == "keyed":
        telling.append(store, batch, key=f"key {len(telling.keyed)}", mode=chance.choice(("durable", "flushed")))
    elif kind == "again" and telling.keyed:
        key, former = chance.choice(list(telling.keyed.items()))
        telling.append(store, former, key=key)
    elif kind == "after":
        telling.append(store, batch, after=max(0, len(telling.story.acked) + chance.choice((0, 0, -1))))
    else:
        telling.append(store, batch, mode="flushed" if kind == "flushed" else "durable")


def _text(chance: Random) -> str:
    size = chance.choice((5, 40, 200, 2000))
    return "".join(chance.choices(CHARACTERS + 'abc "\\\n', k=chance.randrange(1, size)))


# ---------------------------------------------------------------- for a disk that fails first


def after_failing_syncs(run: Run, make: Make = REAL) -> None:
    """A sync fails, once, the next one succeeds; the process goes on, then another does; and the power goes."""
    for nth, block in product(range(1, 4), BLOCKS):
        telling = Telling(MemFS(block=block), make, seed=(nth, block))
        store = telling.create()
        telling.process_of(store).fail("sync", nth)
        for number in range(1, 6):
            with suppress(OutcomeUnknown, NotWritten):
                telling.append(store, [*rounds(number, 1), filler(block)], key=f"round {number}")
        other = telling.open()
        for key, batch in list(telling.keyed.items()):
            telling.append(other, batch, key=key)
        for seed in range(6):
            cut(run, f"sync {nth} failed, blocks of {block}", telling.last, seed)
