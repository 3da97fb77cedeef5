"""Earlier versions of event types, each with the step to the next one.

Facts of an earlier version stay as they are, and may still be written, for ever. record.py takes the steps;
readers of records see only the newest version.
"""

from collections.abc import Callable
from typing import Any

from eventstore.events import TAGS, Amended, EncounterClosed, Event, Fact, Inserted


class EncounterClosed1(Fact, frozen=True, kw_only=True, tag="encounter_closed"):
    """The end of the fight, without a reason.

    {"type":"encounter_closed"}
    """


AnyEvent = Event | EncounterClosed1
"""An event in the version in which it was given, the newest or an earlier one."""

UPCASTERS: dict[type[Fact], Callable[[Any], Fact]] = {
    EncounterClosed1: lambda _: EncounterClosed(),
}
"""For each earlier version of a type, the function that converts a fact to the next version."""

EARLIER: dict[str, type[Fact]] = {str(kind.__struct_config__.tag): kind for kind in UPCASTERS}
KNOWN: dict[str, type[Fact]] = EARLIER | TAGS
"""Every version of every type by its tag."""

CARRYING: dict[type[Fact], str] = {Amended: "replacement", Inserted: "fact"}
"""The types that contain another fact, and the field that holds it."""
