"""The forms of an English verb: strike, strikes, struck, stricken, striking."""

import re
from collections.abc import Iterator, Mapping, Sequence
from typing import NamedTuple

_VOWELS = "aeiou"


class Irregular(NamedTuple):
    """The past and the participle of verbs that have their own, and the exceptions to the doubling of the last letter."""

    past: Mapping[str, Sequence[str]]
    doubled: frozenset[str]
    single: frozenset[str]


REGULAR = Irregular({}, frozenset(), frozenset())
"""No exceptions: a verb that nobody knows."""


def verb_stem(word: str) -> str:
    """Return the plain form of a regular verb, of which a word is a form."""
    shorter = (word[:-cut] for cut in (3, 2, 1) if len(word) > cut + 1)
    return next((verb for verb in shorter if word in verb_forms(verb, REGULAR)), word)


def verb_forms(verb: str, irregular: Irregular) -> Iterator[str]:
    """Yield the forms of a verb, which may be followed by other words: runs away, ran away, run away, running away."""
    first, blank, rest = verb.partition(" ")
    before, hyphen, last = first.rpartition("-")  # bull-rush changes at its end
    for form in dict.fromkeys((last, _third_person(last), *_past_forms(last, irregular), _gerund(last, irregular))):
        yield f"{before}{hyphen}{form}{blank}{rest}"


def _third_person(verb: str) -> str:
    if own := {"be": "is", "have": "has", "do": "does", "go": "goes"}.get(verb):
        return own
    if re.search(r"(s|x|z|ch|sh)$", verb):
        return f"{verb}es"
    return f"{verb[:-1]}ies" if re.search(rf"[^{_VOWELS}]y$", verb) else f"{verb}s"


def _past_forms(verb: str, irregular: Irregular) -> Sequence[str]:
    if verb in irregular.past:
        return tuple(irregular.past[verb])
    if verb.endswith("e"):
        return (f"{verb}d",)
    if re.search(rf"[^{_VOWELS}]y$", verb):
        return (f"{verb[:-1]}ied",)
    return (f"{_doubled_stem(verb, irregular)}ed",)


def _gerund(verb: str, irregular: Irregular) -> str:
    if verb.endswith("ie"):
        return f"{verb[:-2]}ying"
    if verb.endswith("e") and not verb.endswith(("be", "ee", "oe", "ye")):
        return f"{verb[:-1]}ing"
    return f"{_doubled_stem(verb, irregular)}ing"


def _doubled_stem(verb: str, irregular: Irregular) -> str:
    """Return a verb with its last letter doubled where the rules of spelling ask for that: stab, stabb-."""
    short = re.fullmatch(rf"[^{_VOWELS}]*(qu)?[{_VOWELS}][^{_VOWELS}wxy]", verb) is not None
    return verb + verb[-1] if (short or verb in irregular.doubled) and verb not in irregular.single else verb
