"""Cover."""

from __future__ import annotations

from collections.abc import Iterator
from typing import Any

from eventstore.events import AttackRolled, EffectStarted, SaveRolled
from eventstore.shapes import Aim
from projections.occurrence import Occurrence
from projections.rulesets.faults import Fault
from projections.rulesets.fifth_edition.rolls.totals import named
from projections.rulesets.fifth_edition.shapes import Deed
from projections.rulesets.fifth_edition.state import FifthState
from projections.rulesets.fifth_edition.table import COVERS
from projections.rulesets.ruleset import Breach, check, derives


def aims_of(state: FifthState, deed: Deed | None) -> tuple[Aim, ...]:
    """Return the lines of the effect that an act began."""
    if deed is None:
        return ()
    return tuple(aim for seq in state.aimed.get(deed.seq, ()) for aim in state.begun[seq].aim)


@derives("cover.bonus")
def cover_of(state: FifthState, event: AttackRolled, deed: Deed | None) -> int:
    """Return what cover adds to the AC of a target: the best one that a modifier or an aim names."""
    stated = [adds(each.name) for each in event.modifiers]
    aims = [each.cover for each in aims_of(state, deed) if each.target in (None, event.target)]
    stated += [row.ac for each in aims for row in COVERS.values() if each is not None and each >= row.percent]
    return max(stated, default=0)


@derives("cover.total", "cover.bonus", on=EffectStarted)
def effect_is_aimed(state: FifthState, fact: Occurrence[EffectStarted]) -> None:
    """Keep the record of an effect, and its act."""
    state.begun[fact.seq] = fact.event
    state.aimed.setdefault(fact.cause, []).append(fact.seq)


def adds(name: str) -> int:
    """Return what a kind of cover adds to the AC; 0 for any other name."""
    row = COVERS.get(name.casefold())
    return row.ac if row else 0


def wrong_cover(fact: Occurrence[AttackRolled] | Occurrence[SaveRolled]) -> Iterator[Fault]:
    """Yield that cover adds a wrong amount, or that two kinds of cover are added up."""
    stated = [each for each in fact.event.modifiers if adds(each.name)]
    for each in stated:
        most = adds(each.name)
        if abs(each.amount) != most:
            yield Fault(("cover.bonus",), f"{each.name} gives {most}", str(most), str(each.amount))
    if len({each.name.casefold() for each in stated}) > 1:
        yield Fault(("cover.bonus",), "only the most protective cover counts", "5", str(sum(e.amount for e in stated)))


@check("cover.total", on=(AttackRolled, EffectStarted))
def nothing_reaches_behind_total_cover(_state: FifthState, fact: Occurrence[Any]) -> Breach | None:
    event = fact.event
    if isinstance(event, AttackRolled):
        wrong = bool(named(event.modifiers, "total cover"))
        return Breach(f"{event.target} is behind total cover", "no attack", "one") if wrong else None
    if len(event.targets) != 1:
        return None
    wrong = any((aim.line or "").casefold() == "blocked" and aim.target in (None, *event.targets) for aim in event.aim)
    return Breach(f"the line to {event.targets[0]} is blocked", "a clear path", "none") if wrong else None
