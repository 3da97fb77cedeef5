"""A fight held against the engine: what it finds that it should not, what it misses, which values differ."""

from collections.abc import Iterator
from typing import Any

from eventstore.events import EncounterOpened
from eventstore.form import event_of
from eventstore.record import Recorded
from projections.folds.addresses import means_the_same, value_of
from projections.judging.audit import SILENT_TEXTS, audit
from projections.occurrence import Occurrence
from projections.replay.replay import replay
from projections.rulesets import find
from projections.state import State
from tests.lawful.fight import Fight


def records_of(key: str, fight: Fight) -> list[Recorded]:
    """Return the facts of a fight as records in memory, appended as one; their hashes are left blank. Raise Malformed.

    A fight in which a rule is broken asks for findings, too, that rest on what the text says nothing about.
    """
    options = {SILENT_TEXTS: "reported"} | fight.options if fight.breaks else fight.options
    first = EncounterOpened(
        format=1, encounter="lawful", title="", ruleset=key, revision=find(key).revision, options=options
    )
    events: list[Any] = [first, *(event_of(fact) for fact in fight.facts)]
    at, blank = "2000-01-01T00:00:00.000000Z", "0" * 64
    return [
        Recorded(
            seq=seq, at=at, by="lawful", batch=(seq, len(events)), digest=blank, event=event, salt="0" * 32, hash=blank
        )
        for seq, event in enumerate(events, 1)
    ]


def faults(key: str, fight: Fight) -> Iterator[str]:
    """Yield in a sentence each what the engine finds, misses or derives otherwise than the generator."""
    records = records_of(key, fight)
    found = {(one.rule, one.event): one.says for one in audit(records).findings}
    for rule, event in sorted(found.keys() - fight.breaks):
        yield f"event {event}: {rule} is found, though lawful: {found[rule, event]}"
    for rule, event in sorted(fight.breaks - found.keys()):
        yield f"event {event}: {rule} is broken, and not found"
    wrong: list[str] = []

    def compare(state: State, fact: Occurrence[Any]) -> None:
        for address, value in fight.knows.get(fact.seq, {}).items():
            ours = value_of(state, address)
            if ours is None or not means_the_same(state, address, value, ours.value):
                wrong.append(f"event {fact.seq}: {address} is {value!r}, here {ours.value if ours else 'no value'!r}")

    replay(records, after=compare)
    yield from wrong
