"""Joining: the meanings of a line about newcomers, and whether they are certain."""

from collections.abc import Sequence
from itertools import pairwise

from msgspec.structs import replace

from projections.open_types import Facts
from projections.reader.arrivals import whom_it_plays
from projections.reader.composition import Reading
from projections.reader.newcomers import Newcomer, facts_of
from projections.reader.rollcall import RollCall, tells_of_deeds
from projections.reader.scene import Scene, singular
from projections.reader.tags import Item, side_in_words


def newcomers(scene: Scene, items: Sequence[Item]) -> list[Reading]:
    """Return the meanings of a line about newcomers, one for each creature of the game's tables that a name may mean; none if it is no such line."""
    if not items or items[0].is_("undo", "correction"):
        return []
    call = RollCall(scene, items)
    if not call.read() or not call.people or call.vague or tells_of_deeds(items):
        return []
    people = call.people
    if not call.side:
        _take_sides(scene, people)
    if any(item.is_("morale") for item in items):
        return []
    side = call.side or _of_those_before(scene, items) or _with_the_party(scene, people)
    side = side or _against(scene, items, people)
    likely = [_named_by_a_table(scene, each) for each in people]
    if not call.joins and not all(each.is_introduced for each in people):
        bare = [(each, near) for each, near in zip(people, likely, strict=True) if not each.is_introduced]
        known = all(each.listed or near for each, near in bare)
        known = known and not any(each.notes for each in people)  # wolves 1-4 are hungry
        headed = call.listed and call.side and all(each.counted or each.article for each, _ in bare)
        if not known or call.unread or (call.measured and not headed):
            return []
    if any(near and not each.has_stats for each, near in zip(people, likely, strict=True)):
        return _offered(scene, people, likely, side, tuple(call.unread))
    facts = _played(facts_of(scene, people, side), people, items)
    plain = (
        call.joins or call.measured or all(each.listed or each.more or each.called or each.hidden for each in people)
    )
    if facts is None or (not plain and (call.unread or scene.goes_on)):
        return []
    vague = any(item.is_("of_us") for item in call.items) and not all(one.has_stats for one in people)
    doubtful = vague + (not plain) + sum(not _is_certain(scene, one, call) for one in people)
    return [Reading(facts, ("join",), tuple(call.unread), guesses=call.guesses + doubtful)]


def _played(facts: Facts | None, people: Sequence[Newcomer], items: Sequence[Item]) -> Facts | None:
    """Return the facts by which somebody joins, with a remark on whom the writer plays, where a line says so of one newcomer."""
    said = whom_it_plays(items)
    if not facts or not said or len(people) != 1 or people[0].counted:
        return facts
    called = " ".join(people[0].words)
    text = said if called in said else f"{said} {called}" if said[:1] in "iI" else f"{said}: {called}"
    return [*facts, {"type": "noted", "text": text, "event": 0}]


def _take_sides(scene: Scene, people: Sequence[Newcomer]) -> None:
    """Put people and the creatures against them on the sides of the party and its foes, where the fight begins with them and the line names no side: Ana 20 hp, Bo 12 hp vs 3 orcs 7 hp."""
    those, others = [one for one in people if not one.opposed], [one for one in people if one.opposed]
    if scene.here or not (those and others) or any(one.side for one in people):
        return
    creatures = [all(one.counted or one.article or one.listed for one in each) for each in (those, others)]
    if creatures not in ([False, True], [True, False]) or any(
        one.counted for one in (those, others)[creatures[0] is True]
    ):
        return
    for one in people:
        one.side, one.opposed = "foes" if one.opposed is creatures[1] else "party", False


_BESIDE = ("with", "beside", "next to", "alongside")
COMPANIONS = frozenset(
    [
        "ally",
        "bystander",
        "captive",
        "child",
        "commoner",
        "companion",
        "dog",
        "familiar",
        "follower",
        "guard",
        "guide",
        "henchman",
        "henchmen",
        "hireling",
        "horse",
        "hostage",
        "linkboy",
        "man-at-arms",
        "men-at-arms",
        "mercenary",
        "militia",
        "mount",
        "mule",
        "pony",
        "porter",
        "prisoner",
        "retainer",
        "soldier",
        "squire",
        "torchbearer",
        "townsman",
        "townsmen",
        "villager",
        "warhorse",
    ]
)
"""The kinds of creatures that are against the party unless another side is named."""


_LEADS = (
    "lead",
    "leads",
    "leading",
    "led",
    "command",
    "commands",
    "commanding",
    "head",
    "heads",
    "heading",
    "rules",
    "bosses",
    "captains",
    "with",
    "among",
    "alongside",
    "beside",
)
"""Words behind which those stand on whose side somebody is: Drusk leads them, with them is an ogre."""
_OPPOSITE = ("against", "facing", "face", "faces", "opposing", "oppose", "opposes", "versus", "vs", "before", "behind")
"""Words before those on whose side nobody is: four bandits against them."""


def _of_those_before(scene: Scene, items: Sequence[Item]) -> str:
    """Return the side of all who are there, where somebody is said to join them, or to be beside one of them: Ysolde joins them; of
    those who joined last, where somebody is theirs: and their chief Gruk, Drusk leads them; "" for others.
    """
    them = any(
        (one.is_verb("join") or one.text in _BESIDE) and other.text in ("them", "him", "her")
        for one, other in pairwise(items)
    )
    sides = {one.side if one.side != one.id else "" for one in scene.here}
    if them and len(sides) == 1:
        return sides.pop()
    pairs = [("", items[0].text), *((one.text, other.text) for one, other in pairwise(items))]
    theirs = any(
        (other == "their" and one not in _OPPOSITE)
        or (other == "them" and one.split()[-1:] and one.split()[-1] in _LEADS)
        for one, other in pairs
    ) and not any(item.is_verb("join") for item in items)
    led = any(item.typed.casefold().endswith("led by") for item in items[:4])
    if not (theirs or led):
        return ""
    first, end = scene.context.memory.lines[-1] if scene.context.memory.lines else (0, 0)
    last = {one.side if one.side != one.id else "" for one in scene.here if first <= one.joined <= end}
    return last.pop() if len(last) == 1 else ""


def _with_the_party(scene: Scene, people: Sequence[Newcomer]) -> str:
    """Return the side of the party, where sides roll and people with names and classes join, or with names before anybody is against the party; "" for others."""
    sides = {one.side for one in scene.here if one.side}
    party = side_in_words(scene, "party").side or "party"
    named = all(
        one.words
        and one.words[0][:1].isupper()
        and not (one.counted or one.article or one.known or one.listed or one.side)
        for one in people
    )
    first = all(one.classes for one in people) or sides <= {party}
    return party if scene.has_sides and named and first else ""


def _against(scene: Scene, items: Sequence[Item], people: Sequence[Newcomer]) -> str:
    """Return the side against the party, where sides roll and a line brings creatures without a side: six gnolls come
    round the corner; "" for others.
    """
    sides = {one.side for one in scene.here if one.side and one.side != one.id}
    party = side_in_words(scene, "party").side
    known = side_in_words(scene, "foes").side
    if not scene.has_sides or not party or (sides - {party} and not known):
        return ""
    creatures = all((one.counted or one.article in ("a", "an")) and not (one.known or one.classes) for one in people)
    plain = all(one.words and one.words[0].islower() and not (one.side or one.magic or one.thing) for one in people)
    if not (creatures and plain) or any(item.is_("party") for item in items):
        return ""
    if any(singular(one.words[-1]) in COMPANIONS for one in people):
        return ""
    return known or "foes"


def _is_certain(scene: Scene, one: Newcomer, call: RollCall) -> bool:
    """Say whether a newcomer certainly joins, and is neither a thing nor somebody already in the fight: a dagger with 4 hp."""
    if one.known or one.counted or one.classes or call.joins == "join":
        return True
    told = one.is_introduced or bool(one.listed)
    if told and (call.joins or call.side or call.stands or one.article in ("a", "an", "another")):
        return True
    return bool(one.points) and not one.magic and ("ac" in one.sheet or not (one.thing or scene.goes_on))


def without_capitals(items: Sequence[Item]) -> list[Item]:
    """Return items with capitals removed from words that mean something, if every word of the line has one: Odalys Joins The Party."""
    words = [item for item in items if item.kind in ("word", "who")]
    if len(words) < 3 or not all(item.typed[:1].isupper() for item in words):
        return list(items)
    return [replace(item, typed=item.typed.casefold()) if item.senses else item for item in items]


def _named_by_a_table(scene: Scene, one: Newcomer) -> tuple[str, ...]:
    """Give a newcomer the name that the game's tables have for it, or return the names that may be meant: 4 goblins, an owlbear."""
    if not one.words:
        return ()
    listed, likely = scene.state.rules.kinds(scene.state, " ".join(one.words))
    one.listed = listed
    return likely if not listed else ()


def _offered(
    scene: Scene, people: list[Newcomer], likely: list[tuple[str, ...]], side: str, unread: tuple[str, ...]
) -> list[Reading]:
    """Return those who join under each name that may be meant, and under the one typed, to be asked about."""
    found = []
    for place in range(max(map(len, likely))):
        names = [near[min(place, len(near) - 1)] if near else "" for near in likely]
        meant = [
            replace(each, listed=name, words=name.split("-")) if name else each
            for each, name in zip(people, names, strict=True)
        ]
        found.append(facts_of(scene, meant, side))
    return [Reading(facts, ("join",), unread, guesses=1) for facts in found if facts]
