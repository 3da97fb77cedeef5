"""The forms of an English verb: strike, strikes, struck, stricken, striking."""

import re
from collections.abc import Iterator, Mapping, Sequence

_VOWELS = "aeiou"


def forms(
    verb: str, irregular: Mapping[str, Sequence[str]], doubled: frozenset[str], single: frozenset[str]
) -> Iterator[str]:
    """Yield the forms of a verb, which may be followed by other words: runs away, ran away, run away, running away.

    `irregular` has the past and the participle of verbs that have their own, `doubled` and `single` the exceptions to the doubling of
    the last letter.
    """
    first, blank, rest = verb.partition(" ")
    first, hyphen, behind = _before_hyphen(first)
    if rest.startswith("and ") and len(rest.split()) == 2:  # turn and run
        for one, other in zip(
            _main(first, irregular, doubled, single), _main(rest[4:], irregular, doubled, single), strict=True
        ):
            yield f"{one} and {other}"
        return
    for form in dict.fromkeys(
        (first, _third(first), *_pasts(first, irregular, doubled, single), _gerund(first, doubled, single))
    ):
        yield f"{hyphen}{form}{behind}{blank}{rest}"


def uninflected(word: str) -> Iterator[str]:
    """Yield the plain forms of a word that may be a third person or a past: bolts, surged, carries, stepped."""
    for ending, plain in (("ies", "y"), ("ied", "y"), ("es", ""), ("ed", ""), ("s", ""), ("d", "")):
        stem = word.removesuffix(ending)
        if stem != word and len(stem) > 1:
            yield stem + plain
            if ending == "ed" and stem[-1] == stem[-2]:
                yield stem[:-1]


def _main(
    verb: str, irregular: Mapping[str, Sequence[str]], doubled: frozenset[str], single: frozenset[str]
) -> tuple[str, str, str, str]:
    """Return the plain form of a verb, the third person, the past, and the gerund."""
    return verb, _third(verb), _pasts(verb, irregular, doubled, single)[0], _gerund(verb, doubled, single)


def _before_hyphen(word: str) -> tuple[str, str, str]:
    """Return the inflected part of a word, with what stands before and after it: bull-rush changes at its end."""
    before, hyphen, last = word.rpartition("-")
    return last, f"{before}{hyphen}", ""


def _third(verb: str) -> str:
    if verb == "be":
        return "is"
    if verb in ("have", "do", "go"):
        return {"have": "has", "do": "does", "go": "goes"}[verb]
    if re.search(r"(s|x|z|ch|sh)$", verb):
        return f"{verb}es"
    return f"{verb[:-1]}ies" if re.search(rf"[^{_VOWELS}]y$", verb) else f"{verb}s"


def _pasts(
    verb: str, irregular: Mapping[str, Sequence[str]], doubled: frozenset[str], single: frozenset[str]
) -> Sequence[str]:
    if verb in irregular:
        return tuple(irregular[verb])
    if verb.endswith("e"):
        return (f"{verb}d",)
    if re.search(rf"[^{_VOWELS}]y$", verb):
        return (f"{verb[:-1]}ied",)
    return (f"{_stem(verb, doubled, single)}ed",)


def _gerund(verb: str, doubled: frozenset[str], single: frozenset[str]) -> str:
    if verb == "be":
        return "being"
    if verb.endswith("ie"):
        return f"{verb[:-2]}ying"
    if verb.endswith("e") and not verb.endswith(("ee", "oe", "ye")):
        return f"{verb[:-1]}ing"
    return f"{_stem(verb, doubled, single)}ing"


def _stem(verb: str, doubled: frozenset[str], single: frozenset[str]) -> str:
    """Return a verb with its last letter doubled where the rules of spelling ask for that: stab, stabb-."""
    short = re.fullmatch(rf"[^{_VOWELS}]*(qu)?[{_VOWELS}][^{_VOWELS}wxy]", verb) is not None
    return verb + verb[-1] if (short or verb in doubled) and verb not in single else verb
