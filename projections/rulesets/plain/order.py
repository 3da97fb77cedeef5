"""The order: recorded totals from the highest down; equal ones as they were recorded."""

from collections.abc import Iterable
from decimal import Decimal

from msgspec import structs

from eventstore.events import InitiativeRolled, RulingMade
from projections.because import Because, Derived
from projections.fight import Combatant
from projections.mechanics.rolls import initiative_of
from projections.occurrence import Occurrence
from projections.open_types import Fields
from projections.ruleset.ruleset import derives
from projections.rulesets.plain.state import PlainState, Total


def _total_in_hundredths(state: PlainState, event: InitiativeRolled) -> int:
    """Return the recorded total, else die or check plus bonus, by default that of the sheet; 0 for a roll that states none."""
    one = state.combatants.get(event.combatant or "")
    return round((initiative_of(event, one.sheet.initiative if one else 0) or 0) * 100)


@derives("order.recorded-totals", "order.ties-as-recorded", on=InitiativeRolled, phase="reading")
def keep_total(state: PlainState, fact: Occurrence[InitiativeRolled]) -> None:
    """Keep a total: a side's counts for its members, a further roll among the tied refines the existing one."""
    event = fact.event
    who = event.combatant or event.side or ""
    total = _total_in_hundredths(state, event)
    old = total_of_name(state, who)
    if event.tie_with and old:
        of = old.of or _side_of_total(state, who)
        new = structs.replace(old, ties=(*old.ties, -total), events=(*old.events, fact.seq), of=of)
    else:
        own = [kept for kept in state.totals.values() if event.side and kept.of == event.side]
        refined = dict.fromkeys(kept.events[0] for kept in own)
        new = Total(total, state.place_of(fact.seq), events=(*refined, fact.seq))
    if event.side:
        state.totals = {name: kept for name, kept in state.totals.items() if kept.of != event.side}
    state.totals |= dict.fromkeys((who, *event.together), new)


@derives("order.ties-as-recorded", on=RulingMade, phase="reading")
def order_tie_by_ruling(state: PlainState, fact: Occurrence[RulingMade]) -> None:
    """Let the tied exchange their places, so that they are in the ruling's order."""
    if fact.event.ruling != "tie":
        return
    found = {who: total for who in fact.event.combatants if (total := total_of_name(state, who)) is not None}
    for hundredths in {total.hundredths for total in found.values()}:
        level = {who: total for who, total in found.items() if total.hundredths == hundredths}
        places = sorted((total.ties, total.place, _seat_in_tie(state, who, total)) for who, total in level.items())
        for (who, total), (ties, place, seat) in zip(level.items(), places, strict=True):
            of = total.of or _side_of_total(state, who)
            new = Total(hundredths, place, ties, (*total.events, fact.seq), seat, of)
            state.totals |= dict.fromkeys((who, *_others_with_total(state, who, level)), new)


def total_of_name(state: PlainState, who: str) -> Total | None:
    """Return the total of a combatant or of a side."""
    one = state.combatants.get(who)
    return total_of(state, one) if one else state.totals.get(who)


def total_of(state: PlainState, one: Combatant) -> Total | None:
    """Return a combatant's own total, else that of its side."""
    return state.totals.get(one.id) or state.totals.get(one.side)


def _side_of_total(state: PlainState, who: str) -> str:
    return "" if who in state.totals else state.combatants[who].side


def _seat_in_tie(state: PlainState, who: str, total: Total) -> tuple[int, ...]:
    """Return a combatant's seat among those with the same total; a side has that of its members."""
    return total.seat or (state.place_of(state.combatants[who].joined) if who in state.combatants else ())


def _others_with_total(state: PlainState, who: str, named: Iterable[str]) -> list[str]:
    own = state.totals.get(who)
    return [other for other, kept in state.totals.items() if kept is own and other not in named]


@derives("order.recorded-totals", "order.ties-as-recorded")
def ranked_combatants(state: PlainState) -> list[tuple[str]]:
    """Return everybody with a total, one after the other."""
    all_ = state.combatants.values() if state.totals else ()
    found = [(one, total) for one in all_ if (total := total_of(state, one)) is not None]
    return [(one.id,) for one, _ in sorted(found, key=lambda pair: _sort_key(state, *pair))]


def order_key(state: PlainState, who: str) -> Derived[Fields | None]:
    """Return the sort key of a combatant: the total, and further rolls among the tied; None without a total."""
    total = total_of(state, state.combatants[who])
    if total is None:
        return Derived(None, Because(ranked_combatants.rules))
    parts = {"total": _format_total(total.hundredths), "ties": [_format_total(-tie) for tie in total.ties]}
    return Derived(parts, Because(ranked_combatants.rules, total.events))


def reasons_by_place(state: PlainState) -> dict[str, Because]:
    """Return everybody with a place, in order, with the reason."""
    return {who: slot.because for slot in state.rules.schedule.order(state) for who in slot.combatants}


def _sort_key(state: PlainState, one: Combatant, total: Total) -> tuple[int, *tuple[tuple[int, ...], ...]]:
    joined = state.place_of(one.joined)
    return -total.hundredths, total.ties, total.place, total.seat or joined, joined


def _format_total(hundredths: int) -> int | str:
    return hundredths // 100 if hundredths % 100 == 0 else f"{Decimal(hundredths) / 100:.2f}"
