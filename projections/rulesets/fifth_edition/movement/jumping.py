"""Long and high jumps."""

from __future__ import annotations

from collections.abc import Iterator
from itertools import takewhile

from projections.rulesets.faults import Fault
from projections.rulesets.fifth_edition import figures
from projections.rulesets.fifth_edition.shapes import Stretch
from projections.rulesets.fifth_edition.state import FifthState
from projections.state import Combatant

RUN = 10
"""The feet of a running start; a walk of unknown length may be one."""


def jumped_too_far(state: FifthState, one: Combatant, stride: Stretch) -> Iterator[Fault]:
    """Yield that a jump goes farther than Strength allows."""
    strength = figures.score(one, "strength")
    if stride.mode not in ("long-jump", "high-jump") or strength is None:
        return
    strides = state.strides.get(one.id, ())
    before = [*takewhile(lambda each: each.mode == "walk", reversed(strides))]
    run = sum(each.feet if each.recorded else RUN for each in before)
    best = strength if stride.mode == "long-jump" else max(0, 3 + (strength - 10) // 2)
    most = best if run >= RUN else best // 2
    if stride.feet > most:
        why = (*one.records("abilities"), *(each.seq for each in before if most > best // 2))
        yield Fault(("move.jump",), f"{one.id} jumps {most} feet at most", str(most), str(stride.feet), why)
