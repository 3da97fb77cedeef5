"""The transcript while it is written: facts in order, the state derived from them, identities, and every repair."""

import re
from collections.abc import Callable, Iterable
from typing import Any

from encounterlog.importers.fireball.dice import is_scaled, kept_of, typed, with_rest
from encounterlog.importers.fireball.durations import PlaceCount
from encounterlog.importers.fireball.fight import Fight, Points, event_from
from encounterlog.importers.fireball.rows import SourceRow
from encounterlog.importers.fireball.snapshots import ShownEffect, Snapshot
from encounterlog.importers.fireball.words import Ids, clean, sentence, whole, word
from encounterlog.importers.games import PLAIN, Game
from encounterlog.importers.transcript import Fact, Problem, Repair
from eventstore.errors import Malformed
from eventstore.events import InitiativeRolled
from projections.mechanics.conditions import Effect
from projections.mechanics.rolls import face

Event = dict[str, Any]

CLOCK_FACTS = frozenset({"round_started", "turn_started", "turn_ended"})
_DROP = re.compile(r"drops? to (?:0|zero)(?: hp| hit points)?", re.IGNORECASE)
_WITH = re.compile(r" with (?:an? )?(?P<weapon>.+)$")
_FIRST = 2
"""Record 1 opens the log, so fact 0 is record 2."""


class Writer:
    """A transcript under construction: its facts in order, and the state derived from them at each point."""

    def __init__(self, game: Game = PLAIN) -> None:
        self.game = game
        self.facts: list[Fact] = []
        self.repairs: list[Repair] = []
        self.fight = Fight(game)
        self.count = PlaceCount()
        self.shown: Snapshot | None = None
        self.called: dict[str, str] = {}
        self.effects: dict[str, int] = {}
        self.turns: list[int] = []
        self.acts: dict[int, int] = {}
        self.bonuses: dict[str, int] = {}
        self.own: dict[str, int] = {}
        self.orphans: dict[str, SourceRow] = {}
        self.raising: dict[str, frozenset[str]] = {}
        self.sheet_rows: dict[str, SourceRow] = {}
        self.shown_at: dict[str, int] = {}
        self.struck: set[int] = set()
        self.taken: set[tuple[int, str]] = set()
        self._problems: dict[str, list[int]] = {}
        self._ids: dict[str, str] = {}
        self._names = Ids()

    # who is who

    def meet(self, key: str, name: str) -> str:
        """Assign an id of the log to the combatant with this id of the bot's."""
        if key not in self._ids:
            self._ids[key] = self._names.make(name)
        return self._ids[key]

    def here(self, key: object) -> str | None:
        """Find a combatant of the fight by the bot's id."""
        found = self._ids.get(key) if isinstance(key, str) else None
        return found if found is not None and self.fight.place(found) is not None else None

    def exactly(self, name: object) -> str | None:
        """Find a combatant of the fight by the whole name."""
        wanted = clean(name) if isinstance(name, str) else None
        return next((one for one in self.fight.order() if self.called[one] == wanted), None)

    def name(self, combatant: str) -> str:
        """Return the name that the bot uses for a combatant, in full."""
        return self.called[combatant]

    def means(self, combatant: str, said: str) -> str:
        """Return the weapon of an attack: that of the sheet which the end of a name such as "Booming Blade with a Rapier" names."""
        sheet: Any = self.fight.state.combatants[combatant].sheet
        known = [one.name for one in sheet.weapons] if self.game.takes.sheets else []
        found = _WITH.search(said)
        return next((one for one in known if found and one.casefold() == found["weapon"].casefold()), said)

    # facts and problems

    def add(self, row: SourceRow, event: Event, *others: SourceRow, cause: int | None = None) -> int:
        """Append one fact, with the lines of these rows, and return its place; a cause is a place, too. A fact that no log can hold becomes a note and a problem."""
        index = len(self.facts)
        if cause is not None:
            event = event | {"cause": cause - index}
        try:
            typed = event_from(event)
        except Malformed as error:
            self.problem(row, f"has a fact of the type {event['type']} that a log cannot hold: {error}")
            event = {"type": "noted", "text": sentence(f"left out, as a log cannot hold it: {event}")}
            typed = event_from(event)
        self.facts.append(Fact(event, row.at, tuple(sorted({row.line, *(other.line for other in others)}))))
        self.fight.add(typed)
        if event["type"] == "turn_started":
            self.turns.append(index)
        return index

    def note(self, row: SourceRow, text: str, *others: SourceRow, about: int | None = None) -> int:
        """Append a remark, on a fact if its place is given, and return its place."""
        event: Event = {"type": "noted", "text": sentence(text)}
        return self.add(row, event | ({} if about is None else {"event": about - len(self.facts)}), *others)

    def problem(self, row: SourceRow, what: str) -> None:
        """Note that something in a row could not be understood; the same again is counted."""
        self._problems.setdefault(what, []).append(row.line)

    def problems(self) -> list[Problem]:
        """List everything that could not be understood, each with the first line that has it."""
        return [Problem(lines[0], what + _again(len(lines) - 1)) for what, lines in self._problems.items()]

    # repairs

    def repair(self, row: SourceRow, address: str, says: str, cause: SourceRow | None) -> None:
        """Count the next fact as a repair, which sets this value right to that of a row."""
        line = 0 if cause is None else cause.line
        self.repairs.append(Repair(len(self.facts), address, row.line, line, sentence(says)))

    def override(self, row: SourceRow, values: Event, decision: str, cause: SourceRow | None) -> int:
        """Set values right by a ruling, as no fact can, and count each of them."""
        for address in values:
            self.repair(row, address, decision, cause)
        return self.rule(row, values, decision, reason(row, cause), *([cause] if cause else []))

    def rule(self, row: SourceRow, values: Event, decision: str, why: str, *others: SourceRow) -> int:
        """Record the result of a command as a ruling, as no fact can produce it."""
        ruling: Event = {"type": "ruling_made", "ruling": "override", "decision": sentence(decision)}
        return self.add(row, ruling | {"reason": sentence(why), "values": values}, *others)

    def rule_tie(self, row: SourceRow, tied: list[str], why: str) -> int:
        """Settle the order of tied combatants."""
        decision = f"{', '.join(self.name(one) for one in tied)} act in this order"
        ruling: Event = {"type": "ruling_made", "ruling": "tie", "decision": sentence(decision)}
        return self.add(row, ruling | {"reason": sentence(why), "combatants": tied})

    def take_modifiers(self, snapshot: Snapshot) -> None:
        """Keep the initiative modifiers that a state shows; that of a group changes with its members."""
        for slot in snapshot.slots:
            who, bonus = self.here(slot[0].key), slot[0].bonus
            if who is not None and bonus is not None:
                self.bonuses[self.fight.roller(who)] = bonus

    def place(self, row: SourceRow, event: Event, *others: SourceRow) -> int:
        """Add an initiative roll; where only the first counts, its dice are kept and its total is the game master's word.

        A total with other parts than the die and the bonus of the sheet is kept with them as a roll of its own.
        """
        roll = event_from(event)
        if not (isinstance(roll, InitiativeRolled) and self.game.takes.rolls_once and self.fight.has_place(roll)):
            if isinstance(roll, InitiativeRolled) and self.game.takes.sheets and self._has_other_parts(roll):
                self._add_dice(row, event, *others)
                event = {name: value for name, value in event.items() if name not in ("die", "bonus")}
            return self.add(row, event, *others)
        if "die" in event:
            self._add_dice(row, event, *others)
        members = [event["combatant"], *event.get("together", [])]
        decision = (
            f"{', '.join(map(self.name, members))} {'have' if members[1:] else 'has'} initiative {event['total']}"
        )
        values = {f"{who}.initiative": event["total"] for who in members}
        index = self.rule(row, values, decision, "the bot gives a new place in the order", *others)
        self.fight.place_by(roll)
        return index

    def _has_other_parts(self, roll: InitiativeRolled) -> bool:
        """Say whether the total of a roll is not its die and its bonus, or the bonus is not that of the sheet."""
        if roll.die is None or roll.total is None or not roll.combatant:
            return False
        joined = self.fight.state.combatants.get(roll.combatant)
        own = getattr(joined.sheet, "initiative", None) if joined else None
        bonus = int(roll.total) - face(roll.die)
        return bonus != (bonus if roll.bonus is None else roll.bonus) or own not in (None, bonus)

    def _add_dice(self, row: SourceRow, event: Event, *others: SourceRow) -> None:
        """Add the dice of an initiative roll, with the bonus and what else the total has."""
        rolled = {name: event[name] for name in ("combatant", "die", "total") if name in event}
        added = {"modifiers": [{"name": "bonus", "amount": event["bonus"]}]} if event.get("bonus") else {}
        self.add(row, {"type": "dice_rolled", "purpose": "initiative"} | with_rest(rolled | added), *others)

    # going back

    def strike(self, row: SourceRow, indexes: list[int], why: str) -> None:
        """Strike facts."""
        for index in indexes:
            self.add(row, {"type": "struck", "event": index - len(self.facts), "reason": why})
        self.struck.update(indexes)
        self.turns = [index for index in self.turns if index not in indexes]

    def without(self, indexes: Iterable[int]) -> Fight:
        """Fold the facts again, with these struck."""
        return self.fight.without(index + _FIRST for index in indexes)

    # rounds

    def start_round(self, row: SourceRow, number: int) -> int:
        """Begin a round with the number that the source gives it."""
        self.permit_round(row, number)
        return self.add(row, {"type": "round_started", "round": number})

    def permit_round(self, row: SourceRow, number: int, *others: SourceRow) -> None:
        """Let a round follow another than the one before it, as the source counts; by a grant, if the rules of the log count rounds."""
        now = self.fight.round
        if self.game.takes.counts_rounds and self.fight.counts_rounds and number != now + 1:
            decision = f"round {number} comes after round {now}"
            ruling: Event = {"type": "ruling_made", "ruling": "grant", "rule": self.game.takes.counts_rounds}
            self.add(row, ruling | {"decision": decision, "reason": "the source counts so"}, *others)

    # turns

    def permit_turn(self, row: SourceRow, members: list[str], why: str, *, in_turn: bool = True) -> None:
        """Let the combatants to whom the tracker is set have their turn, by grants, if the rules of the log count turns.

        One who had it in this round has it again; one who is not `in_turn` has it before its place.
        """
        had = {who for index in self.turns for who in self._acting_by(index)}
        again = [who for who in members if who in had]
        if again and self.game.takes.counts_turns:
            self._grant(row, self.game.takes.counts_turns, again, f"the turn goes back to {self._named(again)}", why)
        if not (again or in_turn) and self.game.takes.orders_turns:
            self._grant(
                row, self.game.takes.orders_turns, members, f"it is the turn of {self._named(members)} now", why
            )

    def _grant(self, row: SourceRow, rule: str, whom: list[str], decision: str, why: str) -> None:
        ruling: Event = {"type": "ruling_made", "ruling": "grant", "rule": rule, "combatants": whom}
        self.add(row, ruling | {"decision": sentence(decision), "reason": sentence(why)})

    def _named(self, those: list[str]) -> str:
        return ", ".join(map(self.name, those))

    def _acting_by(self, index: int) -> list[str]:
        """List the combatants who began a turn with a fact, if that was in this round."""
        event = self.facts[index].event
        since = self.fight.state.clock.round_event or 0
        return [event["combatant"], *event.get("together", [])] if index + _FIRST > since else []

    # hit points

    def points(self, combatant: str) -> Points:
        """Return the hit points derived from the facts."""
        return self.fight.points(combatant)

    def hurt(self, row: SourceRow, target: str, amount: int, cause: int | None = None, **more: Any) -> int:
        """Deal damage; a negative amount heals, as the bot does it."""
        types = [part.get("damage_type", "") for part in more.get("parts", ())]
        if self.game.takes.kills_outright and any(map(_DROP.fullmatch, types)):
            return self._drop(row, target, amount)
        if self.game.takes.sheets and "parts" in more:
            more = more | {"parts": _as_ruled(more["parts"], amount)}
        if amount < 0:
            return self.add(row, {"type": "healed", "target": target, "amount": -amount, **more}, cause=cause)
        return self.add(row, {"type": "damage_dealt", "target": target, "amount": amount, **more}, cause=cause)

    def _drop(self, row: SourceRow, target: str, amount: int) -> int:
        """Let a combatant drop to 0 hit points, which authors of monsters write as damage beyond all hit points, of a type with these words."""
        says = f"{self.name(target)} drops to 0 hit points"
        values = {f"{target}.hp": 0} | ({f"{target}.temp": 0} if self.points(target).temp else {})
        return self.rule(row, values, says, f"the bot shows it as {amount} damage, marked as a drop to 0")

    def set_hp(
        self, row: SourceRow, target: str, value: int, why: str, *others: SourceRow, cause: int | None = None
    ) -> None:
        """Bring hit points to a value: by damage or healing where these can, else by a ruling, as for a dead character to whom the game master gives points."""
        hp, hp_max, temp, floor = self.points(target)
        value = value if floor is None else max(value, floor)
        if hp == value:
            return
        if hp is None:
            self.add(row, {"type": "sheet_changed", "combatant": target, "sheet": {"hp": value}}, *others)
        elif hp < value and (hp_max is None or value <= hp_max) and not self.fight.is_dead_character(target):
            self.add(row, {"type": "healed", "target": target, "amount": value - hp}, *others, cause=cause)
        elif value < hp and not temp:
            self.add(row, {"type": "damage_dealt", "target": target, "amount": hp - value}, *others, cause=cause)
        else:
            self.rule(row, {f"{target}.hp": value}, f"{self.name(target)} is at {value} hit points", why, *others)

    def set_temp(self, row: SourceRow, target: str, value: int, *others: SourceRow) -> None:
        """Bring temporary points to a value."""
        if self.points(target).temp != value:
            self.add(row, {"type": "healed", "target": target, "amount": value, "temporary": True}, *others)

    def mend_points(
        self, row: SourceRow, target: str, hp: int | None, temp: int, cause: SourceRow | None, act: int | None = None
    ) -> None:
        """Set hit points and temporary points right, to the values that a row shows, and count that; an act has changed them."""
        held, temp = self.points(target), max(temp, 0)
        if hp is not None and held.floor is not None:
            hp = max(hp, held.floor)
        if temp != held.temp:
            says = f"{self.name(target)} has {temp} temporary hit points (the facts give {held.temp})"
            self.repair(row, f"{target}.temp", says, cause)
            self.set_temp(row, target, temp, *([cause] if cause else []))
        if hp is not None and hp != held.hp:
            says = f"{self.name(target)} is at {hp} hit points (the facts give {held.hp})"
            if cause is None:
                self.override(row, {f"{target}.hp": hp}, says, None)
            else:
                self.repair(row, f"{target}.hp", says, cause)
                self.set_hp(row, target, hp, reason(row, cause), cause, cause=act)

    def sheet_row(self, who: str, address: str) -> SourceRow | None:
        """Return the command that changed a character's own sheet since a value of it was last shown, if any did."""
        found = self.sheet_rows.get(who)
        return found if found is not None and found.line > self.shown_at.get(address, 0) else None

    # counters

    def use(self, row: SourceRow, who: str, resource: str, amount: int, left: int, cause: int | None) -> None:
        """Spend or regain a counted resource, after setting right what changed elsewhere since its last use."""
        held = self.fight.left_of(who, resource)
        if held is not None and held + amount != left:
            says = f"{self.name(who)} had {left - amount} of {resource} (the facts give {held})"
            self.repair(row, f"{who}.resources.{resource}", says, self.sheet_row(who, f"{who}.resources.{resource}"))
            self._change(row, who, resource, left - amount - held, left - amount, None)
        self._change(row, who, resource, amount, left, cause)

    def _change(self, row: SourceRow, who: str, resource: str, amount: int, left: int, cause: int | None) -> None:
        self.shown_at[f"{who}.resources.{resource}"] = row.line
        event: Event = {"type": "resource_changed", "combatant": who, "resource": resource}
        self.add(row, event | {"amount": amount, "left": left}, cause=cause)

    # effects

    def start_effect(
        self, row: SourceRow, bearer: str, shown: ShownEffect, cause: int | None, *others: SourceRow
    ) -> int:
        """Begin an effect; it replaces one of the same name on the same bearer, as in `plain`."""
        index = len(self.facts)
        event: Event = {"type": "effect_started", "effect": word(shown.name), "targets": [bearer]}
        if shown.concentration:
            event |= {"source": bearer, "concentration": True}
        if self.game.takes.sheets and shown.resists:
            event["attributes"] = [f"resists {one}" for one in shown.resists]
        if shown.duration is not None and whole(shown.duration) is not None:
            event["duration"] = self._length(shown, bearer)
        parent = self.effect(shown.parent)
        if parent is not None:
            event["parent"] = parent.seq - _FIRST - index
        self.effects[shown.key] = index
        self.add(row, event, *others, cause=cause)
        if (begun := self.fight.begun_by(index + _FIRST)) is not None:
            self.count.begin(self.fight, begun, shown.duration)
        return index

    def _length(self, shown: ShownEffect, bearer: str) -> Event:
        of, at = self.here(shown.of) or bearer, "end" if shown.at_end else "start"
        amount = max(shown.duration or 0, 1) - self.fight.spared(of, at)
        return {"amount": amount, "unit": "round", "of": of, "at": at}

    def end_effects(
        self, row: SourceRow, effects: list[Effect], why: str, *others: SourceRow, cause: int | None = None
    ) -> None:
        """End these effects, and with each its children; those that ended meanwhile are skipped."""
        for effect in effects:
            if self.fight.runs(effect):
                event = {"type": "effect_ended", "effect": effect.name, "targets": [effect.bearer]}
                self.add(row, event | {"reason": why}, *others, cause=cause)

    def effect(self, key: str) -> Effect | None:
        """Find a running effect by the bot's id."""
        index = self.effects.get(key)
        return None if index is None else self.fight.begun_by(index + _FIRST)

    def key_of(self, effect: Effect) -> str:
        """Return the bot's id of an effect; "" where it is not known."""
        return next((key for key, index in self.effects.items() if index == self.place_of(effect)), "")

    @staticmethod
    def place_of(effect: Effect) -> int:
        """Return the place of the fact that began an effect."""
        return effect.seq - _FIRST

    def actor_of(self, place: int) -> str | None:
        """Find the actor of the act that a fact comes from by its causes; None where none is recorded."""
        while True:
            event = self.facts[place].event
            if event["type"] == "action_taken":
                return str(event["combatant"])
            if "cause" not in event:
                return None
            place += event["cause"]

    def set_left(self, row: SourceRow, effect: Effect, left: int | None, cause: SourceRow | None) -> None:
        """Set right how many rounds are left of an effect (None: it has no end), and count that."""
        rest, held = ("no end" if one is None else f"{one} rounds left" for one in (left, self.fight.left(effect)))
        says = f"{effect.name} on {self.name(effect.bearer)} has {rest} (the facts give {held})"
        self.override(
            row,
            {f"{effect.bearer}.effects.{effect.name}": True if left is None else left - self.fight.more(effect)},
            says,
            cause,
        )
        for one in self.fight.on(effect.bearer):
            if one.seq == effect.seq:
                self.count.reset(self.fight, one)

    def hold_effects(self, row: SourceRow, why: str, coming: list[str]) -> None:
        """Keep the effects that the next turn would end, if the bot goes elsewhere and ends nothing; count that."""
        acting = {(who, "end") for who in self.fight.acting()} | {(who, "start") for who in coming}
        values: Event = {}
        for effect in self.fight.effects():
            at = (effect.duration.at if effect.duration else None) or "start"
            owner = (effect.duration.of if effect.duration else None) or effect.bearer
            if self.fight.left(effect) == 1 and (owner, at) in acting:
                address = f"{effect.bearer}.effects.{effect.name}"
                values[address] = 2
                self.repair(row, address, f"{effect.name} on {self.name(effect.bearer)} is not over", row)
        if values:
            self.rule(row, values, "going elsewhere ends no effects", why)

    def recount(self, row: SourceRow, why: str, gone: Callable[[Effect, int], bool]) -> None:
        """Set remaining durations where the bot's count by places differs from a count of turns, and count that.

        An effect that ran out while turns went elsewhere is overdue until it is `gone` or its turn comes. Effects that
        are over end first, with their children.
        """
        for over in (True, False):
            values: Event = {}
            for effect in self.fight.effects():
                left = self.count.left(self.fight, effect)
                left = None if left is None else 0 if gone(effect, left) else max(left, 1)
                if left is not None and left != self.fight.left(effect) and over is (left == 0):
                    address = f"{effect.bearer}.effects.{effect.name}"
                    values[address] = max(left - self.fight.more(effect), 0)
                    says = f"{effect.name} on {self.name(effect.bearer)} has {left} rounds left, counted by places"
                    self.repair(row, address, says, row)
            if values:
                self.rule(row, values, "the rounds left of these effects are counted by places in the order", why)


def reason(row: SourceRow, cause: SourceRow | None) -> str:
    """Return the reason why a value is set right to what a row shows."""
    if cause is None:
        return f"no recorded row explains it; line {row.line} shows it"
    return f"line {cause.line} explains it, line {row.line} shows it"


def _as_ruled(parts: list[Event], amount: int) -> list[Event]:
    """Return parts as the rules have them: with types by their names, and with kinds if they are all of an amount as it was rolled.

    They are not where only the dice could be read, nor where a factor is one of them: nobody says whether a save or a
    resistance has halved.
    """
    whole = not is_scaled(parts) and sum(map(_worth, parts)) == abs(amount)
    bare = [{name: one for name, one in typed(part).items() if name != "kind"} for part in parts]
    return [part | {"kind": "base" if "dice" in part else "flat"} for part in bare] if whole else bare


def _worth(part: Event) -> int:
    """Return the points of a part: its amount, or the sum of its dice that count."""
    dice = part.get("dice")
    return int(part["amount"]) if dice is None else kept_of(dice)


def _again(times: int) -> str:
    return f" (and in {times} further line{'' if times == 1 else 's'})" if times else ""
