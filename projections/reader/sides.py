"""Sides: lines that put somebody in the fight on another side, by a ruling that holds from then on."""

import re
from collections.abc import Iterable, Sequence

from eventstore.form import is_id
from projections.grammar import names
from projections.grammar.line_context import Gap
from projections.reader.composition import Reading
from projections.reader.scene import Scene, distinct
from projections.reader.tags import Item, side_in_words

_US = (
    "us|our|the party|party|the group|the heroes|heroes|the pcs|pcs|the good guys|good guys|the players|the adventurers"
)
_THEM = (
    "the foes?|foes?|the enem(?:y|ies)|enem(?:y|ies)|the monsters?|monsters|the bad guys|bad guys|the opposition|their"
)
_WORDS = {"party": _US, "foes": _THEM}
_BE = (
    r"(?:is|are|'s|'re|becomes?|became|counts? as|turns? out to be|turn(?:s|ed)?)(?: (?:now|all|both|actually|really))*"
)
_GOES = (
    r"(?P<goes>joins?|joined|sides? with|sided with|fights? for|fights? alongside|defects? to|defected to|"
    r"(?:switch|chang)(?:es|ed|e)?(?: over)? to|(?:goes|go|comes?|came|went) over to)"
)
_SAID = (
    (
        "foes",
        rf"{_BE} (?:an? |the |our )?(?:foes?|enem(?:y|ies)|hostiles?|monsters?|bad guys?)(?: (?:to|of) (?:{_US}))?",
    ),
    ("foes", rf"(?:{_BE} against|turn(?:s|ed)? (?:against|on)) (?:{_US})"),
    ("party", rf"{_BE} (?:an? |the |our )?(?:all(?:y|ies)|friends?|friendly|allied)(?: (?:to|of|with) (?:{_US}))?"),
    ("party", rf"(?:{_BE} against|turn(?:s|ed)? (?:against|on)) (?:{_THEM})"),
)
"""Words that put somebody with the party or against it by themselves."""
_ON = (
    rf"(?:{_BE} (?:on|with|one of|part of)|{_GOES}) "
    r"(?:(?:the )?side (?:of )?(?P<of>.+)|(?P<whose>.+?)(?:'s?)? (?:side|team)|(?P<whom>.+))"
)
_CHOOSES = re.compile("side|fight|defect")
"""The verbs for a change to a side that one of its members names; "joins" and "comes over to" may also mean a move beside them: comes over to bo; and "changes to", an aim: changes to ghoul 2."""
_CHANGES = (
    r"(?:changes?|changed|switch(?:es|ed)?|swaps?|swapped) (?:sides?|teams?)|turn(?:s|ed)? coat|defect(?:s|ed)?|"
    rf"{_GOES} the other (?:side|team)"
)
_VERBS = re.compile("is|are|'|turn|becom|becam|count|join|side|fight|defect|switch|chang|swap|go|com|came|went")
"""The beginnings of the verbs of all these."""
_LAST = re.compile(r"(?: now)?[.!\s]*$")


def side_said(scene: Scene, items: Sequence[Item], line: str) -> list[Reading] | None:
    """Return the ruling by which those named are on another side: goblin-1 changes sides; None if a line is about no side."""
    people = _subject(items)
    if not people:
        return None
    whom = distinct(who for item in people if item.who for who in item.who.ids)
    said = _LAST.sub("", line[people[-1].end :].strip().casefold().replace("’", "'"))
    if not _VERBS.match(said):
        return None
    if re.fullmatch(_CHANGES, said):
        return _ruled(scene, whom, _other(scene, whom), "on which side they are now is not said")
    side = next((_side(scene, kind) for kind, form in _SAID if re.fullmatch(form, said)), "")
    if not side and (found := re.fullmatch(_ON, said)):
        if found["whom"]:
            side = _with(scene, found["whom"], goes=_CHOOSES.match(found["goes"] or "") is not None)
        else:
            new = bool(found["goes"]) or re.search(r"'s? (?:side|team)$|\bside (?!of\b)\S+$", said) is not None
            side = _named(scene, found["of"] or found["whose"], whom, new=new)
    return _ruled(scene, whom, side, "") if side else None


def _subject(items: Sequence[Item]) -> Sequence[Item]:
    """Return the items that name the subject of a line, at its beginning; none if the subject is uncertain."""
    end = last = 0
    while end < len(items):
        item = items[end]
        if item.who is not None and item.who.ids and not (item.who.slip or item.who.likely):
            last = end + 1
        elif item.text not in ("the", "all", "both", ",", "&", "and"):
            break
        end += 1
    return items[:last]


def _side(scene: Scene, kind: str) -> str:
    """Return the party's side, or that of their foes."""
    return side_in_words(scene, kind).side or kind


def _with(scene: Scene, said: str, *, goes: bool) -> str:
    """Return the side that is named without the word side: joins the foes, is with us. A combatant's name means their
    side only where somebody `goes` there, since one may also be beside another.
    """
    for kind, words in _WORDS.items():
        if re.fullmatch(words, said):
            return _side(scene, kind)
    word = names.folded(re.sub("^the ", "", said))
    beside = scene.exactly(word)
    if goes and len(beside) == 1 and scene.side_of(beside[0]) != beside[0]:
        return scene.side_of(beside[0])
    return scene.side(word) if word not in scene.called else ""


def _named(scene: Scene, said: str, whom: Sequence[str], *, new: bool) -> str:
    """Return the side of this name, or of the combatant named; "" if there can be none. A `new` side may be named, too,
    except by a place, such as the left side or the side of the road.
    """
    if said in ("its own", "his own", "her own", "their own"):
        return whom[0] if len(whom) == 1 else ""
    if (side := _with(scene, said, goes=True)) or said == "the other":
        return side
    word = names.folded(re.sub("^the ", "", said))
    return word if new and is_id(word) and word not in scene.state.combatants else ""


def _other(scene: Scene, whom: Iterable[str]) -> str:
    """Return the other one of two sides; "" if there are more, or these combatants are on several."""
    sides = {one.side for one in scene.here if one.side != one.id}
    own = {scene.side_of(who) for who in whom}
    others = sides - own
    return others.pop() if len(own) == 1 and own <= sides and len(others) == 1 else ""


def _ruled(scene: Scene, whom: Sequence[str], side: str, unclear: str) -> list[Reading]:
    """Return the ruling that changes the side of those who are not on it yet; nothing, with the reason in the scene, if there are none."""
    if not side:
        scene.gap = Gap(unclear, f"such as: {whom[0]} joins the party, {whom[0]} is a foe")
        return []
    moved = [who for who in whom if scene.side_of(who) != side]
    if not moved:
        called = " and ".join(scene.state.combatants[who].name for who in whom[:3])
        scene.gap = Gap(f"{called} {'is' if len(whom) == 1 else 'are'} on the side {side} already", "")
        return []
    called = ", ".join(scene.state.combatants[who].name for who in moved)
    values = {f"{who}.side": side for who in moved}
    decision = f"{called} {'is' if len(moved) == 1 else 'are'} on the side {side}"
    return [Reading([{"type": "ruling_made", "ruling": "override", "values": values, "decision": decision}], ("side",))]
