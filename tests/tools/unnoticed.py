"""Switches off each check and each deriving function of a ruleset, one at a time, and prints what nothing notices.

    python -m tests.tools.unnoticed [RULESET ...]
    python -m tests.tools.unnoticed --places [RULESET|ROOM|MODULE ...] [--sample N] [--seed S]

A function that is switched off does nothing, or returns a sound value that says nothing: 0, "", False (and True), the
own segment without its bonus. It is noticed where a play that holds (a case, breach or alternative of the rulebook, a
fixture) no longer does; a mere crash is not noticed. And a clause's own plays have to notice at least one of the
functions that carry its id. Exits with 1 if anything is printed.

With `--places` it changes one place at a time inside the functions (`encounterlog_rulelab/places.py` lists the changes), of the
rulesets' folders and of what they share (`rooms.py`), and prints the places whose change no play and no test of the room
notices; with `--sample` only some of those that no list names, and tests look at as much as they do in a run of all tests.
Here a crash counts as noticed, and so does a play that does not come to an end: what stands in the place is of
the same type as before, so that a crash is what the change leads to, not a sign of a stand-in that does not fit; and the
play does fail. A change that changes nothing is listed with its reason in `tests/equivalent/` (`listed.py`); one that is
noticed all the same is tried again, alone and with more patience, before that is said: beside others a witness may be slow.
"""

import sys
import time
from collections.abc import Callable, Iterator

from encounterlog_rulelab.unnoticed import unnoticed
from projections.proving.rulebook import functions, name_of
from projections.ruleset.ruleset import Ruleset
from projections.rulesets import UnknownRuleset, find, keys
from tests.projections.stage import stage
from tests.tools import simpler


def main(words: list[str]) -> int:
    """Print the unnoticed functions or places of these rulesets, or of all; return their number, at most 1."""
    if "--places" in words:
        from tests.tools.places.search import main as places  # pytest and all rooms come with it

        return places([word for word in words if word != "--places"])
    found = 0
    try:
        rulesets = [find(key) for key in words or keys()]
    except UnknownRuleset as error:
        sys.exit(f"{error} ({error.hint})")
    for ruleset in rulesets:
        key = ruleset.key
        for line in lines(ruleset, _progress(key)):
            sys.stdout.write(f"{key}: {line}\n")
            found = 1
    return found


def lines(ruleset: Ruleset, progress: Callable[[str], None] = lambda _: None) -> Iterator[str]:
    """Yield the unnoticed functions, and the names in `tests/tools/simpler` that no longer exist."""
    yield from (f"{name} is gone: take it out of tests/tools/simpler" for name in _gone(ruleset))
    yield from map(str, unnoticed(ruleset, stage(ruleset), simpler.of(ruleset.key), progress))


def _gone(ruleset: Ruleset) -> set[str]:
    return simpler.of(ruleset.key).keys() - {name_of(function) for function in functions(ruleset)}


def _progress(key: str) -> Callable[[str], None]:
    since = time.monotonic()

    def tell(name: str) -> None:
        if sys.stderr.isatty():
            sys.stderr.write(f"\r\x1b[K{key} {time.monotonic() - since:.0f} s {name}" if name else "\r\x1b[K")
            sys.stderr.flush()

    return tell


if __name__ == "__main__":
    sys.exit(main(sys.argv[1:]))
