"""The union of all events that state a fact."""

from eventstore.events.actions import (
    ActionAbandoned,
    ActionDeclared,
    ActionTaken,
    AttackRolled,
    ContestRolled,
    DiceRolled,
    SaveRolled,
)
from eventstore.events.clock import (
    ActionHeld,
    InitiativeRolled,
    PhaseReached,
    RoundEnded,
    RoundStarted,
    SegmentReached,
    SurpriseRolled,
    SurpriseSettled,
    TimePassed,
    TurnDelayed,
    TurnEnded,
    TurnResumed,
    TurnStarted,
)
from eventstore.events.encounter import (
    CombatantJoined,
    CombatantLeft,
    EncounterClosed,
    Moved,
    Placed,
    SheetChanged,
    TerrainSet,
)
from eventstore.events.outcomes import (
    ConditionGained,
    ConditionLost,
    DamageDealt,
    EffectEnded,
    EffectStarted,
    Healed,
    ResourceChanged,
)
from eventstore.events.remarks import Checked, Noted, RulingMade

Statement = (
    CombatantJoined
    | SheetChanged
    | CombatantLeft
    | EncounterClosed
    | Placed
    | TerrainSet
    | Moved
    | RoundStarted
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
    | ActionDeclared
    | ActionTaken
    | ActionAbandoned
    | AttackRolled
    | SaveRolled
    | ContestRolled
    | DiceRolled
    | DamageDealt
    | Healed
    | ResourceChanged
    | EffectStarted
    | EffectEnded
    | ConditionGained
    | ConditionLost
    | Checked
    | RulingMade
    | Noted
)
"""Every event that states a fact, and so can be a replacement or be inserted."""
