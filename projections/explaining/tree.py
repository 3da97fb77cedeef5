"""The tree of reasons behind a value: its own citations, and the derived values that it uses."""

from msgspec import Struct

from projections.because import NOTHING_CITED, Because, Cites, Derived, Terms
from projections.folds.addresses import all_addresses, derive_value, plain_value
from projections.mechanics.pool_history import Changes
from projections.open_types import Json
from projections.state import State

DEEPEST = 12
"""From this depth on, a reason is flattened."""


class Node(Struct, frozen=True):
    """A value with its own citations, and (`of`) the values that it uses; `address` is "" for a value without one.

    `terms` are the named terms of a sum.
    """

    address: str
    value: Json
    rules: tuple[str, ...]
    events: tuple[int, ...]
    options: dict[str, str]
    of: tuple["Node", ...]
    terms: tuple[tuple[str, int], ...] = ()


class Names:
    """The addresses of the values that others use, found by the reasons that they share."""

    def __init__(self, state: State, who: str) -> None:
        """Read the addresses of a combatant or side, of all sides, and those of nobody."""
        self._kept: list[Derived[object]] = []
        self._by_reason: dict[int, tuple[str, object]] = {}
        for address in all_addresses(state):
            head = address.partition(".")[0]
            if head != who and (head in state.combatants or head == "options"):
                continue
            found = derive_value(state, address)
            if found is not None:
                self._kept.append(found)
                self._by_reason.setdefault(_reason_identity(found), (address, found.value))

    def of(self, found: Derived[Json]) -> str:
        """Return the address of a value; "" for a value without one, such as a word for it, or an earlier value."""
        address, value = self._by_reason.get(_reason_identity(found), ("", None))
        return address if found.value == value else ""


def _reason_identity(found: Derived[object]) -> int:
    """Return an identity that two readings of the same value share: that of their reason, or of the pool's changes."""
    of = found.because.of
    if len(of) == 1 and isinstance(of[0], Changes) and not found.because.events:
        return id(of[0].changes)
    return id(found.because)


def reason_tree(found: Derived[object], address: str, names: Names) -> Node:
    """Return the tree of a value; a reason that occurs twice is followed once."""
    return _make_node(found, address, names, set(), 0)


def _make_node(found: Derived[object], address: str, names: Names, seen: set[int], depth: int) -> Node:
    if depth >= DEEPEST:
        flat = found.because.flat()
        return Node(address, plain_value(found.value), flat.rules, flat.events, flat.options, ())
    merged, below = _split_reason(found.because)
    children = []
    for each in below:
        if id(each.because) not in seen:
            seen.add(id(each.because))
            children.append(_make_node(each, names.of(each), names, seen, depth + 1))
    own = merged.own()
    said = next((each.terms for each in found.because.of if isinstance(each, Terms)), ())
    return Node(address, plain_value(found.value), own.rules, own.events, own.options, tuple(children), said)


def _split_reason(because: Because) -> tuple[Because, list[Derived[object]]]:
    """Return a reason's own citations, and the derived values that it uses."""
    own, below = NOTHING_CITED, list[Derived[object]]()
    waiting: list[Cites] = [because]
    seen: dict[int, Because] = {}
    while waiting:
        each = waiting.pop()
        if isinstance(each, Derived) and each.value is not None:
            below.append(each)
        elif id(part := each.cites()) not in seen:
            seen[id(part)] = part
            own += Because(part.rules, part.events, options=part.options)
            waiting += reversed(part.of)
    return own, below


def plain_value_at(state: State | None, address: str) -> Json:
    """Return the value at an address as plain data; None without one."""
    read = derive_value(state, address) if state else None
    return plain_value(read.value) if read else None
