"""Facts in their JSON form: from a value to an event, and the checks of an event that its types do not make."""

import re
from typing import Any, NoReturn

import msgspec

from eventstore.errors import Malformed
from eventstore.events import TAGS, Fact
from eventstore.form.complaints import complaint, split_complaint
from eventstore.form.ids import are_proper, check_ids
from eventstore.form.strict import canonical, is_normal, read_json
from eventstore.form.wording import nearest, shown
from eventstore.record import earlier, fact_of
from eventstore.versions import CARRYING, KNOWN, AnyEvent

_TAG = r"[a-z]+(_[a-z]+)*(\.[1-9][0-9]*)?"


def event_of(value: Any) -> AnyEvent:
    """Turn a JSON value into an event of the version that it says; raise Malformed with field, reason and hint."""
    kind = _kind_of(value)
    try:
        event = fact_of(value, kind)
    except msgspec.ValidationError as error:
        _refuse(value, kind, str(error))
    check_ids(value)
    return event  # type: ignore[return-value]  # kind is one of the union's members


def check(text: bytes, event: Fact | None = None) -> None:
    """Check the canonical JSON of an event for what its types do not check; raise Malformed.

    These are ids, references, the free parts of a sheet, and normal form; writers and readers check the same. It is
    quicker with the event that was decoded from the text.
    """
    if event is None or not (are_proper(event) and (text.isascii() or is_normal(text.decode()))):
        check_closely(text)


def check_closely(text: bytes) -> None:
    """Check the canonical JSON of an event as if it came in by the edge, and that nothing in it needs changing there."""
    value = read_json(text)
    event_of(value)
    import json  # only where a field is wrong

    for name, item in json.loads(text).items():
        if value.get(name) != item:
            raise Malformed(shown(name), "is not text in Unicode normal form C")


def check_unknown(text: bytes) -> None:
    """Check what holds for events of every version: strict JSON, canonical, a proper type first; raise Malformed."""
    value = read_json(text)
    if next(iter(value), "") != "type" or not re.fullmatch(_TAG, str(value["type"])):
        raise Malformed("type", "does not stand first, or is not the name of a type")
    if canonical(value) != text:
        raise Malformed("event", "is not in the canonical form")


def _kind_of(value: Any) -> type[Fact]:
    if not isinstance(value, dict):
        raise Malformed("", "is not a JSON object", 'a fact looks like {"type":"round_started","round":1}')
    tag = value.get("type")
    if tag is None:
        raise Malformed("type", "is missing", "every fact says its type")
    if not isinstance(tag, str) or tag not in KNOWN:
        raise Malformed(
            "type", f"unknown event type {shown(str(tag))}", nearest(str(tag), TAGS) or "encounter schema lists them"
        )
    return KNOWN[tag]


def _refuse(value: dict[str, Any], kind: type[Fact], message: str) -> NoReturn:
    """Raise a decoder's complaint in our words; for a fact within another, as if it were alone."""
    _, field = split_complaint(message)
    for nested in CARRYING.values():
        inside = value.get(nested)
        if isinstance(inside, dict) and (field.startswith(nested) or earlier(inside)):
            try:
                event_of(inside)
            except Malformed as error:
                raise Malformed(f"{nested}.{error.field}", error.reason, error.hint) from None
            if field == f"{nested}.type":
                hint = "a correction is taken back by striking it" if inside["type"] != "encounter_opened" else ""
                raise Malformed(field, f"{inside['type']} cannot stand inside another fact", hint)
    raise complaint(value["type"], kind, message)
