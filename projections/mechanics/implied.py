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

from eventstore import events
from eventstore.events import ActionTaken, AttackRolled, ContestRolled, DamageDealt, EffectStarted, Fact, Healed
from projections.mechanics import candidates
from projections.mechanics.candidates import OWN, Candidate, Pool, TurnFacts, has_action_name, subjects
from projections.occurrence import Occurrence

SPEECH = ("talk", "speak")
"""The kinds of action that are words alone."""
MOVEMENT = ("move", "flee", "step")
"""The kinds of action that are movement alone: they neither hurt nor heal."""

Idle = Callable[[Occurrence[Fact]], bool]
"""Whether an act or a roll brings nothing about by the rules of a game; a stated miss never does."""


def implied_cause(
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
        candidates.add_fact(turn, each)
    turn.waiting.clear()
    who, event = _candidate_key(fact.event), fact.event
    pools = _candidate_pools(turn, who, fact) if who is not None else ()

    def is_possible(each: Candidate) -> bool:
        return struck_by.get(each.fact.seq, fact.seq) >= fact.seq and _is_possible(turn, each, fact, idle)

    last = next((each for pool in pools for each in reversed(pool.possible) if is_possible(each)), None)
    if last is None:
        return 0
    found = _fitting_candidates(turn, who or "", pools, event, before, running, is_possible)
    names_actor = isinstance(event, (AttackRolled, ContestRolled)) or getattr(event, "source", None) is not None
    if len(found) != 1 or not (names_actor or _is_continued(turn, found[0], before)):
        return -last.fact.seq
    return found[0].fact.seq


def _candidate_key(event: Fact) -> str | None:
    """Return the key of the candidates for an outcome: the source of an effect, else the first combatant whom it is about.

    An effect that names nobody has "": all candidates; any other outcome that names nobody has None.
    """
    whom = (event.source,) if isinstance(event, EffectStarted) and event.source else subjects(event)
    return whom[0] if whom else "" if isinstance(event, EffectStarted) else None


def _candidate_pools(turn: TurnFacts, who: str, fact: Occurrence[Fact]) -> tuple[Pool, ...]:
    """Return the candidates that outcomes like this one can have as their cause, the later ones first, and take in those that are new."""
    event = fact.event
    named = (getattr(event, name, None) for name in ("target", "source", "effect", "name", "purpose"))
    pool = turn.pools.setdefault((type(event), who, subjects(event), *named), Pool())
    those = turn.of.get(who, [])
    if len(those) > pool.seen:
        found = [each for each in those[pool.seen :] if _is_thinkable(each, event)]
        pool.seen = len(those)
        pool.possible += found
        pool.fresh += found
    if pool.reached != turn.reached and not isinstance(event, EffectStarted):
        _set_apart_earlier(pool, turn.reached)
    past = pool.past.get(fact.point)
    pools = (pool, past) if past else (pool,)
    for each in pools:
        while each.possible and each.possible[-1].ended:
            each.possible.pop()
    return pools


def _set_apart_earlier(pool: Pool, reached: int) -> None:
    """Set apart the candidates that come before the record which brought the clock to where it is."""
    pool.reached = reached
    for each in pool.possible:
        if each.fact.seq <= reached:
            pool.past.setdefault(each.fact.point, Pool()).possible.append(each)
    for each in pool.fresh:
        if each.fact.seq <= reached:
            pool.past[each.fact.point].fresh.append(each)
    pool.possible = [each for each in pool.possible if each.fact.seq > reached]
    pool.fresh = [each for each in pool.fresh if each.fact.seq > reached]


def _fitting_candidates(
    turn: TurnFacts,
    who: str,
    pools: tuple[Pool, ...],
    event: Fact,
    before: tuple[int, ...],
    running: Collection[int],
    is_possible: Callable[[Candidate], bool],
) -> list[Candidate]:
    """Return the possible candidates that fit an outcome, at most two that it does not go on with.

    Where a running effect may be its cause, and for an effect without a source, it must go on with them; of several
    acts with the name of an effect without a source only the nearest one before it fits.
    """
    same = dict.fromkeys(each for seq in before if (each := turn.candidates.get(seq)))
    with_caused = dict.fromkeys((*same, *candidates.caused_candidates(same)))
    deed = [each for each in with_caused if _is_continued(turn, each, before)]
    own = (each for each in deed if not who or who in (*each.actors, *each.touched))
    found = [each for each in own if is_possible(each) and _fits(turn, each, event, before)]
    if isinstance(event, EffectStarted) and event.source is None:
        by_record = ([each for each in found if _is_continued(turn, each, (seq,))] for seq in before)
        return next(filter(None, by_record), [])
    if any(seq not in turn.candidates for seq in running):
        return found
    for pool in pools:
        looked_at: list[Candidate] = []
        while pool.fresh and len(found) < 2:
            each = pool.fresh.pop()
            if not _is_spent(turn, each, event):
                looked_at.append(each)
                if each not in found and is_possible(each) and _fits(turn, each, event, before):
                    found.append(each)
        pool.fresh += reversed(looked_at)
    return found


def _is_continued(turn: TurnFacts, each: Candidate, before: tuple[int, ...]) -> bool:
    return any(one.fact.seq in before for one in candidates.cause_chain(turn, each.fact.seq))


# ---------------------------------------------------------------- what fits


def _is_possible(turn: TurnFacts, each: Candidate, fact: Occurrence[Fact], idle: Idle) -> bool:
    """Say whether a candidate can have brought about an outcome at all, for all whom it is about."""
    event, is_ahead = fact.event, not fact.own and each.fact.seq > turn.reached
    if not (isinstance(event, EffectStarted) or each.fact.point == fact.point or is_ahead):
        return False  # only an effect comes later than its act
    if each.ended or not _is_thinkable(each, event) or (not isinstance(event, OWN) and idle(each.fact)):
        return False
    if isinstance(event, ContestRolled):
        return _is_contest_of(turn, each, event)
    if not isinstance(event, EffectStarted):
        return True
    by = event.source in (None, *each.actors)
    return by and (_touches(each, event, event.targets) or _is_effect_of(each, fact))


def _is_thinkable(each: Candidate, event: Fact) -> bool:
    """Say whether a candidate could ever have brought about an outcome like this; no later fact changes that."""
    origin = each.fact.event
    if not isinstance(origin, candidates.BRINGS_ABOUT[type(event)]):
        return False
    if isinstance(event, OWN):
        return event.combatant in each.actors and _aims_at(origin, event)
    if has_failed(each, event):
        return False
    if isinstance(event, (ContestRolled, EffectStarted)):
        return True
    return getattr(event, "source", None) in (None, *each.actors) and _touches(each, event, subjects(event))


def _is_spent(turn: TurnFacts, each: Candidate, event: Fact) -> bool:
    """Say whether a candidate never fits again, unless an outcome goes on with it."""
    if each.ended or _is_of_another_name(each.fact.event, event) or each.brought & candidates.cause_marks(event):
        return True
    if isinstance(event, OWN):
        return each is not turn.acts.get(event.combatant or "")
    return bool(each.superseded.intersection(subjects(event)))


def _fits(turn: TurnFacts, each: Candidate, event: Fact, before: tuple[int, ...]) -> bool:
    """Say whether a possible candidate fits: it has not had its outcome, and nothing else stands for it."""
    if each.brought & candidates.cause_marks(event) and not _is_continued(turn, each, before):
        return False
    if isinstance(event, OWN):
        is_next = each is turn.acts.get(event.combatant or "") or _is_continued(turn, each, before)
        return is_next and not _is_with_another_weapon(each.fact.event, event)
    whom = subjects(event)
    if isinstance(each.fact.event, ActionTaken) and any((who, to) in turn.stray for who in each.actors for to in whom):
        return False  # a roll at them may be that of this act
    return not each.superseded.intersection(whom) and not _is_of_another_name(each.fact.event, event)


def has_failed(each: Candidate, event: Fact) -> bool:
    """Say whether a candidate, as recorded, brings no such outcome about: words, a miss, a failure, a lost contest, a
    save made.

    Damage may still follow a save that was made; dice with a purpose of their own have no outcome.
    """
    match origin := each.fact.event:
        case ActionTaken():
            harmless = SPEECH + MOVEMENT if isinstance(event, (DamageDealt, Healed)) else SPEECH
            return origin.succeeded is False or each.fact.kind in harmless
        case ContestRolled():
            won = origin.winner or _highest(origin)
            return bool(won) and won not in each.actors
        case events.SaveRolled():
            spared = origin.succeeded is True and isinstance(event, events.ConditionGained | EffectStarted)
            return spared or bool(origin.purpose and not each.fact.cause)
        case events.DiceRolled():
            has_no_outcome = bool(origin.purpose and not each.fact.cause)
            return has_no_outcome or (origin.succeeded is False and isinstance(event, Healed))
    return is_stated_miss(origin)


def _highest(event: ContestRolled) -> str:
    """Return the combatant with the highest total; "" if a total is missing, or the highest are equal."""
    totals = [one.total for one in event.contenders if one.total is not None]
    best = [one.combatant for one in event.contenders if one.total == max(totals, default=None)]
    return best[0] if len(best) == 1 and len(totals) == len(event.contenders) else ""


def is_stated_miss(event: Fact) -> bool:
    """Say whether an attack roll is recorded as a miss."""
    if not isinstance(event, AttackRolled) or event.hit:
        return False
    short = event.total is not None and event.ac is not None and event.total < event.ac
    return event.hit is False or event.foiled or short


def _aims_at(origin: Fact, event: Fact) -> bool:
    """Say whether a roll can belong to an act; one with a purpose belongs only to an act of that name.

    An attack roll belongs to an act without targets if that is an attack, or has the name of the roll's weapon.
    """
    if not isinstance(origin, ActionTaken) or origin.action.plain_kind in SPEECH:
        return False
    if not isinstance(event, AttackRolled):
        purpose = getattr(event, "purpose", None)
        return purpose is None or has_action_name(origin, purpose)
    if origin.action.targets and event.target:
        return event.target in origin.action.targets
    return origin.action.plain_kind == "attack" or (event.name is not None and has_action_name(origin, event.name))


def _is_with_another_weapon(act: Fact, event: Fact) -> bool:
    """Say whether a roll and its act name different weapons; the act may be one of several."""
    if not (isinstance(act, ActionTaken) and isinstance(event, AttackRolled) and event.name and act.action.name):
        return False
    return not has_action_name(act, event.name)


def _is_contest_of(turn: TurnFacts, each: Candidate, event: ContestRolled) -> bool:
    """Return whether a contest is about a candidate's act, which one of the rolling combatants did to another."""
    chain = (one.fact.event for one in candidates.cause_chain(turn, each.fact.seq))
    acts = [origin for origin in chain if isinstance(origin, ActionTaken)]
    about = event.about or ""
    if about and not any(has_action_name(act, about) or act.action.plain_kind == about.casefold() for act in acts):
        return False
    those = {one.combatant for one in event.contenders}
    return bool(those.intersection(each.touched)) and bool(those.intersection(each.actors))


def _touches(each: Candidate, event: Fact, whom: tuple[str, ...]) -> bool:
    """Say whether a candidate touched all of these combatants, and can have such an outcome."""
    origin = each.fact.event
    if isinstance(origin, ActionTaken):
        if isinstance(event, Healed) and each.fact.kind == "attack":
            return False
        if not whom:
            return isinstance(event, EffectStarted) and has_action_name(origin, event.effect)
        if not origin.action.targets and not isinstance(event, candidates.ON_ONESELF):
            return False
    return bool(whom) and all(who in each.touched for who in whom)


def _is_effect_of(each: Candidate, fact: Occurrence[Fact]) -> bool:
    """Say whether an effect can be that of an act without targets: of its name, or done otherwise at the same moment."""
    event, origin = fact.event, each.fact.event
    if not isinstance(event, EffectStarted) or not isinstance(origin, ActionTaken) or origin.action.targets:
        return False
    return has_action_name(origin, event.effect) or (each.fact.kind == "other" and each.fact.point == fact.point)


def _is_of_another_name(origin: Fact, event: Fact) -> bool:
    """Return whether an effect has another name than an act: whether the act caused it is not certain."""
    if not (isinstance(event, EffectStarted) and isinstance(origin, ActionTaken)):
        return False
    return not has_action_name(origin, event.effect)
