"""The vocabulary: the events of a log.

All facts are in the past tense. `type` comes first; what is absent was not said. A field that can be derived (a total,
a hit) is a *statement*: where the ruleset derives it, the derived value counts and the audit compares.

Each docstring ends with an example line. To add an event: write its struct among those of its subject, add it to
their union, and give the folds that need it a function (`projections/`). A type that gets another field
gets a new version with a tag of its own; the earlier ones are in eventstore/record.py.
"""

from typing import Any, Literal

from msgspec import Struct

from eventstore.shapes import (
    Action,
    Aim,
    Contender,
    Count,
    Die,
    Digits,
    Distance,
    Duration,
    Fork,
    Hundredths,
    Id,
    Modifier,
    Part,
    Reference,
    Span,
    Square,
    Stated,
    Text,
    Whole,
    Word,
)
from eventstore.wording import short_repr


def _tag_of_name(name: str) -> str:
    return "".join("_" + letter.lower() if letter.isupper() else letter for letter in name).lstrip("_")


class Fact(
    Struct,
    frozen=True,
    gc=False,
    kw_only=True,
    forbid_unknown_fields=True,
    omit_defaults=True,
    repr_omit_defaults=True,
    tag_field="type",
    tag=_tag_of_name,
):
    """The base of all events: frozen, tagged by `type`, without unknown fields, defaults left out of the line."""


class Momentary(Fact, frozen=True, kw_only=True):
    """The base of events that may give their own moment, valid for them and for facts that name them as `cause`."""

    phase: Word | None = None
    segment: Count | None = None
    second: Count | None = None


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
        return short_repr(self, f"{self.title}, {self.ruleset}, revision {self.revision}")


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


ClockEvent = RoundStarted | RoundEnded | PhaseReached | SegmentReached | TurnStarted | TurnEnded | TimePassed
OrderEvent = SurpriseRolled | SurpriseSettled | InitiativeRolled | TurnDelayed | TurnResumed | ActionHeld


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


# ---------------------------------------------------------------- remarks


class Checked(Momentary, frozen=True, kw_only=True):
    """A statement of derived values, from address to value, which the audit compares.

    The addresses are order, turn, round, segment, phase, seconds (where the ruleset counts them), options.<name>, and of
    a combatant <id>.name, side, hp, hp_max, temp, nld, status, conditions, effects, effects.<name> (what is left of it),
    casting and concentration. encounter rules log lists these, encounter rules KEY those of a ruleset alone.

    {"type":"checked","values":{"turn":"nitar","round":1,"nitar.hp":31,"nitar.effects":["Frightened"]}}
    """

    values: dict[Word, Stated]
    reason: Text | None = None


class RulingMade(Fact, frozen=True, kw_only=True):
    """A decision of the GM: a tie settled, a breach waived, values overridden, a grant, a fact of the world, a reveal.

    {"type":"ruling_made","ruling":"override","decision":"Ulf is out of the fight","values":{"ulf.status":"out"}}
    """

    ruling: Literal["tie", "waiver", "override", "grant", "fact", "reveal"]
    decision: Text
    reason: Text | None = None
    event: Reference | None = None
    rule: Word | None = None
    subject: Word | None = None
    combatants: tuple[Id, ...] = ()
    values: dict[Word, Stated] | None = None
    modifiers: tuple[Modifier, ...] = ()


class Noted(Fact, frozen=True, kw_only=True):
    """A remark, on an event if it names one.

    {"type":"noted","text":"The rope bridge creaks.","event":7}
    """

    text: Text
    event: Reference | None = None


Remark = Checked | RulingMade | Noted


# ---------------------------------------------------------------- fair dice


class DiceCommitted(Fact, frozen=True, kw_only=True):
    """The beginning of a chain of dice: who holds its secret, the link before the first roll, and for how many rolls.

    A `hidden` chain is for secret rolls. FORMAT.md describes the scheme.

    {"type":"dice_committed","holder":"gm","link":"784ce94314f0f5f4ac208b5b75e4fd7e86f6cd74d706c1dd393f0e061c6d2841"}
    """

    holder: Word
    link: Digits
    length: Count = 10_000
    hidden: bool = False
    reason: Text | None = None


class DiceDrawn(Fact, frozen=True, kw_only=True):
    """A roll drawn from the chain: its number, the link that it reveals, a fresh word and who gave it, the dice, and the record that shows them.

    Without `giver` the word is that of the holder of the secret; `lacks` says why no other person gave one.

    {"type":"dice_drawn","number":1,"link":"0f2619ede756097166938d491301618e07a5681d7d9700f3a7777e4ea9dc024d","word":"ford","giver":"ana","notation":"d20","purpose":"attack_rolled","event":-1}
    """

    number: Count
    link: Digits
    word: Word
    giver: Word | None = None
    lacks: Text | None = None
    notation: Word
    purpose: Word | None = None
    hidden: bool = False
    event: Reference


Provenance = DiceCommitted | DiceDrawn
"""The events by which anybody can check where dice came from; they state nothing about the fight."""


# ---------------------------------------------------------------- corrections

Statement = Participation | ClockEvent | OrderEvent | ActionOrRoll | Outcome | Remark
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


Event = EncounterOpened | Statement | Correction | Provenance
EVENT_TYPES: tuple[type[Fact], ...] = Event.__args__
TAGS: dict[str, type[Fact]] = {str(event.__struct_config__.tag): event for event in EVENT_TYPES}


def name_of(kind: type[Fact]) -> str:
    """Return the name of a type, which all its versions share: its tag without a number."""
    return str(kind.__struct_config__.tag).partition(".")[0]


NEWEST: dict[str, type[Fact]] = {name_of(event): event for event in EVENT_TYPES}
"""The newest version of each type by its name."""
