"""How far somebody may go while it maintains an effect."""

from projections.rulesets.ruleset import derives
from projections.rulesets.vile_darkness.state import Act, VileState

WALK = "walk"


def mode_of(act: Act) -> str:
    """Return the mode of a move; without one it walks."""
    return act.action.manner[0].casefold() if act.action.manner else WALK


@derives("concentration.half-move", "concentration.native-fly-swim")
def limit(state: VileState, act: Act) -> float | None:
    """Return how many feet a round somebody may cover in the mode of a move while it maintains an effect.

    That is half of its rate, or all of it in a mode that is native to it; None where nobody said its rate.
    """
    sheet, mode = state.combatants[act.who].sheet, mode_of(act)
    rate = sheet.speeds.get(mode, sheet.speeds.get(WALK))
    if rate is None:
        return None
    native = mode != WALK and mode in {each.casefold() for each in sheet.native_modes}
    return float(rate) if native else rate / 2


def walked(state: VileState, act: Act) -> float:
    """Return how many feet somebody has covered in this mode in the round, up to and with a move."""
    moves = [each for each in state.round.acts_of.get(act.who, ()) if state.precedes(each.seq, act.seq)]
    return float(act.feet + sum(each.feet for each in moves if each.maintains and mode_of(each) == mode_of(act)))
