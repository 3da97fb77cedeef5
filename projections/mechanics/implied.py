"""Implied causes: the certain cause of an outcome that names none; nothing where no cause is certain.

The candidates are the acts, rolls and effects of the present turn (of the round, where there are no turns). A candidate fits if it
touched the combatants of the outcome, if its actor is the `source` of the outcome, and if it can bring such an outcome about: an attack
roll belongs to an act of its combatant; damage to a hit, a save, or an act without a roll at the target. Words, movement, a miss, a
failure and a lost contest bring about nothing, and a running effect may have done it as well. A candidate that has had such an outcome
can have another one only in the same append. The only candidate that fits is the cause if the outcome names its actor or was appended
together with it. Where two fit, neither is the cause.
"""

from __future__ import annotations

from collections.abc import Callable, Collection, Mapping
from typing import Any

from eventstore.events import (
    ActionTaken,
    AttackRolled,
    ConditionGained,
    ContestRolled,
    DamageDealt,
    DiceRolled,
    EffectStarted,
    Fact,
    Healed,
    SaveRolled,
)
from projections.mechanics.candidates import (
    BRINGS_ABOUT,
    ON_ONESELF,
    OWN,
    Candidate,
    TurnFacts,
    is_called,
    line_of,
    marks_of,
    take_in,
    whom_about,
)
from projections.occurrence import Occurrence

SPEECH = ("talk", "speak")
"""The kinds of action that are words alone."""
MOVEMENT = ("move", "flee", "step")
"""The kinds of action that are movement alone: they neither hurt nor heal."""

Idle = Callable[[Occurrence[Fact]], bool]
"""Whether an act or a roll brings nothing about by the rules of a game; a stated miss never does."""


def implied(
    turn: TurnFacts,
    fact: Occurrence[Fact],
    before: tuple[int, ...],
    struck_by: Mapping[int, int],
    idle: Idle,
    running: Collection[int] = (),
) -> int:
    """Return the record that certainly caused an outcome without a recorded cause.

    If no cause is certain, it is the last possible one as a number below 0, and 0 if none is possible. `before` is the record right
    before the outcome in its append, if there is one, with its chain of causes. `struck_by` maps struck records to their strikes; a
    record that was struck only after the outcome is a candidate. `running` are the effects on the target, of the source or of an
    unknown one, that may have such an outcome.
    """
    for each in turn.waiting:
        take_in(turn, each)
    turn.waiting.clear()
    possible = [
        each
        for each in _candidates(turn, fact.event)
        if struck_by.get(each.fact.seq, fact.seq) >= fact.seq and _is_possible(turn, each, fact, idle)
    ]
    found = _fitting(turn, possible, fact.event, before, running)
    if len(found) != 1 or not (_goes_on(turn, found[0], before) or _names_its_actor(fact.event)):
        return -possible[-1].fact.seq if possible else 0
    return found[0].fact.seq


def _fitting(
    turn: TurnFacts, possible: list[Candidate], event: Fact, before: tuple[int, ...], running: Collection[int]
) -> list[Candidate]:
    """Return the possible candidates that fit an outcome, without those of another append where a running effect may be its cause.

    Of several acts with the name of an effect without a source only the nearest one before it fits.
    """
    found = [each for each in possible if _fits(turn, each, event, before)]
    if any(seq not in turn.candidates for seq in running):
        found = [each for each in found if _goes_on(turn, each, before)]
    if isinstance(event, EffectStarted) and event.source is None:
        return _nearest(turn, found, before)
    return found


def _candidates(turn: TurnFacts, event: Fact) -> list[Candidate]:
    """Return the candidates of the source of an effect, else those of the first combatant whom an outcome is about.

    For an effect that names nobody they are all candidates; the one that fits has its name.
    """
    whom = (event.source,) if isinstance(event, EffectStarted) and event.source else whom_about(event)
    if not whom:
        return list(dict.fromkeys(turn.candidates.values())) if isinstance(event, EffectStarted) else []
    return turn.of.get(whom[0], [])


def _goes_on(turn: TurnFacts, each: Candidate, before: tuple[int, ...]) -> bool:
    """Say whether the fact right before belongs to the same deed as a candidate."""
    return any(one.fact.seq in before for one in line_of(turn, each.fact.seq))


def _nearest(turn: TurnFacts, those: list[Candidate], before: tuple[int, ...]) -> list[Candidate]:
    """Return the candidates that the record right before belongs to; if there are none, those of the cause of that record, and so on."""
    for seq in before:
        if near := [each for each in those if _goes_on(turn, each, (seq,))]:
            return near
    return []


def _names_its_actor(event: Fact) -> bool:
    """Say whether an outcome names its actor; one that fits has the same."""
    return isinstance(event, AttackRolled | ContestRolled) or getattr(event, "source", None) is not None


# ---------------------------------------------------------------- what fits


def _is_possible(turn: TurnFacts, each: Candidate, fact: Occurrence[Fact], idle: Idle) -> bool:
    """Say whether a candidate can have brought about an outcome at all, for all whom it is about."""
    event, origin = fact.event, each.fact.event
    if each.ended or not isinstance(origin, BRINGS_ABOUT[type(event)]):
        return False
    if not (isinstance(event, EffectStarted) or each.fact.point == fact.point or _is_ahead(turn, each, fact)):
        return False  # only an effect comes later than its act
    if isinstance(event, OWN):
        return event.combatant in each.actors and _aims_at(origin, event)
    if has_failed(each, event) or idle(each.fact):
        return False
    if isinstance(event, ContestRolled):
        return _is_contest_of(turn, each, event)
    by = getattr(event, "source", None) in (None, *each.actors)
    return by and (_touches(each, event, whom_about(event)) or _is_effect_of(each, fact))


def _is_ahead(turn: TurnFacts, each: Candidate, fact: Occurrence[Fact]) -> bool:
    """Say whether the outcome gives no moment of its own, and the clock has not moved since the candidate."""
    return not fact.own and each.fact.seq > turn.reached


def _fits(turn: TurnFacts, each: Candidate, event: Fact, before: tuple[int, ...]) -> bool:
    """Say whether a possible candidate fits: it has not had its outcome, and nothing else stands for it."""
    if each.brought & marks_of(event) and not _goes_on(turn, each, before):
        return False
    if isinstance(event, OWN):
        is_next = each is _last_act(turn, event.combatant) or _goes_on(turn, each, before)
        return is_next and not _is_with_another_weapon(each.fact.event, event)
    whom = whom_about(event)
    if isinstance(each.fact.event, ActionTaken) and any((who, to) in turn.stray for who in each.actors for to in whom):
        return False  # a roll at them may be that of this act
    return not each.superseded.intersection(whom) and not _is_of_another_name(each.fact.event, event)


def has_failed(each: Candidate, event: Fact) -> bool:
    """Say whether a candidate brings no such thing about as it is recorded: words, a miss, a failure, a contest lost, a save made.

    A save that was made may still leave damage; dice for a purpose of their own are those of no outcome.
    """
    match origin := each.fact.event:
        case ActionTaken():
            harmless = SPEECH + MOVEMENT if isinstance(event, DamageDealt | Healed) else SPEECH
            return origin.succeeded is False or origin.action.kind in harmless
        case ContestRolled():
            won = origin.winner or _highest(origin)
            return bool(won) and won not in each.actors
        case SaveRolled():
            spared = origin.succeeded is True and isinstance(event, ConditionGained | EffectStarted)
            return spared or bool(origin.purpose and not each.fact.cause)
        case DiceRolled():
            return bool(origin.purpose and not each.fact.cause) or (
                origin.succeeded is False and isinstance(event, Healed)
            )
    return is_stated_miss(origin)


def _highest(event: ContestRolled) -> str:
    """Return who rolled highest by the totals; "" where not all are stated, or two are level."""
    totals = [one.total for one in event.contenders if one.total is not None]
    best = [one.combatant for one in event.contenders if one.total == max(totals, default=None)]
    return best[0] if len(best) == 1 and len(totals) == len(event.contenders) else ""


def is_stated_miss(event: Fact) -> bool:
    """Say whether an attack roll says itself that it misses."""
    if not isinstance(event, AttackRolled) or event.hit:
        return False
    short = event.total is not None and event.ac is not None and event.total < event.ac
    return event.hit is False or event.foiled or short


def _last_act(turn: TurnFacts, who: Any) -> Candidate | None:
    """Return the last act of a combatant in the turn; later rolls of the combatant may belong to it."""
    own = (each for each in reversed(turn.of.get(who, [])) if who in each.actors)
    return next((each for each in own if isinstance(each.fact.event, ActionTaken)), None)


def _aims_at(origin: Any, event: object) -> bool:
    """Say whether an act can have this roll: no act has dice for a purpose of their own.

    One without targets is an attack, or with the weapon that the roll names.
    """
    if origin.action.kind in SPEECH:
        return False
    if not isinstance(event, AttackRolled):
        purpose = getattr(event, "purpose", None)
        return purpose is None or is_called(origin, purpose)
    if origin.action.targets and event.target:
        return event.target in origin.action.targets
    return origin.action.kind == "attack" or (event.name is not None and is_called(origin, event.name))


def _is_with_another_weapon(act: Any, event: object) -> bool:
    """Say whether a roll names another weapon than its act, which may be one of several."""
    name: Any = getattr(event, "name", None)
    return bool(name and act.action.name) and not is_called(act, name)


def _is_contest_of(turn: TurnFacts, each: Candidate, event: ContestRolled) -> bool:
    """Say whether a contest is about the act of a candidate, which one of those who roll did to another."""
    acts = [one.fact.event for one in line_of(turn, each.fact.seq) if isinstance(one.fact.event, ActionTaken)]
    if event.about and not any(is_called(act, event.about) or act.action.kind == event.about for act in acts):
        return False
    those = {one.combatant for one in event.contenders}
    return bool(those.intersection(each.touched)) and bool(those.intersection(each.actors))


def _touches(each: Candidate, event: Any, whom: tuple[str, ...]) -> bool:
    """Say whether a candidate touched all of these combatants, and can have such an outcome."""
    origin = each.fact.event
    if isinstance(origin, ActionTaken):
        if isinstance(event, Healed) and origin.action.kind == "attack":
            return False
        if not whom:
            return is_called(origin, event.effect)
        if not origin.action.targets and not isinstance(event, ON_ONESELF):
            return False
    return bool(whom) and all(who in each.touched for who in whom)


def _is_effect_of(each: Candidate, fact: Occurrence[Fact]) -> bool:
    """Say whether an effect can be that of an act without targets: of its name, or done otherwise at the same moment."""
    event, origin = fact.event, each.fact.event
    if not isinstance(event, EffectStarted) or not isinstance(origin, ActionTaken) or origin.action.targets:
        return False
    return is_called(origin, event.effect) or (origin.action.kind == "other" and each.fact.point == fact.point)


def _is_of_another_name(origin: object, event: Any) -> bool:
    """Say whether an effect has another name than an act: whether it comes of that is not certain."""
    effect = isinstance(event, EffectStarted) and isinstance(origin, ActionTaken)
    return effect and not is_called(origin, event.effect)


__all__ = ["BRINGS_ABOUT", "implied", "is_stated_miss"]
