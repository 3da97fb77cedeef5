"""Views: frozen values of a state, in the shape of `show --json`."""

from typing import Any

from msgspec import Struct

from eventstore.events import name_of
from projections.because import Because, Reason
from projections.folds.clock import because_clock
from projections.folds.effects import effect_because, suffered
from projections.folds.order import order_of
from projections.folds.vitals import pool, standing
from projections.mechanics.conditions import Effect, of
from projections.mechanics.pools import HP, NLD, TEMP
from projections.occurrence import Occurrence
from projections.state import Combatant, Entry, Slot, State
from projections.time import Point
from projections.views.strip import Strip, strip


class When(Struct, frozen=True):
    """Is a point of a round: its round and segment, or its turn and second."""

    round: int
    segment: int | None = None
    turn: int | None = None
    second: int | None = None


class ClockView(Struct, frozen=True):
    """Is the clock: round, segment, phase, whose turn; `open` while a round runs. What is not counted is null."""

    round: int
    segment: int | None
    phase: str | None
    turn: str | None
    open: bool
    because: Reason


class SlotView(Struct, frozen=True):
    """Is a place in the order; those in it act at once."""

    combatants: tuple[str, ...]
    segment: int | None
    phase: str | None
    key: dict[str, Any]
    because: Reason


class EntryView(Struct, frozen=True):
    """Is a row of the timeline; `due` is when what has begun completes, `until` the last point it takes up."""

    round: int
    segment: int | None
    phase: str | None
    turn: int | None
    second: int | None
    combatant: str
    action: str | None
    name: str | None
    cost: str | None
    status: str
    due: When | None
    until: When | None
    events: tuple[int, ...]
    because: Reason


class CastingView(Struct, frozen=True):
    """Is what a combatant is in the middle of casting, and when it takes effect."""

    name: str | None
    due: When | None


class EffectView(Struct, frozen=True):
    """Is an effect on a combatant; `left` in the unit of its duration."""

    name: str
    source: str | None
    left: int | None
    unit: str | None
    concentration: bool
    because: Reason


class Reasons(Struct, frozen=True):
    """Says why the main values of a combatant are what they are."""

    hp: Reason
    temp: Reason
    nld: Reason
    status: Reason
    conditions: Reason
    concentration: Reason


class CombatantView(Struct, frozen=True):
    """Is a combatant as it stands: hit points, temporary points, non-lethal damage, status, what it bears and does."""

    name: str
    side: str
    hp: int | None
    hp_max: int | None
    temp: int
    nld: int
    status: str
    conditions: tuple[str, ...]
    effects: tuple[EffectView, ...]
    casting: CastingView | None
    concentration: str | None
    budget: dict[str, Any]
    left: bool
    because: Reasons


class Show(Struct, frozen=True):
    """Is everything that `show` tells of one point of a log.

    `unread` are the records that are withheld or of an unknown type, and so left out of every value.
    """

    title: str
    encounter: str
    ruleset: str
    options: dict[str, str]
    seq: int
    clock: ClockView
    order: tuple[SlotView, ...]
    missing: tuple[str, ...]
    unread: tuple[int, ...]
    timeline: tuple[EntryView, ...]
    strip: Strip | None
    combatants: dict[str, CombatantView]


def show(state: State) -> Show:
    """Return the view of a state."""
    return Show(
        title=state.title,
        encounter=state.encounter,
        ruleset=state.rules.key,
        options=dict(state.options),
        seq=state.seq,
        clock=_clock(state),
        order=tuple(_slot(slot) for slot in order_of(state)),
        missing=state.rules.schedule.missing(state),
        unread=tuple(state.unread),
        timeline=timeline(state),
        strip=strip(state),
        combatants={who: _combatant(state, one) for who, one in state.combatants.items()},
    )


def timeline(state: State) -> tuple[EntryView, ...]:
    """Return the timeline of the present round, what was struck from it included."""
    return (*(_entry(entry) for entry in state.rules.timeline(state)), *_struck(state))


def _clock(state: State) -> ClockView:
    clock = state.clock
    return ClockView(
        clock.point.round,
        clock.point.segment or None,
        clock.phase or None,
        clock.turn or None,
        clock.open,
        because_clock(state).flat(),
    )


def _slot(slot: Slot) -> SlotView:
    return SlotView(slot.combatants, slot.segment, slot.phase, slot.key, slot.because.flat())


def _entry(entry: Entry) -> EntryView:
    return EntryView(
        round=entry.point.round,
        segment=entry.point.segment or None,
        phase=entry.phase,
        turn=entry.point.turn or None,
        combatant=entry.combatant,
        action=entry.action,
        name=entry.name,
        cost=entry.cost,
        status=entry.status,
        second=entry.point.second or None,
        due=_when(entry.due),
        until=_when(entry.until),
        events=entry.events,
        because=entry.because.flat(),
    )


def _struck(state: State) -> list[EntryView]:
    now = state.clock.point.round
    return [_entry(_struck_entry(fact, state.struck_by[fact.seq])) for fact in state.struck if fact.point.round == now]


def _struck_entry(fact: Occurrence[Any], by: int) -> Entry:
    action = getattr(fact.event, "action", None)
    return Entry(
        point=fact.point,
        combatant=getattr(fact.event, "combatant", None) or getattr(fact.event, "target", None) or "",
        status="struck",
        because=Because(("log.correction",), (fact.seq, by)),
        action=action.kind if action else name_of(type(fact.event)),
        name=action.name if action else None,
        events=(fact.seq,),
    )


def _when(point: Point | None) -> When | None:
    if point is None:
        return None
    return When(point.round, point.segment or None, point.turn or None, point.second or None)


def _combatant(state: State, one: Combatant) -> CombatantView:
    concentration, why = state.rules.concentration(state, one)
    casting = state.rules.casting(state, one)
    stands = standing(one)
    return CombatantView(
        name=one.name,
        side=one.side,
        hp=one.hp,
        hp_max=one.hp_max,
        temp=one.temp,
        nld=one.nld,
        status=stands.value,
        conditions=tuple(condition.name for condition in of(state.conditions, one.id)),
        effects=tuple(_effect(state, effect) for effect in of(state.effects, one.id)),
        casting=CastingView(casting.name, _when(casting.due)) if casting else None,
        concentration=concentration or None,
        budget=state.rules.budget(state, one),
        left=bool(one.left),
        because=Reasons(
            hp=pool(state, one, HP).because.flat(),
            temp=pool(state, one, TEMP).because.flat(),
            nld=pool(state, one, NLD).because.flat(),
            status=stands.because.flat(),
            conditions=suffered(state, one.id).because.flat(),
            concentration=why.flat(),
        ),
    )


def _effect(state: State, effect: Effect) -> EffectView:
    unit = effect.duration.unit if effect.duration else None
    return EffectView(
        effect.name,
        effect.source or None,
        effect.left,
        unit,
        effect.concentration,
        effect_because(state, effect).flat(),
    )
