"""Appending facts: lines are read, wrong ones refused with a hint, and the facts decided on and written.

The replacement of a partial amendment is completed from the fact that it amends, like a JSON merge patch (RFC 7386): objects
are merged, everything else is replaced. A replacement that gives its type is complete and left as it is.
"""

import inspect
import re
from collections.abc import Sequence
from contextlib import suppress
from typing import Annotated, Any

from msgspec import Meta, Struct, ValidationError, convert, json, structs, to_builtins

from encounterlog.errors import Refused
from encounterlog.log import folded_log
from encounterlog.log.entering import table_of
from encounterlog.log.folded_log import Done
from encounterlog.log.logs import LogView, records_before_torn_tail, replay_log
from encounterlog.words import layout as text
from eventstore.errors import Malformed, TooLarge, WrongVersion
from eventstore.events import Amended, CombatantJoined, EncounterOpened, Fact, Inserted, Noted, Struck, name_of
from eventstore.form import event_of, read_json, reword_complaint, split_complaint
from eventstore.record import KNOWN, Draft, Recorded, upcast
from eventstore.shapes import Action, Word
from eventstore.store import LARGEST_APPEND, MOST_EVENTS, Mode
from eventstore.wording import nearest
from projections.judging.refusals import Refusal, find_refusals
from projections.replay.replay import Replay, consequences
from projections.stream.corrections import absolute

MEASURES = ("time", "delay", "duration", "distance")
"""The fields that have a short form, as has an action; none of them is text in any type of fact, outside of entries."""
UNITS = {"feet": "ft", "foot": "ft", "metre": "m", "metres": "m", "meter": "m", "meters": "m"}
HOLDING = frozenset({"action", "aim", "replacement", "fact", "sheet", "entries"})
"""The fields whose objects, or lists of objects, may contain such fields."""
EXAMPLES = {
    **dict.fromkeys(("time", "delay", "duration"), 'such as "1 round", or {"amount":1,"unit":"round"}'),
    "distance": 'such as "30 ft", or {"amount":30,"unit":"ft"}',
    "action": 'such as "attack", or {"kind":"attack","name":"sword","targets":["orc-1"]}',
}
"""The hints for values that are neither the short form nor the object."""
MEANT = (
    ("combatant combatants whom victim victims defender on to", "target targets"),
    ("target targets", "target targets combatant"),
    ("who actor character creature name id combatants", "combatant targets target"),
    ("combatant actor by attacker caster from who", "source side"),
    ("source attacker caster by", "combatant"),
    ("team group party faction", "side sides"),
    ("damage points value number healing total", "amount total round segment"),
    ("roll rolled result dice face score value", "die total check"),
    ("why because comment remark note text description", "reason detail text"),
    ("note message words comment says reason", "text words decision"),
    ("length lasts for rounds time", "duration time"),
    ("spell effect condition state status name", "effect condition name resource"),
    ("record seq line of target", "event after"),
    ("hp", "amount values"),
    ("at position where to place from", "square path"),
    ("order status expect expected value stated", "values"),
    ("new by with fact replacement change changes", "replacement fact"),
)
"""Names that people write, and the fields that they mean, the most likely first."""
LONGEST = 200  # the longest line of the user's own that a hint shows


class Envelope(Struct, frozen=True, forbid_unknown_fields=True):
    """A fact with the marks of its record: `secret` withholds it from players, `key` is an idempotency key."""

    event: dict[str, Any]
    secret: Annotated[bool, Meta(title="Secret")] = False
    key: Annotated[Word | None, Meta(title="Key")] = None


class Line(Struct):
    """A line of the input: its number, and its draft, or the error in it; or an amendment of only some fields, drafted when the log is read."""

    number: int
    draft: Draft
    wrong: Malformed | None = None
    partial: dict[str, Any] | None = None


class RefusedLine(Struct, frozen=True):
    """A line that is refused: its number, the field, and the reason."""

    line: int
    field: str
    reason: str


class RefusedFacts(Refused):
    """The failure of an append with refused lines, which are in `found`."""

    found: tuple[RefusedLine, ...] = ()


def read_fact_lines(data: bytes, first: int = 1) -> list[Line]:
    """Read JSON lines, numbered from `first`, each with its error; raise Refused if there are none."""
    if len(data) > LARGEST_APPEND:
        raise Refused("refused", f"{len(data):,} bytes of input; {LARGEST_APPEND:,} can be appended at once")
    if data.startswith((b"\xff\xfe", b"\xfe\xff")) or 0 in data[:2]:
        raise Refused("refused", "the input is UTF-16; nothing was appended", "save it as UTF-8 without BOM")
    if re.match(rb'\s*\{"seq":\d+,"at":"', data):  # the beginning of each line in a log
        hint = (
            "encounter show FILE shows a log; jq -c 'select(.seq > 1).event' FILE prints only its facts, "
            "without writers and secret marks, and with references to the numbers of the old records"
        )
        raise Refused("refused", "the input is a log, or part of one; nothing was appended", hint)
    rows = {number: row for number, row in enumerate(data.split(b"\n"), first) if row.strip()}
    if not rows:
        says = "nothing to append: no line of the input holds a fact"
        raise Refused("refused", says, 'such as {"type":"round_ended"}')
    if len(rows) > MOST_EVENTS:
        raise TooLarge("facts in one append", len(rows), MOST_EVENTS)
    return [_read_line(number, row) for number, row in rows.items()]


def append_lines(
    log: LogView,
    lines: Sequence[Line],
    *,
    by: str,
    after: int | None,
    key: str | None,
    mode: Mode = "durable",
    with_consequences: bool = False,
) -> Done:
    """Write facts as one batch, if wanted with strikes of what struck records caused; what was written under the key is decided as then."""
    log = log_before_append(log, key or lines[0].draft.key)
    further: dict[int, Line] = {}
    given: tuple[Draft, ...] = ()

    def decided(log: LogView) -> tuple[Draft, ...]:
        nonlocal further, given
        struck = {line.draft.event.event: line for line in lines if isinstance(line.draft.event, Struck)}
        further = {}
        for seq, of in (consequences(log, struck) if struck and with_consequences else {}).items():
            draft = struck[of].draft
            draft = structs.replace(draft, event=structs.replace(draft.event, event=seq), key=None)
            further[seq] = structs.replace(struck[of], draft=draft)
        given = drafts_of(log, [*lines, *further.values()], after)
        return hide_concealed(log, given)

    done = folded_log.append_decided(log, decided, by=by, after=after, key=key, mode=mode)
    written = done.written
    several = written.first != written.last
    records = f"records {written.first} to {written.last}" if several else f"record {written.first}"
    if written.again:
        says = [f"{text.count_noun(len(given), 'fact')} had already been appended with this key: {records}"]
    else:
        says = [f"{text.count_noun(len(written.records), 'fact')} appended: {records}"]
        hidden = [] if any(draft.secret for draft in given) else [one.seq for one in written.records if one.secret]
        says += [f"kept from players, as it names somebody hidden: {text.format_numbers(hidden)}"] if hidden else []
    says += done.says
    if further:
        says.append(f"struck with what caused {'it' if len(further) == 1 else 'them'}: {text.format_numbers(further)}")
    return structs.replace(done, says=tuple(says))


def log_before_append(log: LogView, key: str | None) -> LogView:
    """Return a log as it was before the append with this key; the log itself if there is none."""
    first = log.first_of_key(key) if key else None
    return log.reread(first - 1) if first and first > 1 else log


def check_readable(log: LogView) -> None:
    """Raise the fault of a log, unless it is only a torn tail, which the store mends."""
    for _ in records_before_torn_tail(log):
        pass


def _read_line(number: int, line: bytes) -> Line:
    value = fact = None
    try:
        value = read_json(line)
        fact, secret, key = _split_envelope(value)
        if is_partial(fact):
            return Line(number, Draft(Noted(text=""), secret=secret, key=key), partial=fact)
        return Line(number, Draft(event_of(expand_short_forms(fact)), secret=secret, key=key))
    except Malformed as error:
        given = value.get("event", value) if isinstance(value, dict) else None
        draft = Draft(Noted(text=""))
        if (
            isinstance(given, dict)
            and given.get("type") == "combatant_joined"
            and isinstance(given.get("combatant"), str)
        ):
            side = given.get("side")  # so that later lines are judged as if this one were well-formed
            side = side if isinstance(side, str) else None
            draft = Draft(CombatantJoined(combatant=given["combatant"], side=side, sheet={}))
        return Line(number, draft, add_hint(error, fact))


def _split_envelope(value: Any) -> tuple[Any, bool, str | None]:
    if not isinstance(value, dict) or "type" in value or "event" not in value:
        return value, False, None
    try:
        envelope = convert(value, Envelope)
    except ValidationError as error:
        reason, field = split_complaint(str(error))
        if found := re.match("Object contains unknown field `(.*)`", reason, re.DOTALL):
            hint = nearest(found[1], Envelope.__struct_fields__) or "only secret and key can be given beside it"
            raise Malformed(found[1][:80], "no field beside an event", hint) from None
        raise Malformed(field, reword_complaint(reason)) from None
    return envelope.event, envelope.secret, envelope.key


def drafts_of(log: LogView, lines: Sequence[Line], after: int | None = None) -> tuple[Draft, ...]:
    """Return facts as they would be appended; raise Refused with every refused line, WrongVersion if the log does not end `after` that record."""
    done = replay_log(log)
    if any(line.partial for line in lines):
        check_readable(log)
        lines = _complete_amendments(log, done, lines)
    drafts = tuple(line.draft for line in lines)
    wrong = {place: line.wrong for place, line in enumerate(lines) if line.wrong}
    found = [Refusal(place, error.field, error.reason, error.hint) for place, error in wrong.items()]
    found += [one for one in find_refusals(done.state, drafts, done.records) if one.place not in wrong]
    if not found:
        return drafts
    check_readable(log)  # what the lines name may lie behind a fault
    if not wrong and after not in (None, done.records):
        raise WrongVersion(after or 0, done.records)
    details, refused = list[str](), list[RefusedLine]()
    for one in sorted(found, key=lambda one: one.place):
        line = lines[one.place]
        kind = "" if line.wrong else f" {line.draft.event.__struct_config__.tag}"
        details.append(f"line {line.number}{kind}{f', {one.field}' if one.field else ''}: {one.reason}")
        details += [f"    hint: {one.hint}"] if one.hint else []
        refused.append(RefusedLine(line.number, one.field, one.reason))
    count = len({one.place for one in found})
    which = f"{count} of {text.count_noun(len(lines), 'line')}" if len(lines) > 1 else "the line is"
    failure = RefusedFacts("refused", f"{log.path}: {which} refused, nothing was appended", details=details)
    failure.found = tuple(refused)
    raise failure


def hide_concealed(log: LogView, drafts: tuple[Draft, ...]) -> tuple[Draft, ...]:
    """Return drafts with those in secret that concern a combatant who is hidden, as the log shows them to the writer."""
    if not any(draft.secret for draft in drafts) and not any(record.secret for record in records_before_torn_tail(log)):
        return drafts
    return table_of(log, None).hide_drafts(drafts)


def _complete_amendments(log: LogView, done: Replay, lines: Sequence[Line]) -> Sequence[Line]:
    whole, before = list[Line](), list[Draft]()
    for line in lines:
        made = line
        if fact := line.partial:
            try:
                fact = expand_short_forms(complete_amendment(fact, log.records, done, before))
                made = structs.replace(line, draft=structs.replace(line.draft, event=event_of(fact)))
            except Malformed as error:
                made = structs.replace(line, wrong=add_hint(error, fact))
        whole.append(made)
        before.append(made.draft)
    return whole


def expand_short_forms(value: Any, name: str = "fact") -> Any:
    """Return the JSON value of a fact, or of one of its fields, with objects in the place of short forms, in nested facts too."""
    match value:
        case str() if name in MEASURES and (found := re.fullmatch(r"(\d{1,16}) ?([a-z]+)", value)):
            return {"amount": int(found[1]), "unit": UNITS.get(found[2], found[2].removesuffix("s")) or found[2]}
        case str() if name == "action" and value.strip():
            kind, _, called = value.strip().partition(" ")
            return {"kind": kind} | ({"name": called.strip()} if called else {})
        case dict() if name in HOLDING:
            as_it_is = "duration" if name == "entries" else ""  # that of an entry is text
            return {
                field: inner if field == as_it_is else expand_short_forms(inner, field)
                for field, inner in value.items()
            }
        case list() if name in HOLDING:
            return [expand_short_forms(each, name) if isinstance(each, dict) else each for each in value]
    return value


def add_hint(error: Malformed, fact: Any) -> Malformed:
    """Return the error with the best hint for it."""
    kind = KNOWN.get(str(fact.get("type"))) if isinstance(fact, dict) else None
    hint = _best_hint(error, fact, kind) if kind else ""
    return Malformed(error.field, error.reason, hint) if hint else error


def _best_hint(error: Malformed, fact: dict[str, Any], kind: type[Fact]) -> str:
    place, _, name = error.field.rpartition(".")
    if place in ("replacement", "fact") and isinstance(fact.get(place), dict):  # as if it stood alone
        inner = fact[place]
        nested = KNOWN.get(str(inner.get("type")))
        return _best_hint(Malformed(name, error.reason, error.hint), inner, nested) if nested else ""
    if error.reason.startswith("no field of") and not place:
        own = kind.__struct_fields__
        if "action" in own and name in Action.__struct_fields__:
            return f'it stands within the action: {{"action":{{"kind":"attack","{name}":…}}}}'
        meant = (field for written, fields in MEANT if name in written.split() for field in fields.split())
        found = next((field for field in meant if field in own), "")
        return f"did you mean {found}?" if found else ""
    if error.hint or not re.match("expected (an object|a list|a whole number or an object)|is missing", error.reason):
        return ""
    if name in EXAMPLES:
        return EXAMPLES[name]
    line = example_line(kind)
    given = json.decode(line)
    if not place and name in given:
        with suppress(Malformed):
            event_of(fact | {name: given[name]})
            whole = json.encode(fact | {name: given[name]}).decode()
            line = whole if len(whole) <= LONGEST else line
    return f"a line that would do: {line}"


def is_partial(fact: Any) -> bool:
    """Return whether the JSON value of a fact is an amendment that gives only the fields that change."""
    kind = KNOWN.get(str(fact.get("type"))) if isinstance(fact, dict) else None
    replacement = fact.get("replacement") if kind and name_of(kind) == "amended" else None
    return isinstance(replacement, dict) and "type" not in replacement and isinstance(fact.get("event"), int)


def complete_amendment(
    fact: dict[str, Any], records: Sequence[Recorded], done: Replay, before: Sequence[Draft]
) -> dict[str, Any]:
    """Return the complete amendment; `before` are the drafts that precede it in the append. Raise Malformed."""
    named = fact["event"]
    if -named > len(before):
        raise Malformed("event", f"{named} reaches back beyond this append", "above 0 it names a seq")
    seq = named if named > 0 else done.records + len(before) + 1 + named
    place = seq - done.records - 1
    if not (0 < seq <= done.records or 0 <= place < len(before)):
        raise Malformed("event", f"there is no record {seq} before this one")
    event: Fact | None = upcast(before[place].event) if place >= 0 else records[seq - 1].event
    if seq in done.corrections.amended:
        event = done.corrections.amended[seq].event
    elif event is None:
        hint = "its payload is not there; give the whole replacement, with its type"
        raise Malformed("event", f"record {seq} is withheld, or of an unknown type", hint)
    elif isinstance(event, Struck | EncounterOpened):
        raise Malformed("event", f"record {seq} cannot be amended", "a strike can be struck; the first record stays")
    elif isinstance(event, Amended | Inserted):
        event = event.replacement if isinstance(event, Amended) else event.fact
    return fact | {"replacement": _merge_fields(to_builtins(absolute(event, seq)), fact["replacement"])}


def _merge_fields(old: dict[str, Any], new: dict[str, Any]) -> dict[str, Any]:
    deep = {
        name: _merge_fields(old[name], now)
        for name, now in new.items()
        if isinstance(now, dict) and isinstance(old.get(name), dict)
    }
    return old | new | deep


def example_line(kind: type[Fact]) -> str:
    """Return the example line for a type of fact."""
    return inspect.cleandoc(kind.__doc__ or "").rpartition("\n")[2].strip()


def describe_fact_type(kind: type[Fact]) -> str:
    """Return the description of a type of fact, one sentence."""
    return inspect.cleandoc(kind.__doc__ or "").partition("\n")[0]
