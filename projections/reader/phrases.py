"""Phrases: the units of a line about newcomers: names with their number, stats, ranks, and words that only connect these."""

import re
from collections.abc import Sequence

from projections.grammar import filling, names
from projections.grammar.names import kind_of
from projections.reader.lexicon import lexicon
from projections.reader.newcomers import SIDES, Newcomer, is_side
from projections.reader.scene import Scene, singular
from projections.reader.short_names import GIVES
from projections.reader.tags import NOTHING, Item
from projections.reader.tokens import tokens
from projections.stream.names import DESCRIBING

LONGEST_NAME = 5
"""The most words of a name."""
LONGEST_RANK = 4
"""The most letters of a class that is shortened, as in Rgr3."""
HIGHEST_LEVEL = 20
"""The highest level that a number after a class can be."""
WITHIN = ("the", "of", "von", "van", "de", "la", "al")
"""Words that connect the others in a name: Ana the Bold, captain of the guard."""
PARTICLES = (
    *WITHIN,
    "ibn",
    "bin",
    "al",
    "el",
    "del",
    "di",
    "da",
    "du",
    "der",
    "den",
    "ter",
    "le",
    "zu",
    "mac",
    "ap",
    "st",
)
"""Words in small letters with which a name may begin."""
_ARTICLES = ("a", "an", "the", "my", "our", "your", "his", "her", "their", "its", "this", "that", "these", "some")
_FURTHER = ("another", "more", "new", "additional", "extra", "other")
MEANS = (":", "=", "of", "is", "was", "are", "at", "-")
"""The words and marks between a stat and its number: hp: 9, an armour class of 14."""
_THINGS = ("weapon", "spell", "feature", "type", "item", "condition", "resource", "ammunition", "effect", "cure")
"""Kinds of words for things, which belong to a name only together with others, or where something marks it as a name."""
_NAMELIKE = frozenset(["weapon", "feature", "spell", "type", "item"])
"""Kinds of words for things that are names in capitals: my wolf Fang."""
_STATES = ("size", "save_kind", "class", "calling", "status_dead", "skill", "morale")
_OPENERS = frozenset(["then", "now", "next", "also", "and", "but", "so", "finally", "meanwhile", "later", "suddenly"])
"""Words with which a sentence goes on, in capitals at its beginning, and no name does: then Morwenna the hag appears."""
_OF_NAMES = frozenset((*_THINGS, *_STATES, "spell_word", "note", "misspelt", "adverb", "role"))
"""Kinds of words that a name may hold without a capital: flying sword, fire elemental, dead knight."""
_NEVER_NAMES = ("points", "armor", "temporary", "and", "introduces", "others", "for_each", "owns", "leads", "fray")
_NO_DETERMINER = frozenset(("new", "one", "two", "three", "first", "second", "third", "last", "right", "left"))
_ADJECTIVES = DESCRIBING - _NO_DETERMINER
BEARS = frozenset(["wearing", "carrying", "bearing", "riding", "mounted", "armed", "equipped", "sporting", "wielding"])
"""Words behind which only a thing or a mount stands."""
SPEEDS = ("speed", "move", "movement")
_OF_DEGREE = ("only", "exactly", "precisely", "really", "actually", "finally", "basically", "currently", "respectively")
_BANDS = ("pack", "horde", "mob", "herd", "gang", "crew", "band", "company", "squad", "troop")
"""Words for several that may begin the name of who leads them: pack lord, gang boss."""
_MANY = {"pair": 2, "couple": 2, "brace": 2, "trio": 3, "dozen": 12}
"""Words for several of a kind."""
_BLOWS = ("strike", "shoot", "cast", "deal", "kill", "fell", "declare")
DEEDS = (*_BLOWS, "heal", "regain", "gain", "take", "lose", "drink")
"""Verbs for acts in a fight, which those who are not in it yet neither do nor suffer."""


class Phrases:
    """The items of a line, and the phrases that can begin at each of their places."""

    gap = "start"
    """The kind of item before the next one to read: the beginning of a sentence, a mark, "and", "is"; "" for none."""

    def __init__(self, scene: Scene, items: Sequence[Item]) -> None:
        self.scene, self.items = scene, list(items)
        self.lexicon = lexicon(scene.state.rules.rules)

    @property
    def waits(self) -> bool:
        """Whether somebody was named whose stats are still to come."""
        return False

    def at(self, place: int) -> Item:
        """Return the item at a place; an empty one beyond the ends."""
        return self.items[place] if 0 <= place < len(self.items) else NOTHING

    def typed(self, place: int, end: int) -> str:
        """Return words as typed."""
        return " ".join(item.typed for item in self.items[place:end])

    def _kind(self, item: Item) -> str:
        return next((kind for kind in ("points", "armor") if item.is_(kind)), "") if item.kind == "word" else ""

    def _is_stat(self, place: int) -> bool:
        """Say whether a stat or a number stands at a place."""
        item, behind = self.at(place), self.at(place + 1)
        if item.is_("points", "armor", "temporary") and item.kind == "word":
            return True
        return item.number is not None and (
            behind.is_("points", "armor") or behind.kind in ("mark", "none") or behind.text in ("hits", "each")
        )

    def _is_unit(self, place: int, *, first: bool = False) -> bool:
        """Say whether a word for a stat belongs to the number before it, and not to one after: 24 hp; 24 hp 15 ac; as the `first` 24 hp 3 orcs."""
        at = place + 1
        if not self._kind(self.at(place)) or self.at(at).text in (":", "="):
            return False
        while self.at(at).text in MEANS:
            at += 1
        number = self.at(at).number
        return number is None or self._is_unit(at + 1) or (first and self._begins_a_name(at + 1))

    def _is_rank(self, place: int) -> bool:
        item, behind = self.at(place), self.at(place + 1)
        if behind.number is not None and behind.number.sign:
            return False
        if behind.values and behind.kind == "number":
            return item.kind == "word" and (item.is_("rating") or item.typed.isupper())  # D 1-8
        if item.kind not in ("word", "who") or behind.number is None or behind.number.notation or behind.number.pair:
            return False
        if item.is_("armor", "points", "initiative", "round", "temporary") or item.text in ("x", "×", "speed", "move"):
            return False
        if item.is_("rating", "needed"):
            return True
        if behind.number.value > HIGHEST_LEVEL or self.at(place + 2).text == "/":
            return False
        if self._kind(self.at(place + 2)) and not self._kind(self.at(place + 1)) and self.at(place + 3).number is None:
            return False  # cleric 12 hp
        short = len(item.text) <= LONGEST_RANK and item.kind == "word"
        glued = behind.start == item.end
        return (short and (item.typed.isupper() or glued)) or (item.is_("class") and not behind.number.spelled)

    def _is_light(self, item: Item) -> bool:
        """Say whether a word only connects: it leads to a name, or from one to a number."""
        if item.text in (*_ARTICLES, "'s", "'ve", "'re") or item.is_("owns", "leads"):
            return True
        if (
            item.is_("adverb", "changes")
            or (item.text.endswith("ly") and item.text not in _OF_DEGREE)
            or (item.is_("for") and item.text not in ("for", "f"))
        ):
            return False
        return item.kind == "word" and item.is_(
            "filler", "and", "with", "pronoun_subject", "pronoun_object", "introduces", "adverb"
        )

    def _begins_a_name(self, place: int) -> bool:
        item = self.at(place)
        return (
            item.kind == "word"
            and not self._kind(item)
            and not self._is_light(item)
            and not item.is_("initiative", "rating", "temporary", "for_each")
        )

    def _each_said(self, place: int) -> bool:
        return any(item.is_("for_each") for item in self.items[place:])

    def _phrase(self, place: int) -> tuple[Newcomer, int] | None:
        """Return the newcomer that a phrase at a place names, and where it ends; None if it names nobody who can join."""
        one, at = self._determined(place)
        item = self.at(at)
        if item.who is not None and (known := self._known(one, at)):
            return known
        opens = self.gap == "start" and at == place
        while True:
            item = self.at(at)
            if one.words and item.kind == "word" and item.text in WITHIN and (end := self._within(one, at)):
                at = end
                if one.classes:
                    break
                continue
            if (one.words or one.classes) and (self._is_rank(at) or self._closes(one, at)):
                break
            if self._is_class(one, item):
                one.classes.append(item.typed)
                at += 1
                continue
            if not self._can_name(at, one, opens=opens):
                break
            if len([word for word in one.words if word.casefold() not in WITHIN]) == LONGEST_NAME:
                return None  # a sentence
            one.slip = one.slip or (item.who is not None and (item.who.slip or item.who.likely))
            if self._describes(one, item):
                one.notes.append(" ".join(one.words))
                one.words = []
            one.words.append(item.typed)
            one.thing = item.kind == "word" and item.text == item.typed and item.is_(*_THINGS)
            acts = len(one.words) > 1 and not one.counted and one.thing and item.is_verb(*_BLOWS)
            one.slip = one.slip or (acts and item.text.endswith("s"))  # a goblin attacks our druid, 7 hp
            one.magic = one.thing and not item.is_("weapon", "type", "item", "ammunition")
            at += 1
            opens = False
        if one.classes and not one.words:
            if one.article or one.counted or not self.waits or self.gap == "and":
                one.words, one.classes = one.classes, []
        elif one.classes:
            one.notes.append(" ".join(one.classes))
        if not one.words and not one.classes:
            return None
        return one, self._behind_name(one, at)

    def _describes(self, one: Newcomer, item: Item) -> bool:
        """Say whether the words so far only describe whom a capitalized word names: pale Vesper; not a dire Wolf, bandit A."""
        small = bool(one.words) and all(word.islower() and word not in PARTICLES for word in one.words)
        named = item.kind == "word" and item.typed[:1].isupper() and len(item.typed) > 1 and item.kinds <= _NAMELIKE
        return small and named and not (one.counted or one.more or one.article in ("a", "an", "another"))

    def _determined(self, place: int) -> tuple[Newcomer, int]:
        """Return a newcomer without a name yet, with the number that the phrase gives, and the place where the words of the name begin."""
        one, at = Newcomer(), place
        while True:
            item = self.at(at)
            if (
                item.kind == "word"
                and item.text in _ARTICLES
                and (self.at(at + 1).kind in ("word", "who") or self._counts(at + 1))
            ):
                one.article = item.text
            elif item.kind == "word" and item.text in _FURTHER and self.at(at + 1).kind in ("word", "who", "quote"):
                one.article, one.more = "another", True
            elif item.kind == "ordinal" and item.values[:1] > (1,) and self.at(at + 1).who:
                one.article, one.more = "another", True  # a second orc
            elif item.text in _MANY and self.at(at + 1).kind == "word" and self.at(at + 1).text in ("of", "more"):
                one.count, one.counted = _MANY[item.text], True
                at += self.at(at + 1).text == "of"
            elif item.is_("collective") and self.at(at + 1).text == "of" and self._counts(at + 2):
                at += 1
            elif self.typed(at, at + 3).casefold() == "half a dozen":
                one.count, one.counted = 6, True
                at += 2
            elif item.text == "of" and one.counted and self.at(at + 1).text in _ARTICLES:
                pass  # four of his warriors
            elif item.text == "dozen" and self.at(at + 1).kind == "word":
                one.count, one.counted = _MANY[item.text], True
            elif not one.counted and self._counts(at):
                one.count, one.counted = item.number.value, True  # type: ignore[union-attr]
                at += self.at(at + 1).typed in ("x", "×", "*", "X")
            else:
                return one, at
            at += 1

    def _counts(self, place: int) -> bool:
        """Say whether the number at a place counts the newcomers named after it."""
        item, behind = self.at(place), self.at(place + 1)
        number = item.number
        if number is None or number.notation or number.summed or number.pair or item.values:
            return False
        if (number.sign and not item.typed.startswith("+ ")) or self._kind(self.at(place - 1)):
            return False
        if not 1 <= number.value <= filling.MOST_COPIES:
            return False
        at = place + 1 + (behind.typed in ("x", "×", "*", "X"))
        while self.at(at).text in _FURTHER:
            at += 1
        if self.at(at).text == "of" and self.at(at + 1).text in _ARTICLES:
            at += 2
        named = self.at(at)
        if named.kind == "who":
            return True
        if not self._can_name(at, Newcomer(counted=True), opens=False) or self._is_rank(at):
            return False
        waits = self.waits and self.gap == ""
        plural = any(
            singular(self.at(each).text) != self.at(each).text
            for each in range(at, at + 3)
            if self.at(each).kind == "word"
        )
        return not waits or (plural and bool(self._phrase_is_followed(at)))

    def _phrase_is_followed(self, at: int) -> bool:
        """Say whether a number follows the words at a place."""
        return any(self._is_stat(each) or self.at(each).number is not None for each in range(at + 1, len(self.items)))

    def _known(self, one: Newcomer, place: int) -> tuple[Newcomer, int] | None:
        """Return more of a kind that is in the fight already: 2 more orcs, another goblin; None if it is somebody in the fight."""
        item = self.at(place)
        if item.who is None or item.who.slip or item.who.likely or item.who.side:
            return None
        if one.counted and self._is_like_a_name(place, one):
            return None
        first = tokens(item.typed)[:1]
        if first and first[0].number is not None and not one.counted:
            one.count, one.counted = first[0].number.value, True
        if not (one.counted or one.more):
            return None
        stem = {kind_of(who) for who in (item.who.ids or item.who.options)}
        if len(stem) != 1 or not all(stem):
            return None
        if not one.more:
            one.slip = True
        one.known = stem.pop()
        return one, place + 1

    def _is_class(self, one: Newcomer, item: Item) -> bool:
        """Say whether a word after a name gives a class: gwen cleric; and is no part of the name: a goblin mage."""
        if item.kind != "word" or not item.is_("class") or item.is_("rating") or len(item.text) == 1:
            return False  # Ghoul C is the third
        if one.words and item.is_("calling") and all(word.islower() for word in (*one.words, item.typed)):
            return False  # bog witch
        return not one.words or bool(one.classes) or not (one.article or one.counted)

    def _within(self, one: Newcomer, place: int) -> int:
        """Take "of", "the" and what follows within a name, or a class after "the"; return where that ends, 0 if there is none."""
        item, behind = self.at(place), self.at(place + 1)
        if item.text == "the" and behind.kind == "word" and behind.is_("class"):
            end = place + 1
            while self.at(end).kind == "word" and not self._is_rank(end) and self._can_name(end, one, opens=False):
                one.classes.append(self.at(end).typed)
                end += 1
            return end
        end = place + 1
        while self.at(end).text in WITHIN:
            end += 1
        if not self._can_name(end, one, opens=False) or self.at(end).who is not None:
            return 0
        one.words += [each.typed for each in self.items[place : end + 1]]
        return end + 1

    def _closes(self, one: Newcomer, place: int) -> bool:
        """Say whether a name ends before a word: after a plural, and in small letters after capitals."""
        item = self.at(place)
        if not one.words:
            return False
        last = one.words[-1]
        if one.plural and re.fullmatch(r"[A-Z](-[A-Z])?", item.typed):
            return True  # orcs A-D
        goes = self.at(place + 1).is_("towards", "from", "to") and item.text != singular(item.text)
        if goes and one.article in ("a", "an", "another") and not item.senses:
            return True  # a huge troll crashes through the wall
        if one.count > 1 and last.casefold() != singular(last.casefold()):
            return item.text == singular(item.text)
        return len(one.words) > 1 and item.typed.islower() and all(word[:1].isupper() for word in one.words)

    def _can_name(self, place: int, one: Newcomer, *, opens: bool) -> bool:
        """Say whether the word at a place can be part of a name."""
        item = self.at(place)
        if item.kind == "quote":
            return True
        if item.text in GIVES or (one.words and item.text in BEARS):
            return False
        if item.who is not None:
            return self._is_like_a_name(place, one)
        if (
            item.kind != "word"
            or item.text in ("x", "×")
            or is_side(item)
            or (item.text in SIDES and not self._begins_a_name(place + 1))
        ):
            return item.kind == "ordinal" and item.typed[:1].isupper()
        if item.is_(*_NEVER_NAMES) or item.text in ("us", "me"):
            return False
        behind = self.at(place + 1)
        leads = item.text in _BANDS and behind.kind == "word" and behind.typed.islower() and behind.text != "of"
        if not one.words and leads and self._can_name(place + 1, one, opens=False):
            return True  # pack lord
        if (not one.words and (item.is_("collective") or item.text in SIDES)) or item.text in ("side", "team", *SPEEDS):
            return False
        if item.is_("initiative") and len(item.text) > 1:
            return False
        if item.is_verb("join", "add"):
            return item.is_verb("add") and bool(one.words) and self._is_noun(place, one)  # vampire spawn 82 hp
        kinds = {sense.kind for sense in item.senses if not sense.is_verb}
        if item.typed[:1].isupper() and not opens and not kinds & {"pronoun_subject", "pronoun_object", "everyone"}:
            return True
        if item.text in _ADJECTIVES and self._begins_a_name(place + 1):
            return True
        if kinds - _OF_NAMES:
            return opens and item.typed[:1].isupper() and item.text not in _OPENERS and self._goes_on(place)
        verb = item.is_verb() and not kinds
        if verb and item.is_verb(*DEEDS) and self.at(place + 1).text != "of":
            return False
        return not verb or self._is_noun(place, one)

    def _is_noun(self, place: int, one: Newcomer) -> bool:
        """Say whether a word that can be a verb is a noun here: elite guard 22 hp, swarm of rats, two guards."""
        item, behind = self.at(place), self.at(place + 1)
        text = singular(item.text) if one.counted else item.text
        if not any(sense.is_verb and sense.value == text for sense in item.senses):
            return False
        named = not one.words and (one.counted or bool(one.article))
        follows = behind.kind == "word" and (behind.text == "of" or not behind.senses)
        several = one.counted and singular(item.text) != item.text
        return (
            named
            or several
            or self._is_stat(place + 1)
            or behind.kind in ("number", "mark", "none")
            or (follows and not one.words)
        )

    def _goes_on(self, place: int) -> bool:
        """Say whether a capitalized word follows one at the beginning of a sentence: Bless Ironhand."""
        behind = self.at(place + 1)
        return behind.kind == "word" and behind.typed[:1].isupper() and not behind.senses

    def _is_like_a_name(self, place: int, one: Newcomer) -> bool:
        """Say whether a word only resembles the name of somebody in the fight, or begins another name: Annika beside
        Annik, bandit captain beside bandits.
        """
        item = self.at(place)
        people, behind = item.who, self.at(place + 1)
        if people is None or is_side(item) or " " in item.text:
            return False
        if people.slip and item.text not in self.scene.called:
            return True
        kind = bool(people.base) and people.base in self.scene.families and not people.plural
        kind = kind or (one.counted and item.text in _ADJECTIVES)  # 3 giant rats beside a hill giant
        return kind and behind.kind == "word" and not behind.senses and not one.words

    def _behind_name(self, one: Newcomer, place: int) -> int:
        """Take the count after a name, or its number: orcs x3, goblin 2; return where that ends."""
        item, behind = self.at(place), self.at(place + 1)
        opened = item.text == "("
        if opened:
            item, behind = behind, self.at(place + 2)
        if (
            not one.counted
            and item.typed in ("x", "×", "*", "X")
            and behind.number is not None
            and not behind.number.sign
        ):
            one.count, one.counted = behind.number.value, True
            return place + 2 + opened + (opened and self.at(place + 3).text == ")")
        times = behind.typed in ("x", "×", "X") and behind.start == item.end
        if not one.counted and item.number is not None and not item.number.sign and times:
            one.count, one.counted = item.number.value, True
            return place + 2 + opened
        number = item.number
        if opened and one.plural and not one.counted and number is not None and behind.text == ")":
            one.count, one.counted = number.value, True
            return place + 3
        if item.values and one.words and not one.counted and (end := self._numbered(one, place)):
            return end
        if opened or number is None or one.counted or not item.text.isdigit() or not one.words:
            return place
        if one.plural and behind.text == "," and self._is_stat(place + 2) and self._each_said(place):
            one.count, one.counted = number.value, True  # goblins 4, 7 hp each
            return place + 1
        told = behind.number is not None and bool(self._kind(self.at(place + 2)))
        if told or (behind.text in (":", "(") and self._is_stat(place + 2)):
            one.words.append(item.typed)
            return place + 1
        return place

    def _numbered(self, one: Newcomer, place: int) -> int:
        """Take the numbers of several of a kind after their name: gobs 1-4 have 7 hp; return where they end, 0 if they
        do not follow those in the fight.
        """
        values = self.at(place).values
        kind = names.id_of(singular(" ".join(one.words).casefold()), ())
        there = sum(each.id.rpartition("-")[0] == kind for each in self.scene.here)
        if [*values] != [*range(there + 1, there + len(values) + 1)] or len(values) < 2:
            return 0
        one.count, one.counted = len(values), True
        return place + 1
