"""Derived values in sentences: that a combatant has so many hit points, acts in this segment, is out of action."""

import re
from collections.abc import Callable
from typing import Any

from encounterlog.text.phrases import listed, value
from projections.address import NOTHING, OPEN

Name = Callable[[str], str]

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


_NOUN = r"the \w+( \w+)?"
"""A description that can be followed by its owner; after a longer one that would seem to be a part of it."""


def stated(address: str, pattern: str, says: str, found: Any, name: Name) -> str:
    """Return a value as a sentence without its full stop; `says` describes values that have no sentence of their own."""
    whose = _whose(address, pattern, name)
    some, none = SENTENCES.get(pattern, ("", ""))
    nothing = found in (NOTHING, None) or found == []
    words = worded(found, name)
    if some:
        text = (none if nothing and none else some).format(who=whose, value=words, name=address.split(".", 2)[-1])
        text = text.removesuffix(" (true left)")
        return re.sub(r"\b1 (hit point|temporary hit point|point)s\b", r"1 \1", text)
    about = re.sub(r"\b(a combatant|somebody)\b", lambda _: whose, says, count=1)
    rest = _rest(address, pattern)
    if about == says and whose and whose not in rest:
        about = f"{says} of {whose}" if re.fullmatch(_NOUN, says) else f"for {whose}, {says}"
    return f"{about}{f' ({rest})' if rest else ''}: {words}"


def worded(found: Any, name: Name) -> str:
    """Return a value in words, with names for ids; combatants who act at once are joined by &."""
    if isinstance(found, list | tuple):
        parts = [
            " & ".join(map(name, each)) if isinstance(each, list | tuple) else worded(each, name) for each in found
        ]
        return (
            ", then ".join(parts) if any(isinstance(each, list | tuple) for each in found) else listed(parts) or "none"
        )
    return name(found) if isinstance(found, str) else value(found)


def _whose(address: str, pattern: str, name: Name) -> str:
    """Return the name in the first open part of an address."""
    words = re.findall(OPEN, pattern)
    if not words:
        return ""
    head, _, rest = address.partition(".")
    return name(head) if pattern.startswith(f"<{words[0]}>") else name(rest)


def _rest(address: str, pattern: str) -> str:
    """Return the open parts of an address after its first one."""
    field = address.partition(".")[2]
    own = pattern.partition(".")[2]
    return (
        field
        if "<" in own and pattern.startswith("<")
        else ""
        if pattern.startswith("<")
        else address
        if re.search(OPEN, pattern)
        else ""
    )


def sentence_of(text: str) -> str:
    """Return a text that begins with a capital letter, unless it is that of an address, and ends with a full stop."""
    stop = "" if text.endswith((".", "!", "?")) else "."
    first = text.partition(" ")[0]
    return f"{text[:1] if '.' in first[:-1] else text[:1].upper()}{text[1:]}{stop}"
