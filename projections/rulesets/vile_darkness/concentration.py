"""Concentration: who holds it on what, what disturbs it, what ends it, and why."""

from projections.because import Because
from projections.rulesets.ruleset import derives
from projections.rulesets.vile_darkness.state import VileState
from projections.rulesets.vile_darkness.works import under_way
from projections.state import Combatant


@derives("incantation.needs-concentration")
def concentration(state: VileState, one: Combatant) -> tuple[str, Because]:
    """Return what somebody concentrates on: an incantation under way, else an effect that it maintains."""
    casting = [each for each in under_way(state, one.id) if each.kind == "incantation"]
    if casting:
        return casting[-1].name, Because(concentration.rules, (casting[-1].seq,))
    held = [each for each in state.effects.values() if each.concentration and each.source == one.id]
    if held:
        return held[-1].name, Because(concentration.rules, (held[-1].seq,))
    return "", state.released.get(one.id) or Because(concentration.rules, (one.joined,))
