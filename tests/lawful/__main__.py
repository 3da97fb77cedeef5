"""Plays random lawful fights, then fights with one rule broken, and prints those that come out otherwise, the first with all its facts.

    python -m tests.lawful [RULESET ...] [--rounds N] [--seed S] [--option NAME=VALUE]

With an option only fights that are played by it count, such as edition=2024. Exits with 1 if anything is printed but the counts.
"""

import json
import random
import sys
from argparse import ArgumentParser
from collections.abc import Callable
from importlib import import_module
from itertools import islice
from pathlib import Path

from projections.rulesets import RULESETS, package_of
from tests.lawful.fight import Fight
from tests.lawful.judging import faults

KEYS = list(RULESETS)
"""The rulesets that are played: some have a generator of their own, the others that of what all count alike."""
ROUNDS = 5
"""Rounds of one fight."""


def lawful(key: str, seed: int) -> Fight:
    """Return a lawful fight of so many rounds; the same seed gives the same."""
    return _told(key, "lawful", seed)


def broken(key: str, seed: int) -> Fight:
    """Return a fight in which one rule is broken on purpose."""
    return _told(key, "broken", seed)


def _told(key: str, which: str, seed: int) -> Fight:
    own = package_of(key)
    generator = own if Path(__file__).with_name(f"{own}.py").exists() else "common"
    told = getattr(import_module(f"tests.lawful.{generator}"), which)(random.Random(seed), ROUNDS)
    assert isinstance(told, Fight)
    return told


def main(words: list[str]) -> int:
    """Print what comes out otherwise in these rulesets, or in all; return 1 if anything does."""
    parser = ArgumentParser(prog="python -m tests.lawful", description=__doc__.split("\n", 1)[0])
    parser.add_argument("rulesets", nargs="*", metavar="RULESET", choices=[*KEYS, []], default=[])
    parser.add_argument("--rounds", type=int, default=1_000, metavar="N", help="rounds of lawful play (1,000)")
    parser.add_argument("--seed", type=int, default=0, metavar="S", help="other fights")
    parser.add_argument("--option", metavar="NAME=VALUE", help="only fights by this value of an option")
    asked = parser.parse_args(words)
    wrong = 0
    for key in asked.rulesets or KEYS:
        fights = -(-asked.rounds // ROUNDS)
        for which in (lawful, broken):
            played, found = _played(key, which, fights, asked.seed, asked.option or "")
            wrong += found
            sys.stdout.write(f"{key}: {played} fights of {ROUNDS} rounds, {WHICH[which]}: {found} otherwise\n")
            sys.stdout.flush()
    return int(wrong > 0)


WHICH = {lawful: "lawful", broken: "with one rule broken"}


def _played(key: str, which: Callable[[str, int], Fight], fights: int, seed: int, option: str) -> tuple[int, int]:
    """Play fights, print each that comes out otherwise, and return how many were played, and how many of them did."""
    tried = fights * (MOST_VALUES if option else 1)
    fought = ((number, which(key, number)) for number in range(seed * tried, (seed + 1) * tried))
    played = wrong = 0
    for number, fight in islice((each for each in fought if _is_by(each[1], option)), fights):
        played += 1
        if found := list(faults(key, fight)):
            _show(key, f"{which.__name__} {number}", fight, found, whole=not wrong)
            wrong += 1
    return played, wrong


MOST_VALUES = 8
"""How many fights are tried at most for one by the value of an option."""


def _is_by(fight: Fight, option: str) -> bool:
    name, _, value = option.partition("=")
    return not option or fight.options.get(name) == value


def _show(key: str, name: str, fight: Fight, found: list[str], *, whole: bool) -> None:
    for seq, fact in enumerate(fight.facts if whole else (), 2):
        sys.stdout.write(f"{seq:4} {json.dumps(fact)}\n")
    sys.stdout.write("".join(f"{key}, {name}: {each}\n" for each in found))


if __name__ == "__main__":
    sys.exit(main(sys.argv[1:]))
