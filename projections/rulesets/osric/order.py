"""Initiative: a side's die names the segment in which the other side acts."""

from itertools import groupby

from msgspec import structs

from eventstore.events import InitiativeRolled, RoundStarted
from eventstore.shapes import Dice, Die
from projections.rulesets.osric.state import SEGMENTS, Order, OsricState, Rolled
from projections.rulesets.ruleset import derives
from projections.state import Because, Combatant, Slot, Told
from projections.time import Point


def face(die: Die) -> int:
    """Return what a die shows, the kept dice added up."""
    if isinstance(die, Dice):
        return sum(f for place, f in enumerate(die.faces) if place not in die.dropped)
    return die


@derives("initiative.fresh-each-round", on=RoundStarted)
def dice_are_picked_up(state: OsricState, _told: Told[RoundStarted]) -> None:
    """Forget the dice, declarations and acts of the round before; castings under way go on."""
    state.dice.clear()
    state.declared.clear()
    state.acts.clear()
    state.wounds.clear()
    state.castings = [one for one in state.castings if one.status == "begun"]
    state.keys = {one.begun: one.key for one in state.castings}


@derives("initiative.d6-each-side", on=InitiativeRolled)
def die_falls(state: OsricState, told: Told[InitiativeRolled]) -> None:
    """Keep a side's die of the round; the first one stands."""
    event = told.event
    if event.side and event.die is not None:
        state.dice.setdefault(event.side, Rolled(face(event.die), told.seq))


@derives("initiative.other-sides-die", "initiative.higher-die-first")
def own_key(state: OsricState, one: Combatant) -> Order | None:
    """Return the key of a combatant's own place by the dice: the highest die among the other sides names the segment."""
    own = state.dice.get(one.side)
    others = [rolled.face for side, rolled in state.dice.items() if side != one.side]
    if own is None or not others:
        return None
    raw = max(others)
    segment = min(max(raw, 1), SEGMENTS)
    return Order(state.clock.point.round, segment, lead=raw - segment, rank=-own.face)


def act_key(state: OsricState, one: Combatant, point: Point) -> Order:
    """Return the key of an act done at this point: by the dice in the own segment, by choice after it."""
    own = own_key(state, one)
    if own is None or point.segment < own.segment or point.round != own.round:
        return Order(point.round, point.segment)
    return own if point.segment == own.segment else Order(point.round, point.segment, band=2)


def may_act(state: OsricState) -> list[Combatant]:
    """Return who has a place in this round: those here who had not fallen before it."""
    now = state.clock.point.round
    return [one for one in state.here() if one.id not in state.fallen or state.fallen[one.id].key.round >= now]


@derives("initiative.tie-is-simultaneous")
def slots(state: OsricState) -> tuple[Slot, ...]:
    """Return the order of the round: equal keys act at once."""
    placed = [(key, one) for one in may_act(state) if (key := own_key(state, one)) is not None]
    placed.sort(key=lambda pair: pair[0])
    return tuple(_slot(state, key, [one for _, one in group]) for key, group in groupby(placed, lambda pair: pair[0]))


def _slot(state: OsricState, key: Order, members: list[Combatant]) -> Slot:
    parts = structs.asdict(key)
    del parts["round"], parts["cut"]
    return Slot(
        combatants=tuple(one.id for one in members),
        key=parts,
        because=order_because(state, {one.side for one in members}),
        segment=key.segment,
    )


def order_because(state: OsricState, sides: set[str]) -> Because:
    """Say which dice put these sides where they are: their own, and the highest among the others."""
    own = [rolled for side, rolled in state.dice.items() if side in sides]
    highest = max((r.face for side, r in state.dice.items() if side not in sides or len(sides) > 1), default=0)
    others = [r for side, r in state.dice.items() if side not in sides and r.face == highest]
    rules = own_key.rules
    options: dict[str, str] = {}
    if len(sides) > 1:
        rules = (*slots.rules, *rules)
        options = state.chosen("tie-handling")
    if len(state.dice) > 2:
        options |= state.chosen("many-sides")
    return Because(rules, tuple(sorted(rolled.seq for rolled in own + others)), options)
