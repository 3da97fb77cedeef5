"""The search: which places of which rooms can be changed and nobody notices, and whether the lists are true.

It ends as soon as a file of the project is changed, and a place that could not be tried is told of like one that survives.
"""

import argparse
import os
import sys
from collections.abc import Callable, Iterator, Sequence
from functools import cache
from pathlib import Path

from encounterlog_rulelab.places import Place, places_of
from encounterlog_rulelab.search import ListError, Name, gone, rules_by_file, sample_of, try_places, unsound_witnesses
from encounterlog_rulelab.trials import Trial, Witness
from projections.rulesets import UnknownRuleset, find, keys
from tests.tools.places.listed import EQUIVALENT, listed
from tests.tools.places.rooms import Room, UnknownRoom, chosen
from tests.tools.places.sources import ROOT, SourceChanged, Sources
from tests.tools.places.witnesses import of_ruleset, with_tests


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
        search(rooms, tell, sample=asked.sample, seed=asked.seed, jobs=asked.jobs)
    except (ListError, SourceChanged) as error:
        sys.exit(str(error))
    return bool(found)


def _arguments(words: list[str]) -> argparse.Namespace:
    parser = argparse.ArgumentParser(
        prog="python -m tests.tools.unnoticed --places",
        description="Changes one place at a time; prints what nothing notices.",
    )
    parser.add_argument("rooms", nargs="*", metavar="ROOM", help="a ruleset, another room, or a module: osric.order")
    parser.add_argument(
        "--sample", type=int, metavar="N", help="only so many places that no list names, every at random"
    )
    parser.add_argument("--seed", type=int, default=0, metavar="S", help="of that chance (default: 0)")
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
    if sample is not None:
        unlisted = [(room, place) for room, place in every if place.name not in reasons[room.name]]
        every = sample_of(unlisted, sample, seed)
    tests = dict.fromkeys(test for room, _ in every for test in room.tests)

    def before(witnesses: list[Witness]) -> None:
        _try(every, reasons, witnesses, tell, jobs, files)

    with_tests(list(tests), before, whole=sample is None)
    for room in rooms:
        for line in _gone(reasons[room.name], room, [place for other, place in every if other is room]):
            tell(f"{room.name}: {line}")


def listed_and_gone(room: Room, lists: Path = EQUIVALENT) -> list[str]:
    """Return a report on each place that the list of a room names and its functions no longer have; raise ListError."""
    reasons = listed(room.name, lists)
    named = {module for module in room.modules for function, _, _ in reasons if function.startswith(f"{module}.")}
    return list(_gone(reasons, room, [place for each in named for place in places_of(room.modules[each], each)]))


def _try(
    every: list[tuple[Room, Place]],
    reasons: dict[str, dict[Name, str]],
    tests: list[Witness],
    tell: Callable[[str], None],
    jobs: int,
    files: Sources,
) -> None:
    """Try these places before the plays of their rulesets and these tests, as long as no file is changed."""
    rulesets = dict.fromkeys(key for room, _ in every for key in room.rulesets)
    witnesses = [*(one for key in rulesets for one in of_ruleset(key)), *tests]
    room_of = {id(place): room for room, place in every}
    sources = {room.name: frozenset((*room.rulesets, *room.tests)) for room, _ in every}
    trial = Trial([place for _, place in every], witnesses, lambda place: sources[room_of[id(place)].name], _rules)

    def excused(place: Place) -> bool:
        return place.name in reasons[room_of[id(place)].name]

    trial.measure(jobs)
    for title in unsound_witnesses(witnesses):
        tell(f"{title} does not hold, and notices nothing")
    for verdict in try_places(trial, excused, jobs):
        files.stay()
        if verdict.says:
            tell(f"{room_of[id(verdict.place)].name}: {verdict}")


def _gone(reasons: dict[Name, str], room: Room, places: list[Place]) -> Iterator[str]:
    mine = {name for name in reasons if room.whole or name[0].startswith(tuple(f"{each}." for each in room.modules))}
    return gone([name for name in reasons if name in mine], places)


def _rules(place: Place) -> frozenset[str]:
    """Return the rules that the functions of a place's module carry."""
    return _carried().get(place.file, frozenset())


@cache
def _carried() -> dict[str, frozenset[str]]:
    return rules_by_file(find(key) for key in keys())
