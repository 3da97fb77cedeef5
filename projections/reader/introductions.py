"""Newcomers as people introduce them in sentences: Into the cave come Ilse Varga, with 42 hit points and AC 18, and three drowned sailors."""

from collections.abc import Sequence

from projections.reader.composition import Reading
from projections.reader.joining import LINKS, Newcomer, facts_of, is_rank, is_side, side_named
from projections.reader.scene import Scene
from projections.reader.tags import Item

_EACH = ("each", "apiece", "all")


def introduced(scene: Scene, items: Sequence[Item]) -> Reading | None:
    """Return a sentence in which people who are not there yet have hit points, or an armour class; None if it is none."""
    if any(
        item.is_("hit", "miss", "save", "question", "damage") or item.is_verb("take", "heal", "regain", "cast")
        for item in items
        if item.kind == "word" and not item.is_("filler", "weapon", "points")
    ):
        return None
    found = _Sentence(scene, list(items))
    found.read()
    people = found.people
    cues = ("armor", "party", "foes")
    joins = any(item.is_verb("join", "add") or item.is_(*cues) for item in items if item.kind == "word")
    if not people or not all(each.points for each in people):
        return None
    if len(found.sides) > 1:
        return None  # one line has one side
    facts = facts_of(scene, people, "".join(found.sides))
    return None if facts is None else Reading(facts, ("join",), tuple(found.unread), guesses=0 if joins else 1)


class _Sentence:
    """The newcomers of a sentence, their stats, and the words that are about something else."""

    def __init__(self, scene: Scene, items: list[Item]) -> None:
        self.scene, self.items = scene, items
        self.people: list[Newcomer] = []
        self.waiting: list[Newcomer] = []
        """Those whose stats are still to come."""
        self.sides: set[str] = set()
        self.unread: list[str] = []

    def at(self, place: int) -> Item:
        """Return the item at a place; an empty one beyond the ends."""
        return self.items[place] if 0 <= place < len(self.items) else Item("", "", 0, 0, "none")

    def read(self) -> None:
        """Read all items from left to right."""
        place = 0
        while place < len(self.items):
            place = (
                self._stat(place) or self._rank(place) or self._group(place) or self._name(place) or self._word(place)
            )

    def _stat(self, place: int) -> int:
        """Take hit points or an armour class; return where they end, 0 if there are none."""
        item, behind = self.at(place), self.at(place + 1)
        kind = next((kind for kind in ("points", "armor", "needed") if item.is_(kind)), "")
        if kind:
            at = place + 1
            while self.at(at).text in (":", "=", "of"):
                at += 1
            values: list[int] = []
            while (number := self.at(at).number) is not None and not number.sign and not number.summed:
                if self.at(at + 1).is_("points", "armor") and self.at(at + 2).number is None:
                    break
                values += number.pair or (number.value,)
                at += 1
                if kind != "points" or not self.waiting or self.waiting[-1].count == 1:
                    break
                at += self.at(at).text in (",", "and", "&") and self.at(at + 1).number is not None
            if not values:
                return 0
            if kind == "needed" and self.waiting:  # THAC0 16
                self.waiting[-1].notes.append(f"{item.typed} {values[0]}")
            self._give(kind, values)
            return at
        number = item.number
        if number is None or number.sign or number.summed:
            return 0
        armor = self.at(place + 2 if behind.text == "/" else place + 1)
        if self.waiting and not self.waiting[-1].points and behind.text == "/" and armor.is_("armor"):
            self._give("points", [number.value])
            return place + 2
        if not behind.is_("points", "armor"):
            return 0
        self._give("points" if behind.is_("points") else "armor", list(number.pair or (number.value,)))
        if behind.is_("points") and self.at(place + 2).text == "/" and (ac := self.at(place + 3).number):
            self._give("armor", [ac.value])
            return place + 4
        return place + 2

    def _give(self, kind: str, values: list[int]) -> None:
        """Give stats to those who wait for them: to the last alone, unless none of those before it has any."""
        for one in self.waiting:
            if kind == "armor":
                one.sheet.setdefault("ac", values[0])
            elif kind == "points" and not one.points:
                if one.count == 1 and len(values) == 2 and values[0] <= values[1]:
                    one.sheet["hp_max"] = values[1]  # 30/33 hp
                one.points = values if len(values) in (1, one.count) else values[:1]

    def _rank(self, place: int) -> int:
        """Take a class with a level, F4 or cleric 3, as notes; return where it ends, 0 if there is none."""
        item, behind = self.at(place), self.at(place + 1)
        short = is_rank(item, behind)
        if not self.waiting or behind.number is None or not (short or item.is_("class")):
            return 0
        self.waiting[-1].notes.append(f"{item.typed}{'' if short else ' '}{behind.typed}")
        return place + 2

    def _group(self, place: int) -> int:
        """Take a number and the plural behind it: three drowned sailors; return where they end, 0 if there are none."""
        number = self.at(place).number
        if number is None or number.sign or number.summed or not 1 < number.value < 100:
            return 0
        words, at = list[str](), place + 1
        while self.at(at).kind == "word" and len(words) < 3 and not self.at(at).is_verb("join", "add"):
            words.append(self.at(at).typed)
            at += 1
            if words[-1].endswith("s") and not self.at(at).typed.endswith("s"):
                break
        if (
            not words
            or not words[-1].endswith("s")
            or any(self.at(each).is_("points", "armor") for each in range(place, at))
        ):
            return 0
        self._begin(Newcomer(words=words, count=number.value))
        return at

    def _name(self, place: int) -> int:
        """Take a name that nobody has yet, written with capitals: Ilse Varga, Uzgash the Tall, Marsh Ghoul 2; return where it ends, 0 if there is none."""
        at, words = place, list[str]()
        while self.at(at).kind == "word" and self.at(at).who is None:
            item = self.at(at)
            if words and (is_rank(item, self.at(at + 1)) or (item.is_("class") and item.typed.isupper())):
                break
            if (
                words and item.text in LINKS and self.at(at + 1).typed[:1].isupper() and self.at(at + 1).kind == "word"
            ) or (
                item.typed[:1].isupper()
                and not item.is_("points", "armor", "party", "foes", "spell", "condition", "to_hit")
                and (place or not item.senses or self._goes_on(at))
            ):
                words.append(item.typed)
            else:
                break
            at += 1
        if not words or self._is_opening(words, place):
            return 0
        number = self.at(at).number
        if number is not None and self.at(at).text.isdigit() and not self.at(at + 1).is_("points", "armor"):
            words.append(self.at(at).typed)
            at += 1
        self._begin(Newcomer(words=words))
        return at

    def _goes_on(self, at: int) -> bool:
        return self.at(at + 1).kind == "word" and self.at(at + 1).typed[:1].isupper()

    def _is_opening(self, words: list[str], place: int) -> bool:
        """Say whether a single capital only begins the sentence: Behind them creep …"""
        return (
            len(words) == 1
            and place == 0
            and self.at(1).kind == "word"
            and not self.at(1).is_("points", "armor", "class", "with")
        )

    def _begin(self, one: Newcomer) -> None:
        if one.words[0].casefold() in ("a", "an", "the") and len(one.words) > 1:
            one.words = one.words[1:]
        if any(each.points or each.sheet for each in self.waiting):
            self.waiting = []
        self.waiting.append(one)
        self.people.append(one)

    def _word(self, place: int) -> int:
        item = self.at(place)
        if is_side(item):
            self.sides.add(side_named(self.scene, item))
        elif item.kind == "mark" or item.text in _EACH or item.is_verb("join", "add"):
            pass
        elif not item.is_(
            "filler", "with", "to", "from", "for", "and", "become", "pronoun_subject", "pronoun_object", "towards"
        ):
            self.unread.append(item.typed)
        return place + 1
