"""Views: frozen values of a state, in the shape of `show --json`."""

from collections.abc import Container, Iterator

from msgspec import Struct, structs

from eventstore.events import Fact, name_of
from eventstore.wording import short_repr
from projections.because import Because, Derived, Reason
from projections.fight import Combatant, TimelineRow
from projections.folds.addresses import COMMON, conditions_of, derive_value
from projections.folds.budget import amounts_left
from projections.folds.clock import because_clock
from projections.folds.effects import effect_because, end_in_words
from projections.folds.order import order_of, round_rows, who_is_due
from projections.folds.vitals import pool_points, status_or_left
from projections.mechanics.conditions import Effect, Key
from projections.mechanics.pools import HP, NLD, POOLS, TEMP
from projections.occurrence import Occurrence
from projections.open_types import Fields, Json
from projections.replay.failing import report_failures
from projections.state import State
from projections.time import Point
from projections.views.strip import Strip, strip

KNOWN = frozenset(each.pattern for each in COMMON)
"""The addresses for which the view has a field."""


class When(Struct, frozen=True):
    """A point of a round: its round and segment, or its turn and second."""

    round: int
    segment: int | None = None
    turn: int | None = None
    second: int | None = None


class ClockView(Struct, frozen=True):
    """The clock: round, segment, phase, turn; `open` while a round runs. Parts that are not counted are null."""

    round: int
    segment: int | None
    phase: str | None
    turn: str | None
    open: bool
    because: Reason


class SlotView(Struct, frozen=True):
    """A place in the order, whose members act simultaneously."""

    combatants: tuple[str, ...]
    segment: int | None
    phase: str | None
    key: Fields
    because: Reason


class EntryView(Struct, frozen=True):
    """A row of the timeline; `due` is when the action completes, `until` the last point that it occupies."""

    round: int
    segment: int | None
    phase: str | None
    turn: int | None
    second: int | None
    combatant: str
    action: str | None
    name: str | None
    cost: str | None
    targets: tuple[str, ...]
    status: str
    due: When | None
    until: When | None
    events: tuple[int, ...]
    because: Reason
    key: Fields


class ValueView(Struct, frozen=True):
    """A derived value that only this ruleset has, with its reason."""

    value: Json
    because: Reason


class CastingView(Struct, frozen=True):
    """The casting that a combatant is in the middle of, and when it takes effect."""

    name: str | None
    due: When | None


class EffectView(Struct, frozen=True):
    """An effect on a combatant or nobody; `left` in its duration's unit, `ends` when it runs out, as known now."""

    name: str
    source: str | None
    left: int | None
    unit: str | None
    ends: str | None
    concentration: bool
    because: Reason


class Reasons(Struct, frozen=True):
    """The reasons for the main values of a combatant."""

    hp: Reason
    temp: Reason
    nld: Reason
    status: Reason
    conditions: Reason
    concentration: Reason


class PoolChange(Struct, frozen=True):
    """A change of a pool: the event, the points (below 0: taken), the points left, whether they were set, the rules."""

    pool: str
    event: int
    by: int
    left: int | None
    sets: bool
    rules: tuple[str, ...]


class CombatantView(Struct, frozen=True):
    """A combatant at one point: its hit points, temporary points, non-lethal damage, status, effects and actions.

    `since` is the record with which it came to have its status, None if it has had no other.
    `changes` are all changes of its pools so far; `square` is where it stands, in a game that keeps positions.
    """

    name: str
    side: str
    hp: int | None
    hp_max: int | None
    temp: int
    nld: int
    status: str
    since: int | None
    conditions: tuple[str, ...]
    effects: tuple[EffectView, ...]
    casting: CastingView | None
    concentration: str | None
    budget: Fields
    left: bool
    because: Reasons
    values: dict[str, ValueView]
    changes: tuple[PoolChange, ...]
    square: tuple[int, int] | None

    def __repr__(self) -> str:
        return short_repr(self, f"{self.name}: {self.hp} hp, {self.status}")


class Show(Struct, frozen=True):
    """The whole view of one point in a log, as `show` prints it. `due` are the combatants who may act in this round and
    have not. `unread` are the records that no value takes into account, since they are withheld or of an unknown type;
    `closed` is the record that ended the fight; `values` are those that only the ruleset has, by their addresses.
    `leans_on` maps rules that decide the clock, the order or the timeline to documents on which they depend and which
    the text does not contain.
    """

    title: str
    encounter: str
    ruleset: str
    options: dict[str, str]
    seq: int
    clock: ClockView
    order: tuple[SlotView, ...]
    due: ValueView
    missing: tuple[str, ...]
    unread: tuple[int, ...]
    timeline: tuple[EntryView, ...]
    strip: Strip | None
    combatants: dict[str, CombatantView]
    closed: int | None
    values: dict[str, ValueView]
    leans_on: dict[str, str]
    effects: tuple[EffectView, ...]

    def __repr__(self) -> str:
        return short_repr(self, f"{self.title}, as of record {self.seq}: {', '.join(self.combatants)}")


@report_failures
def show(state: State, *, history: bool = True, counted: Container[int] | None = None) -> Show:
    """Return the view of a state; without `history` it omits the changes of pools, and reasons that cite all of them.

    With `counted`, only changes by these facts are included.
    """
    own, clock, rows = _own_values(state), _clock_view(state), timeline(state)
    slots = tuple(
        SlotView(slot.combatants, slot.segment, slot.phase, slot.key, state.reason(slot.because))
        for slot in order_of(state)
    )
    deciding = (clock.because, *(slot.because for slot in slots), *(row.because for row in rows))
    return Show(
        title=state.title,
        encounter=state.encounter,
        ruleset=state.rules.key,
        options=dict(state.options),
        seq=state.seq,
        clock=clock,
        order=slots,
        due=_value_view(state, who_is_due(state)),
        missing=state.rules.schedule.missing(state),
        unread=tuple(state.unread),
        timeline=rows,
        strip=strip(state),
        combatants={
            who: _combatant_view(state, one, own.get(who, {}), counted, history=history)
            for who, one in state.combatants.items()
        },
        closed=state.closed or None,
        values=own.get("", {}),
        leans_on=state.rules.catalogue().documents_needed(rule for why in deciding for rule in why.rules),
        effects=_effect_views(state, ""),
    )


def _own_values(state: State) -> dict[str, dict[str, ValueView]]:
    """Return the values that only the ruleset has: those of each combatant by its fields, all others at ""."""
    found: dict[str, dict[str, ValueView]] = {}
    for each in state.rules.addresses:
        if each.pattern in KNOWN:
            continue
        for address in each.existing(state):
            value = derive_value(state, address)
            who, _, field = address.partition(".")
            if value is None:
                continue
            of = who if who in state.combatants else ""
            found.setdefault(of, {})[field if of else address] = _value_view(state, value)
    return found


def _value_view(state: State, value: Derived[object]) -> ValueView:
    return ValueView(value.value, state.reason(value.because))


def timeline(state: State) -> tuple[EntryView, ...]:
    """Return the timeline of the present round; running rows of earlier ones come first, struck rows last."""
    rows, now = sorted(round_rows(state), key=lambda entry: entry.point.round), state.clock.point.round
    struck = (_struck_entry(fact, state.struck_by[fact.seq]) for fact in state.struck if fact.point.round == now)
    return tuple(_entry_view(state, entry) for entry in (*rows, *struck))


def _clock_view(state: State) -> ClockView:
    clock, point = state.clock, state.clock.point
    runs, because = clock.open and not state.closed, state.reason(because_clock(state))
    return ClockView(point.round, point.segment or None, clock.phase or None, clock.turn or None, runs, because)


def _entry_view(state: State, entry: TimelineRow) -> EntryView:
    same = ("phase", "combatant", "action", "name", "cost", "targets", "status", "events")
    shown: Fields = {field: getattr(entry, field) for field in same}
    shown |= {part: getattr(entry.point, part) or None for part in ("segment", "turn", "second")}
    shown |= {"round": entry.point.round, "due": when(entry.due), "until": when(entry.until)}
    return EntryView(because=state.reason(entry.because), key=entry.key or {}, **shown)


def _struck_entry(fact: Occurrence[Fact], by: int) -> TimelineRow:
    action = getattr(fact.event, "action", None)
    return TimelineRow(
        point=fact.point,
        combatant=getattr(fact.event, "combatant", None) or getattr(fact.event, "target", None) or "",
        status="struck",
        because=Because(("log.correction",), (fact.seq, by)),
        action=action.kind if action else name_of(type(fact.event)),
        name=action.name if action else None,
        targets=action.targets if action else (),
        events=(fact.seq,),
        key={part: number for part, number in structs.asdict(fact.point).items() if number},
    )


def when(point: Point | None) -> When | None:
    """Return a point as it is shown; parts that are not counted are None."""
    if point is None:
        return None
    return When(point.round, point.segment or None, point.turn or None, point.second or None)


def _combatant_view(
    state: State, one: Combatant, values: dict[str, ValueView], counted: Container[int] | None, *, history: bool
) -> CombatantView:
    concentration, because = state.rules.concentration(state, one)
    why = state.reason(because)
    casting, conditions = state.rules.casting(state, one), conditions_of(state, one.id)
    stands = status_or_left(one)
    pools = {name: Reason() for name in (HP, TEMP, NLD)}
    if history:
        pools = {name: state.reason(pool_points(state, one, name).because) for name in pools}
    return CombatantView(
        name=one.name,
        side=one.side,
        hp=one.hp,
        hp_max=one.hp_max,
        temp=one.temp,
        nld=one.nld,
        status=stands.value,
        since=one.left or one.since or None,
        conditions=(*conditions.value,),
        effects=_effect_views(state, one.id),
        casting=CastingView(casting.name, when(casting.due)) if casting else None,
        concentration=concentration or None,
        budget=amounts_left(state, one),
        left=bool(one.left),
        because=Reasons(
            **pools, status=state.reason(stands.because), conditions=state.reason(conditions.because), concentration=why
        ),
        values=values,
        changes=tuple(each for name in POOLS for each in pool_changes(state, one, name, counted)) if history else (),
        square=state.rules.squares(state).get(one.id),
    )


def pool_changes(
    state: State, one: Combatant, name: str, counted: Container[int] | None = None
) -> Iterator[PoolChange]:
    """Yield the changes of a pool, by these facts or all, in the order of the stream, with the rules by which it is counted."""
    cites = state.rules.pools(state, one).cites
    rules = cites.get(name, cites.get(HP, ()))
    changes = one.pools[name].changes
    for place, seq in enumerate(changes.seqs):
        if counted is None or seq in counted:
            each = changes[place]
            yield PoolChange(name, seq, each.by, each.left, each.sets, rules)


def _effect_views(state: State, bearer: str) -> tuple[EffectView, ...]:
    return tuple(_effect_view(state, key, each) for key, each in state.effects.items() if each.bearer == bearer)


def _effect_view(state: State, key: Key, effect: Effect) -> EffectView:
    because = state.reason(effect_because(state, effect))
    unit = effect.duration.unit if effect.duration else None
    found = end_in_words(state, key)
    ends = found.value if found else None
    return EffectView(effect.name, effect.source or None, effect.left, unit, ends, effect.concentration, because)
