"""Initiative: of sides, individuals and kinds; reported as such, or as names with numbers before the order is known."""

from collections.abc import Sequence
from itertools import pairwise

from msgspec import structs

from projections.grammar.line_context import closing
from projections.open_types import Facts, Fields
from projections.reader import remains
from projections.reader.composition import Reading
from projections.reader.lexicon import ARTICLES
from projections.reader.scene import People, Scene
from projections.reader.tags import Item, side_in_words
from projections.reader.tokens import Number

_DASHES = ("–", "—")
"""Marks between a name and its initiative, or before points that are lost."""
_BARE = (",", ";", ":", ".", "&", "/", *_DASHES)
"""Marks that join names and numbers without a word."""
_MARKS = (*_BARE, "-", "(", ")", "...", "…", "!", "!!", "=")
_FIRST_GO = ("go", "goes", "act", "acts", "move", "moves", "are", "is")
"""Verbs of those who are first: monsters go first, 6 to 2."""
_GO = ("go", "goes", "went", "going", "act", "acts", "acted", "acting")
_ON = ("on", "at", "@")
_GO_ON = tuple(f"{verb} on" for verb in ("go", "goes", "went", "act", "acts", "acted"))
"""Words for a place in an order that is not known yet: the goblins went on 14."""
_TOLD = (
    *("initiative", "filler", "rolled", "and", "for", "become", "gain", "adverb", "to", "with", "next", "take"),
    *("owns", "for_each", "will"),
)
"""Kinds of words beside initiative."""
_BETWEEN = ("filler", "rolled", "and", "become", "gain", "adverb", "to", "owns", "for_each", "first", "next")
"""Kinds of words between names and numbers that are initiative where the order is not known yet."""
_OTHERWISE = (
    "hit",
    "miss",
    "save",
    "damage",
    "points",
    "type",
    "surprise",
    "condition",
    "cost_lair",
    "armor",
    "length",
    "needed",
)
OURS, THEIRS = ("us", "we", "our", "ours", "we win", "we won"), ("them", "they", "their", "theirs")
"""Words for the two sides whose order is reported: us 5, them 2."""
_ALIKE = (
    "apiece",
    "all",
    "level",
    "even",
    "tie",
    "tied",
    "ties",
    "tying",
    "both",
    "each",
    "both sides",
    "sides",
    "a tie",
)

Pair = tuple[People, Number]


def initiative(scene: Scene, items: list[Item], _line: str) -> list[Reading] | None:
    """Return the meanings of a line about initiative; None if it is not about that."""
    if any(one.text in ("against", "of") and other.text in (*OURS, *THEIRS) for one, other in pairwise(items)):
        return None  # 5 to 3 against us; 5 of us, 3 of them
    if remains.ends_a_round(items):
        return None
    begun, items = _round(scene, items)
    items, likely = _without_a_lead(scene, _spread(_behind_heading(_with_sides(scene, items))))
    if not items or (items[0].text == "i" and not (len(items) > 1 and (items[1].who or items[1].text == ":"))):
        return None
    items, leads = _without_order(items)
    cue = [at for at, item in enumerate(items) if _is_cue(scene, items, at)]
    if begun and not cue:
        return None
    made = _told(scene, _summed(items) if cue else items, cue)
    kept = [each for each in made or () if not leads or _is_led_by(scene, each.facts, leads)]
    if len(kept) == 1 and made and len(made) == 2:
        kept = [structs.replace(kept[0], guesses=0)]  # 3 to 5, they go first
    if not kept:
        return None
    made = kept
    return [structs.replace(each, facts=[*begun, *each.facts], guesses=each.guesses + likely) for each in made]


def _without_a_lead(scene: Scene, items: list[Item]) -> tuple[list[Item], bool]:
    """Return items without what happens before a list of rolls that are due, and whether that is other than dice: the bones rattle: heroes 4, villains 2."""
    first = next((at for at, item in enumerate(items) if item.who or _dice(item) or item.is_("initiative")), 0)
    lead = items[:first]
    while lead and lead[-1].text in (*ARTICLES, "for", "on"):
        lead = lead[:-1]
    words = [item for item in lead if item.kind != "mark" and item.text not in ARTICLES]
    known = all(item.is_(*_BETWEEN) for item in words)
    thrown = any(item.text in _DICE_WORDS for item in words)
    marked = bool(lead) and lead[-1].kind == "mark"
    other = any(item.is_(*_NO_DICE) or (item.is_("type", "spell") and not thrown) for item in lead)
    if known or other or not scene.unordered or not (marked or thrown):
        return items, False
    named = {who for item in items[first:] if item.who for who in item.who.ids}
    return (items[len(lead) :], not thrown) if len(named) > 1 else (items, False)


_NO_DICE = (
    "damage",
    "points",
    "save",
    "save_kind",
    "skill",
    "ability",
    "check",
    "surprise",
    "armor",
    "cost_lair",
    "heal",
)
"""Kinds of words before a list whose numbers are something else: stealth: ana 12, bo 9."""
_DICE_WORDS = ("dice", "die", "bones", "d6", "d6s", "d20", "d20s", "rolls")


def _spread(items: list[Item]) -> list[Item]:
    """Return items in which a group with as many numbers as members is each of these with its own, in their order: hobgoblins twelve and ten; 12/10 for the hobgoblins."""
    made: list[Item] = []
    at = 0
    first = next((item for item in items if item.who or item.number), None)
    ahead = first is not None and first.number is not None
    while at < len(items):
        item = items[at]
        start = at
        if ahead:
            values, at = _numbers(items, at)
            while values and at < len(items) and items[at].text in (*ARTICLES, "for", "on"):
                at += 1
            whom, at = (items[at], at + 1) if len(values) > 1 and at < len(items) else (item, at)
        else:
            whom, at = item, at + 1
            while at < len(items) and whom.who and items[at].text in _BEFORE_NUMBERS:
                at += 1
            values, at = _numbers(items, at)
        ids = whom.who.ids if whom.who and whom.who.plural and whom.who.base else ()
        if 1 < len(ids) == len(values):
            for who, value in zip(ids, values, strict=True):
                said = Item(str(value.value), str(value.value), whom.start, whom.end, "number", number=value)
                pair = [structs.replace(whom, who=People((who,))), said]
                made += pair[::-1] if ahead else pair
        else:
            at = start + 1
            made.append(item)
    return made


_BEFORE_NUMBERS = (":", "=", "-", "on", "at", "@", "roll", "rolled", "got", "get", "have", "are", "go on", "both")
"""What can stand between a group and the rolls of its members."""


def _numbers(items: Sequence[Item], at: int) -> tuple[list[Number], int]:
    """Return the plain numbers at a place that are joined by and, a comma or a slash, and where they end: 12, 10 and 7; 12/10."""
    values: list[Number] = []
    end = at
    while at < len(items) and (number := items[at].number) is not None and not (number.sign or items[at].values):
        values += [Number(value) for value in number.pair] if number.pair else [number]
        end = at = at + 1
        while at < len(items) and items[at].text in ("and", "&", ",", "/", "n"):
            at += 1
    return values, end


def _without_order(items: list[Item]) -> tuple[list[Item], tuple[str, ...]]:
    """Return items without the remark at their end on who goes first, or that all go at once, and who is said to lead: us 5, them 2, so we go first."""
    last = max((at for at, item in enumerate(items) if _dice(item)), default=len(items))
    tail = [item for item in items[last + 1 :] if item.kind != "mark"]
    leads = [item for item in tail if item.who]
    words = [item.text for item in tail if not item.who]
    plain = all(
        word in _ORDERED or word in (*_GO, "win", "wins", "start", "starts", "begin", "begins") for word in words
    )
    says = [word for word in words if word in ("first", "win", "wins", *_AT_ONCE)]
    before = any(item.who for item in items[:last])
    says = says or (["wins"] if leads and not before and last < len(items) - 1 else [])  # 2-6, the enemy has it
    if not (last and tail and plain and says) or len(leads) != (says[0] not in _AT_ONCE):
        return items, ()
    return items[: last + 1], leads[0].who.ids if leads and leads[0].who else ()


_AT_ONCE = ("simultaneous", "simultaneously", "simul", "tied", "tie", "same")
_ORDERED = (
    *_AT_ONCE,
    "first",
    "has",
    "have",
    "got",
    "gets",
    "so",
    "then",
    "and",
    "are",
    "is",
    "it",
    "'s",
    "a",
    "at",
    "the",
    "time",
    "all",
    "both",
    "act",
    "which",
    "means",
    "that",
    "this",
    "round",
    "again",
    "initiative",
    "init",
)
"""Words of a remark on the order that numbers have given already."""


def _is_led_by(scene: Scene, facts: Facts, leads: tuple[str, ...]) -> bool:
    """Say whether nobody of another side than theirs has a higher roll than those who are said to go first."""
    rolls = [
        (each.get("side") or scene.side_of(each["combatant"]), int(each.get("die") or each.get("total") or 0))
        for each in facts
        if each["type"] == "initiative_rolled"
    ]
    sides = {scene.side_of(who) for who in leads}
    own = [value for side, value in rolls if side in sides]
    return bool(own) and max(own) >= max(value for _, value in rolls)


def _is_cue(scene: Scene, items: Sequence[Item], at: int) -> bool:
    """Say whether a word announces initiative: init; in the dice of sides, they roll; the goblins go on 14."""
    item = items[at]
    if item.text == "first" and at:
        return scene.has_sides and scene.unordered and items[at - 1].text in _FIRST_GO
    if item.kind != "word":
        return False
    if item.is_("initiative") and not (item.text in ("i", "n") and at):
        return True
    goes = item.text in _GO_ON or (item.text in _GO and _on_behind(items, at))
    rolls = item.is_("rolled") and (_is_of_side(scene, items) or any(each.text == "sides" for each in items))
    tied = item.text in ("tie", "tied", "tying") and scene.has_sides
    return scene.unordered and (goes or tied or (scene.has_sides and rolls))


def _on_behind(items: Sequence[Item], at: int) -> bool:
    """Say whether "on" and a number follow a verb: acts on 17, goes first on 17."""
    behind = [item for item in items[at + 1 : at + 5] if item.text not in ("a", "first", "next", "last")]
    return len(behind) > 1 and behind[0].text in _ON and behind[1].number is not None


def _round(scene: Scene, items: list[Item]) -> tuple[Facts, list[Item]]:
    """Return the facts by which the round that a line names beside its initiative begins, and the rest of the line: Rnd 2 init party 2 foes 6; initiative for round 2: party 2, foes 6."""
    place = next((at for at, item in enumerate(items[:_MOST_AHEAD]) if item.is_("round")), -1)
    number = items[place + 1].number if 0 <= place < len(items) - 2 else None
    before = [item for item in items[: max(place, 0)] if item.kind != "mark" and item.text not in _OF_A_ROUND]
    if number is None or number.sign or number.summed or any(not item.is_("initiative") for item in before):
        return [], items
    end = place + 2
    while end < len(items) - 1 and items[end].kind == "mark" and (before or end == place + 2):
        end += 1
    rest = [*before, *items[end:]]
    clock = scene.state.clock
    if number.value == clock.round and (clock.open or not scene.context.memory.begins):
        return [], rest
    if number.value != clock.round + 1:
        return [], items
    closes = any(form.closes and form.makes[0].get("type") == "round_started" for form in scene.table.form)
    return [*(closing(scene.context) if closes else ()), {"type": "round_started", "round": number.value}], rest


_MOST_AHEAD = 6
"""The most items at the beginning of a line that hold the round of its initiative."""
_OF_A_ROUND = ("for", "of", "in", "the", "on", "and")


def _behind_heading(items: list[Item]) -> list[Item]:
    """Return items without a heading that names who rolls, before their numbers: everyone rolls: ana 17, bo 12."""
    colon = next((at for at, item in enumerate(items) if item.text == ":"), 0)
    heading = items[:colon]
    rolls = any(item.is_("rolled") for item in heading) and any(item.who and item.who.group for item in heading)
    plain = all(item.who or item.is_("rolled", "filler", "initiative", "for") for item in heading)
    if not (rolls and plain) or any(item.number for item in heading):
        return items
    return [item for at, item in enumerate(items) if at >= colon or item.is_("initiative")]


def _with_sides(scene: Scene, items: list[Item]) -> list[Item]:
    """Return items in which "we" and "they" are the two sides, where sides roll: us 2 them 6."""
    ours, theirs = (side_in_words(scene, kind).side for kind in ("party", "foes"))
    if not scene.has_sides or not ours or not theirs:
        return items
    made: list[Item] = []
    for at, item in enumerate(items):
        side = ours if item.text in OURS else theirs if item.text in THEIRS else ""
        if item.text == "side" and at and items[at - 1].text in (*OURS, *THEIRS):
            continue  # our side 4
        whom = People(scene.of_side(side), group=True, side=side, plural=True)
        made.append(structs.replace(item, kind="who", senses=(), who=whom) if side else item)
    return made


def _told(scene: Scene, items: list[Item], cue: list[int]) -> list[Reading] | None:
    whom = [at for at, item in enumerate(items) if item.who is not None]
    numbers = [at for at, item in enumerate(items) if item.number is not None and not item.values]
    in_segments = scene.has_sides and all(items[at].text in _GO_ON or items[at].text in _GO for at in cue)
    if cue and scene.has_sides and len(whom) < 2 and (both := _of_two_sides(scene, items, whom)):
        return both
    lack = [at for at in whom if scene.lacking.intersection(items[at].who.ids)]  # type: ignore[union-attr]
    if not whom or (not cue and not scene.unordered and not lack):
        return None
    others = [item for at, item in enumerate(items) if at not in (*whom, *numbers, *cue)]
    told = {*whom, *numbers}
    between = [item for at, item in enumerate(items) if at not in told and item.kind != "mark"]
    soft = not cue and bool([item for item in between if not item.is_("and")])
    if _is_otherwise(items, numbers, others, cue=cue, soft=soft):
        return None
    unread = _unread(others) if cue else []
    pairs = _against_a_side(scene, _pairs(items, whom, numbers))
    of_sides = scene.has_sides and not any(people.plural for people, _ in pairs or ())
    if pairs is None or (soft and of_sides and any(item.text in ("at", "@") for item in between)):
        return None  # where sides roll, bo is at 12 hit points
    late = bool(lack) and not scene.unordered
    facts: Facts = []
    guesses = int(soft and not _is_awaited(scene, items, whom) and _may_be_points(items, pairs, late=late))
    guesses += bool(cue) and in_segments  # act on 2: the die of their side, or the segment by that of the other
    guesses += late and len(lack) < len(whom)  # some of them have initiative: the number may be theirs, or a roll
    for people, number in pairs:
        made = _rolled_by(scene, people)
        if made is None:
            return None
        if not (cue or late) and scene.has_sides and not made[0].get("side"):
            guesses += 1
            made = _by_their_side(scene, made)
        guesses += bool(cue) and scene.has_sides and len(made) > 1  # 2 for the gnolls, whose side has others
        if len(made) > 1 and _together(scene):
            made = [{**made[0], "together": [each["combatant"] for each in made[1:]]}]
        facts += [
            {"type": "initiative_rolled", **each, **_score(scene, number.value, number.die, bool(each.get("side")))}
            for each in made
        ]
    if not cue and len(pairs) == 1 and (guesses or any(item.text in _DASHES for item in others)):
        return [Reading(facts, ("initiative",), (), 1), *_or_points(scene, items, *pairs[0])]
    return [Reading(facts, ("initiative",), tuple(unread), guesses)]


def _against_a_side(scene: Scene, pairs: list[Pair] | None) -> list[Pair] | None:
    """Return pairs in which whoever is named beside a side that rolls is the other side: the party rolls 4 and the orcs 2."""
    sides = {one.side for one in scene.here if one.side}
    if pairs is None or not scene.has_sides or len(pairs) != 2 or len(sides) != 2:
        return pairs
    named = {people.side for people, _ in pairs if people.side}
    if len(named) != 1:
        return pairs
    (other,) = sides - named
    whole = People(scene.of_side(other), group=True, side=other, plural=True)
    return [
        (whole, number)
        if not people.side and {scene.side_of(who) for who in people.ids or people.options} == {other}
        else (people, number)
        for people, number in pairs
    ]


def _is_otherwise(items: list[Item], numbers: list[int], others: list[Item], *, cue: list[int], soft: bool) -> bool:
    """Say whether a word in a line rules out that its numbers are initiative."""
    if any(item.is_(*_OTHERWISE) or item.text == "left" for item in others):
        return True
    if any(item.is_verb("strike", "shoot", "cast") for item in others if not item.is_("rolled")):
        return True
    if cue:
        return False
    rolls = [items[at].number for at in numbers]
    if any(number and (number.sign or number.notation.startswith("d2")) for number in rolls):
        return True
    marks = _MARKS if soft else _BARE
    return any(
        (item.kind == "mark" and item.text not in marks)
        or (
            item.kind not in ("mark", "dice")
            and not item.is_(*_BETWEEN)
            and item.text not in ("@", "order")
            and item.kind != "ordinal"
        )
        or (item.is_("for", "gain", "become") and item.text in ("takes", "loses", "deals", "does", "falls", "turns"))
        for item in others
    )


def _unread(others: Sequence[Item]) -> list[str]:
    """Return the words beside initiative that have other meanings."""
    return [
        item.typed
        for item in others
        if item.kind not in ("mark", "dice", "ordinal")
        and not item.is_(*_TOLD)
        and item.text not in ("the", "a", "an", "then", "for", "dice", "die", "d6", "order", "act", "share", "shares")
    ]


def _pairs(items: list[Item], whom: list[int], numbers: list[int]) -> list[Pair] | None:
    """Return the owner of each number: ana 17 bo 12; 17 for ana; ana and bo both on 17; None if names and numbers do not match."""
    marks = sorted([*((at, "w") for at in whom), *((at, "n") for at in numbers)])
    groups: list[tuple[str, list[int]]] = []
    for at, kind in marks:
        joined = bool(groups) and kind == "w" and groups[-1][0] == "w" and _are_joined(items, groups[-1][1][-1], at)
        if joined:
            groups[-1][1].append(at)
        else:
            groups.append((kind, [at]))
    shape = "".join(kind for kind, _ in groups)
    if not groups or shape not in ("wn" * (len(groups) // 2), "nw" * (len(groups) // 2)):
        return None
    found: list[Pair] = []
    for place in range(0, len(groups), 2):
        one, other = groups[place : place + 2]
        named, at = (one[1], other[1][0]) if one[0] == "w" else (other[1], one[1][0])
        number = items[at].number
        people = _both(items, named)
        if people is None or number is None or number.sign == "-" or number.pair:
            return None
        found.append((people, number))
    return found


def _are_joined(items: Sequence[Item], one: int, other: int) -> bool:
    """Say whether two names are neighbours in a list: ana, bo and gob; ana and the gob."""
    between = [item.text for item in items[one + 1 : other] if item.text not in ("the", "both")]
    return between in ([","], ["and"], ["&"], [",", "and"], ["n"], ["/"], ["+"])


def _both(items: Sequence[Item], named: list[int]) -> People | None:
    """Return those who are named together as one group; None if a name among them is ambiguous."""
    people = [who for at in named if (who := items[at].who) is not None]
    if len(people) == 1:
        return people[0]
    if any(not who.ids for who in people):
        return None
    return People(tuple(one for who in people for one in who.ids), group=True, plural=True)


def _may_be_points(items: Sequence[Item], pairs: Sequence[Pair], *, late: bool) -> bool:
    """Say whether names and numbers with words between them may be hit points or a check: bo is at 12, ana got a 17."""
    said = [item for item in items if item.text not in ("a", "an")]
    on = any(one.text == "on" and other.number is not None for one, other in pairwise(said))
    owned = any(item.text in ("has", "have", "had") for item in items) and not all(one.side for one, _ in pairs)
    thrown = any(item.kind == "dice" for item in items)  # a 3 on the d6
    return late or owned or not (on or thrown or len(pairs) > 1)


def _is_awaited(scene: Scene, items: Sequence[Item], whom: Sequence[int]) -> bool:
    """Say whether those who rolled a number lack initiative, and others have theirs: the wolves rolled 14."""
    named = {who for at in whom for who in items[at].who.ids}  # type: ignore[union-attr]
    rolled = any(item.is_("rolled") or item.text in ("got", "gets") for item in items)
    return scene.unordered and rolled and bool(scene.context.memory.placed) and named <= scene.lacking


def _or_points(scene: Scene, items: Sequence[Item], people: People, number: Number) -> list[Reading]:
    """Return the other meanings of a name and a number: points that somebody is down to, or points lost after a dash."""
    if any(item.is_("rolled") for item in items):
        return []
    dash = any(item.text in _DASHES for item in items)
    points = {who: scene.state.combatants[who].hp for who in people.ids}
    lost: Facts = [
        {"type": "damage_dealt", "target": who, "amount": number.value if dash else (hp or 0) - number.value}
        for who, hp in points.items()
    ]
    return [Reading(lost, ("damage",), (), 1)] if lost and all(fact["amount"] > 0 for fact in lost) else []


def _by_their_side(scene: Scene, made: list[Fields]) -> list[Fields]:
    """Return the owner of a roll where sides roll: a side, if the combatant named is its only member."""
    sides = {scene.side_of(each["combatant"]) for each in made}
    side = sides.pop() if len(sides) == 1 else None
    alone = side is not None and [one.id for one in scene.here if one.side == side] == [
        each["combatant"] for each in made
    ]
    return [{"side": side}] if alone else made


def _summed(items: list[Item]) -> list[Item]:
    """Return items in which a bonus right after a die is added to it: d20:9 +2."""
    made: list[Item] = []
    for item in items:
        die = made[-1].number if made and not made[-1].values else None
        if die and die.die is not None and item.number and item.number.sign and item.start == made[-1].end:
            both = Number(
                die.value + item.number.value, die=die.die or die.value, notation=die.notation, faces=die.faces
            )
            made[-1] = structs.replace(made[-1], typed=made[-1].typed + item.typed, end=item.end, number=both)
        else:
            made.append(item)
    return made


def _of_two_sides(scene: Scene, items: list[Item], whom: list[int]) -> list[Reading] | None:
    """Return the dice of two sides, one of which is named as the owner of the first number, or neither: party wins initiative 6 to 1, init 3 vs 5."""
    sides = list(dict.fromkeys(one.side for one in scene.here if one.side))
    values = [_dice(item) for item in items]
    dice = [value for each in values for value in each]
    alike = len(dice) == 1 and any(item.text in _ALIKE for item in items)
    alike = alike and all(items[at].text in OURS for at in whom)
    dice = dice * 2 if alike else dice
    others = [item for item, value in zip(items, values, strict=True) if not value and item.who is None]
    if (
        len(sides) != 2
        or len(dice) != 2
        or any(
            item.kind == "word"
            and not item.is_("initiative", "gain", "to", "against", "rolled", "filler", "for", "lose", "take")
            and not (alike and item.text in _ALIKE)
            and item.text not in _FIRST_GO
            for item in others
        )
    ):
        return None
    named = [items[at].who for at in whom]
    ways = [sides] if alike or dice[0] == dice[1] else [sides, sides[::-1]]
    if named and not alike:
        ways = [each for each in ways if named[0] and named[0].side == each[0]]
    if dice[0] < dice[1] and any(item.text == "first" for item in items):
        return None  # they go first, 2 to 6
    found = []
    for each in ways:
        facts: Facts = [
            {"type": "initiative_rolled", "side": side, "die": die} for side, die in zip(each, dice, strict=True)
        ]
        found.append(Reading(facts, ("initiative",), (), len(ways) - 1))
    return found or None


def _dice(item: Item) -> tuple[int, ...]:
    """Return the dice in an item: 5; of both sides 3 to 5, 4/2."""
    if item.kind == "ordinal":
        return ()
    if item.kind == "number" and len(item.values) > 1:
        return (item.values[0], item.values[-1])
    number = item.number
    if number is None:
        return ()
    return number.pair or (abs(number.value) if number.sign == "-" else number.value,)  # 6-1


def _is_of_side(scene: Scene, items: Sequence[Item]) -> bool:
    """Say whether all those named are sides that roll: the party rolls 6."""
    named = [item.who for item in items if item.who]
    return scene.has_sides and bool(named) and all(one.side for one in named)


def _together(scene: Scene) -> bool:
    """Say whether members of a kind share one roll, by the game's form of initiative."""
    forms = (form for form in scene.table.form if any(fact.get("type") == "initiative_rolled" for fact in form.makes))
    return any(form.together for form in forms)


def _rolled_by(scene: Scene, people: People) -> list[Fields] | None:
    """Return the owners of an initiative: a side where sides roll, else each combatant named."""
    ids = people.ids or (people.options if people.base else ())
    if not ids:
        return None
    if scene.has_sides and (side := people.side or scene.whole_side(ids)):
        return [{"side": side}]
    return [{"combatant": who} for who in ids]


def _score(scene: Scene, value: int, die: int | None, of_side: bool) -> Fields:
    if of_side:
        return {"die": value}
    if die is not None and die != value:
        return {"die": die, "bonus": value - die} if not scene.has_sides else {"total": value}
    return {"total": value} if not scene.has_sides else {"die": value}
