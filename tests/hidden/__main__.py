"""`python -m tests.hidden --logs 2000`: random logs of every ruleset with hidden combatants; ends with 1 if players learn of one."""

import argparse
import sys
from multiprocessing import Pool

from tests.hidden import RULESETS, made, problems


def one(of: tuple[str, int]) -> list[str]:
    """Return what is wrong with a log."""
    return [f"{of[0]} {of[1]}: {each}" for each in problems(*of)]


def heard(of: tuple[str, int]) -> list[str]:
    """Return what a player's assistant learns of a log."""
    from tests.hidden.assistant import learns  # an extra that the others need not have

    return [f"{of[0]} {of[1]}: {each}" for each in learns(*of)]


def main() -> int:
    """Look at so many logs, and print what is wrong with each."""
    parser = argparse.ArgumentParser(prog="python -m tests.hidden", description=__doc__)
    parser.add_argument("--logs", type=int, default=70, help="how many logs, of all rulesets together")
    parser.add_argument("--first", type=int, default=0, help="the seed of the first")
    parser.add_argument("--workers", type=int, default=2)
    parser.add_argument("--assistant", action="store_true", help="what a player's assistant hears by `encounter mcp`")
    parser.add_argument("--show", nargs=2, metavar=("KEY", "SEED"), help="print the lines and facts of one log")
    asked = parser.parse_args()
    if asked.show:
        sys.stdout.writelines(f"{each}\n" for each in made(asked.show[0], int(asked.show[1])).did)
        return 0
    wanted = [(RULESETS[n % len(RULESETS)], asked.first + n) for n in range(asked.logs)]
    wrong = 0
    with Pool(asked.workers) as pool:
        for found in pool.imap_unordered(heard if asked.assistant else one, wanted, chunksize=4):
            wrong += bool(found)
            sys.stdout.writelines(f"{each}\n" for each in found)
    sys.stdout.write(f"{asked.logs} logs, {wrong} in which players learn of the hidden\n")
    return 1 if wrong else 0


if __name__ == "__main__":
    sys.exit(main())
