"""The cost of the rules: each ruleset against plain and against itself, as ratios within one run, and its lines of Python.

Records are in memory and time is the processor's, so that only folds and checks are compared. A ruleset is measured here as soon as it
has a script in `benchmarks/replay.py`.
"""

import ast
import itertools
import time
from collections.abc import Callable, Iterator, Sequence
from pathlib import Path
from types import ModuleType

from benchmarks.append import AT, NAMES
from benchmarks.measuring import Measurement, Work, in_turn, median_of_pairs
from benchmarks.replay import SCRIPTS, fight
from eventstore.events import (
    CombatantJoined,
    EncounterOpened,
    Event,
    InitiativeRolled,
    RoundEnded,
    RoundStarted,
    TurnDelayed,
    TurnEnded,
    TurnResumed,
    TurnStarted,
)
from eventstore.record import Draft, Recorded
from projections import mechanics
from projections.judging.audit import audit
from projections.judging.refusals import find_refusals
from projections.replay.replay import replay, resume
from projections.rulesets import find, keys
from projections.views.steps import steps

PLAIN = "plain"
LARGE = ("vile-darkness", "definition-master")
"""The rulesets of 148 and 198 clauses, which may take more."""
OWN_TARGETS = {"5e": (3, 2.2, None)}
"""The targets of a ruleset that has its own."""
BEFORE_THE_FIGHT = (EncounterOpened, CombatantJoined, InitiativeRolled)
REPLAY, AUDIT, JUDGED, STEPS = (2.5, 4), (2, 3), (5, None), 3
"""The most that a replay may cost against that of plain, an audit against its replay and against that of plain, each
for a small ruleset and a large one, and the steps against their replay.
"""
OF_ROUNDS = (RoundStarted, RoundEnded, TurnStarted, TurnEnded, TurnDelayed, TurnResumed, InitiativeRolled)
"""The facts that begin a round or follow from it: without them there are acts alone."""

Records = list[Recorded]


def run(folder: Path, short: bool) -> list[Measurement]:
    """Measure every ruleset but plain, which is the base of the others."""
    del folder  # nothing is written
    return [row for key in keys() if key != PLAIN for row in _rows(key, short)] + [_mechanics()]


def _rows(key: str, short: bool) -> Iterator[Measurement]:
    runs = 1 if short else 3
    if key not in SCRIPTS:
        yield Measurement(key, "", (), note="has no script in benchmarks/replay.py")
    else:
        yield from _against_replay(key, *((2_000, 3) if short else (10_000, 9)))
        yield _at_the_table(key, 500 if short else 2_000, runs)
        yield _steps(key, 1_000, runs)
        yield from (_crowd(key, work, 2_048 if short else 4_096, runs) for work in (replay, audit))
        for what, left_out in (("with rounds", ()), ("without rounds", OF_ROUNDS)):
            yield _growth(key, what, left_out, 8_000 if short else 16_000, runs)
    yield from _size(key)


def _against_replay(key: str, events: int, runs: int) -> Iterator[Measurement]:
    """Measure replay and audit against each other, and against the replay of as many events in plain."""
    plain, own = in_memory(PLAIN, events), in_memory(key, events)
    works: dict[str, Work] = {PLAIN: lambda: replay(plain), "replay": lambda: replay(own), "audit": lambda: audit(own)}
    taken = timed(works, runs)
    large = key in LARGE
    replay_most, audit_most, judged_most = OWN_TARGETS.get(key, (REPLAY[large], AUDIT[large], JUDGED[large]))
    for what, base, most in (
        ("replay", PLAIN, replay_most),
        ("audit", "replay", audit_most),
        ("audit", PLAIN, judged_most),
    ):
        words = "its replay" if base == "replay" else "the replay in plain"
        yield _row(
            f"{key}: {what} against {words}", taken[what], events, median_of_pairs(taken[what], taken[base]), most
        )


def _steps(key: str, events: int, runs: int) -> Measurement:
    """Measure `steps` against a replay, with 32 combatants."""
    records = in_memory(key, events, 32)
    works: dict[str, Work] = {
        "replay": lambda: replay(records),
        "steps": lambda: steps(records, None, lambda _step, _state: None),
    }
    taken = timed(works, runs)
    ratio = median_of_pairs(taken["steps"], taken["replay"])
    return _row(f"{key}: steps against replay, 32 combatants", taken["steps"], events, ratio, STEPS)


def _at_the_table(key: str, events: int, runs: int) -> Measurement:
    """Measure one further fact, decided on and applied, at a table that keeps its state, against one in plain."""
    taken = timed({each: _one_by_one(each, events) for each in (PLAIN, key)}, runs)
    ratio = median_of_pairs(taken[key], taken[PLAIN])
    return _row(f"{key}: a fact appended at a table, against one in plain", taken[key], events, ratio, None)


def _one_by_one(key: str, events: int) -> Work:
    """Return the work of deciding on each of so many facts of a fight of 8, and applying it to the state before it."""
    records = in_memory(key, events + 1)
    facts = [(record, Draft(event)) for record, event in zip(records, fight(key, NAMES), strict=False)][1:]

    def work() -> None:
        done = replay(records[:1])
        for record, draft in facts:
            find_refusals(done.state, (draft,), after=record.seq - 1)
            done = resume(done, [record])

    return work


def _crowd(key: str, work: Callable[[Records], object], events: int, runs: int) -> Measurement:
    """Measure an event of a fight of 1,024 against one of a fight of 8; joining and first dice are left out."""
    few, many = (_works(work, key, events, combatants) for combatants in (8, 1_024))
    taken = timed({**few, **many}, runs)
    each = {
        combatants: [
            whole - start for whole, start in zip(taken[f"{combatants}"], taken[f"{combatants} start"], strict=True)
        ]
        for combatants in (8, 1_024)
    }
    ratio = median_of_pairs(each[1_024], each[8])
    return _row(f"{key}: {work.__name__}, 1,024 combatants against 8", each[1_024], events, ratio, 3)


def _works(work: Callable[[Records], object], key: str, events: int, combatants: int) -> dict[str, Work]:
    """Return the work on a log up to its fight, and on that and so many events of the fight."""
    some = in_memory(key, 1 + 2 * combatants + events, combatants)
    start = list(itertools.takewhile(lambda record: isinstance(record.event, BEFORE_THE_FIGHT), some))
    whole = some[: len(start) + events]
    return {f"{combatants} start": lambda: work(start), f"{combatants}": lambda: work(whole)}


def _growth(key: str, what: str, left_out: tuple[type[Event], ...], most: int, runs: int) -> Measurement:
    """Measure the audit of an event of many against one of 1,000."""
    few, many = (in_memory(key, events, left_out=left_out) for events in (1_000, most))
    works: dict[str, Work] = {"few": lambda: audit(few), "many": lambda: audit(many)}
    taken = timed(works, runs)
    ratio = median_of_pairs(taken["many"], taken["few"]) * len(few) / len(many)
    return _row(f"{key}: audit, {most:,} events against 1,000, {what}", taken["many"], len(many), ratio, 1.1)


def timed(works: dict[str, Work], runs: int) -> dict[str, list[float]]:
    """Run these in turn, without a run to warm up if there is only one, which is long enough."""
    return in_turn(works, runs, warm=min(runs - 1, 1), clock=time.process_time)


def _row(name: str, seconds: Sequence[float], events: int, ratio: float, most: float | None) -> Measurement:
    return Measurement(name, "µs an event", tuple(each / events * 1e6 for each in seconds), ratio, most, least=False)


# ---------------------------------------------------------------- logs in memory


def in_memory(key: str, events: int, combatants: int = 8, left_out: tuple[type[Event], ...] = ()) -> Records:
    """Return the records of a log of so many events, without those of some types; their hashes are left blank."""
    names = NAMES if combatants == len(NAMES) else tuple(f"fighter-{number}" for number in range(combatants))
    facts = (event for event in fight(key, names) if not isinstance(event, left_out))
    blank = "0" * 64
    return [
        Recorded(seq=seq, at=AT, by="gm", digest=blank, event=event, salt="0" * 32, hash=blank)
        for seq, event in enumerate(itertools.islice(facts, events), 1)
    ]


# ---------------------------------------------------------------- lines


def _size(key: str) -> Iterator[Measurement]:
    """Count the lines of Python in a ruleset's folder, for each of its clauses, and those of them that are code."""
    ruleset = find(key)
    folder, clauses = Path(ruleset.rules).parent, len(ruleset.catalogue().rule)
    lines, code = _lines(folder), sum(map(_code, folder.rglob("*.py")))
    yield Measurement(f"{key}: Python a clause", "lines", (lines,), lines / clauses, 35, least=False)
    note = "without blank lines, docstrings, comments and imports"
    yield Measurement(f"{key}: of these, code a clause", "lines", (code,), code / clauses, note=note)


def _code(path: Path) -> int:
    """Count the lines of a module that are neither blank nor a docstring, a comment or an import."""
    text = path.read_text("utf-8")
    aside = {
        line
        for node in ast.walk(ast.parse(text))
        if isinstance(node, ast.Import | ast.ImportFrom)
        or (isinstance(node, ast.Expr) and isinstance(node.value, ast.Constant))
        for line in range(node.lineno, (node.end_lineno or node.lineno) + 1)
    }
    lines = enumerate(map(str.strip, text.splitlines()), 1)
    return sum(bool(line) and not line.startswith("#") and number not in aside for number, line in lines)


def _mechanics() -> Measurement:
    return Measurement("mechanics: Python", "lines", (_lines(_folder(mechanics)),), note="that all rulesets share")


def _folder(package: ModuleType) -> Path:
    return Path(package.__path__[0])


def _lines(folder: Path) -> int:
    return sum(len(path.read_text("utf-8").splitlines()) for path in folder.rglob("*.py"))
