import re
import subprocess
import sys
from collections.abc import Iterator
from hashlib import sha256
from itertools import permutations, zip_longest
from pathlib import Path

import pytest
from hypothesis import given, settings, strategies as st

from eventstore.chain import GENESIS, Anchor, follows_hash, verify_line, withhold_payload
from eventstore.damage import FORGED, verify_walk
from eventstore.errors import CorruptLog, Malformed, NotALog, WrongVersion
from eventstore.events import Event, Noted
from eventstore.jsonl import JsonlStore
from eventstore.record import Draft, Recorded, check_stamp, decode, encode, encode_record
from tests.eventstore import verifier
from tests.eventstore.logs import AT, OPENING, drafts, events, line_of, read, rehashed, small_log, walk
from tests.tables import for_each

FORMAT = (Path(__file__).parents[2] / "eventstore" / "FORMAT.md").read_text(encoding="utf-8")
LOG = small_log()
LINES = LOG.splitlines(keepends=True)
often = settings(max_examples=4 * settings().max_examples)


def fault(data: bytes) -> tuple[int, str]:
    """Return the first bad line and why, (0, "") for a good log; the independent verifier must agree."""
    try:
        problem = verify_walk(walk(data)).problem
        ours = (problem.line, problem.why) if problem else (0, "")
        assert problem is None or data.count(b"\n", 0, problem.offset) == problem.line - 1
    except NotALog as error:
        ours = (1, error.why)
    theirs, _ = verifier.first_fault(data)
    assert bool(ours[0]) == bool(theirs), (ours, theirs)
    return ours


def first_bad_line(data: bytes) -> int:
    return fault(data)[0]


# ---------------------------------------------------------------- one line


@often
@given(events(), st.booleans(), st.none() | st.just((2, 3)), st.sampled_from([None, "schlüssel", '"quoted"']))
def test_decoding_is_the_inverse_of_encoding(
    event: Event, secret: bool, batch: tuple[int, int] | None, key: str | None
) -> None:
    line = line_of(Draft(event, secret, key), 7, AT, "gm", batch, "0" * 32, GENESIS)
    record = decode(line)
    assert (record.seq, record.at, record.by, record.key) == (7, AT, "gm", key)
    assert (record.batch, record.secret, record.event, record.salt) == (batch, secret, event, "0" * 32)
    assert encode(record) + b"\n" == encode_record(record) + b"\n" == line
    assert verify_line(line[:-1], GENESIS) == record.hash
    assert follows_hash(line[:-1], record, GENESIS)


_words = st.text(st.characters(exclude_categories=["Cs"]), min_size=1, max_size=20)


@often
@given(
    st.integers(1, 2**53 - 1),
    _words,
    st.none() | _words,
    st.none() | st.tuples(st.integers(1, 10_000), st.integers(2, 10_000)),
    st.booleans(),
    st.none() | st.just("2020-02-29T12:00:00.000000Z"),
)
def test_a_line_is_what_encoding_its_record_gives(
    seq: int, by: str, key: str | None, batch: tuple[int, int] | None, secret: bool, own: str | None
) -> None:
    line = line_of(Draft(OPENING, secret, key, own), seq, AT, by, batch, "0" * 32, GENESIS)
    record = Recorded(
        seq=seq,
        at=own or AT,
        by=by,
        key=key,
        batch=batch,
        secret=secret,
        digest=sha256(b'"event":%b,"salt":"%b"' % (encode(OPENING), b"0" * 32)).hexdigest(),
        event=OPENING,
        salt="0" * 32,
        hash=line[-67:-3].decode(),
    )
    assert line == encode(record) + b"\n"


@given(events())
def test_a_withheld_line_still_verifies_and_shows_as_withheld(event: Event) -> None:
    line = line_of(Draft(event, key=',"digest":"'), 7, AT, "gm", None, "0" * 32, GENESIS)
    bare = withhold_payload(line)
    record = decode(bare)
    assert record.withheld
    assert record.event is None
    assert verify_line(bare[:-1], GENESIS) == decode(line).hash
    assert withhold_payload(bare) == bare
    assert encode_record(record) + b"\n" == bare


def test_the_genesis_is_the_hash_of_two_words() -> None:
    assert GENESIS in FORMAT


@for_each(
    "at",
    [
        "2026-11-20T19:04:05Z",
        "2026-11-20T19:04:05.123456",
        "2026-11-20T19:04:05.123456+00:00Z",
        "2026-11-20 19:04:05.123456Z",
        "2026-11-20T19:04:05.123456z",
        "2026-11-20T19:04:60.123456Z",
        "2026-11-20T24:00:00.000000Z",
        "2026-13-20T19:04:05.123456Z",
        "2025-02-29T19:04:05.123456Z",
        "1900-02-29T19:04:05.123456Z",
        "2026-11-00T19:04:05.123456Z",
        "2026-W47-5T19:04:05.123456Z",
        "0000-01-01T19:04:05.123456Z",
        "２０２６-11-20T19:04:05.123456Z",
        "",
    ],
)
def test_a_moment_has_one_form_and_is_a_day_of_the_calendar(at: str) -> None:
    with pytest.raises(Malformed, match="is not a timestamp"):
        check_stamp(at)
    check_stamp("2000-02-29T23:59:59.999999Z")


# ---------------------------------------------------------------- many lines


@pytest.mark.slow
def test_a_bit_changed_in_any_byte_is_detected_and_its_line_named(whole: bool) -> None:
    """Of each byte one bit, or all eight."""
    assert first_bad_line(LOG) == 0
    ends = [number for number, line in enumerate(LINES, 1) for _ in line]
    for at, number in enumerate(ends):
        for bit in range(8) if whole else (at % 8,):
            assert first_bad_line(LOG[:at] + bytes([LOG[at] ^ 1 << bit]) + LOG[at + 1 :]) == number


def test_every_byte_taken_out_is_detected() -> None:
    for at in range(len(LOG) - 1):
        assert first_bad_line(LOG[:at] + LOG[at + 1 :])


def test_a_last_record_that_lacks_nothing_but_its_line_feed_counts() -> None:
    assert first_bad_line(LOG[:-1]) == 0
    assert read(LOG[:-1]) == read(LOG)


@pytest.mark.parametrize("number", range(1, len(LINES)))
def test_a_missing_line_is_named_as_missing(number: int) -> None:
    without = LINES[: number - 1] + LINES[number:]
    assert first_bad_line(b"".join(without)) == number
    with pytest.raises(CorruptLog, match=f"line {number} .*holds seq {number + 1}: a line is missing"):
        read(b"".join(without))


@pytest.mark.parametrize("number", range(1, len(LINES) + 1))
def test_a_doubled_line_is_named_as_doubled(number: int) -> None:
    doubled = b"".join(LINES[:number] + LINES[number - 1 :])
    assert first_bad_line(doubled) == number + 1
    with pytest.raises(CorruptLog, match=f"line {number + 1} .*holds seq {number}: the line before stands twice"):
        read(doubled)


def rearranged() -> Iterator[list[bytes]]:
    """Yield the lines moved and put in at every place, with others and with those of another log."""
    other = rehashed([line.replace(b'"encounter":"q7k2"', b'"encounter":"zz99"') for line in LINES]).splitlines(True)
    for at in range(len(LINES) + 1):
        for line in (b"\n", b"{}\n", b"foo\n", b"\0\0\n", *other[1:], *LINES):
            yield [*LINES[:at], line, *LINES[at:]]
        yield [*LINES[:at], *other[max(at, 1) :]]
        yield [*LINES, *other[1:]]
    for order in permutations(LINES):
        yield list(order)


def test_lines_in_another_order_or_with_another_are_detected() -> None:
    for lines in rearranged():
        pairs = enumerate(zip_longest(lines, LINES), 1)
        if expected := next((number for number, (new, old) in pairs if new != old and lines[: len(LINES)] != lines), 0):
            assert first_bad_line(b"".join(lines)) == expected


def test_a_changed_number_is_told_from_a_missing_line() -> None:
    changed = LOG.replace(b'{"seq":4,', b'{"seq":6,')
    with pytest.raises(CorruptLog, match="its number was changed to 6"):
        read(changed)


def test_what_came_before_a_broken_line_was_yielded() -> None:
    got: list[Recorded] = []
    with pytest.raises(CorruptLog, match="the digest does not match") as caught:
        got.extend(iter(walk(LOG.replace(b'"amount":2', b'"amount":3'))))
    assert [record.seq for record in got] == [1, 2, 3]
    assert (caught.value.line, caught.value.offset, caught.value.torn) == (4, len(b"".join(LINES[:3])), False)


def test_event_and_salt_are_withheld_together_or_not_at_all() -> None:
    """An event without its salt would stand there without being proven by the digest."""
    for part in (rb',"salt":"[0-9a-f]+"', rb',"event":\{.*\}(?=,"salt")'):
        half = b"".join([*LINES[:3], re.sub(part, b"", LINES[3])])
        assert first_bad_line(half) == 4
        with pytest.raises(CorruptLog, match="the digest does not match"):
            read(half)
        assert first_bad_line(rehashed(half.splitlines(keepends=True))) == 4


def test_the_first_payload_cannot_be_withheld() -> None:
    assert first_bad_line(withhold_payload(LINES[0]) + b"".join(LINES[1:])) == 1


@for_each(
    ("old", "new", "says"),
    [
        (b'"amount":2', b'"amount": 2', "canonical form"),
        (b'"amount":2', b'"amount":2.5', "2.5 is a fraction"),
        (b'"amount":2', b'"amount":-0', "canonical form"),
        (b'"amount":2', b'"amount":9007199254740992', "beyond"),
        (b'"amount":2', b'"amount":NaN', "NaN is not a number"),
        (b'"amount":2', b'"amount":2,"amount":2', "stands twice"),
        (b'"amount":2', b'"amount":2,"source":null', "is null"),
        (b'"amount":2', b'"amount":2,"object":"\\u00fc"', "canonical form"),
        (b'"amount":2', b'"amount":2,"object":"\\ud800"', "surrogate"),
        (b'"amount":2', b'"amount":2,"object":"\\/"', "canonical form"),
        (b'"amount":2', b'"amount":2,"object":"e\xcc\x81"', "normal form C"),
        (b'"amount":2', b'"amount":2,"object":"\xff"', "not UTF-8"),
        (b'"sheet":{"hp":6}', b'"sheet":{"hp":6.0}', "6.0 is a fraction"),
        (b'"sheet":{"hp":6}', b'"sheet":{"hp":null}', "is null"),
        (b'"sheet":{"hp":6}', b'"sheet":{"hp":6,"hp":6}', "stands twice"),
        (b'"sheet":{"hp":6}', b'"sheet":{"hp":' + b"[" * 40 + b"]" * 40 + b"}", "nested deeper"),
        (b'"sheet":{"hp":6}', b'"sheet":{"hp":' + b"[" * 9999 + b"]" * 9999 + b"}", "nested deeper"),
        (b'"by":"gm","digest"', b'"by":"gm","colour":"red","digest"', "colour"),
        (b'"seq":1,"at":"2026-11-20T19', b'"seq":1,"at":"2026-11-20T24', "is not a timestamp"),
        (b'"by":"gm"', b'"by":"e\xcc\x81"', "normal form C"),
        (b'"batch":[1,2]', b'"batch":[1,1]', "2 to 10,000"),
        (b'"batch":[1,2]', b'"batch":[2,2]', "begins nowhere"),
        (b'"batch":[2,2]', b'"batch":[2,3]', "a batch breaks off"),
        (b',"batch":[2,2]', b"", "a batch breaks off: place 2 of 2 is due, a record of its own"),
        (b'"format":1', b'"format":2', "format 2"),
        (b'"by":"gm","digest"', b'"by":"gm","secret":true,"digest"', "cannot be secret"),
        (b'"type":"encounter_opened"', b'"type":"encounter_opened.2"', "does not open an encounter"),
    ],
)
def test_a_forged_line_whose_chain_fits_is_refused_by_both_for_its_form(old: bytes, new: bytes, says: str) -> None:
    forged = rehashed([line.replace(old, new, 1) for line in LINES])
    assert forged != rehashed(LINES) == LOG
    line, why = fault(forged)
    assert line
    assert says in why


@pytest.mark.parametrize(
    ("line", "old", "new", "says", "hint"),
    [
        (2, b'"key":"joining"', b'"key":"e\xcc\x81"', "key: is not text in Unicode normal form C", FORGED),
        (3, b'"by":"gm"', b'"by":"e\xcc\x81"', "by: is not text in Unicode normal form C", FORGED),
        (
            3,
            b"2026-11-20",
            b"2026-02-30",
            "is not a timestamp",
            "RFC 3339, UTC, microseconds: 2026-11-20T19:04:05.123456Z",
        ),
        (4, b'"salt":"0', b'"salt":"g', "salt: is not in hexadecimal digits", FORGED),
    ],
)
def test_a_forged_envelope_is_told_with_line_byte_and_hint(
    line: int, old: bytes, new: bytes, says: str, hint: str
) -> None:
    lines = [*LINES[: line - 1], LINES[line - 1].replace(old, new, 1), *LINES[line:]]
    problem = verify_walk(walk(forged := rehashed(lines))).problem
    assert fault(forged)[0] == line
    assert problem is not None
    assert (problem.line, problem.offset, problem.hint) == (line, len(b"".join(LINES[: line - 1])), hint)
    assert says in problem.why


def test_the_digest_of_a_withheld_payload_is_in_lower_case_digits() -> None:
    """Nothing else proves it, for there is nothing to compare it with."""
    bare = withhold_payload(LINES[3])
    cut = bare.index(b'"digest":"') + 10
    head = bare[:cut] + b"g" + bare[cut + 1 : cut + 65]
    own = sha256(decode(LINES[2]).hash.encode() + head).hexdigest()
    assert fault(b"".join([*LINES[:3], head, b',"hash":"', own.encode(), b'"}\n'])) == (
        4,
        "is not a record: digest: is not in hexadecimal digits",
    )


def test_a_line_with_two_events_is_none_though_one_of_them_is_good() -> None:
    twice = LINES[3].replace(b'"event":{', b'"event":{"type":"noted"},"event":{')
    with pytest.raises(ValueError, match="missing required field"):
        decode(twice)


@pytest.mark.parametrize("seq", [1, 4, 6, 7])
def test_a_forged_number_is_refused_by_both_though_the_chain_proves_it(seq: int) -> None:
    for text in ("plain", "Übt"):
        line = line_of(Draft(Noted(text=text)), seq, AT, "gm", None, "0" * 32, decode(LINES[3]).hash)
        assert first_bad_line(LOG + line) == 5


def test_a_second_opening_is_refused_by_both() -> None:
    line = line_of(Draft(OPENING), 5, AT, "gm", None, "0" * 32, decode(LINES[3]).hash)
    assert first_bad_line(LOG + line) == 5


def test_an_unknown_event_in_another_spelling_is_refused_by_both() -> None:
    for later in (b'{"type":"dreamt","of": 1}', b'{"type":"dreamt","of":1.5}', b'{"type":"dreamt","of":null}'):
        data = rehashed([*LINES[:3], LINES[3].replace(b'{"type":"damage_dealt","target":"orc-1","amount":2}', later)])
        assert first_bad_line(data) == 4


# ---------------------------------------------------------------- anchors


def test_an_anchor_shows_what_a_chain_alone_cannot() -> None:
    anchor = Anchor(4, decode(LINES[3]).hash)
    assert verify_walk(walk(LOG)).anchor == "unanchored"
    assert verify_walk(walk(LOG), anchor).anchor == "matches"
    short = verify_walk(walk(b"".join(LINES[:3])), anchor)
    assert (short.problem, short.anchor, short.sound) == (None, "cut off", False)
    edited = verify_walk(walk(rehashed([line.replace(b'"amount":2', b'"amount":1') for line in LINES])), anchor)
    assert (edited.problem, edited.anchor, edited.sound) == (None, "rewritten", False)
    torn = verify_walk(walk(LOG[:-2]), anchor)
    assert torn.anchor == "cut off"
    broken = verify_walk(walk(LOG.replace(b'"hp":6', b'"hp":7')), anchor)
    assert (broken.records, broken.anchor) == (1, "not reached")
    assert not verify_walk(walk(LOG.replace(b'"amount":2', b'"amount":3')), Anchor(1, decode(LINES[0]).hash)).sound


def test_a_tail_cut_off_is_shown_by_an_anchor_and_by_writers(tmp_path: Path) -> None:
    anchors = [Anchor(seq, decode(line).hash) for seq, line in enumerate(LINES, 1)]
    for kept in (1, 3):
        data = b"".join(LINES[:kept])
        assert (verify_walk(walk(data)).sound, verify_walk(walk(data)).anchor) == (True, "unanchored")
        told = [verify_walk(walk(data), anchor).anchor for anchor in anchors]
        assert told == ["matches"] * kept + ["cut off"] * (4 - kept)
        (path := tmp_path / "a.jsonl").write_bytes(LOG)
        store = JsonlStore(path)
        assert store.head().seq == 4
        path.write_bytes(data)
        with pytest.raises(WrongVersion):
            store.append(drafts(Noted(text="x")), by="gm", at=AT, after=4)
        assert path.read_bytes() == data


def test_an_anchor_that_was_cut_short_says_how_many_digits_it_has() -> None:
    with pytest.raises(Malformed, match="has 3 digits behind the colon, not 64"):
        Anchor.parse("3:abc")


# ---------------------------------------------------------------- the page


def test_the_example_in_the_format_verifies_in_both() -> None:
    log, bare = (block.encode() for block in re.findall(r"```jsonl\n(.*?)```", FORMAT, re.DOTALL))
    found = verify_walk(walk(log))
    assert found.sound
    assert f"`{found.head}`" in FORMAT
    assert first_bad_line(log) == 0
    lines = log.splitlines(keepends=True)
    assert withhold_payload(lines[2]) == bare
    assert first_bad_line(b"".join(lines[:2]) + bare) == 0


def test_the_verifier_runs_by_itself(tmp_path: Path) -> None:
    def run(data: bytes) -> tuple[int, str]:
        (tmp_path / "a.jsonl").write_bytes(data)
        done = subprocess.run(
            [sys.executable, verifier.__file__, "a.jsonl"], check=False, capture_output=True, text=True, cwd=tmp_path
        )
        return done.returncode, done.stdout.strip()

    assert run(LOG) == (0, str(verify_walk(walk(LOG)).head))
    code, says = run(LOG[:-2])
    assert code == 1
    assert says == "line 4: not in the form of a record"
