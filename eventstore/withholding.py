"""Withheld payloads: those of chosen records, and of secret ones until they are revealed."""

import re
from collections.abc import Iterable, Iterator

import msgspec
from msgspec import Struct

from eventstore.chain import withhold_payload
from eventstore.record import Recorded, decode, encode_record, event_text

_AMENDED = re.compile(r"amended(\.[0-9]+)?")


class _About(Struct, frozen=True):
    """The attributes that are read here of any event, of any type and version."""

    type: str
    event: object = 0


_about = msgspec.json.Decoder(_About).decode


class Withhold(Struct, frozen=True):
    """The records whose payloads are left out: these, and perhaps all secret ones except the revealed.

    An amendment of a record that stays secret is secret, too, even if it is not marked.
    """

    seqs: frozenset[int] = frozenset()
    secrets: bool = False
    revealed: frozenset[int] = frozenset()

    def apply_to(self, records: Iterable[Recorded]) -> Iterator[Recorded]:
        """Yield the records of a log from its first on, the withheld ones without their payload."""
        secret = set[int]()
        for record in records:
            left_out = self._is_withheld(record, secret) and not record.withheld
            yield decode(withhold_payload(encode_record(record) + b"\n")) if left_out else record

    def seqs_shown(self, records: Iterable[Recorded]) -> Iterator[int]:
        """Yield the seqs of a log's records, from its first on, that are not withheld."""
        secret = set[int]()
        return (record.seq for record in records if not self._is_withheld(record, secret))

    def _is_withheld(self, record: Recorded, secret: set[int]) -> bool:
        """Return whether a record's payload is withheld; `secret` collects those that stay secret."""
        if (
            self.secrets
            and record.seq not in self.revealed
            and (record.secret or secret.intersection(_amended_seqs(record)))
        ):
            secret.add(record.seq)
        return record.seq in self.seqs or record.seq in secret


NOTHING = Withhold()


def _amended_seqs(record: Recorded) -> tuple[int, ...]:
    """Return the possible seqs of the record that this one amends; none if it is no amendment."""
    if record.withheld:
        return ()
    about = _about(event_text(encode_record(record)))
    if not isinstance(about.event, int) or not _AMENDED.fullmatch(about.type):
        return ()
    # of a seq and a count of lines back, only one names an earlier record
    return about.event, record.seq + about.event
