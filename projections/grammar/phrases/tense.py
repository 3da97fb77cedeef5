"""Verbs in the past or in progress: the present form that they are compared as, and those that tell what befalls the one before them."""

import re
from collections.abc import Callable
from typing import TYPE_CHECKING

if TYPE_CHECKING:
    from projections.grammar.phrases.reader import Reader

AUXILIARIES = frozenset({"is", "are", "was", "were", "be", "been", "being", "gets", "get", "got", "gotten"})
"""The words before a verb that make it passive, or say that it is in progress."""
PERFECT = frozenset({"has", "have", "had"})
"""The words between somebody and what they have done."""
OWNING = frozenset({"'s", "the", "a", "an", "his", "her", "its", "their"})
"""The words before a noun."""
MOST_WORDS = 3
"""The most words of what a list or a table knows together, such as a spell."""


def present_of(text: str, irregular: dict[str, str], is_verb: Callable[[str], bool]) -> str:
    """Return the third person of a verb in the past, stabbed: stabs, or in progress, stabbing: stabs; "" if no verb is known."""
    if text in irregular:
        return irregular[text]
    found = re.fullmatch(r"([a-z]{2,}?)(ed|ing)", text)
    if found is None:
        return ""
    stem = found[1]
    doubled = stem[:-1] if stem[-1] == stem[-2] else stem
    return next((each for each in (f"{stem}es", f"{stem}s", f"{doubled}s") if is_verb(each)), "")


def in_present(reader: "Reader", at: int) -> str:
    """Return the word at a place as it is compared: a verb that is told in the past, or in progress, in its present form."""
    text = reader.text(at)
    if not (present := reader.present(text)):
        return text
    if reader.is_state(text):
        behind_name = reader.ends_name(at - (reader.text(at - 1) in PERFECT))
        return present if behind_name and reader.names_combatant(_object(reader, at)) else text
    if _is_known(reader, at) or (text.endswith("ing") and reader.text(at - 1) not in AUXILIARIES):
        return text
    return text if not text.endswith("ing") and is_suffered(reader, at) else present


def _is_known(reader: "Reader", at: int) -> bool:
    """Say whether a word is known as it stands: alone, with those behind it, or as a noun."""
    first = at + 1 + (reader.text(at) in reader.lexis.means.get("past", {}))
    is_noun = reader.text(at - 1) in OWNING or reader.is_of("hit", at + 1) or reader.is_of("miss", at + 1)
    return is_noun or any(reader.lexis.knows(reader.joined(at, end)) for end in range(first, at + 1 + MOST_WORDS))


def _object(reader: "Reader", at: int) -> int:
    """Return the place behind a verb and an article."""
    return at + 1 + (reader.text(at + 1) == "the")


def is_suffered(reader: "Reader", at: int) -> bool:
    """Say whether the verb at a place befalls the one before it: was stabbed, stabbed by; stabbed for 4 may be either."""
    behind = reader.text(at + 1)
    unclear = reader.lexis.has("kind", reader.present(reader.text(at))) and (behind == "for" or behind[:1].isdecimal())
    return reader.text(at - 1) in AUXILIARIES or behind == "by" or unclear
