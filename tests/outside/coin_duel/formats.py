"""Formats of Coin Duel: its score sheets, a strike a line, are read; who struck whom how often is written."""

from collections import Counter
from collections.abc import Iterator
from pathlib import Path

from encounterlog.exporters import Exporter
from encounterlog.exporters.session import Session
from encounterlog.importers import ANY, ImporterEntry
from encounterlog.importers.games import PLAIN, Game
from encounterlog.importers.sources import Limits, read_lines
from encounterlog.importers.transcript import BadSource, Fact, Problem, Transcript
from eventstore.events import ActionTaken

SCORES = ImporterEntry("coin_duel.formats", "score sheets of Coin Duel, `ana > bo` a strike", games=ANY)
TALLY = Exporter("coin_duel.formats", "who struck whom how often, a line each", "text")

LIMITS = Limits(line=1000, lines=10_000, size=1 << 20)
AT = "2026-01-01T00:00:00.000000Z"


def read(source: Path, game: Game = PLAIN) -> Transcript:
    """Turn a score sheet into facts; raise BadSource where no line is a strike."""
    facts: list[Fact] = []
    problems: list[Problem] = []
    joined: set[str] = set()
    for number, line in enumerate(read_lines(source, LIMITS), 1):
        one, arrow, other = line.decode("utf-8", "replace").split() if line.count(b" ") == 2 else ("", "", "")
        if arrow != ">":
            problems.append(Problem(number, "is no strike"))
            continue
        for who in (one, other):
            if who not in joined:
                joined.add(who)
                facts.append(Fact({"type": "combatant_joined", "combatant": who, "sheet": {}}, AT, (number,)))
        action = {"kind": "strike", "targets": [other]}
        facts.append(Fact({"type": "action_taken", "combatant": one, "action": action}, AT, (number,)))
    if not facts:
        raise BadSource("has no line such as ana > bo")
    return Transcript(source.name, game.ruleset, facts, problems, states=0, options=game.takes.options)


def write(session: Session) -> Iterator[bytes]:
    """Yield how often each struck each, and the head of the log."""
    struck = Counter(
        (event.combatant, target)
        for record in session.records
        if isinstance(event := record.event, ActionTaken)
        for target in event.action.targets
    )
    yield from (f"{one} struck {other}: {count}\n".encode() for (one, other), count in struck.items())
    yield f"head {session.head}\n".encode()
