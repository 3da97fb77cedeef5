"""Effects and conditions on combatants: their bearers, sources, beginnings and ends."""

from __future__ import annotations

from collections import defaultdict
from collections.abc import Iterable, Mapping
from typing import Literal, NewType

from msgspec import Struct

from eventstore.shapes import Duration
from projections.because import NOTHING_CITED, Because, Cites, Derived
from projections.time import Point

Folded = NewType("Folded", str)
"""A name as names are compared: case folded."""
Key = tuple[int, str]
"""The record that began an effect, and its bearer ("" for none)."""


def folded_name(name: str) -> Folded:
    """Return a name as names are compared."""
    return Folded(name.casefold())


class Effect(Struct, gc=False):
    """An effect or condition on one bearer."""

    seq: int
    name: str
    bearer: str
    """The combatant it is on; "" if it is on nobody."""
    source: str = ""
    """The combatant it comes from; "" if none is recorded."""
    duration: Duration | None = None
    left: int | None = None
    """The time left, in the unit of its duration."""
    concentration: bool = False
    parent: int = 0
    """The record of the effect that it is part of, or 0."""
    since: Point = Point()
    ticked_by: tuple[int, ...] = ()
    """The facts that last changed `left`."""
    of: tuple[Cites, ...] = ()
    """The other reasons why it is there."""
    ended: int = 0
    """The fact with which it ran out, or 0."""
    author: Derived[str] | None = None
    """The combatant whose act or roll caused it, if no source is recorded."""
    perhaps_of: int = 0
    """The effect that a condition without a recorded cause may be part of, or 0."""
    set_by: int = 0
    """The ruling that last set how much is left of it, or 0."""
    ruled: bool = False
    """Whether that alone says how much is left, whatever began it."""
    called: Folded = Folded("")
    """Its name as names are compared: case folded, once, as it begins."""

    def __post_init__(self) -> None:
        """Fold the name."""
        self.called = folded_name(self.name)

    @property
    def timer_facts(self) -> tuple[int, ...]:
        """The facts behind the time left."""
        return self.ticked_by if self.ruled else (self.seq, *self.ticked_by)


class ConditionRow(Struct, frozen=True, forbid_unknown_fields=True, kw_only=True):
    """A row of a ruleset's table of conditions; a ruleset adds the columns that it executes by a type of its own."""

    name: str
    rule: str
    """The clause behind this row."""
    note: str = ""
    implies: tuple[str, ...] = ()
    """The conditions that come with it."""


class TwoDice(ConditionRow, frozen=True, kw_only=True):
    """A row of conditions with which an attack is rolled with two dice, of which the higher or the lower counts."""

    attacks: Literal["", "higher", "lower"] = ""
    """Which one in the attacks of its bearer."""
    attacked: Literal["", "higher", "lower"] = ""
    """Which one in attacks at its bearer."""


def find_effects(
    among: dict[Key, Effect], name: str, bearers: tuple[str, ...], source: str | None, *, anyone: bool = True
) -> list[Key]:
    """Return the keys of effects of this name (case folded), on these bearers, from this source (None: any).

    Without bearers, `anyone` says whether that means any bearer or none. On a bearer without one from this source, one without a
    known source is returned.
    """
    folded = folded_name(name)
    named = {key: effect for key, effect in among.items() if effect.called == folded}
    if bearers or not anyone:
        named = {key: effect for key, effect in named.items() if effect.bearer in bearers}
    known = {effect.bearer for effect in named.values() if source in (None, effect.source)}
    return [
        key
        for key, effect in named.items()
        if source in (None, effect.source) or not (effect.source or effect.bearer in known)
    ]


def free_key(among: dict[Key, Effect], seq: int, bearer: str) -> Key:
    """Return a key for an effect that a record begins on a bearer; further ones of a ruling get numbers below 0."""
    if (seq, bearer) not in among:
        return seq, bearer
    return min(0, *(begun for begun, _ in among)) - 1, bearer


def end_among(among: dict[Key, Effect], keys: Iterable[Key]) -> dict[Key, Effect]:
    """End these effects, and the children of each once it has no bearer left; return the effects that have ended."""
    going, gone = list(keys), dict[Key, Effect]()
    if among.keys().isdisjoint(going):
        return gone
    begun, children = defaultdict[int, int](int), defaultdict[int, list[Key]](list)
    for key, effect in among.items():
        begun[key[0]] += 1
        children[effect.parent].append(key)
    while going:
        key = going.pop()
        if key in among:
            gone[key] = among.pop(key)
            begun[key[0]] -= 1
            if not begun[key[0]]:
                going += children[key[0]]
    return gone


def effects_of(among: dict[Key, Effect], who: str) -> list[Effect]:
    """Return the effects on a combatant, in the order in which they began."""
    return [effect for effect in among.values() if effect.bearer == who]


def effects_held(effects: Mapping[Key, Effect], who: str | None, but: int = 0) -> list[Key]:
    """Return the effects on which a combatant concentrates, but those of one record; without a source, nobody does."""
    own = [key for key, effect in effects.items() if effect.concentration and effect.source == who]
    return [key for key in own if key[0] != but]


def last_effect_name(effects: Mapping[Key, Effect], released: Mapping[str, Because], who: str) -> Derived[str]:
    """Return the name of the last effect that a combatant concentrates on; "", with the reason for the last end of one, if there is none."""
    own = [effects[key] for key in effects_held(effects, who)]
    if own:
        return Derived(own[-1].name, Because((), (own[-1].seq,), of=own[-1].of))
    return Derived("", released.get(who, NOTHING_CITED))


def has_effect(among: dict[Key, Effect], who: str, name: str) -> Derived[bool]:
    """Return whether a combatant has an effect or condition of this name, because of the record that began it."""
    folded = folded_name(name)
    found = [effect for effect in effects_of(among, who) if effect.called == folded]
    return Derived(bool(found), Because((), tuple(effect.seq for effect in found)))


def columns(among: dict[Key, Effect], rows: Iterable[ConditionRow], **bearers: str) -> list[tuple[str, str, Because]]:
    """Return for each bearer a column from the rows of its conditions, with the clause and the records."""
    cells = ((row, getattr(row, column), who) for row in rows for column, who in bearers.items())
    found = ((row.rule, word, has_effect(among, who, row.name)) for row, word, who in cells if word)
    return [(rule, word, mark.because) for rule, word, mark in found if mark.value]


def with_implied(those: Mapping[str, Because], implies: Mapping[str, Iterable[str]]) -> dict[str, Because]:
    """Return conditions with those that they imply, and these in turn, each because of the first that implies it."""
    found, waiting = dict(those), list(those)
    while waiting:
        name = waiting.pop(0)
        for other in implies.get(name, ()):
            if other not in found:
                found[other] = found[name]
                waiting.append(other)
    return found
