"""The search for places that can be changed and nothing notices: a report on each, and on the list of equivalent ones.

The list of changes that change nothing is in TOML, with the reason of each.

    [[place]]
    function = "order.missing_dice"
    line = "first = min((rolled.seq for rolled in state.dice.values()), default=0)"
    change = "0 becomes 1"
    reason = "no fact after the first has seq 0 or 1"

Function, line and change are as the tool prints them.
"""

import random
import sys
import tomllib
from collections.abc import Callable, Collection, Iterable, Iterator, Sequence
from pathlib import Path
from typing import NamedTuple, TypeVar

from encounterlog_rulelab.golden import page_of_play
from encounterlog_rulelab.places import Place
from encounterlog_rulelab.trials import BROKEN, MORE, NOTICED, UNNOTICED, Outcome, Trial, Witness, of_plays
from projections.proving.plays import Play
from projections.proving.rulebook import functions
from projections.ruleset.ruleset import Ruleset

FIELDS = {"function", "line", "change", "reason"}

Name = tuple[str, str, str]


class ListError(Exception):
    """A mistake in a list; the message says where and what it is."""


def read_list(path: Path) -> dict[Name, str]:
    """Return the places that are listed in a file, by name, each with its reason; raise ListError."""
    try:
        entries = tomllib.loads(path.read_text("utf-8")).get("place", [])
    except tomllib.TOMLDecodeError as error:
        raise ListError(f"{path.name} cannot be read: {error}") from None
    found: dict[Name, str] = {}
    for number, entry in enumerate(entries, 1):
        if entry.keys() != FIELDS or not all(isinstance(word, str) and word.strip() for word in entry.values()):
            raise ListError(f"{path.name}, place {number}: it needs {', '.join(sorted(FIELDS))}, in words")
        name = entry["function"], entry["line"], entry["change"]
        if name in found:
            raise ListError(f"{path.name}, place {number}: it is listed twice")
        found[name] = entry["reason"]
    return found


T = TypeVar("T")


class Verdict(NamedTuple):
    """A place that was tried, and the report on it; nothing if the change is noticed, or excused."""

    place: Place
    says: str

    def __str__(self) -> str:
        return f"{self.place.function}, line {self.place.line}: {self.place.text}\n    {self.place.change}: {self.says}"


def trial_of_ruleset(ruleset: Ruleset, plays: Collection[Play], places: Sequence[Place]) -> Trial:
    """Return the trial of a ruleset's places by its plays, each compared with its page as it is now."""
    about = rules_by_file([ruleset])
    pages = {(play.source, play.line): page_of_play(play, play.title) for play in plays}
    return Trial(
        places,
        of_plays(ruleset, plays, lambda play: page_of_play(play, play.title) == pages[play.source, play.line]),
        sources=lambda _: frozenset({ruleset.key}),
        rules=lambda place: about.get(place.file, frozenset()),
    )


def modules_in(folder: Path) -> dict[str, str]:
    """Return the files of the modules in a folder that are in use, by their names."""
    files = [Path(str(module.__file__)) for module in list(sys.modules.values()) if getattr(module, "__file__", None)]
    inside = sorted(file for file in files if file.is_relative_to(folder) and file.suffix == ".py")
    return {".".join(file.relative_to(folder).with_suffix("").parts): str(file) for file in inside}


def rules_by_file(rulesets: Iterable[Ruleset]) -> dict[str, frozenset[str]]:
    """Return the rules that functions of these rulesets carry, by the files in which they stand."""
    found: dict[str, frozenset[str]] = {}
    for ruleset in rulesets:
        for each in functions(ruleset):
            file = str(sys.modules[each.__module__].__file__)
            found[file] = found.get(file, frozenset()).union(each.rules)
    return found


def sample_of(every: Sequence[T], count: int, seed: int) -> list[T]:
    """Return so many of these, taken at random and in their order."""
    numbers = random.Random(seed).sample(range(len(every)), min(count, len(every)))  # noqa: S311 - a sample, not a secret
    return [every[number] for number in sorted(numbers)]


def unsound_witnesses(witnesses: Iterable[Witness]) -> Iterator[str]:
    """Yield the titles of the witnesses that do not hold although nothing is changed."""
    return (each.title for each in witnesses if not each.sound)


def try_places(trial: Trial, excused: Callable[[Place], bool], jobs: int) -> Iterator[Verdict]:
    """Try every place of a trial that was measured, and yield a report on each.

    One that is excused and noticed is tried again, alone: a witness may have been slow beside so many others.
    """
    doubtful: list[Place] = []
    for outcome in trial.outcomes(jobs):
        if excused(outcome.place) and outcome.said == NOTICED:
            doubtful.append(outcome.place)
        else:
            yield Verdict(outcome.place, _said(outcome, excused(outcome.place)))
    for outcome in trial.outcomes(1, doubtful, MORE):
        yield Verdict(outcome.place, _said(outcome, excused=True))


def _said(outcome: Outcome, excused: bool) -> str:
    """Return the report on a place: it goes unnoticed, is listed and should not be, or could not be tried."""
    reach = outcome.reached_by
    if outcome.said == BROKEN:
        return f"it could not be tried: {outcome.error}"
    if outcome.said == UNNOTICED:
        return "" if excused else f"{reach} run it and hold" if reach else "nothing runs it"
    if not excused:
        return ""
    if outcome.said == NOTICED:
        how = "ran out of time, alone and with more patience too" if outcome.late else "notices it"
        return f"it does not go unnoticed ({outcome.last} {how}), so take it out of the list"
    return "it is no change, so take it out of the list"


def gone(listed: Iterable[Name], places: Iterable[Place]) -> Iterator[str]:
    """Yield a report on each place that a list names and that is not there."""
    names = {place.name for place in places}
    for function, line, change in (name for name in listed if name not in names):
        yield f"{function}: {line}\n    {change}: there is no such place, so take it out of the list"
