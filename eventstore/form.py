"""The form of a fact: strict JSON in, an event out, or a sentence that names the field.

JSON is stricter here than in the standard: no fractions, no null, no duplicate keys, no lone surrogates, no deep
nesting. Text is put into Unicode normal form C. This is the edge: what has passed it is hashed as it is, for ever.
"""

import json
import re
import unicodedata
from collections.abc import Callable, Iterator
from functools import cache, lru_cache
from itertools import groupby
from typing import Any, NoReturn

import msgspec
from msgspec import Struct

from eventstore.events import NEWEST, TAGS, Fact, name_of
from eventstore.malformed import Malformed
from eventstore.record import CARRYING, KNOWN, AnyEvent, earlier_version, parse_fact
from eventstore.shapes import LARGEST, Shape
from eventstore.wording import nearest, shown, visible

# ---------------------------------------------------------------- strict JSON

LONGEST_LINE = 1 << 20
"""The longest line of a log, in bytes."""
DEEPEST = 32
"""The greatest depth of nested objects and lists."""

_OUTSIDE_STRINGS = r'(?s)"[^"\\]*(?:\\.[^"\\]*)*"?|[][{}]'
_MOST_DIGITS = len(str(-LARGEST))
_SURROGATE = "[\ud800-\udfff]"


def read_json(text: str | bytes) -> Any:
    """Read one JSON value strictly, text in normal form C; raise Malformed with the reason."""
    if len(text) > LONGEST_LINE:
        raise Malformed("", f"{len(text):,} bytes long, the limit is {LONGEST_LINE:,}")
    decoded = _decode_text(text)
    _check_depth(decoded)
    try:
        value = json.loads(
            decoded,
            object_pairs_hook=_object_without_duplicates,
            parse_float=_refuse_fraction,
            parse_int=_parse_whole,
            parse_constant=lambda word: _Refused(f"{word} is not a number"),
        )
    except json.JSONDecodeError as error:
        raise Malformed(
            "",
            f"not JSON: {error.msg.lower().removesuffix(' starting at')} at column {error.colno}",
            _json_hint(decoded, error),
        ) from None
    return _normal_value("", value)


def canonical_json(value: Any) -> bytes:
    """Return a JSON value as it is in a log: UTF-8, no spaces, escapes only where JSON demands them."""
    return msgspec.json.encode(value)


def is_normal(text: str) -> bool:
    """Return whether text is in normal form C, without halves of surrogate pairs."""
    if text.isascii():
        return True
    return unicodedata.is_normalized("NFC", text) and not re.search(_SURROGATE, text)


def normalize_nfc(text: str) -> str:
    """Return text in normal form C, in a time that grows with its length: unicodedata sorts long runs of marks slowly."""
    if text.isascii() or unicodedata.is_normalized("NFC", text):
        return text
    apart = "".join(unicodedata.normalize("NFD", letter) for letter in text)
    runs = (list(run) for _, run in groupby(apart, lambda letter: bool(unicodedata.combining(letter))))
    ordered = "".join("".join(sorted(run, key=unicodedata.combining)) for run in runs)
    return unicodedata.normalize("NFC", ordered)


def _json_hint(text: str, error: json.JSONDecodeError) -> str:
    """Return a hint for text that is not JSON; most often the quotes are of another kind, or a shell removed them."""
    if error.msg == "Extra data":
        return "one JSON object a line"
    if error.msg.startswith("Expecting property name") or text[error.pos : error.pos + 1] in _OTHER_QUOTES:
        return 'words stand in straight double quotes, {"type":"round_ended"}, and in a shell the whole in single ones'
    return ""


_OTHER_QUOTES = frozenset("'‘’“”„«»`")


def _decode_text(text: str | bytes) -> str:
    if isinstance(text, bytes):
        try:
            text = text.decode()
        except UnicodeDecodeError as error:
            raise Malformed("", f"not UTF-8 at byte {error.start + 1}") from None
    if text.startswith("\ufeff"):
        raise Malformed("", "begins with a byte order mark", "save it as UTF-8 without BOM")
    return text


def _check_depth(text: str) -> None:
    depth = 0
    for match in re.finditer(_OUTSIDE_STRINGS, text):
        if match[0] in "[{":
            depth += 1
            if depth > DEEPEST:
                raise Malformed("", f"nested deeper than {DEEPEST} levels, at column {match.start() + 1}")
        elif match[0] in "]}":
            depth -= 1


class _Refused:
    """A value to be refused as soon as the name of its member is known."""

    def __init__(self, reason: str, hint: str = "") -> None:
        self.reason, self.hint = reason, hint


def _object_without_duplicates(pairs: list[tuple[str, Any]]) -> dict[str, Any]:
    made: dict[str, Any] = {}
    for written, item in pairs:
        name = _normalize_field("", written)
        if name in made:
            raise Malformed(shown(name), "stands twice in one object")
        made[name] = _normal_value(shown(name), item)
    return made


def _normal_value(name: str, item: Any) -> Any:
    if isinstance(item, str):
        return _normalize_field(name, item)
    if isinstance(item, list):
        return [_normal_value(name, each) for each in item]
    if item is None:
        raise Malformed(name, "is null", "leave out what is not said")
    if isinstance(item, _Refused):
        raise Malformed(name, item.reason, item.hint if name == "total" else "")
    return item


def _normalize_field(name: str, text: str) -> str:
    if not text.isascii() and re.search(_SURROGATE, text):
        raise Malformed(name, "has bytes that are not UTF-8, or half of a surrogate pair")
    return normalize_nfc(text)


def _refuse_fraction(digits: str) -> _Refused:
    return _Refused(f"{digits[:40]} is a fraction; only whole numbers are kept", 'write hundredths as text: "20.08"')


def _parse_whole(digits: str) -> int | _Refused:
    if len(digits) <= _MOST_DIGITS and -LARGEST <= (number := int(digits)) <= LARGEST:
        return number
    return _Refused(f"{digits[:40]} is beyond ±{LARGEST:,}")


# ---------------------------------------------------------------- ids and references, checked here and nowhere else, for writers and readers alike

ID_FIELDS = frozenset({"combatant", "side", "target", "source", "winner", "of", "encounter", "ruleset"})
ID_LIST_FIELDS = frozenset(
    {"targets", "together", "tie_with", "engaged", "sides", "surprised", "treated", "combatants"}
)
REFERENCE_FIELDS = frozenset({"cause", "trigger", "event", "confirms", "parent", "after"})
HOLDING_FIELDS = frozenset({"action", "contenders", "duration", "aim", "forked_from", "replacement", "fact"})
"""The fields whose values have ids, references or sheets in them."""
FREE_FIELDS = frozenset({"sheet", "values", "options"})
"""The fields whose values have members of any name."""


def is_id(text: str) -> bool:
    """Return whether text has the form of an id; its type limits its length."""
    return text.isascii() and text == text.lower() and all(map(str.isalnum, text.split("-")))


def check_ids(value: dict[str, Any]) -> None:
    """Check ids and references in the JSON value of an event; raise Malformed with the path of the field."""
    for path, item in walk_members(value):
        name = path.rpartition(".")[2]
        if name in ID_FIELDS:
            _check_id(path, item)
        elif name in ID_LIST_FIELDS:
            for each in item:
                _check_id(path, each)
        elif name in REFERENCE_FIELDS and item == 0:
            raise Malformed(path, "0 names no record", "above 0 a seq, below 0 so many lines back")


def walk_members(value: Any, path: str = "") -> Iterator[tuple[str, Any]]:
    """Yield every member of a JSON value with its dotted path; sheets and stated values, which are free, are left out."""
    for name, item in value.items():
        where = f"{path}.{name}" if path else name
        yield where, item
        if name in FREE_FIELDS:
            continue
        if isinstance(item, dict):
            yield from walk_members(item, where)
        elif isinstance(item, list | tuple):
            for place, each in enumerate(item):
                if isinstance(each, dict):
                    yield from walk_members(each, f"{where}[{place}]")


def _check_id(path: str, item: Any) -> None:
    if not is_id(item):
        hint = "ids are lower-case words of a-z and 0-9 joined by -, such as orc-1; the display name is free"
        raise Malformed(path, f"{visible(item)[:60]!r} is not an id", hint)


# ---------------------------------------------------------------- the same, of an event that is decoded, and quickly


def are_proper(fact: Struct) -> bool:
    """Return whether all ids and references in a fact, or in a shape within it, are valid, and a sheet is plain."""
    return all(check(getattr(fact, name)) for name, check in _checks_of(type(fact)))


@cache
def _checks_of(kind: type[Struct]) -> tuple[tuple[str, Callable[[Any], bool]], ...]:
    return tuple((name, _CHECKS[name]) for name in kind.__struct_fields__ if name in _CHECKS)


@lru_cache(maxsize=4096)  # a stranger's log must not fill the memory
def _are_ids(found: str | tuple[str, ...] | None) -> bool:
    return all(map(is_id, (found,) if isinstance(found, str) else found or ()))


def _are_proper_within(found: Any) -> bool:
    return found is None or all(map(are_proper, found if type(found) is tuple else (found,)))


_PLAIN = 8
"""How deep a plain sheet is nested: far from the limit, so that the place of the sheet does not matter."""


def _is_plain(value: object, depth: int = 0) -> bool:
    """Return whether a value of a decoded sheet is certainly strict JSON; what is unusual is for the close check."""
    if type(value) is str or type(value) is bool:
        return True
    if type(value) is int:
        return -LARGEST <= value <= LARGEST
    within = value.values() if type(value) is dict else value if type(value) is list else None
    return within is not None and depth < _PLAIN and all(_is_plain(each, depth + 1) for each in within)


_CHECKS: dict[str, Callable[[Any], bool]] = {
    **dict.fromkeys(ID_FIELDS | ID_LIST_FIELDS, _are_ids),
    **dict.fromkeys(REFERENCE_FIELDS, lambda found: found != 0),
    **dict.fromkeys(HOLDING_FIELDS, _are_proper_within),
    "sheet": _is_plain,
}
"""The checks of the fields that have one."""

# ---------------------------------------------------------------- facts, and complaints about them in words

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


def _name_kinds(found: re.Match[str]) -> str:
    """Name the kinds of value that stand between a decoder's backquotes; null is never one of ours."""
    return " or ".join(_KINDS.get(kind, kind) for kind in found[1].split(" | ") if kind != "null")


def decoder_complaint(tag: str, kind: type[Fact], message: str) -> Malformed:
    """Return a decoder's complaint about a fact of this type, by its tag, in our words."""
    reason, field = split_complaint(message)
    if found := re.match(r"Object contains unknown field `(.*)`", reason, re.DOTALL):
        name = found[1]
        where = shown(f"{field}.{name}" if field else name)
        return Malformed(where, f"no field of {tag}", _field_hint(name, kind, field))
    if found := re.match(r"Object missing required field `(.*)`", reason):
        return Malformed(f"{field}.{found[1]}" if field else found[1], "is missing")
    is_word = reason.startswith("Invalid enum value")
    return Malformed(shown(field), reword_complaint(reason), _hint_of_words(_words_of(kind, field)) if is_word else "")


def reword_complaint(reason: str) -> str:
    """Return a decoder's complaint in our words."""
    if found := re.match(r"Invalid enum value '(.*)'", reason, re.DOTALL):
        return f"does not know the word {shown(found[1])!r}"
    reason = re.sub("`([a-z| ]+)`", _name_kinds, reason)
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
        return nearest(name, {each for shape in Shape.__subclasses__() for each in shape.__struct_fields__})
    if name in _BESIDE:
        return f'it stands beside the event: {{"event":{{…}},"{name}":…}}'
    newest = NEWEST[name_of(kind)]
    if name in newest.__struct_fields__:
        return f"{newest.__struct_config__.tag} has it"
    return nearest(name, kind.__struct_fields__)


def _words_of(kind: type[Fact], field: str) -> list[str]:
    from msgspec import inspect  # only for a misspelt word

    info: Any = inspect.type_info(kind)
    return [word for one in info.fields if one.name == field for word in _words_of_type(one.type)]


def words_hint(kind: object) -> str:
    """Return the words that a type consists of, as a hint; "" for a type that is no choice of words."""
    from msgspec import inspect  # only for a misspelt word

    return _hint_of_words(_words_of_type(inspect.type_info(kind)))


def _words_of_type(info: Any) -> list[str]:
    return [word for one in getattr(info, "types", (info,)) for word in getattr(one, "values", ())]


def _hint_of_words(words: list[str]) -> str:
    return f"the words are {', '.join(words)}" if words else ""


_TAG = r"[a-z]+(_[a-z]+)*(\.[1-9][0-9]*)?"


def event_of(value: Any) -> AnyEvent:
    """Turn a JSON value into an event of the version that it says; raise Malformed with field, reason and hint."""
    kind = _type_of_fact(value)
    try:
        event = parse_fact(value, kind)
    except msgspec.ValidationError as error:
        _raise_complaint(value, kind, str(error))
    check_ids(value)
    return event  # type: ignore[return-value]  # kind is one of the union's members


def check_canonical(text: bytes, event: Fact | None = None) -> None:
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
    for name, item in json.loads(text).items():
        if value.get(name) != item:
            raise Malformed(shown(name), "is not text in Unicode normal form C")


def check_unknown(text: bytes) -> None:
    """Check what holds for events of every version: strict JSON, canonical, a proper type first; raise Malformed."""
    value = read_json(text)
    if next(iter(value), "") != "type" or not re.fullmatch(_TAG, str(value["type"])):
        raise Malformed("type", "does not stand first, or is not the name of a type")
    if canonical_json(value) != text:
        raise Malformed("event", "is not in the canonical form")


def _type_of_fact(value: Any) -> type[Fact]:
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


def _raise_complaint(value: dict[str, Any], kind: type[Fact], message: str) -> NoReturn:
    """Raise a decoder's complaint in our words; for a fact within another, as if it were alone."""
    _, field = split_complaint(message)
    for nested in CARRYING.values():
        inside = value.get(nested)
        if isinstance(inside, dict) and (field.startswith(nested) or earlier_version(inside)):
            try:
                event_of(inside)
            except Malformed as error:
                raise Malformed(f"{nested}.{error.field}", error.reason, error.hint) from None
            if field == f"{nested}.type":
                hint = "a correction is taken back by striking it" if inside["type"] != "encounter_opened" else ""
                raise Malformed(field, f"{inside['type']} cannot stand inside another fact", hint)
    raise decoder_complaint(value["type"], kind, message)
