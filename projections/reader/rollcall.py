"""Roll call: a line that introduces newcomers is read from left to right: phrases that name somebody, their stats, sides, and connecting words."""

from collections.abc import Callable, Sequence

from msgspec import Struct, field
from msgspec.structs import replace

from projections.grammar import filling, names
from projections.reader.arrivals import prepared
from projections.reader.belongings import Belongings
from projections.reader.dictionary import listed
from projections.reader.lexicon import ARTICLES
from projections.reader.newcomers import SIDES, Newcomer, is_side, side_named
from projections.reader.phrases import DEEDS, LONGEST_NAME, MEANS, SPEEDS
from projections.reader.scene import Scene, singular
from projections.reader.short_names import GIVES, MOST_ITEMS, is_short_for, names_in, text_of
from projections.reader.tags import Item
from projections.reader.tokens import Number

LONGEST_LABEL = 6
_LABELS = (":", "->", "→", "=>", "=")
_DASHES = ("-", "–", "—")
_SENTENCES = (".", ";", "!", "?")
TEAMS = listed(
    "red, blue, green, yellow, black, white, gold, silver, orange, purple, home, away, left, right, north, south, east, west"
)
"""Words beside team or side that name one."""
PLAYED = ("pc", "npc")
"""Words of the notation for a side, which may follow the stats of those who join: join Tam 24 hp pc."""
_INTO_VIEW = listed("in, up, forward, forth, out, over, closer, onward, along, into view, onto the field")
"""Words behind a verb of moving by which somebody arrives."""
_OWN = ("my", "our", "his", "her", "their")
_IS = ("am", "is", "are", "was", "were", "'s", "'re", "named", "called")


def tells_of_deeds(items: Sequence[Item]) -> bool:
    """Say whether a line is about blows, saves or questions, and not about newcomers."""
    around = zip((items[0], *items), items, (*items[1:], items[0]), strict=False)
    points = [place for place, item in enumerate(items) if item.text == "hits"]
    if len(points) == 1 and _strikes(items, points[0]):
        return True
    return any(
        item.is_("hit", "miss", "save", "question", "damage", "surprise")
        for before, item, behind in around
        if item.kind == "word"
        and not item.is_("filler", "weapon", "points", "leads")
        and item.typed.casefold() != "x"
        and not (item.text == "hits" and before.number)
        and not (item.is_("save") and before.is_("save_kind") and behind.number and behind.number.sign)
    )


def _strikes(items: Sequence[Item], place: int) -> bool:
    """Say whether "hits" after a number is a verb, with an unknown name after it: goblin 3 hits Ana 6; and no unit: Ana 3 hits."""
    behind = items[place + 1 : place + 2]
    if behind and behind[0].text in ARTICLES:
        behind = items[place + 2 : place + 3]
    return bool(place and items[place - 1].number and behind and behind[0].kind == "word" and not behind[0].senses)


def _apart(items: Sequence[Item]) -> list[Item]:
    """Return items in which a dash after a stat ends it, and is no range: AC4 - 14 HP."""
    made: list[Item] = []
    for item in items:
        first, dash, last = item.typed.partition(" - ")
        stat = bool(made) and made[-1].is_("points", "armor", "rating", "class")
        if item.kind == "number" and item.values and dash and stat:
            ends = Item(last, last, item.end - len(last), item.end, "number", number=Number(item.values[-1]))
            start = Item(first, first, item.start, item.start + len(first), "number", number=Number(item.values[0]))
            made += [start, Item("-", "-", start.end + 1, start.end + 2, "mark"), ends]
        else:
            made.append(item)
    return made


class Group(Struct):
    """Newcomers who are introduced together, their stats in the order of the line, and whether the line says that each has them."""

    people: list[Newcomer]
    given: list[str] = field(default_factory=list)
    each: bool = False
    joint: str = ""
    """The kind of item before the last of them."""
    before: str = ""
    """The kind of item before the first of them."""
    linked: bool = False
    """Whether a word says that stats follow."""
    bare: list[int] = field(default_factory=list)
    """Numbers without a meaning so far."""


class RollCall(Belongings):
    """The newcomers of a line, their stats, and the words about something else."""

    def __init__(self, scene: Scene, items: Sequence[Item]) -> None:
        super().__init__(scene, prepared(scene, _apart(items)))
        self.groups: list[Group] = []
        self.side = ""
        self.joins = ""
        """The verb of their arrival: join, or another; "" without one."""
        self.listed = False
        """Whether a heading announces a list of players or fighters."""
        self.measured, self.guesses = False, 0
        """Whether a word gives the meaning of a number, and how much is guessed."""
        self.unread: list[str] = []
        self.heading: list[str] = []
        """The meaning of the numbers in a list whose heading gives it: HP: Ana 27, Bo 44."""
        self.remark, self.describes, self.owner, self.owners_side = False, False, "", ""
        """Whether the words read now are an aside, whether they describe somebody, and whose companion comes next."""
        self.vague, self.opposed = False, False
        """Whether some of them are a plural without a number, and whether the last side named is not theirs."""
        self.stands, self.where = False, ""
        """Whether a place or a side was named before somebody, and the place of those who come next."""

    # ------------------------------------------------------------ the groups

    @property
    def waits(self) -> bool:
        """Whether somebody was named whose stats are still to come."""
        return bool(self.groups) and not self.now.given and not self.now.bare

    @property
    def people(self) -> list[Newcomer]:
        """All newcomers."""
        return [one for group in self.groups for one in group.people]

    @property
    def now(self) -> Group:
        """The group that the words read now belong to."""
        return self.groups[-1]

    # ------------------------------------------------------------ reading

    def read(self) -> bool:
        """Read all items; return whether they can be a roll call."""
        steps: tuple[Callable[[int], int], ...] = (
            self._opening, self._called, self._mark, self._belongings, self._stat, self._rank, self._further, self._side, self._joining, self._each,
            self._owner, self._noun, self._bare, self._likeness, self._link, self._rest,
        )  # fmt: skip
        place = 0
        while place < len(self.items):
            place = next((end for step in steps if (end := step(place))), 0)
            if not place:
                return False
        return self._settled()

    def _settled(self) -> bool:
        """Give numbers of unknown meaning the meaning that those of other newcomers have; return whether all numbers have one."""
        told = [group.given for group in self.groups if group.given]
        self.guesses += sum(  # a blade barrier, 12 hp each
            group.each and len(group.people) == 1 and not (group.people[0].counted or group.people[0].known)
            for group in self.groups
        )
        for place, group in enumerate(self.groups):
            if not group.bare:
                continue
            before = [other.given for other in self.groups[:place] if other.given]
            order = [
                each
                for each in (before[-1] if before else told[0] if told else self.heading)
                if each not in group.given
            ]
            if group.given == ["armor"] and len(group.bare) == 1:
                order = ["points"]
            self.guesses += len(group.bare) == 1 and self._may_be_a_field(group)
            if len(group.bare) > len(order):
                self.guesses += not (self.listed and not told and len(group.bare) == 1)
                self.measured = self.measured or self.listed
                if group.given and len(group.people) > 1:
                    return False
                order = [each for each in ("points", "armor") if each not in group.given]
            if len(group.bare) > len(order):
                return False
            for kind, value in zip(order, group.bare, strict=False):
                self._set(group, kind, [value])
        return True

    def _may_be_a_field(self, group: Group) -> bool:
        """Say whether a name with one number may be another stat of those before it: Zed 24 hp, luck 2."""
        (one, *_) = group.people
        if not one.words:
            return True
        after = group is not self.groups[0] and group.before == "," and not group.linked
        if self.listed:  # party: Cal 24 hp, luck 2; supplies 12
            capitals = any(each.words and each.words[0][:1].isupper() for each in self.people)
            small = all(word.islower() for word in one.words) and (
                capitals or one.thing or singular(one.words[-1]) != one.words[-1]
            )
            alone = len(self.groups) == 1 and one.words[0].islower()  # foes wail 12
            return (small or alone or (group.before == "start" and group is not self.groups[0])) and not one.counted
        return after and not one.counted and one.words[0].islower() and self.groups[0].bare == []

    # ------------------------------------------------------------ headings

    def _opening(self, place: int) -> int:
        """Take the words before a colon, or a side that is introduced: PARTY: …, the bad guys are …; return where they end."""
        if self.gap != "start":
            team = self.at(place + 2).text in _LABELS and bool(self._team(self.items[place : place + 2]))
            second = bool(self.groups) and (team or (is_side(self.at(place)) and self.at(place + 1).text in _LABELS))
            return self._label(place) if second else 0  # party: ana 20 / foes: gob 7
        return self._label(place) or self._sided(place) or self._place(place)

    def _label(self, place: int) -> int:
        colon = next((at for at in range(place, place + LONGEST_LABEL) if self.at(at).text in (*_LABELS, *_DASHES)), 0)
        said = self.items[place:colon]
        label = [item for item in said if not (item.kind == "mark" or self._is_light(item) or item.is_verb("join"))]
        label = [item for item in label if is_side(item) or not (item.is_("at_the_table") or item.kind == "ordinal")]
        if colon <= place or self._is_stat(colon + 1):
            return 0
        if said and all(self._kind(item) for item in said) and self._phrase(colon + 1) is not None:
            self.heading, self.measured = [self._kind(item) for item in said], True
            return colon + 1
        counts = len(said) > 2 and said[-1].number is not None and said[-2].text == "of"  # a party of 3
        if any(item.number or item.kind == "mark" or self._kind(item) for item in said[: -2 if counts else None]):
            return 0
        label = [item for item in label if item.number is None]
        verb = next((item for item in said if item.is_verb("join", "add")), None)
        if verb is not None:
            self.joins = "join" if verb.is_verb("add") or verb.text.startswith("join") else "come"
        if any(item.who and not is_side(item) for item in label):
            return 0
        dash = self.at(colon).text in _DASHES
        if len(said) == 2 and (team := self._team(said)):
            self._head(team)
        elif len(label) == 1 and is_side(label[0], labelled=not dash):
            self._head(side_named(self.scene, label[0]))
        elif dash or not label:
            return 0 if dash or not said else colon + 1
        elif not all(item.is_("collective", "others", "party", "foes", "role") for item in label):
            if self._is_of_one(label, colon + 1):
                return 0
            self.unread += [item.typed for item in label]
        else:
            self.listed = True
        return colon + 1

    def _head(self, side: str) -> None:
        """Set the side of the newcomers that follow; those before them keep theirs."""
        for one in self.people if self.side != side else ():
            one.side = one.side or self.side
        self.side, self.listed, self.opposed = side, True, False
        self.gap = "and" if self.groups else self.gap

    def _team(self, label: Sequence[Item]) -> str:
        """Return the side that the word beside team or side names in a label: away team, team red; "" for others."""
        named = [item for item in label if item.text not in ("team", "side")]
        if len(named) != 1 or named[0].number or named[0].who:
            return ""
        if is_side(named[0]):
            return side_named(self.scene, named[0])
        return named[0].text if named[0].text in TEAMS else ""

    def _is_of_one(self, label: Sequence[Item], place: int) -> bool:
        """Say whether a name stands before a colon, and a description of its owner after it: Dask: goliath barbarian, 45 hp."""
        found = self._phrase(place)
        if found is None or len(label) > LONGEST_NAME or any(item.senses for item in label):
            return False
        one, end = found
        if one.words and one.words[0][:1].isupper() and not label[0].typed[:1].isupper():
            return False  # henchman: Dob
        return not one.counted and not one.article and not self._names_behind(end)

    def _names_behind(self, place: int) -> bool:
        """Say whether further phrases with numbers follow the first."""
        return sum(self.at(at).is_("points") for at in range(place, len(self.items))) > 1

    def _sided(self, place: int) -> int:
        """Take a side before "is" or "are": the party is Ana, our foes are; return where that ends."""
        at = place
        while self._is_light(self.at(at)) and not self.at(at).is_("become"):
            at += 1
        behind = self.at(at + 1)
        named = behind.kind == "word" and not behind.senses
        listed = self._counts(at + 1) or (named and (behind.typed[:1].isupper() or self.at(at + 2).number is not None))
        if is_side(self.at(at)) and listed:  # foes 2 ogres; players Fenn 14 hp
            self._head(side_named(self.scene, self.at(at)))
            return at + 1
        if not is_side(self.at(at)) or not (
            behind.is_("become", "consists", "introduces", "leads") or behind.text == "'re"
        ):
            return 0
        if behind.is_("meets") or self.at(at + 2).is_("meets"):
            return at + 2 + self.at(at + 2).is_("meets")  # the party is up against …
        self._head(side_named(self.scene, self.at(at)))
        return at + 2

    def _place(self, place: int) -> int:
        """Take the place, or the opponent, of newcomers named after it: in the room there are; against them stand; return where that ends."""
        first = self.at(place)
        if first.kind != "word" or not first.is_("towards", "to", "from", "meets"):
            return 0
        facing = self.at(place + 1 + (self.at(place + 1).text == "the"))
        against = is_side(facing) or facing.text == "us" or facing.is_("pronoun_object") or facing.who is not None
        faces = first.is_("meets") or first.text in ("against", "before", "across from", "in front of")
        article = self.at(place + 1).text in ("the", "a", "an", "their", "our", "his", "her")
        known = bool(self.groups or self.scene.here)
        beside = known and facing.is_("pronoun_object")  # Aldwyn leads the party; beside him walks Meriel
        if not (faces or beside) and (against or not article):
            return 0  # beside Ana stands a wolf; in round 2 an ogre
        at = place + 1 + against + (self.at(place + 1).text == "the")
        while at < len(self.items) and not (self._is_told_of(at) or self.at(at).is_("introduces", "leads")):
            item = self.at(at)
            deed = item.is_verb(*DEEDS) and not item.is_("filler")
            timely = item.is_("round", "unit", "next", "turn") or item.text in (
                "meantime",
                "end",
                "beginning",
                "moment",
            )
            if not is_side(item) and (item.kind != "word" or item.who or deed or timely):
                return 0
            at += 1
        if at >= len(self.items):
            return 0
        of_a_side = [item for item in self.items[place:at] if is_side(item)]
        if len(of_a_side) == 1 and any(item.text == "side" for item in self.items[place:at]):
            self._head(side_named(self.scene, of_a_side[0]))  # on the side of the foes stand three robbers
        elif not against and not first.is_("meets") and at > place + 1:
            verb = self.at(at - 1).is_verb() or (at > place + 3 and not self.at(at - 1).senses)
            self.where = self.typed(place, at - verb if self._is_told_of(at) else at).casefold()
        self.stands = True
        goes = self.at(at - self._is_told_of(at))
        if goes.is_verb("join", "move", "rise") or goes.text in ("come", "comes", "came"):
            self.joins = self.joins or "come"  # out of the mist come three wolves
        return at

    def _is_told_of(self, place: int) -> bool:
        """Say whether somebody new is introduced at a place: a troll, four wolves, Lord Vane."""
        one, at = self._determined(place)
        if one.article not in ("", "a", "an", "another", "some") or self.at(at).kind != "word":
            return False
        capital = self.at(at).typed[:1].isupper() and not self.at(at).senses
        return (one.counted or bool(one.article) or capital) and self._phrase(place) is not None

    # ------------------------------------------------------------ marks, links

    def _mark(self, place: int) -> int:
        item = self.at(place)
        if item.text == "(" and self.groups and (end := self._aside(place)):
            return end
        if item.kind == "mark" and item.text not in ("'s", "?") and item.text[:1] in ".,;:!()[]/-–—=@|>→*+&~":
            self.gap = "start" if item.text[:1] in _SENTENCES else "and" if item.text in ("&", "+") else item.text
            self.remark = False
            return place + 1
        if item.is_("and") and item.kind == "word":
            self.gap, self.remark = "and", False
            return place + 1
        return 0

    def _aside(self, place: int) -> int:
        """Take words in brackets after a name as notes; return where they end, 0 if the brackets hold something else."""
        end = next((at for at in range(place, len(self.items)) if self.at(at).text == ")"), 0)
        inside = self.items[place + 1 : end]
        otherwise = bool(inside) and inside[0].number is not None and "armor" in self.now.given
        otherwise = otherwise and len(inside) > 2 and (inside[1].is_("with") or inside[1].text == "without")
        plain = all(item.kind in ("word", "mark") and not is_side(item) for item in inside)
        if not inside or not (otherwise or plain):  # AC 13 (15 with shield)
            return 0
        self.now.people[-1].notes.append(self.typed(place + 1, end))
        return end + 1

    def _called(self, place: int) -> int:
        """Take the short names that those named last are given, in brackets, behind a word for that, or right behind their kind; return where they end."""
        if not self.groups:
            return 0
        opened = place + (self.at(place).typed in ("(", "["))
        start = opened + (self.at(opened).text in GIVES)
        start += self.at(start).text == "as" and start > opened
        bare, one = start == place, self.now.people[-1]
        kind = " ".join((*one.words[:-1], singular(one.words[-1]))) if one.words else ""
        if not kind or (bare and not (self.waits and self.gap == "")):
            return 0
        for end in range(min(start + MOST_ITEMS, len(self.items)), start, -1):
            said = self.items[start:end]
            apart = said[-1].number is not None and len(said) > 1 and said[-1].start > said[-2].end
            if (opened > place and self.at(end).typed not in (")", "]", ",", ";")) or (
                apart and self._kind(self.at(end))
            ):
                continue
            called = names_in(text_of(said), kind, 0 if one.plural else one.count)
            if not called or any((item.who and len(item.text) > 1) or self._has_a_meaning(item) for item in said):
                continue
            if bare and all(item.number is not None or item.values for item in said if item.kind != "mark"):
                continue  # three orcs 7, 8, 9 hp
            plain = all(len(each.split()[-1]) == 1 or each[-1:].isdigit() for each in called)
            guessed = start == opened and (said[0].is_("class") or not is_short_for(called[0], kind))  # Fred (F3)
            if len(called) == 1 and (bare or guessed):
                continue
            if one.plural and not plain:
                continue
            self.guesses += bare and not plain
            one.called, one.count, one.counted = called, len(called), one.counted or one.plural
            self.gap = ""
            return end + (opened > place and self.at(end).typed in (")", "]"))
        return 0

    def _belongings(self, place: int) -> int:
        """Take words about the gear and the place of newcomers as notes; return where they end."""
        end = self.belongings(place, self.now.given) if self.groups and not self.remark else 0
        if end:
            self.now.people[-1].notes.append(self.typed(place, end))
            self.gap = ""
        return end

    def _has_a_meaning(self, item: Item) -> bool:
        """Say whether an item of a list is a stat, a class or a thing, and no name."""
        kinds = (
            "points",
            "armor",
            "rating",
            "class",
            "initiative",
            "dc",
            "save",
            "save_kind",
            "length",
            "unit",
            "weapon",
        )
        long = item.kind == "word" and len(item.text) > 1 and not item.typed.istitle()
        return long and item.is_(*kinds) and not (item.is_("rating") and item.typed.isupper())

    def _likeness(self, place: int) -> int:
        """Take what somebody with stats is likened to as notes: big as a barn door; return where it ends, 0 if it is no such thing."""
        if self.at(place).text not in ("as", "like") or not (self.groups and self.now.given):
            return 0
        end = next((at for at in range(place, len(self.items)) if self.at(at).kind == "mark"), len(self.items))
        said = self.items[place:end]
        if any(item.number or item.who or item.kind != "word" or is_side(item) or item.text in SIDES for item in said):
            return 0
        likened = self.at(place - 1).kind == "word" and self.at(place - 1).is_("praise", "filler", "adverb")
        if self.at(place).text == "as" and not likened:
            return 0  # joins as a guide
        start = place - likened
        self.now.people[-1].notes.append(self.typed(start, end))
        return end

    def _link(self, place: int) -> int:
        """Take a word without a meaning of its own; return where it ends."""
        item = self.at(place)
        if item.is_("owns"):
            if self.groups:
                self.now.linked = True
            elif self.at(place - 1).is_("leads") and item.text in ("have", "got"):
                self.listed = True  # we've got Ana at 24
        joins = self.at(place - 1).is_("collective") or self.at(place - 1).is_verb("join")
        if not self.groups and ((item.text == "us" and joins) or item.is_("at_the_table")) and not is_side(item):
            return place + 1  # joining us today
        if not self.groups and item.text in SIDES and item.kind == "word":
            return self._join_side(SIDES[item.text], place + 1)
        if self.groups and item.is_("against"):  # players Ana 9 hp vs 2 orcs 5 hp each
            self.opposed, self.gap = True, "and"
            return place + 1
        if self.remark or not (self._is_light(item) or (not self.groups and item.is_("collective"))):
            return 0
        if item.text in _IS and self.groups and not self.now.given and self.gap in ("", ",", "and"):
            self.gap = "is"
        elif item.is_("with") and self.groups and not self.now.given:
            self.gap = "with"
        elif item.is_("pronoun_subject") and self.groups and item.text not in ("who", "which"):
            told = self.gap == "" and bool(self.now.given)
            self.gap = "he" if self.gap == "start" or told else ""
        return place + 1

    def _each(self, place: int) -> int:
        """Take a word that distributes something to each of several."""
        item = self.at(place)
        if not item.is_("for_each") or (self.at(place + 1).kind == "word" and not self.groups):
            return 0
        if self.groups:
            self.now.each = True
        return place + 1

    def _rest(self, place: int) -> int:
        """Take a word of a remark; return where it ends, 0 if it is about somebody in the fight, or about a deed before any stats."""
        item = self.at(place)
        told = bool(self.groups and (self.now.given or self.now.bare))
        if (
            item.who is not None
            and not (item.who.slip or item.who.likely)
            and not (told and self.at(place + 1).text == "'s")
        ):
            return 0
        if item.is_verb(*DEEDS) and item.kind == "word" and (not told or self._counts_behind(place)):
            return 0
        if item.kind == "dice" or (item.number is not None and (item.number.notation or not told)):
            return 0
        self.describes = told and (self.describes if self.remark else self._begins_a_remark(place))
        later = item.text in ("later", "soon", "tomorrow", "eventually")
        if later or not (self.describes and (not item.senses or self._is_light(item) or item.is_("adverb"))):
            self.unread.append(item.typed)
        if told:
            notes = self.now.people[-1].notes
            if self.remark and notes:
                notes[-1] += f" {item.typed}"
            else:
                notes.append(item.typed)
        self.remark = told
        return place + 1

    def _begins_a_remark(self, place: int) -> bool:
        """Say whether words after somebody's stats describe them: Tobias, 9 hp, a farmer; joins late; who helps them."""
        before = self.at(place - 1)
        return before.text in ("a", "an", "the", "who", "which", "that", "(") or before.is_verb("join")

    def _counts_behind(self, place: int) -> bool:
        """Say whether a number that is no level follows a verb: casts fire for 8, and not casts as C3."""
        around = zip(self.items[place:], self.items[place + 1 :], strict=False)
        return any(item.number is not None and item.start > before.end for before, item in around)

    # ------------------------------------------------------------ stats

    def _stat(self, place: int) -> int:
        """Take hit points or an armour class with the numbers before or after; return where they end."""
        if not self.groups:
            return 0
        item = self.at(place)
        kind = self._kind(item)
        if kind and item.kind == "word":
            at = place + 1
            while self.at(at).text in MEANS:
                at += 1
            values, end = self._values(at, listed=kind == "points")
            if values and not self._is_unit(end) and self._give(kind, values, end):
                return self._slash(end) if kind == "points" else end
            return 0 if values else self._hidden(place, at)
        values, end = self._values(place, listed=True)
        if not values and item.number and item.number.pair:
            return self._pair(place)
        unit = end + (self.at(end).text in ("of", "total", "max") and bool(self._kind(self.at(end + 1))))
        kind = self._kind(self.at(unit)) or ("points" if self.at(unit).text == "hits" else "")
        if (
            not values
            or not kind
            or (kind and self.at(unit).text != "hits" and not self._is_unit(unit, first=True))
            or not self._give(kind, values, unit + 1)
        ):
            return 0
        if self.at(unit + 1).text == "of" and self.at(unit + 2).is_("points"):
            unit += 2
        return self._slash(unit + 1) if kind == "points" else unit + 1

    def _hidden(self, place: int, start: int) -> int:
        """Take a stat about which only words are told as notes, up to the next mark: HP unknown, HP known to GM only; return where they end."""
        end = start
        while self.at(end).kind == "word" and not (is_side(self.at(end)) or self.at(end).is_verb("join", *DEEDS)):
            end += 1
        said = [item for item in self.items[start:end] if not self._is_light(item) and not item.is_("for_each")]
        given = self._kind(self.at(place)) in self.now.given or bool(self.now.bare)
        if given or not said or self.at(end).kind not in ("mark", "none") or self.at(end).text in ("'s", "?"):
            return 0
        for one in self.now.people:
            one.hidden = True
        self.now.people[-1].notes.append(self.typed(place, end))
        self.gap = ""
        return end

    def _values(self, place: int, *, listed: bool) -> tuple[list[int], int]:
        """Return the plain number at a place, or one for each newcomer of the group, and where they end."""
        most = sum(one.count for one in self.now.people) if listed else 1
        if listed and most == 1 and self.now.people[0].plural and not self.now.given:
            most = filling.MOST_COPIES
        found: list[int] = []
        at = end = place
        while len(found) < most:
            item = self.at(at)
            number = item.number
            if item.kind == "square" and len(item.values) == most:
                return [*item.values], at + 1
            if number is None or number.sign or number.notation or number.summed or item.values:
                break
            if number.pair and (len(number.pair) != most or most == 1):
                if most == 1 and len(number.pair) == 2 and self._kind(self.at(at - 1)) == "points":
                    return ([*number.pair], at + 1) if number.pair[0] <= number.pair[1] else ([], place)
                break
            armor = self._kind(self.at(at + 1)) == "armor" and self._is_unit(at + 1)
            if found and (armor or self._begins_a_name(at + 1)):
                break
            found += number.pair or (number.value,)
            at = end = at + 1
            if self.at(at).text in (",", "/", "and", "&", ";") and self.at(at + 1).number is not None:
                at += 1
            if self.at(at).text == "and" and self.at(at + 1).number is not None:
                at += 1
        return found, end

    def _slash(self, place: int) -> int:
        """Take an armour class after hit points and a slash: 38hp/18; return where that ends."""
        number = self.at(place + 1).number
        units = self._kind(self.at(place + 2))
        if self.at(place).text != "/" or number is None or number.sign or number.pair or units:
            return place
        self._give("armor", [number.value], place + 2)
        return place + 2

    def _pair(self, place: int) -> int:
        """Take two numbers with a slash: current and maximum points, or points and armour class; return where they end."""
        number, behind = self.at(place).number, self.at(place + 1)
        pair = number.pair if number else ()
        one = self.now.people[-1]
        if len(pair) != 2 or len(self.now.people) > 1 or self.now.given:
            return 0
        named = behind.is_("points")
        armor = any(item.is_("armor") for item in self.items)
        if pair[0] <= pair[1] and one.count == 1 and (named or armor or pair[0] == pair[1]):
            self._set(self.now, "points", [*pair])
            self.measured = self.measured or named
            return place + 1 + named
        if pair[0] > pair[1] and not named:
            self._set(self.now, "points", [pair[0]])
            self._set(self.now, "armor", [pair[1]])
            self.measured = True
            return place + 1
        return 0

    def _give(self, kind: str, values: list[int], end: int) -> bool:
        """Give the group these stats; return whether it can have them."""
        group = self.now
        (one, *more) = group.people
        if kind == "points" and kind in group.given and not more and len(one.points) + len(values) <= one.count:
            one.points += values  # 3 zombies: 22 hp, 20 hp, 25 hp
            return True
        if kind in group.given:
            return False
        self.measured = True
        if len(group.people) > 1 and len(values) == 1 and not self._is_for_each(end):
            self.guesses += 1
        return self._set(group, kind, values)

    def _set(self, group: Group, kind: str, values: list[int]) -> bool:
        first = group.people[0]
        if first.plural and len(group.people) == 1 and len(values) > 1 and kind == "points":
            first.count, first.counted = len(values), True  # zombies: 22, 20, 25 hp
            self.guesses += 1
        total = sum(one.count for one in group.people)
        group.given.append(kind)
        self.gap = ""
        for one in group.people:
            if kind == "armor":
                one.sheet["ac"] = values[0]
            elif len(values) == 1:
                one.points = [values[0]]
            elif len(values) == 2 and total == 1:
                one.points, one.sheet["hp_max"] = [values[0]], values[1]
            elif len(values) == total:
                one.points, values = values[: one.count], values[one.count :]
                total -= one.count
            elif kind == "points":
                one.points = values  # too few or too many of them
        return True

    def _is_for_each(self, end: int) -> bool:
        """Say whether a stat holds for each of several: 9 hp each, both have 9 hp, they have 9 hp."""
        at = end
        while at < len(self.items) and (self._is_stat(at) or self.at(at).kind in ("number", "word", "mark")):
            item = self.at(at)
            if item.is_("for_each"):
                self.now.each = True
            if item.text in _SENTENCES or self._begins_a_name(at):
                break
            at += 1
        if self.now.each and any(one.count > 1 for one in self.now.people):
            self.guesses += self.now.people[0].count == 1  # an ogre and two goblins, 7 hp each
        return self.now.each

    def _bare(self, place: int) -> int:
        """Take a number without a word for its meaning; return where it ends."""
        item, behind = self.at(place), self.at(place + 1)
        number = item.number
        if not self.groups or number is None or number.sign or number.notation or number.summed or self.remark:
            return 0
        if number.pair:
            return self._pair(place)
        if item.values or len(self.now.bare) == 2:
            return 0
        before = self.at(place - 1)
        if self._is_rank(place - 1) or before.text in (")", "x", "×", "*"):
            return 0
        if behind.is_("for", "length", "unit", "damage", "dc", "type", "resource", "ammunition", "towards"):
            return 0
        values, end = self._values(place, listed=True)
        if len(values) > 1 and self._set(self.now, "points", values):
            self.guesses += 1
            return end
        self.now.bare.append(number.value)
        self.gap = ""
        return place + 1

    def _rank(self, place: int) -> int:
        """Take a class with a level, or another rating, as notes: F4, cleric 3, 2HD, level 5; return where it ends."""
        item, behind = self.at(place), self.at(place + 1)
        if not self.groups:
            return 0
        one = self.now.people[-1]
        if self._is_rank(place):
            glued = behind.start == item.end
            one.notes.append(f"{item.typed}{'' if glued else ' '}{behind.typed}")
            self.gap = ""
            return place + 2
        rated = item.number is not None or item.kind == "ordinal"
        if rated and behind.kind == "word" and behind.is_("rating", "length"):
            end = place + 2
            while self.at(end).kind == "word" and self.at(end).is_("class"):
                end += 1
            one.notes.append("".join((item.typed, "" if behind.start == item.end else " ", self.typed(place + 1, end))))
            self.gap = ""
            return end
        return 0

    # ------------------------------------------------------------ other fields

    def _further(self, place: int) -> int:
        """Take further fields of a sheet: a speed, a bonus, initiative, a size, a square; return where they end."""
        if not self.groups:
            return 0
        item, behind = self.at(place), self.at(place + 1)
        one, bonus = self.now.people[-1], self.at(place + 2).number
        if item.kind == "square":
            one.square = item.values
            return place + 1
        if item.kind != "word":
            skips = 1 + (behind.text in ("for", "on"))
            if item.number and self.at(place + skips).is_("initiative") and behind.text != "i":
                if item.number.sign:
                    one.sheet["initiative"] = item.number.value  # +2 init
                else:
                    one.totals = [item.number.value]
                return place + skips + 1
            return 0
        if item.text in SPEEDS:
            at = place + 1 + (behind.text in MEANS)
            number = self.at(at).number
            if number is not None and not number.sign:
                one.sheet["speed"] = number.value
                return at + 1 + self.at(at + 1).is_("length")
        if item.is_("save_kind") and behind.is_("save") and bonus is not None and bonus.sign:
            one.sheet[f"{item.value('save_kind')}_save"] = bonus.value
            return place + 3
        if item.is_("initiative") and item.text != "i" and behind.number is not None:
            if behind.number.sign:
                one.sheet["initiative"] = behind.number.value  # a bonus, and no roll
                return place + 2
            one.totals, end = self._values(place + 1, listed=True)
            one.totals = one.totals if len(one.totals) == one.count else one.totals[:1]
            return end if len(one.totals) == one.count else place + 2
        if item.is_("size") and not self._begins_a_name(place + 1):
            one.sheet["size"] = item.text
            return place + 1
        return 0

    def _side(self, place: int) -> int:
        """Take the side of the newcomers, wherever it stands after them; return where it ends."""
        item, behind = self.at(place), self.at(place + 1)
        if not self.groups:
            return 0
        if item.text == "us" and self.at(place - 1).is_verb("join"):
            return self._join_side("party", place + 1)
        if item.text in SIDES and item.kind == "word" and not self._begins_a_name(place + 1):
            return self._join_side(SIDES[item.text], place + 1)
        if item.text in ("side", "team") and (self.side or is_side(behind)):
            return place + 1  # on the foes' side, side foes
        if is_side(item) and item.is_("party", "foes") and behind.is_("meets"):
            return place + 1
        if is_side(item):
            return self._join_side(side_named(self.scene, item), place + 1)
        if item.who is not None and (end := self._ally(place)):
            return end
        if (
            item.who is not None
            and item.who.plural
            and self.at(place - 1 - (self.at(place - 1).text == "the")).is_verb("join")
        ):
            sides = {self.scene.side_of(who) for who in item.who.ids}
            return self._join_side(sides.pop(), place + 1) if len(sides) == 1 else 0  # joins the gobs
        if self._is_new_side(place):
            return self._join_side(names.id_of(item.text, ()), place + 1)
        if item.text in PLAYED and self.joins == "join":
            return self._join_side(item.text, place + 1)
        return 0

    def _join_side(self, side: str, end: int) -> int:
        """Set the side of the newcomers, and return where it ends; 0 if the line has another one, as it can have only one."""
        if self.side not in ("", side):
            return 0
        self.side = side
        return end

    def _ally(self, place: int) -> int:
        """Take somebody in the fight as the side of a newcomer: with the ogre, on the goblin's side; return where that ends."""
        people, at = self.at(place).who, place - 1
        if people is None or len(people.ids) != 1 or not (side := self.scene.side_of(people.ids[0])):
            return 0
        while self.at(at).text in ARTICLES:
            at -= 1
        if [self.at(place + 1).text, self.at(place + 2).text] in (["'s", "side"], ["'s", "team"]):
            return self._join_side(side, place + 3)
        ends = self.at(place + 1).kind in ("mark", "none") and self.at(place + 1).text != "'s"
        beside = self.at(at).text in ("with", "alongside", "beside") or self.at(at).is_verb("join")
        return self._join_side(side, place + 1) if ends and beside else 0

    def _is_new_side(self, place: int) -> bool:
        """Say whether an unknown plural in small letters right after "joins" is the newcomer's side: Zed joins the wolves."""
        item, at = self.at(place), place - 1
        while self.at(at).text == "the":
            at -= 1
        behind = self.at(place + 1)
        ends = behind.kind in ("mark", "none") or behind.is_("with", "at")
        plural = singular(item.text) != item.text and item.typed.islower() and not item.senses
        return ends and plural and self.at(at).is_verb("join") and not self.now.given

    def _joining(self, place: int) -> int:
        """Take a verb of joining, with the origin or the destination; return where that ends."""
        item = self.at(place)
        if not self.groups and item.is_verb("strike") and self.at(place + 1).text == "by":
            self.joins, self.opposed = "come", bool(self.side)
            return place + 2  # the party is ambushed by 3 goblins
        if self._attacks(place):
            self.joins, self.guesses = self.joins or "come", self.guesses + 1
            return len(self.items)
        if self._goes(place) or self._moves_in(place):
            self.joins = self.joins or "come"  # a huge troll crashes through the wall
        elif not item.is_verb("join", "add") or item.kind != "word" or item.is_("filler"):
            return 0
        self.joins = "join" if item.is_verb("add") or item.text.startswith("join") else self.joins or "come"
        self.remark = False
        self.gap = "" if self.groups else "start"
        at = place + 1
        if self.at(at).text in _INTO_VIEW and self.at(at + 1).kind in ("mark", "none"):
            return at + 1  # strides in, 34 hp
        fight = at + (self.at(at).text == "the")
        if self.at(fight).is_("fray"):
            at = fight + 1
        if not self.groups or not (
            item.is_("towards")
            or self.at(at).is_("towards", "from")
            or item.text.endswith((" of", " from", " through", " via"))
        ):
            return at
        end = at + self.at(at).is_("towards", "from")
        while self.at(end).kind == "word" and not (
            is_side(self.at(end)) or self.at(end).is_("with", "and", "points", "armor")
        ):
            end += 1
        if any(self.at(each).who or self.at(each).is_verb(*DEEDS) for each in range(at, end)):
            return at
        if end > at:
            self.now.people[-1].notes.append(self.typed(at, end))  # out of the graves
        return end

    def _goes(self, place: int) -> bool:
        """Say whether an unknown word stands between the newcomers and their origin or destination."""
        item = self.at(place)
        waits = self.waits and self.gap == "" and all(one.counted or one.article for one in self.people)
        return waits and item.kind == "word" and not item.senses and self.at(place + 1).is_("towards", "from", "to")

    def _moves_in(self, place: int) -> bool:
        """Say whether a verb of moving brings somebody into view: Harrow strides in; in walks Gruk."""
        verb, behind = self.at(place), self.at(place + 1)
        if verb.kind != "word" or not verb.is_verb("move") or behind.number is not None:
            return False
        if self.groups:
            return self.waits and behind.text in _INTO_VIEW
        return bool(place) and self._is_told_of(place + 1)

    def _attacks(self, place: int) -> bool:
        """Say whether newcomers of whom nothing else is said attack: 2 orcs attack; an owlbear attacks us."""
        rest = [item for item in self.items[place + 1 :] if item.kind != "mark"]
        plain = all(
            item.is_("party", "collective", "pronoun_object")
            or item.text in ("us", "them", "the")
            or (item.who and item.who.group)
            for item in rest
        )
        verb = self.at(place)
        found = self.groups and verb.kind == "word" and verb.is_verb("strike") and not verb.is_("fight")
        return bool(found) and plain and all(one.counted or one.article in ("a", "an") for one in self.people)

    # ------------------------------------------------------------ who joins

    def _owner(self, place: int) -> int:
        """Take the owner of a companion who joins: Ana's wolf, 11 hp; return where the companion begins."""
        item = self.at(place)
        found = (None, place + 1) if item.who else self._phrase(place)
        if self.remark or found is None or self.at(found[1]).text != "'s" or self.at(found[1]).kind != "mark":
            return 0
        end = found[1] + 1
        whose = self._phrase(end)
        if whose is None or whose[0].article or not whose[0].words or item.text in ("the", "a"):
            return 0
        joins = self.at(whose[1]).is_verb("join")
        if whose[0].counted and not joins:
            return 0
        if not (joins or self._has_numbers_ahead(whose[1])) or (item.who and self._kind(self.at(whose[1]))):
            return 0  # the line may give stats of somebody in the fight
        self.owner = f"{self.typed(place, end - 1)}'s"
        self.owners_side = self.scene.side_of(item.who.ids[0]) if item.who and len(item.who.ids) == 1 else ""
        return end

    def _noun(self, place: int) -> int:
        """Take a phrase that names somebody, with their number; return where it ends, 0 if none begins there."""
        found = self._phrase(place)
        if found is None or (self.remark and not found[0].counted):
            return 0
        one, end = found
        if not self.groups and self._is_heading(one, end):
            self.unread += one.words
            return end
        if not self.groups or (self.now.given or self.now.bare):
            if (
                self.groups
                and not self._has_numbers_ahead(end)
                and not (self.gap in ("and", ",") and self._is_listed(one))
            ):
                return self._described(one, place, end)
            if self.groups and self.gap in ("", "he") and not one.counted and not self._has_numbers_ahead(end):
                return 0
            if self.gap == "he" and one.article and not one.counted and len(one.words) + len(one.classes) > 1:
                is_what = one.classes or one.words[:-1]  # juno 16 hp shes the healer wren 15 hp
                self.now.people[-1].notes.append(" ".join(is_what))
                one = Newcomer(one.words[-1:], slip=one.slip)
            self._begin(one)
            self.groups.append(Group([one], before=self.gap))
        elif self.gap == "is":
            if not self._is_predicate(one):
                return 0
        elif self.gap == "start" and self._has_numbers_ahead(end) and not self.joins and not one.classes:
            self.unread += [word for each in self.now.people for word in each.words]
            self.groups[-1] = Group([one])
        elif self._is_named_behind(one):
            last = self.now.people[-1]
            self.now.people[-1] = replace(one, notes=[*one.notes, *last.notes, " ".join(last.words)])
        elif self._is_apposition(one, end):
            for each in self.now.people:
                each.notes.append(self._as_note(one))
        elif self.gap in ("and", ",", "with", "/") or one.counted:
            self._begin(one)
            if one.words and len(one.words[0]) == 1 and (kind := self._lettered()):
                one.words = [*kind, *one.words]
            self.now.people.append(one)
            self.now.joint = self.gap
        else:
            return 0
        self.gap = ""
        return end

    def _is_heading(self, one: Newcomer, end: int) -> bool:
        """Say whether a plural without a number is a heading for the names after it: the bosses, Dorian and Belle."""
        return (
            one.plural
            and one.article == "the"
            and self.at(end).text in (",", "-")
            and self._phrase(end + 1) is not None
        )

    def _begin(self, one: Newcomer) -> None:
        self.guesses += one.slip
        one.opposed = self.opposed
        if self.where:
            one.notes.append(self.where)
            self.where = ""
        if self.owner:
            one.notes.insert(0, self.owner)
            one.side, self.owner = self.owners_side, ""
        self.vague = self.vague or (
            one.plural and (one.more or one.article in ("the", "some", "these", "their", "our"))
        )

    def _described(self, one: Newcomer, place: int, end: int) -> int:
        """Take a phrase after somebody's stats as notes, if it describes them: Ana 24 hp, cleric 5."""
        if not one.classes or one.words:
            return 0
        self.now.people[-1].notes.append(self.typed(place, end))
        self.gap = ""
        return end

    def _is_listed(self, one: Newcomer) -> bool:
        """Say whether a game's tables have somebody by name, or a verb says that they join."""
        listed, likely = self.scene.state.rules.kinds(self.scene.state, " ".join(one.words))
        return bool(listed or likely)

    def _lettered(self) -> list[str]:
        """Return the kind of a newcomer whose name ends with a letter: bandits A, B and C."""
        words = self.now.people[-1].words
        if len(words) < 2 or len(words[-1]) > 1:
            return []
        words[-2] = singular(words[-2])
        return words[:-1]

    def _as_note(self, one: Newcomer) -> str:
        return " ".join((*one.words, *one.notes) if one.words else (*one.classes, *one.notes))

    def _is_predicate(self, one: Newcomer) -> bool:
        """Take a description with "is", or one that the name follows: Marigold is the wizard; the villain is Baroness Ilka."""
        last = self.now.people[-1]
        is_called = bool(last.article) and not (one.article or one.counted)  # 3 wolves and a captain called Gort
        if len(self.now.people) > 1 and not is_called:
            return False
        if one.counted:  # on the other side are four orcs
            self.unread += last.words
            self.now.people[-1] = one
            return True
        names_last = bool(last.article) and not one.article and not one.classes
        if last.article and one.article:
            return False
        if not names_last:
            last.notes.append(self._as_note(one))
            return True
        label = [word for word in last.words if word not in ("character", "pc", "name", "hero", "guy")]
        self.now.people[-1] = replace(one, notes=[*one.notes, *([" ".join(label)] if label else [])])
        return True

    def _is_named_behind(self, one: Newcomer) -> bool:
        """Say whether a capitalized name follows its owner's description: their leader, Gort, has 22 hp."""
        last = self.now.people[-1]
        described = bool(last.article) and not last.counted and bool(last.words) and last.words[0].islower()
        return described and self.gap == "," and bool(one.words) and one.words[0][:1].isupper() and not one.article

    def _is_apposition(self, one: Newcomer, end: int) -> bool:
        """Say whether a phrase describes the newcomer before it: Kunz, the chief, with 32 hp."""
        last = self.now.people[-1]
        if one.counted or (last.counted and not one.classes):
            return False
        if one.classes and not one.words:
            return self.gap != "and"
        if self.gap not in (",", "start", "-", "–", "—", ":"):
            return False
        if one.article in ("a", "an", "the") and not last.article:
            return True
        if one.article in _OWN and not last.article and self.at(end - 1).is_("class", "calling", "role"):
            return True  # Sable, my wizard
        if one.article or self.gap == "start":
            return False
        closes = self.now.joint == "and" or self.gap == ":" or (len(self.now.people) == 1 and not self._each_ahead(end))
        self.guesses += closes
        return closes

    def _each_ahead(self, place: int) -> bool:
        return any(
            (self.at(at).is_("for_each", "and") or self.at(at).text == ",") and self._is_list_part(at)
            for at in range(place, len(self.items))
        )

    def _is_list_part(self, at: int) -> bool:
        return self.at(at).is_("for_each") or self._phrase(at + 1) is not None

    def _has_numbers_ahead(self, place: int) -> bool:
        """Say whether stats follow within the sentence, with nothing but names between."""
        at = place
        while at < len(self.items) and self.at(at).text[:1] not in (".", ";"):
            item = self.at(at)
            if self._is_stat(at) or item.number is not None:
                return True
            if item.is_verb(*DEEDS) and item.kind == "word" and not item.is_("filler"):
                return False
            at += 1
        return False
