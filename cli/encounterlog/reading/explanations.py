"""Questions as people type them, and their answers from a log."""

import re
from collections.abc import Sequence

from msgspec import Struct

from encounterlog.core.logs import LogView, explained
from encounterlog.errors import Refused
from encounterlog.reading import addressing
from encounterlog.reading.addressing import ASK, unknown
from projections.explaining import why
from projections.explaining.blame import Blame, blame
from projections.explaining.past import Past
from projections.replay.replay import Replay
from projections.state import State
from projections.time import Where

Answer = why.Answer


class Answered(Struct, frozen=True):
    """The output of `encounter why --json`."""

    answers: tuple[why.Value | why.Before | why.WhyFinding | why.Able, ...]


def past_of(log: LogView, where: Where | None) -> Past:
    """Return a log replayed up to a point; raise Refused or Malformed as other readers do."""
    with explained(log, where):
        past = Past(log, where)
    log.note_revision()
    return past


def blamed(log: LogView, address: str, where: Where | None) -> tuple[Blame, Replay]:
    """Return every fact that touched a value up to a point, and the replay up to there; raise Refused if it has none."""
    with explained(log, where):
        found, done = blame(log, address, where)
        if found is None and (meant := addressing.address_of(done.state, address)) != address:
            found, done = blame(log, meant, where)
    log.note_revision()
    if found is None:
        raise log.problem or unknown(done.state, address)  # it may lie behind the fault
    return found, done


def answers(past: Past, words: Sequence[str], *, thorough: bool, variants: bool = True) -> list[Answer]:
    """Return the answers to a question; raise Refused if it is none, or is about something that is not there."""
    questions = addressing.meant(past.state, words)
    found = [one for each in questions for one in _answers(past, each, thorough=thorough, variants=variants)]
    return why.proved(past, found, thorough=thorough)


def _answers(past: Past, words: Sequence[str], *, thorough: bool, variants: bool) -> list[Answer]:
    """Return the answers to a question in exact words: with ids, and addresses as they are."""
    match words:
        case (one, "before", other):
            return [_before(past, one, other, thorough)]
        case ("finding", *rest) if rest:
            return [*_findings(past, rest)]
        case (who, "cannot" | "can", "act"):
            return [why.able(past, who)]
    address = " ".join(words)
    found = why.why(past, address, thorough=thorough, variants=variants)
    if found is None:
        raise unknown(past.state, address)
    return [found]


def is_short(found: Sequence[Answer]) -> bool:
    """Say whether one sentence each is enough for these answers: those to a question about a combatant in general."""
    return len(found) > 1 and not any(isinstance(one, why.WhyFinding) for one in found)


def split_point(words: Sequence[str]) -> tuple[list[str], Where | None]:
    """Return a question without the point of time at its end (@r1, or --at r1), and that point; raise Malformed."""
    match [*words]:
        case ["finding", _]:
            pass
        case [*question, "--at", point]:
            return question, Where.parse(point)
        case [*question, last] if last.startswith("@") and question:
            return question, Where.parse(last[1:])
    return [*words], None


def _before(past: Past, one: str, other: str, thorough: bool) -> why.Before:
    if one == other:
        raise Refused("usage", f"{one} is named twice", "name two combatants: ana before bo")
    return why.before(past, one, other, thorough=thorough)


def _findings(past: Past, words: list[str]) -> list[why.WhyFinding]:
    number, event = re.fullmatch(r"[0-9]{1,9}", words[0]), re.fullmatch(r"@([0-9]{1,15})", words[0])
    if number and len(words) == 1:
        found = why.finding(past, number=int(words[0]))
    elif event and len(words) <= 2:
        found = why.finding(past, event=int(event[1]), rule="".join(words[1:]))
    else:
        raise Refused("usage", f"'{' '.join(words)[:60]}' names no finding", "finding 3, or finding @14 RULE")
    if not found:
        raise Refused("usage", f"there is no finding {' '.join(words)[:60]} here", "encounter audit FILE numbers them")
    return found


__all__ = ["ASK", "Answer", "Answered", "State", "answers", "blamed", "is_short", "past_of", "split_point"]
