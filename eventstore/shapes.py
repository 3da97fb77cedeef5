"""The values that events share: whole numbers, ids, words, and the small structs such as Action and Dice.

All are frozen, refuse unknown fields, and leave out defaults. Numbers lie within ±(2^53−1), so that every JSON reader
reads them alike.
"""

from typing import Annotated

from msgspec import Meta, Struct

LARGEST = 2**53 - 1
ID_PATTERN = r"^[a-z0-9]+(-[a-z0-9]+)*$"

Whole = Annotated[int, Meta(ge=-LARGEST, le=LARGEST)]
Count = Annotated[int, Meta(ge=0, le=LARGEST)]
Reference = Annotated[int, Meta(ge=-LARGEST, le=LARGEST)]
"""Above 0 the seq of a record, below 0 so many records back from this one; never 0."""

Id = Annotated[str, Meta(max_length=64, extra_json_schema={"pattern": ID_PATTERN})]
"""Lower-case words joined by `-`. The form is checked where facts come in and where they are read (form.py)."""
Word = Annotated[str, Meta(min_length=1, max_length=120)]
Text = Annotated[str, Meta(max_length=2000)]
Hundredths = Annotated[str, Meta(pattern=r"^-?[0-9]{1,9}\.[0-9]{2}$")]

Digits = Annotated[str, Meta(pattern=r"^[0-9a-f]{64}$")]
"""A SHA-256 in hexadecimal digits, lower case."""

Stated = Whole | bool | Text | tuple[Whole | Text | tuple[Text, ...], ...]
"""A derived value as a person wrote it down; the word "none" means nothing."""


class Shape(
    Struct, frozen=True, gc=False, kw_only=True, forbid_unknown_fields=True, omit_defaults=True, repr_omit_defaults=True
):
    """The base of the shared structs, with their common settings."""


class Dice(Shape, frozen=True, kw_only=True):
    """A throw of dice: notation, faces in the order thrown, positions of the dropped ones.

    {"notation":"2d20kh1","faces":[10,18],"dropped":[0]}
    """

    notation: Word
    faces: tuple[Whole, ...]
    dropped: tuple[Count, ...] = ()


Die = Whole | Dice
"""One face, or dice in full."""


class Modifier(Shape, frozen=True, kw_only=True):
    """A number that was added to a roll; `to` says to which one, if that is ambiguous.

    {"name":"base","amount":11}
    """

    name: Word
    amount: Whole
    to: Word | None = None


class Part(Shape, frozen=True, kw_only=True):
    """One part of an amount: its dice, or its fixed number.

    {"name":"sword","kind":"weapon","dice":{"notation":"1d8","faces":[5]},"damage_type":"slashing"}
    """

    name: Word
    kind: Word | None = None
    dice: Dice | None = None
    amount: Whole | None = None
    damage_type: Word | None = None


class Contender(Shape, frozen=True, kw_only=True):
    """One of the combatants who roll against each other.

    {"combatant":"ana","using":"strength","die":15}
    """

    combatant: Id
    using: Word | None = None
    die: Die | None = None
    check: Whole | None = None
    modifiers: tuple[Modifier, ...] = ()
    total: Whole | None = None


class Span(Shape, frozen=True, kw_only=True):
    """A length of time: a number of segments, seconds, rounds, minutes, turns (ten rounds), hours or days.

    {"amount":1,"unit":"round"}
    """

    amount: Whole
    unit: Word


class Duration(Shape, frozen=True, kw_only=True):
    """A duration: a span, with whose turns count it (`of`), at their start or end (`at`).

    {"amount":10,"unit":"round","of":"nitar","at":"end"}
    """

    amount: Whole
    unit: Word
    of: Id | None = None
    at: Word | None = None


class Distance(Shape, frozen=True, kw_only=True):
    """A distance in feet (`ft`), metres (`m`) or squares (`square`).

    {"amount":30,"unit":"ft"}
    """

    amount: Whole
    unit: Word


Square = tuple[Whole, Whole]
"""Column and row."""


class Aim(Shape, frozen=True, kw_only=True):
    """The line of an effect to one target: cover and concealment in percent, `line` clear or blocked.

    {"target":"urk","distance":{"amount":30,"unit":"ft"},"line":"clear"}
    """

    target: Id | None = None
    distance: Distance | None = None
    cover: Whole | None = None
    concealment: Whole | None = None
    line: Word | None = None
    seen: bool | None = None


class Save(Shape, frozen=True, kw_only=True):
    """The saving throw that an action allows; `half` if a save halves the effect.

    {"save":"wisdom","dc":11}
    """

    save: Word | None = None
    dc: Whole | None = None
    half: bool = False


class Action(Shape, frozen=True, kw_only=True):
    """An action: its kind, its cost, its targets, how long it takes (ticks of the ruleset, or a Span).

    {"kind":"cast","name":"sleep","targets":["orc-1"],"time":2}
    """

    kind: Word
    name: Word | None = None
    targets: tuple[Id, ...] = ()
    object: Word | None = None
    square: Square | None = None
    cost: Word | None = None
    time: Whole | Span | None = None
    delay: Whole | Span | None = None
    manner: tuple[Word, ...] = ()
    routine: Whole | None = None
    granted_by: Word | None = None
    components: tuple[Word, ...] | None = None
    allows_save: Save | None = None

    @property
    def plain_kind(self) -> str:
        """Its kind as rules compare it: case folded."""
        return self.kind.casefold()

    @property
    def plain_manner(self) -> tuple[str, ...]:
        """Its manners as rules compare them: case folded."""
        return tuple(map(str.casefold, self.manner))

    @property
    def plain_cost(self) -> str:
        """Its cost as rules compare it: case folded, "" if none is recorded."""
        return self.cost.casefold() if self.cost else ""


class Fork(Shape, frozen=True, kw_only=True):
    """The log, and the place in it, that a fork came from.

    {"encounter":"q7k2","seq":18,"hash":"…"}
    """

    encounter: Id
    seq: Count
    hash: Digits
