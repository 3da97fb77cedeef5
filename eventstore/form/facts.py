"""Checks of the form of facts, and complaints about them in words."""

import re
from typing import Any, NoReturn

import msgspec

from eventstore.events import NEWEST, TAGS, Fact, name_of
from eventstore.form.ids import are_proper, check_ids
from eventstore.form.strict import canonical, is_normal, read_json
from eventstore.malformed import Malformed
from eventstore.record import CARRYING, KNOWN, AnyEvent, earlier, fact_of
from eventstore.wording import nearest, shown, visible

_WORDING = (
    (r"<= (\d+)", r"up to \1"),
    (r">= (-?\d+)", r"from \1"),
    (r"text of length up to (\d+)", r"text of at most \1 characters"),
    (r"text of length from (\d+)", r"text of at least \1 character"),
    (r"text matching regex '\^\[1-9\].*/.*", 'a whole number, or one in several rounds such as "3/2"'),
    (r"text matching regex '\^-\?.*", 'a whole number, or text with hundredths such as "20.08"'),
)
"""The decoder's words, and ours for them."""
_KINDS = {
    "int": "a whole number",
    "str": "text",
    "bool": "true or false",
    "array": "a list",
    "object": "an object",
    "float": "a fraction",
}


def _kinds(found: re.Match[str]) -> str:
    """Name the kinds of value that stand between a decoder's backquotes; null is never one of ours."""
    return " or ".join(_KINDS.get(kind, kind) for kind in found[1].split(" | ") if kind != "null")


def complaint(tag: str, kind: type[Fact], message: str) -> Malformed:
    """Return a decoder's complaint about a fact of this type, by its tag, in our words."""
    reason, field = split_complaint(message)
    if found := re.match(r"Object contains unknown field `(.*)`", reason, re.DOTALL):
        name = found[1]
        where = shown(f"{field}.{name}" if field else name)
        return Malformed(where, f"no field of {tag}", _field_hint(name, kind, field))
    if found := re.match(r"Object missing required field `(.*)`", reason):
        return Malformed(f"{field}.{found[1]}" if field else found[1], "is missing")
    is_word = reason.startswith("Invalid enum value")
    return Malformed(shown(field), plainly(reason), _hint_of_words(_words_of(kind, field)) if is_word else "")


def plainly(reason: str) -> str:
    """Return a decoder's complaint in our words."""
    if found := re.match(r"Invalid enum value '(.*)'", reason, re.DOTALL):
        return f"does not know the word {shown(found[1])!r}"
    reason = re.sub("`([a-z| ]+)`", _kinds, reason)
    for theirs, ours in _WORDING:
        reason = re.sub(theirs, ours, reason)
    return visible(reason[:1].lower() + reason[1:])[:_LONGEST]


def split_complaint(message: str) -> tuple[str, str]:
    """Return the reason in a decoder's complaint, and the dotted path of the field; names in a map belong to its field."""
    reason, _, place = message.partition(" - at ")
    if place.startswith(_A_NAME):
        place, reason = place.removeprefix(_A_NAME), f"a name in it: {reason[:1].lower()}{reason[1:]}"
    return reason, place.strip("`").removeprefix("$").removeprefix(".").replace("[...]", "")


_LONGEST = 200
_A_NAME = "`key` in "
"""The decoder's words for a name in a map, as opposed to its value."""
_BESIDE = frozenset({"secret", "key"})
"""The fields of the envelope other than the event."""


def _field_hint(name: str, kind: type[Fact], field: str) -> str:
    """Return a hint for an unknown field of a type, or of a shape within it, which a later version may have."""
    if field:
        return nearest(name, _shape_fields())
    if name in _BESIDE:
        return f'it stands beside the event: {{"event":{{…}},"{name}":…}}'
    newest = NEWEST[name_of(kind)]
    if name in newest.__struct_fields__:
        return f"{newest.__struct_config__.tag} has it"
    return nearest(name, kind.__struct_fields__)


def _words_of(kind: type[Fact], field: str) -> list[str]:
    """Return the words that a field of a fact can have."""
    from msgspec import inspect  # only for a misspelt word

    info: Any = inspect.type_info(kind)
    return [word for one in info.fields if one.name == field for word in _words_in(one.type)]


def words_hint(kind: object) -> str:
    """Return the words that a type consists of, as a hint; "" for a type that is no choice of words."""
    from msgspec import inspect  # only for a misspelt word

    words = _words_in(inspect.type_info(kind))
    return _hint_of_words(words) if words else ""


def _words_in(info: Any) -> list[str]:
    """Return the words of a choice of words, or of one among several types."""
    return [word for one in getattr(info, "types", (info,)) for word in getattr(one, "values", ())]


def _hint_of_words(words: list[str]) -> str:
    return f"the words are {', '.join(words)}"


def _shape_fields() -> set[str]:
    from eventstore import shapes

    return {name for shape in shapes.Shape.__subclasses__() for name in shape.__struct_fields__}


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
