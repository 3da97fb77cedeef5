"""Deeds that people forgot to report: a line with such a beginning reports the rest of it without moving the clock."""

import re
from collections.abc import Sequence

from msgspec import structs

from projections.reader.composition import Reading
from projections.reader.tags import Item

_SAY = "say|mention|add|note|tell you|tell|write|write down|record|log|type|enter|put|put in|include|count|do"
_LEAD = (
    r"(?:(?:oh|and|also|so|but|wait|sorry|oops|ah|actually|no|oh no|damn|hang on|hold on|, |- |: ) ?)*"
    r"(?:(?:i|we|the dm|just|also|totally|completely|almost|nearly|have|had|ha|'ve|already) )*"
    rf"(?:(?:forgot|forgotten)(?: (?:again|earlier|before))?(?: to (?:{_SAY}))?|should(?: have|'ve)? (?:said|mentioned|noted|added)|left out)"
    r"(?: (?:that|about|the fact that|also|here))*(?: (?:,|:|-|–|—|\.\.\.|…))?(?: (?:that|also))?(?= )"
)
_CALLED = ("forgot", "should", "left out")
"""Of these the beginning has one."""
_WHEN = r"(?:back )?(?:in|during|from|at the end of|at the start of|on) (?:the )?(?:round \d+|last round|first round|\w+ round)$"
_NOT_TOLD = ("turn_started", "turn_ended", "round_started", "round_ended", "encounter_closed.2", "segment_reached")
"""Words for things that are no forgotten deed, but may be meant to happen now."""


def remembered(items: list[Item]) -> tuple[list[Item], str | None]:
    """Return the items after the words that mark a forgotten deed, and the round that the line names, as typed, ""
    without one; all items and None if it has no such words.
    """
    text, ends = "", [0]
    for item in items:
        text += f"{item.text} "
        ends.append(len(text))
    found = re.match(_LEAD, text) if any(word in text for word in _CALLED) else None
    if found is None or found.end() + 1 not in ends:
        return items, None
    rest = items[ends.index(found.end() + 1) :]
    if not rest or rest[0].text in ("to", "?", "how", "what", "who", "whose", "when", "where", "why"):
        return items, None  # forgot to attack
    return _without_time(rest)


def _without_time(items: list[Item]) -> tuple[list[Item], str]:
    """Return items without the round that they name at their end, and that round as typed."""
    end = len(items)
    while end and items[end - 1].kind == "mark":
        end -= 1
    for start in range(max(end - 6, 1), end):
        said = " ".join(str(item.number.value) if item.number else item.text for item in items[start:end])
        if re.fullmatch(_WHEN, said):
            return items[:start], " ".join(item.typed for item in items[start:end])
    return items, ""


def told(found: Sequence[Reading], when: str) -> list[Reading]:
    """Return readings of a forgotten deed: without moving the clock, with its round as a remark, and only likely if
    they are about the clock, or an act in an earlier round.
    """
    made = []
    for each in found:
        acts = bool(when) and any("action" in fact or fact["type"] == "moved" for fact in each.facts)  # in that round
        times = acts or any(fact["type"] in _NOT_TOLD for fact in each.facts)
        remark = [{"type": "noted", "text": when, "event": 0}] if when and each.facts else []
        made.append(structs.replace(each, facts=[*each.facts, *remark], acts=False, guesses=each.guesses + times))
    return made
