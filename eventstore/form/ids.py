"""Ids and references in facts: checked here and nowhere else, for writers and readers alike."""

from collections.abc import Callable, Iterator
from operator import attrgetter
from typing import Any

from msgspec import Struct

from eventstore.malformed import Malformed
from eventstore.shapes import LARGEST
from eventstore.wording import visible

ID_FIELDS = frozenset({"combatant", "side", "target", "source", "winner", "of", "encounter", "ruleset"})
ID_LIST_FIELDS = frozenset(
    {"targets", "together", "tie_with", "engaged", "sides", "surprised", "treated", "combatants"}
)
REFERENCE_FIELDS = frozenset({"cause", "trigger", "event", "confirms", "parent", "after"})
HOLDING_FIELDS = frozenset({"action", "contenders", "duration", "aim", "forked_from", "replacement", "fact"})
"""The fields whose values have ids, references or sheets in them."""
FREE_FIELDS = frozenset({"sheet", "values", "options"})
"""The fields whose values have members of any name."""

_MOST_KNOWN = 4096


def is_id(text: str) -> bool:
    """Return whether text has the form of an id; its type limits its length."""
    return text.isascii() and text == text.lower() and all(map(str.isalnum, text.split("-")))


def check_ids(value: dict[str, Any]) -> None:
    """Check ids and references in the JSON value of an event; raise Malformed with the path of the field."""
    for path, item in members(value):
        name = path.rpartition(".")[2]
        if name in ID_FIELDS:
            _check_id(path, item)
        elif name in ID_LIST_FIELDS:
            for each in item:
                _check_id(path, each)
        elif name in REFERENCE_FIELDS and item == 0:
            raise Malformed(path, "0 names no record", "above 0 a seq, below 0 so many lines back")


def members(value: Any, path: str = "") -> Iterator[tuple[str, Any]]:
    """Yield every member of a JSON value with its dotted path; sheets and stated values, which are free, are left out."""
    for name, item in value.items():
        where = f"{path}.{name}" if path else name
        yield where, item
        if name in FREE_FIELDS:
            continue
        if isinstance(item, dict):
            yield from members(item, where)
        elif isinstance(item, list | tuple):
            for place, each in enumerate(item):
                if isinstance(each, dict):
                    yield from members(each, f"{where}[{place}]")


def _check_id(path: str, item: Any) -> None:
    if not is_id(item):
        hint = "ids are lower-case words of a-z and 0-9 joined by -, such as orc-1; the display name is free"
        raise Malformed(path, f"{visible(item)[:60]!r} is not an id", hint)


# ---------------------------------------------------------------- the same, of an event that is decoded, and quickly


def are_proper(fact: Struct) -> bool:
    """Return whether all ids and references in a fact, or in a shape within it, are valid, and a sheet is plain."""
    look = _LOOKS[type(fact)]
    if look.has_sheet and not _is_plain(fact.sheet):  # type: ignore[attr-defined]
        return False
    if look.ids is not None:
        found = look.ids(fact)
        if not (_KNOWN.issuperset(found) or all(map(_is_proper, found))):
            return False
    if look.references is not None and 0 in look.references(fact):
        return False
    for name in look.held:
        within = getattr(fact, name)
        if within is not None and not (all(map(are_proper, within)) if type(within) is tuple else are_proper(within)):
            return False
    return True


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


_Getter = Callable[[Any], tuple[Any, ...]]


class _Look(Struct, frozen=True, gc=False):
    """The fields of a type with ids and references; the functions return the values of several fields."""

    ids: _Getter | None
    references: _Getter | None
    held: tuple[str, ...]
    has_sheet: bool


class _Looks(dict[type[Struct], _Look]):
    """The fields to check in facts and shapes, by type, found at the first use of a type."""

    def __missing__(self, kind: type[Struct]) -> _Look:
        names = kind.__struct_fields__
        look = self[kind] = _Look(
            _getter(name for name in names if name in ID_FIELDS | ID_LIST_FIELDS),
            _getter(name for name in names if name in REFERENCE_FIELDS),
            tuple(name for name in names if name in HOLDING_FIELDS),
            "sheet" in names,
        )
        return look


_LOOKS = _Looks()


def _getter(names: Iterator[str]) -> _Getter | None:
    found = tuple(names)
    return attrgetter(*found, found[0]) if found else None  # of one name alone it would return no tuple


_KNOWN: set[str | tuple[str, ...] | None] = {None, ()}
"""Ids, and lists of ids, that are known to be valid."""


def _is_proper(item: str | tuple[str, ...] | None) -> bool:
    if not (is_id(item) if isinstance(item, str) else all(map(is_id, item or ()))):
        return False
    if len(_KNOWN) >= _MOST_KNOWN:  # a stranger's log must not fill the memory
        _KNOWN.intersection_update({None, ()})
    _KNOWN.add(item)
    return True
