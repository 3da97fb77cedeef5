"""The two sides of `encounter diff`: two moments of a log, two states of its knowledge, or two logs with a common past."""

import re
from contextlib import suppress
from itertools import takewhile
from pathlib import Path
from typing import NamedTuple

from encounterlog.core.logs import LogView, explained
from encounterlog.errors import Refused
from encounterlog.text.facts import record_in_words
from encounterlog.text.layout import clip
from eventstore.address import LogAddress
from eventstore.errors import Malformed
from eventstore.events import EncounterOpened
from projections.explaining.forks import Account
from projections.explaining.past import readable
from projections.time import Where

KNOWN_AT = re.compile(r"@([0-9]{1,15})")


def points(log: LogView, one: str, other: str) -> tuple[LogView, Account, Account]:
    """Return a log at two points, such as 12 or r2, or as of a record (@12)."""
    first, second = _at(log, one), _at(log, other)
    return first[0], first[1], second[1]


def check_is_log(text: str) -> None:
    """Raise Refused for a point in the place of another log, unless there is a file of that name."""
    with suppress(Malformed):
        if not KNOWN_AT.fullmatch(text):
            Where.parse(text)
        if not Path(text).exists():
            raise only_one(text)


def only_one(point: str) -> Refused:
    """Return the error for one point without another to compare it with."""
    return Refused("usage", f"{point} is one point, and two are compared", f"such as: encounter diff FILE {point} r2")


def _at(whole: LogView, text: str) -> tuple[LogView, Account]:
    known = KNOWN_AT.fullmatch(text)
    log = whole.reread(int(known[1]) if known else None)
    where = None if known else Where.parse(text)
    with explained(log, where):
        account = Account(log, where)
    log.note_revision()
    return log, account


class Compared(NamedTuple):
    """Two logs, the state and findings at the end of each, and the last record that they have in common."""

    logs: tuple[LogView, LogView]
    mine: Account
    yours: Account
    common: int


def logs(one: LogAddress, other: LogAddress, *, secrets: bool = True) -> Compared:
    """Return two logs to compare, with or without their secrets; raise Refused if they have no common past."""
    first, second = (LogView(each, secrets=secrets) for each in (one, other))
    mine, yours = list(_account(first).records), list(_account(second).records)
    if not _related(mine[0].event, yours[0].event):
        says = f"{one} and {other} have no common past"
        raise Refused("usage", says, "neither was forked from the other, nor both from the same log")
    pairs = zip(mine[1:], yours[1:], strict=False)
    common = 1 + sum(1 for _ in takewhile(lambda pair: pair[0].digest == pair[1].digest, pairs))
    return Compared((first, second), _account(first), _account(second), common)


def common_past(compared: Compared, titles: tuple[str, str]) -> list[str]:
    """Return the length of the common part of two logs, and the first different record of each."""
    common = compared.common
    lines = [f"records 2 to {common} are the same"] if common > 1 else []
    for log, title in zip(compared.logs, titles, strict=True):
        record = next((each for each in readable(log) if each.seq == common + 1), None)
        words = record_in_words(record) if record else f"ends with record {common}"
        lines.append(clip(f"  record {common + 1} of {title}: {words}" if record else f"  {title} {words}"))
    return lines


def _account(log: LogView) -> Account:
    with explained(log):
        return Account(log)


def _related(one: object, other: object) -> bool:
    """Say whether two logs are of one encounter, or one was forked from the other or both from the same."""
    if not isinstance(one, EncounterOpened) or not isinstance(other, EncounterOpened):
        raise Refused("unreadable", "the first record opens no encounter")
    mine, yours = (
        {each.encounter, each.forked_from.encounter if each.forked_from else each.encounter} for each in (one, other)
    )
    return bool(mine & yours)
