"""Versions of event types: old lines are read for ever, as they stand, and mean the newest version of their type."""

import json
from collections.abc import Callable
from pathlib import Path
from typing import Any

import pytest

from eventstore.appending import _find_earlier_append as found
from eventstore.damage import verify_walk
from eventstore.errors import CorruptLog, KeyReused, Malformed
from eventstore.events import EVENT_TYPES, NEWEST, TAGS, Amended, EncounterClosed, Fact, Inserted, Noted, name_of
from eventstore.form import event_of, read_json
from eventstore.record import (
    CARRYING,
    EARLIER,
    KNOWN,
    UPCASTERS,
    AnyEvent,
    Draft,
    EncounterClosed1,
    RecordedEarlier,
    RecordedUnknown,
    decode,
    encode,
    encode_record,
    upcast,
)
from tests.eventstore import verifier
from tests.eventstore.logs import GOLDEN, OPENING, drafts, example, log_of, read, rehashed, small_log, walk
from tests.tables import for_each

LATER = GOLDEN.with_name("format-1-later.jsonl")
"""The golden lines of all later versions of types, in the order in which they came."""

HEADS = {"encounter_closed.2": "2:ec9f581f5649360d38118d832d49fc3d3d09af6a7b2fe124657c9abe98ea4ee1"}
"""The later versions in that order, and the head of the golden log once each has its line."""

MEANS: dict[str, Fact] = {"encounter_closed": EncounterClosed()}
"""What the golden line of each earlier version means in the newest."""

EVERY_EARLIER = pytest.mark.parametrize("kind", EARLIER.values(), ids=EARLIER)
EVERY_GOLDEN = pytest.mark.parametrize("path", [GOLDEN, LATER], ids=lambda path: str(path.stem))


def given(text: str | bytes) -> AnyEvent:
    return event_of(read_json(text))


def later_log() -> bytes:
    return log_of(drafts(OPENING), *(drafts(given(example(KNOWN[tag]))) for tag in HEADS))


def golden(path: Path) -> dict[str, bytes]:
    return {json.loads(line)["event"]["type"]: line for line in path.read_bytes().splitlines()}


def forged(event: str) -> bytes:
    """Return a log whose last line says this event, whatever that is; digest and chain fit."""
    *lines, last = small_log().splitlines(keepends=True)
    return rehashed([*lines, last.replace(b'{"type":"damage_dealt","target":"orc-1","amount":2}', event.encode())])


def problem(data: bytes) -> str:
    """Return what both a reader and a verifier have against a log, or nothing."""
    why = verify_walk(walk(data)).problem
    if why is None:
        read(data)
        return ""
    with pytest.raises(CorruptLog) as caught:
        read(data)
    assert caught.value.why == why.why
    return why.why


# ---------------------------------------------------------------- the table of versions


def test_versions_of_a_type_have_no_gaps_and_the_newest_is_the_last() -> None:
    for name, newest in NEWEST.items():
        tags = [tag for tag, kind in KNOWN.items() if name_of(kind) == name]
        assert set(tags) == {name, *(f"{name}.{number}" for number in range(2, len(tags) + 1))}
        assert TAGS[name if len(tags) == 1 else f"{name}.{len(tags)}"] is newest


@EVERY_EARLIER
def test_each_step_leads_to_the_version_that_comes_next(kind: type[Fact]) -> None:
    after = UPCASTERS[kind](given(example(kind)))
    name, _, number = str(kind.__struct_config__.tag).partition(".")
    assert after.__struct_config__.tag == f"{name}.{int(number or 1) + 1}"


@EVERY_EARLIER
def test_an_earlier_version_is_a_struct_like_every_event(kind: type[Fact]) -> None:
    import gc

    fact = given(example(kind))
    assert (type(fact), encode(fact).decode()) == (kind, example(kind))
    assert not gc.is_tracked(fact)
    assert (kind.__doc__ or "").strip().splitlines()[0].endswith(".")
    with pytest.raises(Malformed, match=r"colour: no field of"):
        event_of(json.loads(example(kind)) | {"colour": "red"})


@for_each("kind", EVENT_TYPES)
def test_whatever_carries_another_fact_is_known_to_do_so(kind: type[Fact]) -> None:
    carrying = {name for name in kind.__struct_fields__ if name in ("replacement", "fact")}
    assert carrying == {CARRYING[kind]} if kind in CARRYING else not carrying


# ---------------------------------------------------------------- the golden lines


def test_the_golden_log_of_later_versions_only_grows() -> None:
    """If this fails, a version was changed after it had been written: it needs a further version, and a line more."""
    assert LATER.read_bytes() == later_log()
    assert [f"{record.seq}:{record.hash}" for record in read(LATER.read_bytes())[1:]] == [*HEADS.values()]


def test_every_version_of_every_type_has_one_golden_line() -> None:
    first, later = golden(GOLDEN), golden(LATER)
    assert first.keys() & later.keys() == {"encounter_opened"}
    assert first.keys() | later.keys() == KNOWN.keys()
    assert later.keys() - first.keys() == HEADS.keys()


@EVERY_GOLDEN
def test_a_golden_log_verifies_and_is_written_back_byte_for_byte(path: Path) -> None:
    data = path.read_bytes()
    verified = verify_walk(walk(data))
    assert (verified.problem, verified.unknown, verified.withheld) == (None, (), ())
    assert verifier.first_fault(data) == (0, str(verified.head))
    assert b"".join(encode_record(record) + b"\n" for record in read(data)) == data


def test_each_earlier_golden_line_means_what_the_table_says() -> None:
    lines = golden(GOLDEN) | golden(LATER)
    assert MEANS.keys() == EARLIER.keys()
    for tag, means in MEANS.items():
        record = decode(lines[tag])
        assert isinstance(record, RecordedEarlier)
        assert record.event == means
        assert type(means) is NEWEST[name_of(EARLIER[tag])]
        assert record.text == example(EARLIER[tag]).encode()
        assert encode_record(record) == lines[tag]


# ---------------------------------------------------------------- steps


class Sung1(Fact, frozen=True, kw_only=True, tag="sung"):
    """Sings."""


class Sung2(Fact, frozen=True, kw_only=True, tag="sung.2"):
    """Sings a song."""

    song: str


class Sung3(Fact, frozen=True, kw_only=True, tag="sung.3"):
    """Sings songs."""

    songs: tuple[str, ...]


STEPS: dict[type[Fact], Callable[[Any], Fact]] = {
    Sung1: lambda _: Sung2(song="la"),
    Sung2: lambda old: Sung3(songs=(old.song,)),
}


@pytest.mark.parametrize("old", [Sung1(), Sung2(song="la"), Sung3(songs=("la",))], ids=lambda old: type(old).__name__)
def test_versions_are_passed_one_step_at_a_time_up_to_the_newest(old: Fact) -> None:
    newest: Fact = Sung3(songs=("la",))
    assert upcast(old, STEPS) == newest
    assert upcast(Amended(event=2, replacement=old), STEPS) == Amended(event=2, replacement=newest)  # type: ignore[arg-type]
    assert upcast(Inserted(after=2, fact=old), STEPS) == Inserted(after=2, fact=newest)  # type: ignore[arg-type]


# ---------------------------------------------------------------- written as given, read in the newest version

OLD = [
    ('{"type":"encounter_closed"}', EncounterClosed()),
    (
        '{"type":"amended","event":2,"replacement":{"type":"encounter_closed"},"reason":"slip"}',
        Amended(event=2, replacement=EncounterClosed(), reason="slip"),
    ),
    ('{"type":"inserted","after":2,"fact":{"type":"encounter_closed"}}', Inserted(after=2, fact=EncounterClosed())),
]
EVERY_OLD = pytest.mark.parametrize(("text", "newest"), OLD, ids=("by itself", "amended", "inserted"))


@EVERY_OLD
def test_an_old_fact_is_written_as_given_and_read_in_the_newest_version(text: str, newest: AnyEvent) -> None:
    event = given(text)
    assert encode(event) == text.encode()
    assert upcast(event) == newest
    data = log_of(drafts(OPENING), drafts(event, Noted(text="x")))
    assert text.encode() in data
    record = read(data)[1]
    assert record.event == newest
    assert not record.withheld
    assert b"".join(encode_record(each) + b"\n" for each in read(data)) == data
    assert verify_walk(walk(data)).unknown == ()
    assert problem(data) == ""
    assert verifier.first_fault(data)[0] == 0


@for_each(
    ("text", "why"),
    [
        ('{"type":"encounter_closed","reason":"fled"}', "reason: no field of encounter_closed"),
        ('{"type":"encounter_closed","reason":null}', "reason: is null"),
        ('{"type": "encounter_closed"}', "canonical form"),
        ('{"type":"encounter_closed","type":"encounter_closed"}', "twice"),
        (
            '{"type":"amended","event":2,"replacement":{"type":"encounter_closed","reason":"fled"}}',
            "replacement.reason: no field of encounter_closed",
        ),
        ('{"type":"amended","event":2,"replacement":{"type":"encounter_closed"},"reason":null}', "reason: is null"),
        ('{"type":"amended","replacement":{"type":"encounter_closed"},"event":2}', "canonical form"),
        ('{"type":"amended","replacement":{"type":"encounter_closed"}}', "event: is missing"),
        ('{"type":"inserted","after":0,"fact":{"type":"encounter_closed"}}', "0 names no record"),
        ('{"type":"inserted","after":"2","fact":{"type":"encounter_closed"}}', "a whole number"),
        ('{"type":"noted","text":"x","fact":{"type":"encounter_closed"}}', "no field of noted"),
        ('{"type":"amended","event":2,"replacement":{"type":["encounter_closed"]}}', "is not a record"),
        ('{"type":["encounter_closed"]}', "is not a record"),
    ],
)
def test_an_old_line_is_held_to_the_form_of_its_own_version(text: str, why: str) -> None:
    assert why in problem(forged(text))


def test_a_field_that_only_a_later_version_has_is_refused_with_a_hint() -> None:
    with pytest.raises(Malformed) as caught:
        given('{"type":"encounter_closed","reason":"fled"}')
    assert (caught.value.field, caught.value.hint) == ("reason", "encounter_closed.2 has it")


@pytest.mark.parametrize("text", ['{"type":"encounter_closed"}', '{"type":"encounter_closed.2"}'])
def test_a_retry_is_known_in_whichever_version_it_comes(text: str) -> None:
    former = read(log_of(drafts(OPENING), [Draft(EncounterClosed1(), key="end")]))[1:]
    again = found([Draft(given(text), key="end")], {"end": 2}, lambda _: former)
    assert again is not None
    assert again.again
    with pytest.raises(KeyReused):
        found([Draft(EncounterClosed(reason="fled"), key="end")], {"end": 2}, lambda _: former)


# ---------------------------------------------------------------- versions yet to come


@pytest.mark.parametrize(
    ("text", "type_"),
    [
        ('{"type":"encounter_closed.9","reason":{"de":"geflohen","n":[1,{"ü":-1}]}}', "encounter_closed.9"),
        ('{"type":"damage_dealt.7"}', "damage_dealt.7"),
        ('{"type":"dreamt","of":"sheep"}', "dreamt"),
        (
            '{"type":"amended","event":2,"replacement":{"type":"encounter_closed.9","reason":"fled"}}',
            "encounter_closed.9",
        ),
        ('{"type":"inserted","after":2,"fact":{"type":"dreamt"},"reason":"forgotten"}', "dreamt"),
        ('{"type":"amended.2","events":[2,3],"replacement":{"type":"encounter_closed"}}', "amended.2"),
    ],
)
def test_a_version_or_type_yet_to_come_is_kept_byte_for_byte_and_named(text: str, type_: str) -> None:
    data = forged(text)
    record = read(data)[-1]
    assert isinstance(record, RecordedUnknown)
    assert (record.type, record.text, record.event) == (type_, text.encode(), None)
    assert b"".join(encode_record(each) + b"\n" for each in read(data)) == data
    assert verify_walk(walk(data)).unknown == (4,)
    assert verifier.first_fault(data)[0] == 0
