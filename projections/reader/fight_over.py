"""Words that say that the fight is over: alone, after the act that ended it, or before its outcome."""

from collections.abc import Sequence

from projections.reader.parts import Part

_STOPS = ("and", "so", "but", "with", "because", "as", "since", "after", "thanks to")
"""Words that continue a complete sentence."""
_NOT_YET = ("if", "when", "until", "till", "before", "unless", "once", "let", "hand", "final", "initial")
"""Words by which the fight is not over yet, or not as a whole, though they add nothing elsewhere."""
_OTHERS = ("turn", "round", "segment", "surprise", "initiative", "unit")
"""Kinds of other things that end."""
_ENDED = ("over", "end", "won", "lost", "done", "finished", "ended", "complete")
_POINTS = ("that's", "that is", "that was", "this was", "'s", "is", "was", "'twas")


def end_of_fight(parts: Sequence[Part], place: int) -> int:
    """Return where the words that say the fight is over end, if they begin at a place; 0 if they do not.

    They name the fight and say that it ends, or are a phrase that says so by itself: combat is over, that ends the
    battle, that's the fight, we won.
    """
    if _is_awaited(parts, place):
        return 0
    if not place and [part.text for part in parts if part.role != "mark"] == ["the", "end"]:
        return len(parts)
    if (end := side_wins(parts, place)) or (not _is_of_it(parts[place]) and not _leads(parts, place)):
        return end
    end = place
    while (
        end < len(parts)
        and (_is_of_it(parts[end]) or _is_where(parts, end))
        and not (end > place and _stops(parts, end))
    ):
        end += 1
    said = parts[place:end]
    last = next((at for at in reversed(range(len(said))) if _is_core(said[at])), -1)
    behind = parts[end] if end < len(parts) else None
    if last < 0 or not _says_it(said) or not (behind is None or behind.role == "mark" or _stops(parts, end)):
        return 0
    return place + last + 1


def _is_awaited(parts: Sequence[Part], place: int) -> bool:
    """Say whether the words at a place follow a word by which the fight is not over yet: until the fight ends."""
    before = [part for part in parts[:place] if part.text not in ("the", "this", "that", "our")]
    return bool(before) and before[-1].role == "word" and before[-1].text in _NOT_YET


def side_wins(parts: Sequence[Part], place: int) -> int:
    """Return where the words that say a side has won the fight end, as a line or a sentence; 0 if they do not begin at
    the place: the party wins, the foes have won the battle.
    """
    place += parts[place].text == "the"
    part = parts[place] if place < len(parts) else None
    if part is None or part.role != "who" or not part.people.side or part.joined or part.owner:
        return 0
    at = place + 1
    while at < len(parts) and parts[at].text in ("has", "have"):
        at += 1
    verb, at = parts[at].text if at < len(parts) else "", at + 1
    behind = at
    while at < len(parts) and (parts[at].text in ("the", "this", "day") or parts[at].is_("fight")):
        at += 1
    wins = verb in ("win", "wins", "won") or (verb in ("lose", "loses", "lost") and at > behind)
    return at if wins and (at == len(parts) or parts[at].role == "mark" or _stops(parts, at)) else 0


def _leads(parts: Sequence[Part], place: int) -> bool:
    """Say whether a conjunction stands before the words that end the fight: and that's the fight."""
    return parts[place].text in ("and", "so") and place + 1 < len(parts)


def _stops(parts: Sequence[Part], at: int) -> bool:
    """Say whether the sentence continues after the words that end the fight; "with that" leads to them instead."""
    with_that = parts[at].text == "with" and at + 1 < len(parts) and parts[at + 1].text in ("that", "this", "which")
    return parts[at].text in _STOPS and not with_that


def _is_of_it(part: Part) -> bool:
    """Say whether a part can be one of the words that end a fight: such a word, or one that adds nothing."""
    if part.role == "pronoun":
        return part.text == "it"
    if part.text == "'s":
        return True  # the fight's over
    if part.role != "word" or part.text in _NOT_YET or part.is_(*_OTHERS):
        return False
    return _is_core(part) or part.is_("filler", "become")


def _is_where(parts: Sequence[Part], at: int) -> bool:
    """Say whether a word that nobody knows says where the fight was: the battle on the moor was over."""
    before = [part.text for part in parts[max(at - 2, 0) : at]]
    noun = parts[at].role == "word" and not parts[at].item.senses
    fight = at > 2 and parts[at - 3].role == "word" and parts[at - 3].is_("fight")
    return noun and fight and before[:1] in (["on"], ["in"], ["at"], ["of"]) and before[1:] == ["the"]


def _is_core(part: Part) -> bool:
    return part.role == "word" and (
        part.is_("fight", "over") or part.text in _ENDED or part.item.is_verb("finish", "end")
    )


def _says_it(said: Sequence[Part]) -> bool:
    """Say whether words say that the fight is over."""
    if any(part.is_("over") for part in said):
        return True
    if not any(part.is_("fight") for part in said):
        return False
    if any(part.text in _ENDED or part.item.is_verb("finish", "end") for part in said):
        return True
    at = next(at for at, part in enumerate(said) if part.is_("fight"))
    return at == len(said) - 1 and any(part.text in _POINTS for part in said[:at])
