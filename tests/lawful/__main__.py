"""Plays random lawful fights, then fights with one rule broken, and prints the first that comes out otherwise.

    python -m tests.lawful [RULESET ...] [--rounds N] [--seed S]

Exits with 1 if anything is printed but the counts.
"""

import json
import random
import sys
from argparse import ArgumentParser
from importlib import import_module
from pathlib import Path

from projections.rulesets import RULESETS, package_of
from tests.lawful.fight import Fight
from tests.lawful.judging import faults

KEYS = [key for key in RULESETS if Path(__file__).with_name(f"{package_of(key)}.py").exists()]
"""The rulesets that have a generator."""
ROUNDS = 5
"""Rounds of one fight."""


def lawful(key: str, seed: int) -> Fight:
    """Return a lawful fight of so many rounds; the same seed gives the same."""
    return _told(key, "lawful", seed)


def broken(key: str, seed: int) -> Fight:
    """Return a fight in which one rule is broken on purpose."""
    return _told(key, "broken", seed)


def _told(key: str, which: str, seed: int) -> Fight:
    told = getattr(import_module(f"tests.lawful.{package_of(key)}"), which)(random.Random(seed), ROUNDS)
    assert isinstance(told, Fight)
    return told


def main(words: list[str]) -> int:
    """Print what comes out otherwise in these rulesets, or in all; return 1 if anything does."""
    parser = ArgumentParser(prog="python -m tests.lawful", description=__doc__.split("\n", 1)[0])
    parser.add_argument("rulesets", nargs="*", metavar="RULESET", choices=[*KEYS, []], default=[])
    parser.add_argument("--rounds", type=int, default=1_000, metavar="N", help="rounds of lawful play (1,000)")
    parser.add_argument("--seed", type=int, default=0, metavar="S", help="other fights")
    asked = parser.parse_args(words)
    wrong = False
    for key in asked.rulesets or KEYS:
        fights = -(-asked.rounds // ROUNDS)
        for which in (lawful, broken):
            for number in range(asked.seed * fights, (asked.seed + 1) * fights):
                fight = which(key, number)
                if found := list(faults(key, fight)):
                    wrong = True
                    _show(key, f"{which.__name__} {number}", fight, found)
                    break
        sys.stdout.write(f"{key}: {fights} fights of {ROUNDS} rounds, lawful and with one rule broken\n")
    return int(wrong)


def _show(key: str, name: str, fight: Fight, found: list[str]) -> None:
    for seq, fact in enumerate(fight.facts, 2):
        sys.stdout.write(f"{seq:4} {json.dumps(fact)}\n")
    sys.stdout.write("".join(f"{key}, {name}: {each}\n" for each in found))


if __name__ == "__main__":
    sys.exit(main(sys.argv[1:]))
