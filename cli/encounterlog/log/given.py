"""Facts as they come in: short forms, partial amendments, and hints for what is malformed.

The replacement of a partial amendment is completed from the fact that it amends, like a JSON merge patch (RFC 7386): objects
are merged, everything else is replaced. A replacement that gives its type is complete and left as it is.
"""

import inspect
import re
from collections.abc import Callable, Sequence
from contextlib import suppress
from typing import Any

import msgspec

from eventstore.errors import Malformed
from eventstore.events import Amended, EncounterOpened, Fact, Inserted, Struck, name_of
from eventstore.form import event_of
from eventstore.record import KNOWN, Draft, Recorded, upcast
from eventstore.shapes import Action
from projections.replay.replay import Replay
from projections.stream.corrections import absolute

_UNITS = {"feet": "ft", "foot": "ft", "metre": "m", "metres": "m", "meter": "m", "meters": "m"}


def expand_short_forms(value: Any, name: str = "fact") -> Any:
    """Return the JSON value of a fact, or of one of its fields, with objects in the place of short forms, in nested facts too."""
    match value:
        case str() if name in SHORT:
            return SHORT[name](value)
        case dict() if name in HOLDING:
            as_it_is = "duration" if name == "entries" else ""  # that of an entry is text
            return {
                field: inner if field == as_it_is else expand_short_forms(inner, field)
                for field, inner in value.items()
            }
        case list() if name in HOLDING:
            return [expand_short_forms(each, name) if isinstance(each, dict) else each for each in value]
    return value


def _parse_measure(text: str) -> Any:
    found = re.fullmatch(r"(\d{1,16}) ?([a-z]+)", text)
    if found is None:
        return text
    unit = _UNITS.get(found[2], found[2].removesuffix("s"))
    return {"amount": int(found[1]), "unit": unit or found[2]}


def _parse_action(text: str) -> Any:
    kind, _, called = text.strip().partition(" ")
    return {"kind": kind} | ({"name": called.strip()} if called else {}) if kind else text


SHORT: dict[str, Callable[[str], Any]] = {
    **dict.fromkeys(("time", "delay", "duration", "distance"), _parse_measure),
    "action": _parse_action,
}
"""The fields that have a short form; none of them is text in any type of fact, outside of entries."""
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
        return _intended_field_hint(name, kind)
    if error.hint or not re.match("expected (an object|a list|a whole number or an object)|is missing", error.reason):
        return ""
    if name in EXAMPLES:
        return EXAMPLES[name]
    line = example_line(kind)
    given = msgspec.json.decode(line)
    if not place and name in given:
        own = fact | {name: given[name]}
        with suppress(Malformed):
            event_of(own)
            text = msgspec.json.encode(own).decode()
            line = text if len(text) <= LONGEST else line
    return f"a line that would do: {line}"


def _intended_field_hint(name: str, kind: type[Fact]) -> str:
    own = kind.__struct_fields__
    if "action" in own and name in Action.__struct_fields__:
        return f'it stands within the action: {{"action":{{"kind":"attack","{name}":…}}}}'
    for written, fields in MEANT:
        if name in written.split() and (found := next((field for field in fields.split() if field in own), "")):
            return f"did you mean {found}?"
    return ""


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
    return fact | {"replacement": _merge_fields(msgspec.to_builtins(absolute(event, seq)), fact["replacement"])}


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
