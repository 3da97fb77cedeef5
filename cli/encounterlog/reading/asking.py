"""Questions as people type them, and their answers from a log."""

import re
from collections.abc import Sequence

from encounterlog.edge.failures import USAGE, Failure, misspelt
from encounterlog.reading.logs import Log, explained
from projections.explaining import why
from projections.explaining.blame import Blame, blame
from projections.explaining.past import Past
from projections.folds.addresses import COMMON, no_value
from projections.folds.replay import Replay
from projections.state import State
from projections.time import Where

Answer = why.Value | why.Before | why.WhyFinding | why.Able

ASK = "ask for an address (ana.hp), ana before bo, finding 3, finding @14 RULE, ana cannot act"


def past_of(log: Log, where: Where | None) -> Past:
    """Return a log replayed up to a point; raise Failure or Malformed as other readers do."""
    with explained(log, where):
        past = Past(log, where)
    log.note_revision()
    return past


def blamed(log: Log, address: str, where: Where | None) -> tuple[Blame, Replay]:
    """Return every fact that touched a value up to a point, and the replay up to there; raise Failure if it has none."""
    with explained(log, where):
        found, done = blame(log, address, where)
    log.note_revision()
    if found is None:
        raise log.problem or unknown(done.state, address)  # it may lie behind the fault
    return found, done


def answers(past: Past, words: Sequence[str], *, thorough: bool, variants: bool = True) -> list[Answer]:
    """Return the answers to a question; raise Failure if it is none, or is about something that is not there."""
    match words:
        case (one, "before", other):
            return [_before(past, one, other, thorough)]
        case ("finding", *rest) if rest:
            return [*_findings(past, rest)]
        case (who, "cannot" | "can", "act"):
            return [why.able(past, _combatant(past.state, who))]
    address = " ".join(words)
    found = why.why(past, address, thorough=thorough, variants=variants)
    if found is None:
        raise unknown(past.state, address)
    return [found]


def unknown(state: State, address: str) -> Failure:
    """Return the failure for an address without a value, with what may be meant."""
    places = dict.fromkeys(place for each in (*COMMON, *state.rules.addresses) for place in each.places(state))
    own = [place for place in places if place.startswith(f"{address}.")]
    if not own:
        return Failure(USAGE, no_value(state, address[:80]), ASK)
    more = f", or another: {', '.join(each.partition('.')[2] for each in own[1:])}" if own[1:] else ""
    return Failure(USAGE, f"which value of {address}? Say {own[0]}{more}", ASK)


def _before(past: Past, one: str, other: str, thorough: bool) -> why.Before:
    first, second = (_combatant(past.state, who) for who in (one, other))
    if first == second:
        raise Failure(USAGE, f"{first} is named twice", "name two combatants: ana before bo")
    return why.before(past, first, second, thorough=thorough)


def _findings(past: Past, words: list[str]) -> list[why.WhyFinding]:
    number, event = re.fullmatch(r"[0-9]{1,9}", words[0]), re.fullmatch(r"@([0-9]{1,15})", words[0])
    if number and len(words) == 1:
        found = why.finding(past, number=int(words[0]))
    elif event and len(words) <= 2:
        found = why.finding(past, event=int(event[1]), rule="".join(words[1:]))
    else:
        raise Failure(USAGE, f"'{' '.join(words)[:60]}' names no finding", "finding 3, or finding @14 RULE")
    if not found:
        raise Failure(USAGE, f"there is no finding {' '.join(words)[:60]} here", "encounter audit FILE numbers them")
    return found


def _combatant(state: State, who: str) -> str:
    """Return the id of a combatant named by its id or its name; raise Failure for anybody else."""
    if who in state.combatants:
        return who
    called = [one.id for one in state.combatants.values() if one.name.casefold() == who.casefold()]
    if len(called) == 1:
        return called[0]
    raise misspelt("combatant", who, state.combatants, "encounter show lists them")
