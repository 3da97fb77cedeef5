"""Candidates: the acts, rolls and effects of the present turn that can have caused an outcome, and whom they touched."""

from __future__ import annotations

from collections.abc import Callable, Iterable, Iterator

from msgspec import Struct

from eventstore import events
from eventstore.events import ActionTaken, AttackRolled, ContestRolled, DamageDealt, EffectStarted, Fact, Healed
from projections.occurrence import Occurrence
from projections.time import Point

ORIGINS = (ActionTaken, AttackRolled, events.SaveRolled, ContestRolled, events.DiceRolled, EffectStarted)
"""The types of facts that can be an implied cause: acts, rolls, effects."""
BRINGS_ABOUT: dict[type[Fact], tuple[type[Fact], ...]] = {
    AttackRolled: (ActionTaken,),
    events.SaveRolled: (ActionTaken, AttackRolled, ContestRolled, EffectStarted),
    ContestRolled: (ActionTaken, AttackRolled),
    events.DiceRolled: (ActionTaken,),
    DamageDealt: (ActionTaken, AttackRolled, events.SaveRolled, ContestRolled, EffectStarted),
    Healed: (ActionTaken, events.SaveRolled, events.DiceRolled, EffectStarted),
    events.ResourceChanged: (ActionTaken,),
    EffectStarted: (ActionTaken, AttackRolled, events.SaveRolled, ContestRolled),
    events.EffectEnded: (ActionTaken, events.SaveRolled, ContestRolled),
    events.ConditionGained: ORIGINS,
    events.ConditionLost: ORIGINS,
}
"""The types of outcomes, each with the types of facts that can bring it about."""

OWN = (AttackRolled, events.DiceRolled, events.ResourceChanged)
"""The outcomes that belong to an act of their own combatant."""
ON_ONESELF = (Healed, EffectStarted, events.ConditionGained, events.ConditionLost)
"""The outcomes that an act without targets can have for its own combatant."""


class Candidate(Struct, gc=False, eq=False):
    """A fact that can be a cause."""

    fact: Occurrence[Fact]
    actors: tuple[str, ...]
    """The combatants who did it."""
    touched: tuple[str, ...]
    """The combatants it was done to."""
    followers: list[Candidate] = []
    """The candidates that it caused."""
    brought: set[tuple[type[Fact], str | None]] = set()
    """The outcomes that it has had, by type and combatant."""
    superseded: set[str] = set()
    """The combatants for whom a roll or an effect of this candidate stands in its place."""
    ended: bool = False
    """Whether it was abandoned, is over, or was a charge that ended in an attack."""


class Pool(Struct):
    """The possible causes of outcomes of one kind for the same combatants, so that each outcome looks at these alone."""

    possible: list[Candidate] = []
    """Those that are not ruled out for good."""
    fresh: list[Candidate] = []
    """Those of them that may still fit, though the outcome does not go on with them."""
    seen: int = 0
    """How many of the candidates were looked at."""
    reached: int = 0
    """The record that had brought the clock to where it was then."""
    past: dict[Point, Pool] = {}
    """Those of moments before that, which only an outcome at their own moment can have as its cause."""


class TurnFacts(Struct):
    """The facts of the present turn that decide on implied causes."""

    began: int = 0
    """The record that began the turn."""
    reached: int = 0
    """The record that brought the clock to where it is; 0 if it has not moved."""
    waiting: list[Occurrence[Fact]] = []
    """The facts that become candidates when an outcome has no recorded cause."""
    candidates: dict[int, Candidate] = {}
    """The candidates, by record."""
    of: dict[str, list[Candidate]] = {}
    """The candidates, by combatant; all of them under ""."""
    acts: dict[str, Candidate] = {}
    """The last act of each combatant; later rolls of the combatant may belong to it."""
    charges: dict[str, list[Candidate]] = {}
    """The charges that no attack has ended, by combatant."""
    effects: dict[str, list[Candidate]] = {}
    """The effects among the candidates, by combatant; all of them under ""."""
    pools: dict[tuple[object, ...], Pool] = {}
    """The candidates for outcomes, by what decides whether one is possible."""
    stray: set[tuple[str, str | None]] = set()
    """The attack rolls without a cause, by attacker and target."""


def add_fact(turn: TurnFacts, fact: Occurrence[Fact]) -> None:
    """Take in a fact of the turn; a struck one counts like any other."""
    event = fact.event
    behind = list(cause_chain(turn, fact.cause))
    if isinstance(event, AttackRolled) and not fact.cause:
        turn.stray.add((event.combatant, event.target))
    for each in (*behind, *caused_candidates(behind[:1])):
        each.brought |= cause_marks(event)
    if isinstance(event, ActionTaken) and fact.kind == "attack":
        for charge in turn.charges.pop(event.combatant, ()):  # that attack is the end of it
            charge.ended = True
    if isinstance(event, ORIGINS):
        _add(turn, fact, behind)
    elif isinstance(event, events.ActionAbandoned):
        _end_candidates(turn.of.get(event.combatant, []), lambda each: _is_given_up(each, event))
    elif isinstance(event, events.EffectEnded):
        for who in event.targets or ("",):
            _end_candidates(turn.effects.get(who, []), lambda each: _is_over(each, event))


def cause_chain(turn: TurnFacts, seq: int) -> Iterator[Candidate]:
    """Yield a candidate, the one that it follows from, and so on; a cycle ends where it closes."""
    seen: set[int] = set()
    while (each := turn.candidates.get(seq)) and seq not in seen:
        seen.add(seq)
        yield each
        seq = each.fact.cause


def caused_candidates(those: Iterable[Candidate]) -> Iterator[Candidate]:
    """Yield the candidates that these caused, those that they caused, and so on, each once."""
    seen, waiting = set[Candidate](), [*those]
    while waiting:
        for each in waiting.pop().followers:
            if each not in seen:
                seen.add(each)
                waiting.append(each)
                yield each


def _add(turn: TurnFacts, fact: Occurrence[Fact], behind: list[Candidate]) -> None:
    """Add a candidate, which from now on stands for those that it follows from, for whom it touched."""
    confirms = fact.event.confirms if isinstance(fact.event, AttackRolled) else None
    confirmed = turn.candidates.get(confirms or 0)
    if confirmed:  # the roll that it confirms stands for both
        turn.candidates[fact.seq] = confirmed
        return
    actors, touched = _actors(fact.event, behind), _touched_combatants(fact.event, behind)
    one = Candidate(fact, actors, touched)
    turn.candidates[fact.seq] = one
    for who in {"", *actors, *touched}:
        turn.of.setdefault(who, []).append(one)
        if isinstance(fact.event, EffectStarted):
            turn.effects.setdefault(who, []).append(one)
    if isinstance(fact.event, ActionTaken):
        turn.acts[fact.event.combatant] = one
        if fact.kind == "charge":
            turn.charges.setdefault(fact.event.combatant, []).append(one)
    for each in behind:
        each.superseded.update(touched)
    if behind:
        behind[0].followers.append(one)


def _actors(event: Fact, behind: list[Candidate]) -> tuple[str, ...]:
    """Return who acts: the combatant whom the fact names; for a save or a contest, the actors of the act behind it."""
    match event:
        case ActionTaken() | AttackRolled():
            return (event.combatant,)
        case EffectStarted(source=str(source)):
            return (source,)
    if behind:
        return behind[0].actors
    return subjects(event) if isinstance(event, (ContestRolled, events.DiceRolled)) else ()


def _touched_combatants(event: Fact, behind: list[Candidate]) -> tuple[str, ...]:
    """Return whom a fact was done to; an attack roll without a target was rolled at those whom its act touched."""
    match event:
        case ActionTaken():
            return event.action.targets or (event.combatant,)
        case AttackRolled():
            return (event.target,) if event.target else behind[0].touched if behind else ()
    return subjects(event)


def subjects(event: Fact) -> tuple[str, ...]:
    """Return the combatants of an outcome: the ones touched, or for a roll the ones who roll."""
    if isinstance(event, (DamageDealt, Healed)):
        return (event.target,)
    if isinstance(event, ContestRolled):
        return tuple(one.combatant for one in event.contenders)
    who: str | None = getattr(event, "combatant", None)
    targets: tuple[str, ...] = getattr(event, "targets", ())
    return targets if who is None else (who,)


def cause_marks(event: Fact) -> set[tuple[type[Fact], str | None]]:
    """Return the marks of an outcome on its cause: its type, with each combatant whom it is about."""
    whom = (event.target,) if isinstance(event, AttackRolled) else subjects(event)
    return {(type(event), who) for who in whom}


def has_action_name(act: ActionTaken, name: str) -> bool:
    """Say whether the action of an act has this name, or this kind if it has no name."""
    return (act.action.name or act.action.kind).casefold() == name.casefold()


def _end_candidates(those: list[Candidate], over: Callable[[Candidate], bool]) -> None:
    for each in those:
        each.ended = each.ended or over(each)


def _is_given_up(each: Candidate, event: events.ActionAbandoned) -> bool:
    origin = each.fact.event
    if not isinstance(origin, ActionTaken) or origin.combatant != event.combatant:
        return False
    return event.name is None or has_action_name(origin, event.name)


def _is_over(each: Candidate, event: events.EffectEnded) -> bool:
    origin = each.fact.event
    if not isinstance(origin, EffectStarted):
        return False
    return origin.effect.casefold() == event.effect.casefold() and event.source in (None, origin.source)
