"""A fight typed with nothing but names, and the same facts with bare sheets: what `audit --complete` could not judge of each."""

from collections.abc import Iterator

from msgspec import structs

from eventstore.events import ActionTaken, CombatantJoined
from eventstore.record import Recorded
from projections.judging.audit import audit
from projections.judging.unjudged import Unjudged, Unjudging
from projections.language.notation.records import make_records
from projections.language.notation.table import Table
from tests.projections.logs import records

LINES = (
    "4 goblins",
    "an owlbear",
    "join zed heroes hp=24",
    "zed 18, owlbear 12, goblins 9",
    "zed's turn",
    "zed casts fireball on goblins",
    "goblin-1 saves dex succeeded=yes ^",
    "goblin-1 -6 ^2",
    "goblin-2,goblin-3,goblin-4 -12 ^3",
    "owlbear's turn",
    "owlbear claws zed 15, hits for 12 slashing",
    "t goblin-1",
    "goblin-1 moves 30 ft",
    "goblin-1 shoots zed with shortbow 9, misses",
)
UNKNOWN = "a spell of the table's own"
"""The name under which no document lists a spell."""


def by_names() -> list[Recorded]:
    """Return the log of the fight."""
    table = Table(records(ruleset="5e"))
    for line in LINES:
        table.take(make_records(table.tell(line).facts, len(table.records) + 1))
    return [*table.records]


def bare(log: list[Recorded]) -> list[Recorded]:
    """Return the same facts without what the tables know: of each monster nothing but its hit points, of the spell nothing."""
    return [structs.replace(one, event=_bare(one.event)) for one in log]


def _bare(event: object) -> object:
    if isinstance(event, CombatantJoined) and "srd" in event.sheet:
        return structs.replace(event, sheet={"hp": 7 if "goblin" in event.combatant else 59})
    if isinstance(event, ActionTaken) and event.action.kind == "cast":
        return structs.replace(event, action=structs.replace(event.action, name=UNKNOWN))
    return event


def unjudged(log: list[Recorded]) -> tuple[Unjudged, ...]:
    """Return the clauses that facts of a log leave unjudged."""
    look = Unjudging()
    done = audit(log, after=look.observe_fact)
    return look.unjudged_clauses(done.replay.state) or ()


def compared() -> Iterator[str]:
    """Yield the rows of a table in Markdown: what keeps clauses from being judged with bare sheets, and of how much that is left by names."""
    log = by_names()
    with_names = {(one.says, one.rule): one for one in unjudged(log)}
    rows: dict[tuple[str, str, str], list[str]] = {}
    for one in unjudged(bare(log)):
        other = with_names.get((one.says, one.rule))
        now = other.facts if other else 0
        if now < one.facts:
            rows.setdefault((one.says, f"{one.facts} of {one.of}", str(now or "none")), []).append(one.rule)
    for (says, before, left), rules in rows.items():
        yield f"| {says} | {before} | {left} | {', '.join(f'`{rule}`' for rule in rules)} |"
