"""Lines of known meaning, changed: another number, name, synonym or order, a filler more, or an unknown word. The facts change exactly so, or the line is asked about.

`python -m tests.language.mutations [COUNT] [SEED]` tries so many, and prints those that are recorded otherwise.
"""

import re
import sys
from collections import Counter
from collections.abc import Iterator
from functools import cache
from random import Random
from typing import NamedTuple

from projections.language.chart import Chart
from projections.language.lexer import Token, tokens
from projections.language.line import Line as Read
from projections.language.scene import Scene
from projections.language.table import Table as Language, language_table
from projections.open_types import Facts, Json
from projections.rulesets import find
from tests.language.corpus import Line, at, evenings, lines
from tests.language.scenes import meaning

UNKNOWN = "zorn"
DIE = 20
"""The highest roll of a die; a higher number is a total."""
NAMES = {"Ana": "ana", "Bo": "bo", "Mira": "mira"}
KEEPS = (
    "through the", "to the door", "note", "rule that", "until", "readies", "?", "waits", "oops", "behind", "Surge", "trap", "up the", "gone",
    "away from", "towards the", "from the ogre", "back to the",
)  # fmt: skip
"""Parts of lines that keep words as they stand."""
VALUES = ("condition", "ability", "dtype", "unit", "length", "size", "ordinal", "skill")
"""The classes of words that mean values of facts."""
OWN = frozenset(("question", "ruling", "notes", "whither", "class", "plans", "add", "over", "undo"))
"""The classes of words that say different things, or are kept."""
COMPUTED = (
    "is at", "down to", "reduced to", "has 30", "damage and 3", "drops to", "max hp", "half", "next", "not", "hp drop",
)  # fmt: skip
"""Parts of lines whose numbers are not those of the facts."""


class Mutation(NamedTuple):
    """A changed line, with the meaning that it then has; None if it must be asked about."""

    kind: str
    line: str
    meaning: Facts | None


def known() -> list[Line]:
    """Return the lines of the corpus that have a meaning, and keep no words as they stand."""
    return [each for each in lines() if each.meaning and _is_plain(each)]


def _is_plain(line: Line) -> bool:
    """Say whether a line keeps no words as they stand, and corrects nothing."""
    corrects = any({"event", "rest"} & fact.keys() for fact in line.meaning)
    return not corrects and not any(part in line.line for part in KEEPS)


def mutations(line: Line, random: Random) -> Iterator[Mutation]:
    """Yield a mutation of each kind that a line has."""
    language, words = language_table(find(line.ruleset).rules), tokens(line.line)
    yield from _unknown(line, words, random)
    yield from _filler(line, words, random, language)
    yield from _number(line, words, random, language)
    yield from _name(line, random)
    yield from _synonym(line, words, random, language)
    yield from _order(line, random)


def _inserted(line: Line, words: list[Token], random: Random, word: str) -> str:
    places = [
        each.start for at, each in enumerate(words) if at and line.line[each.start - 1] == " " and each.kind != "number"
    ]
    place = random.choice([0, *places])
    return f"{line.line[:place]}{word} {line.line[place:]}"


def _unknown(line: Line, words: list[Token], random: Random) -> Iterator[Mutation]:
    if "combatant_joined" not in str(line.meaning):  # there a new word is a newcomer's name
        yield Mutation("unknown", _inserted(line, words, random, UNKNOWN), None)


def _filler(line: Line, words: list[Token], random: Random, language: Language) -> Iterator[Mutation]:
    yield Mutation(
        "filler",
        _inserted(line, words, random, random.choice(sorted(language.fillers - {"her", "then"}))),
        line.meaning,
    )


def _number(line: Line, words: list[Token], random: Random, language: Language) -> Iterator[Mutation]:
    """Yield the line with another number where it is no name's, and is in the line and the facts as itself."""
    if (
        any(part in line.line for part in COMPUTED)
        or "succeeded" in str(line.meaning)
        or str(line.meaning).count("combatant_joined") > 1
        or " and 5 " in line.line
    ):
        return
    typed = Counter(each.text for each in words if each.kind == "number")
    free = [
        each
        for at, each in enumerate(words)
        if each.kind == "number"
        and typed[each.text] == 1
        and each.text.isdigit()
        and 1 < each.number.total <= DIE  # one is also how many slots a spell spends
        and f"-{each.text}'" not in str(line.meaning)
        and (not at or words[at - 1].kind != "word" or words[at - 1].word in language.vocabulary)
        and words[min(at + 1, len(words) - 1)].word not in ("more", "wolves")
        and not (at and words[at - 1].word in ("orc", "orcs", "round", "segment", "and", "-"))
    ]
    if free:
        token = random.choice(free)
        new = random.choice([n for n in range(2, 20) if str(n) not in typed])
        changed = line.line[: token.start] + str(new) + line.line[token.end :]
        old = token.number.total
        yield Mutation("number", changed, _renumbered(line.meaning, old, new))


def _renumbered(value: Json, old: int, new: int) -> Json:
    """Return a value with another number in place of one, in texts, too, but in no name."""
    if isinstance(value, dict):
        return {key: _renumbered(each, old, new) for key, each in value.items()}
    if isinstance(value, list):
        return [_renumbered(each, old, new) for each in value]
    if isinstance(value, str):
        return re.sub(rf"(?<![\w-]){old}\b", str(new), value)
    return {old: new, -old: -new}.get(value, value) if type(value) is int else value


def _name(line: Line, random: Random) -> Iterator[Mutation]:
    there = [each for each in NAMES if each in line.line]
    absent = [each for each in NAMES if each not in line.line and NAMES[each] not in str(line.meaning)]
    if (
        there
        and absent
        and not any(part in line.line for part in (*COMPUTED, "web", "bless", "heals", "longer", "concentration"))
    ):
        old, new = random.choice(there), random.choice(absent)
        yield Mutation("name", line.line.replace(old, new), _replaced(line.meaning, NAMES[old], NAMES[new]))


def _synonym(line: Line, words: list[Token], random: Random, language: Language) -> Iterator[Mutation]:
    """Yield the line with another word for the same value, or another verb or word of the same class in the same form."""
    found = []
    for place, token in enumerate(words):
        here = [
            (len(phrase), sort, phrase, value)
            for phrase, sort, value in language.phrases.get(token.word, ())
            if phrase == tuple(each.word for each in words[place : place + len(phrase)])
        ]
        longest = [each for each in here if each[0] == max(here)[0]]
        if len(longest) == 1 and token.word not in language.literals and longest[0][1] not in OWN:
            end = words[place + longest[0][0] - 1].end
            others = _same_words(line.ruleset, *longest[0][1:])
            found += [(token.start, end, each) for each in others if each != longest[0][2]]
    if found:
        start, end, other = random.choice(found)
        yield Mutation("synonym", f"{line.line[:start]}{' '.join(other)}{line.line[end:]}", line.meaning)


@cache
def _same_words(ruleset: str, sort: str, phrase: tuple[str, ...], value: str) -> list[tuple[str, ...]]:
    """Return the words of a class that say the same as a phrase: those of its value, or verbs in its form."""
    language, forms = language_table(find(ruleset).rules), dict[str, list[tuple[str, ...]]]()
    entries = [each for entries in language.phrases.values() for each in entries]
    for words, its, own in entries:
        if its == sort:
            forms.setdefault(own, []).append(words)
    if sort in language.named:
        return forms[value] if sort in VALUES else []
    place, natural = (
        forms[value].index(phrase),
        {word for words in language.named["natural"].values() for word in words},
    )
    alike = [each[place] for verb, each in forms.items() if len(each) == len(forms[value]) and verb not in natural]
    others = {words for words, its, _ in entries if its != sort}
    return [] if value in natural else [each for each in alike if each not in others]


def _order(line: Line, random: Random) -> Iterator[Mutation]:
    """Yield a line of one clause with its adjuncts in another order, where each is cued."""
    first, *rest = re.split(r", | (?=with (?!an? \d)|for |as a )", line.line)
    cued = all(
        re.match(r"(with|for|as an?|[a-z]+ing|and it) |.*(to hit|damage|hp|ac\b)", each, re.IGNORECASE) for each in rest
    )
    if len(rest) > 1 and cued and ":" not in line.line and _is_one_clause(line):
        yield Mutation("order", ", ".join((first, *random.sample(rest, len(rest)))), line.meaning)


def _is_one_clause(line: Line) -> bool:
    chart = Chart(Read(Scene(at(line.ruleset, line.before).context), tokens(line.line), line.line))
    return all(len(each) == 1 for each in chart.readings())


def _replaced(value: Json, old: Json, new: Json) -> Json:
    """Return a value with each part that equals another replaced."""
    if isinstance(value, dict):
        return {key: _replaced(each, old, new) for key, each in value.items()}
    if isinstance(value, list):
        return [_replaced(each, old, new) for each in value]
    return new if value == old and type(value) is type(old) else value


def recorded_otherwise(line: Line, mutation: Mutation) -> Facts | None:
    """Return what a mutated line records, if that is not what it means; None if it is right or asked about."""
    found = meaning(at(line.ruleset, line.before), mutation.line)
    return None if found is None or _same(found, mutation.meaning) else found


def _same(found: Facts, wanted: Facts | None) -> bool:
    return wanted is not None and sorted(map(_plain, found)) == sorted(map(_plain, wanted))


def _plain(fact: Json) -> str:
    return str({key: value for key, value in sorted(fact.items()) if key not in ("cause", "name")})


def main(count: int = 50_000, seed: int = 0) -> int:
    """Try so many mutations; print those that are recorded otherwise, and the counts."""
    of_evenings = (each for evening in evenings().values() for each in evening if each.meaning)
    more = [each for each in of_evenings if meaning(at(each.ruleset, each.before), each.line) == each.meaning]
    random, corpus, tried, wrong = Random(seed), [*known(), *filter(_is_plain, more)], Counter[str](), 0
    while sum(tried.values()) < count:
        line = random.choice(corpus)
        for mutation in mutations(line, random):
            tried[mutation.kind] += 1
            if (found := recorded_otherwise(line, mutation)) is not None:
                wrong += 1
                sys.stdout.write(f"{mutation.kind}: {line.line} -> {mutation.line}\n  {found}\n  {mutation.meaning}\n")
    sys.stdout.write(f"{sum(tried.values())} tried ({dict(tried)}), {wrong} recorded otherwise\n")
    return wrong


if __name__ == "__main__":
    sys.exit(main(*map(int, sys.argv[1:])) > 0)
