"""Changes places at random, one at a time, and prints which of them the first tier of tests notices and which the whole.

    python -m tests.tools.tiers [ROOM ...] [--sample N] [--seed S] [--jobs N] [--seconds N] [--into FILE]

The first tier is what `pytest -m "not slow"` runs (tests/selection.py). Of it are asked the tests that look at a room in
`python -m tests.tools.unnoticed --places`, and those that run the plays; so that it notices what is printed here or more. The whole
is that, the tests of the room that are of the second tier (of those that are run in turn, one turn), and each play with its
golden page. Only places are taken that no list of equivalent ones names; what not even the whole notices counts for neither.
Besides the rooms there is `application`, the modules of `encounterlog`, with the tests in `tests/encounterlog`.

Only tests are asked that run the place: those called after its module first, then the quick ones, for so many seconds of the
processor a place and tier as `--seconds` gives. What the first tier does not notice in that time is left to the second; what
the second does not notice in it, while it has more to ask, is open, and the table counts it among what the whole notices.

Prints a line for each place that the first tier leaves to the second, with the test that notices it, and then the table.
With `--into` each verdict is appended to a file as a line of JSON as soon as it is known.
"""

import argparse
import json
import sys
from collections import Counter
from collections.abc import Collection, Sequence
from pathlib import Path
from random import Random

import pytest

from encounterlog_rulelab.places import Place, places_of
from encounterlog_rulelab.search import rules_by_file, sample_of
from encounterlog_rulelab.trials import BROKEN, NOTICED, SAME, Outcome, Trial, Witness
from projections.rulesets import UnknownRuleset, find, keys
from tests.selection import is_slow, waits_for_its_turn
from tests.tools.places.children import forked
from tests.tools.places.listed import listed
from tests.tools.places.rooms import TESTS, Room, UnknownRoom, package, rooms
from tests.tools.places.witnesses import of_ruleset, of_test, with_items

OF_PLAYS = ("test_rulebook.py", "test_plays.py")
"""The tests in `tests/projections` that run the plays."""
FIRST, LEFT, SECOND, OPEN, NOBODY = "first", "left", "second", "open", "nobody"
NO_CHANGE, BROKE = "no change", "broken"
"""The words for a place: the first tier notices it or leaves it to the second, which notices it, or may; nobody does;
it changes nothing; it could not be tried.
"""


def main(words: list[str]) -> int:
    """Print the places that each tier notices, as the command asks."""
    parser = argparse.ArgumentParser(
        prog="python -m tests.tools.tiers", description="Prints what each tier of tests notices."
    )
    parser.add_argument("rooms", nargs="*", metavar="ROOM", help="a ruleset or another room; all if none is named")
    parser.add_argument("--sample", type=int, default=300, metavar="N", help="how many places (default: %(default)s)")
    parser.add_argument("--seed", type=int, default=0, metavar="S", help="of that chance (default: %(default)s)")
    parser.add_argument("--jobs", type=int, default=2, help="how many processes (default: %(default)s)")
    parser.add_argument(
        "--seconds", type=float, default=30, metavar="N", help="for how long each tier is asked (default: %(default)s)"
    )
    parser.add_argument("--into", type=Path, metavar="FILE", help="where each verdict is appended as JSON")
    asked = parser.parse_args(words)
    try:
        search = Search(_chosen(asked.rooms), asked)
    except (UnknownRoom, UnknownRuleset) as error:
        sys.exit(str(error))
    with forked():
        with_items(search.files(), search.run)
    return 0


def _chosen(words: list[str]) -> list[Room]:
    known = {**rooms(), "application": _application()}
    for word in words:
        if word not in known:
            raise UnknownRoom(word, list(known))
    return [known[word] for word in words] or list(known.values())


def _application() -> Room:
    tests = sorted(map(str, (TESTS / "encounterlog").rglob("test_*.py")))
    return Room("application", package("encounterlog"), (), tuple(tests))


class Search:
    """The places that are tried, and their verdicts."""

    def __init__(self, rooms: Sequence[Room], asked: argparse.Namespace) -> None:
        self.jobs, self.seconds, self.into = asked.jobs, asked.seconds, asked.into
        every = [
            (room, place)
            for room in rooms
            for excused in [listed(room.name)]
            for module, file in room.modules.items()
            for place in places_of(file, module)
            if place.name not in excused
        ]
        taken = sample_of(every, asked.sample, asked.seed)
        Random(asked.seed).shuffle(taken)
        self.places = [place for _, place in taken]
        self.room = {id(place): room for room, place in taken}
        self.found: Counter[tuple[str, str]] = Counter()
        self.rules = rules_by_file(find(key) for key in keys())

    def files(self) -> list[str]:
        """Return the files of the tests in use."""
        rooms = self.room.values()
        plays = [str(TESTS / "projections" / name) for name in OF_PLAYS if any(room.rulesets for room in rooms)]
        return [*dict.fromkeys((*(test for room in rooms for test in room.tests), *plays))]

    def run(self, items: list[pytest.Item]) -> None:
        """Try every place with the first tier, the remaining ones with the second, and print the table."""
        keys = {key for room in self.room.values() for key in room.rulesets}
        others = [item for item in items if item.path.name in OF_PLAYS and not any(key in item.name for key in keys)]
        first = [of_test(item) for item in items if not is_slow(item) and item not in others]
        left = self._tried(self.places, first, FIRST)
        rooms = [self.room[id(place)] for place in left]
        named = {test for room in rooms for test in room.tests}
        plays = [
            one for key in dict.fromkeys(key for room in rooms for key in room.rulesets) for one in of_ruleset(key)
        ]
        later = waits_for_its_turn(items, 0)
        tests = [of_test(item) for item in items if is_slow(item) and str(item.path) in named and item not in later]
        self._tried(left, [*plays, *tests], SECOND)
        sys.stdout.write(self.table())

    def _tried(self, places: Sequence[Place], witnesses: list[Witness], tier: str) -> list[Place]:
        """Try places with the tests of a tier; return those that none of them notices."""
        if not places:
            return []
        everything = frozenset(witness.source for witness in witnesses)
        about = self.rules.get
        trial = Trial(
            places, witnesses, lambda _: everything, lambda place: about(place.file, frozenset()), self.seconds
        )
        trial.measure(self.jobs)
        return [
            place for place, outcome in zip(places, trial.outcomes(self.jobs), strict=True) if self._left(outcome, tier)
        ]

    def _left(self, outcome: Outcome, tier: str) -> bool:
        unnoticed = LEFT if tier == FIRST else OPEN if outcome.asked < outcome.reached_by else NOBODY
        said = {NOTICED: tier, SAME: NO_CHANGE, BROKEN: BROKE}.get(outcome.said, unnoticed)
        self._tell(outcome.place, said, outcome.error or outcome.last)
        return said == LEFT

    def _tell(self, place: Place, said: str, by: str = "") -> None:
        room = self.room[id(place)].name
        self.found[room, said] += 1
        if self.into:
            with self.into.open("a", encoding="utf-8") as file:
                file.write(json.dumps([room, said, *place.name, place.line, by], ensure_ascii=False) + "\n")
        if said not in (FIRST, LEFT, NO_CHANGE):
            sys.stdout.write(
                f"{room}: {place.function}, line {place.line}: {place.text}\n    {place.change}: {said} {by}\n"
            )
            sys.stdout.flush()

    def table(self) -> str:
        """Return the number of places that each tier notices, a line for each room and one for all."""
        names = dict.fromkeys(room.name for room in self.room.values())
        rows = [(name, self._row([name])) for name in names]
        lines = [f"{'room':18} {'first':>6} {'whole':>6} {'of':>6} {'first/whole':>12}"]
        for name, (first, whole, every) in [*rows, ("all", self._row(names))]:
            lines.append(f"{name:18} {first:6} {whole:6} {every:6} {first / whole if whole else 1:12.1%}")
        return "\n".join(lines) + "\n"

    def _row(self, names: Collection[str]) -> tuple[int, int, int]:
        first, second, may, nobody = (
            sum(self.found[name, said] for name in names) for said in (FIRST, SECOND, OPEN, NOBODY)
        )
        return first, first + second + may, first + second + may + nobody


if __name__ == "__main__":
    sys.exit(main(sys.argv[1:]))
