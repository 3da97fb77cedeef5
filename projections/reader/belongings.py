"""What newcomers have with them, and where they stand or come from: with shield, w/ 2 javelins, on horseback, in plate mail, from the north door."""

from projections.reader.newcomers import is_side
from projections.reader.phrases import BEARS, DEEDS, Phrases
from projections.reader.scene import singular
from projections.reader.tags import Item

_HAS = (
    "with",
    "w/",
    "wielding",
    "using",
    "wearing",
    "carrying",
    "bearing",
    "holding",
    "riding",
    "mounted",
    "armed",
    "equipped",
    "sporting",
)
_PLACES = (
    "on",
    "in",
    "at",
    "by",
    "near",
    "behind",
    "beside",
    "from",
    "through",
    "via",
    "under",
    "atop",
    "above",
    "out of",
    "inside",
    "outside",
)
"""Words before the place of somebody, their mount, or what they wear."""
_COMPASS = ("N", "E", "S", "W", "NE", "NW", "SE", "SW", "north", "east", "south", "west")
_GEAR = ("weapon", "spell", "item", "ammunition", "feature", "effect", "cure", "thing", "resource")


class Belongings(Phrases):
    """The words about the gear and the place of newcomers."""

    def belongings(self, place: int, given: list[str]) -> int:
        """Return where words about the gear or the place of those who have these stats end; 0 if there are none at a place."""
        lead, start = self.at(place), place
        while self.at(start).text in (*_HAS, *_PLACES) or (self.at(start).is_("with") and start == place):
            start += 1
        directed = start == place and lead.typed in _COMPASS and self.at(place + 1).kind == "word"
        if (
            (start == place and not directed)
            or lead.kind != "word"
            or (self.at(start).number and not self._is_counted(start))
        ):
            return 0
        has = any(self.at(at).text in _HAS or self.at(at).is_("with") for at in range(place, start))
        end = self._thing(start)
        words = self.items[start:end]
        if not words or any(item.who or is_side(item) for item in words):
            return 0
        if has and not (self._are_gear(words) or lead.text in BEARS or self._is_mass(words, end, given)):
            return 0
        while (
            self.at(end).is_("and")
            and (more := self._thing(end + 1)) > end + 1
            and self._are_gear(self.items[end + 1 : more])
        ):
            end = more
        ends = self.at(end)
        closes = (
            ends.kind in ("mark", "none", "number")
            or self._kind(ends)
            or ends.is_verb("join")
            or ends.is_("and", "initiative", "with")
        )
        return end if closes and ends.text != "'s" else 0

    def _is_counted(self, place: int) -> bool:
        """Say whether a number counts things: 2 javelins."""
        return self.at(place + 1).kind == "word" and self._are_gear([self.at(place + 1)])

    def _thing(self, place: int) -> int:
        """Return where the words of a thing or a place end."""
        end = place + (self.at(place).number is not None and self._is_counted(place))
        while self.at(end).kind == "word" and not self._stops(self.at(end)):
            end += 1
        return end

    def _stops(self, item: Item) -> bool:
        """Say whether a word is no part of a thing or a place."""
        deed = item.is_verb("join", *DEEDS) and not item.is_(*_GEAR) and not item.is_("filler")
        return (
            deed
            or bool(self._kind(item))
            or item.is_("and", "for_each", "initiative", "become", "pronoun_subject", "with", "round", "turn")
        )

    def _are_gear(self, words: list[Item]) -> bool:
        """Say whether the last of several words names a thing or a spell."""
        last = words[-1] if words else None
        one = self.lexicon.senses(singular(last.text)) if last is not None else ()
        return last is not None and (last.is_(*_GEAR) or any(sense.kind in _GEAR for sense in one))

    def _is_mass(self, words: list[Item], end: int, given: list[str]) -> bool:
        """Say whether an unknown noun without an article or a number is something that somebody has, and nobody with stats of their own."""
        last = words[-1]
        plain = all(item.typed.islower() and item.number is None and not item.senses for item in words)
        alone = singular(last.text) == last.text and not any(self.scene.state.rules.kinds(self.scene.state, last.text))
        return plain and alone and not (given and self._is_stat(end))
