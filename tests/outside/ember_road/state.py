"""What a sheet of Ember Road says, and what a fight keeps beside what all fights keep."""

from typing import Any

from msgspec import Struct

from projections.because import Derived
from projections.state import State


class Sheet(Struct, frozen=True, forbid_unknown_fields=True, omit_defaults=True):
    hp: int = 20
    hp_max: int = 20
    quick: int = 0
    skill: int = 6
    guard: int = 15
    will: int = 4
    agile: tuple[str, ...] = ()  # its light weapons


class EmberState(State):
    """A fight on the road: what everybody threw for its place."""

    thrown: dict[str, Derived[Any]] = {}
