"""Every fact that touched a value, with the value before and after it."""

from collections.abc import Container, Iterable, Iterator
from typing import Literal

from msgspec import Struct, structs

from eventstore.events import AttackRolled, ContestRolled, DamageDealt, DiceRolled, Event, Healed, SaveRolled
from eventstore.record import Recorded
from eventstore.wording import short_repr
from projections.explaining.past import Cited, readable_records
from projections.explaining.tree import plain_value_at
from projections.folds.addresses import derive_value, plain_value
from projections.mechanics.implied import is_stated_miss
from projections.occurrence import Occurrence
from projections.open_types import Json
from projections.replay.replay import Replay, replay
from projections.state import State
from projections.stream.causes import cause_chain, is_uncaused
from projections.stream.variants import without_corrections
from projections.time import Point, Where

ROLLS = (AttackRolled, SaveRolled, ContestRolled, DiceRolled)
NEARBY = 3
"""The highest number of rolls without a stated purpose that are shown beside a change."""
Became = Literal["", "struck", "amended"]


class Touch(Struct, frozen=True):
    """A fact that touched a value, or once did.

    `before` and `after` are the value before and after it, equal if it only confirms the value. `causes` are the acts
    and rolls from which it follows; `implied` says that the last of them is certain though not recorded, `uncaused`
    that no cause of this outcome is recorded. `became` says whether a correction (`by_record`) struck or amended the
    fact: then `before` and `after` show its original effect, and an amended fact has another row for its present one.
    `source` are the lines of the imported file. `nearby` are rolls without a stated purpose before a change that has no
    roll; none of them is its cause.
    """

    seq: int
    line: int
    at: str
    by: str
    when: Point
    event: Event
    before: Json
    after: Json
    rules: tuple[str, ...]
    causes: tuple[Cited, ...]
    implied: bool
    uncaused: bool
    became: Became
    by_record: int | None
    source: str = ""
    nearby: tuple[Cited, ...] = ()

    def __repr__(self) -> str:
        return short_repr(self, f"{self.seq}: {self.before} -> {self.after}")


class Blame(Struct, frozen=True):
    """The history of a value: its address, its present value, and every fact that touched it, in order."""

    address: str
    value: Json
    touches: tuple[Touch, ...]

    def __repr__(self) -> str:
        return short_repr(self, f"{self.address} is {self.value}, {len(self.touches)} facts")


def find_touches(records: Iterable[Recorded], address: str, until: Where | None = None) -> tuple[Blame | None, Replay]:
    """Return every fact that touched a value, None if it never had one; raise Malformed if the log has no such point."""
    kept = readable_records(records)
    now = _History(address)
    done = replay(kept, until, after=now.observe_fact)
    if not now.known:
        return None, done
    read = derive_value(done.state, address)
    cited = {*done.state.reason(read.because).events} if read else set[int]()
    touches = [each for each in now.touches if each.before != each.after or each.seq in cited]
    value = touches[-1].after if touches else None
    if done.corrections.made:
        touches += _touches_of_corrected_facts(kept, address, done)
    touches.sort(key=lambda each: (done.state.place_of(each.seq), each.became == ""))
    return Blame(address, value, tuple(touches)), done


class _History:
    """The value at an address, fact by fact; all facts are kept, since only the last reason decides which ones count.

    With `only`, the seqs of some facts, the value is read only before and after those.
    """

    def __init__(self, address: str, only: Container[int] | None = None) -> None:
        self.address, self.known, self.value, self._only = address, False, None, only
        self.touches: list[Touch] = []
        self._facts: dict[int, Occurrence[Event]] = {}
        self._rolls: dict[int, list[Occurrence[Event]]] = {}
        self._free: list[Occurrence[Event]] = []

    def keep_value_before(self, state: State, fact: Occurrence[Event]) -> None:
        """Read the value before a fact, unless `only` excludes it."""
        if self._only is not None and fact.seq in self._only:
            self.value = plain_value_at(state, self.address)

    def observe_fact(self, state: State, fact: Occurrence[Event]) -> None:
        """Record the change of the value by a fact."""
        self._facts[fact.seq] = fact
        event = fact.event
        if isinstance(event, ROLLS) and fact.cause:
            self._rolls.setdefault(fact.cause, []).append(fact)
        elif isinstance(event, DiceRolled) and not (event.combatant or event.side):
            self._free.append(fact)
        if self._only is not None and fact.seq not in self._only:
            return
        read = derive_value(state, self.address)
        before, self.value = self.value, plain_value(read.value) if read else None
        self.known = self.known or read is not None
        place = fact.seq, fact.line, fact.at, fact.by, fact.point
        touch = Touch(*place, fact.event, before, self.value, (), (), False, False, "", None, fact.source)
        if before != self.value:
            causes = tuple(self._acts_behind(state, fact))
            rules = read.because.own().rules[:1] if read else ()
            nearby = tuple(map(Cited.of, self._nearby_rolls(fact, causes)))
            touch = structs.replace(touch, rules=rules, causes=causes, nearby=nearby)
            touch = structs.replace(touch, implied=fact.implied, uncaused=is_uncaused(fact))
        self.touches.append(touch)

    def _nearby_rolls(self, fact: Occurrence[Event], behind: tuple[Cited, ...]) -> list[Occurrence[Event]]:
        """Return the last rolls without a combatant in the turn, before a change of points that has no dice."""
        dice = any(part.dice for part in getattr(fact.event, "parts", ()))
        rolled = dice or any(isinstance(one.event, ROLLS) for one in behind)
        if rolled or not isinstance(fact.event, DamageDealt | Healed):
            return []
        return [one for one in self._free if one.point == fact.point][-NEARBY:]

    def _acts_behind(self, state: State, fact: Occurrence[Event]) -> Iterator[Cited]:
        """Yield the acts from which a fact follows, the first one first, each with its rolls that led to the fact."""
        line = list(cause_chain(self._facts, fact.cause))
        seqs = {each.seq for each in line}
        attacks = {each.seq for each in line if isinstance(each.event, AttackRolled)}
        for each in reversed(line):
            yield Cited.of(each)
            led = [one for one in self._rolls.get(each.seq, ()) if _has_led_to(state, one, fact, each, attacks)]
            struck = [one for one in led if isinstance(one.event, AttackRolled) and one.event.confirms is None]
            for roll in led:
                if roll.seq not in seqs and not (len(struck) > 1 and roll in struck):  # it may be any of several hits
                    yield Cited.of(roll)


def _has_led_to(
    state: State, roll: Occurrence[Event], fact: Occurrence[Event], act: Occurrence[Event], attacks: set[int]
) -> bool:
    """Return whether a roll of an act led to an outcome: a hit on its target, or a roll by the target or the acting combatant.

    An attack roll other than the one that is the cause (`attacks`) led to another outcome, unless it confirms that one. So did
    a save against a consequence of the outcome, and dice of another side.
    """
    event, outcome = roll.event, fact.event
    whom = (outcome.target,) if isinstance(outcome, DamageDealt | Healed) else getattr(outcome, "targets", ())
    match event:
        case AttackRolled():
            own = event.confirms in attacks if attacks else event.target in whom
            own = own and event.combatant == getattr(act.event, "combatant", event.combatant)
            return own and (event.confirms is not None or not (is_stated_miss(event) or state.rules.idle(state, roll)))
        case ContestRolled():
            return any(one.combatant in whom for one in event.contenders)
        case SaveRolled():
            return event.combatant in whom and (event.purpose or "") not in AFTERWARDS
        case DiceRolled():
            those = (*whom, getattr(outcome, "source", None), getattr(act.event, "combatant", None))
            sides = {one.side for who in those if (one := state.combatants.get(who or ""))}
            return event.combatant in (None, *those) and (event.side is None or event.side in sides)
    return False


AFTERWARDS = ("concentration", "death", "massive-damage")
"""The purposes of saves that follow from an outcome."""


def _touches_of_corrected_facts(records: tuple[Recorded, ...], address: str, done: Replay) -> Iterator[Touch]:
    """Yield the effects of struck and amended facts on the value: the original ones, and those of amendments that were struck."""
    struck, amended, there = done.state.struck_by, done.corrections.amended, set[int]()
    for each in _touches_without(records, address, done.corrections.made, {*struck, *amended}):
        if each.seq > done.records or each.before == each.after:
            continue
        if each.seq in amended:
            there.add(each.seq)
            yield structs.replace(each, became="amended", by_record=amended[each.seq].seq)
        elif each.seq in struck:
            yield structs.replace(each, became="struck", by_record=struck[each.seq])
    later = {seq for seq in struck if seq in amended or seq in done.corrections.places}
    for each in _touches_without(records, address, done.corrections.struck.values(), later) if later else ():
        if each.seq in there or each.before != each.after:
            yield structs.replace(each, became="struck", by_record=struck[each.seq])


def _touches_without(
    records: tuple[Recorded, ...], address: str, corrections: Iterable[int], only: Container[int]
) -> list[Touch]:
    then = _History(address, only)
    replay(without_corrections(records, corrections), before=then.keep_value_before, after=then.observe_fact)
    return then.touches
