"""The telling while it is made: facts in order, with what they add up to and who is who."""

from typing import Any

from encounterlog.importers.fireball.ledger import Effect, Event, Ledger, Points, fold
from encounterlog.importers.fireball.rows import Row
from encounterlog.importers.fireball.screens import Shown
from encounterlog.importers.fireball.words import Ids, clean, sentence, whole, word
from encounterlog.importers.telling import Fact, Problem


class Teller:
    """Collects the facts and knows at each point what they add up to."""

    def __init__(self) -> None:
        self.facts: list[Fact] = []
        self.problems: list[Problem] = []
        self.unexplained = 0
        self.rulings: list[int] = []
        self._begun: dict[int, int] = {}
        self.ledger = Ledger(self._begun)
        self.ids: dict[str, str] = {}
        self.called: dict[str, str] = {}
        self.effects: dict[str, int] = {}
        self.turns: list[int] = []
        self.acts: dict[int, int] = {}
        self.bonuses: dict[str, int] = {}
        self.left: dict[tuple[str, str], int] = {}
        self.tops: dict[str, frozenset[str]] = {}
        self.struck: set[int] = set()
        self._names = Ids()

    # who is who

    def meet(self, key: str, name: str) -> str:
        """Give the combatant with this id of the bot's an id of the log."""
        if key not in self.ids:
            self.ids[key] = self._names.make(name)
        return self.ids[key]

    def here(self, key: object) -> str | None:
        """Find a combatant of the fight by the bot's id."""
        found = self.ids.get(key) if isinstance(key, str) else None
        return found if found is not None and self.ledger.place(found) is not None else None

    def named(self, name: str) -> str | None:
        """Find a combatant of the fight by name: the whole name, else its beginning, else a part of it."""
        wanted = clean(name).casefold()
        names = [(one, self.called[one].casefold()) for one in self.ledger.order()]
        for fits in (str.__eq__, str.startswith, str.__contains__):
            for found, known in names:
                if wanted and fits(known, wanted):
                    return found
        return None

    def exactly(self, name: object) -> str | None:
        """Find a combatant of the fight by the whole name."""
        wanted = clean(name) if isinstance(name, str) else None
        return next((one for one in self.ledger.order() if self.called[one] == wanted), None)

    def name(self, combatant: str) -> str:
        """Say the name that the bot uses for a combatant, in full."""
        return self.called[combatant]

    # saying facts

    def say(self, row: Row, event: Event, *others: Row, cause: int | None = None) -> int:
        """Append one fact and return its place; a cause or parent is given as a place."""
        index = len(self.facts)
        if cause is not None:
            event = event | {"cause": cause - index}
        self.facts.append(Fact(event, row.at, tuple(sorted({row.line, *(other.line for other in others)}))))
        self.ledger.apply(index, event)
        if event["type"] == "turn_started":
            self.turns.append(index)
        return index

    def wonder(self, row: Row, what: str) -> None:
        """Note that something in a row could not be understood."""
        self.problems.append(Problem(row.line, what))

    def rule(self, row: Row, values: dict[str, Any], decision: str, reason: str, *others: Row) -> int:
        """Put values that a row states, but no fact makes, into force."""
        ruling: Event = {"type": "ruling_made", "ruling": "override", "decision": sentence(decision)}
        return self.say(row, ruling | {"reason": sentence(reason), "values": values}, *others)

    def rule_unexplained(self, row: Row, values: dict[str, Any], decision: str) -> int:
        """Put into force what only a state shows, and count it."""
        self._leave_unexplained()
        return self.rule(row, values, decision, f"no recorded row explains it; the state in line {row.line} shows it")

    def rule_fact(self, row: Row, who: str, decision: str) -> None:
        """Say that something is so which only a state shows, and count it; the fact itself follows."""
        self._leave_unexplained()
        ruling: Event = {"type": "ruling_made", "ruling": "fact", "decision": sentence(decision)}
        reason = f"no recorded row explains it; the state in line {row.line} shows it"
        self.say(row, ruling | {"reason": reason, "combatants": [who]})

    def _leave_unexplained(self) -> None:
        """Count a change that no row explains, and keep the place of the ruling that comes next."""
        self.unexplained += 1
        self.rulings.append(len(self.facts))

    def rule_tie(self, row: Row, tied: list[str], reason: str) -> int:
        """Settle the order of those who are level."""
        decision = f"{', '.join(self.name(one) for one in tied)} act in this order"
        ruling: Event = {"type": "ruling_made", "ruling": "tie", "decision": sentence(decision)}
        return self.say(row, ruling | {"reason": sentence(reason), "combatants": tied})

    def strike(self, row: Row, indexes: list[int], reason: str) -> None:
        """Take facts out of the telling."""
        for index in indexes:
            event: Event = {"type": "struck", "event": index - len(self.facts), "reason": reason}
            self.facts.append(Fact(event, row.at, (row.line,)))
        self.struck.update(indexes)
        self.turns = [index for index in self.turns if index not in indexes]
        self.ledger = self.without(set())

    def without(self, more: set[int]) -> Ledger:
        """Fold the telling anew, with still more of it struck."""
        return fold([fact.event for fact in self.facts], self.struck | more, self._begun)

    # hit points

    def points(self, combatant: str) -> Points:
        """Say the hit points that the facts add up to."""
        return self.ledger.points[combatant]

    def hurt(self, row: Row, target: str, amount: int, cause: int | None = None, **more: Any) -> int:
        """Deal damage; a negative amount heals, as the bot has it."""
        if amount < 0:
            return self.say(row, {"type": "healed", "target": target, "amount": -amount, **more}, cause=cause)
        return self.say(row, {"type": "damage_dealt", "target": target, "amount": amount, **more}, cause=cause)

    def set_hp(self, row: Row, target: str, value: int, reason: str, *others: Row) -> None:
        """Bring hit points to a value that the row states: by damage or healing where these can, else by a ruling."""
        hp, hp_max, temp, floor = self.points(target)
        value = value if floor is None else max(value, floor)
        if hp == value:
            return
        healing: Event = {"type": "healed", "target": target, "amount": value - (hp or 0)}
        if hp is None:
            self.say(row, {"type": "sheet_changed", "combatant": target, "sheet": {"hp": value}}, *others)
        elif hp < value and (hp_max is None or value <= hp_max):
            self.say(row, healing, *others)
        elif value < hp and not temp:
            self.say(row, {"type": "damage_dealt", "target": target, "amount": hp - value}, *others)
        else:
            self.rule(row, {f"{target}.hp": value}, f"{self.name(target)} is at {value} hit points", reason, *others)

    def set_temp(self, row: Row, target: str, value: int, *others: Row) -> None:
        """Bring temporary points to a value."""
        if self.points(target).temp != value:
            self.say(row, {"type": "healed", "target": target, "amount": value, "temporary": True}, *others)

    # effects

    def start_effect(self, row: Row, bearer: str, shown: Shown, cause: int | None, *others: Row) -> int:
        """Begin an effect; the one of the same name on the same bearer gives way to it."""
        self.end_effects(row, [one for one in self.ledger.on(bearer) if one.name == word(shown.name)], "begun anew")
        event: Event = {"type": "effect_started", "effect": word(shown.name), "targets": [bearer]}
        if shown.concentration:
            event |= {"source": bearer, "concentration": True}
        if shown.duration is not None and whole(shown.duration) is not None:
            event["duration"] = self._length(shown, bearer)
        if (parent := self.effect(shown.parent)) is not None:
            event["parent"] = parent.index - len(self.facts)
            event |= self._no_longer(event, parent)
        self.effects[shown.key] = len(self.facts)
        return self.say(row, event, *others, cause=cause)

    def _no_longer(self, event: Event, parent: Effect) -> Event:
        """Let a child last as long as its parent where that is shorter, as the bot announces it."""
        if parent.left is None or parent.left >= event.get("duration", {"amount": parent.left + 1})["amount"]:
            return {}
        return {"duration": {"amount": parent.left, "unit": "round", "of": parent.of, "at": parent.at}}

    def _length(self, shown: Shown, bearer: str) -> dict[str, Any]:
        of = self.here(shown.of) or bearer
        return {"amount": shown.duration, "unit": "round", "of": of, "at": "end" if shown.at_end else "start"}

    def end_effects(self, row: Row, effects: list[Effect], reason: str, *others: Row, cause: int | None = None) -> None:
        """End these effects, and with each its children; those that ended meanwhile are passed over."""
        for effect in effects:
            if effect in self.ledger.effects:
                event = {"type": "effect_ended", "effect": effect.name, "targets": [effect.bearer]}
                self.say(row, event | {"reason": reason}, *others, cause=cause)

    def effect(self, key: str) -> Effect | None:
        """Find a running effect by the bot's id."""
        index = self.effects.get(key)
        return next((one for one in self.ledger.effects if one.index == index), None) if index is not None else None
