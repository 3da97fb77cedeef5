"""The things that a game can have in addition to its rules: reference documents, campaigns in the same form, and
settings for recordings.

A ruleset names them (`Ruleset.documents`, `Ruleset.recordings`); the application asks for them by these names alone.
"""

from __future__ import annotations

from collections.abc import Iterable, Iterator, Mapping
from typing import TYPE_CHECKING, Any, Protocol, TypeAlias

from msgspec import Struct

from projections.open_types import Fields, RulesState

OPTION = "campaign"
"""The option with the campaign that a log was opened on, and the hash of the campaign's content."""
NAME = r"[a-z0-9]+(?:-[a-z0-9]+)*"
"""The form of a campaign's name."""
LONGEST = 40
"""The highest number of characters in a campaign's name."""

Record: TypeAlias = Any
"""The record of one creature, spell or the like in the documents: it has a `name`, an `id` (the name in the form for
comparing), and the fields of its game.
"""
Placed = tuple[str, object]
"""A remark of a file on a record, after its place there."""


class NoEdition(ValueError):
    """The error that there is no edition of this name; `args` are a sentence and a hint."""


class NoName(ValueError):
    """The error that a value is no name; `args` are a sentence and a hint."""


class NoRecord(ValueError):
    """The error that a name stands for no record, or for several; `args` are a sentence and a hint."""


class Recordings(Struct, frozen=True):
    """The settings for recordings of another program, with the options that are not the defaults.

    `sheets`: stat blocks become sheets. `rolls_once`: of two initiative rolls of a combatant the first counts, so a
    later place is a ruling of the game master. `spares_end`: the end of a turn counts down no duration that began in
    it, as the bot's does. `kills_outright`: damage far beyond the hit points kills, so an attack that drops a combatant
    to 0 cannot be recorded as damage. `counts_rounds`: the clause by which a round follows the one before it; a jump of
    the source needs a grant. `counts_turns`: the clause by which everybody has one turn in a round; a turn to which the
    source goes back needs a grant. `orders_turns`: the clause by which turns come in their order; a turn to which the
    game master moves the tracker needs a grant.
    """

    options: dict[str, str] = {}
    sheets: bool = False
    rolls_once: bool = False
    spares_end: bool = False
    kills_outright: bool = False
    counts_rounds: str = ""
    counts_turns: str = ""
    orders_turns: str = ""


class Joining(Struct, frozen=True):
    """A creature of the documents that will join: its id, the field of a sheet that names it, and the dice of its hit points, if
    it has any, with the added number and its source.
    """

    id: str
    named: Fields
    hit_dice: str = ""
    bonus: int = 0
    bonus_from: str = ""


if TYPE_CHECKING:

    class Campaign(Protocol):
        """A campaign's own records."""

        @property
        def name(self) -> str:
            """The name of its folder."""

        @property
        def said(self) -> str:
            """The value of the option: the name, and the hash of all that it holds."""

        def records(self) -> dict[str, tuple[Record, ...]]:
            """Return its records by their kinds."""


class Documents(Protocol):
    """The reference documents of a game, in editions, each with records of some kinds; and campaigns in the same form."""

    @property
    def editions(self) -> tuple[str, ...]:
        """The editions, the default first."""

    @property
    def kinds(self) -> tuple[str, ...]:
        """The kinds of records, in the singular, creatures first."""

    @property
    def example(self) -> str:
        """The content of a campaign's file."""

    def records(self, edition: str) -> dict[str, tuple[Record, ...]]:
        """Return the records of an edition by their kinds; raise NoEdition."""

    def records_meant(self, those: Mapping[str, tuple[Record, ...]], name: str) -> dict[str, tuple[Record, ...]]:
        """Return the records that a name may stand for, by their kinds: those of exactly this name, else all that have its words."""

    def nearest_records(self, those: Mapping[str, tuple[Record, ...]], name: str) -> tuple[Record, ...]:
        """Return the records with the names that are most like a name."""

    def find_creatures(self, name: str, edition: str) -> list[Fields]:
        """Return a row for each creature whose name has words that begin with those of a name; raise NoEdition."""

    def lines(self, one: Record, where: str) -> Iterator[str]:
        """Yield the lines of a record's page."""

    def short_words(self, one: Record) -> str:
        """Return the words that distinguish a record in a list."""

    def creature_joining(self, state: RulesState, name: str) -> Joining:
        """Return the creature of a name that joins; raise NoRecord, or ValueError for an unknown campaign."""

    def name_of_sheet(self, name: str, edition: str, sheet: Fields) -> Fields:
        """Return the fields that name the creature with a recorded sheet's name and numbers; else nothing."""

    def parse_campaign(self, name: str, records: Mapping[str, Iterable[Placed]]) -> Campaign:
        """Return a campaign from records in JSON; raise ValueError with the place of an error."""

    def add_campaign(self, campaign: Any) -> None:
        """Register a campaign for the logs that were opened on exactly this content."""

    def is_known(self, said: str) -> bool:
        """Say whether a campaign of this name and hash is registered."""
