"""Events about the encounter: its opening and end, who takes part, who is where."""

from typing import Any

from eventstore.events.fact import Fact, Momentary
from eventstore.shapes import (
    Count,
    Distance,
    Fork,
    Id,
    Reference,
    Square,
    Text,
    Word,
)
from eventstore.wording import brief

# ---------------------------------------------------------------- encounter


class EncounterOpened(Fact, frozen=True, kw_only=True):
    """The opening of a log, which fixes its ruleset, the ruleset's revision and every option.

    {"type":"encounter_opened","format":1,"encounter":"q7k2","title":"Ford","ruleset":"osric","revision":1,"options":{}}
    """

    format: Count
    encounter: Id
    title: Text
    ruleset: Id
    revision: Count
    options: dict[Word, Word]
    forked_from: Fork | None = None

    def __repr__(self) -> str:
        return brief(self, f"{self.title}, {self.ruleset}, revision {self.revision}")


class CombatantJoined(Fact, frozen=True, kw_only=True):
    """The joining of a combatant, with its display name, side and sheet.

    {"type":"combatant_joined","combatant":"halvaine","name":"Halvaine","side":"party","sheet":{"hp":9}}
    """

    combatant: Id
    name: Word | None = None
    side: Id | None = None
    sheet: dict[Word, Any]


class SheetChanged(Fact, frozen=True, kw_only=True):
    """A replacement of these keys of a combatant's sheet.

    {"type":"sheet_changed","combatant":"ada","sheet":{"routines":2}}
    """

    combatant: Id
    sheet: dict[Word, Any]


class CombatantLeft(Fact, frozen=True, kw_only=True):
    """The departure of a combatant: fled, carried off, dismissed.

    {"type":"combatant_left","combatant":"grim","reason":"fled"}
    """

    combatant: Id
    reason: Text | None = None


class EncounterClosed(Fact, frozen=True, kw_only=True, tag="encounter_closed.2"):
    """The end of the fight, with its reason: fled, talked out, all down.

    {"type":"encounter_closed.2","reason":"the orcs fled"}
    """

    reason: Text | None = None


# ---------------------------------------------------------------- space


class Placed(Fact, frozen=True, kw_only=True):
    """The place of a combatant: its square, and those it is in melee with; an empty list means nobody.

    {"type":"placed","combatant":"cleo","square":[0,0],"engaged":["urk"]}
    """

    combatant: Id
    square: Square | None = None
    engaged: tuple[Id, ...] = ()
    words: Text | None = None


class TerrainSet(Fact, frozen=True, kw_only=True):
    """The terrain of these squares; no squares means all.

    {"type":"terrain_set","terrain":"difficult","squares":[[3,4],[3,5]]}
    """

    terrain: Word
    squares: tuple[Square, ...] = ()


class Moved(Momentary, frozen=True, kw_only=True):
    """A move over a stretch of ground; a path begins with the square being left.

    {"type":"moved","combatant":"bo","path":[[0,0],[1,0],[2,0]],"mode":"walk"}
    """

    combatant: Id
    path: tuple[Square, ...] = ()
    distance: Distance | None = None
    mode: Word | None = None
    medium: Word | None = None
    cost: Word | None = None
    forced: bool = False
    source: Id | None = None
    obstructed: bool = False
    cause: Reference | None = None

    @property
    def plain_cost(self) -> str:
        """Its cost as rules compare it: case folded, "" if none is recorded."""
        return self.cost.casefold() if self.cost else ""


Participation = CombatantJoined | SheetChanged | CombatantLeft | EncounterClosed | Placed | TerrainSet | Moved
"""The events about who takes part and where; the opening of the log is none of them."""
