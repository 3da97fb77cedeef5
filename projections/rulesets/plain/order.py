"""The order: recorded totals from the highest down; equal ones as they were recorded."""

from decimal import Decimal

from msgspec import structs

from eventstore.events import InitiativeRolled, RulingMade
from eventstore.shapes import Dice, Die
from projections.rulesets.plain.state import PlainState, Total
from projections.rulesets.ruleset import derives
from projections.state import Because, Combatant, Slot, Told


def _face(die: Die | None) -> int:
    if isinstance(die, Dice):
        return sum(f for place, f in enumerate(die.faces) if place not in die.dropped)
    return die or 0


def _hundredths(state: PlainState, event: InitiativeRolled) -> int:
    """Return the total as recorded, else die or check plus bonus, that of the sheet where none is named."""
    if event.total is not None:
        return int(Decimal(event.total) * 100)
    rolled = event.check if event.check is not None else _face(event.die)
    one = state.combatants.get(event.combatant or "")
    return 100 * (rolled + (event.bonus if event.bonus is not None else one.sheet.initiative if one else 0))


@derives("order.recorded-totals", "order.ties-as-recorded", on=InitiativeRolled)
def total_is_recorded(state: PlainState, told: Told[InitiativeRolled]) -> None:
    """Keep a total, of a side for all its members; a roll among those who are level refines the one that is there."""
    event = told.event
    who = event.combatant or event.side or ""
    total = _hundredths(state, event)
    old = state.totals.get(who)
    if event.tie_with and old:
        new = structs.replace(old, ties=(*old.ties, -total), events=(*old.events, told.seq))
    else:
        new = Total(total, told.seq, events=(told.seq,))
    state.totals |= dict.fromkeys((who, *event.together), new)


@derives("order.ties-as-recorded", on=RulingMade)
def ruling_orders_a_tie(state: PlainState, told: Told[RulingMade]) -> None:
    """Let those who are level exchange their places, so that they stand in the ruling's order."""
    named = [state.totals[who] for who in told.event.combatants if who in state.totals]
    if told.event.ruling != "tie":
        return
    for hundredths in {total.hundredths for total in named}:
        level = list(dict.fromkeys(total for total in named if total.hundredths == hundredths))
        places = sorted((total.ties, total.place) for total in level)
        for total, (ties, place) in zip(level, places, strict=True):
            new = Total(hundredths, place, ties, (*total.events, told.seq))
            state.totals |= {who: new for who, kept in state.totals.items() if kept is total}


def total_of(state: PlainState, one: Combatant) -> Total | None:
    """Return a combatant's own total, else that of its side."""
    return state.totals.get(one.id) or state.totals.get(one.side)


@derives("order.recorded-totals", "order.ties-as-recorded")
def slots(state: PlainState) -> tuple[Slot, ...]:
    """Return everybody with a total, one after the other."""
    placed = [(one, total) for one in state.here() if (total := total_of(state, one)) is not None]
    placed.sort(key=lambda pair: (-pair[1].hundredths, pair[1].ties, pair[1].place, pair[0].joined))
    return tuple(
        Slot(
            combatants=(one.id,),
            key={"total": _shown(total.hundredths), "ties": [_shown(-tie) for tie in total.ties]},
            because=Because(slots.rules, total.events),
        )
        for one, total in placed
    )


def _shown(hundredths: int) -> int | str:
    return hundredths // 100 if hundredths % 100 == 0 else f"{Decimal(hundredths) / 100:.2f}"
