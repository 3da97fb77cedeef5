"""Newcomers: the names, numbers, sides and sheets of those who join, as people list them or tell of them."""

from collections.abc import Sequence
from typing import TYPE_CHECKING

from msgspec import Struct, field
from msgspec.structs import fields, replace

from projections.grammar import filling, names
from projections.grammar.line_context import Gap
from projections.open_types import Facts, Fields
from projections.reader.composition import Reading
from projections.reader.scene import Scene, singular
from projections.reader.tags import Item

if TYPE_CHECKING:
    from projections.reader.rollcall import RollCall


FOE = {"foe": "foes", "enemy": "foes", "monster": "foes", "baddie": "foes", "hostile": "foes"}
"""Words for one of the other side, with that side."""


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
    article: str = ""
    counted: bool = False
    more: bool = False
    opposed: bool = False
    """Whether the side of which a line tells is not theirs."""
    slip: bool = False
    """Whether somebody who is there has nearly the same name."""
    thing: bool = False
    """Whether the last word of its name means something else in a fight: dagger, regeneration."""
    magic: bool = False
    """Whether it means a spell, or something else that has no body."""
    classes: list[str] = field(default_factory=list)

    @property
    def plural(self) -> bool:
        """Whether its name is a plural in small letters of which no number is told."""
        last = self.words[-1] if self.words else ""
        return last.islower() and singular(last) != last and not (self.counted or self.known)

    @property
    def has_stats(self) -> bool:
        """Whether its sheet says anything."""
        return bool(self.points or self.sheet)


def newcomers(scene: Scene, items: Sequence[Item]) -> list[Reading]:
    """Return a line that tells of those who join, with a name that no table of the game has once for each that may be meant; nothing if it is none."""
    from projections.reader.rollcall import RollCall, tells_of_deeds

    if not items or items[0].is_("undo", "correction"):
        return []
    call = RollCall(scene, items)
    if not call.read() or not call.people or call.vague or tells_of_deeds(items):
        return []
    people = call.people
    likely = [_named_by_a_table(scene, each) for each in people]
    if not call.joins and not all(each.has_stats for each in people):
        known = all(each.listed or near for each, near in zip(people, likely, strict=True))
        if call.measured or not known or call.unread:
            return []
    if any(near and not each.has_stats for each, near in zip(people, likely, strict=True)):
        return _offered(scene, people, likely, call.side, tuple(call.unread))
    facts = facts_of(scene, people, call.side)
    if facts is None or not (call.joins or call.measured or all(each.listed or each.more for each in people)):
        return []
    doubtful = sum(not _is_certain(scene, one, call) for one in people)
    return [Reading(facts, ("join",), tuple(call.unread), guesses=call.guesses + doubtful)]


def _is_certain(scene: Scene, one: Newcomer, call: "RollCall") -> bool:
    """Say whether it is certain that somebody joins, and that no thing is meant, or somebody of whom the fight knows: a dagger with 4 hp."""
    if one.known or one.counted or one.classes or call.joins == "join":
        return True
    told = one.has_stats or bool(one.listed)
    if told and (call.joins or call.side or one.article in ("a", "an", "another")):
        return True
    goes_on = scene.state.clock.round or scene.state.clock.turn
    return bool(one.points) and not one.magic and ("ac" in one.sheet or not (one.thing or goes_on))


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


def _offered(
    scene: Scene, people: list[Newcomer], likely: list[tuple[str, ...]], side: str, unread: tuple[str, ...]
) -> list[Reading]:
    """Return those who join under each name that may be meant, and as they are named, to be asked about."""
    found = []
    for place in range(max(map(len, likely))):
        names = [near[min(place, len(near) - 1)] if near else "" for near in likely]
        meant = [
            replace(each, listed=name, words=name.split("-")) if name else each
            for each, name in zip(people, names, strict=True)
        ]
        found.append(facts_of(scene, meant, side))
    return [Reading(facts, ("join",), unread, guesses=1) for facts in found if facts]


def is_side(item: Item, *, labelled: bool = False) -> bool:
    """Say whether a word names a side; as a label also one that is not known yet."""
    named = item.who is not None and bool(item.who.side) and item.who.group
    plain = item.kind == "word" and (
        item.is_("party", "foes") or (labelled and not item.senses and singular(item.text) != item.text)
    )
    return named or plain


def side_named(scene: Scene, item: Item) -> str:
    """Return the side that a word names."""
    if item.who is not None and item.who.side:
        return item.who.side
    if item.text in FOE:
        return FOE[item.text]
    sides = {one.side for one in scene.here if one.side}
    if item.is_("party") and "party" in sides:
        return "party"
    return names.id_of(item.text.split()[-1], ())


def facts_of(scene: Scene, people: list[Newcomer], side: str) -> Facts | None:
    """Return the facts by which they join; None if one of them cannot."""
    facts: Facts = []
    taken: set[str] = set()
    for one in people:
        many = one.count > 1 or bool(one.known)
        name = one.known or (one.listed.replace("-", " ") if many else "") or " ".join(one.words)
        if not name or len(name) > 60 or len(one.words) > 6 or not 1 <= one.count <= filling.MOST_COPIES:
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
            **({"group": side} if side and not one.opposed else {}),
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
