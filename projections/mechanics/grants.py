"""Grants: permissions of the GM against a rule. A grant permits exactly the act, person or event that it names.

A `ruling_made` of the kind `grant` names a rule or a subject, and may name a combatant and an event. One that names nothing permits
nothing. Words match as whole words in their common forms: *drink* matches *drinks*, *drinking* and *drank*, but not part of
*drinkable*.
"""

import re
from collections.abc import Collection, Iterable, Sequence
from functools import lru_cache

from eventstore.events import RulingMade
from projections.because import NOTHING_CITED, Because, Derived
from projections.occurrence import Occurrence

NOTHING_GRANTED: Derived[bool] = Derived(False, NOTHING_CITED)

IRREGULAR = {
    "drank": "drink", "drunk": "drink", "fled": "flee", "struck": "strike", "threw": "throw", "thrown": "throw",
    "shot": "shoot", "ran": "run", "stood": "stand", "drew": "draw", "drawn": "draw", "dug": "dig", "spoke": "speak",
    "spoken": "speak", "took": "take", "taken": "take", "gave": "give", "given": "give", "rode": "ride",
    "rose": "rise", "fought": "fight", "held": "hold", "hid": "hide", "lit": "light", "swam": "swim", "flew": "fly",
    "fell": "fall", "leapt": "leap", "swung": "swing", "spun": "spin", "cast": "cast", "went": "go", "got": "get",
    "read": "read", "sang": "sing", "tore": "tear", "bit": "bite", "broke": "break", "broken": "break",
    "crept": "creep", "knelt": "kneel",
}  # fmt: skip
"""Irregular forms of verbs that occur in a fight."""


@lru_cache(maxsize=1024)
def word_forms(word: str) -> frozenset[str]:
    """Return the words that a word may be a form of: itself, and its stems without the endings of English words."""
    found = {word, IRREGULAR.get(word, word)}
    for ending in ("s", "es", "ed", "d", "ing"):
        stem = word.removesuffix(ending)
        if stem != word and len(stem) > 2:
            found |= {stem, stem + "e"} if ending in ("ed", "ing") else {stem}
            if ending in ("ed", "ing", "es") and len(stem) > 3 and stem[-1] == stem[-2]:
                found.add(stem[:-1])
            if stem.endswith("i"):
                found.add(stem[:-1] + "y")
    return frozenset(found)


@lru_cache(maxsize=1024)
def words_of(text: str) -> tuple[str, ...]:
    """Return the words of a text, case folded, without articles."""
    return tuple(word for word in re.findall(r"[^\W_]+", text.casefold()) if word not in ("a", "an", "the"))


def is_named(subject: str, said: Iterable[str]) -> bool:
    """Say whether a subject names one of these texts: all words of one are among those of the other, in any form."""
    wanted = _forms_by_word(subject)
    return any(wanted and own and (_has_all(wanted, own) or _has_all(own, wanted)) for own in map(_forms_by_word, said))


def _forms_by_word(text: str) -> list[frozenset[str]]:
    return [word_forms(each) for each in words_of(text)]


def _has_all(these: Sequence[frozenset[str]], those: Sequence[frozenset[str]]) -> bool:
    return all(any(one & other for other in those) for one in these)


def has_grant(
    rulings: Iterable[Occurrence[RulingMade]],
    rule: str,
    *,
    who: Iterable[str] = (),
    event: Iterable[int] = (),
    said: Iterable[str] = (),
    kinds: Collection[str] = ("grant",),
) -> Derived[bool]:
    """Return whether a grant among these rulings permits this, citing that ruling.

    `who` are the names of the person (id, side), `event` the record of the act and the one that it reacts to, `said`
    the words that may name the act: its name, kind, cost. `kinds` are the kinds of ruling that can permit it.
    """
    people, events, spoken = set(who), set(event), tuple(said)
    for fact in rulings:
        if fact.event.ruling in kinds and _permits(fact.event, rule, people, events, spoken):
            return Derived(True, Because(("log.ruling",), (fact.seq,)))
    return NOTHING_GRANTED


def _permits(ruling: RulingMade, rule: str, who: set[str], events: set[int], said: tuple[str, ...]) -> bool:
    if not (ruling.rule or ruling.subject or ruling.event or ruling.combatants):
        return False
    if ruling.combatants and who.isdisjoint(ruling.combatants):
        return False
    if ruling.event is not None and ruling.event not in events:
        return False
    if ruling.rule is not None and ruling.rule != rule:
        return False
    return ruling.subject is None or is_named(ruling.subject, (*said, *who)) or ruling.rule == rule


def is_about(ruling: RulingMade) -> bool:
    """Say whether a ruling names its subject: a rule, an event, an act, a person, or a value."""
    return bool(ruling.rule or ruling.subject or ruling.event or ruling.combatants or ruling.values or ruling.modifiers)
