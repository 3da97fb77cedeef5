"""The third step: roles. The role of each number, by the words beside it; which names belong together, and how they are joined to the verb."""

import re
from collections.abc import Sequence

from msgspec import Struct, structs

from projections.reader.dictionary import Sense
from projections.reader.lexicon import ARTICLES
from projections.reader.scene import People, distinct
from projections.reader.tags import NOTHING, Item
from projections.reader.times import Until, until
from projections.reader.tokens import Number

Span = dict[str, object]


class Part(Struct, frozen=True):
    """A part of a line: its role, its item, and its value.

    Roles of numbers: roll, needed, damage, points, temporary, gain, loss, against, dc, armor, amount, duration,
    distance, round, segment, level, count, time, bare. Roles of others: who, pronoun, square, dice, ordinal, quote,
    mark, until, word. `joined` is the preposition before a name: to, from, with, for; `owner` says that it is a
    possessive.
    """

    role: str
    item: Item
    who: People | None = None
    number: Number | None = None
    unit: str = ""
    until: Until | None = None
    joined: str = ""
    owner: bool = False

    @property
    def value(self) -> int:
        """Its number."""
        return self.number.value if self.number else 0

    def is_(self, *kinds: str) -> bool:
        """Say whether it can be of one of these kinds of the lexicon."""
        return self.item.is_(*kinds)

    def says(self, kind: str) -> str:
        """Return its meaning as one of this kind."""
        return self.item.value(kind)

    @property
    def people(self) -> People:
        """The combatants that it names; nobody if it is no name."""
        return self.who or People()

    @property
    def text(self) -> str:
        """Its words in the form in which they are compared."""
        return self.item.text


_UNITS = ("unit", "length")
MOST_BLOWS = 6
"""The most blows of a turn that are counted."""


def parts(items: Sequence[Item], *, turns: bool = False, totals: Sequence[str] = ()) -> list[Part]:
    """Return the parts of a line. Where each combatant has `turns`, a duration may end with one.

    `totals` are the game's words beside a roll for its total.
    """
    found: list[Part] = []
    place = 0
    while place < len(items):
        if _is_in_turn(items, place):
            place += 3
            continue
        if turns and (time := until(items, place)):
            said, end = time
            typed = " ".join(each.typed for each in items[place:end])
            whole = Item(typed, typed.casefold(), items[place].start, items[end - 1].end, "word")
            found.append(Part("until", whole, until=said))
            place = end
            continue
        made, place = _part(items, place, totals)
        found += made
    return _joined_names(_with_verbs_of_passives(_with_types_behind(found)))


def _is_in_turn(items: Sequence[Item], place: int) -> bool:
    """Say whether words between a subject and its verb add only that it had its turn: the ogre in its turn missed Ana."""
    said = " ".join(item.text for item in items[place : place + 3])
    between = place > 0 and items[place - 1].who is not None and _at(items, place + 3).is_verb()
    return between and said in ("in its turn", "in his turn", "in her turn", "in their turn")


def _with_verbs_of_passives(found: Sequence[Part]) -> list[Part]:
    """Return parts in which somebody to whom something is done by another one has the verb that was left out: gob grappled by Ana, gob frightened of Ana."""
    made: list[Part] = []
    for at, part in enumerate(found):
        before = next((each.role for each in reversed(made) if each.role != "mark"), "")
        if before == "who" and part.role == "word" and _is_done_by(part, found[at + 1 : at + 4]):
            made.append(Part("word", Item("is", "is", part.item.start, part.item.start, "word", senses=_IS)))
        made.append(part)
    return made


_IS = (Sense("become", "is"), Sense("filler", "is"))
_PARTICIPLES = ("ed", "en", "ck", "it", "ot", "ung", "und", "in")
"""The ends of participles, such as grappled, bitten, struck, hit, shot, stung, bound and slain."""


def _is_done_by(part: Part, behind: Sequence[Part]) -> bool:
    """Say whether a part is a participle, and by whom follows: grappled by Ana; after a state also of whom: frightened of Ana."""
    said = [each for each in behind if each.text not in ARTICLES]
    state = part.is_("condition") and not part.is_("spell")
    links = ("by", "of") if state else ("by",) if part.item.is_verb() else ()
    return len(said) > 1 and said[0].text in links and said[1].role == "who" and part.text.endswith(_PARTICIPLES)


def _with_types_behind(found: list[Part]) -> list[Part]:
    """Return parts in which a damage type stands after its number, even if it was typed before it: poison 4."""
    made = list(found)
    for at in range(1, len(made)):
        one, behind = made[at - 1], made[at + 1] if at + 1 < len(made) else None
        typed = one.role == "word" and one.is_("type") and made[at].role == "damage"
        if typed and not (behind and behind.is_("type", "damage")) and made[at].item.start > one.item.start:
            made[at - 1], made[at] = made[at], one
    for at in range(1, len(made)):
        if made[at - 1].role in ("damage", "loss") and made[at].role == "word" and made[at].is_("type"):
            item = made[at].item  # a type after its number is no verb: 14 fire
            senses = tuple(sense for sense in item.senses if not sense.is_verb)
            made[at] = structs.replace(made[at], item=structs.replace(item, senses=senses))
    return made


def _at(items: Sequence[Item], place: int) -> Item:
    return items[place] if 0 <= place < len(items) else NOTHING


def without_praise(items: Sequence[Item]) -> list[Item]:
    """Return items without praise or blame for a roll: a measly 10. A dirty 20 is a total, and no natural one."""
    made: list[Item] = []
    for place, item in enumerate(items):
        before, behind = _at(items, place - 1), _at(items, place + 1)
        praises = (
            before.text in ("a", "an") and item.kind == "word" and (item.text == "dirty" or _praises(item))
        ) and (behind.number is not None and not (behind.number.sign or behind.number.notation or behind.values))
        if praises and _at(items, place + 2).kind in ("mark", "none", "word") and not _at(items, place + 2).is_("unit"):
            continue
        total = item.number if before.text == "dirty" else None
        summed = total is not None and total.die is None
        made.append(structs.replace(item, number=structs.replace(total, summed=True)) if total and summed else item)
    return made


def _praises(item: Item) -> bool:
    """Say whether a word only praises or belittles a number: measly, mighty."""
    return item.is_("praise") and not item.is_verb()


def _part(items: Sequence[Item], place: int, totals: Sequence[str]) -> tuple[list[Part], int]:
    item = items[place]
    if item.who is not None:
        return [Part("who", item, who=item.who)], place + 1
    if item.number is not None and not item.values:
        return _number(items, place, totals)
    if item.kind in ("square", "dice", "quote", "ordinal"):
        behind = _at(items, place + 1)
        if item.kind == "ordinal" and behind.is_("round", "segment"):
            role = "round" if behind.is_("round") else "segment"
            return [Part(role, _both(item, behind), number=Number(item.values[0]))], place + 2
        at = place + 1 + (behind.text == "-" and behind.start == item.end)
        if item.kind == "ordinal" and _at(items, at).text in ("level", "lvl"):
            more = _at(items, at + 1).text in ("slot", "spell", "spell slot")
            return [Part("level", item, number=Number(item.values[0]))], at + 1 + more
        if item.kind == "ordinal" and _is_level_of_a_spell(items, place):
            return [Part("level", item, number=Number(item.values[0]))], place + 1
        return [Part(item.kind, item)], place + 1
    if item.kind == "mark":
        return [Part("mark", item)], place + 1
    if item.text in ("l", "lv", "lvl") and _at(items, place + 1).number and _at(items, place + 1).start == item.end:
        return [Part("level", item, number=_at(items, place + 1).number)], place + 2
    if item.text in ("level", "lvl") and _at(items, place + 1).number is not None:
        return [Part("level", item, number=_at(items, place + 1).number)], place + 2
    if item.is_("pronoun_subject", "pronoun_object") and item.text not in ("who", "which"):
        return [Part("pronoun", item)], place + 1
    ahead = _at(items, place + 1)
    if item.text == "minus" and ahead.number and not ahead.number.sign and _is_a_loss(items, place):
        return [Part("loss", _both(item, ahead), number=Number(-ahead.number.value, "-"))], place + 2
    times = item.text in ("x", "×") and ahead.number is not None and ahead.start == item.end
    if (
        times
        and ahead.number
        and 1 < ahead.number.value <= MOST_BLOWS
        and (_at(items, place - 1).is_verb("strike", "shoot") or _at(items, place + 2).text in ("on", "at", "vs"))
    ):
        return [Part("count", _both(item, ahead), number=ahead.number)], place + 2  # attacks x2
    if item.is_("round", "segment") and ahead.text == "the" and _at(items, place + 2).kind == "ordinal":
        number = _at(items, place + 2)  # round the second
        role = "round" if item.is_("round") else "segment"
        return [Part(role, _both(item, number), number=Number(number.values[0]))], place + 3
    article = (
        item.text in ("a", "an", "one")
        and ahead.is_("unit")
        and _at(items, place - 1).text in ("for", "lasts", "lasting", ",", "next")
    )
    if article:
        return [
            Part("duration", _both(item, items[place + 1]), number=Number(1), unit=items[place + 1].value("unit"))
        ], place + 2
    cue = next((role for kind, role in _BEFORE if item.is_(kind)), "")
    if item.text in ("r", "s", "n", "i") and not (place == 0 and ahead.number is not None and ahead.start == item.end):
        cue = ""
    if cue and (jump := _number_behind(items, place, cue)):
        number = items[jump]
        if cue == "against" and any(each.is_("dc") for each in items[place + 1 : jump]):
            cue = "dc"
        unit = cue == "time" and _at(items, jump + 1).is_("unit")
        if cue == "roll" and "total" in item.text and "for" in [each.text for each in items[max(place - 2, 0) : place]]:
            cue = "amount"  # for a total of 8
        in_all = cue == "roll" and _at(items, jump + 1).text in IN_ALL  # rolls a 17 in all
        said = "total" if in_all else item.text
        worth = _as_total(number.number, said, totals) if number.number else None
        return [Part(cue, _both(item, number), number=worth)], jump + 1 + unit + in_all
    return [Part("word", item)], place + 1


def _is_level_of_a_spell(items: Sequence[Item], place: int) -> bool:
    """Say whether an ordinal is the level at which a spell is cast: fireball (3rd), web (conc, 2nd), fireball at 4th, upcast to 5th."""
    at = place - 1
    if _at(items, at).text in ("at", "to", "as"):
        raised = _at(items, at).text == "at" or any(item.is_verb("cast") for item in items[:at])
        return raised and not _at(items, place + 1).who and any(item.is_("spell", "cure") for item in items[:at])
    while _at(items, at).text == "," or _at(items, at).is_("concentration"):
        at -= 1
    return _at(items, at).text == "(" and _at(items, at - 1).is_("spell", "cure")


def _is_a_loss(items: Sequence[Item], place: int) -> bool:
    """Say whether minus stands behind somebody or a mark, and a number of points at the end behind it: hits gob hard, minus 6."""
    before, behind = _at(items, place - 1), _at(items, place + 2)
    ends = behind.kind in ("none", "mark") or (behind.is_("points", "damage") and behind.kind == "word")
    return ends and place > 0 and (before.who is not None or before.kind == "mark")


IN_ALL = ("in total", "in all", "total", "altogether")
"""Words after a number that is a total."""
TOTALS = ("total", "attack total")
"""Words beside a number that is the total of a roll, and not the face of its die."""


def _as_total(number: Number, said: str, totals: Sequence[str]) -> Number:
    """Return a number as a total, if its words say that it is one."""
    return structs.replace(number, summed=True) if said in (*TOTALS, *totals) and number.die is None else number


_BEFORE = (
    ("time_of_casting", "time"),
    ("dc", "dc"),
    ("armor", "armor"),
    ("points", "points"),
    ("temporary", "temporary"),
    ("damage", "damage"),
    ("to_hit", "roll"),
    ("nat", "roll"),
    ("round", "round"),
    ("segment", "segment"),
    ("rolled", "roll"),
    ("against", "against"),
    ("needed", "needed"),
)
"""Words that give the role of the number after them."""


def _number_behind(items: Sequence[Item], place: int, cue: str) -> int:
    """Return the place of the number whose role a word before it gives; 0 if none follows, or another word decides its role."""
    at = place + 1
    while _at(items, at).text in (":", "=", "of", "is", "was", "a", "the", "an", "at", "(") and at < place + 3:
        at += 1
    if cue == "against" and _at(items, at).is_("armor", "dc"):
        at += 1
        while _at(items, at).text in (":", "of"):
            at += 1
    number = _at(items, at)
    if number.number is None or number.values or number.kind == "who":
        return 0
    behind = _at(items, at + 1)
    if cue in ("round", "segment") and (behind.is_("damage", "points")):
        return 0
    if cue in ("damage", "points", "temporary") and (
        number.number.sign == "-" or (behind.is_("damage", "points", "armor", "type") and cue != "temporary")
    ):
        return (
            0
            if number.number.sign == "-"
            or behind.is_("damage", "type")
            or (behind.is_("points", "armor") and _at(items, at + 2).number is None)
            else at
        )
    if (
        cue in ("rolled", "roll")
        and behind.is_("unit", "length", "damage", "points", "type", "temporary")
        and not items[place].is_("nat", "to_hit")
    ):
        return 0
    return at


_WORKED_OUT = re.compile(r"(?i)\d\D*(?:half|halved|resist)|\d\s*[x×*]\s*\d+\s*=")
"""A number that is said with its half, or as a product, which is always damage: 20 halved to 10, 4 x 3 = 12."""


def _number(items: Sequence[Item], place: int, totals: Sequence[str]) -> tuple[list[Part], int]:
    """Return the part of a number, with the role that the words beside it give."""
    item = items[place]
    number = item.number or Number(0)
    behind, after = _at(items, place + 1), _at(items, place + 2)
    before = _before(items, place)
    first = place
    if behind.kind == "mark" and behind.text == "-" and after.is_("unit", "length"):
        behind, after, place = after, _at(items, place + 3), place + 1

    def one(role: str, end: int, unit: str = "") -> tuple[list[Part], int]:
        typed = " ".join(each.typed for each in items[first:end]) if unit else item.typed
        whole = Item(typed, item.text, item.start, items[end - 1].end, "number", number=number)
        return [Part(role, whole, number=number, unit=unit)], end

    if behind.text in ("left", "remaining") and not after.who:
        return one("left", place + 2)
    if item.kind == "number" and _WORKED_OUT.search(item.typed) and not behind.is_("damage", "points", "type"):
        return one("damage", place + 1)
    if behind.is_("points") and after.text in ("left", "remaining"):
        return one("left", place + 3)
    if behind.is_("temporary") or (behind.is_("points") and after.is_("temporary")):
        return one(
            "temporary",
            place
            + (2 if behind.is_("temporary") else 3)
            + (1 if behind.is_("temporary") and after.is_("points") else 0),
        )
    if number.spelled and number.value == 1 and behind.is_("hit", "miss") and not before.is_("rolled", "with"):
        return one("which", place + 1)  # two arrows, one hits
    if behind.is_("to_hit"):
        number = _as_total(number, behind.text, totals)
        return one("roll", place + 2)
    if before.is_("condition") and behind.text == "m" and behind.start == item.end:
        return one("duration", place + 2, "minute")  # paralyzed 1m
    if (
        behind.is_("unit")
        and not behind.is_("points")
        and not (behind.text == "turn" and after.text == "undead")
        and not number.sign
    ):
        is_time = behind.value("unit") == "segment" and before.text == "("
        return one("duration" if not is_time else "time", place + 2, behind.value("unit"))
    if behind.is_("length"):
        if behind.text == "'" and behind.start != item.end:
            return one("bare", place + 1)
        return one("distance", place + 2, behind.value("length"))
    if behind.is_("armor"):
        return one("armor", place + 2)
    if behind.text == "%":
        return one("percent", place + 2)
    if behind.is_("damage") or (behind.is_("points") and after.is_("damage")):
        return one("loss" if number.sign == "-" else "damage", place + (2 if behind.is_("damage") else 3))
    dash = _at(items, place - 1).text in ("–", "—") and _at(items, place - 2).who is not None and not number.sign
    if number.sign == "-" or (dash and behind.kind in ("none", "mark")):
        return one("loss", place + 1 + behind.is_("points"))
    if number.sign == "+" and behind.is_("type", "feature"):
        return one("damage", place + 1)
    if number.sign == "+":
        return one("gain", place + 1 + behind.is_("points"))
    if behind.is_("points") and number.value == 0:
        return one("left", place + 2)  # hits Bo, 0 hp
    if behind.is_("points"):
        end = place + 2
        if _at(items, end).text == "of":
            end += 1
        if _at(items, end).is_("type"):
            return one("damage", place + 2)
        return one("points", place + 2)
    if behind.is_("type") and not behind.is_verb("shoot"):
        return one("damage", place + 1)
    if behind.is_("type") and not (_at(items, place + 2).who or _at(items, place + 2).is_("to")):
        return one("damage", place + 1)
    if behind.text == "of" and after.is_("type", "damage", "feature"):
        return one("damage", place + 1)
    if behind.is_("nonlethal"):
        return one("damage", place + 1)
    added = _at(items, place - 1).text in ("plus", "and", "+")
    if _at(items, place - 1).text == "plus" and is_damage(items, place - 2):
        return one("damage", place + 1)
    if added and (behind.is_("feature") or (behind.text == "from" and after.is_("feature", "spell"))):
        return one("damage", place + 1)  # plus 7 sneak attack, and 3 from hex
    if (
        behind.is_("spell")
        and behind.is_("inflected")
        and 1 < number.value <= MOST_BLOWS
        and not before.is_("for", "against")
    ):
        return one("count", place + 1)  # three scorching rays
    if behind.is_("ammunition") and not before.is_("for", "against") and not behind.is_("hit"):
        return one("count", place + 2)
    if behind.is_("weapon") and behind.text.endswith("s") and 1 < number.value <= MOST_BLOWS:
        of_a_spell = behind.is_("spell") and after.kind in ("mark", "none")  # at the ogre, 2 missiles, 7 damage
        if after.is_("to") or of_a_spell or (number.spelled and after.is_verb()):
            return one("count", place + 1)  # two claws on bo
    said_of_a_roll = before.text in ("and", ",", "so", "for", "is", "a", "an") or before.is_("rolled")
    if behind.text in IN_ALL and said_of_a_roll:
        number = structs.replace(number, summed=True)
        return one("roll" if before.text != "for" else "amount", place + 2)
    if _is_of_half(items, place):
        return one("damage", place + 1)
    halved = _at(items, place - 2).is_("half")  # poison 4 by itself may be a save as well
    if before.is_("type") and not before.is_verb("shoot") and (halved or not before.is_("save_kind")):
        return one("damage", place + 1)
    if before.text in ("for", "so") and _is_told_of_a_save(items, place):
        return one("damage", place + 1)
    if before.is_("for") and before.text not in ("f",):
        return one("amount", place + 1)
    if before.is_verb("take", "deal", "heal", "regain") and not before.is_("hit"):
        return one("amount", place + 1)
    if before.text in ("with", "w/"):
        return one("roll", place + 1)
    return one("bare", place + 1)


def is_damage(items: Sequence[Item], place: int) -> bool:
    """Say whether a number, or the damage type behind it, ends at a place, and words before it call it damage: for 9, takes 5, 7 fire."""
    typed = _at(items, place).is_("type", "damage")
    before = _before(items, place - typed)
    told = before.is_("for") or before.is_verb("take", "deal")
    return _at(items, place - typed).number is not None and (typed or told)


def _is_of_half(items: Sequence[Item], place: int) -> bool:
    """Say whether a number after "half" is damage: saves, takes half, 5; and not the points of a combatant at half, 10."""
    at = place - 1
    while _at(items, at).text in (",", ":", "=", "so", "which", "is", "that", "that's", "-", "of"):
        at -= 1
    number, before = _at(items, place).number, _at(items, at - 1)
    told = at < place - 1 and _at(items, at).is_("half") and not (number and number.pair)
    return told and not (before.text == "at" or before.is_("become"))


def _is_told_of_a_save(items: Sequence[Item], place: int) -> bool:
    """Say whether a number after "for" is the damage of a save: both fail for 20, gob saves for 9."""
    before = [
        item
        for item in items[:place]
        if item.kind != "mark" and (item.is_verb() or not item.is_("save", "save_kind", "filler")) and item.text != "so"
    ]
    return bool(before) and before[-1].is_verb("fail", "succeed", "save") and not before[-1].is_verb("deal")


def _before(items: Sequence[Item], place: int) -> Item:
    """Return the item before a number, without articles and marks."""
    at = place - 1
    while at >= 0 and items[at].text in (
        "a",
        "an",
        "the",
        "of",
        "only",
        "just",
        "about",
        "another",
        ":",
        "exactly",
        "roughly",
        "his",
        "her",
        "its",
        "then",
    ):
        at -= 1
    return _at(items, at)


def _both(one: Item, other: Item) -> Item:
    return structs.replace(one, typed=f"{one.typed} {other.typed}", end=other.end)


# ---------------------------------------------------------------- names

_JOINING = ("and", "&", ",", "+", "n", "plus", "und", "/")


LIKEWISE = ("too", "also", "likewise", "as well", "ditto", "so do")
"""Words that give a combatant the same report as the one before: gnoll 4 misses Lysa, gnoll 5 too."""


def _joined_names(found: list[Part]) -> list[Part]:
    """Return parts in which listed names are one part, joined to the verb in the same way."""
    made: list[Part] = []
    place, listed = 0, set[str]()
    while place < len(found):
        part = found[place]
        if part.who is None:
            made.append(part)
            place += 1
            continue
        again = bool(part.people.ids) and listed.issuperset(part.people.ids)
        whom, last, place = part, part, place + 1
        while (behind := _further(found, place, [] if again else made)) >= 0:
            last = found[behind]
            if last.people.ids and {*whom.people.ids}.issuperset(last.people.ids):
                break  # a name in the list already begins another clause: web on the goblins, g1 and g2 fail
            people = People(
                distinct((*whom.people.ids, *last.people.ids)),
                group=True,
                plural=True,
                listed=True,
                slip=whom.people.slip or last.people.slip,
                likely=whom.people.likely or last.people.likely,
                base=last.people.base,
                options=last.people.options or whom.people.options,
            )
            item = structs.replace(whom.item, typed=f"{whom.item.typed} and {last.item.typed}", end=last.item.end)
            whom, place = structs.replace(whom, who=people, item=item), behind + 1
        listed = {*whom.people.ids}
        owner = place < len(found) and found[place].item.text == "'s"
        aimed = owner and place + 1 < len(found) and _is_armor(found[place + 1]) and any(each.who for each in made)
        made.append(structs.replace(whom, joined=_preposition(made), owner=owner and not aimed))
        place += owner + (aimed and found[place + 1].role == "word")  # 17 beats gob's AC
        if (
            owner
            and place < len(found)
            and (found[place].item.typed.endswith("s") or found[place].item.text in _CREDITS)
        ):
            found[place] = _as_noun(found[place])
    return made


def _is_armor(part: Part) -> bool:
    """Say whether a part names an armor class, or gives one: AC, AC 13."""
    return part.role == "armor" or (part.role == "word" and part.is_("armor"))


_CREDITS = ("kill", "victory")
"""Words for what somebody has done, which behind a possessive do not say that it befell them: Wren's kill."""


def _as_noun(part: Part) -> Part:
    """Return a part without its meaning as a verb in the present, which cannot follow a possessive: Wren's wounds, Wren's kill."""
    senses = tuple(sense for sense in part.item.senses if not sense.is_verb)
    return structs.replace(part, item=structs.replace(part.item, senses=senses))


def _further(found: list[Part], place: int, before: list[Part]) -> int:
    """Return the place of the next name in the same list as the one before a place; -1 if there is none."""
    at = place
    while at < len(found) and (
        found[at].item.text in _JOINING or (at > place and found[at].item.text in ("the", "a", "an", "then"))
    ):
        at += 1
    if (
        at == place
        or at >= len(found)
        or found[at].who is None
        or (at + 1 < len(found) and found[at + 1].item.text == "'s")
    ):
        return -1
    if found[at].item.text.isdigit() and found[place].item.text != ",":
        return at  # gob 2 and 3
    by_and = any(each.item.text != "," for each in found[place:at])
    if not by_and and before and before[-1].item.text == "by" and any(each.is_("spell") for each in _clause(before)):
        return -1  # burning hands by Ana, rats save
    has_verb = any(_tells(each) or each.text in ("next", "up next", "next up") for each in _clause(before))
    behind = next((each for each in found[at + 1 :] if each.item.text not in _IN_TURN), None)
    together = by_and and _are_apart(before) and behind is not None and not behind.item.text.endswith("s")
    if (
        not by_and
        and not has_verb
        and found[place - 1].who
        and _is_aimed_at(before)
        and behind is not None
        and _begins_clause(behind)
    ):
        return -1  # ana on gob, cid casts bless
    if has_verb and behind is not None and behind.item.text in LIKEWISE:
        return -1  # misses Lysa, gnoll 5 too
    if (
        has_verb
        and not together
        and behind is not None
        and (
            _begins_clause(behind)
            or (behind.text in _OF_ONE and (not by_and or _is_complete(found, place)))
            or (behind.role == "word" and behind.is_("will", "declare", "spell", "feature", "cure"))
            or (behind.role in ("bare", "damage", "points", "loss", "gain", "roll") and not _is_shared(found, at + 1))
        )
    ):
        return -1  # it begins another clause: hits bo, goblin 2 misses ana
    if not by_and:
        further = at + 1
        while further < len(found) and (found[further].item.text in _JOINING or found[further].who):
            further += 1
        if has_verb and further < len(found) and _begins_clause(found[further]):
            return -1  # they begin another clause together: hits bo, ana and goblin 2 miss him
        closes = any(each.item.text in ("and", "&", "+") for each in found[at:further])
        ends = further >= len(found) or found[further].role != "word" or not _tells(found[further])
        if not closes and not has_verb and not ends:
            return at if before == [] or not _tells(before[-1]) else -1
        if not closes and not has_verb and ends:
            return -1 if further < len(found) and found[further].number is not None else at
    return at


def _is_complete(found: list[Part], place: int) -> bool:
    """Say whether the list of names that ends at a place has an "and", so that another one behind it begins something new."""
    at = place - 1
    while at > 0 and (found[at].who or found[at].number or found[at].item.text in (*ARTICLES, ",")):
        at -= 1
    return at > 0 and found[at].item.text in _JOINING and found[at - 1].who is not None


_OF_ONE = ("takes", "makes", "rolls", "gets", "has", "loses", "gives", "uses")
"""Verbs of one subject, which is no further name of a list before it: fireball at gob and the orc, Cid takes 3."""
_IN_TURN = ("also", "then", "now", "still", "just", "finally")
"""Words that may stand between a subject and its verb: the ogre then missed Ana."""


def _is_aimed_at(before: list[Part]) -> bool:
    """Say whether parts are only somebody and on or at, before whom that one attacks: Ulla on."""
    told = [part for part in before if part.item.text not in ARTICLES]
    return len(told) > 1 and told[-2].role == "who" and told[-1].item.text in ("on", "at", "vs", "against")


def _are_apart(before: list[Part]) -> bool:
    """Say whether a name after a comma begins something new together with the names joined to it: Bo hits gob, Ana and Cy
    attack Urk; Bo casts sleep, Ana and Cy fight.
    """
    return len(before) > 1 and before[-1].item.text == ","


def _is_shared(found: list[Part], at: int) -> bool:
    """Say whether a number is said to hold for each: ogre and goblin 4 each."""
    return any(part.item.text in ("each", "ea", "apiece") for part in found[at + 1 : at + 3])


def _clause(before: list[Part]) -> list[Part]:
    """Return the parts after the last mark that ends a sentence, or after a spell's name that stands before it as a heading."""
    last = max(
        (
            place
            for place, each in enumerate(before)
            if each.item.text in (".", ";", "!") or (each.item.text == ":" and place and before[place - 1].is_("spell"))
        ),
        default=-1,
    )
    return before[last + 1 :]


def _begins_clause(part: Part) -> bool:
    """Say whether a part after a name is the verb of a clause that begins with it: charges the orc, Wren is casting sleep."""
    return _tells(part) or (part.role == "word" and part.is_("become"))


def _tells(part: Part) -> bool:
    """Say whether a part is a verb or an outcome."""
    return (
        part.role == "word"
        and not part.is_("filler", "with", "weapon")
        and (part.item.is_verb() or part.is_("hit", "miss", "become", "condition", "status_dead", "critical"))
    )


def _preposition(before: list[Part]) -> str:
    """Return the preposition that joins a name to the words before it."""
    at = len(before) - 1
    while (
        at >= 0
        and before[at].role in ("word", "mark")
        and before[at].item.text
        in ("the", "a", "an", "that", "this", "poor", "old", "both", "all", "his", "her", "himself", "my")
    ):
        at -= 1
    if at < 0 or before[at].role not in ("word", "mark"):
        return ""
    kinds = ("from", "with", "to", "for", "towards")
    kind = next((kind for kind in kinds if before[at].is_(kind)), "")
    return "to" if kind == "towards" else kind
