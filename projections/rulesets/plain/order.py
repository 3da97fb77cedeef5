"""The order: recorded totals from the highest down; equal ones as they were recorded."""

from decimal import Decimal

from msgspec import structs

from eventstore.events import CombatantLeft, InitiativeRolled, RoundStarted, RulingMade, TurnEnded, TurnStarted
from eventstore.shapes import Dice, Die
from projections.rulesets.plain.state import PlainState, Total, Turn
from projections.rulesets.ruleset import derives
from projections.state import Because, Combatant, Slot, Told


def _face(die: Die | None) -> int:
    if isinstance(die, Dice):
        return sum(f for place, f in enumerate(die.faces) if place not in die.dropped)
    return die or 0


def _hundredths(event: InitiativeRolled) -> int:
    """Return the total as recorded, else die or check plus bonus."""
    if event.total is not None:
        return int(Decimal(event.total) * 100)
    rolled = event.check if event.check is not None else _face(event.die)
    return 100 * (rolled + (event.bonus or 0))


@derives("order.recorded-totals", on=InitiativeRolled)
def total_is_recorded(state: PlainState, told: Told[InitiativeRolled]) -> None:
    """Keep a total, of a side for all its members; a roll among those who are level refines the one that is there."""
    event = told.event
    who = event.combatant or event.side or ""
    total = _hundredths(event)
    if event.tie_with and who in state.totals:
        old = state.totals[who]
        state.totals[who] = structs.replace(old, ties=(*old.ties, -total))
    else:
        state.totals[who] = Total(total, told.seq)
    for other in event.together:
        state.totals[other] = state.totals[who]


@derives("order.ties-as-recorded", on=RulingMade)
def ruling_orders_a_tie(state: PlainState, told: Told[RulingMade]) -> None:
    """Let a ruling put those who are level into its order, whatever was ruled or rolled among them before."""
    if told.event.ruling == "tie":
        for place, who in enumerate(told.event.combatants):
            if who in state.totals:
                state.totals[who] = structs.replace(state.totals[who], ties=(place,))


@derives("round.as-recorded", on=RoundStarted)
def round_is_new(state: PlainState, _told: Told[RoundStarted]) -> None:
    """Forget the turns and acts of the round before."""
    state.turns.clear()
    state.acts.clear()


@derives("turn.as-recorded", "round.as-recorded", on=TurnStarted)
def turn_begins(state: PlainState, told: Told[TurnStarted]) -> None:
    """Begin a turn, and with the first one round 1 where nobody said so."""
    clock = state.clock
    if not clock.round_event:
        clock.round_event = told.seq
        clock.round, clock.point, clock.open = 1, structs.replace(clock.point, round=1), True
    _end_turn(state, told.seq)
    together = tuple(who for who in told.event.together if who in state.combatants)
    state.turns.append(Turn(told.event.combatant, clock.point, told.seq, together))


@derives("turn.as-recorded", on=TurnEnded)
def turn_ends(state: PlainState, told: Told[TurnEnded]) -> None:
    """End the turn of this combatant."""
    if state.turns and state.turns[-1].combatant == told.event.combatant:
        _end_turn(state, told.seq)


@derives("turn.as-recorded", on=CombatantLeft)
def turn_goes_with_its_owner(state: PlainState, told: Told[CombatantLeft]) -> None:
    """End the turn of whoever leaves; it passes to the next of those who act together, if there are any."""
    if state.clock.turn != told.event.combatant:
        return
    turn = state.turns[-1] if state.turns else None
    rest = [who for who in turn.together if not state.combatants[who].left] if turn else []
    state.clock.turn = rest[0] if rest else ""
    state.clock.events = (*state.clock.events, told.seq)
    if not rest:
        _end_turn(state, told.seq)


def _end_turn(state: PlainState, seq: int) -> None:
    if state.turns and not state.turns[-1].ended:
        state.turns[-1].ended = seq


def total_of(state: PlainState, one: Combatant) -> Total | None:
    """Return a combatant's own total, else that of its side."""
    return state.totals.get(one.id) or state.totals.get(one.side)


@derives("order.recorded-totals", "order.ties-as-recorded")
def slots(state: PlainState) -> tuple[Slot, ...]:
    """Return everybody with a total, one after the other."""
    placed = [(one, total) for one in state.here() if (total := total_of(state, one)) is not None]
    placed.sort(key=lambda pair: (-pair[1].hundredths, pair[1].ties, pair[1].seq, pair[0].joined))
    return tuple(
        Slot(
            combatants=(one.id,),
            key={"total": _shown(total.hundredths), "ties": list(total.ties)},
            because=Because(slots.rules, (total.seq,)),
        )
        for one, total in placed
    )


def _shown(hundredths: int) -> int | str:
    return hundredths // 100 if hundredths % 100 == 0 else f"{Decimal(hundredths) / 100:.2f}"
