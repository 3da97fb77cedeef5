"""Pieces of sentences: names in a row, reasons, values; and derived values as sentences."""

import re
from collections.abc import Callable, Iterable
from typing import Any

from eventstore.wording import list_in_words
from projections.address import NOTHING, OPEN

Name = Callable[[str], str]  # a function from an id to a display name
NOT_THERE = "to which the text refers, but which it does not contain"  # the words for a chart that a clause depends on


def listed_briefly(words: Iterable[str]) -> str:
    """Return those of these words that are not empty, with commas."""
    return ", ".join(filter(None, words))


def list_names(ids: Iterable[str], name: Name) -> str:
    """Return the names of these ids as a list in a sentence."""
    return list_in_words(name(one) for one in ids)


def word_with_text(word: str, text: object) -> str:
    """Return word and text after a space, or nothing if there is no text."""
    return f" {word} {text}" if text not in (None, "", ()) else ""


def in_parentheses(reason: str | None) -> str:
    """Return a reason in parentheses, or nothing if there is none."""
    return f" ({reason})" if reason else ""


def values_in_words(stated: dict[str, Any]) -> str:
    """Return addresses with their values in one line."""
    return ", ".join(f"{address} {value_in_words(item)}" for address, item in stated.items())


def value_in_words(item: Any) -> str:
    """Return a value in words: a list with commas, and none for nothing."""
    if item is None:
        return "none"
    if isinstance(item, bool):
        return str(item).lower()
    if isinstance(item, list | tuple):
        words = []
        for one in item:
            named = one.get("name", one) if isinstance(one, dict) else one  # as a weapon has a name
            words.append(" & ".join(map(str, one)) if isinstance(one, list | tuple) else value_in_words(named))
        return ", ".join(words) or "none"
    if isinstance(item, dict):
        return "{" + ", ".join(f"{key} {value_in_words(one)}" for key, one in item.items()) + "}"
    return str(item)


SENTENCES: dict[str, tuple[str, str]] = {
    "<who>.hp": ("{who} has {value} hit points", "nobody said how many hit points {who} has"),
    "<who>.hp_max": ("{who} can have at most {value} hit points", "nobody said how many hit points {who} can have"),
    "<who>.temp": ("{who} has {value} temporary hit points", ""),
    "<who>.nld": ("{who} has {value} points of non-lethal damage", ""),
    "<who>.status": ("{who} is {value}", ""),
    "<who>.side": ("{who} is on the side {value}", ""),
    "<who>.name": ("{who} is called {value}", ""),
    "<who>.segment": ("{who} acts in segment {value}", "{who} has no segment"),
    "<side>.segment": ("the side {who} acts in segment {value}", "the side {who} has no segment"),
    "<who>.casting": ("{who} is casting {value}", "{who} is casting nothing"),
    "<who>.concentration": ("{who} concentrates on {value}", "{who} concentrates on nothing"),
    "<who>.conditions": ("{who} is {value}", "{who} is under no condition"),
    "<who>.conditions.<name>": ("{who} is {name} ({value} left)", "{who} is not {name}"),
    "<who>.effects": ("{value} on {who}", "there is no effect on {who}"),
    "<who>.effects.<name>": ("{name} is on {who} ({value} left)", "{name} is not in effect on {who}"),
    "<who>.initiative": ("the initiative of {who} is {value}", "{who} has no initiative"),
    "<who>.turn": ("the turn of {who} is {value}", ""),
    "turn": ("it is the turn of {value}", "it is nobody's turn"),
    "round": ("it is round {value}", ""),
    "segment": ("it is segment {value}", "no segment has come"),
    "phase": ("it is phase {value}", "no phase has come"),
    "order": ("the order is {value}", "there is no order"),
    "due": ("{value} may act now", "nobody is due to act"),
    "options.<name>": ("the option {who} is {value}", ""),
}
"""The sentence for a value at addresses of this form, and the one for nothing ("": the same)."""
_NOUN = r"the \w+( \w+)?"  # a description that its owner can follow; after a longer one that would seem a part of it


def statement_sentence(address: str, pattern: str, says: str, found: Any, name: Name) -> str:
    """Return a value as a sentence without its full stop; `says` describes values that have no sentence of their own."""
    head, _, tail = address.partition(".")
    who, rest = (tail, address) if re.search(OPEN, pattern) else ("", "")  # mostly an id, and the open parts after it
    if pattern.startswith("<"):
        who, rest = head, tail if "<" in pattern.partition(".")[2] else ""
    whose = name(who) if who else ""
    some, none = SENTENCES.get(pattern, ("", ""))
    nothing = found in (NOTHING, None) or found == []
    words = value_with_names(found, name)
    if some:
        text = (none if nothing and none else some).format(who=whose, value=words, name=address.split(".", 2)[-1])
        text = text.removesuffix(" (true left)")
        return re.sub(r"\b1 (hit point|temporary hit point|point)s\b", r"1 \1", text)
    about = re.sub(r"\b(a combatant|somebody)\b", lambda _: whose, says, count=1)
    if about == says and whose and whose not in rest:
        about = f"{says} of {whose}" if re.fullmatch(_NOUN, says) else f"for {whose}, {says}"
    return f"{about}{f' ({rest})' if rest else ''}: {words}"


def value_with_names(found: Any, name: Name) -> str:
    """Return a value in words, with names for ids; combatants who act at once are joined by &."""
    if not isinstance(found, list | tuple):
        return name(found) if isinstance(found, str) else value_in_words(found)
    parts = [
        " & ".join(map(name, each)) if isinstance(each, list | tuple) else value_with_names(each, name)
        for each in found
    ]
    in_order = any(isinstance(each, list | tuple) for each in found)
    return ", then ".join(parts) if in_order else list_in_words(parts) or "none"


def as_sentence(text: str) -> str:
    """Return a text that begins with a capital letter, unless it is that of an address, and ends with a full stop."""
    stop = "" if text.endswith((".", "!", "?")) else "."
    first = text.partition(" ")[0]
    return f"{text[:1] if '.' in first[:-1] else text[:1].upper()}{text[1:]}{stop}"
