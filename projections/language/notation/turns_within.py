"""Several actors in one sentence: each acts in a turn of their own, as they would on separate lines."""

import re
from collections.abc import Iterator, Sequence

from msgspec import structs

from eventstore.events import ActionTaken, Fact, Moved, Placed, TurnStarted
from eventstore.record import Recorded
from projections.language.notation import names
from projections.language.notation.line_context import clock_move
from projections.language.notation.parsing import Parsed
from projections.language.notation.records import recorded
from projections.replay.replay import replay, resumed
from projections.ruleset.schedule import ClockMove
from projections.state import State
from projections.stream.corrections import referring


def in_turns(records: Sequence[Recorded], state: State, parsed: Parsed) -> Parsed:
    """Return the meaning of a line, typed after these records, with the turns that begin within it; a blow at a combatant who leaves the attacker's
    reach is an opportunity attack, if the game has those.
    """
    begins = [*_begins(parsed)]
    if not begins or _goes_on(state, parsed, begins):
        return parsed
    beside, facts, places = replay(records), list[Fact](), dict[int, int]()
    stays = [parsed.stays] if parsed.stays else []
    for first, end in zip([0, *begins], [*begins, len(parsed.facts)], strict=True):
        group = list(parsed.facts[first:end])
        if first:
            group[0], move = _moving(beside.state, group[0], facts[-1])
            stays += [move.stays] if move.stays else []
            facts += move.facts
            beside = resumed(beside, recorded(move.facts, beside.records + 1))
        places |= {first + place: len(facts) + place for place in range(len(group))}
        facts += group
        beside = resumed(beside, recorded(group, beside.records + 1))
    old = {new: old for old, new in places.items()}
    whole = tuple(counting_back(fact, new, old.get(new), places) for new, fact in enumerate(facts))
    return structs.replace(parsed, facts=whole, stays="; ".join(dict.fromkeys(stays)))


def _goes_on(state: State, parsed: Parsed, begins: Sequence[int]) -> bool:
    """Say whether the only act that may begin a turn is of whoever has just moved, and the turn is theirs: steps up and strikes."""
    first, *further = begins
    act, clock, before = parsed.facts[first], parsed.facts[: parsed.moved], parsed.facts[parsed.moved : first]
    if further or not isinstance(act, ActionTaken):
        return False
    if not before or not all(isinstance(each, Placed | Moved) and each.combatant == act.combatant for each in before):
        return False
    if clock:
        return isinstance(clock[-1], TurnStarted) and clock[-1].combatant == act.combatant
    _, move = _moving(state, act, before[-1])
    return not (move.facts or move.stays)


def _begins(parsed: Parsed) -> Iterator[int]:
    """Yield the places of acts by another combatant than the act before."""
    actor = ""
    for place, fact in enumerate(parsed.facts):
        if isinstance(fact, ActionTaken):
            if place > parsed.moved and fact.combatant != actor:
                yield place
            actor = fact.combatant


def _moving(state: State, fact: Fact, before: Fact) -> tuple[Fact, ClockMove]:
    """Return an act and the moves of the clock with it; it moves nothing where the act is a reaction to the fact before."""
    move = clock_move(state, fact)
    if not (move.facts or move.stays) or not isinstance(fact, ActionTaken) or fact.action.cost:
        return fact, move
    if not (isinstance(before, Placed) and fact.action.targets == (before.combatant,)):
        return fact, move
    if not is_reach_of(state, before.words or "", fact.combatant):
        return fact, move
    taken = structs.replace(fact, action=structs.replace(fact.action, cost="opportunity"))
    other = clock_move(state, taken)
    return (fact, move) if other.facts or other.stays else (taken, other)


def is_reach_of(state: State, place: str, who: str) -> bool:
    """Return whether a place that is left, such as `leaves bo's reach`, is the reach of a combatant, or of an unnamed one."""
    verb, *words = re.findall(r"[\w-]+(?=['’]s)|[\w-]+", place.casefold()) or [""]
    named = {each for word in words for each in names.combatants(state, word)}
    return "reach" in words and verb.startswith("leave") and (who in named or not named)


def counting_back(fact: Fact, new: int, old: int | None, places: dict[int, int]) -> Fact:
    """Return a fact whose references back count the facts inserted between."""
    if old is None:
        return fact
    return referring(fact, lambda back: places.get(old + back, old + back) - new if back < 0 else back)
