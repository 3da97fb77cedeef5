"""Corrections as JSON values: strikes, undo and redo, amendments, rulings; and forks of a log, in which they are tried, or saved."""

import json
import re
import secrets
from collections.abc import Callable, Iterable, Sequence
from typing import Any, Literal

from msgspec import structs

from encounterlog.errors import Refused
from encounterlog.log import appending
from encounterlog.log.logs import LogView, name_log_in_errors, records_before_torn_tail, replay_log
from encounterlog.log.opening import parse_options
from encounterlog.places.stores import create_of_lines
from encounterlog.places.time_and_chance import current_time
from encounterlog.words.facts import corrected_in_words, fact_sentence
from encounterlog.words.layout import clip, count_noun
from encounterlog.words.naming import Voice, make_voice
from eventstore.address import LogAddress
from eventstore.copying import lines_of_fork
from eventstore.errors import Malformed
from eventstore.events import EncounterOpened, Struck
from eventstore.form import read_json
from eventstore.record import Draft, upcast
from eventstore.shapes import Fork as Origin
from projections.explaining.forks import Account, Differences, Fork, find_differences, fork_records
from projections.explaining.past import readable_records
from projections.explaining.undoing import REDO, UNDO, undo_stack
from projections.judging.book import rename_options
from projections.replay.replay import consequences, replay
from projections.rulesets import find
from projections.stream.corrections import absolute, strikes_of
from projections.time import Where

Fact = dict[str, Any]
Pair = tuple[int, str]  # a record, and what is to be there: a fact as JSON, or FIELD=VALUE

LISTED = 12  # the most facts that are listed
Ask = Callable[[str, list[str]], bool]
"""A function that asks whether facts that depend on struck ones, which it is given in words, are struck too."""


def describe_appended(log: LogView, drafts: Sequence[Draft]) -> list[str]:
    """Return the appended facts in words, strikes as the facts that they strike; of many, the first ones."""
    events = [upcast(draft.event) for draft in drafts[:LISTED]]
    struck, name = _records_in_words(log, [event.event for event in events if isinstance(event, Struck)])
    lines = list[str]()
    for event in events:
        what = f": {struck[event.event]}" if isinstance(event, Struck) and event.event in struck else ""
        lines.append(clip(f"  {fact_sentence(event, name)}{what}"))
    return [*lines, f"  and {len(drafts) - LISTED} more"] if len(drafts) > LISTED else lines


def _records_in_words(log: LogView, seqs: Iterable[int]) -> tuple[dict[int, str], Voice]:
    records, wanted = readable_records(log), {*seqs}
    done = replay(records)
    name = make_voice(done.state)
    return {each.seq: corrected_in_words(each, done.corrections, name) for each in records if each.seq in wanted}, name


def make_strikes(log: LogView, seqs: Sequence[int], because: str | None, choice: bool | None, ask: Ask) -> list[Fact]:
    """Return the strikes of these records and, by choice or as is answered, of their dependent facts; raise as `ask` does."""
    hanging = consequences(tuple(records_before_torn_tail(log)), {*seqs})
    if hanging and choice is None:
        words, _ = _records_in_words(log, hanging)
        lines = [clip(f"{seq:>5}  {words[seq]} (from {of})") for seq, of in hanging.items()]
        verb = "depends" if len(hanging) == 1 else "depend"
        choice = ask(f"{count_noun(len(hanging), 'fact')} {verb} on a struck fact", lines)
    return [_make_strike(seq, because) for seq in dict.fromkeys((*seqs, *(hanging if choice else ())))]


def struck_before(log: LogView, seqs: Sequence[int]) -> list[str]:
    """Return a note for each of these records that an earlier strike takes out already."""
    facts = {one.seq: absolute(one.event, one.seq) for one in readable_records(log) if one.event is not None}
    by = strikes_of({seq: event for seq, event in facts.items() if isinstance(event, Struck)})
    return [f"note: {seq} was struck before, by {by[seq]}" for seq in dict.fromkeys(seqs) if seq in by]


def _make_strike(seq: int, because: str | None) -> Fact:
    return {"type": "struck", "event": seq} | ({"reason": because} if because else {})


def undoing_strikes(log: LogView, number: int, because: str | None, choice: bool | None, ask: Ask) -> list[Fact]:
    """Return the strikes that undo the last appends, so many, and by choice those of facts that depend on them; raise Refused."""
    stack = undo_stack(tuple(records_before_torn_tail(log)))
    if not 1 <= number <= len(stack.done):
        hint = "encounter undo FILE N takes back the last N appends; encounter strike FILE N takes out record N"
        can = f"cannot undo {number}: {count_noun(len(stack.done), 'append')} can be undone"
        raise Refused("usage", can if stack.done else "nothing is left to undo", hint)
    reason = f"{UNDO}: {because}" if because else UNDO
    seqs = [seq for batch in reversed(stack.done[-number:]) for seq in reversed(batch)]
    return make_strikes(log, seqs, reason, choice, ask)


def redoing_strikes(log: LogView, number: int, because: str | None) -> list[Fact]:
    """Return the strikes that redo the last undos, so many; raise Refused if there are not as many."""
    stack = undo_stack(tuple(records_before_torn_tail(log)))
    if not 1 <= number <= len(stack.undone):
        there = count_noun(len(stack.undone), "undo") if stack.undone else "nothing"
        raise Refused("usage", f"cannot redo {number}: {there} can be redone", "an append after an undo makes it final")
    reason = f"{REDO}: {because}" if because else REDO
    return [_make_strike(seq, reason) for each in reversed(stack.undone[-number:]) for seq in reversed(each.strikes)]


def make_amendment(seq: int, pairs: Iterable[str], because: str | None) -> Fact:
    """Return the amendment of a record by FIELD=VALUE pairs."""
    fact: Fact = {"type": "amended", "event": seq, "replacement": parse_fields(pairs)}
    return fact | ({"reason": because} if because else {})


def make_ruling(kind: str, decision: str, because: str | None, about: Fact) -> Fact:
    """Return a ruling; fields without a value are left out."""
    given = {name: item for name, item in (about | {"reason": because}).items() if item not in (None, (), {}, "")}
    return {"type": "ruling_made", "ruling": kind, "decision": decision, **given}


def parse_fields(pairs: Iterable[str], what: Literal["FIELD", "ADDRESS"] = "FIELD") -> Fact:
    """Return FIELD=VALUE pairs, or ADDRESS=VALUE, as an object; fields may be dotted, values are JSON or else text. Raise Refused."""
    found: Fact = {}
    for pair in pairs:
        path, equals, text = pair.partition("=")
        *above, last = path.split(".") if what == "FIELD" else [path]
        if not equals or not all((*above, last)):
            hint = "amount=3, action.name=axe, parts=[]" if what == "FIELD" else "ana.hp=3, ana.status=up"
            raise Refused("usage", f"'{pair[:60]}' is not {what}=VALUE", f"such as {hint}")
        at = found
        for each in above:
            at = at.setdefault(each, {})
            if not isinstance(at, dict):
                raise Refused("usage", f"'{path[:60]}' lies within a field that is set to a value")
        if last in at:
            raise Refused("usage", f"'{path[:60]}' has a value already", "leave out one of the two")
        at[last] = _parse_value(text)
    return found


def _parse_value(text: str) -> Any:
    try:
        return read_json(text.encode())
    except Malformed as error:
        if text[:1] in ("{", "[", '"'):
            raise Refused("refused", f"{text[:60]!r} is not JSON: {error.reason}") from None
        if re.fullmatch("-?[0-9]+", text):  # which no log can hold
            raise Refused("refused", error.reason[:120]) from None
        return text


def make_fork(
    log: LogView, strikes: Sequence[int], amends: Sequence[Pair], inserts: Sequence[Pair], chosen: tuple[str, ...]
) -> tuple[Fork, tuple[Draft, ...]]:
    """Return the differences of a fork, with its corrections as drafts; raise Refused for facts that a log would refuse."""
    options = parse_options(find(replay_log(log).state.rules.key), chosen)
    facts = [_make_strike(seq, None) for seq in strikes]
    for seq, text in amends:
        fields = parse_fields([text]) if re.match(r"[\w.]+=", text) else _parse_fact(text)
        facts.append({"type": "amended", "event": seq, "replacement": fields})
    facts += [{"type": "inserted", "after": seq, "fact": _parse_fact(text)} for seq, text in inserts]
    if not facts:
        if not options:
            hint = "--strike N, --amend N EVENT, --insert-after N EVENT, --option NAME=VALUE"
            raise Refused("usage", "nothing is to be different", hint)
        return Fork((), options), ()
    lines = appending.read_fact_lines("\n".join(map(json.dumps, facts)).encode())
    try:
        drafts = appending.drafts_of(log, lines)
    except Refused as refused:
        if log.problem:
            raise log.problem from None
        says = f"{log.path}: a log would refuse the change"
        raise Refused(refused.kind, says, refused.hint, refused.details) from None
    return Fork(tuple(upcast(draft.event) for draft in drafts), options), drafts


def diff_with_fork(log: LogView, fork: Fork, where: Where | None) -> tuple[Account, Account, Differences]:
    """Return a log up to a point as it is, the same in a fork, and the differences."""
    with name_log_in_errors(log, where):
        start = fork.first_change(readable_records(log))
        actual = Account(log, where, start)
        other = Account(fork_records(actual.records, fork), where, start)
    return actual, other, find_differences(actual, other, start)


def _parse_fact(text: str) -> Any:
    try:
        return read_json(text.encode())
    except Malformed as error:
        hint = 'a fact is {"type": …}, or its fields'
        raise Refused("refused", f"{text[:60]!r} is no fact: {error.reason}", hint) from None


def save_fork(
    log: LogView, fork: Fork, drafts: Sequence[Draft], to: LogAddress, by: str, *, network_drive: bool = False
) -> int:
    """Write a fork as a new log, whole or not at all; return the number of its records. Raise as the store does."""
    records = list(log)
    first, last = records[0], records[-1]
    if not isinstance(first.event, EncounterOpened):
        raise Refused("refused", f"{log.path}: the first record opens no encounter")
    event = structs.replace(
        first.event,
        encounter=secrets.token_hex(8),
        options=rename_options(first.event.options) | fork.options,
        forked_from=Origin(encounter=first.event.encounter, seq=last.seq, hash=last.hash),
    )
    lines = lines_of_fork(records, Draft(event), drafts, by=by, at=current_time())
    create_of_lines(to, lines, network_drive=network_drive)
    return last.seq + len(drafts)
