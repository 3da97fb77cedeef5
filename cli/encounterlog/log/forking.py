"""Forks of a log in memory, with corrections or other readings; and a fork saved as a log of its own."""

import json
import re
import secrets
from collections.abc import Sequence
from typing import Any

from msgspec import structs

from encounterlog.errors import Refused
from encounterlog.log import appending, correcting
from encounterlog.log.logs import LogView, name_log_in_errors, replay_log
from encounterlog.log.opening import parse_options
from encounterlog.places.time_and_chance import current_time
from encounterlog.places.whole_logs import create_of_lines
from eventstore.address import LogAddress
from eventstore.copying import lines_of_fork
from eventstore.errors import Malformed
from eventstore.events import EncounterOpened
from eventstore.form import read_json
from eventstore.record import Draft, upcast
from eventstore.shapes import Fork as Origin
from projections.explaining.forks import Account, Differences, Fork, find_differences, fork_records
from projections.explaining.past import readable_records
from projections.judging.book import rename_options
from projections.rulesets import find
from projections.time import Where

Pair = tuple[int, str]


def make_fork(
    log: LogView, strikes: Sequence[int], amends: Sequence[Pair], inserts: Sequence[Pair], chosen: tuple[str, ...]
) -> tuple[Fork, tuple[Draft, ...]]:
    """Return the differences of a fork, with its corrections as drafts; raise Refused for facts that a log would refuse."""
    options = parse_options(find(replay_log(log).state.rules.key), chosen)
    facts: list[dict[str, Any]] = [{"type": "struck", "event": seq} for seq in strikes]
    for seq, text in amends:
        fields = correcting.parse_fields([text]) if re.match(r"[\w.]+=", text) else _parse_fact(text)
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
