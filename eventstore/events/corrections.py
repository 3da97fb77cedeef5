"""Events that correct the stream and state nothing else."""

from eventstore.events.actions import ActionOrRoll
from eventstore.events.clock import ClockEvent
from eventstore.events.encounter import Participation
from eventstore.events.fact import Fact
from eventstore.events.outcomes import Outcome
from eventstore.events.remarks import Remark
from eventstore.shapes import (
    Reference,
    Text,
)

Statement = Participation | ClockEvent | ActionOrRoll | Outcome | Remark
"""Every event that states a fact, and so can be a replacement or be inserted."""


class Struck(Fact, frozen=True, kw_only=True):
    """A strike, which takes a record out of the corrected stream; striking a correction takes that back.

    {"type":"struck","event":18,"reason":"wrong target"}
    """

    event: Reference
    reason: Text | None = None


class Amended(Fact, frozen=True, kw_only=True):
    """A replacement of a record by another fact.

    {"type":"amended","event":18,"replacement":{"type":"damage_dealt","target":"halvaine","amount":2},"reason":"slip"}
    """

    event: Reference
    replacement: Statement
    reason: Text | None = None


class Inserted(Fact, frozen=True, kw_only=True):
    """A forgotten fact, inserted where it belongs: after that record.

    {"type":"inserted","after":14,"fact":{"type":"damage_dealt","target":"orc-2","amount":1},"reason":"forgotten"}
    """

    after: Reference
    fact: Statement
    reason: Text | None = None


Correction = Struck | Amended | Inserted
"""The events that correct the stream and state nothing else."""
