"""Newcomers: the names, numbers, sides and sheets of those who join, as lists or sentences give them."""

from msgspec import Struct, field
from msgspec.structs import fields

from projections.grammar import filling, names
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
    total: int | None = None
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

    @property
    def plural(self) -> bool:
        """Whether its name is a plural in small letters without a number."""
        last = self.words[-1] if self.words else ""
        return last.islower() and singular(last) != last and not (self.counted or self.known)

    @property
    def has_stats(self) -> bool:
        """Whether its sheet says anything."""
        return bool(self.points or self.sheet)


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
            "of_a_kind": bool(one.listed) and (bool(one.side) or one.counted or one.article in ("a", "an", "another")),
            **({"group": one.side or side} if (one.side or side) and not one.opposed else {}),
        }
        if one.square:
            values["square"] = list(one.square)
        if one.total is not None:
            values["total"] = one.total
        single = one.known in scene.ids and not any(each.id != one.known for each in alike)
        called = [f"{name} {2 + at}" for at in range(one.count)] if single else [values["new"]]
        try:
            made = [fact for new in called for fact in filling.copies(scene.context, {**values, "new": new})]
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
