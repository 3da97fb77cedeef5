"""The party of one fight as it enters the next: the combatants who go on, and the facts with what each has left."""

from __future__ import annotations

from collections.abc import Callable, Collection, Container, Iterable, Iterator, Mapping, Sequence

import msgspec
from msgspec import Struct, structs

from eventstore import events
from eventstore.events import Amended, CombatantJoined, ConditionGained, EffectStarted, Fact, Noted, RulingMade
from eventstore.record import Draft, Recorded
from eventstore.shapes import Duration
from projections.address import NOTHING
from projections.because import Because
from projections.fight import Combatant
from projections.folds.addresses import COMMON, conditions_of, derive_value
from projections.folds.vitals import status_or_left
from projections.mechanics.conditions import Effect
from projections.mechanics.pools import HP, HP_MAX
from projections.open_types import Fields, Json
from projections.state import State

SIDES_OF_PLAYERS = ("party", "heroes", "players", "pcs", "player", "characters")
"""The usual names of the characters' side, the most common first."""
LONG = 60
"""An effect with a duration goes on if it has more seconds left than this; else it is over before the next fight."""
HOLDS = frozenset({"grappled", "grappling", "pinned", "swallowed"})
"""The conditions of a combatant who is held, or holds: a hold is over with the fight."""
MEMORIZED = "<who>.memorized.<spell>"
"""The address of a resource that is counted by what was done with it, in rulesets that have it."""


Made = Callable[[Fact | None, Effect, tuple[str, ...], str | None, Duration | None], EffectStarted | ConditionGained]
"""The function that makes the fact by which an effect or a condition goes on: from the one that began it, for these targets."""


class Carried(Struct, frozen=True):
    """The facts by which a party joins with its remaining points and effects; and, in words, the combatants and effects
    that stay behind.
    """

    drafts: tuple[Draft, ...]
    behind: tuple[str, ...]
    known: tuple[str, ...] = ()
    """The part of `behind` that depends on nothing secret."""


def side_of_players(sides: Collection[str]) -> str | None:
    """Return the one of these sides that is the players' by its name, or the only one; None if there is neither."""
    named = (side for side in SIDES_OF_PLAYERS if side in sides)
    return next(named, next(iter(sides)) if len(sides) == 1 else None)


def carry_over(
    state: State, records: Sequence[Recorded], those: Iterable[Combatant], secret: Container[int], origin: str
) -> Carried:
    """Return how these combatants enter another fight; values that depend on a record in `secret` stay secret. `origin` names the
    end of the state's log. Combatants who are dead or have left stay behind, and so do effects with less than a minute left, or
    that depend on a combatant who stays behind.
    """
    those = [*those]
    stay = {one.id: status_or_left(one).value for one in those if status_or_left(one).value in ("left", "dead")}
    going = {one.id: one for one in those if one.id not in stay}
    made = _Entry(state, {record.seq: record for record in records}, going, secret, origin)
    for one in going.values():
        made.add_joining(one)
    for one in going.values():
        made.add_points(one)
        made.add_resources(one)
    made.begin_effects(state.effects.values(), _effect_of)
    made.begin_effects(state.conditions.values(), _condition_of)
    for one in going.values():
        made.add_status(one)
    gone = {
        f"{who}, {why}": made.is_secret(_cited_records(status_or_left(state.combatants[who]).because), (who,))
        for who, why in stay.items()
    }
    behind = {**gone, **made.behind}
    return Carried((*made.drafts,), (*behind,), tuple(each for each, is_secret in behind.items() if not is_secret))


class _Entry:
    """The facts of an entry while they are made."""

    def __init__(
        self,
        state: State,
        records: Mapping[int, Recorded],
        going: Mapping[str, Combatant],
        secret: Container[int],
        origin: str,
    ) -> None:
        self.state, self.records, self.going, self.secret, self.origin = state, records, going, secret, origin
        self.drafts: list[Draft] = []
        self.behind: dict[str, bool] = {}
        """The combatants and effects that stay behind, and whether each depends on a secret."""
        self.began: dict[int, int] = {}
        """The places of the effects that go on, by the records that began them in the other fight."""
        self.ruled: dict[str, int] = {}
        """The places of the rulings that say where a combatant's values come from."""

    def add_fact(self, fact: Fact, events: Iterable[int], *, of: Iterable[str] = ()) -> int:
        """Add a fact that depends on these records and concerns these combatants; return its place."""
        self.drafts.append(Draft(fact, secret=self.is_secret(events, of)))  # type: ignore[arg-type]  # a member of the union
        return len(self.drafts) - 1

    def is_secret(self, events: Iterable[int], of: Iterable[str]) -> bool:
        """Say whether one of these records is secret, or one of these combatants joined in secret."""
        hidden = any(self.state.combatants[who].joined in self.secret for who in of)
        return hidden or any(seq in self.secret for seq in events)

    def reference_to(self, place: int) -> int:
        """Return the reference of the next fact to an earlier one."""
        return place - len(self.drafts)

    def add_joining(self, one: Combatant) -> None:
        """Let a combatant join with its sheet; secret changes of the sheet stay secret."""
        sheet: Fields = msgspec.to_builtins(one.sheet)
        covert = {key: value for key, value in sheet.items() if one.changed.get(key, 0) in self.secret}
        known = {key: value for key, value in sheet.items() if key not in covert}
        name = one.name if one.name != one.id else None
        side = one.side if one.side != one.id else None
        self.add_fact(CombatantJoined(combatant=one.id, name=name, side=side, sheet=known), (one.joined,))
        if covert:
            self.add_fact(events.SheetChanged(combatant=one.id, sheet=covert), (one.changed[key] for key in covert))

    def add_points(self, one: Combatant) -> None:
        """Set a combatant's lasting values by a ruling that names their origin; secret ones by another."""
        open_values: Fields = {}
        covert: Fields = {}
        events: set[int] = set()
        for address, value, rests_on in self._lasting_values(one):
            is_secret = any(seq in self.secret for seq in rests_on)
            (covert if is_secret else open_values)[address] = value
            events |= rests_on if is_secret else set()
        for values, rests_on in ((open_values, set[int]()), (covert, events)):
            if values:
                decision = f"{one.name} goes on with what was left"
                ruling = RulingMade(ruling="override", decision=decision, reason=self.origin, values=values)
                self.ruled[one.id] = self.add_fact(ruling, rests_on, of=(one.id,))
        if not (open_values or covert):
            self.ruled[one.id] = self.add_fact(Noted(text=f"{one.name} goes on: {self.origin}"), (), of=(one.id,))

    def _lasting_values(self, one: Combatant) -> Iterator[tuple[str, Json, set[int]]]:
        """Yield the lasting values with their records: hit points, a ruled status, others changed since joining."""
        if (ruled := self.state.ruled.get(f"{one.id}.status")) is not None:
            yield f"{one.id}.status", ruled.value, {ruled.seq}
        lasting = (each for each in (*self.state.rules.addresses, *COMMON) if each.lasts)
        for address in dict.fromkeys(place for each in lasting for place in each.existing(self.state)):
            who, _, field = address.partition(".")
            found = derive_value(self.state, address) if who == one.id else None
            if found and found.value != NOTHING and (field == HP or found.value != _value_at_joining(one, field)):
                yield address, found.value, _cited_records(found.because)

    def add_resources(self, one: Combatant) -> None:
        """Record the combatant's resources as spent as far as they were."""
        pattern = next((each for each in self.state.rules.addresses if each.pattern == MEMORIZED), None)
        full: dict[str, int] = getattr(one.sheet, "resources", None) or {}
        for name, counted in one.resources.items():
            found = derive_value(self.state, f"{one.id}.memorized.{name}") if pattern else None
            left = counted if found is None else found.value
            why = one.counted[name] if found is None else found.because
            if left != full.get(name):
                spent = events.ResourceChanged(
                    combatant=one.id,
                    resource=name,
                    amount=left - full.get(name, 0),
                    left=left,
                    cause=self.reference_to(self.ruled[one.id]),
                )
                self.add_fact(spent, _cited_records(why), of=(one.id,))

    def begin_effects(self, those: Iterable[Effect], made: Made) -> None:
        """Begin the effects or conditions that go on, those with one beginning together; name the others."""
        groups: dict[tuple[int, str, int | None], list[Effect]] = {}
        for each in those:
            if each.bearer in self.going or (not each.bearer and each.source in self.going):
                groups.setdefault((each.seq, each.name, each.left), []).append(each)
        for (seq, name, _), bearers in groups.items():
            there = [each for each in bearers if self._goes_on(each)]
            if there and (why := self._why_left_behind(there[0])):
                who = [each.bearer or each.source for each in there]
                of = {*who, *(each.source for each in there if each.source in self.state.combatants)}
                self.behind[f"{name} of {', '.join(who)}: {why}"] = self.is_secret(self._records_behind(seq), of)
            elif there:
                self._begin_effect(seq, there, made)

    def _goes_on(self, effect: Effect) -> bool:
        if not effect.bearer or (effect.seq, effect.bearer) in self.state.effects:
            return True
        return effect.called in map(str.casefold, conditions_of(self.state, effect.bearer).value)

    def _why_left_behind(self, effect: Effect) -> str:
        """Return why an effect stays behind; "" if it goes on."""
        if effect.called in HOLDS:
            return "a hold is over with the fight"
        if not effect.bearer and not effect.concentration:
            return "it is on nobody"
        if effect.concentration and effect.source not in self.going:
            return "whoever concentrates on it stays behind"
        if effect.parent and effect.parent not in self.began:
            return "what it is part of stays behind"
        if effect.duration is None:
            return ""
        seconds = self.state.rules.calendar.seconds.get(effect.duration.unit.casefold(), 0)
        return "" if (effect.left or 0) * seconds > LONG else "no more than a minute is left of it"

    def _begin_effect(self, seq: int, there: list[Effect], made: Made) -> None:
        first, begun = there[0], self._corrected_fact(seq)
        duration = first.duration and Duration(amount=first.left or 0, unit=first.duration.unit)
        source = first.source if first.source in self.going else None
        cause = getattr(begun, "cause", None)
        places = (self.began.get(each) for each in (first.parent, cause) if each)
        ruled = next((self.ruled[each.bearer] for each in there if each.bearer), self.ruled.get(first.source, 0))
        fact = made(begun, first, (*(each.bearer for each in there if each.bearer),), source, duration)
        known = next((place for place in places if place is not None), None)
        more = {"parent": self.reference_to(known)} if first.parent and known is not None else {}
        fact = structs.replace(fact, cause=self.reference_to(ruled if known is None else known), **more)
        of = {*(each.bearer for each in there if each.bearer), *((source,) if source else ())}
        place = self.add_fact(fact, self._records_behind(seq), of=of)
        if isinstance(fact, EffectStarted):
            self.began[seq] = place

    def add_status(self, one: Combatant) -> None:
        """Give a combatant a status that does not follow from its points, by the ruleset's fact for it."""
        fact = self.state.rules.goes_on(self.state, one)
        if isinstance(fact, RulingMade):
            fact = structs.replace(fact, reason=self.origin)
        elif fact:
            fact = structs.replace(fact, cause=self.reference_to(self.ruled[one.id]))
        if fact:
            self.add_fact(fact, _cited_records(status_or_left(one).because), of=(one.id,))

    def _records_behind(self, seq: int) -> tuple[int, int]:
        return seq, self.state.amended.get(seq, seq)

    def _corrected_fact(self, seq: int) -> Fact | None:
        record = self.records.get(self.state.amended.get(seq, seq))
        event: Fact | None = record.event if record else None
        if isinstance(event, Amended):
            event = event.replacement
        return event.fact if isinstance(event, events.Inserted) else event


def _value_at_joining(one: Combatant, field: str) -> int | None:
    if field == HP_MAX and getattr(one.sheet, HP_MAX, None) is None:
        return getattr(one.sheet, HP, None)
    return getattr(one.sheet, field, 0)


def _effect_of(
    begun: Fact | None, effect: Effect, targets: tuple[str, ...], source: str | None, duration: Duration | None
) -> EffectStarted:
    own = begun if isinstance(begun, EffectStarted) else EffectStarted(effect=effect.name)
    return EffectStarted(
        effect=effect.name,
        source=source,
        targets=targets,
        object=own.object,
        duration=duration,
        concentration=effect.concentration,
        modifiers=own.modifiers,
        attributes=own.attributes,
    )


def _condition_of(
    begun: Fact | None, effect: Effect, targets: tuple[str, ...], source: str | None, duration: Duration | None
) -> ConditionGained:
    own = begun if isinstance(begun, ConditionGained) else ConditionGained(condition=effect.name, targets=targets)
    return ConditionGained(
        condition=effect.name, targets=targets, source=source, detail=own.detail, impedes=own.impedes, duration=duration
    )


def _cited_records(because: Because) -> set[int]:
    return set(because.flat().events)
