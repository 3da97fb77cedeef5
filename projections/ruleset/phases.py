"""The phases in which the steps of a ruleset run, for a fact and at a boundary alike.

A step names its phase, and the phases come in the order in which they stand here. Within a phase the order has no
meaning: no step reads what another of its phase writes.
"""

from typing import Literal, get_args

Phase = Literal["reading", "acts", "rolls", "effects", "points", "status", "consequences", "aftermath"]
"""The name of a phase."""

PHASES: dict[Phase, str] = {
    "reading": "what the fact itself says, before anybody acts by it: a place in the order, a square, a weapon in hand",
    "acts": "what is done, and what it costs; the phase of a step that names none",
    "rolls": "what dice decide: a hit, a save, a contest",
    "effects": "the effects and conditions that begin or end, and how long they last",
    "points": "hit points, and what becomes of them beyond the pools of every game",
    "status": "who is up, down, dying or dead after that",
    "consequences": "what ends or opens because of it: concentration, a hold, a chance to strike",
    "aftermath": "what the consequences leave: saves that are owed, debts that lapse, sleepers that wake",
}
"""The phases in their order, each with what belongs there."""

USUAL: Phase = "acts"
"""The phase of a step that names none."""

PLACES: dict[str, int] = {phase: number for number, phase in enumerate(get_args(Phase))}
"""The place of each phase in the order."""
