"""Monsters and spells by their names; a table is read when it is first needed."""

import re
from collections.abc import Iterator
from functools import cache
from typing import TypeVar

import msgspec

from eventstore.paths import beside
from projections.rulesets.fifth_edition.srd.records import Monster, Spell
from projections.toml import text_of

One = TypeVar("One", Monster, Spell)
EDITIONS = ("2014", "2024")
LONGEST = 60
"""The most characters of a name that are compared with names in the tables."""
PLURALS = (("lves", "lf"), ("men", "man"), ("mice", "mouse"), ("ies", "y"), ("es", ""), ("s", ""))


_MONSTERS, _SPELLS = msgspec.json.Decoder(Monster), msgspec.json.Decoder(Spell)
"""Decoders, made at import by one thread: several threads that make the first decoder of a type together crash the
process."""


def monsters(edition: str) -> tuple[Monster, ...]:
    """Return the monsters of an edition, in the order of their ids; none of an edition without a table."""
    return _table(edition, "monsters", _MONSTERS)


def spells(edition: str) -> tuple[Spell, ...]:
    """Return the spells of an edition, in the order of their ids; none of an edition without a table."""
    return _table(edition, "spells", _SPELLS)


@cache
def _table(edition: str, name: str, decoder: msgspec.json.Decoder[One]) -> tuple[One, ...]:
    if edition not in EDITIONS:
        return ()
    text = text_of(beside(__file__, f"{edition}/{name}.jsonl"))
    return tuple(decoder.decode_lines(text))


def key(name: str) -> str:
    """Return a name for comparisons: lower-case words, without apostrophes, joined by hyphens."""
    return "-".join(re.findall(r"[a-z0-9]+", name.casefold().replace("'", "").replace("’", "")))


def monster(name: str, edition: str) -> Monster | None:
    """Return the one monster that a name stands for in an edition; None if there is none, or if it may be several."""
    found = called(monsters(edition), name)
    return found[0] if len(found) == 1 else None


def spell(name: str, edition: str) -> Spell | None:
    """Return the one spell that a name stands for in an edition; None if there is none, or if it may be several."""
    found = called(spells(edition), name)
    return found[0] if len(found) == 1 else None


def exactly(those: tuple[One, ...], name: str) -> One | None:
    """Return the record of exactly this name, singular or plural; None if there is none."""
    for said in _spellings(key(name)):
        if found := next((one for one in those if said in _keys(one)), None):
            return found
    return None


def called(those: tuple[One, ...], name: str) -> tuple[One, ...]:
    """Return the records that a name may stand for: the one of exactly this name, else those with its words, names that
    begin with it first.
    """
    if one := exactly(those, name):
        return (one,)
    for said in _spellings(key(name)):
        words = set(said.split("-"))
        if said and (having := [one for one in those if words <= set(one.id.split("-"))]):
            return tuple(sorted(having, key=lambda one: not one.id.startswith(f"{said}-")))
    return ()


def nearest(those: tuple[One, ...], name: str, number: int = 5, like: float = 0.6) -> tuple[One, ...]:
    """Return the records with names most like a name, in the singular or the plural, the nearest first; `like` is the
    least likeness, from 0 to 1.
    """
    ids = {one.id: one for one in those}
    spelt = [said for said in _spellings(key(name)[:LONGEST]) if said]
    from difflib import SequenceMatcher, get_close_matches  # only for a misspelt name

    close = {each for said in spelt for each in get_close_matches(said, ids, n=number, cutoff=like)}
    best = sorted(close, key=lambda each: -max(SequenceMatcher(None, said, each).ratio() for said in spelt))
    return tuple(ids[each] for each in best[:number])


def with_word_like(those: tuple[One, ...], name: str, like: float) -> tuple[One, ...]:
    """Return the records whose first word is like a name, in the singular or the plural."""
    words = {one.id.partition("-")[0] for one in those}
    from difflib import get_close_matches  # only for a misspelt name

    near = (get_close_matches(said, words, n=1, cutoff=like) for said in _spellings(key(name)[:LONGEST]))
    return next((beginning(those, found[0]) for found in near if found), ())


def beginning(those: tuple[One, ...], name: str) -> tuple[One, ...]:
    """Return the records whose names begin with a name, in the singular or the plural, and go on."""
    spelt = [said for said in _spellings(key(name)) if said]
    return tuple(one for one in those if any(one.id.startswith(f"{said}-") for said in spelt))


def _keys(one: Monster | Spell) -> tuple[str, ...]:
    """Return the names of a record for comparisons: its id, its name, and a name with a comma also in natural order."""
    first, _, then = one.name.partition(", ")
    return (one.id, key(one.name), *((key(f"{then} {first}"),) if then else ()))


def _spellings(said: str) -> Iterator[str]:
    """Yield a name, and the singulars of which it may be the plural."""
    yield said
    for ending, singular in PLURALS:
        if said.endswith(ending) and len(said) > len(ending):
            yield said.removesuffix(ending) + singular
