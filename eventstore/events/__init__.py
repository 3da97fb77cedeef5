"""The vocabulary: the events of a log.

All facts are in the past tense. `type` comes first; what is absent was not said. A field that can be derived (a total,
a hit) is a *statement*: where the ruleset derives it, the derived value counts and the audit compares.

Each docstring ends with an example line. To add an event: write its struct in the module of its subject, add it to
`Statement` (corrections.py), and give the folds that need it a function (`projections/`). A type that gets another field
gets a new version with a tag of its own; the earlier ones are in eventstore/record.py.
"""

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
from eventstore.events.corrections import Amended, Correction, Inserted, Statement, Struck
from eventstore.events.encounter import (
    CombatantJoined,
    CombatantLeft,
    EncounterClosed,
    EncounterOpened,
    Moved,
    Placed,
    SheetChanged,
    TerrainSet,
)
from eventstore.events.fact import Fact, Momentary
from eventstore.events.outcomes import (
    ConditionGained,
    ConditionLost,
    DamageDealt,
    EffectEnded,
    EffectStarted,
    Healed,
    ResourceChanged,
)
from eventstore.events.remarks import Checked, DiceCommitted, DiceDrawn, Noted, Provenance, RulingMade

__all__ = [
    "EVENT_TYPES",
    "NEWEST",
    "TAGS",
    "ActionAbandoned",
    "ActionDeclared",
    "ActionHeld",
    "ActionTaken",
    "Amended",
    "AttackRolled",
    "Checked",
    "CombatantJoined",
    "CombatantLeft",
    "Common",
    "ConditionGained",
    "ConditionLost",
    "ContestRolled",
    "Correction",
    "DamageDealt",
    "DiceCommitted",
    "DiceDrawn",
    "DiceRolled",
    "EffectEnded",
    "EffectStarted",
    "EncounterClosed",
    "EncounterOpened",
    "Event",
    "Fact",
    "Healed",
    "InitiativeRolled",
    "Inserted",
    "Momentary",
    "Moved",
    "Noted",
    "PhaseReached",
    "Placed",
    "Provenance",
    "ResourceChanged",
    "RoundEnded",
    "RoundStarted",
    "RulingMade",
    "SaveRolled",
    "SegmentReached",
    "SheetChanged",
    "Statement",
    "Struck",
    "SurpriseRolled",
    "SurpriseSettled",
    "TerrainSet",
    "TimePassed",
    "TurnDelayed",
    "TurnEnded",
    "TurnResumed",
    "TurnStarted",
    "name_of",
]

Common = (
    EncounterOpened
    | CombatantJoined
    | RoundStarted
    | RoundEnded
    | TurnStarted
    | TurnEnded
    | InitiativeRolled
    | ActionTaken
    | AttackRolled
    | DamageDealt
    | Healed
    | Noted
)
"""The events of a simple fight."""


Event = EncounterOpened | Statement | Correction | Provenance


EVENT_TYPES: tuple[type[Fact], ...] = Event.__args__


TAGS: dict[str, type[Fact]] = {str(event.__struct_config__.tag): event for event in EVENT_TYPES}


def name_of(kind: type[Fact]) -> str:
    """Return the name of a type, which all its versions share: its tag without a number."""
    return str(kind.__struct_config__.tag).partition(".")[0]


NEWEST: dict[str, type[Fact]] = {name_of(event): event for event in EVENT_TYPES}
"""The newest version of each type by its name."""
