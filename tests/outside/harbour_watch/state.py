"""What a sheet of Harbour Watch says, and what a fight keeps beside what all fights keep."""

from typing import Any

from msgspec import Struct

from projections.because import Derived
from projections.state import State


class Sheet(Struct, frozen=True, forbid_unknown_fields=True, omit_defaults=True):
    hp: int = 8  # breath
    hp_max: int = 8
    quick: int = 0
    skill: int = 0
    guard: int = 10
    pace: int = 30


class WatchState(State):
    """A fight in the harbour: what everybody threw for its place."""

    thrown: dict[str, Derived[Any]] = {}
