"""Corrections of facts as JSON values: strikes with dependent facts, undo and redo, amendments and rulings; and forks of a log, in which
they are tried, or saved as a log of its own.
"""

import json
import re
import secrets
from collections.abc import Callable, Iterable, Sequence
from typing import Any

from msgspec import structs

from encounterlog.errors import Refused
from encounterlog.log import appending
from encounterlog.log.logs import LogView, name_log_in_errors, replay_log
from encounterlog.log.opening import parse_options
from encounterlog.places.time_and_chance import current_time
from encounterlog.places.whole_logs import create_of_lines
from encounterlog.words.facts import corrected_in_words, fact_sentence
from encounterlog.words.layout import clip, count_noun
from encounterlog.words.naming import make_voice
from eventstore.address import LogAddress
from eventstore.copying import lines_of_fork
from eventstore.errors import Malformed
from eventstore.events import EncounterOpened, Fact as Event, Struck
from eventstore.form import read_json
from eventstore.record import Draft, upcast
from eventstore.shapes import Fork as Origin
from projections.explaining.forks import Account, Differences, Fork, find_differences, fork_records
from projections.explaining.past import readable_records
from projections.explaining.undoing import REDO, UNDO, Stack, undo_stack
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
    words = Words(log)
    lines = [clip(f"  {words.words_of_new(upcast(draft.event))}") for draft in drafts[:LISTED]]
    return [*lines, f"  and {len(drafts) - LISTED} more"] if len(drafts) > LISTED else lines


class Words:
    """The words for facts of a log and corrections of them: with display names, and what was amended as amended."""

    def __init__(self, log: LogView) -> None:
        records = readable_records(log)
        self._done = replay(records)
        self._records = {each.seq: each for each in records}
        self._name = make_voice(self._done.state)

    def words_of_new(self, event: Event) -> str:
        """Return a fact in words, of a strike also what it strikes."""
        words = fact_sentence(event, self._name)
        if isinstance(event, Struck) and event.event in self._records:
            return f"{words}: {self.words_of_record(event.event)}"
        return words

    def words_of_record(self, seq: int) -> str:
        """Return a record of the log in words, as amended if it is."""
        return corrected_in_words(self._records[seq], self._done.corrections, self._name)


def make_strikes(log: LogView, seqs: Sequence[int], because: str | None, choice: bool | None, ask: Ask) -> list[Fact]:
    """Return the strikes of these records and, by choice or as is answered, of their dependent facts; raise as `ask` does."""
    appending.check_readable(log)
    hanging = consequences(readable_records(log), {*seqs})
    if hanging and choice is None:
        words = Words(log)
        lines = [clip(f"{seq:>5}  {words.words_of_record(seq)} (from {of})") for seq, of in hanging.items()]
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
    """Return the strikes that undo the last appends, so many, and by choice those of facts that depend on them; raise Refused.

    Dependent facts of earlier appends are those whose cause was inserted later, or put there by an amendment.
    """
    stack = _undo_stack(log)
    if not 1 <= number <= len(stack.done):
        hint = "encounter undo FILE N takes back the last N appends; encounter strike FILE N takes out record N"
        can = f"cannot undo {number}: {count_noun(len(stack.done), 'append')} can be undone"
        raise Refused("usage", can if stack.done else "nothing is left to undo", hint)
    reason = f"{UNDO}: {because}" if because else UNDO
    seqs = [seq for batch in reversed(stack.done[-number:]) for seq in reversed(batch)]
    return make_strikes(log, seqs, reason, choice, ask)


def redoing_strikes(log: LogView, number: int, because: str | None) -> list[Fact]:
    """Return the strikes that redo the last undos, so many; raise Refused if there are not as many."""
    stack = _undo_stack(log)
    if not 1 <= number <= len(stack.undone):
        there = count_noun(len(stack.undone), "undo") if stack.undone else "nothing"
        raise Refused("usage", f"cannot redo {number}: {there} can be redone", "an append after an undo makes it final")
    reason = f"{REDO}: {because}" if because else REDO
    return [_make_strike(seq, reason) for each in reversed(stack.undone[-number:]) for seq in reversed(each.strikes)]


def _undo_stack(log: LogView) -> Stack:
    appending.check_readable(log)
    return undo_stack(readable_records(log))


def make_amendment(seq: int, pairs: Iterable[str], because: str | None) -> Fact:
    """Return the amendment of a record by FIELD=VALUE pairs."""
    fact: Fact = {"type": "amended", "event": seq, "replacement": parse_fields(pairs)}
    return fact | ({"reason": because} if because else {})


def make_ruling(kind: str, decision: str, because: str | None, about: Fact) -> Fact:
    """Return a ruling; fields without a value are left out."""
    given = {name: item for name, item in about.items() if item not in (None, (), {}, "")}
    fact: Fact = {"type": "ruling_made", "ruling": kind, "decision": decision, **given}
    return fact | ({"reason": because} if because else {})


def parse_fields(pairs: Iterable[str]) -> Fact:
    """Return FIELD=VALUE pairs as an object; fields may be dotted, values are JSON or else text. Raise Refused."""
    found: Fact = {}
    for pair in pairs:
        path, equals, text = pair.partition("=")
        if not equals or not all(path.split(".")):
            raise Refused("usage", f"'{pair[:60]}' is not FIELD=VALUE", "such as amount=3, action.name=axe, parts=[]")
        at = found
        *above, last = path.split(".")
        for each in above:
            at = at.setdefault(each, {})
            if not isinstance(at, dict):
                raise Refused("usage", f"'{path[:60]}' lies within a field that is set to a value")
        _set_field(at, last, path, text)
    return found


def parse_values(pairs: Iterable[str]) -> Fact:
    """Return ADDRESS=VALUE pairs as an object; raise Refused."""
    found: Fact = {}
    for pair in pairs:
        address, equals, text = pair.partition("=")
        if not equals or not address:
            raise Refused("usage", f"'{pair[:60]}' is not ADDRESS=VALUE", "such as ana.hp=3, ana.status=up")
        _set_field(found, address, address, text)
    return found


def _set_field(found: Fact, name: str, path: str, text: str) -> None:
    """Give a field its value; raise Refused if it has one."""
    if name in found:
        raise Refused("usage", f"'{path[:60]}' has a value already", "leave out one of the two")
    found[name] = parse_value(text)


def parse_value(text: str) -> Any:
    """Return a value that is JSON, or else the text itself; raise Refused for JSON that no log can hold."""
    try:
        return read_json(text.encode())
    except Malformed as error:
        if text[:1] in ("{", "[", '"'):
            raise Refused("refused", f"{text[:60]!r} is not JSON: {error.reason}") from None
        if re.fullmatch("-?[0-9]+", text):
            raise Refused("refused", f"{error.reason[:120]}") from None
        return text


def make_fork(
    log: LogView, strikes: Sequence[int], amends: Sequence[Pair], inserts: Sequence[Pair], chosen: tuple[str, ...]
) -> tuple[Fork, tuple[Draft, ...]]:
    """Return the differences of a fork, with its corrections as drafts; raise Refused for facts that a log would refuse."""
    options = parse_options(find(replay_log(log).state.rules.key), chosen)
    facts: list[Fact] = [_make_strike(seq, None) for seq in strikes]
    for seq, text in amends:
        fields = parse_fields([text]) if re.match(r"[\w.]+=", text) else _parse_fact(text)
        facts.append({"type": "amended", "event": seq, "replacement": fields})
    facts += [{"type": "inserted", "after": seq, "fact": _parse_fact(text)} for seq, text in inserts]
    if not facts and not options:
        hint = "--strike N, --amend N EVENT, --insert-after N EVENT, --option NAME=VALUE"
        raise Refused("usage", "nothing is to be different", hint)
    if not facts:
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
        says = f"{text[:60]!r} is no fact: {error.reason}"
        raise Refused("refused", says, 'a fact is {"type": …}, or its fields') from None


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
