"""Fault 42: what is no canonical JSON, in lines whose hashes fit, as raw lines, and as input: refused, with why, at once."""

from collections.abc import Callable, Sequence
from pathlib import Path
from random import Random
from typing import NamedTuple

from eventstore.damage import verification
from eventstore.errors import Malformed, StoreError
from eventstore.form import LONGEST_LINE, canonical, check, event_of, read_json
from eventstore.jsonl import JsonlStore
from tests.eventstore import verifier
from tests.eventstore.logs import rehashed, small_log, walk
from tests.faults.campaign import Run, fault
from tests.faults.tampering import PATIENCE, append, note, refused

LINES = rehashed([*small_log().splitlines(keepends=True), note(5, "the last")]).splitlines(keepends=True)
EVENT = b'{"type":"damage_dealt","target":"orc-1","amount":2}'
"""What happens in line 4."""
_BIG = 200_000
"""Long enough for work to show that grows faster than the input."""
_MARKS = "\u0300" * (_BIG // 4) + "\u0316" * (_BIG // 4)
"""Marks against their canonical order: to sort them by insertion takes half a minute."""


class Hostile(NamedTuple):
    """Is an event as nobody of good will writes it, and the reason for which it is refused, none where it is taken.

    `log` is the reason in a log whose hashes fit, `edge` that of what comes in. Of what is not `read`, readers leave it
    to verify to find it; what is `ours`, a verifier does not find that knows neither types nor ids.
    """

    name: str
    event: bytes
    log: str
    edge: str
    read: bool = True
    ours: bool = False


def _damage(more: str) -> bytes:
    return EVENT[:-1] + more.encode("utf-8", "surrogatepass") + b"}"


def _amount(number: str) -> bytes:
    return EVENT[:-2] + number.encode() + b"}"


def _sheet(value: str) -> bytes:
    return b'{"type":"combatant_joined","combatant":"orc-2","side":"orcs","sheet":{"x":%b}}' % value.encode()


HOSTILE = (
    # keys, spaces, spellings
    Hostile("a key twice", _damage(',"amount":2'), "stands twice", "stands twice"),
    Hostile("a key twice in two spellings", _damage(',"am\\u006funt":2'), "stands twice", "stands twice"),
    Hostile("a key of a sheet twice", _sheet('1,"x":1'), "stands twice", "stands twice"),
    Hostile("the type twice", b'{"type":"noted","type":"dreamt"}', "stands twice", "stands twice"),
    Hostile("a type unknown, then known", b'{"type":"dreamt","type":"noted","text":7}', "stands twice", "stands twice"),
    Hostile("another order", b'{"type":"damage_dealt","amount":2,"target":"orc-1"}', "canonical", "", ours=True),
    Hostile("the type last", b'{"target":"orc-1","amount":2,"type":"damage_dealt"}', "canonical", "", ours=True),
    Hostile("a space", _amount(" 2"), "canonical", ""),
    Hostile("200,000 spaces", _amount(" " * _BIG + "2"), "canonical", ""),
    Hostile("a line separator for a space", _amount("\u20282"), "not JSON", "not JSON"),
    Hostile("a default written out", _damage(',"parts":[]'), "canonical", "", ours=True),
    Hostile("an escape that need not be", _damage(',"object":"\\u0061xe"'), "canonical", ""),
    Hostile("a slash with an escape", _damage(',"object":"\\/"'), "canonical", ""),
    Hostile("a dragon in two escapes", _damage(',"object":"\\ud83d\\udc09"'), "canonical", ""),
    Hostile("a list for an event", b"[]", "is not a record", "is not a JSON object"),
    Hostile("no type", b'{"of":"sheep"}', "does not stand first", "is missing", ours=True),
    Hostile("a type that is none", b'{"type":"Dreamt"}', "the name of a type", "unknown event type", ours=True),
    Hostile("a path for an id", _damage(',"source":"../../etc"'), "is not an id", "is not an id", ours=True),
    # control characters
    Hostile("an escaped NUL, which is text", _damage(',"object":"a\\u0000b"'), "", ""),
    Hostile("an escaped NUL in an id", _damage(',"source":"orc\\u0000"'), "is not an id", "is not an id", ours=True),
    Hostile("a bare NUL", _damage(',"object":"a\0b"'), "NUL", "not JSON"),
    Hostile("a bare vertical tab", _damage(',"object":"a\x0bb"'), "not JSON", "not JSON"),
    Hostile("a byte order mark", _damage(',"object":\ufeff"a"'), "not JSON", "not JSON"),
    # numbers
    Hostile("NaN", _amount("NaN"), "NaN is not a number", "NaN is not a number"),
    Hostile("NaN in a sheet", _sheet("NaN"), "NaN is not a number", "NaN is not a number"),
    Hostile("-Infinity", _amount("-Infinity"), "is not a number", "is not a number"),
    Hostile("1e999", _amount("1e999"), "is a fraction", "is a fraction"),
    Hostile("1e999 in a sheet", _sheet("1e999"), "is a fraction", "is a fraction"),
    Hostile("-1e-999 in a sheet", _sheet("-1e-999"), "is a fraction", "is a fraction"),
    Hostile("2.0", _amount("2.0"), "is a fraction", "is a fraction"),
    Hostile("2.0 in a sheet", _sheet("2.0"), "is a fraction", "is a fraction"),
    Hostile("2^53+1", _amount("9007199254740993"), "beyond", "beyond"),
    Hostile("-2^53", _amount("-9007199254740992"), "beyond", "beyond"),
    Hostile("2^53 in a sheet", _sheet("9007199254740992"), "beyond", "beyond"),
    Hostile("2^64 in a sheet", _sheet("18446744073709551616"), "beyond", "beyond"),
    Hostile("5,000 digits", _amount("1" * 5000), "beyond", "beyond"),
    Hostile("200,000 digits", _amount("1" * _BIG), "beyond", "beyond"),
    Hostile("200,000 digits in a sheet", _sheet("-" + "9" * _BIG), "beyond", "beyond"),
    Hostile("200,000 digits behind the point", _sheet("0." + "9" * _BIG), "is a fraction", "is a fraction"),
    Hostile("minus zero", _amount("-0"), "canonical", ""),
    Hostile("a zero before it", _amount("02"), "not JSON", "not JSON"),
    Hostile("a plus before it", _amount("+2"), "not JSON", "not JSON"),
    Hostile("another script's digit", _amount("٢"), "not JSON", "not JSON"),
    Hostile("true for a number", _amount("true"), "a whole number", "a whole number", ours=True),
    Hostile("a word for a number", _amount('"2"'), "a whole number", "a whole number", ours=True),
    Hostile("null", _damage(',"source":null'), "is null", "is null"),
    Hostile("null in a sheet", _sheet("null"), "is null", "is null"),
    # what is no Unicode, or not in normal form
    Hostile("half a pair", _damage(',"object":"\\ud800"'), "surrogate", "surrogate"),
    Hostile("a pair the wrong way round", _damage(',"object":"\\udc09\\ud83d"'), "surrogate", "surrogate"),
    Hostile("half a pair in a key of a sheet", _sheet('{"\\ud800":1}'), "surrogate", "surrogate"),
    Hostile("half a pair in bytes", _damage(',"object":"\ud800"'), "not UTF-8", "not UTF-8"),
    Hostile("Latin-1", _damage(',"object":"?"').replace(b"?", b"\xfc"), "not UTF-8", "not UTF-8"),
    Hostile("a slash in two bytes", _damage(',"object":"?"').replace(b"?", b"\xc0\xaf"), "not UTF-8", "not UTF-8"),
    Hostile("not in normal form", _damage(',"object":"e\u0301"'), "normal form C", ""),
    Hostile("not in normal form in a sheet", _sheet('"e\u0301"'), "normal form C", ""),
    Hostile("keys alike in normal form", _sheet('{"e\u0301":1,"é":2}'), "stands twice", "stands twice"),
    Hostile("marks out of order", _sheet(f'"a{_MARKS}"'), "normal form C", ""),
    Hostile("marks that come apart out of order", _sheet(f'"{chr(0xF73) * (_BIG // 2)}"'), "normal form C", ""),
    # depth and length
    Hostile("33 levels", _sheet("[" * 31 + "]" * 31), "nested deeper", "nested deeper"),
    Hostile("100,000 levels", _sheet("[" * 100_000 + "]" * 100_000), "nested deeper", "nested deeper"),
    Hostile("100,000 levels open", _sheet("[" * 100_000), "nested deeper", "nested deeper"),
    Hostile("objects without an end", _sheet('{"a":' * 50_000), "nested deeper", "nested deeper"),
    Hostile(
        "a correction of corrections",
        b'{"type":"amended","event":2,"replacement":' * 5_000 + b'{"type":"dreamt"}' + b"}" * 5_000,
        "nested deeper",
        "nested deeper",
    ),
    Hostile("text without an end", _damage(',"object":"' + "x" * _BIG), "not JSON", "not JSON"),
    Hostile("backslashes without an end", _damage(',"object":"' + "\\" * _BIG), "not JSON", "not JSON"),
    Hostile("20,000 keys", _sheet("{" + ",".join(f'"{each}":1' for each in range(20_000)) + "}"), "", ""),
    Hostile("a key of 200,000 letters", _damage(f',"{"x" * _BIG}":1'), "no field", "no field", ours=True),
    Hostile("a type of 200,000 letters", b'{"type":"%b"}' % (b"x" * _BIG), "", "unknown event type"),
)


class Envelope(NamedTuple):
    """Is an edit of line 4 around its event, and the reason for which it is refused; `read` and `ours` as above."""

    name: str
    old: bytes
    new: bytes
    why: str
    read: bool = True
    ours: bool = False


ENVELOPES = (
    Envelope("a space after a comma", b'4,"at"', b'4, "at"', "canonical"),
    Envelope("the seq twice", b'"seq":4', b'"seq":4,"seq":4', "stands twice"),
    Envelope("a word for the seq", b'"seq":4', b'"seq":"4"', "$.seq"),
    Envelope("a fraction for the seq", b'"seq":4', b'"seq":4.0', "is a fraction"),
    Envelope("a zero before the seq", b'"seq":4', b'"seq":04', "not JSON"),
    Envelope("a seq beyond all numbers", b'"seq":4', b'"seq":' + b"4" * 5000, "beyond"),
    Envelope(
        "another order",
        b'"seq":4,"at":"2026-11-20T19:04:05.123456Z"',
        b'"at":"2026-11-20T19:04:05.123456Z","seq":4',
        "",
    ),
    Envelope("a key that nobody knows", b'"by":"gm"', b'"by":"gm","mood":"grim"', "mood"),
    Envelope("a default written out", b'"by":"gm"', b'"by":"gm","secret":false', "canonical"),
    Envelope("nobody", b'"by":"gm"', b'"by":""', "$.by"),
    Envelope("a name of 121 letters", b'"by":"gm"', b'"by":"' + b"x" * 121 + b'"', "$.by"),
    Envelope("half a pair for a name", b'"by":"gm"', b'"by":"\\ud800"', "surrogate"),
    Envelope("a name not in normal form", b'"by":"gm"', '"by":"e\u0301"'.encode(), "normal form C", read=False),
    Envelope("a batch of fractions", b'"by":"gm"', b'"by":"gm","batch":[1.0,2]', "is a fraction"),
    Envelope("a batch of three places", b'"by":"gm"', b'"by":"gm","batch":[1,2,3]', "is not a record"),
    Envelope("a batch of ten million", b'"by":"gm"', b'"by":"gm","batch":[1,10000000]', "2 to 10,000"),
    Envelope("a leap second", b"19:04:05", b"23:59:60", "is not a timestamp", read=False),
    Envelope("a local time", b"123456Z", b"123456+", "is not a timestamp", read=False),
    Envelope("February 30", b"2026-11-20", b"2026-02-30", "is not a timestamp", read=False),
    Envelope("the year 0", b"2026-11-20", b"0000-11-20", "is not a timestamp", read=False),
    Envelope("a salt in capitals", b'"salt":"0000', b'"salt":"ABCD', "hexadecimal", read=False),
    Envelope("a short salt", b'"salt":"0000', b'"salt":"', "$.salt"),
)


def _every(old: bytes, new: bytes) -> Callable[[Sequence[bytes]], bytes]:
    return lambda lines: b"".join(lines).replace(old, new)


def _after(place: int, more: bytes) -> Callable[[Sequence[bytes]], bytes]:
    return lambda lines: b"".join(lines[:place]) + more + b"".join(lines[place:])


def _ended(place: int, end: bytes) -> Callable[[Sequence[bytes]], bytes]:
    return lambda lines: b"".join([*lines[: place - 1], lines[place - 1][:-1] + end, *lines[place:]])


RAW: tuple[tuple[str, Callable[[Sequence[bytes]], bytes], int, str], ...] = (
    ("a byte order mark", _after(0, b"\xef\xbb\xbf"), 1, "byte order mark"),
    ("a byte order mark within", _after(3, b"\xef\xbb\xbf"), 4, "byte order mark"),
    ("CR LF", _every(b"\n", b"\r\n"), 1, "CR LF"),
    ("one CR LF", _ended(3, b"\r\n"), 3, "CR LF"),
    ("CR", _every(b"\n", b"\r"), 1, ""),
    ("one CR", _ended(3, b"\r"), 3, ""),
    ("spaces at the end", _ended(3, b"  \n"), 3, ""),
    ("a tab at the end", _ended(5, b"\t\n"), 5, ""),
    ("a space at the start", _after(2, b" "), 3, ""),
    ("a comma at the end", _ended(3, b",\n"), 3, ""),
    ("a line separator for a line feed", _ended(3, "\u2028".encode()), 3, ""),
    ("a form feed for a line feed", _ended(3, b"\x0c"), 3, ""),
    ("no line feed between two", _ended(3, b""), 3, ""),
    ("an empty line at the end", _after(5, b"\n"), 6, "is empty"),
    ("a comment", _after(4, b"# the end is near\n"), 5, "not JSON"),
    ("more behind it", _ended(3, b"{}\n"), 3, ""),
    ("a list of lines", lambda lines: b"[" + b",\n".join(line[:-1] for line in lines) + b"]\n", 1, ""),
    ("UTF-16", lambda lines: b"".join(lines).decode().encode("utf-16"), 1, ""),
    ("a block of NUL bytes", _after(3, bytes(4096)), 4, "NUL"),
    ("a line too long", _after(5, b"x" * LONGEST_LINE + b"\n"), 6, "longer than"),
    ("a line too long without an end", _after(5, b"x" * LONGEST_LINE), 6, "longer than"),
)


@fault(42, "keys twice, other orders, BOM, CR LF, NUL, NaN, 1e999, 2^53+1, half a pair, depth, marks without end")
def hostile_lines(run: Run) -> None:
    """Let in what is no canonical JSON, on every way there is: each time it is refused, with place and reason, at once."""
    with run.folder(real=False) as folder:
        log = folder / "forged" / "a.jsonl"
        log.parent.mkdir()
        not_written_by_us(run, log)
        for one in HOSTILE:
            _at_the_edge(run, one)
        for each in ENVELOPES:
            _in_a_log(
                run, each.name, log, LINES[3].replace(each.old, each.new, 1), each.why or "no", each.read, each.ours
            )
        for name, change, line, why in RAW:
            refused(run, f"raw: {name}", log, change(LINES), line, why)
    for number in range(run.some(300, 20_000)):
        _by_chance(run, number)


def not_written_by_us(run: Run, log: Path) -> None:
    """Let events into a log, its chain made anew, that no writer of ours would have taken."""
    for one in HOSTILE:
        _in_a_log(run, one.name, log, LINES[3].replace(EVENT, one.event), one.log, one.read, one.ours)


def _in_a_log(run: Run, name: str, path: Path, line: bytes, why: str, read: bool, ours: bool) -> None:
    data, case = rehashed([*LINES[:3], line, LINES[4]]), f"in a log: {name}"
    if why:
        silent = (() if read else ("reading", "head", "append")) + (("the verifier",) if ours else ())
        refused(run, case, path, data, 4, why, silent)
        return
    run.counts.cases += 1
    path.write_bytes(data)
    with run.within(PATIENCE, case):
        found = JsonlStore(path).verify()
        if found.records != 5 or not found.sound or verifier.first_fault(data)[0] or append(path) != 6:
            run.breach("I6", case, f"is not taken: {found.problem}, {verifier.first_fault(data)}")


def _at_the_edge(run: Run, one: Hostile) -> None:
    run.counts.cases += 1
    case, says = f"at the edge: {one.name}", ""
    with run.within(PATIENCE, case):
        try:
            check(canonical(event_of(read_json(one.event))))
        except Malformed as error:
            says = str(error)
            run.counts.refused += 1
        if bool(says) != bool(one.edge) or one.edge not in says or len(says) > 400:
            run.breach("I6", case, f"it says {says[:400]!r}, not {one.edge!r}")


PIECES = (
    b'"', b"\\", b"{", b"}", b"[", b"]", b",", b":", b"\0", b"\r", b"\xff", b"\xc3", b"0", b"-", b".", b"e9", b" ",
    b"null", b"true", b"NaN", b"\\u0000", b"\\ud800", "e\u0301".encode(), b',"type":"noted"', b'"event":', b',"salt":"',
    b',"hash":"', b',"digest":"', b"9" * 30, b"[" * 40,
)  # fmt: skip


def _by_chance(run: Run, number: int) -> None:
    """Change a line somewhere and make the hashes fit: nothing but an error of the store comes of it, or a sound log."""
    run.counts.cases += 1
    chance = Random(f"{run.seed}/42/{number}")
    place = chance.randrange(len(LINES))
    line = bytearray(LINES[place][:-1])
    for _ in range(chance.randint(1, 3)):
        at = chance.randrange(len(line))
        line[at : at + chance.choice((0, 0, 1, 5, 40))] = chance.choice(PIECES)
    case = f"by chance: {bytes(line)!r}"
    changed = [*LINES[:place], bytes(line) + b"\n", *LINES[place + 1 :]]
    try:
        data = rehashed(changed)
    except ValueError:  # nothing is left to be hashed
        data = b"".join(changed)
    with run.within(PATIENCE, case):
        try:
            problem = verification(walk(data)).problem
        except StoreError:
            run.counts.refused += 1
        else:
            run.counts.refused += problem is not None
            if problem is None and verifier.first_fault(data)[0]:
                run.breach("I4", case, f"is taken, but {verifier.first_fault(data)}")
            if problem is not None and problem.line != place + 1 and bytes(line) != LINES[place][:-1]:
                run.breach("I4", case, f"line {place + 1} was changed, {problem.line} is named: {problem.why}")
