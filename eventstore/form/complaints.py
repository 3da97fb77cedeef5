"""Complaints of a decoder in our words: the field, the reason, and a hint."""

import re
from typing import Any

from eventstore.errors import Malformed
from eventstore.events import NEWEST, Fact, name_of
from eventstore.form.wording import nearest, shown, visible

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
