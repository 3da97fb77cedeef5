"""The transcript while it is written: what the bot has shown, the fight as it counts it, and every repair."""

import re
from collections.abc import Callable, Iterable, Iterator
from dataclasses import dataclass, field
from itertools import groupby
from typing import Any, NamedTuple

from encounterlog.importers import writing
from encounterlog.importers.games import PLAIN, Game
from encounterlog.importers.words import make_word, normalize_text, parse_whole_number
from encounterlog.importers.writing import FIRST, Event, make_record, repair_reason, sum_of_kept
from encounterlog_avrae.printed import after_name, damage_type
from encounterlog_avrae.rows import SourceRow
from encounterlog_avrae.snapshots import ShownCombatant, ShownEffect, Snapshot
from eventstore.events import Struck
from projections.mechanics.conditions import Effect

CLOCK_FACTS = frozenset({"round_started", "turn_started", "turn_ended"})
_DROP = re.compile(r"drops? to (?:0|zero)(?: hp| hit points)?", re.IGNORECASE)
_FACTOR = re.compile(r"(?:halved|doubled)$|times |divided by ")
_WITH = re.compile(r" with (?:an? )?(?P<weapon>.+)$")


class Points(NamedTuple):
    """The hit points of one combatant; None where they are unknown."""

    hp: int | None
    hp_max: int | None
    temp: int
    floor: int | None


class Fight(writing.Fight):
    """The fight as derived from the facts written so far, with what the bot counts of it."""

    def without(self, places: Iterable[int]) -> "Fight":
        """Fold the same facts with those of these places struck."""
        strikes = [Struck(event=place + FIRST, reason="what if") for place in places]
        count = len(self._records)
        return Fight(self.game, [*self._records, *(make_record(count + 1 + n, one) for n, one in enumerate(strikes))])

    # the order

    def slots(self) -> list[list[str]]:
        """List the places of the order: those whose initiative was rolled together act together."""
        return [list(members) for _, members in groupby(self.order(), lambda who: id(self._rolled.get(who)))]

    def place(self, combatant: str | None) -> int | None:
        """Find the place of a combatant in the order, from 0."""
        return next((place for place, slot in enumerate(self.slots()) if combatant in slot), None)

    # the clock

    @property
    def turn(self) -> str | None:
        """Whose turn it is, if anybody's."""
        return self.state.clock.turn or None

    @property
    def round(self) -> int:
        """The number of the round; 0 before the first."""
        return self.state.clock.point.round

    @property
    def counts_rounds(self) -> bool:
        """Whether a round was ever said to begin."""
        return bool(self.state.clock.round_event or self.state.clock.round)

    def acting(self) -> list[str]:
        """List the combatants who share the current turn."""
        clock = self.state.clock
        return [who for who in (clock.turn, *clock.together) if who]

    # durations

    def spared(self, owner: str, at: str | None, since: int | None = None) -> int:
        """Return how many ends of turns the bot counts of a duration that the game spares: that of the turn in which it begins.

        The duration has begun with the record `since`; without one it begins now.
        """
        clock = self.state.clock
        now = since is None or since > (clock.turn_event or 0)
        return int(self.game.takes.spares_end and at == "end" and owner in self.acting() and now)

    def left(self, effect: Effect) -> int | None:
        """Return the rounds left of an effect as the bot counts them."""
        return None if effect.left is None else effect.left + self.more(effect)

    def more(self, effect: Effect) -> int:
        """Return by how much the bot's count of the rounds left of an effect exceeds that of the game."""
        said = effect.duration
        return self.spared(said.of or effect.bearer, said.at, effect.seq) if said else 0

    # what combatants have

    def name(self, combatant: str) -> str:
        """Return the name under which a combatant is known."""
        return self.state.combatants[combatant].name

    def points(self, combatant: str) -> Points:
        """Return the hit points derived from the facts."""
        one = self.state.combatants[combatant]
        return Points(one.hp, one.hp_max, one.temp, one.sheet.hp_floor)

    def left_of(self, combatant: str, resource: str) -> int | None:
        """Return the rest of a counted resource; None where it is unknown."""
        kept = self.state.combatants[combatant].resources
        return next((left for name, left in kept.items() if name.casefold() == resource.casefold()), None)

    def effects(self) -> list[Effect]:
        """List the effects that run, oldest first."""
        return list(self.state.effects.values())

    def on(self, bearer: str) -> list[Effect]:
        """List the effects on a combatant, oldest first."""
        return [effect for effect in self.effects() if effect.bearer == bearer]

    def begun_by(self, seq: int) -> Effect | None:
        """Return the effect that a record began, if it still runs."""
        return next((effect for effect in self.effects() if effect.seq == seq), None)

    def runs(self, effect: Effect) -> bool:
        """Say whether an effect still runs."""
        return (effect.seq, effect.bearer) in self.state.effects


@dataclass
class Seen:
    """What the bot has shown so far, by its own ids or by combatants: what is noted here comes from rows, not from facts."""

    shown: Snapshot | None = None  # the last state
    acts: dict[int, int] = field(default_factory=dict)  # the place of the act that a line announces
    orphans: dict[str, SourceRow] = field(default_factory=dict)  # effects that ended as their parent's bearer left
    raising: dict[str, frozenset[str]] = field(default_factory=dict)  # effects that raise maximum hit points
    sheet_rows: dict[str, SourceRow] = field(default_factory=dict)  # the last command that changed a character's sheet
    shown_at: dict[str, int] = field(default_factory=dict)  # the line in which a value of a sheet was last shown
    taken: set[tuple[int, str]] = field(default_factory=set)  # printed rolls of which facts were made

    def sheet_row(self, who: str, address: str) -> SourceRow | None:
        """Return the command that changed a character's own sheet since a value of it was last shown, if any did."""
        found = self.sheet_rows.get(who)
        return found if found is not None and found.line > self.shown_at.get(address, 0) else None


class Writer(writing.Writer):
    """A transcript of the bot's fight under construction."""

    fight: Fight

    def __init__(self, game: Game = PLAIN) -> None:
        super().__init__(game, Fight(game))
        self.seen = Seen()
        self.struck: set[int] = set()
        self._effects: dict[str, int] = {}  # the records that began them, by the bot's ids

    def turns(self) -> list[int]:
        """List the places of the facts that began turns and are not struck."""
        begun = (place for place, fact in enumerate(self.facts) if fact.event["type"] == "turn_started")
        return [place for place in begun if place not in self.struck]

    def end_turn(self, row: SourceRow) -> None:
        """End the turn of everybody who has it."""
        for who in self.fight.acting():
            self.add(row, {"type": "turn_ended", "combatant": who})

    def attack(self, actor: str, target: str | None, means: str) -> Event:
        """Return an attack of a combatant, at another and with a weapon if these are known, without its roll."""
        event: Event = {"type": "attack_rolled", "combatant": actor} | ({"target": target} if target else {})
        return event | ({"name": self._weapon(actor, make_word(means))} if means else {})

    def exactly(self, name: object) -> str | None:
        """Find a combatant of the fight by the whole name."""
        wanted = normalize_text(name) if isinstance(name, str) else None
        return next((one for one in self.fight.order() if self.called[one] == wanted), None)

    def titled(self, title: str) -> tuple[str | None, str]:
        """Find the combatant of the fight whose name begins a title, a longer name first, and the words after it."""
        longest_first = sorted(self.fight.order(), key=lambda who: -len(self.name(who)))
        said = ((who, after_name(title, self.name(who))) for who in longest_first)
        return next(((who, words) for who, words in said if words is not None), (None, ""))

    def _weapon(self, combatant: str, said: str) -> str:
        """Return the weapon of an attack: that of the sheet which the end of a name such as "Booming Blade with a Rapier" names."""
        sheet: Any = self.fight.state.combatants[combatant].sheet
        known = [one.name for one in sheet.weapons] if self.game.takes.sheets else []
        found = _WITH.search(said)
        return next((one for one in known if found and one.casefold() == found["weapon"].casefold()), said)

    # what a state shows

    def acting_in(self, shown: Snapshot | None) -> list[str]:
        """List the combatants whose turn it is by a state, in the order of the facts; nobody without a state."""
        slot = shown.slots[shown.current] if shown and shown.current is not None else []
        place = self.fight.place(next((who for one in slot if (who := self.here(one.key))), None))
        return [] if place is None else self.fight.slots()[place]

    def running(self, state: Snapshot, shown: ShownCombatant) -> list[ShownEffect]:
        """List the effects that a state shows on a combatant, without those that ended with a concentration: the bot lists them
        until a person removes them.
        """
        return [one for one in shown.effects if not self._has_lapsed(state, shown, one)]

    def _has_lapsed(self, state: Snapshot, shown: ShownCombatant, effect: ShownEffect) -> bool:
        """Return whether an effect depends on the concentration of a combatant at 0 hit points, by the rules of the log."""
        holds = ((one, held) for one in state.combatants for held in one.effects if held.concentration)
        above = next((one for one, held in holds if held.key == effect.parent), None)
        holder = shown if effect.concentration else above
        who = self.here(holder.key) if holder and self.game.takes.sheets and self.has_begun(effect.key) else None
        hp = self.fight.points(who).hp if who else None
        return hp is not None and hp <= 0

    def agrees(self, state: Snapshot, shown: ShownCombatant) -> bool:
        """Say whether the name, hit points and effects of a combatant are by the facts as a state shows them."""
        who, effects = self.meet(shown.key, shown.name), {make_word(one.name) for one in self.running(state, shown)}
        points = self.fight.points(who)
        if (shown.temp, shown.hp) != (points.temp, points.hp) and shown.hp is not None:
            return False
        return self.fight.name(who) == make_word(shown.name) and effects == {one.name for one in self.fight.on(who)}

    def ties_unlike(self, shown: Snapshot) -> Iterator[list[str]]:
        """Yield those who are tied, in the order in which a state shows them, wherever the facts give another one."""
        for total in dict.fromkeys(slot[0].initiative for slot in shown.slots):
            level = [self.here(one.key) for slot in shown.slots if slot[0].initiative == total for one in slot]
            tied = [who for who in level if who is not None and self.fight.initiative(who) == total]
            if [who for who in self.fight.order() if who in tied] != tied:
                yield tied

    def settle_ties(self, row: SourceRow, shown: Snapshot | None) -> None:
        """Order those who are tied as the state shows them to which a row has led."""
        for tied in self.ties_unlike(shown) if shown else ():
            self.rule_tie(row, tied, "ties are ordered by initiative modifier, and those still tied as before")

    # going back

    def strike(self, row: SourceRow, indexes: list[int], why: str) -> None:
        """Strike facts."""
        for index in indexes:
            self.add(row, {"type": "struck", "event": index - len(self.facts), "reason": why})
        self.struck.update(indexes)

    # rounds

    def start_round(self, row: SourceRow, number: int) -> int:
        """Begin a round with the number that the source gives it."""
        self.permit_round(row, number)
        return self.add(row, {"type": "round_started", "round": number})

    def permit_round(self, row: SourceRow, number: int, *others: SourceRow) -> None:
        """Let a round follow another than the one before it, as the source counts; by a grant, if the rules of the log count rounds."""
        now, rule = self.fight.round, self.game.takes.counts_rounds
        if rule and self.fight.counts_rounds and number != now + 1:
            self.add_ruling(
                row, "grant", {"rule": rule}, f"round {number} comes after round {now}", "the source counts so", *others
            )

    # turns

    def permit_turn(self, row: SourceRow, members: list[str], why: str, *, in_turn: bool = True) -> None:
        """Let the combatants to whom the tracker is set have their turn, by grants, if the rules of the log count turns.

        One who had it in this round has it again; one who is not `in_turn` has it before its place.
        """
        takes, since = self.game.takes, self.fight.state.clock.round_event or 0
        begun = [self.facts[index].event for index in self.turns() if index + FIRST > since]
        had = {who for event in begun for who in (event["combatant"], *event.get("together", []))}
        again = [who for who in members if who in had]
        whom = ", ".join(map(self.name, again or members))
        if again and takes.counts_turns:
            what: Event = {"rule": takes.counts_turns, "combatants": again}
            self.add_ruling(row, "grant", what, f"the turn goes back to {whom}", why)
        if not (again or in_turn) and takes.orders_turns:
            what = {"rule": takes.orders_turns, "combatants": members}
            self.add_ruling(row, "grant", what, f"it is the turn of {whom} now", why)

    # hit points

    def hurt(self, row: SourceRow, target: str, amount: int, cause: int | None = None, **more: Any) -> int:
        """Deal damage; a negative amount heals, as the bot does it."""
        types = [part.get("damage_type", "") for part in more.get("parts", ())]
        if self.game.takes.kills_outright and any(map(_DROP.fullmatch, types)):
            # so authors of monsters write a drop to 0: damage beyond all hit points, of a type with these words
            values = {f"{target}.hp": 0} | ({f"{target}.temp": 0} if self.fight.points(target).temp else {})
            why = f"the bot shows it as {amount} damage, marked as a drop to 0"
            return self.rule(row, values, f"{self.name(target)} drops to 0 hit points", why)
        if self.game.takes.sheets and "parts" in more:
            more = more | {"parts": _parts_as_ruled(more["parts"], amount)}
        kind = "healed" if amount < 0 else "damage_dealt"
        return self.add(row, {"type": kind, "target": target, "amount": abs(amount), **more}, cause=cause)

    def set_hp(
        self, row: SourceRow, target: str, value: int, why: str, *others: SourceRow, cause: int | None = None
    ) -> None:
        """Bring hit points to a value: by damage or healing where these can, else by a ruling, as for a dead character to whom the game master gives points."""
        (hp, hp_max, temp, floor), one = self.fight.points(target), self.fight.state.combatants[target]
        value = value if floor is None else max(value, floor)
        if hp == value:
            return
        # the audit itself knows what may keep a monster alive
        dead = one.status == "dead" and getattr(one.sheet, "creature", None) == "character"
        if hp is None:
            self.add(row, {"type": "sheet_changed", "combatant": target, "sheet": {"hp": value}}, *others)
        elif hp < value and (hp_max is None or value <= hp_max) and not dead:
            self.add(row, {"type": "healed", "target": target, "amount": value - hp}, *others, cause=cause)
        elif value < hp and not temp:
            self.add(row, {"type": "damage_dealt", "target": target, "amount": hp - value}, *others, cause=cause)
        else:
            self.rule(row, {f"{target}.hp": value}, f"{self.name(target)} is at {value} hit points", why, *others)

    def set_temp(self, row: SourceRow, target: str, value: int, *others: SourceRow) -> None:
        """Bring temporary points to a value."""
        if self.fight.points(target).temp != value:
            self.add(row, {"type": "healed", "target": target, "amount": value, "temporary": True}, *others)

    def mend_points(
        self, row: SourceRow, target: str, hp: int | None, temp: int, cause: SourceRow | None, act: int | None = None
    ) -> None:
        """Set hit points and temporary points right, to the values that a row shows, and count that; an act has changed them."""
        held, temp = self.fight.points(target), max(temp, 0)
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
                self.set_hp(row, target, hp, repair_reason(row, cause), cause, cause=act)

    # counters

    def use(self, row: SourceRow, who: str, resource: str, amount: int, left: int, cause: int | None) -> None:
        """Spend or regain a counted resource, after setting right what changed elsewhere since its last use."""
        held, address = self.fight.left_of(who, resource), f"{who}.resources.{resource}"
        event: Event = {"type": "resource_changed", "combatant": who, "resource": resource}
        if held is not None and held + amount != left:
            says = f"{self.name(who)} had {left - amount} of {resource} (the facts give {held})"
            self.repair(row, address, says, self.seen.sheet_row(who, address))
            self.add(row, event | {"amount": left - amount - held, "left": left - amount})
        self.seen.shown_at[address] = row.line
        self.add(row, event | {"amount": amount, "left": left}, cause=cause)

    # effects

    def start_effect(
        self, row: SourceRow, bearer: str, shown: ShownEffect, cause: int | None, *others: SourceRow
    ) -> int:
        """Begin an effect; it replaces one of the same name on the same bearer, as in `plain`."""
        index = len(self.facts)
        event: Event = {"type": "effect_started", "effect": make_word(shown.name), "targets": [bearer]}
        if shown.concentration:
            event |= {"source": bearer, "concentration": True}
        if self.game.takes.sheets and shown.resists:
            event["attributes"] = [f"resists {one}" for one in shown.resists]
        if shown.duration is not None and parse_whole_number(shown.duration) is not None:
            of, at = self.here(shown.of) or bearer, "end" if shown.at_end else "start"
            amount = max(shown.duration, 1) - self.fight.spared(of, at)
            event["duration"] = {"amount": amount, "unit": "round", "of": of, "at": at}
        parent = self.effect(shown.parent)
        if parent is not None:
            event["parent"] = parent.seq - FIRST - index
        self._effects[shown.key] = index + FIRST
        return self.add(row, event, *others, cause=cause)

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
        return self.fight.begun_by(self._effects.get(key, 0))

    def has_begun(self, key: str) -> bool:
        """Say whether an effect with this id of the bot's was ever begun."""
        return key in self._effects

    def identify(self, key: str, effect: Effect) -> None:
        """Keep the bot's id of a running effect, unless it has begun another."""
        self._effects.setdefault(key, effect.seq)

    def key_of(self, effect: Effect) -> str:
        """Return the bot's id of an effect; "" where it is not known."""
        return next((key for key, seq in self._effects.items() if seq == effect.seq), "")

    def actor_of(self, effect: Effect) -> str | None:
        """Find the actor of the act that an effect comes from by its causes; None where none is recorded."""
        place = effect.seq - FIRST
        while (event := self.facts[place].event)["type"] != "action_taken":
            if "cause" not in event:
                return None
            place += event["cause"]
        return str(event["combatant"])

    def set_left(self, row: SourceRow, effect: Effect, left: int | None, cause: SourceRow | None) -> None:
        """Set right how many rounds are left of an effect (None: it has no end), and count that."""
        rest, held = ("no end" if one is None else f"{one} rounds left" for one in (left, self.fight.left(effect)))
        says = f"{effect.name} on {self.name(effect.bearer)} has {rest} (the facts give {held})"
        value = True if left is None else left - self.fight.more(effect)
        self.override(row, {_address(effect): value}, says, cause)

    def hold_effects(self, row: SourceRow, why: str, coming: list[str]) -> None:
        """Keep the effects that the next turn would end, if the bot goes elsewhere and ends nothing; count that."""
        acting = {(who, "end") for who in self.fight.acting()} | {(who, "start") for who in coming}
        values: Event = {}
        for effect in self.fight.effects():
            said = effect.duration
            ends = (said.of or effect.bearer, said.at or "start") if said else None
            if self.fight.left(effect) == 1 and ends in acting:
                values[_address(effect)] = 2
                self.repair(row, _address(effect), f"{effect.name} on {self.name(effect.bearer)} is not over", row)
        if values:
            self.rule(row, values, "going elsewhere ends no effects", why)

    def recount(self, row: SourceRow, why: str, rest: Callable[[Effect], int | None]) -> None:
        """Set what is left of effects to this rest where the bot's count by places differs from one by turns, and count that.

        Those of which nothing is left end first, with their children.
        """
        for over in (True, False):
            values: Event = {}
            ending = {one.seq for one in self.fight.effects() if rest(one) == 0}
            for effect in [one for one in self.fight.effects() if one.parent not in ending]:
                if (left := rest(effect)) not in (None, self.fight.left(effect)) and over is (left == 0):
                    values[_address(effect)] = max(left - self.fight.more(effect), 0)
                    says = f"{effect.name} on {self.name(effect.bearer)} has {left} rounds left, counted by places"
                    self.repair(row, _address(effect), says, row)
            if values:
                self.rule(row, values, "the rounds left of these effects are counted by places in the order", why)


def _address(effect: Effect) -> str:
    return f"{effect.bearer}.effects.{effect.name}"


def _parts_as_ruled(parts: list[Event], amount: int) -> list[Event]:
    """Return parts as the rules have them: with types by their names, and with kinds if they are all of an amount as it was rolled.

    They are not where only the dice could be read, nor where a factor is one of them: nobody says whether a save or a
    resistance has halved.
    """
    worth = sum(sum_of_kept(part["dice"]) if "dice" in part else int(part["amount"]) for part in parts)
    whole = worth == abs(amount) and not any(map(_FACTOR.match, (part["name"] for part in parts)))
    typed = [
        part | {"damage_type": damage_type(part["damage_type"])} if "damage_type" in part else part for part in parts
    ]
    bare = [{name: one for name, one in part.items() if name != "kind"} for part in typed]
    return [part | {"kind": "base" if "dice" in part else "flat"} for part in bare] if whole else bare


def event_of_members(kind: str, members: list[str]) -> Event:
    """Return an event of combatants who act together, of this type."""
    return {"type": kind, "combatant": members[0]} | ({"together": members[1:]} if members[1:] else {})
