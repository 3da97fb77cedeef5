"""What OSRIC keeps beside the common state: dice, declarations, acts, castings, the fallen.

Segments are also counted through: 1 is segment 1 of round 1, 11 is segment 1 of round 2, and the last of the surprise
segments is 0. So a casting that runs from surprise into round 1, or from round to round, is a plain sum.
"""

from msgspec import Struct

from eventstore.shapes import Action
from projections.because import Because
from projections.state import State

SEGMENTS = 10
"""Segments in a round, of six seconds each."""

START, BY_DICE, BY_CHOICE, END = range(4)
"""The bands of a segment: effects at its start, those due by the dice, those who chose it, effects at its end."""


class Order(Struct, frozen=True, gc=False, order=True):
    """Is the order key, compared part by part; equal keys act at once. Round 0 is surprise; an interrupt has cut 0."""

    round: int
    segment: int
    band: int = BY_DICE
    lead: int = 0
    rank: int = 0
    cut: int = 1


class Rolled(Struct, frozen=True, gc=False):
    """Is a side's die as thrown, and the event that recorded it; `surprised_on` belongs to surprise dice."""

    face: int
    seq: int
    surprised_on: int = 2


class Settled(Struct, frozen=True, gc=False):
    """Is surprise settled without a die for a side: who of it is surprised all the same, and the event."""

    surprised: tuple[str, ...]
    seq: int


class Declared(Struct, frozen=True, gc=False):
    """Is what a combatant declared for the round; `given_up` is the event that took it back, or 0.

    `late` is a spell declared after the dice, beside the one that binds.
    """

    seq: int
    action: Action
    given_up: int = 0
    late: Action | None = None


class Act(Struct, frozen=True, gc=False):
    """Is an act as it was done, with its key and the number of the routine it belongs to (0: none).

    A blow out of turn names the event that it `answers`; `spears` are those who had a spear set as the act came.
    """

    seq: int
    combatant: str
    action: Action
    key: Order
    routine: int = 0
    extra: bool = False
    answers: int = 0
    spears: tuple[str, ...] = ()


class Casting(Struct, gc=False):
    """Is a spell being cast: it occupies segments `start` to `last`, counted through, and takes effect at `due`.

    Status is begun, done, spoiled, withdrawn or lost; `ended` is the round in which it ceased to be begun, `ended_by`
    the event that did it, `cut` the segment, counted through, in which it was broken off. `barred` says that its start was reported, so that its effect is not reported again.
    """

    combatant: str
    name: str
    begun: int
    key: Order
    start: int
    last: int
    due: Order
    status: str = "begun"
    ended: int = -1
    ended_by: int = 0
    cut: int | None = None
    barred: bool = False
    because: Because = Because()


class Seen(Struct, frozen=True, gc=False):
    """Is the effect of a spell as it was recorded, with its key."""

    seq: int
    combatant: str
    name: str
    key: Order


class Wound(Struct, frozen=True, gc=False):
    """Is what can spoil a spell: to whom, in which segment (counted through), by which event."""

    target: str
    segment: int
    seq: int


class Fallen(Struct, frozen=True, gc=False):
    """Is the key after which a combatant is out of action, up to `until` if it is back, and the event that did it."""

    key: Order
    seq: int
    until: Order | None = None


class OsricState(State):
    """Adds what the OSRIC text needs; what belongs to one round is emptied as the next begins.

    `length_of_play` is the number of surprise segments, fixed as round 1 opens; `highest` the highest segment of a row
    so far; `unused_holds` are those who held in the round before and did not act on it. `openings` are acts by their
    seq, `past` the castings that ended in earlier rounds, `unbegun` those without a row for their start, `recovered` those who were out in this round and are back.
    `barred` are acts of the fallen, `undeclared` effects already reported as such, `overdue` castings that a closed
    round was reported for, `claimed` the number that the last round was opened with. `survived` leads from who was hit
    by somebody fallen at the same time to the blow. `ruled_surprise` and `ruled_routines` are numbers that a ruling
    has put in place of those of dice and sheet, and the ruling.
    """

    surprise: dict[str, Rolled] = {}
    settled: dict[str, Settled] = {}
    length_of_play: int | None = None
    dice: dict[str, Rolled] = {}
    dice_missed: bool = False
    declared: dict[str, Declared] = {}
    acts: list[Act] = []
    keys: dict[int, Order] = {}
    castings: list[Casting] = []
    seen: list[Seen] = []
    wounds: list[Wound] = []
    fallen: dict[str, Fallen] = {}
    held: dict[str, int] = {}
    unused_holds: dict[str, int] = {}
    readied: dict[str, int] = {}
    spears: dict[str, int] = {}
    named_segments: dict[str, tuple[int, int]] = {}
    named_orders: dict[int, tuple[str, ...]] = {}
    ruled_surprise: dict[str, tuple[int, int]] = {}
    ruled_routines: dict[str, tuple[int, int]] = {}
    openings: dict[int, Act] = {}
    past: list[Casting] = []
    unbegun: list[Casting] = []
    recovered: dict[str, list[Fallen]] = {}
    barred: set[int] = set()
    undeclared: set[tuple[str, str]] = set()
    overdue: set[int] = set()
    claimed: int = 0
    first_round: int = 0
    survived: dict[str, int] = {}
    highest: int = 0
    first_rows: dict[int, list[str]] = {}
