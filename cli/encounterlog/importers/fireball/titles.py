"""The titles under which the bot announces an act: its actor, its kind, and its name."""

import re
from typing import NamedTuple

_ARTICLE = re.compile(r"^An? ")
_WHOSE = r"(?:(?:an?|the|his|her|its|their) )?"
_KINDS = (
    (re.compile(rf"^casts {_WHOSE}(?P<name>.+)$", re.DOTALL), "cast"),
    (re.compile(rf"^attacks with {_WHOSE}(?P<name>.+)$", re.DOTALL), "attack"),
    (re.compile(rf"^(?:uses|activates) {_WHOSE}(?P<name>.+)$", re.DOTALL), "other"),
)
_MEANS = re.compile(r"^(?:has|makes) an? (?P<name>.+)$", re.DOTALL)
PHRASE = "phrase"
"""The kind of an act that is announced in words of its own, as in "goes Prone": its name is the whole phrase."""
UNKNOWN = "An unknown creature"
"""The name in a title where the bot was asked to hide it."""


class Title(NamedTuple):
    """An announced act: its kind, its name, and the name of what rolls are made with, if the title has one."""

    kind: str
    name: str
    means: str = ""


def after_name(title: str, name: str) -> str | None:
    """Return a title after a whole name, which may have an article before it; None where it is about another."""
    for start in (name, UNKNOWN):
        for text in (title, _ARTICLE.sub("", title)):
            if name and text.startswith(start) and not text[len(start) : len(start) + 1].isalnum():
                return text[len(start) :].strip()
    return None


def read_title(words: str) -> Title | None:
    """Read the act in a title; None if it has none."""
    words = words.strip().removesuffix("!").removesuffix(".").strip()
    for pattern, kind in _KINDS:
        if found := pattern.match(words):
            name = found["name"].strip()
            return Title(kind, name, name)
    means = _MEANS.match(words)
    return Title(PHRASE, words, means["name"] if means else "") if words else None


def is_roll(words: str) -> bool:
    """Say whether a title announces a check, a save or an initiative roll, not an act."""
    return re.match(r"^(?:makes an? |already rolled ).*(?:check|save|initiative)\W*$", words, re.IGNORECASE) is not None
