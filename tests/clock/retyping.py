"""Plays typed once more without their clock facts: what each line makes of the clock, against what the record has."""

from collections.abc import Iterator, Sequence
from dataclasses import dataclass
from typing import Any

from eventstore.events import (
    ActionTaken,
    EncounterOpened,
    Fact,
    Moved,
    PhaseReached,
    SegmentReached,
    TurnResumed,
    TurnStarted,
)
from eventstore.record import Recorded
from projections.folds.moves import next_up
from projections.judging.audit import audit
from projections.language.notation import forms
from projections.language.notation.parsing import Parsed, parse
from projections.language.notation.printing import MOST, print_line
from projections.language.notation.records import make_records
from projections.language.notation.table import Table
from projections.proving.plays import Play
from projections.rulesets import find

CLOCK: dict[str, type[Fact]] = {"segment": SegmentReached, "phase": PhaseReached, "turn": TurnStarted}
"""The facts by which the clock moves within a round, by what it goes by."""
ANSWERS = frozenset(
    ("reaction", "interrupt", "opportunity", "counterspell", "immediate", "free-attack", "immediate-attack", "held")
)
"""Costs of acts that have no time of their own, as those with a trigger: they come with what they answer."""


@dataclass(frozen=True)
class Line:
    """A line that was typed where the record stood before `seq`: the verdict, the clock facts of the record, and its own."""

    verdict: str
    typed: str
    seq: int
    wanted: tuple[Fact, ...] = ()
    made: tuple[Fact, ...] = ()
    says: str = ""


def records_of(play: Play) -> list[Recorded]:
    """Return the records of a play."""
    rules = find(play.ruleset)
    first: Any = EncounterOpened(
        format=1, encounter="play", title="", ruleset=rules.key, revision=rules.revision, options=play.options
    )
    told = [(first, False), *((row.event, row.secret) for row in (*play.joined, *play.facts))]
    return [make_records([event], seq, secret=secret)[0] for seq, (event, secret) in enumerate(told, 1)]


def retyped(records: Sequence[Recorded]) -> Iterator[Line]:
    """Yield the lines of a record that are typed for its facts, each judged.

    A clock fact is left out if what follows is an act that it can be about; else it has to be typed, which is no line here.
    """
    before, after = Table(records[:1], script=True), Table(records[:1], script=True)
    kind = CLOCK[forms.of(before.done.state.rules.rules).clock]
    blamed: set[int] = {seq for each in audit(records).findings for seq in (each.event, *each.because)}
    waiting: list[Recorded] = []
    rest = list(records[1:])
    while rest:
        if isinstance(rest[0].event, kind):
            waiting.append(rest[0])
            after.take([rest.pop(0)])
            continue
        line, told = _next_line(after, kind, rest)
        typed = next(
            (n for n in range(len(waiting), 0, -1) if not is_about(before, waiting[n - 1].event, told[0].event)), 0
        )
        before.take(waiting[:typed])
        waiting = waiting[typed:]
        yield _judged(before, after, line, waiting, told, blamed)
        after.take(told)
        before.take([*waiting, *told])
        waiting, rest = [], rest[len(told) :]


def _next_line(table: Table, kind: type[Fact], rest: list[Recorded]) -> tuple[str, list[Recorded]]:
    """Return the line that the grammar prints for the first of these facts, and the facts that it means."""
    run: list[Any] = [each.event for each in rest[:MOST]]
    until = next((place for place, each in enumerate(run) if isinstance(each, kind)), len(run))
    line, count = print_line(table.context, run[:until])
    return line, rest[:count]


def is_about(before: Table, moved: Any, told: Any) -> bool:
    """Say whether a clock fact can be about what is told next: an act, and of a turn one of somebody who has it alone."""
    if not _is_act(told):
        return False
    if not isinstance(moved, TurnStarted):
        return True
    state = before.done.state
    known = told.combatant == moved.combatant and not moved.together and not state.clock.is_turn_of(told.combatant)
    return known and next_up(state) is not None


def _is_act(told: Any) -> bool:
    """Say whether a fact is an act that has a time of its own and does not say it."""
    if getattr(told, "segment", None) is not None or getattr(told, "phase", None) is not None:
        return False
    if isinstance(told, ActionTaken):
        return told.trigger is None and told.action.cost not in ANSWERS
    return isinstance(told, Moved) and not told.forced and not told.cause and told.cost not in ANSWERS


def _is_at_will(before: Table, told: Any) -> bool:
    """Say whether an act follows another of its combatant in a round of OSRIC: from its segment on, the player chooses when it comes."""
    return before.done.state.rules.key == "osric" and bool(
        before.done.state.round.acts_of.get(getattr(told, "combatant", ""))
    )


def _judged(
    before: Table, after: Table, line: str, waiting: list[Recorded], told: list[Recorded], blamed: set[int]
) -> Line:
    """Return what a line makes of the clock where the record stood before those clock facts, judged."""
    parsed = parse(before.context, line)
    wanted: tuple[Any, ...] = tuple(each.event for each in waiting)
    made = tuple(each for each in parsed.facts[: parsed.moved] if isinstance(each, (*CLOCK.values(), TurnResumed)))
    verdict = _verdict(parsed, wanted, made)
    if verdict == "other" and blamed & {each.seq for each in (*waiting, *told)}:
        verdict = "blamed"
    elif verdict == "other" and waiting and (_is_at_will(before, told[0].event) or parse(after.context, line).stays):
        verdict = "later"
    return Line(verdict, line, told[0].seq, wanted, made, parsed.stays)


def _verdict(parsed: Parsed, wanted: tuple[Fact, ...], made: tuple[Fact, ...]) -> str:
    """Judge what a line made of the clock; a turn that was put off is taken up, which a record may call its beginning."""
    if [_begun(each) for each in made[-1:]] == [_begun(each) for each in wanted[-1:]]:
        return "same"
    return "refused" if parsed.stays and not made else "other"


EXCEPTIONS = {
    "vile-darkness, routines.enc, line 141": "the second routine is recorded before the first, which is where the audit finds it"
}
"""Plays that are not typed: how the record has it is wrong, and what is found is found elsewhere."""


def _begun(fact: Fact) -> Fact:
    return TurnStarted(combatant=fact.combatant) if isinstance(fact, TurnResumed) else fact
