"""The search: which places of which rooms can be changed and nobody notices, and whether the lists are true.

It ends as soon as a file of the project is changed, and a place that could not be tried is told of like one that survives.
"""

import argparse
import os
import random
import sys
from collections.abc import Callable, Iterator, Sequence
from functools import cache
from pathlib import Path

from projections.proving.rulebook import functions, rules_of
from projections.rulesets import UnknownRuleset, find, keys
from tests.places.listed import EQUIVALENT, ListError, Name, listed
from tests.places.place import Place, places_of
from tests.places.rooms import Room, UnknownRoom, chosen
from tests.places.since import UnknownCommit, changed_since
from tests.places.sources import ROOT, SourceChanged, Sources
from tests.places.trials import BROKEN, NOTICED, UNNOTICED, Outcome, Trial
from tests.places.witnesses import Witness, of_ruleset, with_tests


def main(words: list[str]) -> int:
    """Print what goes unnoticed, as the command asks; return 1 if anything does, otherwise 0."""
    asked = _arguments(words)
    try:
        rooms = chosen(asked.rooms)
    except (UnknownRoom, UnknownRuleset) as error:
        sys.exit(str(error))
    found: list[str] = []

    def tell(line: str) -> None:
        found.append(line)
        sys.stdout.write(f"{line}\n")
        sys.stdout.flush()

    try:
        search(rooms, tell, sample=asked.sample, seed=asked.seed, since=asked.since, jobs=asked.jobs)
    except (ListError, SourceChanged, UnknownCommit) as error:
        sys.exit(str(error))
    return bool(found)


def _arguments(words: list[str]) -> argparse.Namespace:
    parser = argparse.ArgumentParser(
        prog="python -m tests.unnoticed --places",
        description="Changes one place at a time; prints what nothing notices.",
    )
    parser.add_argument("rooms", nargs="*", metavar="ROOM", help="a ruleset, another room, or a module: osric.order")
    parser.add_argument(
        "--sample", type=int, metavar="N", help="only so many places that no list names, taken at random"
    )
    parser.add_argument("--seed", type=int, default=0, metavar="S", help="of that chance (default: 0)")
    parser.add_argument("--since", metavar="COMMIT", help="only places in functions that have changed since a commit")
    parser.add_argument(
        "--jobs", type=int, default=os.cpu_count() or 1, help="how many processes (default: %(default)s)"
    )
    return parser.parse_args(words)


def search(
    rooms: Sequence[Room],
    tell: Callable[[str], None],
    *,
    sample: int | None = None,
    seed: int = 0,
    since: str | None = None,
    jobs: int = 1,
    lists: Path = EQUIVALENT,
    root: Path = ROOT,
) -> None:
    """Tell of each place in the rooms that nothing notices and no list excuses, and of what is wrong in the lists. Raise
    SourceChanged if a file below `root` is changed meanwhile."""
    files = Sources(root)
    reasons = {room.name: listed(room.name, lists) for room in rooms}
    every = [
        (room, place) for room in rooms for module, file in room.modules.items() for place in places_of(file, module)
    ]
    taken = every if since is None else changed_since(since, every, root)
    if sample is not None:
        unlisted = [(room, place) for room, place in taken if place.name not in reasons[room.name]]
        taken = _sampled(unlisted, sample, seed)
    tests = dict.fromkeys(test for room, _ in taken for test in room.tests)

    def before(witnesses: list[Witness]) -> None:
        _try(taken, reasons, witnesses, tell, jobs, files)

    with_tests(list(tests), before, whole=sample is None)
    for room in rooms:
        for line in _gone(reasons[room.name], room, [place for other, place in every if other is room]):
            tell(f"{room.name}: {line}")


def _try(
    taken: list[tuple[Room, Place]],
    reasons: dict[str, dict[Name, str]],
    tests: list[Witness],
    tell: Callable[[str], None],
    jobs: int,
    files: Sources,
) -> None:
    """Try these places before the plays of their rulesets and these tests, as long as no file is changed."""
    rulesets = dict.fromkeys(key for room, _ in taken for key in room.rulesets)
    witnesses = [*(one for key in rulesets for one in of_ruleset(key)), *tests]
    room_of = {id(place): room for room, place in taken}
    sources = {room.name: frozenset((*room.rulesets, *room.tests)) for room, _ in taken}
    trial = Trial([place for _, place in taken], witnesses, lambda place: sources[room_of[id(place)].name], _rules)
    trial.measure(jobs)
    for each in witnesses:
        if not each.sound:
            tell(f"{each.title} does not hold, and notices nothing")
    doubtful: list[Place] = []

    def judge(outcome: Outcome, excused: bool) -> None:
        files.stay()
        for line in _judged(outcome, excused):
            tell(f"{room_of[id(outcome.place)].name}: {line}")

    for outcome in trial.outcomes(jobs):
        excused = outcome.place.name in reasons[room_of[id(outcome.place)].name]
        if excused and outcome.said == NOTICED:  # or a witness was only slow beside so many others
            doubtful.append(outcome.place)
        else:
            judge(outcome, excused)
    for outcome in trial.again(doubtful):
        judge(outcome, excused=True)


def _sampled(every: list[tuple[Room, Place]], count: int, seed: int) -> list[tuple[Room, Place]]:
    """Return so many of the places, taken at random and in their order."""
    numbers = random.Random(seed).sample(range(len(every)), min(count, len(every)))
    return [every[number] for number in sorted(numbers)]


def _judged(outcome: Outcome, excused: bool) -> Iterator[str]:
    """Yield what is to be said of a place: it goes unnoticed, is listed and should not be, or could not be tried."""
    place, reach = outcome.place, outcome.reached_by
    where = f"{place.function}, line {place.line}: {place.text}\n    {place.change}"
    if outcome.said == BROKEN:
        yield f"{where}: it could not be tried: {outcome.error}"
    elif outcome.said == UNNOTICED and not excused:
        yield f"{where} ({f'{reach} run it and hold' if reach else 'nothing runs it'})"
    elif outcome.said == NOTICED and excused:
        how = "ran out of time, alone and with more patience too" if outcome.late else "notices it"
        yield f"{where}: it does not go unnoticed ({outcome.last} {how}), so take it out of the list"
    elif outcome.said != UNNOTICED and excused:
        yield f"{where}: it is no change, so take it out of the list"


def _gone(reasons: dict[Name, str], room: Room, places: list[Place]) -> Iterator[str]:
    names = {place.name for place in places}
    for function, line, change in reasons:
        mine = room.whole or any(function.startswith(f"{module}.") for module in room.modules)
        if mine and (function, line, change) not in names:
            yield f"{function}: {line}\n    {change}: there is no such place, so take it out of the list"


def _rules(place: Place) -> frozenset[str]:
    """Return the rules that the functions of a place's module carry."""
    return _carried().get(place.file, frozenset())


@cache
def _carried() -> dict[str, frozenset[str]]:
    """Return the rules that functions carry, by the files in which they stand."""
    found: dict[str, frozenset[str]] = {}
    for key in keys():
        for each in functions(find(key)):
            file = str(sys.modules[each.__module__].__file__)
            found[file] = found.get(file, frozenset()).union(rules_of(each))
    return found
