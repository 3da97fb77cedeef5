"""The few values of a `plain` fight that the import needs while it tells it.

The same meaning as the ruleset `plain`, for one purpose: to know what the facts told so far add up to, so that a
command like "set to 5" becomes the damage that it is, and what no fact explains is noticed.
"""

from collections.abc import Callable
from typing import Any, ClassVar, NamedTuple

Event = dict[str, Any]


class Effect:
    """An effect on one bearer."""

    def __init__(self, index: int, bearer: str, event: Event, passed: int, parent: "Effect | None") -> None:
        length = event.get("duration") or {}
        self.index = index
        self.bearer = bearer
        self.name: str = event["effect"]
        self.source: str = event.get("source", bearer)
        self.concentration: bool = event.get("concentration", False)
        self.left: int | None = length.get("amount")
        self.amount: int | None = length.get("amount")
        self.of: str = length.get("of", bearer)
        self.at: str = length.get("at", "start")
        self.passed = passed
        self.parent = parent


class Slot:
    """Who acts together, and what their place in the order rests on."""

    def __init__(self, members: list[str], total: int, told: int) -> None:
        self.members = members
        self.total = total
        self.told = told
        self.tie = -1

    def key(self) -> tuple[int, int, int]:
        """Sort by total, then as ruled, then as told."""
        return (-self.total, self.tie, self.told)


class Points(NamedTuple):
    """Hit points of one combatant; None where nobody has said."""

    hp: int | None
    hp_max: int | None
    temp: int
    floor: int | None


class Ledger:
    """What the facts told so far add up to."""

    def __init__(self, begun: dict[int, int] | None = None) -> None:
        self._begun = {} if begun is None else begun
        self.names: dict[str, str] = {}
        self.points: dict[str, Points] = {}
        self.slots: list[Slot] = []
        self.turn: str | None = None
        self.round = 0
        self.counts_rounds = False
        self.effects: list[Effect] = []
        self._together: list[str] = []

    def order(self) -> list[str]:
        """List everybody in initiative order."""
        return [member for slot in self.slots for member in slot.members]

    def place(self, combatant: str | None) -> int | None:
        """Find the slot of a combatant."""
        return next((place for place, slot in enumerate(self.slots) if combatant in slot.members), None)

    def on(self, bearer: str) -> list[Effect]:
        """List the effects on a combatant, oldest first."""
        return [effect for effect in self.effects if effect.bearer == bearer]

    def left_by_places(self, effect: Effect) -> int | None:
        """Count what is left of an effect as the bot does: by rounds and places in the order, not by turns."""
        if effect.amount is None or self.place(effect.of) is None:
            return None
        return effect.amount - (self._passed(effect.of, effect.at) - effect.passed)

    def apply(self, index: int, event: Event) -> None:
        """Take one fact in; types that touch none of the values pass."""
        fold = self._FOLDS.get(event["type"])
        if fold is not None:
            fold(self, index, event)

    def _passed(self, of: str, at: str) -> int:
        """Count how often the bot's clock has passed the place of this combatant, at the start or end of the turn."""
        now, place = self.place(self.turn), self.place(of)
        if now is None:
            return self.round + 1
        place = -1 if place is None else place
        return self.round + int(now > place if at == "end" else now >= place)

    def _sort(self) -> None:
        self.slots.sort(key=Slot.key)

    def _take_out(self, members: list[str]) -> None:
        for slot in self.slots:
            slot.members = [one for one in slot.members if one not in members]
        self.slots = [slot for slot in self.slots if slot.members]

    def _joined(self, index: int, event: Event) -> None:
        self.names[event["combatant"]] = str(event.get("name", event["combatant"]))
        self.points[event["combatant"]] = Points(None, None, 0, None)
        self._sheet(index, event)

    def _sheet(self, _index: int, event: Event) -> None:
        sheet, old = event["sheet"], self.points[event["combatant"]]
        hp = sheet.get("hp", old.hp)
        hp_max = sheet.get("hp_max", hp if old.hp_max is None else old.hp_max)
        self.points[event["combatant"]] = Points(
            hp, hp_max, sheet.get("temp", old.temp), sheet.get("hp_floor", old.floor)
        )

    def _left(self, _index: int, event: Event) -> None:
        gone = event["combatant"]
        self._take_out([gone])
        for effect in self.on(gone):
            self.end(effect)
        if self.turn == gone:
            self._together = [one for one in self._together if self.place(one) is not None]
            self.turn = next(iter(self._together), None)

    def _initiative(self, index: int, event: Event) -> None:
        members = [event["combatant"], *event.get("together", [])]
        self._take_out(members)
        self.slots.append(Slot(members, event["total"], index))
        self._sort()

    def _round(self, _index: int, event: Event) -> None:
        self.round = event["round"]
        self.turn = None
        self.counts_rounds = True

    def _turn(self, _index: int, event: Event) -> None:
        self._together = [event["combatant"], *event.get("together", [])]
        self.turn = event["combatant"]
        self._tick(self._together, "start")

    def _turn_ended(self, _index: int, event: Event) -> None:
        self._tick([event["combatant"]], "end")

    def _tick(self, owners: list[str], at: str) -> None:
        """Count down what lasts until these turns begin or end."""
        for effect in [one for one in self.effects if one.of in owners and one.at == at and one.left is not None]:
            effect.left = (effect.left or 0) - 1
            if effect.left <= 0:
                self.end(effect)

    def end(self, effect: Effect) -> None:
        """End an effect and all that ends with it."""
        if effect in self.effects:
            self.effects.remove(effect)
            for child in [one for one in self.effects if one.parent is effect]:
                self.end(child)

    def _damage(self, _index: int, event: Event) -> None:
        points = self.points[event["target"]]
        absorbed = min(points.temp, event["amount"])
        left = event["amount"] - absorbed
        hp = None if points.hp is None else points.hp - left
        if hp is not None and points.floor is not None:
            hp = max(hp, points.floor)
        self.points[event["target"]] = points._replace(hp=hp, temp=points.temp - absorbed)

    def _healed(self, _index: int, event: Event) -> None:
        points, amount = self.points[event["target"]], event["amount"]
        if event.get("temporary"):
            self.points[event["target"]] = points._replace(temp=amount)
        elif points.hp is not None:
            top = points.hp + amount if points.hp_max is None else max(points.hp, points.hp_max)
            self.points[event["target"]] = points._replace(hp=min(points.hp + amount, top))

    def _started(self, index: int, event: Event) -> None:
        if event.get("concentration"):
            for held in [one for one in self.effects if one.concentration and one.source == event.get("source")]:
                self.end(held)
        length = event.get("duration") or {}
        above = index + event["parent"] if "parent" in event else None
        for bearer in event["targets"]:
            passed = self._begun.setdefault(index, self._passed(length.get("of", bearer), length.get("at", "start")))
            parent = next((one for one in self.effects if one.index == above), None)
            self.effects.append(Effect(index, bearer, event, passed, parent))

    def _ended(self, _index: int, event: Event) -> None:
        name = event["effect"].casefold()
        for effect in list(self.effects):
            if effect.bearer in event["targets"] and effect.name.casefold() == name:
                self.end(effect)

    def _ruling(self, _index: int, event: Event) -> None:
        for tie, combatant in enumerate(event.get("combatants", []) if event["ruling"] == "tie" else []):
            if (place := self.place(combatant)) is not None:
                self.slots[place].tie = tie
        for address, value in event.get("values", {}).items():
            self._override(address, value)
        self._sort()

    def _override(self, address: str, value: Any) -> None:
        combatant, _, field = address.partition(".")
        if address == "turn":
            self.turn = None if value == "none" else value
        elif address == "round":
            self.round = value
        elif field in ("hp", "hp_max", "temp"):
            self.points[combatant] = self.points[combatant]._replace(**{field: value})
        elif field == "name":
            self.names[combatant] = value
        elif field.startswith("effects."):
            for effect in [one for one in self.on(combatant) if one.name == field.removeprefix("effects.")]:
                effect.left = value

    _FOLDS: ClassVar[dict[str, Callable[["Ledger", int, Event], None]]] = {
        "combatant_joined": _joined,
        "sheet_changed": _sheet,
        "combatant_left": _left,
        "initiative_rolled": _initiative,
        "round_started": _round,
        "turn_started": _turn,
        "turn_ended": _turn_ended,
        "damage_dealt": _damage,
        "healed": _healed,
        "effect_started": _started,
        "effect_ended": _ended,
        "ruling_made": _ruling,
    }


def fold(events: list[Event], struck: set[int], begun: dict[int, int]) -> Ledger:
    """Fold the telling from its beginning, without what is struck; when effects began, as the bot has it, stays."""
    ledger = Ledger(begun)
    for index, event in enumerate(events):
        if index not in struck:
            ledger.apply(index, event)
    return ledger
