"""A transcript while it is written: its facts in order, the fight as they give it, and every repair; and rolls as facts have them."""

from collections.abc import Iterable
from typing import Any, NamedTuple, Protocol

from encounterlog.importers.games import PLAIN, Game
from encounterlog.importers.transcript import Fact, Problem, Repair, Transcript
from encounterlog.importers.words import Ids, make_sentence, make_word
from eventstore import events
from eventstore.errors import Malformed
from eventstore.events import InitiativeRolled, Struck
from eventstore.form import event_of
from eventstore.reading import FORMAT
from eventstore.record import Recorded, upcast
from projections.folds.addresses import value_of
from projections.mechanics.rolls import face
from projections.replay.replay import Replay, replay, resume
from projections.state import State

Event = dict[str, Any]

FIRST = 2  # record 1 opens the log, so fact 0 is record 2
FREE_ROLL = "free roll"  # the purpose of a roll for which nobody gives one
_NO_HASH = "0" * 64
_NO_MOMENT = "2000-01-01T00:00:00.000000Z"


class Row(Protocol):
    """What a fact is made from: its line in the source, and its moment."""

    @property
    def line(self) -> int:
        """The line, from 1."""

    @property
    def at(self) -> str:
        """The moment, in RFC 3339."""


class Term(NamedTuple):
    """One summand of a roll: dice or a number, with its sign and the note in brackets after it.

    `how` names what a factor adds or takes, such as halved; its amount is then that difference.
    """

    amount: int
    dice: dict[str, Any] | None
    note: str
    how: str = ""


class PrintedRoll(NamedTuple):
    """A roll: its summands, or only its dice if they do not add up to the total, and its total if printed."""

    terms: list[Term]
    total: int | None


def sum_of_kept(dice: dict[str, Any]) -> int:
    """Return the sum of the faces that count."""
    dropped = dice.get("dropped", [])
    return sum(face for place, face in enumerate(dice["faces"]) if place not in dropped)


def dice_fields(roll: PrintedRoll | None) -> dict[str, Any]:
    """Make the fields die, modifiers and total of a roll fact; a single d20 shows as its bare face."""
    if roll is None:
        return {}
    found: dict[str, Any] = {}
    first = next((term for term in roll.terms if term.dice), None)
    if first is not None and first.dice:
        found["die"] = first.dice["faces"][0] if first.dice["notation"] in ("d20", "1d20") else first.dice
        others = (term for term in roll.terms if term is not first and (term.dice or term.amount))
        names = ((term, make_word(term.how or term.note or ("dice" if term.dice else "bonus"))) for term in others)
        if modifiers := [{"name": name, "amount": term.amount} for term, name in names]:
            found["modifiers"] = modifiers
    return found if roll.total is None else add_rest_part(found | {"total": roll.total})


def add_rest_part(found: dict[str, Any]) -> dict[str, Any]:
    """Return the fields of a roll with one part more, "not announced", where the die and the modifiers do not make up the total."""
    if "die" not in found or "total" not in found:
        return found
    modifiers = found.get("modifiers", [])
    shown = found["die"] if isinstance(found["die"], int) else sum_of_kept(found["die"])
    rest = found["total"] - shown - sum(each["amount"] for each in modifiers)
    return found | {"modifiers": [*modifiers, {"name": "not announced", "amount": rest}]} if rest else found


def initiative_event(roll: PrintedRoll | None) -> Event:
    """Make the fields die, bonus and total of an initiative roll: the bonus is all that is added to the die."""
    rolled = dice_fields(roll)
    bonus = sum(one["amount"] for one in rolled.pop("modifiers", []))
    return rolled | ({"bonus": bonus} if "die" in rolled else {})


class Fight:
    """A log in memory, folded as it grows; record 1 opens it, so that fact 0 is record 2."""

    def __init__(self, game: Game, records: list[Recorded] | None = None) -> None:
        """Fold these records, or open an empty log of this game."""
        self.game = game
        opening = {"type": "encounter_opened", "format": FORMAT, "encounter": "transcript", "ruleset": game.ruleset}
        opening |= {"title": "a transcript", "revision": 1, "options": game.takes.options}
        self._records = records or [make_record(1, event_from(opening))]
        self._done: Replay = replay(self._records)
        self._order: list[str] | None = None
        self._rolled: dict[str, InitiativeRolled] = {}
        for record in self._records:
            self.place_by(record.event)

    @property
    def state(self) -> State:
        """The state that the facts give."""
        return self._done.state

    def add(self, event: events.Fact) -> None:
        """Apply one more fact; a strike folds everything again."""
        record = make_record(len(self._records) + 1, event)
        self._records.append(record)
        self._done = replay(self._records) if isinstance(event, Struck) else resume(self._done, [record])
        self._order = None
        self.place_by(event)

    def place_by(self, event: object) -> None:
        """Take a roll for initiative for the one that gives a combatant a place, and the others who share it."""
        if isinstance(event, InitiativeRolled) and event.combatant:
            self._rolled |= dict.fromkeys((event.combatant, *event.together), event)

    def has_place(self, event: InitiativeRolled) -> bool:
        """Say whether anybody who shares a roll has a place already."""
        return any(who in self._rolled for who in (event.combatant, *event.together))

    def order(self) -> list[str]:
        """List everybody in initiative order."""
        if self._order is None:
            derived = value_of(self.state, "order")
            self._order = [who for slot in derived.value for who in slot] if derived else []
        return self._order

    def initiative(self, combatant: str) -> int:
        """Return the total that a combatant was last given."""
        return int(self._rolled[combatant].total or 0)


def event_from(value: dict[str, Any]) -> events.Fact:
    """Turn a value into an event, in the newest version of its type; raise Malformed if it is none."""
    return upcast(event_of(value))


def make_record(seq: int, event: events.Fact) -> Recorded:
    """Return a record of a fact in memory, which has neither a moment nor a hash."""
    return Recorded(seq=seq, at=_NO_MOMENT, by="gm", digest=_NO_HASH, event=event, hash=_NO_HASH)  # type: ignore[arg-type]


class Writer:
    """A transcript under construction: its facts in order, and the state derived from them at each point."""

    def __init__(self, game: Game = PLAIN, fight: Fight | None = None) -> None:
        self.game = game
        self.facts: list[Fact] = []
        self.repairs: list[Repair] = []
        self.fight = fight or Fight(game)
        self.called: dict[str, str] = {}
        self._problems: dict[str, list[int]] = {}
        self._ids = Ids()

    def meet(self, key: str, name: str) -> str:
        """Assign an id of the log to the combatant with this id of the bot's."""
        return self._ids.meet(key, name)

    def here(self, key: object) -> str | None:
        """Find a combatant of the fight by the bot's id."""
        found = self._ids.known.get(key) if isinstance(key, str) else None
        return found if found in self.fight.order() else None

    def name(self, combatant: str) -> str:
        """Return the name that the bot uses for a combatant, in full."""
        return self.called[combatant]

    def add(self, row: Row, event: Event, *others: Row, cause: int | None = None) -> int:
        """Append one fact, with the lines of these rows, and return its place; a cause is a place, too. A fact that no log can hold becomes a note and a problem."""
        index = len(self.facts)
        if cause is not None:
            event = event | {"cause": cause - index}
        try:
            typed = event_from(event)
        except Malformed as error:
            self.problem(row, f"has a fact of the type {event['type']} that a log cannot hold: {error}")
            event = {"type": "noted", "text": make_sentence(f"left out, as a log cannot hold it: {event}")}
            typed = event_from(event)
        self.facts.append(Fact(event, row.at, tuple(sorted({row.line, *(other.line for other in others)}))))
        self.fight.add(typed)
        return index

    def note(self, row: Row, text: str, *others: Row, about: int | None = None) -> int:
        """Append a remark, on a fact if its place is given, and return its place."""
        of = {} if about is None else {"event": about - len(self.facts)}
        return self.add(row, {"type": "noted", "text": make_sentence(text)} | of, *others)

    def problem(self, row: Row, what: str) -> None:
        """Note that something in a row could not be understood; the same again is counted."""
        self._problems.setdefault(what, []).append(row.line)

    def transcript(self, title: str, states: int, problems: Iterable[Problem], **more: Any) -> Transcript:
        """Return everything that was written, with these problems of reading; a problem has the first line that shows it."""
        more |= {"repairs": tuple(self.repairs), "options": self.game.takes.options}
        found = [*problems]
        for what, (first, *others) in self._problems.items():
            further = f" (and in {len(others)} further line{'s' if others[1:] else ''})" if others else ""
            found.append(Problem(first, f"{what}{further}"))
        return Transcript(title, self.game.ruleset, self.facts, sorted(found), states, **more)

    def repair(self, row: Row, address: str, says: str, cause: Row | None) -> None:
        """Count the next fact as a repair, which sets this value right to that of a row."""
        line = cause.line if cause else 0
        self.repairs.append(Repair(len(self.facts), address, row.line, line, make_sentence(says)))

    def override(self, row: Row, values: Event, decision: str, cause: Row | None) -> int:
        """Set values right by a ruling, as no fact can, and count each of them."""
        for address in values:
            self.repair(row, address, decision, cause)
        return self.rule(row, values, decision, repair_reason(row, cause), *([cause] if cause else []))

    def rule(self, row: Row, values: Event, decision: str, why: str, *others: Row) -> int:
        """Record the result of a command as a ruling, as no fact can produce it."""
        return self.add_ruling(row, "override", {"values": values}, decision, why, *others)

    def rule_tie(self, row: Row, tied: list[str], why: str) -> int:
        """Settle the order of tied combatants."""
        decision = f"{', '.join(self.name(one) for one in tied)} act in this order"
        return self.add_ruling(row, "tie", {"combatants": tied}, decision, why)

    def add_ruling(self, row: Row, kind: str, fields: Event, decision: str, why: str, *others: Row) -> int:
        """Record a ruling of a kind, with the fields of that, the decision and the reason."""
        said = {"decision": make_sentence(decision), "reason": make_sentence(why)}
        return self.add(row, {"type": "ruling_made", "ruling": kind} | fields | said, *others)

    def place(self, row: Row, event: Event, *others: Row) -> int:
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
        names, have = ", ".join(map(self.name, members)), "have" if members[1:] else "has"
        values = {f"{who}.initiative": event["total"] for who in members}
        decision, why = f"{names} {have} initiative {event['total']}", "the bot gives a new place in the order"
        index = self.rule(row, values, decision, why, *others)
        self.fight.place_by(roll)
        return index

    def _has_other_parts(
        self, roll: InitiativeRolled
    ) -> bool:  # than the die and the bonus, which is that of the sheet
        if roll.die is None or roll.total is None or not roll.combatant:
            return False
        joined = self.fight.state.combatants.get(roll.combatant)
        own = getattr(joined.sheet, "initiative", None) if joined else None
        bonus = int(roll.total) - face(roll.die)
        return bonus != (bonus if roll.bonus is None else roll.bonus) or own not in (None, bonus)

    def _add_dice(self, row: Row, event: Event, *others: Row) -> None:
        rolled = {name: event[name] for name in ("combatant", "die", "total") if name in event}
        added = {"modifiers": [{"name": "bonus", "amount": event["bonus"]}]} if event.get("bonus") else {}
        self.add(row, {"type": "dice_rolled", "purpose": "initiative"} | add_rest_part(rolled | added), *others)


def repair_reason(row: Row, cause: Row | None) -> str:
    """Return the reason why a value is set right to what a row shows."""
    return f"{f'line {cause.line} explains it,' if cause else 'no recorded row explains it;'} line {row.line} shows it"
