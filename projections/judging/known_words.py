"""Known words: kinds of action, manners, sizes, feats, conditions and resources of the common list or the ruleset's tables.

An unknown kind, manner or size is recorded, with a notice. Feats, conditions and resources may be any word; only one
that is nearly a known word gets a notice.
"""

import re
from collections.abc import Iterator
from functools import cache
from typing import get_args

from msgspec import Struct

from eventstore import events
from eventstore.events import ResourceChanged
from eventstore.paths import AnyPath
from eventstore.wording import closest_word
from projections.judging import book
from projections.occurrence import Occurrence
from projections.ruleset.catalogue import Catalogue, read_catalogue
from projections.ruleset.ruleset import Breach, check
from projections.state import State

Acting = events.ActionDeclared | events.ActionHeld | events.ActionTaken
Sheets = events.CombatantJoined | events.SheetChanged
Naming = events.ConditionGained | events.ConditionLost | ResourceChanged


class Words(Struct, frozen=True):
    """The words that a ruleset knows, case folded; kinds, manners and sizes are empty if it accepts any."""

    kinds: frozenset[str]
    manners: frozenset[str]
    conditions: frozenset[str]
    resources: frozenset[str]
    sizes: frozenset[str] = frozenset()
    feats: frozenset[str] = frozenset()
    unable: frozenset[str] = frozenset()
    """The conditions with which a combatant cannot act, without those that the ruleset judges itself (`judged`)."""
    saves: tuple[str, ...] = ()
    """The kinds of saves, the usual ones first."""


@cache
def known(rules: AnyPath) -> Words:
    """Return the common words and those of a ruleset's tables; without a table of actions, any kind is accepted."""
    common, own = book.catalogue().tables["words"], read_catalogue(rules)
    more = own.tables.get("words", {})

    def both(sort: str, *columns: str) -> frozenset[str]:
        words = (*common.get(sort, ()), *more.get(sort, ()), *_words_in_columns(own, columns))
        return frozenset(word.casefold() for word in words)

    def named(table: str) -> frozenset[str]:
        return frozenset(str(row["name"]).casefold() for row in own.tables.get(table, ()) if "name" in row)

    return Words(
        both("kinds", "kind", "name") if own.action else frozenset(),
        both("manners", "manner") if own.action else frozenset(),
        both("conditions") | named("condition"),
        both("resources") | named("resource"),
        named("size"),
        named("feat"),
        both("unable") - frozenset(more.get("judged", ())),
        (*more.get("saves", ()),),
    )


def _words_in_columns(book: Catalogue, columns: tuple[str, ...]) -> Iterator[str]:
    """Yield the words in these columns of the table of actions; a cell holds one or several."""
    for row in book.action:
        for column in columns:
            words = row.get(column, ())
            yield from (words,) if isinstance(words, str) else words


@check("log.word", on=get_args(Acting))
def kinds_and_manners_are_known(state: State, fact: Occurrence[Acting]) -> Breach | None:
    words, action = known(state.rules.rules), fact.event.action
    if action is None:
        return None
    if words.kinds and action.plain_kind not in words.kinds:
        return _unknown_word_breach("kind of action", action.kind, words.kinds)
    wrong = [word for word in action.manner if words.manners and word.casefold() not in words.manners]
    own = _own_manners(state, fact) if wrong else frozenset()
    wrong = [word for word in wrong if word.casefold() not in own]
    return _unknown_word_breach("manner", wrong[0], words.manners | own) if wrong else None


def _own_manners(state: State, fact: Occurrence[Acting]) -> frozenset[str]:
    """Return the manners on the sheets of the acting or declaring combatant or side."""
    event = fact.event
    who, side = event.combatant, getattr(event, "side", None)
    those = [one for one in state.combatants.values() if one.id == who or one.side == side]
    return frozenset(word.casefold() for one in those for word in state.rules.manners(one.sheet))


@check("log.word", on=get_args(Sheets))
def sizes_are_known_and_feats_not_misspelt(state: State, fact: Occurrence[Sheets]) -> Breach | None:
    words, sheet = known(state.rules.rules), fact.event.sheet
    size, feats = sheet.get("size"), sheet.get("feats")
    if words.sizes and isinstance(size, str) and size.casefold() not in words.sizes:
        return _unknown_word_breach("size", size, words.sizes, ", ".join(sorted(words.sizes)))
    named = ("-".join(str(feat).split()) for feat in (feats if isinstance(feats, dict) else ()))
    return next(filter(None, (_check_word("feat", feat, words.feats) for feat in named)), None)


@check("log.word", on=get_args(Naming))
def conditions_and_resources_are_not_misspelt(state: State, fact: Occurrence[Naming]) -> Breach | None:
    words, event = known(state.rules.rules), fact.event
    if isinstance(event, ResourceChanged):
        counted = {name.casefold() for name in state.combatants[event.combatant].resources}
        return _check_word("resource", event.resource, words.resources | counted)
    present = {effect.called for effect in state.conditions.values()}
    return _check_word("condition", event.condition, words.conditions | present)


def _check_word(what: str, word: str, words: frozenset[str]) -> Breach | None:
    folded = word.casefold()
    if folded in words or not closest_word(folded, words, 0.85):
        return None
    is_another_number = _without_digits(folded) in map(_without_digits, words)
    return None if is_another_number else _unknown_word_breach(what, word, words)


def _without_digits(word: str) -> str:
    """Return a word without its digits: words that differ only in digits are different names."""
    return re.sub(r"\d+", "#", word) if any(letter.isdigit() for letter in word) else word


def _unknown_word_breach(what: str, word: str, words: frozenset[str], others: str = "a known word") -> Breach:
    close = closest_word(word.casefold(), words, 0.6)
    hint = f": did you mean {close}?" if close else ""
    return Breach(f"{word} is not a known {what}{hint}", close or others, word, (), "notice")
