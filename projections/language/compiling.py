"""Compiling: the tables of sentences, sentences.toml, as the engine uses them. The build makes copies by these functions, so they need
nothing beyond the standard library.

A pattern: `a|b` is one of these words, `@class` a word of a class, `[…]` may be left out, `{slot}` or `{slot:kind}` is a value and
`{slot:kind+}` several, `{slot:kind++}` two or more; behind `=>` stands what the pattern says by itself: `hit`, `hit=no`, `cost=reaction`.
"""

import re
from collections.abc import Iterator
from typing import Any

from projections.language.conjugation import Irregular, verb_forms

Fields = dict[str, Any]
FREE = ("rest", "words", "asked", "called", "heading", "place", "teaching")
"""The kinds of slots that take words as they stand."""
_SUBJECT = re.compile(r"^(\{(?:who|whom|source):\w+\}) (?![:,'])(?=(\S+))")


def compiled(raw: Fields, irregular: Fields) -> Fields:
    """Return a table of sentences with its words in all their forms and its patterns parsed, as JSON."""
    lists: Fields = raw.get("lists", {})
    named = raw.get("names", {})
    return {
        "phrases": _table_phrases(raw, irregular),
        "synonyms": _words_by_class(raw.get("verbs", {}), raw.get("words", {})),
        "named": {sort: {value: split_list(text) for value, text in values.items()} for sort, values in named.items()},
        "fillers": split_list(lists.get("fillers", "")),
        "connectives": [*split_list(lists.get("connectives", "")), *([","] if lists else [])],
        "openings": [each.split() for each in split_list(lists.get("openings", ""))],
        "denials": split_list(lists.get("denials", "")),
        "several": split_list(lists.get("several", "")),
        "halves": raw.get("halves", ""),
        "shots": raw.get("shots", ""),
        "parts": {name: [parse_pattern(each) for each in patterns] for name, patterns in raw.get("part", {}).items()},
        "adjuncts": {
            name: each | {"name": name, "patterns": [*map(parse_pattern, each["patterns"])]}
            for name, each in raw.get("adjunct", {}).items()
        },
        "shapes": _full_shapes(raw.get("shape", [])),
    }


def _table_phrases(raw: Fields, irregular: Fields) -> dict[str, list[tuple[list[str], str, str]]]:
    """Return the words of a table by their first words: verbs in all their forms, each with its class and its value."""
    found: dict[str, list[tuple[list[str], str, str]]] = {}
    for phrase, sort, value in dict.fromkeys(_phrase_entries(raw, irregular)):
        words = phrase.casefold().split()
        found.setdefault(words[0], []).append((words, sort, value))
    return found


def _phrase_entries(raw: Fields, irregular: Fields) -> Iterator[tuple[str, str, str]]:
    verbs = Irregular(irregular["past"], frozenset(irregular["doubled"]["yes"]), frozenset(irregular["doubled"]["no"]))
    for sort, text in raw.get("verbs", {}).items():
        yield from ((form, sort, verb) for verb in split_list(text) for form in verb_forms(verb, verbs))
    for sort, text in raw.get("words", {}).items():
        yield from ((word, sort, word) for word in split_list(text))
    for sort, values in raw.get("names", {}).items():
        yield from ((word, sort, value) for value, text in values.items() for word in split_list(text))


def split_list(text: str) -> list[str]:
    """Return the entries of a list that is separated by commas."""
    return [each.strip() for each in re.split(r"[,\n]", text) if each.strip()]


def _words_by_class(*tables: dict[str, str]) -> dict[str, list[str]]:
    """Return the words of each class, of several tables together."""
    found: dict[str, list[str]] = {}
    for table in tables:
        for sort, text in table.items():
            found.setdefault(sort, []).extend(split_list(text))
    return found


def _full_shapes(raw: list[Fields]) -> list[Fields]:
    """Return the shapes, each with what it shares with the one that it is `like`."""
    by_name = {each["name"]: each for each in raw}
    found = []
    for each in raw:
        whole = by_name.get(each.get("like", ""), {}) | each
        whole.pop("like", None)
        needs = [need.split("|") for need in whole.get("needs", ())]
        heads = whole["heads"]
        if whole.get("declares"):  # Ana will attack the orc
            heads = [_SUBJECT.sub(r"\g<0>[{planned:@plans}] ", head) for head in heads]
        heads = [  # Ana: longsword orc-1; a comma may stand where a word follows
            _SUBJECT.sub(lambda found: f"{found[1]} [:{'' if found[2][0] in '{[' else '|,'}] ", head) for head in heads
        ]
        found.append(whole | {"heads": [*map(parse_pattern, heads)], "needs": needs})
    return found


def parse_pattern(text: str) -> Fields:
    """Return a pattern parsed: its nodes, what it says by itself, and whether it takes words as they stand."""
    body, _, said = text.partition("=>")
    pieces = re.findall(r"\[|\]|\{[^}]*\}|[^\s\[\]]+", body)
    nodes = _take_nodes(pieces)
    if pieces:
        raise ValueError(f"a bracket is missing: {text}")
    says = [_split_said(each.strip()) for each in said.split(",") if each.strip()]
    free = re.search(rf":({'|'.join(FREE)})\}}", text) is not None
    return {"nodes": nodes, "says": says, "text": text, "free": free}


def _split_said(text: str) -> tuple[str, bool | int | str]:
    name, _, value = text.partition("=")
    return name, int(value) if value.isdigit() else {"": True, "no": False}.get(value, value)


def _take_nodes(pieces: list[str]) -> list[Fields]:
    """Return the nodes up to the end of a bracket, and take their pieces out."""
    found: list[Fields] = []
    while pieces:
        piece = pieces.pop(0)
        if piece == "]":
            return found
        if piece == "[":
            found.append({"type": "maybe", "nodes": _take_nodes(pieces)})
        elif piece[0] == "{":
            name, _, kind = piece[1:-1].partition(":")
            slot = {"type": "slot", "name": name, "kind": kind.rstrip("+") or name, "least": kind.count("+")}
            found.append(slot)
        else:
            words = piece.split("|") if piece != "|" else ["|"]
            classes = [each[1:] for each in words if each[0] == "@" and each != "@"]
            found.append(
                {
                    "type": "words",
                    "words": [each for each in words if each[0] != "@" or each == "@"],
                    "classes": classes,
                }
            )
    return found
