"""Events of the clock and of the order: rounds, turns, slots, segments, surprise, initiative."""

from eventstore.events.fact import Fact, Momentary
from eventstore.shapes import (
    Action,
    Count,
    Die,
    Hundredths,
    Id,
    Span,
    Text,
    Whole,
    Word,
)

# ---------------------------------------------------------------- clock


class RoundStarted(Fact, frozen=True, kw_only=True):
    """The beginning of this round.

    {"type":"round_started","round":1}
    """

    round: Count


class RoundEnded(Fact, frozen=True, kw_only=True):
    """The end of a round.

    {"type":"round_ended","round":1}
    """

    round: Count | None = None


class PhaseReached(Fact, frozen=True, kw_only=True):
    """The beginning of this slot of the round.

    {"type":"phase_reached","phase":"H.D1"}
    """

    phase: Word


class SegmentReached(Fact, frozen=True, kw_only=True):
    """The segment that the clock now shows; before the first round, a surprise segment.

    {"type":"segment_reached","segment":4}
    """

    segment: Count
    surprise: bool = False


class TurnStarted(Fact, frozen=True, kw_only=True):
    """The beginning of a combatant's turn, shared by those in `together`.

    {"type":"turn_started","combatant":"bo"}
    """

    combatant: Id
    together: tuple[Id, ...] = ()


class TurnEnded(Fact, frozen=True, kw_only=True):
    """The end of a combatant's turn.

    {"type":"turn_ended","combatant":"bo"}
    """

    combatant: Id


class TimePassed(Fact, frozen=True, kw_only=True):
    """A time that passes without facts; `treated` names the combatants who were tended meanwhile.

    {"type":"time_passed","time":{"amount":1,"unit":"day"},"treated":["bo"]}
    """

    time: Whole | Span
    treated: tuple[Id, ...] = ()


# ---------------------------------------------------------------- order


class SurpriseRolled(Fact, frozen=True, kw_only=True):
    """A side's surprise die; `surprised_on` is by default 2, and 0 for never.

    {"type":"surprise_rolled","side":"heroes","die":4}
    """

    side: Id
    die: Die
    surprised_on: Count = 2


class SurpriseSettled(Fact, frozen=True, kw_only=True):
    """A decision on surprise without dice for these sides (none: all): only those in `surprised` are surprised.

    {"type":"surprise_settled","sides":["orcs"],"reason":"hammering at the door"}
    """

    sides: tuple[Id, ...] = ()
    surprised: tuple[Id, ...] = ()
    reason: Text | None = None


class InitiativeRolled(Fact, frozen=True, kw_only=True):
    """An initiative die or check; with `tie_with` a further roll among the tied.

    {"type":"initiative_rolled","combatant":"ana","die":12,"bonus":3}
    """

    side: Id | None = None
    combatant: Id | None = None
    together: tuple[Id, ...] = ()
    die: Die | None = None
    check: Whole | None = None
    bonus: Whole | None = None
    total: Whole | Hundredths | None = None
    tie_with: tuple[Id, ...] = ()


class TurnDelayed(Momentary, frozen=True, kw_only=True):
    """A turn that is put off.

    {"type":"turn_delayed","combatant":"ana"}
    """

    combatant: Id


class TurnResumed(Momentary, frozen=True, kw_only=True):
    """A turn that is taken up after it was put off.

    {"type":"turn_resumed","combatant":"ana"}
    """

    combatant: Id


class ActionHeld(Momentary, frozen=True, kw_only=True):
    """An action held until something happens.

    {"type":"action_held","combatant":"dov","action":{"kind":"attack","name":"javelin"},"awaiting":"kex attacks ana"}
    """

    combatant: Id
    action: Action | None = None
    awaiting: Text | None = None


ClockEvent = (
    RoundStarted
    | RoundEnded
    | PhaseReached
    | SegmentReached
    | TurnStarted
    | TurnEnded
    | TimePassed
    | SurpriseRolled
    | SurpriseSettled
    | InitiativeRolled
    | TurnDelayed
    | TurnResumed
    | ActionHeld
)
"""The events of this module."""
