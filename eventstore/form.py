"""The form of a fact: strict JSON in, an event out, or a sentence that names the field.

JSON is stricter here than in the standard: no fractions, no null, no duplicate keys, no lone surrogates, no deep
nesting. Text is put into Unicode normal form C. This is the edge: what has passed it is hashed as it is, for ever.
"""

import json
import re
import unicodedata
from collections.abc import Callable, Iterable, Iterator
from functools import cache, lru_cache
from itertools import groupby
from typing import Any, NoReturn

import msgspec
from msgspec import Struct

from eventstore.errors import Malformed
from eventstore.events import NEWEST, TAGS, Fact, name_of
from eventstore.record import earlier, fact_of
from eventstore.shapes import ID_PATTERN, LARGEST
from eventstore.versions import KNOWN, AnyEvent

LONGEST_LINE = 1 << 20
"""The longest line of a log, in bytes."""
DEEPEST = 32
"""How deep objects and lists may be nested."""

_ID = re.compile(ID_PATTERN)
_OUTSIDE_STRINGS = re.compile(r'"[^"\\]*(?:\\.[^"\\]*)*"?|[][{}]', re.DOTALL)

ID_FIELDS = frozenset({"combatant", "side", "target", "source", "winner", "of", "encounter", "ruleset"})
ID_LIST_FIELDS = frozenset(
    {"targets", "together", "tie_with", "engaged", "sides", "surprised", "treated", "combatants"}
)
REFERENCE_FIELDS = frozenset({"cause", "trigger", "event", "confirms", "parent", "after"})
HOLDING_FIELDS = frozenset({"action", "contenders", "duration", "aim", "forked_from", "replacement", "fact"})
"""The fields whose values have ids, references or sheets in them."""
_TAG = re.compile(r"[a-z]+(_[a-z]+)*(\.[1-9][0-9]*)?")
_SURROGATE = re.compile("[\ud800-\udfff]")


def read_json(text: str | bytes) -> Any:
    """Read one JSON value strictly, text in normal form C; raise Malformed with the reason."""
    if len(text) > LONGEST_LINE:
        raise Malformed("", f"{len(text):,} bytes long, the limit is {LONGEST_LINE:,}")
    decoded = _decoded(text)
    _check_depth(decoded)
    try:
        value = json.loads(
            decoded,
            object_pairs_hook=_object,
            parse_float=_fraction,
            parse_int=_whole,
            parse_constant=_constant,
        )
    except json.JSONDecodeError as error:
        raise Malformed(
            "",
            f"no JSON: {error.msg.lower().removesuffix(' starting at')} at column {error.colno}",
            _hint(decoded, error),
        ) from None
    return _normal_value("", value)


def event_of(value: Any) -> AnyEvent:
    """Turn a JSON value into an event of the version that it says; raise Malformed with field, reason and hint."""
    kind = _kind_of(value)
    try:
        event = fact_of(value, kind)
    except msgspec.ValidationError as error:
        _refuse(value, kind, str(error))
    for field, item in members(value):
        _check_member(field, item)
    return event  # type: ignore[return-value]  # kind is one of the union's members


def check(text: bytes, event: Fact | None = None) -> None:
    """Check the canonical JSON of an event for what its types do not check; raise Malformed.

    That is: ids, references, what is free in a sheet, normal form. It is quicker with the event that was decoded from it.
    """
    if event is None or not (_is_plain(event) and (text.isascii() or is_normal(text.decode()))):
        check_closely(text)


def check_closely(text: bytes) -> None:
    """Check the canonical JSON of an event as if it came in by the edge, and that nothing in it needs changing there."""
    value = read_json(text)
    event_of(value)
    for name, item in json.loads(text).items():
        if value.get(name) != item:
            raise Malformed(visible(name)[:80], "is not text in Unicode normal form C")


def check_unknown(text: bytes) -> None:
    """Check what holds for events of every version: strict JSON, canonical, a proper type first; raise Malformed."""
    value = read_json(text)
    if not isinstance(value, dict) or next(iter(value), "") != "type" or not _TAG.fullmatch(str(value["type"])):
        raise Malformed("type", "does not stand first, or is not the name of a type")
    if canonical(value) != text:
        raise Malformed("event", "is not in the canonical form")


def canonical(value: Any) -> bytes:
    """Write a JSON value as it stands in a log: UTF-8, no spaces, escapes only where JSON demands them."""
    return msgspec.json.encode(value)


def is_normal(text: str) -> bool:
    """Whether text is in normal form C, without halves of surrogate pairs."""
    return text.isascii() or (not _SURROGATE.search(text) and unicodedata.is_normalized("NFC", text))


def composed(text: str) -> str:
    """Return text in normal form C, in a time that grows with its length: unicodedata sorts long runs of marks slowly."""
    if unicodedata.is_normalized("NFC", text):
        return text
    apart = "".join(unicodedata.normalize("NFD", letter) for letter in text)
    runs = (list(run) for _, run in groupby(apart, lambda letter: unicodedata.combining(letter) > 0))
    ordered = "".join("".join(sorted(run, key=unicodedata.combining)) for run in runs)
    return unicodedata.normalize("NFC", ordered)


def members(value: Any, path: str = "") -> Iterator[tuple[str, Any]]:
    """Yield every member of a JSON value with its dotted path; sheets and stated values, which are free, are left out."""
    for name, item in value.items():
        where = f"{path}.{name}" if path else name
        yield where, item
        if name in ("sheet", "values", "options"):
            continue
        if isinstance(item, dict):
            yield from members(item, where)
        elif isinstance(item, list | tuple):
            for place, each in enumerate(item):
                if isinstance(each, dict):
                    yield from members(each, f"{where}[{place}]")


def nearest(word: str, known: Iterable[str]) -> str:
    """Return a hint that names the known words nearest to a misspelt one, or nothing."""
    import difflib  # only for those who mistyped

    close = difflib.get_close_matches(word[:100], sorted(known), n=3, cutoff=0.5)
    return f"did you mean {' or '.join(close)}?" if close else ""


def visible(text: str) -> str:
    """Return text with control, format and surrogate characters made visible as escapes."""
    if text.isascii() and text.isprintable():
        return text
    return "".join(c if unicodedata.category(c) not in _UNSEEN else _escape(c) for c in text)


_UNSEEN = frozenset({"Cc", "Cf", "Cs", "Co", "Cn", "Zl", "Zp"})


def _escape(character: str) -> str:
    return character.encode("unicode_escape", "surrogatepass").decode("ascii")


def _hint(text: str, error: json.JSONDecodeError) -> str:
    """Return what to do about text that is no JSON; most often the quotes are of another kind, or a shell took them."""
    if error.msg == "Extra data":
        return "one JSON object a line"
    if error.msg.startswith("Expecting property name") or text[error.pos : error.pos + 1] in _OTHER_QUOTES:
        return 'words stand in straight double quotes, {"type":"round_ended"}, and in a shell the whole in single ones'
    return ""


_OTHER_QUOTES = frozenset("'‘’“”„«»`")


def _decoded(text: str | bytes) -> str:
    if isinstance(text, bytes):
        if text.startswith(b"\xef\xbb\xbf"):
            raise Malformed("", "begins with a byte order mark", "save it as UTF-8 without BOM")
        try:
            text = text.decode()
        except UnicodeDecodeError as error:
            raise Malformed("", f"no UTF-8 at byte {error.start + 1}") from None
    if text.startswith("\ufeff"):
        raise Malformed("", "begins with a byte order mark", "save it as UTF-8 without BOM")
    return text


def _check_depth(text: str) -> None:
    depth = 0
    for match in _OUTSIDE_STRINGS.finditer(text):
        if match[0] in "[{":
            depth += 1
            if depth > DEEPEST:
                raise Malformed("", f"nested deeper than {DEEPEST} levels, at column {match.start() + 1}")
        elif match[0] in "]}":
            depth -= 1


class _Refused:
    """Stands for a value that is refused as soon as the member that holds it is known."""

    def __init__(self, reason: str, hint: str = "") -> None:
        self.reason, self.hint = reason, hint


def _object(pairs: list[tuple[str, Any]]) -> dict[str, Any]:
    made: dict[str, Any] = {}
    for written, item in pairs:
        name = _normal("", written)
        if name in made:
            raise Malformed(visible(name)[:80], "stands twice in one object")
        made[name] = _normal_value(visible(name)[:80], item)
    return made


def _normal_value(name: str, item: Any) -> Any:
    if isinstance(item, str):
        return _normal(name, item)
    if isinstance(item, list):
        return [_normal_value(name, each) for each in item]
    if item is None:
        raise Malformed(name, "is null", "leave out what is not said")
    if isinstance(item, _Refused):
        raise Malformed(name, item.reason, item.hint if name == "total" else "")
    return item


def _normal(name: str, text: str) -> str:
    if _SURROGATE.search(text):
        raise Malformed(name, "has half of a surrogate pair")
    return composed(text)


def _fraction(digits: str) -> _Refused:
    return _Refused(f"{digits[:40]} is a fraction; only whole numbers are kept", 'write hundredths as text: "20.08"')


def _whole(digits: str) -> int | _Refused:
    number = int(digits) if len(digits) <= 17 else LARGEST + 1
    return number if -LARGEST <= number <= LARGEST else _Refused(f"{digits[:40]} is beyond ±{LARGEST:,}")


def _constant(word: str) -> _Refused:
    return _Refused(f"{word} is no number")


def _kind_of(value: Any) -> type[Fact]:
    if not isinstance(value, dict):
        raise Malformed("", "is no JSON object", 'a fact looks like {"type":"round_started","round":1}')
    tag = value.get("type")
    if tag is None:
        raise Malformed("type", "is missing", "every fact says its type")
    if not isinstance(tag, str) or tag not in KNOWN:
        words = visible(str(tag))[:80]
        raise Malformed("type", f"unknown event type {words}", nearest(str(tag), TAGS) or "encounter schema lists them")
    return KNOWN[tag]


_WORDING = (
    (r"<= (\d+)", r"up to \1"),
    (r">= (-?\d+)", r"from \1"),
    (r"text of length up to (\d+)", r"text of at most \1 characters"),
    (r"text of length from (\d+)", r"text of at least \1 character"),
    (r"text matching regex '\^-\?.*", 'a whole number, or text with hundredths such as "20.08"'),
)
"""A decoder's words, and ours for them."""
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


def _refuse(value: dict[str, Any], kind: type[Fact], message: str) -> NoReturn:
    """Say a decoder's complaint in our words."""
    reason, _, place = message.partition(" - at ")
    field = place.strip("`").removeprefix("$").removeprefix(".").replace("[...]", "")
    for nested in ("replacement", "fact"):
        inside = value.get(nested)
        if isinstance(inside, dict) and (field.startswith(nested) or earlier(inside)):
            try:
                event_of(inside)
            except Malformed as error:
                raise Malformed(f"{nested}.{error.field}", error.reason, error.hint) from None
            if field == f"{nested}.type":
                hint = "a correction is taken back by striking it" if inside["type"] != "encounter_opened" else ""
                raise Malformed(field, f"{inside['type']} cannot stand inside another fact", hint)
    if found := re.match(r"Object contains unknown field `(.*)`", reason, re.DOTALL):
        name = found[1]
        where = visible(f"{field}.{name}" if field else name)[:80]
        raise Malformed(where, f"no field of {value['type']}", _field_hint(name, kind, field))
    if found := re.match(r"Object missing required field `(.*)`", reason):
        raise Malformed(f"{field}.{found[1]}" if field else found[1], "is missing")
    if reason.startswith("Invalid enum value"):
        word = reason.removeprefix("Invalid enum value").strip().strip("'")
        hint = f"the words are {', '.join(_words_of(kind, field))}"
        raise Malformed(visible(field)[:80], f"does not know the word {visible(word)[:80]!r}", hint)
    reason = re.sub("`([a-z| ]+)`", _kinds, reason)
    for theirs, ours in _WORDING:
        reason = re.sub(theirs, ours, reason)
    raise Malformed(visible(field)[:80], visible(reason[:1].lower() + reason[1:])[:200])


_BESIDE = frozenset({"secret", "key"})
"""What is said of an event beside it."""


def _field_hint(name: str, kind: type[Fact], field: str) -> str:
    """Return what to do about a field that a type has not, or a shape within it: a later version may have it."""
    newest = NEWEST[name_of(kind)]
    if not field and name in _BESIDE:
        return f'it stands beside the event: {{"event":{{…}},"{name}":…}}'
    if not field and newest is not kind and name in newest.__struct_fields__:
        return f"{newest.__struct_config__.tag} has it"
    return nearest(name, _shape_fields() if field else kind.__struct_fields__)


def _words_of(kind: type[Fact], field: str) -> list[str]:
    """Return the words that a field of a fact can have, by its dotted path."""
    from msgspec import inspect  # only for those who mistyped

    found: list[Any] = [inspect.type_info(kind)]
    for name in field.split("."):
        found = [one.type for each in _members_of(found) for one in getattr(each, "fields", ()) if one.name == name]
    return [str(word) for each in _members_of(found) for word in getattr(each, "values", ())]


def _members_of(types: Iterable[Any]) -> Iterator[Any]:
    """Yield what types come to: those in a union one by one, of a list those of its items."""
    for one in types:
        within = getattr(one, "types", None) or getattr(one, "item_types", None)
        if within is None and hasattr(one, "item_type"):
            within = (one.item_type,)
        if within is None:
            yield one
        else:
            yield from _members_of(within)


def _shape_fields() -> set[str]:
    from eventstore import shapes

    return {name for shape in shapes.Shape.__subclasses__() for name in shape.__struct_fields__}


def _check_member(path: str, item: Any) -> None:
    name = path.rpartition(".")[2]
    if name in ID_FIELDS:
        _check_id(path, item)
    elif name in ID_LIST_FIELDS:
        for each in item:
            _check_id(path, each)
    elif name in REFERENCE_FIELDS and item == 0 and not isinstance(item, bool):
        raise Malformed(path, "0 names no record", "above 0 a seq, below 0 so many lines back")


def _is_plain(fact: Struct) -> bool:
    """Whether all ids and references in a fact, or in a shape within it, are proper, and nothing in it is free."""
    for name, is_proper in _looked_at(type(fact)):  # noqa: SIM110  # at every append; all() takes half as long again
        if not is_proper(getattr(fact, name)):
            return False
    return True


@cache
def _looked_at(kind: type[Struct]) -> tuple[tuple[str, Callable[[Any], bool]], ...]:
    """Return the fields that matter here, each with what tells whether its value is proper."""
    return tuple((name, _PROPER[name]) for name in kind.__struct_fields__ if name in _PROPER)


@lru_cache(maxsize=1024)
def _is_id(item: str | None) -> bool:
    return item is None or _ID.fullmatch(item) is not None


@lru_cache(maxsize=1024)
def _are_ids(items: tuple[str, ...] | None) -> bool:
    return items is None or all(map(_is_id, items))


def _are_plain(held: Struct | tuple[Struct, ...] | None) -> bool:
    if held is None:
        return True
    return all(map(_is_plain, held)) if isinstance(held, tuple) else _is_plain(held)


_PROPER: dict[str, Callable[[Any], bool]] = {
    **dict.fromkeys(ID_FIELDS, _is_id),
    **dict.fromkeys(ID_LIST_FIELDS, _are_ids),
    **dict.fromkeys(REFERENCE_FIELDS, lambda item: item != 0),
    **dict.fromkeys(HOLDING_FIELDS, _are_plain),
    "sheet": lambda _: False,
}


def _check_id(path: str, item: Any) -> None:
    if not _ID.match(item) or item.endswith("\n"):
        hint = "ids are lower-case words of a-z and 0-9 joined by -, such as orc-1; the display name is free"
        raise Malformed(path, f"{visible(item)[:60]!r} is no id", hint)
