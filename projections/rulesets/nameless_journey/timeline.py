"""The round as a list of turns: what each resource was spent on, the ground covered, and who is still due."""

from typing import Any

from projections.because import Because
from projections.rulesets.nameless_journey.effects import ends
from projections.rulesets.nameless_journey.moves import left_in, modes
from projections.rulesets.nameless_journey.order import order_because
from projections.rulesets.nameless_journey.reactions import spell_is_countered
from projections.rulesets.nameless_journey.resources import ON_TURN, REACTION, act_is_paid, left, reactions_left
from projections.rulesets.nameless_journey.state import Act, Lost, NamelessState, Stretch, Turn
from projections.rulesets.nameless_journey.turns import due, spot, turn_begins
from projections.rulesets.ruleset import derives
from projections.state import Combatant, Entry
from projections.time import Point

RULES = {
    "attack": ("action.attack-or-spell",),
    "cast": ("action.attack-or-spell", "quick.listed-spells"),
    "handle": ("interaction.handling-objects",),
    "effort": ("interaction.handling-objects", "turn.focused-interaction-may-cost-action"),
}
"""What says the price of each kind of act."""


def entries(state: NamelessState) -> tuple[Entry, ...]:
    """Return the turns of the round in the order in which they were, with acts and stretches; then who is still due."""
    rows = [_turn(state, turn) for turn in state.turns]
    rows += [_act(state, act) for act in state.acts] + [_stretch(each) for each in state.stretches]
    rows.sort(key=lambda row: row.order)
    waiting = due(state) if state.clock.round else []
    return (*(_lost(state, one) for one in state.lost), *rows, *(_due(state, who) for who in waiting))


@derives("initiative.highest-first")
def _lost(state: NamelessState, one: Lost) -> Entry:
    because = order_because(state, one.combatant) + Because(_lost.rules, (one.seq,))
    return Entry(one.point, one.combatant, "lost", because, action="turn")


def _turn(state: NamelessState, turn: Turn) -> Entry:
    """Return the row of a turn: begun while it lasts, then done."""
    lasts = turn.seq == state.turn_seq and not turn.ended
    events = tuple(seq for seq in (turn.seq, turn.ended) if seq)
    return Entry(
        point=turn.point,
        combatant=turn.combatant,
        status="begun" if lasts else "done",
        because=Because(turn_begins.rules, events) + order_because(state, turn.combatant),
        action="turn",
        events=(turn.seq,),
        order=(turn.point.turn, 0, turn.seq),
    )


def _act(state: NamelessState, act: Act) -> Entry:
    """Return the row of an act: done as it is recorded, or spoiled by a Counterspell."""
    counter = state.spoiled.get(act.seq)
    because = Because((*RULES.get(act.action.kind.casefold(), ()), *act_is_paid.rules), (act.seq,))
    if counter:
        because += Because(spell_is_countered.rules, (counter,), state.chosen("countered-spell"))
    return Entry(
        point=act.point,
        combatant=act.combatant,
        status="spoiled" if counter else "done",
        because=because,
        action=act.action.kind,
        name=act.action.name,
        cost=act.cost,
        events=(act.seq,),
        order=(act.point.turn, 1, act.row),
    )


def _stretch(one: Stretch) -> Entry:
    return Entry(
        point=one.point,
        combatant=one.combatant,
        status="done",
        because=Because(left_in.rules, (one.seq,)),
        action="move",
        name=f"{one.mode} {one.feet} ft",
        cost="movement" if one.counts else "none",
        events=(one.seq,),
        order=(one.point.turn, 1, one.row),
    )


def _due(state: NamelessState, who: str) -> Entry:
    because = order_because(state, who) + Because(spot.rules if who in state.first_rounds else ())
    return Entry(Point(state.clock.round), who, "due", because, action="turn")


def budget(state: NamelessState, one: Combatant) -> dict[str, Any]:
    """Return what somebody has left: of each resource, and in feet by mode."""
    on_turn = {resource: left(state, one, resource) for resource in ON_TURN}
    feet = {mode: left_in(state, one, mode) for mode in modes(state, one)}
    return {**on_turn, REACTION: reactions_left(state, one), **feet}


def casting(_state: NamelessState, _one: Combatant) -> Entry | None:
    """Return nothing: here a spell is cast as it is recorded."""
    return None


def concentration(_state: NamelessState, one: Combatant) -> tuple[str, Because]:
    """Return nothing: this text knows no concentration."""
    return "", Because(ends.rules, (one.joined,))
