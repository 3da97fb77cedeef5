"""The cost of the rules in bytecode instructions, which no other load changes, by the part of the program that runs them.

`rules` measures the same by the processor's time, with worse ratios than here. The loop of plain fits into the
processor's first caches, that of a ruleset of 70 to 198 clauses does not: for an event it misses the first cache for instructions
three to five times as often (`valgrind --tool=cachegrind`), and an instruction takes up to twice as long. Where a replay of plain
takes turns with those of the others, and so finds the caches full of what they run, it takes nearly twice its own time. So a target
that is met here and missed there depends on the number of a ruleset's different instructions, not on the number that it runs.
"""

import sys
from collections import Counter
from collections.abc import Callable, Iterator
from pathlib import Path
from types import FrameType
from typing import Any

import projections
from benchmarks.measuring import Measurement, Work
from benchmarks.replay import SCRIPTS
from benchmarks.rules import AUDIT, JUDGED, LARGE, PLAIN, REPLAY, STEPS, in_memory
from projections.judging.audit import audit
from projections.replay.replay import replay
from projections.rulesets import find, keys
from projections.views.steps import steps

UNIT = "an event"
PARTS = {
    "stream": "the corrected stream, and causes",
    "folds": "the loop, and the folds that all logs share",
    "mechanics": "mechanics",
    "judging": "the loop of the audit, statements, rulings",
    "": "state, reasons and addresses",
}
"""The contents of the packages of `projections`; the ruleset's own stands beside them."""
OWN = "the ruleset's own"
ROOT = Path(str(projections.__file__)).parent


def run(folder: Path, short: bool) -> list[Measurement]:
    """Count for every ruleset; plain comes first, as the base of the others."""
    del folder  # nothing is written
    events = 500 if short else 2_000
    records = in_memory(PLAIN, events)
    plain = counted(lambda: replay(records), PLAIN)
    others = [key for key in keys() if key != PLAIN and key in SCRIPTS]
    return [
        Measurement(f"{PLAIN}: replay", UNIT, (plain.total() / events,)),
        *_parts(plain, events),
        *(row for key in others for row in _rows(key, plain, events)),
    ]


def _rows(key: str, plain: Counter[str], events: int) -> Iterator[Measurement]:
    """Yield the cost of a replay, an audit and the steps of a ruleset, against the bases that `rules` uses."""
    records, many = in_memory(key, events), in_memory(key, events, 32)
    own, judged = counted(lambda: replay(records), key), counted(lambda: audit(records), key)
    walked = counted(lambda: steps(many, None, lambda _step, _state: None), key)
    large = key in LARGE

    def row(what: str, found: Counter[str], base: Counter[str], most: float | None) -> Measurement:
        return Measurement(
            f"{key}: {what}", UNIT, (found.total() / events,), found.total() / base.total(), most, least=False
        )

    yield row("replay against that in plain", own, plain, REPLAY[large])
    yield from _parts(own, events)
    yield row("audit against its replay", judged, own, AUDIT[large])
    yield row("audit against the replay in plain", judged, plain, JUDGED[large])
    yield from _parts(judged, events)
    yield row("steps against replay, 32 combatants", walked, counted(lambda: replay(many), key), STEPS)


def _parts(found: Counter[str], events: int) -> Iterator[Measurement]:
    for part, count in found.most_common():
        yield Measurement(f"- {part}", UNIT, (count / events,), count / found.total())


def counted(work: Work, key: str) -> Counter[str]:
    """Count the instructions of some work by part of the program."""
    work()  # caches of rules and forms are filled once, by the first use
    by_file: Counter[str] = Counter()

    def called(frame: FrameType, _event: str, _argument: Any) -> Callable[..., Any]:
        frame.f_trace_opcodes, frame.f_trace_lines = True, False
        return ran

    def ran(frame: FrameType, event: str, _argument: Any) -> Callable[..., Any]:
        if event == "opcode":
            by_file[frame.f_code.co_filename] += 1
        return ran

    sys.settrace(called)
    try:
        work()
    finally:
        sys.settrace(None)
    own, parts = Path(find(key).rules).parent, Counter[str]()
    for file, count in by_file.items():
        parts[_part(Path(file), own)] += count
    return parts


def _part(file: Path, own: Path) -> str:
    if file.is_relative_to(own):
        return OWN
    package = file.relative_to(ROOT).parts[0] if file.is_relative_to(ROOT) else ""
    return PARTS.get(package, PARTS[""])
