"""Newcomers: the names, numbers, sides and sheets of those who join, as lists or sentences give them."""

import re

from msgspec import Struct, field
from msgspec.structs import fields

from projections.grammar import filling, forms, names
from projections.grammar.line_context import Gap
from projections.grammar.names import kind_of
from projections.open_types import Facts, Fields
from projections.reader.scene import Scene, singular
from projections.reader.tags import Item

BY_SIDE = {
    "foes": ("foe", "enemy", "monster", "baddie", "hostile"),
    "party": ("ally", "allies", "allied", "friendly"),
}
SIDES = {word: side for side, words in BY_SIDE.items() for word in words}
"""Words for one of the foes, or one of the party, with that side."""


class Newcomer(Struct):
    """One who joins, or several of a kind: name, number, sheet, notes."""

    words: list[str] = field(default_factory=list)
    count: int = 1
    points: list[int] = field(default_factory=list)
    sheet: Fields = field(default_factory=dict)
    notes: list[str] = field(default_factory=list)
    totals: list[int] = field(default_factory=list)
    """The total of initiative of all, or of each."""
    square: tuple[int, ...] = ()
    known: str = ""
    """The kind, if some of it are in the fight already."""
    listed: str = ""
    """Its name in the game's tables."""
    article: str = ""
    counted: bool = False
    more: bool = False
    side: str = ""
    """The combatant whose companion it is, and so whose side it is on."""
    opposed: bool = False
    """Whether the side that a line names is not theirs."""
    slip: bool = False
    """Whether somebody in the fight has nearly the same name."""
    thing: bool = False
    """Whether the last word of the name has another meaning in a fight: dagger, regeneration."""
    magic: bool = False
    """Whether the name means a spell, or something else without a body."""
    classes: list[str] = field(default_factory=list)
    called: list[str] = field(default_factory=list)
    """The short names by which those of it are known."""

    hidden: bool = False
    """Whether the line only says that a stat is not told."""

    @property
    def plural(self) -> bool:
        """Whether its name is a plural in small letters without a number."""
        last = self.words[-1] if self.words else ""
        return last.islower() and singular(last) != last and not (self.counted or self.known)

    @property
    def has_stats(self) -> bool:
        """Whether its sheet says anything."""
        return bool(self.points or self.sheet)

    @property
    def is_introduced(self) -> bool:
        """Whether its line says what only a newcomer's does: a stat, even if untold, or a short name."""
        return self.has_stats or bool(self.called) or self.hidden


def is_side(item: Item, *, labelled: bool = False) -> bool:
    """Say whether a word names a side; as a label also a new one."""
    named = item.who is not None and bool(item.who.side) and item.who.group
    plain = item.kind == "word" and (
        item.is_("party", "foes") or (labelled and not item.senses and singular(item.text) != item.text)
    )
    return named or plain


def side_named(scene: Scene, item: Item) -> str:
    """Return the side that a word names."""
    if item.who is not None and item.who.side:
        return item.who.side
    if (plain := item.text.removeprefix("the ")) in SIDES:
        return SIDES[plain]
    sides = {one.side for one in scene.here if one.side}
    if item.is_("party") and "party" in sides:
        return "party"
    name = item.text.removeprefix("the ")
    if " " in name:
        return "foes" if item.is_("foes") else "party"  # bad guys, player characters
    return names.id_of(name, ())


def facts_of(scene: Scene, people: list[Newcomer], side: str) -> Facts | None:
    """Return the facts by which they join; None if one of them cannot."""
    facts: Facts = []
    taken: set[str] = set()
    for one in people:
        many = one.count > 1 or bool(one.known)
        name = one.known or (one.listed.replace("-", " ") if many else "") or " ".join(one.words)
        if not name or len(name) > 60 or len(one.words) > 8 or not 1 <= one.count <= filling.MOST_COPIES:
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
        alike = [each for each in scene.here if kind_of(each.id) == one.known] if one.known else []
        if alike:
            sheets = [_sheet_of(scene, each.id) for each in alike]
            sheet = sheet or (sheets[0] if all(each == sheets[0] for each in sheets) else {})
            side = side or (alike[0].side if alike[0].side != alike[0].id else "")
            name = alike[0].name.rpartition(" ")[0] or name
        values: Fields = {
            "new": f"{name}*{one.count}" if many else name,
            "sheet": sheet,
            "of_a_kind": bool(one.listed)
            and (bool(one.side) or one.counted or one.article in ("a", "an", "another") or _is_numbered(one)),
            **({"group": one.side or side} if (one.side or side) and not one.opposed else {}),
        }
        if one.square:
            values["square"] = list(one.square)
        if one.totals:
            values["total"] = one.totals[0]
        single = one.known in scene.ids and not any(each.id != one.known for each in alike)
        called = [f"{name} {2 + at}" for at in range(one.count)] if single else [values["new"]]
        try:
            made = [fact for new in called for fact in filling.copies(scene.context, {**values, "new": new})]
        except (Gap, ValueError, KeyError):
            return None
        joined = [each for each in made if each["type"] == "combatant_joined"]
        _call(scene, one, made, joined)
        if {each["combatant"] for each in joined} & taken:
            return None
        taken |= {each["combatant"] for each in joined}
        rolled = [each for each in made if each["type"] == "initiative_rolled"]
        for each, total in zip(rolled, one.totals if len(one.totals) > 1 else (), strict=False):
            each["total"] = total
        if len(one.points) == one.count > 1:
            for each, points in zip(joined, one.points, strict=True):
                each["sheet"] = {**each["sheet"], "hp": points}
        facts += made
    return facts


def _is_numbered(one: Newcomer) -> bool:
    """Say whether the short name of a newcomer is that of one of several: O1."""
    return bool(one.called) and one.called[0][-1:].isdigit()


def _call(scene: Scene, one: Newcomer, made: Facts, joined: Facts) -> None:
    """Give those who join their short names: as the names of some of a kind, with the same numbers if they are free, or
    as the id of one whose name is longer.
    """
    if len(one.called) != len(joined):
        return
    taken = {*scene.state.combatants, *scene.state.sides}
    ids = [fact["combatant"] for fact in joined]
    numbers = [re.sub(r".*?(\d*)", r"\1", short) for short in one.called]
    if all(numbers):
        same = [f"{kind_of(who)}-{number}" for who, number in zip(ids, numbers, strict=True)]
        ids = same if taken.isdisjoint(same) and len({*same}) == len(same) else ids
    of_a_kind = one.counted or one.article in ("a", "an", "another") or all(numbers)
    for at, (fact, short) in enumerate(zip(joined, one.called, strict=True)):
        who = names.id_of(short, taken)
        if of_a_kind or who != names.folded(short) or who in forms.words(scene.state.rules.rules):
            fact.update({"name": short} if names.folded(short) != ids[at] else {})
        else:
            fact.setdefault("name", " ".join(one.words))
            ids[at] = who
    renamed = dict(zip([fact["combatant"] for fact in joined], ids, strict=True))
    for fact in made:
        fact["combatant"] = renamed[fact["combatant"]]


def _stated(sheet: object, field: str) -> object:
    """Return a sheet's value of a field; None where that is the default."""
    value = getattr(sheet, field, None)
    usual = next((each.default for each in fields(type(sheet)) if each.name == field), None) if value else None  # type: ignore[arg-type]
    return None if value == usual else value


def _sheet_of(scene: Scene, who: str) -> Fields:
    """Return the points and the armour class of another combatant of the same kind."""
    one = scene.state.combatants[who]
    known = getattr(one.sheet, "srd", None)
    found = {"hp": one.hp_max, "ac": None if known else _stated(one.sheet, "ac")}
    return {key: value for key, value in found.items() if isinstance(value, int)}
