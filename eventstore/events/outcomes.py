"""Events that change a combatant: hit points, resources, effects, conditions."""

from eventstore.events.fact import Momentary
from eventstore.shapes import (
    Aim,
    Duration,
    Id,
    Modifier,
    Part,
    Reference,
    Text,
    Whole,
    Word,
)

# ---------------------------------------------------------------- pools


class DamageDealt(Momentary, frozen=True, kw_only=True):
    """A loss of hit points, or non-lethal damage; with `object` a thing of the target takes it instead.

    A reduction `to` hp are points that the target keeps instead of falling to 0, though they count as damage.

    {"type":"damage_dealt","target":"orc-1","amount":6,"source":"brand","cause":-1}
    """

    target: Id
    amount: Whole
    object: Word | None = None
    nonlethal: bool = False
    source: Id | None = None
    parts: tuple[Part, ...] = ()
    multipliers: tuple[Modifier, ...] = ()
    reductions: tuple[Modifier, ...] = ()
    cause: Reference | None = None


class Healed(Momentary, frozen=True, kw_only=True):
    """A gain of hit points or temporary points, or a removal of non-lethal damage.

    {"type":"healed","target":"nitar","amount":4,"temporary":true,"source":"nitar"}
    """

    target: Id
    amount: Whole
    nonlethal: bool = False
    temporary: bool = False
    source: Id | None = None
    parts: tuple[Part, ...] = ()
    cause: Reference | None = None


class ResourceChanged(Momentary, frozen=True, kw_only=True):
    """A change of a counted resource, spent (below 0) or regained; `left` is what then remains.

    {"type":"resource_changed","combatant":"nitar","resource":"Shift","amount":-1,"left":1}
    """

    combatant: Id
    resource: Word
    amount: Whole
    left: Whole | None = None
    cause: Reference | None = None


# ---------------------------------------------------------------- states


class EffectStarted(Momentary, frozen=True, kw_only=True):
    """The beginning of an effect; it ends with its `parent`, and with concentration if `concentration` is set.

    {"type":"effect_started","effect":"haze","source":"lum","targets":["ana"],"duration":{"amount":10,"unit":"second"}}
    """

    effect: Word
    source: Id | None = None
    targets: tuple[Id, ...] = ()
    object: Word | None = None
    duration: Duration | None = None
    concentration: bool = False
    modifiers: tuple[Modifier, ...] = ()
    attributes: tuple[Word, ...] = ()
    aim: tuple[Aim, ...] = ()
    parent: Reference | None = None
    cause: Reference | None = None


class EffectEnded(Momentary, frozen=True, kw_only=True):
    """The end of an effect: dispelled, called off, or `expired`, which is a statement.

    {"type":"effect_ended","effect":"Frightened","targets":["bartholomew"],"reason":"save made"}
    """

    effect: Word
    source: Id | None = None
    targets: tuple[Id, ...] = ()
    reason: Text | None = None
    cause: Reference | None = None


class ConditionGained(Momentary, frozen=True, kw_only=True):
    """The beginning of a condition: prone, wary, hasted, a wound.

    {"type":"condition_gained","condition":"prone","targets":["kex"],"cause":-1}
    """

    condition: Word
    targets: tuple[Id, ...]
    source: Id | None = None
    detail: Text | None = None
    impedes: bool = False
    duration: Duration | None = None
    cause: Reference | None = None


class ConditionLost(Momentary, frozen=True, kw_only=True):
    """The end of a condition.

    {"type":"condition_lost","condition":"prone","targets":["kex"]}
    """

    condition: Word
    targets: tuple[Id, ...]
    reason: Text | None = None
    cause: Reference | None = None


Outcome = DamageDealt | Healed | ResourceChanged | EffectStarted | EffectEnded | ConditionGained | ConditionLost
"""The events of this module."""
