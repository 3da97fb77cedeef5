"""A line in several parts, each of which is certain by itself, told one behind the other; parts that nobody can read are left out of what is offered."""

from collections.abc import Callable, Sequence

from msgspec import structs

from projections.reader.composition import PRONOUNS, Reading, further
from projections.reader.lexicon import ARTICLES
from projections.reader.scene import Scene
from projections.reader.tags import NOTHING, Item

Read = Callable[[Scene, list[Item]], Reading | None]

MOST_PARTS = 6
"""The most parts into which a line is cut."""
_MARKS = (",", ";", ".", ":", "-", "–", "—", "!", "...", "…", "!!")
_WORDS = ("and", "then", "but", "&", "while", "so")
_LEADS = frozenset({*ARTICLES, *_WORDS, "now", "also", "next", "finally", "it", "is", "'s", "it's", "that", "that's"})
"""Words that may stand before the subject of a part."""
_HELD_TOGETHER = (
    "if",
    "when",
    "unless",
    "until",
    "till",
    "once",
    "because",
    "since",
    "or",
    "either",
    "neither",
    "nor",
    "not",
)
"""Words with which parts of a line belong together."""
_TIMES = ("round", "segment", "top_of_round", "initiative", "surprise", "fight")
"""The kinds of words that begin what is told of nobody: round 2 begins, initiative: Ana 12."""


def apart(scene: Scene, items: Sequence[Item], read: Read) -> list[Reading]:
    """Return what the parts of a line tell, each certain by itself, with the fewest words of others left out: 3 minutes pass, and Bo hides; nothing if no part is certain."""
    if any(item.kind == "word" and item.text in _HELD_TOGETHER for item in items):
        return []
    breaks = [(at, end) for at, end in _breaks(items) if at > 0 and end < len(items)]
    if not 0 < len(breaks) < MOST_PARTS:
        return []
    starts = [0, *(end for _, end in breaks)]
    ends = [*(at for at, _ in breaks), len(items)]
    best: list[Reading | None] = [Reading([])]
    for last in range(len(ends)):
        ways: list[Reading] = []
        for first in range(last + 1):
            before = best[first]
            run = list(items[starts[first] : ends[last]])
            if before is None or (first == 0 and last == len(ends) - 1) or (first and _means_somebody(run)):
                continue
            if first == last and _may_be_left_out(run, begins=first == 0):
                ways.append(structs.replace(before, unread=(*before.unread, *_content(run))))
            if (first == 0 or begins_anew(run)) and not _goes_on(items, ends[last]):
                told = read(Scene(scene.context).after(before.facts), run)
                if told and not _depends(scene, before, told):
                    ways.append(_behind(before, told))
        best.append(min(ways, key=lambda each: len(each.unread), default=None))
    made = best[-1]
    return [structs.replace(made, guesses=bool(made.unread))] if made and made.facts else []


def _depends(scene: Scene, before: Reading, told: Reading) -> bool:
    """Say whether what a part tells may be otherwise behind the parts before it: points behind an act, of which they may be
    no points at all; an act behind the dice that begin its segment.
    """
    acts = any("action" in fact for fact in before.facts)
    outcome = all(fact["type"] in ("healed", "damage_dealt", "save_rolled") for fact in told.facts)
    return (acts and outcome) or (told.acts and scene.has_sides and "initiative" in before.frames)


def _means_somebody(run: Sequence[Item]) -> bool:
    """Say whether a part has a pronoun of somebody named in the parts before it: bo drops him."""
    return any(item.is_("pronoun_object") and item.who is None for item in run)


def _may_be_left_out(run: Sequence[Item], *, begins: bool) -> bool:
    """Say whether a part has a word that nobody knows, and is apart from the others: gob frobs Bo, the first of a line that has no number."""
    unknown = any(item.kind == "word" and not (item.senses or item.text in _LEADS) for item in run)
    return unknown and (begins_anew(run) or (begins and not any(item.number for item in run)))


def _breaks(items: Sequence[Item]) -> list[tuple[int, int]]:
    """Return the places between which marks and words stand that may end one part and begin another."""
    found: list[tuple[int, int]] = []
    for at, item in enumerate(items):
        breaks = (item.kind == "mark" and item.text in _MARKS) or (item.kind == "word" and item.text in _WORDS)
        if breaks and found and found[-1][1] == at:
            found[-1] = (found[-1][0], at + 1)
        elif breaks:
            found.append((at, at + 1))
    return found


def begins_anew(items: Sequence[Item]) -> bool:
    """Say whether a part has a subject of its own, which is no further name of a list: gob flees, round 2 begins, 3 minutes pass."""
    at = next((at for at, item in enumerate(items) if item.text not in _LEADS), len(items))
    first, behind = (*items[at : at + 2], NOTHING, NOTHING)[:2]
    if first.who is not None:
        return first.text not in PRONOUNS and behind is not NOTHING and behind.number is None
    if first.number is not None and not first.values:
        return behind.is_("unit")
    return first.kind in ("word", "ordinal") and (
        first.is_(*_TIMES) or behind.is_(*_TIMES) or first.text in ("end", "start", "new", "morale")
    )


def _goes_on(items: Sequence[Item], end: int) -> bool:
    """Say whether a list of names continues behind a part."""
    behind = [item for item in items[end : end + 5] if item.text not in _LEADS and item.kind != "mark"]
    listed = bool(behind) and behind[0].who is not None and end > 0 and items[end - 1].who is not None
    at = next((at for at in range(end, len(items)) if items[at].who), len(items))
    return listed and (
        at + 1 >= len(items) or items[at + 1].text in (*_MARKS, *_WORDS) or items[at + 1].number is not None
    )


def _content(items: Sequence[Item]) -> list[str]:
    """Return the words of a part that carry meaning, as typed."""
    return [
        item.typed
        for item in items
        if item.kind != "mark" and not (item.text in _LEADS or item.is_("filler", "adverb"))
    ] or [item.typed for item in items]


def _behind(before: Reading, told: Reading) -> Reading:
    """Return a reading with another one behind it."""
    return structs.replace(
        before,
        facts=[*before.facts, *(further(fact, len(before.facts)) for fact in told.facts)],
        frames=(*before.frames, *told.frames),
        acts=before.acts if before.facts else told.acts,
    )
