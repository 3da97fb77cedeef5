"""Stories at random: nights at the table with several processes, of which some die, until the power goes."""

from contextlib import suppress
from random import Random

from eventstore.errors import Busy, StoreError, WrongVersion
from eventstore.events import Noted
from eventstore.jsonl import JsonlStore
from tests.eventstore.logs import OPENING, drafts, rounds
from tests.faults.campaign import Run
from tests.faults.memfs import Died, MemFS
from tests.faults.recording import REAL, Make, Recording, cut, hold
from tests.faults.stories import BLOCKS, CHARACTERS


def lives(run: Run, number: int, make: Make = REAL, kind: str = "") -> None:
    for place in range(number):
        life(run, f"{run.number} {kind} {place}", make)


def life(run: Run, seed: str, make: Make = REAL) -> None:
    chance = Random(f"{run.seed} {seed}")
    recording = Recording(MemFS(block=chance.choice(BLOCKS)), make, seed=seed)
    for night in range(1, chance.randint(2, 4)):
        case = f"life {run.seed} {seed}, night {night}"
        with suppress(Died):
            _night(recording, chance)
        recording.machine.cut_power()
        refused = run.counts.refused
        if chance.random() < 0.2:
            back = recording.machine.clone()
            hold(run, f"{case}, all died", recording.survived, back.clone())
        else:
            back = cut(run, case, recording.last, chance.randrange(1 << 30))
        recording = Recording.after(recording.last, back, seed=f"{seed} {night}")
        if run.counts.refused > refused:
            try:
                recording.repair()
            except StoreError:  # nothing was acked, which was judged
                return


def _night(recording: Recording, chance: Random) -> None:
    """Let some processes work on a log until the power goes, or morning comes; some die before."""
    if chance.random() < 0.8:
        recording.machine.power_cut_at(chance.randint(1, 120), short=chance.choice((None, chance.randrange(2000))))
    if chance.random() < 0.3:
        recording.beside = lambda: _disturb(recording, chance)
    hands: list[JsonlStore] = []
    for _ in range(chance.randint(2, 9)):
        if not hands or chance.random() < 0.3:
            hands.append(_hand(recording, chance))
        store = chance.choice(hands)
        if chance.random() < 0.1:
            recording.process_of(store).die_at(
                chance.randint(1, 15), short=chance.choice((None, chance.randrange(2000)))
            )
        try:
            _act(recording, store, chance)
        except WrongVersion:
            pass
        except Died:
            if not recording.machine.on:
                raise
            hands.remove(store)


def _disturb(recording: Recording, chance: Random) -> None:
    """Read or write now and then beside somebody who writes; who has to wait gives up."""
    if chance.random() > 0.1:
        return
    if chance.random() < 0.5 or recording.path.name not in recording.machine.names(recording.path.parent):
        recording.read(recording.open())
        return
    with suppress(Busy):
        recording.append(recording.open(), rounds(1, 1))


def _hand(recording: Recording, chance: Random) -> JsonlStore:
    if recording.path.name in recording.machine.names(recording.path.parent):
        return recording.open()
    return recording.create([*drafts(OPENING), *rounds(1, chance.randrange(3))])


def _act(recording: Recording, store: JsonlStore, chance: Random) -> None:
    batch = drafts(*(Noted(text=_text(chance)) for _ in range(chance.choice((1, 1, 1, 2, 3, 8)))))
    kind = chance.choice(("plain", "plain", "flushed", "keyed", "again", "after", "read"))
    if kind == "read":
        recording.read(store)
    elif kind == "keyed":
        recording.append(store, batch, key=f"key {len(recording.keyed)}", mode=chance.choice(("durable", "flushed")))
    elif kind == "again" and recording.keyed:
        key, former = chance.choice(list(recording.keyed.items()))
        recording.append(store, former, key=key)
    elif kind == "after":
        recording.append(store, batch, after=max(0, len(recording.story.acked) + chance.choice((0, 0, -1))))
    else:
        recording.append(store, batch, mode="flushed" if kind == "flushed" else "durable")


def _text(chance: Random) -> str:
    size = chance.choice((5, 40, 200, 2000))
    return "".join(chance.choices(CHARACTERS + 'abc "\\\n', k=chance.randrange(1, size)))
