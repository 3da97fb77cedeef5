"""The dictionary: what each word and phrase in the tables of words means, verbs in all their forms, by first letters.

The build keeps that of the tables common to all games (hatch_build.py). There this module has only the standard library.
"""

import re
from collections.abc import Iterable, Iterator, Mapping, Sequence
from functools import cache
from typing import Any, NamedTuple

from projections.reader.inflection import forms

TABLES = ("verbs", "cues", "states", "names", "german", "inflected")
"""The tables common to all games, by the names of their files."""
_SAME = {
    "her": "his",
    "its": "his",
    "their": "his",
    "herself": "himself",
    "itself": "himself",
    "themselves": "himself",
    "’": "'",
}
"""Words that are interchangeable within a phrase."""


class Sense(NamedTuple):
    """A meaning of a word: its table, and the entry there, or its plain form."""

    kind: str
    value: str
    is_verb: bool = False


Entry = tuple[str, Sense]
Page = dict[str, list[Sense]]
"""The words and phrases that begin with one letter."""
Tables = Mapping[str, Mapping[str, str]]


@cache
def phrase(text: str) -> str:
    """Return a word or phrase in the form in which it is compared; "" if it has no word."""
    words = text.casefold().replace("’", "'").split()
    return " ".join(_SAME.get(each, each) for each in words) if len(words) > 1 else "".join(words)


def listed(text: str) -> list[str]:
    """Return the words of a list with commas."""
    return [word for each in re.split(r"[,\n]", text) if (word := each.strip())]


def verbs(tables: Tables, inflected: Mapping[str, Any]) -> Iterator[Entry]:
    """Yield the forms of verbs; `inflected` has the irregular ones."""
    past: Mapping[str, Sequence[str]] = inflected["past"]
    doubled, single = (frozenset[str](inflected["doubled"][each]) for each in ("yes", "no"))
    for kind, table in tables.items():
        said = {verb: verb for verb in listed(table["verbs"])} if "verbs" in table else table
        for verb, value in said.items():
            for form in forms(verb, past, doubled, single):
                yield form, Sense(kind, value, is_verb=True)


def cues(tables: Tables) -> Iterator[Entry]:
    """Yield words that are no verbs."""
    for kind, table in tables.items():
        for value, words in table.items():
            for word in listed(words):
                yield word, Sense(kind, word if value == "words" else value)


def _dialect(tables: Tables) -> Iterator[Entry]:
    for word, kind in tables.get("verbs", {}).items():
        yield word, Sense(kind, word, is_verb=True)
    for word, kind in tables.get("cues", {}).items():
        yield word, Sense(kind, word)
    for word, state in tables.get("condition", {}).items():
        yield word, Sense("condition", state)


def dictionary(entries: Iterable[Entry]) -> dict[str, Page]:
    """Return the pages of these entries by their letters."""
    pages: dict[str, Page] = {}
    for text, sense in entries:
        words = phrase(text)
        found = pages.setdefault(words[0], {}).setdefault(words, [])
        if sense not in found:
            found.append(sense)
    return pages


def of_tables(
    verbs_: Tables, cues_: Tables, states: Tables, names: Tables, german: Tables, inflected: Any
) -> dict[str, Page]:
    """Return the dictionary of the tables common to all games."""
    return dictionary((*verbs(verbs_, inflected), *cues(cues_), *cues(states), *cues(names), *_dialect(german)))
