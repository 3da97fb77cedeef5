"""The union of all events that state a fact."""

from eventstore.events.actions import ActionOrRoll
from eventstore.events.clock import ClockEvent
from eventstore.events.encounter import Participation
from eventstore.events.outcomes import Outcome
from eventstore.events.remarks import Remark

Statement = Participation | ClockEvent | ActionOrRoll | Outcome | Remark
"""Every event that states a fact, and so can be a replacement or be inserted."""
