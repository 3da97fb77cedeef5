"""Whole logs in and out: byte for byte, all or nothing, with payloads withheld on the way."""

import os
from collections.abc import Iterator
from pathlib import Path
from tempfile import TemporaryFile

import pytest
from hypothesis import given, strategies as st

from eventstore.copying import Copy, create_file, encode_lines, read_spooled
from eventstore.errors import CorruptLog, Malformed, NotALog, NotReadable, NotWritten
from eventstore.events import Amended, DamageDealt, Event, Noted, Struck
from eventstore.jsonl import JsonlStore
from eventstore.memory import MemoryStore
from eventstore.record import Draft, Recorded
from eventstore.withholding import Withhold
from tests.eventstore import verifier
from tests.eventstore.copied_logs import LOGS, in_part, with_events
from tests.eventstore.jsonl import Flaky, beside, limited_file_size
from tests.eventstore.logs import AT, OPENING, drafts, events, log_of, rehashed, rounds, small_log
from tests.tables import for_each


@pytest.fixture
def source(tmp_path: Path) -> Path:
    path = tmp_path / "ford.jsonl"
    path.write_bytes(small_log())
    return path


@pytest.fixture
def target(tmp_path: Path) -> Path:
    return tmp_path / "copy.jsonl"


def copied(source: Path, target: Path, withhold: Withhold | None = None) -> Copy:
    copy = Copy(JsonlStore(source).read(), str(source), withhold or Withhold())
    create_file(target, encode_lines(copy))
    return copy


def piped(data: bytes) -> Copy:
    name = Path("standard input")
    with TemporaryFile() as file:
        file.write(data)
        file.flush()
        return Copy(read_spooled(str(name), os.dup(file.fileno())), str(name))


# ---------------------------------------------------------------- byte for byte


@pytest.mark.parametrize("name", LOGS)
def test_what_came_through_a_pipe_has_the_bytes_of_its_source(name: str) -> None:
    assert b"".join(encode_lines(piped(LOGS[name]))) == LOGS[name]


@pytest.mark.slow
@given(st.lists(st.lists(st.tuples(events(), st.booleans()), min_size=1, max_size=4), max_size=4))
def test_a_copy_of_any_log_is_the_log(batches: list[list[tuple[Event, bool]]]) -> None:
    store = MemoryStore(drafts(OPENING), by="gm", at=AT)
    for batch in batches:
        allowed = [Draft(event, secret) for event, secret in batch if type(event) is not type(OPENING)]
        if allowed:
            store.append(allowed, by="Übelkrähe", at=AT)
    assert b"".join(encode_lines(Copy(store.read(), store.path))) == store.data


def test_a_source_without_records_is_not_copied() -> None:
    with pytest.raises(NotReadable, match="holds no record"):
        Copy((), "nowhere")


# ---------------------------------------------------------------- withheld


def test_payloads_are_withheld_and_the_chain_still_verifies(source: Path, target: Path) -> None:
    copy = copied(source, target, Withhold(frozenset({2, 4})))
    assert target.read_bytes() == in_part(small_log(), 2, 4)
    assert copy.withheld == [2, 4]
    found = JsonlStore(target).verify(copy.head)
    assert (found.withheld, found.head, found.anchor, found.sound) == ((2, 4), copy.head, "matches", True)
    assert verifier.first_fault(target.read_bytes()) == (0, str(copy.head))


SECRET = Draft(DamageDealt(target="orc-1", amount=1), secret=True)
DREAMT = with_events(
    '{"type":"dreamt","of":"orcs"}', '{"type":"amended","event":2,"replacement":{"type":"dreamt","of":"elves"}}'
).splitlines(keepends=True)


def amended(event: int) -> Draft:
    return Draft(Amended(event=event, replacement=Noted(text="An orc in ambush")))


AMENDED = [SECRET, amended(-1), amended(3), amended(-3), *drafts(Noted(text="x")), amended(6)]


@for_each(
    ("data", "withhold", "withheld"),
    [
        (in_part(small_log(), 3), Withhold(frozenset({2, 3})), [2, 3]),  # it stays so
        (small_log(), Withhold(frozenset({4}), secrets=True), [3, 4]),
        (log_of(drafts(OPENING), AMENDED), Withhold(secrets=True), [2, 3, 4, 5]),  # what amends a secret is one
        (log_of(drafts(OPENING), AMENDED), Withhold(frozenset({2})), [2]),
        (log_of(drafts(OPENING), [SECRET], drafts(Struck(event=2), Noted(text="x"))), Withhold(secrets=True), [2]),
        (in_part(small_log(), 2, 4), Withhold(secrets=True), [2, 3, 4]),
        (with_events('{"type":"amended.7","event":[2]}'), Withhold(secrets=True), []),
        (
            rehashed([DREAMT[0], DREAMT[1].replace(b',"digest"', b',"secret":true,"digest"'), DREAMT[2]]),
            Withhold(secrets=True),
            [2, 3],
        ),
    ],
)
def test_secrets_and_what_amends_them_are_withheld(
    tmp_path: Path, data: bytes, withhold: Withhold, withheld: list[int]
) -> None:
    (source := tmp_path / "ford.jsonl").write_bytes(data)
    target = tmp_path / "copy.jsonl"
    target.unlink(missing_ok=True)
    assert copied(source, target, withhold).withheld == withheld
    assert target.read_bytes() == in_part(data, *withheld)


@pytest.mark.parametrize(
    ("seqs", "says"),
    [({1}, "record 1 opens the encounter"), ({2, 5}, "no record 5"), ({0}, "no record 0"), ({-1}, "no record -1")],
)
def test_what_cannot_be_withheld_is_refused_before_anything_is_written(
    source: Path, target: Path, seqs: set[int], says: str
) -> None:
    with pytest.raises(Malformed, match=says):
        copied(source, target, Withhold(frozenset(seqs)))
    assert beside(target) == ["ford.jsonl"]


# ---------------------------------------------------------------- sources with a fault


@pytest.mark.parametrize(
    ("damage", "line", "says"),
    [
        (lambda log: log.replace(b'"amount":2', b'"amount":3'), 4, "its event was changed"),
        (lambda log: in_part(log, 1), 1, "its event is withheld"),
        (lambda log: log[:200], 1, "cut short"),
        (
            lambda log: rehashed([row.replace(b"T19", b"T24") for row in log.splitlines(keepends=True)]),
            1,
            "is not a timestamp",
        ),
    ],
)
def test_of_a_damaged_source_nothing_is_made_and_its_line_is_named(
    source: Path, target: Path, damage: object, line: int, says: str
) -> None:
    assert callable(damage)
    source.write_bytes(damage(small_log()))
    with pytest.raises(CorruptLog, match=says) as caught:
        copied(source, target)
    assert (caught.value.path, caught.value.line) == (str(source), line)
    assert beside(target) == ["ford.jsonl"]


@pytest.mark.parametrize("content", [b"", b"Dear diary\n", b'{"type":"round_ended"}\n'])
def test_of_what_is_no_log_nothing_is_made(source: Path, target: Path, content: bytes) -> None:
    source.write_bytes(content)
    with pytest.raises(NotALog):
        copied(source, target)
    with pytest.raises(NotALog, match=r"^standard input "):
        piped(content)
    assert beside(target) == ["ford.jsonl"]


def test_of_a_torn_source_the_whole_batches_are_copied_and_it_says_so(source: Path, target: Path) -> None:
    acked = log_of(drafts(OPENING), rounds(1, 2))
    whole = log_of(drafts(OPENING), rounds(1, 2), drafts(Noted(text="ü – ✓"), Noted(text="x")))
    for size in range(len(acked) + 1, len(whole) - 1, 7):
        source.write_bytes(whole[:size])
        copy = copied(source, target)
        assert target.read_bytes() == acked
        assert copy.found.problem is not None
        assert (copy.found.problem.torn, copy.found.problem.line, copy.records) == (True, 4, 3)
        target.unlink()
    assert beside(target) == ["ford.jsonl"]


@pytest.mark.parametrize("later", [log_of(drafts(OPENING), rounds(1, 5)), log_of(drafts(OPENING)), b""])
def test_what_is_copied_is_what_was_verified_whatever_the_source_is_now(
    source: Path, target: Path, later: bytes
) -> None:
    copy = Copy(JsonlStore(source).read(), str(source))
    source.write_bytes(later)
    create_file(target, encode_lines(copy))
    assert target.read_bytes() == small_log()


# ---------------------------------------------------------------- all or nothing


def test_nothing_is_ever_copied_over(source: Path, target: Path) -> None:
    for make in (lambda: target.write_text("mine"), target.mkdir, lambda: target.symlink_to("nowhere")):
        make()
        with pytest.raises(NotWritten, match="already a file"):
            copied(source, target)
        target.rmdir() if target.is_dir() else target.unlink()
    with pytest.raises(NotWritten, match="already a file"):
        copied(source, source)
    assert source.read_bytes() == small_log()


@pytest.mark.parametrize("room", [0, 1, 500, 1000])
def test_a_full_disk_leaves_nothing_behind(source: Path, target: Path, room: int) -> None:
    with limited_file_size(room), pytest.raises(NotWritten, match="file too large") as caught:
        copied(source, target)
    assert "make room" in caught.value.hint
    assert beside(target) == ["ford.jsonl"]


@pytest.mark.parametrize("call", ["open", "write", "sync", "link"])
def test_a_failing_disk_leaves_nothing_behind(source: Path, target: Path, call: str) -> None:
    with pytest.raises(NotWritten, match="input/output error"):
        create_file(target, encode_lines(Copy(JsonlStore(source).read(), str(source))), Flaky(call))
    assert beside(target) == ["ford.jsonl"]


def test_a_copy_that_is_interrupted_leaves_nothing_behind(source: Path, target: Path) -> None:
    def interrupted() -> Iterator[Recorded]:
        yield from list(Copy(JsonlStore(source).read(), str(source)))[:2]
        raise KeyboardInterrupt

    with pytest.raises(KeyboardInterrupt):
        create_file(target, encode_lines(interrupted()))
    assert beside(target) == ["ford.jsonl"]
