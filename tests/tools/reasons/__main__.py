"""Holds logs against the law of reasons (laws.py) and prints what breaks it, and how much could not be judged.

    python -m tests.tools.reasons [RULESET ...] [--plays] [--random N] [--seed S]

Told are the encounters among the fixtures; with `--plays` those of the rulebooks too, with `--random` so many random
logs of each ruleset. Each break is printed once, at the first place where it shows. Exits with 1 if anything breaks,
if an exception is needed by nothing, or if more cannot be judged than the ceiling says.
"""

import sys
from argparse import ArgumentParser, Namespace
from collections.abc import Iterator

from encounterlog_rulelab.reasons import Subject, counted, line_of, rulebook
from projections.ruleset.ruleset import Ruleset
from projections.rulesets import UnknownRuleset, find, keys
from tests.tools.reasons.corpus import fixtures, random_logs
from tests.tools.reasons.known import Ceiling, ceilings, exceptions, idle, outcome_of, risen


def main(words: list[str]) -> int:
    """Print what breaks the law in these rulesets, or in all; return 1 if anything does."""
    asked = _asked(words)
    try:
        rulesets = [find(key) for key in asked.rulesets or keys()]
    except UnknownRuleset as error:
        sys.exit(f"{error} ({error.hint})")
    broken = False
    for ruleset in rulesets:
        for line, wrong in _lines(ruleset, asked):
            broken = broken or wrong
            sys.stdout.write(f"{line}\n")
    return int(broken)


def _asked(words: list[str]) -> Namespace:
    parser = ArgumentParser(prog="python -m tests.tools.reasons", description=__doc__.split("\n")[0])
    parser.add_argument("rulesets", nargs="*", metavar="RULESET")
    parser.add_argument("--plays", action="store_true", help="the plays of the rulebooks, too")
    parser.add_argument("--random", type=int, default=0, metavar="N", help="so many random logs of each ruleset, too")
    parser.add_argument("--seed", type=int, default=0, metavar="S", help="other random logs")
    return parser.parse_args(words)


def _lines(ruleset: Ruleset, asked: Namespace) -> Iterator[tuple[str, bool]]:
    """Yield the lines about a ruleset, each with whether something is wrong."""
    known, ceiling = exceptions(), ceilings().get(ruleset.key, Ceiling())
    own = outcome_of(ruleset.key, fixtures(ruleset), known)
    more = outcome_of(ruleset.key, _more(ruleset, asked), known)
    yield from ((line_of(*each), len(own.breaks) > ceiling.breaks) for each in own.breaks)
    yield from ((line_of(*each), True) for each in more.breaks)
    corpora = {"fixtures"} | ({"plays"} if asked.plays else set()) | ({"random"} if asked.random else set())
    yield from ((line, True) for line in idle(ruleset.key, known, own.needed | more.needed, corpora))
    yield from ((line, True) for line in risen(ruleset.key, own.counts, ceiling))
    yield counted(ruleset.key, own.counts + more.counts), False


def _more(ruleset: Ruleset, asked: Namespace) -> Iterator[Subject]:
    if asked.plays:
        yield from rulebook(ruleset)
    if asked.random > 0:
        yield from random_logs(ruleset, asked.random, asked.seed)


if __name__ == "__main__":
    sys.exit(main(sys.argv[1:]))
