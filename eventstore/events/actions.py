"""Events of actions and of the rolls that belong to them."""

from eventstore.events.fact import Fact, Momentary
from eventstore.shapes import (
    Action,
    Contender,
    Die,
    Id,
    Modifier,
    Reference,
    Text,
    Whole,
    Word,
)

# ---------------------------------------------------------------- doing


class ActionDeclared(Fact, frozen=True, kw_only=True):
    """A declaration of what a combatant, or a side, will do.

    {"type":"action_declared","combatant":"halvaine","action":{"kind":"cast","name":"sleep","time":2}}
    """

    combatant: Id | None = None
    side: Id | None = None
    action: Action


class ActionTaken(Momentary, frozen=True, kw_only=True):
    """An action, done or (if it takes time) begun; `trigger` names the fact to which an act out of turn reacts.

    {"type":"action_taken","combatant":"brand","action":{"kind":"attack","name":"sword","targets":["orc-1"]}}
    """

    combatant: Id
    action: Action
    trigger: Reference | None = None
    succeeded: bool | None = None
    reason: Text | None = None


class ActionAbandoned(Momentary, frozen=True, kw_only=True):
    """An action given up after it was declared or begun.

    {"type":"action_abandoned","combatant":"dov","name":"bless"}
    """

    combatant: Id
    name: Word | None = None


# ---------------------------------------------------------------- dice


class AttackRolled(Momentary, frozen=True, kw_only=True):
    """One attack roll: `ac` is the number used, `foiled` a protection that stops it, `confirms` the roll before.

    {"type":"attack_rolled","combatant":"ulf","target":"halvaine","die":9,"hit":false,"cause":-1}
    """

    combatant: Id
    target: Id | None = None
    name: Word | None = None
    die: Die | None = None
    modifiers: tuple[Modifier, ...] = ()
    total: Whole | None = None
    against: Word | None = None
    ac: Whole | None = None
    hit: bool | None = None
    critical: bool | None = None
    foiled: bool = False
    confirms: Reference | None = None
    cause: Reference | None = None


class SaveRolled(Momentary, frozen=True, kw_only=True):
    """A saving throw; the purposes `death` and `massive-damage` have their own rules.

    {"type":"save_rolled","combatant":"bo","save":"wisdom","die":14,"dc":11,"succeeded":true}
    """

    combatant: Id
    save: Word | None = None
    purpose: Word | None = None
    die: Die | None = None
    modifiers: tuple[Modifier, ...] = ()
    total: Whole | None = None
    dc: Whole | None = None
    succeeded: bool | None = None
    cause: Reference | None = None


class ContestRolled(Momentary, frozen=True, kw_only=True):
    """A contest of two or more who roll against each other.

    {"type":"contest_rolled","about":"trip","contenders":[{"combatant":"ana","die":15},{"combatant":"kex","die":13}]}
    """

    about: Word | None = None
    contenders: tuple[Contender, ...]
    winner: Id | None = None
    cause: Reference | None = None


class DiceRolled(Momentary, frozen=True, kw_only=True):
    """A roll that has no type of its own: morale, a skill, wild magic.

    {"type":"dice_rolled","purpose":"morale","side":"orcs","die":{"notation":"2d6","faces":[3,5]}}
    """

    purpose: Word | None = None
    combatant: Id | None = None
    side: Id | None = None
    die: Die | None = None
    modifiers: tuple[Modifier, ...] = ()
    total: Whole | None = None
    dc: Whole | None = None
    succeeded: bool | None = None
    cause: Reference | None = None


ActionOrRoll = ActionDeclared | ActionTaken | ActionAbandoned | AttackRolled | SaveRolled | ContestRolled | DiceRolled
"""The events of this module."""
