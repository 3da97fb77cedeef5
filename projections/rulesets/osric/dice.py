"""Initiative dice: whose are due, what they show, and which are missing."""

from eventstore.events import CombatantJoined, InitiativeRolled
from projections.because import Because, Derived
from projections.mechanics.dues import Due, outstanding, owe, pay
from projections.mechanics.rolls import face
from projections.occurrence import Occurrence
from projections.rulesets.osric.state import OsricState, Out, Rolled
from projections.rulesets.osric.surprise import grants_die
from projections.rulesets.ruleset import derives
from projections.time import Boundary

DIE, FIRST_ACT = "initiative die", "first act"


@derives("initiative.fresh-each-round", at="round opened")
def dice_are_due(state: OsricState, boundary: Boundary) -> None:
    """Let each side owe a die, fresh in each round."""
    state.ruled_order = None
    for side in dict.fromkeys(one.side for one in state.here()):
        owe(state.round.dues, Due(side, DIE, FIRST_ACT, Because(dice_are_due.rules, (boundary.seq,))))


@derives("initiative.d6-each-side", on=CombatantJoined)
def newcomers_owe_a_die(state: OsricState, fact: Occurrence[CombatantJoined]) -> None:
    """Let a side that joins before the first die of a round owe one as well."""
    if not state.round.dice:
        one = state.combatants[fact.event.combatant]
        owe(state.round.dues, Due(one.side, DIE, FIRST_ACT, Because(newcomers_owe_a_die.rules, (fact.seq,))))


def another_die(state: OsricState, side: str) -> Derived[bool]:
    """Return whether a ruling of this round grants a side another initiative die."""
    said = ("initiative of this round", "another initiative die", "second die", "roll again")
    return grants_die(state, "initiative.d6-each-side", side, said)


@derives("initiative.d6-each-side", on=InitiativeRolled)
def die_falls(state: OsricState, fact: Occurrence[InitiativeRolled]) -> None:
    """Keep a side's die of the round; the first one stands unless a ruling grants another."""
    event, dice = fact.event, state.round.dice
    side = side_of(state, event)
    granted = another_die(state, side) if side in dice else None
    if event.die is not None and (granted is None or granted.value):
        state.round.sides.clear()
        pay(state.round.dues, side, DIE)
        dice[side] = Rolled(face(event.die), fact.seq, granted=granted.because.events if granted else ())


def side_of(state: OsricState, event: InitiativeRolled) -> str:
    """Return the side that an initiative die is for; one rolled by a combatant is its side's. "" where nobody is named."""
    one = state.combatants.get(event.combatant or "")
    return event.side or (one.side if one else "")


def owing(state: OsricState) -> list[str]:
    """Return the sides that owe a die in this round."""
    return [due.who for due in outstanding(state.round.dues, FIRST_ACT)]


def missing_dice(state: OsricState) -> list[str]:
    """Return the sides that owe a die and have a combatant who is up."""
    return [
        side for side in owing(state) if any(one.side == side and not fallen(state, one.id) for one in state.here())
    ]


def over(state: OsricState) -> tuple[int, ...]:
    """Return the events that opened and closed the round, or the fight with it; none while it runs."""
    if state.clock.open:
        return (*state.clock.events[:1], state.closed) if state.closed else ()
    return state.clock.events


def missing(state: OsricState) -> tuple[str, ...]:
    """Return in sentences which dice the order still lacks."""
    sides = missing_dice(state) if state.clock.point.round and not over(state) else []
    return (f"no initiative die of {', '.join(sides)} in this round",) if sides else ()


def fallen(state: OsricState, who: str) -> Out | None:
    """Return the running time out of action of a combatant; None where it is up."""
    times = state.outs.get(who, ())
    return times[-1] if times and times[-1].until is None else None
