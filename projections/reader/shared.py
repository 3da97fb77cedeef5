"""An outcome that several rolls of a line have in common, told once behind them: gnoll 2 rolls 4, gnoll 3 rolls 9, both fail."""

from collections.abc import Sequence
from itertools import takewhile

from projections.open_types import Facts
from projections.reader.lexicon import ARTICLES
from projections.reader.parts import Part
from projections.reader.slots import Thread

_OF_NONE = ("neither", "neither of them", "none", "none of them", "nobody", "no one")
_OF_TWO = ("both", "both of them", "neither", "neither of them")
OF_ALL = frozenset(
    [
        "all",
        "all of them",
        "all three",
        "all four",
        "each",
        "each of them",
        "everyone",
        "everybody",
        "they",
        *_OF_TWO,
        *_OF_NONE,
    ]
)
"""Words for all those whose rolls were told, or for none of them."""
_ROLLS = {"save_rolled": "succeeded", "dice_rolled": "succeeded", "attack_rolled": "hit"}
"""The facts of rolls, with the field that has their outcome."""


def goes_for_all(parts: Sequence[Part]) -> bool:
    """Say whether words begin with an outcome for all of several, and with no number: both fail; none of them make their saves."""
    told = [*takewhile(_belongs, parts)]
    return (
        bool(told)
        and told[0].text in OF_ALL
        and len(_outcomes(told)) == 1
        and told[-1].role == "word"
        and not _counts(parts[len(told) :])
    )


def _belongs(part: Part) -> bool:
    """Say whether a part may be one of the words for a common outcome."""
    if part.role == "pronoun" or part.text in OF_ALL:
        return True
    return (
        part.role == "word"
        and (_outcome(part) is not None or part.is_("filler", "adverb", "save", "become"))
        and part.text not in _GOES_ON
    )


_GOES_ON = ("and", "so", "but", "then")


def _counts(behind: Sequence[Part]) -> bool:
    """Say whether a number follows at once, which tells more of each: both hit 5."""
    return any(part.number is not None for part in behind[:1])


def _outcome(part: Part) -> bool | None:
    """Return the outcome that a word is; None for others."""
    if part.role != "word" or not (part.is_(*_GOOD, *_BAD) or part.item.is_verb(*_GOOD, *_BAD)):
        return None
    return not (part.is_(*_BAD) or part.item.is_verb(*_BAD))


_OF_BLOWS = ("hit", "miss")
_GOOD = ("success", "hit", "succeed", "save")
_BAD = ("failure", "miss", "fail")


def _outcomes(told: Sequence[Part]) -> list[Part]:
    """Return the words for an outcome; a save is one only where no other word is: both make their saves, both save."""
    goes = [part for part in told if _outcome(part) is not None]
    return [part for part in goes if not part.is_("save")] or goes


def open_rolls(thread: Thread) -> Facts:
    """Return the rolls of a kind at the end of the report that have no outcome, the first first."""
    kind = next((fact["type"] for fact in reversed(thread.facts) if fact["type"] in _ROLLS), "")
    rolls = (fact for fact in reversed(thread.facts) if fact["type"] in (kind, "action_taken"))
    found = takewhile(lambda fact: fact["type"] == "action_taken" or _ROLLS[kind] not in fact, rolls)
    return [fact for fact in found if fact["type"] == kind][::-1]


def common_outcome(clause: Sequence[Part]) -> bool | None:
    """Return the outcome of saves that a clause consists of, for all or none: they all fail; None for other clauses."""
    told = [part for part in clause if part.role != "mark" and part.text not in ("and", "so", "but", *ARTICLES)]
    if not told or not goes_for_all(told) or not all(map(_belongs, told)) or told[0].text in _OF_TWO:
        return None
    goes = _outcomes(told)[0]
    if goes.is_(*_OF_BLOWS) or goes.item.is_verb(*_OF_BLOWS):
        return None
    return _outcome(goes) is not (told[0].text in _OF_NONE)


def settles_all(clause: Sequence[Part], thread: Thread) -> bool:
    """Give all rolls of the line that have no outcome the common one that a clause consists of, and say whether it is one; only orc 3 saves means that the others fail."""
    told = [part for part in clause if part.role != "mark" and part.text not in ("and", "so", "but", *ARTICLES)]
    rolls = open_rolls(thread)
    if len(rolls) < 2 or not told:
        return False
    goes = _outcomes(told)
    spared = _only(told)
    if len(goes) != 1 or not (spared or (goes_for_all(told) and all(map(_belongs, told)))):
        return False
    if not spared and len(rolls) != 2 and told[0].text in _OF_TWO:
        return False
    if (rolls[0]["type"] == "attack_rolled") is not (goes[0].is_(*_OF_BLOWS) or goes[0].item.is_verb(*_OF_BLOWS)):
        return False  # both save, behind rolls that may be those of blows
    outcome = _outcome(goes[0]) is not (told[0].text in _OF_NONE)
    for fact in rolls:
        fact[_ROLLS[fact["type"]]] = outcome is (not spared or fact.get("combatant") in spared)
    thread.target = tuple(fact.get("target" if fact["type"] == "attack_rolled" else "combatant", "") for fact in rolls)
    return True


def _only(told: Sequence[Part]) -> tuple[str, ...]:
    """Return for whom alone an outcome holds: only orc 3 saves; nobody if it is none of one alone."""
    words = [part.role for part in told]
    return told[1].people.ids if told[0].text in ("only", "just") and words == ["word", "who", "word"] else ()
