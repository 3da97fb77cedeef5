"""Types plays, fixtures and lawful fights once more without their clock facts, and prints what the lines made of the clock.

    python -m tests.clock [RULESET ...] [--fights N] [--seed S] [--show VERDICT]

Exits with 1 if a line does anything else than it should, or more than one in forty of the plays is refused; in fights much
is held on purpose, which no line says.
"""

import sys
from argparse import ArgumentParser
from collections import Counter
from collections.abc import Iterator, Sequence

from eventstore.record import Recorded
from projections.rulesets import RULESETS, find
from tests.clock.retyping import EXCEPTIONS, Line, records_of, retyped
from tests.lawful import judging
from tests.lawful.__main__ import lawful
from tests.projections.stage import stage

VERDICTS = ("same", "refused", "blamed", "later", "other")
ONE_IN = 40
"""At most one line in so many is refused."""


def plays(key: str) -> Iterator[tuple[str, Sequence[Recorded]]]:
    """Yield the plays and fixtures of a ruleset, by their places, except those that are listed."""
    for play in stage(find(key)):
        name = f"{play.source}, line {play.line}"
        if f"{key}, {name}" not in EXCEPTIONS:
            yield name, records_of(play)


def fights(key: str, first: int, count: int) -> Iterator[tuple[str, Sequence[Recorded]]]:
    """Yield lawful fights of a ruleset, by their numbers."""
    for number in range(first, first + count):
        yield f"lawful fight {number}", judging.records_of(key, lawful(key, number))


def typed(found: Iterator[tuple[str, Sequence[Recorded]]]) -> Iterator[tuple[str, Line]]:
    """Yield the lines of these records, with the place of each."""
    for name, records in found:
        for line in retyped(records):
            yield name, line


def main(words: list[str]) -> int:
    """Print the verdicts of each ruleset, and the lines with one of them; return 1 if the law does not hold."""
    parser = ArgumentParser(prog="python -m tests.clock", description=__doc__.split("\n", 1)[0])
    parser.add_argument("rulesets", nargs="*", metavar="RULESET", choices=[*RULESETS, []], default=[])
    parser.add_argument("--fights", type=int, default=40, metavar="N", help="lawful fights of each ruleset (40)")
    parser.add_argument("--seed", type=int, default=0, metavar="S", help="other fights")
    parser.add_argument("--show", default="other", choices=VERDICTS, metavar="VERDICT", help="lines to print (other)")
    asked = parser.parse_args(words)
    broken = False
    for key in asked.rulesets or RULESETS:
        parts = {"plays": plays(key), "fights": fights(key, asked.seed * asked.fights, asked.fights)}
        for what, found in parts.items():
            counted = Counter[str]()
            for name, line in typed(found):
                counted[line.verdict] += 1
                _show(name, line) if line.verdict == asked.show else None
            _print(f"{key}, {what}: {', '.join(f'{counted[each]} {each}' for each in VERDICTS)}")
            few = what == "fights" or ONE_IN * counted["refused"] <= counted.total()
            broken = broken or bool(counted["other"]) or not few
    return int(broken)


def _show(name: str, line: Line) -> None:
    _print(f"{name}, record {line.seq}: {line.typed}")
    _print(f"    in the record {list(line.wanted)}, here {list(line.made)}{line.says and f': {line.says}'}")


def _print(text: str) -> None:
    sys.stdout.write(f"{text}\n")
    sys.stdout.flush()


if __name__ == "__main__":
    sys.exit(main(sys.argv[1:]))
