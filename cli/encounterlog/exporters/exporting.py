"""Exporting: a verified log in some format."""

import re
from collections.abc import Iterable, Sequence
from zoneinfo import ZoneInfo, available_timezones

from msgspec import Struct

from encounterlog.errors import Refused, misspelt
from encounterlog.exporters import EXPORTERS, exporter
from encounterlog.exporters.session import Session
from eventstore.address import LogAddress
from eventstore.copying import Copy
from eventstore.errors import Malformed
from eventstore.store import Problem, Store
from eventstore.withholding import Withhold
from projections.stream.audience import withholding

HIDDEN = "secret"
"""The word for all records that are marked secret."""


class Exported(Struct, frozen=True):
    """The outcome of an export; `head`, as SEQ:HASH, is the anchor of the exported log.

    `withheld` are the records whose payload is not in the export, `problem` says where a torn tail was left out.
    """

    file: str
    records: int
    head: str
    withheld: tuple[int, ...]
    unknown: tuple[int, ...]
    problem: Problem | None


def exported(kind: str, store: Store, name: LogAddress, *, for_players: bool = False) -> bytes:
    """Return a log in a format, as bytes; raise Refused, and what the store raises."""
    if kind not in EXPORTERS:
        raise misspelt("format", kind, EXPORTERS, f"the formats are {', '.join(EXPORTERS)}")
    copy = copy_of(store, name, Withhold(frozenset()), for_players=for_players)
    return b"".join(exporter(kind)(Session(copy, for_players=for_players)))


def copy_of(store: Store, name: LogAddress, withhold: Withhold, *, for_players: bool) -> Copy:
    """Return a verified copy of a log, without what is withheld."""
    copy = Copy(store, name, Withhold(withhold.seqs))
    if withhold.secrets or for_players:
        copy.withhold = withholding(copy, withhold.seqs)
    return copy


def chosen(words: Sequence[str]) -> Withhold:
    """Return what to withhold from seqs and the word secret; raise Malformed."""
    return Withhold(frozenset(_seq(word) for word in words if word != HIDDEN), HIDDEN in words)


def _seq(word: str) -> int:
    if not (word.isascii() and word.isdigit() and len(word) < 17):
        raise Malformed("withhold", f"'{word[:40]}' names no record", f"give the number of a record, or {HIDDEN}")
    return int(word)


def rounds(words: str | None) -> range | None:
    """Return the rounds of --round: one, or from the first to the last of two; raise Refused."""
    if words is None:
        return None
    found = re.fullmatch(r"([0-9]{1,9})(?:-([0-9]{1,9}))?", words)
    if found is None or int(found[2] or found[1]) < int(found[1]):
        raise Refused(
            "usage", f"--round: '{words[:40]}' names no rounds", "--round 3, or from round 2 to 4: --round 2-4"
        )
    return range(int(found[1]), int(found[2] or found[1]) + 1)


def zone(name: str | None) -> ZoneInfo | None:
    """Return a time zone by its name, None for the system's; raise Refused for an unknown one."""
    if name is None:
        return None
    try:
        return ZoneInfo(name)
    except (OSError, ValueError, KeyError):
        raise misspelt("time zone", name, available_timezones() | {"UTC"}, "such as Europe/Berlin, or UTC") from None


def check_options(kind: str, given: Iterable[str]) -> None:
    """Raise Refused if an option was given that a format does not take."""
    for option in given:
        if option not in EXPORTERS[kind].options:
            takes = [name for name, row in EXPORTERS.items() if option in row.options]
            raise Refused("usage", f"{kind} takes no {option}", f"{', '.join(takes)}: these do" if takes else "")
