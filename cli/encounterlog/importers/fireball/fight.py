"""The fight as derived from the facts written so far, folded by the ruleset of its log."""

from collections.abc import Iterable
from typing import Any, NamedTuple

from encounterlog.importers.games import Game
from eventstore.events import Fact, InitiativeRolled, Struck
from eventstore.form import event_of
from eventstore.reading import FORMAT
from eventstore.record import Recorded, upcast
from projections.folds.addresses import NOTHING, value_of
from projections.mechanics.conditions import Effect
from projections.replay.replay import Replay, replay, resumed
from projections.state import State

_NO_HASH = "0" * 64
_NO_MOMENT = "2000-01-01T00:00:00.000000Z"


class Points(NamedTuple):
    """The hit points of one combatant; None where they are unknown."""

    hp: int | None
    hp_max: int | None
    temp: int
    floor: int | None


class Fight:
    """A log in memory, folded as it grows; record 1 opens it, so that fact 0 is record 2."""

    def __init__(self, game: Game, records: list[Recorded] | None = None) -> None:
        """Fold these records, or open an empty log of this game."""
        self.game = game
        self._records = records or [_recorded(1, _opening(game))]
        self._done: Replay = replay(self._records)
        self._order: list[str] | None = None
        self._rolled: dict[str, InitiativeRolled] = {}
        for record in self._records:
            self._keep_roll(record.event)

    @property
    def state(self) -> State:
        """The state that the facts give."""
        return self._done.state

    def add(self, event: Fact) -> None:
        """Apply one more fact; a strike folds everything again."""
        record = _recorded(len(self._records) + 1, event)
        self._records.append(record)
        self._done = replay(self._records) if isinstance(event, Struck) else resumed(self._done, [record])
        self._order = None
        self._keep_roll(event)

    def without(self, seqs: Iterable[int]) -> "Fight":
        """Fold the same facts with these struck."""
        strikes = [Struck(event=seq, reason="what if") for seq in seqs]
        count = len(self._records)
        return Fight(self.game, [*self._records, *(_recorded(count + 1 + n, one) for n, one in enumerate(strikes))])

    def _keep_roll(self, event: Any) -> None:
        if isinstance(event, InitiativeRolled):
            self.place_by(event)

    def place_by(self, event: InitiativeRolled) -> None:
        """Take a roll for the one that gives a combatant a place, and the others who share it."""
        if event.combatant:
            self._rolled |= dict.fromkeys((event.combatant, *event.together), event)

    def has_place(self, event: InitiativeRolled) -> bool:
        """Say whether anybody who shares a roll has a place already."""
        return any(who in self._rolled for who in (event.combatant, *event.together))

    # the order

    def order(self) -> list[str]:
        """List everybody in initiative order."""
        if self._order is None:
            derived = value_of(self.state, "order")
            self._order = [who for slot in derived.value for who in slot] if derived else []
        return self._order

    def told(self, order: list[str]) -> list[str] | list[str | list[str]]:
        """Return an order as the facts have it, with combatants who act at once as one place, if it is the same."""
        derived = value_of(self.state, "order") if order == self.order() else None
        return [slot if slot[1:] else slot[0] for slot in derived.value] if derived else order

    def slots(self) -> list[list[str]]:
        """List the places of the order: those whose initiative was rolled together act together."""
        found: list[list[str]] = []
        for who in self.order():
            if found and self._rolled.get(found[-1][0]) is self._rolled.get(who):
                found[-1].append(who)
            else:
                found.append([who])
        return found

    def place(self, combatant: str | None) -> int | None:
        """Find the place of a combatant in the order, from 0."""
        return next((place for place, slot in enumerate(self.slots()) if combatant in slot), None)

    def initiative(self, combatant: str) -> int:
        """Return the total that a combatant was last given."""
        return int(self._rolled[combatant].total or 0)

    def roller(self, combatant: str) -> str:
        """Return the combatant for whom this one's initiative was rolled: itself, or one that it acts together with."""
        return self._rolled[combatant].combatant or combatant

    # the clock

    @property
    def turn(self) -> str | None:
        """Whose turn it is, if anybody's."""
        derived = value_of(self.state, "turn")
        return None if derived is None or derived.value == NOTHING else str(derived.value)

    @property
    def round(self) -> int:
        """The number of the round; 0 before the first."""
        derived = value_of(self.state, "round")
        return int(derived.value) if derived else 0

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

    def is_dead_character(self, combatant: str) -> bool:
        """Say whether a character is dead by the facts; the audit itself knows what may keep a monster alive."""
        one = self.state.combatants[combatant]
        return one.status == "dead" and getattr(one.sheet, "creature", None) == "character"

    def left_of(self, combatant: str, resource: str) -> int | None:
        """Return the rest of a counted resource; None where it is unknown."""
        kept = self.state.combatants[combatant].resources
        return next((left for name, left in kept.items() if name.casefold() == resource.casefold()), None)

    def effects(self) -> list[Effect]:
        """List the effects that run, oldest first."""
        return list(self.state.effects.values())

    def on(self, bearer: str) -> list[Effect]:
        """List the effects on a combatant, oldest first."""
        return [effect for effect in self.state.effects.values() if effect.bearer == bearer]

    def begun_by(self, seq: int) -> Effect | None:
        """Return the effect that a record began, if it still runs."""
        return next((effect for effect in self.state.effects.values() if effect.seq == seq), None)

    def runs(self, effect: Effect) -> bool:
        """Say whether an effect still runs."""
        return (effect.seq, effect.bearer) in self.state.effects


def event_from(value: dict[str, Any]) -> Fact:
    """Turn a value into an event, in the newest version of its type; raise Malformed if it is none."""
    return upcast(event_of(value))


def _opening(game: Game) -> Fact:
    value = {"type": "encounter_opened", "format": FORMAT, "encounter": "transcript", "ruleset": game.ruleset}
    return event_from(value | {"title": "a transcript", "revision": 1, "options": game.takes.options})


def _recorded(seq: int, event: Fact) -> Recorded:
    return Recorded(seq=seq, at=_NO_MOMENT, by="gm", digest=_NO_HASH, event=event, hash=_NO_HASH)  # type: ignore[arg-type]
