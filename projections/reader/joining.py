"""Newcomers: the names, numbers, sides and sheets of those who join, as people list them."""

from collections.abc import Sequence

from msgspec import Struct, field
from msgspec.structs import fields, replace

from projections.grammar import filling, names
from projections.grammar.line_context import Gap
from projections.open_types import Facts, Fields
from projections.reader.composition import Reading
from projections.reader.scene import Scene, singular
from projections.reader.tags import Item

LONGEST_RANK = 3
LINKS = ("the", "of", "von", "de", "la", "al")
"""Words within a name that others, written with capitals, stand around: Ana the Bold."""
"""The letters of a class before a level, as in MU3."""
_ENDS = (",", ";", ".", "and", "&", "+", "plus")
_LABELS = (":", "->", "→", "=>", "=")
_LINKED = ("had", "has", "have", "having", "got", "gets", "who", "which")
"""Words between a name and its stats."""
_AGAIN = ("he", "she", "they", "his", "her", "their", "its", "each")
"""Words by which a sentence goes on about whoever it named."""
_FOE = {"foe": "foes", "enemy": "foes", "monster": "foes", "baddie": "foes", "hostile": "foes"}
"""Words behind a name for whoever is of the other side."""


class Newcomer(Struct):
    """One who joins, or several of a kind: name, number, sheet, notes."""

    words: list[str] = field(default_factory=list)
    count: int = 1
    points: list[int] = field(default_factory=list)
    sheet: Fields = field(default_factory=dict)
    notes: list[str] = field(default_factory=list)
    total: int | None = None
    square: tuple[int, ...] = ()
    known: str = ""
    """The kind, if some of it are there already."""
    listed: str = ""
    """Its name in the tables of the game."""
    closed: bool = False

    @property
    def has_stats(self) -> bool:
        """Whether its sheet says anything."""
        return bool(self.points or self.sheet)


def newcomers(scene: Scene, items: Sequence[Item]) -> list[Reading]:
    """Return a line that tells of those who join, with a name that no table of the game has once for each that may be meant; nothing if it is none."""
    if not items or any(
        item.is_("hit", "miss", "save", "question") or item.is_verb("strike", "shoot", "cast", "heal", "regain", "gain")
        for before, item, behind in zip((items[0], *items), items, (*items[1:], items[0]), strict=False)
        if item.kind == "word"
        and not item.is_("filler", "weapon")
        and not (item.text == "hits" and before.number)
        and not (item.is_("save") and before.is_("save_kind") and behind.number and behind.number.sign)
    ):
        return []
    if items[0].is_("undo", "correction"):
        return []
    joins = any(item.is_verb("join", "add") for item in items)
    stats = any(item.is_("points", "armor") for item in items)
    lists = _Lists(scene, list(items))
    if not lists.read():
        return []
    people = [each for each in lists.found if each.words or each.known]
    for each in people:
        lists.unread += _before_the_name(each)
    if not people:
        return []
    stats = stats or any(item.number and item.number.pair for item in items)
    likely = [_named_by_a_table(scene, each) for each in people]
    if not joins and not all(each.has_stats for each in people):
        known = all(each.listed or near for each, near in zip(people, likely, strict=True))
        if stats or not known or lists.unread:
            return []
    if any(near and not each.has_stats for each, near in zip(people, likely, strict=True)):
        return _offered(scene, people, likely, lists)
    if lists.shared:
        for each in people[:-1]:
            each.points = each.points or people[-1].points[:1]
            each.sheet = each.sheet or dict(people[-1].sheet)
    facts = facts_of(scene, people, lists.side)
    if facts is None:
        return []
    plain = (
        not (joins or stats)
        and len(people) == 1
        and people[0].count == 1
        and items[0].text not in ("a", "an", "another")
        and items[0].number is None
    )
    return [Reading(facts, ("join",), tuple(lists.unread), guesses=int(plain) + lists.bare)]


def without_capitals(items: Sequence[Item]) -> list[Item]:
    """Return items in which words that mean something have no capital, if every word of the line has one: Odalys Joins The Party."""
    words = [item for item in items if item.kind in ("word", "who")]
    if len(words) < 3 or not all(item.typed[:1].isupper() for item in words):
        return list(items)
    return [replace(item, typed=item.typed.casefold()) if item.senses else item for item in items]


def _named_by_a_table(scene: Scene, one: Newcomer) -> tuple[str, ...]:
    """Give a newcomer the name that the tables of the game have for it, or return those that may be meant: 4 goblins, an owlbear."""
    if not one.words:
        return ()
    listed, likely = scene.state.rules.kinds(scene.state, " ".join(one.words))
    one.listed = listed
    return likely if not listed else ()


def _offered(scene: Scene, people: list[Newcomer], likely: list[tuple[str, ...]], lists: "_Lists") -> list[Reading]:
    """Return those who join under each name that may be meant, and as they are named, to be asked about."""
    found = []
    for place in range(max(map(len, likely))):
        names = [near[min(place, len(near) - 1)] if near else "" for near in likely]
        meant = [
            replace(each, listed=name, words=name.split("-")) if name else each
            for each, name in zip(people, names, strict=True)
        ]
        found.append(facts_of(scene, meant, lists.side))
    return [Reading(facts, ("join",), tuple(lists.unread), guesses=1) for facts in found if facts]


def _before_the_name(one: Newcomer) -> list[str]:
    """Take the words of a sentence from before a name that is written with capitals, and return them: in the team we have Kasia."""
    first = next((place for place, word in enumerate(one.words) if word[:1].isupper()), 0)
    before, one.words = one.words[:first], one.words[first:]
    return before


class _Lists:
    """The newcomers of a line, read from left to right."""

    def __init__(self, scene: Scene, items: list[Item]) -> None:
        self.scene, self.items = scene, items
        self.found: list[Newcomer] = [Newcomer()]
        self.side, self.shared, self.bare = "", False, 0
        self.adds = bool(items) and items[0].is_verb("add", "join")
        self.unread: list[str] = []

    def at(self, place: int) -> Item:
        """Return the item at a place; an empty one beyond the ends."""
        return self.items[place] if 0 <= place < len(self.items) else Item("", "", 0, 0, "none")

    def read(self) -> bool:
        """Read all items; return whether they can be such a list."""
        place = self._label()
        while place < len(self.items):
            end = self._one(place)
            if not end:
                return False
            place = end
        return True

    def _label(self) -> int:
        """Take the side that stands before a colon; return where the list begins."""
        colon = next((at for at, item in enumerate(self.items[:4]) if item.text in _LABELS), -1)
        before = [item for item in self.items[: max(colon, 0)] if not item.is_("filler") and not item.is_verb("join")]
        if len(before) == 1 and is_side(before[0], labelled=True):
            self.side = side_named(self.scene, before[0])
            return colon + 1
        heads = len(before) == 1 and colon == 1 and before[0].kind == "word" and not before[0].senses
        return 2 if heads and before[0].who is None and self.at(2).typed[:1].isupper() else 0  # Present: Kira (40 hp)

    @property
    def now(self) -> Newcomer:
        """The newcomer that is being read."""
        return self.found[-1]

    def _one(self, place: int) -> int:
        """Take what stands at a place; return where the next begins, 0 if nothing can stand there."""
        item, behind = self.items[place], self.at(place + 1)
        if item.is_("pronoun_subject", "pronoun_object") or item.text in ("'s", "'ve", "'re", *_LINKED):
            self.now.closed = bool(self.now.words or self.now.known)
            return place + 1 if self.now.closed or self.found[:-1] or item.is_("filler") else 0
        if item.text == "(" and (self.now.words or self.now.known) and (end := self._aside(place)):
            return end
        if self.now.words and is_rank(item, behind):
            self.now.notes.append(f"{item.typed}{behind.typed}")
            return place + 2
        if item.number is not None or item.kind == "number":
            return self._number(place)
        if item.kind == "square":
            self.now.square = item.values
            return place + 1
        if item.is_("points", "armor", "temporary") and (end := self._stat(place)):
            return end
        if end := self._field(place):
            return end
        if item.is_("initiative") and behind.number is not None and behind.number.sign and self.now.words:
            self.now.sheet["initiative"] = behind.number.value  # a bonus, and no roll
            return place + 2
        if item.is_("initiative") and item.text not in ("i",) and behind.number is not None:
            self.now.total = behind.number.value
            return place + 2
        if item.text in ("*", "×") and self.now.words and behind.number is not None:
            return place + 1
        if item.text in ("(", ")", "[", "]", "-", "–", "—", ":", "/", "=", "@"):
            return place + 1
        if item.text in _FOE and item.kind == "word" and (self.now.words or self.now.known) and not self._heads(place):
            return self._join_side(_FOE[item.text], place + 1)
        if item.text in _ENDS:
            return self._next(place)
        if item.is_("size") and item.kind == "word" and (self.now.words or self.now.known):
            self.now.sheet["size"] = item.text
            return place + 1
        if item.text in ("with", "on", "at") and (self.now.words or self.now.known):
            self.now.closed = True
            return place + 1
        if item.is_verb("join", "add") or item.is_("become"):
            self.now.closed = bool(self.now.words or self.now.known)
            return place + 1
        if is_side(item):
            if not (self.now.words or self.now.known or self.found[:-1]):
                return 0
            return self._join_side(side_named(self.scene, item), place + 1)
        if item.who is not None and (self.now.words or self.found[:-1]) and (end := self._ally(place)):
            return end
        if item.who is not None:
            return self._known(place) or (self._word(place) if len(item.text) < 4 and self.now.words else 0)
        if item.kind in ("word", "quote", "ordinal"):
            return self._word(place)
        return 0

    def _join_side(self, side: str, end: int) -> int:
        """Take the side of those who join, and return where it ends; 0 if there was another, as one line has one."""
        if self.side not in ("", side):
            return 0
        self.side = side
        return end

    def _ally(self, place: int) -> int:
        """Take somebody who is there as the side of who joins: with the ogre, on the goblin's side; return where that ends, 0 if it is none."""
        people, at = self.items[place].who, place - 1
        if people is None or len(people.ids) != 1 or not (side := self.scene.side_of(people.ids[0])):
            return 0
        while self.at(at).text in ("the", "a", "an"):
            at -= 1
        if [self.at(place + 1).text, self.at(place + 2).text] in (["'s", "side"], ["'s", "team"]):
            return self._join_side(side, place + 3)
        ends = self.at(place + 1).kind in ("mark", "none") and self.at(place + 1).text != "'s"
        return self._join_side(side, place + 1) if ends and self.at(at).text in ("with", "alongside", "beside") else 0

    def _heads(self, place: int) -> bool:
        """Say whether a word is the last of a name, which goes on behind it or has a number there."""
        behind = self.at(place + 1)
        return behind.kind == "word" and not behind.is_("points", "armor", "with", "filler", "join", "size")

    def _aside(self, place: int) -> int:
        """Take words in brackets behind a name as notes; return where they end, 0 if something else stands in them."""
        end = next((at for at in range(place, len(self.items)) if self.items[at].text == ")"), 0)
        inside = self.items[place + 1 : end]
        if not inside or any(item.kind not in ("word", "mark") for item in inside):
            return 0
        self.now.notes.append(" ".join(item.typed for item in inside))
        return end + 1

    def _next(self, place: int) -> int:
        """Begin the next newcomer behind a comma or and, unless only more of the sheet follows."""
        at, again = place + 1, False
        while self.at(at).text in (*_ENDS, *_LINKED, "'s") or (
            self.at(at).is_("filler", "pronoun_subject") and self.at(at).kind == "word" and not self.at(at).number
        ):
            again = again or self.at(at).text in _AGAIN
            at += 1
        ahead = self.at(at)
        more = self.at(at + 1)
        stats = (
            (again and (self.now.words or self.now.known))
            or ahead.is_("points", "armor", "size", "initiative", "class", "save_kind")
            or (ahead.text in ("speed", "move", "movement") and more.number is not None)
            or (is_side(ahead) and (more.kind in ("mark", "none") or more.number is not None))
            or (
                ahead.number is not None
                and (
                    more.is_("points", "armor", "length", "damage")
                    or more.text in (",", "", ";", ")", "hits", "of", ".")
                )
            )
        )
        alone = ahead.number is not None and (more.kind in ("mark", "none") or more.is_("and"))
        if alone and self.now.words and not self.now.has_stats:
            self.now.closed = True  # Mateo, 36 and 16
        elif not stats and (self.now.words or self.now.known):
            self.found.append(Newcomer())
        return place + 1

    def _ends_the_name(self, item: Item) -> bool:
        """Say whether a word is no part of the name before it: behind the plural of several, and in small letters behind a name in capitals."""
        if self.now.count > 1 and (last := self.now.words[-1].casefold()) != singular(last):
            return item.text == singular(item.text)
        return len(self.now.words) > 1 and item.typed.islower() and all(each[:1].isupper() for each in self.now.words)

    def _stat(self, place: int) -> int:
        """Take hit points or an armour class: the word, and the numbers behind it; return where they end, 0 if none follow."""
        item = self.items[place]
        at = place + 1
        while self.at(at).text in (":", "=", "of", "is", "was"):
            at += 1
        first = self.at(at).number
        if first is None or self.at(at).values or first.sign or first.summed:
            return 0
        if item.is_("points") and first.pair and (end := self._points_left(at)):
            return end
        if item.is_("armor"):
            self.now.sheet["ac"] = self.at(at).number.value  # type: ignore[union-attr]
            return at + 1
        lacks = self.at(at + 2).number is None and self.at(at + 2).text not in (":", "=")
        if self.at(at + 1).is_("points") or (self.at(at + 1).is_("armor") and lacks):
            return 0
        while self.at(at).number is not None and not self.at(at).values:
            self.now.points.append(self.at(at).number.value)  # type: ignore[union-attr]
            at += 1
            if self.at(at).text == "/" and self.at(at + 1).number is not None:
                self.now.sheet["ac"] = self.at(at + 1).number.value  # type: ignore[union-attr]
                return at + 2
            if self.now.count == 1 and not self.now.known:
                break
            if (
                self.at(at).text == ","
                and self.at(at + 1).number is not None
                and not self.at(at + 2).is_("points", "armor")
                and self.at(at + 2).kind != "word"
            ):
                at += 1
        return at

    def _number(self, place: int) -> int:
        item, behind = self.items[place], self.at(place + 1)
        number = item.number
        if number is None or number.sign or number.summed:
            return 0
        if number.pair:
            if end := self._points_left(place):
                return end
            if not self.now.words or self.now.has_stats or len(number.pair) != 2 or number.pair[0] <= number.pair[1]:
                return 0
            self.now.points.append(number.pair[0])  # Kel 44/18: more than the most points that there could be
            self.now.sheet["ac"] = number.pair[1]
            return place + 1
        if self.now.words and not self.now.has_stats and self.at(place - 1).text in ("x", "×", "*"):
            self.now.count = number.value
            return place + 1
        if behind.text == "of" and self.at(place + 2).is_("points"):
            self.now.points.append(number.value)
            return place + 3
        if behind.text == "hits" and not self.now.points:
            self.now.points.append(number.value)
            return place + 2
        if behind.is_("points"):
            end = place + 2
            if self.at(end).text == "of" and self.at(end + 1).is_("points"):
                end += 2
            self.now.points.append(number.value)
            if (
                self.at(end).text == "/"
                and self.at(end + 1).number is not None
                and not self.at(end + 2).is_("points", "armor")
            ):
                self.now.sheet["ac"] = self.at(end + 1).number.value  # type: ignore[union-attr]
                end += 2
            return end
        if behind.is_("armor") and self.at(place + 2).number is None:
            self.now.sheet["ac"] = number.value
            return place + 2
        if behind.is_("length"):
            self.now.notes.append(f"{item.typed} {behind.typed}")
            return place + 2
        if not (self.now.words or self.now.known):
            self.now.count = number.value
            return place + 1 + (behind.text in ("x", "×", "more", "new", "additional", "extra"))
        if self.now.notes and self.now.notes[-1] and self.at(place - 1).is_("class", "filler", "size"):
            self.now.notes[-1] += f" {item.typed}"
            return place + 1
        armor_next = next((each for each in self.items[place + 1 :] if each.text not in ("and", ",", "&")), behind)
        if not self.now.has_stats and (self._shares_points(place) or armor_next.is_("armor")):
            self.now.points.append(number.value)
            return place + 1
        if self.now.points and "ac" not in self.now.sheet and self.at(place - 1).text in ("/", ","):
            self.now.sheet["ac"] = number.value
            return place + 1
        ends = behind.kind in ("mark", "none") or behind.is_("and", "with")
        ends = ends or (self.adds and len(self.found) == 1 and behind.number is not None)
        if (
            (self.now.closed or self.adds)
            and ends
            and behind.text != "/"
            and (not self.now.points or "ac" not in self.now.sheet)
        ):
            self.bare += not any(each.points and "ac" in each.sheet for each in self.found[:-1])
            if self.now.points:
                self.now.sheet["ac"] = number.value
            else:
                self.now.points.append(number.value)
            return place + 1
        if self.at(place - 1).text in ("x", "×", "*") and not self.now.has_stats:
            self.now.count = number.value
            if self.now.words and self.now.words[-1] in ("x", "×"):
                self.now.words.pop()
            return place + 1
        return 0

    def _is_new_side(self, place: int) -> bool:
        """Say whether an unknown plural in small letters right behind joins is the side of who joins: Zed joins the wolves."""
        item, at = self.items[place], place - 1
        while self.at(at).text == "the":
            at -= 1
        behind = self.at(place + 1)
        ends = behind.kind in ("mark", "none") or behind.is_("with", "at")
        plural = singular(item.text) != item.text and item.typed.islower() and not item.senses
        return ends and plural and self.now.closed and self.at(at).is_verb("join") and not self.now.has_stats

    def _points_left(self, place: int) -> int:
        """Take the points that are left, and the most that there can be: 30/33 hp, hp 20/24, 38/38; return where they end, 0 if they are none."""
        number = self.items[place].number
        pair = number.pair if number else ()
        named = self.at(place + 1).is_("points") or self.at(place - 1).is_("points")
        armor = any(item.is_("armor") for item in self.items)
        one = self.now.count == 1 and bool(self.now.words) and not self.now.points
        if not one or len(pair) != 2 or pair[0] > pair[1] or not (named or armor or pair[0] == pair[1]):
            return 0
        self.now.points.append(pair[0])
        self.now.sheet["hp_max"] = pair[1]
        return place + 1 + self.at(place + 1).is_("points")

    def _field(self, place: int) -> int:
        """Take a speed, or the bonus of a save, as fields of the sheet: speed 30, dex save +5; return where they end, 0 if there are none."""
        item, behind = self.items[place], self.at(place + 1)
        if not self.now.words or item.kind != "word":
            return 0
        if item.text in ("speed", "move", "movement") and behind.number is not None and not behind.number.sign:
            self.now.sheet["speed"] = behind.number.value
            return place + 2 + self.at(place + 2).is_("length")
        bonus = self.at(place + 2).number
        if item.is_("save_kind") and behind.is_("save") and bonus is not None and bonus.sign:
            self.now.sheet[f"{item.value('save_kind')}_save"] = bonus.value
            return place + 3
        return 0

    def _shares_points(self, place: int) -> bool:
        """Say whether a number behind a name has its unit at the end of the list: Halvaine 9, Brand 14, Gwen 11 hp."""
        rest = self.items[place:]
        last = [item for item in rest if item.kind != "mark"][-2:]
        return (
            self.found[0] is not None
            and len(last) == 2
            and last[0].number is not None
            and last[1].is_("points")
            and sum(item.is_("points") for item in self.items) == 1
        )

    def _known(self, place: int) -> int:
        """Take the kind of some who are there already: 2 more orcs."""
        item = self.items[place]
        if item.who is None:
            return 0
        counted = (
            self.now.count > 1
            or bool(item.who.options)
            or any(each.text in ("more", "another", "new") for each in self.items[max(0, place - 2) : place])
        )
        if self.now.words or not (item.who.base and counted):
            return 0
        stem = {who.rpartition("-")[0] for who in (item.who.ids or item.who.options)}
        if len(stem) != 1 or not all(stem):
            return 0
        self.now.known = stem.pop()
        return place + 1

    def _word(self, place: int) -> int:
        item, behind = self.items[place], self.at(place + 1)
        text = item.text
        if text in ("more", "another", "new") and not self.now.words:
            return place + 1
        if (text == "as" and self.now.words) or (item.is_("and") and not self.now.words):
            return place + 1
        linked = behind.typed[:1].isupper() or (behind.text in LINKS and self.at(place + 2).typed[:1].isupper())
        linked = linked or (text == "the" and not self.now.closed and not behind.senses)  # Grok the orc
        if text in LINKS and self.now.words and linked and behind.kind == "word":
            self.now.words.append(item.typed)
            return place + 1
        if text in ("each", "apiece"):
            self.shared = True
            return place + 1
        if text in ("x", "×") and behind.number is not None:
            return place + 1
        if item.kind == "word" and item.is_("party", "foes"):
            return place + 1
        if text in ("side", "team") and (self.side or is_side(behind)):
            return place + 1  # on the foes' side, side foes
        if self._is_new_side(place):
            return self._join_side(names.id_of(text, ()), place + 1)
        if (
            text in ("friends", "side", "team", "enemy", "no", "anyone", "of", "same", "stats", "present", "opposition")
            and self.now.closed | self.now.has_stats
        ):
            self.now.notes.append(item.typed)
            return place + 1
        if (self.now.has_stats or self.now.closed) and self.now.words:
            if item.is_("filler", "with", "for", "to", "from", "and") and not text.endswith("ly"):
                return place + 1
            self.now.notes.append(item.typed)
            if not item.is_("class"):
                self.unread.append(item.typed)
            return place + 1
        if self.now.words and item.is_("class"):
            self.now.notes.append(item.typed)
            return place + 1
        if self.now.words and self._ends_the_name(item) and not item.is_("filler", "with", "to", "for", "from"):
            self.now.closed = True
            self.unread.append(item.typed)
            return place + 1
        if item.is_("filler", "with", "to", "for", "from") and (
            not self.now.words
            or item.text
            in (
                "with",
                "at",
                "of",
                "has",
                "have",
                "each",
                "apiece",
                "the",
                "a",
                "an",
                "w/",
                "on",
                "for",
                "and",
                "to",
                "up",
                "in",
                "are",
                "is",
            )
        ):
            return place + 1
        if item.is_verb("move", "place", "rise") and self.now.words:
            self.now.closed = True
            self.unread.append(item.typed)
            return place + 1
        if item.is_verb() and not item.is_("filler", "weapon", "class") and (self.now.words or self.now.known):
            return 0  # it is told what somebody does
        if self.now.words and self.at(place - 1).text in (",", "(", ";"):
            self.now.notes.append(item.typed)
            return place + 1
        self.now.words.append(item.typed)
        return place + 1


def is_side(item: Item, *, labelled: bool = False) -> bool:
    """Say whether a word names a side; as a label also one that is not known yet."""
    named = item.who is not None and bool(item.who.side) and item.who.group
    plain = item.kind == "word" and (
        item.is_("party", "foes") or (labelled and not item.senses and item.text.endswith("s"))
    )
    return named or plain


def side_named(scene: Scene, item: Item) -> str:
    """Return the side that a word names."""
    if item.who is not None and item.who.side:
        return item.who.side
    sides = {one.side for one in scene.here if one.side}
    if item.is_("party") and "party" in sides:
        return "party"
    return names.id_of(item.text.split()[-1], ())


def is_rank(item: Item, behind: Item) -> bool:
    """Say whether a short word in capitals is a class, with its level behind it: F4, MU 3."""
    short = item.kind == "word" and item.typed.isupper() and len(item.text) <= LONGEST_RANK
    return short and behind.number is not None and not item.is_("armor", "points", "initiative", "round")


def facts_of(scene: Scene, people: list[Newcomer], side: str) -> Facts | None:
    """Return the facts by which they join; None if one of them cannot."""
    facts: Facts = []
    taken: set[str] = set()
    for one in people:
        many = one.count > 1 or bool(one.known)
        name = one.known or (one.listed.replace("-", " ") if many else "") or " ".join(one.words)
        if not name or len(name) > 60 or len(one.words) > 4 or not 1 <= one.count <= filling.MOST_COPIES:
            return None
        if many and not (one.known or one.listed):
            *first, last = name.split(" ")
            name = " ".join((*first, singular(last.casefold()) if last.islower() or last[:1].isupper() else last))
            name = name.casefold()
        if len(one.points) not in (0, 1, one.count):
            return None
        sheet = {
            **one.sheet,
            **({"hp": one.points[0]} if one.points else {}),
            **({"notes": " ".join(one.notes)} if one.notes else {}),
        }
        alike = [each for each in scene.here if each.id.rpartition("-")[0] == one.known] if one.known else []
        if alike:
            sheets = [_sheet_of(scene, each.id) for each in alike]
            sheet = sheet or (sheets[0] if all(each == sheets[0] for each in sheets) else {})
            side = side or alike[0].side
            name = alike[0].name.rpartition(" ")[0] or name
        values: Fields = {
            "new": f"{name}*{one.count}" if many else name,
            "sheet": sheet,
            **({"group": side} if side else {}),
        }
        if one.square:
            values["square"] = list(one.square)
        if one.total is not None:
            values["total"] = one.total
        try:
            made = filling.copies(scene.context, values)
        except (Gap, ValueError, KeyError):
            return None
        joined = [each for each in made if each["type"] == "combatant_joined"]
        if {each["combatant"] for each in joined} & taken:
            return None
        taken |= {each["combatant"] for each in joined}
        if len(one.points) == one.count > 1:
            for each, points in zip(joined, one.points, strict=True):
                each["sheet"] = {**each["sheet"], "hp": points}
        facts += made
    return facts


def _stated(sheet: object, field: str) -> object:
    """Return what a sheet says in a field; None where that goes without saying."""
    value = getattr(sheet, field, None)
    usual = next((each.default for each in fields(type(sheet)) if each.name == field), None) if value else None  # type: ignore[arg-type]
    return None if value == usual else value


def _sheet_of(scene: Scene, who: str) -> Fields:
    """Return the points and the armour class of somebody of the same kind."""
    one = scene.state.combatants[who]
    known = getattr(one.sheet, "srd", None)
    found = {"hp": one.hp_max, "ac": None if known else _stated(one.sheet, "ac")}
    return {key: value for key, value in found.items() if isinstance(value, int)}
