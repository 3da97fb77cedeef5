"""Derived values by their addresses: the value, its reason, and whether a statement agrees with it."""

from __future__ import annotations

from collections.abc import Iterator
from functools import cache, lru_cache

import msgspec

from eventstore.wording import nearest
from projections.address import NOTHING, PARTS, Address
from projections.because import Because, Derived, Explained
from projections.folds import budget, clock, concentration, effects, order, roster, vitals
from projections.folds.effects import stated_list
from projections.folds.order import names_in_order
from projections.open_types import Json
from projections.state import State


def _option_value(state: State, name: str) -> Derived[str] | None:
    value = state.option(name)
    return Derived(value, Because(("log.option",), (1,), options={name: value})) if value else None


KEPT = 4096
"""How many addresses are kept split up."""
COMMON = (
    *order.ADDRESSES,
    *clock.ADDRESSES,
    *roster.ADDRESSES,
    *vitals.ADDRESSES,
    *effects.ADDRESSES,
    *concentration.ADDRESSES,
    *budget.ADDRESSES,
    Address(
        "options.<name>",
        _option_value,
        says="the value of an option",
        fixed="options are fixed when the log is opened",
        places=lambda s: ((option.name,) for option in s.rules.catalogue().option),
    ),
)
"""The addresses that every log has; a ruleset's own take precedence."""


class Book:
    """The addresses of a ruleset (first) and of every log, indexed by form: without open parts, combatants', other.

    Of the others, `seconds` has, by second word, those that an address with that word can name; at "" those for any
    other word. `notable` are the fields that a short view of a combatant mentions, `listed` the addresses of which it
    can have several, `tallies` the fields that follow a status, by the status.
    """

    def __init__(self, own: tuple[Address, ...]) -> None:
        self.whole: dict[str, list[Address]] = {}
        self.fields: dict[str, list[Address]] = {}
        others: list[Address] = []
        for each in (*own, *COMMON):
            head, _, field = each.pattern.partition(".")
            if "<" not in each.pattern:
                self.whole.setdefault(each.pattern, []).append(each)
            elif head == "<who>" and "<" not in field:
                self.fields.setdefault(field, []).append(each)
            else:
                others.append(each)
        words = {each: _second_word(each.pattern) for each in others}
        self.seconds = {word: [each for each in others if words[each] in ("", word)] for word in {"", *words.values()}}

        self.notable = [field for field, (each, *_) in self.fields.items() if each.notable]
        self.listed = [each for each in others if each.notable and each.places]
        self.tallies = {each.tally: field for field, (each, *_) in self.fields.items() if each.tally}
        self.candidates = lru_cache(KEPT)(self._candidates)

    def matching(self, state: State, address: str) -> Iterator[tuple[Address, tuple[str, ...]]]:
        """Yield the address objects that an address names, each with its open parts."""
        return (pair for pair in self.candidates(address) if pair[0].has_joined(state, pair[1]))

    def notable_of(self, state: State, who: str) -> Iterator[str]:
        """Yield the fields that a short view of a combatant mentions."""
        yield from self.notable
        yield from self.listed_of(state, who)

    def listed_of(self, state: State, who: str) -> Iterator[str]:
        """Yield those of which a combatant can have several, such as the modifiers of its next acts that count."""
        for address in (address for each in self.listed for address in each.existing(state)):
            owner, _, field = address.partition(".")
            if owner == who:
                yield field

    def label(self, field: str) -> str:
        """Return the words for a field of a combatant in a short view: the label of its address, else the field itself; "" for none."""
        address = next((each for each, _ in self.candidates(f"x.{field}")), None)
        return (address.label.strip("-") if address and address.label else field).replace(".", " ")

    def is_notable(self, field: str) -> bool:
        """Say whether a short view of a combatant mentions a field."""
        return any(each.notable for each, _ in self.candidates(f"x.{field}"))

    def _candidates(self, address: str) -> tuple[tuple[Address, tuple[str, ...]], ...]:
        """Return the address objects that an address may name, each with its open parts, which need not exist."""
        head, _, field = address.partition(".")
        whole = [(each, ()) for each in self.whole.get(address, ())]
        own = [(each, (head,)) for each in self.fields.get(field, ())]
        others = self.seconds.get(field.partition(".")[0], self.seconds[""])
        matched = [(each, parts) for each in others if (parts := each.parts(address)) is not None]
        return (*whole, *own, *matched)


def _second_word(pattern: str) -> str:
    """Return the second word of a pattern's addresses; "" where it may be any."""
    head, second, *_ = (*pattern.split("."), "")
    fixed = "<" not in head or head.strip("<>") in PARTS
    return second if fixed and "<" not in second else ""


@cache
def address_index(own: tuple[Address, ...]) -> Book:
    """Return the index of addresses for a ruleset, made once."""
    return Book(own)


def matching_addresses(state: State, address: str) -> Iterator[tuple[Address, tuple[str, ...]]]:
    """Yield the address objects that an address names, each with its open parts; the ruleset's own come first."""
    return address_index(state.rules.addresses).matching(state, address)


def derive_value(state: State, address: str) -> Derived[Json] | None:
    """Return the value at an address such as `turn` or `halvaine.hp`; None if it names none."""
    for each, parts in matching_addresses(state, address):
        value = each.value(state, address, parts)
        if value is not None:
            return value
    return None


def conditions_of(state: State, who: str) -> Derived[list[str]]:
    """Return the conditions of a combatant, in the game's own reading if it has one."""
    return derive_value(state, f"{who}.conditions") or effects.condition_names(state, who)


def value_of(state: State, address: str) -> Explained | None:
    """Return the value at an address with its flattened reason; None if it names none."""
    read = derive_value(state, address)
    return Explained(read.value, state.reason(read.because)) if read else None


def value_with_number(state: State, address: str) -> Explained | None:
    """Return the same, but for a status that a number belongs to with the reason for both."""
    read = derive_value(state, address)
    count = tally_of(state, address, read.value) if read else None
    if read is None or count is None:
        return value_of(state, address)
    return Explained(read.value, state.reason(Because(of=(read, count))))


def agrees_with_statement(state: State, address: str, stated: object, derived: object) -> bool:
    """Say whether a statement agrees with the derived value, or with another that the facts equally allow."""
    if means_the_same(state, address, stated, derived) or (
        stated and stated == status_with_tally(state, address, derived)
    ):
        return True
    others = (other for each, parts in matching_addresses(state, address) for other in each.also(state, *parts))
    return address not in state.ruled and any(means_the_same(state, address, stated, other) for other in others)


def rule_broken_by_statement(state: State, address: str, stated: object) -> str:
    """Return the rule that a wrong statement breaks; "" if it is the first one behind the derived value."""
    return next((each.blames(state, *parts, stated) for each, parts in matching_addresses(state, address)), "")


def tally_of(state: State, address: str, value: object) -> Derived[Json] | None:
    """Return the number that belongs to a status; None for anything else."""
    who, _, field = address.partition(".")
    tally = address_index(state.rules.addresses).tallies.get(str(value)) if field == "status" else None
    return derive_value(state, f"{who}.{tally}") if tally else None


def status_with_tally(state: State, address: str, value: object) -> str:
    """Return a status with the number that belongs to it in brackets, as in dying(1); "" for anything else."""
    count = tally_of(state, address, value)
    return f"{value_as_text(value)}({count.value})" if count else ""


def format_value(state: State, address: str, value: Json) -> str:
    """Return a value as text; a number that belongs to a status follows it in brackets."""
    return status_with_tally(state, address, value) or value_as_text(value)


def all_addresses(state: State) -> Iterator[str]:
    """Yield every address of a state, each once, the ruleset's own first."""
    yield from dict.fromkeys(place for each in (*state.rules.addresses, *COMMON) for place in each.existing(state))


HIT_POINTS = ("hitpoints", "hit-points", "hit_points", "health")
"""What people call the value hp."""


def no_value(state: State, address: str) -> str:
    """Return a sentence that there is no such value, with the address perhaps meant; a field needs its owner."""
    owner, _, field = address.partition(".")
    known = {*all_addresses(state)}
    if owner not in state.combatants and field and not any(each.startswith(f"{owner}.") for each in known):
        hint = nearest(owner, state.combatants, 0.7) or f"there are {', '.join([*state.combatants][:8]) or 'none'}"
        return f"there is no combatant {owner} here ({hint})"
    points = f"{owner}.hp" if field in HIT_POINTS else ""
    patterns = (each.pattern for each in (*state.rules.addresses, *COMMON))
    owned = (f"say {each}" for each in patterns if address in each.split("."))
    hint = f"did you mean {points}?" if points in known else nearest(address, known)
    hint = hint or nearest(address, state.combatants) or next(owned, "")
    return f"there is no value {address} here{f' ({hint})' if hint else ''}"


def means_the_same(state: State, address: str, stated: object, derived: Json) -> bool:
    """Say whether a statement agrees with the derived value; in an order a side means all its members."""
    if address == "order":
        return _expand_order(state, stated) == [set(slot) for slot in derived]
    if stated == NOTHING and derived == []:
        return True
    if isinstance(stated, bool) and ".effects." in address:
        return stated is (derived != NOTHING)
    if isinstance(stated, str) and isinstance(derived, str):
        return stated.casefold() == derived.casefold()
    if isinstance(stated, tuple | list) and isinstance(derived, list):
        pair = [[str(x).casefold() for x in each] for each in (stated, derived)]
        is_ordered = any(each.ordered for each, _ in matching_addresses(state, address))
        return pair[0] == pair[1] if is_ordered else sorted(pair[0]) == sorted(pair[1])
    return type(stated) is type(derived) and stated == derived


def _expand_order(state: State, stated: object) -> list[set[str]]:
    items = [item if isinstance(item, tuple | list) else (item,) for item in stated_list(stated)]
    placed = {who for group in names_in_order(state) for who in group}
    meant = {side: {one.id for one in state.here() if one.side == side} & placed for side in state.sides}
    meant |= {who: {who} for who in state.combatants}
    return [set().union(*(meant.get(str(name), {str(name)}) for name in item)) for item in items]


def plain_value(value: Json) -> Json:
    """Return a value as plain data."""
    is_plain = type(value) in (int, str, bool)
    return value if is_plain else msgspec.to_builtins(value, enc_hook=str)


def value_as_text(value: object) -> str:
    """Return a value as text: lists with commas, simultaneous combatants joined by &."""
    if isinstance(value, list | tuple):
        return ", ".join(" & ".join(map(str, v)) if isinstance(v, list | tuple) else str(v) for v in value) or NOTHING
    return str(value).lower() if isinstance(value, bool) else str(value)
