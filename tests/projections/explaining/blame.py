"""What the tests of blame share with others."""

from typing import Any

from eventstore.events import CombatantJoined, DamageDealt, EncounterOpened
from eventstore.record import Recorded
from projections.rulesets import find


def log(*events: Any) -> list[Recorded]:
    first = EncounterOpened(
        format=1, encounter="e", title="t", ruleset="plain", revision=find("plain").revision, options={}
    )
    some = {"at": "2000-01-01T00:00:00.000000Z", "by": "gm", "digest": "0" * 64, "salt": "0" * 32, "hash": "0" * 64}
    return [Recorded(seq=seq, event=event, **some) for seq, event in enumerate((first, *events), 1)]  # type: ignore[arg-type]


def joined(hp: int = 14) -> CombatantJoined:
    return CombatantJoined(combatant="ana", sheet={"hp": hp})


def hit(amount: int) -> DamageDealt:
    return DamageDealt(target="ana", amount=amount)
